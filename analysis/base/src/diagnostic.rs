//! A worded, placed complaint.
//!
//! Words are made by the crate that finds the problem; this module only says what a finished
//! complaint consists of.

use crate::{Code, Place, TextEdit};

/// In which phase of reading a program a complaint arises. The reference stops after the first
/// phase with an error; consumers that compare with it filter by phase, editors show all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Text to tree.
    Syntax,
    /// Names to declarations.
    Resolve,
    /// Types, and plain rules of statements.
    Type,
    /// Layers, access, calls and refinement of CIVL.
    Layer,
    /// Linear types and availability.
    Linear,
    /// Yield sufficiency.
    Yield,
    /// Proof obligations.
    Proof,
    /// Runs of small instances.
    Exploration,
}

impl Phase {
    /// The word of the JSON contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Syntax => "syntax",
            Phase::Resolve => "resolve",
            Phase::Type => "type",
            Phase::Layer => "layer",
            Phase::Linear => "linear",
            Phase::Yield => "yield",
            Phase::Proof => "proof",
            Phase::Exploration => "exploration",
        }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The program is wrong.
    Error,
    /// The program is probably not what was meant, or something is undecided.
    Warning,
    /// Worth knowing.
    Hint,
}

/// Words at a second place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What is to be seen there.
    pub text: String,
}

/// An edit that would repair the problem.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    /// What the edit does, as an imperative.
    pub title: String,
    /// Replacements, each of the text at a place.
    pub edits: Vec<(Place, String)>,
    /// Replacements that are already ranges of the current revision.
    pub text_edits: Vec<TextEdit>,
}

/// A worded, placed problem or verdict.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// Its stable code.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// In which phase it arises.
    pub phase: Phase,
    /// Where it is shown.
    pub primary: Place,
    /// The headline, understandable alone.
    pub message: String,
    /// The other halves.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// Where the reference reports it, if not at `primary`.
    pub reported_at: Option<Place>,
    /// Repairs, best first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// An error with this code and headline at this place; the phase is that of the code.
    pub fn error(code: Code, primary: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            phase: code.phase(),
            primary,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            reported_at: None,
            fixes: Vec::new(),
        }
    }

    /// A warning with this code and headline at this place.
    pub fn warning(code: Code, primary: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, primary, message) }
    }

    /// With words at a second place.
    pub fn label(mut self, place: Place, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { place, text: text.into() });
        self
    }

    /// With advice.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// With the place where the reference reports it.
    pub fn reported_at(mut self, place: Place) -> Diagnostic {
        self.reported_at = Some(place);
        self
    }

    /// With a repair.
    pub fn fix(mut self, fix: Fix) -> Diagnostic {
        self.fixes.push(fix);
        self
    }

    /// The place to compare with the reference.
    pub fn reference_place(&self) -> Place {
        self.reported_at.unwrap_or(self.primary)
    }
}
