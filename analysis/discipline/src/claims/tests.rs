//! The list of claims, as text.

use expect_test::{Expect, expect};

use super::{Claim, claims};
use crate::fixture::{Database, line, program};
use crate::layers_of_program::invariant_layers;

const PROGRAM: &str = r#"
var {:layer 0,9} x: int;
pure procedure Lemma(i: int); requires i > 0;
pure procedure Fact(i: int); ensures i == i;
pure action Check(i: int) { call Again(i); }
pure action Again(i: int) { assert i > 0; }
yield invariant {:layer 3} I(); preserves true;
invariant {:layer 2} G(); preserves true;
atomic action {:layer 2} A() requires {:layer 2} true; requires call G(); { }
yield procedure {:layer 1} Act(); refines A;
yield left procedure {:layer 2} M() measure {:layer 2} 0; { }
yield procedure {:layer 4} Sub(i: int); requires {:layer 3} i > 0; preserves call I();
"#;

fn shown(claim: &Claim) -> String {
    let needs: Vec<String> = claim.needs.as_slice().iter().map(ToString::to_string).collect();
    let range = claim.range.map(|range| format!(" and {range}")).unwrap_or_default();
    let gone = if claim.reached { "" } else { ", not reached" };
    format!("{:?} by {:?} at {}{range}{gone}", claim.kind, claim.by, needs.join(","))
}

fn check(text: &str, expected: &Expect) {
    let db = Database::default();
    let all = format!("{PROGRAM}{text}");
    let first = u32::try_from(PROGRAM.lines().count()).unwrap() + 1;
    let program = program(&db, &all);
    let mut out = String::new();
    for decl in hir::program_decls(&db, program).iter() {
        for claim in claims(&db, program, *decl).iter() {
            let at = line(&db, claim.place);
            if decl.file(&db).library(&db).is_none() && at >= first {
                out.push_str(&format!("{}: {}\n", at - first + 1, shown(claim)));
            }
        }
    }
    let layers: Vec<String> =
        invariant_layers(&db, program).iter().map(|it| it.0.to_string()).collect();
    out.push_str(&format!("checked {}", layers.join(" ")));
    expected.assert_eq(&out);
}

#[test]
fn every_statement_and_clause_has_its_row() {
    check(
        r#"yield procedure {:layer 8} P(i: int)
requires {:layer 7} i > 0;
ensures {:layer 6} true;
free ensures {:layer 5} true;
requires call I();
{
  assert {:layer 8} true;
  while (*)
  invariant {:yields} true;
  invariant call I();
  invariant {:layer 4} true;
  measure {:layer 1} i;
  {
  }
  yield {:layer 0} true;
  call I() | Sub(i);
  return;
  assert {:layer 8} false;
}"#,
        &expect![[r#"
            1: Refinement by Refinement at 8
            2: Requires by Callers at 7
            3: Ensures by Invariant at 6
            4: Ensures by Nobody at 5
            5: Requires by Callers at 3
            7: Assertion by Invariant at 8
            10: InvariantCall by Invariant at 3
            11: LoopInvariant by Invariant at 4
            12: Measure by Invariant at 1
            15: Yield by Invariant at 0
            16: InvariantCall by Invariant at 3
            16: Precondition by Invariant at 3
            18: Assertion by Invariant at 8, not reached
            checked 0 1 2 3 4 5 6 7 8"#]],
    );
}

#[test]
fn pure_calls_claim_what_they_demand() {
    check(
        r#"yield procedure {:layer 9} P(i: int, {:linear_in} t: One int)
{
  var {:layer 5} m: UnitMap (One int);
  call {:layer 6} Lemma(i);
  call {:layer 0} Fact(i);
  call {:layer 1,7} Check(i);
  call {:layer 0} Assume(true);
  call {:layer 5} m := Map_MakeEmpty();
  call {:layer 5} One_Put(m, t);
  call {:layer 5} One_Get(m, t);
  call Lemma(i);
}"#,
        &expect![[r#"
            1: Refinement by Refinement at 9
            4: PureDemand by Invariant at 6 and [6, 6]
            6: PureDemand by Gate at 7 and [1, 7]
            10: PureDemand by Gate at 5 and [5, 5]
            11: PureDemand by Invariant at 9 and [0, 9]
            checked 2 3 5 6 7 9"#]],
    );
}

#[test]
fn calls_of_procedures_claim_gates_preconditions_and_measures() {
    check(
        r#"yield procedure {:layer 2} P()
{
  call Act();
  call M();
}"#,
        &expect![[r#"
            1: Refinement by Refinement at 2
            3: Gate by Gate at 2
            3: ActionPrecondition by Invariant at 2
            4: Precondition by Invariant at 2
            checked 2 3"#]],
    );
}
