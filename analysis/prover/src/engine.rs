//! What the rest of the crate sees of a solver: scripts go in, printed text comes out.
//!
//! Two things are engines: a worker process ([`crate::process::Worker`]) and, for tests and
//! for tools that solve a saved script, the library in this process ([`InProcess`]).

use std::time::Duration;

use crate::foreign::{Context, SolverError};

/// Where a script is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// In a new context with default options.
    Fresh,
    /// After the scripts since the last fresh start.
    Continue,
}

/// Why there is no answer. Every case ends in `Unknown`, never in a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The solver reported an error in the script or about itself; its words.
    Solver(String),
    /// The time was over before the worker answered; it was killed.
    Time,
    /// Nobody wants the answer any more; the worker was killed.
    Cancelled,
    /// The worker ended without an answer.
    Ended(String),
    /// The worker ended because its memory was used up.
    Memory,
    /// The worker answered something that is no answer.
    Garbage(String),
}

pub(crate) trait Engine {
    /// Runs `script` and returns what it prints, within `time`.
    fn eval(&mut self, start: Start, script: &str, time: Duration) -> Result<String, Trouble>;

    /// CPU time that the solver has used since the last call of this function.
    fn take_cpu_microseconds(&mut self) -> u64;

    /// What the solver has counted since the last call of this function, in units of its resource
    /// limit; 0 if nobody knows.
    fn take_steps(&mut self) -> u64 {
        0
    }
}

/// The solver in this process. It cannot be stopped from outside, so it only serves callers
/// that can afford to wait for the limits in the script.
pub(crate) struct InProcess {
    memory_megabytes: u32,
    context: Option<Context>,
}

impl InProcess {
    pub(crate) fn new(memory_megabytes: u32) -> InProcess {
        InProcess { memory_megabytes, context: None }
    }
}

impl Engine for InProcess {
    fn eval(&mut self, start: Start, script: &str, _time: Duration) -> Result<String, Trouble> {
        if start == Start::Fresh {
            self.context = None;
        }
        let context = match &mut self.context {
            Some(context) => context,
            None => self.context.insert(Context::new(self.memory_megabytes).map_err(solver)?),
        };
        context.eval(script).map_err(solver)
    }

    fn take_cpu_microseconds(&mut self) -> u64 {
        0
    }
}

fn solver(error: SolverError) -> Trouble {
    Trouble::Solver(error.0)
}
