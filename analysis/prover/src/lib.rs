//! Answers questions of `ir` with Z3, in worker processes.
//!
//! **In:** [`Request`]s with an [`ir::Question`] each. **Out:** [`Event`]s with verdicts.
//!
//! ```text
//! prover    requests, events                    schedule  queue, priorities, cancelling
//! ask       one question, all its assertions    process   a worker, from outside
//! encode    question -> script                  worker    a worker, from inside
//! model     printed values -> ir values         foreign   libz3 and libc: the unsafe file
//! record    findings by position                store     where findings are kept
//! ```
//!
//! # Invariants
//! - `Proved` comes only from the word `unsat` for the whole script of a well-formed question.
//! - Nothing here reads files or the environment. The clock is read for deadlines only.

mod ask;
mod clock;
mod codec;
mod encode;
mod engine;
mod foreign;
mod model;
mod process;
mod prover;
mod record;
mod repair;
mod schedule;
mod sexpr;
mod shrink;
mod store;
mod wire;
mod witness;
pub mod worker;

pub use ask::{Cost, Limits, smt2};
pub use encode::ENCODER_VERSION;
pub use process::WorkerCommand;
pub use prover::{Answer, Config, Event, Prover, Request, solve_all, solve_here};
pub use schedule::{Priority, Ticket};
pub use store::{MemoryStore, NoStore, Store, StoreKey};

/// The oldest Z3 whose limits and answers can be relied on.
const OLDEST_SOLVER: (u32, u32, u32) = (4, 13, 3);

/// The version of the loaded solver library, or why it cannot be used.
pub fn solver_version() -> Result<String, String> {
    let found @ (major, minor, build) = foreign::version();
    let version = format!("{major}.{minor}.{build}");
    if found >= OLDEST_SOLVER {
        return Ok(version);
    }
    let (a, b, c) = OLDEST_SOLVER;
    Err(format!(
        "libz3 {version} is too old, {a}.{b}.{c} or newer is needed; unset Z3_LIBRARY_PATH_OVERRIDE to use {}",
        z3_dist::VERSION
    ))
}
