//! Words for problems of layers, access, calls, refinement signatures and measures (language.md 8, 9).

use base::Diagnostic;

use crate::problem::LayerProblem;

pub(super) fn render(problem: &LayerProblem) -> Diagnostic {
    match *problem {}
}
