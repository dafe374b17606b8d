//! How long the phases between a typed program and the solver take, each with what it needs ready:
//! CIVL's rules, units and questions, fingerprints, scripts.
#![allow(clippy::expect_used, reason = "a benchmark stops when its own input is wrong")]

use base::{Program, SourceFile};
use civl_obligations::{self as obligations, Task};
use divan::Bencher;

fn main() {
    divan::main();
}

testing::database!(Database: hir::Db, discipline::Db, obligations::Db);

const PROGRAMS: [(&str, &str); 3] = [
    ("write_barrier", include_str!("../../../tests/examples/write_barrier.bpl")),
    ("two_phase_commit", include_str!("../../../tests/examples/two_phase_commit.bpl")),
    ("michael_scott_queue", include_str!("../../../tests/examples/michael_scott_queue.bpl")),
];

const NAMES: [&str; 3] = [PROGRAMS[0].0, PROGRAMS[1].0, PROGRAMS[2].0];

/// The program, typed.
fn typed(name: &str) -> (Database, Program) {
    let (_, text) = PROGRAMS.iter().find(|(own, _)| *own == name).expect("a listed program");
    let db = Database::default();
    let file = SourceFile::new(&db, "bench.bpl".to_owned(), (*text).into(), None);
    let program = hir::program_of(&db, vec![file]);
    assert_eq!(hir::program_diagnostics(&db, program).len(), 0);
    (db, program)
}

/// All questions of a program.
fn tasks(db: &Database, program: Program) -> Vec<Task> {
    let units = obligations::units(db, program);
    let asked = units.iter().filter(|unit| unit.skipped.is_none());
    asked.flat_map(|it| obligations::obligations(db, program, it.key.clone()).to_vec()).collect()
}

#[divan::bench(args = NAMES)]
fn rules(bencher: Bencher<'_, '_>, name: &str) {
    bencher
        .with_inputs(|| typed(name))
        .bench_values(|(db, program)| discipline::batch_diagnostics(&db, program).len());
}

#[divan::bench(args = NAMES)]
fn questions(bencher: Bencher<'_, '_>, name: &str) {
    bencher.with_inputs(|| typed(name)).bench_values(|(db, program)| tasks(&db, program).len());
}

#[divan::bench(args = NAMES)]
fn fingerprints(bencher: Bencher<'_, '_>, name: &str) {
    let (db, program) = typed(name);
    let tasks = tasks(&db, program);
    let one = |task: &Task| ir::canonical::fingerprint(&task.obligation.question);
    bencher.bench(|| tasks.iter().map(one).collect::<Vec<_>>());
}

#[divan::bench(args = NAMES)]
fn scripts(bencher: Bencher<'_, '_>, name: &str) {
    let (db, program) = typed(name);
    let tasks = tasks(&db, program);
    let one = |task: &Task| prover::smt2(&task.obligation.question).map(|text| text.len());
    bencher.bench(|| tasks.iter().map(one).collect::<Vec<_>>());
}
