//! The thread that has programs proved.
//!
//! **In:** the jobs that [`Queue`] has next, one at a time. **Out:** progress events to the session.
//!
//! # Invariants
//! - No snapshot is held while the solver works: an edit never waits for a proof.
//! - Every job that was started ends in exactly one [`Progress::Ended`], also if it was cancelled or
//!   panicked; before that a run that nobody took back has told its last news or was refused.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};
use ide::{
    Believed, Filter, History, ObligationState, Order, Outcome, Plan, ProgramId, Told,
    VerifyOptions,
};

use super::outgoing::{Message, Outgoing};
use super::pace::Pace;
use super::proofs::{News, Waiting};
use super::publish::{FileSeen, files_of};
use super::queue::{Job, Queue, Wish};
use super::{Event, Snapshot};

/// What one worker may use.
const WORKER_MEGABYTES: u32 = 1024;
/// What the verifier tells the session.
pub(crate) enum Progress {
    /// A run begins.
    Begun {
        program: ProgramId,
        run: u64,
        begun: Begun,
    },
    /// It has found something.
    News {
        program: ProgramId,
        run: u64,
        news: News,
    },
    /// Nothing can be asked: there are static errors.
    Refused {
        program: ProgramId,
        run: u64,
    },
    NeedsSnapshot {
        answer: Sender<Snapshot>,
    },
    /// The thread is done with this run, whatever came of it.
    Ended {
        run: u64,
    },
}

/// The obligations of a program, before any answer.
pub(crate) struct Begun {
    pub(crate) waiting: Vec<Waiting>,
    /// Those that the run asks, if it leaves some out.
    pub(crate) asked: Option<BTreeSet<String>>,
    pub(crate) files: Vec<FileSeen>,
}

/// The queue and the thread behind it.
pub(crate) struct Verifier {
    pub(crate) queue: Queue,
    jobs: Sender<Job>,
}

impl Verifier {
    pub(crate) fn start(outgoing: Outgoing, session: Sender<Event>) -> Verifier {
        let (jobs, queue) = crossbeam_channel::unbounded();
        let work = move || Worker { outgoing, session, history: RefCell::default() }.run(&queue);
        let thread =
            std::thread::Builder::new().name("verifier".into()).stack_size(64 << 20).spawn(work);
        if let Err(error) = thread {
            crate::cli::complain(&format!("cannot start the verifier thread: {error}"));
        }
        Verifier { queue: Queue::default(), jobs }
    }

    /// Starts the next job if none is under way. The programs of jobs that nobody can work on are the
    /// answer; there are none while the thread lives.
    pub(crate) fn start_next(&mut self) -> Vec<ProgramId> {
        let mut lost = Vec::new();
        while let Some(job) = self.queue.next() {
            if let Err(unsent) = self.jobs.send(job) {
                let Job { program, run, .. } = unsent.into_inner();
                crate::cli::complain("there is no verifier thread");
                self.queue.ended(run);
                lost.push(program);
            }
        }
        lost
    }
}

impl Wish {
    /// The filter at the present revision.
    fn filter(&self, snapshot: &Snapshot) -> Filter {
        let analysis = &snapshot.analysis;
        let here = self.place.and_then(|place| match place.above {
            true => Some(analysis.subjects_before(place.file, place.offset)),
            false => analysis.subject_at(place.file, place.offset).map(|name| vec![name]),
        });
        Filter { subjects: here.or(self.filter.subjects.clone()), ..self.filter.clone() }
    }

    fn first(&self, snapshot: &Snapshot) -> Vec<String> {
        let edited = self.last_edit;
        let edited = edited.and_then(|(file, at)| snapshot.analysis.subject_at(file, at));
        edited.into_iter().chain(self.first.clone()).collect()
    }
}

/// One run of one program.
struct Run<'a> {
    program: ProgramId,
    number: u64,
    plan: &'a Plan,
    cancel: &'a AtomicBool,
    vacuity: bool,
}

struct Worker {
    outgoing: Outgoing,
    session: Sender<Event>,
    /// What finished runs found, so that the next one asks first what matters most.
    history: RefCell<BTreeMap<ProgramId, History>>,
}

impl Worker {
    fn run(&self, queue: &Receiver<Job>) {
        for job in queue {
            let outcome = guarded(|| self.prove(&job));
            if let Err(why) = outcome {
                crate::cli::complain(&format!("verifier: {why}"));
                self.post(Progress::Refused { program: job.program, run: job.run });
            }
            self.post(Progress::Ended { run: job.run });
        }
    }

    fn prove(&self, job: &Job) {
        let Job { program, run, wish, cancel, .. } = job;
        let planned = self.ask(cancel, |snapshot| {
            let options = options(snapshot, wish.filter(snapshot));
            let plan = snapshot.analysis.plan(*program, &options);
            // Of what is not all that the program needs, nothing is shown as proved.
            let plan = plan.ok().filter(|plan| plan.complete)?;
            let begun = begun(snapshot, *program, &plan, &options)?;
            let first = wish.first(snapshot);
            let refined = snapshot.analysis.refined_by(*program, &first);
            let history = self.history.borrow().get(program).cloned().unwrap_or_default();
            Some((options, plan, begun, Order { first, refined, history }))
        });
        let Some(planned) = planned else { return };
        let Some((options, plan, begun, order)) = planned else {
            // Static errors are already shown, and an edit asks again.
            return self.post(Progress::Refused { program: *program, run: *run });
        };
        self.post(Progress::Begun { program: *program, run: *run, begun });
        let vacuity = wish.vacuity;
        let run = Run { program: *program, number: *run, plan: &plan, cancel, vacuity };
        self.solve(&run, &options, &order);
    }

    fn solve(&self, run: &Run<'_>, options: &VerifyOptions, order: &Order) {
        let token = format!("civl/verify/{}", run.number);
        let total = run.plan.len();
        let title = "civl: verifying".into();
        self.outgoing.send(Message::ProgressBegin { token: token.clone(), title });
        let mut pace = Pace::new(total, Instant::now());
        let mut done = 0;
        let mut news = Untold::default();
        let states = run.plan.run(options, order, run.cancel, &mut |told| {
            match told {
                Told::Started(state) => news.started.push(state.id.clone()),
                Told::Ended(state) => {
                    done += 1;
                    let questioned = state.asked || state.cached;
                    pace.heard(questioned && order.is_awaited(&state.subjects));
                    news.ended.push(state.clone());
                }
                Told::Waiting => {}
            }
            if !news.is_empty() && pace.is_time(Instant::now()) {
                self.report(&token, done, total, news.last_name());
                self.show(run, std::mem::take(&mut news), None);
            }
        });
        let message = if run.cancel.load(Ordering::Relaxed) {
            "cancelled".to_owned()
        } else {
            self.history.borrow_mut().entry(run.program).or_default().learn(&states);
            if run.vacuity {
                self.report(&token, done, total, "looking for contradictory assumptions");
            }
            let reached = self.reached(run, options, &states);
            let found = self.show(run, news, Some(&reached));
            match run.vacuity {
                false => format!("{done} of {total}"),
                true if run.cancel.load(Ordering::Relaxed) => "cancelled".to_owned(),
                true => format!("{done} of {total}{}", contradictions(found, &reached)),
            }
        };
        self.outgoing.send(Message::ProgressEnd { token, message });
    }

    fn report(&self, token: &str, done: usize, total: usize, name: &str) {
        let percentage = u32::try_from(done * 100 / total.max(1)).unwrap_or(100).min(100);
        let message = format!("{done} of {total}: {name}");
        self.outgoing.send(Message::ProgressReport {
            token: token.to_owned(),
            message,
            percentage,
        });
    }

    /// Which assertions of proved obligations a run can get to, if somebody wants to know.
    fn reached(
        &self,
        run: &Run<'_>,
        options: &VerifyOptions,
        states: &[ObligationState],
    ) -> Vec<ObligationState> {
        if !run.vacuity {
            return Vec::new();
        }
        run.plan.run_vacuity(options, states, run.cancel)
    }

    /// Words and places of the newest verdicts, at the present revision. `last`: the run is over, and
    /// this is known about which assertions are reached. The answer is how many are not.
    fn show(&self, run: &Run<'_>, untold: Untold, last: Option<&[ObligationState]>) -> usize {
        let Untold { started, ended } = untold;
        let words = self.ask(run.cancel, |snapshot| {
            let mut found = snapshot.analysis.verdict_diagnostics(run.program, run.plan, &ended);
            let reached = last.unwrap_or_default();
            let vacuous = snapshot.analysis.vacuity_diagnostics(run.program, run.plan, reached);
            let count = vacuous.len();
            found.extend(vacuous);
            (found, count)
        });
        let Some((diagnostics, vacuous)) = words else { return 0 };
        let news = News { started, ended, diagnostics, finished: last.is_some() };
        self.post(Progress::News { program: run.program, run: run.number, news });
        vacuous
    }

    /// Has a question answered. An edit of another program makes it being asked again; an edit of
    /// this one cancels the run, and then there is no answer.
    fn ask<T>(&self, cancel: &AtomicBool, question: impl Fn(&Snapshot) -> T) -> Option<T> {
        loop {
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            let snapshot = self.snapshot()?;
            if let Ok(answer) = snapshot.analysis.ask(|_| question(&snapshot)) {
                return Some(answer);
            }
        }
    }

    fn snapshot(&self) -> Option<Snapshot> {
        let (answer, snapshot) = crossbeam_channel::bounded(1);
        self.session.send(Event::Progress(Progress::NeedsSnapshot { answer })).ok()?;
        snapshot.recv().ok()
    }

    fn post(&self, progress: Progress) {
        let _session_gone = self.session.send(Event::Progress(progress));
    }
}

/// What looking for contradictory assumptions has led to; what could not be decided is no answer.
fn contradictions(found: usize, reached: &[ObligationState]) -> String {
    let open = |it: &&ObligationState| matches!(it.outcome, Outcome::Unknown(_));
    match (found, reached.iter().filter(open).count()) {
        (0, 0) => ", no contradictory assumptions found".to_owned(),
        (0, open) => format!(", whether assumptions contradict is undecided for {open}"),
        (found, _) => format!(", {found} proved only from contradictory assumptions"),
    }
}

/// A panic costs what panicked.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    outcome.map_err(|payload| crate::panic_text(payload.as_ref()))
}

/// What a run has heard and not yet told.
#[derive(Default)]
struct Untold {
    started: Vec<String>,
    ended: Vec<ObligationState>,
}

impl Untold {
    fn is_empty(&self) -> bool {
        self.started.is_empty() && self.ended.is_empty()
    }

    /// What was heard of last, more or less.
    fn last_name(&self) -> &str {
        let ended = self.ended.last().map(|state| &state.id);
        self.started.last().or(ended).map_or("", |id| id)
    }
}

/// A run of a part lists the whole program, so that nobody takes the part for it.
fn begun(
    snapshot: &Snapshot,
    program: ProgramId,
    plan: &Plan,
    options: &VerifyOptions,
) -> Option<Begun> {
    let owned = |state: ObligationState| {
        let first = state.subjects.first();
        let owner = first.and_then(|subject| snapshot.analysis.owner(program, subject));
        (state, owner)
    };
    let mut waiting = plan.waiting();
    let mut asked = None;
    if options.filter != Filter::default() {
        asked = Some(waiting.into_iter().map(|state| state.id).collect());
        let whole = VerifyOptions { filter: Filter::default(), ..options.clone() };
        waiting = snapshot.analysis.plan(program, &whole).ok()?.waiting();
    }
    let waiting = waiting.into_iter().map(owned).collect();
    Some(Begun { waiting, asked, files: files_of(snapshot, program) })
}

/// How proofs are made in this session.
pub(crate) fn options(snapshot: &Snapshot, filter: Filter) -> VerifyOptions {
    VerifyOptions {
        jobs: snapshot.settings.job_count(),
        time_limit_ms: (snapshot.settings.time_limit * 1000.0) as u64,
        step_limit: None,
        seed: 0,
        filter,
        believed: Believed::default(),
        worker: std::env::current_exe().unwrap_or_default(),
        memory_mb: WORKER_MEGABYTES,
        store: if snapshot.settings.cache {
            crate::cache::open(None)
        } else {
            Arc::new(ide::NoStore)
        },
    }
}
