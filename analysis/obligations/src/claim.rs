//! What the assertions of units claim: the facts that words are made of.
//!
//! **Out:** [`Claim`]. The words are in [`crate::render`].

use base::{Code, Name, Place};
use hir::Layer;

/// What failing an assertion means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// `assert e`
    Assertion,
    /// `yield e`, before others run.
    Yield,
    /// A `requires` clause at a call.
    Precondition { callee: Name },
    /// An `ensures` clause at a return.
    Postcondition { procedure: Name },
    /// A loop invariant where the loop is entered.
    LoopEntry,
    /// A loop invariant after a round.
    LoopMaintained,
    /// An assertion of an action at its call.
    Gate { action: Name },
    /// A declared assertion of an action that refines another, under the gate of that one.
    RefinedGate { action: Name, refined: Name },
    /// An assertion in the body of an action with `asserts` clauses.
    Sufficiency { action: Name },
    /// A precondition of an action at its call.
    ActionPrecondition { action: Name },
    /// A clause of an invariant after a step of another thread, or of an action.
    Noninterference { invariant: Name, by: Name },
    /// Refinement of `action` by `procedure` at the layer above.
    Refinement { rule: RefinementRule, procedure: Name, action: Option<Name>, layer: Layer },
    /// `first` then `second` can be done in the other order.
    Commutativity { first: Named, second: Named },
    /// The gate of `first` survives `second`.
    GatePreservation { first: Named, second: Named },
    /// A failure of `first` survives `second`.
    FailurePreservation { first: Named, second: Named },
    /// The action has an outcome.
    Nonblocking { action: Name },
    /// What the action does, the refined action can do.
    ActionRefinement { action: Name, refined: Name },
    /// A measure became smaller in a round of a loop, or at the recursive call of `callee`.
    MeasureDecreases { callee: Option<Name> },
    /// A measure is not negative, at a loop head or at the call of `callee`.
    MeasureNonNegative { callee: Option<Name> },
    /// A linear primitive finds what it needs.
    Permission(Need),
    /// The value was built by the constructor.
    Unpack { ctor: Name },
}

/// An action and where it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: Name,
    pub place: Place,
}

/// The five ways a fragment can break refinement (verification.md 3.6, 3.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefinementRule {
    /// A fragment changes visible state other than the action does.
    FirstChange,
    /// A second fragment changes visible state or outputs.
    SecondChange,
    /// No fragment did what the action does.
    NoMatch,
    /// A fragment in a yielding loop changes visible globals.
    LoopGlobals,
    /// A fragment in a yielding loop changes outputs.
    LoopOutputs,
}

/// What a linear primitive needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Both sides of `Move` are equal.
    Move,
    OneGet,
    MapGet,
    MapSplit,
    /// A key on the path is in the domain of its map.
    MapLookup,
    /// A field on the path exists.
    FieldLookup,
}

impl Claim {
    /// The code of the complaint.
    pub fn code(&self) -> Code {
        match self {
            Claim::Assertion => Code::Assertion,
            Claim::Precondition { .. } | Claim::Yield => Code::Precondition,
            Claim::Postcondition { .. } => Code::Postcondition,
            Claim::LoopEntry | Claim::LoopMaintained => Code::LoopInvariant,
            Claim::Gate { .. } => Code::Gate,
            Claim::RefinedGate { .. } => Code::ActionRefinement,
            Claim::Sufficiency { .. } => Code::GateSufficiency,
            Claim::ActionPrecondition { .. } => Code::ActionPreconditionFails,
            Claim::Noninterference { .. } => Code::Noninterference,
            Claim::Refinement { .. } => Code::Refinement,
            Claim::Commutativity { .. } => Code::Commutativity,
            Claim::GatePreservation { .. } => Code::GatePreservation,
            Claim::FailurePreservation { .. } => Code::FailurePreservation,
            Claim::Nonblocking { .. } => Code::Nonblocking,
            Claim::ActionRefinement { .. } => Code::ActionRefinement,
            Claim::MeasureDecreases { .. } | Claim::MeasureNonNegative { .. } => Code::Measure,
            Claim::Permission(_) => Code::Permission,
            Claim::Unpack { .. } => Code::Unpack,
        }
    }
}
