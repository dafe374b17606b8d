//! A database for the tests of this crate, and the helpers every test uses.

use std::sync::Arc;

use base::{ColumnEncoding, LineMap, Program, Severity, SourceFile};
use testing::{Fixture, Found, QueryLog, compare, expectations};

use crate::{place_range, program_diagnostics, program_of};

#[salsa::db]
#[derive(Clone)]
pub(crate) struct TestDb {
    storage: salsa::Storage<Self>,
    last_parses: crate::LastParses,
    pub(crate) log: QueryLog,
}

impl Default for TestDb {
    fn default() -> TestDb {
        let log = QueryLog::default();
        let sink = log.clone();
        let callback = move |event: salsa::Event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                sink.push(&format!("{database_key:?}"));
            }
        };
        let storage = salsa::Storage::new(Some(Box::new(callback)));
        TestDb { storage, last_parses: crate::LastParses::default(), log }
    }
}

#[salsa::db]
impl salsa::Database for TestDb {}
#[salsa::db]
impl base::Db for TestDb {}
#[salsa::db]
impl crate::Db for TestDb {
    fn last_parses(&self) -> Option<&crate::LastParses> {
        Some(&self.last_parses)
    }
}

/// A database with the program of a fixture.
pub(crate) fn program(fixture: &str) -> (TestDb, Program, Fixture) {
    let db = TestDb::default();
    let fixture = Fixture::parse(fixture);
    let file = |(name, text): &(String, String)| {
        SourceFile::new(&db, name.clone(), Arc::from(text.as_str()), None)
    };
    let files = fixture.files.iter().map(file).collect();
    let program = program_of(&db, files);
    (db, program, fixture)
}

/// What is reported about the user's files.
pub(crate) fn found(db: &TestDb, program: Program) -> Vec<Vec<Found>> {
    let files = program.files(db);
    let mut out = vec![Vec::new(); files.len()];
    for diagnostic in program_diagnostics(db, program) {
        let range = place_range(db, diagnostic.primary);
        let Some(number) = files.iter().position(|file| *file == range.file) else {
            panic!("a problem in a library: {diagnostic:?}");
        };
        let map = LineMap::new(range.file.text(db));
        let start = map.line_column(range.range.start(), ColumnEncoding::Utf8);
        let end = map.line_column(range.range.end(), ColumnEncoding::Utf8);
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        out[number].push(Found {
            line: start.line,
            columns: (start.column, end.column),
            severity: severity.to_owned(),
            code: diagnostic.code.to_string(),
            message: diagnostic.message,
        });
    }
    out
}

/// Exactly what the fixture expects is reported.
pub(crate) fn check(fixture: &str) {
    let (db, program, fixture) = program(fixture);
    for ((_, text), found) in fixture.files.iter().zip(found(&db, program)) {
        if let Err(complaint) = compare(&expectations(text), &found) {
            panic!("{complaint}\nin\n{text}");
        }
    }
}
