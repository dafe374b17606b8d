//! Contracts at a layer: what a procedure requires and ensures there.
//!
//! **In:** a yield procedure and an environment for its formals. **Out:** terms, each with the place
//! of its clause: the clauses that name the layer, and the clauses of the invariants of the layer
//! that the procedure calls in its specification.
//!
//! `preserves` is both `requires` and `ensures`. `old` in what is required means the state at the
//! call, which is the state in which it is required.

use std::sync::Arc;

use base::{Name, Place};
use discipline::claims::ClaimAt;
use hir::{ClauseKind, ProcSig, Specs};
use ir::Term;

use super::Copy;
use crate::faith::FaithKind;
use crate::lowering::{Env, State};

/// A condition and the clause it stems from.
pub(super) struct Condition {
    pub(super) term: Term,
    pub(super) clause: Place,
}

impl Copy<'_, '_> {
    /// What `sig` requires, read in `env.now`.
    pub(super) fn required(&mut self, sig: &ProcSig, env: &Env) -> Vec<Condition> {
        let env = env.in_states(env.now.clone(), env.now.clone());
        let mut out = self.clauses(sig, &env, ClauseKind::Requires);
        out.extend(self.called_invariants(sig, &env, ClauseKind::Requires));
        out
    }

    /// What `sig` requires by itself, without invariants.
    pub(super) fn required_plainly(&mut self, sig: &ProcSig, env: &Env) -> Vec<Condition> {
        let env = env.in_states(env.now.clone(), env.now.clone());
        self.clauses(sig, &env, ClauseKind::Requires)
    }

    /// What the invariants that `sig` requires say about the state `now`, with arguments read in
    /// `env`.
    pub(super) fn required_invariants(
        &mut self,
        sig: &ProcSig,
        env: &Env,
        now: &State,
    ) -> Vec<Condition> {
        self.invariants_with(sig, env, ClauseKind::Requires, now)
    }

    /// What `sig` ensures, read in `env.now` with `old` read in `env.old`.
    pub(super) fn ensured(&mut self, sig: &ProcSig, env: &Env) -> Vec<Condition> {
        let mut out = self.clauses(sig, env, ClauseKind::Ensures);
        out.extend(self.called_invariants(sig, env, ClauseKind::Ensures));
        out
    }

    /// The `where` clauses of the results of `sig`, which a caller takes on faith.
    pub(super) fn wheres_of_results(&mut self, sig: &ProcSig, env: &Env) -> Vec<Term> {
        let Some((specs, map)) = self.specs_of(sig) else { return Vec::new() };
        let mut terms = Vec::new();
        for (nth, local) in specs.locals.iter().enumerate().skip(sig.ins.len()) {
            let Some(clause) = local.condition else { continue };
            let place = map.local(hir::LocalId::from_index(nth));
            self.lowering.on_faith(FaithKind::WhereClause, &local.name, place);
            terms.push(self.lowering.expr(&specs.exprs, env, clause));
        }
        terms
    }

    pub(super) fn specs_of(&mut self, sig: &ProcSig) -> Option<(Arc<Specs>, Arc<hir::SourceMap>)> {
        self.lowering.refuse_ignored(sig.decl);
        let found = self.world.specs(sig.decl).zip(self.world.specs_map(sig.decl));
        if found.as_ref().is_none_or(|(specs, _)| specs.has_errors) {
            self.lowering.unsupported(format!("the specification of `{}`", sig.name));
            return None;
        }
        let narrowed = |(specs, _): &(Arc<Specs>, _)| {
            specs.locals.iter().any(|local| local.condition.is_some())
        };
        if sig.is_invariant() && found.as_ref().is_some_and(narrowed) {
            self.lowering.unsupported(format!("a `where` clause of the invariant `{}`", sig.name));
        }
        found
    }

    fn clauses(&mut self, sig: &ProcSig, env: &Env, kind: ClauseKind) -> Vec<Condition> {
        let Some((specs, map)) = self.specs_of(sig) else { return Vec::new() };
        let mut out = Vec::new();
        for (number, clause) in specs.clauses.iter().enumerate() {
            let wanted = clause.kind == kind || clause.kind == ClauseKind::Preserves;
            if wanted && clause.layers.contains(self.layer) {
                self.considered.push(ClaimAt::Clause(number));
                let term = self.lowering.expr(&specs.exprs, env, clause.expr);
                out.push(Condition { term, clause: map.clause(number) });
            }
        }
        out
    }

    fn called_invariants(&mut self, sig: &ProcSig, env: &Env, kind: ClauseKind) -> Vec<Condition> {
        let now = env.now.clone();
        self.invariants_with(sig, env, kind, &now)
    }

    fn invariants_with(
        &mut self,
        sig: &ProcSig,
        env: &Env,
        kind: ClauseKind,
        now: &State,
    ) -> Vec<Condition> {
        let Some((specs, _)) = self.specs_of(sig) else { return Vec::new() };
        let mut out = Vec::new();
        for (number, call) in specs.calls.iter().enumerate() {
            if call.kind != kind && call.kind != ClauseKind::Preserves {
                continue;
            }
            self.considered.push(ClaimAt::SpecCall(number));
            let args = self.lowering.exprs(&specs.exprs, env, &call.arm.args);
            out.extend(self.invariant(&call.arm.callee, args, now));
        }
        out
    }

    /// The clauses of an invariant of this layer with these arguments in the state `now`; none if
    /// the invariant belongs to another layer.
    pub(super) fn invariant(
        &mut self,
        name: &Name,
        args: Vec<Term>,
        now: &State,
    ) -> Vec<Condition> {
        let Some(sig) = self.world.proc_sig(name).filter(|sig| sig.is_invariant()) else {
            self.lowering.unsupported(format!("the invariant `{name}`"));
            return Vec::new();
        };
        if sig.layer() != Some(self.layer) {
            return Vec::new();
        }
        let Some((specs, map)) = self.specs_of(&sig) else { return Vec::new() };
        let env = Env::of_locals(args).in_states(now.clone(), now.clone());
        let mut out = Vec::new();
        for (number, clause) in specs.of_kind(ClauseKind::Preserves) {
            let term = self.lowering.expr(&specs.exprs, &env, clause.expr);
            out.push(Condition { term, clause: map.clause(number) });
        }
        out
    }
}
