//! Calls, returns, and arms of parallel calls.
//!
//! # Invariants
//! - A frame is saved with the point at which it goes on, and loaded as a whole.
//! - Results of an arm wait in the parallel call until all arms have returned.

use ir::Site;

use super::{End, FINISHED, Go, Machine, NOBODY, Outcome, is_behind_point};
use crate::{
    arena::{Kind, Val},
    code::{Code, Fork, Grain, Pc, Point, Push},
};

impl Machine<'_> {
    pub(super) fn push(&mut self, code: &Code, push: &Push, point: u32) -> Go {
        let values: Vec<Val> = push.ins.iter().map(|it| self.eval.get(*it)).collect();
        self.parent = self.save(code, point);
        let body = &code.bodies[push.procedure as usize];
        let start = self.shape.globals;
        let registers = &mut self.eval.registers[start..start + body.vars.len()];
        registers[..body.ins].copy_from_slice(&values);
        registers[body.ins..].fill(Val::POISON);
        self.gives_way = self.grain == Grain::Blocks && body.yields;
        Go::To(body.start)
    }

    /// Loads the variables of a frame; where it is.
    pub(super) fn load(&mut self, frame: Val) -> (Pc, Option<Site>) {
        let globals = self.shape.globals;
        let Some((_, words)) = self.eval.arena.look(frame) else {
            return (Pc::MAX, None);
        };
        self.parent = words[1];
        self.eval.registers[globals..globals + words.len() - 2].copy_from_slice(&words[2..]);
        self.point = words[0].word();
        let point: &Point = &self.code.points[self.point as usize];
        (point.pc, point.site)
    }

    /// The current frame, to go on at `point`.
    pub(super) fn save(&mut self, code: &Code, point: u32) -> Val {
        let body = code.points[point as usize].body;
        let globals = self.shape.globals;
        let count = code.bodies[body as usize].vars.len();
        let mut words = Vec::with_capacity(count + 2);
        words.push(Val::raw(point));
        words.push(self.parent);
        words.extend_from_slice(&self.eval.registers[globals..globals + count]);
        self.eval.arena.intern(Kind::Frame, &words)
    }

    /// A frame that has not begun.
    pub(super) fn new_frame(&mut self, code: &Code, push: &Push) -> Val {
        let body = &code.bodies[push.procedure as usize];
        let mut words = vec![Val::raw(body.entry), NOBODY];
        words.extend(push.ins.iter().map(|it| self.eval.get(*it)));
        words.resize(body.vars.len() + 2, Val::POISON);
        self.eval.arena.intern(Kind::Frame, &words)
    }

    pub(super) fn fork(&mut self, code: &Code, fork: &Fork, point: u32) -> Go {
        if fork.arms.is_empty() {
            self.results.clear();
            return Go::To(code.points[point as usize].pc);
        }
        let arms: Vec<Val> = fork.arms.iter().map(|arm| self.new_frame(code, arm)).collect();
        let base = self.save(code, point);
        let mut words = vec![Val::raw(point), base];
        words.extend(arms);
        let leaf = self.eval.arena.intern(Kind::Fork, &words);
        if self.is_atomic(code, &words[2..]) {
            return self.enter_arm(code, leaf, 0);
        }
        self.finish(End::Moved, Some(leaf));
        Go::Back
    }

    /// Do the arms run one after the other, without others in between? Mover types allow the order of
    /// the text.
    pub(super) fn is_atomic(&self, code: &Code, arms: &[Val]) -> bool {
        let yields = |arm: &Val| match self.eval.arena.look(*arm) {
            Some((Kind::Frame, words)) => {
                code.bodies[code.points[words[0].word() as usize].body as usize].yields
            }
            Some((Kind::Joined, _)) => false,
            Some(_) | None => true,
        };
        self.grain == Grain::Blocks && !arms.iter().any(yields)
    }

    pub(super) fn enter_arm(&mut self, code: &Code, fork: Val, arm: u32) -> Go {
        let frame = self.eval.arena.look(fork).map_or(FINISHED, |it| it.1[2 + arm as usize]);
        self.path.push((fork, arm));
        let pc = self.load(frame).0;
        if is_behind_point(code, pc) {
            self.record_arms();
            self.steps += 1;
            self.takes(code, self.point);
        }
        Go::To(pc)
    }

    /// Results go to the caller, or to the parallel call, or the thread is finished.
    pub(super) fn give_back(&mut self, code: &Code) -> Go {
        if self.parent != NOBODY {
            let parent = self.parent;
            return Go::To(self.load(parent).0);
        }
        let Some((fork, arm)) = self.path.pop() else {
            self.last = None;
            self.finish(End::Moved, Some(FINISHED));
            return Go::Back;
        };
        let results = std::mem::take(&mut self.results);
        let joined = self.eval.arena.intern(Kind::Joined, &results);
        let mut words = self.eval.arena.look(fork).map_or_else(Vec::new, |it| it.1.to_vec());
        words[2 + arm as usize] = joined;
        let mut all = Vec::new();
        for arm in &words[2..] {
            match self.eval.arena.look(*arm) {
                Some((Kind::Joined, results)) => all.extend_from_slice(results),
                Some(_) | None => {
                    let leaf = self.eval.arena.intern(Kind::Fork, &words);
                    if self.is_atomic(code, &words[2..]) {
                        let open = |it: &&Val| {
                            self.eval.arena.look(**it).is_some_and(|it| it.0 == Kind::Frame)
                        };
                        let next = words[2..].iter().position(|it| open(&it)).unwrap_or(0);
                        self.gives_way = false;
                        return self.enter_arm(code, leaf, next as u32);
                    }
                    self.finish(End::Moved, Some(leaf));
                    return Go::Back;
                }
            }
        }
        self.results = all;
        Go::To(self.load(words[1]).0)
    }

    /// Puts the thread that moved, and those that it started, into a row.
    pub(super) fn place(&mut self, start: usize, leaf: Val) {
        let shape = self.shape;
        let thread = self.thread as usize;
        if thread < shape.threads {
            self.rows[start + shape.globals + thread] = leaf;
            if self.spawned.is_empty() {
                return;
            }
        }
        let at = start + shape.started();
        let mut started = self.eval.arena.items(self.rows[at]).unwrap_or(&[]).to_vec();
        if thread >= shape.threads {
            if leaf == FINISHED {
                started.remove(thread - shape.threads);
            } else {
                started[thread - shape.threads] = leaf;
            }
        }
        started.extend_from_slice(&self.spawned);
        self.rows[at] = self.eval.arena.seq(&started);
    }

    /// Writes an outcome whose thread is now `leaf`.
    pub(super) fn finish(&mut self, end: End, leaf: Option<Val>) {
        let start = self.rows.len();
        let globals = self.shape.globals;
        self.rows.extend_from_slice(&self.eval.registers[..globals]);
        self.rows.extend_from_slice(&self.state[globals..]);
        if let Some(mut leaf) = leaf {
            for nth in (0..self.path.len()).rev() {
                let (fork, arm) = self.path[nth];
                let mut words =
                    self.eval.arena.look(fork).map_or_else(Vec::new, |it| it.1.to_vec());
                words[2 + arm as usize] = leaf;
                leaf = self.eval.arena.intern(Kind::Fork, &words);
            }
            self.place(start, leaf);
        }
        self.outcomes.push(Outcome {
            end,
            thread: self.thread,
            steps: self.steps,
            choices: if self.recording { self.choices.clone() } else { Vec::new() },
            made_new: if self.recording { self.made_new.clone() } else { Vec::new() },
            from: self.from,
            finished: leaf == Some(FINISHED) && self.path.is_empty(),
            started: self.spawned.len(),
        });
    }
}
