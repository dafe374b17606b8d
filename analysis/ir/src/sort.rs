//! Sorts of terms, datatype definitions, and the table that declares them.
//!
//! **In:** monomorphic types; every instance of a polymorphic type has its own symbol.
//! **Out:** values that are cheap to clone and compare by structure.
//!
//! # Invariants
//! - A sort refers to a datatype by name only, so recursive datatypes need no knots;
//!   the definition travels in constructor, selector and tester operators and in the
//!   [`Signature`] of a question.
//! - Every sort is inhabited, as SMT-LIB demands.

use std::{collections::BTreeMap, fmt, sync::Arc};

use crate::{
    digest::{Digest, DigestBuilder},
    symbol::Symbol,
};

/// The sort of a term.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Unbounded integers.
    Int,
    /// Rational-valued reals.
    Real,
    /// Bit vectors of a width.
    BitVec(u32),
    /// Floating-point numbers: exponent bits, significand bits (hidden bit included).
    Float(u32, u32),
    /// Rounding modes of floating-point operations.
    RoundingMode,
    /// Unicode strings.
    String,
    /// Regular expressions over strings.
    RegEx,
    /// A declared sort without structure (one symbol per instance).
    Uninterpreted(Symbol),
    /// An algebraic datatype, by the name of its definition.
    Datatype(Symbol),
    /// A total map from a tuple of indices to an element.
    Array(Arc<[Sort]>, Arc<Sort>),
    /// A finite sequence.
    Seq(Arc<Sort>),
}

impl Sort {
    /// `[indices] element`.
    pub fn array(indices: impl Into<Arc<[Sort]>>, element: Sort) -> Sort {
        Sort::Array(indices.into(), Arc::new(element))
    }

    /// `[index] element`.
    pub fn map(index: Sort, element: Sort) -> Sort {
        Sort::array([index], element)
    }

    /// `[index] bool`.
    pub fn set(index: Sort) -> Sort {
        Sort::map(index, Sort::Bool)
    }

    /// The sort of sequences of `element`.
    pub fn seq(element: Sort) -> Sort {
        Sort::Seq(Arc::new(element))
    }

    /// Index sorts and element sort, if this is a map.
    pub fn as_array(&self) -> Option<(&[Sort], &Sort)> {
        if let Sort::Array(indices, element) = self { Some((indices, element)) } else { None }
    }

    /// Calls `each` for this sort and every sort inside it, outermost first.
    pub fn walk(&self, each: &mut dyn FnMut(&Sort)) {
        each(self);
        if let Sort::Array(indices, element) = self {
            indices.iter().for_each(|sort| sort.walk(each));
            element.walk(each);
        } else if let Sort::Seq(element) = self {
            element.walk(each);
        }
    }

    pub(crate) fn feed(&self, out: &mut DigestBuilder) {
        match self {
            Sort::Bool => out.tag(1),
            Sort::Int => out.tag(2),
            Sort::Real => out.tag(3),
            Sort::BitVec(width) => {
                out.tag(4);
                out.number(u64::from(*width));
            }
            Sort::Float(eb, sb) => {
                out.tag(5);
                out.number(u64::from(*eb));
                out.number(u64::from(*sb));
            }
            Sort::RoundingMode => out.tag(6),
            Sort::String => out.tag(7),
            Sort::RegEx => out.tag(8),
            Sort::Uninterpreted(name) => {
                out.tag(9);
                out.text(name.as_str());
            }
            Sort::Datatype(name) => {
                out.tag(10);
                out.text(name.as_str());
            }
            Sort::Array(indices, element) => {
                out.tag(11);
                out.number(indices.len() as u64);
                indices.iter().for_each(|sort| sort.feed(out));
                element.feed(out);
            }
            Sort::Seq(element) => {
                out.tag(12);
                element.feed(out);
            }
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("bool"),
            Sort::Int => f.write_str("int"),
            Sort::Real => f.write_str("real"),
            Sort::BitVec(width) => write!(f, "bv{width}"),
            Sort::Float(eb, sb) => write!(f, "float{sb}e{eb}"),
            Sort::RoundingMode => f.write_str("rmode"),
            Sort::String => f.write_str("string"),
            Sort::RegEx => f.write_str("regex"),
            Sort::Uninterpreted(name) | Sort::Datatype(name) => write!(f, "{name}"),
            Sort::Array(indices, element) => {
                f.write_str("[")?;
                for (nth, index) in indices.iter().enumerate() {
                    write!(f, "{}{index}", if nth == 0 { "" } else { ", " })?;
                }
                write!(f, "]{element}")
            }
            Sort::Seq(element) => write!(f, "Seq {element}"),
        }
    }
}

impl fmt::Debug for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One constructor of a datatype.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CtorDef {
    /// The name of the constructor, unique in its datatype.
    pub name: Symbol,
    /// Field names and sorts in order. Names may repeat between constructors.
    pub fields: Vec<(Symbol, Sort)>,
}

impl CtorDef {
    /// A constructor with these fields.
    pub fn new(name: impl Into<Symbol>, fields: Vec<(Symbol, Sort)>) -> Self {
        CtorDef { name: name.into(), fields }
    }

    /// The position of the field called `name`.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|(field, _)| field.as_str() == name)
    }
}

/// A datatype: its name and constructors.
#[derive(Debug)]
pub struct DatatypeDef {
    name: Symbol,
    ctors: Vec<CtorDef>,
    digest: Digest,
}

impl DatatypeDef {
    /// A definition, shared by every operator that needs it.
    pub fn new(name: impl Into<Symbol>, ctors: Vec<CtorDef>) -> Arc<Self> {
        let name = name.into();
        let mut out = DigestBuilder::new();
        out.text(name.as_str());
        for ctor in &ctors {
            out.text(ctor.name.as_str());
            out.number(ctor.fields.len() as u64);
            for (field, sort) in &ctor.fields {
                out.text(field.as_str());
                sort.feed(&mut out);
            }
        }
        let digest = out.finish();
        Arc::new(DatatypeDef { name, ctors, digest })
    }

    /// The name of the datatype.
    pub fn name(&self) -> &Symbol {
        &self.name
    }

    /// Its constructors in declaration order.
    pub fn ctors(&self) -> &[CtorDef] {
        &self.ctors
    }

    /// The position of the constructor called `name`.
    pub fn ctor(&self, name: &str) -> Option<usize> {
        self.ctors.iter().position(|ctor| ctor.name.as_str() == name)
    }

    /// The sort that this definition declares.
    pub fn sort(&self) -> Sort {
        Sort::Datatype(self.name.clone())
    }

    pub(crate) fn digest(&self) -> Digest {
        self.digest
    }
}

impl PartialEq for DatatypeDef {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for DatatypeDef {}

/// The declarations that a question needs beside its terms.
///
/// Functions, variables and uninterpreted sorts are declared by their occurrences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Every datatype that a sort of the question can mention, by name.
    pub datatypes: BTreeMap<Symbol, Arc<DatatypeDef>>,
}

impl Signature {
    /// Adds a datatype; an equal definition may be added again.
    pub fn declare(&mut self, def: Arc<DatatypeDef>) {
        self.datatypes.insert(def.name.clone(), def);
    }

    /// The definition behind a datatype sort.
    pub fn datatype(&self, sort: &Sort) -> Option<&Arc<DatatypeDef>> {
        if let Sort::Datatype(name) = sort { self.datatypes.get(name) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::{CtorDef, DatatypeDef, Sort};

    #[test]
    fn sorts_print_like_types() {
        let sort =
            Sort::array([Sort::Int, Sort::Uninterpreted("Tid".into())], Sort::set(Sort::BitVec(8)));
        assert_eq!(sort.to_string(), "[int, Tid][bv8]bool");
    }

    #[test]
    fn a_definition_finds_its_constructors_and_fields() {
        let def = DatatypeDef::new(
            "Opt",
            vec![CtorDef::new("None", vec![]), CtorDef::new("Some", vec![("t".into(), Sort::Int)])],
        );
        assert_eq!(def.ctor("Some"), Some(1));
        assert_eq!(def.ctors()[1].field("t"), Some(0));
        assert_eq!(def.sort(), Sort::Datatype("Opt".into()));
    }
}
