//! Evaluation in one finite instance, where everything has a value.
//!
//! **In:** an [`Instance`]: which sorts are finite and enumerated, what functions mean. **Out:** the
//! value of an operator that general evaluation leaves open.
//!
//! # Invariants
//! - Every map over enumerated indices has the least element as default and no entries that equal it
//!   ([`Instance::canonical`]). So equal values are equal as data, and equality is decided.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    carriers::{least, tuples},
    layer::Function,
    op::Op,
    sort::{Signature, Sort},
    symbol::Symbol,
    term::Term,
    value::{MapValue, Value},
};

use super::{Env, Evaluator, Known, Locals, apply::is_total, intrinsics, unknown};

/// A finite instance of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Instance {
    /// What functions mean.
    pub(crate) functions: BTreeMap<Symbol, Function>,
    /// The datatypes.
    pub(crate) signature: Signature,
    /// The sorts whose candidates ([`Env::candidates`]) are all values they have.
    pub(crate) complete: BTreeSet<Sort>,
}

impl Instance {
    /// The value, with its maps over enumerated indices as they have to be.
    pub(crate) fn canonical(&self, value: Value, sort: &Sort, env: &Env) -> Value {
        let (Value::Map(map), Some((indices, element))) = (&value, sort.as_array()) else {
            return value;
        };
        if !indices.iter().all(|index| self.complete.contains(index)) {
            return value;
        }
        let axes = indices.iter().map(|index| env.candidates.get(index).cloned());
        let axes: Option<Vec<Vec<Value>>> = axes.collect();
        let keys = axes.and_then(|axes| tuples(&axes));
        let (Some(keys), Some(least)) = (keys, least(&self.signature, element)) else {
            return value;
        };
        let mut entries = Vec::with_capacity(keys.len());
        for key in keys {
            let Some(found) = map.get(&key) else { return value };
            entries.push((key, found.clone()));
        }
        Value::Map(MapValue::new(entries, Some(least)))
    }
}

/// The value of `op(args)` if the instance knows more about it than general evaluation.
pub(super) fn apply(op: &Op, args: &[Value], env: &Env) -> Option<Known> {
    let instance = env.instance.as_deref()?;
    match (op, args) {
        (Op::Eq, [left, right]) => {
            let total = is_total(left) && is_total(right);
            total.then(|| Ok(Value::Bool(left == right)))
        }
        (Op::Distinct, values) if values.iter().all(is_total) => {
            let different: BTreeSet<&Value> = values.iter().collect();
            Some(Ok(Value::Bool(different.len() == values.len())))
        }
        (Op::Select, [Value::Map(map), index @ ..]) => map.row(index).cloned().map(Ok),
        (Op::Store, [Value::Map(map), index @ .., value]) => {
            Some(Ok(Value::Map(map.set(index.to_vec(), value.clone()))))
        }
        (Op::Func(symbol), args) => {
            let function = instance.functions.get(&symbol.name)?;
            if let Some(intrinsic) = function.intrinsic
                && let Some(value) = intrinsics::apply(intrinsic, symbol, args, env)
            {
                return Some(value);
            }
            let definition = function.definition.as_ref()?;
            let locals = definition.params.iter().cloned().zip(args.iter().cloned());
            Some(evaluate_body(&definition.body, locals.collect(), env))
        }
        _other => None,
    }
}

/// Bodies of functions call each other at most this deep.
const MOST_CALLS: u32 = 64;

fn evaluate_body(body: &Term, locals: Locals, env: &Env) -> Known {
    thread_local! {
        static DEPTH: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }
    let depth = DEPTH.get();
    if depth >= MOST_CALLS {
        return unknown("functions that call each other too deeply");
    }
    DEPTH.set(depth + 1);
    let value = Evaluator { env, nesting: 0 }.term(body, &locals);
    DEPTH.set(depth);
    value
}
