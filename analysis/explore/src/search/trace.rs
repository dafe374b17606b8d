//! From a state back to where it came from: the schedule that leads there.

use std::collections::BTreeMap;

use ir::{
    Element, Site, Symbol, Value,
    exploration::{Choice, Schedule, Scope, Start, Turn},
    layer::ProcId,
};

use super::Search;
use crate::{
    arena::{Kind, Val},
    step::FINISHED,
};

/// One turn as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Which thread, as in the schedule.
    pub thread: u32,
    /// Where it was; nothing for the beginning of a call by the client.
    pub from: Option<Site>,
    /// The root that the client calls, with its arguments.
    pub call: Option<(ProcId, Vec<Value>)>,
    /// Does a call of the client end here?
    pub returns: bool,
    /// Globals and variables of the thread that change: name, before, after.
    pub changes: Vec<(Symbol, Option<Value>, Option<Value>)>,
}

/// A run as people see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// The globals at the start.
    pub start: Vec<(Symbol, Option<Value>)>,
    /// What happens.
    pub moves: Vec<Move>,
}

/// What addresses are called in a run in which nothing is forgotten: there each one is new for good.
#[derive(Default)]
struct Addresses {
    names: BTreeMap<(Symbol, u32), u32>,
    /// For each sort, how many elements were made new.
    used: BTreeMap<Symbol, u32>,
}

impl Addresses {
    fn rename(&mut self, value: &mut Value, is_new: bool, scope: &Scope) {
        match value {
            Value::Element(Element { sort, index }) => {
                let key = (sort.clone(), *index);
                if is_new {
                    let used = self.used.entry(sort.clone()).or_default();
                    self.names.insert(key.clone(), scope.size_of(sort) + *used);
                    *used += 1;
                }
                if let Some(name) = self.names.get(&key) {
                    *index = *name;
                }
            }
            Value::Data(data) => {
                data.fields.iter_mut().for_each(|it| self.rename(it, is_new, scope));
            }
            Value::Seq(items) => items.iter_mut().for_each(|it| self.rename(it, is_new, scope)),
            // Maps over addresses are never chosen where cells are forgotten.
            Value::Map(_)
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Real(_)
            | Value::BitVec(..)
            | Value::String(_)
            | Value::Opaque(_) => {}
        }
    }
}

impl Search<'_> {
    /// The run to `state`, and on to one of its outcomes if one is given.
    pub(super) fn schedule(&mut self, state: u32, outcome: Option<usize>) -> (Schedule, Story) {
        let mut path = vec![state];
        while let Some(before) = self.states.parent(path[path.len() - 1]) {
            path.push(before);
        }
        path.reverse();
        self.machine.recording = true;
        let first = self.states.get(path[0]).to_vec();
        let mut names: Vec<u32> = (0..self.machine.shape.threads as u32).collect();
        let mut turns = Vec::new();
        let mut addresses = Addresses::default();
        let mut next = names.len() as u32;
        let mut story = Story { start: self.globals_of(&first), moves: Vec::new() };
        for pair in path.windows(2) {
            let (before, after) =
                (self.states.get(pair[0]).to_vec(), self.states.get(pair[1]).to_vec());
            self.machine.expand(&before);
            let found = (0..self.machine.outcomes.len()).find(|it| {
                self.reduce(*it);
                self.machine.row(*it) == after
            });
            let Some(found) = found else { break };
            turns.push(self.turn(found, &names, &mut addresses));
            story.moves.push(self.told(&before, &after, found, &names));
            self.rename(found, &mut names, &mut next);
        }
        if let Some(outcome) = outcome {
            let last = self.states.get(state).to_vec();
            self.machine.expand(&last);
            turns.push(self.turn(outcome, &names, &mut addresses));
            let after = self.machine.row(outcome).to_vec();
            story.moves.push(self.told(&last, &after, outcome, &names));
        }
        self.machine.recording = false;
        self.made_new = addresses.used;
        (Schedule { start: self.start_of(&first), turns }, story)
    }

    fn globals_of(&self, row: &[Val]) -> Vec<(Symbol, Option<Value>)> {
        let globals = self.machine.code.globals.iter().zip(row);
        let value = |(var, val): (&ir::Var, &Val)| {
            (
                var.name.clone(),
                self.machine.domains.value(*val, &var.sort, &self.machine.eval.arena),
            )
        };
        globals.map(value).collect()
    }

    fn told(&self, before: &[Val], after: &[Val], outcome: usize, names: &[u32]) -> Move {
        let made = &self.machine.outcomes[outcome];
        let mut changes = Vec::new();
        for (old, new) in self.globals_of(before).into_iter().zip(self.globals_of(after)) {
            if old.1 != new.1 {
                changes.push((old.0, old.1, new.1));
            }
        }
        let place = made.thread as usize;
        let old = self.machine.threads(before).get(place).copied();
        let new = self.machine.threads(after).get(place).copied();
        if let (Some(old), Some(new)) = (old, new) {
            self.frame_changes(old, new, &mut changes);
        }
        let mut choices = made.choices.iter();
        let call =
            choices.find_map(|it| if let Choice::Root(root) = it { Some(*root) } else { None });
        let values = made.choices.iter().filter_map(|it| {
            if let Choice::Value(value) = it { Some(value.clone()) } else { None }
        });
        let call = call.map(|root| {
            let program = self.machine.domains.program();
            let count = program.procedure(root).map_or(0, |it| it.ins.len());
            (root, values.take(count).collect())
        });
        let is_idle = |thread: Option<Val>| {
            thread.is_some_and(|it| {
                it == FINISHED
                    || self.machine.places(it).iter().any(|place| place.1 == crate::code::At::Idle)
            })
        };
        let returns = is_idle(new) && !is_idle(old);
        let thread = names.get(place).copied().unwrap_or(u32::MAX);
        Move { thread, from: made.from, call, returns, changes }
    }

    /// What changes in the innermost frame, if it is still the same one.
    fn frame_changes(
        &self,
        old: Val,
        new: Val,
        changes: &mut Vec<(Symbol, Option<Value>, Option<Value>)>,
    ) {
        let machine = &self.machine;
        let look = |val| match machine.eval.arena.look(val) {
            Some((Kind::Frame, words)) => Some(words),
            Some(_) | None => None,
        };
        let (Some(old), Some(new)) = (look(old), look(new)) else { return };
        let body = |words: &[Val]| machine.code.points[words[0].word() as usize].body;
        if body(old) != body(new) {
            return;
        }
        let vars = &machine.code.bodies[body(old) as usize].vars;
        for (nth, var) in vars.iter().enumerate() {
            let (old, new) = (old[nth + 2], new[nth + 2]);
            if old != new && !var.name.as_str().contains('@') {
                let value = |val| machine.domains.value(val, &var.sort, &machine.eval.arena);
                changes.push((var.name.clone(), value(old), value(new)));
            }
        }
    }

    fn turn(&self, outcome: usize, names: &[u32], addresses: &mut Addresses) -> Turn {
        let made = &self.machine.outcomes[outcome];
        let thread = names.get(made.thread as usize).copied().unwrap_or(u32::MAX);
        let mut choices = made.choices.clone();
        if !self.collector.is_idle() {
            for (nth, choice) in choices.iter_mut().enumerate() {
                if let Choice::Value(value) = choice {
                    addresses.rename(value, made.made_new.contains(&nth), &self.scope);
                }
            }
        }
        Turn { thread, steps: made.steps, choices }
    }

    /// Started threads are numbered in the order of their start, although finished ones disappear.
    fn rename(&self, outcome: usize, names: &mut Vec<u32>, next: &mut u32) {
        let made = &self.machine.outcomes[outcome];
        let moved = made.thread as usize;
        if made.finished && moved >= self.machine.shape.threads && moved < names.len() {
            names.remove(moved);
        }
        for _ in 0..made.started {
            names.push(*next);
            *next += 1;
        }
    }

    pub(super) fn start_of(&self, row: &[Val]) -> Start {
        let code = self.machine.code.clone();
        let value = |nth: usize| {
            let sort = &code.globals[nth].sort;
            self.machine.domains.value(row[nth], sort, &self.machine.eval.arena)
        };
        let program = self.machine.domains.program();
        let count = program.globals.len();
        let undefined = || ir::Value::Opaque("undefined".into());
        let globals = (0..count).map(|nth| value(nth).unwrap_or_else(undefined)).collect();
        let mut functions = std::collections::BTreeMap::new();
        let free = program.functions.iter().filter(|(_, it)| it.is_free());
        for (nth, (name, function)) in free.enumerate() {
            let table = match value(count + nth) {
                Some(ir::Value::Map(map)) if !function.symbol.args.is_empty() => map,
                Some(constant) => ir::MapValue::new([(vec![], constant)], None),
                None => continue,
            };
            functions.insert(name.clone(), table);
        }
        Start { globals, functions }
    }
}
