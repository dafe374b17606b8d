//! Is there a tuple of values for which a computation says yes?

use super::{Engine, Known, Linear, Val};
use crate::eval::Unknown;
use crate::{Element, Sort, Symbol, Value};

/// Values of datatypes inside one another are listed so deeply.
const MOST_DEPTH: usize = 3;
/// Bit vectors wider than this are not listed.
const WIDEST: u32 = 6;
/// More values than this are not listed.
const MOST_VALUES: usize = 256;

/// The type of which there are infinitely many values.
const LOCATIONS: &str = "Loc";

/// An element that no run mentions.
pub(super) fn other(sort: &Symbol) -> Value {
    Value::Element(Element { sort: sort.clone(), index: u32::MAX })
}

type Test<'t, 'v> = dyn FnMut(Val<'v>) -> Known<bool> + 't;

impl<'v> Engine<'v> {
    /// Does `test` hold of some tuple of values of these sorts?
    pub fn exists(
        &self,
        sorts: &[Sort],
        test: &mut dyn FnMut(&[Val<'v>]) -> Known<bool>,
    ) -> Known<bool> {
        self.tuples(sorts, 0, &mut Vec::new(), test)
    }

    fn tuples(
        &self,
        sorts: &[Sort],
        depth: usize,
        found: &mut Vec<Val<'v>>,
        test: &mut dyn FnMut(&[Val<'v>]) -> Known<bool>,
    ) -> Known<bool> {
        let Some((first, rest)) = sorts.split_first() else { return test(found) };
        self.one(first, depth, &mut |value| {
            found.push(value);
            let answer = self.tuples(rest, depth, found, test);
            found.pop();
            answer
        })
    }

    fn one(&self, sort: &Sort, depth: usize, test: &mut Test<'_, 'v>) -> Known<bool> {
        match sort {
            Sort::Bool => self.among([false, true].map(Value::Bool), test),
            Sort::Int => self.some_integer(test),
            Sort::Uninterpreted(name) => match self.shapes.elements(name) {
                Some(all) => match self.among(all, test) {
                    Ok(false) if self.counts_others(name) => self.only_listed(name, test),
                    known => known,
                },
                None => self.candidate(sort, test),
            },
            Sort::Datatype(name) => match self.shapes.constructors(name) {
                Some(all) if depth < MOST_DEPTH && !self.shapes.is_restricted(name) => {
                    self.constructed(name, &all, depth, test)
                }
                Some(_) | None => self.candidate(sort, test),
            },
            Sort::BitVec(width) if *width <= WIDEST => {
                let all = (0..1u32 << width).map(|it| Value::BitVec(it.into(), *width));
                self.among(all, test)
            }
            Sort::BitVec(_) | Sort::Real | Sort::Float(..) | Sort::RoundingMode => {
                self.candidate(sort, test)
            }
            Sort::String | Sort::RegEx | Sort::Array(..) | Sort::Seq(_) => {
                self.candidate(sort, test)
            }
        }
    }

    /// These are all values.
    fn among(
        &self,
        values: impl IntoIterator<Item = Value>,
        test: &mut Test<'_, 'v>,
    ) -> Known<bool> {
        let mut open = None;
        for value in values {
            self.burn();
            if !self.has_fuel() {
                return Err(Unknown("too many values".into()));
            }
            match test(Val::Plain(value)) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(why) => open = open.or(Some(why)),
            }
        }
        open.map_or(Ok(false), Err)
    }

    /// Does it matter whether the type has more values than the run mentions?
    fn counts_others(&self, sort: &Symbol) -> bool {
        self.others.get() || sort.as_str() == LOCATIONS
    }

    /// No listed value is wanted; is a value that the run does not mention not wanted either?
    fn only_listed(&self, sort: &Symbol, test: &mut Test<'_, 'v>) -> Known<bool> {
        match test(Val::Plain(other(sort))) {
            Ok(false) => Ok(false),
            Ok(true) | Err(_) => Err(Unknown(format!("how many values `{sort}` has"))),
        }
    }

    /// The same, if there are values of types without definition that the run does not mention.
    pub(super) fn with_others<T>(&self, work: impl FnOnce(&Self) -> T) -> T {
        let before = self.others.replace(true);
        let done = work(self);
        self.others.set(before);
        done
    }

    /// There are others.
    fn candidate(&self, sort: &Sort, test: &mut Test<'_, 'v>) -> Known<bool> {
        match self.among(self.shapes.candidates(sort), test) {
            Ok(false) => Err(Unknown(String::new())),
            known => known,
        }
    }

    fn constructed(
        &self,
        datatype: &Symbol,
        constructors: &[(Symbol, Vec<Sort>)],
        depth: usize,
        test: &mut Test<'_, 'v>,
    ) -> Known<bool> {
        let mut open = None;
        for (nth, (name, sorts)) in constructors.iter().enumerate() {
            let nth = u32::try_from(nth).unwrap_or(u32::MAX);
            let mut with = |fields: &[Val<'v>]| {
                test(Engine::data(datatype.clone(), nth, name.clone(), fields.to_vec()))
            };
            match self.tuples(sorts, depth + 1, &mut Vec::new(), &mut with) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(why) => open = open.or(Some(why)),
            }
        }
        open.map_or(Ok(false), Err)
    }

    fn some_integer(&self, test: &mut Test<'_, 'v>) -> Known<bool> {
        let cover = self.cover(&mut |value| test(value), &|answer| *answer == Ok(true));
        let mut open = None;
        for piece in &cover.pieces {
            match &piece.found {
                Ok(true) => {
                    self.note_inhabited(piece);
                    return Ok(true);
                }
                Ok(false) => {}
                Err(why) => open = open.or(Some(why.clone())),
            }
        }
        match (open, cover.complete) {
            (Some(why), _) => Err(why),
            (None, true) => Ok(false),
            (None, false) => Err(Unknown("too many cases".into())),
        }
    }

    /// All values of a sort, if they can be listed.
    pub fn all_values(&self, sort: &Sort) -> Option<Vec<Value>> {
        self.listed(sort, 0)
    }

    fn listed(&self, sort: &Sort, depth: usize) -> Option<Vec<Value>> {
        match sort {
            Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Sort::Uninterpreted(name) => self.shapes.elements(name),
            Sort::Datatype(name) if depth < MOST_DEPTH && !self.shapes.is_restricted(name) => {
                let mut all = Vec::new();
                for (nth, (ctor, sorts)) in self.shapes.constructors(name)?.into_iter().enumerate()
                {
                    let nth = u32::try_from(nth).ok()?;
                    for fields in self.product(&sorts, depth + 1)? {
                        let fields = fields.into_iter().map(Val::Plain).collect();
                        let made = Engine::data(name.clone(), nth, ctor.clone(), fields);
                        all.extend(made.plain().cloned());
                    }
                }
                (all.len() <= MOST_VALUES).then_some(all)
            }
            Sort::Datatype(_) | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Float(..) => None,
            Sort::RoundingMode | Sort::String | Sort::RegEx | Sort::Array(..) | Sort::Seq(_) => {
                None
            }
        }
    }

    /// All tuples of values of these sorts, if they can be listed.
    pub fn product(&self, sorts: &[Sort], depth: usize) -> Option<Vec<Vec<Value>>> {
        let mut tuples = vec![Vec::new()];
        for sort in sorts {
            let values = self.listed(sort, depth)?;
            if tuples.len() * values.len() > MOST_VALUES {
                return None;
            }
            let longer = |tuple: &Vec<Value>| {
                let tuple = tuple.clone();
                let one = move |it: &Value| tuple.iter().chain([it]).cloned().collect();
                values.iter().map(one).collect::<Vec<Vec<Value>>>()
            };
            tuples = tuples.iter().flat_map(longer).collect();
        }
        Some(tuples)
    }
}

/// All elements of an uninterpreted sort that occur in these values; at least one.
pub fn carrier<'a>(sort: &Symbol, values: impl IntoIterator<Item = &'a Value>) -> Vec<Value> {
    let own = |value: &&Value| matches!(value, Value::Element(it) if it.sort == *sort);
    let mut all: Vec<Value> = values.into_iter().filter(own).cloned().collect();
    if all.is_empty() {
        all.push(Value::Element(Element { sort: sort.clone(), index: 0 }));
    }
    all
}

/// The bound of a piece as a number, if it is one.
pub(super) fn constant(bound: Option<&Linear>) -> Option<num_bigint::BigInt> {
    bound.and_then(Linear::as_constant).cloned()
}
