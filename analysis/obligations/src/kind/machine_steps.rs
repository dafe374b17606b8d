//! What procedures without body do at the layers at which they are code.
//!
//! **In:** a program. **Out:** for each action that a yield procedure without body refines, the layers
//! at which that procedure is code.
//!
//! A procedure without body is taken on faith to do what it refines, and nothing else. Up to its own
//! layer it is code: it is no action there, and has no fragments that could be compared. But it runs
//! beside everything else, and its step is the action it refines. So at those layers
//! - movers are compared with that action ([`super::pairs`]), and
//! - that action preserves global invariants ([`super::global_noninterference`]) and what threads
//!   that wait rely on ([`super::step_noninterference`]).
//!
//! # Soundness
//! Stricter than the reference, which compares the action only at the layers at which it is one.

use std::collections::BTreeMap;

use base::Name;
use hir::{Layer, LayerRange};

use crate::world::World;

/// Actions that are steps of procedures without body.
pub(super) struct Steps {
    /// The layers at which some such procedure is code, by action.
    code: BTreeMap<Name, LayerRange>,
}

/// The steps of the program.
pub(super) fn steps(world: World<'_>) -> Steps {
    let mut code: BTreeMap<Name, LayerRange> = BTreeMap::new();
    for (name, _) in hir::global_names(world.db, world.program, hir::NameSpace::Procedure) {
        let sig = world.proc_sig(&name).filter(|sig| sig.is_yield_procedure());
        let Some(sig) = sig.filter(|sig| world.implementations(&sig.name).is_empty()) else {
            continue;
        };
        if let (Some(action), Some(own)) = (sig.refines.clone(), sig.layer()) {
            let here = LayerRange::up_to(own);
            code.entry(action).and_modify(|range| *range = range.hull(here)).or_insert(here);
        }
    }
    Steps { code }
}

impl Steps {
    /// The layers at which the action is a step of code; nothing if it never is.
    pub(super) fn layers(&self, action: &Name) -> Option<LayerRange> {
        self.code.get(action).copied()
    }

    /// Is the action a step of code at this layer?
    pub(super) fn is_step_at(&self, action: &Name, layer: Layer) -> bool {
        self.layers(action).is_some_and(|range| range.contains(layer))
    }
}
