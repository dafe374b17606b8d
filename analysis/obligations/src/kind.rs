//! The kinds of units: which exist, and how each is built.
//!
//! **In:** a program. **Out:** [`units_of`]: the units in the order of the reference (language.md
//! 13.2); [`build`]: one of them.

pub mod copies;
pub mod plain;

use ir::{ObligationId, ObligationKind};

use crate::builder::UnitBuilder;
use crate::lowering::Lowering;
use crate::unit::{Unit, UnitEntry, UnitKey};
use crate::world::World;

/// Every unit of the program, skipped ones included, in the order of the reference.
pub fn units_of(world: World<'_>) -> Vec<UnitEntry> {
    let mut units = plain::units(world);
    for layer in copies::invariant_layers(world) {
        units.extend(copies::invariant_units(world, layer));
    }
    units.extend(copies::refinement_units(world));
    units
}

/// The unit of this name.
pub fn build(world: World<'_>, key: &UnitKey) -> Unit {
    match key {
        UnitKey::Plain(decl) => plain::unit(world, *decl),
        UnitKey::Invariant(..) | UnitKey::Refinement(..) => copies::unit(world, key),
        UnitKey::GateSufficiency(_)
        | UnitKey::Commutativity(_)
        | UnitKey::GatePreservation(_)
        | UnitKey::FailurePreservation(_)
        | UnitKey::Nonblocking(..)
        | UnitKey::ActionRefinement(_)
        | UnitKey::GlobalNoninterference(..) => missing(world, key),
    }
}

/// A unit that nobody knows how to build: undecided.
pub fn missing(world: World<'_>, key: &UnitKey) -> Unit {
    let place = world.somewhere();
    let mut lowering = Lowering::new(world, place);
    lowering.unsupported("this kind of check");
    let id = ObligationId::new(ObligationKind::Plain, ["?"], None);
    UnitBuilder::new().finish(key.clone(), "?", id, lowering)
}
