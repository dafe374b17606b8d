//! From a program to what is proved of it.
//!
//! **In:** a program without static errors. **Out:** one state per obligation, diagnostics of what
//! is not proved, and what a proof takes on faith.
//!
//! ```text
//! plan      which questions, cut loose from the database      schedule  in which order
//! run       ask the prover                                     verdicts  answers as diagnostics
//! coverage  was anything forgotten?   vacuity  was it proved from a contradiction?   trusted
//! ```
//!
//! # Invariants
//! - `complete` is decided in [`plan`] and [`coverage`] alone.
//! - No database handle is held while the solver works.

mod coverage;
pub(crate) mod plan;
mod run;
pub(crate) mod schedule;
pub(crate) mod trusted;
pub(crate) mod vacuity;
mod verdicts;
