//! Asking the prover: tasks in, states out.
//!
//! # Invariants
//! - Every submitted task gets exactly one state, in the order of submission; a prover that cannot
//!   start, or ends early, makes them "unknown".

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ir::{Proof, Reason, Trust, Verdict};
use obligations::Task;
use prover::{Answer, Config, Event, Limits, Prover, Request, Ticket, WorkerCommand};

use crate::proof::plan::VerifyOptions;
use crate::proof::state::{Doubt, Names, ObligationState, Outcome, Told, judge, state_of};

/// How often a cancellation is looked for.
const GLANCE: Duration = Duration::from_millis(5);

pub(crate) struct Runner {
    prover: Result<(Prover, Events), String>,
    open: BTreeMap<Ticket, usize>,
    states: Vec<ObligationState>,
    /// Answers that came without asking, not yet told.
    untold: Vec<usize>,
    names: Names,
}

type Events = crossbeam_channel::Receiver<Event>;

impl Runner {
    pub(crate) fn new(options: &VerifyOptions, names: Names) -> Runner {
        let config = Config {
            worker: WorkerCommand {
                program: options.worker.clone().into_os_string(),
                arguments: vec!["worker".into()],
            },
            jobs: options.jobs.max(1),
            limits: Limits {
                time: Duration::from_millis(options.time_limit_ms),
                steps: options.step_limit,
                seed: options.seed,
            },
            memory_megabytes: options.memory_mb,
        };
        let prover = Prover::new(config, Arc::clone(&options.store));
        Runner { prover, open: BTreeMap::new(), states: Vec::new(), untold: Vec::new(), names }
    }

    /// Asks one task; `number` is its place in the plan, a smaller `priority` goes first.
    pub(crate) fn submit(&mut self, number: usize, task: &Task, priority: u32) {
        let mut state = state_of(task, Outcome::default());
        state.task = Some(number);
        self.names.distinguish(&mut state);
        let place = self.states.len();
        if let Some(outcome) = without_asking(task) {
            state.outcome = outcome;
            self.untold.push(place);
        } else {
            match &self.prover {
                Ok((prover, _)) => {
                    self.open.insert(prover.submit(request(task, priority)), place);
                }
                Err(why) => {
                    state.outcome = Outcome::Unknown(Doubt::NoProver(why.clone()));
                    self.untold.push(place);
                }
            }
        }
        self.states.push(state);
    }

    /// Waits for all answers.
    pub(crate) fn finish(
        mut self,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(Told<'_>),
    ) -> Vec<ObligationState> {
        for place in std::mem::take(&mut self.untold) {
            sink(Told::Ended(&self.states[place]));
        }
        while !self.open.is_empty() && !cancel.load(Ordering::Relaxed) {
            let Ok((_, events)) = &self.prover else { break };
            match events.recv_timeout(GLANCE) {
                Ok(Event::Finished(ticket, answer)) => {
                    if let Some(place) = self.open.remove(&ticket) {
                        settle(&mut self.states[place], &answer);
                        sink(Told::Ended(&self.states[place]));
                    }
                }
                Ok(Event::Started(ticket)) => {
                    if let Some(place) = self.open.get(&ticket) {
                        sink(Told::Started(&self.states[*place]));
                    }
                }
                Err(crossbeam_channel::RecvTimeoutError::Timeout) => sink(Told::Waiting),
                Err(crossbeam_channel::RecvTimeoutError::Disconnected) => break,
            }
        }
        let cancelled = cancel.load(Ordering::Relaxed);
        let doubt = if cancelled { Doubt::Reason(Reason::Cancelled) } else { Doubt::ProverStopped };
        for place in self.open.into_values() {
            self.states[place].outcome = Outcome::Unknown(doubt.clone());
            // Whoever listens to a run that nobody took back hears of every obligation.
            if !cancelled {
                sink(Told::Ended(&self.states[place]));
            }
        }
        self.states
    }
}

/// What is unsupported is unknown; what has no assertion is proved by having none.
fn without_asking(task: &Task) -> Option<Outcome> {
    if let Some(problem) = task.unsupported.first() {
        let reason = Reason::Unsupported(problem.what.clone());
        return Some(Outcome::Unknown(Doubt::Reason(reason)));
    }
    if !task.asserts.is_empty() {
        return None;
    }
    let proof = Proof::simplification(&task.obligation.question, Trust::default());
    Verdict::from_proof(proof).is_proved().then_some(Outcome::Proved)
}

fn request(task: &Task, priority: u32) -> Request {
    Request {
        question: Arc::new(task.obligation.question.clone()),
        fingerprint: task.fingerprint,
        trust: Trust::default(),
        priority: prover::Priority(priority),
        limits: None,
    }
}

fn settle(state: &mut ObligationState, answer: &Answer) {
    let (outcome, open) = judge(&answer.verdicts);
    state.outcome = outcome;
    state.open = open;
    state.costs = answer.costs.clone();
    state.timed_out = matches!(state.outcome, Outcome::Unknown(_))
        && answer.verdicts.iter().any(|(_, verdict)| ran_out(verdict));
    state.cached = answer.cached;
    state.asked = !answer.cached;
    state.millis = u64::try_from(answer.wall_time.as_millis()).unwrap_or(u64::MAX);
    state.steps = answer.steps;
    state.solver_micros = u64::try_from(answer.solver_time.as_micros()).unwrap_or(u64::MAX);
}

fn ran_out(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(Reason::TimedOut(_) | Reason::OutOfResource(_)))
}
