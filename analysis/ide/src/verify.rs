//! Which questions a program raises, and what became of them.
//!
//! # Invariants
//! - `complete` is true only when every obligation of the program was built and answered.

use std::sync::atomic::AtomicBool;

use crate::types::Diagnostic;
use crate::{Analysis, ProgramId};

/// What the user takes on faith.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// Refinement checks.
    pub refinement: bool,
    /// Declared mover types.
    pub movers: bool,
    /// Non-interference checks.
    pub noninterference: bool,
    /// Sequential checks of invariants.
    pub invariants: bool,
}

/// Which obligations to ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only ids that contain this text (`*` matches anything).
    pub only: Option<String>,
    /// Only this layer.
    pub layer: Option<u32>,
    /// Only this kind.
    pub kind: Option<String>,
}

/// How to verify.
#[derive(Clone, Debug)]
pub struct VerifyOptions {
    /// Worker processes.
    pub jobs: usize,
    /// Wall-clock limit of one obligation.
    pub time_limit_ms: u64,
    /// Which obligations.
    pub filter: Filter,
    /// What is believed.
    pub trust: Trust,
    /// The program that answers questions when started with the argument `worker`.
    pub worker: std::path::PathBuf,
}

/// How one obligation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Proved,
    /// It does not.
    Failed(String),
    /// Nobody knows, and why.
    Unknown(String),
    /// It holds without asking, and why.
    Skipped(String),
}

/// One obligation after a run.
#[derive(Clone, Debug)]
pub struct ObligationState {
    /// The name people see.
    pub id: String,
    /// What kind of check it is.
    pub kind: String,
    /// The layer it is about.
    pub layer: Option<u32>,
    /// The items it is about, the owner first.
    pub subjects: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Taken from the store of verdicts.
    pub cached: bool,
    /// Time in the solver.
    pub millis: u64,
    /// How the failure comes about, line by line.
    pub explanation: Vec<String>,
}

/// Questions to ask, cut loose from the database.
#[derive(Clone, Debug, Default)]
pub struct Plan {}

impl Plan {
    /// How many obligations there are.
    pub fn len(&self) -> usize {
        0
    }

    /// Is there nothing to ask?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Asks all questions; `sink` hears each answer as it comes. Raising `cancel` ends it early.
    pub fn run(
        &self,
        _options: &VerifyOptions,
        _cancel: &AtomicBool,
        _sink: &mut dyn FnMut(&ObligationState),
    ) -> Vec<ObligationState> {
        Vec::new()
    }
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct VerifyReport {
    /// Static problems, or failed proofs and undecided questions.
    pub diagnostics: Vec<Diagnostic>,
    /// Every obligation.
    pub obligations: Vec<ObligationState>,
    /// Was everything that the program needs built and answered?
    pub complete: bool,
    /// CPU time spent in the solver.
    pub solver_cpu_ms: u64,
}

impl Analysis {
    /// Checks the program and proves its obligations; `progress` hears (done, total, name).
    pub fn verify(
        &self,
        program: ProgramId,
        _options: &VerifyOptions,
        _progress: &mut dyn FnMut(usize, usize, &str),
    ) -> VerifyReport {
        VerifyReport { diagnostics: self.check(program), ..VerifyReport::default() }
    }

    /// What has to be asked, or the static errors that forbid asking.
    pub fn plan(
        &self,
        program: ProgramId,
        _options: &VerifyOptions,
    ) -> Result<Plan, Vec<Diagnostic>> {
        let _problems = self.check(program);
        Ok(Plan::default())
    }

    /// Failed and undecided obligations as diagnostics of the current revision.
    pub fn verdict_diagnostics(
        &self,
        _program: ProgramId,
        _plan: &Plan,
        _states: &[ObligationState],
    ) -> Vec<Diagnostic> {
        Vec::new()
    }
}
