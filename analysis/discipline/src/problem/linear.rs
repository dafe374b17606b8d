//! Problems of linear types and availability (language.md 10).

use base::{Name, Place};
use hir::{Layer, Ty};

use super::Stage;

/// A problem of this area. `place` is where the user wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinearProblem {
    /// `One T` where `T` holds permissions itself.
    OneOfLinear { place: Place, of: Ty, library: Option<Place> },
    /// `Map K V` where `K` holds permissions and is not `One _`.
    MapKeyLinear { place: Place, key: Ty, library: Option<Place> },
    /// A global or out-parameter declared `linear_in` or `linear_out`.
    Kind { place: Place, name: Name },
    /// A parameter of an invariant declared `linear_in` or `linear_out`.
    InvariantKind { place: Place, name: Name },
    /// An assignment to the inside of a value of type `ty`, which is `One _` or `Map _ _`.
    AssignInside { place: Place, ty: Ty },
    /// An assignment to a field that some constructors of the value's type lack. The value may be
    /// built by one of those, and would be given permissions out of nothing.
    AssignLackingField { place: Place, name: Name, field: Name, ctor: Name, linear: bool },
    /// The same variable gives its permissions twice in one assignment.
    SourceTwice { place: Place, name: Name },
    /// A linear field is packed from something else than a variable.
    PackArgument { place: Place, field: Name },
    /// Something else than a variable is unpacked.
    UnpackSource { place: Place },
    /// Something else than a variable is passed to a linear parameter.
    Argument { place: Place, arg: Place, param: Name, callee: Name },
    /// Something else than a path is passed to the parameter a primitive changes.
    Path { place: Place, arg: Place, callee: Name },
    /// A linear global is passed to a callee that is not pure.
    GlobalArgument { place: Place, name: Name, callee: Name },
    /// A variable is passed to two linear parameters of one call, as these arguments.
    ArgumentTwice { place: Place, twice: [Place; 2], name: Name, callee: Name },
    /// A linear global is given away and does not come back.
    GlobalLost { place: Place, name: Name, callee: Name },
    /// `Path_Store` of all values of a `Map` at once.
    StoreAllValues { place: Place, arg: Place },
    /// `Path_Load` or `Path_Store` of something that holds permissions.
    PathNotOrdinary { place: Place, arg: Place, ty: Ty, callee: Name },
    /// An argument of `Move` is not a variable.
    MoveArgument { place: Place, arg: Place },
    /// A primitive changes an in-parameter.
    PrimitiveInput { place: Place, name: Name, callee: Name, decl: Place },
    /// A primitive changes the variable that takes its result.
    PrimitiveResult { place: Place, name: Name, callee: Name },
    /// A primitive changes a global that the enclosing procedure may not change.
    PrimitiveModifies { place: Place, name: Name, owner: Name },
    /// A primitive is an arm of a parallel call.
    ParallelPrimitive { place: Place, arm: Place, callee: Name },
    /// Two arms get the same permissions, by these arguments.
    ParallelTwice { place: Place, twice: [Place; 2], name: Name },
    /// A procedure arm and an invariant arm get the same permissions.
    ParallelShared { place: Place, name: Name },
    /// A variable that is not available is passed to a linear parameter.
    Unavailable(Unavailable),
    /// A linear global is not available where it must be.
    GlobalUnavailable { place: Place, name: Name, point: GlobalPoint, decl: Option<Place> },
    /// A linear formal is not available at a return.
    ParameterUnavailable { place: Place, name: Name, output: bool, decl: Place },
    /// One of the last three, and the statements on the way that took the permissions.
    Lost { problem: Box<LinearProblem>, name: Name, at: Vec<Place> },
    /// One of the last four, at one layer: at others the permission is there.
    AtLayer { problem: Box<LinearProblem>, layer: Layer },
    /// A permission that ghost code took out of a global is passed to an action of the same layer.
    GhostPermission {
        place: Place,
        arg: Place,
        name: Name,
        callee: Name,
        layer: Layer,
        taken: Place,
        global: Name,
    },
}

/// A variable that is not available is passed to a linear parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unavailable {
    pub(crate) place: Place,
    pub(crate) arg: Place,
    pub(crate) name: Name,
    pub(crate) callee: Name,
    pub(crate) param: Name,
    pub(crate) why: UnavailableWhy,
}

/// What kind of call finds the variable unavailable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnavailableWhy {
    /// A statement.
    Statement,
    /// An invariant call at a loop head.
    LoopHead,
    /// `requires call`
    Requires,
    /// `ensures call`
    Ensures,
    /// `preserves call`
    Preserves,
}

/// Where every linear global must be available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GlobalPoint {
    Call,
    Yield,
    Return,
    LoopHead,
}

impl LinearProblem {
    /// The stage in which the reference looks for it.
    pub(crate) fn stage(&self) -> Stage {
        match self {
            LinearProblem::OneOfLinear { .. } | LinearProblem::MapKeyLinear { .. } => {
                Stage::LinearTypes
            }
            LinearProblem::Unavailable(it) => match it.why {
                UnavailableWhy::LoopHead => Stage::Procedures,
                UnavailableWhy::Statement | UnavailableWhy::Requires => Stage::Linear,
                UnavailableWhy::Ensures | UnavailableWhy::Preserves => Stage::Linear,
            },
            LinearProblem::Kind { .. }
            | LinearProblem::InvariantKind { .. }
            | LinearProblem::AssignInside { .. }
            | LinearProblem::AssignLackingField { .. }
            | LinearProblem::SourceTwice { .. }
            | LinearProblem::PackArgument { .. }
            | LinearProblem::UnpackSource { .. }
            | LinearProblem::Argument { .. }
            | LinearProblem::Path { .. }
            | LinearProblem::GlobalArgument { .. }
            | LinearProblem::ArgumentTwice { .. }
            | LinearProblem::GlobalLost { .. }
            | LinearProblem::StoreAllValues { .. }
            | LinearProblem::PathNotOrdinary { .. }
            | LinearProblem::MoveArgument { .. }
            | LinearProblem::PrimitiveInput { .. }
            | LinearProblem::PrimitiveResult { .. }
            | LinearProblem::PrimitiveModifies { .. }
            | LinearProblem::ParallelPrimitive { .. }
            | LinearProblem::ParallelTwice { .. }
            | LinearProblem::ParallelShared { .. }
            | LinearProblem::GlobalUnavailable { .. }
            | LinearProblem::ParameterUnavailable { .. }
            | LinearProblem::Lost { .. }
            | LinearProblem::AtLayer { .. }
            | LinearProblem::GhostPermission { .. } => Stage::Linear,
        }
    }
}
