//! All states of an instance, breadth first.
//!
//! **In:** a program, a scope, limits. **Out:** an [`Exploration`].
//!
//! # Invariants
//! - States are found in rounds of equal depth, in the order of their predecessors: the first
//!   violation has as few turns as any.
//! - Budgets are in states and bytes; a raised flag ends the search within a few thousand steps.

#[cfg(test)]
mod agreement;
mod deals;
mod states;
mod trace;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::atomic::{AtomicBool, Ordering},
};

use ir::{
    Site, Symbol,
    exploration::{Answer, Exploration, Inexact, Scope, Stats, Truncation, Violated, Violation},
    layer::{LayerProgram, ProcId, Why, Words},
};

use crate::{
    arena::{Arena, Val},
    code::{At, Grain},
    collect::{Collector, heaps},
    compile::{Client, Compiler, Refused, Start},
    domain::Domains,
    eval::Eval,
    step::{End, FINISHED, Machine},
};
use states::States;
pub use trace::{Move, Story};

/// More initial states than this are not tried.
const MOST_STARTS: usize = 100_000;
/// How often the flag is looked at.
const STRIDE: u32 = 256;

/// What an exploration may use, and what it checks.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most states.
    pub most_states: u64,
    /// The most bytes.
    pub most_bytes: u64,
    /// Are claims of proofs checked as well: invariants, loop invariants, what procedures ensure?
    pub claims: bool,
    /// Are deadlocks looked for?
    pub deadlocks: bool,
    /// Where others may run.
    pub grain: Grain,
    /// What the client calls; nothing: the roots of the program.
    pub roots: Vec<ProcId>,
    /// The action that makes the initial state; nothing: that of the program, if it names one.
    pub init: Option<ir::layer::ActionId>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            most_states: 16_000_000,
            most_bytes: 2 << 30,
            claims: false,
            deadlocks: true,
            grain: Grain::Blocks,
            roots: Vec::new(),
            init: None,
        }
    }
}

/// A piece of the program that cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name.
    pub name: ir::Symbol,
    /// Why.
    pub why: String,
    /// Where.
    pub site: Site,
}

/// An answer, and what had to be left out for it.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The answer.
    pub exploration: Exploration,
    /// What could not be executed.
    pub left_out: Vec<LeftOut>,
    /// How many threads the client has; threads of main programs included.
    pub threads: u32,
    /// Did steps run as one because of mover types that the program declares?
    pub by_movers: bool,
    /// The run of a violation, as people see it.
    pub story: Story,
}

/// Explores the program in the scope.
pub fn explore(
    program: &LayerProgram,
    scope: &Scope,
    options: &Options,
    cancel: &AtomicBool,
) -> Explored {
    let Prepared { mut search, start, left_out } = prepare(program, scope, options, cancel);
    let answer = match start {
        Ok(start) => search.run(&start),
        Err(Refused(why)) => Answer::Truncated(Truncation::Internal(why)),
    };
    let story = std::mem::take(&mut search.story);
    let (threads, by_movers) = (search.clients.len() as u32, search.machine.merged);
    Explored { exploration: search.finish(answer), left_out, threads, by_movers, story }
}

/// Everything before the first state.
struct Prepared<'p> {
    search: Search<'p>,
    start: Result<Start, Refused>,
    left_out: Vec<LeftOut>,
}

fn prepare<'p>(
    program: &'p LayerProgram,
    scope: &'p Scope,
    options: &'p Options,
    cancel: &'p AtomicBool,
) -> Prepared<'p> {
    let mut domains = Domains::new(program, scope);
    let mut arena = Arena::default();
    let roots = if options.roots.is_empty() { &program.roots } else { &options.roots };
    let (mains, called): (Vec<ProcId>, Vec<ProcId>) =
        roots.iter().partition(|id| program.procedure(**id).is_some_and(is_main));
    let checked = checked(options);
    let collector = Collector::new(heaps(program, roots, &checked));
    let mut compiler = Compiler::new(program, &mut arena, &mut domains, checked);
    compiler.globals();
    compiler.procedures();
    let client = compiler.client(&called, scope.calls.is_some());
    let count = if called.is_empty() { 0 } else { scope.threads as usize };
    let mut clients = vec![(client, scope.calls); count];
    clients.extend(mains.iter().map(|main| (compiler.client(&[*main], true), Some(1))));
    let start = compiler.start(options.init.or(program.wishes.init), roots);
    compiler.settle_entries();
    let refusals = std::mem::take(&mut compiler.refusals);
    let (code, notes) = compiler.finish();
    let left_out =
        refusals.into_iter().map(|(name, why, site)| LeftOut { name, why, site }).collect();
    let code = Rc::new(code);
    let eval = Eval::new(arena, &code);
    let mut machine = Machine::new(eval, code, domains, clients.len());
    machine.grain = options.grain;
    let search = Search {
        states: States::new(machine.shape.width()),
        machine,
        scope: scope.clone(),
        options,
        cancel,
        clients,
        callers: count,
        notes,
        stats: Stats::default(),
        story: Story::default(),
        collector,
        made_new: BTreeMap::new(),
    };
    Prepared { search, start, left_out }
}

/// Which conditions are checked. Claims of proofs hold where threads yield, not between two steps of a
/// block.
fn checked(options: &Options) -> BTreeSet<Why> {
    let blocks = options.grain == Grain::Blocks;
    let mut checked: BTreeSet<Why> = Why::table().iter().map(|it| it.0).collect();
    if !(options.claims && blocks) {
        checked.retain(|why| why.is_failure() || (blocks && *why == Why::Requires));
    }
    checked
}

/// A procedure without parameters that starts others is a program of its own.
fn is_main(procedure: &ir::layer::Procedure) -> bool {
    use ir::layer::Step;
    procedure.ins.is_empty()
        && procedure
            .nodes
            .iter()
            .flat_map(|node| &node.steps)
            .any(|step| matches!(step, Step::Spawn { .. } | Step::Par(..)))
}

pub(crate) struct Search<'p> {
    machine: Machine<'p>,
    states: States,
    scope: Scope,
    options: &'p Options,
    cancel: &'p AtomicBool,
    /// For each thread of the client its code, and how often it calls. Those that call any root come
    /// first; then there is one for each main program.
    clients: Vec<(Client, Option<u32>)>,
    callers: usize,
    notes: BTreeSet<Inexact>,
    stats: Stats,
    story: Story,
    collector: Collector,
    /// How many elements of each sort the run of a violation makes new.
    made_new: BTreeMap<Symbol, u32>,
}

impl Search<'_> {
    fn run(&mut self, start: &Start) -> Answer {
        if let Err(why) = self.begin(start) {
            return Answer::Truncated(why);
        }
        let width = self.machine.shape.width();
        let mut row = vec![FINISHED; width];
        let mut level_end = self.states.len();
        let mut at = 0u32;
        while at < self.states.len() {
            if at == level_end {
                self.stats.depth += 1;
                level_end = self.states.len();
            }
            let too_many = u64::from(self.states.len()) > self.options.most_states;
            if (too_many || at.is_multiple_of(STRIDE))
                && let Some(why) = self.over_budget()
            {
                return Answer::Truncated(why);
            }
            row.copy_from_slice(self.states.get(at));
            self.machine.expand(&row);
            self.stats.transitions += self.machine.outcomes.len() as u64;
            for nth in 0..self.machine.outcomes.len() {
                match &self.machine.outcomes[nth].end {
                    End::Moved => {
                        self.reduce(nth);
                        self.states.insert(self.machine.row(nth), at);
                    }
                    End::Failed(check) => {
                        let check = *check;
                        return self.violation(at, Some(nth), self.failed(check));
                    }
                    End::Endless => return Answer::Truncated(Truncation::Steps(100_000)),
                }
            }
            if self.machine.outcomes.is_empty()
                && let Some(stuck) = self.deadlock(&row)
            {
                return self.violation(at, None, Violated::Deadlock(stuck));
            }
            at += 1;
        }
        Answer::Exhausted
    }

    /// The state of an outcome, as it is kept.
    fn reduce(&mut self, outcome: usize) {
        if !self.collector.is_idle() {
            let width = self.machine.shape.width();
            let row = &mut self.machine.rows[outcome * width..(outcome + 1) * width];
            self.collector.collect(row, &mut self.machine.eval.arena);
        }
    }

    fn failed(&self, check: u32) -> Violated {
        let condition = &self.machine.code.checks[check as usize];
        Violated::Check { id: condition.id, why: condition.why, site: condition.site }
    }

    fn over_budget(&self) -> Option<Truncation> {
        let bytes = (self.states.bytes() + self.machine.eval.arena.bytes()) as u64;
        if self.cancel.load(Ordering::Relaxed) {
            return Some(Truncation::Cancelled);
        }
        if u64::from(self.states.len()) > self.options.most_states {
            return Some(Truncation::States(self.options.most_states));
        }
        let full = bytes > self.options.most_bytes || self.machine.eval.arena.is_full();
        full.then_some(Truncation::Memory(self.options.most_bytes))
    }

    /// The initial states.
    fn begin(&mut self, start: &Start) -> Result<(), Truncation> {
        let least: Vec<Val> = self.least_globals();
        let mut starts = self.machine.starts(start.pc, &least, MOST_STARTS);
        if starts.len() >= MOST_STARTS {
            return Err(Truncation::Starts(MOST_STARTS as u64));
        }
        let mut seen = rustc_hash::FxHashSet::default();
        starts.retain(|globals| seen.insert(globals.clone()));
        let most = MOST_STARTS / starts.len().max(1);
        for globals in starts {
            for frames in self.deals(start, &globals, most) {
                let mut row = globals.clone();
                row.extend(frames);
                row.push(self.machine.eval.arena.seq(&[]));
                self.collector.collect(&mut row, &mut self.machine.eval.arena);
                self.states.insert(&row, u32::MAX);
            }
        }
        self.stats.starts = u64::from(self.states.len());
        Ok(())
    }

    fn least_globals(&mut self) -> Vec<Val> {
        let globals = self.machine.code.globals.clone();
        let machine = &mut self.machine;
        globals.iter().map(|it| machine.domains.least(&it.sort, &mut machine.eval.arena)).collect()
    }

    /// Where threads wait that have begun something, if none can move.
    fn deadlock(&mut self, row: &[Val]) -> Option<Vec<Site>> {
        let mut stuck = Vec::new();
        for thread in self.machine.threads(row) {
            let begun = self.machine.places(thread).into_iter().filter(|it| it.1 != At::Idle);
            stuck.extend(begun.map(|(site, _)| site.unwrap_or(Site(0))));
        }
        let first = *stuck.first()?;
        if self.machine.bounded {
            self.notes.insert(Inexact::BoundedWait(first));
            return None;
        }
        // Where nobody says how the program starts, it may start locked.
        let assumed = self.notes.contains(&Inexact::AssumedStart);
        let looked_for = self.options.deadlocks && !assumed && !self.machine.doubtful;
        (looked_for && !self.is_stuck_by_deal(row)).then_some(stuck)
    }

    fn violation(&mut self, state: u32, outcome: Option<usize>, what: Violated) -> Answer {
        let (schedule, story) = self.schedule(state, outcome);
        self.story = story;
        let program = self.machine.domains.program();
        let threads = self.machine.shape.threads as u32;
        let mut scope = Scope { threads, ..self.scope.clone() };
        for (sort, count) in &self.made_new {
            scope.sizes.insert(sort.clone(), self.scope.size_of(sort) + count);
        }
        Answer::Violation(Box::new(Violation::replayed(program, &scope, what, schedule)))
    }

    /// Roots that no thread called, in any run.
    fn never_called(&self) -> Vec<Inexact> {
        let program = self.machine.domains.program();
        let roots = self.clients.iter().flat_map(|it| &it.0.roots);
        let idle = roots.filter(|it| !self.machine.called.contains(it));
        let procedures = idle.filter_map(|it| program.procedure(*it));
        procedures.map(|it| Inexact::NeverCalled(it.name.clone())).collect()
    }

    fn finish(mut self, answer: Answer) -> Exploration {
        self.stats.states = u64::from(self.states.len());
        self.stats.bytes = (self.states.bytes() + self.machine.eval.arena.bytes()) as u64;
        let mut inexact = std::mem::take(&mut self.notes);
        inexact.extend(self.machine.inexact());
        if answer == Answer::Exhausted && self.stats.starts > 0 {
            inexact.extend(self.never_called());
        }
        Exploration { answer, scope: self.scope, inexact, stats: self.stats }
    }
}
