//! The prover as others see it: questions in, events out.
//!
//! **In:** [`Request`]s. **Out:** [`Event`]s in a channel, one [`Event::Finished`] per ticket
//! that is not cancelled.
//!
//! # Invariants
//! - Verdicts do not depend on the number of jobs, on the order of requests or on what is in
//!   the store, except where time runs out.
//! - Equal questions are solved once; if they have other names and fail, once for each set of names. Answers that are final are kept in the store; time-outs
//!   and troubles never are.
//! - Dropping the prover kills its workers and waits until they are gone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use ir::{AssertId, Fingerprint, Question, Trust, Verdict};

use crate::ask::{Cost, Limits, ask};
use crate::clock::Deadline;
use crate::engine::{Engine, InProcess};
use crate::process::WorkerCommand;
use crate::record::{Finding, Record, Undecided, names_digest};
use crate::schedule::{Key, Priority, Schedule, Ticket, Waiter, Work};
use crate::store::{Store, StoreKey};

/// How a prover works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The program that calls [`crate::worker::run`].
    pub worker: WorkerCommand,
    /// How many workers there are.
    pub jobs: usize,
    /// Unless a request says otherwise.
    pub limits: Limits,
    /// What one worker may use.
    pub memory_megabytes: u32,
}

/// A question to be answered.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is asked.
    pub question: Arc<Question>,
    /// `ir::canonical::fingerprint` of the question. It decides what is taken for equal, so a
    /// wrong one makes verdicts meaningless.
    pub fingerprint: Fingerprint,
    /// What proofs of this question take on faith.
    pub trust: Trust,
    /// Smaller goes first.
    pub priority: Priority,
    /// Instead of those of the prover.
    pub limits: Option<Limits>,
}

impl Request {
    /// A request with default priority and limits; computes the fingerprint.
    pub fn new(question: Arc<Question>) -> Request {
        let fingerprint = ir::canonical::fingerprint(&question);
        Request {
            question,
            fingerprint,
            trust: Trust::default(),
            priority: Priority::default(),
            limits: None,
        }
    }
}

/// An answer and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// One verdict per assertion, in the order of the program.
    pub verdicts: Vec<(AssertId, Verdict)>,
    /// The quantifiers that were instantiated most, for assertions that ran out of time.
    pub costs: Vec<Cost>,
    /// Was it in the store?
    pub cached: bool,
    /// CPU time of the solver; nothing for stored answers.
    pub solver_time: Duration,
    /// What the solver counted, in units of its resource limit; the same on every machine. Nothing
    /// for stored answers.
    pub steps: u64,
    /// Wall-clock time in a worker, encoding included.
    pub wall_time: Duration,
}

/// What happens to a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A worker has begun with it.
    Started(Ticket),
    /// It is answered; nothing more is said about it.
    Finished(Ticket, Answer),
}

/// Found by one worker for all tickets that asked the same.
#[derive(Clone)]
struct Found {
    /// The question that was asked, which may have other names than those of others who wait.
    question: Arc<Question>,
    record: Arc<Record>,
    cached: bool,
    solver_time: Duration,
    steps: u64,
    wall_time: Duration,
}

/// A pool of workers.
pub struct Prover {
    schedule: Schedule<Option<Found>>,
    config: Config,
    store: Arc<dyn Store>,
    solver_version: String,
    events: Sender<Event>,
}

impl Prover {
    /// A prover and the channel of its events, or why the solver cannot be used. Workers are
    /// started when there is work.
    pub fn new(config: Config, store: Arc<dyn Store>) -> Result<(Prover, Receiver<Event>), String> {
        let solver_version = crate::solver_version()?;
        let (events, receiver) = unbounded();
        let schedule = Schedule::new(&config.worker, config.memory_megabytes, config.jobs, None);
        Ok((Prover { schedule, config, store, solver_version, events }, receiver))
    }

    /// Asks a question.
    pub fn submit(&self, request: Request) -> Ticket {
        let Request { question, fingerprint, trust, priority, limits } = request;
        let limits = limits.unwrap_or(self.config.limits);
        let key = StoreKey::new(&fingerprint, &self.solver_version, limits.seed);
        let store = Arc::clone(&self.store);
        let own = Arc::clone(&question);
        let work: Work<Option<Found>> =
            Arc::new(move |engine| Some(find(&own, engine, limits, (&key, store.as_ref()))));
        let events = self.events.clone();
        let waiter = Asker { question, trust, key, limits, work: Arc::clone(&work), events };
        self.schedule.submit(in_flight(&key, limits), priority, work, Box::new(waiter))
    }

    /// Withdraws questions. There will be no [`Event::Finished`] for them unless it was sent
    /// before. Workers that work for nobody else are killed at once.
    pub fn cancel(&self, tickets: &[Ticket]) {
        self.schedule.cancel(tickets);
    }

    /// How many questions are open.
    pub fn open(&self) -> usize {
        self.schedule.open()
    }
}

/// Answers all requests and returns the answers in their order. `progress` is called with
/// the number of each finished request.
pub fn solve_all(
    config: Config,
    store: Arc<dyn Store>,
    requests: Vec<Request>,
    mut progress: impl FnMut(usize, &Answer),
) -> Result<Vec<Answer>, String> {
    let (prover, events) = Prover::new(config, store)?;
    let tickets: Vec<Ticket> = requests.into_iter().map(|request| prover.submit(request)).collect();
    let mut answers: Vec<Option<Answer>> = vec![None; tickets.len()];
    let mut open = tickets.len();
    while open > 0 {
        let Ok(event) = events.recv() else { break };
        if let Event::Finished(ticket, answer) = event
            && let Ok(nth) = tickets.binary_search(&ticket)
        {
            progress(nth, &answer);
            answers[nth] = Some(answer);
            open -= 1;
        }
    }
    answers
        .into_iter()
        .collect::<Option<Vec<Answer>>>()
        .ok_or_else(|| "the prover stopped early".to_owned())
}

/// Answers one question with the solver in this process, for tests and small tools: nothing
/// can stop it but the limits of the solver.
pub fn solve_here(question: &Question, limits: Limits) -> Vec<(AssertId, Verdict)> {
    let mut engine = InProcess::new(2048);
    solve_record(question, &mut engine, limits).verdicts(question, &Trust::default())
}

fn find(
    question: &Arc<Question>,
    engine: &mut dyn Engine,
    limits: Limits,
    (key, store): (&StoreKey, &dyn Store),
) -> Found {
    let clock = Deadline::after(limits.time);
    let runs = || key.with_names(&names_digest(question));
    let stored = |key: &StoreKey| {
        let record = serde_json::from_slice::<Record>(&store.load(key)?).ok()?;
        (record.is_final() && record.explains(question)).then_some(record)
    };
    if let Some(record) = stored(key).or_else(|| stored(&runs())) {
        let record = Arc::new(record);
        return Found {
            question: Arc::clone(question),
            record,
            cached: true,
            solver_time: Duration::ZERO,
            steps: 0,
            wall_time: clock.spent(),
        };
    }
    let record = solve_record(question, engine, limits);
    if record.is_final()
        && let Ok(bytes) = serde_json::to_vec(&record)
    {
        store.save(&if record.is_proof() { *key } else { runs() }, &bytes);
    }
    let solver_time = Duration::from_micros(engine.take_cpu_microseconds());
    Found {
        question: Arc::clone(question),
        record: Arc::new(record),
        cached: false,
        solver_time,
        steps: engine.take_steps(),
        wall_time: clock.spent(),
    }
}

/// What is taken for the same work: the same question with the same limits, since who has more
/// time should not get a time-out of somebody who has less.
fn in_flight(key: &StoreKey, limits: Limits) -> Key {
    let Limits { time, steps, seed } = limits;
    let mut hash = blake3::Hasher::new();
    hash.update(&key.0);
    hash.update(format!("{time:?} {steps:?} {seed}").as_bytes());
    *hash.finalize().as_bytes()
}

/// A panic of ours costs one answer.
fn solve_record(question: &Question, engine: &mut dyn Engine, limits: Limits) -> Record {
    catch_unwind(AssertUnwindSafe(|| ask(question, engine, limits)))
        .unwrap_or_else(|_| panicked(question))
}

fn panicked(question: &Question) -> Record {
    Record::all(
        question,
        &Finding::Undecided(Undecided::Internal("the prover panicked".to_owned())),
    )
}

/// Who waits for an answer.
struct Asker {
    question: Arc<Question>,
    trust: Trust,
    key: StoreKey,
    limits: Limits,
    /// Answers the question under its own names.
    work: Work<Option<Found>>,
    events: Sender<Event>,
}

impl Waiter<Option<Found>> for Asker {
    fn started(&self, ticket: Ticket) {
        drop(self.events.send(Event::Started(ticket)));
    }

    fn finished(&self, ticket: Ticket, found: &Option<Found>) {
        let answer = match found {
            Some(found) => Answer {
                verdicts: found.record.verdicts(&self.question, &self.trust),
                costs: if *found.question == *self.question {
                    found.record.costs.clone()
                } else {
                    Vec::new()
                },
                cached: found.cached,
                solver_time: found.solver_time,
                steps: found.steps,
                wall_time: found.wall_time,
            },
            None => Answer {
                verdicts: panicked(&self.question).verdicts(&self.question, &self.trust),
                costs: Vec::new(),
                cached: false,
                solver_time: Duration::ZERO,
                steps: 0,
                wall_time: Duration::ZERO,
            },
        };
        drop(self.events.send(Event::Finished(ticket, answer)));
    }

    /// A failing run of an equal question shows the names of that question; ours are wanted.
    fn instead(&self, found: &Option<Found>) -> Option<(Key, Work<Option<Found>>)> {
        let found = found.as_ref()?;
        if found.record.explains(&self.question) {
            return None;
        }
        let own = names_digest(&self.question);
        // Once is enough: under the same names nothing else would be found.
        let asked = names_digest(&found.question) == own;
        let key = in_flight(&self.key.with_names(&own), self.limits);
        (!asked).then(|| (key, Arc::clone(&self.work)))
    }
}
