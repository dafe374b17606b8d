//! Which queries run again after an edit.

use std::fmt::Write as _;
use std::sync::Arc;

use base::{Change, Program};
use proptest::prelude::*;

use crate::test_db::{TestDb, program};
use crate::{cfg, proc_sig_of, program_decls, program_diagnostics};

/// Everything this crate knows about a program.
fn everything(db: &TestDb, program: Program) {
    program_diagnostics(db, program);
    for decl in program_decls(db, program).iter() {
        if proc_sig_of(db, program, *decl).is_some_and(|sig| sig.has_body) {
            cfg(db, program, *decl);
        }
    }
}

/// What runs again after `from` is replaced by `to`: names and counts.
fn rerun(text: &str, from: &str, to: &str) -> std::collections::BTreeMap<String, usize> {
    let (mut db, program, _) = program(text);
    everything(&db, program);
    db.log.take();
    let file = program.files(&db)[0];
    let new = file.text(&db).replacen(from, to, 1);
    assert_ne!(new, **file.text(&db), "the edit changes nothing");
    let mut change = Change::default();
    change.set_text(file, Arc::from(new));
    change.apply(&mut db);
    everything(&db, program);
    db.log.take_counts()
}

const TEXT: &str = r#"
// a comment
var {:layer 0, 1} g: int;
function f(x: int): int { x + 1 }
axiom f(1) == 2;
action {:layer 1} A() { g := f(g); }
action {:layer 1} B() { call A(); }
procedure P(x: int) { assert x == x; }
procedure Q() { call P(1); }
"#;

fn count(log: &std::collections::BTreeMap<String, usize>, query: &str) -> usize {
    log.get(query).copied().unwrap_or_default()
}

#[test]
fn an_edit_of_a_comment_or_of_white_space_stops_at_the_shapes() {
    for (from, to) in [("a comment", "another"), ("g := f(g)", "g  :=  f(g) /* twice */")] {
        let log = rerun(TEXT, from, to);
        let names: Vec<&str> = log.keys().map(String::as_str).collect();
        assert_eq!(names, ["file_shapes", "parse", "requested_libraries", "syntax_diagnostics"]);
    }
}

#[test]
fn typing_inside_one_body_reruns_no_query_about_another() {
    let log = rerun(TEXT, "assert x == x", "assert x == x + 0");
    assert_eq!(count(&log, "lowered_body"), 1, "{log:?}");
    assert_eq!(count(&log, "cfg"), 1, "{log:?}");
    assert_eq!(count(&log, "proc_data"), 1, "{log:?}");
    assert_eq!(count(&log, "lowered_specs"), 1, "{log:?}");
    assert_eq!(count(&log, "lowered_expr_body"), 0, "{log:?}");
    assert_eq!(count(&log, "scope"), 0, "{log:?}");
}

#[test]
fn a_new_declaration_reruns_lookups_but_no_body() {
    let log = rerun(TEXT, "axiom f(1)", "const c: int; axiom f(1)");
    assert_eq!(count(&log, "scope"), 1, "{log:?}");
    assert!(count(&log, "lookup_var") > 0, "{log:?}");
    assert_eq!(count(&log, "lowered_body"), 0, "{log:?}");
    assert_eq!(count(&log, "lowered_specs"), 0, "{log:?}");
    assert_eq!(count(&log, "lowered_expr_body"), 0, "{log:?}");
}

#[test]
fn a_changed_signature_reruns_the_bodies_that_mention_it() {
    let log = rerun(TEXT, "procedure P(x: int)", "procedure P(x: int, y: int)");
    assert_eq!(count(&log, "lowered_body"), 2, "{log:?}");
    let log = rerun(TEXT, "var {:layer 0, 1} g", "var {:layer 0, 2} g");
    assert_eq!(count(&log, "lowered_body"), 1, "{log:?}");
}

/// A place in a text, what is taken away there, and what is put in its place.
fn edits() -> impl Strategy<Value = Vec<(usize, usize, String)>> {
    let insert = prop_oneof![
        Just(String::new()),
        Just("}".to_owned()),
        Just("/*".to_owned()),
        Just("*/".to_owned()),
        Just("\"".to_owned()),
        Just(" procedure ".to_owned()),
        Just("é".to_owned()),
        "[a-z0-9;:(){}=+ \n]{0,6}",
    ];
    prop::collection::vec((any::<prop::sample::Index>(), 0..6_usize, insert), 1..8).prop_map(
        |edits| edits.into_iter().map(|(at, cut, text)| (at.index(4096), cut, text)).collect(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_tree_after_edits_is_the_tree_of_the_text(edits in edits()) {
        let (mut db, program, _) = program(TEXT);
        let file = program.files(&db)[0];
        for (at, cut, insert) in edits {
            let mut text = file.text(&db).to_string();
            let boundary = |at: usize| text.ceil_char_boundary(at.min(text.len()));
            let start = boundary(at % (text.len() + 1));
            let end = boundary(start + cut);
            text.replace_range(start..end, &insert);
            let mut change = Change::default();
            change.set_text(file, Arc::from(text.as_str()));
            change.apply(&mut db);
            prop_assert_eq!(crate::parse(&db, file), &syntax::parse(&text));
        }
    }
}

#[test]
fn two_thousand_procedures_stay_linear() {
    let text = |size: usize| {
        let mut text = String::from("var {:layer 0, 1} g: int;\n");
        for number in 0..size {
            let next = (number + 1) % size;
            let _ = writeln!(text, "procedure P{number}(x: int) {{ g := x; call P{next}(g); }}");
        }
        text
    };
    let ran = |size: usize| {
        let (db, program, _) = program(&text(size));
        everything(&db, program);
        crate::modifies(&db, program, "P0".into());
        db.log.take_counts().values().sum::<usize>()
    };
    let (small, large) = (ran(200), ran(2000));
    assert!(large < small * 11, "{small} queries for 200 procedures, {large} for 2000");
}

#[test]
fn long_chains_do_not_overflow() {
    let mut text = String::from("type T0 = int;\n");
    for number in 1..2000 {
        let _ = writeln!(text, "type T{number} = T{};", number - 1);
        let _ =
            writeln!(text, "function {{:inline}} f{number}(x: int): int {{ f{}(x) }}", number - 1);
    }
    text.push_str("function {:inline} f0(x: int): int { x }\nvar x: T1999;\naxiom ");
    let terms: Vec<String> = (0..200).map(|number| format!("{number} == {number}")).collect();
    text.push_str(&terms.join(" && "));
    text.push_str(";\n");
    crate::test_db::check(&text);
}
