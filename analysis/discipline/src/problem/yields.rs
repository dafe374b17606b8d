//! Problems of yield sufficiency, loops and parallel calls (language.md 9.7, 9.8, 11).

use super::Stage;

/// A problem of this area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum YieldProblem {}

impl YieldProblem {
    /// The stage in which the reference looks for it.
    pub(crate) fn stage(&self) -> Stage {
        match *self {}
    }
}
