//! The values of a sort in a scope, as words.
//!
//! **In:** a scope, and [`ir::carriers`], which lists values. **Out:** a [`Domain`]: the same values in
//! the same order, and whether there are no others; and the way back to [`ir::Value`].
//!
//! # Invariants
//! - Elements of different sorts are different words; those of sorts whose elements are made new
//!   come first, so that an arena can say which of them occur in a value.

use std::{collections::BTreeMap, rc::Rc};

use ir::{
    Data, Element, MapValue, Sort, Symbol, Value,
    carriers::{self, Carriers},
    exploration::Scope,
    layer::LayerProgram,
};
use rustc_hash::FxHashMap;

use crate::arena::{Arena, Full, Kind, Val};

/// A map over more index tuples is kept as if there were infinitely many.
const MOST_TUPLES: usize = 4096;
/// How many elements of a sort whose elements are made new an assumed initial state has.
const AT_START: u32 = 2;

/// The values of a sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Domain {
    /// The values in order.
    pub values: Vec<Val>,
    /// Are there no others?
    pub complete: bool,
}

/// Domains of all sorts, computed when asked for.
pub struct Domains<'p> {
    program: &'p LayerProgram,
    scope: &'p Scope,
    /// The number of the first element of each uninterpreted sort.
    firsts: BTreeMap<Symbol, u32>,
    known: FxHashMap<Sort, Rc<Domain>>,
    full: FxHashMap<Sort, Option<Rc<Full>>>,
    least: FxHashMap<Sort, Val>,
}

impl<'p> Domains<'p> {
    /// The domains of a program in a scope.
    pub fn new(program: &'p LayerProgram, scope: &'p Scope) -> Domains<'p> {
        let mut firsts = BTreeMap::new();
        let mut next = 0;
        for made_new in [true, false] {
            for (name, carrier) in &program.sorts {
                if carrier.made_new == made_new {
                    firsts.insert(name.clone(), next);
                    next += scope.size_of(name).max(1);
                }
            }
        }
        let (known, full, least) = Default::default();
        Domains { program, scope, firsts, known, full, least }
    }

    /// The elements of an uninterpreted sort: the first, and how many.
    pub fn elements(&self, sort: &Symbol) -> (u32, u32) {
        let first = self.firsts.get(sort).copied().unwrap_or(0);
        (first, self.scope.size_of(sort).max(1))
    }

    /// The program.
    pub fn program(&self) -> &'p LayerProgram {
        self.program
    }

    /// The scope.
    pub fn scope(&self) -> &'p Scope {
        self.scope
    }

    fn carriers(&self) -> Carriers<'p> {
        let LayerProgram { signature, vectors, .. } = self.program;
        Carriers { signature, vectors, scope: self.scope }
    }

    /// The values of `sort`.
    pub fn of(&mut self, sort: &Sort, arena: &mut Arena) -> Rc<Domain> {
        if let Some(known) = self.known.get(sort) {
            return known.clone();
        }
        let carrier = self.carriers().values(sort);
        let domain = carrier.map_or_else(Domain::default, |carrier| Domain {
            complete: carrier.complete,
            values: carrier.values.iter().map(|it| self.val(it, sort, arena)).collect(),
        });
        let domain = Rc::new(domain);
        self.known.insert(sort.clone(), domain.clone());
        domain
    }

    /// The values of `sort` among which initial states are chosen: with few elements of those sorts
    /// whose elements are made new, so that there are maps over them.
    pub fn at_start(&mut self, sort: &Sort, arena: &mut Arena) -> Rc<Domain> {
        let mut scope = self.scope.clone();
        for (name, carrier) in &self.program.sorts {
            if carrier.made_new {
                scope.sizes.insert(name.clone(), scope.size_of(name).min(AT_START));
            }
        }
        let LayerProgram { signature, vectors, .. } = self.program;
        let carrier = Carriers { signature, vectors, scope: &scope }.values(sort);
        let domain = carrier.map_or_else(Domain::default, |carrier| Domain {
            complete: carrier.complete,
            values: carrier.values.iter().map(|it| self.val(it, sort, arena)).collect(),
        });
        Rc::new(domain)
    }

    /// Can `sort` have values that are not in the scope?
    pub fn is_cut(&self, sort: &Sort) -> bool {
        self.carriers().is_cut(sort)
    }

    /// All indices of a map sort, if they are finitely many and not too many.
    pub fn full(&mut self, sort: &Sort, arena: &mut Arena) -> Option<Rc<Full>> {
        if let Some(known) = self.full.get(sort) {
            return known.clone();
        }
        let full = self.compute_full(sort, arena).map(Rc::new);
        self.full.insert(sort.clone(), full.clone());
        full
    }

    fn compute_full(&mut self, sort: &Sort, arena: &mut Arena) -> Option<Full> {
        let (indices, element) = sort.as_array()?;
        let mut rows: Vec<Vec<Val>> = vec![vec![]];
        for index in indices {
            let domain = self.of(index, arena);
            let fits = domain.complete && rows.len() * domain.values.len() <= MOST_TUPLES;
            fits.then_some(())?;
            let longer = |row: &Vec<Val>| {
                let extend = |val: &Val| row.iter().copied().chain([*val]).collect::<Vec<_>>();
                domain.values.iter().map(extend).collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        let least = self.least(element, arena);
        Some(Full::new(indices.len(), rows, least))
    }

    /// The value that a variable of `sort` has before it is written.
    pub fn least(&mut self, sort: &Sort, arena: &mut Arena) -> Val {
        if let Some(known) = self.least.get(sort) {
            return *known;
        }
        let least = carriers::least(&self.program.signature, sort);
        let val = least.map_or(Val::POISON, |least| self.val(&least, sort, arena));
        self.least.insert(sort.clone(), val);
        val
    }

    /// A value as a word.
    pub fn val(&mut self, value: &Value, sort: &Sort, arena: &mut Arena) -> Val {
        match value {
            Value::Bool(value) => Val::bool(*value),
            Value::Int(value) | Value::BitVec(value, _) => arena.int(value),
            Value::Real(value) => arena.real(value),
            Value::String(text) | Value::Opaque(text) => arena.text(text),
            Value::Element(Element { sort, index }) => {
                Val::element(self.firsts.get(sort).copied().unwrap_or(0) + index)
            }
            Value::Data(data) => {
                let sorts = self.fields(sort, data.ctor);
                let fields: Vec<Val> = data
                    .fields
                    .iter()
                    .zip(&sorts)
                    .map(|(field, sort)| self.val(field, sort, arena))
                    .collect();
                arena.ctor(data.ctor, &fields)
            }
            Value::Seq(items) => {
                let element = if let Sort::Seq(element) = sort { element } else { sort };
                let items: Vec<Val> =
                    items.iter().map(|item| self.val(item, element, arena)).collect();
                arena.seq(&items)
            }
            Value::Map(map) => self.map_val(map, sort, arena),
        }
    }

    fn map_val(&mut self, map: &MapValue, sort: &Sort, arena: &mut Arena) -> Val {
        let Some((indices, element)) = sort.as_array() else { return Val::POISON };
        let mut entries = Vec::new();
        for (index, value) in map.entries() {
            for (part, sort) in index.iter().zip(indices) {
                entries.push(self.val(part, sort, arena));
            }
            entries.push(self.val(value, element, arena));
        }
        let default = match map.default() {
            Some(default) => self.val(default, element, arena),
            None => self.least(element, arena),
        };
        let full = self.full(sort, arena);
        arena.map(indices.len(), default, &entries, full.as_deref())
    }

    fn fields(&self, sort: &Sort, ctor: u32) -> Vec<Sort> {
        let def = self.program.signature.datatype(sort);
        let ctor = def.and_then(|def| def.ctors().get(ctor as usize));
        ctor.map_or_else(Vec::new, |it| it.fields.iter().map(|(_, sort)| sort.clone()).collect())
    }

    /// A word as a value of `sort`; nothing for what is undefined.
    pub fn value(&self, val: Val, sort: &Sort, arena: &Arena) -> Option<Value> {
        Some(match sort {
            Sort::Bool => Value::Bool(match val {
                Val::TRUE => true,
                Val::FALSE => false,
                _other => return None,
            }),
            Sort::Int => Value::Int(arena.as_int(val)?),
            Sort::BitVec(width) => Value::BitVec(arena.as_int(val)?, *width),
            Sort::Real => Value::Real(arena.as_real(val)?),
            Sort::Uninterpreted(name) => {
                let first = self.firsts.get(name).copied().unwrap_or(0);
                let index = val.as_element()?.checked_sub(first)?;
                Value::Element(Element { sort: name.clone(), index })
            }
            Sort::Datatype(name) => {
                let (ctor, fields) = arena.data(val)?;
                let def = self.program.signature.datatype(sort)?;
                let shape = def.ctors().get(ctor as usize)?;
                let fields = fields.iter().zip(&shape.fields);
                let fields: Option<Vec<Value>> =
                    fields.map(|(field, (_, sort))| self.value(*field, sort, arena)).collect();
                let (datatype, name) = (name.clone(), shape.name.clone());
                Value::Data(Data { datatype, ctor, name, fields: fields? })
            }
            Sort::Array(indices, element) => {
                let (arity, default, entries) = arena.entries(val)?;
                let mut known = Vec::new();
                for entry in entries.chunks_exact(arity + 1) {
                    let parts = entry.iter().zip(indices.iter());
                    let index: Option<Vec<Value>> =
                        parts.map(|(part, sort)| self.value(*part, sort, arena)).collect();
                    known.push((index?, self.value(entry[arity], element, arena)?));
                }
                Value::Map(MapValue::new(known, Some(self.value(default, element, arena)?)))
            }
            Sort::Seq(element) => {
                let items = arena.items(val)?.iter();
                let items: Option<Vec<Value>> =
                    items.map(|item| self.value(*item, element, arena)).collect();
                Value::Seq(items?)
            }
            Sort::String => Value::String(text(val, arena)?),
            Sort::Float(..) | Sort::RoundingMode | Sort::RegEx => Value::Opaque(text(val, arena)?),
        })
    }
}

fn text(val: Val, arena: &Arena) -> Option<String> {
    let Some((Kind::Text(length), words)) = arena.look(val) else { return None };
    let length = length as usize;
    let mut bytes = Vec::new();
    for (nth, word) in words.iter().enumerate() {
        let count = (length - 4 * nth).min(4);
        bytes.extend_from_slice(&word.word().to_be_bytes()[4 - count..]);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use ir::{CtorDef, DatatypeDef, Sort, exploration::Scope, layer::Carrier, layer::LayerProgram};

    use super::Domains;
    use crate::arena::{Arena, Val};

    fn program() -> (LayerProgram, Sort) {
        let tid = Sort::Uninterpreted("Tid".into());
        let ctors =
            vec![CtorDef::new("None", vec![]), CtorDef::new("Some", vec![("t".into(), tid)])];
        let def = DatatypeDef::new("Option", ctors);
        let mut program = LayerProgram::default();
        program.signature.declare(def.clone());
        program.sorts.insert("Loc".into(), Carrier { made_new: true, ..Carrier::default() });
        program.sorts.insert("Apple".into(), Carrier::default());
        program.sorts.insert("Tid".into(), Carrier::default());
        (program, def.sort())
    }

    #[test]
    fn values_come_back_as_they_were_listed() {
        let (program, option) = program();
        let scope = Scope::default();
        let mut arena = Arena::default();
        let mut domains = Domains::new(&program, &scope);
        for sort in [option.clone(), Sort::map(option, Sort::Bool), Sort::String, Sort::Int] {
            let listed = domains.carriers().values(&sort).unwrap();
            let domain = domains.of(&sort, &mut arena);
            assert_eq!(domain.complete, listed.complete);
            let back: Option<Vec<_>> =
                domain.values.iter().map(|it| domains.value(*it, &sort, &arena)).collect();
            assert_eq!(back, Some(listed.values));
            assert_eq!(domains.least(&sort, &mut arena), domain.values[0]);
        }
    }

    #[test]
    fn texts_come_back() {
        let mut arena = Arena::default();
        for word in ["", "a", "abcd", "abcde", "Schlüssel"] {
            let val = arena.text(word);
            assert_eq!(super::text(val, &arena).as_deref(), Some(word));
        }
    }

    #[test]
    fn maps_over_integers_are_never_full() {
        let (program, option) = program();
        let scope = Scope::default();
        let mut arena = Arena::default();
        let mut domains = Domains::new(&program, &scope);
        assert!(domains.full(&Sort::set(Sort::Int), &mut arena).is_none());
        assert_eq!(domains.full(&Sort::set(option), &mut arena).unwrap().len(), 3);
    }

    #[test]
    fn elements_of_different_sorts_differ_and_new_ones_come_first() {
        let (program, _) = program();
        let scope = Scope::default();
        let domains = Domains::new(&program, &scope);
        assert_eq!(domains.elements(&"Loc".into()), (0, 2));
        assert_eq!(domains.elements(&"Apple".into()), (2, 2));
        assert_eq!(domains.elements(&"Tid".into()), (4, 2));
        let mut arena = Arena::default();
        let tid = Sort::Uninterpreted("Tid".into());
        assert_eq!(
            domains.value(Val::element(5), &tid, &arena).map(|it| it.to_string()),
            Some("Tid#1".into())
        );
        let _ = &mut arena;
    }
}
