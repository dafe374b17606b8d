//! How long all static phases take for a program of 2,000 lines, from text to the last problem of
//! layers, linearity and yields. Targets: 100 ms cold, 20 ms after an edit inside one body (p95).
//!
//! An edit is made as an editor makes it: the text of the file is replaced, and every declaration
//! is asked for its problems again. Percentiles are printed, so this is no `divan` benchmark. Where
//! the system tells it, the time this thread computed is measured, so that a busy machine does not
//! count; otherwise the time that passed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark measures, prints, and stops when its own input is wrong"
)]

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use base::{Change, Program, SourceFile};
use civl_discipline as discipline;
use testing::{edited, long_program};

testing::database!(Database: hir::Db, discipline::Db);

const LINES: usize = 2_000;

fn main() {
    let text = long_program(LINES);
    println!("{} lines", text.lines().count());
    print("cold", 100, (0..30).map(|_| cold(&text)).collect());
    print("after an edit inside one body", 20, edits(&text, 300));
}

/// A clock of this thread.
fn now() -> Duration {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let computed = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = computed.and_then(|it| it.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGAN.elapsed(), Duration::from_nanos)
}

fn start(text: &str) -> (Database, SourceFile, Program) {
    let db = Database::default();
    let file = SourceFile::new(&db, "bench.bpl".to_owned(), text.into(), None);
    let program = hir::program_of(&db, vec![file]);
    (db, file, program)
}

/// What an editor shows: the problems of every declaration, all phases.
fn all_problems(db: &Database, program: Program) -> usize {
    let decls = hir::program_decls(db, program);
    let civl = decls.iter().map(|decl| discipline::diagnostics(db, program, *decl).len());
    hir::program_diagnostics(db, program).len() + civl.sum::<usize>()
}

fn cold(text: &str) -> Duration {
    let (db, _, program) = start(text);
    let began = now();
    assert_eq!(all_problems(&db, program), 0);
    now() - began
}

fn edits(text: &str, rounds: usize) -> Vec<Duration> {
    let (mut db, file, program) = start(text);
    assert_eq!(all_problems(&db, program), 0);
    let round = |round: usize| {
        let edited = edited(text, round);
        let began = now();
        let mut change = Change::default();
        change.set_text(file, edited);
        change.apply(&mut db);
        assert_eq!(all_problems(&db, program), 0);
        now() - began
    };
    (1..=rounds).map(round).collect()
}

fn print(name: &str, target: u64, mut times: Vec<Duration>) {
    times.sort();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    let (p50, p95) = (at(50), at(95));
    println!("{name}: p50 {p50:.1?}, p95 {p95:.1?} (target {target} ms)");
}
