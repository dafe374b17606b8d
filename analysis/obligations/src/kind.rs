//! The kinds of units: which exist, and how each is built.
//!
//! **In:** a program. **Out:** [`units_of`]: the units in the order of the reference (language.md
//! 13.2); [`build`]: one of them; [`unit_name`]: what the reference calls it.

pub mod action_refinement;
pub mod commutativity;
pub mod copies;
pub mod failure_preservation;
pub mod gate_preservation;
pub mod gate_sufficiency;
pub mod global_noninterference;
mod machine_steps;
pub mod nonblocking;
pub mod pairs;
pub mod plain;
mod scene;
pub mod step_noninterference;

use std::sync::Arc;

use base::{Name, Program};
use hir::Layer;
use ir::{ObligationId, ObligationKind};

use crate::Db;
use crate::builder::UnitBuilder;
use crate::lowering::Lowering;
use crate::unit::{Pair, Unit, UnitEntry, UnitKey};
use crate::world::World;

pub use scene::{preconditions, preconditions_of};

/// Every unit of the program, skipped ones included, in the order of the reference.
pub fn units_of(world: World<'_>) -> Vec<UnitEntry> {
    let mut units = plain::units(world);
    let actions = pairs::actions(world);
    units.extend(gate_sufficiency::units(world, &actions));
    units.extend(pairs::units(world, &actions));
    for layer in copies::invariant_layers(world) {
        units.extend(copies::invariant_units(world, layer));
        units.extend(global_noninterference::units(world, layer, &actions));
        units.extend(step_noninterference::units(world, layer, &actions));
    }
    units.extend(copies::refinement_units(world));
    units.extend(action_refinement::units(world, &pairs::declared_actions(world)));
    units
}

/// The unit of this name.
pub fn build(world: World<'_>, key: &UnitKey) -> Unit {
    match key {
        UnitKey::Plain(decl) => plain::unit(world, *decl),
        UnitKey::GateSufficiency(name) => gate_sufficiency::unit(world, name),
        UnitKey::Commutativity(pair) => commutativity::unit(world, pair),
        UnitKey::GatePreservation(pair) => gate_preservation::unit(world, pair),
        UnitKey::FailurePreservation(pair) => failure_preservation::unit(world, pair),
        UnitKey::Nonblocking(name, layer) => nonblocking::unit(world, name, *layer),
        UnitKey::ActionRefinement(name) => action_refinement::unit(world, name),
        UnitKey::GlobalNoninterference(name, layer) => {
            global_noninterference::unit(world, name, *layer)
        }
        UnitKey::StepNoninterference(name, layer) => {
            step_noninterference::unit(world, name, *layer)
        }
        UnitKey::Invariant(..) | UnitKey::Refinement(..) => copies::unit(world, key),
    }
}

/// A line of the list of units, under the name of the reference.
pub fn entry(world: World<'_>, key: UnitKey) -> UnitEntry {
    let name = unit_name(world, &key);
    UnitEntry::new(key, name)
}

/// What the reference calls a unit. Anonymous actions are named after their procedures, where the
/// reference has a number.
pub fn unit_name(world: World<'_>, key: &UnitKey) -> String {
    let prefix = prefix(world);
    let pair = |kind: &str, pair: &Pair| {
        let (first, second) = (pair.first.in_reference(), pair.second.in_reference());
        format!("{prefix}{kind}Checker_{first}_{second}{}", layer_suffix(pair.conditional))
    };
    match key {
        UnitKey::Plain(decl) => decl.name(world.db).to_string(),
        UnitKey::GateSufficiency(name) => {
            format!("{}_GateSufficiencyChecker", name.in_reference())
        }
        UnitKey::Commutativity(it) => pair("Commutativity", it),
        UnitKey::GatePreservation(it) => pair("GatePreservation", it),
        UnitKey::FailurePreservation(it) => pair("FailurePreservation", it),
        UnitKey::Nonblocking(name, layer) => {
            let (name, suffix) = (name.in_reference(), layer_suffix(*layer));
            format!("{prefix}NonblockingChecker_{name}{suffix}")
        }
        UnitKey::ActionRefinement(name) => format!("{}_RefinementCheck", name.in_reference()),
        UnitKey::GlobalNoninterference(name, layer) => {
            format!("{prefix}Global_NoninterferenceChecker_{}_{layer}", name.in_reference())
        }
        UnitKey::StepNoninterference(name, layer) => {
            format!("{prefix}NoninterferenceChecker_{}_{layer}", name.in_reference())
        }
        UnitKey::Invariant(name, layer) => format!("{prefix}{name}_{layer}"),
        UnitKey::Refinement(name, layer) => format!("{prefix}{name}_Refine_{layer}"),
    }
}

fn layer_suffix(layer: Option<Layer>) -> String {
    layer.map_or_else(String::new, |layer| format!("_{layer}"))
}

fn prefix(world: World<'_>) -> Arc<str> {
    name_prefix(world.db, world.program)
}

/// The start of generated names: `Civl_`, with more underscores while a declaration starts so.
#[salsa::tracked(returns(clone))]
fn name_prefix(db: &dyn Db, program: Program) -> Arc<str> {
    let decls = hir::program_decls(db, program);
    let mut prefix = "Civl_".to_owned();
    while decls.iter().any(|decl| decl.name(db).as_str().starts_with(&prefix)) {
        prefix.push('_');
    }
    prefix.into()
}

/// The declarations a unit is about, its owner first, and its layer.
fn subjects(key: &UnitKey) -> (Vec<Name>, Option<Layer>) {
    match key {
        UnitKey::Plain(_) => (Vec::new(), None),
        UnitKey::GateSufficiency(name) | UnitKey::ActionRefinement(name) => {
            (vec![name.clone()], None)
        }
        UnitKey::Commutativity(pair)
        | UnitKey::GatePreservation(pair)
        | UnitKey::FailurePreservation(pair) => {
            (vec![pair.first.clone(), pair.second.clone()], pair.conditional)
        }
        UnitKey::Nonblocking(name, layer) => (vec![name.clone()], *layer),
        UnitKey::GlobalNoninterference(name, layer)
        | UnitKey::StepNoninterference(name, layer)
        | UnitKey::Invariant(name, layer)
        | UnitKey::Refinement(name, layer) => (vec![name.clone()], Some(*layer)),
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
