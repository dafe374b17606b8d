//! Failing runs as people read them: where, what happens, what changed, and why that is a failure.
//!
//! **In:** a refutation of the prover and the side table of its unit. **Out:** a [`TraceView`], the
//! same in terminal, editor and report.
//!
//! # Invariants
//! - Only variables of the program are shown, and only when their value differs from the one last
//!   shown; steps at which nothing changes are left out, except the first and the last.
//! - "confirmed" is said only of a run on which both evaluation of the formulas and execution of the
//!   text ([`crate::replay`]) end in the failure; of any other it is said what is in doubt. If anything in
//!   the program was passed over, no run of it is confirmed.

use std::fmt;

use crate::failure::{self, Explanation, Scene};
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
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// Where.
    pub at: Option<Location>,
    /// What happens there.
    pub what: String,
    /// Variables, or parts of them, whose values are new, in order.
    pub changes: Vec<(String, String)>,
    /// Who acts.
    pub actor: Actor,
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
        let facts = self.explanation.facts.iter();
        let mut places: Vec<(Location, String)> =
            facts.filter_map(|it| Some((it.at?, format!("{}: {}", it.label, it.text)))).collect();
        if places.is_empty() {
            let columns = self.explanation.columns.iter().flat_map(|column| &column.steps);
            let steps: Vec<&TraceStep> = columns.collect();
            let steps = if steps.is_empty() { self.steps.iter().collect() } else { steps };
            places.extend(steps.into_iter().filter_map(|step| {
                let changes = step.changes.iter().map(|(name, value)| format!("{name} = {value}"));
                let changes: Vec<String> = changes.collect();
                let words = format!("{}: {}", step.what, changes.join(", "));
                Some((step.at?, words.trim_end_matches([':', ' ']).to_owned()))
            }));
        }
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
        TraceStep { at, what: what.to_owned(), changes, actor: Actor::Nobody }
    }

    /// Done by this action.
    pub(crate) fn by(self, action: &str) -> TraceStep {
        TraceStep { actor: Actor::Action(action.to_owned()), ..self }
    }
}

/// The view of a run; `ignored` says what of the program was passed over, if anything was.
pub(crate) fn view(scene: &Scene<'_>, ignored: Option<&str>) -> TraceView {
    let doubt = scene.refutation.doubt().or(ignored).map(str::to_owned);
    let doubt = doubt.or_else(|| {
        replay::doubt_of(scene.world, scene.unit, scene.info, scene.refutation)
            .map(|why| format!("executing the program did not lead there: {why}"))
    });
    TraceView {
        confirmed: doubt.is_none(),
        doubt,
        steps: scene.steps(),
        explanation: failure::explain(scene),
    }
}
