//! Free variables, substitution and traversal of shared terms.
//!
//! **In:** a term; for substitution also a map from terms (usually variables) to terms.
//! **Out:** the set of free variables, the substituted term, or calls of a visitor.
//!
//! All replacements happen at once: the result is not substituted again. Bound variables
//! shadow keys that mention them and are renamed when a replacement mentions them.
//!
//! # Invariants
//! - Linear in the number of distinct (binder context, subterm) pairs.
//! - No recursion on the depth of a term; work lists only.
//! - A result is rebuilt through the smart constructors, so it may come out simpler.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    digest::Digest,
    symbol::Symbol,
    term::{Bound, Lambda, PoolHint, Quant, Term, TermKind, Var},
};

/// The variables free in `term`.
pub fn free_vars(term: &Term) -> BTreeSet<Var> {
    let mut free = FreeVars::behind(&[]);
    free.add(term);
    free.finish()
}

/// Does `var` occur free in `term`?
pub fn occurs_free(var: &Var, term: &Term) -> bool {
    if Term::var(var.clone()).free_filter() & term.free_filter() == 0 {
        return false;
    }
    free_vars(term).contains(var)
}

/// Calls `each` once for every distinct subterm of `roots`, in preorder. The parts of
/// quantifiers include triggers and hints.
pub fn for_each_subterm<'a>(
    roots: impl IntoIterator<Item = &'a Term>,
    mut each: impl FnMut(&'a Term),
) {
    let mut seen = FxHashSet::default();
    let mut todo: Vec<&'a Term> = roots.into_iter().collect();
    todo.reverse();
    while let Some(term) = todo.pop() {
        if !seen.insert(term.digest()) {
            continue;
        }
        each(term);
        let start = todo.len();
        term.for_each_child(&mut |child| todo.push(child));
        todo[start..].reverse();
    }
}

/// Collects the free variables of several terms, seen from behind a binder.
pub(crate) struct FreeVars {
    scopes: Vec<BTreeSet<Var>>,
    seen: FxHashSet<(usize, Term)>,
    free: BTreeSet<Var>,
}

impl FreeVars {
    pub(crate) fn behind(bound: &[Bound]) -> Self {
        let scope = bound.iter().map(|bound| bound.var.clone()).collect();
        FreeVars { scopes: vec![scope], seen: FxHashSet::default(), free: BTreeSet::new() }
    }

    pub(crate) fn add(&mut self, term: &Term) {
        let mut todo = vec![(0, term)];
        while let Some((scope, term)) = todo.pop() {
            if term.is_closed() || !self.seen.insert((scope, term.clone())) {
                continue;
            }
            if let TermKind::Var(var) = term.kind() {
                if !self.scopes[scope].contains(var) {
                    self.free.insert(var.clone());
                }
                continue;
            }
            let inner = self.enter(scope, term.bound());
            term.for_each_child(&mut |child| todo.push((inner, child)));
        }
    }

    fn enter(&mut self, scope: usize, bound: &[Bound]) -> usize {
        if bound.iter().all(|bound| self.scopes[scope].contains(&bound.var)) {
            return scope;
        }
        let mut inner = self.scopes[scope].clone();
        inner.extend(bound.iter().map(|bound| bound.var.clone()));
        self.scopes.push(inner);
        self.scopes.len() - 1
    }

    pub(crate) fn finish(self) -> BTreeSet<Var> {
        self.free
    }
}

/// A simultaneous replacement. Keep it to substitute many terms with one memo.
pub struct Substitution {
    scopes: Vec<Scope>,
}

/// What a substitution does behind a certain nesting of binders.
struct Scope {
    map: FxHashMap<Term, Term>,
    /// Free variables of the replacements; needed only where there are binders.
    range: OnceCell<BTreeSet<Var>>,
    /// Filter of the keys' variables; all ones when a key is closed.
    keys: u64,
    memo: FxHashMap<Digest, Term>,
}

impl Scope {
    fn new(map: FxHashMap<Term, Term>) -> Self {
        let filter = |key: &Term| if key.is_closed() { u64::MAX } else { key.free_filter() };
        let keys = map.keys().fold(0, |keys, key| keys | filter(key));
        Scope { map, range: OnceCell::new(), keys, memo: FxHashMap::default() }
    }

    fn range(&self) -> &BTreeSet<Var> {
        self.range.get_or_init(|| {
            let mut range = FreeVars::behind(&[]);
            self.map.values().for_each(|value| range.add(value));
            range.finish()
        })
    }
}

enum Task<'t> {
    Visit(usize, &'t Term),
    /// Rebuild a term whose parts were substituted in the inner scope.
    Build {
        scope: usize,
        inner: usize,
        term: &'t Term,
        bound: Vec<Bound>,
    },
}

impl Substitution {
    /// Replaces variables by terms of the same sort.
    pub fn of_vars(map: impl IntoIterator<Item = (Var, Term)>) -> Self {
        Substitution::of_terms(map.into_iter().map(|(var, term)| (Term::var(var), term)))
    }

    /// Replaces whole subterms by terms of the same sort; outermost matches win.
    pub fn of_terms(map: impl IntoIterator<Item = (Term, Term)>) -> Self {
        Substitution { scopes: vec![Scope::new(map.into_iter().collect())] }
    }

    /// The substituted term.
    pub fn apply(&mut self, term: &Term) -> Term {
        let mut tasks = vec![Task::Visit(0, term)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(scope, term) => self.visit(scope, term, &mut tasks),
                Task::Build { scope, inner, term, bound } => {
                    let built = self.rebuild(inner, term, bound);
                    self.scopes[scope].memo.insert(term.digest(), built);
                }
            }
        }
        self.done(0, term)
    }

    /// Applies to the terms of pool hints.
    pub fn apply_hints(&mut self, hints: &[PoolHint]) -> Vec<PoolHint> {
        let one = |hint: &PoolHint| PoolHint {
            label: hint.label.clone(),
            terms: hint.terms.iter().map(|term| self.apply(term)).collect(),
        };
        hints.iter().map(one).collect()
    }

    fn visit<'t>(&mut self, scope: usize, term: &'t Term, tasks: &mut Vec<Task<'t>>) {
        let here = &self.scopes[scope];
        if term.depth() == 0
            || here.keys & term.free_filter() == 0 && here.keys != u64::MAX
            || here.map.contains_key(term)
            || here.memo.contains_key(&term.digest())
        {
            return;
        }
        let (inner, bound) = self.enter(scope, term);
        tasks.push(Task::Build { scope, inner, term, bound });
        term.for_each_child(&mut |child| tasks.push(Task::Visit(inner, child)));
    }

    /// The finished result for a term whose visit is over.
    fn done(&self, scope: usize, term: &Term) -> Term {
        let here = &self.scopes[scope];
        here.map.get(term).or_else(|| here.memo.get(&term.digest())).unwrap_or(term).clone()
    }

    fn enter(&mut self, scope: usize, term: &Term) -> (usize, Vec<Bound>) {
        let bound = term.bound();
        if bound.is_empty() {
            return (scope, Vec::new());
        }
        let here = &self.scopes[scope];
        let filter = filter_of(bound);
        let shadowed = |key: &Term| {
            key.free_filter() & filter != 0
                && free_vars(key).iter().any(|var| bound.iter().any(|bound| bound.var == *var))
        };
        let captured = bound.iter().any(|bound| here.range().contains(&bound.var));
        if !captured && !here.map.keys().any(shadowed) {
            return (scope, bound.to_vec());
        }
        let map: FxHashMap<Term, Term> = here
            .map
            .iter()
            .filter(|(key, _)| !shadowed(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let mut inner = Scope::new(map);
        let bound = rename_captured(&mut inner, term);
        self.scopes.push(inner);
        (self.scopes.len() - 1, bound)
    }

    fn rebuild(&self, inner: usize, term: &Term, bound: Vec<Bound>) -> Term {
        let done = |part: &Term| self.done(inner, part);
        let all = |parts: &[Term]| parts.iter().map(done).collect::<Vec<_>>();
        match term.kind() {
            TermKind::App(op, args) => Term::app(op.clone(), all(args)),
            TermKind::Quant(quant) => Term::quant(Quant {
                kind: quant.kind,
                bound,
                triggers: quant.triggers.iter().map(|trigger| all(trigger)).collect(),
                nopats: all(&quant.nopats),
                weight: quant.weight,
                hints: quant
                    .hints
                    .iter()
                    .map(|hint| PoolHint { label: hint.label.clone(), terms: all(&hint.terms) })
                    .collect(),
                body: done(&quant.body),
            }),
            TermKind::Lambda(lambda) => Term::lambda(Lambda { bound, body: done(&lambda.body) }),
            TermKind::Var(_)
            | TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Real(_)
            | TermKind::BitVec(..)
            | TermKind::String(_) => term.clone(),
        }
    }
}

fn filter_of(bound: &[Bound]) -> u64 {
    bound.iter().fold(0, |filter, bound| filter | Term::var(bound.var.clone()).free_filter())
}

/// Gives the bound variables of `term` that a replacement mentions new names, and makes
/// `scope` map the old ones to the new ones.
fn rename_captured(scope: &mut Scope, term: &Term) -> Vec<Bound> {
    let mut taken: BTreeSet<Symbol> = scope.range().iter().map(|var| var.name.clone()).collect();
    taken.extend(free_vars(term).into_iter().map(|var| var.name));
    let mut parts = FreeVars::behind(&[]);
    term.for_each_child(&mut |child| parts.add(child));
    taken.extend(parts.finish().into_iter().map(|var| var.name));
    taken.extend(term.bound().iter().map(|bound| bound.var.name.clone()));
    let mut map = std::mem::take(&mut scope.map);
    let mut renamed = Vec::new();
    for Bound { var, pools } in term.bound() {
        if !scope.range().contains(var) {
            renamed.push(Bound { var: var.clone(), pools: pools.clone() });
            continue;
        }
        let fresh = Var { name: fresh_name(&var.name, &mut taken), sort: var.sort.clone() };
        map.insert(Term::var(var.clone()), Term::var(fresh.clone()));
        renamed.push(Bound { var: fresh, pools: pools.clone() });
    }
    *scope = Scope::new(map);
    renamed
}

/// A name like `name` that is not taken; it is taken afterwards.
pub fn fresh_name(name: &Symbol, taken: &mut BTreeSet<Symbol>) -> Symbol {
    let stem = name.as_str().split_once('!').map_or(name.as_str(), |(stem, _)| stem);
    let mut nth = 1u64;
    loop {
        let candidate = Symbol::from(format!("{stem}!{nth}"));
        if taken.insert(candidate.clone()) {
            return candidate;
        }
        nth += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Substitution, for_each_subterm, free_vars};
    use crate::{
        samples::{Dice, b, bvar, i, ivar, n, rel},
        term::{Bound, PoolHint, Quant, QuantKind, Term, Var},
    };

    fn related(left: Term, right: Term) -> Term {
        Term::func(&rel(), vec![left, right])
    }

    fn names(term: &Term) -> Vec<String> {
        free_vars(term).into_iter().map(|var| var.name.to_string()).collect()
    }

    #[test]
    fn bound_variables_are_not_free_but_their_outer_namesakes_are() {
        let inner = Term::forall(vec![Bound::plain(ivar("x"))], related(i("x"), i("y")));
        assert_eq!(names(&inner), ["y"]);
        assert_eq!(names(&Term::and([inner, related(i("x"), n(0))])), ["x", "y"]);
    }

    #[test]
    fn replacements_happen_at_once() {
        let swap = [(ivar("x"), i("y")), (ivar("y"), i("x"))];
        let swapped = Substitution::of_vars(swap).apply(&related(i("x"), i("y")));
        assert_eq!(swapped, related(i("y"), i("x")));
    }

    #[test]
    fn a_bound_variable_shadows_the_replaced_one() {
        let term = Term::forall(vec![Bound::plain(ivar("x"))], related(i("x"), i("y")));
        let done = Substitution::of_vars([(ivar("x"), n(7)), (ivar("y"), n(8))]).apply(&term);
        assert_eq!(done, Term::forall(vec![Bound::plain(ivar("x"))], related(i("x"), n(8))));
    }

    #[test]
    fn a_bound_variable_is_renamed_before_it_captures() {
        let term = Term::forall(vec![Bound::plain(ivar("x"))], related(i("x"), i("y")));
        let done = Substitution::of_vars([(ivar("y"), i("x"))]).apply(&term);
        assert_eq!(done, Term::forall(vec![Bound::plain(ivar("x!1"))], related(i("x!1"), i("x"))));
    }

    #[test]
    fn triggers_and_hints_are_substituted_and_renamed_too() {
        let quant = |x: &str, y: Term| {
            Term::quant(Quant {
                triggers: vec![vec![related(i(x), y.clone())]],
                hints: vec![PoolHint { label: "L".into(), terms: vec![y.clone()] }],
                ..Quant::new(QuantKind::Exists, vec![Bound::pooled(ivar(x), "L")], related(i(x), y))
            })
        };
        let done = Substitution::of_vars([(ivar("y"), i("x"))]).apply(&quant("x", i("y")));
        assert_eq!(done, quant("x!1", i("x")));
    }

    #[test]
    fn whole_subterms_can_be_replaced_but_not_behind_their_binders() {
        let key = related(i("x"), n(0));
        let term =
            Term::and([key.clone(), Term::exists(vec![Bound::plain(ivar("x"))], key.clone())]);
        let done = Substitution::of_terms([(key.clone(), b("p"))]).apply(&term);
        assert_eq!(done, Term::and([b("p"), Term::exists(vec![Bound::plain(ivar("x"))], key)]));
    }

    #[test]
    fn very_deep_terms_are_built_substituted_and_dropped_without_recursion() {
        let mut term = b("p");
        for nth in 0..100_000 {
            term = Term::implies(Term::var(bvar(if nth % 2 == 0 { "q" } else { "r" })), term);
        }
        let done = Substitution::of_vars([(bvar("p"), b("s"))]).apply(&term);
        assert_eq!(names(&done), ["q", "r", "s"]);
        assert_eq!(done.depth(), 100_000);
    }

    #[test]
    fn shared_terms_are_visited_once() {
        let mut term = related(i("x"), i("y"));
        for _ in 0..200 {
            term = Term::ite(b("p"), term.clone(), Term::not(term));
        }
        let mut count = 0;
        for_each_subterm([&term], |_| count += 1);
        assert!(count < 1000);
        let done = Substitution::of_vars([(ivar("x"), n(1))]).apply(&term);
        assert_eq!(names(&done), ["p", "y"]);
    }

    #[test]
    fn no_random_substitution_captures_or_invents_a_variable() {
        for seed in 1..400 {
            let mut dice = Dice::new(seed);
            let term = dice.formula(5);
            let map = [(ivar("x"), dice.number(2)), (ivar("y"), i("z")), (ivar("z"), i("x"))];
            let mut allowed: BTreeSet<Var> = BTreeSet::new();
            for var in free_vars(&term) {
                match map.iter().find(|(key, _)| *key == var) {
                    Some((_, value)) => allowed.extend(free_vars(value)),
                    None => _ = allowed.insert(var),
                }
            }
            let done = Substitution::of_vars(map).apply(&term);
            assert!(free_vars(&done).is_subset(&allowed), "{term} became {done}");
        }
    }

    #[test]
    fn substituting_fresh_names_and_back_is_the_identity() {
        for seed in 1..400 {
            let term = Dice::new(seed).formula(5);
            let there =
                Substitution::of_vars([(ivar("x"), i("x0")), (ivar("y"), i("y0"))]).apply(&term);
            let back =
                Substitution::of_vars([(ivar("x0"), i("x")), (ivar("y0"), i("y"))]).apply(&there);
            assert_eq!(free_vars(&back), free_vars(&term), "{term}");
        }
    }
}
