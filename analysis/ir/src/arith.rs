//! Arithmetic on literals.
//!
//! **In:** arithmetic operators with well-sorted arguments.
//! **Out:** a simpler equal term, where literals allow it.
//!
//! # Soundness
//! Division by a literal zero is left alone: its value is unknown.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_rational::BigRational;

use crate::{op::Op, sort::Sort, term::Term};

/// The Euclidean remainder for a divisor other than zero: `0 <= r < |divisor|`.
pub(crate) fn euclid_mod(value: &BigInt, divisor: &BigInt) -> BigInt {
    let rest = value % divisor;
    if rest.sign() != Sign::Minus {
        return rest;
    }
    if divisor.sign() == Sign::Minus { rest - divisor } else { rest + divisor }
}

/// The Euclidean quotient for a divisor other than zero.
pub(crate) fn euclid_div(value: &BigInt, divisor: &BigInt) -> BigInt {
    (value - euclid_mod(value, divisor)) / divisor
}

/// The largest integer not above `value`.
pub(crate) fn floor(value: &BigRational) -> BigInt {
    value.floor().to_integer()
}

/// A simpler equal term for `op(args)`.
pub(crate) fn fold(op: &Op, args: &[Term]) -> Option<Term> {
    match op {
        Op::Add | Op::Mul => sum_or_product(op, args),
        Op::Sub => match (Number::of(&args[0]), Number::of(&args[1])) {
            (Some(left), Some(right)) => Some(left.add(right.negate()).term()),
            (_, Some(right)) if right.is(0) => Some(args[0].clone()),
            _ => (args[0] == args[1]).then(|| Number::literal(0, args[0].sort()).term()),
        },
        Op::Neg => Number::of(&args[0])
            .map(|number| number.negate().term())
            .or_else(|| args[0].args_of(&Op::Neg).map(|inner| inner[0].clone())),
        Op::IntDiv | Op::IntMod => divide(op, args),
        Op::RealDiv => {
            let divisor = args[1].as_real().filter(|real| real.numer().sign() != Sign::NoSign)?;
            let quotient = args[0].as_real().map(|real| Term::real(real / divisor));
            quotient.or_else(|| (*divisor.numer() == *divisor.denom()).then(|| args[0].clone()))
        }
        Op::Lt => compare(args, Ordering::is_lt),
        Op::Le => compare(args, Ordering::is_le),
        Op::Gt => compare(args, Ordering::is_gt),
        Op::Ge => compare(args, Ordering::is_ge),
        Op::ToReal => {
            args[0].as_int().map(|int| Term::real(BigRational::from_integer(int.clone())))
        }
        Op::ToInt => match args[0].as_real() {
            Some(real) => Some(Term::int(floor(real))),
            // int(real(x)) = x
            None => args[0].args_of(&Op::ToReal).map(|inner| inner[0].clone()),
        },
        Op::Not
        | Op::And
        | Op::Or
        | Op::Implies
        | Op::Eq
        | Op::Ite
        | Op::Distinct
        | Op::Pow
        | Op::Select
        | Op::Store
        | Op::ConstArray(_)
        | Op::MapOp(_)
        | Op::Ctor(..)
        | Op::Field(..)
        | Op::Is(..)
        | Op::Func(_)
        | Op::SeqEmpty(_)
        | Op::SeqLen
        | Op::SeqConcat
        | Op::SeqUnit
        | Op::SeqNth
        | Op::SeqExtract
        | Op::BvConcat
        | Op::BvExtract { .. }
        | Op::Builtin(..) => None,
    }
}

/// A literal of either numeric sort.
#[derive(Clone)]
enum Number {
    Int(BigInt),
    Real(BigRational),
}

impl Number {
    fn of(term: &Term) -> Option<Number> {
        term.as_int()
            .cloned()
            .map(Number::Int)
            .or_else(|| term.as_real().cloned().map(Number::Real))
    }

    fn literal(value: i32, sort: &Sort) -> Number {
        let value = BigInt::from(value);
        if *sort == Sort::Real {
            Number::Real(BigRational::from_integer(value))
        } else {
            Number::Int(value)
        }
    }

    fn is(&self, value: i32) -> bool {
        match self {
            Number::Int(int) => *int == BigInt::from(value),
            Number::Real(real) => *real == BigRational::from_integer(BigInt::from(value)),
        }
    }

    fn negate(self) -> Number {
        match self {
            Number::Int(int) => Number::Int(-int),
            Number::Real(real) => Number::Real(-real),
        }
    }

    fn rational(self) -> BigRational {
        match self {
            Number::Int(int) => BigRational::from_integer(int),
            Number::Real(real) => real,
        }
    }

    fn add(self, other: Number) -> Number {
        match (self, other) {
            (Number::Int(left), Number::Int(right)) => Number::Int(left + right),
            (left, right) => Number::Real(left.rational() + right.rational()),
        }
    }

    fn multiply(self, other: Number) -> Number {
        match (self, other) {
            (Number::Int(left), Number::Int(right)) => Number::Int(left * right),
            (left, right) => Number::Real(left.rational() * right.rational()),
        }
    }

    fn term(self) -> Term {
        match self {
            Number::Int(int) => Term::int(int),
            Number::Real(real) => Term::real(real),
        }
    }
}

/// Flattens, gathers literals into one at the end, and drops the neutral element.
fn sum_or_product(op: &Op, args: &[Term]) -> Option<Term> {
    let product = *op == Op::Mul;
    let sort = args[0].sort();
    let mut literal = Number::literal(i32::from(product), sort);
    let mut rest: Vec<Term> = Vec::with_capacity(args.len());
    for part in args.iter().flat_map(|arg| arg.args_of(op).unwrap_or(std::slice::from_ref(arg))) {
        match Number::of(part) {
            Some(number) if product => literal = literal.multiply(number),
            Some(number) => literal = literal.add(number),
            None => rest.push(part.clone()),
        }
    }
    if rest.is_empty() || product && literal.is(0) {
        return Some(literal.term());
    }
    if !literal.is(i32::from(product)) {
        rest.push(literal.term());
    }
    if rest.len() == 1 {
        return rest.pop();
    }
    if rest == args {
        return None;
    }
    Term::app_verbatim(op.clone(), rest).ok()
}

fn divide(op: &Op, args: &[Term]) -> Option<Term> {
    let divisor = args[1].as_int().filter(|divisor| divisor.sign() != Sign::NoSign)?;
    let quotient = *op == Op::IntDiv;
    if let Some(value) = args[0].as_int() {
        let folded = if quotient { euclid_div(value, divisor) } else { euclid_mod(value, divisor) };
        return Some(Term::int(folded));
    }
    // x div 1 = x,  x mod 1 = 0
    let one = *divisor == BigInt::from(1);
    one.then(|| if quotient { args[0].clone() } else { Term::int(0) })
}

fn compare(args: &[Term], holds: impl Fn(Ordering) -> bool) -> Option<Term> {
    if args[0] == args[1] {
        return Some(Term::bool(holds(Ordering::Equal)));
    }
    let (left, right) = (Number::of(&args[0])?.rational(), Number::of(&args[1])?.rational());
    Some(Term::bool(holds(left.cmp(&right))))
}
