//! Maps as functions: elements, updates, equality, and back to plain values.

use std::rc::Rc;

use super::{Engine, Known, Linear, Val};
use crate::eval::{Unknown, is_plain, same_plain};
use crate::{Around, MapValue, Segment, Sort, Value};

/// More rows than this are not written down.
const MOST_ROWS: usize = 256;
/// An index is an integer inside so many constructors at most.
const MOST_AROUND: usize = 3;

impl<'v> Engine<'v> {
    /// The element of a map of this sort at an index.
    pub fn select(&self, map: &Val<'v>, index: &[Val<'v>], sort: &Sort) -> Known<Val<'v>> {
        match map {
            Val::Map(function) => function(index),
            Val::Plain(Value::Map(table)) => {
                let sorts = sort.as_array().map_or(&[][..], |(sorts, _)| sorts);
                self.row(table, index, sorts)
            }
            Val::Plain(_) | Val::Int(_) | Val::Data(..) => Err(Unknown("a map".into())),
        }
    }

    /// The row of a table with these arguments, which have these sorts.
    pub fn row(&self, table: &MapValue, index: &[Val<'v>], sorts: &[Sort]) -> Known<Val<'v>> {
        if table.segments().is_empty() {
            let plain: Option<Vec<Value>> = index.iter().map(|it| it.plain().cloned()).collect();
            if let Some(plain) = plain.filter(|it| it.iter().all(is_plain)) {
                let found = table.get(&plain).map(Val::Plain);
                return found.ok_or_else(|| Unknown("an element of a map".into()));
            }
            for (key, element) in table.entries() {
                if self.same_tuple(key, index, sorts)? {
                    return Ok(Val::Plain(element.clone()));
                }
            }
            let other = table.default().cloned().map(Val::Plain);
            return other.ok_or_else(|| Unknown("an element of a map".into()));
        }
        let Some(at) = index.first().and_then(|it| self.inside(it, table.around().len())) else {
            return Err(Unknown("an element of a map".into()));
        };
        let mut chosen = None;
        for segment in table.segments() {
            let starts = segment.from.as_ref();
            let starts =
                starts.is_none_or(|from| !self.is_less(&at, &Linear::constant(from.clone())));
            if !starts {
                break;
            }
            chosen = Some(segment);
        }
        let Some(segment) = chosen else { return Err(Unknown("an element of a map".into())) };
        Ok(match (&segment.base, segment.slope.sign()) {
            (Value::Int(base), num_bigint::Sign::Minus | num_bigint::Sign::Plus) => {
                let sum = at.times(&segment.slope).plus(&Linear::constant(base.clone()));
                Engine::from_integer(sum)
            }
            (base, _) => Val::Plain(base.clone()),
        })
    }

    /// The integer inside so many constructors.
    fn inside(&self, value: &Val<'v>, depth: usize) -> Option<Linear> {
        let mut value = value.clone();
        for _ in 0..depth {
            let (0, fields) = Engine::fields(&value)? else { return None };
            value = fields.into_iter().next()?;
        }
        self.integer(&value)
    }

    fn same_tuple(&self, key: &[Value], index: &[Val<'v>], sorts: &[Sort]) -> Known<bool> {
        if key.len() != index.len() || sorts.len() != index.len() {
            return Err(Unknown("an index of another length".into()));
        }
        let pairs = key.iter().zip(index).zip(sorts);
        all(pairs.map(|((key, index), sort)| self.equal(&Val::Plain(key.clone()), index, sort)))
    }

    /// The map with another element at an index.
    pub fn store(
        &'v self,
        map: Val<'v>,
        at: Vec<Val<'v>>,
        element: Val<'v>,
        sort: Sort,
    ) -> Val<'v> {
        Val::Map(Rc::new(move |index: &[Val<'v>]| {
            let sorts = sort.as_array().map_or(&[][..], |(sorts, _)| sorts);
            let pairs = at.iter().zip(index).zip(sorts);
            match all(pairs.map(|((at, index), sort)| self.equal(at, index, sort)))? {
                true => Ok(element.clone()),
                false => self.select(&map, index, &sort),
            }
        }))
    }

    /// The map that has this element everywhere.
    pub fn everywhere(element: Val<'v>) -> Val<'v> {
        match element {
            Val::Plain(value) => Val::Plain(Value::Map(MapValue::new([], Some(value)))),
            other @ (Val::Int(_) | Val::Data(..) | Val::Map(_)) => {
                Val::Map(Rc::new(move |_: &[Val<'v>]| Ok(other.clone())))
            }
        }
    }

    /// Are two values of this sort the same?
    pub fn equal(&self, left: &Val<'v>, right: &Val<'v>, sort: &Sort) -> Known<bool> {
        if let (Val::Plain(left), Val::Plain(right)) = (left, right)
            && let Some(known) = same_plain(left, right, sort)
        {
            return Ok(known);
        }
        match sort {
            Sort::Int => match (self.integer(left), self.integer(right)) {
                (Some(left), Some(right)) => Ok(self.is_same(&left, &right)),
                (None, _) | (_, None) => Err(Unknown("a number".into())),
            },
            Sort::Datatype(name) => {
                let (Some((one, mine)), Some((two, theirs))) =
                    (Engine::fields(left), Engine::fields(right))
                else {
                    return Err(Unknown("a value of a datatype".into()));
                };
                if one != two {
                    return Ok(false);
                }
                let all_ctors = self.shapes.constructors(name);
                let ctor = all_ctors.as_ref().and_then(|all| all.get(one as usize));
                let Some((_, sorts)) = ctor.filter(|it| it.1.len() == mine.len()) else {
                    return Err(Unknown("equality of partly known maps".into()));
                };
                let pairs = mine.iter().zip(&theirs).zip(sorts);
                all(pairs.map(|((mine, other), sort)| self.equal(mine, other, sort)))
            }
            Sort::Array(indices, element) => {
                let mut differs = |index: &[Val<'v>]| {
                    let mine = self.select(left, index, sort)?;
                    let other = self.select(right, index, sort)?;
                    self.equal(&mine, &other, element).map(|same| !same)
                };
                match self.with_others(|own| own.exists(indices, &mut differs)) {
                    Ok(found) => Ok(!found),
                    Err(why) if why.0.is_empty() => {
                        Err(Unknown("equality of partly known maps".into()))
                    }
                    Err(why) => Err(why),
                }
            }
            Sort::Seq(element) => match (left, right) {
                (Val::Plain(Value::Seq(mine)), Val::Plain(Value::Seq(other))) => {
                    if mine.len() != other.len() {
                        return Ok(false);
                    }
                    let plain = |value: &Value| Val::Plain(value.clone());
                    let pairs = mine.iter().zip(other);
                    all(pairs.map(|(mine, other)| self.equal(&plain(mine), &plain(other), element)))
                }
                _other => Err(Unknown("a sequence".into())),
            },
            Sort::Bool | Sort::Real | Sort::BitVec(_) | Sort::Float(..) | Sort::RoundingMode => {
                Err(Unknown("equality of these values".into()))
            }
            Sort::String | Sort::RegEx | Sort::Uninterpreted(_) => {
                Err(Unknown("equality of these values".into()))
            }
        }
    }

    /// The value as data: a map over integers by its pieces, one over few indices by its elements, any other
    /// by rows for values of the run, and unknown elsewhere.
    pub fn written(&self, value: &Val<'v>, sort: &Sort) -> Known<Value> {
        match value {
            Val::Plain(value) => Ok(value.clone()),
            Val::Int(sum) => Ok(Value::Int(self.pin(sum))),
            Val::Data(datatype, ctor, name, fields) => {
                let all = self.shapes.constructors(datatype).unwrap_or_default();
                let Some((_, sorts)) = all.get(*ctor as usize) else {
                    return Err(Unknown("a value of a datatype".into()));
                };
                let fields = fields.iter().zip(sorts).map(|(it, sort)| self.written(it, sort));
                let fields = fields.collect::<Known<_>>()?;
                let (datatype, name) = (datatype.clone(), name.clone());
                Ok(Value::Data(crate::Data { datatype, ctor: *ctor, name, fields }))
            }
            Val::Map(function) => {
                let Some((indices, element)) = sort.as_array() else {
                    return Err(Unknown("a map".into()));
                };
                if let [index] = indices
                    && let Some(around) = self.around_integers(index)
                    && let Ok(whole) = self.written_pieces(function, around, element)
                {
                    return Ok(whole);
                }
                let tuples = self.product(indices, 0);
                let is_complete = tuples.is_some();
                let mut entries = Vec::new();
                for tuple in tuples.unwrap_or_else(|| self.worth_a_try(indices)) {
                    let index: Vec<Val<'v>> = tuple.iter().cloned().map(Val::Plain).collect();
                    match function(&index).and_then(|it| self.written(&it, element)) {
                        Ok(element) => entries.push((tuple, element)),
                        // A row that is not known must not be covered by the others.
                        Err(why) if is_complete => return Err(why),
                        Err(_) => {}
                    }
                }
                let others = match indices {
                    [Sort::Uninterpreted(sort)] => vec![Val::Plain(super::exists::other(sort))],
                    _other => Vec::new(),
                };
                let default = match others.as_slice() {
                    [] => entries.last().map(|(_, element)| element.clone()),
                    // What the run does not mention is all alike.
                    index => function(index).and_then(|it| self.written(&it, element)).ok(),
                };
                let default = default.filter(|_| is_complete);
                Ok(Value::Map(MapValue::new(entries, default)))
            }
        }
    }

    /// Some tuples of values that occur in the run.
    fn worth_a_try(&self, sorts: &[Sort]) -> Vec<Vec<Value>> {
        let mut tuples = vec![Vec::new()];
        for sort in sorts {
            let values = self.listed_or_tried(sort);
            let longer = |tuple: &Vec<Value>| {
                let tuple = tuple.clone();
                let one = move |it: &Value| tuple.iter().chain([it]).cloned().collect();
                values.iter().map(one).collect::<Vec<Vec<Value>>>()
            };
            tuples = tuples.iter().flat_map(longer).take(MOST_ROWS).collect();
        }
        tuples
    }

    fn listed_or_tried(&self, sort: &Sort) -> Vec<Value> {
        let own = || self.shapes.candidates(sort);
        self.all_values(sort).unwrap_or_else(own).into_iter().filter(is_plain).collect()
    }

    /// The constructors around an integer that make the values of the sort, if these are all there are.
    fn around_integers(&self, sort: &Sort) -> Option<Vec<Around>> {
        let (mut around, mut sort) = (Vec::new(), sort.clone());
        while let Sort::Datatype(name) = &sort {
            let all = self.shapes.constructors(name)?;
            let ([(constructor, fields)], false) =
                (all.as_slice(), self.shapes.is_restricted(name))
            else {
                return None;
            };
            let ([field], true) = (fields.as_slice(), around.len() < MOST_AROUND) else {
                return None;
            };
            around.push(Around { datatype: name.clone(), name: constructor.clone() });
            sort = field.clone();
        }
        (sort == Sort::Int).then_some(around)
    }

    fn written_pieces(
        &self,
        function: &super::Function<'v>,
        around: Vec<Around>,
        element: &Sort,
    ) -> Known<Value> {
        // An element that depends on the index is a sum of it; its value at two places tells which.
        let id = self.vars.borrow().len();
        let mut compute = |index: Val<'v>| -> Known<(Value, num_bigint::BigInt)> {
            let inside = |value, it: &Around| {
                Engine::data(it.datatype.clone(), 0, it.name.clone(), vec![value])
            };
            let found = function(&[around.iter().rev().fold(index, inside)])?;
            if let Val::Int(sum) = &found {
                let slope = sum.factor(id);
                let base = self.pin(&sum.without(id));
                return Ok((Value::Int(base), slope));
            }
            Ok((self.written(&found, element)?, num_bigint::BigInt::from(0)))
        };
        let cover = self.cover(&mut compute, &|found| found.is_err());
        let mut segments = Vec::new();
        for piece in cover.pieces {
            let (base, slope) = piece.found?;
            let from = piece.low.map(|low| self.pin(&low));
            segments.push(Segment { from, base, slope });
        }
        if !cover.complete {
            return Err(Unknown("a map that nobody can write down".into()));
        }
        Ok(Value::Map(MapValue::piecewise_inside(around, segments)))
    }
}

/// Are all of these true? One that is false decides, whatever is not known.
pub fn all(parts: impl Iterator<Item = Known<bool>>) -> Known<bool> {
    let mut open = None;
    for part in parts {
        match part {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(why) => open = open.or(Some(why)),
        }
    }
    open.map_or(Ok(true), Err)
}
