//! What became of an obligation.
//!
//! **In:** a task, then the verdicts of its assertions. **Out:** an [`ObligationState`].
//!
//! # Soundness
//! [`judge`] says "proved" only if every assertion has the verdict "proved"; what nobody has asked
//! yet is unknown.

use std::collections::BTreeMap;
use std::fmt;

use base::Name;
use ir::verdict::Bound;
use ir::{AssertId, Reason, Refutation, Verdict};
use obligations::{Skip, Task, UnitEntry};

use crate::proof::coverage::unit_words;

/// How one obligation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Proved,
    /// It does not.
    Failed,
    /// Nobody knows, and why.
    Unknown(Doubt),
    /// It holds without asking, and why.
    Skipped(Excuse),
}

/// Why nobody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Nobody asked.
    NotAsked,
    /// It is still being asked.
    NoAnswerYet,
    /// The prover could not be started.
    NoProver(String),
    /// The prover ended before the answer.
    ProverStopped,
    /// It was shown within a bound only.
    HoldsUpTo(Bound),
    /// The prover says why.
    Reason(Reason),
}

/// Why an obligation was not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excuse {
    /// Somebody takes it on faith.
    Trusted,
    /// It holds anyway.
    Holds(Skip),
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome::Unknown(Doubt::NotAsked)
    }
}

impl Doubt {
    /// What the prover says, if it was asked and gave an answer.
    pub(crate) fn reason(&self) -> Option<&Reason> {
        match self {
            Doubt::Reason(reason) => Some(reason),
            Doubt::NotAsked
            | Doubt::NoAnswerYet
            | Doubt::NoProver(_)
            | Doubt::ProverStopped
            | Doubt::HoldsUpTo(_) => None,
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::NotAsked => f.write_str("not asked"),
            Doubt::NoAnswerYet => f.write_str("there is no answer yet"),
            Doubt::NoProver(why) => f.write_str(why),
            Doubt::ProverStopped => f.write_str("the prover stopped early"),
            Doubt::HoldsUpTo(bound) => write!(f, "it holds up to {} only", bound.description),
            Doubt::Reason(reason) => write!(f, "{reason}"),
        }
    }
}

impl fmt::Display for Excuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Excuse::Trusted => "trusted by request",
            Excuse::Holds(why) => obligations::render::skip(*why),
        })
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

impl ObligationState {
    /// How it ended, in one word: `proved`, `failed`, `timeout`, `unknown`, `skipped` or `trusted`.
    pub fn word(&self) -> &'static str {
        match &self.outcome {
            Outcome::Proved => "proved",
            Outcome::Failed => "failed",
            Outcome::Unknown(_) if self.timed_out => "timeout",
            Outcome::Unknown(_) => "unknown",
            Outcome::Skipped(Excuse::Trusted) => "trusted",
            Outcome::Skipped(Excuse::Holds(_)) => "skipped",
        }
    }

    /// The words beside the outcome, if it needs any.
    pub fn reason(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Proved => None,
            Outcome::Failed => Some("an assertion fails".to_owned()),
            Outcome::Unknown(why) => Some(why.to_string()),
            Outcome::Skipped(why) => Some(why.to_string()),
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
    /// A failing run, if one was found; otherwise why there is no answer.
    pub(crate) why: Result<Refutation, Doubt>,
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

pub(crate) fn skipped_unit(entry: &UnitEntry, why: Skip) -> ObligationState {
    let (kind, subjects) = unit_words(&entry.key);
    let subjects: Vec<String> = subjects.iter().map(shown).collect();
    ObligationState {
        id: format!("{kind}({})", subjects.join(", ")),
        unit: entry.name.clone(),
        kind: kind.name().to_owned(),
        layer: None,
        subjects,
        outcome: Outcome::Skipped(Excuse::Holds(why)),
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
            Verdict::HoldsUpTo(bound) => Err(Doubt::HoldsUpTo(bound.clone())),
            Verdict::Unknown(reason) => Err(Doubt::Reason(reason.clone())),
        };
        open.push(Open { assert: *assert, why });
    }
    let outcome = if open.iter().any(|o| o.why.is_ok()) {
        Outcome::Failed
    } else {
        match open.first() {
            Some(Open { why: Err(doubt), .. }) => Outcome::Unknown(doubt.clone()),
            Some(Open { why: Ok(_), .. }) | None => Outcome::Proved,
        }
    };
    (outcome, open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_skipped_bounded_or_unknown_is_not_proved() {
        let bound = Bound { description: "2 threads".into() };
        for verdict in [Verdict::HoldsUpTo(bound), Verdict::Unknown(Reason::TimedOut(1))] {
            let (outcome, open) = judge(&[(AssertId(0), verdict)]);
            assert!(matches!(outcome, Outcome::Unknown(_)) && open.len() == 1);
        }
        for excuse in [Excuse::Trusted, Excuse::Holds(Skip::Disjoint)] {
            let outcome = Outcome::Skipped(excuse);
            let state = ObligationState { outcome, ..ObligationState::default() };
            assert_ne!(state.word(), "proved");
        }
        assert_eq!(ObligationState::default().reason().as_deref(), Some("not asked"));
    }

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
