//! What can be wrong about layers, access to variables, calls, refinement and measures.
//!
//! Facts only: names, layers and places. `render/layers.rs` finds the words.

use base::Place;
use hir::{Layer, LayerRange, Name};

use super::Stage;

/// A fact about wrong use of layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LayerProblem {
    /// A variable is read or written where it does not exist.
    OutOfLayer { variable: Variable, at: Place, needed: LayerRange },
    /// A global is read without `old` where only the state at the call may be read.
    OutsideOld { variable: Variable, at: Place, context: OldContext },
    /// Code that is run at these layers reads a global inside `old`.
    OldInCode { variable: Variable, at: Place, needed: Option<LayerRange> },
    /// An action, or a global invariant, uses a variable that is introduced at its own lowest layer.
    IntroducedLate { variable: Variable, at: Place, owner: Owner, lowest: Layer },
    /// A yield procedure writes a global itself.
    WrittenDirectly { variable: Variable, at: Place },
    /// The result of a call exists at fewer layers than the variable it is stored in.
    ResultLayer { variable: Variable, at: Place, within: LayerRange, callee: Name },
    /// An action's body has a loop.
    ActionLoop { action: Name, at: Place },
    /// An action has no body.
    ActionWithoutBody { action: Name, at: Place },
    /// An action with a second body.
    ActionBodies { action: Name, at: Place, first: Place },
    /// A yield procedure with a second body, or an invariant with one.
    ProcedureBodies { owner: Name, at: Place, first: Option<Place> },
    /// An action with preconditions lives at more than one layer.
    PreconditionLayers { action: Name, at: Place, range: LayerRange },
    /// A precondition of an action calls an invariant that is not global.
    PreconditionNotGlobal { invariant: Name, at: Place, declared: Place },
    /// A precondition of an action calls an invariant of another layer.
    PreconditionLayer { invariant: Name, at: Place, layer: Layer, range: LayerRange },
    /// The refined action does not exist at the layer above.
    RefinedActionMissing(RefinedActionMissing),
    /// An action calls something that is no action.
    ActionCallee { callee: Name, at: Place },
    /// An action calls an action that does not exist at all of its layers.
    ActionCalleeRange { callee: Name, at: Place, caller: LayerRange, range: LayerRange },
    /// An action makes an asynchronous call.
    ActionAsync { at: Place },
    /// Actions call each other in a circle.
    ActionCycle { cycle: Vec<Name>, at: Place },
    /// A mover procedure changes a variable that does not exist at its layer.
    MoverModifies { variable: Variable, at: Place, layer: Layer },
    /// A `preserves` clause where none is allowed.
    PreservesClause { at: Place, only_layer: Option<Layer> },
    /// The callee belongs to a layer the caller cannot see.
    CalleeLayer {
        callee: Name,
        at: Place,
        callee_layer: Layer,
        caller_layer: Layer,
        rule: LayerRule,
    },
    /// An asynchronous call of a procedure with an effect lacks `{:sync}`.
    NotSynchronized { callee: Name, at: Place },
    /// The callee is no action at the caller's layer.
    CalleeActionMissing { callee: Name, at: Place, layer: Layer },
    /// A synchronised call is not a left mover.
    SyncNotLeft { callee: Name, at: Place, mover: Name },
    /// A mover procedure calls a yielding procedure of its own layer.
    MoverCaller { callee: Name, at: Place },
    /// A pure call that touches a global lacks its one layer.
    PureCallLayer { callee: Name, at: Place },
    /// A pure call that touches state of the machine does what no step of the machine does.
    MachineAccess { callee: Name, at: Place, layer: Layer, rule: AccessRule },
    /// A pure call writes a global at a layer other than the one that introduces it.
    PureCallIntroduced { variable: Variable, at: Place, layer: Layer },
    /// A pure call below the procedure's layer writes a global that lives longer.
    PureCallHidden { variable: Variable, at: Place, layer: Layer },
    /// A procedure or action does not have the signature of the action it refines.
    Signature(SignatureMismatch),
    /// A measure where none is expected, or too many, or misplaced.
    Measure { at: Place, rule: MeasureRule },
    /// A vector is built, or changed, without the functions of the library.
    ForgedVector { at: Place },
}

impl LayerProblem {
    /// The stage in which the reference looks for it.
    pub(crate) fn stage(&self) -> Stage {
        match self {
            LayerProblem::ActionCycle { .. } => Stage::Actions,
            LayerProblem::Signature(it) if it.between_actions => Stage::Actions,
            LayerProblem::Signature(_) => Stage::Procedures,
            LayerProblem::Measure { .. } | LayerProblem::ForgedVector { .. } => Stage::Measures,
            LayerProblem::OutOfLayer { .. }
            | LayerProblem::OutsideOld { .. }
            | LayerProblem::OldInCode { .. }
            | LayerProblem::IntroducedLate { .. }
            | LayerProblem::WrittenDirectly { .. }
            | LayerProblem::ResultLayer { .. }
            | LayerProblem::ActionLoop { .. }
            | LayerProblem::ActionWithoutBody { .. }
            | LayerProblem::ActionBodies { .. }
            | LayerProblem::ProcedureBodies { .. }
            | LayerProblem::PreconditionLayers { .. }
            | LayerProblem::PreconditionNotGlobal { .. }
            | LayerProblem::PreconditionLayer { .. }
            | LayerProblem::RefinedActionMissing(_)
            | LayerProblem::ActionCallee { .. }
            | LayerProblem::ActionCalleeRange { .. }
            | LayerProblem::ActionAsync { .. }
            | LayerProblem::MoverModifies { .. }
            | LayerProblem::PreservesClause { .. }
            | LayerProblem::CalleeLayer { .. }
            | LayerProblem::NotSynchronized { .. }
            | LayerProblem::CalleeActionMissing { .. }
            | LayerProblem::SyncNotLeft { .. }
            | LayerProblem::MoverCaller { .. }
            | LayerProblem::PureCallLayer { .. }
            | LayerProblem::MachineAccess { .. }
            | LayerProblem::PureCallIntroduced { .. }
            | LayerProblem::PureCallHidden { .. } => Stage::TypeCheck,
        }
    }
}

/// A variable, and where and when it lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) lifetime: LayerRange,
    pub(crate) declared: Option<Place>,
}

/// Why only `old` values may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OldContext {
    /// Code of a yield procedure: other threads may change the global at any time.
    Code,
    /// A contract of a yield procedure, or a free loop invariant: globals are described by yield
    /// invariants.
    Contract,
    /// The precondition of an action.
    Precondition,
}

/// Who uses a variable too early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Action(Name),
    GlobalInvariant(Name),
}

/// A `refines` clause without a target at the next layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RefinedActionMissing {
    pub(crate) refiner: Name,
    pub(crate) action: Name,
    pub(crate) range: LayerRange,
    pub(crate) needed: Layer,
    pub(crate) at: Place,
    pub(crate) reported_at: Option<Place>,
    pub(crate) declared: Option<Place>,
}

/// Which relation between the layers of callee and caller is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayerRule {
    /// The callee's layer must not be above the caller's.
    NotAbove,
    /// The callee's layer must be below that of a mover procedure.
    BelowMover,
    /// A synchronised callee must be below the caller.
    BelowSync,
    /// A mover procedure is called at its own layer only.
    SameAsMover,
}

/// What a pure call does that no step of the machine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessRule {
    /// It touches globals more than once.
    Several,
    /// It reads a global at another moment.
    Old,
}

/// How the signatures of a refining item and its action differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SignatureMismatch {
    pub(crate) refiner: Name,
    pub(crate) action: Name,
    /// Both sides are actions.
    pub(crate) between_actions: bool,
    pub(crate) at: Place,
    pub(crate) declared: Option<Place>,
    pub(crate) difference: Difference,
}

/// The first difference between two signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// Different numbers of parameters: `(ours, theirs)`.
    Count {
        direction: Direction,
        ours: usize,
        theirs: usize,
    },
    Name {
        direction: Direction,
        ours: Name,
        theirs: Name,
    },
    Type {
        direction: Direction,
        name: Name,
        ours: String,
        theirs: String,
    },
    Linearity {
        direction: Direction,
        name: Name,
    },
}

/// In- or out-parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}

/// What is wrong with a measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MeasureRule {
    /// Actions and yielding procedures have no measure.
    OnlyMovers { owner: Name },
    /// Caller and callee of a recursive call have different numbers of measures.
    Count { caller: usize, callee: usize },
    /// Two measures for one layer.
    TwicePerLayer { layer: Layer },
    /// Two measures in a sequential procedure, or at the head of a loop in one.
    Twice { head: Option<Place> },
    /// Something is assigned before the measure is taken.
    AfterAssignment,
    /// Not at the head of a loop.
    OutsideLoopHead,
}
