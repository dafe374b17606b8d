//! When a run tells what it has found.
//!
//! **In:** the size of a run, and what it hears. **Out:** whether it is time to tell.
//!
//! A list of obligations is told whole, so telling costs more in a large program, and each verdict for
//! itself would keep everybody busy with lists. But a person who has just edited something waits for the
//! verdict about it, and sees at once whether anything happens at all.
//!
//! # Invariants
//! - What somebody waits for is told at once, or a moment after the last time.
//! - Breaths between others begin short and grow, up to one that fits the size of the run.

use std::time::{Duration, Instant};

/// Before the first verdicts are told.
const FIRST_BREATH: Duration = Duration::from_millis(20);
/// The longest breath, and by how much each obligation makes it longer.
const BREATH: Duration = Duration::from_millis(60);
const BREATH_PER_OBLIGATION: Duration = Duration::from_micros(500);
/// Between two verdicts that somebody waits for.
const MOMENT: Duration = Duration::from_millis(15);
const MOMENT_PER_OBLIGATION: Duration = Duration::from_micros(20);

#[derive(Debug)]
pub(crate) struct Pace {
    told_at: Instant,
    breath: Duration,
    longest: Duration,
    moment: Duration,
    /// Something is held back that somebody waits for.
    awaited: bool,
    /// So has something been told before.
    told_awaited: bool,
}

impl Pace {
    /// For a run of so many obligations that begins now.
    pub(crate) fn new(obligations: usize, now: Instant) -> Pace {
        let count = u32::try_from(obligations).unwrap_or(u32::MAX);
        Pace {
            told_at: now,
            breath: FIRST_BREATH,
            longest: BREATH + BREATH_PER_OBLIGATION.saturating_mul(count),
            moment: MOMENT + MOMENT_PER_OBLIGATION.saturating_mul(count),
            awaited: false,
            told_awaited: false,
        }
    }

    /// There is a verdict to tell.
    pub(crate) fn heard(&mut self, awaited: bool) {
        self.awaited |= awaited;
    }

    /// Should what was heard be told now? If so, it is.
    pub(crate) fn is_time(&mut self, now: Instant) -> bool {
        let wait = match (self.awaited, self.told_awaited) {
            (true, false) => Duration::ZERO,
            (true, true) => self.moment.min(self.breath),
            (false, _) => self.breath,
        };
        if now.saturating_duration_since(self.told_at) < wait {
            return false;
        }
        self.told_at = now;
        self.breath = (self.breath * 2).min(self.longest);
        self.told_awaited |= std::mem::take(&mut self.awaited);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The milliseconds at which something is told, if news come at each.
    fn told(pace: &mut Pace, began: Instant, awaited: &[u64]) -> Vec<u64> {
        let tell = |at: &u64| {
            pace.heard(awaited.contains(at));
            pace.is_time(began + Duration::from_millis(*at))
        };
        (0..400).filter(tell).collect()
    }

    #[test]
    fn breaths_grow_up_to_what_fits_the_run() {
        let began = Instant::now();
        assert_eq!(told(&mut Pace::new(0, began), began, &[]), [20, 60, 120, 180, 240, 300, 360]);
        assert_eq!(told(&mut Pace::new(200, began), began, &[]), [20, 60, 140, 300]);
    }

    #[test]
    fn what_somebody_waits_for_is_told_at_once_and_then_after_a_moment() {
        let began = Instant::now();
        let told = told(&mut Pace::new(1000, began), began, &[3, 4, 5, 300]);
        assert_eq!(told, [3, 38, 118, 278, 313]);
    }
}
