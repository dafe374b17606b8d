//! The client that calls roots, and where runs start.
//!
//! A client thread calls a root with arguments of the scope for which the root's requirements hold,
//! waits for its return, and may call again. Permissions are dealt out to the threads at the start
//! in all ways; an argument takes its permissions from what the thread holds, and gives them back or not as the
//! formal says.

#![allow(clippy::wildcard_enum_match_arm, reason = "other steps only write")]

use std::collections::{BTreeMap, BTreeSet};

use ir::{
    Op, PointwiseOp, Site, Sort, Substitution, Symbol, Term, Var,
    exploration::Inexact,
    free_vars,
    layer::{Act, ActionId, Formal, Linear, ProcId, Procedure, Spec, Step},
    subst::for_each_subterm,
};

use super::{Compiled, Compiler, Refused, procedures::held, terms::free_as_variable};
use crate::code::{At, Instr, Operand, Pc, Push, Slot};

/// How the client's frame is laid out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    pub(crate) body: u32,
    /// For each domain whose permissions roots take: the sort of its sets. The frame holds the calls
    /// left, then for each domain what the thread has and what it has lent.
    pub(crate) domains: BTreeMap<Symbol, Sort>,
    /// What it calls.
    pub(crate) roots: Vec<ProcId>,
    /// The domains whose permissions some root takes.
    pub(crate) takes: BTreeSet<Symbol>,
    /// Does every root borrow exactly one permission, and hand out none?
    pub(crate) borrows_one: bool,
}

/// Code that makes initial states.
pub(crate) struct Start {
    pub(crate) pc: Pc,
    /// For each domain, the permissions that globals hold, as code that ends with `Ret`.
    pub(crate) held: Vec<(Symbol, Pc)>,
}

impl Compiler<'_, '_> {
    /// Globals first, then the functions without meaning, which never change.
    pub(crate) fn globals(&mut self) {
        let program = self.program;
        program.globals.iter().for_each(|global| {
            self.add_global(&global.var);
        });
        for function in program.functions.values().filter(|it| it.is_free()) {
            self.add_global(&free_as_variable(&function.symbol));
        }
        self.frame_end = self.next;
    }

    /// The code of a client that calls `roots`.
    pub(crate) fn client(&mut self, roots: &[ProcId], bounded: bool) -> Client {
        let program = self.program;
        let called: Vec<(ProcId, &Procedure)> =
            roots.iter().filter_map(|id| Some((*id, program.procedure(*id)?))).collect();
        let mut domains = BTreeMap::new();
        for (_, root) in &called {
            for (formal, domain, set) in held(root.ins.iter().chain(&root.outs)) {
                if formal.linear != Linear::Ordinary {
                    domains.insert(domain.clone(), set.sort().clone());
                }
            }
        }
        let taken = called.iter().flat_map(|it| held(it.1.ins.iter()).filter(|it| takes(it.0)));
        let taken = taken.map(|(_, domain, _)| domain.clone()).collect();
        let borrows_one = called.iter().all(|it| borrows_one(it.1));
        let roots = called.iter().map(|it| it.0).collect();
        let mut vars = vec![Var::new("calls@left", Sort::Int)];
        for (domain, sort) in &domains {
            vars.push(held_var(domain, sort));
            vars.push(lent_var(domain, sort));
        }
        let body = self.add_body("client".into(), 0, vars.clone());
        self.open(body);
        let idle = self.point(At::Idle, Site(0));
        self.code.bodies[body as usize].entry = idle;
        self.code.points[idle as usize].site = None;
        let again = self.code.points[idle as usize].pc - 1;
        if bounded {
            self.count_down(&vars[0]);
        }
        let choose = self.emit(Instr::Choose(Box::new([])));
        let mut starts = Vec::new();
        for (id, root) in called {
            starts.push(self.here());
            self.forget_all();
            self.next = self.frame_end;
            let env = self.env.clone();
            if let Err(Refused(why)) = self.root(id, root, &domains, again) {
                let note = self.note(Inexact::Excluded(root.name.clone()));
                self.emit(Instr::Excluded(note));
                self.refusals.push((root.name.clone(), why, root.site));
            }
            self.env = env;
        }
        self.code.instrs[choose as usize] = Instr::Choose(starts.into());
        Client { body, domains, roots, takes: taken, borrows_one }
    }

    fn count_down(&mut self, calls: &Var) {
        if let Some(Ok(slot)) = self.env.get(calls).map(|it| it.get()) {
            let (zero, one) = (Term::int(0), Term::int(1));
            let left = Term::var(calls.clone());
            if let (Ok(some), Ok(fewer)) =
                (self.term(&Term::lt(zero, left.clone())), self.term(&Term::sub(left, one)))
            {
                self.emit(Instr::Assume(some));
                self.emit(Instr::Copy { dst: slot, src: fewer });
            }
        }
    }

    fn root(
        &mut self,
        id: ProcId,
        root: &Procedure,
        domains: &BTreeMap<Symbol, Sort>,
        again: Pc,
    ) -> Compiled<()> {
        self.emit(Instr::Root(id.0));
        self.site = root.site;
        let vars: Vec<Var> = root.ins.iter().map(|it| it.var.clone()).collect();
        let slots: Vec<Slot> = vars.iter().map(|var| self.declare(var)).collect();
        let mut constraints: Vec<Term> = root.requires.iter().map(|it| it.term.clone()).collect();
        constraints.extend(self.specified(root));
        let linear: Vec<(&Formal, &Symbol, &Term)> =
            held(root.ins.iter()).filter(|it| takes(it.0)).collect();
        for (nth, (_, domain, set)) in linear.iter().enumerate() {
            let own = Term::var(held_var(domain, set.sort()));
            constraints.push(all_of(Term::map_op(PointwiseOp::Implies, vec![(*set).clone(), own])));
            for (_, _, other) in linear[..nth].iter().filter(|it| it.1 == *domain) {
                constraints.push(disjoint(set, other));
            }
        }
        let from = self.code.instrs.len();
        self.choose(&vars, &constraints)?;
        // There are no permissions but those that were dealt.
        let dealt: BTreeSet<Slot> = linear
            .iter()
            .filter_map(|it| self.env.get(&it.0.var).and_then(|operand| operand.get().ok()))
            .collect();
        for instr in &mut self.code.instrs[from..] {
            if let Instr::Pick { dst, cut, .. } = instr {
                *cut &= !dealt.contains(dst);
            }
        }
        for (formal, domain, set) in linear {
            let own = held_var(domain, set.sort());
            let without = Term::map_op(PointwiseOp::Not, vec![set.clone()]);
            let left = Term::map_op(PointwiseOp::And, vec![Term::var(own.clone()), without]);
            self.set(&own, &left)?;
            if formal.linear == Linear::Linear {
                let lent = lent_var(domain, set.sort());
                let sum = union(Term::var(lent.clone()), set.clone());
                self.set(&lent, &sum)?;
            }
        }
        let ins = slots.into_iter().map(Operand::slot).collect();
        self.emit(Instr::Calls(id.0));
        let at = self.emit(Instr::Jump(0));
        let point = self.mark(At::Waiting, root.site);
        self.code.instrs[at as usize] = Instr::Push(Box::new(Push { procedure: id.0, ins }), point);
        self.take_back(root, domains)?;
        self.emit(Instr::Jump(again));
        Ok(())
    }

    /// What the action that the root refines demands at its start: where it fails, the root may.
    pub(super) fn specified(&self, root: &Procedure) -> Vec<Term> {
        let Some(Spec::Action { action, ins, .. }) = &root.spec else { return Vec::new() };
        let Some(action) = self.program.action(*action) else { return Vec::new() };
        let pairs = action.ins.iter().zip(ins).filter_map(|(var, place)| {
            let formal = root.ins.get(*place as usize)?;
            Some((var.clone(), Term::var(formal.var.clone())))
        });
        let mut replace = Substitution::of_vars(pairs);
        let mut demands: Vec<Term> = action.gate.iter().map(|it| it.term.clone()).collect();
        let (mut assumed, mut written): (Vec<Term>, BTreeSet<Var>) = Default::default();
        for step in action.nodes.first().map_or(&[][..], |node| &node.steps) {
            match step {
                Step::Assume(term, _) => assumed.push(term.clone()),
                Step::Assert(condition) => {
                    let before = Term::and(assumed.iter().cloned());
                    let demand = Term::implies(before, condition.term.clone());
                    if free_vars(&demand).is_disjoint(&written) {
                        demands.push(demand);
                    }
                }
                other => written.extend(other.written().into_iter().cloned()),
            }
        }
        let known = |term: &Term| {
            let mut vars = free_vars(term).into_iter();
            vars.all(|var| action.ins.contains(&var) || self.code.globals.contains(&var))
        };
        demands.iter().filter(|it| known(it)).map(|it| replace.apply(it)).collect()
    }

    /// At the return the thread has what it lent and what it is given.
    fn take_back(&mut self, root: &Procedure, domains: &BTreeMap<Symbol, Sort>) -> Compiled<()> {
        let outs: Vec<Option<Slot>> =
            root.outs.iter().map(|it| Some(self.declare(&it.var))).collect();
        self.emit(Instr::Take(outs.into()));
        for (formal, domain, set) in held(root.outs.iter()) {
            if formal.linear != Linear::Ordinary {
                let own = held_var(domain, set.sort());
                self.set(&own, &union(Term::var(own.clone()), set.clone()))?;
            }
        }
        for (domain, sort) in domains {
            let (own, lent) = (held_var(domain, sort), lent_var(domain, sort));
            self.set(&own, &union(Term::var(own.clone()), Term::var(lent.clone())))?;
            self.set(&lent, &Term::const_array(sort.clone(), Term::ff()))?;
        }
        Ok(())
    }

    fn set(&mut self, var: &Var, value: &Term) -> Compiled<()> {
        let (dst, src) = (self.slot_of(var)?, self.term(value)?);
        self.emit(Instr::Copy { dst, src });
        self.forget(var);
        Ok(())
    }

    /// The code of initial states: of the action `init`, or of all states in which the roots can be
    /// called.
    pub(crate) fn start(&mut self, init: Option<ActionId>, roots: &[ProcId]) -> Compiled<Start> {
        let program = self.program;
        self.open_start();
        let held = self.held_by_globals()?;
        self.open_start();
        let pc = self.here();
        let free: Vec<Var> = self.code.globals[program.globals.len()..].to_vec();
        let mut facts = program.axioms.clone();
        for group in &program.distinct {
            let constants = group.iter().filter_map(|name| program.functions.get(name));
            let terms = constants.map(|it| Term::func(&it.symbol, vec![])).collect();
            facts.push(Term::app(Op::Distinct, terms));
        }
        let facts = facts.iter().map(|fact| self.with_free(fact));
        let (tables, constants): (Vec<Term>, Vec<Term>) =
            facts.partition(|fact| self.applies_free(fact));
        self.choose(&free, &constants)?;
        for fact in tables {
            let cond = self.term(&fact)?;
            self.emit(Instr::Assume(cond));
        }
        match init {
            Some(action) => {
                let act =
                    Act { action, ins: vec![], outs: vec![], hidden: vec![], site: self.site };
                self.action(&act)?;
                for fact in &program.narrowed {
                    let cond = self.term(fact)?;
                    self.emit(Instr::Assume(cond));
                }
            }
            None => self.assumed_start(roots)?,
        }
        self.emit(Instr::Done);
        Ok(Start { pc, held })
    }

    fn open_start(&mut self) {
        self.forget_all();
        self.env.retain(|var, _| self.code.globals.contains(var));
        self.named.clear();
        self.next = self.code.globals.len() as u32;
        self.frame_end = self.next;
    }

    /// Free constants as variables, so that the axioms can be solved for them.
    fn with_free(&self, fact: &Term) -> Term {
        let constants = self.program.functions.values().filter(|it| it.is_free());
        let constants = constants.filter(|it| it.symbol.args.is_empty());
        let pairs = constants.map(|it| {
            let var = Term::var(free_as_variable(&it.symbol));
            (Term::func(&it.symbol, vec![]), var)
        });
        Substitution::of_terms(pairs).apply(fact)
    }

    /// Does a function without meaning occur that has arguments?
    fn applies_free(&self, fact: &Term) -> bool {
        let mut found = false;
        for_each_subterm([fact], |term| {
            if let Some((Op::Func(func), _)) = term.as_app() {
                let function = self.program.functions.get(&func.name);
                found |= function.is_some_and(|it| it.is_free());
            }
        });
        found
    }

    fn assumed_start(&mut self, roots: &[ProcId]) -> Compiled<()> {
        let program = self.program;
        self.notes.insert(Inexact::AssumedStart);
        let globals: Vec<Var> = program.globals.iter().map(|it| it.var.clone()).collect();
        let mut facts = program.narrowed.clone();
        for root in roots.iter().filter_map(|id| program.procedure(*id)) {
            for condition in &root.requires {
                let known = free_vars(&condition.term).iter().all(|var| globals.contains(var));
                if known && !facts.contains(&condition.term) {
                    facts.push(condition.term.clone());
                }
            }
        }
        let sets: Vec<_> = program.globals.iter().flat_map(|it| &it.holds).collect();
        for (nth, one) in sets.iter().enumerate() {
            for other in sets[..nth].iter().filter(|it| it.domain == one.domain) {
                facts.push(disjoint(&one.set, &other.set));
            }
        }
        self.starting = true;
        let chosen = self.choose(&globals, &facts);
        self.starting = false;
        chosen
    }

    fn held_by_globals(&mut self) -> Compiled<Vec<(Symbol, Pc)>> {
        let mut out = Vec::new();
        for held in self.program.globals.iter().flat_map(|it| &it.holds) {
            self.forget_all();
            let pc = self.here();
            let value = self.term(&held.set)?;
            self.emit(Instr::Ret(value));
            out.push((held.domain.clone(), pc));
        }
        Ok(out)
    }
}

/// Does the root borrow one permission, and hand out none?
fn borrows_one(root: &Procedure) -> bool {
    let taken: Vec<_> = held(root.ins.iter()).filter(|it| takes(it.0)).collect();
    let [(formal, _, set)] = taken[..] else { return false };
    let is_empty = |set: &Term| match set.as_app() {
        Some((Op::ConstArray(_), [element])) => element.is_false(),
        _other => false,
    };
    let is_one = match set.as_app() {
        Some((Op::Store, [rest, _, element])) => is_empty(rest) && element.is_true(),
        _other => false,
    };
    is_one && formal.linear == Linear::Linear && held(root.outs.iter()).next().is_none()
}

fn takes(formal: &Formal) -> bool {
    matches!(formal.linear, Linear::Linear | Linear::In)
}

fn held_var(domain: &Symbol, sort: &Sort) -> Var {
    Var::new(format!("held@{domain}"), sort.clone())
}

fn lent_var(domain: &Symbol, sort: &Sort) -> Var {
    Var::new(format!("lent@{domain}"), sort.clone())
}

fn union(one: Term, other: Term) -> Term {
    Term::map_op(PointwiseOp::Or, vec![one, other])
}

fn disjoint(one: &Term, other: &Term) -> Term {
    let both = Term::map_op(PointwiseOp::And, vec![one.clone(), other.clone()]);
    all_of(Term::map_op(PointwiseOp::Not, vec![both]))
}

fn all_of(set: Term) -> Term {
    let everything = Term::const_array(set.sort().clone(), Term::tt());
    Term::eq(set, everything)
}
