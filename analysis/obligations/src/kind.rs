//! The kinds of units: which exist, and how each is built.
//!
//! **In:** a program. **Out:** [`units_of`]: the units in the order of the reference (language.md
//! 13.2); [`build`]: one of them.

pub mod plain;

use ir::{ObligationId, ObligationKind};

use crate::builder::UnitBuilder;
use crate::lowering::Lowering;
use crate::unit::{Unit, UnitEntry, UnitKey};
use crate::world::World;

/// Every unit of the program, skipped ones included, in the order of the reference.
pub fn units_of(world: World<'_>) -> Vec<UnitEntry> {
    plain::units(world)
}

/// The unit of this name.
pub fn build(world: World<'_>, key: &UnitKey) -> Unit {
    match key {
        UnitKey::Plain(decl) => plain::unit(world, *decl),
        UnitKey::GateSufficiency(_)
        | UnitKey::Commutativity(_)
        | UnitKey::GatePreservation(_)
        | UnitKey::FailurePreservation(_)
        | UnitKey::Nonblocking(..)
        | UnitKey::ActionRefinement(_)
        | UnitKey::GlobalNoninterference(..)
        | UnitKey::Invariant(..)
        | UnitKey::Refinement(..) => missing(world, key),
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
