//! Programs to units to questions to verdicts.

mod checks;
mod corpus;
mod exprs;
mod identity;
mod machine;
mod measures;
mod movers;
mod mutation;
mod permissions;
mod plain;
mod random;
mod reuse;
mod runs;
mod steps;
mod view;

use std::fmt::Write;

use base::{LibraryName, Program, Settings, SourceFile};
use ir::Verdict;

use crate::{Task, UnitKey, obligations, unit_of, units};

testing::database!(pub(crate) Database: hir::Db, discipline::Db, crate::Db);

/// The program with this text and these libraries.
pub(crate) fn program(db: &Database, text: &str, libraries: &[LibraryName]) -> Program {
    let file = SourceFile::new(db, "test.bpl".to_owned(), text.into(), None);
    let settings = Settings { libraries: libraries.to_vec(), ..Settings::default() };
    Program::new(db, vec![file], hir::libraries(db), settings)
}

/// The unit of this name.
pub(crate) fn key(db: &Database, program: Program, name: &str) -> UnitKey {
    let units = units(db, program);
    let found = units.iter().find(|unit| unit.name == name);
    found.unwrap_or_else(|| panic!("no unit {name} among {units:?}")).key.clone()
}

/// Asks the solver, in this process. One line per assertion that is not proved:
/// `line:column code: verdict`; or `proved`.
pub(crate) fn verdicts(db: &Database, program: Program, key: &UnitKey) -> String {
    let unit = unit_of(db, program, key.clone());
    let mut lines = Vec::new();
    for task in obligations(db, program, key.clone()).iter() {
        for problem in &task.unsupported {
            lines.push((0, 0, format!("unsupported: {}", problem.what)));
        }
        for (id, verdict) in answer(task) {
            let Some(info) = unit.assert(id) else { continue };
            let word = match verdict {
                Verdict::Proved(_) => continue,
                Verdict::Refuted(_) => "refuted",
                Verdict::HoldsUpTo(_) | Verdict::Unknown(_) => "unknown",
            };
            let range = hir::place_range(db, info.reported_at.unwrap_or(info.place));
            let text = range.file.text(db);
            let before = &text[..usize::from(range.range.start())];
            let line = before.matches('\n').count() + 1;
            let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
            lines.push((line, column, format!("{} {word}", info.claim.code())));
        }
    }
    lines.sort();
    lines.dedup();
    if lines.is_empty() {
        return "proved".to_owned();
    }
    let mut out = String::new();
    for (line, column, words) in lines {
        let _ = write!(out, "{}{line}:{column} {words}", if out.is_empty() { "" } else { "\n" });
    }
    out
}

fn answer(task: &Task) -> Vec<(ir::AssertId, Verdict)> {
    prover::solve_here(&task.obligation.question, prover::Limits::default())
}

/// The verdict of one unit of a program with the library `base`.
#[track_caller]
pub(crate) fn check_unit(text: &str, unit: &str, expected: &str) {
    check_with(text, &[LibraryName::Base], unit, expected);
}

/// The verdict of one unit of a program with these libraries.
#[track_caller]
pub(crate) fn check_with(text: &str, libraries: &[LibraryName], unit: &str, expected: &str) {
    let db = Database::default();
    let program = program(&db, text, libraries);
    let key = key(&db, program, unit);
    assert_eq!(verdicts(&db, program, &key), expected, "unit {unit}");
}
