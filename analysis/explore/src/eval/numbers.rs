//! Strict operators: large numbers, reals, bit vectors, sequences.

#![allow(clippy::wildcard_enum_match_arm, reason = "what is not known has no value")]

use std::cmp::Ordering;

use ir::{Op, Sort};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;

use super::Eval;
use crate::{arena::Val, code::Num};

/// Operators on bit vectors, by their SMT-LIB names.
const BUILTINS: &[&str] = &[
    "bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvnot", "bvneg", "bvudiv", "bvurem",
    "bvshl", "bvlshr", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge",
];

/// Can the engine compute this operator?
pub(crate) fn knows_builtin(name: &str) -> bool {
    BUILTINS.contains(&name)
}

impl Eval {
    pub(super) fn large(&mut self, op: Num, a: Val, b: Val) -> Val {
        let (Some(x), Some(y)) = (self.arena.as_int(a), self.arena.as_int(b)) else {
            return Val::POISON;
        };
        let value = match op {
            Num::Add => x + y,
            Num::Sub => x - y,
            Num::Mul => x * y,
            Num::Lt => return Val::bool(x < y),
            Num::Le => return Val::bool(x <= y),
            Num::Div | Num::Mod if y.sign() == Sign::NoSign => return Val::POISON,
            Num::Div => (&x - euclid_mod(&x, &y)) / y,
            Num::Mod => euclid_mod(&x, &y),
        };
        self.arena.int(&value)
    }

    pub(super) fn strict(&mut self, op: &Op, args: &[Val]) -> Val {
        if args.contains(&Val::POISON) {
            return Val::POISON;
        }
        self.strict_on(op, args).unwrap_or(Val::POISON)
    }

    fn strict_on(&mut self, op: &Op, args: &[Val]) -> Option<Val> {
        match op {
            Op::Distinct => {
                let mut result = Val::TRUE;
                for (nth, one) in args.iter().enumerate() {
                    for other in &args[..nth] {
                        match self.equal(*one, *other) {
                            Val::TRUE => return Some(Val::FALSE),
                            Val::FALSE => {}
                            _undefined => result = Val::POISON,
                        }
                    }
                }
                Some(result)
            }
            Op::ToReal => {
                let int = self.arena.as_int(args[0])?;
                Some(self.arena.real(&BigRational::from_integer(int)))
            }
            Op::ToInt => {
                let floor = self.arena.as_real(args[0])?.floor().to_integer();
                Some(self.arena.int(&floor))
            }
            Op::SeqEmpty(_) => Some(self.arena.seq(&[])),
            Op::SeqUnit => Some(self.arena.seq(args)),
            Op::SeqLen => Val::small(self.arena.items(args[0])?.len() as i64),
            Op::SeqConcat => {
                let mut all = Vec::new();
                for arg in args {
                    all.extend_from_slice(self.arena.items(*arg)?);
                }
                Some(self.arena.seq(&all))
            }
            Op::SeqNth => {
                let at = usize::try_from(args[1].as_small()?).ok()?;
                self.arena.items(args[0])?.get(at).copied()
            }
            Op::SeqExtract => self.extract(args),
            Op::BvExtract { high, low } => {
                let value = self.arena.as_int(args[0])? >> *low;
                Some(self.bits(value, high - low + 1))
            }
            Op::Builtin(name, Sort::BitVec(width)) => self.builtin(name.as_str(), *width, args),
            _real => self.reals(op, args),
        }
    }

    /// The part of a sequence from an offset on; empty outside, as in SMT-LIB.
    fn extract(&mut self, args: &[Val]) -> Option<Val> {
        let (offset, length) = (args[1].as_small()?, args[2].as_small()?);
        let items = self.arena.items(args[0])?;
        let outside = offset < 0 || length <= 0 || offset >= items.len() as i64;
        let part = if outside {
            Vec::new()
        } else {
            let end = (offset + length).min(items.len() as i64);
            items[offset as usize..end as usize].to_vec()
        };
        Some(self.arena.seq(&part))
    }

    fn reals(&mut self, op: &Op, args: &[Val]) -> Option<Val> {
        let values: Option<Vec<BigRational>> =
            args.iter().map(|arg| self.arena.as_real(*arg)).collect();
        let values = values?;
        let (first, rest) = values.split_first()?;
        let result = match op {
            Op::Add => rest.iter().fold(first.clone(), |sum, next| sum + next),
            Op::Mul => rest.iter().fold(first.clone(), |product, next| product * next),
            Op::Sub => first - rest.first()?,
            Op::Neg => -first,
            Op::RealDiv if rest.first()?.numer().sign() != Sign::NoSign => first / rest.first()?,
            Op::Lt | Op::Le | Op::Gt | Op::Ge => {
                let order = first.cmp(rest.first()?);
                return Some(Val::bool(match op {
                    Op::Lt => order == Ordering::Less,
                    Op::Le => order != Ordering::Greater,
                    Op::Gt => order == Ordering::Greater,
                    _other => order != Ordering::Less,
                }));
            }
            _other => return None,
        };
        Some(self.arena.real(&result))
    }

    /// The value modulo `2^width`.
    fn bits(&mut self, value: BigInt, width: u32) -> Val {
        let modulus = BigInt::from(1) << width;
        self.arena.int(&euclid_mod(&value, &modulus))
    }

    fn builtin(&mut self, name: &str, width: u32, args: &[Val]) -> Option<Val> {
        let x = self.arena.as_int(args[0])?;
        let y = match args.get(1) {
            Some(arg) => self.arena.as_int(*arg)?,
            None => BigInt::from(0),
        };
        let all = (BigInt::from(1) << width) - 1;
        let zero = BigInt::from(0);
        let half = BigInt::from(1) << (width - 1);
        let signed = |it: &BigInt| if *it >= half { it - &all - 1 } else { it.clone() };
        let shift = u32::try_from(&y).unwrap_or(width).min(width);
        let value = match name {
            "bvadd" => x + y,
            "bvsub" => x - y,
            "bvmul" => x * y,
            "bvand" => x & y,
            "bvor" => x | y,
            "bvxor" => x ^ y,
            "bvnot" => all - x,
            "bvneg" => -x,
            "bvudiv" if y == zero => all,
            "bvudiv" => x / y,
            "bvurem" if y == zero => x,
            "bvurem" => x % y,
            "bvshl" => x << shift,
            "bvlshr" => x >> shift,
            "bvult" => return Some(Val::bool(x < y)),
            "bvule" => return Some(Val::bool(x <= y)),
            "bvugt" => return Some(Val::bool(x > y)),
            "bvuge" => return Some(Val::bool(x >= y)),
            "bvslt" => return Some(Val::bool(signed(&x) < signed(&y))),
            "bvsle" => return Some(Val::bool(signed(&x) <= signed(&y))),
            "bvsgt" => return Some(Val::bool(signed(&x) > signed(&y))),
            "bvsge" => return Some(Val::bool(signed(&x) >= signed(&y))),
            _unknown => return None,
        };
        Some(self.bits(value, width))
    }
}

fn euclid_mod(value: &BigInt, divisor: &BigInt) -> BigInt {
    let rest = value % divisor;
    if rest.sign() != Sign::Minus {
        return rest;
    }
    if divisor.sign() == Sign::Minus { rest - divisor } else { rest + divisor }
}
