//! Operators on values that may be unknown. What maps, functions and datatypes are depends on the instance;
//! everything else is as in [`crate::eval`].

use std::{collections::BTreeSet, iter::once};

use super::{Env, Known, instance, unknown};
use crate::{
    eval::apply::{
        all_plain, bit_vector, exact, has_plain_indices, is_infinite, junction, negate, numeric,
        sequence, truth,
    },
    op::{Op, PointwiseOp},
    sort::Sort,
    term::Term,
    value::{Data, MapValue, Value},
};

/// The value of `op(args)`; `term` is that application.
pub(super) fn apply(op: &Op, args: Vec<Known>, term: &Term, env: &Env) -> Known {
    match op {
        Op::And => junction(args, true),
        Op::Or => junction(args, false),
        Op::Implies => {
            let mut args = args.into_iter();
            let premise = args.next().map_or_else(|| unknown("no premise"), negate);
            junction(once(premise).chain(args).collect(), false)
        }
        Op::Ite => choose(args),
        // Everything else needs all its arguments.
        Op::Not
        | Op::Eq
        | Op::Distinct
        | Op::Add
        | Op::Sub
        | Op::Mul
        | Op::IntDiv
        | Op::IntMod
        | Op::RealDiv
        | Op::Neg
        | Op::Lt
        | Op::Le
        | Op::Gt
        | Op::Ge
        | Op::ToReal
        | Op::ToInt
        | Op::Pow
        | Op::Select
        | Op::Store
        | Op::ConstArray(_)
        | Op::MapOp(_)
        | Op::Ctor(..)
        | Op::Field(..)
        | Op::Is(..)
        | Op::Func(_)
        | Op::SeqEmpty(_)
        | Op::SeqLen
        | Op::SeqConcat
        | Op::SeqUnit
        | Op::SeqNth
        | Op::SeqExtract
        | Op::BvConcat
        | Op::BvExtract { .. }
        | Op::Builtin(..) => strict(op, args.into_iter().collect::<Result<_, _>>()?, term, env),
    }
}

fn strict(op: &Op, args: Vec<Value>, term: &Term, env: &Env) -> Known {
    if let Some(value) = instance::apply(op, &args, env) {
        return value;
    }
    match (op, args.as_slice()) {
        (Op::Not, [value]) => negate(Ok(value.clone())),
        (Op::Eq, [left, right]) => {
            let sort = term.as_app().map_or(&Sort::Bool, |(_, args)| args[0].sort());
            equal(left, right, sort).map_or_else(|| unknown("equality of partly known maps"), truth)
        }
        (Op::Distinct, values) => {
            let sort = term.as_app().map_or(&Sort::Bool, |(_, args)| args[0].sort());
            distinct(values, sort)
        }
        (Op::Select, [Value::Map(map), index @ ..]) => {
            lookup(map, index).cloned().map_or_else(|| unknown("an element of a map"), Ok)
        }
        (Op::Store, [Value::Map(map), index @ .., value]) if index.iter().all(is_plain) => {
            Ok(Value::Map(map.set(index.to_vec(), value.clone())))
        }
        (Op::ConstArray(_), [value]) => Ok(Value::Map(MapValue::new([], Some(value.clone())))),
        (Op::MapOp(op), maps) => pointwise(*op, maps),
        (Op::Ctor(def, ctor), fields) => {
            let name = def.ctors().get(*ctor as usize).map(|ctor| ctor.name.clone());
            let Some(name) = name else { return unknown("a constructor") };
            let datatype = def.name().clone();
            Ok(Value::Data(Data { datatype, ctor: *ctor, name, fields: fields.to_vec() }))
        }
        (Op::Field(_, ctor, field), [Value::Data(data)]) if data.ctor == *ctor => {
            data.fields.get(*field as usize).cloned().map_or_else(|| unknown("a field"), Ok)
        }
        (Op::Field(..), _) => unknown("a field of another constructor"),
        (Op::Is(_, ctor), [Value::Data(data)]) => truth(data.ctor == *ctor),
        (Op::Func(func), args) => {
            match env.funcs.get(&func.name).and_then(|table| lookup(table, args)) {
                Some(value) => Ok(value.clone()),
                None => unknown(format!(
                    "the function `{}`",
                    crate::source::source_name(func.name.as_str())
                )),
            }
        }
        (Op::SeqEmpty(_), []) => Ok(Value::Seq(vec![])),
        (Op::SeqLen | Op::SeqConcat | Op::SeqUnit | Op::SeqNth | Op::SeqExtract, args) => {
            sequence(op, args)
        }
        (Op::BvConcat | Op::BvExtract { .. }, args) => bit_vector(op, args),
        (_, args) => numeric(op, args),
    }
}

/// The element at `index`. An index that holds a map may have several representations,
/// so it is found only where there are no entries to miss.
fn lookup<'a>(map: &'a MapValue, index: &[Value]) -> Option<&'a Value> {
    let certain = index.iter().all(is_plain) || map.entries().next().is_none();
    if certain { map.row(index) } else { None }
}

fn choose(args: Vec<Known>) -> Known {
    let [test, yes, no] = <[Known; 3]>::try_from(args).or_else(|_| unknown("a choice"))?;
    match test {
        Ok(Value::Bool(true)) => yes,
        Ok(Value::Bool(false)) => no,
        Ok(other) => unknown(format!("the truth of {other}")),
        Err(what) => {
            if yes.is_ok() && yes == no {
                yes
            } else {
                Err(what)
            }
        }
    }
}

/// Are two values of `sort` the same? `None`: not known.
///
/// Unequal representations of maps may denote the same map if the index sort is finite,
/// because the default may then be nobody's element.
fn equal(left: &Value, right: &Value, sort: &Sort) -> Option<bool> {
    match (left, right) {
        (Value::Map(left), Value::Map(right)) => equal_maps(left, right, sort),
        (Value::Opaque(one), Value::Opaque(two)) => (one == two).then_some(true),
        (Value::Seq(one), Value::Seq(two)) => {
            let Sort::Seq(element) = sort else { return None };
            if one.len() != two.len() {
                Some(false)
            } else {
                all_equal(one.iter().zip(two), element)
            }
        }
        (Value::Data(one), Value::Data(two)) => {
            if one.ctor != two.ctor {
                return Some(false);
            }
            // The sorts of fields are not at hand: plain values compare as they are.
            if one == two { exact(left) } else { all_plain(one, two) }
        }
        _ => Some(left == right),
    }
}

fn all_equal<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>, sort: &Sort) -> Option<bool> {
    let mut known = Some(true);
    for (one, two) in pairs {
        match equal(one, two, sort) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = None,
        }
    }
    known
}

pub(super) fn is_total(value: &Value) -> bool {
    match value {
        Value::Map(map) => {
            map.default().is_some_and(is_total)
                && map
                    .entries()
                    .all(|(index, element)| index.iter().all(is_total) && is_total(element))
        }
        Value::Data(data) => data.fields.iter().all(is_total),
        Value::Seq(items) => items.iter().all(is_total),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::BitVec(..)
        | Value::String(_)
        | Value::Element(_)
        | Value::Opaque(_) => true,
    }
}

fn is_plain(value: &Value) -> bool {
    match value {
        Value::Map(_) | Value::Opaque(_) => false,
        Value::Data(data) => data.fields.iter().all(is_plain),
        Value::Seq(items) => items.iter().all(is_plain),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::BitVec(..)
        | Value::String(_)
        | Value::Element(_) => true,
    }
}

fn equal_maps(left: &MapValue, right: &MapValue, sort: &Sort) -> Option<bool> {
    let (indices, element) = sort.as_array()?;
    if !has_plain_indices(left) || !has_plain_indices(right) {
        return None;
    }
    let keys: BTreeSet<&[Value]> =
        left.entries().chain(right.entries()).map(|(index, _)| index).collect();
    let mut known = Some(true);
    for key in keys {
        match left.row(key).zip(right.row(key)).and_then(|(one, two)| equal(one, two, element)) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = None,
        }
    }
    let (one, two) = (left.default()?, right.default()?);
    match equal(one, two, element) {
        Some(true) => known,
        // Finitely many entries cannot cover an infinite sort.
        Some(false) if indices.iter().any(is_infinite) => Some(false),
        Some(false) | None => None,
    }
}

fn distinct(values: &[Value], sort: &Sort) -> Known {
    let mut open = false;
    for (nth, value) in values.iter().enumerate() {
        for other in &values[..nth] {
            match equal(value, other, sort) {
                Some(true) => return truth(false),
                Some(false) => {}
                None => open = true,
            }
        }
    }
    if open { unknown("equality of partly known maps") } else { truth(true) }
}

fn pointwise(op: PointwiseOp, maps: &[Value]) -> Known {
    let mut tables = Vec::with_capacity(maps.len());
    for map in maps {
        let Value::Map(map) = map else { return unknown("a map") };
        if !has_plain_indices(map) {
            return unknown("a pointwise operation on maps over maps");
        }
        tables.push(map);
    }
    let element = |values: Option<Vec<&Value>>| {
        let values: Vec<Value> = values?.into_iter().cloned().collect();
        element_value(op, values)
    };
    let keys: BTreeSet<&[Value]> =
        tables.iter().flat_map(|map| map.entries()).map(|(index, _)| index).collect();
    let default = element(tables.iter().map(|map| map.default()).collect());
    let mut entries = Vec::new();
    let mut partial = false;
    for key in keys {
        match element(tables.iter().map(|map| map.row(key)).collect()) {
            Some(value) => entries.push((key.to_vec(), value)),
            None => partial = true,
        }
    }
    // An index whose element is unknown must not be covered by the default.
    let default = if partial { None } else { default };
    Ok(Value::Map(MapValue::new(entries, default)))
}

fn element_value(op: PointwiseOp, values: Vec<Value>) -> Option<Value> {
    match (op, values.as_slice()) {
        (PointwiseOp::Eq | PointwiseOp::Iff, [left, right]) => {
            (is_plain(left) && is_plain(right)).then(|| Value::Bool(left == right))
        }
        (PointwiseOp::And, _) => junction(values.into_iter().map(Ok).collect(), true).ok(),
        (PointwiseOp::Or, _) => junction(values.into_iter().map(Ok).collect(), false).ok(),
        (PointwiseOp::Implies, [premise, conclusion]) => {
            let premise = negate(Ok(premise.clone()));
            junction(vec![premise, Ok(conclusion.clone())], false).ok()
        }
        (PointwiseOp::Not, [value]) => negate(Ok(value.clone())).ok(),
        (PointwiseOp::Ite, _) => choose(values.into_iter().map(Ok).collect()).ok(),
        _ => numeric(&op.element_op(), &values).ok(),
    }
}
