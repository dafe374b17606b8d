//! Instantiation from pools: quantifiers whose instances the program names.
//!
//! **In:** a formula to be proved, hints from the program, lifted lambdas. **Out:** a formula
//! to be proved instead, and instances of the definitions of lambdas.
//!
//! A hint puts a term into a pool. A bound variable may name the pools it draws from. Then
//!
//! 1. quantifiers that stand for a choice of the adversary (universal in a goal, existential
//!    in an assumption) are replaced by fresh constants, and their hints join the pools;
//! 2. each other quantifier all of whose variables name pools is replaced by the conjunction
//!    (or disjunction) of its instances over the pools, to which steps 1 and 2 apply again;
//! 3. definitions of lambdas whose variables all name pools are instantiated at the argument
//!    tuples that occur and at the pools;
//!
//! until nothing new appears or a bound is reached. Pools are kept by name and sort.
//!
//! # Soundness
//! Fresh constants are sound in any case. An instance of an assumed universal is weaker than
//! the quantifier, an instance of an existential goal stronger, so replacing them makes the
//! formula harder to prove, never easier; stopping early only leaves out instances.
//! Everything depends on polarity: what stands under an equivalence is first split into two
//! implications, and what stands anywhere else is left alone.

use std::collections::BTreeMap;

use ir::{Bound, Op, PoolHint, Quant, QuantKind, Sort, Substitution, Symbol, Term, TermKind, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lambda::Definition;
use super::rewrite::Rewriter;

/// Hints may create ever larger terms; then we stop.
const MOST_ROUNDS: usize = 12;
const MOST_INSTANCES: usize = 20_000;

/// What to prove instead.
#[derive(Debug)]
pub(crate) struct Instantiated {
    pub(crate) goal: Term,
    /// Instances of definitions, to be assumed.
    pub(crate) facts: Vec<Term>,
    /// True if no quantifier was replaced, so that nothing is harder to prove than before.
    pub(crate) exact: bool,
}

/// Instantiates `goal`, or returns `None` if nothing in it or in `seeds` feeds a pool.
pub(crate) fn instantiate(
    goal: &Term,
    seeds: &[PoolHint],
    definitions: &[Definition],
) -> Option<Instantiated> {
    if !feeds_a_pool(goal, seeds, definitions) {
        return None;
    }
    let mut engine = Engine::new(definitions);
    engine.add_hints(seeds);
    let goal = engine.skolemize(goal, Polarity::Goal);
    engine.observe(&goal);
    engine.saturate();
    Some(engine.finish(&goal))
}

/// Is there a hint of a name and sort that some bound variable asks for?
fn feeds_a_pool(goal: &Term, seeds: &[PoolHint], definitions: &[Definition]) -> bool {
    let mut wanted: FxHashSet<(Symbol, Sort)> = FxHashSet::default();
    let mut offered: Vec<&PoolHint> = seeds.iter().collect();
    let bodies = definitions.iter().map(|definition| &definition.body);
    ir::subst::for_each_subterm(std::iter::once(goal).chain(bodies), |term| {
        for bound in term.bound() {
            wanted.extend(bound.pools.iter().map(|pool| (pool.clone(), bound.var.sort.clone())));
        }
        if let TermKind::Quant(quant) = term.kind() {
            offered.extend(&quant.hints);
        }
    });
    for bound in definitions.iter().flat_map(|definition| &definition.bound) {
        wanted.extend(bound.pools.iter().map(|pool| (pool.clone(), bound.var.sort.clone())));
    }
    let fits = |hint: &PoolHint| {
        hint.terms.iter().any(|term| wanted.contains(&(hint.label.clone(), term.sort().clone())))
    };
    offered.into_iter().any(fits)
}

/// How a formula stands in the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Polarity {
    /// It has to be proved.
    Goal,
    /// It may be used.
    Assumption,
}

impl Polarity {
    fn flip(self) -> Polarity {
        match self {
            Polarity::Goal => Polarity::Assumption,
            Polarity::Assumption => Polarity::Goal,
        }
    }

    /// The quantifier that the adversary chooses for.
    fn adversary(self) -> QuantKind {
        match self {
            Polarity::Goal => QuantKind::Forall,
            Polarity::Assumption => QuantKind::Exists,
        }
    }
}

type Signed = (Term, Polarity);

/// A quantifier that was replaced by a truth value until its instances are known.
struct Binding {
    quant: Quant,
    original: Term,
    polarity: Polarity,
    placeholder: Var,
    instances: Vec<Term>,
    seen: FxHashSet<Vec<Term>>,
}

/// A definition whose variables all name pools.
struct Unfolding<'a> {
    definition: &'a Definition,
    /// Argument tuples that occur.
    holes: Vec<Vec<Term>>,
    seen_holes: FxHashSet<Vec<Term>>,
    seen: FxHashSet<(Vec<Term>, Vec<Term>)>,
}

struct Engine<'a> {
    pools: BTreeMap<(Symbol, Sort), Vec<Term>>,
    in_pool: FxHashSet<(Symbol, Term)>,
    bindings: Vec<Binding>,
    unfoldings: Vec<Unfolding<'a>>,
    facts: Vec<Term>,
    memo: FxHashMap<Signed, Term>,
    next_constant: usize,
    instances: usize,
    /// Did anything happen in this round?
    changed: bool,
}

enum Task {
    Visit(Signed),
    /// The parts are done; put them together.
    Build(Signed),
    /// The second is done; the first has the same result.
    Same(Signed, Signed),
}

impl<'a> Engine<'a> {
    fn new(definitions: &'a [Definition]) -> Engine<'a> {
        let pooled =
            |definition: &&Definition| definition.bound.iter().all(|bound| !bound.pools.is_empty());
        let unfoldings = definitions.iter().filter(pooled).map(|definition| Unfolding {
            definition,
            holes: Vec::new(),
            seen_holes: FxHashSet::default(),
            seen: FxHashSet::default(),
        });
        Engine {
            pools: BTreeMap::new(),
            in_pool: FxHashSet::default(),
            bindings: Vec::new(),
            unfoldings: unfoldings.collect(),
            facts: Vec::new(),
            memo: FxHashMap::default(),
            next_constant: 0,
            instances: 0,
            changed: false,
        }
    }

    fn add_hints(&mut self, hints: &[PoolHint]) {
        for hint in hints {
            for term in &hint.terms {
                if self.in_pool.insert((hint.label.clone(), term.clone())) {
                    let key = (hint.label.clone(), term.sort().clone());
                    self.pools.entry(key).or_default().push(term.clone());
                    self.changed = true;
                }
            }
        }
    }

    /// Steps 1 and 2 on a formula without free bound variables.
    fn skolemize(&mut self, root: &Term, polarity: Polarity) -> Term {
        let mut tasks = vec![Task::Visit((root.clone(), polarity))];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(signed) => self.visit(signed, &mut tasks),
                Task::Build((term, polarity)) => {
                    let parts = signed_parts(&term, polarity).unwrap_or_default();
                    let parts = parts.iter().map(|part| self.done(part)).collect();
                    let built =
                        term.as_app().map_or(term.clone(), |(op, _)| Term::app(op.clone(), parts));
                    self.memo.insert((term, polarity), built);
                }
                Task::Same(signed, other) => {
                    let result = self.done(&other);
                    self.memo.insert(signed, result);
                }
            }
        }
        self.done(&(root.clone(), polarity))
    }

    fn done(&self, signed: &Signed) -> Term {
        self.memo.get(signed).unwrap_or(&signed.0).clone()
    }

    fn visit(&mut self, signed: Signed, tasks: &mut Vec<Task>) {
        if !signed.0.has_quantifier() || self.memo.contains_key(&signed) {
            return;
        }
        let (term, polarity) = &signed;
        if let TermKind::Quant(quant) = term.kind() {
            if quant.kind == polarity.adversary() {
                let body = (self.choose(quant), *polarity);
                tasks.push(Task::Same(signed.clone(), body.clone()));
                tasks.push(Task::Visit(body));
            } else if quant.bound.iter().all(|bound| !bound.pools.is_empty()) {
                let placeholder = self.bind(quant, term, *polarity);
                self.memo.insert(signed, placeholder);
            }
            return;
        }
        if let Some(split) = split(term) {
            let split = (split, *polarity);
            tasks.push(Task::Same(signed.clone(), split.clone()));
            tasks.push(Task::Visit(split));
        } else if let Some(parts) = signed_parts(term, *polarity) {
            tasks.push(Task::Build(signed.clone()));
            tasks.extend(parts.into_iter().map(Task::Visit));
        }
    }

    /// The body of a quantifier at fresh constants.
    fn choose(&mut self, quant: &Quant) -> Term {
        let mut map = Vec::new();
        for bound in &quant.bound {
            let constant =
                Var::new(format!("choice {}", self.next_constant), bound.var.sort.clone());
            self.next_constant += 1;
            map.push((bound.var.clone(), Term::var(constant)));
        }
        let mut at = Substitution::of_vars(map);
        let hints = at.apply_hints(&quant.hints);
        self.add_hints(&hints);
        at.apply(&quant.body)
    }

    fn bind(&mut self, quant: &Quant, original: &Term, polarity: Polarity) -> Term {
        let placeholder = Var::new(format!("instances {}", self.bindings.len()), Sort::Bool);
        self.changed = true;
        self.bindings.push(Binding {
            quant: quant.clone(),
            original: original.clone(),
            polarity,
            placeholder: placeholder.clone(),
            instances: Vec::new(),
            seen: FxHashSet::default(),
        });
        Term::var(placeholder)
    }

    /// Remembers the argument tuples of lifted lambdas that occur outside of binders.
    fn observe(&mut self, formula: &Term) {
        if self.unfoldings.is_empty() {
            return;
        }
        let mut inside: FxHashSet<Var> = FxHashSet::default();
        let mut calls = Vec::new();
        ir::subst::for_each_subterm([formula], |term| {
            inside.extend(term.bound().iter().map(|bound| bound.var.clone()));
            if let Some((Op::Func(function), _)) = term.as_app() {
                calls.push((function.clone(), term.clone()));
            }
        });
        for (function, call) in calls {
            let unfolding =
                self.unfoldings.iter_mut().find(|own| own.definition.function == function);
            let Some(unfolding) = unfolding else { continue };
            if ir::free_vars(&call).iter().any(|var| inside.contains(var)) {
                continue;
            }
            let holes: Vec<Term> = call.as_app().map_or(Vec::new(), |(_, args)| args.to_vec());
            if unfolding.seen_holes.insert(holes.clone()) {
                unfolding.holes.push(holes);
                self.changed = true;
            }
        }
    }

    /// Steps 2 and 3 until nothing new appears or a bound is reached.
    fn saturate(&mut self) {
        for _ in 0..MOST_ROUNDS {
            self.changed = false;
            let mut nth = 0;
            while nth < self.bindings.len() {
                self.instantiate_binding(nth);
                nth += 1;
            }
            for nth in 0..self.unfoldings.len() {
                self.unfold(nth);
            }
            if !self.changed || self.instances > MOST_INSTANCES {
                return;
            }
        }
    }

    fn instantiate_binding(&mut self, nth: usize) {
        let pools = self.pools_of(&self.bindings[nth].quant.bound);
        for tuple in product(&pools) {
            if self.instances > MOST_INSTANCES {
                return;
            }
            let binding = &mut self.bindings[nth];
            if !binding.seen.insert(tuple.clone()) {
                continue;
            }
            self.instances += 1;
            self.changed = true;
            let map = binding.quant.bound.iter().map(|bound| bound.var.clone()).zip(tuple);
            let mut at = Substitution::of_vars(map);
            let (instance, polarity) = (at.apply(&binding.quant.body), binding.polarity);
            let hints = at.apply_hints(&binding.quant.hints);
            self.add_hints(&hints);
            let instance = self.skolemize(&instance, polarity);
            self.observe(&instance);
            self.bindings[nth].instances.push(instance);
        }
    }

    fn unfold(&mut self, nth: usize) {
        let definition = self.unfoldings[nth].definition;
        let indices: Vec<Vec<Term>> = product(&self.pools_of(&definition.bound)).collect();
        let mut at_hole = 0;
        while let Some(holes) = self.unfoldings[nth].holes.get(at_hole).cloned() {
            at_hole += 1;
            for tuple in &indices {
                let new = self.unfoldings[nth].seen.insert((holes.clone(), tuple.clone()));
                if !new || self.instances > MOST_INSTANCES {
                    continue;
                }
                self.instances += 1;
                self.changed = true;
                let variables = definition.bound.iter().map(|bound| bound.var.clone());
                let map = definition.parameters.iter().cloned().zip(holes.iter().cloned());
                let map = map.chain(variables.zip(tuple.iter().cloned()));
                let right = Substitution::of_vars(map).apply(&definition.body);
                let left = definition.left_side(holes.clone(), tuple.iter().cloned());
                let fact = self.skolemize(&Term::eq(left, right), Polarity::Assumption);
                self.observe(&fact);
                self.facts.push(fact);
            }
        }
    }

    /// For each variable, the members of its pools.
    fn pools_of(&self, bound: &[Bound]) -> Vec<Vec<Term>> {
        let members = |bound: &Bound| {
            let mut seen = FxHashSet::default();
            let pools = bound
                .pools
                .iter()
                .filter_map(|pool| self.pools.get(&(pool.clone(), bound.var.sort.clone())));
            pools.flatten().filter(|term| seen.insert(*term)).cloned().collect()
        };
        bound.iter().map(members).collect()
    }

    /// Puts the instances in place of the placeholders.
    fn finish(self, goal: &Term) -> Instantiated {
        let exact = self.bindings.iter().all(|binding| binding.instances.is_empty());
        let mut values: FxHashMap<Var, Term> = FxHashMap::default();
        // A binding was made before those that its instances led to.
        for binding in self.bindings.into_iter().rev() {
            let value = binding.value();
            let value = replace(&values, &value);
            values.insert(binding.placeholder, value);
        }
        let facts = self.facts.iter().map(|fact| replace(&values, fact)).collect();
        Instantiated { goal: replace(&values, goal), facts, exact }
    }
}

impl Binding {
    fn value(&self) -> Term {
        match self.quant.kind {
            // Without any instance the quantifier itself is the better formula.
            _ if self.instances.is_empty() => self.original.clone(),
            QuantKind::Forall => Term::and(self.instances.iter().cloned()),
            QuantKind::Exists => Term::or(self.instances.iter().cloned()),
        }
    }
}

/// Placeholders never stand under binders, so nothing can be captured.
fn replace(values: &FxHashMap<Var, Term>, term: &Term) -> Term {
    let value = |term: Term| term.as_var().and_then(|var| values.get(var)).cloned().unwrap_or(term);
    Rewriter::new(|term| !term.is_closed(), value).apply(term)
}

/// The parts of a connective with their polarities; `None` if polarity is lost here.
fn signed_parts(term: &Term, polarity: Polarity) -> Option<Vec<Signed>> {
    let (op, args) = term.as_app()?;
    let same = |arg: &Term| (arg.clone(), polarity);
    let flipped = |arg: &Term| (arg.clone(), polarity.flip());
    match (op, args) {
        (Op::And | Op::Or, _) => Some(args.iter().map(same).collect()),
        (Op::Not, [arg]) => Some(vec![flipped(arg)]),
        (Op::Implies, [premise, conclusion]) => Some(vec![flipped(premise), same(conclusion)]),
        _ => None,
    }
}

/// Equivalences and conditionals as implications, so that each occurrence has one polarity.
fn split(term: &Term) -> Option<Term> {
    match term.as_app()? {
        (Op::Eq, [left, right]) if *left.sort() == Sort::Bool => Some(Term::and([
            Term::implies(left.clone(), right.clone()),
            Term::implies(right.clone(), left.clone()),
        ])),
        (Op::Ite, [test, yes, no]) if *yes.sort() == Sort::Bool => Some(Term::and([
            Term::implies(test.clone(), yes.clone()),
            Term::implies(Term::not(test.clone()), no.clone()),
        ])),
        _ => None,
    }
}

/// All tuples, the last place varying fastest. No tuple if one place has no choice.
fn product(places: &[Vec<Term>]) -> impl Iterator<Item = Vec<Term>> + use<> {
    let places: Vec<Vec<Term>> = places.to_vec();
    let mut at = vec![0; places.len()];
    let mut over = places.iter().any(Vec::is_empty);
    std::iter::from_fn(move || {
        if over {
            return None;
        }
        let tuple = places.iter().zip(&at).map(|(place, nth)| place[*nth].clone()).collect();
        over = true;
        for (place, nth) in places.iter().zip(&mut at).rev() {
            *nth += 1;
            if *nth < place.len() {
                over = false;
                break;
            }
            *nth = 0;
        }
        Some(tuple)
    })
}
