//! The part of a model that a failing run can be replayed with.
//!
//! **In:** the variables and ground applications that a question mentions. **Out:** their
//! values, as an environment of [`ir::eval`].
//!
//! Names are those of the question that was solved. For a renamed question nothing fits and
//! the run stays unconfirmed, which is never wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ir::{Env, FuncSym, MapValue, Op, Question, Sort, Symbol, Term, Value, Var};
use serde::{Deserialize, Serialize};

use crate::codec::StoredValue;

/// More terms than this are not asked for; the run stays unconfirmed.
const MOST_TERMS: usize = 2000;

/// Values by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Witness {
    pub(crate) variables: Vec<(String, StoredValue)>,
    /// A function, arguments and the result.
    pub(crate) calls: Vec<(String, Vec<StoredValue>, StoredValue)>,
    /// Functions, as maps from their arguments.
    pub(crate) functions: Vec<(String, StoredValue)>,
}

/// The terms whose values make up a witness.
#[derive(Default)]
pub(crate) struct Wanted {
    pub(crate) variables: Vec<Var>,
    pub(crate) calls: Vec<Term>,
    pub(crate) functions: Vec<Arc<FuncSym>>,
}

/// What to ask for.
pub(crate) fn wanted(question: &Question) -> Wanted {
    let mut bound: BTreeSet<Var> = BTreeSet::new();
    let mut variables: BTreeSet<Var> = BTreeSet::new();
    let mut calls = Vec::new();
    let mut functions: BTreeMap<Symbol, Arc<FuncSym>> = BTreeMap::new();
    ir::subst::for_each_subterm(question.terms(), |term| {
        bound.extend(term.bound().iter().map(|bound| bound.var.clone()));
        variables.extend(term.as_var().cloned());
        if let Some((Op::Func(function), args)) = term.as_app() {
            calls.push(term);
            if !args.is_empty() {
                functions.insert(function.name.clone(), Arc::clone(function));
            }
        }
    });
    // A variable that is bound anywhere is left out: its free occurrences stay unknown.
    let variables: Vec<Var> = variables.difference(&bound).cloned().collect();
    let is_ground = |term: &&Term| ir::free_vars(term).is_disjoint(&bound);
    let calls: Vec<Term> = calls.into_iter().filter(is_ground).cloned().collect();
    if variables.len() + calls.len() + functions.len() > MOST_TERMS {
        return Wanted::default();
    }
    Wanted { variables, calls, functions: functions.into_values().collect() }
}

impl Witness {
    /// The values as far as they fit the names of `question`.
    pub(crate) fn env(&self, question: &Question) -> Env {
        let mut named: BTreeMap<&str, &StoredValue> = BTreeMap::new();
        for (name, value) in &self.variables {
            named.insert(name, value);
        }
        let mut env = Env::default();
        for var in wanted(question).variables {
            if let Some(value) = named.get(var.name.as_str()).and_then(|value| value.to_value()) {
                env.candidates.entry(var.sort.clone()).or_default().push(value.clone());
                env.vars.insert(var, value);
            }
        }
        let mut tables: BTreeMap<Symbol, Vec<(Vec<Value>, Value)>> = BTreeMap::new();
        for (name, arguments, result) in &self.calls {
            let arguments: Option<Vec<Value>> =
                arguments.iter().map(StoredValue::to_value).collect();
            if let (Some(arguments), Some(result)) = (arguments, result.to_value()) {
                tables.entry(Symbol::new(name)).or_default().push((arguments, result));
            }
        }
        env.funcs =
            tables.into_iter().map(|(name, rows)| (name, MapValue::new(rows, None))).collect();
        for (name, table) in &self.functions {
            // Only one that is known everywhere says more than the calls.
            if let Some(Value::Map(table)) = table.to_value()
                && (table.default().is_some() || !table.segments().is_empty())
            {
                env.funcs.insert(Symbol::new(name), table);
            }
        }
        env.candidates.values_mut().for_each(|values| {
            values.sort();
            values.dedup();
        });
        for var in wanted(question).calls.iter().filter_map(arbitrary) {
            env.funcs.entry(var.0).or_insert_with(|| MapValue::new([(Vec::new(), var.1)], None));
        }
        env.in_structure_of(question)
    }
}

/// A constant that the solver was not asked about, since nothing constrains it, and some value of it.
fn arbitrary(call: &Term) -> Option<(Symbol, Value)> {
    let (Op::Func(func), []) = call.as_app()? else { return None };
    let value = match func.result == Sort::Int {
        true => Value::Int(0.into()),
        false if func.result == Sort::Bool => Value::Bool(false),
        false => return None,
    };
    Some((func.name.clone(), value))
}

/// Sorts whose printed values are read exactly, all the way down.
pub(crate) fn is_exact(sort: &Sort) -> bool {
    match sort {
        Sort::Bool
        | Sort::Int
        | Sort::BitVec(_)
        | Sort::Real
        | Sort::Uninterpreted(_)
        | Sort::Datatype(_) => true,
        Sort::Array(indices, element) => indices.iter().chain([element.as_ref()]).all(is_exact),
        Sort::Seq(element) => is_exact(element),
        Sort::String | Sort::Float(..) | Sort::RoundingMode | Sort::RegEx => false,
    }
}
