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

use civl_syntax::ast::AstNode as _;

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

/// Every so many tokens of a file one is deleted.
const STRIDE: usize = 97;

#[test]
fn a_missing_token_costs_little() {
    let stride = std::env::var("CIVL_STRIDE").ok().and_then(|it| it.parse().ok()).unwrap_or(STRIDE);
    let mut complaints = Vec::new();
    for (path, text) in corpus() {
        let before = declarations(&text);
        for range in token_ranges(&text).into_iter().step_by(stride) {
            let mut broken = text.clone();
            broken.replace_range(range.clone(), "");
            let errors = civl_syntax::parse(&broken).errors().len();
            let after = declarations(&broken);
            let others =
                before.iter().filter(|it| !(it.0.start <= range.start && range.end <= it.0.end));
            let lost = others.filter(|it| !after.iter().any(|other| other.1 == it.1)).count();
            if errors > 3 || lost > 0 {
                let line = text[..range.start].matches('\n').count() + 1;
                let token = &text[range];
                let path = path.display();
                complaints.push(format!(
                    "{path}:{line} without {token:?}: {errors} complaints, {lost} lost"
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "{}: {complaints:#?}", complaints.len());
}

type Declaration = (std::ops::Range<usize>, civl_syntax::GreenNode);

fn declarations(text: &str) -> Vec<Declaration> {
    let items = civl_syntax::parse(text).tree().items();
    items.map(|it| (it.range().into(), civl_syntax::shape(it.syntax()))).collect()
}

fn token_ranges(text: &str) -> Vec<std::ops::Range<usize>> {
    let root = civl_syntax::parse(text).syntax_node();
    let tokens = root.descendants_with_tokens().filter_map(|it| it.into_token());
    tokens.filter(|it| !it.kind().is_trivia()).map(|it| it.text_range().into()).collect()
}
