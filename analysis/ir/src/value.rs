//! Values: what variables have in a counterexample.
//!
//! **In:** a solver's model, or the evaluation of a closed term.
//! **Out:** ordered, printable data without any solver in it.
//!
//! # Invariants
//! - Two values of one sort are equal exactly if they denote the same element; maps are
//!   kept without entries that equal the default, so this holds for them as well.

use std::{collections::BTreeMap, fmt};

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::symbol::Symbol;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A real.
    Real(BigRational),
    /// A bit vector: value and width.
    BitVec(BigInt, u32),
    /// A string.
    String(String),
    /// An element of an uninterpreted sort, numbered in order of appearance.
    Element(Element),
    /// A value of a datatype.
    Data(Data),
    /// A map.
    Map(MapValue),
    /// A sequence.
    Seq(Vec<Value>),
    /// A value the solver printed and nobody interprets (floats, regular expressions).
    Opaque(String),
}

/// An element of an uninterpreted sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Element {
    /// The sort.
    pub sort: Symbol,
    /// Its number.
    pub index: u32,
}

/// A value built by a constructor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Data {
    /// The datatype.
    pub datatype: Symbol,
    /// The position of the constructor.
    pub ctor: u32,
    /// The name of the constructor.
    pub name: Symbol,
    /// The fields.
    pub fields: Vec<Value>,
}

/// A map that differs from its default at finitely many known indices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MapValue {
    entries: BTreeMap<Vec<Value>, Value>,
    default: Option<Box<Value>>,
}

impl MapValue {
    /// A map with these entries; `None` as default: unknown at other indices.
    pub fn new(
        entries: impl IntoIterator<Item = (Vec<Value>, Value)>,
        default: Option<Value>,
    ) -> Self {
        let mut entries: BTreeMap<Vec<Value>, Value> = entries.into_iter().collect();
        if let Some(default) = &default {
            entries.retain(|_, value| value != default);
        }
        MapValue { entries, default: default.map(Box::new) }
    }

    /// The element at `index`, if it is known.
    pub fn get(&self, index: &[Value]) -> Option<&Value> {
        self.entries.get(index).or(self.default.as_deref())
    }

    /// The map with another element at `index`.
    pub fn set(&self, index: Vec<Value>, value: Value) -> MapValue {
        let mut map = self.clone();
        if map.default.as_deref() == Some(&value) {
            map.entries.remove(&index);
        } else {
            map.entries.insert(index, value);
        }
        map
    }

    /// The known entries that differ from the default, ordered by index.
    pub fn entries(&self) -> impl Iterator<Item = (&[Value], &Value)> {
        self.entries.iter().map(|(index, value)| (index.as_slice(), value))
    }

    /// The element everywhere else, if it is known.
    pub fn default(&self) -> Option<&Value> {
        self.default.as_deref()
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Real(value) if value.is_integer() => write!(f, "{}.0", value.numer()),
            Value::Real(value) => write!(f, "{value}"),
            Value::BitVec(value, width) => write!(f, "{value}bv{width}"),
            Value::String(value) => write!(f, "{value:?}"),
            // `T@type` stands for a type parameter `T`.
            Value::Element(Element { sort, index }) => {
                write!(f, "{}#{index}", sort.as_str().replace("@type", ""))
            }
            Value::Data(data) => list(f, data.name.as_str(), "(", &data.fields, ")"),
            Value::Map(map) => write!(f, "{map}"),
            Value::Seq(items) => list(f, "", "[", items, "]"),
            Value::Opaque(text) => f.write_str(text),
        }
    }
}

fn list(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    open: &str,
    items: &[Value],
    close: &str,
) -> fmt::Result {
    write!(f, "{name}{open}")?;
    for (nth, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if nth == 0 { "" } else { ", " })?;
    }
    f.write_str(close)
}

impl fmt::Display for MapValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, value) in &self.entries {
            list(f, "", "", index, "")?;
            write!(f, " ↦ {value}, ")?;
        }
        match &self.default {
            Some(default) => write!(f, "_ ↦ {default}}}"),
            None => f.write_str("…}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Data, Element, MapValue, Value};

    fn int(value: i32) -> Value {
        Value::Int(value.into())
    }

    #[test]
    fn maps_with_the_same_elements_are_equal() {
        let one = MapValue::new([(vec![int(1)], int(0)), (vec![int(2)], int(5))], Some(int(0)));
        let two = MapValue::new([], Some(int(0))).set(vec![int(2)], int(5));
        assert_eq!(one, two);
        assert_eq!(one.set(vec![int(2)], int(0)), MapValue::new([], Some(int(0))));
    }

    #[test]
    fn values_print_as_people_write_them() {
        let tid = Value::Element(Element { sort: "Tid".into(), index: 0 });
        let any = Value::Element(Element { sort: "List T@type".into(), index: 2 });
        assert_eq!(any.to_string(), "List T#2");
        let some = Value::Data(Data {
            datatype: "Opt".into(),
            ctor: 1,
            name: "Some".into(),
            fields: vec![tid],
        });
        let map = Value::Map(MapValue::new([(vec![int(3)], some)], Some(int(0))));
        assert_eq!(map.to_string(), "{3 ↦ Some(Tid#0), _ ↦ 0}");
    }
}
