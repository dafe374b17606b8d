//! Choices that are not exhausted, and blocks that may turn out to be stuck.

use ir::Site;

use super::{End, Machine};
use crate::{
    arena::Val,
    code::{Code, Instr, Pc},
    eval::Values,
};

/// A block that has begun: left here if no way leads on.
pub(super) struct Prefix {
    /// How many choices and outcomes there were.
    stack: usize,
    outcomes: usize,
    point: u32,
    registers: Vec<Val>,
    parent: Val,
    path: Vec<(Val, u32)>,
    spawned: usize,
    choices: usize,
    steps: u32,
    shared: bool,
}

/// A choice with outcomes that were not tried.
pub(super) struct Alternative {
    pc: Pc,
    next: usize,
    /// Values for a variable; none: positions in the code.
    values: Option<Values>,
    registers: usize,
    parent: Val,
    path: Vec<(Val, u32)>,
    spawned: usize,
    choices: usize,
    steps: u32,
    shared: bool,
    point: u32,
    last: Option<Site>,
}

impl Machine<'_> {
    pub(super) fn remember(&mut self, pc: Pc, values: Option<Values>) {
        let registers = self.saved.len();
        self.saved.extend_from_slice(&self.eval.registers[..self.live]);
        self.stack.push(Alternative {
            pc,
            next: 1,
            values,
            registers,
            parent: self.parent,
            path: self.path.clone(),
            spawned: self.spawned.len(),
            choices: self.choices.len(),
            steps: self.steps,
            shared: self.shared,
            point: self.point,
            last: self.last,
        });
    }

    pub(super) fn begin_prefix(&mut self, point: u32) {
        self.prefixes.push(Prefix {
            stack: self.stack.len(),
            outcomes: self.outcomes.len(),
            point,
            registers: self.eval.registers[..self.live].to_vec(),
            parent: self.parent,
            path: self.path.clone(),
            spawned: self.spawned.len(),
            choices: self.choices.len(),
            steps: self.steps,
            shared: self.shared,
        });
    }

    /// Blocks all of whose ways are tried: those without outcome are left where they wait.
    pub(super) fn end_prefixes(&mut self, code: &Code) {
        while let Some(prefix) = self.prefixes.pop_if(|it| it.stack == self.stack.len()) {
            if prefix.outcomes < self.outcomes.len() {
                continue;
            }
            self.eval.registers[..self.live].copy_from_slice(&prefix.registers);
            self.parent = prefix.parent;
            self.path = prefix.path;
            self.spawned.truncate(prefix.spawned);
            self.choices.truncate(prefix.choices);
            self.steps = prefix.steps;
            self.shared = prefix.shared;
            let frame = self.save(code, prefix.point);
            self.finish(End::Moved, Some(frame));
        }
    }

    /// Goes back to the last choice that has another outcome.
    pub(super) fn back(&mut self, code: &Code) -> Option<Pc> {
        self.end_prefixes(code);
        self.gives_way = false;
        let top = self.stack.last_mut()?;
        let saved = &self.saved[top.registers..top.registers + self.live];
        self.eval.registers[..self.live].copy_from_slice(saved);
        self.parent = top.parent;
        self.path.clone_from(&top.path);
        self.spawned.truncate(top.spawned);
        self.choices.truncate(top.choices);
        self.made_new.retain(|it| *it < top.choices);
        self.steps = top.steps;
        self.shared = top.shared;
        self.point = top.point;
        self.last = top.last;
        let nth = top.next;
        top.next += 1;
        let (next, last) = match (&code.instrs[top.pc as usize], &top.values) {
            (Instr::Pick { dst, .. }, Some(values)) => {
                self.eval.registers[dst.0 as usize] = values.as_slice()[nth];
                (top.pc + 1, nth + 1 == values.as_slice().len())
            }
            (Instr::Choose(targets), _) => (targets[nth], nth + 1 == targets.len()),
            _other => return None,
        };
        if last {
            let registers = self.stack.pop().map_or(0, |top| top.registers);
            self.saved.truncate(registers);
        }
        Some(next)
    }
}
