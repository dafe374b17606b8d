//! Where fragments start and end: entry, yield points, returns.
//!
//! ```text
//! entry:   what is required holds at the call; others interfere; what is required, with arguments
//!          as at the call, still holds; a fragment starts
//! yield:   the fragment ends; what callees require holds; others interfere and callees run; what
//!          callees ensure holds; a fragment starts
//! return:  the fragment ends; what is ensured holds
//! ```
//!
//! A mover procedure at its own layer has no yield on entry or return, and no fragments.

use std::sync::Arc;

use base::Place;
use discipline::claims::{ClaimAt, ClaimKind};
use hir::{ProcSig, VarRef};
use ir::{Command, ObligationKind, Term, Var};

use super::contracts::Condition;
use super::{Copy, Exit, Mode, snapshot_of};
use crate::claim::Claim;
use crate::lowering::{Checks, Env, State};
use crate::unit::{AssertInfo, CapturePoint, Moment};

/// A callee that runs at a yield point.
#[derive(Clone)]
pub(super) struct Callee {
    /// The arm that calls it.
    pub(super) arm: ClaimAt,
    pub(super) sig: Arc<ProcSig>,
    /// Values at the yield point.
    pub(super) args: Vec<Term>,
    /// Variables that receive results; empty for invariants.
    pub(super) outs: Vec<Var>,
}

impl Copy<'_, '_> {
    pub(super) fn enter(&mut self) {
        let availability = self.availability();
        let sig = Arc::clone(&self.sig);
        self.assume_where_clauses();
        if self.is_mover_here() {
            self.assume_linear(availability.at_entry());
            let env = self.env.clone();
            self.assume_all(|copy| copy.required(&sig, &env));
            self.assume_measure();
            let place = hir::decl_place(self.lowering.world.db, sig.decl);
            return self.show(place, Moment::Entry);
        }
        let at_call = self.env.in_states(State::old(), State::old());
        self.assume_all(|copy| copy.required(&sig, &at_call));
        self.interfere();
        self.assume_linear(availability.at_entry());
        let now = self.env.clone();
        self.assume_all(|copy| copy.required_plainly(&sig, &now));
        self.assume_all(|copy| copy.required_invariants(&sig, &at_call, &State::now()));
        self.start_refinement();
        self.start_fragment(availability.at_entry());
        let place = hir::decl_place(self.lowering.world.db, sig.decl);
        self.show(place, Moment::Entry);
    }

    /// Traces show the state here.
    pub(super) fn show(&mut self, place: Place, moment: Moment) {
        let names = self.global_names();
        let point = CapturePoint { place, moment };
        self.with_writer(Checks::Assume, |writer| writer.capture(point, &names));
    }

    /// `where` clauses hold at the start, and whenever a loop forgets a value.
    fn assume_where_clauses(&mut self) {
        for id in self.text.body.local_ids() {
            let Some(term) = self.lowering.local_where(self.text.body, &self.env, id) else {
                continue;
            };
            self.assume(term.clone());
            if let Some(var) = self.env.local(id).and_then(Term::as_var).cloned() {
                self.out.declare_where(var, term);
            }
        }
    }

    /// The results of a callee are as their `where` clauses say.
    pub(super) fn assume_wheres_of_results(&mut self, sig: &ProcSig, env: &Env) {
        for term in self.wheres_of_results(sig, env) {
            self.assume(term);
        }
    }

    fn assume_all(&mut self, conditions: impl FnOnce(&mut Self) -> Vec<Condition>) {
        for condition in conditions(self) {
            self.assume(condition.term);
        }
    }

    /// Other threads may do anything to the globals.
    pub(super) fn interfere(&mut self) {
        let names = self.global_names();
        let checks = self.contract_checks();
        self.with_writer(checks, |writer| writer.havoc_globals(&names));
    }

    /// Remembers the state, the outputs and the permissions held.
    pub(super) fn start_fragment(&mut self, available: &[VarRef]) {
        let mut pairs: Vec<(Var, Term)> = Vec::new();
        for (name, var) in &self.globals {
            self.out.is_snapshot(snapshot_of(var), name.clone());
            pairs.push((snapshot_of(var), Term::var(var.clone())));
        }
        if !pairs.is_empty() {
            self.out.push(self.at, Command::Assign(pairs));
        }
        self.remember_outputs();
        self.remember_permissions(available);
    }

    /// The fragment ends here: its checks branch off.
    pub(super) fn end_fragment(&mut self, place: Place) {
        if self.is_mover_here() {
            return;
        }
        self.show(place, Moment::BeforeOthers);
        self.exits.push(Exit { at: self.at, place });
        self.check_fragment(place);
    }

    /// A yield point at which `callees` run; `available` are the linear variables afterwards.
    pub(super) fn yield_point(&mut self, callees: &[Callee], place: Place, available: &[VarRef]) {
        let callees = self.end_before_callees(callees, place);
        let before = self.save_globals();
        self.let_callees_run(&callees, place, (available, before));
    }

    /// The same for callees that were called earlier, in the state `since.1`: what they ensure may
    /// compare with that state.
    pub(super) fn yield_point_since(
        &mut self,
        callees: &[Callee],
        place: Place,
        since: (&[VarRef], State),
    ) {
        let callees = self.end_before_callees(callees, place);
        self.let_callees_run(&callees, place, since);
    }

    fn end_before_callees(&mut self, callees: &[Callee], place: Place) -> Vec<Callee> {
        self.end_fragment(place);
        self.next_block("yield");
        self.settle_fragment();
        let callees = self.fix_arguments(callees);
        if self.mode == Mode::Invariant {
            for callee in &callees {
                self.assert_required(callee, place);
            }
        }
        callees
    }

    /// The present values of the globals, kept.
    pub(super) fn save_globals(&mut self) -> State {
        let names = self.global_names();
        let checks = self.contract_checks();
        self.with_writer(checks, |writer| writer.save_globals(&names))
    }

    fn let_callees_run(
        &mut self,
        callees: &[Callee],
        place: Place,
        (available, at_call): (&[VarRef], State),
    ) {
        self.interfere();
        let outs: Vec<Var> = callees.iter().flat_map(|callee| callee.outs.clone()).collect();
        self.out.havoc(self.at, outs);
        for callee in callees {
            let env = callee_env(callee).in_states(State::now(), at_call.clone());
            self.assume_wheres_of_results(&callee.sig, &env);
            self.assume_all(|copy| copy.promised(callee, &env));
        }
        self.assume_gate_unless_done();
        self.start_fragment(available);
        self.assume_linear(available);
        self.show(place, Moment::AfterOthers);
    }

    /// The callees with arguments as variables, so that they keep their values when outputs change.
    pub(super) fn fix_arguments(&mut self, callees: &[Callee]) -> Vec<Callee> {
        let mut fixed = Vec::new();
        for callee in callees {
            let args = self.fix_values(&callee.sig, callee.args.clone(), |_| false);
            fixed.push(Callee { args, ..callee.clone() });
        }
        fixed
    }

    /// The arguments of a call of `sig`, those that do not last as fresh variables that hold them.
    pub(super) fn fix_values(
        &mut self,
        sig: &ProcSig,
        values: Vec<Term>,
        lasts: impl Fn(&Term) -> bool,
    ) -> Vec<Term> {
        let (mut pairs, mut terms) = (Vec::new(), Vec::new());
        for (param, value) in sig.ins.iter().zip(values) {
            if lasts(&value) {
                terms.push(value);
                continue;
            }
            let var = self.lowering.fresh_var(param.name.as_str(), value.sort().clone());
            terms.push(Term::var(var.clone()));
            pairs.push((var, value));
        }
        if !pairs.is_empty() {
            self.out.push(self.at, Command::Assign(pairs));
        }
        terms
    }

    /// Asserts what a callee requires in the present state.
    pub(super) fn assert_required(&mut self, callee: &Callee, place: Place) {
        let env = callee_env(callee);
        let conditions = match callee.sig.is_invariant() {
            true => self.invariant(&callee.sig.name, callee.args.clone(), &State::now()),
            false => self.required(&callee.sig, &env),
        };
        let kind = match callee.sig.is_invariant() {
            true => ClaimKind::InvariantCall,
            false => ClaimKind::Precondition,
        };
        self.out.visit((callee.arm, kind));
        for condition in conditions {
            let claim = Claim::Precondition { callee: callee.sig.name.clone() };
            let info = AssertInfo::new(ObligationKind::Contract, claim, place)
                .related(condition.clause, "this is required");
            self.out.assert(self.at, condition.term, info);
        }
    }

    /// What holds after a callee ran.
    fn promised(&mut self, callee: &Callee, env: &Env) -> Vec<Condition> {
        match callee.sig.is_invariant() {
            true => self.invariant(&callee.sig.name, callee.args.clone(), &env.now),
            false => self.ensured(&callee.sig, env),
        }
    }

    pub(super) fn leave(&mut self, place: Place) {
        let sig = Arc::clone(&self.sig);
        self.show(place, Moment::Return);
        if !self.is_mover_here() {
            self.exits.push(Exit { at: self.at, place });
            self.check_return(place);
        }
        if self.mode == Mode::Refinement {
            return;
        }
        self.next_block("return");
        for condition in self.visit_ensured() {
            let claim = Claim::Postcondition { procedure: sig.name.clone() };
            let info = AssertInfo::new(ObligationKind::Contract, claim, place)
                .related(condition.clause, "this is to be ensured");
            self.out.assert(self.at, condition.term, info);
        }
    }
}

impl Copy<'_, '_> {
    /// What the procedure ensures; all of it is asked about.
    pub(super) fn visit_ensured(&mut self) -> Vec<Condition> {
        let (sig, env) = (Arc::clone(&self.sig), self.env.clone());
        self.considered.clear();
        let conditions = self.ensured(&sig, &env);
        for at in std::mem::take(&mut self.considered) {
            self.visit(self.contract_checks(), at, ClaimKind::Ensures);
        }
        conditions
    }
}

/// The formals of a callee: inputs hold the arguments, outputs the variables that receive them.
pub(super) fn callee_env(callee: &Callee) -> Env {
    let outs = callee.outs.iter().map(|var| Term::var(var.clone()));
    let env = Env::of_locals(callee.args.iter().cloned().chain(outs).collect());
    env.in_states(State::now(), State::now())
}
