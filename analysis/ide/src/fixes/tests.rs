//! Programs after a chosen edit; `$0` marks the cursor.

use expect_test::{Expect, expect};

use super::Trial;
use crate::AnalysisHost;

const HEAD: &str = "\
var {:layer 0,3} x: int;
atomic action {:layer 1,3} Bump(by: int) { x := x + by; }
yield procedure {:layer 0} bump(by: int);
refines Bump;
";

/// The titles of what is offered at the cursor, and the text after the one that holds `wanted`.
fn offered(text: &str, wanted: &str) -> (Vec<String>, Option<String>) {
    let offset = u32::try_from(text.find("$0").expect("a cursor")).expect("small");
    let text = text.replacen("$0", "", 1);
    let mut host = AnalysisHost::new();
    let file = host.set_file("a.bpl", text.as_str());
    let program = host.add_program(&[file], &[]).expect("a program");
    let candidates = host.analysis().candidates(program, file, (offset, offset), &[]);
    let chosen = Trial::default().offered(&candidates, &|| true);
    let all: Vec<_> = chosen.into_iter().map(|number| &candidates.all[number]).collect();
    let hit = all.iter().find(|candidate| candidate.fix.title.contains(wanted));
    let after = hit.map(|candidate| super::trial::applied(&text, file, &candidate.fix.edits));
    (all.iter().map(|candidate| candidate.fix.title.clone()).collect(), after)
}

fn check(rest: &str, wanted: &str, expected: Expect) {
    let (titles, after) = offered(&format!("{HEAD}{rest}"), wanted);
    let after = after.unwrap_or_else(|| panic!("only {titles:?} are offered"));
    expected.assert_eq(after.strip_prefix(HEAD).unwrap_or(&after));
}

#[test]
fn a_procedure_gets_a_stub_action() {
    check(
        "yield procedure {:layer 1} wo$0rk(n: int) returns (m: int)\n{\n  call bump(n);\n}\n",
        "stub action",
        expect![[r#"
            yield procedure {:layer 1} work(n: int) returns (m: int)
            refines AtomicWork;
            {
              call bump(n);
            }

            atomic action {:layer 2} AtomicWork(n: int) returns (m: int)
            {
            }
        "#]],
    );
}

#[test]
fn a_stub_action_is_strong_enough_for_the_callers() {
    check(
        "\
yield procedure {:layer 1} wo$0rk() { call bump(1); }
yield procedure {:layer 2} both() { call work(); call work(); }
",
        "stub action",
        expect![[r#"
            yield procedure {:layer 1} work()
            refines AtomicWork; { call bump(1); }

            left action {:layer 2} AtomicWork()
            {
            }
            yield procedure {:layer 2} both() { call work(); call work(); }
        "#]],
    );
}

#[test]
fn an_action_gets_a_stub_procedure_once() {
    check(
        "atomic action {:layer 2} AtomicD$0rop() { x := 0; }\n",
        "stub procedure",
        expect![[r#"
        atomic action {:layer 2} AtomicDrop() { x := 0; }

        yield procedure {:layer 1} drop();
        refines AtomicDrop;
    "#]],
    );
    let (titles, _) = offered(&HEAD.replacen("Bump", "Bu$0mp", 1), "");
    assert!(!titles.iter().any(|title| title.contains("stub procedure")), "{titles:?}");
}

#[test]
fn a_procedure_gets_the_parameters_of_its_action() {
    check(
        "\
atomic action {:layer 2} Drop(all: bool) returns (n: int) { n := 0; x := 0; }
yield procedure {:layer 1} dro$0p(some: int);
refines Drop;
",
        "give `drop` the parameters",
        expect![[r#"
            atomic action {:layer 2} Drop(all: bool) returns (n: int) { n := 0; x := 0; }
            yield procedure {:layer 1} drop(all: bool) returns (n: int);
            refines Drop;
        "#]],
    );
}

#[test]
fn a_yield_condition_becomes_an_invariant() {
    check(
        "yield procedure {:layer 1} work(n: int)\n{\n  yield x$0 >= n;\n  call bump(n);\n}\n",
        "extract",
        expect![[r#"
            yield procedure {:layer 1} work(n: int)
            {
              call YieldWork(n);
              call bump(n);
            }

            yield invariant {:layer 1} YieldWork(n: int);
            preserves x >= n;
        "#]],
    );
}

#[test]
fn a_clause_becomes_an_invariant() {
    check(
        "yield procedure {:layer 1} work(n: int)\npreserves {:layer 1} x$0 >= n;\n{\n}\n",
        "extract",
        expect![[r#"
            yield procedure {:layer 1} work(n: int)
            preserves call YieldWork(n);
            {
            }

            yield invariant {:layer 1} YieldWork(n: int);
            preserves x >= n;
        "#]],
    );
}

#[test]
fn a_layer_is_inserted_and_what_is_higher_renumbered() {
    let text = "\
var {:layer 0,3} x: int;
atomic action {:layer 1} Bump() { x := x + 1; }
yield procedure {:layer 0} bump();
refines Bump;
atomic action {:layer 2,3} Work() { x := x + 1; }
yield procedure {:layer $01} work()
refines Work;
{ call bump(); }
yield invariant {:layer 2} Here();
preserves true;
yield procedure {:layer 2} main()
{ call work(); }
";
    let (titles, after) = offered(text, "insert a layer above 1");
    let after = after.unwrap_or_else(|| panic!("only {titles:?} are offered"));
    expect![[r#"
        var {:layer 0,4} x: int;
        atomic action {:layer 1} Bump() { x := x + 1; }
        yield procedure {:layer 0} bump();
        refines Bump;
        atomic action {:layer 2,4} Work() { x := x + 1; }
        yield procedure {:layer 1} work()
        refines Work;
        { call bump(); }
        yield invariant {:layer 3} Here();
        preserves true;
        yield procedure {:layer 3} main()
        { call work(); }
    "#]]
    .assert_eq(&after);
}

#[test]
fn surplus_modifies_are_removed_and_needed_ones_stay() {
    let (titles, _) = offered(
        "var a: int; var b: int;\nprocedure P()\nmodifies a, $0b;\n{ a := 1; }\n",
        "remove",
    );
    assert_eq!(titles, ["remove `b` from `modifies`: it is not needed"]);
}

#[test]
fn an_invariant_with_parameters_is_called_with_what_is_in_scope() {
    check(
        "\
yield invariant {:layer 1} Above(low: int);
preserves x >= low;
yield procedure {:layer 1} work(n: int)
{
  call bump(1);
  $0call bump(2);
}
",
        "insert `call Above",
        expect![[r#"
            yield invariant {:layer 1} Above(low: int);
            preserves x >= low;
            yield procedure {:layer 1} work(n: int)
            {
              call bump(1);
              call Above(n);
              call bump(2);
            }
        "#]],
    );
}

#[test]
fn stronger_movers_are_candidates_for_a_proof() {
    let (titles, _) = offered(&HEAD.replacen("Bump", "Bu$0mp", 1), "");
    let movers: Vec<&String> = titles.iter().filter(|title| title.starts_with("make")).collect();
    assert_eq!(
        movers,
        ["make `Bump` a both mover", "make `Bump` a left mover", "make `Bump` a right mover"]
    );
}

#[test]
fn an_action_inside_refines_can_change_its_mover_type() {
    for (name, words) in [("_", "the action of `set`"), ("Set", "`Set`")] {
        check(
            &format!(
                "yield procedure {{:layer 0}} set();\nrefines le$0ft action {{:layer 1}} {name} {{ x := 0; }}\n"
            ),
            &format!("make {words} a both mover"),
            if name == "_" {
                expect![[r#"
                    yield procedure {:layer 0} set();
                    refines both action {:layer 1} _ { x := 0; }
                "#]]
            } else {
                expect![[r#"
                    yield procedure {:layer 0} set();
                    refines both action {:layer 1} Set { x := 0; }
                "#]]
            },
        );
    }
}
