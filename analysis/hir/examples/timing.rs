//! How long names and types take: cold, and after an edit inside one body.
//!
//! Usage: `timing FILE`. Build in release; budgets for 2,000 lines are 60 ms cold and 10 ms after an edit.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a tool for developers that reads files, the clock, and prints"
)]

use std::time::{Duration, Instant};

use base::{Change, SourceFile};
use civl_hir as hir;

testing::database!(Database: hir::Db);

fn main() {
    let Some(path) = std::env::args().nth(1) else { return };
    let Ok(text) = std::fs::read_to_string(&path) else { return };
    let mut db = Database::default();
    let file = SourceFile::new(&db, path, text.clone().into(), None);
    let program = hir::program_of(&db, vec![file]);
    let start = Instant::now();
    let parsed = hir::parse(&db, file).errors().len();
    println!("parse {:?} ({parsed} errors)", start.elapsed());
    let count = hir::program_diagnostics(&db, program).len();
    println!("cold {:?} ({count} diagnostics)", start.elapsed());
    let Some(place) = text.rfind(":=") else { return };
    let mut best = [Duration::MAX; 4];
    for round in 0..100 {
        let mut edited = text.clone();
        edited.insert_str(place + 2, &format!(" 0 + {round} + "));
        let mut change = Change::default();
        change.set_text(file, edited);
        let start = Instant::now();
        change.apply(&mut db);
        hir::parse(&db, file);
        let parsed = start.elapsed();
        hir::decl_tree(&db, file);
        let shaped = start.elapsed();
        for decl in hir::program_decls(&db, program).iter() {
            hir::problems(&db, program, *decl);
        }
        let checked = start.elapsed();
        hir::program_diagnostics(&db, program);
        let all = start.elapsed();
        for (best, time) in best.iter_mut().zip([parsed, shaped, checked, all]) {
            *best = time.min(*best);
        }
    }
    let [parsed, shaped, checked, all] = best;
    println!("best edit: parse {parsed:?}, shapes {shaped:?}, checks {checked:?}, all {all:?}");
}
