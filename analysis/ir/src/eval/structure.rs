//! The structure in which a run happens, made of the values of a model.
//!
//! **In:** the values that a solver gave to variables and ground calls of a question. **Out:** what sorts are, which
//! functions are computed, and which axioms are true because of that.
//!
//! # Soundness
//! Whatever is chosen here, everything is evaluated in it; a bad choice only leaves a run unconfirmed.
//! - Uninterpreted sorts are the elements that the values mention; see [`crate::symbolic`].
//! - A function is what its rows say, and elsewhere what most of its rows say.
//! - `forall xs :: f(xs) == body`, where `body` does not depend on `f`, is true if `f` is computed from `body`; one
//!   that does might have no solution, and stays an axiom that has to be evaluated.
//! - Axioms of a library about the functions of [`crate::symbolic::library`] are true of what these compute. Those about
//!   all values of a datatype say which of its constructor terms are values: others are unknown when they
//!   are made, and a run that mentions one is none.

use std::collections::{BTreeMap, BTreeSet};

use super::{Env, Fuel, Known, evaluate_within};
use crate::{
    obligation::Question,
    op::Op,
    sort::Sort,
    source::source_name,
    subst::for_each_subterm,
    symbol::Symbol,
    symbolic::library::Meaning,
    term::{Quant, QuantKind, Term, TermKind, Var},
    value::{MapValue, Value},
};

/// A function of the libraries that may be anything.
const ARBITRARY: &str = "Default";

impl Env {
    /// These values as a structure for a question.
    pub fn in_structure_of(mut self, question: &Question) -> Env {
        self.datatypes = question.signature.datatypes.clone();
        for axiom in &question.library {
            self.grant_library(axiom);
        }
        let axioms: Vec<&Term> =
            question.axioms.iter().filter(|it| !question.library.contains(*it)).collect();
        self.define(&axioms);
        for (name, table) in &mut self.funcs {
            if !self.library.contains_key(name) {
                complete(table);
            }
        }
        let mut values = BTreeSet::new();
        self.each_value(&mut |value| {
            if let Value::Element(_) = value {
                values.insert(value.clone());
            }
        });
        let mut carriers: BTreeMap<Symbol, Vec<Value>> = BTreeMap::new();
        for value in values {
            if let Value::Element(element) = &value {
                carriers.entry(element.sort.clone()).or_default().push(value.clone());
            }
        }
        self.carriers = Some(carriers);
        self
    }

    /// Are all values of this structure values of their datatypes?
    pub fn check_values(&self, fuel: &Fuel) -> Known {
        let mut found = BTreeSet::new();
        self.each_value(&mut |value| {
            if let Value::Data(data) = value
                && self.invariants.contains_key(&data.datatype)
            {
                found.insert(value.clone());
            }
        });
        for value in found {
            let Value::Data(data) = &value else { continue };
            for (var, body) in self.invariants.get(&data.datatype).into_iter().flatten() {
                let mut env = self.clone();
                env.vars.insert(var.clone(), value.clone());
                if evaluate_within(body, &env, fuel)? != Value::Bool(true) {
                    return Ok(Value::Bool(false));
                }
            }
        }
        Ok(Value::Bool(true))
    }

    fn each_value(&self, each: &mut dyn FnMut(&Value)) {
        self.vars.values().for_each(|value| walk(value, each));
        for table in self.funcs.values() {
            walk_map(table, each);
        }
    }

    /// What a library says is true of what is computed, or of all values of a datatype.
    fn grant_library(&mut self, axiom: &Term) {
        let mut meanings = BTreeMap::new();
        let mut is_known = true;
        for_each_subterm([axiom], |term| {
            let Some((Op::Func(func), _)) = term.as_app() else { return };
            let name = stem(&func.name);
            match Meaning::of(name) {
                Some(meaning) => {
                    meanings.insert(func.name.clone(), meaning);
                }
                None => is_known &= name == ARBITRARY,
            }
        });
        if !is_known {
            return;
        }
        let is_about_values = meanings.values().all(|it| *it == Meaning::Identity);
        self.library.extend(meanings);
        if let TermKind::Quant(quant) = axiom.kind()
            && let [bound] = quant.bound.as_slice()
            && let Sort::Datatype(name) = &bound.var.sort
            && quant.kind == QuantKind::Forall
            && is_about_values
        {
            let own = (bound.var.clone(), quant.body.clone());
            self.invariants.entry(name.clone()).or_default().push(own);
        }
        self.granted.push(axiom.clone());
    }

    /// Functions whose definitions depend on no function that is defined by them.
    fn define(&mut self, axioms: &[&Term]) {
        let mut found: BTreeMap<Symbol, (Vec<Var>, Term, Term)> = BTreeMap::new();
        for axiom in axioms {
            if let Some((name, params, body)) = definition(axiom)
                && !self.library.contains_key(&name)
            {
                found.entry(name).or_insert((params, body, (*axiom).clone()));
            }
        }
        loop {
            let is_ready = |body: &Term| {
                let mut ready = true;
                for_each_subterm([body], |term| {
                    if let Some((Op::Func(func), _)) = term.as_app() {
                        ready &= !found.contains_key(&func.name);
                    }
                });
                ready
            };
            let next = found.iter().find(|(_, (_, body, _))| is_ready(body));
            let Some(name) = next.map(|(name, _)| name.clone()) else { return };
            if let Some((params, body, axiom)) = found.remove(&name) {
                self.definitions.insert(name, (params, body));
                self.granted.push(axiom);
            }
        }
    }
}

/// The name in the text of a library.
fn stem(name: &Symbol) -> &str {
    let text = source_name(name.as_str());
    text.split(['<', '@', '(']).next().unwrap_or(text)
}

/// `forall xs :: f(xs) == body`
fn definition(axiom: &Term) -> Option<(Symbol, Vec<Var>, Term)> {
    let TermKind::Quant(quant) = axiom.kind() else { return None };
    let Quant { kind: QuantKind::Forall, bound, body, .. } = &**quant else { return None };
    let Some((Op::Eq, [call, value])) = body.as_app() else { return None };
    let (Op::Func(func), args) = call.as_app()? else { return None };
    let params: Vec<Var> = args.iter().filter_map(|arg| arg.as_var().cloned()).collect();
    let distinct: BTreeSet<&Var> = params.iter().collect();
    let own: BTreeSet<&Var> = bound.iter().map(|it| &it.var).collect();
    let fits = params.len() == args.len() && distinct.len() == args.len() && distinct == own;
    fits.then(|| (func.name.clone(), params, value.clone()))
}

/// The element that most rows have holds everywhere else.
fn complete(table: &mut MapValue) {
    if table.default().is_some() || !table.segments().is_empty() {
        return;
    }
    let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
    table.entries().for_each(|(_, value)| *counts.entry(value).or_default() += 1);
    let most = counts.iter().max_by_key(|(_, count)| **count);
    let Some(default) = most.map(|(value, _)| (*value).clone()) else { return };
    let rows: Vec<(Vec<Value>, Value)> =
        table.entries().map(|(key, value)| (key.to_vec(), value.clone())).collect();
    *table = MapValue::new(rows, Some(default));
}

fn walk(value: &Value, each: &mut dyn FnMut(&Value)) {
    each(value);
    match value {
        Value::Data(data) => data.fields.iter().for_each(|part| walk(part, each)),
        Value::Seq(items) => items.iter().for_each(|part| walk(part, each)),
        Value::Map(map) => walk_map(map, each),
        Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::BitVec(..) => {}
        Value::String(_) | Value::Element(_) | Value::Opaque(_) => {}
    }
}

fn walk_map(map: &MapValue, each: &mut dyn FnMut(&Value)) {
    for (index, part) in map.entries() {
        index.iter().for_each(|part| walk(part, each));
        walk(part, each);
    }
    map.default().into_iter().for_each(|part| walk(part, each));
    map.segments().iter().for_each(|segment| walk(&segment.base, each));
}
