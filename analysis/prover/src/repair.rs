//! Other values for what a failing run leaves open.
//!
//! **In:** a run that violates an assumption with a quantifier. **Out:** the same run with other values, if one of a few
//! guesses makes it a confirmed one.
//!
//! First [`settle`] changes what the assumptions that are violated speak of. If that leads nowhere, sets are guessed.
//!
//! A solver that gives up on quantifiers has a model of the ground facts only: outside of the indices that these
//! mention, a set is empty or full by chance. So the sets that the assumption speaks of are tried the other way
//! round outside of what is written about them, one variable after the other: `{1 ↦ true, _ ↦ false}` becomes `{1 ↦ true, _ ↦ true}`,
//! with or without leaving alone the other values that the run mentions.
//!
//! # Soundness
//! A guess may be as wrong as it likes: the whole run is evaluated with it, and what is shown is changed alike.

mod change;
mod clauses;
mod settle;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use ir::replay::{Mismatch, Run, replay_within};
use ir::{
    Env, Fuel, Item, MapValue, Question, Refutation, Sort, StepKind, Symbol, Term, Trace, Value,
    Var, evaluate, source_name,
};

/// So many variables are changed, one by one.
const MOST_VARIABLES: usize = 4;
/// So many values are left alone.
const MOST_KEYS: usize = 64;
/// So many parts of terms are evaluated in each of the two searches. Repairs that are found take a few thousand;
/// a part takes about a microsecond, and several in large maps.
const FUEL: usize = 15_000;

/// A confirmed run on this path with other values.
pub(crate) fn repaired(
    question: &Question,
    env: &Env,
    run: &Run,
    trace: &Trace,
) -> Option<Refutation> {
    if let Some(env) = settle::settled(question, env, run, &Fuel::new(FUEL)) {
        let trace = shown(question, &env, trace);
        let refutation = Refutation::replayed(question, env, run.clone(), trace);
        return Some(refutation).filter(Refutation::is_confirmed);
    }
    let fuel = Fuel::new(FUEL);
    let Err(Mismatch::NotAssumed(term)) = replay_within(question, env, run, &fuel) else {
        return None;
    };
    let mut stems: Vec<String> = Vec::new();
    for var in ir::free_vars(&term) {
        let stem = source_name(var.name.as_str()).to_owned();
        if has_set(&var.sort, question, 0) && !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems.truncate(MOST_VARIABLES);
    let mut mentioned = Mentioned::default();
    for (var, value) in &env.vars {
        mentioned.collect(value, &var.sort, question);
    }
    for stem in &stems {
        for keys in [&Mentioned::default(), &mentioned] {
            let (env, trace) = changed(question, env, trace, stem, keys);
            if replay_within(question, &env, run, &fuel).is_ok() {
                let refutation = Refutation::replayed(question, env, run.clone(), trace);
                return Some(refutation).filter(Refutation::is_confirmed);
            }
        }
    }
    None
}

/// Does the run fail once its values are made whole?
pub(crate) fn is_confirmed(question: &Question, env: &Env, run: &Run) -> bool {
    let fuel = Fuel::unlimited();
    let env = settle::computed(question, env, run, &fuel);
    replay_within(question, &env, run, &fuel).is_ok()
}

/// The trace of the same run with these values.
fn shown(question: &Question, env: &Env, trace: &Trace) -> Trace {
    let items = question.passive.blocks().iter().flat_map(|block| &block.items);
    let captures: BTreeMap<_, _> = items
        .filter_map(|item| match item {
            Item::Capture(capture) => Some((capture.id, capture)),
            Item::Assume { .. } | Item::Assert { .. } => None,
        })
        .collect();
    let mut trace = trace.clone();
    for step in &mut trace.steps {
        let StepKind::Capture(id) = step.kind else { continue };
        let own = captures.get(&id).map_or(&[][..], |capture| &capture.values);
        let known =
            |(name, term): &(_, Term)| Some((Symbol::clone(name), evaluate(term, env).ok()?));
        step.state = own.iter().filter_map(known).collect();
    }
    trace
}

/// The values of one variable changed, wherever they are.
fn changed(
    question: &Question,
    env: &Env,
    trace: &Trace,
    stem: &str,
    keys: &Mentioned,
) -> (Env, Trace) {
    let (mut env, mut trace) = (env.clone(), trace.clone());
    let is_own = |var: &Var| source_name(var.name.as_str()) == stem;
    let mut sort = None;
    for (var, value) in env.vars.iter_mut().filter(|(var, _)| is_own(var)) {
        *value = other_way(value, &var.sort, question, keys);
        sort = Some(var.sort.clone());
    }
    let shown = trace.steps.iter_mut().flat_map(|step| &mut step.state);
    for (_, value) in shown.filter(|(name, _)| source_name(name.as_str()) == stem) {
        if let Some(sort) = &sort {
            *value = other_way(value, sort, question, keys);
        }
    }
    (env, trace)
}

/// Values by their sorts.
#[derive(Default)]
struct Mentioned(BTreeMap<Sort, BTreeSet<Value>>);

impl Mentioned {
    fn collect(&mut self, value: &Value, sort: &Sort, question: &Question) {
        self.0.entry(sort.clone()).or_default().insert(value.clone());
        match (value, sort) {
            (Value::Data(data), _) => {
                let sorts = field_sorts(sort, data.ctor, question);
                let fields = data.fields.iter().zip(&sorts);
                fields.for_each(|(field, sort)| self.collect(field, sort, question));
            }
            (Value::Map(map), Sort::Array(indices, element)) => {
                for (index, value) in map.entries() {
                    let parts = index.iter().zip(indices.iter());
                    parts.for_each(|(part, sort)| self.collect(part, sort, question));
                    self.collect(value, element, question);
                }
            }
            _other => {}
        }
    }

    fn of(&self, sort: &Sort) -> impl Iterator<Item = &Value> {
        self.0.get(sort).into_iter().flatten().take(MOST_KEYS)
    }
}

fn field_sorts(sort: &Sort, ctor: u32, question: &Question) -> Vec<Sort> {
    let def = question.signature.datatype(sort);
    let ctor = def.and_then(|def| def.ctors().get(ctor as usize));
    ctor.map_or_else(Vec::new, |ctor| ctor.fields.iter().map(|(_, sort)| sort.clone()).collect())
}

/// Is it a set, or does it have one as a field?
fn has_set(sort: &Sort, question: &Question, depth: usize) -> bool {
    if let Sort::Array(_, element) = sort {
        return **element == Sort::Bool;
    }
    let def = question.signature.datatype(sort).filter(|_| depth < 2);
    let mut fields = def.iter().flat_map(|def| def.ctors()).flat_map(|ctor| &ctor.fields);
    fields.any(|(_, sort)| has_set(sort, question, depth + 1))
}

/// Sets the other way round outside of their entries and these keys.
fn other_way(value: &Value, sort: &Sort, question: &Question, keys: &Mentioned) -> Value {
    match (value, sort) {
        (Value::Data(data), _) => {
            let sorts = field_sorts(sort, data.ctor, question);
            let mut data = data.clone();
            for (field, sort) in data.fields.iter_mut().zip(&sorts) {
                *field = other_way(field, sort, question, keys);
            }
            Value::Data(data)
        }
        (Value::Map(map), Sort::Array(indices, element)) if **element == Sort::Bool => {
            let Some(Value::Bool(default)) = map.default() else { return value.clone() };
            let mut entries: BTreeMap<Vec<Value>, Value> =
                map.entries().map(|(key, value)| (key.to_vec(), value.clone())).collect();
            if let [index] = &**indices {
                for key in keys.of(index) {
                    let key = vec![key.clone()];
                    let own = map.get(&key);
                    entries.extend(own.map(|own| (key, own)));
                }
            }
            Value::Map(MapValue::new(entries, Some(Value::Bool(!default))))
        }
        _other => value.clone(),
    }
}
