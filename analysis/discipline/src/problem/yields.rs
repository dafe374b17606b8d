//! Problems of yield sufficiency, loops and parallel calls (language.md 9.7, 9.8, 11).

use base::{Name, Place};
use hir::{Layer, Mover};

use super::Stage;
use crate::par_calls::Pattern;
use crate::yields::Label;

/// A call that a user must look at to understand a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepFacts {
    pub(crate) at: Place,
    pub(crate) label: Label,
    pub(crate) callee: Name,
    pub(crate) is_async: bool,
}

/// Something that may never go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Blocking {
    /// `assume e`
    Assume,
    /// A loop that nothing shows to end.
    Loop,
    /// A recursion through this procedure that nothing shows to end.
    Recursion(Name),
}

/// A problem of this area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum YieldProblem {
    /// `stuck` does not fit into the transaction that `closed` has committed.
    NotAtomic { layers: Vec<Layer>, procedure: Place, stuck: StepFacts, closed: Option<StepFacts> },
    /// The code of a mover procedure does not fit its mover type.
    MoverDeclaration {
        layer: Layer,
        mover: Mover,
        procedure: Place,
        stuck: Option<StepFacts>,
        closed: Option<StepFacts>,
        end: Place,
    },
    /// A mover procedure yields at its own layer.
    MoverYields { layer: Layer, at: Place, procedure: Place },
    /// A left mover procedure has no way to its end; `at` is where it gets stuck.
    MoverEndless { at: Place, procedure: Place, mover: Mover },
    /// Nothing shows that a loop, or a recursive call, of a left mover procedure ends.
    MoverTermination { at: Place, recursive: Option<Name>, mover: Mover },
    /// A transaction that has taken effect may never come to its end, or `hopeless`ly does not.
    CommittedBlocks { layers: Vec<Layer>, at: Place, what: Blocking, hopeless: bool },
    /// A pure procedure, which stands for nothing at run time, may never come to its end.
    GhostBlocks { at: Place, what: Blocking, hopeless: bool },
    /// `modifies` changes a global before the thread that `started` started has begun.
    AsyncOverwritten {
        layers: Vec<Layer>,
        procedure: Place,
        modifies: StepFacts,
        started: Option<StepFacts>,
    },
    /// The loop at `at` does not yield, but `inside` does.
    LoopMustYield { layers: Vec<Layer>, at: Place, inside: Place },
    /// The arm `guilty` of the parallel call `at` breaks a pattern together with `other`.
    ParallelPattern {
        layers: Vec<Layer>,
        at: Place,
        guilty: StepFacts,
        other: Option<StepFacts>,
        pattern: Pattern,
    },
    /// A condition on an assertion with `{:yields}`, which nobody checks.
    YieldsCondition { at: Place, at_head: bool },
    /// `{:yields}` with several layers.
    LoopLayers { at: Place, annotated: Place },
    /// A loop yields above its procedure's layer.
    LoopTooHigh { at: Place, annotated: Place, layer: Layer, top: Layer },
    /// A loop calls invariants but does not yield.
    LoopYieldMissing { at: Place, call: Place },
    /// A loop does not yield at the layer of an invariant it calls.
    LoopInvariantLayer {
        at: Place,
        head: Place,
        invariant: Name,
        layer: Layer,
        highest: Option<Layer>,
    },
    /// An ordinary invariant of a loop mentions a global at a layer where the loop yields.
    LoopInvariantGlobal { at: Place, head: Place, used: Place, name: Name, layer: Layer },
    /// A parallel call outside a yield procedure.
    ParallelCaller { at: Place, caller: Name },
    /// An arm that is neither a yield procedure nor an invariant.
    ParallelCallee { at: Place, callee: Name },
    /// Two arms take part in the refinement of the caller.
    ParallelRefined { at: Place, first: Name, second: Name },
}

impl YieldProblem {
    /// The stage in which the reference looks for it.
    pub(crate) fn stage(&self) -> Stage {
        match self {
            YieldProblem::NotAtomic { .. }
            | YieldProblem::MoverDeclaration { .. }
            | YieldProblem::MoverYields { .. }
            | YieldProblem::AsyncOverwritten { .. }
            | YieldProblem::LoopMustYield { .. }
            | YieldProblem::ParallelPattern { .. } => Stage::Yields,
            YieldProblem::MoverEndless { .. }
            | YieldProblem::MoverTermination { .. }
            | YieldProblem::CommittedBlocks { .. }
            | YieldProblem::GhostBlocks { .. } => Stage::Measures,
            YieldProblem::YieldsCondition { .. }
            | YieldProblem::LoopLayers { .. }
            | YieldProblem::LoopTooHigh { .. }
            | YieldProblem::LoopYieldMissing { .. }
            | YieldProblem::LoopInvariantLayer { .. }
            | YieldProblem::LoopInvariantGlobal { .. }
            | YieldProblem::ParallelCaller { .. }
            | YieldProblem::ParallelCallee { .. }
            | YieldProblem::ParallelRefined { .. } => Stage::TypeCheck,
        }
    }

    /// Is `other` the same problem, seen at another layer?
    pub(crate) fn is_same_elsewhere(&self, other: &YieldProblem) -> bool {
        let (mut a, mut b) = (self.clone(), other.clone());
        match (a.layers_mut(), b.layers_mut()) {
            (Some(x), Some(y)) => {
                x.clear();
                y.clear();
                a == b
            }
            (None, _) | (_, None) => false,
        }
    }

    /// The problem is there at `layer` as well.
    pub(crate) fn add_layer(&mut self, layer: Layer) {
        if let Some(layers) = self.layers_mut() {
            layers.push(layer);
        }
    }

    /// The layers of a problem that may be the same at several.
    fn layers_mut(&mut self) -> Option<&mut Vec<Layer>> {
        match self {
            YieldProblem::NotAtomic { layers, .. }
            | YieldProblem::CommittedBlocks { layers, .. }
            | YieldProblem::AsyncOverwritten { layers, .. }
            | YieldProblem::LoopMustYield { layers, .. }
            | YieldProblem::ParallelPattern { layers, .. } => Some(layers),
            YieldProblem::MoverDeclaration { .. }
            | YieldProblem::MoverYields { .. }
            | YieldProblem::MoverEndless { .. }
            | YieldProblem::MoverTermination { .. }
            | YieldProblem::GhostBlocks { .. }
            | YieldProblem::YieldsCondition { .. }
            | YieldProblem::LoopLayers { .. }
            | YieldProblem::LoopTooHigh { .. }
            | YieldProblem::LoopYieldMissing { .. }
            | YieldProblem::LoopInvariantLayer { .. }
            | YieldProblem::LoopInvariantGlobal { .. }
            | YieldProblem::ParallelCaller { .. }
            | YieldProblem::ParallelCallee { .. }
            | YieldProblem::ParallelRefined { .. } => None,
        }
    }
}
