//! Which questions a program raises, and what became of them.
//!
//! **In:** a program without static errors. **Out:** a [`Plan`], cut loose from the database; its
//! run gives one [`ObligationState`] per obligation; these become diagnostics of the current text.
//!
//! # Invariants
//! - `complete` is true only when every obligation of the program was built and answered; a second,
//!   independent look at the declarations ([`crate::proof::coverage`]) has to agree.
//! - No database handle is held while the solver works.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use obligations::{Task, UnitKey};

use crate::diagnostics::has_error;
use crate::proof::filter::{Believed, Filter};
use crate::proof::run::Runner;
use crate::proof::schedule::Order;
use crate::proof::state::{
    Doubt, Excuse, Names, ObligationState, Outcome, Told, skipped_unit, state_of,
};
use crate::proof::trusted::Trusted;
use crate::types::Diagnostic;
use crate::{Analysis, ProgramId};

/// How to verify.
#[derive(Clone)]
pub struct VerifyOptions {
    /// Worker processes.
    pub jobs: usize,
    /// Wall-clock limit of one obligation.
    pub time_limit_ms: u64,
    /// Steps of the solver that one question may take, the same on every machine.
    pub step_limit: Option<u32>,
    /// The seed of the solver; 0 is its own default.
    pub seed: u32,
    /// Memory of one worker.
    pub memory_mb: u32,
    /// Which obligations.
    pub filter: Filter,
    /// What is believed.
    pub believed: Believed,
    /// The program that answers questions when started with the argument `worker`.
    pub worker: PathBuf,
    /// Where verdicts are kept.
    pub store: Arc<dyn prover::Store>,
}

/// A question and the unit it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) key: UnitKey,
    pub(crate) task: Task,
}

/// Questions to ask, cut loose from the database.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub(crate) tasks: Vec<Planned>,
    pub(crate) skipped: Vec<ObligationState>,
    /// Was a unit made of everything that the program needs? A filter leaves this as it is.
    pub complete: bool,
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
    /// What a proof takes on faith.
    pub trusted: Vec<Trusted>,
    /// CPU time spent in the solver.
    pub solver_cpu_ms: u64,
}

impl Plan {
    /// How many obligations there are.
    pub fn len(&self) -> usize {
        self.tasks.len() + self.skipped.len()
    }

    /// Is there nothing to ask?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The obligations before any answer.
    pub fn waiting(&self) -> Vec<ObligationState> {
        let open =
            |planned: &Planned| state_of(&planned.task, Outcome::Unknown(Doubt::NoAnswerYet));
        let (mut states, mut names) = self.named_skipped();
        states.extend(self.tasks.iter().map(open).map(|mut state| {
            names.distinguish(&mut state);
            state
        }));
        states
    }

    /// What needs no asking, and the names that are used up by it.
    fn named_skipped(&self) -> (Vec<ObligationState>, Names) {
        let (mut states, mut names) = (self.skipped.clone(), Names::default());
        states.iter_mut().for_each(|state| names.distinguish(state));
        (states, names)
    }

    /// The obligations that have to be asked, in the order in which they will be.
    pub fn waiting_in(&self, order: &Order) -> Vec<ObligationState> {
        let states = self.waiting().split_off(self.skipped.len());
        self.ranked(order).into_iter().map(|(_, number)| states[number].clone()).collect()
    }

    fn ranked(&self, order: &Order) -> Vec<(u32, usize)> {
        let tasks = self.tasks.iter().enumerate();
        let mut ranked: Vec<(u32, usize)> =
            tasks.map(|(number, planned)| (order.priority(&planned.task), number)).collect();
        ranked.sort_unstable();
        ranked
    }

    /// Asks all questions in this order; `sink` hears of each as it starts and ends. Raising
    /// `cancel` ends it early.
    pub fn run(
        &self,
        options: &VerifyOptions,
        order: &Order,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(Told<'_>),
    ) -> Vec<ObligationState> {
        let (mut states, names) = self.named_skipped();
        states.iter().for_each(|state| sink(Told::Ended(state)));
        let mut runner = Runner::new(options, names);
        for (number, planned) in self.tasks.iter().enumerate() {
            runner.submit(number, &planned.task, order.priority(&planned.task));
        }
        states.extend(runner.finish(cancel, sink));
        states
    }
}

impl Analysis {
    /// Checks the program and proves its obligations; `progress` hears (done, total, name).
    pub fn verify(
        &self,
        program: ProgramId,
        options: &VerifyOptions,
        progress: &mut dyn FnMut(usize, usize, &str),
    ) -> VerifyReport {
        let problems = self.check(program);
        if has_error(&problems) {
            return VerifyReport { diagnostics: problems, ..VerifyReport::default() };
        }
        let mut runner = Runner::new(options, Names::default());
        let mut plan = Plan { complete: self.is_covered(program), ..Plan::default() };
        self.each_task(program, options, &mut plan, &mut |number, task| {
            runner.submit(number, task, 0)
        });
        let (mut done, total) = (plan.skipped.len(), plan.len());
        let mut states = plan.skipped.clone();
        states.extend(runner.finish(&AtomicBool::new(false), &mut |told| match told {
            Told::Ended(state) => {
                done += 1;
                progress(done, total, &state.id);
            }
            Told::Started(_) | Told::Waiting => {}
        }));
        let trusted = self.trusted(program, &problems, options.believed);
        let mut diagnostics = problems;
        diagnostics.extend(self.verdict_diagnostics(program, &plan, &states));
        let unasked = self.unasked_claims(program);
        let complete = plan.complete && states.len() == total && unasked.is_empty();
        diagnostics.extend(unasked);
        let micros = solver_micros(&plan, &states);
        VerifyReport {
            diagnostics,
            complete,
            obligations: states,
            trusted,
            solver_cpu_ms: micros / 1000,
        }
    }

    /// What has to be asked, or the static errors that forbid asking.
    pub fn plan(
        &self,
        program: ProgramId,
        options: &VerifyOptions,
    ) -> Result<Plan, Vec<Diagnostic>> {
        let problems = self.check(program);
        if has_error(&problems) {
            return Err(problems);
        }
        let mut plan = Plan { complete: self.is_covered(program), ..Plan::default() };
        self.each_task(program, options, &mut plan, &mut |_, _| {});
        let unasked = self.unasked_claims(program);
        if unasked.is_empty() { Ok(plan) } else { Err(unasked) }
    }

    /// Builds the questions unit by unit, so that solving can begin with the first.
    fn each_task(
        &self,
        program: ProgramId,
        options: &VerifyOptions,
        plan: &mut Plan,
        found: &mut dyn FnMut(usize, &Task),
    ) {
        let input = self.program(program);
        for entry in obligations::units(&self.db, input).iter() {
            if let Some(why) = entry.skipped {
                let state = skipped_unit(entry, why);
                if options.filter.admits_state(&state) {
                    plan.skipped.push(state);
                }
                continue;
            }
            for task in obligations::obligations(&self.db, input, entry.key.clone()).iter() {
                let id = &task.obligation.id;
                if !options.filter.admits(id) {
                    continue;
                }
                if options.believed.covers(id.kind) {
                    plan.skipped.push(state_of(task, Outcome::Skipped(Excuse::Trusted)));
                    continue;
                }
                found(plan.tasks.len(), task);
                plan.tasks.push(Planned { key: entry.key.clone(), task: task.clone() });
            }
        }
    }
}

/// Solver time of a run. Equal questions are asked once and told to everyone who asked.
fn solver_micros(plan: &Plan, states: &[ObligationState]) -> u64 {
    let mut by_question = BTreeMap::new();
    for state in states {
        let Some(planned) = state.task.and_then(|number| plan.tasks.get(number)) else { continue };
        by_question.insert(planned.task.fingerprint, state.solver_micros);
    }
    by_question.into_values().sum()
}
