//! Which queries run again after an edit.

use base::{Program, SourceFile};
use expect_test::{Expect, expect};
use salsa::Setter;
use testing::{QueryLog, reuse::shown};

use super::Database;
use crate::{obligations, units};

const TEXT: &str = "
const n: int;
axiom n > 0;
function {:inline} f(x: int): int { x + n }
procedure Q(x: int) returns (y: int)
requires x > 0;
ensures y > x;
{ y := f(x); }
procedure R(x: int) requires x > 1;
{ var y: int; call y := Q(x); assert y > 2; }
procedure S() { assert 1 + 1 == 2; }
";

/// The queries that are counted.
const QUERIES: [&str; 7] =
    ["units", "unit_of", "obligations", "axiom_table", "fact", "action_ir", "outline"];

/// Queries of this crate, and how often each ran.
fn counts(log: &QueryLog) -> String {
    let mut counts = log.take_counts();
    counts.retain(|name, _| QUERIES.contains(&name.as_str()));
    shown(&counts)
}

fn ask_all(db: &Database, program: Program) {
    for unit in units(db, program).iter().filter(|unit| unit.skipped.is_none()) {
        obligations(db, program, unit.key.clone());
    }
}

fn check_reuse(from: &str, to: &str, expected: Expect) {
    check_reuse_of(TEXT, (from, to), expected);
}

fn check_reuse_of(text: &str, (from, to): (&str, &str), expected: Expect) {
    let log = QueryLog::default();
    let mut db = Database::logged(&log);
    let file = SourceFile::new(&db, "test.bpl".to_owned(), text.into(), None);
    let program = hir::program_of(&db, vec![file]);
    ask_all(&db, program);
    counts(&log);
    assert!(text.contains(from), "{from} is not in the text");
    file.set_text(&mut db).to(text.replace(from, to).into());
    ask_all(&db, program);
    expected.assert_eq(&counts(&log));
}

#[test]
fn a_comment_runs_nothing_again() {
    check_reuse("{ y := f(x); }", "{ // why\n y := f(x); }", expect![""]);
}

#[test]
fn an_edit_of_a_body_reaches_its_unit_only() {
    check_reuse("y := f(x);", "y := f(x + 0);", expect!["obligations ×1"]);
}

#[test]
fn an_edit_of_a_contract_reaches_callers() {
    check_reuse("ensures y > x;", "ensures y >= x;", expect!["obligations ×2"]);
}

#[test]
fn an_edit_of_an_axiom_lists_no_unit_again() {
    check_reuse("axiom n > 0;", "axiom n > 1;", expect!["axiom_table ×1, fact ×1, obligations ×3"]);
}

const ACTIONS: &str = "
var {:layer 0,1} x: int;
var {:layer 0,1} y: int;
both action {:layer 1} A(k: int) { x := x + k; }
both action {:layer 1} B(k: int) { x := x - k; }
both action {:layer 1} C(k: int) { x := x + 2 * k; y := k; }
";

#[test]
fn an_edit_of_an_action_reaches_its_pairs_only() {
    // Nine commutativity checks, of which five are about C; its footprint stays, so the list does.
    check_reuse_of(
        ACTIONS,
        ("2 * k", "3 * k"),
        expect!["action_ir ×1, obligations ×5, outline ×1"],
    );
}

#[test]
fn an_action_that_touches_more_changes_the_list() {
    check_reuse_of(
        ACTIONS,
        ("x - k;", "x - k; y := y + 1;"),
        expect!["action_ir ×1, obligations ×5, outline ×1, units ×1"],
    );
}

const YIELDS: &str = "
var {:layer 0,1} x: int;
atomic action {:layer 1} A_INC() { x := x + 1; }
yield procedure {:layer 0} Inc(); refines A_INC;
yield procedure {:layer 1} P() { call Inc(); yield x >= 0; }
yield procedure {:layer 1} Q() { var a: int; a := 1; call Inc(); }
";

#[test]
fn an_edit_of_a_body_without_yields_reaches_its_own_copies_only() {
    check_reuse_of(YIELDS, ("a := 1;", "a := 2;"), expect!["obligations ×2"]);
}

#[test]
fn another_yield_condition_reaches_all_invariant_copies_of_the_layer() {
    check_reuse_of(YIELDS, ("x >= 0", "x >= 1"), expect!["obligations ×3"]);
}
