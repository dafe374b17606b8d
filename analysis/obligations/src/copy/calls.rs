//! Calls of a copy (verification.md 2 and 3.5).
//!
//! **In:** a call statement. **Out:** for each arm, what the callee is at this layer: nothing, an
//! action, a mover procedure, pure code, or something that runs at a yield point. Arms that run at
//! a yield point and stand next to each other share it.
//!
//! | callee at the layer ([`CalleeAt`]) | becomes |
//! | --- | --- |
//! | code, invariant | a yield point |
//! | mover procedure | a call by contract |
//! | action, Skip | its transition |
//! | pure | its code |
//! | started code | a check of what it requires, in the invariant copy |
//! | started Skip, nothing | nothing |

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Name, Place};
use discipline::claims::{ClaimAt, ClaimKind};
use discipline::standing::{self, CalleeAt};
use hir::{Arm, ProcSig, Stmt, StmtId, VarRef};
use ir::{Command, ObligationKind, Term, Var};

use super::fragments::{Callee, callee_env};
use super::{Copy, Mode};
use crate::action::{ActionCopy, action_ir};
use crate::claim::Claim;
use crate::lowering::{Checks, Env, State};
use crate::unit::AssertInfo;

/// A call that is being written.
#[derive(Clone, Copy)]
pub(super) struct Site {
    call: StmtId,
    pub(super) place: Place,
}

impl Site {
    fn arm(self, nth: usize) -> ClaimAt {
        ClaimAt::Arm(self.call, nth)
    }
}

/// An arm that exists at the layer.
pub(super) struct Running<'a> {
    /// Its number among the arms of the call.
    nth: usize,
    arm: &'a Arm,
    pub(super) sig: Arc<ProcSig>,
    pub(super) at: CalleeAt,
    /// The arguments: of several arms, as variables that hold the values of the moment of the call.
    pub(super) args: Vec<Term>,
}

impl Copy<'_, '_> {
    pub(super) fn call(&mut self, call: StmtId) {
        let body = self.text.body;
        let Stmt::Call { arms, is_async, .. } = body.stmt(call) else { return };
        let site = Site { call, place: self.text.map.stmt(call) };
        self.lowering.at(site.place);
        let mut pending: Vec<Running<'_>> = Vec::new();
        let all = self.running(arms, *is_async);
        self.ask_early(site, &all);
        for running in all {
            match running.at {
                CalleeAt::Code | CalleeAt::Invariant => pending.push(running),
                CalleeAt::Action(_)
                | CalleeAt::Skip
                | CalleeAt::Mover(_)
                | CalleeAt::Pure
                | CalleeAt::StartedCode
                | CalleeAt::Nothing
                | CalleeAt::StartedSkip
                | CalleeAt::Unknown => {
                    let ready = std::mem::take(&mut pending);
                    let held = self.held_before(site, running.nth);
                    self.flush(site, &ready, &held);
                    self.run(site, &running);
                }
            }
        }
        let held = self.availability().after_call(site.call).to_vec();
        self.flush(site, &pending, &held);
    }

    /// The arms that exist at the layer. All arguments of all arms are read before the first arm
    /// does anything.
    fn running<'b>(&mut self, arms: &'b [Arm], is_async: bool) -> Vec<Running<'b>> {
        let mut found = Vec::new();
        for (nth, arm) in arms.iter().enumerate() {
            let sig = self.world.proc_sig(&arm.callee).filter(|_| arm.resolved);
            let Some(sig) = sig.filter(|sig| fits(sig, arm)) else {
                self.lowering.unsupported(format!("a call of `{}`", arm.callee));
                continue;
            };
            let at = self.callee_at(&sig, arm, is_async);
            match &at {
                CalleeAt::Nothing | CalleeAt::StartedSkip => continue,
                // What the new thread does is checked in its own copies.
                CalleeAt::StartedCode if self.mode == Mode::Refinement => continue,
                // Its code reads the arguments, see [`Copy::pure_call`].
                CalleeAt::Pure if arms.len() > 1 => {
                    self.lowering.unsupported("a pure call beside other calls");
                    continue;
                }
                CalleeAt::Pure
                | CalleeAt::StartedCode
                | CalleeAt::Invariant
                | CalleeAt::Mover(_)
                | CalleeAt::Action(_)
                | CalleeAt::Skip
                | CalleeAt::Code
                | CalleeAt::Unknown => {}
            }
            let is_read = !matches!(at, CalleeAt::Pure | CalleeAt::Unknown);
            let read: &[hir::ExprId] = if is_read { &arm.args } else { &[] };
            let args = self.lowering.exprs(&self.text.body.exprs, &self.env, read);
            found.push(Running { nth, arm, sig, at, args });
        }
        if found.len() > 1 {
            let lasting = self.lasting_locals(arms);
            let lasts = |value: &Term| ir::free_vars(value).is_subset(&lasting);
            for running in &mut found {
                let values = std::mem::take(&mut running.args);
                running.args = self.fix_values(&running.sig, values, lasts);
            }
        }
        found
    }

    /// The locals that no arm assigns: what is computed from them alone has the same value before
    /// each arm.
    fn lasting_locals(&mut self, arms: &[Arm]) -> BTreeSet<Var> {
        let assigned: BTreeSet<Var> = arms.iter().flat_map(|arm| self.results(arm)).collect();
        let locals = self.env.locals.iter().filter_map(|local| local.as_var().cloned());
        locals.filter(|local| !assigned.contains(local)).collect()
    }

    /// The linear variables that are held before the arm `nth` starts: those held at the call,
    /// without what earlier arms took. What arms hand out counts after the whole call only.
    fn held_before(&self, site: Site, nth: usize) -> Vec<VarRef> {
        self.availability().before_arm(site.call, nth).to_vec()
    }

    fn callee_at(&self, sig: &ProcSig, arm: &Arm, is_async: bool) -> CalleeAt {
        standing::callee_at(self.world.db, self.world.program, sig, (arm, is_async), self.layer)
    }

    fn run(&mut self, site: Site, running: &Running<'_>) {
        let Running { arm, sig, at, args, .. } = running;
        self.arm = Some(site.arm(running.nth));
        match at {
            CalleeAt::Action(action) => {
                let outs = self.results(arm);
                self.action_call((sig, Some(action.clone())), args.clone(), &outs, site.place);
            }
            CalleeAt::Skip => {
                let outs = self.results(arm);
                self.action_call((sig, None), Vec::new(), &outs, site.place);
            }
            CalleeAt::Mover(_) => self.mover_call(site, running),
            CalleeAt::Pure => self.pure_call(sig, arm, site.place),
            CalleeAt::StartedCode => {
                let (arm, args) = (site.arm(running.nth), args.clone());
                let callee = Callee { arm, sig: Arc::clone(sig), args, outs: vec![] };
                self.assert_required(&callee, site.place);
            }
            CalleeAt::Nothing
            | CalleeAt::StartedSkip
            | CalleeAt::Code
            | CalleeAt::Invariant
            | CalleeAt::Unknown => {
                self.lowering.unsupported(format!("a call of `{}`", arm.callee));
            }
        }
    }

    fn results(&mut self, arm: &Arm) -> Vec<Var> {
        let outs: Vec<Option<Var>> = arm
            .outs
            .iter()
            .map(|out| {
                let checks = self.contract_checks();
                self.with_writer(checks, |writer| writer.variable(out)).map(|(var, _)| var)
            })
            .collect();
        outs.into_iter().flatten().collect()
    }

    /// Runs the collected arms at one yield point; `after` are the linear variables held afterwards.
    ///
    /// A callee that takes part in the refinement is code of this layer too: its action is one
    /// fragment of ours. Arguments and `old` states of all arms are those of the call, before others
    /// interfere for the first time.
    fn flush(&mut self, site: Site, ready: &[Running<'_>], after: &[VarRef]) {
        let Some(first) = ready.first() else { return };
        let mut callees: Vec<Callee> = Vec::new();
        for Running { nth, arm, sig, args, .. } in ready {
            let outs = if sig.is_invariant() { Vec::new() } else { self.results(arm) };
            let (arm, sig, args) = (site.arm(*nth), Arc::clone(sig), args.clone());
            callees.push(Callee { arm, sig, args, outs });
        }
        let checked = match self.mode {
            Mode::Refinement => ready.iter().position(|it| self.needs_refinement(it.arm, &it.sig)),
            Mode::Invariant => None,
        };
        let Some(nth) = checked else {
            return self.yield_point(&callees, site.place, after);
        };
        let callees = self.fix_arguments(&callees);
        let at_call = self.save_globals();
        let held = self.held_before(site, first.nth);
        self.yield_point(&[], site.place, &held);
        let Callee { arm, sig, args, outs: results } = &callees[nth];
        self.arm = Some(*arm);
        self.out.havoc(self.at, results.clone());
        self.action_call((sig, sig.refines.clone()), args.clone(), results, site.place);
        let mut fresh = Vec::new();
        for var in results {
            fresh.push(self.lowering.fresh_var(var.name.as_str(), var.sort.clone()));
        }
        let results = results.clone();
        let mut callees = callees;
        callees[nth].outs = fresh.clone();
        self.yield_point_since(&callees, site.place, (after, at_call));
        for (ours, theirs) in results.into_iter().zip(fresh) {
            self.assume(Term::eq(Term::var(ours), Term::var(theirs)));
        }
    }

    /// Does this arm, at the procedure's own layer, do something that refinement can see?
    fn needs_refinement(&self, arm: &Arm, sig: &ProcSig) -> bool {
        if !sig.is_yield_procedure() || sig.layer() != Some(self.layer) {
            return false;
        }
        sig.refines.is_some() || arm.outs.iter().any(|out| self.is_visible_output(out))
    }

    /// Runs the action that a procedure is at this layer: preconditions, gate, body.
    fn action_call(
        &mut self,
        (sig, action): (&ProcSig, Option<Name>),
        args: Vec<Term>,
        outs: &[Var],
        place: Place,
    ) {
        let ins: Vec<Term> =
            sig.visible_ins().filter_map(|(nth, _)| args.get(nth).cloned()).collect();
        let visible: Vec<Var> =
            sig.visible_outs().filter_map(|(nth, _)| outs.get(nth).cloned()).collect();
        let hidden: Vec<Var> = outs.iter().filter(|var| !visible.contains(var)).cloned().collect();
        self.out.havoc(self.at, hidden);
        if let Some(action) = action {
            let checks = self.gate_checks();
            self.inline_action(&action, ins, (&visible, checks), place);
        } else if sig.refines.is_some() {
            self.lowering.unsupported(format!("`{}` at layer {}", sig.name, self.layer));
        }
    }

    fn inline_action(
        &mut self,
        name: &Name,
        args: Vec<Term>,
        (outs, checks): (&[Var], Checks),
        place: Place,
    ) {
        let (db, program) = (self.world.db, self.world.program);
        let Some(action) = action_ir(db, program, name.clone()) else {
            return self.lowering.unsupported(format!("the action `{name}`"));
        };
        self.assert_action_preconditions(&action.sig, &args, place);
        let suffix = self.lowering.fresh_suffix();
        let mut copy = ActionCopy::new(&mut self.lowering, &action, &suffix);
        if let Some(made) = &self.lowering.records {
            copy.record_new(made);
        }
        if copy.ins.len() != args.len() || copy.outs.len() != outs.len() {
            return self.lowering.unsupported(format!("a call of `{name}` with an error"));
        }
        let pairs: Vec<(Var, Term)> = copy.ins.iter().cloned().zip(args).collect();
        if pairs.iter().any(|(var, value)| var.sort != *value.sort()) {
            return self.lowering.unsupported(format!("a call of `{name}` with an error"));
        }
        if !pairs.is_empty() {
            self.out.push(self.at, Command::Assign(pairs));
        }
        let is_pure = action.sig.is_pure();
        self.visit_arm(checks, if is_pure { ClaimKind::PureDemand } else { ClaimKind::Gate });
        for conjunct in copy.gate() {
            let claim = Claim::Gate { action: name.clone() };
            match checks {
                Checks::Assert(kind) => {
                    let info = AssertInfo::new(kind, claim, place)
                        .related(conjunct.place, "this assertion of the action");
                    self.out.assert_with(self.at, conjunct.term, info, conjunct.hints);
                }
                Checks::Assume => self.out.assume_with(self.at, conjunct.term, conjunct.hints),
            }
        }
        self.at = copy.write(&mut self.out, self.at);
        let results: Vec<(Var, Term)> =
            outs.iter().cloned().zip(copy.outs.iter().map(|var| Term::var(var.clone()))).collect();
        if !results.is_empty() {
            self.out.push(self.at, Command::Assign(results));
        }
    }

    /// An action's preconditions at this layer are asserted by both copies.
    fn assert_action_preconditions(&mut self, action: &ProcSig, args: &[Term], place: Place) {
        let env = Env::of_locals(args.to_vec()).in_states(State::now(), State::now());
        // Both copies assert them.
        self.visit_arm(Checks::Assert(ObligationKind::Contract), ClaimKind::ActionPrecondition);
        for condition in self.required(action, &env) {
            let claim = Claim::ActionPrecondition { action: action.name.clone() };
            let info = AssertInfo::new(ObligationKind::Contract, claim, place)
                .reported_at(condition.clause)
                .related(condition.clause, "this precondition of the action");
            self.out.assert(self.at, condition.term, info);
        }
    }

    /// A call of a mover procedure at its own layer: by contract, without a yield.
    fn mover_call(&mut self, site: Site, running: &Running<'_>) {
        let Running { arm, sig, args, .. } = running;
        let args = self.fix_values(sig, args.clone(), |_| false);
        let outs = self.results(arm);
        let arm = site.arm(running.nth);
        let callee = Callee { arm, sig: Arc::clone(sig), args, outs: outs.clone() };
        if self.mode == Mode::Invariant {
            self.assert_required(&callee, site.place);
            self.check_measure(&callee, site.place);
        }
        let changed: Vec<Name> = self.world.modifies(&sig.name).iter().cloned().collect();
        let checks = self.contract_checks();
        let before = self.with_writer(checks, |writer| {
            let before = writer.save_globals(&changed);
            writer.havoc_globals(&changed);
            before
        });
        self.out.havoc(self.at, outs);
        let env = callee_env(&callee).in_states(State::now(), before);
        self.assume_wheres_of_results(sig, &env);
        for condition in self.ensured(sig, &env) {
            self.assume(condition.term);
        }
    }

    /// The arm that is being written is asked about.
    fn visit_arm(&mut self, checks: Checks, kind: ClaimKind) {
        if let Some(arm) = self.arm {
            self.visit(checks, arm, kind);
        }
    }

    /// A pure action, a primitive or a pure procedure.
    fn pure_call(&mut self, sig: &ProcSig, arm: &Arm, place: Place) {
        if sig.is_action() {
            let args = self.lowering.exprs(&self.text.body.exprs, &self.env, &arm.args);
            let outs = self.results(arm);
            let checks = self.primitive_checks();
            return self.inline_action(&sig.name, args, (&outs, checks), place);
        }
        let is_primitive = sig.primitive.is_some();
        let checks = if is_primitive { self.primitive_checks() } else { self.contract_checks() };
        let is_free = self.mode == Mode::Refinement;
        self.visit_arm(checks, ClaimKind::PureDemand);
        self.with_writer(checks, |writer| writer.procedure_call(arm, place, is_free));
    }
}

fn fits(sig: &ProcSig, arm: &Arm) -> bool {
    sig.ins.len() == arm.args.len() && sig.outs.len() == arm.outs.len()
}
