//! All integers, cut into the pieces on which a computation goes the same way.
//!
//! # Soundness
//! A computation looks at integers only by comparing sums of them, and every comparison is noted as
//! `sum >= 0`. All values that satisfy what was noted make the same comparisons turn out the same
//! way, so they lead to the same result. What was noted of the innermost variable bounds it by two
//! sums of the outer ones; the piece next to it is tried until there is no bound. That the pieces touch,
//! and which of several bounds is the tightest, is noted of the outer variables in turn. So what is found for
//! the present values of the outer variables is true of all values that satisfy what was noted of those.

use num_bigint::{BigInt, Sign};

use super::{Engine, Linear, Val};
use crate::arith;

/// More pieces than this are not looked at.
const MOST_PIECES: usize = 400;

/// The integers from `low` to `high` (no bound: all there are), and what was computed of them.
pub struct Piece<T> {
    /// The first one.
    pub low: Option<Linear>,
    /// The last one.
    pub high: Option<Linear>,
    /// The result.
    pub found: T,
}

/// Pieces in ascending order, and whether they are all there are.
pub struct Cover<T> {
    /// The pieces; each begins behind the one before.
    pub pieces: Vec<Piece<T>>,
    /// False if there were too many, or one of them ended the search.
    pub complete: bool,
}

impl<'v> Engine<'v> {
    /// What `compute` says about each integer. A piece for which `enough` holds ends the search.
    pub fn cover<T>(
        &self,
        compute: &mut dyn FnMut(Val<'v>) -> T,
        enough: &dyn Fn(&T) -> bool,
    ) -> Cover<T> {
        let first = self.piece(BigInt::from(0), compute);
        let mut complete = !enough(&first.found);
        let (mut up, mut down) = (first.high.clone(), first.low.clone());
        let mut pieces = std::collections::VecDeque::from([first]);
        while let Some(high) = up.take().filter(|_| complete) {
            let mut next = self.piece(self.number(&high) + 1, compute);
            if let Some(low) = &next.low {
                self.note(high.shifted(1).minus(low));
            }
            complete = !enough(&next.found) && self.may_go_on(pieces.len());
            up.clone_from(&next.high);
            // A piece that was found enough keeps its own bounds: they say where it is.
            if complete {
                next.low = Some(high.shifted(1));
            }
            pieces.push_back(next);
        }
        while let Some(low) = down.take().filter(|_| complete) {
            let mut next = self.piece(self.number(&low) - 1, compute);
            if let Some(high) = &next.high {
                self.note(high.shifted(1).minus(&low));
            }
            complete = !enough(&next.found) && self.may_go_on(pieces.len());
            down.clone_from(&next.low);
            if complete {
                next.high = Some(low.shifted(-1));
            }
            pieces.push_front(next);
        }
        Cover { pieces: pieces.into(), complete }
    }

    fn may_go_on(&self, pieces: usize) -> bool {
        pieces < MOST_PIECES && self.has_fuel()
    }

    /// The piece around one integer.
    fn piece<T>(&self, at: BigInt, compute: &mut dyn FnMut(Val<'v>) -> T) -> Piece<T> {
        self.burn();
        let id = self.vars.borrow().len();
        self.vars.borrow_mut().push(at);
        let mark = self.facts.borrow().len();
        let found = compute(Val::Int(Linear::var(id)));
        let noted = self.facts.borrow_mut().split_off(mark);
        self.vars.borrow_mut().pop();
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        for fact in noted {
            let factor = fact.factor(id);
            let rest = fact.without(id);
            match factor.sign() {
                Sign::NoSign => self.note(rest),
                Sign::Plus => lows.push(self.divided(&rest, &factor).times(&BigInt::from(-1))),
                Sign::Minus => highs.push(self.divided(&rest, &-factor)),
            }
        }
        Piece { low: self.tightest(lows, 1), high: self.tightest(highs, -1), found }
    }

    /// `sum / divisor`, rounded down.
    fn divided(&self, sum: &Linear, divisor: &BigInt) -> Linear {
        if *divisor == BigInt::from(1) {
            return sum.clone();
        }
        Linear::constant(arith::euclid_div(&self.pin(sum), divisor))
    }

    /// The greatest of the bounds, or the smallest if `sign` is negative.
    fn tightest(&self, bounds: Vec<Linear>, sign: i32) -> Option<Linear> {
        let sign = BigInt::from(sign);
        let best = bounds.iter().max_by_key(|it| self.number(it) * &sign)?.clone();
        bounds.iter().for_each(|it| self.note(best.minus(it).times(&sign)));
        Some(best)
    }

    /// Notes that a piece is not empty, so that what was found in it is found for other outer values.
    pub(super) fn note_inhabited<T>(&self, piece: &Piece<T>) {
        if let (Some(low), Some(high)) = (&piece.low, &piece.high) {
            self.note(high.minus(low));
        }
    }
}
