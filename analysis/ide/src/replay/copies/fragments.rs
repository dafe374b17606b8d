//! Fragments: where they start and end, and what is checked at their ends.

use base::{Name, Place};
use hir::VarRef;
use ir::Value;
use obligations::{Claim, Moment, RefinementRule};

use super::super::actions::{Act, Goal, gate, reaches};
use super::super::equality::all;
use super::super::machine::{Check, Guide, Machine, Slot, Stop};
use super::super::permissions::Holder;
use super::super::structure::{Doubt, Known, doubt};
use super::super::waiting::Waiting;
use super::{Copy, Mode};

impl Copy<'_> {
    /// The values of variables that hold permissions at this layer.
    fn holders(&self, machine: &Machine, available: &[VarRef]) -> Known<Vec<Holder>> {
        let mut holders = Vec::new();
        for var in available {
            let here = match var {
                VarRef::Local(id) => {
                    let layers = self.code.body.local(*id).layers;
                    layers.is_none_or(|range| range.contains(self.layer))
                }
                VarRef::Global(name) => self.globals.contains(name),
                VarRef::Error => false,
            };
            let ty = machine.top().ty(var, self.structure.world);
            let (true, Some(ty)) = (here, ty) else { continue };
            match machine.get(var) {
                Slot::Known(value) => holders.push(Holder { ty, value }),
                Slot::Choice(_) | Slot::Unknown => {
                    return doubt(format!("the permissions of `{}`", machine.top().name(var)));
                }
            }
        }
        Ok(holders)
    }

    /// Permissions of different variables differ.
    pub(super) fn assume_apart(
        &self,
        machine: &mut Machine,
        available: &[VarRef],
    ) -> Result<(), Stop> {
        let holders = self.holders(machine, available);
        machine.note_held(holders.iter().flatten().cloned());
        let apart = holders.and_then(|it| self.structure.apart(&it, &Vec::new()));
        self.follower.assume(machine, apart, "what linearity promises")
    }

    /// The same after a call. What is not known there was not read by anybody.
    pub(super) fn assume_apart_if_known(
        &self,
        mut machine: Machine,
        available: &[VarRef],
    ) -> Result<Machine, Stop> {
        let is_known = |var: &&VarRef| matches!(machine.get(var), Slot::Known(_));
        let known: Vec<VarRef> = available.iter().filter(is_known).cloned().collect();
        self.assume_apart(&mut machine, &known)?;
        Ok(machine)
    }

    pub(super) fn start_fragment(
        &self,
        machine: &mut Machine,
        available: &[VarRef],
    ) -> Result<(), Stop> {
        let holders = self.holders(machine, available)?;
        machine.fragment.held = self.structure.held(&holders)?;
        machine.fragment.made = Vec::new();
        machine.fragment.start = machine.globals.clone();
        machine.fragment.results = self.results(machine);
        Ok(())
    }

    fn results(&self, machine: &Machine) -> Vec<Slot> {
        let (ins, outs) = (self.sig().ins.len(), self.sig().outs.len());
        machine.top().locals.iter().skip(ins).take(outs).cloned().collect()
    }

    /// All globals are what others made of them, and these variables are new.
    pub(super) fn interfere(&self, machine: &mut Machine, outs: &[VarRef]) -> Result<(), Stop> {
        let globals = self.globals.iter().cloned().map(VarRef::Global);
        let globals: Vec<VarRef> = globals.collect();
        self.follower.adopt(machine, &globals);
        self.follower.adopt(machine, outs);
        self.assume_wheres(machine, &globals)
    }

    /// After others ran: a fragment starts.
    pub(super) fn resume(
        &self,
        machine: &mut Machine,
        place: Place,
        available: &[VarRef],
    ) -> Result<(), Stop> {
        self.assume_gate_unless_done(machine)?;
        self.follower.pass(machine, place, &Moment::AfterOthers)?;
        self.start_fragment(machine, available)?;
        self.assume_apart(machine, available)
    }

    /// A fragment ends: its checks, and what they leave behind.
    pub(super) fn end_fragment(&self, machine: &mut Machine, place: Place) -> Result<(), Stop> {
        let in_loop = self.is_in_yielding_loop(machine.top().block);
        self.end_fragment_of(machine, place, in_loop)
    }

    /// The same, for a fragment of a yielding loop or not.
    pub(super) fn end_fragment_of(
        &self,
        machine: &mut Machine,
        place: Place,
        in_loop: bool,
    ) -> Result<(), Stop> {
        if self.is_mover {
            return Ok(());
        }
        self.follower.pass(machine, place, &Moment::BeforeOthers)?;
        self.check_interference(machine, place)?;
        if self.mode == Mode::Refinement {
            match in_loop {
                true => self.check_unchanged(machine, place)?,
                false => self.check_fragment(machine, place)?,
            }
        }
        Ok(())
    }

    /// The refined action, with the inputs of this run.
    fn refined(&self, machine: &Machine) -> Option<Known<Act>> {
        let name = self.sig().refines.as_ref()?;
        let ins = self.sig().visible_ins().map(|(nth, _)| machine.top().locals[nth].clone());
        Some(Act::new(self.structure, name, ins.collect()))
    }

    /// The gate of the refined action holds.
    pub(super) fn assume_gate(&self, machine: &mut Machine) -> Result<(), Stop> {
        if self.mode == Mode::Invariant {
            return Ok(());
        }
        let Some(act) = self.refined(machine) else { return Ok(()) };
        let failing = act.and_then(|act| gate(self.structure, &act, &machine.globals));
        self.follower.assume(machine, failing.map(|it| it.is_fine()), "the gate of the action")
    }

    pub(super) fn assume_gate_unless_done(&self, machine: &mut Machine) -> Result<(), Stop> {
        if machine.fragment.changed { Ok(()) } else { self.assume_gate(machine) }
    }

    /// Visible globals are as where the fragment started.
    fn unchanged(&self, machine: &Machine) -> Known<bool> {
        all(self.visible.iter().map(|name| {
            let (start, now) = (machine.fragment.start.get(name), machine.globals.get(name));
            let ty = self.structure.world.global(name).map(|it| it.ty.clone());
            same(self, start, now, ty)
        }))
    }

    fn results_unchanged(&self, machine: &Machine) -> Known<bool> {
        let now = self.results(machine);
        let pairs = machine.fragment.results.iter().zip(&now).zip(self.sig().outs.iter());
        all(pairs
            .map(|((before, now), out)| same(self, Some(before), Some(now), Some(out.ty.clone()))))
    }

    /// Does the fragment do the action?
    fn does_action(&self, machine: &Machine) -> Known<bool> {
        let Some(act) = self.refined(machine) else { return self.unchanged(machine) };
        let known = |slot: Option<&Slot>| match slot {
            Some(Slot::Known(value)) => Ok(value.clone()),
            Some(Slot::Choice(_) | Slot::Unknown) | None => doubt("the end of a fragment"),
        };
        let mut goal = Goal::default();
        for name in &self.visible {
            goal.globals.push((name.clone(), known(machine.globals.get(name))?));
        }
        let first = self.sig().ins.len();
        let outs = self.sig().visible_outs();
        let outs: Known<Vec<Value>> =
            outs.map(|(nth, _)| known(machine.top().locals.get(first + nth))).collect();
        goal.results.push(outs?);
        goal.made = machine.made.clone();
        reaches(self.structure, &[act?], &machine.fragment.start, &goal)
    }

    /// A rule that is broken stops nobody: what comes later may break another one.
    fn demand_rule(
        &self,
        machine: &mut Machine,
        holds: Known<bool>,
        (rule, place): (RefinementRule, Place),
    ) -> Result<(), Stop> {
        let procedure = self.sig().name.clone();
        let (action, layer) = (self.sig().refines.clone(), self.layer.next());
        let claim = Claim::Refinement { rule, procedure, action, layer };
        let check = Check::new(claim, place);
        match self.follower.is_target(&check) {
            true => self.follower.demand(machine, holds, check),
            false => Ok(()),
        }
    }

    fn check_unchanged(&self, machine: &mut Machine, place: Place) -> Result<(), Stop> {
        let globals = self.unchanged(machine);
        self.demand_rule(machine, globals, (RefinementRule::LoopGlobals, place))?;
        if machine.fragment.changed {
            let outputs = self.results_unchanged(machine);
            self.demand_rule(machine, outputs, (RefinementRule::LoopOutputs, place))?;
        }
        Ok(())
    }

    fn check_fragment(&self, machine: &mut Machine, place: Place) -> Result<(), Stop> {
        let unchanged = self.unchanged(machine);
        let changed = machine.fragment.changed;
        if !changed && unchanged != Ok(true) {
            let fine = match unchanged {
                Ok(_) => self.does_action(machine),
                Err(ref why) => Err(why.clone()),
            };
            if fine == Ok(true) {
                machine.log.did();
            }
            self.demand_rule(machine, fine, (RefinementRule::FirstChange, place))?;
        }
        let same = all([unchanged.clone(), self.results_unchanged(machine)].into_iter());
        if changed {
            self.demand_rule(machine, same, (RefinementRule::SecondChange, place))?;
        }
        if self.asks_for_match() {
            let kept = machine.fragment.done && self.results_unchanged(machine)?;
            machine.fragment.done = kept || self.does_action(machine)?;
        }
        machine.fragment.changed = changed || !unchanged?;
        Ok(())
    }

    /// Is the run said to end without having done the action? No other check depends on that.
    fn asks_for_match(&self) -> bool {
        let rule = RefinementRule::NoMatch;
        matches!(&self.follower.target.claim, Claim::Refinement { rule: it, .. } if *it == rule)
    }

    pub(super) fn check_return(&self, machine: &mut Machine, place: Place) -> Result<(), Stop> {
        if self.mode == Mode::Invariant {
            return Ok(());
        }
        self.check_fragment(machine, place)?;
        if !self.asks_for_match() {
            return Ok(());
        }
        let done = Ok(machine.fragment.done);
        self.demand_rule(machine, done, (RefinementRule::NoMatch, place))
    }

    /// Another thread waits where an invariant or the condition of a yield holds: does it still?
    pub(super) fn check_interference(
        &self,
        machine: &mut Machine,
        place: Place,
    ) -> Result<(), Stop> {
        let target = self.follower.target;
        let Claim::Noninterference { invariant, by } = &target.claim else { return Ok(()) };
        let here = target.place == place || target.related.iter().any(|(at, _)| *at == place);
        if self.mode == Mode::Refinement || *by != self.sig().name || !here {
            return Ok(());
        }
        let last = machine.seen == self.follower.moments.len();
        if !last {
            return Ok(());
        }
        match self.is_broken(machine, invariant) {
            Ok(true) => Err(self.follower.reached(machine)),
            Ok(false) => Err(Stop::Dead(Doubt("the invariant is not broken here".into()))),
            Err(why) => Err(Stop::Open(why)),
        }
    }

    fn is_broken(&self, machine: &Machine, victim: &Name) -> Known<bool> {
        let waiting = Waiting::at(self.structure, self.env, (victim, self.layer))?;
        if !self.structure.apart(&waiting.holders, &machine.fragment.held)? {
            return doubt("the waiting thread has permissions of this one");
        }
        for made in &machine.fragment.made {
            if !self.structure.is_new(made, &waiting.holders)? {
                return doubt("a location that is made new is one of the waiting thread");
            }
        }
        let before = waiting.conditions(&machine.fragment.start);
        if !all(before.into_iter().map(|(holds, _)| holds))? {
            return doubt("the waiting thread could not be there");
        }
        let mut clauses = waiting.conditions(&machine.globals).into_iter();
        let broken = clauses.find(|(_, at)| self.follower.target.reported_at == Some(*at));
        broken.map_or_else(|| doubt("the clause that is broken"), |(holds, _)| holds.map(|it| !it))
    }
}

fn same(copy: &Copy<'_>, a: Option<&Slot>, b: Option<&Slot>, ty: Option<hir::Ty>) -> Known<bool> {
    match (a, b, ty) {
        (Some(Slot::Known(a)), Some(Slot::Known(b)), Some(ty)) => copy.structure.equal(a, b, &ty),
        _other => doubt("a value that is not known"),
    }
}
