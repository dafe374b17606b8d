//! Failing runs as people read them: where, what happens, what changed, and why that is a failure.
//!
//! **In:** a refutation of the prover and the side table of its unit. **Out:** a [`TraceView`], the
//! same in terminal, editor and report.
//!
//! # Invariants
//! - Only variables of the program are shown, and only when their value differs from the one last
//!   shown; steps at which nothing changes are left out, except the first and the last.
//! - What happens between two moments is shown only of a confirmed run, as it was executed.
//! - "confirmed" is said only of a run on which both evaluation of the formulas and execution of the
//!   text ([`crate::replay`]) end in the failure; of any other it is said what is in doubt. If anything in
//!   the program was passed over, no run of it is confirmed.

use std::fmt;

use crate::failure::{self, Explanation, Inner, Scene};
use crate::replay;
use crate::types::Location;

/// A failing run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceView {
    /// Have evaluation and execution followed the run to the failure?
    pub confirmed: bool,
    /// What could not be confirmed, if so.
    pub doubt: Option<String>,
    /// The steps, the last one at the failure.
    pub steps: Vec<TraceStep>,
    /// Why the run is a failure.
    pub explanation: Explanation,
    /// The statement that is to blame, if the run knows it.
    pub blame: Option<Blame>,
}

/// The statement that breaks a rule, which is not where the rule is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    /// Where it stands; nothing if it is not known better.
    pub at: Option<Location>,
    /// What it does wrong, in one line.
    pub message: String,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// Where.
    pub at: Option<Location>,
    /// What happens there.
    pub what: String,
    /// Variables, or parts of them, whose values are new, in order.
    pub changes: Vec<Change>,
    /// Who acts.
    pub actor: Actor,
}

/// A variable, or a part of it, with a new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable, with the path to the part: `slots[Tid#0]`.
    pub name: String,
    /// What it held before the step, where that was shown to be so by execution.
    pub before: Option<String>,
    /// What it holds now.
    pub value: String,
}

impl Change {
    pub(crate) fn new(name: String, value: String) -> Change {
        Change { name, before: None, value }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.before {
            Some(before) => write!(f, "{}: {before} → {}", self.name, self.value),
            None => write!(f, "{} = {}", self.name, self.value),
        }
    }
}

/// Who acts in a step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// Nobody: the step shows a state.
    Nobody,
    /// The thread whose code the run follows.
    This,
    /// Other threads, of which nothing more is known.
    Others,
    /// This action, whoever runs it.
    Action(String),
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actor::Nobody => Ok(()),
            Actor::This => f.write_str("this thread"),
            Actor::Others => f.write_str("other threads"),
            Actor::Action(name) => f.write_str(name),
        }
    }
}

impl TraceView {
    /// The places of the story in order, each with its words: what editors list beside the failure.
    pub fn places(&self) -> Vec<(Location, String)> {
        let mut places: Vec<(Location, String)> = Vec::new();
        for fact in &self.explanation.facts {
            places.extend(fact.at.map(|at| (at, format!("{}: {}", fact.label, fact.text))));
            places.extend(fact.steps.iter().filter_map(TraceStep::in_place));
        }
        if places.is_empty() {
            let columns = self.explanation.columns.iter().flat_map(|column| &column.steps);
            let steps: Vec<&TraceStep> = columns.collect();
            let steps = if steps.is_empty() { self.steps.iter().collect() } else { steps };
            places.extend(steps.into_iter().filter_map(TraceStep::in_place));
        }
        places.extend(self.explanation.conjuncts.iter().filter_map(|part| {
            let values = part.values.as_ref().map(|it| format!("   ({it})")).unwrap_or_default();
            let fails = part.holds == Some(false);
            Some((part.at.filter(|_| fails)?, format!("✗ {}{values}", part.text)))
        }));
        places
    }
}

impl TraceStep {
    /// A step of an order that was computed.
    pub(crate) fn computed(
        what: &str,
        changes: Vec<(String, String)>,
        at: Option<Location>,
    ) -> TraceStep {
        let changes = changes.into_iter().map(|(name, value)| Change::new(name, value)).collect();
        TraceStep { at, what: what.to_owned(), changes, actor: Actor::Nobody }
    }

    /// What changes, in a row.
    pub(crate) fn changed(&self) -> String {
        self.changes.iter().map(Change::to_string).collect::<Vec<_>>().join(", ")
    }

    /// The step in words, with its place.
    fn in_place(&self) -> Option<(Location, String)> {
        let words = format!("{}: {}", self.what, self.changed());
        Some((self.at?, words.trim_end_matches([':', ' ']).to_owned()))
    }

    /// Done by this action.
    pub(crate) fn by(self, action: &str) -> TraceStep {
        TraceStep { actor: Actor::Action(action.to_owned()), ..self }
    }
}

/// The view of a run; `ignored` says what of the program was passed over, if anything was.
pub(crate) fn view(scene: &Scene<'_>, ignored: Option<&str>) -> TraceView {
    let doubt = scene.refutation.doubt().or(ignored).map(str::to_owned);
    let ran = doubt.map_or_else(
        || {
            replay::run_of(scene.world, scene.unit, scene.info, scene.refutation)
                .map_err(|why| format!("executing the program did not lead there: {why}"))
        },
        Err,
    );
    let inner = ran.as_ref().map(|ran| Inner::new(scene, ran)).unwrap_or_default();
    TraceView {
        confirmed: ran.is_ok(),
        doubt: ran.err(),
        steps: scene.steps(&inner),
        explanation: failure::explain(scene, &inner),
        blame: failure::blame(scene, &inner),
    }
}
