//! The only place of this crate that looks at the clock: deadlines of solver work.
//!
//! No verdict other than "ran out of time" depends on it.

use std::time::{Duration, Instant};

/// A century; no proof is worth more.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// A moment after which waiting is pointless.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    start: Instant,
    at: Instant,
}

impl Deadline {
    #[expect(clippy::disallowed_methods, reason = "a wall-clock deadline needs the clock")]
    pub(crate) fn after(span: Duration) -> Deadline {
        let start = Instant::now();
        // Beyond what the clock can say it is as good as never.
        let at = start.checked_add(span).unwrap_or(start + LONGEST);
        Deadline { start, at }
    }

    /// The moment that comes earlier by `span`.
    pub(crate) fn sooner_by(self, span: Duration) -> Deadline {
        let at = self.at.checked_sub(span).unwrap_or(self.start).max(self.start);
        Deadline { start: self.start, at }
    }

    /// What is left; zero when the moment has passed.
    #[expect(clippy::disallowed_methods, reason = "a wall-clock deadline needs the clock")]
    pub(crate) fn left(self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    #[expect(clippy::disallowed_methods, reason = "a wall-clock deadline needs the clock")]
    pub(crate) fn spent(self) -> Duration {
        Instant::now().saturating_duration_since(self.start)
    }
}
