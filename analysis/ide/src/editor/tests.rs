//! Editor features on small programs; `$0` marks the cursor.

use expect_test::{Expect, expect};

use crate::{Access, AnalysisHost, HintKind, Position, Severity};

const PROGRAM: &str = "\
var {:layer 0,2} x: int;
var {:layer 2,3} high: int;
datatype Pair { Pair(left: int, right: int) }
/// Adds one.
atomic action {:layer 1,2} Bump(by: int) { x := x + by; }
yield procedure {:layer 0} bump(by: int);
refines Bump;
yield invariant {:layer 1} Here();
preserves true;
yield invariant {:layer 2} Elsewhere();
preserves true;
yield procedure {:layer 1} work(p: Pair)
{
  var x1: int;
";

struct Fixture {
    host: AnalysisHost,
    at: Position,
}

/// A program with the cursor at `$0`.
fn fixture(text: &str) -> Fixture {
    let offset = text.find("$0").expect("a cursor");
    let text = text.replacen("$0", "", 1);
    let mut host = AnalysisHost::new();
    let file = host.set_file("a.bpl", text);
    let program = host.add_program(&[file], &[]).expect("a program");
    Fixture { host, at: Position { program, file, offset: u32::try_from(offset).expect("small") } }
}

/// The program above with a rest that holds the cursor.
fn with(rest: &str) -> Fixture {
    fixture(&format!("{PROGRAM}{rest}"))
}

fn check_hover(rest: &str, expected: Expect) {
    let fixture = with(rest);
    let hover = fixture.host.analysis().hover(fixture.at).expect("a hover");
    expected.assert_eq(&hover.markdown);
}

#[test]
fn hover_of_an_action_tells_mover_layers_and_comment() {
    check_hover(
        "  call bump(1);\n}\nyield procedure {:layer 0} again(by: int);\nrefines Bu$0mp;\n",
        expect![[r#"
            ```civl
            atomic action {:layer 1,2} Bump(by: int)
            ```

            non-mover: it commutes with nothing in general; exists at layers [1, 2]

            may change `x`

            in one step it
            - sets `x := x + by`

            Adds one."#]],
    );
}

#[test]
fn hover_of_a_field_tells_its_datatype() {
    check_hover(
        "  x1 := p->le$0ft;\n}\n",
        expect![[r#"
            ```civl
            left: int
            ```

            field of `Pair`"#]],
    );
}

fn labels(rest: &str) -> Vec<String> {
    let fixture = with(rest);
    fixture.host.analysis().completion(fixture.at).into_iter().map(|c| c.label).collect()
}

#[test]
fn calls_are_completed_with_what_fits_the_layer_first() {
    let found = labels("  call $0\n}\n");
    let place = |name: &str| found.iter().position(|label| label == name);
    assert!(place("bump") < place("Elsewhere"), "{found:?}");
    assert!(place("Here") < place("Elsewhere"), "{found:?}");
    assert_eq!(place("Pair"), None);
}

#[test]
fn variables_that_do_not_exist_at_the_layer_come_last() {
    let found = labels("  x1 := $0;\n}\n");
    let place = |name: &str| found.iter().position(|label| label == name);
    assert!(place("x1") < place("x"), "{found:?}");
    assert!(place("x") < place("high"), "{found:?}");
}

#[test]
fn fields_are_completed_from_the_type_of_the_base() {
    assert_eq!(labels("  x1 := p->$0left;\n}\n"), ["left", "right"]);
}

#[test]
fn references_tell_reads_from_writes() {
    let fixture = with("  x1$0 := x1 + 1;\n}\n");
    let found = fixture.host.analysis().references(fixture.at);
    let accesses: Vec<Access> = found.into_iter().map(|r| r.access).collect();
    assert_eq!(accesses, [Access::Declare, Access::Write, Access::Read]);
}

fn rename(rest: &str, to: &str) -> Result<usize, String> {
    let fixture = with(rest);
    fixture.host.analysis().rename(fixture.at, to).map(|edits| edits.len())
}

#[test]
fn a_rename_reaches_every_use_and_refuses_clashes() {
    let rest = "  x1$0 := x1 + 1;\n}\n";
    assert_eq!(rename(rest, "y"), Ok(3));
    assert!(rename(rest, "p").is_err(), "a parameter of the same procedure");
    assert!(rename(rest, "high").is_err(), "a global variable");
    assert!(rename(rest, "call").is_err(), "a keyword");
    assert!(rename("  call bump(1);\n}\nvar s: Se$0t int;\n", "T").is_err(), "the library");
}

#[test]
fn mover_hints_carry_the_letter_of_the_call() {
    let fixture = with("  call bump(1);\n  call Here();\n}\n$0");
    let end = fixture.at.offset;
    let hints = fixture.host.analysis().inlay_hints(fixture.at.program, fixture.at.file, (0, end));
    let letters: Vec<String> =
        hints.into_iter().filter(|h| h.kind == HintKind::Movers).map(|h| h.label).collect();
    assert_eq!(letters, ["N", "Y"]);
}

#[test]
fn phases_say_where_in_the_transaction_a_call_stands() {
    let text = "\
var {:layer 0,1} x: int;
right action {:layer 1} R() { assume x > 0; }
atomic action {:layer 1} N() { x := x + 1; }
left action {:layer 1} L() { x := x + 1; }
yield procedure {:layer 0} r(); refines R;
yield procedure {:layer 0} n(); refines N;
yield procedure {:layer 0} l(); refines L;
yield invariant {:layer 1} Here();
preserves true;
yield procedure {:layer 1} work()
{
  call r();
  call n();
  call l();
  call Here();
  if (*) { call n(); } else { call r(); }
  call l();
  call n();
}
$0";
    let Fixture { host, at } = fixture(text);
    let hints = host.analysis().inlay_hints(at.program, at.file, (0, at.offset));
    let phases = hints.into_iter().filter(|hint| hint.kind == HintKind::Phases);
    let labels: Vec<String> = phases.map(|hint| hint.label).collect();
    assert_eq!(
        labels,
        ["opening", "commit", "closing", "yields", "commit", "opening", "commit|closing", "stuck"]
    );
}

#[test]
fn hover_tells_gate_and_transition_in_words() {
    let text = "\
var {:layer 0,1} x: int;
atomic action {:layer 1} Ta$0ke(n: int)
asserts n > 0;
{
  assume x >= n;
  if (n > 9) { havoc x; } else { x := x -
    n; }
}
";
    let Fixture { host, at } = fixture(text);
    let hover = host.analysis().hover(at).expect("a hover");
    let (_, words) = hover.markdown.split_once("in one step it\n").expect("words");
    expect![[r#"
        - fails unless `n > 0`
        - waits until `x >= n`
        - if `n > 9`:
          - chooses any value for `x`
        - otherwise:
          - sets `x := x - n`"#]]
    .assert_eq(words);
}

#[test]
fn a_repair_that_does_not_repair_is_not_offered() {
    let fixture = with("  call bump(1);\n  $0call bump(2);\n}\n");
    let analysis = fixture.host.analysis();
    let at = fixture.at;
    let actions = analysis.actions(at.program, at.file, (at.offset, at.offset));
    let titles: Vec<&str> = actions.iter().map(|a| a.fix.title.as_str()).collect();
    assert!(titles.contains(&"insert `call Here()` before this statement"), "{titles:?}");
    assert!(!titles.iter().any(|title| title.contains("Elsewhere")), "{titles:?}");
}

#[test]
fn a_declaration_that_cannot_be_read_gets_no_complaints_about_its_meaning() {
    let fixture = with("  x1 := := nowhere;\n}\nprocedure Q() { assert nowhere; }\n$0");
    let found = fixture.host.analysis().problems(fixture.at.program);
    let codes: Vec<&str> =
        found.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code).collect();
    assert_eq!(codes, ["syntax-error", "undeclared-identifier"]);
}

#[test]
fn a_layer_view_shows_actions_in_place_of_finished_procedures() {
    let fixture = with("  call bump(1);\n}\n$0");
    let view = fixture.host.analysis().layer_view(fixture.at.program, fixture.at.file, Some(1));
    assert!(view.text.contains("// bump is now Bump"), "{}", view.text);
    assert!(!view.text.contains("high"), "{}", view.text);
    let lines: Vec<&str> = view.text.lines().collect();
    let first = view.pieces[0];
    assert_eq!(lines[first.line as usize], "var {:layer 0,2} x: int;");
    assert_eq!((first.source.start, first.lines), (0, 1));
}

#[test]
fn a_layer_view_says_what_became_of_procedures() {
    let mut host = AnalysisHost::new();
    let text = "var {:layer 0,3} x: int;\n\
        yield procedure {:layer 0} inc();\n\
        refines both action {:layer 1} _ { x := x + 1; }\n\
        yield procedure {:layer 1} two()\n\
        refines atomic action {:layer 2,3} _ { x := x + 2; }\n\
        {\n  call inc();\n  call inc();\n}\n\
        yield procedure {:layer 1} idle() { }\n";
    let file = host.set_file("a.bpl", text);
    let program = host.add_program(&[file], &[]).expect("a program");
    let view = host.analysis().layer_view(program, file, Some(2));
    let wanted = "// the program at layer 2\n\n\
        var {:layer 0,3} x: int;\n\n\
        // inc cannot be called here: action of inc is gone\n\n\
        // two is now this action:\n\
        atomic action {:layer 2,3} _ { x := x + 2; }\n\n\
        // idle changes nothing that is visible here\n";
    assert_eq!(view.text, wanted);
    let two = view.pieces[2];
    assert_eq!((two.line, two.lines), (6, 2));
}
