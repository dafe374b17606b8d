//! What a statement looks like to the automata, seen at one layer (language.md 11.1).
//!
//! **In:** a statement, or one arm of a call, and a layer. **Out:** its label for atomicity and its label
//! for the async check.
//!
//! [`crate::standing`] says what a callee is at the layer; [`rules`] says which labels follow, and
//! [`statement_labels`] which labels other statements have.
//!
//! | step | atomicity | async |
//! | --- | --- | --- |
//! | call that does not exist here | private | private |
//! | pure call | private; a non-mover if it touches state of the machine | modifies iff it writes a global |
//! | invariant, code | yield | yield |
//! | mover procedure | its mover type | its summary |
//! | action | its mover type | modifies iff it modifies a global |
//! | Skip | both mover | private |
//! | started Skip | left mover | private |
//! | started code | left mover | async iff it relies on yield invariants |
//! | assignment, unpack, havoc of a global; what is not understood | non-mover | modifies |
//! | `yield` of the layer | yield | yield |
//! | everything else | private | private |
//!
//! # Soundness
//! - Ghost code is run inside the transactions of its layer, so it needs no label there; but a thread
//!   that was started may rely on what it writes. A pure call that touches state of the machine
//!   ([`crate::machine`]) is no ghost code but a step of its own.
//! - A mover procedure is one step of its caller, and what it does to threads is done by the caller:
//!   its summary says whether it may start threads that rely on yield invariants and whether it may
//!   write ([`super::summary`]). It writes before it starts, which its own check shows.
//! - Fail closed: what is not understood is a non-mover that modifies globals.

use base::{Name, Program};
use hir::{Arm, ClauseKind, Exprs, Layer, LayerSet, Mover, ProcSig, Stmt, Target, VarRef};
use ir::layer::Label;

use super::summary::starts_threads;
use crate::Db;
use crate::calls::{accesses, written_globals};
use crate::machine::is_machine;
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
    /// Changes a global, then starts such a thread.
    ModifiesAsync,
    Yield,
}

impl AsyncLabel {
    /// Every label.
    pub const ALL: [AsyncLabel; 5] = [
        AsyncLabel::Private,
        AsyncLabel::Modifies,
        AsyncLabel::Async,
        AsyncLabel::ModifiesAsync,
        AsyncLabel::Yield,
    ];

    /// The label of something that may do these two, in this order.
    fn of(modifies: bool, starts: bool) -> AsyncLabel {
        match (modifies, starts) {
            (false, false) => AsyncLabel::Private,
            (true, false) => AsyncLabel::Modifies,
            (false, true) => AsyncLabel::Async,
            (true, true) => AsyncLabel::ModifiesAsync,
        }
    }
}

/// Where an atomicity label comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelRule {
    Is(Label),
    /// The mover type of the action.
    Mover,
    /// A non-mover if it touches state of the machine, else private.
    Access,
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
    /// `Modifies` iff the action modifies a global.
    Modified,
    /// `Modifies` iff the call writes a global.
    Written,
    /// What the mover procedure modifies and starts.
    Summary,
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
    use AsyncRule::{Modified, Preconditions, Summary, Written};
    match callee {
        CalleeAt::Nothing => (Label::Private.into(), AsyncLabel::Private.into()),
        CalleeAt::Pure => (LabelRule::Access, Written),
        CalleeAt::Invariant | CalleeAt::Code => (Label::Yield.into(), AsyncLabel::Yield.into()),
        CalleeAt::Mover(mover) => (label_of(*mover).into(), Summary),
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

/// The labels of one step at one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepLabels {
    pub atomicity: Label,
    pub asynchrony: AsyncLabel,
}

impl StepLabels {
    pub(super) const PRIVATE: StepLabels =
        StepLabels { atomicity: Label::Private, asynchrony: AsyncLabel::Private };
    pub(super) const YIELD: StepLabels =
        StepLabels { atomicity: Label::Yield, asynchrony: AsyncLabel::Yield };
    const WRITE: StepLabels =
        StepLabels { atomicity: Label::NonMover, asynchrony: AsyncLabel::Modifies };
}

/// The labels of a statement that is no call at `layer`. Calls have labels per arm
/// ([`call_labels`]); structured statements are not steps themselves.
pub(super) fn statement_labels(stmt: &Stmt, layer: Layer) -> StepLabels {
    let yields = |layers: &LayerSet| layers.contains(layer);
    match stmt {
        Stmt::Error => StepLabels::WRITE,
        Stmt::Assign { targets, .. } => written(targets.iter().map(|target: &Target| &target.root)),
        Stmt::Unpack { targets, .. } | Stmt::Havoc { targets } => written(targets.iter()),
        Stmt::Yield { layers, .. } if yields(layers) => StepLabels::YIELD,
        Stmt::Yield { .. } | Stmt::Assert { .. } | Stmt::Assume { .. } => StepLabels::PRIVATE,
        Stmt::Measure { .. } | Stmt::Visibility(_) | Stmt::Call { .. } => StepLabels::PRIVATE,
        Stmt::If { .. } | Stmt::While { .. } | Stmt::Break { .. } => StepLabels::PRIVATE,
        Stmt::Goto { .. } | Stmt::Label(_) | Stmt::Return => StepLabels::PRIVATE,
    }
}

fn written<'a>(mut targets: impl Iterator<Item = &'a VarRef>) -> StepLabels {
    let is_private = |target: &VarRef| match target {
        VarRef::Local(_) => true,
        VarRef::Global(_) | VarRef::Error => false,
    };
    if targets.all(is_private) { StepLabels::PRIVATE } else { StepLabels::WRITE }
}

/// The labels of the call `arm`, whose arguments are among `exprs`, at `layer`.
///
/// Reads the callee's signature and specifications, what its refined action modifies, and the
/// summary of a mover procedure.
pub fn call_labels(
    db: &dyn Db,
    program: Program,
    (arm, is_async): (&Arm, bool),
    exprs: &Exprs,
    layer: Layer,
) -> StepLabels {
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
        LabelRule::Access => {
            let real = |(name, _): &(Name, bool)| is_machine(db, program, name, layer);
            let is_step = accesses(exprs, arm).iter().any(real);
            if is_step { Label::NonMover } else { Label::Private }
        }
    };
    let modifies = || !hir::modifies(db, program, step.clone()).is_empty();
    let asynchrony = match asynchrony {
        AsyncRule::Is(label) => label,
        AsyncRule::Modified => AsyncLabel::of(modifies(), false),
        AsyncRule::Written => AsyncLabel::of(!written_globals(exprs, arm).is_empty(), false),
        AsyncRule::Summary => AsyncLabel::of(modifies(), starts_threads(db, program, step)),
        AsyncRule::Preconditions => {
            AsyncLabel::of(false, has_yield_preconditions(db, program, sig.as_deref()))
        }
    };
    StepLabels { atomicity, asynchrony }
}

/// Does the procedure require or preserve a yield invariant, of whatever layer?
///
/// The reference forgets to compare layers here, which only makes it stricter; we follow it.
pub(super) fn has_yield_preconditions(
    db: &dyn Db,
    program: Program,
    callee: Option<&ProcSig>,
) -> bool {
    let specs = callee.and_then(|callee| hir::specs(db, program, callee.decl));
    specs.is_some_and(|specs| {
        let kinds = [ClauseKind::Requires, ClauseKind::Preserves];
        specs.calls.iter().any(|call| kinds.contains(&call.kind))
    })
}
