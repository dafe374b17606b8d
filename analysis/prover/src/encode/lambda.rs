//! Lambda lifting: each map comprehension becomes a function of what it mentions.
//!
//! **In:** terms with lambdas. **Out:** terms without, and one definition per shape of lambda.
//!
//! A lambda `(lambda xs :: body)` is cut at its *holes*: the largest subterms of `body` that
//! mention free variables but none of the variables bound inside. With the holes abstracted
//! and the bound variables numbered, lambdas that differ in names only become one function
//! `f`, and the lambda becomes `f(holes)`, defined by
//!
//! ```text
//! forall hs, xs :: {f(hs)[xs]}  f(hs)[xs] == body[hs]
//! ```
//!
//! # Soundness
//! The definition is conservative: for every `hs` a map with these elements exists. It says
//! nothing beyond the elements; that two such maps are equal follows from extensionality.

use std::sync::Arc;

use ir::{Bound, FuncSym, Lambda, Op, Quant, QuantKind, Sort, Substitution, Term, TermKind, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::rewrite::Rewriter;

/// What a lifted lambda means.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) function: Arc<FuncSym>,
    /// Stand for the holes.
    pub(crate) parameters: Vec<Var>,
    /// The variables of the lambda, with their pools.
    pub(crate) bound: Vec<Bound>,
    pub(crate) body: Term,
}

impl Definition {
    /// `f(holes)[indices]`.
    pub(crate) fn left_side(
        &self,
        holes: Vec<Term>,
        indices: impl IntoIterator<Item = Term>,
    ) -> Term {
        let map = Term::func(&self.function, holes);
        Term::app(Op::Select, std::iter::once(map).chain(indices).collect())
    }

    /// The defining fact, with the element access as its only trigger.
    pub(crate) fn axiom(&self) -> Term {
        let holes = self.parameters.iter().map(|var| Term::var(var.clone())).collect();
        let indices = self.bound.iter().map(|bound| Term::var(bound.var.clone()));
        let left = self.left_side(holes, indices);
        let parameters = self.parameters.iter().map(|var| Bound::plain(var.clone()));
        let own = self.bound.iter().map(|bound| Bound::plain(bound.var.clone()));
        let body = Term::eq(left.clone(), self.body.clone());
        Term::quant(Quant {
            triggers: vec![vec![left]],
            ..Quant::new(QuantKind::Forall, parameters.chain(own).collect(), body)
        })
    }
}

/// Lifted lambdas, in the order of their first occurrence.
#[derive(Default)]
pub(crate) struct Lifted {
    pub(crate) definitions: Vec<Definition>,
    /// By the lambda with holes abstracted and bound variables numbered.
    by_shape: FxHashMap<Term, usize>,
}

impl Lifted {
    /// `root` without lambdas.
    pub(crate) fn lift(&mut self, root: &Term) -> Term {
        if !root.has_lambda() {
            return root.clone();
        }
        Rewriter::new(Term::has_lambda, |term| self.lift_node(term)).apply(root)
    }

    fn lift_node(&mut self, term: Term) -> Term {
        let TermKind::Lambda(lambda) = term.kind() else { return term };
        let (shape, holes) = cut(lambda);
        let index = match self.by_shape.get(&shape) {
            Some(index) => *index,
            None => {
                let index = self.definitions.len();
                self.definitions.push(define(index, &shape, &holes, term.sort()));
                self.by_shape.insert(shape, index);
                index
            }
        };
        Term::func(&self.definitions[index].function, holes)
    }
}

fn define(index: usize, shape: &Term, holes: &[Term], sort: &Sort) -> Definition {
    let sorts: Vec<Sort> = holes.iter().map(|hole| hole.sort().clone()).collect();
    let parameters = sorts.iter().enumerate().map(|(nth, sort)| parameter(nth, sort)).collect();
    let (bound, body) = match shape.kind() {
        TermKind::Lambda(lambda) => (lambda.bound.clone(), lambda.body.clone()),
        // `cut` returns lambdas only; a shape that simplified away has no bound variables.
        TermKind::Var(_)
        | TermKind::Bool(_)
        | TermKind::Int(_)
        | TermKind::Real(_)
        | TermKind::BitVec(..)
        | TermKind::String(_)
        | TermKind::App(..)
        | TermKind::Quant(_) => (Vec::new(), shape.clone()),
    };
    let function = Arc::new(FuncSym::new(format!("lambda {index}"), sorts, sort.clone()));
    Definition { function, parameters, bound, body }
}

fn parameter(nth: usize, sort: &Sort) -> Var {
    Var::new(format!("hole {nth}"), sort.clone())
}

/// The shape of a lambda and its holes, in the order of their first occurrence.
fn cut(lambda: &Lambda) -> (Term, Vec<Term>) {
    let holes = holes(lambda);
    let numbered: Vec<Bound> = lambda
        .bound
        .iter()
        .enumerate()
        .map(|(nth, bound)| Bound {
            var: Var::new(format!("index {nth}"), bound.var.sort.clone()),
            pools: bound.pools.clone(),
        })
        .collect();
    let renamed = lambda
        .bound
        .iter()
        .zip(&numbered)
        .map(|(old, new)| (Term::var(old.var.clone()), Term::var(new.var.clone())));
    let abstracted = holes
        .iter()
        .enumerate()
        .map(|(nth, hole)| (hole.clone(), Term::var(parameter(nth, hole.sort()))));
    let body = Substitution::of_terms(renamed.chain(abstracted)).apply(&lambda.body);
    let (body, holes) = close(body, &numbered, holes);
    (Term::lambda(Lambda { bound: numbered, body }), holes)
}

/// Makes holes of the variables that are still free. That happens when the lambda also binds
/// the same variable further in, so that no larger hole was found around it.
fn close(body: Term, bound: &[Bound], mut holes: Vec<Term>) -> (Term, Vec<Term>) {
    let parameters: FxHashSet<Var> =
        holes.iter().enumerate().map(|(nth, hole)| parameter(nth, hole.sort())).collect();
    let is_known =
        |var: &Var| parameters.contains(var) || bound.iter().any(|bound| bound.var == *var);
    let rest: Vec<Var> = ir::free_vars(&body).into_iter().filter(|var| !is_known(var)).collect();
    if rest.is_empty() {
        return (body, holes);
    }
    let mut map = Vec::new();
    for var in rest {
        map.push((var.clone(), Term::var(parameter(holes.len(), &var.sort))));
        holes.push(Term::var(var));
    }
    (Substitution::of_vars(map).apply(&body), holes)
}

/// The largest subterms with free variables but without variables bound inside the lambda.
fn holes(lambda: &Lambda) -> Vec<Term> {
    let mut inside: FxHashSet<Var> = lambda.bound.iter().map(|bound| bound.var.clone()).collect();
    ir::subst::for_each_subterm([&lambda.body], |term| {
        inside.extend(term.bound().iter().map(|bound| bound.var.clone()));
    });
    let mut found = Vec::new();
    let mut seen: FxHashSet<&Term> = FxHashSet::default();
    let mut todo = vec![&lambda.body];
    while let Some(term) = todo.pop() {
        if term.is_closed() || !seen.insert(term) {
            continue;
        }
        let free = ir::free_vars(term);
        if free.is_empty() {
            continue;
        }
        if free.iter().all(|var| !inside.contains(var)) {
            found.push(term.clone());
            continue;
        }
        let start = todo.len();
        term.for_each_child(&mut |child| todo.push(child));
        todo[start..].reverse();
    }
    found
}
