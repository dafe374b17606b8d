//! From a state back to where it came from: the schedule that leads there.

use ir::exploration::{Schedule, Start, Turn};

use super::Search;
use crate::{arena::Val, step::FINISHED};

impl Search<'_> {
    /// The run to `state`, and on to one of its outcomes if one is given.
    pub(super) fn schedule(&mut self, state: u32, outcome: Option<usize>) -> Schedule {
        let mut path = vec![state];
        while let Some(before) = self.states.parent(path[path.len() - 1]) {
            path.push(before);
        }
        path.reverse();
        self.machine.recording = true;
        let first = self.states.get(path[0]).to_vec();
        let mut names: Vec<u32> = (0..self.machine.shape.threads as u32).collect();
        let mut turns = Vec::new();
        let mut next = names.len() as u32;
        for pair in path.windows(2) {
            let (before, after) =
                (self.states.get(pair[0]).to_vec(), self.states.get(pair[1]).to_vec());
            self.machine.expand(&before);
            let found = (0..self.machine.outcomes.len()).find(|it| self.machine.row(*it) == after);
            let Some(found) = found else { break };
            turns.push(self.turn(found, &names));
            self.rename(&before, &after, found, &mut names, &mut next);
        }
        if let Some(outcome) = outcome {
            let last = self.states.get(state).to_vec();
            self.machine.expand(&last);
            turns.push(self.turn(outcome, &names));
        }
        self.machine.recording = false;
        Schedule { start: self.start_of(&first), turns }
    }

    fn turn(&self, outcome: usize, names: &[u32]) -> Turn {
        let made = &self.machine.outcomes[outcome];
        let thread = names.get(made.thread as usize).copied().unwrap_or(u32::MAX);
        Turn { thread, steps: made.steps, choices: made.choices.clone() }
    }

    /// Started threads are numbered in the order of their start, although finished ones disappear.
    fn rename(
        &self,
        before: &[Val],
        after: &[Val],
        outcome: usize,
        names: &mut Vec<u32>,
        next: &mut u32,
    ) {
        let moved = self.machine.outcomes[outcome].thread as usize;
        let (old, new) = (self.machine.threads(before).len(), self.machine.threads(after).len());
        let started = self.machine.shape.threads;
        let is_gone = moved >= started && {
            let threads = self.machine.threads(after);
            // A started thread that finished left its place to the next one.
            threads.get(moved).is_none_or(|it| *it == FINISHED)
                || self.machine.threads(before).get(moved + 1) == threads.get(moved)
                    && new < old
        };
        let mut count = old;
        if is_gone {
            names.remove(moved);
            count -= 1;
        }
        while count < new {
            names.push(*next);
            *next += 1;
            count += 1;
        }
    }

    fn start_of(&self, row: &[Val]) -> Start {
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
