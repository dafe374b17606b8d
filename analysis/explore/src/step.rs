//! What threads can do: all outcomes of one move.
//!
//! **In:** a state. **Out:** its successors, with the failures among them.
//!
//! A state is a row of words: the globals, a word for each thread of the client, and one for the
//! started threads. A thread is its innermost frame, which knows what it returns to; or a parallel
//! call, which knows its arms. Choices are on a stack, so a move is a generator of outcomes.
//!
//! # Invariants
//! - Outcomes come in the order of the code's choices: same state, same successors, same order.
//! - Registers that are no variables mean nothing at the start of a move.

#![allow(clippy::wildcard_enum_match_arm, reason = "computations are run elsewhere")]

mod choices;
mod frames;
mod fresh;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use ir::{
    Site, Sort, Value,
    exploration::{Choice, Inexact},
    layer::ProcId,
};
use rustc_hash::FxHashSet;

use choices::{Alternative, Prefix};

use crate::{
    arena::{Kind, Val},
    code::{At, Code, Grain, Instr, Pc, Range, Slot},
    domain::Domains,
    eval::Eval,
};

/// The word of a thread that has finished.
pub(crate) const FINISHED: Val = Val::constant(0);
/// The word for "returns to nobody".
const NOBODY: Val = Val::constant(1);
/// A run between two points is cut after this many instructions that change threads.
const MOST_STEPS: u32 = 100_000;

/// What a move comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The thread is at its next point.
    Moved,
    /// The condition of this number is false.
    Failed(u32),
    /// It took too many steps.
    Endless,
}

/// One outcome of a move. Its state is a row of [`Machine::rows`].
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) end: End,
    /// Which thread moved: its position among the threads of the state.
    pub(crate) thread: u32,
    /// Micro steps.
    pub(crate) steps: u32,
    /// Decisions, while recording.
    pub(crate) choices: Vec<Choice>,
    /// Which of them are elements made new.
    pub(crate) made_new: Vec<usize>,
    /// Where the thread was.
    pub(crate) from: Option<Site>,
    /// Is the thread finished?
    pub(crate) finished: bool,
    /// How many threads it started.
    pub(crate) started: usize,
}

/// Where threads stand in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) globals: usize,
    pub(crate) threads: usize,
}

impl Shape {
    /// Words of a state.
    pub(crate) fn width(self) -> usize {
        self.globals + self.threads + 1
    }

    /// The word with the started threads.
    pub(crate) fn started(self) -> usize {
        self.globals + self.threads
    }
}

/// Threads on compiled code.
pub(crate) struct Machine<'p> {
    pub(crate) eval: Eval,
    pub(crate) code: Rc<Code>,
    pub(crate) domains: Domains<'p>,
    pub(crate) shape: Shape,
    /// Where others may run.
    pub(crate) grain: Grain,
    pub(crate) recording: bool,
    /// The outcomes of the last state, and their rows one after the other.
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) rows: Vec<Val>,
    /// Places where something undefined was used.
    pub(crate) undefined: FxHashSet<Site>,
    /// Did the last state meet something that cannot be executed or decided?
    pub(crate) doubtful: bool,
    /// Did a choice in the last state leave out values beyond the scope?
    pub(crate) bounded: bool,
    /// Roots that some thread called.
    pub(crate) called: BTreeSet<ProcId>,
    /// Did several steps that others can notice run as one?
    pub(crate) merged: bool,
    /// How often a gate ended runs that the layer above has to keep.
    cuts: BTreeMap<Site, u64>,
    state: Vec<Val>,
    thread: u32,
    parent: Val,
    path: Vec<(Val, u32)>,
    spawned: Vec<Val>,
    results: Vec<Val>,
    choices: Vec<Choice>,
    made_new: Vec<usize>,
    steps: u32,
    /// Was a step taken that others can notice?
    shared: bool,
    last: Option<Site>,
    /// The last point that was passed.
    point: u32,
    from: Option<Site>,
    stack: Vec<Alternative>,
    prefixes: Vec<Prefix>,
    /// Others may run before the next step, whatever it is.
    gives_way: bool,
    saved: Vec<Val>,
    live: usize,
}

fn is_behind_point(code: &Code, pc: Pc) -> bool {
    let before = (pc as usize).checked_sub(1).and_then(|at| code.instrs.get(at));
    matches!(before, Some(Instr::Point(_)))
}

/// What to do after an instruction.
enum Go {
    To(Pc),
    Back,
}

impl<'p> Machine<'p> {
    pub(crate) fn new(eval: Eval, code: Rc<Code>, domains: Domains<'p>, threads: usize) -> Self {
        let shape = Shape { globals: code.globals.len(), threads };
        let live = code.window as usize;
        Machine {
            eval,
            code,
            domains,
            shape,
            grain: Grain::Shared,
            recording: false,
            outcomes: Vec::new(),
            rows: Vec::new(),
            undefined: FxHashSet::default(),
            doubtful: false,
            bounded: false,
            called: BTreeSet::new(),
            merged: false,
            cuts: BTreeMap::new(),
            state: Vec::new(),
            thread: 0,
            parent: NOBODY,
            path: Vec::new(),
            spawned: Vec::new(),
            results: Vec::new(),
            choices: Vec::new(),
            made_new: Vec::new(),
            steps: 0,
            shared: false,
            last: None,
            point: 0,
            from: None,
            stack: Vec::new(),
            prefixes: Vec::new(),
            gives_way: false,
            saved: Vec::new(),
            live,
        }
    }

    /// The state of an outcome.
    pub(crate) fn row(&self, outcome: usize) -> &[Val] {
        let width = self.shape.width();
        &self.rows[outcome * width..(outcome + 1) * width]
    }

    /// The threads of a state, started ones last.
    pub(crate) fn threads(&self, state: &[Val]) -> Vec<Val> {
        let mut threads = state[self.shape.globals..self.shape.started()].to_vec();
        threads
            .extend_from_slice(self.eval.arena.items(state[self.shape.started()]).unwrap_or(&[]));
        threads
    }

    /// All outcomes of all threads.
    pub(crate) fn expand(&mut self, state: &[Val]) {
        self.outcomes.clear();
        self.rows.clear();
        self.doubtful = false;
        self.bounded = false;
        self.state.clear();
        self.state.extend_from_slice(state);
        let code = self.code.clone();
        for thread in 0..self.shape.threads {
            self.thread = thread as u32;
            self.move_leaves(&code, state[self.shape.globals + thread], &mut Vec::new());
        }
        let started = state[self.shape.started()];
        let count = self.eval.arena.items(started).map_or(0, <[Val]>::len);
        for nth in 0..count {
            let Some(thread) = self.eval.arena.items(started).map(|items| items[nth]) else {
                continue;
            };
            self.thread = (self.shape.threads + nth) as u32;
            self.move_leaves(&code, thread, &mut Vec::new());
        }
    }

    /// All outcomes of code that makes initial states: rows of globals only.
    pub(crate) fn starts(&mut self, pc: Pc, globals: &[Val], limit: usize) -> Vec<Vec<Val>> {
        self.outcomes.clear();
        self.rows.clear();
        self.state.clear();
        self.state.extend_from_slice(globals);
        self.state.resize(self.shape.width(), FINISHED);
        let none = self.eval.arena.seq(&[]);
        self.state[self.shape.started()] = none;
        let code = self.code.clone();
        self.load_globals();
        self.parent = NOBODY;
        self.path.clear();
        self.run(&code, pc, limit);
        let width = self.shape.width();
        let rows = self.rows.chunks_exact(width).zip(&self.outcomes);
        rows.filter(|(_, outcome)| outcome.end == End::Moved)
            .map(|(row, _)| row[..self.shape.globals].to_vec())
            .collect()
    }

    fn move_leaves(&mut self, code: &Code, thread: Val, path: &mut Vec<(Val, u32)>) {
        let arms = match self.eval.arena.look(thread) {
            Some((Kind::Frame, _)) => {
                self.path.clone_from(path);
                self.move_frame(code, thread);
                return;
            }
            Some((Kind::Fork, words)) => words[2..].to_vec(),
            Some(_) | None => return,
        };
        for (nth, arm) in arms.into_iter().enumerate() {
            path.push((thread, nth as u32));
            self.move_leaves(code, arm, path);
            path.pop();
        }
    }

    fn move_frame(&mut self, code: &Code, frame: Val) {
        self.load_globals();
        self.record_arms();
        let (pc, site) = self.load(frame);
        // A frame that never moved may stand in front of its first point.
        let fresh = !is_behind_point(code, pc);
        self.last = site;
        self.from = site;
        self.steps = u32::from(!fresh);
        if !fresh {
            self.takes(code, self.point);
        }
        self.run(code, pc, usize::MAX);
    }

    fn load_globals(&mut self) {
        let globals = self.shape.globals;
        self.eval.registers[..globals].copy_from_slice(&self.state[..globals]);
        self.spawned.clear();
        self.prefixes.clear();
        self.gives_way = false;
        self.stack.clear();
        self.saved.clear();
        self.steps = 0;
        self.shared = false;
        self.choices.clear();
        self.made_new.clear();
    }

    fn run(&mut self, code: &Code, start: Pc, limit: usize) {
        let mut pc = start;
        let mut count = 0;
        loop {
            pc = self.eval.run(code, pc);
            count += 1;
            let go = match code.instrs.get(pc as usize) {
                Some(_) if count > MOST_STEPS => {
                    self.finish(End::Endless, None);
                    Go::Back
                }
                Some(instr) => self.instr(code, instr, pc),
                None => Go::Back,
            };
            pc = match go {
                Go::To(next) => next,
                Go::Back if self.outcomes.len() >= limit => return,
                Go::Back => match self.back(code) {
                    Some(next) => next,
                    None => return,
                },
            };
        }
    }

    fn instr(&mut self, code: &Code, instr: &Instr, pc: Pc) -> Go {
        match instr {
            Instr::Assume(cond) => match self.eval.get(*cond) {
                Val::TRUE => Go::To(pc + 1),
                Val::FALSE => Go::Back,
                _undefined => {
                    self.use_undefined();
                    Go::Back
                }
            },
            Instr::Assert(cond, check) => match self.eval.get(*cond) {
                Val::TRUE => Go::To(pc + 1),
                Val::FALSE => {
                    self.finish(End::Failed(*check), None);
                    Go::Back
                }
                _undefined => {
                    self.use_undefined();
                    Go::To(pc + 1)
                }
            },
            Instr::Choose(targets) => match targets.first() {
                Some(first) => {
                    if targets.len() > 1 {
                        self.remember(pc, None);
                    }
                    Go::To(*first)
                }
                None => Go::Back,
            },
            Instr::Pick { dst, range, note, cut } => {
                self.bounded |= *cut;
                self.pick(*dst, range, *note, pc)
            }
            Instr::Point(point) => self.pass(code, *point, pc),
            Instr::Push(push, point) => self.push(code, push, *point),
            Instr::Fork(fork, point) => self.fork(code, fork, *point),
            Instr::Spawn(push) => {
                let frame = self.new_frame(code, push);
                self.spawned.push(frame);
                Go::To(pc + 1)
            }
            Instr::Take(slots) => {
                for (slot, val) in slots.iter().zip(&self.results) {
                    if let Some(slot) = slot {
                        self.eval.registers[slot.0 as usize] = *val;
                    }
                }
                Go::To(pc + 1)
            }
            Instr::Return(outs) => {
                self.results = outs.iter().map(|it| self.eval.get(*it)).collect();
                let body = code.points[self.point as usize].body;
                self.gives_way = self.grain == Grain::Blocks && code.bodies[body as usize].yields;
                self.give_back(code)
            }
            other => self.rare(other, pc),
        }
    }

    fn pick(&mut self, dst: Slot, range: &Range, note: Option<u32>, pc: Pc) -> Go {
        if let Some(note) = note {
            self.eval.noted[note as usize] = true;
        }
        let Some(values) = self.eval.range(range) else {
            self.use_undefined();
            return Go::Back;
        };
        match values.as_slice() {
            [] => return Go::Back,
            [only] => self.eval.set(dst, *only),
            [first, ..] => {
                let first = *first;
                self.remember(pc, Some(values));
                self.eval.set(dst, first);
            }
        }
        Go::To(pc + 1)
    }

    /// A place where others may run.
    fn pass(&mut self, code: &Code, point: u32, pc: Pc) -> Go {
        let at = code.points[point as usize].at;
        let gives_way = std::mem::take(&mut self.gives_way);
        if self.steps > 0 && (gives_way || self.grain.stops(at)) {
            let frame = self.save(code, point);
            self.last = code.points[point as usize].site;
            self.finish(End::Moved, Some(frame));
            return Go::Back;
        }
        if self.grain == Grain::Blocks && self.steps > 0 && at == At::Step {
            self.begin_prefix(point);
        }
        if self.steps > 0 {
            self.record_arms();
        }
        self.steps += 1;
        self.point = point;
        self.takes(code, point);
        self.last = code.points[point as usize].site;
        Go::To(pc + 1)
    }

    /// The step behind the point is taken.
    fn takes(&mut self, code: &Code, point: u32) {
        if code.points[point as usize].at == At::Step {
            self.merged |= self.shared && self.grain == Grain::Blocks;
            self.shared = true;
        }
    }

    fn rare(&mut self, instr: &Instr, pc: Pc) -> Go {
        match instr {
            Instr::Branch(target) => {
                if self.recording {
                    self.choices.push(Choice::Branch(*target));
                }
            }
            Instr::Chosen(slots) => {
                if self.recording {
                    self.record(slots);
                }
            }
            Instr::Root(root) => {
                if self.recording {
                    self.choices.push(Choice::Root(ProcId(*root)));
                }
            }
            Instr::Tick(steps) => {
                self.steps += steps;
                (0..*steps).for_each(|_| self.record_arms());
            }
            Instr::Note(note) => self.eval.noted[*note as usize] = true,
            Instr::Calls(root) => _ = self.called.insert(ProcId(*root)),
            Instr::Excuse(cond, site) => match self.eval.get(*cond) {
                Val::TRUE => {}
                Val::FALSE => {
                    *self.cuts.entry(*site).or_default() += u64::from(!self.recording);
                    self.doubtful = true;
                    return Go::Back;
                }
                _undefined => {
                    self.use_undefined();
                    return Go::Back;
                }
            },
            Instr::Excluded(note) => {
                self.eval.noted[*note as usize] = true;
                self.doubtful = true;
                return Go::Back;
            }
            Instr::Fresh(fresh) => match self.fresh(fresh) {
                Some(val) => {
                    self.eval.set(fresh.dst, val);
                    if self.recording {
                        self.made_new.push(self.choices.len());
                        self.record(&[(fresh.dst, fresh.sort)]);
                    }
                }
                None => {
                    self.eval.noted[fresh.note as usize] = true;
                    self.doubtful = true;
                    return Go::Back;
                }
            },
            Instr::Done => {
                self.finish(End::Moved, None);
                return Go::Back;
            }
            _computation => return Go::Back,
        }
        Go::To(pc + 1)
    }

    /// Which arms move, where several can.
    fn record_arms(&mut self) {
        if !self.recording {
            return;
        }
        for (fork, arm) in &self.path {
            let Some((_, words)) = self.eval.arena.look(*fork) else { continue };
            let is_open =
                |val: &Val| !matches!(self.eval.arena.look(*val), Some((Kind::Joined, _)));
            if words[2..].iter().filter(|it| is_open(it)).count() > 1 {
                let numbers = &self.code.points[words[0].word() as usize].arms;
                self.choices.push(Choice::Arm(numbers[*arm as usize]));
            }
        }
    }

    fn record(&mut self, slots: &[(Slot, u32)]) {
        let code = self.code.clone();
        for (slot, sort) in slots {
            let val = self.eval.registers[slot.0 as usize];
            let sort: &Sort = &code.sorts[*sort as usize];
            let value = self.domains.value(val, sort, &self.eval.arena);
            self.choices.push(Choice::Value(value.unwrap_or(Value::Opaque("undefined".into()))));
        }
    }

    fn use_undefined(&mut self) {
        self.doubtful = true;
        self.undefined.insert(self.last.unwrap_or(Site(0)));
    }

    /// Where the leaves of a thread stand; nothing for those of idle clients.
    pub(crate) fn places(&self, thread: Val) -> Vec<(Option<Site>, At)> {
        match self.eval.arena.look(thread) {
            Some((Kind::Frame, words)) => {
                let point = &self.code.points[words[0].word() as usize];
                vec![(point.site, point.at)]
            }
            Some((Kind::Fork, words)) => {
                words[2..].iter().flat_map(|arm| self.places(*arm)).collect()
            }
            Some(_) | None => Vec::new(),
        }
    }

    /// What was approximated so far.
    pub(crate) fn inexact(&self) -> Vec<Inexact> {
        let noted = self.code.notes.iter().zip(&self.eval.noted);
        let mut out: Vec<Inexact> =
            noted.filter(|(_, noted)| **noted).map(|(note, _)| note.clone()).collect();
        let mut sites: Vec<Site> = self.undefined.iter().copied().collect();
        sites.sort_unstable();
        out.extend(sites.into_iter().map(Inexact::Undefined));
        out.extend(self.cuts.iter().map(|(site, runs)| Inexact::CutShort(*site, *runs)));
        out
    }
}
