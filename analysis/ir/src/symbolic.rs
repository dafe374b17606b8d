//! Values that depend on bound variables, and questions about all of them.
//!
//! **In:** what types, sorts and maps are ([`Shapes`]), and computations on [`Val`]s. **Out:** whether a tuple
//! exists for which a computation says yes, whether two values are the same, what a map is.
//!
//! Evaluation of formulas (`ir::eval`) and execution of the text (`ide::replay`) share this engine, but not what
//! they compute with it.
//!
//! | file | what |
//! | --- | --- |
//! | `linear`, `cover` | integers: pieces on which a computation goes the same way |
//! | `exists` | quantifiers over all sorts |
//! | `maps` | maps as functions; equality; back to plain values |
//! | `library` | functions of our libraries, computed |
//!
//! # Soundness
//! Nothing is guessed: what is not decided is [`Unknown`].
//! - **Integers** are all integers; see [`Cover`].
//! - **Uninterpreted sorts** are the sets that [`Shapes::elements`] lists. These are the elements that the values of the
//!   run mention, which may be fewer than the solver's model has. A subset of a model is another structure, and what
//!   holds in the one need not hold in the other; so *everything*, assumptions, axioms and the assertion, is evaluated in
//!   the smaller one. If all that is assumed is true there and the assertion false, it is a model of
//!   "the assertion fails" in its own right, and nothing needs to be known about the larger one. A function or map whose value
//!   would lie outside has no row there, so it is unknown. Proofs take such a type for infinite where maps over it are
//!   compared, and locations everywhere; so two maps are the same, a set has a size, and no location has a property
//!   only if this is so beside the listed elements, too.
//! - **Datatypes** are all values that their constructors make of fields; deeply nested ones are left open.
//! - **Maps** are functions from indices to elements. Two are the same if no index tells them apart.

mod cover;
mod exists;
pub mod library;
mod linear;
mod maps;
#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use num_bigint::BigInt;

pub use cover::{Cover, Piece};
pub use exists::carrier;
pub use linear::Linear;
pub use maps::all;

use crate::eval::Unknown;
use crate::{Data, Sort, Symbol, Value};

/// A result, or what is not known.
pub type Known<T> = Result<T, Unknown>;

/// Pieces of integers and elements that are looked at in one evaluation.
const FUEL: usize = 20_000;

/// What sorts are.
pub trait Shapes {
    /// All elements of an uninterpreted sort, if they are known to be all.
    fn elements(&self, sort: &Symbol) -> Option<Vec<Value>>;
    /// The constructors of a datatype and the sorts of their fields.
    fn constructors(&self, datatype: &Symbol) -> Option<Vec<(Symbol, Vec<Sort>)>>;
    /// Some values worth a try, where not all can be listed.
    fn candidates(&self, sort: &Sort) -> Vec<Value>;
    /// Are some of what its constructors make no values of the datatype?
    fn is_restricted(&self, datatype: &Symbol) -> bool;
}

/// A map, as a function.
pub type Function<'v> = Rc<dyn Fn(&[Val<'v>]) -> Known<Val<'v>> + 'v>;

/// A value that may depend on bound variables.
#[derive(Clone)]
pub enum Val<'v> {
    /// One that does not.
    Plain(Value),
    /// An integer that does.
    Int(Linear),
    /// Constructor, its name, fields.
    Data(Symbol, u32, Symbol, Vec<Val<'v>>),
    /// A map that is computed where it is asked.
    Map(Function<'v>),
}

impl Val<'_> {
    /// The value, if it depends on nothing.
    pub fn plain(&self) -> Option<&Value> {
        if let Val::Plain(value) = self { Some(value) } else { None }
    }

    /// A truth value.
    pub fn bool(value: bool) -> Self {
        Val::Plain(Value::Bool(value))
    }

    /// The truth value that it is.
    pub fn truth(&self) -> Known<bool> {
        match self {
            Val::Plain(Value::Bool(value)) => Ok(*value),
            Val::Plain(other) => Err(Unknown(format!("the truth of {other}"))),
            Val::Int(_) | Val::Data(..) | Val::Map(_) => Err(Unknown("a truth value".into())),
        }
    }
}

/// The bound variables of the present computation, and what was noted of them.
pub struct Engine<'v> {
    shapes: &'v dyn Shapes,
    /// The present values of the integer variables, outermost first.
    vars: RefCell<Vec<BigInt>>,
    /// Sums that are not negative, and must not become so.
    facts: RefCell<Vec<Linear>>,
    fuel: Cell<usize>,
    /// Must a quantifier not depend on there being no other elements than the listed ones?
    others: Cell<bool>,
}

impl<'v> Engine<'v> {
    /// An engine for one evaluation.
    pub fn new(shapes: &'v dyn Shapes) -> Engine<'v> {
        let (vars, facts, others) = Default::default();
        Engine { shapes, vars, facts, fuel: Cell::new(FUEL), others }
    }

    fn burn(&self) {
        self.fuel.set(self.fuel.get().saturating_sub(1));
    }

    /// One more computation, unless there were too many.
    pub fn step(&self) -> Known<()> {
        self.burn();
        if self.has_fuel() { Ok(()) } else { Err(Unknown("too many cases".into())) }
    }

    fn has_fuel(&self) -> bool {
        self.fuel.get() > 0
    }

    /// The present value of a sum.
    fn number(&self, sum: &Linear) -> BigInt {
        sum.at(&self.vars.borrow())
    }

    /// The sum is not negative now; what follows is true as long as it is not.
    fn note(&self, sum: Linear) {
        if sum.as_constant().is_none() {
            let mut facts = self.facts.borrow_mut();
            if !facts.contains(&sum) {
                facts.push(sum);
            }
        }
    }

    /// What follows is true only of this value of the sum.
    pub fn pin(&self, sum: &Linear) -> BigInt {
        let now = self.number(sum);
        let constant = Linear::constant(now.clone());
        self.note(sum.minus(&constant));
        self.note(constant.minus(sum));
        now
    }

    /// Is the first smaller?
    pub fn is_less(&self, left: &Linear, right: &Linear) -> bool {
        let gap = right.minus(left).shifted(-1);
        let holds = self.number(&gap) >= BigInt::from(0);
        self.note(if holds { gap } else { left.minus(right) });
        holds
    }

    /// Are they the same?
    pub fn is_same(&self, left: &Linear, right: &Linear) -> bool {
        if left == right {
            return true;
        }
        if self.is_less(left, right) || self.is_less(right, left) {
            return false;
        }
        true
    }

    /// The integer that a value is.
    pub fn integer(&self, value: &Val<'v>) -> Option<Linear> {
        match value {
            Val::Int(sum) => Some(sum.clone()),
            Val::Plain(Value::Int(number)) => Some(Linear::constant(number.clone())),
            Val::Plain(_) | Val::Data(..) | Val::Map(_) => None,
        }
    }

    /// An integer as a value.
    pub fn from_integer(sum: Linear) -> Val<'v> {
        match sum.as_constant() {
            Some(number) => Val::Plain(Value::Int(number.clone())),
            None => Val::Int(sum),
        }
    }

    /// Constructor and fields of a value of a datatype.
    pub fn fields(value: &Val<'v>) -> Option<(u32, Vec<Val<'v>>)> {
        match value {
            Val::Data(_, ctor, _, fields) => Some((*ctor, fields.clone())),
            Val::Plain(Value::Data(data)) => {
                Some((data.ctor, data.fields.iter().cloned().map(Val::Plain).collect()))
            }
            Val::Plain(_) | Val::Int(_) | Val::Map(_) => None,
        }
    }

    /// The value that a constructor makes.
    pub fn data(datatype: Symbol, ctor: u32, name: Symbol, fields: Vec<Val<'v>>) -> Val<'v> {
        let plain: Option<Vec<Value>> = fields.iter().map(|it| it.plain().cloned()).collect();
        match plain {
            Some(fields) => Val::Plain(Value::Data(Data { datatype, ctor, name, fields })),
            None => Val::Data(datatype, ctor, name, fields),
        }
    }

    /// `left + right`, and so on: sums stay sums, anything else holds for these values only.
    pub fn plus(left: &Linear, right: &Linear) -> Linear {
        left.plus(right)
    }

    /// `left - right`
    pub fn minus(left: &Linear, right: &Linear) -> Linear {
        left.minus(right)
    }

    /// `left * right`
    pub fn times(&self, left: &Linear, right: &Linear) -> Linear {
        match (left.as_constant(), right.as_constant()) {
            (Some(factor), _) => right.times(factor),
            (_, Some(factor)) => left.times(factor),
            (None, None) => left.times(&self.pin(right)),
        }
    }

    /// The value for the present values of the variables only; nothing if it holds a map that is computed.
    pub fn pinned(&self, value: &Val<'v>) -> Option<Value> {
        match value {
            Val::Plain(value) => Some(value.clone()),
            Val::Int(sum) => Some(Value::Int(self.pin(sum))),
            Val::Data(datatype, ctor, name, fields) => {
                let fields = fields.iter().map(|it| self.pinned(it)).collect::<Option<_>>()?;
                let (datatype, name) = (datatype.clone(), name.clone());
                Some(Value::Data(Data { datatype, ctor: *ctor, name, fields }))
            }
            Val::Map(_) => None,
        }
    }
}
