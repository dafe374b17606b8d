//! Elements that occur nowhere.

use super::Machine;
use crate::{
    arena::{Kind, Val},
    code::Fresh,
};

impl Machine<'_> {
    /// Which elements occur in variables of a thread that may still be read.
    pub(super) fn marks(&self, thread: Val, out: &mut u64) {
        let arena = &self.eval.arena;
        match arena.look(thread) {
            Some((Kind::Frame, words)) => {
                let point = &self.code.points[words[0].word() as usize];
                for nth in point.live.iter() {
                    *out |= arena.marks(words[2 + *nth as usize]);
                }
                self.marks(words[1], out);
            }
            Some((Kind::Fork, words)) => words[1..].iter().for_each(|it| self.marks(*it, out)),
            // Results that wait for the other arms are variables of the caller by now.
            Some((Kind::Joined, results)) => {
                results.iter().for_each(|it| *out |= arena.marks(*it));
            }
            Some(_) | None => {}
        }
    }

    /// The least element that occurs nowhere.
    pub(super) fn fresh(&mut self, fresh: &Fresh) -> Option<Val> {
        let mut marks = 0;
        let registers = &self.eval.registers;
        let globals = (0..self.shape.globals).map(|slot| registers[slot]);
        let locals = fresh.locals.iter().map(|slot| registers[slot.0 as usize]);
        globals.chain(locals).for_each(|val| marks |= self.eval.arena.marks(val));
        let code = self.code.clone();
        for nth in code.points[self.point as usize].live.iter() {
            marks |= self.eval.arena.marks(registers[self.shape.globals + *nth as usize]);
        }
        self.marks(self.parent, &mut marks);
        for (fork, arm) in &self.path {
            let words = self.eval.arena.look(*fork).map_or(&[][..], |it| it.1);
            let others = words.iter().enumerate().skip(1);
            let others = others.filter(|(nth, _)| *nth != 2 + *arm as usize);
            others.for_each(|(_, it)| self.marks(*it, &mut marks));
        }
        let own = self.thread as usize;
        for (nth, thread) in self.threads(&self.state).into_iter().enumerate() {
            if nth != own {
                self.marks(thread, &mut marks);
            }
        }
        self.spawned.iter().for_each(|it| self.marks(*it, &mut marks));
        let element = (fresh.first..fresh.first + fresh.size).find(|it| marks & (1 << it) == 0)?;
        let element = Val::element(element);
        Some(if fresh.wrap { self.eval.arena.ctor(0, &[element]) } else { element })
    }
}
