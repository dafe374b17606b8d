//! Calls of a copy: what each callee is at the layer (verification.md 2).

use std::sync::Arc;

use base::{Name, Place};
use discipline::standing::{self, CalleeAt};
use hir::{Arm, Mover, ProcSig, Stmt, StmtId, TySubst, VarRef};
use obligations::Claim;

use super::super::actions::{Act, gate};
use super::super::exprs::View;
use super::super::machine::{
    Caller, Check, Checks, Frame, Globals, Guide, Machine, Slot, Stop, Walk, stuck,
};
use super::super::structure::Doubt;
use super::super::{measures, sequential};
use super::{Copy, Mode};

/// More steps than this are not made inside one call.
const MOST_STEPS: usize = 2000;

/// A call that is being made.
#[derive(Clone, Copy)]
struct Site {
    call: StmtId,
    place: Place,
}

/// An arm that exists at the layer, with its arguments as they were at the call.
#[derive(Clone)]
struct Running<'a> {
    nth: usize,
    arm: &'a Arm,
    sig: Arc<ProcSig>,
    at: CalleeAt,
    args: Vec<Slot>,
}

/// A callee that runs at a yield.
struct Callee {
    sig: Arc<ProcSig>,
    args: Vec<Slot>,
    outs: Box<[VarRef]>,
    /// Did its action run already, so that the results are known?
    done: bool,
}

impl Copy<'_> {
    pub(super) fn call(&self, machine: Machine, call: StmtId) -> Walk {
        let body = Arc::clone(&self.code.body);
        let Stmt::Call { arms, is_async, .. } = body.stmt(call) else { return stuck("a call") };
        let site = Site { call, place: self.code.map.stmt(call) };
        let running = self.running(&machine, arms, *is_async)?;
        self.ask_early(&machine, site, &running)?;
        let mut machines = vec![machine];
        let mut pending: Vec<Running<'_>> = Vec::new();
        for running in running {
            if matches!(running.at, CalleeAt::Code | CalleeAt::Invariant) {
                pending.push(running);
                continue;
            }
            let ready = std::mem::take(&mut pending);
            let held = self.availability.before_arm(call, running.nth).to_vec();
            machines = self.all(machines.into_iter(), |machine| {
                let machines = self.flush(machine, site, (&ready, &held))?;
                self.all(machines.into_iter(), |machine| self.run(machine, site.place, &running))
            })?;
        }
        let held = self.availability.after_call(call).to_vec();
        self.all(machines.into_iter(), |machine| {
            let machines = self.flush(machine, site, (&pending, &held))?.into_iter();
            self.all(machines, |it| Ok(vec![self.assume_apart_if_known(it, &held)?]))
        })
    }

    /// Arms run in any order: the gate of an arm is asked where the call starts, if one stands before
    /// it that is no left mover. Of a right mover behind code that yields there is no such state.
    fn ask_early(&self, machine: &Machine, site: Site, arms: &[Running<'_>]) -> Result<(), Stop> {
        let mover = |arm: &Running<'_>| match &arm.at {
            CalleeAt::Action(name) => self.structure.world.proc_sig(name).and_then(|it| it.mover),
            CalleeAt::Mover(mover) => Some(*mover),
            CalleeAt::Skip | CalleeAt::Nothing | CalleeAt::StartedSkip => Some(Mover::Both),
            CalleeAt::Invariant => Some(Mover::Both),
            CalleeAt::Pure | CalleeAt::Code | CalleeAt::StartedCode | CalleeAt::Unknown => None,
        };
        let is_left = |arm: &&Running<'_>| mover(arm).is_some_and(Mover::is_left);
        let is_code = |arm: &Running<'_>| arm.at == CalleeAt::Code;
        let first = arms.iter().take_while(is_left).count();
        for (nth, arm) in arms.iter().enumerate().skip(first + 1) {
            if arms[..nth].iter().any(is_code) && !is_left(&arm) {
                continue;
            }
            let CalleeAt::Action(name) = &arm.at else { continue };
            let ins = arm.sig.visible_ins().filter_map(|(nth, _)| arm.args.get(nth).cloned());
            let act = Act::new(self.structure, name, ins.collect())?;
            let failing = gate(self.structure, &act, &machine.globals)?;
            if self.is_target(machine, (name, self.gate_checks()), &failing.places, site.place) {
                return Err(self.follower.reached(machine));
            }
        }
        Ok(())
    }

    /// Is the failure of one of these assertions of an action what the run is to show?
    fn is_target(
        &self,
        machine: &Machine,
        (name, checks): (&Name, Checks),
        failing: &[Place],
        place: Place,
    ) -> bool {
        let target = self.follower.target;
        let named = |at: &Place| target.related.iter().any(|(own, _)| own == at);
        checks == Checks::Demanded
            && target.claim == Claim::Gate { action: name.clone() }
            && target.place == place
            && failing.iter().any(named)
            && machine.seen == self.follower.moments.len()
    }

    /// The arms that exist at the layer. All arguments of all arms are read before any arm runs.
    fn running<'b>(
        &self,
        machine: &Machine,
        arms: &'b [Arm],
        is_async: bool,
    ) -> Result<Vec<Running<'b>>, Stop> {
        let world = self.structure.world;
        let mut found = Vec::new();
        for (nth, arm) in arms.iter().enumerate() {
            let Some(sig) = world.proc_sig(&arm.callee) else {
                return stuck(format!("a call of `{}`", arm.callee));
            };
            let at = (arm, is_async);
            let at = standing::callee_at(world.db, world.program, &sig, at, self.layer);
            match at {
                CalleeAt::Nothing | CalleeAt::StartedSkip => continue,
                CalleeAt::Pure if arms.len() > 1 => return stuck("a pure call beside other calls"),
                CalleeAt::Pure | CalleeAt::StartedCode | CalleeAt::Invariant => {}
                CalleeAt::Mover(_) | CalleeAt::Action(_) | CalleeAt::Skip => {}
                CalleeAt::Code | CalleeAt::Unknown => {}
            }
            let args = sequential::arguments(self.structure, machine, arm);
            found.push(Running { nth, arm, sig, at, args });
        }
        Ok(found)
    }

    fn run(&self, mut machine: Machine, place: Place, running: &Running<'_>) -> Walk {
        let Running { arm, sig, at, args, .. } = running.clone();
        match at {
            CalleeAt::Action(action) => {
                self.action_call(machine, (&sig, Some(&action)), (args, &arm.outs), place)
            }
            CalleeAt::Skip => self.action_call(machine, (&sig, None), (args, &arm.outs), place),
            CalleeAt::Mover(_) => self.mover_call(machine, (&sig, args), (&arm.outs, place)),
            CalleeAt::Pure => self.pure_call(machine, (&sig, args), arm, place),
            CalleeAt::StartedCode => {
                if self.mode == Mode::Invariant {
                    self.check_required(&mut machine, &sig, &args, place)?;
                }
                Ok(vec![machine])
            }
            CalleeAt::Nothing | CalleeAt::StartedSkip | CalleeAt::Code => Ok(vec![machine]),
            CalleeAt::Invariant | CalleeAt::Unknown => stuck(format!("a call of `{}`", arm.callee)),
        }
    }

    fn check_required(
        &self,
        machine: &mut Machine,
        sig: &ProcSig,
        args: &[Slot],
        place: Place,
    ) -> Result<(), Stop> {
        let conditions = match sig.is_invariant() {
            true => self.invariant(&sig.name, args, &machine.globals),
            false => self.required(sig, args, &machine.globals),
        };
        for condition in conditions {
            let claim = Claim::Precondition { callee: sig.name.clone() };
            let check = Check::of(claim, place, condition.clause);
            self.follower.demand(machine, condition.holds, check)?;
        }
        Ok(())
    }

    /// The arms that run at one yield; `after` are the linear variables held afterwards.
    fn flush(
        &self,
        machine: Machine,
        site: Site,
        (ready, after): (&[Running<'_>], &[VarRef]),
    ) -> Walk {
        let Some(first) = ready.first() else { return Ok(vec![machine]) };
        let callee = |it: &Running<'_>| Callee {
            sig: Arc::clone(&it.sig),
            args: it.args.clone(),
            outs: if it.sig.is_invariant() { Box::default() } else { it.arm.outs.clone() },
            done: false,
        };
        let mut callees: Vec<Callee> = ready.iter().map(callee).collect();
        let refined = match self.mode {
            Mode::Refinement => ready.iter().position(|it| self.does_something(it.arm, &it.sig)),
            Mode::Invariant => None,
        };
        // What callees ensure may compare with the state of the call.
        let at_call = machine.globals.clone();
        let Some(nth) = refined else {
            return self.yield_point(machine, (&callees, &at_call), (site.place, after));
        };
        // The action of the callee is one fragment of ours.
        let before = self.availability.before_arm(site.call, first.nth).to_vec();
        let machines = self.yield_point(machine, (&[], &at_call), (site.place, &before))?;
        callees[nth].done = true;
        let callee = &callees[nth];
        let action = callee.sig.refines.clone();
        let machines = self.all(machines.into_iter(), |machine| {
            let made = (callee.args.clone(), &*callee.outs);
            self.action_call(machine, (&callee.sig, action.as_ref()), made, site.place)
        })?;
        self.all(machines.into_iter(), |machine| {
            self.yield_point(machine, (&callees, &at_call), (site.place, after))
        })
    }

    /// Does this arm, at the procedure's own layer, do something that refinement can see?
    fn does_something(&self, arm: &Arm, sig: &ProcSig) -> bool {
        let first = self.sig().ins.len();
        let is_visible = |var: &VarRef| {
            matches!(var, VarRef::Local(id)
                if self.sig().visible_outs().any(|(nth, _)| first + nth == id.index()))
        };
        sig.is_yield_procedure()
            && sig.layer() == Some(self.layer)
            && (sig.refines.is_some() || arm.outs.iter().any(is_visible))
    }

    fn yield_point(
        &self,
        mut machine: Machine,
        (callees, before): (&[Callee], &Globals),
        (place, available): (Place, &[VarRef]),
    ) -> Walk {
        self.end_fragment(&mut machine, place)?;
        if callees.iter().any(|it| it.sig.is_yield_procedure() && !it.done) {
            machine.made = None;
        }
        if self.mode == Mode::Invariant {
            for callee in callees {
                self.check_required(&mut machine, &callee.sig, &callee.args, place)?;
            }
        }
        let outs = callees.iter().flat_map(|it| it.outs.iter().map(|out| (it.done, out.clone())));
        let is_open = |(done, out): &(bool, VarRef)| !done || machine.get(out) == Slot::Unknown;
        let outs: Vec<VarRef> = outs.filter(is_open).map(|(_, out)| out).collect();
        self.interfere(&mut machine, &outs)?;
        let now = machine.globals.clone();
        for callee in callees {
            let results = callee.outs.iter().map(|out| machine.get(out));
            let locals: Vec<Slot> = callee.args.iter().cloned().chain(results).collect();
            self.assume_results(&mut machine, (&callee.sig, &locals), (&now, before))?;
            let conditions = match callee.sig.is_invariant() {
                true => self.invariant(&callee.sig.name, &callee.args, &now),
                false => self.ensured(&callee.sig, &locals, (&now, before)),
            };
            self.assume_all(&mut machine, conditions, "what a callee ensures")?;
        }
        self.resume(&mut machine, place, available)?;
        Ok(vec![machine])
    }

    /// The action that a procedure is at this layer.
    fn action_call(
        &self,
        mut machine: Machine,
        (sig, action): (&ProcSig, Option<&Name>),
        (args, outs): (Vec<Slot>, &[VarRef]),
        place: Place,
    ) -> Walk {
        let ins = sig.visible_ins().filter_map(|(nth, _)| args.get(nth).cloned());
        let ins: Vec<Slot> = ins.collect();
        let visible = sig.visible_outs().filter_map(|(nth, _)| outs.get(nth).cloned());
        let visible: Vec<VarRef> = visible.collect();
        for out in outs.iter().filter(|out| !visible.contains(out)) {
            machine.set(out, Slot::Unknown);
        }
        match action {
            Some(action) => {
                let checks = self.gate_checks();
                self.act(machine, (action, ins), (visible, checks), place)
            }
            None if sig.refines.is_some() => stuck(format!("`{}` at this layer", sig.name)),
            None => Ok(vec![machine]),
        }
    }

    fn act(
        &self,
        mut machine: Machine,
        (name, ins): (&Name, Vec<Slot>),
        (outs, checks): (Vec<VarRef>, Checks),
        place: Place,
    ) -> Walk {
        let act = Act::new(self.structure, name, ins.clone())?;
        for condition in self.required(&act.code.sig, &ins, &machine.globals.clone()) {
            let claim = Claim::ActionPrecondition { action: name.clone() };
            let check = Check::of(claim, place, condition.clause);
            self.follower.demand(&mut machine, condition.holds, check)?;
        }
        let failing = gate(self.structure, &act, &machine.globals)?;
        if self.is_target(&machine, (name, checks), &failing.places, place) {
            return Err(self.follower.reached(&machine));
        }
        if !failing.is_fine() {
            return Err(Stop::Dead(Doubt(format!("the gate of `{name}` is false on this run"))));
        }
        let inputs = act.code.sig.ins.len();
        let mut frame = Frame::new(act.code.clone(), TySubst::new(), ins, machine.globals.clone());
        // Had all choices been tried, none would fail.
        frame.checks = if failing.complete { Checks::Dropped } else { Checks::Assumed };
        frame.caller = Some(Caller { outs: outs.into(), place, ensures: false, shown: None });
        let depth = machine.frames.len();
        machine.frames.push(frame);
        let started = sequential::initialise(self.follower, machine, inputs)?;
        self.run_to_return(started, depth)
    }

    /// Runs inner bodies until only `depth` of them are left.
    fn run_to_return(&self, started: Vec<Machine>, depth: usize) -> Walk {
        let mut todo = started;
        todo.reverse();
        let (mut done, mut why) = (Vec::new(), None);
        let mut steps = 0;
        while let Some(machine) = todo.pop() {
            steps += 1;
            if machine.frames.len() <= depth {
                done.push(machine);
                continue;
            }
            if steps > MOST_STEPS {
                return stuck("too many steps");
            }
            match sequential::step(self.follower, machine) {
                Ok(next) => todo.extend(next.into_iter().rev()),
                Err(Stop::Reached) => return Err(Stop::Reached),
                Err(stop) => why = Some(stop),
            }
        }
        match (done.is_empty(), why) {
            (true, Some(why)) => Err(why),
            (true | false, _) => Ok(done),
        }
    }

    /// A mover procedure at its own layer, by contract.
    fn mover_call(
        &self,
        mut machine: Machine,
        (sig, args): (&Arc<ProcSig>, Vec<Slot>),
        (outs, place): (&[VarRef], Place),
    ) -> Walk {
        let before = machine.globals.clone();
        machine.made = None;
        if self.mode == Mode::Invariant {
            self.check_required(&mut machine, sig, &args, place)?;
            let specs = self.structure.world.specs(sig.decl);
            let Some(specs) = specs else { return stuck("a specification") };
            let types = TySubst::new();
            let view = View {
                exprs: &specs.exprs,
                types: &types,
                locals: &args,
                now: &before,
                old: &before,
            };
            let at = (place, Some(self.layer));
            machine.top_mut().checks = Checks::Demanded;
            measures::at_call(self.follower, &mut machine, (sig, view), at)?;
        }
        let changed = self.structure.world.modifies(&sig.name);
        let globals: Vec<VarRef> = changed.iter().cloned().map(VarRef::Global).collect();
        let all: Vec<VarRef> = globals.iter().chain(outs).cloned().collect();
        let tried = sequential::chosen(self.follower, machine, &all);
        self.all(tried.into_iter(), |mut machine| {
            self.assume_wheres(&mut machine, &globals)?;
            let results = outs.iter().map(|out| machine.get(out));
            let locals: Vec<Slot> = args.iter().cloned().chain(results).collect();
            let now = machine.globals.clone();
            self.assume_results(&mut machine, (sig, &locals), (&now, &before))?;
            let conditions = self.ensured(sig, &locals, (&now, &before));
            self.assume_all(&mut machine, conditions, "what a callee ensures")?;
            Ok(vec![machine])
        })
    }

    /// A pure action, a primitive or a pure procedure.
    fn pure_call(
        &self,
        mut machine: Machine,
        (sig, args): (&Arc<ProcSig>, Vec<Slot>),
        arm: &Arm,
        place: Place,
    ) -> Walk {
        if sig.is_action() {
            let made = (arm.outs.to_vec(), self.primitive_checks());
            return self.act(machine, (&sig.name, args), made, place);
        }
        let is_primitive = arm.primitive.is_some();
        machine.top_mut().checks =
            if is_primitive { self.primitive_checks() } else { self.contract_checks() };
        let is_free = self.mode == Mode::Refinement;
        let depth = machine.frames.len();
        let started = sequential::call(self.follower, machine, (arm, place), is_free)?;
        self.run_to_return(started, depth)
    }
}
