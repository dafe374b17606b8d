//! Progress for a person at a terminal: x of y with the name of the running obligation.
//!
//! # Invariants
//! - Never above the total, never back; silent when standard error is no terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub(super) struct Progress {
    bar: Option<ProgressBar>,
    reached: u64,
}

impl Progress {
    /// A bar on standard error when a person is there to see it.
    pub(super) fn for_terminal(wanted: bool) -> Progress {
        if !wanted || !std::io::stderr().is_terminal() {
            return Progress { bar: None, reached: 0 };
        }
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10));
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos} of {len}  {wide_msg}") {
            bar.set_style(style);
        }
        Progress { bar: Some(bar), reached: 0 }
    }

    /// `done` of `total` have an answer; `name` got the last one.
    pub(super) fn show(&mut self, done: usize, total: usize, name: &str) {
        let Some(bar) = &self.bar else { return };
        let done = (done as u64).min(total as u64);
        self.reached = self.reached.max(done);
        bar.set_length(total as u64);
        bar.set_position(self.reached);
        bar.set_message(name.to_owned());
    }

    pub(super) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
