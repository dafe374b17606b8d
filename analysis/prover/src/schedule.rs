//! Who asks what, and when: a queue with priorities in front of a fixed number of workers.
//!
//! **In:** work with a key and a priority. **Out:** for each ticket, calls that tell of its
//! start and its result.
//!
//! # Invariants
//! - Work with equal keys is done once at a time; every ticket for it gets the result, or, if it has
//!   no use for it, a result of other work.
//! - The order of the queue is (priority, arrival). With one worker, work is started in that
//!   order. Results may arrive in another order, so they carry their ticket.
//! - A cancelled ticket gets no result. Running work without tickets is killed at once.
//! - No lock is held while a worker works.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Sender, unbounded};

use crate::engine::Engine;
use crate::process::{Worker, WorkerCommand};

/// A question that somebody asked. Numbers grow with time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// Smaller goes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(pub u32);

/// Whom to tell what happens to a ticket, from the threads of the schedule. `started` is called
/// while it is locked: it must not block and not call back.
pub(crate) trait Waiter<T>: Send {
    fn started(&self, ticket: Ticket);
    fn finished(&self, ticket: Ticket, result: &T);

    /// What to do instead, if the result of somebody else's equal work is of no use.
    fn instead(&self, result: &T) -> Option<(Key, Work<T>)>;
}

/// Encoding recurses on nested quantifiers; address space costs nothing until used.
const STACK_BYTES: usize = 64 * 1024 * 1024;

/// Identifies equal work.
pub(crate) type Key = [u8; 32];

/// Something to do with a solver.
pub(crate) type Work<T> = Arc<dyn Fn(&mut dyn Engine) -> T + Send + Sync>;

pub(crate) struct Schedule<T: Clone + Send + 'static> {
    shared: Arc<Shared<T>>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    /// The result of work that panicked.
    failed: T,
}

struct State<T> {
    jobs: BTreeMap<Key, Job<T>>,
    /// The waiting jobs, in the order in which they will be started.
    waiting: BTreeSet<(Priority, u64, Key)>,
    tickets: BTreeMap<Ticket, Key>,
    /// One per worker: whom to tell that its work is not wanted any more.
    cancel: Vec<Sender<()>>,
    next: u64,
    closed: bool,
}

struct Job<T> {
    work: Work<T>,
    tickets: Vec<Entry<T>>,
    priority: Priority,
    place: Place,
    /// Tells two jobs with the same key apart, one of which was abandoned.
    number: u64,
}

struct Entry<T> {
    ticket: Ticket,
    waiter: Box<dyn Waiter<T>>,
    /// It was said that it has started.
    started: bool,
}

impl<T> Entry<T> {
    /// Says that it has started, once.
    fn start(&mut self) {
        if !std::mem::replace(&mut self.started, true) {
            self.waiter.started(self.ticket);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Waiting,
    Running(usize),
}

impl<T: Clone + Send + Sync + 'static> Schedule<T> {
    /// Starts `jobs` threads, each of which will own one worker process.
    pub(crate) fn new(
        command: &WorkerCommand,
        memory_megabytes: u32,
        jobs: usize,
        failed: T,
    ) -> Schedule<T> {
        let state = State {
            jobs: BTreeMap::new(),
            waiting: BTreeSet::new(),
            tickets: BTreeMap::new(),
            cancel: Vec::new(),
            next: 0,
            closed: false,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new(), failed });
        let threads = (0..jobs.max(1))
            .map(|index| {
                let (cancel, cancelled) = unbounded();
                shared.lock().cancel.push(cancel);
                let shared = Arc::clone(&shared);
                let command = command.clone();
                let body = move || {
                    let mut worker = Worker::new(command, memory_megabytes, cancelled);
                    while shared.work_once(index, &mut worker) {}
                };
                thread::Builder::new().stack_size(STACK_BYTES).spawn(body)
            })
            .filter_map(Result::ok)
            .collect();
        Schedule { shared, threads }
    }

    pub(crate) fn submit(
        &self,
        key: Key,
        priority: Priority,
        work: Work<T>,
        waiter: Box<dyn Waiter<T>>,
    ) -> Ticket {
        let mut state = self.shared.lock();
        let ticket = Ticket(state.next);
        state.next += 1;
        state.tickets.insert(ticket, key);
        state.enqueue(key, priority, work, Entry { ticket, waiter, started: false });
        self.shared.changed.notify_one();
        ticket
    }

    pub(crate) fn cancel(&self, tickets: &[Ticket]) {
        let mut state = self.shared.lock();
        for ticket in tickets {
            state.cancel(*ticket);
        }
    }

    /// How many tickets have no result yet.
    pub(crate) fn open(&self) -> usize {
        self.shared.lock().tickets.len()
    }
}

impl<T: Clone + Send + 'static> Drop for Schedule<T> {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closed = true;
        let open: Vec<Ticket> = state.tickets.keys().copied().collect();
        for ticket in open {
            state.cancel(ticket);
        }
        drop(state);
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Shared<T> {
    /// Waits for work and does it. False when the schedule is closed.
    fn work_once(&self, index: usize, worker: &mut Worker) -> bool {
        let Some((key, number, work)) = self.take(index, worker) else {
            return false;
        };
        let result =
            catch_unwind(AssertUnwindSafe(|| work(worker))).unwrap_or_else(|_| self.failed.clone());
        let mut state = self.lock();
        if state.jobs.get(&key).is_some_and(|job| job.number == number)
            && let Some(job) = state.jobs.remove(&key)
        {
            drop(state);
            self.deliver(job, &result);
        }
        true
    }

    /// Gives the result to those who can use it; the others wait on, for something else.
    fn deliver(&self, job: Job<T>, result: &T) {
        let asked = job.tickets.into_iter().map(|entry| (entry.waiter.instead(result), entry));
        let asked: Vec<_> = asked.collect();
        let mut done = Vec::new();
        let mut state = self.lock();
        for (instead, entry) in asked {
            // It may have been cancelled in the meantime.
            if state.tickets.remove(&entry.ticket).is_none() {
                continue;
            }
            match instead {
                Some((key, work)) => {
                    state.tickets.insert(entry.ticket, key);
                    state.enqueue(key, job.priority, work, entry);
                    self.changed.notify_one();
                }
                None => done.push(entry),
            }
        }
        drop(state);
        for Entry { ticket, waiter, .. } in done {
            waiter.finished(ticket, result);
        }
    }

    fn take(&self, index: usize, worker: &Worker) -> Option<(Key, u64, Work<T>)> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some((_, _, key)) = state.waiting.pop_first()
                && let Some(job) = state.jobs.get_mut(&key)
            {
                job.place = Place::Running(index);
                job.tickets.iter_mut().for_each(Entry::start);
                let taken = (key, job.number, Arc::clone(&job.work));
                // Cancellations are sent under this lock, so what is in the channel now was
                // meant for earlier work.
                worker.forget_cancellation();
                return Some(taken);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> State<T> {
    fn enqueue(&mut self, key: Key, priority: Priority, work: Work<T>, mut entry: Entry<T>) {
        let number = entry.ticket.0;
        if let Some(job) = self.jobs.get_mut(&key) {
            if let Place::Running(_) = job.place {
                entry.start();
            }
            job.tickets.push(entry);
            if job.place == Place::Waiting && priority < job.priority {
                self.waiting.remove(&(job.priority, job.number, key));
                job.priority = priority;
                self.waiting.insert((priority, job.number, key));
            }
            return;
        }
        let job = Job { work, tickets: vec![entry], priority, place: Place::Waiting, number };
        self.waiting.insert((priority, job.number, key));
        self.jobs.insert(key, job);
    }

    fn cancel(&mut self, ticket: Ticket) {
        let Some(key) = self.tickets.remove(&ticket) else { return };
        let Some(job) = self.jobs.get_mut(&key) else { return };
        job.tickets.retain(|entry| entry.ticket != ticket);
        if !job.tickets.is_empty() {
            return;
        }
        match job.place {
            Place::Waiting => drop(self.waiting.remove(&(job.priority, job.number, key))),
            Place::Running(index) => {
                if let Some(cancel) = self.cancel.get(index) {
                    let _ = cancel.send(());
                }
            }
        }
        self.jobs.remove(&key);
    }
}
