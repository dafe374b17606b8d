//! What a call looks like to the automata, seen at one layer (language.md 11.1).
//!
//! **In:** a call and a layer. **Out:** its label for atomicity and its label for the async check.
//!
//! The callee decides the [`Situation`]; the table [`LABELS`] says which labels follow from it.
//!
//! # Invariants
//! - Fail closed: what is not understood is a non-mover that modifies globals.

use base::{Name, Program};
use hir::{Arm, ClauseKind, Layer, Mover, ProcSig};

use crate::Db;

/// What a step of the code is to a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// Touches nothing that other threads see.
    Private,
    Both,
    Right,
    Left,
    /// Neither left nor right mover.
    NonMover,
    Yield,
}

impl Label {
    /// Every label.
    pub const ALL: [Label; 6] =
        [Label::Private, Label::Both, Label::Right, Label::Left, Label::NonMover, Label::Yield];

    /// The label of an action or mover procedure.
    pub fn of_mover(mover: Mover) -> Label {
        match mover {
            Mover::Atomic => Label::NonMover,
            Mover::Both => Label::Both,
            Mover::Left => Label::Left,
            Mover::Right => Label::Right,
        }
    }

    /// One letter, as in tables.
    pub fn letter(self) -> char {
        match self {
            Label::Private => 'P',
            Label::Both => 'B',
            Label::Right => 'R',
            Label::Left => 'L',
            Label::NonMover => 'N',
            Label::Yield => 'Y',
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Label::Private => "private step",
            Label::Both => "both mover",
            Label::Right => "right mover",
            Label::Left => "left mover",
            Label::NonMover => "non-mover",
            Label::Yield => "yield",
        }
    }
}

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

/// How a call stands to the layer at which it is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Situation {
    /// A pure procedure, pure action or primitive.
    Pure,
    /// An invariant of this layer.
    InvariantHere,
    /// An invariant of another layer.
    InvariantElsewhere,
    /// A mover procedure of this layer, called or started.
    MoverHere,
    /// A procedure of a lower layer: it is its refined action. Started with `{:sync}`, or called.
    Action,
    /// A procedure of a lower layer without refined action, started without `{:sync}`.
    StartedSkip,
    /// A procedure that is still code at this layer, called.
    Code,
    /// A procedure that is still code at this layer, started.
    StartedCode,
    /// Complained about elsewhere.
    Unknown,
}

/// Where an atomicity label comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelRule {
    Is(Label),
    /// The mover type of the callee or of its refined action.
    Mover,
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

/// Labels by situation.
pub const LABELS: &[(Situation, LabelRule, AsyncRule)] = &[
    (Situation::Pure, LabelRule::Is(Label::Private), AsyncRule::Is(AsyncLabel::Private)),
    (Situation::InvariantHere, LabelRule::Is(Label::Yield), AsyncRule::Is(AsyncLabel::Yield)),
    (
        Situation::InvariantElsewhere,
        LabelRule::Is(Label::Private),
        AsyncRule::Is(AsyncLabel::Private),
    ),
    (Situation::MoverHere, LabelRule::Mover, AsyncRule::Modified),
    (Situation::Action, LabelRule::Mover, AsyncRule::Modified),
    (Situation::StartedSkip, LabelRule::Is(Label::Left), AsyncRule::Is(AsyncLabel::Private)),
    (Situation::Code, LabelRule::Is(Label::Yield), AsyncRule::Is(AsyncLabel::Yield)),
    (Situation::StartedCode, LabelRule::Is(Label::Left), AsyncRule::Preconditions),
    (Situation::Unknown, LabelRule::Is(Label::NonMover), AsyncRule::Is(AsyncLabel::Modifies)),
];

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
    let callee = hir::proc_sig(db, program, arm.callee.clone());
    let situation = situation(callee.as_deref(), (is_async, arm.sync), layer);
    let unknown = (LabelRule::Is(Label::NonMover), AsyncRule::Is(AsyncLabel::Modifies));
    let row = LABELS.iter().find(|(it, ..)| *it == situation);
    let (label, asynchrony) = row.map_or(unknown, |(_, label, rule)| (*label, *rule));
    let summary = || Summary::of(db, program, callee.as_deref(), layer);
    let atomicity = match label {
        LabelRule::Is(label) => label,
        LabelRule::Mover => Label::of_mover(summary().mover),
    };
    let asynchrony = match asynchrony {
        AsyncRule::Is(label) => label,
        AsyncRule::Modified if summary().modifies => AsyncLabel::Modifies,
        AsyncRule::Preconditions if has_yield_preconditions(db, program, callee.as_deref()) => {
            AsyncLabel::Async
        }
        AsyncRule::Modified | AsyncRule::Preconditions => AsyncLabel::Private,
    };
    CallLabels { atomicity, asynchrony }
}

/// How a call of `callee`, started asynchronously or not, synchronized or not, stands to `layer`.
pub fn situation(
    callee: Option<&ProcSig>,
    (is_async, is_sync): (bool, bool),
    layer: Layer,
) -> Situation {
    let Some(callee) = callee else { return Situation::Unknown };
    let Some(own) = callee.layer().or(callee.is_pure().then_some(Layer::MAX)) else {
        return Situation::Unknown;
    };
    if callee.is_pure() {
        Situation::Pure
    } else if callee.is_invariant() {
        if own == layer { Situation::InvariantHere } else { Situation::InvariantElsewhere }
    } else if !callee.is_yield_procedure() {
        Situation::Unknown
    } else if callee.is_mover_procedure() && own == layer {
        Situation::MoverHere
    } else if !callee.is_mover_procedure() && own < layer {
        if is_async && !is_sync { Situation::StartedSkip } else { Situation::Action }
    } else if is_async {
        Situation::StartedCode
    } else {
        Situation::Code
    }
}

/// What a callee is once it is no longer code.
struct Summary {
    mover: Mover,
    modifies: bool,
}

impl Summary {
    /// Of a mover procedure itself; of the action any other procedure is at `layer`. Skip is a both
    /// mover without effect. A missing action is complained about elsewhere.
    fn of(db: &dyn Db, program: Program, callee: Option<&ProcSig>, layer: Layer) -> Summary {
        let unknown = Summary { mover: Mover::Atomic, modifies: true };
        let Some(callee) = callee else { return unknown };
        if callee.is_skip_procedure() {
            return Summary { mover: Mover::Both, modifies: false };
        }
        let modifies = |name: Name| !hir::modifies(db, program, name).is_empty();
        if let Some(mover) = callee.mover {
            return Summary { mover, modifies: modifies(callee.name.clone()) };
        }
        let action = hir::refined_action(db, program, callee.name.clone(), layer);
        let sig = action.and_then(|name| hir::proc_sig(db, program, name));
        let Some(sig) = sig else { return unknown };
        let mover = sig.mover.unwrap_or(Mover::Atomic);
        Summary { mover, modifies: modifies(sig.name.clone()) }
    }
}

/// The reference forgets to compare layers here, which only makes it stricter; we follow it.
fn has_yield_preconditions(db: &dyn Db, program: Program, callee: Option<&ProcSig>) -> bool {
    let specs = callee.and_then(|callee| hir::specs(db, program, callee.decl));
    specs.is_some_and(|specs| {
        let kinds = [ClauseKind::Requires, ClauseKind::Preserves];
        specs.calls.iter().any(|call| kinds.contains(&call.kind))
    })
}
