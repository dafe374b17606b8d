//! Rebuilding shared terms from the leaves up, without recursion.
//!
//! **In:** a term and a function on nodes whose parts are already rewritten. **Out:** the
//! rewritten term. Equal subterms are rewritten once, so the function must not depend on
//! where a subterm stands; in particular not on the binders around it.

use ir::{Lambda, PoolHint, Quant, Term, TermKind};
use rustc_hash::FxHashMap;

/// Rewrites terms, remembering what it did.
pub(crate) struct Rewriter<F> {
    memo: FxHashMap<Term, Term>,
    /// Subterms for which this is false are left alone.
    enter: fn(&Term) -> bool,
    rewrite: F,
}

impl<F: FnMut(Term) -> Term> Rewriter<F> {
    pub(crate) fn new(enter: fn(&Term) -> bool, rewrite: F) -> Rewriter<F> {
        Rewriter { memo: FxHashMap::default(), enter, rewrite }
    }

    pub(crate) fn apply(&mut self, root: &Term) -> Term {
        let mut todo = vec![(root.clone(), false)];
        while let Some((term, parts_done)) = todo.pop() {
            if !(self.enter)(&term) || self.memo.contains_key(&term) {
                continue;
            }
            if parts_done {
                let rebuilt = rebuild(&term, |part| self.done(part));
                let rewritten = (self.rewrite)(rebuilt);
                self.memo.insert(term, rewritten);
                continue;
            }
            todo.push((term.clone(), true));
            term.for_each_child(&mut |child| todo.push((child.clone(), false)));
        }
        self.done(root)
    }

    fn done(&self, term: &Term) -> Term {
        self.memo.get(term).unwrap_or(term).clone()
    }
}

/// The same node over other parts.
pub(crate) fn rebuild(term: &Term, part: impl Fn(&Term) -> Term) -> Term {
    let all = |parts: &[Term]| parts.iter().map(&part).collect::<Vec<Term>>();
    match term.kind() {
        TermKind::App(op, args) => Term::app(op.clone(), all(args)),
        TermKind::Quant(quant) => Term::quant(Quant {
            kind: quant.kind,
            bound: quant.bound.clone(),
            triggers: quant.triggers.iter().map(|trigger| all(trigger)).collect(),
            nopats: all(&quant.nopats),
            weight: quant.weight,
            hints: quant
                .hints
                .iter()
                .map(|hint| PoolHint { label: hint.label.clone(), terms: all(&hint.terms) })
                .collect(),
            body: part(&quant.body),
        }),
        TermKind::Lambda(lambda) => {
            Term::lambda(Lambda { bound: lambda.bound.clone(), body: part(&lambda.body) })
        }
        TermKind::Var(_)
        | TermKind::Bool(_)
        | TermKind::Int(_)
        | TermKind::Real(_)
        | TermKind::BitVec(..)
        | TermKind::String(_) => term.clone(),
    }
}
