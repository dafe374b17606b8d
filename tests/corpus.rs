//! The public CIVL corpus, when `CIVL_CORPUS` names a copy of Boogie's `Test/civl` folder.
//!
//! No text of it is in this repository. Without it these tests say that they were skipped.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read files"
)]

#[path = "corpus/units.rs"]
mod units;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use civl_tests::{files_below, in_parallel, root, run, shown};
use serde_json::Value;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
/// So many equal lines in a row are a copy, not a coincidence.
const COPIED_LINES: usize = 8;

type Position = (String, u64, u64);

struct CorpusProgram {
    name: String,
    files: Vec<PathBuf>,
    flags: Vec<String>,
    wanted: BTreeSet<Position>,
}

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("CIVL_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: CIVL_CORPUS names no copy of the corpus");
    }
    folder
}

#[test]
fn every_corpus_program_parses_without_a_diagnostic() {
    let Some(corpus) = corpus() else { return };
    let files = files_below(&corpus, "bpl");
    let bad = in_parallel(&files, |path| {
        let text =
            String::from_utf8_lossy(&std::fs::read(path).expect("a corpus file can be read"))
                .into_owned();
        let mut host = ide::AnalysisHost::new();
        let file = host.set_file("corpus.bpl", text);
        let program = host.add_program(&[file], &[]).expect("no library is asked for");
        let problems = host.analysis().problems(program);
        problems.iter().any(|d| d.phase == ide::Phase::Syntax).then(|| path.display().to_string())
    });
    let bad: Vec<String> = bad.into_iter().flatten().collect();
    println!("{} files parsed", files.len());
    civl_tests::expect_none(&bad);
}

#[test]
fn no_corpus_program_is_proved_that_should_fail() {
    let Some(corpus) = corpus() else { return };
    let programs = programs(&corpus);
    let grades = in_parallel(&programs, |program| (program.name.clone(), grade(program)));
    for grade in ["exact", "lines", "rejected", "incomplete", "unknown", "unsound"] {
        println!("{grade} {}", grades.iter().filter(|(_, g)| *g == grade).count());
    }
    let unsound: Vec<String> =
        grades.into_iter().filter(|(_, g)| *g == "unsound").map(|(name, _)| name).collect();
    civl_tests::expect_none(&unsound);
}

#[test]
fn units_and_their_verdicts_are_those_of_the_reference() {
    let Some(corpus) = corpus() else { return };
    civl_tests::expect_none(&units::compare_with_reference(&programs(&corpus)));
}

#[test]
fn measures_get_the_verdicts_of_the_reference_at_its_places() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.with_file_name("measure");
    if !folder.is_dir() {
        println!("skipped: no folder `measure` beside the corpus");
        return;
    }
    let programs = programs(&folder);
    let grades = in_parallel(&programs, |program| (program.name.clone(), grade(program)));
    println!("{} programs", grades.len());
    let others = grades.into_iter().filter(|(_, grade)| !["exact", "lines"].contains(grade));
    let others = others.map(|(name, grade)| format!("{name}: {grade}"));
    civl_tests::expect_none(&others.collect::<Vec<_>>());
}

#[test]
fn no_text_of_the_corpus_is_in_the_repository() {
    let Some(corpus) = corpus() else { return };
    let mut windows = BTreeSet::new();
    for path in files_below(&corpus, "bpl") {
        windows.extend(windows_of(&path));
    }
    let copied: Vec<String> = ["tests", "analysis/hir/library"]
        .iter()
        .flat_map(|folder| files_below(&root().join(folder), "bpl"))
        .filter(|path| windows_of(path).iter().any(|w| windows.contains(w)))
        .map(|path| shown(&path))
        .collect();
    civl_tests::expect_none(&copied);
}

fn windows_of(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).expect("a program can be read");
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<String> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<String>())
        .filter(|l| l.len() > 3)
        .collect();
    lines.windows(COPIED_LINES).map(|window| window.join("\n")).collect()
}

fn programs(corpus: &Path) -> Vec<CorpusProgram> {
    let mut found = Vec::new();
    for expect in files_below(corpus, "expect") {
        let source = expect.with_extension("");
        let files = if source.ends_with("is.sh") {
            ["Paxos.bpl", "PaxosActions.bpl", "PaxosImpl.bpl"]
                .map(|f| source.with_file_name(f))
                .to_vec()
        } else {
            vec![source.clone()]
        };
        let text = String::from_utf8_lossy(&std::fs::read(&source).expect("a source")).into_owned();
        let output =
            String::from_utf8_lossy(&std::fs::read(&expect).expect("an output")).into_owned();
        let name = source.strip_prefix(corpus).unwrap_or(&source).display().to_string();
        found.push(CorpusProgram { name, files, flags: flags(&text), wanted: wanted(&output) });
    }
    found
}

fn flags(text: &str) -> Vec<String> {
    let Some(line) = text.lines().find(|l| l.contains("RUN:") && l.contains("boogie")) else {
        return Vec::new();
    };
    let mut flags = Vec::new();
    for word in line.split_whitespace() {
        if let Some(lib) = word.trim_start_matches(['-', '/']).strip_prefix("lib:") {
            flags.extend(["--lib".to_owned(), lib.to_owned()]);
        }
        if word.contains("trustRefinement") {
            flags.push("--trust-refinement".to_owned());
        }
    }
    flags
}

/// Error positions of an expected output, columns from 1.
fn wanted(output: &str) -> BTreeSet<Position> {
    let proofs = output.contains("program verifier finished with");
    let counts_static = ["type checking error", "name resolution error", "parse error"]
        .iter()
        .any(|w| output.contains(w));
    let shift = u64::from(counts_static || !proofs);
    output.lines().filter_map(|line| position(line, shift)).collect()
}

fn position(line: &str, shift: u64) -> Option<Position> {
    let (head, rest) = line.split_once("): ")?;
    if !rest.to_ascii_lowercase().starts_with("error") {
        return None;
    }
    let (file, place) = head.rsplit_once('(')?;
    let (line, column) = place.split_once(',')?;
    let base = file.rsplit('/').next().unwrap_or(file);
    Some((base.to_owned(), line.parse().ok()?, column.parse::<u64>().ok()? + shift))
}

fn grade(program: &CorpusProgram) -> &'static str {
    let mut arguments: Vec<&str> = program.flags.iter().map(String::as_str).collect();
    let paths: Vec<String> = program.files.iter().map(|f| f.display().to_string()).collect();
    let (last, others) = paths.split_last().expect("a program has a file");
    arguments.extend(others.iter().map(String::as_str));
    let Ok(answer) = run::verify(CIVL, Path::new(last), "", &arguments) else { return "unknown" };
    match run::verdict(&answer) {
        "verified" if program.wanted.is_empty() => "exact",
        "verified" => "unsound",
        "errors" if program.wanted.is_empty() => "incomplete",
        "errors" => compare(&program.wanted, &answer),
        _ => "unknown",
    }
}

fn compare(wanted: &BTreeSet<Position>, answer: &Value) -> &'static str {
    let all = answer["diagnostics"].as_array().cloned().unwrap_or_default();
    let have: BTreeSet<Position> =
        all.iter().filter(|d| d["severity"] == "error").map(reported).collect();
    let lines = |set: &BTreeSet<Position>| {
        set.iter().map(|(f, l, _)| (f.clone(), *l)).collect::<BTreeSet<_>>()
    };
    if have == *wanted || wanted.iter().all(|(file, _, _)| file == "base.bpl") {
        "exact"
    } else if lines(&have) == lines(wanted) {
        "lines"
    } else {
        "rejected"
    }
}

fn reported(diagnostic: &Value) -> Position {
    let at =
        if diagnostic["reported_at"].is_object() { &diagnostic["reported_at"] } else { diagnostic };
    let file = at["file"].as_str().unwrap_or_default();
    let base = file.rsplit('/').next().unwrap_or(file);
    (base.to_owned(), at["line"].as_u64().unwrap_or(0), at["column"].as_u64().unwrap_or(0))
}
