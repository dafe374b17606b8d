//! The thread that has programs proved.
//!
//! **In:** programs to prove, with a snapshot each. **Out:** progress events to the session.
//!
//! # Invariants
//! - No snapshot is held while the solver works: an edit never waits for a proof.
//! - Every run ends in exactly one `finished` event or is overtaken by a newer one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use ide::{Filter, ObligationState, Plan, ProgramId, Trust, VerifyOptions};

use super::outgoing::{Message, Outgoing};
use super::publish::ProgramProofs;
use super::{Event, Snapshot};
use crate::lsp::ext;

/// What one worker may use.
const WORKER_MEGABYTES: u32 = 1024;
/// Results are shown at most so often.
const BREATH: Duration = Duration::from_millis(60);

/// What the verifier tells the session.
pub(crate) enum Progress {
    Found { program: ProgramId, run: u64, proofs: ProgramProofs },
    NeedsSnapshot { answer: Sender<Snapshot> },
}

struct Job {
    program: ProgramId,
    run: u64,
    filter: Filter,
    snapshot: Snapshot,
    cancel: Arc<AtomicBool>,
}

pub(crate) struct Verifier {
    jobs: Sender<Job>,
    current: BTreeMap<ProgramId, (u64, Arc<AtomicBool>)>,
    next_run: AtomicU64,
}

impl Verifier {
    pub(crate) fn start(outgoing: Outgoing, session: Sender<Event>) -> Verifier {
        let (jobs, queue) = crossbeam_channel::unbounded();
        let work = move || Worker { outgoing, session }.run(&queue);
        let thread =
            std::thread::Builder::new().name("verifier".into()).stack_size(64 << 20).spawn(work);
        if let Err(error) = thread {
            crate::cli::complain(&format!("cannot start the verifier thread: {error}"));
        }
        Verifier { jobs, current: BTreeMap::new(), next_run: AtomicU64::new(1) }
    }

    /// Proves a program; a run of it that is under way ends.
    pub(crate) fn verify(&mut self, program: ProgramId, filter: Filter, snapshot: Snapshot) {
        self.overtaken(program);
        let run = self.next_run.fetch_add(1, Ordering::Relaxed);
        let cancel = Arc::new(AtomicBool::new(false));
        self.current.insert(program, (run, Arc::clone(&cancel)));
        let _thread_gone = self.jobs.send(Job { program, run, filter, snapshot, cancel });
    }

    /// The program changed: nobody wants the old answers.
    pub(crate) fn overtaken(&mut self, program: ProgramId) {
        if let Some((_, cancel)) = self.current.remove(&program) {
            cancel.store(true, Ordering::Relaxed);
        }
    }

    pub(crate) fn cancel_all(&mut self) {
        for (_, cancel) in std::mem::take(&mut self.current).into_values() {
            cancel.store(true, Ordering::Relaxed);
        }
    }

    pub(crate) fn is_current(&self, program: ProgramId, run: u64) -> bool {
        self.current.get(&program).is_some_and(|(current, _)| *current == run)
    }
}

/// One run of one program.
struct Run<'a> {
    program: ProgramId,
    number: u64,
    plan: &'a Plan,
}

struct Worker {
    outgoing: Outgoing,
    session: Sender<Event>,
}

impl Worker {
    fn run(&self, queue: &Receiver<Job>) {
        for job in queue {
            if job.cancel.load(Ordering::Relaxed) {
                continue;
            }
            let outcome =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.prove(job)));
            if let Err(payload) = outcome {
                crate::cli::complain(&format!("verifier: {}", crate::panic_text(payload.as_ref())));
            }
        }
    }

    fn prove(&self, job: Job) {
        let Job { program, run, filter, snapshot, cancel } = job;
        let options = options(&snapshot, filter);
        let plan = snapshot.analysis.ask(|analysis| analysis.plan(program, &options));
        drop(snapshot);
        let plan = match plan {
            Ok(Ok(plan)) => plan,
            // Static errors are already shown, and an edit asks again.
            Ok(Err(_)) | Err(_) => {
                return self.post(program, run, ProgramProofs::ended(Vec::new(), Vec::new()));
            }
        };
        self.solve(&Run { program, number: run, plan: &plan }, &options, &cancel);
    }

    fn solve(&self, run: &Run<'_>, options: &VerifyOptions, cancel: &AtomicBool) {
        let token = format!("civl/verify/{}", run.number);
        let total = run.plan.len();
        let title = "civl: verifying".into();
        self.outgoing.send(Message::ProgressBegin { token: token.clone(), title });
        let mut shown_at = Instant::now();
        let mut states: Vec<ObligationState> = Vec::new();
        let finished = run.plan.run(options, cancel, &mut |state| {
            states.push(state.clone());
            if shown_at.elapsed() >= BREATH || states.len() == 1 {
                shown_at = Instant::now();
                self.report(&token, states.len(), total, &state.id);
                self.show(run, states.clone(), false);
            }
        });
        if cancel.load(Ordering::Relaxed) {
            self.outgoing.send(Message::ProgressEnd { token, message: "cancelled".into() });
            self.outgoing.send(Message::Status(ext::status("cancelled", 0, total)));
            return;
        }
        let done = finished.len();
        self.show(run, finished, true);
        let message = format!("{done} of {total}");
        self.outgoing.send(Message::ProgressEnd { token, message });
        self.outgoing.send(Message::Status(ext::status("idle", done, total)));
    }

    fn report(&self, token: &str, done: usize, total: usize, name: &str) {
        let percentage = u32::try_from(done * 100 / total.max(1)).unwrap_or(100).min(100);
        let message = format!("{done} of {total}: {name}");
        self.outgoing.send(Message::ProgressReport {
            token: token.to_owned(),
            message,
            percentage,
        });
        self.outgoing.send(Message::Status(ext::status("verifying", done, total)));
    }

    /// Words and places of the verdicts so far, at the present revision.
    fn show(&self, run: &Run<'_>, states: Vec<ObligationState>, finished: bool) {
        let Some(snapshot) = self.snapshot() else { return };
        let words =
            |analysis: &ide::Analysis| analysis.verdict_diagnostics(run.program, run.plan, &states);
        let diagnostics = snapshot.analysis.ask(words);
        drop(snapshot);
        if let Ok(diagnostics) = diagnostics {
            let proofs = ProgramProofs { states, diagnostics, stale: false, finished };
            self.post(run.program, run.number, proofs);
        }
    }

    fn snapshot(&self) -> Option<Snapshot> {
        let (answer, snapshot) = crossbeam_channel::bounded(1);
        self.session.send(Event::Progress(Progress::NeedsSnapshot { answer })).ok()?;
        snapshot.recv().ok()
    }

    fn post(&self, program: ProgramId, run: u64, proofs: ProgramProofs) {
        let _session_gone =
            self.session.send(Event::Progress(Progress::Found { program, run, proofs }));
    }
}

impl ProgramProofs {
    fn ended(states: Vec<ObligationState>, diagnostics: Vec<ide::Diagnostic>) -> ProgramProofs {
        ProgramProofs { states, diagnostics, stale: false, finished: true }
    }
}

fn options(snapshot: &Snapshot, filter: Filter) -> VerifyOptions {
    VerifyOptions {
        jobs: snapshot.settings.job_count(),
        time_limit_ms: (snapshot.settings.time_limit * 1000.0) as u64,
        seed: 0,
        filter,
        trust: Trust::default(),
        worker: std::env::current_exe().unwrap_or_default(),
        memory_mb: WORKER_MEGABYTES,
        store: if snapshot.settings.cache {
            crate::cache::open(None)
        } else {
            Arc::new(ide::NoStore)
        },
    }
}
