//! The only place of this crate that looks at the clock: deadlines of solver work.
//!
//! No verdict other than "ran out of time" depends on it.

use std::time::{Duration, Instant};

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
        Deadline { start, at: start + span }
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
