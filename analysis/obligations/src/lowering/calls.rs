//! Calls of procedures in sequential code: by contract, or by inlining the body.
//!
//! **In:** an arm of a call. **Out:** commands at the end of a block; after an inlined call, of
//! another block.
//!
//! By contract (verification.md 6.1): arguments are evaluated; preconditions that are not free are
//! demanded; what the procedure may change, and its outputs, get arbitrary values; all
//! postconditions, free ones too, are assumed; outputs are assigned.
//!
//! # Soundness
//! `old` in a postcondition is the state before the call: every global that the call may change is
//! saved first, and every other global is the same before and after.

use std::sync::Arc;

use base::{Name, Place};
use hir::{Arm, ClauseKind, ProcSig, RawArg, Specs, Stmt, StmtId, TySubst};
use ir::{Command, Symbol, Term, Var};

use super::statements::{Checks, Text, Writer};
use super::{Env, Lowering, State};
use crate::claim::Claim;
use crate::faith::FaithKind;
use crate::unit::AssertInfo;

/// Primitives that return something that nobody has held before.
const MAKES_NEW: [&str; 3] = ["Loc_New", "Tag_New", "Tags_New"];

/// How often a procedure may be inlined into itself.
const MAX_NESTED_INLINING: usize = 16;

impl Lowering<'_> {
    /// What the type parameters of a callee stand for at a call.
    pub fn call_types(&self, sig: &ProcSig, arm: &Arm, env: &Env) -> TySubst {
        let types = arm.type_args.iter().map(|ty| ty.subst(&env.types));
        sig.type_params.iter().cloned().zip(types).collect()
    }

    /// The clauses of one kind as terms, with their numbers; free ones if `free` says so.
    pub fn clauses(
        &mut self,
        specs: &Specs,
        kind: ClauseKind,
        env: &Env,
        free: bool,
    ) -> Vec<(usize, Term)> {
        let wanted = specs.of_kind(kind).filter(|(_, clause)| free || !clause.free);
        wanted.map(|(nth, clause)| (nth, self.expr(&specs.exprs, env, clause.expr))).collect()
    }

    /// The clauses of one kind to be assumed; free ones are taken on faith.
    pub(crate) fn believed(
        &mut self,
        sig: &ProcSig,
        (specs, map): (&Specs, &hir::SourceMap),
        kind: ClauseKind,
        env: &Env,
    ) -> Vec<Term> {
        for (nth, _) in specs.of_kind(kind).filter(|(_, clause)| clause.free) {
            self.on_faith(FaithKind::FreeClause, &sig.name, map.clause(nth));
        }
        self.clauses(specs, kind, env, true).into_iter().map(|(_, term)| term).collect()
    }
}

impl Lowering<'_> {
    /// What was proved of a body with type parameters need not hold of a type with few values
    /// ([`hir::may_count`]).
    fn refuse_finite_instance(&mut self, sig: &ProcSig, arm: &Arm, env: &Env) {
        let world = self.world;
        if sig.type_params.is_empty() || world.implementations(&sig.name).is_empty() {
            return;
        }
        let counted = hir::may_count(world.db, world.program, sig.name.clone());
        for (param, ty) in self.call_types(sig, arm, env) {
            if counted.contains(&param) && hir::is_finite(world.db, world.program, &ty) {
                let (name, ty) = (&sig.name, super::rigid::shown_type(&ty));
                let what = "its body is proved for types with infinitely many values";
                self.unsupported(format!("a call of `{name}` with `{ty}` for `{param}`: {what}"));
            }
        }
    }
}

/// The number of times `{:inline n}` allows; nothing if the procedure is not inlined.
pub fn inline_count(sig: &ProcSig) -> Option<usize> {
    let attr = sig.attrs.find("inline")?;
    match attr.args.first() {
        None | Some(RawArg::Bool(true)) => Some(1),
        Some(RawArg::Number(text)) => text.parse().ok().filter(|count| *count > 0),
        Some(RawArg::Bool(false) | RawArg::String(_) | RawArg::Expr) => None,
    }
}

impl Writer<'_, '_> {
    /// A call statement of sequential code: primitive, inlined, or by contract.
    pub fn sequential_call(&mut self, id: StmtId) {
        let Stmt::Call { arms, is_async, is_free } = self.text.body.stmt(id) else { return };
        let place = self.text.map.stmt(id);
        let ([arm], false) = (&**arms, *is_async) else {
            return self.lowering.unsupported("a parallel or asynchronous call here");
        };
        if *is_free {
            self.lowering.on_faith(FaithKind::FreeCall, &arm.callee, place);
        }
        self.procedure_call(arm, place, *is_free);
    }

    /// A call of a plain or pure procedure: inlined if it asks for it, else by contract.
    pub fn procedure_call(&mut self, arm: &Arm, place: Place, is_free: bool) {
        let Some(sig) = self.lowering.world.proc_sig(&arm.callee).filter(|_| arm.resolved) else {
            return self.lowering.unsupported(format!("a call of `{}`", arm.callee));
        };
        if super::is_path_primitive(arm) {
            return self.primitive(arm, place);
        }
        if sig.is_action() && arm.args.len() == sig.ins.len() {
            return self.inline_call(&sig, arm, place);
        }
        if !sig.is_plain_or_pure_procedure() || arm.args.len() != sig.ins.len() {
            return self.lowering.unsupported(format!("a call of `{}` here", arm.callee));
        }
        let has_body = !self.lowering.world.implementations(&sig.name).is_empty();
        match inline_count(&sig).filter(|_| has_body) {
            Some(_) => self.inline_call(&sig, arm, place),
            None => self.contract_call(&sig, arm, place, is_free),
        }
    }

    /// A call by contract. With `is_free`, preconditions are not demanded.
    pub fn contract_call(&mut self, sig: &ProcSig, arm: &Arm, place: Place, is_free: bool) {
        let Some((specs, map)) = self.specs(sig) else { return };
        self.lowering.believe_contract(sig, place);
        self.lowering.refuse_finite_instance(sig, arm, self.env);
        let mut env = Env { types: self.lowering.call_types(sig, arm, self.env), ..Env::empty() };
        env.now = self.env.now.clone();
        env.old = env.now.clone();
        let Some(outs) = self.call_locals(sig, arm, &mut env) else { return };
        if !is_free {
            for (nth, term) in self.lowering.clauses(&specs, ClauseKind::Requires, &env, false) {
                let callee = sig.name.clone();
                let clause = map.clause(nth);
                self.demand_at_call(term, Claim::Precondition { callee }, place, clause);
            }
        }
        if !is_free {
            let measure = self.lowering.measure((&specs, &map), &env, None);
            self.measured_call(sig, &measure, place);
        }
        let changed: Vec<Name> = self.lowering.world.modifies(&sig.name).iter().cloned().collect();
        env.old = self.save_globals(&changed);
        self.havoc_globals(&changed);
        self.out.havoc(self.at, outs.clone());
        for (nth, local) in specs.locals.iter().enumerate().skip(sig.ins.len()) {
            if let Some(clause) = local.condition {
                let place = map.locals.get(nth).copied().unwrap_or(place);
                self.lowering.on_faith(FaithKind::WhereClause, &local.name, place);
                let clause = self.lowering.expr(&specs.exprs, &env, clause);
                self.assume(clause);
            }
        }
        for term in self.lowering.believed(sig, (&specs, &map), ClauseKind::Ensures, &env) {
            self.assume(term);
        }
        self.assign_outs(arm, outs);
    }

    /// Demands `term`; blamed on the call, with the clause as second place.
    pub fn demand_at_call(&mut self, term: Term, claim: Claim, place: Place, clause: Place) {
        let gate = matches!(claim, Claim::Gate { .. });
        let words = if gate { "this assertion of the action" } else { "this precondition" };
        match self.checks {
            Checks::Assert(kind) => {
                let info = AssertInfo::new(kind, claim, place).related(clause, words);
                self.out.assert(self.at, term, info);
            }
            Checks::Assume => self.assume(term),
        }
    }

    fn specs(&mut self, sig: &ProcSig) -> Option<(Arc<Specs>, Arc<hir::SourceMap>)> {
        let world = self.lowering.world;
        self.lowering.refuse_ignored(sig.decl);
        let found = world.specs(sig.decl).zip(world.specs_map(sig.decl));
        if found.as_ref().is_none_or(|(specs, _)| specs.has_errors) {
            self.lowering.unsupported(format!("a call of `{}`", sig.name));
            return None;
        }
        found
    }

    /// Gives the formals of a callee variables: inputs hold the arguments. Returns the outputs.
    pub fn call_locals(&mut self, sig: &ProcSig, arm: &Arm, env: &mut Env) -> Option<Vec<Var>> {
        let mut pairs = Vec::new();
        for (param, arg) in sig.ins.iter().zip(arm.args.iter()) {
            let value = self.expr(*arg);
            let sort = self.lowering.sort(&param.ty, env);
            if *value.sort() != sort {
                self.lowering.unsupported(format!("a call of `{}` with an error", sig.name));
                return None;
            }
            let var = self.lowering.fresh_var(param.name.as_str(), sort);
            env.locals.push(Term::var(var.clone()));
            pairs.push((var, value));
        }
        if !pairs.is_empty() {
            self.out.push(self.at, Command::Assign(pairs));
        }
        let mut outs = Vec::new();
        for param in sig.outs.iter() {
            let sort = self.lowering.sort(&param.ty, env);
            let var = self.lowering.fresh_var(param.name.as_str(), sort);
            self.out.pools(Some(&var), &param.pools);
            env.locals.push(Term::var(var.clone()));
            outs.push(var);
        }
        Some(outs)
    }

    /// `location` has just been made new.
    fn make_new(&mut self, location: Option<&Var>) {
        let Some(location) = location else { return };
        self.lowering.made_new.insert(location.clone());
        if let Some(made) = &self.lowering.records {
            self.out.push(self.at, made.record(location));
        }
    }

    /// Remembers globals: the state in which they have their present values for ever.
    pub fn save_globals(&mut self, names: &[Name]) -> State {
        let mut state = self.env.now.clone();
        let mut pairs = Vec::new();
        for name in names {
            let Some((var, _)) = self.variable(&hir::VarRef::Global(name.clone())) else {
                continue;
            };
            let saved = self.lowering.fresh_var(name.as_str(), var.sort.clone());
            pairs.push((saved.clone(), Term::var(var)));
            state = state.with(name.clone(), Term::var(saved));
        }
        if !pairs.is_empty() {
            self.out.push(self.at, Command::Assign(pairs));
        }
        state
    }

    /// Globals get arbitrary values that their `where` clauses allow.
    pub fn havoc_globals(&mut self, names: &[Name]) {
        let mut vars = Vec::new();
        for name in names {
            vars.extend(self.variable(&hir::VarRef::Global(name.clone())).map(|(var, _)| var));
        }
        self.out.havoc(self.at, vars);
        for name in names {
            let clause = self.where_of(&hir::VarRef::Global(name.clone()));
            self.assume(clause);
        }
    }

    /// The output variables of the call get the values of `outs`.
    pub fn assign_outs(&mut self, arm: &Arm, outs: Vec<Var>) {
        if arm.outs.len() != outs.len() {
            return self.lowering.unsupported(format!("a call of `{}` with an error", arm.callee));
        }
        let mut pairs = Vec::new();
        for (target, out) in arm.outs.iter().zip(outs) {
            let Some((var, _)) = self.variable(target) else { return };
            if var.sort != out.sort {
                return self.lowering.unsupported(format!("the results of `{}`", arm.callee));
            }
            pairs.push((var, Term::var(out)));
        }
        if !pairs.is_empty() {
            self.out.push(self.at, Command::Assign(pairs));
        }
    }

    /// A call replaced by a copy of the body. Locals and outputs of the copy start unknown.
    pub fn inline_call(&mut self, sig: &ProcSig, arm: &Arm, place: Place) {
        let world = self.lowering.world;
        // The body may stand in an `implementation`; of several, the text does not say which runs.
        let parts = match &*world.implementations(&sig.name) {
            [decl] => world.body(*decl).zip(world.body_map(*decl)).zip(world.cfg(*decl)),
            [] | [_, _, ..] => None,
        };
        for decl in world.implementations(&sig.name).iter() {
            self.lowering.refuse_ignored(*decl);
        }
        let nested = self.lowering.inlining.iter().filter(|name| **name == sig.name).count();
        let limit = inline_count(sig).unwrap_or(1).min(MAX_NESTED_INLINING);
        let (Some(((body, map), cfg)), true) = (parts, nested < limit) else {
            return self.lowering.unsupported(format!("inlining `{}` here", sig.name));
        };
        let Some((specs, specs_map)) = self.specs(sig) else { return };
        if !specs.measures.is_empty() {
            self.lowering.unsupported("inlining of a procedure with a measure");
        }
        let mut env = Env { types: self.lowering.call_types(sig, arm, self.env), ..Env::empty() };
        env.now = self.env.now.clone();
        env.old = env.now.clone();
        let Some(outs) = self.call_locals(sig, arm, &mut env) else { return };
        for (nth, term) in self.lowering.clauses(&specs, ClauseKind::Requires, &env, false) {
            let claim = Claim::Precondition { callee: sig.name.clone() };
            self.demand_at_call(term, claim, place, specs_map.clause(nth));
        }
        // The declared gate of an action; one that is not declared stands in the body.
        for (nth, term) in self.lowering.clauses(&specs, ClauseKind::Asserts, &env, true) {
            let claim = Claim::Gate { action: sig.name.clone() };
            self.demand_at_call(term, claim, place, specs_map.clause(nth));
        }
        let changed: Vec<Name> = world.modifies(&sig.name).iter().cloned().collect();
        env.old = self.save_globals(&changed);
        let mut unknown = outs.clone();
        for local in body.locals.iter().skip(env.locals.len()) {
            let sort = self.lowering.sort(&local.ty, &env);
            let var = self.lowering.fresh_var(local.name.as_str(), sort);
            self.out.pools(Some(&var), &local.pools);
            env.locals.push(Term::var(var.clone()));
            unknown.push(var);
        }
        self.out.havoc(self.at, unknown);
        if sig.primitive.is_some_and(|it| MAKES_NEW.contains(&it.name)) {
            self.make_new(outs.first());
        }
        // As where a body is entered, `where` clauses hold; inputs have the values of the arguments.
        for id in body.local_ids().skip(sig.ins.len()) {
            let clause = self.lowering.local_where(&body, &env, id);
            clause.into_iter().for_each(|clause| self.assume(clause));
        }
        self.lowering.inlining.push(sig.name.clone());
        let label = Symbol::from(format!("inline${}$Return", sig.name));
        let after = self.out.block(label, None);
        let text = Text { body: &body, map: &map };
        let prefix = format!("inline${}$", sig.name);
        let entry = super::graph::write_graph(self, text, &env, &cfg, &prefix, &mut |writer, _| {
            writer.out.edge(writer.at, after);
        });
        self.lowering.inlining.pop();
        self.out.edge(self.at, entry);
        self.at = after;
        for (nth, term) in self.lowering.clauses(&specs, ClauseKind::Ensures, &env, false) {
            let claim = Claim::Postcondition { procedure: sig.name.clone() };
            self.demand_at_call(term, claim, place, specs_map.clause(nth));
        }
        self.assign_outs(arm, outs);
    }
}
