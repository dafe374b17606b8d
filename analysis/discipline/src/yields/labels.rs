//! What a call looks like to the automata, seen at one layer (language.md 11.1).
//!
//! **In:** a call and a layer. **Out:** its label for atomicity and its label for the async check.
//!
//! [`crate::standing`] says what the callee is at the layer; [`rules`] says which labels follow.
//!
//! # Invariants
//! - Fail closed: what is not understood is a non-mover that modifies globals.

use base::Program;
use hir::{Arm, ClauseKind, Layer, Mover, ProcSig};
use ir::layer::Label;

use crate::Db;
use crate::standing::{CalleeAt, callee_at};

/// What a step of the code is to asynchronous calls before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AsyncLabel {
    /// Changes no global.
    Private,
    /// Changes a global.
    Modifies,
    /// Starts a thread that relies on yield invariants.
    Async,
    Yield,
}

impl AsyncLabel {
    /// Every label.
    pub const ALL: [AsyncLabel; 4] =
        [AsyncLabel::Private, AsyncLabel::Modifies, AsyncLabel::Async, AsyncLabel::Yield];
}

/// Where an atomicity label comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelRule {
    Is(Label),
    /// The mover type of the action.
    Mover,
}

impl From<Label> for LabelRule {
    fn from(label: Label) -> LabelRule {
        LabelRule::Is(label)
    }
}

/// Where an async label comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AsyncRule {
    Is(AsyncLabel),
    /// `Modifies` iff the callee, or its refined action, modifies a global.
    Modified,
    /// `Async` iff the callee requires or preserves a yield invariant, of whatever layer.
    Preconditions,
}

impl From<AsyncLabel> for AsyncRule {
    fn from(label: AsyncLabel) -> AsyncRule {
        AsyncRule::Is(label)
    }
}

/// The labels of a call, by what its callee is at the layer.
pub fn rules(callee: &CalleeAt) -> (LabelRule, AsyncRule) {
    use AsyncRule::{Modified, Preconditions};
    match callee {
        CalleeAt::Nothing | CalleeAt::Pure => (Label::Private.into(), AsyncLabel::Private.into()),
        CalleeAt::Invariant | CalleeAt::Code => (Label::Yield.into(), AsyncLabel::Yield.into()),
        CalleeAt::Mover(mover) => (label_of(*mover).into(), Modified),
        CalleeAt::Action(_) => (LabelRule::Mover, Modified),
        CalleeAt::Skip => (Label::Both.into(), AsyncLabel::Private.into()),
        CalleeAt::StartedSkip => (Label::Left.into(), AsyncLabel::Private.into()),
        CalleeAt::StartedCode => (Label::Left.into(), Preconditions),
        CalleeAt::Unknown => (Label::NonMover.into(), AsyncLabel::Modifies.into()),
    }
}

/// The label of an action or mover procedure.
pub fn label_of(mover: Mover) -> Label {
    match mover {
        Mover::Atomic => Label::NonMover,
        Mover::Both => Label::Both,
        Mover::Left => Label::Left,
        Mover::Right => Label::Right,
    }
}

/// The labels of one call at one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallLabels {
    pub atomicity: Label,
    pub asynchrony: AsyncLabel,
}

/// The labels of the call `arm` at `layer`.
///
/// Reads the callee's signature and specifications, and what its refined action modifies.
pub fn call_labels(
    db: &dyn Db,
    program: Program,
    (arm, is_async): (&Arm, bool),
    layer: Layer,
) -> CallLabels {
    let sig = hir::proc_sig(db, program, arm.callee.clone());
    let callee = sig
        .as_deref()
        .map_or(CalleeAt::Unknown, |sig| callee_at(db, program, sig, (arm, is_async), layer));
    let (label, asynchrony) = rules(&callee);
    // What runs in one step: the action that the callee is here, or the mover procedure itself.
    let step = if let CalleeAt::Action(action) = &callee { action } else { &arm.callee };
    let atomicity = match label {
        LabelRule::Is(label) => label,
        LabelRule::Mover => {
            let mover = hir::proc_sig(db, program, step.clone()).and_then(|it| it.mover);
            label_of(mover.unwrap_or(Mover::Atomic))
        }
    };
    let asynchrony = match asynchrony {
        AsyncRule::Is(label) => label,
        AsyncRule::Modified if !hir::modifies(db, program, step.clone()).is_empty() => {
            AsyncLabel::Modifies
        }
        AsyncRule::Preconditions if has_yield_preconditions(db, program, sig.as_deref()) => {
            AsyncLabel::Async
        }
        AsyncRule::Modified | AsyncRule::Preconditions => AsyncLabel::Private,
    };
    CallLabels { atomicity, asynchrony }
}

/// The reference forgets to compare layers here, which only makes it stricter; we follow it.
fn has_yield_preconditions(db: &dyn Db, program: Program, callee: Option<&ProcSig>) -> bool {
    let specs = callee.and_then(|callee| hir::specs(db, program, callee.decl));
    specs.is_some_and(|specs| {
        let kinds = [ClauseKind::Requires, ClauseKind::Preserves];
        specs.calls.iter().any(|call| kinds.contains(&call.kind))
    })
}
