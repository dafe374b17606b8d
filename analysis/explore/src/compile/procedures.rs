//! Procedures and the client, with a point wherever others may run.

use std::collections::BTreeSet;

use ir::{
    Site, Substitution, Symbol, Term, Var,
    exploration::Inexact,
    free_vars,
    layer::{
        Act, Arm, Call, Condition, Formal, Item, Next, Node, ProcId, Procedure, Step, live_before,
    },
};

use super::{Compiled, Compiler, Refused, refuse, steps::Owner};
use crate::code::{At, Body, Fork, Instr, Operand, Point, Push, Slot};

/// An arm that is an action, to be compiled as a procedure of its own.
pub(super) struct Errand {
    body: u32,
    act: Act,
    is_above: bool,
}

impl Compiler<'_, '_> {
    /// Code for all procedures; a procedure has the position of its [`ProcId`].
    pub(crate) fn procedures(&mut self) {
        let program = self.program;
        for procedure in &program.procedures {
            let ins = procedure.ins.iter().map(|it| it.var.clone());
            let outs = procedure.outs.iter().map(|it| it.var.clone());
            let vars = ins.chain(outs).chain(procedure.locals.iter().cloned()).collect();
            self.add_body(procedure.name.clone(), procedure.ins.len(), vars);
        }
        for (nth, procedure) in program.procedures.iter().enumerate() {
            self.code.bodies[nth].yields = procedure.mover.is_none();
            self.procedure(nth as u32, procedure);
        }
        while let Some(errand) = self.errands.pop() {
            self.errand(errand);
        }
    }

    /// Frames start at the first point, so that a loop back to it is no other state.
    pub(crate) fn settle_entries(&mut self) {
        for body in 0..self.code.bodies.len() {
            let entry = self.code.bodies[body].entry;
            let mut pc = self.code.points[entry as usize].pc;
            self.code.bodies[body].start = pc;
            for _ in 0..self.code.instrs.len() {
                match self.code.instrs.get(pc as usize) {
                    Some(Instr::Jump(to)) => pc = *to,
                    Some(Instr::Point(point)) => {
                        self.code.bodies[body].entry = *point;
                        break;
                    }
                    _other => break,
                }
            }
        }
    }

    /// A body without code yet.
    pub(super) fn add_body(&mut self, name: Symbol, ins: usize, vars: Vec<Var>) -> u32 {
        self.code.bodies.push(Body { name, entry: 0, start: 0, ins, vars, yields: true });
        self.code.bodies.len() as u32 - 1
    }

    /// Starts the code of a body: its variables get registers.
    pub(super) fn open(&mut self, body: u32) {
        self.body = body;
        self.forget_all();
        self.next = self.code.globals.len() as u32;
        self.env.retain(|var, _| self.code.globals.contains(var));
        self.named.clear();
        for var in self.code.bodies[body as usize].vars.clone() {
            let slot = self.declare(&var);
            self.named.push(slot);
        }
        self.frame_end = self.next;
    }

    /// A place where others may run. Only variables keep their values across it.
    pub(super) fn point(&mut self, at: At, site: Site) -> u32 {
        let number = self.mark(at, site);
        self.emit(Instr::Point(number));
        self.code.points[number as usize].pc = self.here();
        number
    }

    pub(super) fn mark(&mut self, at: At, site: Site) -> u32 {
        self.forget_all();
        self.next = self.frame_end;
        let (pc, body) = (self.here(), self.body);
        let live = self.live_now(usize::from(at == At::Waiting));
        let arms = Box::new([]);
        self.code.points.push(Point { pc, body, at, site: Some(site), live, arms });
        self.code.points.len() as u32 - 1
    }

    /// The variables of the frame that may still be read, some steps on; without better knowledge all.
    fn live_now(&self, steps: usize) -> Box<[u32]> {
        let live = self.live.get(self.cursor.0).and_then(|it| it.get(self.cursor.1 + steps));
        let vars = self.code.bodies[self.body as usize].vars.iter();
        let matters = |var: &Var| live.is_none_or(|live| live.contains(var));
        vars.enumerate().filter(|(_, var)| matters(var)).map(|(nth, _)| nth as u32).collect()
    }

    fn procedure(&mut self, body: u32, procedure: &Procedure) {
        let mut at_exit: BTreeSet<Var> = procedure.outs.iter().map(|it| it.var.clone()).collect();
        at_exit.extend(procedure.ensures.iter().flat_map(|it| free_vars(&it.term)));
        self.live = live_where(&procedure.nodes, &at_exit);
        self.cursor = (0, 0);
        self.is_above = procedure.spec.is_none();
        self.open(body);
        let entry = self.mark(At::Step, procedure.site);
        self.code.bodies[body as usize].entry = entry;
        let excluded = self.program.excluded(&Item::Procedure(procedure.name.clone()));
        let made = match excluded {
            Some(excluded) => Err(Refused(excluded.why.clone())),
            None => self.procedure_code(procedure),
        };
        if let Err(Refused(why)) = made {
            self.code.points[entry as usize].pc = self.here();
            let site = excluded.map_or(procedure.site, |it| it.site);
            self.give_up(procedure.name.clone(), why, site);
        }
        self.live.clear();
        self.is_above = false;
    }

    fn procedure_code(&mut self, procedure: &Procedure) -> Compiled<()> {
        let outs: Compiled<Vec<Operand>> =
            procedure.outs.iter().map(|it| Ok(Operand::slot(self.slot_of(&it.var)?))).collect();
        let outs: Box<[Operand]> = outs?.into();
        let checks = procedure.ensures.iter().any(|it| self.checked.contains(&it.why));
        let at = if checks { At::Step } else { At::Local };
        self.graph(&procedure.nodes, Owner::Procedure, &mut |own| {
            own.point(at, procedure.site);
            for condition in &procedure.ensures {
                own.check(condition)?;
            }
            own.emit(Instr::Return(outs.clone()));
            Ok(())
        })
    }

    /// From here on the item cannot be executed.
    fn give_up(&mut self, name: Symbol, why: String, site: Site) {
        self.point(At::Step, site);
        let note = self.note(Inexact::Excluded(name.clone()));
        self.emit(Instr::Excluded(note));
        self.refusals.push((name, why, site));
    }

    /// A step of a procedure; if it cannot be compiled, runs end there.
    pub(super) fn procedure_step(&mut self, step: &Step) -> Compiled<()> {
        let at = self.kind_of(step);
        self.point(at, step.site());
        let (start, points) = (self.code.instrs.len(), self.code.points.len());
        let made = self.shared_step(step);
        if let Err(Refused(why)) = made {
            self.code.instrs.truncate(start);
            self.code.points.truncate(points);
            self.forget_all();
            let name = self.code.bodies[self.body as usize].name.clone();
            let note = self.note(Inexact::Excluded(name.clone()));
            self.emit(Instr::Excluded(note));
            self.refusals.push((name, why, step.site()));
        }
        Ok(())
    }

    /// Can others notice the step, or can it wait for them?
    fn kind_of(&self, step: &Step) -> At {
        let local = |conditions: &[Condition]| {
            let checked = conditions.iter().filter(|it| self.checked.contains(&it.why));
            checked.into_iter().all(|it| self.is_local(&it.term))
        };
        let is_local = match step {
            Step::Yield(claims, _) => return if local(claims) { At::Quiet } else { At::Yield },
            Step::Assert(condition) => local(std::slice::from_ref(condition)),
            Step::Assign(pairs, _) => {
                let own = |var: &Var| !self.code.globals.contains(var);
                pairs.iter().all(|(var, term)| own(var) && self.is_local(term))
            }
            Step::Call(call) => {
                let requires = self.program.procedure(call.procedure).map(|it| &it.requires[..]);
                let requires = requires.unwrap_or(&[]).iter();
                let callee = self.program.procedure(call.procedure);
                requires.into_iter().all(|it| !self.checked.contains(&it.why))
                    && callee.is_none_or(|it| self.specified(it).is_empty())
                    && call.ins.iter().all(|it| self.is_local(it))
            }
            Step::Event { .. } => true,
            Step::Assume(..)
            | Step::Havoc(..)
            | Step::Fresh(..)
            | Step::Act(_)
            | Step::Par(..)
            | Step::Spawn { .. } => false,
        };
        if is_local { At::Local } else { At::Step }
    }

    fn shared_step(&mut self, step: &Step) -> Compiled<()> {
        match step {
            Step::Act(act) => self.act(act),
            Step::Call(call) => self.call(call),
            Step::Par(arms, site) => self.parallel(arms, *site),
            Step::Spawn { procedure, ins, .. } => {
                let push = self.push(*procedure, ins)?;
                self.emit(Instr::Spawn(Box::new(push)));
                Ok(())
            }
            Step::Yield(claims, _) => self.claims(claims),
            Step::Event { .. } => Ok(()),
            Step::Assume(..)
            | Step::Assert(_)
            | Step::Assign(..)
            | Step::Havoc(..)
            | Step::Fresh(..) => self.plain(step),
        }
    }

    fn claims(&mut self, claims: &[Condition]) -> Compiled<()> {
        claims.iter().try_for_each(|claim| self.check(claim))
    }

    fn act(&mut self, act: &Act) -> Compiled<()> {
        self.hidden(act)?;
        let outs = self.action(act)?;
        let mut stores = Vec::new();
        for (var, slot) in act.outs.iter().zip(outs) {
            stores.push((self.slot_of(var)?, Operand::slot(slot)));
        }
        self.store_all(stores);
        self.forget_all();
        Ok(())
    }

    /// Results that do not exist here are arbitrary.
    fn hidden(&mut self, act: &Act) -> Compiled<()> {
        if act.hidden.is_empty() {
            return Ok(());
        }
        let note = self.note(Inexact::HiddenResult(act.site));
        self.emit(Instr::Note(note));
        self.choose(&act.hidden, &[])
    }

    /// A call, with what the callee requires.
    fn push(&mut self, procedure: ProcId, ins: &[Term]) -> Compiled<Push> {
        let program = self.program;
        let Some(callee) = program.procedure(procedure) else {
            return refuse("an unknown procedure");
        };
        let pairs = callee.ins.iter().map(|it| it.var.clone()).zip(ins.iter().cloned());
        let mut replace = Substitution::of_vars(pairs);
        for condition in &callee.requires {
            let term = replace.apply(&condition.term);
            self.check(&Condition { term, ..condition.clone() })?;
        }
        // Where the specification of the callee fails, the layer above fails, and this one may.
        for demand in self.specified(callee) {
            let cond = self.term(&replace.apply(&demand))?;
            self.emit(Instr::Excuse(cond, self.site));
        }
        let ins: Compiled<Box<[Operand]>> = ins.iter().map(|term| self.term(term)).collect();
        Ok(Push { procedure: procedure.0, ins: ins? })
    }

    fn call(&mut self, call: &Call) -> Compiled<()> {
        let push = self.push(call.procedure, &call.ins)?;
        let at = self.emit(Instr::Jump(0));
        let point = self.mark(At::Waiting, call.site);
        self.code.instrs[at as usize] = Instr::Push(Box::new(push), point);
        let outs: Compiled<Vec<Option<Slot>>> =
            call.outs.iter().map(|var| Ok(Some(self.slot_of(var)?))).collect();
        self.emit(Instr::Take(outs?.into()));
        Ok(())
    }

    fn parallel(&mut self, arms: &[Arm], site: Site) -> Compiled<()> {
        let (mut pushes, mut outs, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for (nth, arm) in arms.iter().enumerate() {
            if !matches!(arm, Arm::Claims(_)) {
                numbers.push(nth as u32);
            }
            match arm {
                Arm::Claims(claims) => self.claims(claims)?,
                Arm::Call(call) => {
                    pushes.push(self.push(call.procedure, &call.ins)?);
                    outs.extend(call.outs.iter().cloned());
                }
                Arm::Act(act) => {
                    let ins: Compiled<Box<[Operand]>> =
                        act.ins.iter().map(|term| self.term(term)).collect();
                    pushes.push(Push { procedure: self.errand_of(act, site)?, ins: ins? });
                    outs.extend(act.outs.iter().chain(&act.hidden).cloned());
                }
            }
        }
        let at = self.emit(Instr::Jump(0));
        let point = self.mark(At::Waiting, site);
        self.code.points[point as usize].arms = numbers.into();
        self.code.instrs[at as usize] = Instr::Fork(Box::new(Fork { arms: pushes.into() }), point);
        let slots: Compiled<Vec<Option<Slot>>> =
            outs.iter().map(|var| Ok(Some(self.slot_of(var)?))).collect();
        self.emit(Instr::Take(slots?.into()));
        for arm in arms {
            if let Arm::Claims(claims) = arm {
                self.claims(claims)?;
            }
        }
        Ok(())
    }

    fn errand_of(&mut self, act: &Act, site: Site) -> Compiled<u32> {
        let Some(action) = self.program.action(act.action) else {
            return refuse("an unknown action");
        };
        let ins = act.ins.iter().map(|it| it.sort().clone());
        let outs = act.outs.iter().chain(&act.hidden).map(|it| it.sort.clone());
        let vars = ins.chain(outs).enumerate();
        let vars = vars.map(|(nth, sort)| Var::new(format!("arm@{nth}"), sort)).collect();
        let body = self.add_body(action.name.clone(), act.ins.len(), vars);
        self.code.bodies[body as usize].yields = false;
        let is_above = self.is_above;
        self.errands.push(Errand { body, act: Act { site, ..act.clone() }, is_above });
        Ok(body)
    }

    fn errand(&mut self, Errand { body, act, is_above }: Errand) {
        self.is_above = is_above;
        self.open(body);
        self.site = act.site;
        let entry = self.mark(At::Step, act.site);
        self.code.bodies[body as usize].entry = entry;
        let vars = self.code.bodies[body as usize].vars.clone();
        let (ins, rest) = vars.split_at(act.ins.len());
        let (outs, hidden) = rest.split_at(act.outs.len());
        let terms = ins.iter().map(|var| Term::var(var.clone())).collect();
        let own = Act { ins: terms, outs: outs.to_vec(), hidden: hidden.to_vec(), ..act };
        self.point(At::Step, own.site);
        let start = self.code.instrs.len();
        let made = self.act(&own).and_then(|()| {
            let slots: Compiled<Vec<Operand>> =
                rest.iter().map(|var| Ok(Operand::slot(self.slot_of(var)?))).collect();
            self.emit(Instr::Return(slots?.into()));
            Ok(())
        });
        if let Err(Refused(why)) = made {
            self.code.instrs.truncate(start);
            let name = self.code.bodies[body as usize].name.clone();
            let note = self.note(Inexact::Excluded(name.clone()));
            self.emit(Instr::Excluded(note));
            self.refusals.push((name, why, own.site));
        }
    }
}

/// What may still be read, by node and step. Branches that are never taken read nothing.
pub(super) fn live_where(nodes: &[Node], at_exit: &BTreeSet<Var>) -> Vec<Vec<BTreeSet<Var>>> {
    let mut nodes = nodes.to_vec();
    for node in &mut nodes {
        let never = |step: &Step| matches!(step, Step::Assume(term, _) if term.is_false());
        if let Some(at) = node.steps.iter().position(never) {
            node.steps.truncate(at);
            node.next = Next::Goto(Vec::new());
        }
    }
    live_before(&nodes, at_exit)
}

/// The permissions of these formals, by domain.
pub(super) fn held<'a>(
    formals: impl Iterator<Item = &'a Formal>,
) -> impl Iterator<Item = (&'a Formal, &'a Symbol, &'a Term)> {
    formals.flat_map(|it| it.holds.iter().map(move |held| (it, &held.domain, &held.set)))
}
