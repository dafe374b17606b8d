//! The programs that are run, not proved: they pass the static phases, say what to expect, and an independent counter,
//! which knows nothing of ours, agrees with what they say.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read files"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use civl_tests::{expect_none, files_below, in_parallel, root, run, shown};

/// Programs that are right, and of wrong variants of each at least.
const RIGHT: usize = 15;
const VARIANTS: usize = 2;

const MODES: &[&str] = &["failures", "trace", "failures trace"];

/// The right programs and the wrong ones. Those in `answers` are about the answers, not the programs.
fn programs() -> (Vec<PathBuf>, Vec<PathBuf>) {
    let mut all = files_below(&root().join("tests/explore"), "bpl");
    all.retain(|path| !path.components().any(|c| c.as_os_str() == "answers"));
    all.into_iter().partition(|path| !path.components().any(|c| c.as_os_str() == "wrong"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a program can be read")
}

fn name(path: &Path) -> String {
    path.file_stem().expect("a name").to_string_lossy().into_owned()
}

#[test]
fn every_program_passes_the_static_phases() {
    let (right, wrong) = programs();
    let all: Vec<PathBuf> = right.into_iter().chain(wrong).collect();
    let complaints = in_parallel(&all, |path| {
        let errors = run::check(&read(path));
        let told = errors.into_iter().map(|e| format!("{}:{}: {}", shown(path), e.line, e.message));
        told.collect::<Vec<_>>()
    });
    println!("{} programs", all.len());
    expect_none(&complaints.concat());
}

#[test]
fn every_program_says_what_to_expect() {
    let (right, wrong) = programs();
    let mut complaints = Vec::new();
    for (verdict, programs) in [("exhausted", &right), ("violation", &wrong)] {
        for path in programs {
            let text = read(path);
            let mut lines = text.lines();
            let mut said = |what: &str| lines.next().and_then(|line| line.strip_prefix(what));
            let fine = said("// explore: ") == Some(verdict)
                && said("// mode: ").is_some_and(|mode| MODES.contains(&mode))
                && said("// scope: threads=").is_some_and(|rest| rest.contains(" calls="));
            if !fine {
                complaints.push(format!("{}: its first three lines", shown(path)));
            }
        }
    }
    for path in &right {
        let variants = wrong.iter().filter(|it| name(it).starts_with(&format!("{}_", name(path))));
        if variants.count() < VARIANTS {
            complaints.push(format!("{} has too few wrong variants", shown(path)));
        }
    }
    assert!(right.len() >= RIGHT, "only {} right programs", right.len());
    expect_none(&complaints);
}

/// The counter counts again what is small, looks for the violations where its table says they are, and compares the
/// table with the first lines of all programs.
#[test]
fn the_counter_agrees_with_its_tables_and_with_the_programs() {
    let counters = root().join("tests/tools/counters");
    let mut python = Command::new("python3");
    let python = python.env("PYTHONDONTWRITEBYTECODE", "1").arg(counters).arg("check");
    let ended = python.output().expect("python3 runs");
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}{errors}");
    let (right, wrong) = programs();
    let verdicts = format!("{} verdicts, 0 complaints", right.len() + wrong.len());
    assert!(said.contains(&verdicts), "{said}");
    println!("{said}");
}
