//! Functions of our libraries, computed.
//!
//! **In:** arguments. **Out:** the value in *one* structure that satisfies the axioms of the library.
//!
//! # Soundness
//! A run is a structure in which everything assumed is true. The axioms of a library say less than these functions
//! do, and these functions satisfy them (`tests` look at random heaps and sets; [`Meaning::ALL`] names them), so
//! a run found with these functions is a run. It does not matter that the solver's model has others: nothing but
//! this structure is evaluated. Where a function is not computed, the value is unknown:
//! - `Choice` is the value that the run has in its table, if that is an element of the set, and else the first
//!   element. Equal sets have equal values, since sets are compared and not their spelling.
//! - `Set_Size` counts, over all elements there are; the size of an infinite set is unknown.
//! - `Between` and `Avoiding` follow `next` until it ends or repeats.

use num_bigint::BigInt;

use super::{
    Engine, Known, Linear, Val,
    exists::{constant, other},
};
use crate::eval::Unknown;
use crate::{MapValue, Segment, Sort, Value};

/// A function of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    /// Every integer is sent to itself.
    Identity,
    /// Some element of a set.
    Choice,
    /// How many elements a set has.
    Size,
    /// One meets `y` and then `z`.
    Between,
    /// One meets `y` without passing `z`.
    Avoiding,
}

impl Meaning {
    /// All of them, by name.
    pub const ALL: [(&'static str, Meaning); 5] = [
        ("Identity", Meaning::Identity),
        ("Choice", Meaning::Choice),
        ("Set_Size", Meaning::Size),
        ("Between", Meaning::Between),
        ("Avoiding", Meaning::Avoiding),
    ];

    /// The function called so in the text of a library.
    pub fn of(name: &str) -> Option<Meaning> {
        Meaning::ALL.iter().find(|(own, _)| *own == name).map(|(_, meaning)| *meaning)
    }
}

/// The first and the last integer, if there are.
type Bounds = (Option<BigInt>, Option<BigInt>);

impl<'v> Engine<'v> {
    /// The value of a library function whose arguments have these sorts; `table` is what the run says of it.
    pub fn of_library(
        &self,
        meaning: Meaning,
        args: &[Val<'v>],
        sorts: &[Sort],
        table: Option<&MapValue>,
    ) -> Known<Val<'v>> {
        match (meaning, args, sorts) {
            (Meaning::Identity, [], _) => {
                let (base, slope) = (Value::Int(BigInt::from(0)), BigInt::from(1));
                let all = vec![Segment { from: None, base, slope }];
                Ok(Val::Plain(Value::Map(MapValue::piecewise(all))))
            }
            (Meaning::Choice, [set], [sort]) => self.choice(set, sort, table),
            (Meaning::Size, [set], [sort]) => self.size(set, sort),
            (Meaning::Between, [heap, x, y, z], [sort, ..]) => {
                let (first, second) = self.way(heap, sort, [x, y, z])?;
                Ok(Val::bool(first.zip(second).is_some_and(|(first, second)| first <= second)))
            }
            (Meaning::Avoiding, [heap, x, y, z], [sort, ..]) => {
                let (first, second) = self.way(heap, sort, [x, y, z])?;
                let met = first.is_some_and(|first| second.is_none_or(|second| first <= second));
                Ok(Val::bool(met))
            }
            _other => Err(Unknown("a function of a library".into())),
        }
    }

    /// Is the element in the set?
    fn contains(&self, set: &Val<'v>, sort: &Sort, element: Val<'v>) -> Known<bool> {
        self.select(set, &[element], sort)?.truth()
    }

    fn choice(&self, set: &Val<'v>, sort: &Sort, table: Option<&MapValue>) -> Known<Val<'v>> {
        for (key, value) in table.into_iter().flat_map(MapValue::entries) {
            let [own] = key else { continue };
            if self.equal(&Val::Plain(own.clone()), set, sort)? {
                let value = Val::Plain(value.clone());
                return match self.contains(set, sort, value.clone())? {
                    true => Ok(value),
                    false => Err(Unknown("an element of an empty set".into())),
                };
            }
        }
        let Some(([index], _)) = sort.as_array() else { return Err(Unknown("a set".into())) };
        if *index == Sort::Int {
            return self.first_integer(set, sort);
        }
        let Some(all) = self.all_values(index) else {
            return Err(Unknown("an element of a set".into()));
        };
        for value in all {
            if self.contains(set, sort, Val::Plain(value.clone()))? {
                return Ok(Val::Plain(value));
            }
        }
        Err(Unknown("an element of an empty set".into()))
    }

    /// The smallest element that is not negative, or else the greatest one. Only of sets that depend on nothing.
    fn first_integer(&self, set: &Val<'v>, sort: &Sort) -> Known<Val<'v>> {
        let zero = BigInt::from(0);
        let mut negative = None;
        for (low, high) in self.members(set, sort)? {
            if high.as_ref().is_none_or(|high| *high >= zero) {
                let first = low.filter(|low| *low > zero).unwrap_or_else(|| zero.clone());
                return Ok(Val::Plain(Value::Int(first)));
            }
            negative = high;
        }
        let last = negative.map(|last| Val::Plain(Value::Int(last)));
        last.ok_or_else(|| Unknown("an element of an empty set".into()))
    }

    /// The intervals of which a set of integers consists, in ascending order.
    fn members(&self, set: &Val<'v>, sort: &Sort) -> Known<Vec<Bounds>> {
        let mut test = |at: Val<'v>| self.contains(set, sort, at);
        let cover = self.cover(&mut test, &|found| found.is_err());
        let mut found = Vec::new();
        for piece in cover.pieces {
            if !piece.found? {
                continue;
            }
            let is_open =
                |bound: &Option<Linear>| bound.is_some() && constant(bound.as_ref()).is_none();
            if is_open(&piece.low) || is_open(&piece.high) {
                return Err(Unknown("a set that depends on a bound variable".into()));
            }
            found.push((constant(piece.low.as_ref()), constant(piece.high.as_ref())));
        }
        if cover.complete { Ok(found) } else { Err(Unknown("a set in many pieces".into())) }
    }

    fn size(&self, set: &Val<'v>, sort: &Sort) -> Known<Val<'v>> {
        let Some(([index], _)) = sort.as_array() else { return Err(Unknown("a set".into())) };
        let mut size = BigInt::from(0);
        if *index == Sort::Int {
            for bounds in self.members(set, sort)? {
                let (Some(low), Some(high)) = bounds else {
                    return Err(Unknown("the size of an infinite set".into()));
                };
                size += high - low + 1;
            }
            return Ok(Val::Plain(Value::Int(size)));
        }
        let Some(all) = self.all_values(index) else {
            return Err(Unknown("the size of a set".into()));
        };
        for value in all {
            size += i32::from(self.contains(set, sort, Val::Plain(value))?);
        }
        if let Sort::Uninterpreted(name) = index
            && self.contains(set, sort, Val::Plain(other(name)))?
        {
            return Err(Unknown(format!("how many values `{name}` has")));
        }
        Ok(Val::Plain(Value::Int(size)))
    }

    /// After how many steps from `x` one meets `y` and `z` first.
    fn way(
        &self,
        heap: &Val<'v>,
        sort: &Sort,
        [x, y, z]: [&Val<'v>; 3],
    ) -> Known<(Option<usize>, Option<usize>)> {
        let fixed =
            |value: &Val<'v>| self.pinned(value).ok_or_else(|| Unknown("an address".into()));
        let Some(([Sort::Datatype(key)], _)) = sort.as_array() else {
            return Err(Unknown("a heap".into()));
        };
        let (mut at, y, z) = (fixed(x)?, fixed(y)?, fixed(z)?);
        let mut met: Vec<Value> = Vec::new();
        while !met.contains(&at) {
            met.push(at.clone());
            let Value::Data(option) = &at else { return Err(Unknown("an address".into())) };
            let [place] = option.fields.as_slice() else { break };
            let place = vec![Val::Plain(place.clone())];
            let place = Engine::data(key.clone(), 0, "One".into(), place);
            let node = self.select(heap, &[place], sort)?;
            let next = Engine::fields(&node).and_then(|(_, fields)| fields.first().cloned());
            at = fixed(&next.ok_or_else(|| Unknown("a node".into()))?)?;
        }
        let step = |wanted: &Value| met.iter().position(|it| it == wanted);
        Ok((step(&y), step(&z)))
    }
}
