//! The `civl` program as a library: command line and language server over one engine.
//!
//! **In:** arguments, files, an editor's messages. **Out:** reports, exit codes, answers.
//!
//! # Invariants
//! - This is the only crate that reads files, the clock or the environment, and inside it only
//!   `files`, `cache` and the entry points do.
//! - A panic anywhere ends in exit code 4 and a message; it is never read as a proof.

#![allow(
    clippy::disallowed_methods,
    reason = "this crate is where files, clock and environment are read"
)]

pub mod cache;
pub mod cli;
pub mod files;
mod handlers;
pub mod lsp;
pub mod manifest;
pub mod programs;
mod session;
mod told;
pub mod usage;

use std::process::ExitCode;

/// Room for the recursive parts of the front end; trees of hostile depth are cut off long before.
const STACK_BYTES: usize = 256 << 20;

/// Runs `civl` with the process arguments on a thread with a roomy stack.
pub fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    // Workers are started often: nothing may stand between them and the solver.
    if arguments.get(1).is_some_and(|first| first == "worker") {
        let rest: Vec<String> =
            arguments[2..].iter().map(|a| a.to_string_lossy().into_owned()).collect();
        return ide::run_worker(&rest)
            .map_or_else(|why| internal_error(&why), |()| cli::Exit::Proved.into());
    }
    let work = std::thread::Builder::new().name("civl".into()).stack_size(STACK_BYTES);
    let outcome = work.spawn(|| cli::run(arguments)).map(std::thread::JoinHandle::join);
    match outcome {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(payload)) => internal_error(&panic_text(payload.as_ref())),
        Err(error) => internal_error(&format!("cannot start the main thread: {error}")),
    }
}

/// What a panic said, for people.
pub(crate) fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown cause".into())
}

fn internal_error(cause: &str) -> ExitCode {
    cli::complain(&format!("internal error: {cause}\nNothing was verified. Please report this."));
    cli::Exit::Internal.into()
}
