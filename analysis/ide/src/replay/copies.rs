//! The run of a yield procedure at a layer (verification.md 1 to 3).
//!
//! ```text
//! entry:      `where` clauses hold; what is required held at the call and holds now
//! yield:      a fragment ends; what callees require is checked; all globals become what others made of them,
//!             such that what callees ensure holds; a fragment starts
//! loop head:  as in sequential code; if the loop yields, a fragment ends and another starts
//! return:     the last fragment ends; what is ensured is checked
//! ```
//!
//! In the invariant copy contracts are checked and gates hold; in the refinement copy it is the other way
//! round. What a callee is at the layer is what `discipline::standing` says.

mod calls;
mod fragments;
mod loops;
mod specs;

use std::sync::Arc;

use base::{Name, Place};
use discipline::linear::Availability;
use discipline::standing::{ProcedureAt, procedure_at};
use hir::{Command, ExprId, Layer, ProcSig, Stmt, StmtId, Transfer, TySubst, VarRef};
use ir::Value;
use obligations::{Claim, Moment};

use super::follow::Follower;
use super::log::Log;
use super::machine::{
    Check, Checks, Code, Frame, Globals, Guide, Machine, Slot, Stop, Walk, stuck,
};
use super::sequential;
use super::structure::{Doubt, Known, Structure};

/// Which program of the layer a copy belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Invariant,
    Refinement,
}

/// Follows the run through the copy of a yield procedure at a layer.
pub(super) fn follow(
    follower: &Follower<'_>,
    (name, layer): (&Name, Layer),
    mode: Mode,
    env: &ir::Env,
) -> Known<()> {
    let world = follower.structure.world;
    let Some(code) = Code::of_name(world, name) else {
        return super::doubt("a body with an error");
    };
    let (db, program, decl) = (world.db, world.program, code.body.decl);
    let availability = discipline::linear::availability_at(db, program, decl, layer);
    let globals = hir::global_names(world.db, world.program, hir::NameSpace::Variable).into_iter();
    let globals = globals.filter_map(|(name, _)| world.global(&name));
    let globals: Vec<Arc<hir::GlobalVar>> =
        globals.filter(|it| it.layers.contains(layer)).collect();
    let is_mover =
        matches!(procedure_at(world.db, world.program, &code.sig, layer), ProcedureAt::Mover(_));
    let copy = Copy {
        follower,
        structure: follower.structure,
        visible: globals
            .iter()
            .filter(|it| layer < it.layers.high())
            .map(|it| it.name.clone())
            .collect(),
        globals: globals.iter().map(|it| it.name.clone()).collect(),
        code,
        layer,
        mode,
        availability,
        is_mover,
        env,
    };
    follower.search(copy.enter(), &|machine| copy.step(machine))
}

struct Copy<'a> {
    follower: &'a Follower<'a>,
    structure: &'a Structure<'a>,
    code: Code,
    layer: Layer,
    mode: Mode,
    availability: Arc<Availability>,
    /// Is this a mover procedure at its own layer, which runs without yields?
    is_mover: bool,
    /// The globals of the layer, and those that live on above it.
    globals: Vec<Name>,
    visible: Vec<Name>,
    env: &'a ir::Env,
}

impl Copy<'_> {
    fn sig(&self) -> &ProcSig {
        &self.code.sig
    }

    /// Contracts are checked by the invariant copy.
    fn contract_checks(&self) -> Checks {
        match self.mode {
            Mode::Invariant => Checks::Demanded,
            Mode::Refinement => Checks::Assumed,
        }
    }

    /// Gates are checked by the refinement copy, and by a mover procedure at its own layer.
    fn gate_checks(&self) -> Checks {
        match self.mode {
            Mode::Refinement => Checks::Demanded,
            Mode::Invariant if self.is_mover => Checks::Demanded,
            Mode::Invariant => Checks::Assumed,
        }
    }

    /// Pure actions and primitives are checked below the layer of the procedure as well.
    fn primitive_checks(&self) -> Checks {
        let below = self.sig().layer().is_some_and(|own| self.layer < own);
        match self.gate_checks() {
            Checks::Assumed if below => Checks::Demanded,
            checks @ (Checks::Assumed | Checks::Demanded | Checks::Dropped) => checks,
        }
    }

    /// A value that the run gives to a variable which the text does not name.
    fn given(&self, name: &str) -> Option<&Value> {
        self.env.vars.iter().find(|(var, _)| var.name.as_str() == name).map(|(_, value)| value)
    }

    fn enter(&self) -> Walk {
        let frame = Frame::new(self.code.clone(), TySubst::new(), Vec::new(), Globals::new());
        let now = self.globals.iter().map(|name| (name.clone(), Slot::Unknown)).collect();
        let mut machine = Machine::new(now, frame);
        machine.log = Log::on();
        let locals = self.code.body.local_ids().map(VarRef::Local);
        let globals = self.globals.iter().cloned().map(VarRef::Global);
        let vars: Vec<VarRef> = locals.chain(globals).collect();
        self.follower.adopt(&mut machine, &vars);
        let old = match self.is_mover {
            true => machine.globals.clone(),
            false => self.at_call(&machine.globals),
        };
        machine.top_mut().old = Arc::new(old.clone());
        let place = hir::decl_place(self.structure.world.db, self.sig().decl);
        self.follower.pass(&mut machine, place, &Moment::Entry)?;
        self.assume_wheres(&mut machine, &vars)?;
        self.assume_required(&mut machine, &old)?;
        let available = self.availability.at_entry().to_vec();
        self.assume_apart(&mut machine, &available)?;
        self.assume_gate(&mut machine)?;
        self.start_fragment(&mut machine, &available)?;
        // A loop may start right away.
        self.jump(machine, None, self.code.cfg.entry())
    }

    /// The globals at the call, before others ran; where the run does not say, nobody changed them.
    fn at_call(&self, now: &Globals) -> Globals {
        let slot = |(name, now): (&Name, &Slot)| {
            let old = self.given(&format!("{name}@old")).or_else(|| self.given(name.as_str()));
            (name.clone(), old.map_or_else(|| now.clone(), |value| Slot::Known(value.clone())))
        };
        now.iter().map(slot).collect()
    }

    fn assume_wheres(&self, machine: &mut Machine, vars: &[VarRef]) -> Result<(), Stop> {
        for var in vars {
            if let Some(holds) = sequential::where_clause(self.structure, machine, var) {
                self.follower.assume(machine, holds, "a `where` clause")?;
            }
        }
        Ok(())
    }

    fn step(&self, mut machine: Machine) -> Walk {
        let frame = machine.top();
        let code = self.code.clone();
        let (at, next) = (frame.block, frame.next);
        let block = code.cfg.block(at);
        if let Some(command) = block.commands.get(next) {
            machine.top_mut().next += 1;
            return self.command(machine, *command);
        }
        match &block.transfer {
            Transfer::Goto(targets) => {
                self.all(targets.iter(), |target| self.jump(machine.clone(), Some(at), *target))
            }
            Transfer::Return(ptr) => self.leave(machine, code.map.place(*ptr)),
        }
    }

    /// What becomes of each, together.
    fn all<T>(&self, each: impl Iterator<Item = T>, go: impl Fn(T) -> Walk) -> Walk {
        let mut found = Vec::new();
        let mut why = None;
        for it in each {
            match go(it) {
                Ok(machines) => found.extend(machines),
                Err(Stop::Reached) => return Err(Stop::Reached),
                Err(stop) => why = Some(stop),
            }
        }
        match (found.is_empty(), why) {
            (true, Some(why)) => Err(why),
            (true | false, _) => Ok(found),
        }
    }

    fn command(&self, mut machine: Machine, command: Command) -> Walk {
        if let Command::Stmt(id) = command {
            let place = self.code.map.stmt(id);
            machine.log.began(place);
            match self.code.body.stmt(id) {
                Stmt::Assert { expr, layers, .. } => {
                    if layers.contains(self.layer) {
                        let holds = machine.truth(self.structure, *expr);
                        let check = Check::new(Claim::Assertion, place);
                        self.judge(&mut machine, holds, check, self.contract_checks())?;
                    }
                    return Ok(vec![machine]);
                }
                Stmt::Measure { .. } => return Ok(vec![machine]),
                Stmt::Call { .. } => return self.call(machine, id),
                Stmt::Yield { expr, layers, .. } => {
                    return match layers.contains(self.layer) {
                        true => self.yield_statement(machine, id, *expr),
                        false => Ok(vec![machine]),
                    };
                }
                Stmt::Unpack { targets, .. } if !self.takes_apart_here(targets) => {
                    return Ok(vec![machine]);
                }
                Stmt::Error | Stmt::Assign { .. } | Stmt::Unpack { .. } | Stmt::Assume { .. } => {}
                Stmt::Havoc { .. } | Stmt::Visibility(_) | Stmt::If { .. } | Stmt::While { .. } => {
                }
                Stmt::Break { .. } | Stmt::Goto { .. } | Stmt::Label(_) | Stmt::Return => {}
            }
        }
        machine.top_mut().checks = self.primitive_checks();
        sequential::command(self.follower, machine, command)
    }

    fn takes_apart_here(&self, targets: &[hir::VarRef]) -> bool {
        let layers = self.code.body.layers_of_targets(targets);
        layers.is_none_or(|it| it.contains(self.layer))
    }

    fn judge(
        &self,
        machine: &mut Machine,
        holds: Known<bool>,
        check: Check,
        checks: Checks,
    ) -> Result<(), Stop> {
        machine.top_mut().checks = checks;
        sequential::judge(self.follower, machine, holds, check)
    }

    fn yield_statement(&self, mut machine: Machine, id: StmtId, expr: Option<ExprId>) -> Walk {
        let place = self.code.map.stmt(id);
        if self.is_mover {
            return stuck("a yield of a mover procedure");
        }
        self.end_fragment(&mut machine, place)?;
        if let Some(expr) = expr.filter(|_| self.mode == Mode::Invariant) {
            let holds = machine.truth(self.structure, expr);
            self.follower.demand(&mut machine, holds, Check::new(Claim::Yield, place))?;
        }
        self.interfere(&mut machine, &[])?;
        if let Some(expr) = expr {
            let holds = machine.truth(self.structure, expr);
            self.follower.assume(&mut machine, holds, "the condition of a yield")?;
        }
        let available = self.availability.after_call(id).to_vec();
        self.resume(&mut machine, place, &available)?;
        Ok(vec![machine])
    }

    fn leave(&self, mut machine: Machine, place: Place) -> Walk {
        self.follower.pass(&mut machine, place, &Moment::Return)?;
        if !self.is_mover {
            self.check_interference(&mut machine, place)?;
            self.check_return(&mut machine, place)?;
        }
        if self.mode == Mode::Invariant {
            let frame = machine.top().clone();
            let conditions =
                self.ensured(self.sig(), &frame.locals, (&machine.globals.clone(), &frame.old));
            for condition in conditions {
                let claim = Claim::Postcondition { procedure: self.sig().name.clone() };
                let check = Check::of(claim, place, condition.clause);
                self.follower.demand(&mut machine, condition.holds, check)?;
            }
        }
        Err(Stop::Open(Doubt("the run returns without a failure".into())))
    }
}
