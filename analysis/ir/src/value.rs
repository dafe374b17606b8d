//! Values: what variables have in a counterexample.
//!
//! **In:** a solver's model, or the evaluation of a closed term.
//! **Out:** ordered, printable data without any solver in it.
//!
//! # Invariants
//! - Two values of one sort are equal exactly if they denote the same element; maps are
//!   kept without entries that equal the default, so this holds for them as well.
//! - Maps in segments that look alike are the same, but the same map may be cut in several ways: only
//!   `ir::symbolic` says that two of them differ. They have no default, so whoever knows nothing of
//!   segments takes them for maps that are known in part.

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

/// A map that differs from its default at finitely many known indices, or one from integers in segments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MapValue {
    entries: BTreeMap<Vec<Value>, Value>,
    default: Option<Box<Value>>,
    /// In ascending order, the first without a start; then there are neither entries nor a default.
    segments: Vec<Segment>,
    /// Indices of the segments are integers in this wrapping.
    wrapping: Option<Wrapping>,
}

/// A datatype with one constructor that has one field, an integer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wrapping {
    /// The datatype.
    pub datatype: Symbol,
    /// The name of its constructor.
    pub name: Symbol,
}

impl Wrapping {
    /// The integer as a value of the datatype.
    pub fn around(&self, number: BigInt) -> Value {
        let (datatype, name) = (self.datatype.clone(), self.name.clone());
        Value::Data(Data { datatype, ctor: 0, name, fields: vec![Value::Int(number)] })
    }
}

/// A part of a map from integers, up to the start of the next one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Segment {
    /// The first index, if there is one.
    pub from: Option<BigInt>,
    /// The element at index zero, which is the one everywhere unless there is a slope.
    pub base: Value,
    /// How much it grows from each index to the next.
    pub slope: BigInt,
}

impl Segment {
    /// The element at an index of this segment.
    fn at(&self, index: &BigInt) -> Value {
        if let Value::Int(base) = &self.base {
            return Value::Int(base + &self.slope * index);
        }
        self.base.clone()
    }
}

/// So many indices between two segments with the same element are written as entries.
const MOST_ENTRIES: u32 = 24;

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
        MapValue { entries, default: default.map(Box::new), segments: Vec::new(), wrapping: None }
    }

    /// The map from integers with these segments, which ascend; the first has no start.
    pub fn piecewise(segments: Vec<Segment>) -> Self {
        MapValue::wrapped(segments, None)
    }

    /// The same from wrapped integers.
    pub fn wrapped(segments: Vec<Segment>, wrapping: Option<Wrapping>) -> Self {
        let mut kept: Vec<Segment> = Vec::new();
        for (nth, segment) in segments.iter().enumerate() {
            let mut segment = segment.clone();
            let next = segments.get(nth + 1).and_then(|next| next.from.as_ref());
            // A single index has an element, and no slope.
            if let Some(from) = segment.from.clone()
                && next.is_some_and(|next| *next == &from + 1)
            {
                segment.base = segment.at(&from);
                segment.slope = BigInt::from(0);
            }
            let same =
                |last: &Segment| (&last.base, &last.slope) == (&segment.base, &segment.slope);
            if !kept.last().is_some_and(same) {
                kept.push(segment);
            }
        }
        Self::as_table(&kept, wrapping.as_ref()).unwrap_or_else(|| MapValue {
            entries: BTreeMap::new(),
            default: None,
            segments: kept,
            wrapping,
        })
    }

    /// Segments that are one element with few exceptions, as entries.
    fn as_table(segments: &[Segment], wrapping: Option<&Wrapping>) -> Option<Self> {
        let (first, last) = (segments.first()?, segments.last()?);
        let is_flat = first.slope == BigInt::from(0) && first.slope == last.slope;
        if !is_flat || first.base != last.base || first.from.is_some() {
            return None;
        }
        let mut entries = Vec::new();
        if let (Some(second), Some(end)) = (segments.get(1), &last.from) {
            let start = second.from.clone()?;
            if end - &start > BigInt::from(MOST_ENTRIES) {
                return None;
            }
            let mut at = start;
            while at < *end {
                let own =
                    segments.iter().rev().find(|it| it.from.as_ref().is_none_or(|it| *it <= at));
                let index =
                    wrapping.map_or_else(|| Value::Int(at.clone()), |it| it.around(at.clone()));
                entries.push((vec![index], own?.at(&at)));
                at += 1;
            }
        }
        Some(MapValue::new(entries, Some(first.base.clone())))
    }

    /// The segments, if the map consists of some.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// What the integers are wrapped in by which the segments are indexed.
    pub fn wrapping(&self) -> Option<&Wrapping> {
        self.wrapping.as_ref()
    }

    /// The integer that an index of the segments is.
    fn place<'i>(&self, index: &'i [Value]) -> Option<&'i BigInt> {
        match (&self.wrapping, index) {
            (None, [Value::Int(at)]) => Some(at),
            (Some(own), [Value::Data(data)]) if data.datatype == own.datatype => {
                if let [Value::Int(at)] = data.fields.as_slice() { Some(at) } else { None }
            }
            _other => None,
        }
    }

    /// The element at `index`, if it is known.
    pub fn get(&self, index: &[Value]) -> Option<Value> {
        if !self.segments.is_empty() {
            let at = self.place(index)?;
            let mut all = self.segments.iter().rev();
            let own = all.find(|it| it.from.as_ref().is_none_or(|from| from <= at));
            return own.map(|it| it.at(at));
        }
        self.entries.get(index).or(self.default.as_deref()).cloned()
    }

    /// The map with another element at `index`.
    pub fn set(&self, index: Vec<Value>, value: Value) -> MapValue {
        if let Some(at) = self.place(&index)
            && !self.segments.is_empty()
        {
            return self.set_in_segments(at, value);
        }
        let mut map = self.clone();
        if map.default.as_deref() == Some(&value) {
            map.entries.remove(&index);
        } else {
            map.entries.insert(index, value);
        }
        map
    }

    fn set_in_segments(&self, at: &BigInt, value: Value) -> MapValue {
        let behind = |it: &&Segment| it.from.as_ref().is_some_and(|from| from > at);
        let mut all: Vec<Segment> =
            self.segments.iter().filter(|it| !behind(it)).cloned().collect();
        let last = all.last().cloned();
        if all.last().is_some_and(|it| it.from.as_ref() == Some(at)) {
            all.pop();
        }
        let (from, slope) = (Some(at.clone()), BigInt::from(0));
        all.push(Segment { from, base: value, slope });
        let next = self.segments.iter().find(behind).and_then(|it| it.from.clone());
        if let Some(last) = last.filter(|_| next != Some(at + 1)) {
            all.push(Segment { from: Some(at + 1), ..last });
        }
        all.extend(self.segments.iter().filter(behind).cloned());
        MapValue::wrapped(all, self.wrapping.clone())
    }

    /// The element at `index` of a map that is a table, if it is known.
    pub fn row(&self, index: &[Value]) -> Option<&Value> {
        if self.segments().is_empty() {
            self.entries.get(index).or(self.default.as_deref())
        } else {
            None
        }
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
        if !self.segments.is_empty() {
            return self.show_segments(f);
        }
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

impl MapValue {
    fn show_segments(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, segment) in self.segments.iter().enumerate() {
            let next = self.segments.get(nth + 1).and_then(|it| it.from.as_ref());
            let last = next.map(|next| next - 1);
            if let Some(wrapping) = &self.wrapping {
                write!(f, "{} ", wrapping.name)?;
            }
            match (&segment.from, &last) {
                (Some(from), Some(last)) if from == last => write!(f, "{from}")?,
                (from, last) => {
                    from.iter().try_for_each(|it| write!(f, "{it}"))?;
                    f.write_str("..")?;
                    last.iter().try_for_each(|it| write!(f, "{it}"))?;
                }
            }
            match (&segment.base, segment.slope == BigInt::from(0)) {
                (base, true) => write!(f, " ↦ {base}")?,
                (base, false) => write!(f, " ↦ {base} + {} * i", segment.slope)?,
            }
            f.write_str(if next.is_some() { ", " } else { "}" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Data, Element, MapValue, Segment, Value, Wrapping};

    #[test]
    fn maps_in_segments_are_read_written_and_shown() {
        let segment = |from: Option<i32>, base: i32, slope: i32| Segment {
            from: from.map(Into::into),
            base: int(base),
            slope: slope.into(),
        };
        let map = MapValue::piecewise(vec![segment(None, 0, 0), segment(Some(2), 1, 1)]);
        assert_eq!(map.to_string(), "{..1 ↦ 0, 2.. ↦ 1 + 1 * i}");
        assert_eq!(map.get(&[int(1)]), Some(int(0)));
        assert_eq!(map.get(&[int(7)]), Some(int(8)));
        let set = map.set(vec![int(3)], int(9));
        assert_eq!(set.to_string(), "{..1 ↦ 0, 2 ↦ 3, 3 ↦ 9, 4.. ↦ 1 + 1 * i}");
        assert_eq!(set.set(vec![int(2)], int(0)).get(&[int(2)]), Some(int(0)));
        let flat = vec![segment(None, 0, 0), segment(Some(2), 5, 0), segment(Some(3), 0, 0)];
        assert_eq!(
            MapValue::piecewise(flat),
            MapValue::new([(vec![int(2)], int(5))], Some(int(0)))
        );
    }

    #[test]
    fn integers_in_a_wrapping_index_segments() {
        let wrapping = Wrapping { datatype: "One int".into(), name: "One".into() };
        let segment = |from: Option<i32>, base: bool| Segment {
            from: from.map(Into::into),
            base: Value::Bool(base),
            slope: 0.into(),
        };
        let halves = vec![segment(None, false), segment(Some(3), true)];
        let map = MapValue::wrapped(halves, Some(wrapping.clone()));
        assert_eq!(map.to_string(), "{One ..2 ↦ false, One 3.. ↦ true}");
        assert_eq!(map.get(&[wrapping.around(3.into())]), Some(Value::Bool(true)));
        assert_eq!(map.get(&[int(3)]), None);
        let less = map.set(vec![wrapping.around(3.into())], Value::Bool(false));
        assert_eq!(less.get(&[wrapping.around(3.into())]), Some(Value::Bool(false)));
    }

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
