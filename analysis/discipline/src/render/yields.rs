//! Words for problems of yield sufficiency, loops and parallel calls (language.md 9.7, 9.8, 11).

use base::Diagnostic;

use crate::problem::YieldProblem;

pub(super) fn render(problem: &YieldProblem) -> Diagnostic {
    match *problem {}
}
