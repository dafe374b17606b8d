//! Getting rid of "for some x".
//!
//! **In:** constraints, and variables of which only existence is asked. **Out:** equivalent
//! constraints with fewer such variables.
//!
//! A variable goes if an equation determines it: `x == t`; `y == x + t`; `y == C(.., x, ..)`, which
//! gives `x == y->f`; `y == m[i := x]`, which gives `x == y[i]`; `x->val == t` for a type with the one
//! field; or the constraint `x` or `!x` of a Boolean. An unknown that occurs only in one branch of
//! `y == (if c then a else x)` goes as well.
//!
//! # Soundness
//! Each step replaces `exists x :: x == t && rest(x)` by `rest(t)`, where `x` does not occur in `t`;
//! the equation it was read off stays among the constraints with `t` for `x`, so nothing is lost.

use std::collections::BTreeSet;

use crate::{
    op::Op,
    sort::Sort,
    subst::{Substitution, occurs_free},
    term::{Term, TermKind, Var},
};

/// The constraints with every variable of `unknown` replaced that some equation determines. Returns
/// the remaining unknowns that still occur.
pub fn eliminate(mut constraints: Vec<Term>, unknown: &[Var]) -> (Vec<Term>, Vec<Var>) {
    let mut unknown: BTreeSet<Var> = unknown.iter().cloned().collect();
    constraints = flatten(constraints);
    while let Some((var, value)) = constraints
        .iter()
        .find_map(|constraint| determine(constraint, &unknown))
        .or_else(|| determined_in_branch(&constraints, &unknown))
    {
        unknown.remove(&var);
        let mut replace = Substitution::of_vars([(var, value)]);
        constraints = flatten(constraints.iter().map(|it| replace.apply(it)).collect());
    }
    let occurs = |var: &Var| constraints.iter().any(|it| occurs_free(var, it));
    let left = unknown.into_iter().filter(occurs).collect();
    (constraints, left)
}

/// Conjunctions taken apart, truth and repetition dropped.
fn flatten(terms: Vec<Term>) -> Vec<Term> {
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    let mut todo: Vec<Term> = terms.into_iter().rev().collect();
    while let Some(term) = todo.pop() {
        if let Some(parts) = term.args_of(&Op::And) {
            todo.extend(parts.iter().rev().cloned());
        } else if !term.is_true() && seen.insert(term.clone()) {
            out.push(term);
        }
    }
    out
}

/// An unknown and its only possible value.
pub fn determine(constraint: &Term, unknown: &BTreeSet<Var>) -> Option<(Var, Term)> {
    let is_unknown = |term: &Term| term.as_var().filter(|var| unknown.contains(*var)).cloned();
    if let Some(var) = is_unknown(constraint) {
        return Some((var, Term::tt()));
    }
    let (op, args) = constraint.as_app()?;
    match (op, args) {
        (Op::Not, [arg]) => is_unknown(arg).map(|var| (var, Term::ff())),
        (Op::Eq, [left, right]) => {
            solve(left, right, unknown).or_else(|| solve(right, left, unknown))
        }
        _other => None,
    }
}

/// An unknown that occurs in one branch of one equation and nowhere else, with a value that is right
/// whenever that branch is taken.
fn determined_in_branch(constraints: &[Term], unknown: &BTreeSet<Var>) -> Option<(Var, Term)> {
    unknown.iter().find_map(|var| {
        let mut places = constraints.iter().filter(|it| occurs_free(var, it));
        let (Some(only), None) = (places.next(), places.next()) else { return None };
        let [left, right] = only.args_of(&Op::Eq)? else { return None };
        solve_branch(left, right, var).or_else(|| solve_branch(right, left, var))
    })
}

/// `exists x :: v == (if c then a else p(x))` is `v == (if c then a else p(t))` if `v == p(x)`
/// determines `x` to be `t`, and `x` does not occur in `v`, `c` and `a`.
fn solve_branch(pattern: &Term, value: &Term, var: &Var) -> Option<(Var, Term)> {
    let [test, yes, no] = pattern.args_of(&Op::Ite)? else { return None };
    if occurs_free(var, value) || occurs_free(var, test) {
        return None;
    }
    let branch = match (occurs_free(var, yes), occurs_free(var, no)) {
        (true, false) => yes,
        (false, true) => no,
        (true, true) | (false, false) => return None,
    };
    solve(branch, value, &BTreeSet::from([var.clone()]))
        .or_else(|| solve_branch(branch, value, var))
}

/// Solves `pattern == value` for an unknown of `pattern`.
fn solve(pattern: &Term, value: &Term, unknown: &BTreeSet<Var>) -> Option<(Var, Term)> {
    if let Some(var) = pattern.as_var() {
        let solvable = unknown.contains(var) && !occurs_free(var, value);
        return solvable.then(|| (var.clone(), value.clone()));
    }
    let TermKind::App(op, args) = pattern.kind() else { return None };
    match (op, args.as_ref()) {
        (Op::Add, args) if matches!(pattern.sort(), Sort::Int | Sort::Real) => {
            solve_sum(args, value, unknown)
        }
        (Op::Sub, [a, b]) => solve(a, &Term::add(value.clone(), b.clone()), unknown)
            .or_else(|| solve(b, &Term::sub(a.clone(), value.clone()), unknown)),
        (Op::Store, [_, index, element]) => {
            let known = unknown.iter().all(|var| !occurs_free(var, index));
            known
                .then(|| Term::select(value.clone(), index.clone()))
                .and_then(|part| solve(element, &part, unknown))
        }
        (Op::Ctor(def, ctor), fields) => {
            let parts = fields.iter().enumerate();
            parts.into_iter().find_map(|(position, field)| {
                let part = Term::field(def, *ctor as usize, position, value.clone());
                solve(field, &part, unknown)
            })
        }
        (Op::Field(def, ctor, _), [base]) => {
            let only = matches!(def.ctors(), [one] if one.fields.len() == 1);
            only.then(|| Term::ctor(def, *ctor as usize, vec![value.clone()]))
                .and_then(|whole| solve(base, &whole, unknown))
        }
        _other => None,
    }
}

/// Solves `a + b + .. == value` for one summand.
fn solve_sum(args: &[Term], value: &Term, unknown: &BTreeSet<Var>) -> Option<(Var, Term)> {
    (0..args.len()).find_map(|nth| {
        let others = args.iter().enumerate().filter(|(other, _)| *other != nth);
        let rest = others.fold(value.clone(), |rest, (_, arg)| Term::sub(rest, arg.clone()));
        solve(&args[nth], &rest, unknown)
    })
}

#[cfg(test)]
mod tests {
    use crate::{Op, Sort, Term, Var};

    use super::eliminate;

    fn var(name: &str, sort: Sort) -> Var {
        Var::new(name, sort)
    }

    #[test]
    fn an_equation_determines_a_choice() {
        let (x, y) = (var("x", Sort::Int), var("y", Sort::Int));
        let (tx, ty) = (Term::var(x.clone()), Term::var(y));
        let sum = Term::eq(ty.clone(), Term::add(tx.clone(), Term::int(1)));
        let rest = Term::lt(Term::int(0), tx);
        let (constraints, left) = eliminate(vec![sum, rest], &[x]);
        assert!(left.is_empty());
        let before = Term::sub(ty, Term::int(1));
        assert_eq!(constraints.last(), Some(&Term::lt(Term::int(0), before)));
    }

    #[test]
    fn a_choice_in_one_branch_takes_the_value_of_the_whole() {
        let (x, y) = (var("x", Sort::Int), var("y", Sort::Int));
        let c = Term::var(var("c", Sort::Bool));
        let whole = Term::ite(c.clone(), Term::int(1), Term::var(x.clone()));
        let equation = Term::eq(Term::var(y.clone()), whole.clone());
        let (constraints, left) = eliminate(vec![equation.clone()], std::slice::from_ref(&x));
        let solved = Term::ite(c, Term::int(1), Term::var(y.clone()));
        assert_eq!((constraints, left), (vec![Term::eq(Term::var(y), solved)], vec![]));
        // Elsewhere the choice still matters, so it stays.
        let elsewhere = Term::lt(Term::var(x.clone()), Term::int(0));
        let (_, left) = eliminate(vec![equation, elsewhere], std::slice::from_ref(&x));
        assert_eq!(left, vec![x]);
    }

    /// What becomes of `rest(x)` where `equation(x)` determines `x`.
    fn solved(equation: impl Fn(Term) -> Term, expected: Term) {
        let x = var("x", expected.sort().clone());
        let tx = Term::var(x.clone());
        let rest = |it: Term| Term::eq(Term::var(var("r", it.sort().clone())), it);
        let (constraints, left) = eliminate(vec![equation(tx.clone()), rest(tx)], &[x]);
        assert!(left.is_empty(), "{constraints:?}");
        assert!(constraints.contains(&rest(expected)), "{constraints:?}");
    }

    #[test]
    fn sums_and_differences_are_solved_for_each_side() {
        let y = || Term::var(var("y", Sort::Int));
        let z = || Term::var(var("z", Sort::Int));
        solved(|x| Term::eq(y(), Term::sub(x, z())), Term::add(y(), z()));
        solved(|x| Term::eq(y(), Term::sub(z(), x)), Term::sub(z(), y()));
        solved(|x| Term::eq(Term::add(z(), x), y()), Term::sub(y(), z()));
    }

    #[test]
    fn a_boolean_choice_is_what_the_constraint_says() {
        solved(|x| x, Term::tt());
        solved(Term::not, Term::ff());
    }

    #[test]
    fn a_stored_element_is_read_back() {
        let sort = Sort::array(vec![Sort::Int], Sort::Bool);
        let (m, n) = (Term::var(var("m", sort.clone())), Term::var(var("n", sort)));
        let at = Term::int(3);
        let read = Term::select(n.clone(), at.clone());
        solved(|x| Term::eq(n.clone(), Term::store(m.clone(), at.clone(), x)), read);
    }

    #[test]
    fn an_element_stored_at_an_unknown_index_stays() {
        let sort = Sort::array(vec![Sort::Int], Sort::Int);
        let (m, n) = (Term::var(var("m", sort.clone())), Term::var(var("n", sort)));
        let x = var("x", Sort::Int);
        let stored = Term::store(m, Term::var(x.clone()), Term::var(x.clone()));
        let (_, left) = eliminate(vec![Term::eq(n, stored)], std::slice::from_ref(&x));
        assert_eq!(left, vec![x]);
    }

    #[test]
    fn a_choice_that_is_only_bounded_stays() {
        let x = var("x", Sort::Int);
        let bound = Term::lt(Term::int(0), Term::var(x.clone()));
        let (constraints, left) = eliminate(vec![bound.clone()], std::slice::from_ref(&x));
        assert_eq!((constraints, left), (vec![bound], vec![x]));
    }

    #[test]
    fn a_choice_in_its_own_equation_stays() {
        let x = var("x", Sort::Int);
        let square = Term::app(Op::Mul, vec![Term::var(x.clone()), Term::var(x.clone())]);
        let idempotent = Term::eq(Term::var(x.clone()), square);
        let (_, left) = eliminate(vec![idempotent], std::slice::from_ref(&x));
        assert_eq!(left, vec![x]);
    }
}
