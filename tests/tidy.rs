//! The house rules that a machine can check.
//!
//! | rule | where it is checked |
//! | --- | --- |
//! | who imports whom, module docs, lengths of files and functions, forbidden words, codes | here |
//! | generated files are fresh | by the tests that [`GENERATED`] names |
//! | links, fences, contents, rows for subcommands | `tidy/pages.rs` |
//! | licences, sources and versions of outside crates | `tidy/dependencies.rs` |
//! | parameters, unwraps, prints, clocks and files below `server` | clippy, by `Cargo.toml` and `.clippy.toml` |
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read files and print what they counted"
)]

#[path = "tidy/dependencies.rs"]
mod dependencies;
#[path = "tidy/pages.rs"]
mod pages;

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
    ("analysis/explore", &["ir"]),
    ("analysis/z3-dist", &[]),
    (
        "analysis/ide",
        &["base", "syntax", "hir", "discipline", "obligations", "ir", "prover", "explore"],
    ),
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

/// Crates of ours that tests of a crate use although the crate itself may not.
const EDGES_OF_TESTS: &[(&str, &str)] = &[("analysis/obligations", "prover")];

/// Files that a test writes, and that test.
const GENERATED: &[(&str, &str, &str)] = &[
    ("syntax/src/kind/generated.rs", "syntax/src/codegen.rs", "fn generated_code_is_fresh()"),
    ("syntax/src/ast/generated.rs", "syntax/src/codegen.rs", "fn generated_code_is_fresh()"),
];

/// Module of a crate, and the only files that may name it: inside `syntax` the tree is a value.
const NAMED_ONLY_IN: &[(&str, &[&str])] =
    &[("rowan::", &["syntax/src/tree.rs", "syntax/src/ptr.rs"])];

/// Settings of clippy that the house relies on.
const CLIPPY: &[&str] = &["too-many-lines-threshold = 80", "too-many-arguments-threshold = 5"];

const LONGEST_FILE: usize = 1000;
const LONGEST_FUNCTION: usize = 80;
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

/// A new crate cannot come without a row, and tests import no more than their crate, fixtures, and
/// what is listed.
#[test]
fn every_crate_has_its_row_and_tests_keep_to_it() {
    let workspace: toml::Table = read(&root().join("Cargo.toml")).parse().expect("a manifest");
    let members = workspace["workspace"]["members"].as_array().expect("members").iter();
    let members: BTreeSet<&str> = members.filter_map(|member| member.as_str()).collect();
    assert_eq!(members, EDGES.iter().map(|(name, _)| *name).collect());
    let ours: Vec<&str> = EDGES.iter().map(|(name, _)| short(name)).collect();
    let mut complaints = Vec::new();
    for (name, allowed) in EDGES {
        let manifest: toml::Table =
            read(&root().join(name).join("Cargo.toml")).parse().expect("a manifest");
        for table in ["dev-dependencies", "build-dependencies"] {
            let used = manifest.get(table).and_then(|t| t.as_table()).into_iter().flatten();
            for (used, _) in used.filter(|(used, _)| ours.contains(&used.as_str())) {
                let fine = used == "testing"
                    || allowed.contains(&used.as_str())
                    || EDGES_OF_TESTS.contains(&(*name, used.as_str()));
                if !fine {
                    complaints.push(format!("{name}: {table} must not name {used}"));
                }
            }
        }
    }
    for path in sources().into_iter().filter(|p| !p.ends_with("tests/tidy.rs")) {
        let text = read(&path);
        let named = NAMED_ONLY_IN.iter().filter(|(word, _)| text.contains(word));
        let wrong = named.filter(|(_, homes)| !homes.contains(&shown(&path).as_str()));
        complaints.extend(wrong.map(|(word, _)| format!("{} names {word}", shown(&path))));
    }
    expect_none(&complaints);
}

/// Clippy counts too, but a lint can be switched off in a file.
#[test]
fn no_function_is_longer_than_the_limit() {
    let settings = read(&root().join(".clippy.toml"));
    let lints = read(&root().join("Cargo.toml"));
    assert!(CLIPPY.iter().all(|line| settings.contains(line)));
    assert!(lints.contains("too_many_lines = ") && lints.contains("too_many_arguments = "));
    let mut complaints = Vec::new();
    let mut count = 0;
    for path in sources().into_iter().filter(|path| !is_generated(path)) {
        for (line, length) in functions(&read(&path)) {
            count += 1;
            if length > LONGEST_FUNCTION {
                complaints.push(format!("{}:{line}: {length} lines", shown(&path)));
            }
        }
    }
    println!("{count} functions");
    assert!(count > 3000, "only {count} functions were found");
    expect_none(&complaints);
}

#[test]
fn generated_files_are_kept_fresh_by_a_test() {
    for (file, keeper, test) in GENERATED {
        assert!(root().join(file).is_file(), "{file}");
        assert!(read(&root().join(keeper)).contains(test), "{keeper} has no `{test}`");
    }
    let unknown = sources().into_iter().filter(|path| is_generated(path));
    let unknown = unknown.map(|path| shown(&path));
    let unknown = unknown.filter(|path| !GENERATED.iter().any(|(file, _, _)| file == path));
    expect_none(&unknown.map(|path| format!("no test keeps {path} fresh")).collect::<Vec<_>>());
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

/// The first line of each function and how many lines of its body are code. Sources are formatted,
/// so a body ends with the brace below the word it began with.
fn functions(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| begins_function(line)) {
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = format!("{indent}}}");
        let rest = lines.iter().skip(at);
        let Some(body) = rest.clone().position(|line| line.ends_with('{')) else { continue };
        let Some(close) = rest.clone().position(|line| *line == end) else { continue };
        let inside = rest.take(close).skip(body + 1).map(|line| line.trim());
        let code = inside.filter(|line| !line.is_empty() && !line.starts_with("//"));
        found.push((at + 1, code.count()));
    }
    found
}

fn begins_function(line: &str) -> bool {
    let mut words = line.split_whitespace().skip_while(|word| {
        word.starts_with("pub") || ["const", "async", "unsafe", "extern"].contains(word)
    });
    words.next() == Some("fn") && !line.ends_with(';') && !line.ends_with('}')
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
