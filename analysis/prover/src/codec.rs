//! Values in stored records.
//!
//! **In:** a [`Value`]. **Out:** the same as data that can be written, and back. Numbers are
//! kept as decimal text. What does not read back is `None`; it is not shown.

use ir::{Data, Element, MapValue, Segment, Value, Wrapping};
use num_bigint::BigInt;
use num_rational::BigRational;
use serde::{Deserialize, Serialize};

type StoredSegment = (Option<String>, StoredValue, String);

/// A value that can be written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum StoredValue {
    Bool(bool),
    Int(String),
    Real(String, String),
    BitVec(String, u32),
    String(String),
    Element(String, u32),
    Data(String, u32, String, Vec<StoredValue>),
    Map(Vec<(Vec<StoredValue>, StoredValue)>, Option<Box<StoredValue>>),
    Seq(Vec<StoredValue>),
    Opaque(String),
    /// First index, element at zero, slope.
    Segments(Vec<StoredSegment>),
    /// The same by integers in this datatype, made by this constructor.
    Wrapped(String, String, Vec<StoredSegment>),
}

impl From<&Value> for StoredValue {
    fn from(value: &Value) -> StoredValue {
        let all = |values: &[Value]| values.iter().map(StoredValue::from).collect::<Vec<_>>();
        match value {
            Value::Bool(value) => StoredValue::Bool(*value),
            Value::Int(value) => StoredValue::Int(value.to_string()),
            Value::Real(value) => {
                StoredValue::Real(value.numer().to_string(), value.denom().to_string())
            }
            Value::BitVec(value, width) => StoredValue::BitVec(value.to_string(), *width),
            Value::String(text) => StoredValue::String(text.clone()),
            Value::Element(element) => {
                StoredValue::Element(element.sort.as_str().to_owned(), element.index)
            }
            Value::Data(data) => StoredValue::Data(
                data.datatype.as_str().to_owned(),
                data.ctor,
                data.name.as_str().to_owned(),
                all(&data.fields),
            ),
            Value::Map(map) if !map.segments().is_empty() => {
                let stored = |it: &Segment| {
                    let from = it.from.as_ref().map(ToString::to_string);
                    (from, StoredValue::from(&it.base), it.slope.to_string())
                };
                let segments = map.segments().iter().map(stored).collect();
                match map.wrapping() {
                    None => StoredValue::Segments(segments),
                    Some(Wrapping { datatype, name }) => StoredValue::Wrapped(
                        datatype.as_str().to_owned(),
                        name.as_str().to_owned(),
                        segments,
                    ),
                }
            }
            Value::Map(map) => StoredValue::Map(
                map.entries()
                    .map(|(index, value)| (all(index), StoredValue::from(value)))
                    .collect(),
                map.default().map(|value| Box::new(StoredValue::from(value))),
            ),
            Value::Seq(items) => StoredValue::Seq(all(items)),
            Value::Opaque(text) => StoredValue::Opaque(text.clone()),
        }
    }
}

impl StoredValue {
    pub(crate) fn to_value(&self) -> Option<Value> {
        let all = |values: &[StoredValue]| {
            values.iter().map(StoredValue::to_value).collect::<Option<Vec<_>>>()
        };
        Some(match self {
            StoredValue::Bool(value) => Value::Bool(*value),
            StoredValue::Int(text) => Value::Int(text.parse().ok()?),
            StoredValue::Real(above, below) => {
                let (above, below): (BigInt, BigInt) = (above.parse().ok()?, below.parse().ok()?);
                if below == BigInt::from(0) {
                    return None;
                }
                Value::Real(BigRational::new(above, below))
            }
            StoredValue::BitVec(text, width) => Value::BitVec(text.parse().ok()?, *width),
            StoredValue::String(text) => Value::String(text.clone()),
            StoredValue::Element(sort, index) => {
                Value::Element(Element { sort: sort.as_str().into(), index: *index })
            }
            StoredValue::Data(datatype, ctor, name, fields) => Value::Data(Data {
                datatype: datatype.as_str().into(),
                ctor: *ctor,
                name: name.as_str().into(),
                fields: all(fields)?,
            }),
            StoredValue::Map(entries, default) => {
                let mut read = Vec::new();
                for (index, value) in entries {
                    read.push((all(index)?, value.to_value()?));
                }
                let default = match default {
                    Some(value) => Some(value.to_value()?),
                    None => None,
                };
                Value::Map(MapValue::new(read, default))
            }
            StoredValue::Segments(parts) => segments(parts, None)?,
            StoredValue::Wrapped(datatype, name, parts) => {
                let (datatype, name) = (datatype.as_str().into(), name.as_str().into());
                segments(parts, Some(Wrapping { datatype, name }))?
            }
            StoredValue::Seq(items) => Value::Seq(all(items)?),
            StoredValue::Opaque(text) => Value::Opaque(text.clone()),
        })
    }
}

/// Segments in ascending order, the first without a start; sums only of integers.
fn segments(parts: &[StoredSegment], wrapping: Option<Wrapping>) -> Option<Value> {
    let mut read: Vec<Segment> = Vec::new();
    for (from, base, slope) in parts {
        let from: Option<BigInt> = match from {
            Some(text) => Some(text.parse().ok()?),
            None => None,
        };
        let (base, slope): (Value, BigInt) = (base.to_value()?, slope.parse().ok()?);
        let is_number = matches!(base, Value::Int(_));
        let ascends = match read.last() {
            Some(last) => from.is_some() && last.from < from,
            None => from.is_none(),
        };
        if !ascends || (slope != BigInt::from(0) && !is_number) {
            return None;
        }
        read.push(Segment { from, base, slope });
    }
    (!read.is_empty()).then(|| Value::Map(MapValue::wrapped(read, wrapping)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_in_segments_are_read_as_they_were_written() {
        let int = |value: i32| Value::Int(value.into());
        let all = vec![
            Segment { from: None, base: int(1), slope: 0.into() },
            Segment { from: Some((-2).into()), base: int(3), slope: 2.into() },
        ];
        let map = Value::Map(MapValue::piecewise(all));
        let stored = StoredValue::from(&map);
        assert_eq!(stored.to_value(), Some(map));
        let StoredValue::Segments(mut parts) = stored else { panic!("{stored:?}") };
        parts.reverse();
        let wrapping = Wrapping { datatype: "One int".into(), name: "One".into() };
        let segment = |from: Option<i32>, base: bool| Segment {
            from: from.map(Into::into),
            base: Value::Bool(base),
            slope: 0.into(),
        };
        let halves = vec![segment(None, false), segment(Some(3), true)];
        let wrapped = Value::Map(MapValue::wrapped(halves, Some(wrapping)));
        assert_eq!(StoredValue::from(&wrapped).to_value(), Some(wrapped));
        assert_eq!(segments(&parts, None), None);
        assert_eq!(segments(&[], None), None);
    }
}
