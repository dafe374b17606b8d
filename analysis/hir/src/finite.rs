//! How many values a type has, and unique constants that need more.
//!
//! **In:** the constants and datatypes of a program. **Out:** [`is_finite`], and a problem for the first `unique` constant
//! that finds all values of its type taken: that all of them differ would be a contradiction, from
//! which everything follows.
//!
//! # Invariants
//! - A count is never too large, so no contradiction is overlooked. It may be too small where types
//!   are nested deeper than [`DEEPEST`]; such a program is refused rather than believed.
//! - Uninterpreted types and sequences count as infinite: nothing but axioms bounds them.

use std::collections::BTreeMap;

use base::{DeclKind, Program};

use crate::problem::{Fault, Problem};
use crate::{Datatype, Db, Ty, constant_of, datatype, decl_place, program_decls};

/// Nested deeper than any type that a program needs.
const DEEPEST: usize = 200;

/// The number of values; none if there are infinitely many, or more than fit.
type Count = Option<usize>;

/// Unique constants for which their type has too few values: one problem for each type.
pub(crate) fn crowded_types(db: &dyn Db, program: Program) -> Vec<Problem> {
    let mut taken: BTreeMap<Ty, usize> = BTreeMap::new();
    let mut counting = Counting { db, program, known: BTreeMap::new() };
    let mut out = Vec::new();
    for decl in program_decls(db, program).iter().filter(|it| it.kind(db) == DeclKind::Const) {
        let Some(constant) = constant_of(db, program, *decl).filter(|it| it.unique) else {
            continue;
        };
        let ty = without_empty_maps(&constant.ty);
        let Some(values) = counting.count(&ty, 0) else { continue };
        let taken = taken.entry(ty).or_default();
        if *taken == values {
            let (name, ty) = (constant.name.clone(), constant.ty.clone());
            let fault = Fault::TooManyUnique { name, ty, values };
            out.push(Problem { place: decl_place(db, *decl), fault });
        }
        *taken += 1;
    }
    out
}

/// May a value of this type be one of so few that they can be told apart one by one?
pub fn is_finite(db: &dyn Db, program: Program, ty: &Ty) -> bool {
    let mut counting = Counting { db, program, known: BTreeMap::new() };
    counting.count(&without_empty_maps(ty), 0).is_some()
}

/// A map without indices is its element.
fn without_empty_maps(ty: &Ty) -> Ty {
    match ty.as_map() {
        Some(map) if map.args.is_empty() => without_empty_maps(&map.result),
        Some(_) | None => ty.map_parts(&mut without_empty_maps),
    }
}

struct Counting<'a> {
    db: &'a dyn Db,
    program: Program,
    /// A datatype that is being counted counts as infinite: it contains itself.
    known: BTreeMap<Ty, Count>,
}

impl Counting<'_> {
    fn count(&mut self, ty: &Ty, depth: usize) -> Count {
        if depth > DEEPEST {
            return Some(1);
        }
        match ty {
            Ty::Bool => Some(2),
            Ty::Bv(width) => 1_usize.checked_shl(*width),
            Ty::Float(significand, exponent) => floats(*significand, *exponent),
            Ty::RMode => Some(5),
            Ty::Map(map) => match self.count(&map.result, depth + 1) {
                // However many indices there are.
                Some(1) => Some(1),
                values => {
                    let mut indices: Count = Some(1);
                    for arg in map.args.iter() {
                        indices = times(indices, self.count(arg, depth + 1));
                    }
                    values?.checked_pow(u32::try_from(indices?).ok()?)
                }
            },
            Ty::Ctor(name, args) => {
                let datatype = datatype(self.db, self.program, name.clone())?;
                if let Some(known) = self.known.get(ty) {
                    return *known;
                }
                self.known.insert(ty.clone(), None);
                let count = self.instance(&datatype, args, depth);
                self.known.insert(ty.clone(), count);
                count
            }
            Ty::Int | Ty::Real | Ty::String | Ty::Regex => None,
            Ty::Param(_) | Ty::Infer(_) | Ty::Error => None,
        }
    }

    fn instance(&mut self, datatype: &Datatype, args: &[Ty], depth: usize) -> Count {
        let subst = datatype.subst(args);
        let mut sum: Count = Some(0);
        for ctor in datatype.ctors.iter() {
            let mut values: Count = Some(1);
            for field in ctor.fields.iter() {
                let ty = without_empty_maps(&field.ty.subst(&subst));
                values = times(values, self.count(&ty, depth + 1));
            }
            sum = sum.zip(values).and_then(|(a, b)| a.checked_add(b));
        }
        sum
    }
}

fn times(a: Count, b: Count) -> Count {
    a.zip(b).and_then(|(a, b)| a.checked_mul(b))
}

/// All patterns of bits, but only one of those that are no number.
fn floats(significand: u32, exponent: u32) -> Count {
    let patterns = 1_usize.checked_shl(significand.checked_add(exponent)?)?;
    let not_a_number = 1_usize.checked_shl(significand)?.saturating_sub(2);
    patterns.checked_sub(not_a_number)?.checked_add(1)
}
