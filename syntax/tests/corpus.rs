//! The public corpus, when `CIVL_CORPUS` names a copy of it: every program reads without a
//! complaint and comes back byte for byte.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test that looks for the corpus on disk and says when it is not there"
)]

use std::path::{Path, PathBuf};

/// All programs and libraries, or nothing when there is no corpus.
fn corpus() -> Vec<(PathBuf, String)> {
    let Ok(root) = std::env::var("CIVL_CORPUS") else {
        eprintln!("skipped: CIVL_CORPUS is not set");
        return Vec::new();
    };
    let root = PathBuf::from(root);
    let mut files = Vec::new();
    collect(&root.join("Test/civl"), &mut files);
    for library in ["base", "node", "set_size"] {
        files.push(root.join(format!("Source/Core/{library}.bpl")));
    }
    files.sort();
    files.into_iter().map(|it| (it.clone(), std::fs::read_to_string(&it).unwrap())).collect()
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|it| it == "bpl") {
            out.push(path);
        }
    }
}

#[test]
fn every_program_reads_without_a_complaint() {
    let files = corpus();
    let mut complaints = Vec::new();
    for (path, text) in &files {
        let parse = civl_syntax::parse(text);
        assert_eq!(parse.syntax_node().text().to_string(), *text, "{}", path.display());
        for error in parse.errors() {
            let line = text[..error.range.start().into()].matches('\n').count() + 1;
            complaints.push(format!("{}:{line}: {}", path.display(), error.message));
        }
    }
    assert!(complaints.is_empty(), "{} of {}: {complaints:#?}", complaints.len(), files.len());
    if !files.is_empty() {
        assert_eq!(files.len(), 161, "158 programs and 3 libraries");
    }
}

#[test]
fn formatting_keeps_tokens_and_reaches_a_fixed_point() {
    for (path, text) in corpus() {
        let once = civl_syntax::format(&text);
        assert_eq!(civl_syntax::format(&once), once, "{}", path.display());
        assert_eq!(words(&once), words(&text), "{}", path.display());
        assert!(civl_syntax::parse(&once).errors().is_empty(), "{}", path.display());
    }
}

/// Everything but white space, in order.
fn words(text: &str) -> Vec<String> {
    let root = civl_syntax::parse(text).syntax_node();
    let tokens = root.descendants_with_tokens().filter_map(|it| it.into_token());
    tokens.filter(|it| !it.text().trim().is_empty()).map(|it| it.text().to_owned()).collect()
}
