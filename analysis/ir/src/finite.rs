//! Terms on values in one finite instance: what the slow machine computes with.
//!
//! **In:** a term and an [`Env`]: values of variables, tables of functions, and the [`Instance`] that says
//! which sorts have no other values than those listed, and what functions compute.
//! **Out:** the value there, or what could not be known. What a term is in *every* structure is the
//! business of [`crate::eval`].
//!
//! # Invariants
//! - Division by zero, a field of another constructor, an entry missing in a table, and a quantifier
//!   over a sort that is not listed are all [`Unknown`]; Boolean operators decide in spite of unknown
//!   parts where the known ones suffice.

mod apply;
mod instance;
mod intrinsics;
mod ranges;

use std::{collections::BTreeMap, sync::Arc};

use rustc_hash::FxHashMap;

use crate::{
    eval::Unknown,
    sort::Sort,
    source::source_name,
    symbol::Symbol,
    term::{Bound, Quant, QuantKind, Term, TermKind, Var},
    value::{MapValue, Value},
};

pub(crate) use instance::Instance;

pub(crate) type Known = Result<Value, Unknown>;

pub(crate) fn unknown<T>(what: impl Into<String>) -> Result<T, Unknown> {
    Err(Unknown(what.into()))
}

/// What is known about symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Env {
    /// Values of free variables.
    pub vars: BTreeMap<Var, Value>,
    /// Functions and constants, as maps from argument tuples.
    pub funcs: BTreeMap<Symbol, MapValue>,
    /// Values to try for bound variables and indices of comprehensions.
    pub candidates: BTreeMap<Sort, Vec<Value>>,
    /// If there is one, terms are evaluated in this instance and not in every structure.
    pub instance: Option<Arc<Instance>>,
}

/// The value of `term`.
pub(crate) fn evaluate(term: &Term, env: &Env) -> Known {
    Evaluator { env, nesting: 0 }.term(term, &BTreeMap::new())
}

/// Binders deeper than this are not entered.
const MAX_NESTING: u32 = 8;
/// More instances than this are not tried.
const MAX_INSTANCES: usize = 4096;

struct Evaluator<'a> {
    env: &'a Env,
    nesting: u32,
}

type Locals = BTreeMap<Var, Value>;

impl Evaluator<'_> {
    fn term(&mut self, root: &Term, locals: &Locals) -> Known {
        let mut memo: FxHashMap<Term, Known> = FxHashMap::default();
        let mut tasks = vec![(root.clone(), false)];
        while let Some((term, ready)) = tasks.pop() {
            if memo.contains_key(&term) {
                continue;
            }
            if let (TermKind::App(_, args), false) = (term.kind(), ready) {
                tasks.push((term.clone(), true));
                tasks.extend(args.iter().map(|arg| (arg.clone(), false)));
                continue;
            }
            let mut value = self.node(&term, locals, &memo);
            if let (Some(instance), Sort::Array(..)) = (&self.env.instance, term.sort()) {
                value = value.map(|value| instance.canonical(value, term.sort(), self.env));
            }
            memo.insert(term, value);
        }
        memo.remove(root).unwrap_or_else(|| unknown("not evaluated"))
    }

    fn node(&mut self, term: &Term, locals: &Locals, memo: &FxHashMap<Term, Known>) -> Known {
        match term.kind() {
            TermKind::Var(var) => match locals.get(var).or_else(|| self.env.vars.get(var)) {
                Some(value) => Ok(value.clone()),
                None => unknown(format!("the value of `{}`", source_name(var.name.as_str()))),
            },
            TermKind::Bool(value) => Ok(Value::Bool(*value)),
            TermKind::Int(value) => Ok(Value::Int(value.clone())),
            TermKind::Real(value) => Ok(Value::Real(value.clone())),
            TermKind::BitVec(value, width) => Ok(Value::BitVec(value.clone(), *width)),
            TermKind::String(value) => Ok(Value::String(value.to_string())),
            TermKind::App(op, args) => {
                let args: Vec<Known> = args
                    .iter()
                    .map(|arg| memo.get(arg).cloned().unwrap_or_else(|| unknown("not evaluated")))
                    .collect();
                apply::apply(op, args, term, self.env)
            }
            TermKind::Quant(quant) => self.quant(quant, locals),
            TermKind::Lambda(lambda) => {
                let mut entries = Vec::new();
                let (tuples, complete) = self.instances(&lambda.bound)?;
                for tuple in tuples {
                    let inner = extended(locals, &lambda.bound, &tuple);
                    // An unknown element stays unknown, unless others would hide it.
                    match self.nested(&lambda.body, &inner) {
                        Ok(value) => entries.push((tuple, value)),
                        Err(what) if complete => return Err(what),
                        Err(_) => {}
                    }
                }
                Ok(Value::Map(MapValue::new(entries, None)))
            }
        }
    }

    fn nested(&mut self, body: &Term, locals: &Locals) -> Known {
        if self.nesting >= MAX_NESTING {
            return unknown("binders nested too deeply");
        }
        self.nesting += 1;
        let value = self.term(body, locals);
        self.nesting -= 1;
        value
    }

    /// `forall` looks for a counterexample, `exists` for a witness; only a sort whose
    /// candidates are all its values gives the other answer.
    fn quant(&mut self, quant: &Quant, locals: &Locals) -> Known {
        let decisive = Value::Bool(quant.kind == QuantKind::Exists);
        let (tuples, mut complete) = match self.guarded(quant, locals) {
            Some(tuples) => (tuples, true),
            None => self.instances(&quant.bound)?,
        };
        let mut open = None;
        for tuple in tuples {
            match self.nested(&quant.body, &extended(locals, &quant.bound, &tuple)) {
                Ok(value) if value == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(what) => {
                    complete = false;
                    open.get_or_insert(what);
                }
            }
        }
        if complete {
            return Ok(Value::Bool(quant.kind == QuantKind::Forall));
        }
        let names: Vec<&str> =
            quant.bound.iter().map(|bound| source_name(bound.var.name.as_str())).collect();
        let word = match quant.kind {
            QuantKind::Forall => "forall",
            QuantKind::Exists => "exists",
        };
        let why = open.map_or(String::new(), |what| format!(" ({what})"));
        unknown(format!("`{word} {}`{why}", names.join(", ")))
    }

    /// Candidate tuples, and whether they are all tuples there are.
    fn instances(&self, bound: &[Bound]) -> Result<(Vec<Vec<Value>>, bool), Unknown> {
        let mut tuples = vec![Vec::new()];
        let mut complete = true;
        for Bound { var, .. } in bound {
            let values = if var.sort == Sort::Bool {
                vec![Value::Bool(false), Value::Bool(true)]
            } else {
                let instance = self.env.instance.as_ref();
                complete &= instance.is_some_and(|it| it.complete.contains(&var.sort));
                self.env.candidates.get(&var.sort).cloned().unwrap_or_default()
            };
            if tuples.len() * values.len() > MAX_INSTANCES {
                return unknown("too many instances of a quantifier");
            }
            let longer = |tuple: &Vec<Value>| {
                let extend =
                    |value: &Value| tuple.iter().chain([value]).cloned().collect::<Vec<_>>();
                values.iter().map(extend).collect::<Vec<_>>()
            };
            tuples = tuples.iter().flat_map(longer).collect();
        }
        Ok((tuples, complete))
    }
}

fn extended(locals: &Locals, bound: &[Bound], tuple: &[Value]) -> Locals {
    let mut inner = locals.clone();
    inner.extend(bound.iter().zip(tuple).map(|(bound, value)| (bound.var.clone(), value.clone())));
    inner
}
