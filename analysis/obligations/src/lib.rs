//! From programs to questions.
//!
//! **In:** a program that `hir` and `discipline` found nothing wrong with.
//! **Out:** [`units`]: everything that has to be proved, under the names of the reference;
//! [`unit`]: one of them as a program of `ir`; [`obligations`]: the questions it raises.
//!
//! # Invariants
//! - Same text, same units, same obligations, same order, same fingerprints.
//! - A unit depends on the declarations it mentions and on no position.
//! - What cannot be said faithfully is said to be unsupported, never left out.

mod builder;
mod claim;
mod db;
mod loops;
mod lowering;
pub mod permissions;
mod unit;
mod world;

pub use builder::UnitBuilder;
pub use claim::{Claim, Named, Need, RefinementRule};
pub use db::Db;
pub use lowering::{
    Checks, DataInstance, Env, FuncInstance, Lowering, State, Tables, Text, Writer, inline_count,
    is_path_primitive, write_graph,
};
pub use unit::{AssertGroup, AssertInfo, CapturePoint, Pair, Unit, UnitKey, Unsupported};
pub use world::World;
