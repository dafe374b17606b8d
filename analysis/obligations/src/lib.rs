//! From programs to questions.
//!
//! **In:** a program that `hir` and `discipline` found nothing wrong with.
//! **Out:** [`units`]: everything that has to be proved, under the names of the reference;
//! [`unit_of`]: one of them as a program of `ir`; [`obligations`]: the questions it raises.
//!
//! # Invariants
//! - Same text, same units, same obligations, same order, same fingerprints.
//! - A unit depends on the declarations it mentions and on no position.
//! - What cannot be said faithfully is said to be unsupported, never left out.

pub mod action;
pub mod axioms;
mod builder;
mod claim;
mod copy;
mod db;
mod dump;
mod faith;
pub mod kind;
mod loops;
mod lowering;
pub mod permissions;
mod question;
pub mod render;
mod unit;
pub mod view;
mod world;

use std::sync::Arc;

use base::{Diagnostic, Place, Program};
use ir::AssertId;

pub use builder::UnitBuilder;
pub use claim::{Claim, Named, Need, RefinementRule};
pub use db::Db;
pub use dump::{dump_layers, dump_obligations, dump_units};
pub use faith::{Faith, FaithKind};
pub use lowering::{
    Checks, DataInstance, Env, FuncInstance, Lowering, State, Tables, Text, Unfold, Writer,
    inline_count, is_path_primitive, write_graph,
};
pub use question::{Task, question_of, tasks};
pub use unit::{
    AssertGroup, AssertInfo, CapturePoint, Moment, Pair, Role, Skip, Unit, UnitEntry, UnitKey,
    Unsupported, Visit,
};
pub use view::{LayerUnit, layer_unit};
pub use world::World;

/// Every unit of the program under the name of the reference, in its order; units that need not be
/// proved say why.
#[salsa::tracked(returns(clone))]
pub fn units(db: &dyn Db, program: Program) -> Arc<[UnitEntry]> {
    kind::units_of(World::new(db, program)).into()
}

/// One unit, for those who look into it: [`obligations`] does not keep it.
#[salsa::tracked(returns(clone))]
pub fn unit_of(db: &dyn Db, program: Program, key: UnitKey) -> Arc<Unit> {
    Arc::new(kind::build(World::new(db, program), &key))
}

/// The questions of one unit. The unit is built for them and forgotten: kept for every question, the
/// units of a large program would take as much memory as the questions.
#[salsa::tracked(returns(clone))]
pub fn obligations(db: &dyn Db, program: Program, key: UnitKey) -> Arc<[Task]> {
    let world = World::new(db, program);
    let place = place_of(world, &key);
    tasks(world, place, &kind::build(world, &key)).into()
}

/// The complaint about an assertion of a unit that was not proved.
pub fn diagnostic(
    db: &dyn Db,
    program: Program,
    key: &UnitKey,
    id: AssertId,
) -> Option<Diagnostic> {
    unit_of(db, program, key.clone()).assert(id).map(render::failure)
}

/// Where a unit as a whole is reported.
pub fn place_of(world: World<'_>, key: &UnitKey) -> Place {
    let name = match key {
        UnitKey::Plain(decl) => return hir::decl_place(world.db, *decl),
        UnitKey::GateSufficiency(name)
        | UnitKey::Nonblocking(name, _)
        | UnitKey::ActionRefinement(name)
        | UnitKey::GlobalNoninterference(name, _)
        | UnitKey::StepNoninterference(name, _)
        | UnitKey::Invariant(name, _)
        | UnitKey::Refinement(name, _) => name,
        UnitKey::Commutativity(pair)
        | UnitKey::GatePreservation(pair)
        | UnitKey::FailurePreservation(pair) => &pair.first,
    };
    match hir::lookup_proc(world.db, world.program, name.clone()) {
        Some(decl) => hir::decl_place(world.db, decl),
        None => world.somewhere(),
    }
}

#[cfg(test)]
mod tests;
