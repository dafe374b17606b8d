//! A search for values that satisfy what a run assumes.
//!
//! **In:** the values of a candidate and its path. **Out:** other values with which evaluation follows the run to its
//! failure, if a few changes lead there.
//!
//! Variables that are assigned on the path are computed from the others. The first assumption that is violated is
//! made true by a change of one map, function or number where it is violated ([`super::change`]); then the next one.
//! The search ends when its fuel is spent: a quantifier over several variables costs as much as many others.

use std::collections::BTreeSet;

use ir::replay::{Mismatch, Run, replay_within};
use ir::{
    Bound, Env, Fuel, Item, MapValue, Op, Question, Term, Unknown, Value, Var, evaluate_within,
};

use super::change::{Change, Target, changes};
use super::clauses::{Clause, clauses};
use super::{Mentioned, whole};

/// So often a run is evaluated.
const MOST_REPLAYS: usize = 28;
/// So many changes lead to one structure.
const MOST_CHANGES: usize = 24;
/// So many tuples of values are tried in a clause.
const MOST_TUPLES: usize = 40;

/// The same values made whole, and what is assigned computed.
pub(super) fn computed(question: &Question, env: &Env, run: &Run, fuel: &Fuel) -> Env {
    let mut env = env.clone();
    whole::complete(&mut env, question);
    Search { question, run, fuel, defined: defined(question, run) }.compute(&mut env);
    env
}

/// Values with which the run fails, if the fuel leads there.
pub(super) fn settled(question: &Question, env: &Env, run: &Run, fuel: &Fuel) -> Option<Env> {
    let env = computed(question, env, run, fuel);
    let search = Search { question, run, fuel, defined: defined(question, run) };
    search.from(&env, (MOST_CHANGES, 0), &mut MOST_REPLAYS.clone())
}

struct Search<'a> {
    question: &'a Question,
    run: &'a Run,
    fuel: &'a Fuel,
    /// Variables that are assigned on the path, in its order.
    defined: Vec<(Var, Term)>,
}

impl Search<'_> {
    fn evaluate(&self, term: &Term, env: &Env) -> Result<Value, Unknown> {
        evaluate_within(term, env, self.fuel)
    }

    /// Computes what is assigned on the path.
    fn compute(&self, env: &mut Env) {
        for (var, term) in &self.defined {
            if let Ok(value) = self.evaluate(term, env) {
                env.vars.insert(var.clone(), value);
            }
        }
    }

    /// Goes on with these values, if they get as far as the assumption with number `reached`.
    fn from(
        &self,
        env: &Env,
        (changes_left, reached): (usize, usize),
        replays: &mut usize,
    ) -> Option<Env> {
        *replays = replays.checked_sub(1)?;
        let violated = match replay_within(self.question, env, self.run, self.fuel) {
            Ok(()) => return Some(env.clone()),
            Err(Mismatch::NotAssumed(term)) if changes_left > 0 => term,
            Err(_) => return None,
        };
        let place = self.place(&violated);
        if place < reached {
            return None;
        }
        for clause in clauses(&violated, true) {
            let bound = clause.bound.iter().cloned().map(Bound::plain).collect();
            let whole = Term::forall(bound, clause.body());
            if self.evaluate(&whole, env) != Ok(Value::Bool(false)) {
                continue;
            }
            for change in clause.literals.iter().flat_map(|literal| changes(&clause, literal)) {
                if let Some(next) = self.changed(env, &change)
                    && self.evaluate(&whole, &next) == Ok(Value::Bool(true))
                    && let Some(found) = self.from(&next, (changes_left - 1, place), replays)
                {
                    return Some(found);
                }
            }
            // Other clauses are of no use while this one is violated.
            return self.at_one_place(env, &clause, (changes_left, place), replays);
        }
        None
    }

    /// Changes for one tuple of values that violates the clause only.
    fn at_one_place(
        &self,
        env: &Env,
        clause: &Clause,
        (changes_left, place): (usize, usize),
        replays: &mut usize,
    ) -> Option<Env> {
        let (env, here) = self.violation(env, clause)?;
        for change in here.literals.iter().flat_map(|literal| changes(&here, literal)) {
            if let Some(next) = self.changed(&env, &change)
                && self.evaluate(&here.body(), &next) == Ok(Value::Bool(true))
                && let Some(found) = self.from(&next, (changes_left - 1, place), replays)
            {
                return Some(found);
            }
        }
        None
    }

    /// The clause for values that violate it, which are those of new variables.
    fn violation(&self, env: &Env, clause: &Clause) -> Option<(Env, Clause)> {
        let mut mentioned = Mentioned::default();
        for (var, value) in &env.vars {
            mentioned.collect(value, &var.sort, self.question);
        }
        let named = |var: &Var| Var::new(format!("violation {}", var.name), var.sort.clone());
        let places: Vec<Var> = clause.bound.iter().map(named).collect();
        let here = clause.renamed(&places);
        let body = here.body();
        let mut tuples = vec![Vec::new()];
        for place in &places {
            let mut longer: Vec<Vec<Value>> = Vec::new();
            for tuple in &tuples {
                let values = mentioned.of(&place.sort);
                longer.extend(
                    values.map(|value| [tuple.as_slice(), std::slice::from_ref(value)].concat()),
                );
            }
            longer.truncate(MOST_TUPLES);
            tuples = longer;
        }
        let mut env = env.clone();
        for tuple in tuples {
            env.vars.extend(places.iter().cloned().zip(tuple));
            if self.evaluate(&body, &env) == Ok(Value::Bool(false)) {
                return Some((env, here));
            }
        }
        None
    }

    /// The number of an assumption of the path; axioms come last.
    fn place(&self, violated: &Term) -> usize {
        let blocks = self.question.passive.blocks();
        let on_path = self.run.path.iter().filter_map(|block| blocks.get(block.index()));
        let mut items = on_path.flat_map(|block| &block.items);
        let is_it = |item: &Item| matches!(item, Item::Assume { term, .. } if term == violated);
        items.position(is_it).unwrap_or(usize::MAX)
    }

    fn changed(&self, env: &Env, change: &Change) -> Option<Env> {
        let value = self.evaluate(&change.value, env).ok()?;
        let mut next = env.clone();
        match &change.target {
            Target::Variable(var) => {
                next.vars.insert(self.source(var)?, value);
            }
            Target::Function(function) | Target::Constant(function)
                if env.library.contains_key(&function.name)
                    || env.definitions.contains_key(&function.name) =>
            {
                return None;
            }
            Target::Function(function) => {
                let Value::Map(table) = value else { return None };
                next.funcs.insert(function.name.clone(), table);
            }
            Target::Constant(function) => {
                let table = MapValue::new([(Vec::new(), value)], None);
                next.funcs.insert(function.name.clone(), table);
            }
        }
        self.compute(&mut next);
        Some(next)
    }

    /// The variable that this one is a copy of; nothing if it is assigned something else.
    fn source(&self, var: &Var) -> Option<Var> {
        let mut at = var;
        while let Some((_, term)) = self.defined.iter().find(|(own, _)| own == at) {
            at = term.as_var()?;
        }
        Some(at.clone())
    }
}

/// Equations for variables that nothing before them mentions.
fn defined(question: &Question, run: &Run) -> Vec<(Var, Term)> {
    let mut seen: BTreeSet<Var> = BTreeSet::new();
    let mut found = Vec::new();
    for block in &run.path {
        let items = question.passive.blocks().get(block.index()).map_or(&[][..], |it| &it.items);
        for item in items {
            let term = match item {
                Item::Assume { term, .. } | Item::Assert { term, .. } => term,
                Item::Capture(_) => continue,
            };
            for fact in term.args_of(&Op::And).unwrap_or(std::slice::from_ref(term)) {
                let own = ir::free_vars(fact);
                if let Some((var, value)) = equation(fact, &seen)
                    && matches!(item, Item::Assume { .. })
                {
                    found.push((var, value));
                }
                seen.extend(own);
            }
        }
    }
    found
}

fn equation(fact: &Term, seen: &BTreeSet<Var>) -> Option<(Var, Term)> {
    let [left, right] = fact.args_of(&Op::Eq)? else { return None };
    let solved = |var: &Term, value: &Term| {
        let var = var.as_var()?;
        let fits = !seen.contains(var) && !ir::free_vars(value).contains(var);
        fits.then(|| (var.clone(), value.clone()))
    };
    // What comes later is computed from what was there before.
    let known = |value: &Term| ir::free_vars(value).is_subset(seen);
    match (solved(left, right), solved(right, left)) {
        (Some(_), Some(other)) if !known(right) && known(left) => Some(other),
        (Some(own), _) => Some(own),
        (None, other) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::replay::replay;
    use ir::{AssertId, BlockId, Passive, PassiveBlock, Sort};

    fn int(name: &str) -> Var {
        Var::new(name, Sort::Int)
    }

    /// `forall i :: flag[i] <==> i <= turn; next := flag[turn := false]; assert next[turn]`
    fn question() -> Question {
        let set = Sort::map(Sort::Int, Sort::Bool);
        let [flag, next] = ["flag", "next"].map(|name| Term::var(Var::new(name, set.clone())));
        let (i, turn) = (Term::var(int("i")), Term::var(int("turn")));
        let equal = Term::eq(Term::select(flag.clone(), i.clone()), Term::le(i, turn.clone()));
        let assumed = [
            Term::forall(vec![Bound::plain(int("i"))], equal),
            Term::eq(next.clone(), Term::store(flag, turn.clone(), Term::ff())),
        ];
        let mut items: Vec<Item> = assumed.into_iter().map(Item::assume).collect();
        items.push(Item::Assert {
            term: Term::select(next, turn),
            id: AssertId(0),
            hints: vec![],
            subsumes: true,
        });
        let block = PassiveBlock { label: "b".into(), items, successors: vec![], site: None };
        Question::new(Passive::new(vec![block]).unwrap())
    }

    /// A candidate: `flag` is false everywhere, and `turn` is 7.
    fn candidate(question: &Question) -> Env {
        let set = Sort::map(Sort::Int, Sort::Bool);
        let mut env = Env::default();
        let nowhere = Value::Map(MapValue::new([], Some(Value::Bool(false))));
        env.vars.insert(Var::new("flag", set), nowhere);
        env.vars.insert(int("turn"), Value::Int(7.into()));
        env.in_structure_of(question)
    }

    #[test]
    fn what_is_assumed_of_a_map_is_made_true_and_the_rest_computed() {
        let question = question();
        let set = Sort::map(Sort::Int, Sort::Bool);
        let env = candidate(&question);
        let run = Run { path: vec![BlockId(0)], failing: AssertId(0) };
        assert!(replay(&question, &env, &run).is_err());
        let env = settled(&question, &env, &run, &Fuel::unlimited()).unwrap();
        assert_eq!(replay(&question, &env, &run), Ok(()));
        let shown = |name: &str| env.vars[&Var::new(name, set.clone())].to_string();
        assert_eq!(shown("flag"), "{..7 ↦ true, 8.. ↦ false}");
        assert_eq!(shown("next"), "{..6 ↦ true, 7.. ↦ false}");
    }

    #[test]
    fn a_search_takes_the_same_fuel_each_time_and_ends_without() {
        let question = question();
        let env = candidate(&question);
        let run = Run { path: vec![BlockId(0)], failing: AssertId(0) };
        let spent = |most: usize| {
            let fuel = Fuel::new(most);
            (settled(&question, &env, &run, &fuel).is_some(), most - fuel.left())
        };
        let (found, needed) = spent(super::super::FUEL);
        assert!(found && needed > 20, "{needed}");
        assert_eq!(spent(needed), (true, needed));
        for most in 0..needed {
            let (found, spent) = spent(most);
            assert!(!found && spent <= most, "{most}");
        }
    }

    /// `forall i, j, k :: far[i] && far[j] && far[k] ==> i + j + k <= 200`: many cases.
    #[test]
    fn many_cases_spend_the_fuel() {
        let set = Sort::map(Sort::Int, Sort::Bool);
        let far = Term::var(Var::new("far", set.clone()));
        let bound = ["i", "j", "k"].map(int);
        let places = bound.clone().map(Term::var);
        let inside = places.iter().map(|place| Term::select(far.clone(), place.clone()));
        let sum = Term::add(Term::add(places[0].clone(), places[1].clone()), places[2].clone());
        let body = Term::implies(Term::and(inside), Term::le(sum, Term::int(200)));
        let claim =
            Item::Assert { term: Term::ff(), id: AssertId(0), hints: vec![], subsumes: true };
        let all = Term::forall(bound.into_iter().map(Bound::plain).collect(), body);
        let items = vec![Item::assume(all), claim];
        let block = PassiveBlock { label: "b".into(), items, successors: vec![], site: None };
        let question = Question::new(Passive::new(vec![block]).unwrap());
        let mut env = Env::default();
        let even = (0..40).map(|it| (vec![Value::Int((2 * it).into())], Value::Bool(true)));
        let even = Value::Map(MapValue::new(even, Some(Value::Bool(false))));
        env.vars.insert(Var::new("far", set), even);
        let env = env.in_structure_of(&question);
        let run = Run { path: vec![BlockId(0)], failing: AssertId(0) };
        let fuel = Fuel::new(super::super::FUEL);
        assert_eq!((settled(&question, &env, &run, &fuel), fuel.left()), (None, 0));
    }
}
