//! Edits somebody can choose, each tried out before it is offered.
//!
//! **In:** a stretch of text, and the failed proofs in it. **Out:** [`Candidates`], cut loose from the
//! database; a [`Trial`] tells which of them hold what they promise, and only those are offered.
//!
//! A repair promises that its problem goes away and nothing new comes; a refactoring, that nothing
//! new comes. Some also promise that everything can still be proved; that costs time, so it is tried
//! when somebody has chosen them. Repairs come with the problem, or from the table [`REPAIRS`] by the
//! code of the problem; refactorings from [`REFACTORINGS`].

mod edits;
mod movers;
mod refactor;
#[cfg(test)]
mod tests;
mod text;
mod trial;

use std::sync::Arc;

use base::Program;
use syntax::SyntaxToken;

use crate::Analysis;
use crate::editor::answers::Action;
use crate::types::{Diagnostic, FileId, Fix, Location, ProgramId, Severity};

pub use trial::{Known, Trial};

/// So many candidates are tried at most; each costs one check of the program.
const MOST_TRIED: usize = 24;

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
    ("refinement-signature", refactor::match_signature),
];

/// Code of a problem, and the change of a mover type that may repair it, if it can be proved.
const MOVER_REPAIRS: &[(&str, Repair)] = &[
    ("yield-sufficiency", movers::strengthen_callees),
    ("parallel-movers", movers::strengthen_callees),
    ("commutativity", movers::weaken),
    ("gate-preservation", movers::weaken),
    ("failure-preservation", movers::weaken),
    ("nonblocking", movers::weaken),
];

/// Changes that make sense at a place, each as a list of alternatives.
type Refactoring = fn(&Cursor<'_>) -> Vec<Vec<Fix>>;

/// Changes on request. Of the alternatives for one change the first that holds is offered.
const REFACTORINGS: &[Refactoring] = &[
    refactor::stub_action,
    refactor::stub_procedure,
    refactor::extract_invariant,
    refactor::insert_layer,
    refactor::remove_modifies,
];

/// Where somebody asks.
pub(crate) struct Cursor<'a> {
    pub(crate) analysis: &'a Analysis,
    pub(crate) program: Program,
    pub(crate) at: Location,
    pub(crate) token: SyntaxToken,
}

/// An edit and what it promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The edit.
    pub fix: Fix,
    /// The code of the problem that goes away.
    pub repairs: Option<&'static str>,
    /// Everything about this action can be proved with the edit.
    pub proves: Option<String>,
    /// Only the first of a group that holds is offered.
    group: usize,
}

/// Edits to be tried, with the program they are for.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// The edits.
    pub all: Vec<Candidate>,
    copy: ProgramCopy,
    before: Vec<Seen>,
}

/// The texts of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ProgramCopy {
    files: Vec<(String, FileId, Arc<str>)>,
    libs: Vec<String>,
}

/// A problem without its place: edits move places.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    code: &'static str,
    message: String,
    error: bool,
}

impl Seen {
    fn new(diagnostic: &Diagnostic) -> Seen {
        Seen {
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            error: diagnostic.severity == Severity::Error,
        }
    }
}

impl Analysis {
    /// Edits for the problems and declarations that touch a stretch of a file, to be tried.
    /// `failures` are failed proofs of the program.
    pub fn candidates(
        &self,
        program: ProgramId,
        file: FileId,
        range: (u32, u32),
        failures: &[Diagnostic],
    ) -> Candidates {
        let problems = self.problems(program);
        let mut all = Vec::new();
        let touches =
            |d: &&Diagnostic| d.at.file == file && d.at.start <= range.1 && range.0 <= d.at.end;
        for problem in problems.iter().chain(failures).filter(touches) {
            self.repairs_of(program, problem, &mut all);
        }
        let at = Location { file, start: range.0, end: range.1 };
        if let Some(token) = text::token_at(self, at) {
            let cursor = Cursor { analysis: self, program: self.program(program), at, token };
            refactorings(&cursor, &mut all);
        }
        all.truncate(MOST_TRIED);
        Candidates {
            all,
            copy: self.copy_of(program),
            before: problems.iter().map(Seen::new).collect(),
        }
    }

    /// The edits that hold without a proof, tried at once.
    pub fn actions(&self, program: ProgramId, file: FileId, range: (u32, u32)) -> Vec<Action> {
        let candidates = self.candidates(program, file, range, &[]);
        let offered = Trial::default().offered(&candidates, &|| true).into_iter();
        let chosen = offered.map(|number| candidates.all[number].clone());
        let unproved = chosen.filter(|candidate| candidate.proves.is_none());
        unproved.map(|c| Action { fix: c.fix, repairs: c.repairs, checked: true }).collect()
    }

    fn repairs_of(&self, program: ProgramId, problem: &Diagnostic, all: &mut Vec<Candidate>) {
        let mut fixes = problem.fixes.clone();
        for (_, repair) in REPAIRS.iter().filter(|(code, _)| *code == problem.code) {
            fixes.extend(repair(self, program, problem));
        }
        for fix in fixes {
            let group = all.len();
            all.push(Candidate { fix, repairs: Some(problem.code), proves: None, group });
        }
        for (_, repair) in MOVER_REPAIRS.iter().filter(|(code, _)| *code == problem.code) {
            for fix in repair(self, program, problem) {
                let subject = movers::subject(&fix);
                let group = all.len();
                all.push(Candidate { fix, repairs: Some(problem.code), proves: subject, group });
            }
        }
    }

    fn copy_of(&self, program: ProgramId) -> ProgramCopy {
        let input = self.program(program);
        let files = input.files(&self.db).iter().filter_map(|source| {
            let id = self.file_id(*source)?;
            Some((source.path(&self.db).to_owned(), id, Arc::clone(source.text(&self.db))))
        });
        let libs = input.settings(&self.db).libraries.iter().map(|l| l.as_str().to_owned());
        ProgramCopy { files: files.collect(), libs: libs.collect() }
    }
}

fn refactorings(cursor: &Cursor<'_>, all: &mut Vec<Candidate>) {
    for refactoring in REFACTORINGS {
        for alternatives in refactoring(cursor) {
            let group = all.len();
            let candidate = |fix| Candidate { fix, repairs: None, proves: None, group };
            all.extend(alternatives.into_iter().map(candidate));
        }
    }
    for fix in movers::strengthen(cursor) {
        let (proves, group) = (movers::subject(&fix), all.len());
        all.push(Candidate { fix, repairs: None, proves, group });
    }
}
