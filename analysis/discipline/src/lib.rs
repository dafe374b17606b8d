//! CIVL's rules that need no solver: layers, calls, refinement signatures, linearity, yields.
//!
//! **In:** what [`hir`] knows about a program. **Out:** problems per declaration, worded and placed
//! ([`diagnostics`], [`program_diagnostics`]), and the facts the obligations rest on: what is claimed
//! ([`claims`]), which layers are checked ([`layers_of_program`]), which types are linear and which variables are available
//! where ([`linear`]), what a callee is at a layer ([`standing`]) and which label its call has there ([`yields`]).
//!
//! # Invariants
//! - No formula is built and no engine is called: everything here is safe on every keystroke.
//! - A problem is a struct of facts (`problem/`), worded in one place (`render/`).
//! - Where the reference has a gap, the sound rule is implemented and its manual page says
//!   "stricter than Boogie because …".

mod access;
mod actions;
mod call_graph;
mod calls;
mod checks;
pub mod claims;
mod db;
#[cfg(test)]
mod fixture;
mod forged;
mod layers;
pub mod layers_of_program;
pub mod linear;
mod loops;
pub mod machine;
mod measures;
mod par_calls;
mod problem;
mod procedures;
mod refines;
mod render;
pub mod standing;
pub mod tables;
mod termination;
pub mod yields;

pub use call_graph::reaches;
pub use checks::{batch_diagnostics, diagnostics, program_diagnostics, staged_diagnostics};
pub use db::Db;
pub use problem::Stage;
