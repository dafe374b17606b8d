//! What became of an obligation.
//!
//! **In:** a task, then the verdicts of its assertions. **Out:** an [`ObligationState`].
//!
//! # Soundness
//! [`judge`] says "proved" only if every assertion has the verdict "proved"; what nobody has asked
//! yet is unknown.

use std::collections::BTreeMap;

use base::Name;
use ir::{AssertId, Reason, Refutation, Verdict};
use obligations::{Task, UnitEntry};

use crate::proof::coverage::unit_words;

/// How one obligation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Proved,
    /// It does not.
    Failed(String),
    /// Nobody knows, and why.
    Unknown(String),
    /// It holds without asking, and why.
    Skipped(String),
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome::Unknown("not asked".into())
    }
}

/// One obligation after a run.
#[derive(Clone, Debug, Default)]
pub struct ObligationState {
    /// The name people see.
    pub id: String,
    /// The unit of the reference it belongs to.
    pub unit: String,
    /// What kind of check it is.
    pub kind: String,
    /// The layer it is about.
    pub layer: Option<u32>,
    /// The items it is about, the owner first.
    pub subjects: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Taken from the store of verdicts.
    pub cached: bool,
    /// A worker had to be asked: it was neither stored nor settled without a question.
    pub asked: bool,
    /// Time in the worker.
    pub millis: u64,
    /// CPU time of the solver.
    pub solver_micros: u64,
    /// What the solver counted, in units of its resource limit.
    pub steps: u64,
    /// Time or steps ran out before there was an answer.
    pub timed_out: bool,
    /// What is not proved.
    pub(crate) open: Vec<Open>,
    /// What took the time of assertions that ran out of it.
    pub(crate) costs: Vec<prover::Cost>,
    /// Number of the task in its plan.
    pub(crate) task: Option<usize>,
}

/// Why nothing was asked about what the user trusts.
pub(crate) const TRUSTED: &str = "trusted by request";

impl ObligationState {
    /// How it ended, in one word: `proved`, `failed`, `timeout`, `unknown`, `skipped` or `trusted`.
    pub fn word(&self) -> &'static str {
        match &self.outcome {
            Outcome::Proved => "proved",
            Outcome::Failed(_) => "failed",
            Outcome::Unknown(_) if self.timed_out => "timeout",
            Outcome::Unknown(_) => "unknown",
            Outcome::Skipped(why) if why == TRUSTED => "trusted",
            Outcome::Skipped(_) => "skipped",
        }
    }

    /// The words beside the outcome, if it needs any.
    pub fn reason(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Proved => None,
            Outcome::Failed(why) | Outcome::Unknown(why) | Outcome::Skipped(why) => Some(why),
        }
    }
}

/// Gives obligations of one plan different names: the second of a name gets ` #2` behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(BTreeMap<String, usize>);

/// Between a name and its number.
pub(crate) const NUMBER: &str = " #";

impl Names {
    pub(crate) fn distinguish(&mut self, state: &mut ObligationState) {
        let count = self.0.entry(state.id.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            state.id = format!("{}{NUMBER}{count}", state.id);
        }
    }
}

/// What a run tells while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// A worker has begun with an obligation.
    Started(&'a ObligationState),
    /// An obligation has its answer.
    Ended(&'a ObligationState),
    /// Nothing happens for the moment: time to pass on what was held back.
    Waiting,
}

/// An assertion that is not proved.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub(crate) assert: AssertId,
    /// A failing run, if one was found; otherwise the reason.
    pub(crate) why: Result<Refutation, String>,
    /// The same as data, if there is no answer.
    pub(crate) reason: Option<Reason>,
}

/// A subject as people know it.
pub(crate) fn shown(subject: &impl ToString) -> String {
    Name::readable(&subject.to_string())
}

pub(crate) fn state_of(task: &Task, outcome: Outcome) -> ObligationState {
    let id = &task.obligation.id;
    ObligationState {
        id: shown(id),
        unit: task.obligation.unit.clone(),
        kind: id.kind.name().to_owned(),
        layer: id.layer,
        subjects: id.subjects.iter().map(shown).collect(),
        outcome,
        cached: false,
        asked: false,
        millis: 0,
        solver_micros: 0,
        steps: 0,
        timed_out: false,
        open: Vec::new(),
        costs: Vec::new(),
        task: None,
    }
}

pub(crate) fn skipped_unit(entry: &UnitEntry, why: &str) -> ObligationState {
    let (kind, subjects) = unit_words(&entry.key);
    let subjects: Vec<String> = subjects.iter().map(shown).collect();
    ObligationState {
        id: format!("{kind}({})", subjects.join(", ")),
        unit: entry.name.clone(),
        kind: kind.name().to_owned(),
        layer: None,
        subjects,
        outcome: Outcome::Skipped(why.to_owned()),
        cached: false,
        asked: false,
        millis: 0,
        solver_micros: 0,
        steps: 0,
        timed_out: false,
        open: Vec::new(),
        costs: Vec::new(),
        task: None,
    }
}

/// The outcome of an obligation whose assertions got these verdicts, and what is open.
pub(crate) fn judge(verdicts: &[(AssertId, Verdict)]) -> (Outcome, Vec<Open>) {
    let mut open = Vec::new();
    for (assert, verdict) in verdicts {
        let why = match verdict {
            Verdict::Proved(_) => continue,
            Verdict::Refuted(refutation) => Ok(refutation.clone()),
            Verdict::HoldsUpTo(bound) => Err(format!("it holds up to {} only", bound.description)),
            Verdict::Unknown(reason) => Err(reason.to_string()),
        };
        let reason = match verdict {
            Verdict::Unknown(reason) => Some(reason.clone()),
            Verdict::Proved(_) | Verdict::Refuted(_) | Verdict::HoldsUpTo(_) => None,
        };
        open.push(Open { assert: *assert, why, reason });
    }
    let outcome = if open.iter().any(|o| o.why.is_ok()) {
        Outcome::Failed("an assertion fails".into())
    } else {
        match open.first() {
            Some(Open { why: Err(reason), .. }) => Outcome::Unknown(reason.clone()),
            Some(Open { why: Ok(_), .. }) | None => Outcome::Proved,
        }
    };
    (outcome, open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_numbered() {
        let mut names = Names::default();
        let mut ids = Vec::new();
        for id in ["a @ 1", "b @ 1", "a @ 1"] {
            let mut state = ObligationState { id: id.into(), ..ObligationState::default() };
            names.distinguish(&mut state);
            ids.push(state.id);
        }
        assert_eq!(ids, ["a @ 1", "b @ 1", "a @ 1 #2"]);
    }
}
