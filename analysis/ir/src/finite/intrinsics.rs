//! Functions of the libraries that their bodies do not say how to compute.
//!
//! **In:** values. **Out:** the value; nothing where the body of the function, if it has one, will do.

use num_bigint::BigInt;

use crate::{
    carriers::least,
    layer::Intrinsic,
    term::FuncSym,
    value::{Data, MapValue, Value},
};

use super::{Env, Known, unknown};

pub(super) fn apply(
    intrinsic: Intrinsic,
    symbol: &FuncSym,
    args: &[Value],
    env: &Env,
) -> Option<Known> {
    let instance = env.instance.as_deref()?;
    let or_unknown = |value: Option<Value>| {
        value.map_or_else(|| unknown(format!("`{}` of these values", symbol.name)), Ok)
    };
    match (intrinsic, args) {
        (Intrinsic::Default, []) => Some(or_unknown(least(&instance.signature, &symbol.result))),
        (Intrinsic::Choice, [Value::Map(set)]) => {
            let (indices, _) = symbol.args.first()?.as_array()?;
            let all = env.candidates.get(indices.first()?)?;
            let member = |it: &&Value| set.row(&[(*it).clone()]) == Some(&Value::Bool(true));
            Some(or_unknown(all.iter().find(member).or(all.first()).cloned()))
        }
        (Intrinsic::SetSize, [Value::Map(set)]) => {
            let finite = set.default() == Some(&Value::Bool(false));
            let size = || Value::Int(set.entries().count().into());
            Some(or_unknown(finite.then(size)))
        }
        (Intrinsic::Range, [Value::Int(from), Value::Int(count)]) => {
            Some(or_unknown(range(from, count)))
        }
        (Intrinsic::VecConcat, [one, two]) => {
            let joined = items(one).zip(items(two)).map(|(one, two)| [one, two].concat());
            Some(or_unknown(joined.and_then(|items| vector(one, items))))
        }
        (Intrinsic::VecSlice, [whole, Value::Int(from), Value::Int(to)]) => {
            let part = items(whole).and_then(|items| {
                let (from, to) = (usize::try_from(from), usize::try_from(to));
                let part = match (from, to) {
                    (Ok(from), Ok(to)) if from < to => items.get(from..to),
                    _ => None,
                };
                vector(whole, part.unwrap_or_default().to_vec())
            });
            Some(or_unknown(part))
        }
        (Intrinsic::Between, [next, x, y, z]) => Some(or_unknown(between(next, x, y, z))),
        (Intrinsic::Avoiding, [next, x, y, z]) => Some(or_unknown(avoiding(next, x, y, z))),
        (Intrinsic::StackAbs, [start, nodes]) => {
            let values = listed(start, nodes).map(|it| it.into_iter().rev().collect::<Vec<_>>());
            let empty = least(&instance.signature, &symbol.result);
            Some(or_unknown(values.zip(empty).and_then(|(it, empty)| vector(&empty, it))))
        }
        (Intrinsic::SetAbs, [start, nodes]) => {
            let set = |values: Vec<Value>| {
                let entries = values.into_iter().map(|it| (vec![it], Value::Bool(true)));
                Value::Map(MapValue::new(entries, Some(Value::Bool(false))))
            };
            Some(or_unknown(listed(start, nodes).map(set)))
        }
        (Intrinsic::QueueAbs, [before, start, nodes]) => {
            let all = items(before).zip(listed(start, nodes));
            Some(or_unknown(all.and_then(|(one, two)| vector(before, [one, two].concat()))))
        }
        _other => None,
    }
}

/// Longer ranges, vectors and lists are not made.
const MOST: usize = 4096;

fn range(from: &BigInt, count: &BigInt) -> Option<Value> {
    let count = usize::try_from(count).unwrap_or(0);
    if count > MOST {
        return None;
    }
    let entry = |nth: usize| (vec![Value::Int(from + BigInt::from(nth))], Value::Bool(true));
    Some(Value::Map(MapValue::new((0..count).map(entry), Some(Value::Bool(false)))))
}

/// The elements of a vector of the library.
fn items(vector: &Value) -> Option<Vec<Value>> {
    let Value::Data(Data { fields, .. }) = vector else { return None };
    let [Value::Map(contents), Value::Int(length)] = &fields[..] else { return None };
    let length = usize::try_from(length).ok().filter(|length| *length <= MOST)?;
    let item = |nth: usize| contents.row(&[Value::Int(nth.into())]).cloned();
    (0..length).map(item).collect()
}

/// A vector with these elements; `like` is another one of its type.
fn vector(like: &Value, items: Vec<Value>) -> Option<Value> {
    let Value::Data(data) = like else { return None };
    let [Value::Map(contents), Value::Int(_)] = &data.fields[..] else { return None };
    let default = contents.default().cloned();
    let length = Value::Int(items.len().into());
    let entries = items.into_iter().enumerate();
    let entries = entries.map(|(nth, item)| (vec![Value::Int(nth.into())], item));
    let contents = Value::Map(MapValue::new(entries, default));
    Some(Value::Data(Data { fields: vec![contents, length], ..data.clone() }))
}

/// What `Some(l)` holds; `Some(None)` for `None()`.
fn address(value: &Value) -> Option<Option<&Value>> {
    let Value::Data(data) = value else { return None };
    Some(data.fields.first())
}

/// The node at an address.
fn node<'a>(nodes: &'a MapValue, at: &Value) -> Option<&'a Data> {
    let key = nodes.entries().next().map(|(key, _)| key.to_vec());
    // The key is `One(l)`; its shape is that of any other key, or does not matter.
    let found = match key.as_deref() {
        Some([Value::Data(one)]) => {
            nodes.row(&[Value::Data(Data { fields: vec![at.clone()], ..one.clone() })])
        }
        _other => nodes.default(),
    };
    match found {
        Some(Value::Data(node)) => Some(node),
        _other => None,
    }
}

/// The addresses from `x` on, `None()` at the end left out; and whether the way ends there (it runs
/// into itself otherwise).
fn way<'a>(nodes: &'a Value, x: &'a Value) -> Option<(Vec<&'a Value>, bool)> {
    let Value::Map(nodes) = nodes else { return None };
    let mut met = Vec::new();
    let mut at = x;
    while let Some(here) = address(at)? {
        if met.contains(&here) {
            return Some((met, false));
        }
        met.push(here);
        at = node(nodes, here)?.fields.first()?;
    }
    Some((met, true))
}

/// The position of `y` on the way; that of `None()` is behind the last address.
fn position(met: &[&Value], ends: bool, y: &Value) -> Option<Option<usize>> {
    Some(match address(y)? {
        None => ends.then_some(met.len()),
        Some(y) => met.iter().position(|it| *it == y),
    })
}

fn between(nodes: &Value, x: &Value, y: &Value, z: &Value) -> Option<Value> {
    let (met, ends) = way(nodes, x)?;
    let (y, z) = (position(&met, ends, y)?, position(&met, ends, z)?);
    Some(Value::Bool(matches!((y, z), (Some(y), Some(z)) if y <= z)))
}

fn avoiding(nodes: &Value, x: &Value, y: &Value, z: &Value) -> Option<Value> {
    let (met, ends) = way(nodes, x)?;
    let (y, z) = (position(&met, ends, y)?, position(&met, ends, z)?);
    Some(Value::Bool(y.is_some_and(|y| z.is_none_or(|z| y <= z))))
}

/// The values of the list from `start` in `nodes`, a `Map (One Loc) (Node V)`; nothing if it has no end.
fn listed(start: &Value, nodes: &Value) -> Option<Vec<Value>> {
    let Value::Data(Data { fields, .. }) = nodes else { return None };
    let [_, values] = &fields[..] else { return None };
    let (met, ends) = way(values, start)?;
    let Value::Map(values) = values else { return None };
    let value = |at: &&Value| node(values, at)?.fields.get(1).cloned();
    if ends { met.iter().map(value).collect() } else { None }
}
