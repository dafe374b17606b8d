//! Words for problems of linear types and availability (language.md 10).

use base::Diagnostic;

use crate::problem::LinearProblem;

pub(super) fn render(problem: &LinearProblem) -> Diagnostic {
    match *problem {}
}
