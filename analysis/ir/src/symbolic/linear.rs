//! Sums of variables with integer factors, and a constant.

use num_bigint::{BigInt, Sign};

/// `base + factor * variable + ..`; no factor is zero, variables ascend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    base: BigInt,
    terms: Vec<(usize, BigInt)>,
}

impl Linear {
    /// A number.
    pub fn constant(base: BigInt) -> Linear {
        Linear { base, terms: Vec::new() }
    }

    /// A variable.
    pub(super) fn var(id: usize) -> Linear {
        Linear { base: BigInt::from(0), terms: vec![(id, BigInt::from(1))] }
    }

    /// The number, if it depends on no variable.
    pub fn as_constant(&self) -> Option<&BigInt> {
        self.terms.is_empty().then_some(&self.base)
    }

    /// The factor of a variable.
    pub(super) fn factor(&self, id: usize) -> BigInt {
        let found = self.terms.iter().find(|(own, _)| *own == id);
        found.map_or_else(|| BigInt::from(0), |(_, factor)| factor.clone())
    }

    /// Without this variable.
    pub(super) fn without(&self, id: usize) -> Linear {
        let terms = self.terms.iter().filter(|(own, _)| *own != id).cloned().collect();
        Linear { base: self.base.clone(), terms }
    }

    /// The number if variables have these values.
    pub(super) fn at(&self, values: &[BigInt]) -> BigInt {
        let value = |id: usize| values.get(id).cloned().unwrap_or_default();
        self.terms.iter().fold(self.base.clone(), |sum, (id, factor)| sum + factor * value(*id))
    }

    pub(super) fn plus(&self, other: &Linear) -> Linear {
        let mut terms = self.terms.clone();
        for (id, factor) in &other.terms {
            match terms.binary_search_by_key(id, |(own, _)| *own) {
                Ok(at) => terms[at].1 += factor,
                Err(at) => terms.insert(at, (*id, factor.clone())),
            }
        }
        terms.retain(|(_, factor)| factor.sign() != Sign::NoSign);
        Linear { base: &self.base + &other.base, terms }
    }

    pub(crate) fn times(&self, factor: &BigInt) -> Linear {
        if factor.sign() == Sign::NoSign {
            return Linear::constant(BigInt::from(0));
        }
        let terms = self.terms.iter().map(|(id, own)| (*id, own * factor)).collect();
        Linear { base: &self.base * factor, terms }
    }

    pub(super) fn minus(&self, other: &Linear) -> Linear {
        self.plus(&other.times(&BigInt::from(-1)))
    }

    pub(super) fn shifted(&self, by: i32) -> Linear {
        Linear { base: &self.base + by, terms: self.terms.clone() }
    }
}
