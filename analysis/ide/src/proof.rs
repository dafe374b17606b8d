//! From a program to what is proved of it.
//!
//! **In:** a program without static errors. **Out:** one state per obligation, diagnostics of what
//! is not proved, and what a proof takes on faith.
//!
//! ```text
//! plan      which questions, cut loose from the database; filter says which are wanted
//! schedule  in which order            run       asking the prover
//! state     what became of each       verdicts  the same as diagnostics
//! coverage, claims  was anything forgotten?   vacuity   was it proved from a contradiction?
//! trusted   what a proof takes on faith
//! ```
//!
//! # Invariants
//! - `complete` is decided in [`plan`] and [`coverage`] alone.
//! - No database handle is held while the solver works.

pub(crate) mod claims;
mod coverage;
pub(crate) mod filter;
pub(crate) mod plan;
mod run;
pub(crate) mod schedule;
pub(crate) mod state;
pub(crate) mod trusted;
pub(crate) mod vacuity;
mod verdicts;
