//! The values of a sort in a scope.
//!
//! **In:** datatype definitions, and how many elements each uninterpreted sort (and `int`) has.
//! **Out:** a [`Domain`]: the values, and whether there are no others.
//!
//! # Invariants
//! - The order of values depends on sorts and sizes alone: false before true, elements and
//!   integers upwards, constructors in declaration order, fields lexicographically.
//! - Elements of different sorts are different words; those of sorts whose elements are made new
//!   come first, so that an arena can say which of them occur in a value.

use std::{collections::BTreeMap, rc::Rc};

use ir::{Signature, Sort, Symbol};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::arena::{Arena, Tuples, Val};

/// A domain with more values is not listed.
const MOST_VALUES: usize = 4096;
/// How deep types may be nested.
const DEEPEST: u32 = 12;

/// The values of a sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Domain {
    /// The values in order.
    pub values: Vec<Val>,
    /// Are there no others?
    pub complete: bool,
}

/// Domains of all sorts, computed when asked for.
pub struct Domains {
    signature: Signature,
    sizes: BTreeMap<Symbol, u32>,
    /// The number of the first element of each uninterpreted sort.
    firsts: BTreeMap<Symbol, u32>,
    integers: u32,
    next: u32,
    known: FxHashMap<Sort, Rc<Domain>>,
    tuples: FxHashMap<Vec<Sort>, Option<Rc<Tuples>>>,
    least: FxHashMap<Sort, Val>,
}

impl Domains {
    /// Domains over these sizes: `fresh` are the sorts whose elements are made new.
    pub fn new(
        signature: Signature,
        sizes: BTreeMap<Symbol, u32>,
        fresh: &[Symbol],
        integers: u32,
    ) -> Domains {
        let mut domains = Domains {
            signature,
            sizes: BTreeMap::new(),
            firsts: BTreeMap::new(),
            integers,
            next: 0,
            known: FxHashMap::default(),
            tuples: FxHashMap::default(),
            least: FxHashMap::default(),
        };
        let (made, given): (Vec<_>, Vec<_>) =
            sizes.into_iter().partition(|(name, _)| fresh.contains(name));
        for (name, size) in made.into_iter().chain(given) {
            domains.firsts.insert(name.clone(), domains.next);
            domains.next += size;
            domains.sizes.insert(name, size);
        }
        domains
    }

    /// The elements of an uninterpreted sort: the first, and how many.
    pub fn elements(&self, sort: &Symbol) -> Option<(u32, u32)> {
        Some((*self.firsts.get(sort)?, *self.sizes.get(sort)?))
    }

    /// The number that an element has in its sort.
    pub fn position(&self, sort: &Symbol, element: u32) -> u32 {
        element.saturating_sub(self.firsts.get(sort).copied().unwrap_or(0))
    }

    /// The definitions.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// How many integers a choice has.
    pub fn integers(&self) -> u32 {
        self.integers
    }

    /// The values of `sort`.
    pub fn of(&mut self, sort: &Sort, arena: &mut Arena) -> Rc<Domain> {
        self.at_depth(sort, arena, 0)
    }

    fn at_depth(&mut self, sort: &Sort, arena: &mut Arena, depth: u32) -> Rc<Domain> {
        if let Some(known) = self.known.get(sort) {
            return known.clone();
        }
        if depth > DEEPEST {
            return Rc::default();
        }
        let domain = Rc::new(self.compute(sort, arena, depth));
        // What was cut short by the depth is no answer for a sort asked for directly.
        if depth == 0 || domain.complete {
            self.known.insert(sort.clone(), domain.clone());
        }
        domain
    }

    fn compute(&mut self, sort: &Sort, arena: &mut Arena, depth: u32) -> Domain {
        let complete = |values| Domain { values, complete: true };
        match sort {
            Sort::Bool => complete(vec![Val::FALSE, Val::TRUE]),
            Sort::Int => Domain {
                values: (0..i64::from(self.integers)).filter_map(Val::small).collect(),
                complete: false,
            },
            Sort::Uninterpreted(name) => match self.elements(name) {
                Some((first, size)) => complete((first..first + size).map(Val::element).collect()),
                None => Domain::default(),
            },
            Sort::BitVec(width) if *width <= 12 => {
                complete((0..1i64 << width).filter_map(Val::small).collect())
            }
            Sort::Datatype(_) => self.datatype(sort, arena, depth),
            Sort::Array(indices, element) => self.functions(indices, element, arena, depth),
            Sort::Seq(_) => Domain { values: vec![arena.seq(&[])], complete: false },
            Sort::Real => {
                let number = |value: i64| num_rational::BigRational::from_integer(BigInt::from(value));
                let values = (0..i64::from(self.integers)).map(|it| arena.real(&number(it)));
                Domain { values: values.collect(), complete: false }
            }
            Sort::BitVec(_) => Domain { values: vec![Val::ZERO], complete: false },
            Sort::String => Domain { values: vec![arena.text("")], complete: false },
            Sort::Float(..) | Sort::RoundingMode | Sort::RegEx => Domain::default(),
        }
    }

    fn datatype(&mut self, sort: &Sort, arena: &mut Arena, depth: u32) -> Domain {
        let Some(def) = self.signature.datatype(sort).cloned() else { return Domain::default() };
        let mut out = Domain { values: vec![], complete: true };
        for (ctor, shape) in def.ctors().iter().enumerate() {
            let mut tuples: Vec<Vec<Val>> = vec![vec![]];
            for (_, field) in &shape.fields {
                let part = self.at_depth(field, arena, depth + 1);
                out.complete &= part.complete;
                if tuples.len().saturating_mul(part.values.len()) > MOST_VALUES {
                    return Domain { values: out.values, complete: false };
                }
                tuples = product(&tuples, &part.values);
            }
            out.values.extend(tuples.iter().map(|fields| arena.ctor(ctor as u32, fields)));
        }
        out
    }

    fn functions(
        &mut self,
        indices: &[Sort],
        element: &Sort,
        arena: &mut Arena,
        depth: u32,
    ) -> Domain {
        let elements = self.at_depth(element, arena, depth + 1);
        let keys = self.tuples_at(indices, arena, depth + 1);
        let constants: Vec<Val> =
            elements.values.iter().map(|it| arena.constant(indices.len(), *it)).collect();
        let partial = Domain { values: constants, complete: false };
        let Some(keys) = keys else { return partial };
        let count = elements.values.len().checked_pow(keys.len() as u32);
        if count.is_none_or(|count| count > MOST_VALUES) || elements.values.is_empty() {
            return partial;
        }
        let mut rows: Vec<Vec<Val>> = vec![vec![]];
        for _ in 0..keys.len() {
            rows = product(&rows, &elements.values);
        }
        let values = rows.iter().map(|row| {
            let entries: Vec<Val> =
                keys.iter().zip(row).flat_map(|(key, val)| [key, &[*val]].concat()).collect();
            arena.map(indices.len(), row[0], &entries, Some(&keys))
        });
        Domain { values: values.collect(), complete: elements.complete }
    }

    /// All tuples of values of these sorts, if they are finitely many and not too many.
    pub fn tuples(&mut self, sorts: &[Sort], arena: &mut Arena) -> Option<Rc<Tuples>> {
        self.tuples_at(sorts, arena, 0)
    }

    fn tuples_at(&mut self, sorts: &[Sort], arena: &mut Arena, depth: u32) -> Option<Rc<Tuples>> {
        if let Some(known) = self.tuples.get(sorts) {
            return known.clone();
        }
        let mut rows: Vec<Vec<Val>> = vec![vec![]];
        let mut finite = true;
        for sort in sorts {
            let part = self.at_depth(sort, arena, depth);
            finite &= part.complete && rows.len() * part.values.len() <= MOST_VALUES;
            if !finite {
                break;
            }
            rows = product(&rows, &part.values);
        }
        let tuples = finite.then(|| Rc::new(Tuples::new(sorts.len(), rows)));
        if depth == 0 || finite {
            self.tuples.insert(sorts.to_vec(), tuples.clone());
        }
        tuples
    }

    /// The value that a variable of `sort` has before it is written.
    pub fn least(&mut self, sort: &Sort, arena: &mut Arena) -> Val {
        if let Some(known) = self.least.get(sort) {
            return *known;
        }
        let val = self.least_at(sort, arena, 0).unwrap_or(Val::POISON);
        self.least.insert(sort.clone(), val);
        val
    }

    fn least_at(&mut self, sort: &Sort, arena: &mut Arena, depth: u32) -> Option<Val> {
        if depth > DEEPEST {
            return None;
        }
        match sort {
            Sort::Bool => Some(Val::FALSE),
            Sort::Int | Sort::BitVec(_) => Some(Val::ZERO),
            Sort::Real => Some(arena.real(&num_rational::BigRational::from_integer(BigInt::ZERO))),
            Sort::String => Some(arena.text("")),
            Sort::Uninterpreted(name) => {
                self.elements(name).filter(|it| it.1 > 0).map(|it| Val::element(it.0))
            }
            Sort::Array(indices, element) => {
                let default = self.least_at(element, arena, depth + 1)?;
                Some(arena.constant(indices.len(), default))
            }
            Sort::Seq(_) => Some(arena.seq(&[])),
            Sort::Datatype(_) => {
                let def = self.signature.datatype(sort).cloned()?;
                def.ctors().iter().enumerate().find_map(|(ctor, shape)| {
                    let fields = shape.fields.iter();
                    let fields: Option<Vec<Val>> =
                        fields.map(|(_, sort)| self.least_at(sort, arena, depth + 1)).collect();
                    fields.map(|fields| arena.ctor(ctor as u32, &fields))
                })
            }
            Sort::Float(..) | Sort::RoundingMode | Sort::RegEx => None,
        }
    }
}

fn product(rows: &[Vec<Val>], values: &[Val]) -> Vec<Vec<Val>> {
    let longer = |row: &Vec<Val>| {
        values.iter().map(|val| row.iter().copied().chain([*val]).collect()).collect::<Vec<_>>()
    };
    rows.iter().flat_map(longer).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ir::{CtorDef, DatatypeDef, Signature, Sort};

    use super::Domains;
    use crate::arena::{Arena, Val};

    fn option() -> (Signature, Sort) {
        let tid = Sort::Uninterpreted("Tid".into());
        let def = DatatypeDef::new(
            "Option",
            vec![CtorDef::new("None", vec![]), CtorDef::new("Some", vec![("t".into(), tid)])],
        );
        let mut signature = Signature::default();
        signature.declare(def.clone());
        (signature, def.sort())
    }

    #[test]
    fn a_datatype_has_all_combinations() {
        let (signature, sort) = option();
        let mut arena = Arena::default();
        let mut domains = Domains::new(signature, BTreeMap::from([("Tid".into(), 2)]), &[], 2);
        let domain = domains.of(&sort, &mut arena);
        assert!(domain.complete);
        assert_eq!(domain.values.len(), 3);
        assert_eq!(domain.values[0], Val::constant(0));
        assert_eq!(domains.least(&sort, &mut arena), Val::constant(0));
        let maps = domains.of(&Sort::map(sort, Sort::Bool), &mut arena);
        assert_eq!((maps.values.len(), maps.complete), (8, true));
    }

    #[test]
    fn integers_are_never_complete() {
        let mut arena = Arena::default();
        let mut domains = Domains::new(Signature::default(), BTreeMap::new(), &[], 3);
        let domain = domains.of(&Sort::Int, &mut arena);
        assert_eq!((domain.values.len(), domain.complete), (3, false));
        assert!(domains.tuples(&[Sort::Int], &mut arena).is_none());
    }

    #[test]
    fn elements_of_different_sorts_differ_and_new_ones_come_first() {
        let sizes = BTreeMap::from([("A".into(), 2), ("Loc".into(), 3)]);
        let domains = Domains::new(Signature::default(), sizes, &["Loc".into()], 2);
        assert_eq!(domains.elements(&"Loc".into()), Some((0, 3)));
        assert_eq!(domains.elements(&"A".into()), Some((3, 2)));
    }
}
