//! A layer of a program as engines execute it.
//!
//! **In:** a program and a layer. **Out:** [`LayerUnit`]: the [`LayerProgram`], and what its sites and
//! conditions mean.
//!
//! This is the executable sister of the copies that are proved ([`crate::units`]): calls stay calls,
//! loops stay loops, a choice stays open. Both ask [`discipline::standing`] what a callee is at the
//! layer, and lower statements with the same [`crate::Writer`].
//!
//! # Invariants
//! - One query reads one body; [`layer_unit`] only puts together.
//! - What cannot be executed is a row of [`LayerProgram::excluded`] with its place; the item it is
//!   about is listed without code. Nothing is left out silently.
//! - Same text, same program, same numbers.

mod actions;
mod assemble;
mod calls;
mod code;
mod contracts;
mod functions;
mod primitives;
mod procedures;
mod roots;
mod tidy;

use std::sync::Arc;

use base::{Name, Place, Program};
use hir::Layer;
use ir::layer::{Action, LayerProgram, Procedure};

use crate::Db;
use crate::lowering::Tables;
use crate::unit::{AssertInfo, Unsupported};

/// A layer, and what its numbers stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerUnit {
    /// The program.
    pub program: LayerProgram,
    /// By the number of an [`ir::Site`].
    pub sites: Vec<Place>,
    /// By the number of an [`ir::AssertId`].
    pub claims: Vec<AssertInfo>,
    /// What the symbols of terms stand for.
    pub tables: Tables,
    /// Equal for programs that differ in places only.
    pub digest: [u8; 32],
}

/// One procedure or action, projected. Its numbers of sites, claims, actions and procedures are
/// positions in its own tables.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Part {
    /// Whose code it is, if it is a procedure's.
    procedure_name: Option<Name>,
    procedure: Option<Procedure>,
    action: Option<Action>,
    /// Actions that were made of single statements.
    made: Vec<Action>,
    actions: Vec<Name>,
    procedures: Vec<Name>,
    sites: Vec<Place>,
    claims: Vec<AssertInfo>,
    tables: Tables,
    problems: Vec<Unsupported>,
}

/// The procedure `name` as code of `layer`; nothing if it is none there.
#[salsa::tracked(returns(clone))]
fn layer_procedure(db: &dyn Db, program: Program, name: Name, layer: Layer) -> Option<Arc<Part>> {
    procedures::project(db, program, &name, layer).map(Arc::new)
}

/// The action `name` as it is called at `layer`; nothing if there is no such action.
#[salsa::tracked(returns(clone))]
fn layer_action(db: &dyn Db, program: Program, name: Name, layer: Layer) -> Option<Arc<Part>> {
    actions::project(db, program, &name, layer).map(Arc::new)
}

/// The program at `layer`.
#[salsa::tracked(returns(clone))]
pub fn layer_unit(db: &dyn Db, program: Program, layer: Layer) -> Arc<LayerUnit> {
    Arc::new(assemble::assemble(db, program, layer))
}

/// The layers that can be executed: those at which some procedure with a body is code and the next
/// layer has something to say about it. Ascending.
pub fn layers(db: &dyn Db, program: Program) -> Vec<Layer> {
    discipline::layers_of_program::refinement_layers(db, program).to_vec()
}
