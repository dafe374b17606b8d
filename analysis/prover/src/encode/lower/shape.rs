//! What a sort is made of once its maps are functions.
//!
//! **In:** a sort and the datatypes of the question. **Out:** its [`Shape`], or nothing if maps stand
//! where no function can: as an index, in a sequence, inside a recursive datatype.

use std::sync::Arc;

use ir::{CtorDef, DatatypeDef, Signature, Sort, Symbol};
use rustc_hash::FxHashMap;

/// The shape of a sort.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// No map is inside: the sort stays as it is.
    Plain,
    /// A map from plain indices. The height counts the maps inside each other, this one included.
    Map { indices: Arc<[Sort]>, element: Arc<Shape>, element_sort: Sort, height: usize },
    /// A datatype with maps inside: by constructor, the shapes of its fields.
    Data { def: Arc<DatatypeDef>, ctors: Arc<[Vec<Shape>]> },
}

impl Shape {
    pub(super) fn is_plain(&self) -> bool {
        matches!(self, Shape::Plain)
    }

    /// How many maps stand inside each other.
    fn height(&self) -> usize {
        match self {
            Shape::Plain => 0,
            Shape::Map { height, .. } => *height,
            Shape::Data { ctors, .. } => {
                ctors.iter().flatten().map(Shape::height).max().unwrap_or(0)
            }
        }
    }
}

/// Shapes of sorts, each found once.
pub(super) struct Shapes {
    signature: Signature,
    known: FxHashMap<Sort, Option<Shape>>,
    /// Datatypes that are being looked into.
    open: Vec<Symbol>,
}

impl Shapes {
    pub(super) fn new(signature: Signature) -> Shapes {
        Shapes { signature, known: FxHashMap::default(), open: Vec::new() }
    }

    pub(super) fn signature(&self) -> &Signature {
        &self.signature
    }

    pub(super) fn of(&mut self, sort: &Sort) -> Option<Shape> {
        if let Some(known) = self.known.get(sort) {
            return known.clone();
        }
        let found = self.find(sort);
        if self.open.is_empty() {
            self.known.insert(sort.clone(), found.clone());
        }
        found
    }

    fn find(&mut self, sort: &Sort) -> Option<Shape> {
        match sort {
            Sort::Array(indices, element) => {
                let plain = |index: &Sort| self.of(index).is_some_and(|shape| shape.is_plain());
                if !indices.iter().all(plain) {
                    return None;
                }
                let shape = self.of(element)?;
                let height = shape.height() + 1;
                let (element, element_sort) = (Arc::new(shape), element.as_ref().clone());
                Some(Shape::Map { indices: Arc::clone(indices), element, element_sort, height })
            }
            Sort::Seq(element) => self.of(element)?.is_plain().then_some(Shape::Plain),
            Sort::Datatype(name) => self.datatype(sort, name),
            Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::BitVec(_)
            | Sort::Float(..)
            | Sort::RoundingMode
            | Sort::String
            | Sort::RegEx
            | Sort::Uninterpreted(_) => Some(Shape::Plain),
        }
    }

    fn datatype(&mut self, sort: &Sort, name: &Symbol) -> Option<Shape> {
        if !self.has_maps(sort) {
            return Some(Shape::Plain);
        }
        if self.open.contains(name) {
            return None;
        }
        let def = Arc::clone(self.signature.datatype(sort)?);
        self.open.push(name.clone());
        let mut ctor = |it: &CtorDef| -> Option<Vec<Shape>> {
            it.fields.iter().map(|(_, sort)| self.of(sort)).collect()
        };
        let ctors: Option<Vec<Vec<Shape>>> = def.ctors().iter().map(&mut ctor).collect();
        self.open.pop();
        Some(Shape::Data { def, ctors: ctors?.into() })
    }

    /// Is a map inside, at any depth?
    fn has_maps(&self, sort: &Sort) -> bool {
        let (mut todo, mut seen) = (vec![sort.clone()], Vec::new());
        while let Some(sort) = todo.pop() {
            match &sort {
                Sort::Array(..) => return true,
                Sort::Seq(element) => todo.push(element.as_ref().clone()),
                Sort::Datatype(name) if !seen.contains(name) => {
                    seen.push(name.clone());
                    let Some(def) = self.signature.datatype(&sort) else { return true };
                    let fields = def.ctors().iter().flat_map(|ctor| &ctor.fields);
                    todo.extend(fields.map(|(_, sort)| sort.clone()));
                }
                Sort::Datatype(_)
                | Sort::Bool
                | Sort::Int
                | Sort::Real
                | Sort::BitVec(_)
                | Sort::Float(..)
                | Sort::RoundingMode
                | Sort::String
                | Sort::RegEx
                | Sort::Uninterpreted(_) => {}
            }
        }
        false
    }
}
