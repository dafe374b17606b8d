//! The values of a scope.
//!
//! **In:** datatypes and a [`Scope`]. **Out:** for each sort its values in one fixed order, whether
//! these are all there are, and the least one.
//!
//! | sort | values, in order |
//! | --- | --- |
//! | `bool` | false, true |
//! | `int`, `real` | the integers of the scope |
//! | bit vectors | all up to 8 bits, else the integers of the scope |
//! | uninterpreted | as many as the scope says |
//! | datatype | constructor by constructor, the last field fastest; values inside values of the same datatype are cut |
//! | the library's `Vec` | by length, contents beyond it least |
//! | sequence | by length |
//! | map | over complete indices: every map; else: constant ones |
//!
//! # Invariants
//! - The order does not depend on anything but the sort, the datatypes and the scope.
//! - The first value is [`least`].
//! - A map over complete indices has the least element as its default, so that equal maps are equal
//!   as values.

use std::collections::BTreeSet;

use crate::{
    exploration::Scope,
    sort::{Signature, Sort},
    symbol::Symbol,
    value::{Data, Element, MapValue, Value},
};

/// More values of one sort than this are not listed.
pub const MOST_VALUES: usize = 65_536;
/// Bit vectors up to this width are enumerated.
const SMALL_WIDTH: u32 = 8;

/// The least value of a sort; nothing if it has none that can be written down.
pub fn least(signature: &Signature, sort: &Sort) -> Option<Value> {
    least_within(signature, sort, &mut Vec::new())
}

fn least_within(signature: &Signature, sort: &Sort, open: &mut Vec<Symbol>) -> Option<Value> {
    Some(match sort {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::Int(0.into()),
        Sort::Real => Value::Real(num_rational::BigRational::from_integer(0.into())),
        Sort::BitVec(width) => Value::BitVec(0.into(), *width),
        Sort::String => Value::String(String::new()),
        Sort::Uninterpreted(name) => Value::Element(Element { sort: name.clone(), index: 0 }),
        Sort::Array(_, element) => {
            Value::Map(MapValue::new([], Some(least_within(signature, element, open)?)))
        }
        Sort::Seq(_) => Value::Seq(Vec::new()),
        Sort::Datatype(name) => {
            if open.contains(name) {
                return None;
            }
            open.push(name.clone());
            let def = signature.datatypes.get(name)?;
            let value = def.ctors().iter().enumerate().find_map(|(nth, ctor)| {
                let fields = ctor.fields.iter();
                let fields: Option<Vec<Value>> =
                    fields.map(|(_, sort)| least_within(signature, sort, open)).collect();
                Some(data(name, nth, &ctor.name, fields?))
            });
            open.pop();
            value?
        }
        Sort::Float(..) | Sort::RoundingMode | Sort::RegEx => return None,
    })
}

fn data(datatype: &Symbol, ctor: usize, name: &Symbol, fields: Vec<Value>) -> Value {
    let ctor = u32::try_from(ctor).unwrap_or(u32::MAX);
    Value::Data(Data { datatype: datatype.clone(), ctor, name: name.clone(), fields })
}

/// The values of one scope.
#[derive(Clone, Debug)]
pub struct Carriers<'a> {
    /// The datatypes.
    pub signature: &'a Signature,
    /// The datatypes that are vectors of the library.
    pub vectors: &'a BTreeSet<Symbol>,
    /// The scope.
    pub scope: &'a Scope,
}

/// The values of a sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carrier {
    /// In order.
    pub values: Vec<Value>,
    /// Are these all values of the sort in the instance?
    pub complete: bool,
}

impl Carriers<'_> {
    /// The values of `sort`; nothing if they are too many to list, or cannot be written down.
    pub fn values(&self, sort: &Sort) -> Option<Carrier> {
        self.within(sort, &mut Vec::new())
    }

    /// Are all values of `sort` in the scope?
    pub fn is_complete(&self, sort: &Sort) -> bool {
        self.values(sort).is_some_and(|carrier| carrier.complete)
    }

    /// Can `sort` have values that are not in the scope? Beside those that cannot be listed, a larger
    /// instance has more elements of uninterpreted sorts.
    pub fn is_cut(&self, sort: &Sort) -> bool {
        !self.is_complete(sort) || self.has_elements(sort, &mut Vec::new())
    }

    fn has_elements(&self, sort: &Sort, open: &mut Vec<Symbol>) -> bool {
        let (mut found, mut inside) = (false, Vec::new());
        sort.walk(&mut |part| match part {
            Sort::Uninterpreted(_) => found = true,
            Sort::Datatype(name) => inside.push((name.clone(), part.clone())),
            Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::BitVec(_)
            | Sort::String
            | Sort::Array(..)
            | Sort::Seq(_)
            | Sort::Float(..)
            | Sort::RoundingMode
            | Sort::RegEx => {}
        });
        for (name, sort) in inside {
            if !found && !open.contains(&name) {
                open.push(name);
                let ctors = self.signature.datatype(&sort).map_or(&[][..], |def| def.ctors());
                let mut fields = ctors.iter().flat_map(|ctor| &ctor.fields);
                found = fields.any(|(_, field)| self.has_elements(field, open));
            }
        }
        found
    }

    fn within(&self, sort: &Sort, open: &mut Vec<Symbol>) -> Option<Carrier> {
        let some = |values: Vec<Value>, complete| Some(Carrier { values, complete });
        match sort {
            Sort::Bool => some(vec![Value::Bool(false), Value::Bool(true)], true),
            Sort::Int => some(self.ints().map(|it| Value::Int(it.into())).collect(), false),
            Sort::Real => {
                let real = |it: i64| num_rational::BigRational::from_integer(it.into());
                some(self.ints().map(|it| Value::Real(real(it))).collect(), false)
            }
            Sort::BitVec(width) if *width <= SMALL_WIDTH => {
                some((0..1u32 << width).map(|it| Value::BitVec(it.into(), *width)).collect(), true)
            }
            Sort::BitVec(width) => {
                let ints = self.ints().filter(|it| *it >= 0);
                some(ints.map(|it| Value::BitVec(it.into(), *width)).collect(), false)
            }
            Sort::Uninterpreted(name) => {
                let all = 0..self.scope.size_of(name).max(1);
                let element = |index| Value::Element(Element { sort: name.clone(), index });
                some(all.map(element).collect(), true)
            }
            Sort::Seq(element) => {
                let sequences = self.sequences(element, open)?;
                some(sequences.into_iter().map(Value::Seq).collect(), false)
            }
            Sort::Array(indices, element) => self.maps(indices, element, open),
            Sort::Datatype(name) => self.datatype(name, open),
            Sort::String | Sort::Float(..) | Sort::RoundingMode | Sort::RegEx => {
                some(vec![least(self.signature, sort)?], false)
            }
        }
    }

    /// Zero first, so that the first value is the least one.
    fn ints(&self) -> impl Iterator<Item = i64> {
        let (low, high) = self.scope.ints;
        std::iter::once(0).chain((low..=high).filter(|it| *it != 0))
    }

    fn sequences(&self, element: &Sort, open: &mut Vec<Symbol>) -> Option<Vec<Vec<Value>>> {
        let elements = self.within(element, open)?.values;
        let mut all = Vec::new();
        for length in 0..=self.scope.length as usize {
            all.extend(tuples(&vec![elements.clone(); length])?);
            (all.len() <= MOST_VALUES).then_some(())?;
        }
        Some(all)
    }

    fn maps(&self, indices: &[Sort], element: &Sort, open: &mut Vec<Symbol>) -> Option<Carrier> {
        let elements = self.within(element, open)?;
        let mut complete = elements.complete;
        let mut axes = Vec::new();
        for index in indices {
            let carrier = self.within(index, open).filter(|it| it.complete);
            complete &= carrier.is_some();
            axes.extend(carrier.map(|it| it.values));
        }
        if axes.len() < indices.len() {
            let constant = |value: Value| Value::Map(MapValue::new([], Some(value)));
            let values = elements.values.into_iter().map(constant).collect();
            return Some(Carrier { values, complete: false });
        }
        let keys = tuples(&axes)?;
        let default = elements.values.first()?.clone();
        let rows = tuples(&vec![elements.values; keys.len()])?;
        let map = |row: Vec<Value>| {
            let entries = keys.iter().cloned().zip(row);
            Value::Map(MapValue::new(entries, Some(default.clone())))
        };
        Some(Carrier { values: rows.into_iter().map(map).collect(), complete })
    }

    fn datatype(&self, name: &Symbol, open: &mut Vec<Symbol>) -> Option<Carrier> {
        let def = self.signature.datatypes.get(name)?;
        if open.contains(name) {
            // The least value alone, without a value of the same datatype inside.
            let value =
                least_within(self.signature, &Sort::Datatype(name.clone()), &mut Vec::new());
            return Some(Carrier { values: value.into_iter().collect(), complete: false });
        }
        open.push(name.clone());
        let mut values = Vec::new();
        let mut complete = true;
        for (nth, ctor) in def.ctors().iter().enumerate() {
            if self.vectors.contains(name) {
                complete = false;
                values.extend(self.vectors_of(name, &ctor.fields[0].1, &ctor.name, open)?);
                continue;
            }
            let mut axes = Vec::new();
            for (_, sort) in &ctor.fields {
                let carrier = self.within(sort, open)?;
                complete &= carrier.complete;
                axes.push(carrier.values);
            }
            let all = tuples(&axes)?;
            values.extend(all.into_iter().map(|fields| data(name, nth, &ctor.name, fields)));
            (values.len() <= MOST_VALUES).then_some(())?;
        }
        open.pop();
        if let Some(first) = least(self.signature, &Sort::Datatype(name.clone())) {
            values.retain(|value| *value != first);
            values.insert(0, first);
        }
        Some(Carrier { values, complete })
    }

    fn vectors_of(
        &self,
        name: &Symbol,
        contents: &Sort,
        ctor: &Symbol,
        open: &mut Vec<Symbol>,
    ) -> Option<Vec<Value>> {
        let (_, element) = contents.as_array()?;
        let default = least(self.signature, element)?;
        let vector = |items: Vec<Value>| {
            let length = Value::Int(items.len().into());
            let index = |nth: usize| vec![Value::Int(nth.into())];
            let entries = items.into_iter().enumerate().map(|(nth, item)| (index(nth), item));
            let contents = Value::Map(MapValue::new(entries, Some(default.clone())));
            data(name, 0, ctor, vec![contents, length])
        };
        Some(self.sequences(element, open)?.into_iter().map(vector).collect())
    }
}

/// All tuples, the last component fastest; nothing if they are too many.
pub fn tuples(axes: &[Vec<Value>]) -> Option<Vec<Vec<Value>>> {
    let mut all = vec![Vec::new()];
    for axis in axes {
        (all.len().checked_mul(axis.len().max(1))? <= MOST_VALUES).then_some(())?;
        let longer = |tuple: &Vec<Value>| {
            let extend = |value: &Value| tuple.iter().chain([value]).cloned().collect::<Vec<_>>();
            axis.iter().map(extend).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Carriers, least};
    use crate::{
        exploration::Scope,
        sort::{CtorDef, DatatypeDef, Signature, Sort},
        symbol::Symbol,
    };

    fn signature() -> Signature {
        let tid = Sort::Uninterpreted("Tid".into());
        let option = vec![
            CtorDef::new("None", vec![]),
            CtorDef::new("Some", vec![("t".into(), tid.clone())]),
        ];
        let list = Sort::Datatype("List".into());
        let cons = vec![("head".into(), tid), ("tail".into(), list)];
        let list = vec![CtorDef::new("Cons", cons), CtorDef::new("Nil", vec![])];
        let contents = Sort::map(Sort::Int, Sort::Bool);
        let vec_fields = vec![("contents".into(), contents), ("len".into(), Sort::Int)];
        let vec = vec![CtorDef::new("Vec", vec_fields)];
        let mut signature = Signature::default();
        signature.declare(DatatypeDef::new("Option", option));
        signature.declare(DatatypeDef::new("List", list));
        signature.declare(DatatypeDef::new("Vec", vec));
        signature
    }

    fn shown(sort: &Sort) -> (String, bool) {
        let (signature, scope) = (signature(), Scope::default());
        let vectors = BTreeSet::from([Symbol::new("Vec")]);
        let carriers = Carriers { signature: &signature, vectors: &vectors, scope: &scope };
        let carrier = carriers.values(sort).expect("few values");
        assert_eq!(carrier.values.first(), least(&signature, sort).as_ref());
        let distinct: BTreeSet<_> = carrier.values.iter().collect();
        assert_eq!(distinct.len(), carrier.values.len());
        let words: Vec<String> = carrier.values.iter().map(ToString::to_string).collect();
        (words.join(" "), carrier.complete)
    }

    #[test]
    fn values_come_in_order_and_the_least_first() {
        assert_eq!(shown(&Sort::Int), ("0 1".into(), false));
        let option = Sort::Datatype("Option".into());
        assert_eq!(shown(&option), ("None() Some(Tid#0) Some(Tid#1)".into(), true));
        let set = Sort::set(Sort::Uninterpreted("Tid".into()));
        let sets = "{_ ↦ false} {Tid#1 ↦ true, _ ↦ false} {Tid#0 ↦ true, _ ↦ false} \
                    {Tid#0 ↦ true, Tid#1 ↦ true, _ ↦ false}";
        assert_eq!(shown(&set), (sets.into(), true));
        let constant = "{_ ↦ false} {_ ↦ true}";
        assert_eq!(shown(&Sort::set(Sort::Int)), (constant.into(), false));
    }

    #[test]
    fn values_in_values_of_the_same_datatype_are_cut() {
        let list = Sort::Datatype("List".into());
        assert_eq!(shown(&list), ("Nil() Cons(Tid#0, Nil()) Cons(Tid#1, Nil())".into(), false));
    }

    #[test]
    fn vectors_have_nothing_beyond_their_length() {
        let vectors = "Vec({_ ↦ false}, 0) Vec({_ ↦ false}, 1) Vec({0 ↦ true, _ ↦ false}, 1)";
        assert_eq!(shown(&Sort::Datatype("Vec".into())), (vectors.into(), false));
    }
}
