//! The house rules that a machine can check.
//!
//! Limits of functions, parameters and unwraps are clippy's; generated code is kept fresh by the
//! test in `syntax` that writes it.
#![allow(clippy::expect_used, clippy::disallowed_methods, reason = "tests read files")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use civl_tests::{expect_none, files_below, root, shown};

/// Crate, and the crates of ours it may import.
const EDGES: &[(&str, &[&str])] = &[
    ("syntax", &[]),
    ("analysis/base", &[]),
    ("analysis/ir", &[]),
    ("analysis/hir", &["base", "syntax"]),
    ("analysis/discipline", &["base", "hir", "ir"]),
    ("analysis/obligations", &["base", "hir", "discipline", "ir"]),
    ("analysis/prover", &["ir", "z3-dist"]),
    ("analysis/z3-dist", &[]),
    ("analysis/ide", &["base", "syntax", "hir", "discipline", "obligations", "ir", "prover"]),
    ("analysis/testing", &["base"]),
    ("server", &["ide"]),
    ("tests", &["server", "ide", "syntax", "testing"]),
];

/// Outside crate, and the only crates that may use it.
const CONFINED: &[(&str, &[&str])] = &[
    ("rowan", &["syntax"]),
    ("z3", &["analysis/prover"]),
    ("z3-sys", &["analysis/prover"]),
    ("tower-lsp", &["server"]),
    ("tokio", &["server"]),
    ("anyhow", &["server"]),
    (
        "salsa",
        &[
            "analysis/base",
            "analysis/hir",
            "analysis/discipline",
            "analysis/obligations",
            "analysis/ide",
        ],
    ),
];

const LONGEST_FILE: usize = 1000;
const FORBIDDEN: &[&str] =
    &["todo!(", "unimplemented!(", "dbg!(", "#[ignore", "#[should_panic", "HACK", "XXX"];
const VAGUE_ENDINGS: &[&str] = &["Manager", "Helper", "Util", "Utils"];

#[test]
fn crates_import_only_what_the_house_allows() {
    let ours: Vec<&str> = EDGES.iter().map(|(name, _)| short(name)).collect();
    let mut complaints = Vec::new();
    for (name, allowed) in EDGES {
        for dependency in dependencies(name).iter().filter(|d| ours.contains(&d.as_str())) {
            if !allowed.contains(&dependency.as_str()) {
                complaints.push(format!("{name} must not import {dependency}"));
            }
        }
    }
    expect_none(&complaints);
}

#[test]
fn outside_crates_stay_where_they_belong() {
    let mut complaints = Vec::new();
    for (name, _) in EDGES {
        for dependency in dependencies(name) {
            let confined = CONFINED.iter().find(|(outside, _)| *outside == dependency);
            if confined.is_some_and(|(_, homes)| !homes.contains(name)) {
                complaints.push(format!("{name} must not use {dependency}"));
            }
        }
    }
    expect_none(&complaints);
}

#[test]
fn every_module_says_what_it_is_for() {
    let missing = sources().into_iter().filter(|path| !read(path).starts_with("//!"));
    expect_none(
        &missing.map(|path| format!("{} has no module doc", shown(&path))).collect::<Vec<_>>(),
    );
}

#[test]
fn no_file_is_longer_than_the_hard_limit() {
    let mut complaints = Vec::new();
    for path in sources().into_iter().filter(|p| !is_generated(p) && !is_test(p)) {
        let text = read(&path);
        let production = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let lines = production.lines().count();
        if lines > LONGEST_FILE {
            complaints.push(format!("{} has {lines} lines without tests", shown(&path)));
        }
    }
    expect_none(&complaints);
}

#[test]
fn no_forbidden_word_is_in_a_source() {
    let mut complaints = Vec::new();
    for path in sources().into_iter().filter(|p| !p.ends_with("tests/tidy.rs")) {
        for (at, line) in read(&path).lines().enumerate() {
            let words = FORBIDDEN.iter().filter(|word| line.contains(**word));
            complaints.extend(words.map(|word| format!("{}:{}: `{word}`", shown(&path), at + 1)));
            if let Some(name) =
                declared_type(line).filter(|n| VAGUE_ENDINGS.iter().any(|end| n.ends_with(end)))
            {
                complaints.push(format!("{}:{}: `{name}` says nothing", shown(&path), at + 1));
            }
        }
    }
    expect_none(&complaints);
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let pages: BTreeSet<String> = files_below(&root().join("tests/spec/codes"), "md")
        .iter()
        .filter_map(|path| path.file_stem().map(|s| s.to_string_lossy().into_owned()))
        .collect();
    let codes: BTreeSet<String> = ide::codes().map(|(page, _)| page.code.to_owned()).collect();
    let mut complaints: Vec<String> =
        codes.difference(&pages).map(|c| format!("{c} has no page")).collect();
    complaints.extend(pages.difference(&codes).map(|p| format!("{p}.md explains no code")));
    expect_none(&complaints);
}

/// All names in the `[dependencies]` table of a crate.
fn dependencies(name: &str) -> Vec<String> {
    let text = read(&root().join(name).join("Cargo.toml"));
    let table = text.split("[dependencies]").nth(1).unwrap_or_default();
    let table = table.split("\n[").next().unwrap_or_default();
    let names = table.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter(|name| !name.is_empty() && !name.starts_with('#')).map(str::to_owned).collect()
}

fn short(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn sources() -> Vec<PathBuf> {
    let folders = EDGES.iter().flat_map(|(name, _)| files_below(&root().join(name), "rs"));
    folders.filter(|path| !path.components().any(|c| c.as_os_str() == "target")).collect()
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).expect("a source can be read")).into_owned()
}

fn is_generated(path: &Path) -> bool {
    path.file_stem().is_some_and(|name| name == "generated")
}

fn is_test(path: &Path) -> bool {
    path.file_stem().is_some_and(|name| name == "tests")
        || path.components().any(|c| c.as_os_str() == "tests")
}

fn declared_type(line: &str) -> Option<&str> {
    let line = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
    let rest = ["struct ", "enum ", "trait "].iter().find_map(|word| line.strip_prefix(word))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}
