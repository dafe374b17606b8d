//! Random choices that a test can repeat.
//!
//! **In:** a seed and a time from the environment. **Out:** choices that depend on the seed only.
//!
//! `CIVL_FUZZ_SEED` and `CIVL_FUZZ_SECONDS` are understood by every random test of the
//! repository, so that one habit is enough to run any of them longer or again.

#![allow(clippy::disallowed_methods, reason = "a test is told by its environment how long to run")]

use std::time::Duration;

/// A small generator of random numbers (Vigna 2016, xorshift64*).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed | 1)
    }

    /// Seeded by `CIVL_FUZZ_SEED`, or always the same.
    pub fn from_environment() -> Random {
        Random::new(number("CIVL_FUZZ_SEED").unwrap_or(0x5eed))
    }

    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number from 0 up to `n`, which is not reached; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // The upper bits are the better ones.
        ((self.number() >> 16) % n.max(1) as u64) as usize
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items; `None` only if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

/// How long to go on: `CIVL_FUZZ_SECONDS`, or `otherwise`.
pub fn seconds_or(otherwise: u64) -> Duration {
    Duration::from_secs(number("CIVL_FUZZ_SECONDS").unwrap_or(otherwise))
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Bytes with a few random changes: some are flipped, left out, repeated or made up.
pub fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let from = random.below(bytes.len() + 1);
        let to = (from + random.below(12)).min(bytes.len());
        match random.below(6) {
            0 => drop(bytes.drain(from..to)),
            1 => bytes.truncate(from),
            2 => {
                let piece = bytes[from..to].to_vec();
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, piece);
            }
            3 => {
                let made_up: Vec<u8> =
                    (0..random.below(9)).map(|_| random.number() as u8).collect();
                bytes.splice(from..to, made_up);
            }
            _ => bytes[from..to].iter_mut().for_each(|byte| *byte ^= 1 << random.below(8)),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_everything() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..50).map(|_| random.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(5));
    }

    #[test]
    fn damage_of_nothing_is_possible() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let _any = damaged(&[], &mut random);
        }
    }
}
