//! Failures that explain themselves: one template per kind of failure.
//!
//! **In:** a refuted assertion, its unit and the values of the failing run. **Out:** an
//! [`Explanation`]: facts, two columns where two orders are compared, the conditions that fail. The
//! same data becomes text, JSON, a page and what editors show.
//!
//! # Invariants
//! - Everything shown is in terms of the source: variables of the program, values as people write
//!   them, conditions as they stand in the text.
//! - What is shown of the other order of two actions was computed by running them on the values of
//!   the run, never guessed; what cannot be computed is said to be unknown.

pub(crate) mod advice;
mod conjuncts;
pub(crate) mod costs;
mod fragments;
mod inner;
mod interference;
mod orders;
mod scene;
#[cfg(test)]
mod tests;
mod text;
pub(crate) mod trace_view;
mod unset;
mod values;

pub(crate) use fragments::blame;
pub(crate) use inner::Inner;
pub(crate) use scene::Scene;

use obligations::Claim;

use crate::types::Location;
use trace_view::TraceStep;

/// Which template an explanation follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// One run to a condition that fails.
    Run,
    /// Two orders of two actions with different ends.
    Commutativity,
    /// An action that breaks the gate of another.
    GatePreservation,
    /// An action that hides the failure of another.
    FailurePreservation,
    /// An action that cannot run to its end.
    Nonblocking,
    /// A fragment that breaks what another thread relies on.
    Noninterference,
    /// Fragments of a procedure beside the action it refines.
    Refinement,
    /// An action beside the action it refines.
    ActionRefinement,
}

impl Template {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Template::Run => "run",
            Template::Commutativity => "commutativity",
            Template::GatePreservation => "gate-preservation",
            Template::FailurePreservation => "failure-preservation",
            Template::Nonblocking => "nonblocking",
            Template::Noninterference => "noninterference",
            Template::Refinement => "refinement",
            Template::ActionRefinement => "action-refinement",
        }
    }
}

/// How a failure comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Which template this is.
    pub template: Template,
    /// What is shown, without a full stop.
    pub headline: String,
    /// Labelled lines, in order.
    pub facts: Vec<Fact>,
    /// Two orders side by side, or nothing.
    pub columns: Vec<Column>,
    /// The condition that fails, unfolded.
    pub conjuncts: Vec<Conjunct>,
    /// What was required instead, or what follows.
    pub conclusion: Vec<String>,
}

/// A labelled line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about: `victim`, `fragment 2`.
    pub label: String,
    /// What is so.
    pub text: String,
    /// Where.
    pub at: Option<Location>,
    /// What happens in it, statement by statement, as far as that was executed.
    pub steps: Vec<TraceStep>,
}

/// One order of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// `HIT ; READ`
    pub title: String,
    /// The steps from the common start to the end.
    pub steps: Vec<TraceStep>,
}

/// A condition and its truth at the failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conjunct {
    /// How deep it is nested in the condition that fails.
    pub depth: u32,
    /// Is it true? `None`: evaluation does not know.
    pub holds: Option<bool>,
    /// As it stands in the text.
    pub text: String,
    /// The same with values, where that helps: `2 <= 1`.
    pub values: Option<String>,
    /// Where it stands.
    pub at: Option<Location>,
}

impl Explanation {
    fn new(template: Template, headline: impl Into<String>) -> Explanation {
        Explanation {
            template,
            headline: headline.into(),
            facts: Vec::new(),
            columns: Vec::new(),
            conjuncts: Vec::new(),
            conclusion: Vec::new(),
        }
    }

    fn fact(&mut self, label: impl Into<String>, text: impl Into<String>, at: Option<Location>) {
        self.facts.push(Fact { label: label.into(), text: text.into(), at, steps: Vec::new() });
    }

    /// What happens in the last fact.
    fn steps_of_last(&mut self, steps: Vec<TraceStep>) {
        if let Some(fact) = self.facts.last_mut() {
            fact.steps = steps;
        }
    }
}

/// Explains the failure of an assertion.
pub(crate) fn explain(scene: &Scene<'_>, inner: &Inner) -> Explanation {
    let mut told = match &scene.info.claim {
        Claim::Commutativity { first, second } => orders::commutativity(scene, first, second),
        Claim::GatePreservation { first, second } => orders::gate(scene, first, second),
        Claim::FailurePreservation { first, second } => orders::failure(scene, first, second),
        Claim::Nonblocking { action } => orders::blocked(scene, action),
        Claim::Noninterference { invariant, by } => {
            interference::explain(scene, (invariant, by), inner)
        }
        Claim::Refinement { rule, procedure, action, layer } => {
            let told = fragments::Refined { rule: *rule, procedure, action, layer: *layer };
            fragments::explain(scene, &told, inner)
        }
        Claim::ActionRefinement { action, refined } => orders::refined(scene, action, refined),
        Claim::Assertion
        | Claim::Yield
        | Claim::Precondition { .. }
        | Claim::Postcondition { .. }
        | Claim::LoopEntry
        | Claim::LoopMaintained
        | Claim::Gate { .. }
        | Claim::RefinedGate { .. }
        | Claim::Sufficiency { .. }
        | Claim::ActionPrecondition { .. }
        | Claim::MeasureDecreases { .. }
        | Claim::MeasureNonNegative { .. }
        | Claim::Permission(_)
        | Claim::Unpack { .. } => Explanation::new(Template::Run, "a run that fails"),
    };
    // What a transition relation says is no condition of the text; the templates say it in words.
    let worded = matches!(
        scene.info.claim,
        Claim::Commutativity { .. }
            | Claim::Nonblocking { .. }
            | Claim::Refinement { .. }
            | Claim::ActionRefinement { .. }
    );
    if told.conjuncts.is_empty() && !worded {
        told.conjuncts = conjuncts::failing(scene);
    }
    told
}
