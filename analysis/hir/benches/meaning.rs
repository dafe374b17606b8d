//! How long names and types take for a program of 2,000 lines. Targets: 60 ms cold, 10 ms after an
//! edit inside one body.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark stops when its own input is wrong"
)]

use base::{Change, Program, SourceFile};
use civl_hir as hir;
use divan::Bencher;
use testing::{edited, long_program};

fn main() {
    divan::main();
}

testing::database!(Database: hir::Db);

const LINES: usize = 2_000;

fn start(text: &str) -> (Database, SourceFile, Program) {
    let db = Database::default();
    let file = SourceFile::new(&db, "bench.bpl".to_owned(), text.into(), None);
    let program = hir::program_of(&db, vec![file]);
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
    let mut round = 0;
    bencher.bench_local(|| {
        round += 1;
        let mut change = Change::default();
        change.set_text(file, edited(&text, round));
        change.apply(&mut db);
        assert_eq!(hir::program_diagnostics(&db, program).len(), 0);
    });
}
