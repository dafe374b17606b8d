//! Values and how they differ, as people read them.
//!
//! **In:** values of a trace. **Out:** short text in source terms.
//!
//! # Invariants
//! - A map is shown by what is special about it: its entries beside the usual one, and after a step
//!   only the entries that the step changed.
//! - Text longer than [`LONGEST_VALUE`] is cut at its end and says so.

use ir::{Data, MapValue, Signature, Value};

/// Longer values are cut at the end.
const LONGEST_VALUE: usize = 100;
/// More changed entries than this are shown as one new value.
const MOST_ENTRIES: usize = 4;

/// Values that are shorter are not taken apart.
const SHORT_VALUE: usize = 24;

/// One part of the state that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// The variable, with the path to the part: `slots[Tid#0]`, `node->next`.
    pub(super) path: String,
    pub(super) before: String,
    pub(super) after: String,
}

/// What a key has that is not in a map.
const ABSENT: &str = "absent";

/// A value as text.
pub(super) fn shown(value: &Value) -> String {
    let text = whole(value);
    if text.chars().count() <= LONGEST_VALUE {
        return text;
    }
    text.chars().take(LONGEST_VALUE).chain(['…']).collect()
}

fn whole(value: &Value) -> String {
    match value {
        Value::Data(data) => match library_map(data) {
            Some((keys, values)) => {
                let entry = |key: &[Value]| {
                    let value = values.get(key).map_or_else(|| "…".to_owned(), |it| whole(&it));
                    format!("{} ↦ {value}", list(key))
                };
                let entries: Vec<String> = keys.entries().map(|(key, _)| entry(key)).collect();
                format!("Map{{{}}}", entries.join(", "))
            }
            None => match library_set(data) {
                Some(set) => {
                    let members: Vec<String> = set.entries().map(|(key, _)| list(key)).collect();
                    format!("Set{{{}}}", members.join(", "))
                }
                None => format!("{}({})", data.name, list(&data.fields)),
            },
        },
        Value::Map(map) if !map.segments().is_empty() => map.to_string(),
        Value::Map(map) => {
            let entries =
                map.entries().map(|(key, value)| format!("{} ↦ {}", list(key), whole(value)));
            let rest =
                map.default().map_or_else(|| "…".to_owned(), |it| format!("_ ↦ {}", whole(it)));
            format!("{{{}}}", entries.chain([rest]).collect::<Vec<_>>().join(", "))
        }
        Value::Seq(items) => format!("[{}]", list(items)),
        // A real number that is no fraction, for instance: the solver's text, which nobody reads.
        Value::Opaque(_) => "some value".to_owned(),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::BitVec(..)
        | Value::String(_)
        | Value::Element(_) => value.to_string(),
    }
}

fn list(values: &[Value]) -> String {
    values.iter().map(whole).collect::<Vec<_>>().join(", ")
}

/// The keys and values of a `Map` of the library whose keys can be listed.
fn library_map(data: &Data) -> Option<(&MapValue, &MapValue)> {
    let ("Map", [Value::Map(keys), Value::Map(values)]) =
        (ir::source_name(data.name.as_str()), data.fields.as_slice())
    else {
        return None;
    };
    (keys.default() == Some(&Value::Bool(false))).then_some((keys, values))
}

/// The members of a `Set` of the library whose members can be listed.
fn library_set(data: &Data) -> Option<&MapValue> {
    let ("Set", [Value::Map(members)]) =
        (ir::source_name(data.name.as_str()), data.fields.as_slice())
    else {
        return None;
    };
    (members.default() == Some(&Value::Bool(false))).then_some(members)
}

/// Where two values of a variable differ.
pub(super) fn differences(
    name: &str,
    before: &Value,
    after: &Value,
    signature: &Signature,
) -> Vec<Difference> {
    if before == after {
        return Vec::new();
    }
    let is_short = |value: &Value| whole(value).chars().count() <= SHORT_VALUE;
    let parts = match (before, after) {
        (Value::Data(_), Value::Data(_)) if is_short(before) && is_short(after) => None,
        (Value::Map(old), Value::Map(new))
            if old.default() == new.default() && old.segments() == new.segments() =>
        {
            map_parts(name, old, new, signature)
        }
        (Value::Data(old), Value::Data(new)) => data_parts(name, old, new, signature),
        _ => None,
    };
    parts.filter(|parts| parts.len() <= MOST_ENTRIES).unwrap_or_else(|| {
        vec![Difference { path: name.to_owned(), before: shown(before), after: shown(after) }]
    })
}

fn map_parts(
    name: &str,
    old: &MapValue,
    new: &MapValue,
    signature: &Signature,
) -> Option<Vec<Difference>> {
    let mut parts = Vec::new();
    for key in keys_of(old, new) {
        let (before, after) = (old.get(key)?, new.get(key)?);
        parts.extend(differences(&format!("{name}[{}]", list(key)), &before, &after, signature));
    }
    Some(parts)
}

fn keys_of<'v>(old: &'v MapValue, new: &'v MapValue) -> std::collections::BTreeSet<&'v [Value]> {
    old.entries().chain(new.entries()).map(|(key, _)| key).collect()
}

fn data_parts(
    name: &str,
    old: &Data,
    new: &Data,
    signature: &Signature,
) -> Option<Vec<Difference>> {
    if old.ctor != new.ctor || old.fields.len() != new.fields.len() {
        return None;
    }
    if let (Some(old), Some(new)) = (library_map(old), library_map(new)) {
        return library_parts(name, old, new, signature);
    }
    if library_set(old).is_some() && library_set(new).is_some() {
        return None;
    }
    let def = signature.datatypes.get(&old.datatype)?;
    let fields = &def.ctors().get(old.ctor as usize)?.fields;
    let mut parts = Vec::new();
    for ((field, _), (before, after)) in fields.iter().zip(old.fields.iter().zip(&new.fields)) {
        parts.extend(differences(&format!("{name}->{field}"), before, after, signature));
    }
    Some(parts)
}

fn library_parts(
    name: &str,
    (old_keys, old): (&MapValue, &MapValue),
    (new_keys, new): (&MapValue, &MapValue),
    signature: &Signature,
) -> Option<Vec<Difference>> {
    let mut parts = Vec::new();
    let is_in = |keys: &MapValue, key: &[Value]| keys.get(key) == Some(Value::Bool(true));
    for key in keys_of(old_keys, new_keys) {
        let path = format!("{name}[{}]", list(key));
        match (is_in(old_keys, key), is_in(new_keys, key)) {
            (true, true) => {
                parts.extend(differences(&path, &old.get(key)?, &new.get(key)?, signature));
            }
            (true, false) => {
                let (before, after) = (shown(&old.get(key)?), ABSENT.to_owned());
                parts.push(Difference { path, before, after });
            }
            (false, true) => {
                let (before, after) = (ABSENT.to_owned(), shown(&new.get(key)?));
                parts.push(Difference { path, before, after });
            }
            (false, false) => {}
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i32) -> Value {
        Value::Int(value.into())
    }

    fn map(entries: &[(i32, i32)]) -> Value {
        let entries = entries.iter().map(|(key, value)| (vec![int(*key)], int(*value)));
        Value::Map(MapValue::new(entries, Some(int(0))))
    }

    fn told(before: &Value, after: &Value) -> Vec<String> {
        let found = differences("m", before, after, &Signature::default());
        found.iter().map(|it| format!("{}: {} → {}", it.path, it.before, it.after)).collect()
    }

    #[test]
    fn a_map_is_shown_by_the_entries_that_changed() {
        let (before, after) = (map(&[(1, 5), (2, 6)]), map(&[(1, 5), (2, 7)]));
        assert_eq!(told(&before, &after), ["m[2]: 6 → 7"]);
        assert_eq!(told(&before, &before), Vec::<String>::new());
    }

    #[test]
    fn many_changed_entries_are_one_new_value() {
        let after = map(&[(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]);
        assert_eq!(told(&map(&[]), &after).len(), 1);
    }

    #[test]
    fn maps_and_sets_of_the_library_list_their_keys() {
        let members = Value::Map(MapValue::new(
            [(vec![int(3)], Value::Bool(true))],
            Some(Value::Bool(false)),
        ));
        let data = |name: &str, fields| {
            Value::Data(Data { datatype: name.into(), ctor: 0, name: name.into(), fields })
        };
        assert_eq!(shown(&data("Set", vec![members.clone()])), "Set{3}");
        let some = data("Map", vec![members, map(&[(3, 8)])]);
        assert_eq!(shown(&some), "Map{3 ↦ 8}");
        let none = Value::Map(MapValue::new([], Some(Value::Bool(false))));
        assert_eq!(told(&data("Map", vec![none, map(&[])]), &some), ["m: Map{} → Map{3 ↦ 8}"]);
    }

    #[test]
    fn what_only_the_solver_understands_is_not_shown() {
        assert_eq!(shown(&Value::Opaque("(root-obj x 1)".into())), "some value");
    }
}
