//! Edits that repair a problem, each tried out before it is offered.
//!
//! **In:** problems in a stretch of text. **Out:** edits after which the program has fewer errors
//! and not this one any more; others are not offered.
//!
//! The repairs come with the problem, or from the table [`REPAIRS`] by the code of the problem.

mod edits;

use crate::answers::Action;
use crate::diagnostics::has_error;
use crate::types::{Diagnostic, FileId, Fix, Location, ProgramId, Severity};
use crate::{Analysis, AnalysisHost};

/// So many candidates are tried at most; each costs one check of the program.
const MOST_TRIED: usize = 8;

type Repair = fn(&Analysis, ProgramId, &Diagnostic) -> Vec<Fix>;

/// Code of a problem, and who knows how to repair it.
const REPAIRS: &[(&str, Repair)] = &[
    ("yield-sufficiency", edits::insert_yield),
    ("async-sufficiency", edits::insert_yield),
    ("loop-must-yield", edits::mark_loop_yielding),
    ("loop-yield-missing", edits::mark_loop_yielding),
    ("parallel-movers", edits::reorder_arms),
    ("parallel-yield-order", edits::reorder_arms),
    ("parallel-yield-and-atomic", edits::split_arms),
    ("var-out-of-layer", edits::widen_layers),
    ("single-layer-expected", edits::add_layer),
    ("layers-expected", edits::add_layer),
    ("missing-modifies", edits::add_modifies),
    ("commutativity", edits::weaken_mover),
    ("gate-preservation", edits::weaken_mover),
    ("failure-preservation", edits::weaken_mover),
    ("nonblocking", edits::weaken_mover),
];

impl Analysis {
    /// Edits for the static problems that touch a stretch of a file.
    pub fn actions(&self, program: ProgramId, file: FileId, range: (u32, u32)) -> Vec<Action> {
        let touches =
            |d: &&Diagnostic| d.at.file == file && d.at.start <= range.1 && range.0 <= d.at.end;
        let problems = self.problems(program);
        let mut actions = Vec::new();
        for problem in problems.iter().filter(touches) {
            for fix in self.candidates(program, problem) {
                if actions.len() < MOST_TRIED && self.repairs(program, &problems, problem, &fix) {
                    actions.push(Action { fix, repairs: Some(problem.code), checked: true });
                }
            }
        }
        actions
    }

    /// Edits for a failed proof; they are checked statically only, so they say less.
    pub fn proof_actions(&self, program: ProgramId, failure: &Diagnostic) -> Vec<Action> {
        let fixes = self.candidates(program, failure).into_iter();
        let sound = fixes.filter(|fix| !has_error(&self.problems_after(program, fix)));
        sound.map(|fix| Action { fix, repairs: Some(failure.code), checked: false }).collect()
    }

    fn candidates(&self, program: ProgramId, problem: &Diagnostic) -> Vec<Fix> {
        let mut fixes = problem.fixes.clone();
        for (_, repair) in REPAIRS.iter().filter(|(code, _)| *code == problem.code) {
            fixes.extend(repair(self, program, problem));
        }
        fixes
    }

    /// Are there fewer errors after the edit, and not this one?
    fn repairs(
        &self,
        program: ProgramId,
        before: &[Diagnostic],
        problem: &Diagnostic,
        fix: &Fix,
    ) -> bool {
        let after = self.problems_after(program, fix);
        let errors =
            |all: &[Diagnostic]| all.iter().filter(|d| d.severity == Severity::Error).count();
        let same = |all: &[Diagnostic]| all.iter().filter(|d| d.code == problem.code).count();
        errors(&after) < errors(before) && same(&after) < same(before)
    }

    /// The problems of a copy of the program with the edit applied.
    fn problems_after(&self, program: ProgramId, fix: &Fix) -> Vec<Diagnostic> {
        let input = self.program(program);
        let mut host = AnalysisHost::new();
        let mut ids = Vec::new();
        for source in input.files(&self.db) {
            let Some(id) = self.file_id(*source) else { continue };
            let text = applied(source.text(&self.db), id, &fix.edits);
            ids.push(host.set_file(source.path(&self.db), text));
        }
        let libs: Vec<String> =
            input.settings(&self.db).libraries.iter().map(|l| l.as_str().to_owned()).collect();
        match host.add_program(&ids, &libs) {
            Ok(copy) => host.analysis().problems(copy),
            Err(_) => Vec::new(),
        }
    }
}

fn applied(text: &str, file: FileId, edits: &[(Location, String)]) -> String {
    let own = edits.iter().filter(|(at, _)| at.file == file);
    let ranged: Vec<_> = own
        .map(|(at, insert)| {
            (base::TextRange::new(at.start.into(), at.end.max(at.start).into()), insert.clone())
        })
        .collect();
    base::apply_edits(text, &ranged)
}
