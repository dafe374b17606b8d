//! Printed functions of one integer that are cut into pieces by comparisons.
//!
//! **In:** a body and its variable. **Out:** where pieces begin, and what is left of the body at a place. What is
//! not understood is `None`, and the whole map unknown.

use std::collections::BTreeSet;

use num_bigint::BigInt;

use super::integer;
use crate::sexpr::Sexpr;

/// `base + slope * x`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) base: BigInt,
    pub(super) slope: BigInt,
}

const COMPARISONS: [&str; 5] = ["=", "<", "<=", ">", ">="];
const CONNECTIVES: [&str; 5] = ["and", "or", "not", "=>", "ite"];

/// The sum that is printed.
pub(super) fn sum(printed: &Sexpr, name: &str) -> Option<Sum> {
    if let Some(base) = integer(printed) {
        return Some(Sum { base, slope: BigInt::from(0) });
    }
    if printed.atom() == Some(name) {
        return Some(Sum { base: BigInt::from(0), slope: BigInt::from(1) });
    }
    let (head, parts) = printed.list()?.split_first()?;
    let parts: Vec<Sum> = parts.iter().map(|it| sum(it, name)).collect::<Option<_>>()?;
    let first = parts.first()?.clone();
    match (head.atom()?, parts.as_slice()) {
        ("+", _) => Some(parts[1..].iter().fold(first, |left, right| plus(&left, right, 1))),
        ("-", [only]) => Some(times(only, &BigInt::from(-1))),
        ("-", _) => Some(parts[1..].iter().fold(first, |left, right| plus(&left, right, -1))),
        ("*", [left, right]) if left.slope == BigInt::from(0) => Some(times(right, &left.base)),
        ("*", [left, right]) if right.slope == BigInt::from(0) => Some(times(left, &right.base)),
        _other => None,
    }
}

/// The body without the constructor and the field of the datatype with this number, around the integer in it.
pub(super) fn unwrapped(printed: &Sexpr, datatype: usize) -> Sexpr {
    let Some(parts) = printed.list() else { return printed.clone() };
    if let [head, inner] = parts
        && let Some(symbol) = head.atom().or_else(|| head.list()?.get(1)?.atom())
        && (symbol == format!("c{datatype}_0") || symbol == format!("s{datatype}_0_0"))
    {
        return unwrapped(inner, datatype);
    }
    Sexpr::List(parts.iter().map(|part| unwrapped(part, datatype)).collect())
}

fn plus(left: &Sum, right: &Sum, sign: i32) -> Sum {
    Sum { base: &left.base + &right.base * sign, slope: &left.slope + &right.slope * sign }
}

fn times(sum: &Sum, factor: &BigInt) -> Sum {
    Sum { base: &sum.base * factor, slope: &sum.slope * factor }
}

/// The first places of pieces on which every comparison goes one way.
pub(super) fn cuts(body: &Sexpr, name: &str, found: &mut BTreeSet<BigInt>) -> Option<()> {
    let Some([head, parts @ ..]) = body.list() else { return Some(()) };
    let head = head.atom().unwrap_or("");
    if COMPARISONS.contains(&head) {
        let [left, right] = parts else { return None };
        let gap = plus(&sum(left, name)?, &sum(right, name)?, -1);
        if gap.slope == BigInt::from(0) {
            return Some(());
        }
        // The gap changes its sign at most once, and is zero at most at the place where it does.
        let (above, below) = if gap.slope < BigInt::from(0) {
            (gap.base.clone(), -&gap.slope)
        } else {
            (-&gap.base, gap.slope.clone())
        };
        let zero: BigInt = floor(&above, &below);
        found.extend([zero.clone(), &zero + 1]);
        return Some(());
    }
    if CONNECTIVES.contains(&head) {
        return parts.iter().try_for_each(|part| cuts(part, name, found));
    }
    Some(())
}

fn floor(above: &BigInt, below: &BigInt) -> BigInt {
    let quotient = above / below;
    if &quotient * below > *above { quotient - 1 } else { quotient }
}

/// What is left of the body at a place; a truth value if it is a formula.
pub(super) fn leaf(body: &Sexpr, name: &str, at: &BigInt, is_formula: bool) -> Option<Sexpr> {
    let mut rest = body;
    while let Some([head, test, yes, no]) = rest.list()
        && head.atom() == Some("ite")
    {
        rest = if truth(test, name, at)? { yes } else { no };
    }
    if is_formula {
        let word = if truth(rest, name, at)? { "true" } else { "false" };
        return Some(Sexpr::Atom(word.to_owned()));
    }
    Some(rest.clone())
}

fn truth(test: &Sexpr, name: &str, at: &BigInt) -> Option<bool> {
    match test.atom() {
        Some("true") => return Some(true),
        Some("false") => return Some(false),
        Some(_) | None => {}
    }
    let (head, parts) = test.list()?.split_first()?;
    let head = head.atom()?;
    let mut truths = parts.iter().map(|part| truth(part, name, at));
    match (head, parts) {
        ("not", [_]) => Some(!truths.next()??),
        ("and", _) => truths.try_fold(true, |all, it| Some(all && it?)),
        ("or", _) => truths.try_fold(false, |any, it| Some(any || it?)),
        ("=>", [_, _]) => Some(!truths.next()?? || truths.next()??),
        ("ite", [test, yes, no]) => truth(if truth(test, name, at)? { yes } else { no }, name, at),
        (_, [left, right]) if COMPARISONS.contains(&head) => {
            let gap = plus(&sum(left, name)?, &sum(right, name)?, -1);
            let gap = gap.base + gap.slope * at;
            let zero = BigInt::from(0);
            Some(match head {
                "=" => gap == zero,
                "<" => gap < zero,
                "<=" => gap <= zero,
                ">" => gap > zero,
                _at_least => gap >= zero,
            })
        }
        _other => None,
    }
}
