//! One question, from its script to findings for each of its assertions.
//!
//! **In:** a question, an engine, limits. **Out:** a [`Record`].
//!
//! First a stronger goal is tried, if there is an easier one. Then all assertions are asked at
//! once. If that fails, the failing one is read off the model and
//! excluded, and the rest is asked again. If the solver gives no answer in its share of the
//! time, in several [`lanes`], the open assertions are asked one by one, and each that gets no
//! answer once more for each way through the program ([`paths`]). A failure that
//! the solver is not sure of is asked about once more, from another seed. In
//! the end each failing run is asked for once more with smaller values ([`shrink`]), and of
//! assertions that ran out of time it is found out what took it ([`profile`]).
//!
//! # Soundness
//! An assertion is `Proved` only if the solver printed `unsat` for a script that lets a run
//! fail at it. Excluding *another* assertion, or allowing only *this* one, leaves its failing
//! runs in, and every failing run takes one of the ways asked about. Seeds do not change what
//! is true. (Assertions before it are assumed, as everywhere; the unit is proved only if all
//! of them are.) Everything unexpected, from a complaint to unreadable text, is `Undecided`.

mod lanes;
mod paths;
mod profile;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ir::{AssertId, BlockId, FuncSym, Op, Question, Term, Value, Var};

use crate::clock::Deadline;
use crate::codec::StoredValue;
use crate::encode::lower::reading::{Reading, any_value};
use crate::encode::vc::Exit;
use crate::encode::{self, Script, Unsupported};
use crate::engine::{Engine, Start, Trouble};
use crate::model::Reader;
use crate::record::{Finding, Record, Run, Undecided, captures_on, names_digest};
use crate::sexpr::{self, Sexpr};
use crate::shrink;
use crate::witness::{self, Wanted, Witness};

use lanes::{Seed, Try};

pub(crate) use lanes::Lane;
pub use profile::Cost;

/// What a question may cost, and where the solver starts to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time for the whole question.
    pub time: Duration,
    /// Steps of the solver for each of its runs: a limit that is the same on every machine.
    pub steps: Option<u32>,
    /// The seed of the solver; 0 is its own default. Right answers do not depend on it.
    pub seed: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(30), steps: None, seed: 0 }
    }
}

/// The solver notices its own time limit a little late; after this much more it is killed. All of
/// a question is over this long after its time, so that killing the worker is, too, within half a
/// second.
const GRACE: Duration = Duration::from_millis(250);

/// Steps of the solver for a first try at something that usually works at once or not at all. Not a
/// time: what is found must not depend on what else the machine does.
const QUICK_STEPS: u32 = 10_000_000;

/// Steps of the solver for a second look at a failure that may be none: what another seed finds, it
/// mostly finds at once.
const DOUBT_STEPS: u32 = 20_000_000;

/// Less time than this is not worth a run of the solver.
const SHORTEST: Duration = Duration::from_millis(20);

/// Answers a question. Never panics on what the engine says.
pub(crate) fn ask(question: &Question, engine: &mut dyn Engine, limits: Limits) -> Record {
    ask_in(&lanes::TRIES, question, engine, limits)
}

/// The same with these tries.
fn ask_in(
    tries: &'static [Try],
    question: &Question,
    engine: &mut dyn Engine,
    limits: Limits,
) -> Record {
    let end = Deadline::after(limits.time.saturating_add(GRACE));
    let script = match encode::encode(question) {
        Ok(script) => script,
        Err(Unsupported(what)) => {
            return Record::all(question, &Finding::Undecided(Undecided::Unsupported(what)));
        }
    };
    if script.trivial {
        return Record::all(question, &Finding::Proved);
    }
    // What the search leaves alone, so that there is time to say what it was busy with.
    let reserve =
        if script.quantifiers.is_empty() { Duration::ZERO } else { profile::reserve(limits.time) };
    let mut asking = Asking {
        question,
        script,
        lowered: None,
        engine,
        limits,
        deadline: end.sooner_by(GRACE + reserve),
        end,
        findings: BTreeMap::new(),
        open: Vec::new(),
        asked_alone: false,
        tries,
        lane: Lane::default(),
        found_in: BTreeMap::new(),
    };
    asking.open = asking.reachable_asserts();
    asking.asked_alone = asking.open.len() < 2;
    asking.run();
    asking.doubt_all();
    asking.shrink_all();
    let costs = asking.costs(reserve);
    Record { costs, ..asking.record() }
}

/// Answers a question in the tuned lane only, in this process.
#[cfg(test)]
pub(crate) fn ask_tuned(question: &Question, engine: &mut dyn Engine) -> Record {
    ask_in(&lanes::TUNED, question, engine, Limits::default())
}

/// The script that a question leads to, complete, for people and other solvers.
pub fn smt2(question: &Question) -> Result<String, String> {
    let script = encode::encode(question).map_err(|Unsupported(what)| what)?;
    let text =
        if script.trivial { "(assert false) ; nothing is left to ask\n" } else { &script.text };
    let options = Lane::default().options(0);
    Ok(format!("{options}(push 1)\n{text}(check-sat)\n(get-info :reason-unknown)\n"))
}

struct Asking<'a> {
    question: &'a Question,
    script: Script,
    /// The script of the lowered lane, once it was made; `None` inside if there is none.
    lowered: Option<Option<Script>>,
    engine: &'a mut dyn Engine,
    limits: Limits,
    /// When the search is over.
    deadline: Deadline,
    /// When everything is over: a worker that is still busy then is killed.
    end: Deadline,
    findings: BTreeMap<AssertId, Finding>,
    /// Without a finding yet.
    open: Vec<AssertId>,
    /// There was one open assertion from the start, so it was asked alone.
    asked_alone: bool,
    /// How often a script is tried, and how.
    tries: &'static [Try],
    /// How a fresh solver searches.
    lane: Lane,
    /// The lanes in which failures were found.
    found_in: BTreeMap<AssertId, Lane>,
}

/// What one run of the solver found.
enum Checked {
    Unsatisfiable,
    /// There is a model; `sure` if it satisfies everything.
    Model {
        sure: bool,
    },
    Nothing(Undecided),
}

impl Asking<'_> {
    /// The assertions that are not literally true.
    fn reachable_asserts(&self) -> Vec<AssertId> {
        let can_fail = |id: &AssertId| {
            let ways = self.script.correctness.exits.iter().flat_map(|exits| &exits.ways);
            ways.into_iter().any(|way| matches!(way, Exit::Failure { id: own, .. } if own == id))
        };
        self.question.passive.asserts().into_iter().filter(can_fail).collect()
    }

    fn record(self) -> Record {
        let finding = |id: &AssertId| match self.findings.get(id) {
            Some(finding) => finding.clone(),
            None if self.open.contains(id) => {
                Finding::Undecided(Undecided::Internal("not asked".to_owned()))
            }
            // It is literally true.
            None => Finding::Proved,
        };
        let findings = self.question.passive.asserts().iter().map(finding).collect();
        Record { findings, costs: Vec::new() }
    }

    fn run(&mut self) {
        if self.stronger_holds() {
            return self.settle_open(&Finding::Proved);
        }
        let ways = self.open.iter().any(|id| self.has_ways(*id));
        let share = match (self.open.len(), ways) {
            (0 | 1, false) => self.limits.time,
            (0 | 1, true) => self.limits.time * 3 / 4,
            (..) => self.limits.time / 2,
        };
        let mut checked = self.check_afresh(&Term::tt(), share);
        loop {
            match checked {
                Checked::Unsatisfiable => return self.settle_open(&Finding::Proved),
                Checked::Model { sure } => {
                    let Some(id) = self.read_failure(sure) else { return };
                    if self.open.is_empty() {
                        return;
                    }
                    checked = match self.fact(&self.script.correctness.not_failing_at(id)) {
                        Ok(fact) => self.check(Start::Continue, &fact, self.deadline.left()),
                        Err(why) => Checked::Nothing(why),
                    };
                }
                Checked::Nothing(why) => return self.one_by_one(&why),
            }
        }
    }

    /// Is an easier proof of more found quickly?
    fn stronger_holds(&mut self) -> bool {
        self.lane = Lane::Tuned;
        let Ok(Some(stronger)) = encode::encode_stronger(self.question, &self.script) else {
            return false;
        };
        let share = self.limits.time / 2;
        let ask = |own: &mut Self| own.check(Start::Fresh, &stronger.text, share);
        stronger.trivial || matches!(self.within(QUICK_STEPS, ask), Checked::Unsatisfiable)
    }

    /// Asks about each open assertion alone, if the reason can be cured by that.
    fn one_by_one(&mut self, why: &Undecided) {
        let curable = match why {
            Undecided::GaveUp
            | Undecided::Time { .. }
            | Undecided::Steps { .. }
            | Undecided::Memory => true,
            Undecided::Cancelled | Undecided::Unsupported(_) | Undecided::Internal(_) => false,
        };
        if !curable {
            return self.settle_open(&Finding::Undecided(why.clone()));
        }
        let mut left = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        for id in self.open.clone() {
            let share = self.deadline.left() / left;
            left -= 1;
            // An earlier run may have shown this one to fail.
            if !self.open.contains(&id) {
                continue;
            }
            match self.alone(id, share, why) {
                Checked::Unsatisfiable => self.settle(id, Finding::Proved),
                Checked::Model { sure } => {
                    if self.read_failure(sure).is_none() {
                        return;
                    }
                }
                Checked::Nothing(Undecided::Cancelled) => {
                    return self.settle_open(&Finding::Undecided(Undecided::Cancelled));
                }
                Checked::Nothing(why) => self.settle(id, Finding::Undecided(why)),
            }
        }
    }

    /// Asks about one assertion alone; `why` is why there is no answer yet.
    fn alone(&mut self, id: AssertId, share: Duration, why: &Undecided) -> Checked {
        let fact = self.script.correctness.failing_only_at(id);
        let ways = self.has_ways(id);
        let alone = match (self.asked_alone, ways) {
            (true, _) => Checked::Nothing(why.clone()),
            (false, true) => self.check_afresh(&fact, share / 2),
            (false, false) => self.check_afresh(&fact, share),
        };
        match alone {
            Checked::Nothing(why) if ways && why != Undecided::Cancelled => {
                self.each_way(id, &fact, share, why)
            }
            other @ (Checked::Nothing(_) | Checked::Unsatisfiable | Checked::Model { .. }) => other,
        }
    }

    /// The script of the lane.
    fn script(&self) -> &Script {
        match (self.lane, &self.lowered) {
            (Lane::Lowered, Some(Some(lowered))) => lowered,
            (Lane::Lowered | Lane::Tuned | Lane::Plain, _) => &self.script,
        }
    }

    fn fact(&self, term: &Term) -> Result<String, Undecided> {
        let text =
            self.script().term(term).map_err(|Unsupported(what)| Undecided::Unsupported(what))?;
        Ok(format!("(assert {text})\n"))
    }

    /// The script of the lane, with a fact.
    fn with_fact(&self, term: &Term) -> Result<String, Undecided> {
        Ok(format!("{}{}", self.script().text, self.fact(term)?))
    }

    fn settle(&mut self, id: AssertId, finding: Finding) {
        self.open.retain(|own| *own != id);
        self.findings.insert(id, finding);
    }

    fn settle_open(&mut self, finding: &Finding) {
        for id in std::mem::take(&mut self.open) {
            self.findings.insert(id, finding.clone());
        }
    }

    /// Adds `text` to what the solver knows and runs it.
    fn check(&mut self, start: Start, text: &str, time: Duration) -> Checked {
        self.check_with(self.limits.seed, start, text, time)
    }

    fn check_with(&mut self, seed: u32, start: Start, text: &str, time: Duration) -> Checked {
        let time = time.min(self.deadline.left());
        if time < SHORTEST {
            return Checked::Nothing(self.out_of_time());
        }
        let prefix = match start {
            Start::Fresh => format!("{}(push 1)\n", self.lane.options(seed)),
            Start::Continue => String::new(),
        };
        let steps = self
            .limits
            .steps
            .map_or(String::new(), |steps| format!("(set-option :rlimit {steps})\n"));
        let milliseconds = time.as_millis();
        let script = format!(
            "{prefix}(set-option :timeout {milliseconds})\n{steps}{text}(check-sat)\n(get-info :reason-unknown)\n"
        );
        match self.eval(start, &script, time + GRACE) {
            Ok(printed) => self.understand(&printed),
            Err(Trouble::Solver(words)) if is_memory(&words) => Checked::Nothing(Undecided::Memory),
            Err(Trouble::Solver(words)) => {
                Checked::Nothing(Undecided::Internal(format!("the solver complained: {words}")))
            }
            Err(Trouble::Memory) => Checked::Nothing(Undecided::Memory),
            Err(Trouble::Time) => Checked::Nothing(self.out_of_time()),
            Err(Trouble::Cancelled) => Checked::Nothing(Undecided::Cancelled),
            Err(Trouble::Ended(words) | Trouble::Garbage(words)) => {
                Checked::Nothing(Undecided::Internal(words))
            }
        }
    }

    /// Every script goes through here, so nothing outlasts the end.
    fn eval(&mut self, start: Start, script: &str, time: Duration) -> Result<String, Trouble> {
        self.engine.eval(start, script, time.min(self.end.left()))
    }

    fn out_of_time(&self) -> Undecided {
        Undecided::Time {
            milliseconds: u64::try_from(self.limits.time.as_millis()).unwrap_or(u64::MAX),
        }
    }

    fn understand(&self, printed: &str) -> Checked {
        let parsed = sexpr::parse(printed);
        let parts = parsed.as_deref().unwrap_or(&[]);
        let [Sexpr::Atom(answer), Sexpr::List(info)] = parts else {
            return Checked::Nothing(Undecided::Internal(format!(
                "the solver printed {}",
                excerpt(printed)
            )));
        };
        let reason = info.get(1).and_then(Sexpr::atom).unwrap_or("");
        match answer.as_str() {
            "unsat" => Checked::Unsatisfiable,
            "sat" => Checked::Model { sure: self.script().exact && !self.script().by_patterns },
            "unknown" => self.give_up(reason.trim_start_matches('"')),
            _ => Checked::Nothing(Undecided::Internal(format!(
                "the solver printed {}",
                excerpt(printed)
            ))),
        }
    }

    fn give_up(&self, reason: &str) -> Checked {
        if reason.contains("incomplete") {
            return Checked::Model { sure: false };
        }
        Checked::Nothing(match (reason, self.limits.steps) {
            _ if is_memory(reason) => Undecided::Memory,
            ("timeout", _) => self.out_of_time(),
            ("canceled" | "max. resource limit exceeded", Some(limit)) => {
                Undecided::Steps { limit: u64::from(limit) }
            }
            ("canceled", None) => self.out_of_time(),
            ("unknown" | "", _) => Undecided::GaveUp,
            (words, _) => Undecided::Internal(format!("the solver gave up: {words}")),
        })
    }

    /// Reads the run that the model describes, and settles the assertion at its end. `None`:
    /// there is no readable run, and all open assertions are settled as undecided.
    fn read_failure(&mut self, sure: bool) -> Option<AssertId> {
        let found = self
            .path()
            .and_then(|(path, item, id)| self.open.contains(&id).then_some((path, item, id)));
        let Some((path, item, id)) = found else {
            let why = if sure {
                Undecided::Internal("an unreadable model".to_owned())
            } else {
                Undecided::GaveUp
            };
            self.settle_open(&Finding::Undecided(why));
            return None;
        };
        let run = self.describe(&path, item);
        self.settle(id, Finding::Failed { sure, run });
        self.found_in.insert(id, self.lane);
        Some(id)
    }

    /// Asks once more, from another seed, about failures that may be none: a search that gave up on
    /// quantifiers says nothing about the next one.
    fn doubt_all(&mut self) {
        for (id, finding) in self.findings.clone() {
            self.lane = Lane::Tuned;
            if matches!(finding, Finding::Failed { sure: false, .. })
                && let Ok(text) = self.with_fact(&self.script.correctness.failing_only_at(id))
            {
                let seed = Seed::Default.number(self.limits.seed);
                let time = self.deadline.left();
                let ask = |own: &mut Self| own.check_with(seed, Start::Fresh, &text, time);
                if matches!(self.within(DOUBT_STEPS, ask), Checked::Unsatisfiable) {
                    self.findings.insert(id, Finding::Proved);
                }
            }
        }
    }

    /// Looks for smaller values on the paths of all failing runs.
    fn shrink_all(&mut self) {
        for (id, finding) in self.findings.clone() {
            self.lane = self.found_in.get(&id).copied().unwrap_or_default();
            if let Finding::Failed { sure: true, run } = finding
                && let Some(run) = self.shrink(&run)
            {
                self.findings.insert(id, Finding::Failed { sure: true, run });
            }
        }
    }

    /// The same run with smaller values, or nothing if there is none, or none was found soon.
    fn shrink(&mut self, run: &Run) -> Option<Run> {
        let path: Vec<BlockId> = run.blocks.iter().map(|block| BlockId(*block)).collect();
        let item = run.item as usize;
        let shrink::Wishes { together, alone, empty } = shrink::wishes(self.question, &path, item);
        let text = self.with_fact(&shrink::along(&self.script.correctness, &path, item)).ok()?;
        if !self.is_possible(Start::Fresh, &text) {
            return None;
        }
        let mut left = shrink::MOST_ATTEMPTS;
        if !self.wish_first(&together, &mut left) {
            for ranges in &alone {
                self.wish_first(ranges, &mut left);
            }
        }
        for wish in &empty {
            self.wish(wish, &mut left);
        }
        // The last attempt may have failed and left no model behind.
        if !self.is_possible(Start::Continue, "") {
            return None;
        }
        Some(self.describe(&path, item))
    }

    /// Keeps the first wish that is possible.
    fn wish_first(&mut self, wishes: &[Term], left: &mut usize) -> bool {
        wishes.iter().any(|wish| self.wish(wish, left))
    }

    /// Keeps the wish if it is possible.
    fn wish(&mut self, wish: &Term, left: &mut usize) -> bool {
        let Ok(fact) = self.fact(wish) else { return false };
        if *left == 0 {
            return false;
        }
        *left -= 1;
        if self.is_possible(Start::Continue, &format!("(push 1)\n{fact}")) {
            return true;
        }
        let undone = self.eval(Start::Continue, "(pop 1)\n", self.deadline.left() + GRACE);
        if undone.is_err() {
            *left = 0;
        }
        false
    }

    /// Is there a model, found within a few steps? Steps, not the time, which a busy machine makes
    /// short: the same failure is to be shown by the same run.
    fn is_possible(&mut self, start: Start, text: &str) -> bool {
        let time = self.deadline.left();
        let checked = self.within(shrink::STEPS, |own| own.check(start, text, time));
        matches!(checked, Checked::Model { sure: true })
    }

    /// Does something with so many steps of the solver at most.
    fn within<T>(&mut self, steps: u32, work: impl FnOnce(&mut Self) -> T) -> T {
        let limits = self.limits;
        self.limits.steps = Some(limits.steps.map_or(steps, |own| own.min(steps)));
        let done = work(self);
        self.limits = limits;
        done
    }

    fn path(&mut self) -> Option<(Vec<BlockId>, usize, AssertId)> {
        let choices: Vec<Term> =
            self.script.correctness.exits.iter().flat_map(|exits| exits.choices.clone()).collect();
        let texts: Option<Vec<String>> =
            choices.iter().map(|choice| self.script().term(choice).ok()).collect();
        let mut values =
            self.values(&texts?)?.into_iter().map(|value| value.atom() == Some("true"));
        let exits = &self.script.correctness.exits;
        let taken: Vec<Option<Exit>> = exits
            .iter()
            .map(|exits| {
                let choices: Vec<bool> = values.by_ref().take(exits.choices.len()).collect();
                let nth = choices.iter().position(|taken| *taken).unwrap_or(choices.len());
                exits.ways.get(nth).copied()
            })
            .collect();
        let (mut path, mut at) = (Vec::new(), BlockId(0));
        loop {
            path.push(at);
            match (*taken.get(at.index())?)? {
                Exit::Failure { item, id } => return Some((path, item, id)),
                Exit::Next(next) => at = next,
            }
        }
    }

    fn describe(&mut self, path: &[BlockId], item: usize) -> Run {
        let captures = captures_on(&self.question.passive, path, item);
        let asked: Vec<(&Term, Option<Reading>)> = captures
            .iter()
            .flat_map(|capture| &capture.values)
            .map(|(_, term)| (term, self.script().reading(term)))
            .collect();
        let texts: Vec<String> = asked
            .iter()
            .filter_map(|(_, reading)| reading.as_ref())
            .flat_map(Reading::texts)
            .cloned()
            .collect();
        let wanted = self.wanted();
        let mut answers = self.values(&texts).unwrap_or_default().into_iter();
        let known = self.values(&wanted.texts()).unwrap_or_default();
        let mut asked = asked.into_iter();
        // One reader for all: elements have the same number wherever they are shown.
        let mut reader = Reader::new(&self.script().names);
        let mut values = Vec::new();
        for capture in &captures {
            let here = asked.by_ref().take(capture.values.len()).map(|(term, reading)| {
                let value = match reading {
                    Some(reading) => reading.value(&mut reader, &mut answers),
                    // The question says nothing about it, so any value will do.
                    None => term.as_var().and_then(|var| any_value(&var.sort)),
                };
                value.as_ref().map(StoredValue::from)
            });
            values.push(here.collect());
        }
        Run {
            blocks: path.iter().map(|block| block.0).collect(),
            item: u32::try_from(item).unwrap_or(u32::MAX),
            names: names_digest(self.question),
            values,
            witness: wanted.read(known, &mut reader),
        }
    }

    /// Everything that the question mentions outside of binders and whose values are read exactly.
    fn wanted(&self) -> Asked {
        let Wanted { mut variables, mut calls, mut functions } = witness::wanted(self.question);
        let script = self.script();
        let known = |term: &Term| witness::is_exact(term.sort()) && script.reading(term).is_some();
        variables.retain(|var| known(&Term::var(var.clone())));
        calls.retain(|call| {
            call.as_app().is_some_and(|(_, args)| args.iter().all(known)) && known(call)
        });
        let mut terms: Vec<Term> = variables.iter().cloned().map(Term::var).collect();
        for call in &calls {
            terms.extend(call.as_app().map_or(&[][..], |(_, args)| args).iter().cloned());
            terms.push(call.clone());
        }
        let mut readings: Vec<Reading> =
            terms.iter().filter_map(|term| script.reading(term)).collect();
        functions.retain(|function| {
            let reading = witness::is_exact(&function.result)
                .then(|| script.reading_of_function(function))
                .flatten();
            let is_read = reading.is_some();
            readings.extend(reading);
            is_read
        });
        Asked { variables, calls, functions, readings }
    }

    /// The values of terms in the current model, in order.
    fn values(&mut self, terms: &[String]) -> Option<Vec<Sexpr>> {
        if terms.is_empty() {
            return Some(Vec::new());
        }
        let script = format!("(get-value ({}))\n", terms.join(" "));
        let time = self.deadline.left() + GRACE;
        let printed = self.eval(Start::Continue, &script, time).ok()?;
        let mut parsed = sexpr::parse(&printed)?;
        let Some(Sexpr::List(pairs)) = parsed.pop() else { return None };
        let values: Option<Vec<Sexpr>> = pairs
            .into_iter()
            .map(|pair| match pair {
                Sexpr::List(mut pair) if pair.len() == 2 => pair.pop(),
                Sexpr::List(_) | Sexpr::Atom(_) => None,
            })
            .collect();
        values.filter(|values| values.len() == terms.len())
    }
}

/// What a witness is made of, as it was asked for.
struct Asked {
    variables: Vec<Var>,
    calls: Vec<Term>,
    functions: Vec<Arc<FuncSym>>,
    /// Of the variables, then for each call of its arguments and itself, then of the functions.
    readings: Vec<Reading>,
}

impl Asked {
    fn texts(&self) -> Vec<String> {
        self.readings.iter().flat_map(Reading::texts).cloned().collect()
    }

    fn read(&self, printed: Vec<Sexpr>, reader: &mut Reader<'_>) -> Witness {
        if printed.len() != self.texts().len() {
            return Witness::default();
        }
        let mut printed = printed.into_iter();
        let read: Option<Vec<Value>> =
            self.readings.iter().map(|reading| reading.value(reader, &mut printed)).collect();
        let Some(read) = read else { return Witness::default() };
        let mut values = read.iter().map(StoredValue::from);
        let named = self.variables.iter().zip(values.by_ref());
        let variables = named.map(|(var, value)| (var.name.as_str().to_owned(), value)).collect();
        let rows = self.calls.iter().filter_map(|call| {
            let (Op::Func(function), args) = call.as_app()? else { return None };
            let arguments: Vec<StoredValue> = values.by_ref().take(args.len()).collect();
            Some((function.name.as_str().to_owned(), arguments, values.next()?))
        });
        let calls = rows.collect();
        let named = |function: &Arc<FuncSym>| function.name.as_str().to_owned();
        let functions = self.functions.iter().map(named).zip(values).collect();
        Witness { variables, calls, functions }
    }
}

fn is_memory(words: &str) -> bool {
    words.contains("out of memory") || words.contains("memory exceeded") || words.contains("memout")
}

fn excerpt(text: &str) -> String {
    let short: String = text.chars().take(80).collect();
    format!("{short:?}")
}

#[cfg(test)]
mod tests;
