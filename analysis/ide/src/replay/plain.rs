//! The run of a plain or pure procedure (verification.md 6).
//!
//! ```text
//! entry:      `where` clauses and preconditions hold
//! loop head:  invariants are checked where the loop is entered and after each round; a round starts with
//!             any values of what the loop writes that the invariants and `where` clauses allow
//! return:     postconditions are checked
//! ```

use base::{DeclId, Place};
use hir::{BlockId, ClauseKind, Command, Role, Stmt, Transfer, Ty, TySubst, VarRef};
use obligations::{Claim, Moment};

use super::effects::assigned;
use super::follow::Follower;
use super::log::Log;
use super::machine::{
    Caller, Check, Code, Frame, Globals, Guide, Machine, Slot, Stop, Walk, stuck,
};
use super::measures;
use super::sequential::{self, clauses, where_clause};
use super::structure::Known;

/// Follows the run through the body held by `decl`.
pub(super) fn follow(follower: &Follower<'_>, decl: DeclId) -> Known<()> {
    let plain = Plain { follower };
    follower.search(plain.enter(decl), &|machine| plain.step(machine))
}

struct Plain<'a> {
    follower: &'a Follower<'a>,
}

impl Plain<'_> {
    fn enter(&self, decl: DeclId) -> Walk {
        let structure = self.follower.structure;
        let world = structure.world;
        let Some(code) = Code::of_decl(world, decl) else { return stuck("a body with an error") };
        let Some(specs) = world.specs(code.sig.decl).filter(|it| !it.has_errors) else {
            return stuck("a specification with an error");
        };
        // Nothing is known about the types of a polymorphic procedure.
        let rigid =
            |name: &base::Name| (name.clone(), Ty::ctor(format!("{name}@type").as_str(), []));
        let types: TySubst = code.sig.type_params.iter().map(rigid).collect();
        // Callees may change globals that the text does not mention.
        let names = hir::global_names(world.db, world.program, hir::NameSpace::Variable);
        let globals = names.into_iter().filter(|(name, _)| world.global(name).is_some());
        let globals: Globals = globals.map(|(name, _)| (name, Slot::Unknown)).collect();
        let frame = Frame::new(code.clone(), types, Vec::new(), Globals::new());
        let mut machine = Machine::new(globals, frame);
        machine.log = Log::on();
        let globals = machine.globals.keys().cloned().map(VarRef::Global);
        let all: Vec<VarRef> = globals.chain(code.body.local_ids().map(VarRef::Local)).collect();
        self.follower.adopt(&mut machine, &all);
        let globals = machine.globals.clone();
        machine.top_mut().old = std::sync::Arc::new(globals.clone());
        self.follower.pass(&mut machine, hir::decl_place(world.db, decl), &Moment::Entry)?;
        self.assume_wheres(&mut machine, &all)?;
        let frame = machine.top().clone();
        let view = frame.view(&globals);
        for (_, holds) in clauses(structure, &specs, (ClauseKind::Requires, true), view) {
            self.follower.assume(&mut machine, holds, "a precondition")?;
        }
        self.start_block(machine)
    }

    fn assume_wheres(&self, machine: &mut Machine, vars: &[VarRef]) -> Result<(), Stop> {
        for var in vars {
            if let Some(holds) = where_clause(self.follower.structure, machine, var) {
                self.follower.assume(machine, holds, "a `where` clause")?;
            }
        }
        Ok(())
    }

    fn step(&self, mut machine: Machine) -> Walk {
        if machine.frames.len() > 1 {
            return self.inner(machine);
        }
        let frame = machine.top();
        let code = frame.code.clone();
        let (at, next) = (frame.block, frame.next);
        let block = code.cfg.block(at);
        if let Some(command) = block.commands.get(next) {
            machine.top_mut().next += 1;
            return self.command(
                machine,
                *command,
                block.head.is_some() && next < prefix(&code, at),
            );
        }
        match &block.transfer {
            Transfer::Goto(targets) => {
                let mut all = Vec::new();
                let mut stops = Vec::new();
                for target in targets {
                    match self.jump(machine.clone(), at, *target) {
                        Ok(machines) => all.extend(machines),
                        Err(Stop::Reached) => return Err(Stop::Reached),
                        Err(stop) => stops.push(stop),
                    }
                }
                match (all.is_empty(), stops.pop()) {
                    (true, Some(stop)) => Err(stop),
                    (true | false, _) => Ok(all),
                }
            }
            Transfer::Return(ptr) => self.leave(machine, code.map.place(*ptr)),
        }
    }

    /// A step of an inlined body; when it returns, the state is shown.
    fn inner(&self, machine: Machine) -> Walk {
        let depth = machine.frames.len();
        let caller = machine.top().caller.clone();
        let mut machines = sequential::step(self.follower, machine)?;
        if let Some(Caller { shown: Some(moment), place, .. }) = caller {
            for machine in machines.iter_mut().filter(|it| it.frames.len() < depth) {
                self.follower.pass(machine, place, &moment)?;
            }
        }
        Ok(machines)
    }

    fn command(&self, mut machine: Machine, command: Command, invariant: bool) -> Walk {
        let code = machine.top().code.clone();
        let Command::Stmt(id) = command else {
            return sequential::command(self.follower, machine, command);
        };
        let place = code.map.stmt(id);
        machine.log.began(place);
        match code.body.stmt(id) {
            Stmt::Assert { role, expr, .. } => {
                if *role == Role::Plain {
                    self.follower.pass(&mut machine, place, &Moment::BeforeAssertion)?;
                }
                if !invariant {
                    return sequential::command(self.follower, machine, command);
                }
                let holds = machine.truth(self.follower.structure, *expr);
                self.follower.assume(&mut machine, holds, "a loop invariant")?;
                Ok(vec![machine])
            }
            Stmt::Measure { exprs, .. } => {
                let kept = measures::values(self.follower, &machine, exprs)?;
                let at = machine.top().block;
                machine.top_mut().measures.insert(at, kept);
                Ok(vec![machine])
            }
            Stmt::Call { arms, .. } => {
                let callees = arms.iter().map(|arm| arm.callee.clone()).collect();
                let moment = Moment::AfterCall(callees);
                let depth = machine.frames.len();
                let machines = sequential::command(self.follower, machine, command)?;
                self.after_call(machines, (place, &moment), depth)
            }
            Stmt::Error | Stmt::Assign { .. } | Stmt::Unpack { .. } | Stmt::Assume { .. } => {
                sequential::command(self.follower, machine, command)
            }
            Stmt::Havoc { .. } | Stmt::Yield { .. } | Stmt::Visibility(_) | Stmt::If { .. } => {
                sequential::command(self.follower, machine, command)
            }
            Stmt::While { .. } | Stmt::Break { .. } | Stmt::Goto { .. } | Stmt::Label(_) => {
                sequential::command(self.follower, machine, command)
            }
            Stmt::Return => sequential::command(self.follower, machine, command),
        }
    }

    /// Those that are back show the state; those that entered a body will.
    fn after_call(&self, machines: Vec<Machine>, shown: (Place, &Moment), depth: usize) -> Walk {
        let mut out = Vec::new();
        let mut why = None;
        for mut machine in machines {
            if machine.frames.len() > depth {
                if let Some(caller) = machine.top_mut().caller.as_mut() {
                    caller.shown = Some(shown.1.clone());
                }
                out.push(machine);
                continue;
            }
            match self.follower.pass(&mut machine, shown.0, shown.1) {
                Ok(()) => out.push(machine),
                Err(stop) => why = Some(stop),
            }
        }
        match (out.is_empty(), why) {
            (true, Some(why)) => Err(why),
            (true | false, _) => Ok(out),
        }
    }

    /// Takes an edge.
    fn jump(&self, mut machine: Machine, from: BlockId, to: BlockId) -> Walk {
        let code = machine.top().code.clone();
        let Some(it) = code.cfg.loop_at(to) else {
            machine.top_mut().block = to;
            machine.top_mut().next = 0;
            return self.start_block(machine);
        };
        let measure = measures::of_loop(&code, to, None);
        if it.back_edges.contains(&from) {
            if let Some((stmt, exprs)) = &measure {
                let before = machine.top().measures.get(&to).cloned().unwrap_or_default();
                let now = measures::values(self.follower, &machine, exprs);
                let holds = now.and_then(|now| measures::is_smaller(&now, &before));
                let claim = Claim::MeasureDecreases { callee: None };
                let check = Check::new(claim, code.map.stmt(*stmt));
                self.follower.demand(&mut machine, holds, check)?;
            }
            self.check_invariants(&mut machine, to, &Claim::LoopMaintained)?;
            return stuck("a round of a loop ends without a failure");
        }
        self.check_invariants(&mut machine, to, &Claim::LoopEntry)?;
        let written: Vec<VarRef> =
            assigned(self.follower.structure.world, &code, Some(&it.blocks)).into_iter().collect();
        machine.top_mut().block = to;
        machine.top_mut().next = 0;
        if let Some(ptr) = code.cfg.block(to).place {
            machine.log.rounds(code.map.place(ptr));
        }
        self.follower.adopt(&mut machine, &written);
        self.assume_wheres(&mut machine, &written)?;
        self.start_block(machine)
    }

    fn check_invariants(
        &self,
        machine: &mut Machine,
        head: BlockId,
        claim: &Claim,
    ) -> Result<(), Stop> {
        let code = machine.top().code.clone();
        for command in code.cfg.block(head).commands.iter().take(prefix(&code, head)) {
            let Command::Stmt(id) = command else { continue };
            if let Stmt::Assert { expr, .. } = code.body.stmt(*id) {
                let holds = machine.truth(self.follower.structure, *expr);
                let check = Check::new(claim.clone(), code.map.stmt(*id));
                self.follower.demand(machine, holds, check)?;
            }
        }
        match measures::of_loop(&code, head, None) {
            Some((_, exprs)) => measures::at_head(self.follower, machine, &exprs),
            None => Ok(()),
        }
    }

    /// The state is shown where a block starts.
    fn start_block(&self, mut machine: Machine) -> Walk {
        let code = machine.top().code.clone();
        let block = code.cfg.block(machine.top().block);
        if let Some(ptr) = block.place {
            let moment = if block.head.is_some() { Moment::LoopHead } else { Moment::Here };
            self.follower.pass(&mut machine, code.map.place(ptr), &moment)?;
        }
        Ok(vec![machine])
    }

    fn leave(&self, mut machine: Machine, place: Place) -> Walk {
        self.follower.pass(&mut machine, place, &Moment::Return)?;
        let structure = self.follower.structure;
        let world = structure.world;
        let sig = machine.top().code.sig.clone();
        let found = world.specs(sig.decl).zip(world.specs_map(sig.decl));
        let Some((specs, map)) = found else { return stuck("a specification") };
        let frame = machine.top().clone();
        let globals = machine.globals.clone();
        let view = frame.view(&globals);
        for (nth, holds) in clauses(structure, &specs, (ClauseKind::Ensures, false), view) {
            let claim = Claim::Postcondition { procedure: sig.name.clone() };
            self.follower.demand(&mut machine, holds, Check::of(claim, place, map.clause(nth)))?;
        }
        stuck("the run returns without a failure")
    }
}

/// How many commands at the start of a loop head are its invariant.
fn prefix(code: &Code, head: BlockId) -> usize {
    code.cfg.block(head).predicates(&code.body).len()
}
