//! How long names and types take for a program of 2,000 lines. Targets: 60 ms cold, 10 ms after an
//! edit inside one body.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark stops when its own input is wrong"
)]

use base::{Change, Program, Settings, SourceFile};
use civl_hir as hir;
use divan::Bencher;
use testing::{EDITED, long_program};

fn main() {
    divan::main();
}

#[salsa::db]
#[derive(Clone, Default)]
struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}
#[salsa::db]
impl base::Db for Database {}
#[salsa::db]
impl hir::Db for Database {}

const LINES: usize = 2_000;

fn start(text: &str) -> (Database, SourceFile, Program) {
    let db = Database::default();
    let file = SourceFile::new(&db, "bench.bpl".to_owned(), text.into(), None);
    let libraries = hir::libraries(&db);
    let program = Program::new(&db, vec![file], libraries, Settings::default());
    (db, file, program)
}

#[divan::bench]
fn cold(bencher: Bencher<'_, '_>) {
    let text = long_program(LINES);
    bencher.with_inputs(|| start(&text)).bench_values(|(db, _, program)| {
        assert_eq!(hir::program_diagnostics(&db, program).len(), 0);
    });
}

#[divan::bench]
fn after_an_edit_inside_one_body(bencher: Bencher<'_, '_>) {
    let text = long_program(LINES);
    let (mut db, file, program) = start(&text);
    hir::program_diagnostics(&db, program);
    let place = text.rfind(EDITED).expect("the text has the statement to be edited");
    let mut round = 0;
    bencher.bench_local(|| {
        round += 1;
        let mut edited = text.clone();
        edited.insert_str(place, &format!("{round} + "));
        let mut change = Change::default();
        change.set_text(file, edited);
        change.apply(&mut db);
        assert_eq!(hir::program_diagnostics(&db, program).len(), 0);
    });
}
