//! Every rule of sections 4 and 5 of the language is broken once and just kept once: `rules.txt`.

use crate::test_db::{found, program};

/// A rule in words, the code that reports it, a program that breaks it, and one that does not.
struct Row {
    rule: &'static str,
    code: &'static str,
    bad: &'static str,
    good: &'static str,
}

/// The rows of the table: three lines each, separated by empty lines.
fn rows() -> Vec<Row> {
    let blocks = include_str!("rules.txt").split("\n\n").skip(1);
    let rows = blocks.filter(|block| !block.starts_with("##"));
    let row = |block: &'static str| {
        let mut lines = block.lines();
        let (rule, code) = lines.next().and_then(|it| it.rsplit_once(": ")).expect(block);
        let bad = lines.next().and_then(|it| it.strip_prefix("- ")).expect(block);
        let good = lines.next().and_then(|it| it.strip_prefix("+ ")).expect(block);
        Row { rule, code, bad, good }
    };
    rows.map(row).collect()
}

fn codes(text: &str) -> Vec<String> {
    let (db, program, _) = program(text);
    found(&db, program).into_iter().flatten().map(|it| it.code).collect()
}

#[test]
fn every_rule_is_broken_by_one_program_and_kept_by_its_neighbour() {
    let mut wrong = Vec::new();
    for Row { rule, code, bad, good } in rows() {
        if codes(bad) != [code] {
            wrong.push(format!("{rule}: {:?} instead of [{code}] for\n  {bad}", codes(bad)));
        }
        if !codes(good).is_empty() {
            wrong.push(format!("{rule}: {:?} instead of nothing for\n  {good}", codes(good)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The phases of names and types; codes of them that no rule of the two sections is about.
const ELSEWHERE: &[&str] = &[
    // The statement `yield` is ours, the other two are limits of this tool.
    "yield-outside-procedure",
    "unsupported-feature",
    "irreducible-loop",
];

#[test]
fn every_code_of_names_and_types_has_a_rule() {
    let rows = rows();
    let ours = base::ALL_CODES.iter().filter(|it| {
        matches!(it.phase, base::Phase::Resolve | base::Phase::Type)
            && !ELSEWHERE.contains(&it.text)
    });
    for code in ours {
        assert!(rows.iter().any(|it| it.code == code.text), "no rule is reported as {}", code.text);
    }
}
