//! Reading the value of a term with maps from a model that has none.
//!
//! **In:** a lowered value. **Out:** the texts to ask the solver about, one for each function, and the
//! value that is put together from the answers.
//!
//! # Invariants
//! - A part that nobody knows makes the whole unreadable, or the map unknown outside its entries; it is
//!   never guessed.

use std::collections::BTreeSet;
use std::sync::Arc;

use ir::{DatatypeDef, MapValue, Sort, Symbol, Value, Var};

use super::Low;
use crate::model::Reader;
use crate::sexpr::Sexpr;

/// How the value of a term is asked for, and put together.
pub(crate) struct Reading {
    layout: Layout,
    /// The sort of each part, and its text, unless the script says nothing about it.
    parts: Vec<(Sort, Option<String>)>,
}

impl Reading {
    pub(crate) fn new(layout: Layout, parts: Vec<(Sort, Option<String>)>) -> Reading {
        Reading { layout, parts }
    }

    /// A term that is asked for as it is.
    pub(crate) fn whole(sort: Sort, text: String) -> Reading {
        Reading { layout: Layout::Part(0), parts: vec![(sort, Some(text))] }
    }

    /// What to ask for.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &String> {
        self.parts.iter().filter_map(|(_, text)| text.as_ref())
    }

    /// The value, from the answers in the order of the texts.
    pub(crate) fn value(
        &self,
        reader: &mut Reader<'_>,
        answers: &mut dyn Iterator<Item = Sexpr>,
    ) -> Option<Value> {
        let mut values = Vec::new();
        for (sort, text) in &self.parts {
            values.push(match text {
                Some(_) => reader.value(&answers.next()?, sort),
                // The script says nothing about it, so any value will do.
                None => any_value(sort).unwrap_or_else(|| Value::Opaque("…".to_owned())),
            });
        }
        Some(self.layout.value(&values))
    }
}

/// Some value of the sort, if there is one that can be written down.
pub(crate) fn any_value(sort: &Sort) -> Option<Value> {
    if let Sort::Array(_, element) = sort {
        return Some(Value::Map(MapValue::new([], Some(any_value(element)?))));
    }
    if *sort == Sort::Bool {
        return Some(Value::Bool(false));
    }
    (*sort == Sort::Int).then(|| Value::Int(0.into()))
}

/// How a value is put together from the values of its parts.
pub(crate) enum Layout {
    /// The part with this number.
    Part(usize),
    /// A map, indexed by the next so many indices.
    Map(usize, Box<Layout>),
    /// The number of the constructor, unless there is one only; the fields by constructor.
    Data { def: Arc<DatatypeDef>, ctor: Option<Box<Layout>>, fields: Vec<Vec<Layout>> },
}

/// A part without maps, at variable indices.
pub(crate) struct Part {
    pub(crate) term: ir::Term,
    pub(crate) indices: Vec<Var>,
}

impl Part {
    /// The sort of its printed value.
    pub(crate) fn sort(&self) -> Sort {
        if self.indices.is_empty() {
            return self.term.sort().clone();
        }
        let indices: Vec<Sort> = self.indices.iter().map(|var| var.sort.clone()).collect();
        Sort::array(indices, self.term.sort().clone())
    }
}

/// The parts of a value and how it is made of them.
pub(crate) fn layout(low: &Low, indices: &[Var], parts: &mut Vec<Part>) -> Layout {
    match low {
        Low::Plain(term) => {
            parts.push(Part { term: term.clone(), indices: indices.to_vec() });
            Layout::Part(parts.len() - 1)
        }
        Low::Map { bound, element } => {
            let all: Vec<Var> = indices.iter().chain(bound.iter()).cloned().collect();
            Layout::Map(bound.len(), Box::new(layout(element, &all, parts)))
        }
        Low::Data(data) => {
            let ctor = (data.fields.len() > 1)
                .then(|| Box::new(layout(&Low::Plain(data.ctor.clone()), indices, parts)));
            let mut fields = Vec::new();
            for own in &data.fields {
                fields.push(own.iter().map(|field| layout(field, indices, parts)).collect());
            }
            Layout::Data { def: Arc::clone(&data.def), ctor, fields }
        }
    }
}

/// An index, or one that differs from all that occur.
type Index = Option<Value>;

impl Layout {
    /// The value made of the values of the parts.
    pub(crate) fn value(&self, parts: &[Value]) -> Value {
        self.at(parts, &[]).unwrap_or_else(|| Value::Opaque("…".to_owned()))
    }

    fn at(&self, parts: &[Value], index: &[Index]) -> Option<Value> {
        match self {
            Layout::Part(nth) => element(parts.get(*nth)?, index),
            // A map of plain elements is the function itself, however it was printed.
            Layout::Map(_, inner)
                if index.is_empty()
                    && let Layout::Part(nth) = inner.as_ref() =>
            {
                parts.get(*nth).cloned()
            }
            Layout::Map(arity, inner) => {
                let mut keys = BTreeSet::new();
                inner.keys(parts, index, *arity, &mut keys);
                let at = |own: Vec<Index>| inner.at(parts, &[index, &own].concat());
                let default = at(vec![None; *arity]);
                let mut entries = Vec::new();
                for key in keys {
                    let value = at(key.iter().cloned().map(Some).collect())?;
                    entries.push((key, value));
                }
                Some(Value::Map(MapValue::new(entries, default)))
            }
            Layout::Data { def, ctor, fields } => {
                let last = fields.len().checked_sub(1)?;
                let nth = match ctor {
                    None => 0,
                    Some(ctor) => {
                        number(&ctor.at(parts, index)?).filter(|nth| *nth < last).unwrap_or(last)
                    }
                };
                let own: Option<Vec<Value>> =
                    fields.get(nth)?.iter().map(|field| field.at(parts, index)).collect();
                let name: Symbol = def.ctors().get(nth)?.name.clone();
                let ctor = u32::try_from(nth).ok()?;
                Some(Value::Data(ir::Data {
                    datatype: def.name().clone(),
                    ctor,
                    name,
                    fields: own?,
                }))
            }
        }
    }

    /// The indices behind `index` at which some part below has an element of its own.
    fn keys(
        &self,
        parts: &[Value],
        index: &[Index],
        arity: usize,
        found: &mut BTreeSet<Vec<Value>>,
    ) {
        match self {
            Layout::Part(nth) => {
                let Some(Value::Map(map)) = parts.get(*nth) else { return };
                for (key, _) in map.entries() {
                    let fits =
                        key.iter().zip(index).all(|(have, want)| want.as_ref() == Some(have));
                    if fits && key.len() >= index.len() + arity {
                        found.insert(key[index.len()..index.len() + arity].to_vec());
                    }
                }
            }
            Layout::Map(_, inner) => inner.keys(parts, index, arity, found),
            Layout::Data { ctor, fields, .. } => {
                for part in ctor.iter().map(Box::as_ref).chain(fields.iter().flatten()) {
                    part.keys(parts, index, arity, found);
                }
            }
        }
    }
}

/// The element of a part.
fn element(part: &Value, index: &[Index]) -> Option<Value> {
    if index.is_empty() {
        return Some(part.clone());
    }
    let Value::Map(map) = part else { return None };
    let key: Option<Vec<Value>> = index.iter().cloned().collect();
    match key {
        Some(key) => map.get(&key),
        // An index that occurs nowhere.
        None => map.default().cloned(),
    }
}

fn number(value: &Value) -> Option<usize> {
    if let Value::Int(number) = value { usize::try_from(number).ok() } else { None }
}
