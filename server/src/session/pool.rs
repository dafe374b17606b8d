//! Threads that answer readers: two for requests, one for diagnostics.
//!
//! # Invariants
//! - A panic of a job costs the job.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam_channel::Sender;

pub(crate) type Job = Box<dyn FnOnce() + Send>;

const STACK_BYTES: usize = 64 << 20;

pub(crate) struct Pool {
    requests: Sender<Job>,
    background: Sender<Job>,
}

impl Pool {
    pub(crate) fn start() -> Pool {
        Pool { requests: lane("reader", 2), background: lane("checker", 1) }
    }

    /// Runs a job that a person waits for.
    pub(crate) fn run(&self, job: Job) {
        let _no_thread = self.requests.send(job);
    }

    /// Runs a job that nobody waits for.
    pub(crate) fn run_in_background(&self, job: Job) {
        let _no_thread = self.background.send(job);
    }
}

fn lane(name: &str, threads: usize) -> Sender<Job> {
    let (sender, receiver) = crossbeam_channel::unbounded::<Job>();
    for _ in 0..threads {
        let receiver = receiver.clone();
        let work = move || {
            for job in receiver {
                if let Err(payload) = catch_unwind(AssertUnwindSafe(job)) {
                    crate::cli::complain(&crate::panic_text(payload.as_ref()));
                }
            }
        };
        let thread =
            std::thread::Builder::new().name(name.into()).stack_size(STACK_BYTES).spawn(work);
        if let Err(error) = thread {
            crate::cli::complain(&format!("cannot start a thread: {error}"));
        }
    }
    sender
}
