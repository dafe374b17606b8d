//! Number tokens: which of the five shapes starts here, and how long is it.
//!
//! # Invariants
//! - A shape that is not complete is not taken: `5bv` is the number `5` and the name `bv`.

use crate::{SyntaxKind, SyntaxKind::*};

/// The number at the start of `rest`, which starts with a digit.
pub(super) fn number(rest: &[u8]) -> (SyntaxKind, usize) {
    if let Some(len) = hex_float(rest).or_else(|| special_float(rest)) {
        return (FLOAT_NUMBER, len);
    }
    let whole = digits(rest, 0);
    if rest[whole..].starts_with(b"bv") {
        let end = digits(rest, whole + 2);
        if end > whole + 2 {
            return (BV_NUMBER, end);
        }
    }
    let fraction = match rest.get(whole) {
        Some(b'.') => digits(rest, whole + 1),
        _ => whole,
    };
    if fraction > whole + 1 {
        return (DECIMAL_NUMBER, exponent(rest, fraction).unwrap_or(fraction));
    }
    match exponent(rest, whole) {
        Some(end) => (DECIMAL_NUMBER, end),
        None => (INT_NUMBER, whole),
    }
}

/// `[-]0x` hex `.` hex `e` `[-]` digits `f` digits `e` digits
pub(super) fn hex_float(rest: &[u8]) -> Option<usize> {
    let start = usize::from(rest.first() == Some(&b'-'));
    if !rest.get(start..)?.starts_with(b"0x") {
        return None;
    }
    let dot = some_hex(rest, start + 2)?;
    let from = after(rest, dot, b'.')?;
    let end = some_hex(rest, from)?;
    // The mark `e` of the exponent is itself a hex digit: try each, the longest match wins.
    let marks = (from + 1..=end).filter(|at| rest.get(*at) == Some(&b'e'));
    marks.filter_map(|at| float_size(rest, after(rest, exponent(rest, at)?, b'f')?)).max()
}

/// `0NaN`, `0nan`, `0+oo` or `0-oo`, digits `e` digits
fn special_float(rest: &[u8]) -> Option<usize> {
    let words: [&[u8]; 4] = [b"0NaN", b"0nan", b"0+oo", b"0-oo"];
    let word = words.iter().find(|it| rest.starts_with(it))?;
    float_size(rest, word.len())
}

/// digits `e` digits
fn float_size(rest: &[u8], from: usize) -> Option<usize> {
    let significand = some_digits(rest, from)?;
    some_digits(rest, after(rest, significand, b'e')?)
}

/// `e` `[-]` digits
fn exponent(rest: &[u8], from: usize) -> Option<usize> {
    let sign = after(rest, from, b'e')?;
    let start = after(rest, sign, b'-').unwrap_or(sign);
    some_digits(rest, start)
}

fn after(rest: &[u8], at: usize, byte: u8) -> Option<usize> {
    (rest.get(at) == Some(&byte)).then_some(at + 1)
}

fn some_digits(rest: &[u8], from: usize) -> Option<usize> {
    Some(digits(rest, from)).filter(|end| *end > from)
}

fn digits(rest: &[u8], from: usize) -> usize {
    let rest = rest.get(from..).unwrap_or_default();
    from + super::run(rest, |it| it.is_ascii_digit())
}

fn some_hex(rest: &[u8], from: usize) -> Option<usize> {
    let tail = rest.get(from..)?;
    let end = from + super::run(tail, |it| it.is_ascii_hexdigit());
    (end > from).then_some(end)
}
