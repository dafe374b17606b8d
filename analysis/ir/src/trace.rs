//! Traces: a run that shows a failure, step by step.
//!
//! **In:** the path and the captured values of a counterexample.
//! **Out:** plain data that `ide` turns into places and words.
//!
//! # Invariants
//! - The first step carries the full captured state; every step carries what it captured,
//!   and [`Trace::changes`] says what differs from the step before.

use std::collections::BTreeMap;

use crate::{
    command::{AssertId, CaptureId},
    site::Site,
    symbol::Symbol,
    value::Value,
};

/// What a step stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Control entered a block.
    Block,
    /// A capture point; the side table of `obligations` knows which event it marks.
    Capture(CaptureId),
    /// The assertion that fails.
    Failure(AssertId),
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What happened.
    pub kind: StepKind,
    /// The label of the block.
    pub label: Symbol,
    /// Where the block came from.
    pub site: Option<Site>,
    /// Captured source variables and their values.
    pub state: Vec<(Symbol, Value)>,
}

/// A run that ends in a failing assertion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The steps in order.
    pub steps: Vec<Step>,
}

impl Trace {
    /// For each step, the captured variables whose values differ from the last one known.
    pub fn changes(&self) -> Vec<Vec<(Symbol, Value)>> {
        let mut known: BTreeMap<&Symbol, &Value> = BTreeMap::new();
        let mut all = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let mut changed = Vec::new();
            for (name, value) in &step.state {
                if known.insert(name, value) != Some(value) {
                    changed.push((name.clone(), value.clone()));
                }
            }
            all.push(changed);
        }
        all
    }

    /// The assertion that fails, if the trace names it.
    pub fn failure(&self) -> Option<AssertId> {
        self.steps.iter().rev().find_map(|step| match step.kind {
            StepKind::Failure(id) => Some(id),
            StepKind::Block | StepKind::Capture(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, StepKind, Trace};
    use crate::{command::CaptureId, value::Value};

    fn step(nth: u32, state: &[(&str, i32)]) -> Step {
        let state = state.iter().map(|(name, value)| ((*name).into(), Value::Int((*value).into())));
        Step {
            kind: StepKind::Capture(CaptureId(nth)),
            label: "b".into(),
            site: None,
            state: state.collect(),
        }
    }

    #[test]
    fn only_changed_variables_are_shown_after_the_first_step() {
        let trace =
            Trace { steps: vec![step(0, &[("x", 1), ("y", 2)]), step(1, &[("x", 1), ("y", 3)])] };
        let changed: Vec<Vec<String>> = trace
            .changes()
            .iter()
            .map(|step| step.iter().map(|(name, value)| format!("{name}={value}")).collect())
            .collect();
        assert_eq!(changed, [vec!["x=1", "y=2"], vec!["y=3"]]);
    }
}
