//! Programs with expected errors written into them, for the tests of this crate.
//!
//! `//~ error[code]` on a line expects an error with that code whose underlined place begins on
//! that line; nothing else may be reported. Words in double quotes must be part of the message.

use base::{ColumnEncoding, Diagnostic, LineMap, Place, Program, Severity, SourceFile};

use crate::batch_diagnostics;

testing::database!(pub(crate) Database: hir::Db, crate::Db);

/// A program of one file.
pub(crate) fn program(db: &Database, text: &str) -> Program {
    let file = SourceFile::new(db, "test.bpl".to_owned(), text.into(), None);
    hir::program_of(db, vec![file])
}

/// The line, from 1, on which a place begins.
pub(crate) fn line(db: &Database, place: Place) -> u32 {
    let range = hir::place_range(db, place);
    let map = LineMap::new(range.file.text(db));
    map.line_column(range.range.start(), ColumnEncoding::Utf8).line + 1
}

/// The errors of a program as a batch run reports them.
pub(crate) fn errors(db: &Database, text: &str) -> Vec<Diagnostic> {
    let found = batch_diagnostics(db, program(db, text));
    found.into_iter().filter(|it| it.severity == Severity::Error).collect()
}

/// The reported errors are exactly the marked ones.
#[track_caller]
pub(crate) fn check(text: &str) {
    let db = Database::default();
    let mut left: Vec<(u32, String, String)> = errors(&db, text)
        .into_iter()
        .map(|it| (line(&db, it.primary), it.code.as_str().to_owned(), it.message))
        .collect();
    let mut complaints = Vec::new();
    for (number, code, words) in marks(text) {
        let fits = |seen: &(u32, String, String)| {
            seen.0 == number && seen.1 == code && seen.2.contains(words)
        };
        match left.iter().position(fits) {
            Some(at) => drop(left.remove(at)),
            None => complaints.push(format!("line {number}: missing error[{code}] {words}")),
        }
    }
    complaints.extend(left.iter().map(|(number, code, message)| {
        format!("line {number}: unexpected error[{code}] {message}")
    }));
    assert!(complaints.is_empty(), "{}\nin{text}", complaints.join("\n"));
}

/// The marked lines, each with a code and words.
fn marks(text: &str) -> Vec<(u32, &str, &str)> {
    let mut out = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some((_, rest)) = line.split_once("//~") else { continue };
        for mark in rest.split("error[").skip(1) {
            let (code, rest) = mark.split_once(']').unwrap();
            let number = u32::try_from(at).unwrap() + 1;
            out.push((number, code, rest.split('"').nth(1).unwrap_or_default()));
        }
    }
    out
}
