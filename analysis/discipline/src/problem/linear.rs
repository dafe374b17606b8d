//! Problems of linear types and availability (language.md 10).

use super::Stage;

/// A problem of this area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinearProblem {}

impl LinearProblem {
    /// The stage in which the reference looks for it.
    pub(crate) fn stage(&self) -> Stage {
        match *self {}
    }
}
