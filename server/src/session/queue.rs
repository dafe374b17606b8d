//! Which run is next: the proofs that somebody wants, in order.
//!
//! **In:** wishes, edits, cancellations and the ends of runs. **Out:** the job to start, when no other
//! is under way.
//!
//! A wish is in one of these states, and only the methods named here lead from one to the next:
//!
//! ```text
//!              ask            next              ended
//! (nothing) --------> waiting ------> under way -------> (nothing)
//!                      |   ^             |  |
//!                 drop |   '-------------'  | drop: cancelled, its end is awaited
//!                      v     ask: put back  v
//!                  (nothing)             (nothing)
//! ```
//!
//! # Invariants
//! - A wish leaves only by its end, by [`Queue::drop_runs`], or for one that covers it. So every wish
//!   that no edit and no person takes back is started.
//! - At most one job is under way. The next one starts after its end was told, cancelled or not.
//! - A run that has told its last news answers no new wish: between these and its end there is time to ask.
//! - What a person asked for goes first, the last thing asked before the others, and whatever is under
//!   way is put back for it. All other wishes are served in the order in which they came.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ide::{FileId, Filter, ProgramId};

/// Who wants a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// A person asked for it and waits.
    Asked,
    /// Something was saved or typed.
    Background,
}

/// What somebody wants to have proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) filter: Filter,
    /// Only what is declared here.
    pub(crate) place: Option<Place>,
    /// What goes first, besides what was edited last.
    pub(crate) first: Vec<String>,
    /// Where the last edit was.
    pub(crate) last_edit: Option<(FileId, u32)>,
    /// Also look for assertions that no run can reach.
    pub(crate) vacuity: bool,
}

/// Some declarations of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: FileId,
    pub(crate) offset: u32,
    /// The declaration there and all above it.
    pub(crate) above: bool,
}

impl Wish {
    /// Does it leave out nothing of the program?
    pub(crate) fn is_everything(&self) -> bool {
        self.filter == Filter::default() && self.place.is_none()
    }

    /// Does whoever gets an answer to this wish need none to the other? The order of questions is
    /// no part of an answer.
    fn covers(&self, other: &Wish) -> bool {
        let same = self.filter == other.filter && self.place == other.place;
        (self.is_everything() || same) && (self.vacuity || !other.vacuity)
    }
}

/// A run of one program.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) program: ProgramId,
    /// Tells runs apart; one that was put back gets a new number.
    pub(crate) run: u64,
    pub(crate) wish: Wish,
    pub(crate) cancel: Arc<AtomicBool>,
    urgency: Urgency,
}

/// The job that was started last and has not ended.
#[derive(Debug)]
struct UnderWay {
    job: Job,
    /// Its answers are about the settings as they are now.
    up_to_date: bool,
    /// It has told its last news; only its end is awaited.
    told: bool,
}

impl UnderWay {
    fn is_wanted(&self) -> bool {
        !self.job.cancel.load(Ordering::Relaxed)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: VecDeque<Job>,
    under_way: Option<UnderWay>,
    runs: u64,
}

impl Queue {
    /// Accepts a wish. The answer is the program whose run was put back for it, if any.
    pub(crate) fn ask(
        &mut self,
        program: ProgramId,
        wish: Wish,
        urgency: Urgency,
    ) -> Option<ProgramId> {
        let mut wanted = self.under_way.as_mut().filter(|it| it.is_wanted());
        if let Some(under_way) = &mut wanted
            && under_way.job.program == program
            && under_way.up_to_date
            && !under_way.told
            && under_way.job.wish.covers(&wish)
            && wish.covers(&under_way.job.wish)
        {
            if urgency == Urgency::Asked {
                under_way.job.urgency = urgency;
            }
            return None;
        }
        let mut urgency = urgency;
        self.waiting.retain(|job| {
            let covered = job.program == program && wish.covers(&job.wish);
            if covered && job.urgency == Urgency::Asked {
                urgency = Urgency::Asked;
            }
            !covered
        });
        let job = self.new_job(program, wish, urgency);
        match urgency {
            Urgency::Asked => {
                let put_back = self.put_back(&job);
                self.waiting.push_front(job);
                put_back
            }
            Urgency::Background => {
                self.waiting.push_back(job);
                None
            }
        }
    }

    /// The job to start now, if none is under way.
    pub(crate) fn next(&mut self) -> Option<Job> {
        if self.under_way.is_some() {
            return None;
        }
        let job = self.waiting.pop_front()?;
        self.under_way = Some(UnderWay { job: job.clone(), up_to_date: true, told: false });
        Some(job)
    }

    /// Is there a job that could start now?
    pub(crate) fn is_free(&self) -> bool {
        self.under_way.is_none() && !self.waiting.is_empty()
    }

    /// What waits, in an order in which asking again leads to the same.
    pub(crate) fn waiting(&self) -> Vec<(ProgramId, Wish, Urgency)> {
        let job = |job: &Job| (job.program, job.wish.clone(), job.urgency);
        let (mut asked, background): (Vec<_>, Vec<_>) =
            self.waiting.iter().map(job).partition(|it| it.2 == Urgency::Asked);
        // What is asked for last goes first.
        asked.reverse();
        asked.into_iter().chain(background).collect()
    }

    /// The run has told its last news: who asks from now on gets a run of its own.
    pub(crate) fn told(&mut self, run: u64) {
        self.under_way.iter_mut().filter(|it| it.job.run == run).for_each(|it| it.told = true);
    }

    /// The job that was under way is over, whatever came of it.
    pub(crate) fn ended(&mut self, run: u64) {
        if self.under_way.as_ref().is_some_and(|it| it.job.run == run) {
            self.under_way = None;
        }
    }

    /// Nobody wants a proof of the program any more. Was there one?
    pub(crate) fn drop_runs(&mut self, program: ProgramId) -> bool {
        let waiting = self.waiting.len();
        self.waiting.retain(|job| job.program != program);
        let under_way = self.under_way.as_ref().filter(|it| it.is_wanted());
        let under_way = under_way.filter(|it| it.job.program == program);
        if let Some(under_way) = under_way {
            under_way.job.cancel.store(true, Ordering::Relaxed);
        }
        under_way.is_some() || self.waiting.len() < waiting
    }

    /// Proofs are made in another way from now on: an equal wish is not the same any more.
    pub(crate) fn outdate(&mut self) {
        self.under_way.iter_mut().for_each(|it| it.up_to_date = false);
    }

    /// Is this the run under way, and does somebody still want it?
    pub(crate) fn is_current(&self, run: u64) -> bool {
        self.under_way.as_ref().is_some_and(|it| it.is_wanted() && it.job.run == run)
    }

    /// Does a run of the program wait?
    pub(crate) fn waits(&self, program: ProgramId) -> bool {
        self.waiting.iter().any(|job| job.program == program)
    }

    /// The programs that runs are under way for, or wait.
    pub(crate) fn busy(&self) -> Vec<ProgramId> {
        let under_way = self.under_way.iter().filter(|it| it.is_wanted()).map(|it| &it.job);
        let mut all: Vec<ProgramId> =
            under_way.chain(&self.waiting).map(|job| job.program).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Ends what is under way for `job`; unless that covers it, it waits again, before all others of
    /// its urgency.
    fn put_back(&mut self, job: &Job) -> Option<ProgramId> {
        let under_way = self.under_way.as_ref().filter(|it| it.is_wanted())?;
        let old = under_way.job.clone();
        old.cancel.store(true, Ordering::Relaxed);
        let covered = old.program == job.program && job.wish.covers(&old.wish);
        if !covered {
            let at = match old.urgency {
                Urgency::Asked => 0,
                Urgency::Background => {
                    self.waiting.iter().filter(|it| it.urgency == Urgency::Asked).count()
                }
            };
            let again = self.new_job(old.program, old.wish, old.urgency);
            self.waiting.insert(at, again);
        }
        Some(old.program)
    }

    fn new_job(&mut self, program: ProgramId, wish: Wish, urgency: Urgency) -> Job {
        self.runs += 1;
        Job { program, run: self.runs, wish, cancel: Arc::default(), urgency }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Urgency::{Asked, Background};

    fn programs() -> [ProgramId; 3] {
        let mut host = ide::AnalysisHost::new();
        ["a", "b", "c"].map(|name| {
            let file = host.set_file(name, "");
            host.add_program(&[file], &[]).unwrap()
        })
    }

    fn all() -> Wish {
        Wish::default()
    }

    fn about(name: &str) -> Wish {
        let filter = Filter { subjects: Some(vec![name.into()]), ..Filter::default() };
        Wish { filter, ..Wish::default() }
    }

    /// Starts and ends everything; the programs and wishes in that order.
    fn drained(queue: &mut Queue) -> Vec<(ProgramId, Wish)> {
        let mut order = Vec::new();
        if let Some(it) = &queue.under_way {
            let run = it.job.run;
            if it.is_wanted() {
                order.push((it.job.program, it.job.wish.clone()));
            }
            queue.ended(run);
        }
        while let Some(job) = queue.next() {
            assert!(queue.next().is_none(), "one at a time");
            order.push((job.program, job.wish));
            queue.ended(job.run);
        }
        assert!(queue.busy().is_empty());
        order
    }

    #[test]
    fn background_runs_keep_their_order() {
        let [a, b, c] = programs();
        let mut queue = Queue::default();
        for program in [b, a, c] {
            assert_eq!(queue.ask(program, all(), Background), None);
        }
        assert_eq!(queue.busy(), [a, b, c]);
        assert_eq!(drained(&mut queue), [(b, all()), (a, all()), (c, all())]);
    }

    #[test]
    fn a_person_goes_first_and_what_was_under_way_comes_back() {
        let [a, b, c] = programs();
        let mut queue = Queue::default();
        queue.ask(a, all(), Background);
        queue.ask(b, all(), Background);
        let first = queue.next().unwrap();
        assert_eq!(queue.ask(c, all(), Asked), Some(a));
        assert!(first.cancel.load(Ordering::Relaxed) && !queue.is_current(first.run));
        assert!(queue.next().is_none(), "the old run has not ended yet");
        assert_eq!(drained(&mut queue), [(c, all()), (a, all()), (b, all())]);
    }

    #[test]
    fn the_last_thing_asked_for_is_what_somebody_looks_at() {
        let [a, b, c] = programs();
        let mut queue = Queue::default();
        queue.ask(a, all(), Asked);
        queue.next();
        queue.ask(b, all(), Asked);
        queue.ask(c, all(), Asked);
        assert_eq!(drained(&mut queue), [(c, all()), (b, all()), (a, all())]);
    }

    #[test]
    fn one_declaration_goes_before_the_whole_program_and_does_not_replace_it() {
        let [a, ..] = programs();
        for urgency in [Asked, Background] {
            let mut queue = Queue::default();
            queue.ask(a, all(), urgency);
            queue.next();
            assert_eq!(queue.ask(a, about("P"), Asked), Some(a));
            assert_eq!(drained(&mut queue), [(a, about("P")), (a, all())]);
        }
    }

    #[test]
    fn the_whole_program_replaces_one_declaration() {
        let [a, b, _] = programs();
        let mut queue = Queue::default();
        queue.ask(b, all(), Background);
        queue.ask(a, about("P"), Asked);
        queue.ask(a, all(), Background);
        // It has taken over that somebody waits.
        assert_eq!(drained(&mut queue), [(a, all()), (b, all())]);
        queue.ask(a, about("P"), Asked);
        queue.next();
        assert_eq!(queue.ask(a, all(), Asked), Some(a));
        assert_eq!(drained(&mut queue), [(a, all())]);
    }

    #[test]
    fn saving_does_not_disturb_what_a_person_waits_for() {
        let [a, ..] = programs();
        let mut queue = Queue::default();
        queue.ask(a, about("P"), Asked);
        queue.next();
        assert_eq!(queue.ask(a, all(), Background), None);
        assert_eq!(drained(&mut queue), [(a, about("P")), (a, all())]);
    }

    #[test]
    fn equal_wishes_are_one_run() {
        let [a, b, _] = programs();
        let mut queue = Queue::default();
        queue.ask(a, all(), Background);
        queue.ask(a, all(), Background);
        let run = queue.next().unwrap().run;
        queue.ask(a, all(), Background);
        // Now somebody waits for it, so that the next one does not overtake it as a background run.
        assert_eq!(queue.ask(a, all(), Asked), None);
        assert!(queue.is_current(run));
        assert_eq!(queue.ask(b, all(), Asked), Some(a));
        assert_eq!(drained(&mut queue), [(b, all()), (a, all())]);
    }

    #[test]
    fn looking_for_contradictions_is_more_than_a_proof() {
        let [a, ..] = programs();
        let deep = || Wish { vacuity: true, ..Wish::default() };
        let mut queue = Queue::default();
        queue.ask(a, all(), Background);
        queue.next();
        assert_eq!(queue.ask(a, deep(), Asked), Some(a));
        assert_eq!(drained(&mut queue), [(a, deep())]);
        queue.ask(a, deep(), Asked);
        queue.next();
        queue.ask(a, all(), Asked);
        assert_eq!(drained(&mut queue), [(a, all()), (a, deep())]);
    }

    #[test]
    fn other_settings_make_an_equal_wish_a_new_run() {
        let [a, ..] = programs();
        let mut queue = Queue::default();
        queue.ask(a, all(), Asked);
        let old = queue.next().unwrap().run;
        queue.outdate();
        assert_eq!(queue.ask(a, all(), Asked), Some(a));
        assert!(!queue.is_current(old));
        assert_eq!(drained(&mut queue), [(a, all())]);
    }

    #[test]
    fn a_wish_between_the_last_news_of_a_run_and_its_end_is_served() {
        let [a, ..] = programs();
        let mut queue = Queue::default();
        for urgency in [Asked, Background] {
            queue.ask(a, all(), urgency);
            let old = queue.next().unwrap();
            queue.ask(a, all(), urgency);
            assert!(!queue.waits(a), "one run answers both");
            queue.told(old.run);
            queue.ask(a, all(), urgency);
            assert!(queue.waits(a));
            queue.ended(old.run);
            let new = queue.next().unwrap();
            assert!(queue.is_current(new.run));
            queue.told(old.run);
            queue.ask(a, all(), urgency);
            assert!(!queue.waits(a), "the news of an older run do not count");
            queue.ended(new.run);
        }
    }

    #[test]
    fn an_edit_takes_back_what_waits_and_what_is_under_way() {
        let [a, b, _] = programs();
        let mut queue = Queue::default();
        queue.ask(a, all(), Background);
        let run = queue.next().unwrap();
        queue.ask(a, about("P"), Background);
        queue.ask(b, all(), Background);
        assert!(queue.drop_runs(a) && !queue.drop_runs(a));
        assert!(run.cancel.load(Ordering::Relaxed));
        assert_eq!(queue.busy(), [b]);
        assert_eq!(drained(&mut queue), [(b, all())]);
    }

    #[test]
    fn a_wish_after_an_edit_is_served_although_the_old_run_has_not_ended() {
        let [a, ..] = programs();
        let mut queue = Queue::default();
        for urgency in [Asked, Background] {
            queue.ask(a, all(), urgency);
            let old = queue.next().unwrap();
            queue.drop_runs(a);
            assert_eq!(queue.ask(a, all(), urgency), None);
            assert!(queue.next().is_none());
            queue.ended(old.run);
            let new = queue.next().unwrap();
            assert!(new.run > old.run && queue.is_current(new.run));
            // The old one ends twice: nothing happens to the new one.
            queue.ended(old.run);
            assert!(queue.is_current(new.run));
            queue.ended(new.run);
        }
    }

    /// Whatever happens, in which order ever: a wish that nobody takes back is served.
    #[test]
    fn no_wish_is_lost() {
        let programs = programs();
        let mut random = testing::Random::new(11);
        for _ in 0..300 {
            let mut queue = Queue::default();
            let mut open: Vec<(ProgramId, Wish)> = Vec::new();
            for _ in 0..30 {
                let program = programs[random.below(3)];
                match random.below(6) {
                    0 => {
                        queue.drop_runs(program);
                        open.retain(|(of, _)| *of != program);
                    }
                    1 => queue.next().map_or((), drop),
                    2 => {
                        let run = queue.under_way.as_ref().map(|it| (it.job.run, it.is_wanted()));
                        let Some((run, wanted)) = run else { continue };
                        let job = queue.under_way.as_ref().unwrap().job.clone();
                        if wanted {
                            open.retain(|(of, wish)| *of != job.program || !job.wish.covers(wish));
                        }
                        queue.ended(run);
                    }
                    _ => {
                        let urgency = if random.once_in(2) { Asked } else { Background };
                        let wish = if random.once_in(2) { all() } else { about("P") };
                        queue.ask(program, wish.clone(), urgency);
                        open.push((program, wish));
                    }
                }
            }
            let served = drained(&mut queue);
            for (program, wish) in open {
                let covers = |it: &(ProgramId, Wish)| it.0 == program && it.1.covers(&wish);
                assert!(served.iter().any(covers), "{program:?} {wish:?} of {served:?}");
            }
        }
    }
}
