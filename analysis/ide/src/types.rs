//! The plain data that answers are made of.

pub use base::{Phase, Severity};

/// A file known to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub(crate) u32);

/// A program known to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProgramId(pub(crate) u32);

/// A stretch of bytes in a file of the snapshot's revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Location {
    /// Is `offset` inside, or at the end?
    pub fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }
}

/// A worded problem or verdict at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where it is shown.
    pub at: Location,
    /// How bad it is.
    pub severity: Severity,
    /// Its stable code.
    pub code: &'static str,
    /// The phase it arises in.
    pub phase: Phase,
    /// The headline.
    pub message: String,
    /// Other places, each with its words.
    pub related: Vec<Related>,
    /// What to do about it.
    pub help: Option<String>,
    /// Where the reference reports it, when `at` is more precise.
    pub reported_at: Option<Location>,
    /// Lines that explain a failed proof.
    pub explanation: Vec<String>,
    /// The id of the obligation that failed or is undecided.
    pub obligation: Option<String>,
    /// The explanation as data.
    pub trace: Option<crate::TraceView>,
    /// Repairs, as titles and edits.
    pub fixes: Vec<Fix>,
}

/// Words at a second place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub at: Location,
    /// What is to be seen there.
    pub message: String,
}

/// An edit that would repair a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edit does.
    pub title: String,
    /// Replacements.
    pub edits: Vec<(Location, String)>,
}
