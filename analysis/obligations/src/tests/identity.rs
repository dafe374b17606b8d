//! Which edits change which fingerprints, and that nothing else does.

use base::LibraryName;
use ir::Fingerprint;

use super::{Database, key, program};
use crate::{dump_obligations, dump_units, obligations};

const TEXT: &str = "
const n: int;
axiom n > 0;
function f(x: int): int { x + n }
var g: int;
procedure Q(x: int) returns (y: int)
modifies g;
requires x > 0;
ensures y > x;
{
  var i: int;
  i := x;
  while (i < f(x)) invariant i >= x; { i := i + 1; }
  assert (forall k: int :: {f(k)} f(k) > k);
  y := i + 1;
}
procedure R()
{
  assert n > 0;
}
";

fn fingerprints(text: &str, unit: &str) -> Vec<Fingerprint> {
    let db = Database::default();
    let program = program(&db, text, &[LibraryName::Base]);
    let key = key(&db, program, unit);
    obligations(&db, program, key).iter().map(|task| task.fingerprint).collect()
}

#[track_caller]
fn same(from: &str, to: &str, unit: (&str, &str)) {
    assert!(TEXT.contains(from), "{from} is not in the text");
    let changed = TEXT.replace(from, to);
    assert_eq!(fingerprints(TEXT, unit.0), fingerprints(&changed, unit.1), "{from} to {to}");
}

#[track_caller]
fn different(from: &str, to: &str, unit: &str) {
    assert!(TEXT.contains(from), "{from} is not in the text");
    let changed = TEXT.replace(from, to);
    assert_ne!(fingerprints(TEXT, unit), fingerprints(&changed, unit), "{from} to {to}");
}

/// The text with a whole word replaced.
fn rename(from: &str, to: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let mut out = String::new();
    let mut word = String::new();
    for c in TEXT.chars() {
        if is_word(c) {
            word.push(c);
            continue;
        }
        out.push_str(if word == from { to } else { &word });
        word.clear();
        out.push(c);
    }
    out
}

#[test]
fn comments_and_lines_change_nothing() {
    same("  y := i + 1;", "\n\n  // why\n  y :=\n i + 1;", ("Q", "Q"));
}

#[test]
fn renaming_changes_nothing() {
    for (from, to) in [("i", "index"), ("x", "input"), ("y", "result"), ("n", "least")] {
        let renamed = rename(from, to);
        assert_ne!(renamed, TEXT);
        assert_eq!(fingerprints(TEXT, "Q"), fingerprints(&renamed, "Q"), "{from} to {to}");
    }
    same("procedure Q", "procedure Q2", ("Q", "Q2"));
    same("k: int :: {f(k)} f(k) > k", "j: int :: {f(j)} f(j) > j", ("Q", "Q"));
    same("f(", "func(", ("Q", "Q"));
    same("var g: int;\n", "", ("R", "R"));
}

#[test]
fn moving_a_procedure_changes_nothing() {
    let (before, after) = TEXT.split_once("procedure Q").expect("the text has Q");
    let (q, r) = after.split_once("procedure R").expect("the text has R");
    let moved = format!("{before}procedure R{r}procedure Q{q}");
    assert_eq!(fingerprints(TEXT, "Q"), fingerprints(&moved, "Q"));
}

#[test]
fn edits_elsewhere_change_nothing() {
    same("assert n > 0;", "assert n >= 0;", ("Q", "Q"));
    same("procedure R", "const m: int;\naxiom m > 0;\nprocedure R", ("Q", "Q"));
    same("{ x + n }", "{ x - n }", ("R", "R"));
}

#[test]
fn edits_of_what_matters_change_the_question() {
    different("y := i + 1;", "y := i + 2;", "Q");
    different("requires x > 0;", "requires x > 1;", "Q");
    different("ensures y > x;", "ensures y >= x;", "Q");
    different("invariant i >= x;", "invariant i > x;", "Q");
    different("{ x + n }", "{ x + n + n }", "Q");
    different("axiom n > 0;", "axiom n > 1;", "R");
}

#[test]
fn two_runs_agree_in_every_byte() {
    let dump = || {
        let db = Database::default();
        let program = program(&db, TEXT, &[LibraryName::Base]);
        (dump_units(&db, program), dump_obligations(&db, program))
    };
    let first = dump();
    assert_eq!(first.0, "Q\nR\n");
    assert!(first.1.contains("plain(Q)"));
    for _ in 0..3 {
        assert_eq!(dump(), first);
    }
}

#[test]
fn questions_can_be_read_back() {
    let db = Database::default();
    let program = program(&db, TEXT, &[LibraryName::Base]);
    for unit in ["Q", "R"] {
        let key = key(&db, program, unit);
        for task in obligations(&db, program, key).iter() {
            let text = ir::pretty::write_obligation(&task.obligation);
            let read = ir::pretty::read_obligation(&text).expect("own text can be read");
            assert_eq!(read.id, task.obligation.id);
            assert_eq!(ir::canonical::fingerprint(&read.question), task.fingerprint);
        }
    }
}
