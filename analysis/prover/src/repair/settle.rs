//! A search for values that satisfy what a run assumes.
//!
//! **In:** the values of a candidate and its path. **Out:** other values with which evaluation follows the run to its
//! failure, if a few changes lead there.
//!
//! Variables that are assigned on the path are computed from the others. The first assumption that is violated is
//! made true by a change of one map, function or number where it is violated ([`super::change`]); then the next one.

use std::collections::BTreeSet;

use ir::replay::{Mismatch, Run, replay};
use ir::{Env, Item, MapValue, Op, Question, Term, Value, Var, evaluate};

use super::change::{Change, Target, changes};
use super::clauses::clauses;
use super::whole;

/// So often a run is evaluated.
const MOST_REPLAYS: usize = 32;
/// So many changes lead to one structure.
const MOST_CHANGES: usize = 14;

/// Values with which the run fails.
pub(super) fn settled(question: &Question, env: &Env, run: &Run) -> Option<Env> {
    let mut env = env.clone();
    whole::complete(&mut env, question);
    let search = Search { question, run, defined: defined(question, run) };
    search.from(env, MOST_CHANGES, &mut MOST_REPLAYS.clone())
}

struct Search<'a> {
    question: &'a Question,
    run: &'a Run,
    /// Variables that are assigned on the path, in its order.
    defined: Vec<(Var, Term)>,
}

impl Search<'_> {
    fn from(&self, mut env: Env, changes_left: usize, replays: &mut usize) -> Option<Env> {
        *replays = replays.checked_sub(1)?;
        for (var, term) in &self.defined {
            if let Ok(value) = evaluate(term, &env) {
                env.vars.insert(var.clone(), value);
            }
        }
        let violated = match replay(self.question, &env, self.run) {
            Ok(()) => return Some(env),
            Err(Mismatch::NotAssumed(term)) if changes_left > 0 => term,
            Err(_) => return None,
        };
        for clause in clauses(&violated, true) {
            let bound = clause.bound.iter().cloned().map(ir::Bound::plain).collect();
            let whole = Term::forall(bound, clause.body());
            if evaluate(&whole, &env) != Ok(Value::Bool(false)) {
                continue;
            }
            for change in clause.literals.iter().flat_map(|literal| changes(&clause, literal)) {
                if let Some(next) = self.changed(&env, &change)
                    && evaluate(&whole, &next) == Ok(Value::Bool(true))
                    && let Some(found) = self.from(next, changes_left - 1, replays)
                {
                    return Some(found);
                }
            }
            // Other clauses are of no use while this one is violated.
            return None;
        }
        None
    }

    fn changed(&self, env: &Env, change: &Change) -> Option<Env> {
        let is_defined = |var: &Var| self.defined.iter().any(|(own, _)| own == var);
        let value = |env: &Env| evaluate(&change.value, env).ok();
        let mut next = env.clone();
        match &change.target {
            Target::Variable(var) if is_defined(var) => return None,
            Target::Variable(var) => {
                next.vars.insert(var.clone(), value(env)?);
            }
            Target::Function(function) | Target::Constant(function)
                if env.library.contains_key(&function.name)
                    || env.definitions.contains_key(&function.name) =>
            {
                return None;
            }
            Target::Function(function) => {
                let Value::Map(table) = value(env)? else { return None };
                next.funcs.insert(function.name.clone(), table);
            }
            Target::Constant(function) => {
                let table = MapValue::new([(Vec::new(), value(env)?)], None);
                next.funcs.insert(function.name.clone(), table);
            }
        }
        Some(next)
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
