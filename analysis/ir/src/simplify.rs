//! Simplification of whole terms, bottom up.
//!
//! **In:** a term.
//! **Out:** an equivalent term, at most as large except for the two rules below.
//!
//! Every node is rebuilt by its smart constructor. Beyond that:
//!
//! ```text
//! (lambda x :: e)[t]                  =  e[x := t]
//! exists x, ys :: x == t && p         =  exists ys :: p[x := t]      x not in t
//! forall x, ys :: x == t && p ==> q   =  forall ys :: p[x := t] ==> q[x := t]
//! ```
//!
//! # Soundness
//! All rules are equivalences. Terms inside triggers are substituted but never beta-reduced
//! or eliminated, and a quantifier that carries pool hints is left as it is, because
//! instantiation looks at the syntax.

use rustc_hash::FxHashMap;

use crate::{
    op::Op,
    subst::{Substitution, occurs_free},
    term::{Bound, Lambda, Quant, QuantKind, Term, TermKind, Var},
};

/// An equivalent, simpler term.
pub fn simplify(term: &Term) -> Term {
    Simplifier::default().simplify(term)
}

/// Simplifies many terms with one memo.
#[derive(Default)]
pub struct Simplifier {
    memo: FxHashMap<Term, Term>,
}

impl Simplifier {
    /// An equivalent, simpler term.
    pub fn simplify(&mut self, term: &Term) -> Term {
        let mut tasks = vec![(term.clone(), false)];
        while let Some((term, ready)) = tasks.pop() {
            if ready {
                let simple = self.rebuild(&term);
                self.memo.insert(term, simple);
            } else if !self.memo.contains_key(&term) {
                tasks.push((term.clone(), true));
                for_each_meaning(&term, &mut |part| tasks.push((part.clone(), false)));
            }
        }
        self.done(term)
    }

    fn done(&self, term: &Term) -> Term {
        self.memo.get(term).unwrap_or(term).clone()
    }

    fn rebuild(&self, term: &Term) -> Term {
        match term.kind() {
            TermKind::App(op, args) => apply(op, args.iter().map(|arg| self.done(arg)).collect()),
            TermKind::Quant(quant) => {
                let quant = Quant { body: self.done(&quant.body), ..quant.as_ref().clone() };
                one_point(quant)
            }
            TermKind::Lambda(lambda) => {
                Term::lambda(Lambda { bound: lambda.bound.clone(), body: self.done(&lambda.body) })
            }
            TermKind::Var(_)
            | TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Real(_)
            | TermKind::BitVec(..)
            | TermKind::String(_) => term.clone(),
        }
    }
}

/// The parts that carry meaning: not triggers, negative patterns or hints.
fn for_each_meaning<'a>(term: &'a Term, each: &mut dyn FnMut(&'a Term)) {
    match term.kind() {
        TermKind::App(_, args) => args.iter().for_each(each),
        TermKind::Quant(quant) => each(&quant.body),
        TermKind::Lambda(lambda) => each(&lambda.body),
        TermKind::Var(_)
        | TermKind::Bool(_)
        | TermKind::Int(_)
        | TermKind::Real(_)
        | TermKind::BitVec(..)
        | TermKind::String(_) => {}
    }
}

fn apply(op: &Op, args: Vec<Term>) -> Term {
    // (lambda x :: e)[t] = e[x := t]
    if let (Op::Select, Some((map, indices))) = (op, args.split_first())
        && let TermKind::Lambda(lambda) = map.kind()
    {
        let map = lambda
            .bound
            .iter()
            .zip(indices)
            .map(|(bound, index)| (bound.var.clone(), index.clone()));
        return Substitution::of_vars(map).apply(&lambda.body);
    }
    Term::app(op.clone(), args)
}

/// Removes bound variables whose value an equation fixes.
fn one_point(mut quant: Quant) -> Term {
    while quant.hints.is_empty() {
        let Some((nth, value)) = fixed_variable(&quant) else { break };
        let Bound { var, .. } = quant.bound.remove(nth);
        let mut substitution = Substitution::of_vars([(var, value)]);
        quant.body = substitution.apply(&quant.body);
        for term in quant.triggers.iter_mut().flatten().chain(&mut quant.nopats) {
            *term = substitution.apply(term);
        }
    }
    Term::quant(quant)
}

/// A bound variable without pools and the term it must equal.
fn fixed_variable(quant: &Quant) -> Option<(usize, Term)> {
    let facts: &[Term] = match (quant.kind, quant.body.as_app()) {
        (QuantKind::Exists, Some((Op::And, facts))) => facts,
        (QuantKind::Exists, _) => std::slice::from_ref(&quant.body),
        (QuantKind::Forall, Some((Op::Implies, args))) => {
            args[0].args_of(&Op::And).unwrap_or(std::slice::from_ref(&args[0]))
        }
        (QuantKind::Forall, _) => return None,
    };
    facts.iter().find_map(|fact| {
        let sides = fact.args_of(&Op::Eq)?;
        fixed_by(quant, &sides[0], &sides[1]).or_else(|| fixed_by(quant, &sides[1], &sides[0]))
    })
}

fn fixed_by(quant: &Quant, side: &Term, value: &Term) -> Option<(usize, Term)> {
    let var: &Var = side.as_var()?;
    let nth = quant.bound.iter().position(|bound| bound.var == *var && bound.pools.is_empty())?;
    (!occurs_free(var, value)).then(|| (nth, value.clone()))
}

#[cfg(test)]
mod tests {
    use super::simplify;
    use crate::{
        op::Op,
        samples::{b, i, ivar, n, rel},
        term::{Bound, Lambda, PoolHint, Quant, QuantKind, Term},
    };

    fn related(left: Term, right: Term) -> Term {
        Term::func(&rel(), vec![left, right])
    }

    fn plain(name: &str) -> Bound {
        Bound::plain(ivar(name))
    }

    #[test]
    fn verbatim_terms_are_simplified_inside_out() {
        let raw = |op, args| Term::app_verbatim(op, args).unwrap();
        let inner = raw(Op::And, vec![Term::tt(), b("p")]);
        assert_eq!(simplify(&raw(Op::Or, vec![Term::ff(), inner])), b("p"));
    }

    #[test]
    fn a_comprehension_is_read_by_substitution() {
        let map = Term::lambda(Lambda { bound: vec![plain("x")], body: Term::add(i("x"), i("y")) });
        assert_eq!(simplify(&Term::select(map, i("x"))), Term::add(i("x"), i("y")));
    }

    #[test]
    fn a_fixed_variable_is_eliminated() {
        let body = Term::and([Term::eq(i("x"), Term::add(i("z"), n(1))), related(i("x"), i("y"))]);
        let term = Term::exists(vec![plain("x"), plain("y")], body);
        let rest = Term::exists(vec![plain("y")], related(Term::add(i("z"), n(1)), i("y")));
        assert_eq!(simplify(&term), rest);
        let body = Term::implies(Term::eq(i("z"), i("x")), related(i("x"), n(0)));
        assert_eq!(simplify(&Term::forall(vec![plain("x")], body)), related(i("z"), n(0)));
    }

    #[test]
    fn an_equation_with_itself_on_the_other_side_fixes_nothing() {
        let body = Term::and([
            Term::eq(i("x"), Term::app(Op::Mul, vec![i("x"), i("z")])),
            related(i("x"), n(0)),
        ]);
        let term = Term::exists(vec![plain("x")], body);
        assert_eq!(simplify(&term), term);
    }

    #[test]
    fn an_equation_in_a_conclusion_fixes_nothing() {
        let term = Term::forall(vec![plain("x")], Term::eq(i("x"), i("z")));
        assert_eq!(simplify(&term), term);
    }

    #[test]
    fn quantifiers_with_hints_or_pools_are_left_alone() {
        let body = Term::and([Term::eq(i("x"), i("z")), related(i("x"), n(0))]);
        let pooled = Term::exists(vec![Bound::pooled(ivar("x"), "L")], body.clone());
        assert_eq!(simplify(&pooled), pooled);
        let hints = vec![PoolHint { label: "L".into(), terms: vec![i("x")] }];
        let hinted =
            Term::quant(Quant { hints, ..Quant::new(QuantKind::Exists, vec![plain("x")], body) });
        assert_eq!(simplify(&hinted), hinted);
    }

    #[test]
    fn triggers_follow_the_elimination() {
        let body = Term::implies(Term::eq(i("x"), i("z")), related(i("x"), i("y")));
        let trigger = related(i("x"), i("y"));
        let quant = Quant::new(QuantKind::Forall, vec![plain("x"), plain("y")], body);
        let done = simplify(&Term::quant(Quant { triggers: vec![vec![trigger]], ..quant }));
        let rest = Quant::new(QuantKind::Forall, vec![plain("y")], related(i("z"), i("y")));
        assert_eq!(
            done,
            Term::quant(Quant { triggers: vec![vec![related(i("z"), i("y"))]], ..rest })
        );
    }
}
