//! Which copies of yield procedures there are (verification.md 1).
//!
//! An invariant copy of every body at every layer up to its own at which something is claimed; a
//! refinement copy of every body that is no mover procedure, at its own layer.

use hir::{Layer, ProcSig};

use crate::copy::{self, Mode};
use crate::kind::{entry, missing};
use crate::unit::{Unit, UnitEntry, UnitKey};
use crate::world::World;

/// The invariant copies of one layer, in declaration order.
pub fn invariant_units(world: World<'_>, layer: Layer) -> Vec<UnitEntry> {
    let code = bodies(world).into_iter().filter(|sig| sig.layer() >= Some(layer));
    code.map(|sig| entry(world, UnitKey::Invariant(sig.name.clone(), layer))).collect()
}

/// The refinement copies, by layer, then in declaration order.
pub fn refinement_units(world: World<'_>) -> Vec<UnitEntry> {
    let layers = discipline::layers_of_program::refinement_layers(world.db, world.program);
    let mut out = Vec::new();
    for layer in layers.iter() {
        for sig in bodies(world) {
            if sig.layer() == Some(*layer) && !sig.is_mover_procedure() {
                out.push(entry(world, UnitKey::Refinement(sig.name.clone(), *layer)));
            }
        }
    }
    out
}

/// The layers that have an invariant program, ascending.
pub fn invariant_layers(world: World<'_>) -> Vec<Layer> {
    discipline::layers_of_program::invariant_layers(world.db, world.program).to_vec()
}

/// The unit of a copy.
pub fn unit(world: World<'_>, key: &UnitKey) -> Unit {
    let built = match key {
        UnitKey::Invariant(name, layer) => {
            copy::build(world.db, world.program, (name, *layer), Mode::Invariant)
        }
        UnitKey::Refinement(name, layer) => {
            copy::build(world.db, world.program, (name, *layer), Mode::Refinement)
        }
        UnitKey::Plain(_)
        | UnitKey::GateSufficiency(_)
        | UnitKey::Commutativity(_)
        | UnitKey::GatePreservation(_)
        | UnitKey::FailurePreservation(_)
        | UnitKey::Nonblocking(..)
        | UnitKey::ActionRefinement(_)
        | UnitKey::GlobalNoninterference(..)
        | UnitKey::StepNoninterference(..) => None,
    };
    built.unwrap_or_else(|| missing(world, key))
}

/// The yield procedures with bodies, in declaration order.
fn bodies(world: World<'_>) -> Vec<std::sync::Arc<ProcSig>> {
    let decls = hir::program_decls(world.db, world.program);
    let sigs = decls.iter().filter_map(|decl| {
        let sig = hir::proc_sig_of(world.db, world.program, *decl)?;
        (sig.decl == *decl && sig.is_yield_procedure()).then_some(sig)
    });
    sigs.filter(|sig| !world.implementations(&sig.name).is_empty()).collect()
}
