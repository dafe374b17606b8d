//! A copy of a program to try edits on.
//!
//! **In:** [`Candidates`]. **Out:** the numbers of those that hold what they promise.
//!
//! # Invariants
//! - The copy lives in a database of its own: trying never disturbs readers of the real one, and no
//!   snapshot of that is held meanwhile.
//! - The copy is kept between trials, so a trial costs what an edit costs, not what opening costs.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use super::{Candidate, Candidates, ProgramCopy, Seen};
use crate::proof::plan::VerifyOptions;
use crate::proof::state::Outcome;
use crate::types::{FileId, Fix, Location, ProgramId};
use crate::{Analysis, AnalysisHost};

/// A copy of the program that was tried last.
#[derive(Default)]
pub struct Trial {
    host: AnalysisHost,
    program: Option<ProgramId>,
}

impl Trial {
    /// The candidates that hold, apart from proofs. `wanted` says whether somebody still waits.
    pub fn offered(&mut self, candidates: &Candidates, wanted: &dyn Fn() -> bool) -> Vec<usize> {
        let mut offered = Vec::new();
        let mut settled = BTreeSet::new();
        for (number, candidate) in candidates.all.iter().enumerate() {
            if !wanted() {
                return Vec::new();
            }
            if settled.contains(&candidate.group) {
                continue;
            }
            let Some(after) = self.problems_after(&candidates.copy, &candidate.fix) else {
                continue;
            };
            if keeps_its_promise(candidate, &candidates.before, &after) {
                settled.insert(candidate.group);
                offered.push(number);
            }
        }
        offered
    }

    /// Is everything proved with the edit that is not known to fail without it? If not, the
    /// obligation that is not.
    pub fn prove(
        &mut self,
        candidates: &Candidates,
        candidate: &Candidate,
        options: &VerifyOptions,
        known: &Known<'_>,
    ) -> Result<(), String> {
        let program = self.set(&candidates.copy, Some(&candidate.fix));
        let program = program.ok_or("the program cannot be copied")?;
        let plan = self.host.analysis().plan(program, options);
        let plan = plan.map_err(|_| "the edit leads to errors".to_owned())?;
        if !plan.complete {
            return Err("not every obligation can be built".into());
        }
        let states = plan.run(options, &crate::Order::default(), known.cancel, &mut |_| {});
        if states.len() != plan.len() {
            return Err("not every obligation was asked".into());
        }
        for state in states {
            let about = candidate.proves.as_ref().is_some_and(|own| state.subjects.contains(own));
            let excused = !about && known.failures.contains(&state.id);
            match &state.outcome {
                Outcome::Proved | Outcome::Skipped(_) => {}
                Outcome::Failed | Outcome::Unknown(_) if excused => {}
                Outcome::Failed | Outcome::Unknown(_) => {
                    let why = state.reason().unwrap_or_default();
                    return Err(format!("`{}`: {why}", state.id));
                }
            }
        }
        Ok(())
    }

    /// The problems of the copy with the edit applied.
    fn problems_after(&mut self, copy: &ProgramCopy, fix: &Fix) -> Option<Vec<Seen>> {
        let program = self.set(copy, Some(fix))?;
        let analysis: Analysis = self.host.analysis();
        Some(analysis.problems(program).iter().map(Seen::new).collect())
    }

    /// Makes the copy like the program, with the edit.
    fn set(&mut self, copy: &ProgramCopy, fix: Option<&Fix>) -> Option<ProgramId> {
        let edits = fix.map_or(&[][..], |fix| &fix.edits);
        let ids: Vec<FileId> = copy
            .files
            .iter()
            .map(|(path, file, text)| self.host.set_file(path, applied(text, *file, edits)))
            .collect();
        match self.program {
            Some(program) => self.host.set_program(program, &ids, &copy.libs).ok()?,
            None => self.program = Some(self.host.add_program(&ids, &copy.libs).ok()?),
        }
        self.program
    }
}

/// What is known besides the program when a candidate is proved.
pub struct Known<'a> {
    /// Obligations that are not proved without the edit either.
    pub failures: &'a BTreeSet<String>,
    /// Raised when nobody waits any more.
    pub cancel: &'a AtomicBool,
}

/// Does the problem go away, if it repairs one, and does nothing new come?
fn keeps_its_promise(candidate: &Candidate, before: &[Seen], after: &[Seen]) -> bool {
    let errors = |all: &[Seen]| all.iter().filter(|seen| seen.error).count();
    let same = |all: &[Seen], code: &str| all.iter().filter(|seen| seen.code == code).count();
    match candidate.repairs {
        // A failed proof is no static problem: a proof decides whether it is repaired.
        Some(code) if same(before, code) > 0 => {
            errors(after) < errors(before) && same(after, code) < same(before, code)
        }
        Some(_) | None => after.iter().filter(|seen| seen.error).all(|seen| before.contains(seen)),
    }
}

pub(super) fn applied(text: &str, file: FileId, edits: &[(Location, String)]) -> String {
    let own = edits.iter().filter(|(at, _)| at.file == file);
    let ranged: Vec<_> = own
        .map(|(at, insert)| {
            (base::TextRange::new(at.start.into(), at.end.max(at.start).into()), insert.clone())
        })
        .collect();
    base::apply_edits(text, &ranged)
}
