//! Programs that run: all interleavings of a small instance of one layer.
//!
//! **In:** an `ir::LayerProgram` and a scope. **Out:** a violation with the run that leads to it, or
//! "exhausted" or "truncated", each for that scope and no other.
//!
//! # Invariants
//! - No clock, no database, no prover. Budgets are in states and bytes.
//! - Same program, same scope: same answer, same run, same counts.
#![warn(missing_docs)]

pub mod arena;
mod code;
mod collect;
mod compile;
pub mod domain;
mod eval;
mod search;
mod step;

pub use code::Grain;
pub use search::{Explored, LeftOut, Move, Options, Story, explore};
