//! Words for problems: one function per code.

mod layers;
mod linear;
mod yields;

use base::Diagnostic;

use crate::problem::Problem;

/// The diagnostic that tells the user about `problem`.
pub(crate) fn render(problem: &Problem) -> Diagnostic {
    match problem {
        Problem::Layer(it) => layers::render(it),
        Problem::Linear(it) => linear::render(it),
        Problem::Yield(it) => yields::render(it),
    }
}
