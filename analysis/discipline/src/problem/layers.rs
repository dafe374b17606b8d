//! Problems of layers, access, calls, refinement signatures and measures (language.md 8, 9).

use super::Stage;

/// A problem of this area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LayerProblem {}

impl LayerProblem {
    /// The stage in which the reference looks for it.
    pub(crate) fn stage(&self) -> Stage {
        match *self {}
    }
}
