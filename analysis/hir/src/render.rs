//! Words for problems: a headline under 80 characters, the other half labelled, what to do.

mod names;
mod types;

use base::{Code, Diagnostic, Place, Severity};

use crate::problem::{Declared, Fault, Problem};

/// A problem in words.
pub fn render(problem: &Problem) -> Diagnostic {
    let words = names::words(&problem.fault).or_else(|| types::words(&problem.fault));
    let words = words.unwrap_or_else(|| Words::new(Code::UnsupportedFeature, "unknown problem"));
    let mut diagnostic = Diagnostic::error(words.code, problem.place, words.message);
    if matches!(problem.fault, Fault::AmbiguousType { .. }) {
        diagnostic.severity = Severity::Warning;
    }
    if let Fault::ModifiesConstant { procedure, .. } = &problem.fault {
        diagnostic.reported_at = Some(*procedure);
    }
    for (place, text) in words.labels {
        diagnostic = diagnostic.label(place, text);
    }
    diagnostic.help = words.help;
    diagnostic
}

/// Code, headline, labels and advice of one problem.
pub(crate) struct Words {
    code: Code,
    message: String,
    labels: Vec<(Place, String)>,
    help: Option<String>,
}

impl Words {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Words {
        Words { code, message: message.into(), labels: Vec::new(), help: None }
    }

    pub(crate) fn label(mut self, place: Declared, text: impl Into<String>) -> Words {
        self.labels.extend(place.map(|place| (place, text.into())));
        self
    }

    pub(crate) fn help(mut self, text: impl Into<String>) -> Words {
        self.help = Some(text.into());
        self
    }
}

/// `one argument`, `2 arguments`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("one {noun}"),
        number => format!("{number} {noun}s"),
    }
}

/// Names in backquotes, separated by commas.
pub(crate) fn list(names: &[base::Name]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
