//! What the program did between two moments of a run, statement by statement.
//!
//! **In:** the run as it was executed. **Out:** for each gap between two moments of the scene, the steps in it.
//!
//! # Invariants
//! - Nothing is shown that was not executed: without a confirmed run there are no inner steps.

use std::collections::BTreeMap;

use base::{NodePtr, Place};
use ir::Value;
use obligations::Claim;

use super::scene::{Scene, readable};
use super::values::{Difference, differences, shown};
use crate::failure::trace_view::{Actor, Change, TraceStep};
use crate::replay::{self, Event, Ran};
use crate::types::Location;

/// Longer statements are cut at the end.
const LONGEST_STATEMENT: usize = 48;

/// The inner steps of a run.
#[derive(Debug, Default)]
pub(crate) struct Inner {
    /// Before each moment, and after the last one.
    gaps: Vec<Gap>,
    /// The statement that fails, if the run ends inside of one.
    pub(super) failing: Option<TraceStep>,
}

#[derive(Debug, Default)]
struct Gap {
    steps: Vec<InnerStep>,
    /// Did the fragment that ended with the moment before do the refined action?
    did: bool,
}

/// A statement that changed something.
#[derive(Debug)]
pub(super) struct InnerStep {
    pub(super) told: TraceStep,
    /// The variables that changed, and what they hold then.
    pub(super) after: Vec<(String, Value)>,
}

impl Inner {
    pub(crate) fn new(scene: &Scene<'_>, ran: &Ran) -> Inner {
        let mut gaps = vec![Gap::default()];
        for event in &ran.events {
            let last = gaps.len() - 1;
            match event {
                Event::Moment => gaps.push(Gap::default()),
                Event::Step(step) => gaps[last].steps.push(inner_step(scene, step)),
                Event::Did => gaps[last].did = true,
            }
        }
        Inner { gaps, failing: ran.last.and_then(|place| failing(scene, place)) }
    }

    /// Were statements executed at all?
    pub(super) fn is_known(&self) -> bool {
        self.gaps.len() > 1
    }

    /// The steps after the moment `from`, up to the moment `to`.
    pub(super) fn between(&self, from: usize, to: usize) -> impl Iterator<Item = &InnerStep> {
        let gaps = self.gaps.iter().take(to + 1).skip(from + 1);
        gaps.flat_map(|gap| &gap.steps)
    }

    /// The same as people read them.
    pub(super) fn told(&self, from: usize, to: usize) -> Vec<TraceStep> {
        let told = self.between(from, to).map(|step| &step.told);
        told.filter(|step| !step.changes.is_empty()).cloned().collect()
    }

    /// Did the fragment that ends at this moment do the refined action?
    pub(super) fn did(&self, moment: usize) -> bool {
        self.gaps.get(moment + 1).is_some_and(|gap| gap.did)
    }

    /// A state with what the steps right before a moment made of it.
    pub(super) fn overlay(&self, moment: usize, state: &mut BTreeMap<String, Value>) {
        for step in self.gaps.get(moment).iter().flat_map(|gap| &gap.steps) {
            state.extend(step.after.iter().cloned());
        }
    }
}

fn inner_step(scene: &Scene<'_>, step: &replay::Step) -> InnerStep {
    let mut changes = Vec::new();
    for change in step.changes.iter().filter(|it| !it.overwritten) {
        let name = readable(change.name.as_str());
        match &change.before {
            Some(before) => {
                let found = differences(&name, before, &change.after, &scene.question.signature);
                changes.extend(found.into_iter().map(Change::from));
            }
            None => changes.push(Change::new(name, shown(&change.after))),
        }
    }
    let (at, what) = match step.rounds {
        true => (scene.location(step.place), "after some rounds".to_owned()),
        false => statement(scene, step.place),
    };
    let told = TraceStep { at, what, changes, actor: Actor::This };
    let after = step.changes.iter().map(|it| (readable(it.name.as_str()), it.after.clone()));
    InnerStep { told, after: after.collect() }
}

/// The statement at the failure, if the failure is inside of it. What a fragment does wrong is checked at
/// its end, which does nothing.
fn failing(scene: &Scene<'_>, place: Place) -> Option<TraceStep> {
    if let Claim::Refinement { .. } | Claim::Noninterference { .. } = scene.info.claim {
        return None;
    }
    let (at, what) = statement(scene, place);
    let (whole, fails) = (at?, scene.location(scene.info.place)?);
    let inside = whole.file == fails.file && whole.start <= fails.start && fails.end <= whole.end;
    inside.then(|| TraceStep { at, what, changes: Vec::new(), actor: Actor::This })
}

/// A statement as it is written, on one line.
fn statement(scene: &Scene<'_>, place: Place) -> (Option<Location>, String) {
    let whole = match place {
        Place::Node { decl, ptr } => Place::Node { decl, ptr: NodePtr::node(ptr.node) },
        Place::Range(_) | Place::File(_) => place,
    };
    let at = scene.location(whole);
    let text = without_attributes(&at.and_then(|at| scene.excerpt(at)).unwrap_or_default());
    let text = text.trim_end_matches([';', ' ']);
    if text.chars().count() <= LONGEST_STATEMENT {
        return (at, text.to_owned());
    }
    (at, text.chars().take(LONGEST_STATEMENT).chain(['…']).collect())
}

/// `call {:layer 1} P()` is `call P()`.
fn without_attributes(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once("{:") {
        let Some((_, after)) = after.split_once('}') else { break };
        out.push_str(before);
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    out + rest
}

impl From<Difference> for Change {
    fn from(it: Difference) -> Change {
        Change { name: it.path, before: Some(it.before), value: it.after }
    }
}
