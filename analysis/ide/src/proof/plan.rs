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

use ir::{AssertId, ObligationKind, Reason, Refutation, Verdict};
use obligations::{Task, UnitEntry, UnitKey};

use crate::diagnostics::has_error;
use crate::proof::run::Runner;
use crate::proof::schedule::Order;
use crate::proof::trusted::Trusted;
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
    /// Only those that are about one of these.
    pub subjects: Option<Vec<String>>,
    /// Only these, by their whole ids.
    pub ids: Option<Vec<String>>,
}

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
    pub trust: Trust,
    /// The program that answers questions when started with the argument `worker`.
    pub worker: PathBuf,
    /// Where verdicts are kept.
    pub store: Arc<dyn prover::Store>,
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

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome::Unknown("not asked".into())
    }
}

/// One obligation after a run.
#[derive(Clone, Debug, Default)]
pub struct ObligationState {
    /// The name people see.
    pub id: String,
    /// The unit of the reference it belongs to.
    pub unit: String,
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
    /// A worker had to be asked: it was neither stored nor settled without a question.
    pub asked: bool,
    /// Time in the worker.
    pub millis: u64,
    /// CPU time of the solver.
    pub solver_micros: u64,
    /// What the solver counted, in units of its resource limit.
    pub steps: u64,
    /// Time or steps ran out before there was an answer.
    pub timed_out: bool,
    /// What is not proved.
    pub(crate) open: Vec<Open>,
    /// What took the time of assertions that ran out of it.
    pub(crate) costs: Vec<prover::Cost>,
    /// Number of the task in its plan.
    pub(crate) task: Option<usize>,
}

/// Why nothing was asked about what the user trusts.
pub(crate) const TRUSTED: &str = "trusted by request";

impl ObligationState {
    /// How it ended, in one word: `proved`, `failed`, `timeout`, `unknown`, `skipped` or `trusted`.
    pub fn word(&self) -> &'static str {
        match &self.outcome {
            Outcome::Proved => "proved",
            Outcome::Failed(_) => "failed",
            Outcome::Unknown(_) if self.timed_out => "timeout",
            Outcome::Unknown(_) => "unknown",
            Outcome::Skipped(why) if why == TRUSTED => "trusted",
            Outcome::Skipped(_) => "skipped",
        }
    }

    /// The words beside the outcome, if it needs any.
    pub fn reason(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Proved => None,
            Outcome::Failed(why) | Outcome::Unknown(why) | Outcome::Skipped(why) => Some(why),
        }
    }
}

/// Gives obligations of one plan different names: the second of a name gets ` #2` behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(BTreeMap<String, usize>);

/// Between a name and its number.
const NUMBER: &str = " #";

impl Names {
    pub(crate) fn distinguish(&mut self, state: &mut ObligationState) {
        let count = self.0.entry(state.id.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            state.id = format!("{}{NUMBER}{count}", state.id);
        }
    }
}

/// What a run tells while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// A worker has begun with an obligation.
    Started(&'a ObligationState),
    /// An obligation has its answer.
    Ended(&'a ObligationState),
    /// Nothing happens for the moment: time to pass on what was held back.
    Waiting,
}

/// An assertion that is not proved.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub(crate) assert: AssertId,
    /// A failing run, if one was found; otherwise the reason.
    pub(crate) why: Result<Refutation, String>,
    /// The same as data, if there is no answer.
    pub(crate) reason: Option<Reason>,
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
    /// Does the plan hold everything that the program needs?
    pub(crate) complete: bool,
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
        let open = |planned: &Planned| {
            state_of(&planned.task, Outcome::Unknown("there is no answer yet".into()))
        };
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
        let trusted = self.trusted(program, &problems, options.trust);
        let mut diagnostics = problems;
        diagnostics.extend(self.verdict_diagnostics(program, &plan, &states));
        let micros = solver_micros(&plan, &states);
        VerifyReport {
            diagnostics,
            complete: plan.complete && states.len() == total,
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
        Ok(plan)
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
            if let Some(why) = &entry.skipped {
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
                if options.trust.covers(id.kind) {
                    plan.skipped.push(state_of(task, Outcome::Skipped(TRUSTED.into())));
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

impl Filter {
    fn admits(&self, id: &ir::ObligationId) -> bool {
        let text = id.to_string().replace("action@", "");
        self.only.as_ref().is_none_or(|pattern| matches(&text, pattern))
            && self.layer.is_none_or(|layer| id.layer == Some(layer))
            && self.kind.as_ref().is_none_or(|kind| id.kind.name() == kind)
            && self.names_one_of(id.subjects.iter().map(shown))
            && self.names(&text)
    }

    fn admits_state(&self, state: &ObligationState) -> bool {
        self.only.as_ref().is_none_or(|pattern| matches(&state.id, pattern))
            && self.layer.is_none_or(|layer| state.layer == Some(layer))
            && self.kind.as_ref().is_none_or(|kind| state.kind == *kind)
            && self.names_one_of(state.subjects.iter().cloned())
            && self.names(&state.id)
    }

    /// Is it one of the wanted ids? A number tells apart what has the same name.
    fn names(&self, id: &str) -> bool {
        let bare = |wanted: &String| {
            wanted.rsplit_once(NUMBER).map_or(wanted.as_str(), |(name, _)| name) == id
        };
        self.ids.as_ref().is_none_or(|ids| ids.iter().any(bare))
    }

    fn names_one_of(&self, mut subjects: impl Iterator<Item = String>) -> bool {
        let Some(wanted) = &self.subjects else { return true };
        subjects.any(|subject| wanted.contains(&subject))
    }
}

/// Do the pieces between the stars of `pattern` occur in `text`, in order?
fn matches(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    pattern.split('*').all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

impl Trust {
    /// The checks that are not made, in words.
    pub(crate) fn switched_off(self) -> Vec<String> {
        let words = [
            (self.refinement, "refinement"),
            (self.movers, "declared mover types"),
            (self.noninterference, "non-interference"),
            (self.invariants, "the sequential correctness of invariants"),
        ];
        words.into_iter().filter(|(off, _)| *off).map(|(_, word)| word.to_owned()).collect()
    }

    fn covers(self, kind: ObligationKind) -> bool {
        match kind {
            ObligationKind::Refinement | ObligationKind::ActionRefinement => self.refinement,
            ObligationKind::Commutativity
            | ObligationKind::GatePreservation
            | ObligationKind::FailurePreservation
            | ObligationKind::Nonblocking => self.movers,
            ObligationKind::Noninterference | ObligationKind::GlobalNoninterference => {
                self.noninterference
            }
            ObligationKind::Contract | ObligationKind::GateAtCall => self.invariants,
            ObligationKind::GateSufficiency
            | ObligationKind::Termination
            | ObligationKind::Plain => false,
        }
    }
}

/// A subject as people know it.
pub(crate) fn shown(subject: &impl ToString) -> String {
    subject.to_string().replace("action@", "")
}

pub(crate) fn state_of(task: &Task, outcome: Outcome) -> ObligationState {
    let id = &task.obligation.id;
    ObligationState {
        id: shown(id),
        unit: task.obligation.unit.clone(),
        kind: id.kind.name().to_owned(),
        layer: id.layer,
        subjects: id.subjects.iter().map(shown).collect(),
        outcome,
        cached: false,
        asked: false,
        millis: 0,
        solver_micros: 0,
        steps: 0,
        timed_out: false,
        open: Vec::new(),
        costs: Vec::new(),
        task: None,
    }
}

fn skipped_unit(entry: &UnitEntry, why: &str) -> ObligationState {
    let (kind, subjects) = crate::proof::coverage::unit_words(&entry.key);
    let subjects: Vec<String> = subjects.iter().map(|s| s.replace("action@", "")).collect();
    ObligationState {
        id: format!("{kind}({})", subjects.join(", ")),
        unit: entry.name.clone(),
        kind: kind.name().to_owned(),
        layer: None,
        subjects,
        outcome: Outcome::Skipped(why.to_owned()),
        cached: false,
        asked: false,
        millis: 0,
        solver_micros: 0,
        steps: 0,
        timed_out: false,
        open: Vec::new(),
        costs: Vec::new(),
        task: None,
    }
}

/// The outcome of an obligation whose assertions got these verdicts, and what is open.
pub(crate) fn judge(verdicts: &[(AssertId, Verdict)]) -> (Outcome, Vec<Open>) {
    let mut open = Vec::new();
    for (assert, verdict) in verdicts {
        let why = match verdict {
            Verdict::Proved(_) => continue,
            Verdict::Refuted(refutation) => Ok(refutation.clone()),
            Verdict::HoldsUpTo(bound) => Err(format!("it holds up to {} only", bound.description)),
            Verdict::Unknown(reason) => Err(reason.to_string()),
        };
        let reason = match verdict {
            Verdict::Unknown(reason) => Some(reason.clone()),
            Verdict::Proved(_) | Verdict::Refuted(_) | Verdict::HoldsUpTo(_) => None,
        };
        open.push(Open { assert: *assert, why, reason });
    }
    let outcome = if open.iter().any(|o| o.why.is_ok()) {
        Outcome::Failed("an assertion fails".into())
    } else {
        match open.first() {
            Some(Open { why: Err(reason), .. }) => Outcome::Unknown(reason.clone()),
            Some(Open { why: Ok(_), .. }) | None => Outcome::Proved,
        }
    };
    (outcome, open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_numbered() {
        let mut names = Names::default();
        let mut ids = Vec::new();
        for id in ["a @ 1", "b @ 1", "a @ 1"] {
            let mut state = ObligationState { id: id.into(), ..ObligationState::default() };
            names.distinguish(&mut state);
            ids.push(state.id);
        }
        assert_eq!(ids, ["a @ 1", "b @ 1", "a @ 1 #2"]);
        let filter = Filter { ids: Some(vec![ids.remove(2)]), ..Filter::default() };
        assert!(filter.names("a @ 1") && !filter.names("b @ 1"));
    }

    #[test]
    fn a_pattern_with_stars_matches_pieces_in_order() {
        assert!(matches("commutativity(Acquire, Release) @ 2", "Acq*Rel"));
        assert!(matches("commutativity(Acquire, Release) @ 2", ""));
        assert!(!matches("commutativity(Acquire, Release) @ 2", "Rel*Acq"));
    }
}
