//! The bundled examples: the good ones verify, the broken ones are refuted where they are marked.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read files"
)]

use std::path::{Path, PathBuf};

use civl_tests::marks::{compare, marks};
use civl_tests::{expect_none, files_below, in_parallel, root, run, shown};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

fn examples() -> (Vec<PathBuf>, Vec<PathBuf>) {
    let all = files_below(&root().join("tests/examples"), "bpl");
    all.into_iter().partition(|path| !path.components().any(|c| c.as_os_str() == "broken"))
}

#[test]
fn every_good_example_verifies() {
    let (good, _) = examples();
    let answers = in_parallel(&good, |path| {
        let answer = run::verify(CIVL, path, "", &[]);
        let verdict = answer.as_ref().map_or_else(Clone::clone, |a| run::verdict(a).to_owned());
        (verdict != "verified").then(|| format!("{}: {verdict}\n{}", shown(path), told(&answer)))
    });
    println!("{} examples", good.len());
    expect_none(&answers.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn every_broken_example_is_refuted_at_its_marks() {
    let (_, broken) = examples();
    let answers = in_parallel(&broken, |path| broken_complaints(path));
    println!("{} broken examples", broken.len());
    expect_none(&answers.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn every_good_example_has_a_broken_variant() {
    let (good, broken) = examples();
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let alone = good.iter().filter(|g| !broken.iter().any(|b| name(b).starts_with(&name(g))));
    expect_none(
        &alone.map(|path| format!("{} has no broken variant", shown(path))).collect::<Vec<_>>(),
    );
}

fn broken_complaints(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("an example can be read");
    let expected = marks(&text);
    if expected.is_empty() {
        return vec![format!("{}: no line is marked", shown(path))];
    }
    let complaints = match run::verify(CIVL, path, "", &[]) {
        Ok(answer) => compare(&expected, &run::errors(&answer)),
        Err(why) => vec![why],
    };
    complaints.into_iter().map(|what| format!("{}: {what}", shown(path))).collect()
}

fn told(answer: &Result<serde_json::Value, String>) -> String {
    let seen = answer.as_ref().map(run::errors).unwrap_or_default();
    seen.iter().map(|s| format!("  line {}: error[{}]: {}\n", s.line, s.code, s.message)).collect()
}
