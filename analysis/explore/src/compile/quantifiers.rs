//! Quantifiers and comprehensions to loops.
//!
//! A bound variable of a complete sort runs through its values. Any other runs through what a guard
//! leaves: one value (`x == e`), the members of a set, an interval; the guards of `forall` are its
//! premises, those of `exists` its conjuncts, because all other values decide nothing. Without a guard
//! it runs through the values of the scope and the integers that occur, and that is noted.

#![allow(clippy::wildcard_enum_match_arm, reason = "other terms are no guards")]

use ir::{
    Lambda, Op, Quant, QuantKind, Sort, Term, Var, exploration::Inexact, free_vars,
    subst::occurs_free,
};

use super::{Compiled, Compiler};
use crate::code::{Instr, Loop, Operand, Range, Table};

impl Compiler<'_, '_> {
    pub(super) fn quantifier(&mut self, quant: &Quant) -> Compiled<Operand> {
        let vars: Vec<Var> = quant.bound.iter().map(|bound| bound.var.clone()).collect();
        let all = quant.kind == QuantKind::Forall;
        let guards = if all { premises(&quant.body) } else { conjuncts(&quant.body) };
        self.nested(&vars, all, &guards, &quant.body)
    }

    fn nested(
        &mut self,
        vars: &[Var],
        all: bool,
        guards: &[Term],
        body: &Term,
    ) -> Compiled<Operand> {
        let Some(place) = self.best(vars, guards) else { return self.term(body) };
        let var = &vars[place];
        let rest: Vec<Var> = vars.iter().filter(|it| *it != var).cloned().collect();
        let (range, note) = self.range(var, guards, &rest)?;
        let dst = self.temp();
        self.with_bound(std::slice::from_ref(var), |own, slots| {
            let at = own.emit(Instr::Jump(0));
            let value = own.nested(&rest, all, guards, body)?;
            own.emit(Instr::Ret(value));
            let end = own.here();
            let run = Loop { dst, all, var: slots[0], range, note, start: at + 1, end };
            own.code.instrs[at as usize] = Instr::Loop(Box::new(run));
            Ok(())
        })?;
        Ok(Operand::slot(dst))
    }

    /// The variable whose values are best known.
    fn best(&mut self, vars: &[Var], guards: &[Term]) -> Option<usize> {
        (0..vars.len()).min_by_key(|place| {
            let others: Vec<Var> = vars.iter().filter(|it| **it != vars[*place]).cloned().collect();
            match guard(&vars[*place], guards, &others) {
                Some(Guard::Only(_)) => 0,
                _ if self.domains.of(&vars[*place].sort, self.arena).complete => 1,
                Some(Guard::Member(_)) => 2,
                Some(Guard::Between(..)) => 3,
                None => 4,
            }
        })
    }

    /// What `var` has to run through, where `unknown` have no value yet; and what to note.
    pub(super) fn range(
        &mut self,
        var: &Var,
        guards: &[Term],
        unknown: &[Var],
    ) -> Compiled<(Range, Option<u32>)> {
        let domain = self.domains.of(&var.sort, self.arena);
        let guard = guard(var, guards, unknown);
        match guard {
            Some(Guard::Only(value)) => return Ok((Range::Only(self.term(&value)?), None)),
            _ if domain.complete => return Ok((Range::Listed(domain), None)),
            Some(Guard::Member(set)) => return Ok((Range::Members(self.term(&set)?), None)),
            Some(Guard::Between(low, high)) => {
                let low: Compiled<Box<[Operand]>> = low.iter().map(|it| self.term(it)).collect();
                let high: Compiled<Box<[Operand]>> = high.iter().map(|it| self.term(it)).collect();
                return Ok((Range::Integers(low?, high?), None));
            }
            None => {}
        }
        let note = self.note(Inexact::BoundedQuantifier(self.site));
        if var.sort == Sort::Int {
            let globals = 0..self.code.globals.len() as u32;
            let named = globals.map(crate::code::Slot).chain(self.named.iter().copied());
            return Ok((Range::Occurring(named.collect()), Some(note)));
        }
        Ok((Range::Listed(domain), Some(note)))
    }

    pub(super) fn comprehension(&mut self, lambda: &Lambda) -> Compiled<Operand> {
        let vars: Vec<Var> = lambda.bound.iter().map(|bound| bound.var.clone()).collect();
        let indices: Vec<Sort> = vars.iter().map(|var| var.sort.clone()).collect();
        let sort = Sort::array(indices, lambda.body.sort().clone());
        let Some(full) = self.full(&sort) else {
            self.notes.insert(Inexact::BoundedQuantifier(self.site));
            return Ok(Operand::val(crate::arena::Val::POISON));
        };
        let dst = self.temp();
        self.with_bound(&vars, |own, slots| {
            let at = own.emit(Instr::Jump(0));
            let value = own.term(&lambda.body)?;
            own.emit(Instr::Ret(value));
            let end = own.here();
            let table = Table { dst, vars: slots.into(), full, start: at + 1, end };
            own.code.instrs[at as usize] = Instr::Table(Box::new(table));
            Ok(())
        })?;
        Ok(Operand::slot(dst))
    }
}

/// What a guard leaves for a variable.
enum Guard {
    Only(Term),
    Member(Term),
    /// At least all of these, at most all of those.
    Between(Vec<Term>, Vec<Term>),
}

/// What the guards say about `var`, where `unknown` have no value yet.
fn guard(var: &Var, guards: &[Term], unknown: &[Var]) -> Option<Guard> {
    let known = |term: &Term| {
        !occurs_free(var, term) && free_vars(term).iter().all(|it| !unknown.contains(it))
    };
    let is_var = |term: &Term| term.as_var() == Some(var);
    let (mut members, mut low, mut high) = (None, vec![], vec![]);
    for guard in guards {
        let Some((op, args)) = guard.as_app() else { continue };
        match (op, args) {
            (Op::Eq, [one, other]) if is_var(one) && known(other) => {
                return Some(Guard::Only(other.clone()));
            }
            (Op::Eq, [one, other]) if is_var(other) && known(one) => {
                return Some(Guard::Only(one.clone()));
            }
            (Op::Select, [set, element]) if is_var(element) && known(set) => {
                members.get_or_insert(set.clone());
            }
            (Op::Le | Op::Lt, [one, other]) if var.sort == Sort::Int => {
                let strict = Term::int(i32::from(*op == Op::Lt));
                if is_var(other) && known(one) {
                    low.push(Term::add(one.clone(), strict));
                } else if is_var(one) && known(other) {
                    high.push(Term::sub(other.clone(), strict));
                }
            }
            (Op::Ge | Op::Gt, [one, other]) if var.sort == Sort::Int => {
                let strict = Term::int(i32::from(*op == Op::Gt));
                if is_var(one) && known(other) {
                    low.push(Term::add(other.clone(), strict));
                } else if is_var(other) && known(one) {
                    high.push(Term::sub(one.clone(), strict));
                }
            }
            _other => {}
        }
    }
    if let Some(set) = members {
        return Some(Guard::Member(set));
    }
    let bounded = !low.is_empty() && !high.is_empty();
    bounded.then_some(Guard::Between(low, high))
}

/// What must hold for `body` to matter: it is true otherwise.
fn premises(body: &Term) -> Vec<Term> {
    let mut out = Vec::new();
    let mut todo = vec![body.clone()];
    while let Some(term) = todo.pop() {
        match term.as_app() {
            Some((Op::Implies, [premise, conclusion])) => {
                out.extend(conjuncts(premise));
                todo.push(conclusion.clone());
            }
            Some((Op::Or, parts)) => todo.extend(parts.iter().cloned()),
            Some((Op::Not, [part])) => out.extend(conjuncts(part)),
            _other => {}
        }
    }
    out
}

/// The parts of a conjunction.
pub(super) fn conjuncts(term: &Term) -> Vec<Term> {
    let mut out = Vec::new();
    let mut todo = vec![term.clone()];
    while let Some(term) = todo.pop() {
        match term.as_app() {
            Some((Op::And, parts)) => todo.extend(parts.iter().rev().cloned()),
            _other => out.push(term),
        }
    }
    out
}

/// Do the guards say which values `var` can have?
pub(super) fn is_guarded(var: &Var, guards: &[Term], unknown: &[Var]) -> bool {
    guard(var, guards, unknown).is_some()
}
