//! Structured facts about wrong programs.
//!
//! A check fills in facts; [`crate::render`] words them. Each area of rules has its own file.

pub(crate) mod layers;
mod linear;
mod yields;

pub(crate) use layers::LayerProblem;
pub(crate) use linear::{GlobalPoint, LinearProblem, Unavailable, UnavailableWhy};
pub(crate) use yields::{Blocking, StepFacts, YieldProblem};

/// When the reference looks for a problem (language.md 0.1). It stops after the first stage with
/// an error; editors show all stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Layers, access and calls, found while type checking: together with `hir`'s type errors.
    TypeCheck,
    /// Phase 7a: linear types.
    LinearTypes,
    /// Phase 7b: linear checks.
    Linear,
    /// Phase 7c: actions.
    Actions,
    /// Phase 7d: yield procedures, their refinement signatures and loops.
    Procedures,
    /// Phase 7f: yield sufficiency.
    Yields,
    /// Phase 8: measures.
    Measures,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 7] = [
        Stage::TypeCheck,
        Stage::LinearTypes,
        Stage::Linear,
        Stage::Actions,
        Stage::Procedures,
        Stage::Yields,
        Stage::Measures,
    ];
}

/// A problem of any area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    Layer(LayerProblem),
    Linear(LinearProblem),
    Yield(YieldProblem),
}

impl Problem {
    /// The stage in which the reference looks for it.
    pub(crate) fn stage(&self) -> Stage {
        match self {
            Problem::Layer(it) => it.stage(),
            Problem::Linear(it) => it.stage(),
            Problem::Yield(it) => it.stage(),
        }
    }
}

impl From<LayerProblem> for Problem {
    fn from(it: LayerProblem) -> Problem {
        Problem::Layer(it)
    }
}

impl From<LinearProblem> for Problem {
    fn from(it: LinearProblem) -> Problem {
        Problem::Linear(it)
    }
}

impl From<YieldProblem> for Problem {
    fn from(it: YieldProblem) -> Problem {
        Problem::Yield(it)
    }
}
