//! What a run found, as plain text positions: the one shape all output formats are made from.
//!
//! **In:** diagnostics of `ide` and the verdict counts. **Out:** a [`Report`].
//!
//! # Invariants
//! - Lines and columns count from 1; columns count characters.
//! - The verdict is computed here and nowhere else: an error makes it `errors`; anything
//!   undecided makes it `unknown`; only what is left is `verified`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Exit;

/// Version of the JSON shape; see `server/schema/verify.json`.
pub const JSON_VERSION: u32 = 1;

/// The answer of one run.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    pub version: u32,
    pub verdict: Verdict,
    pub diagnostics: Vec<Finding>,
    pub obligations: Counts,
    /// What the answer takes on faith.
    pub trusted: Vec<Faith>,
    pub time: Times,
    /// The files of the program, for answers about several programs.
    #[serde(skip)]
    pub files: Vec<String>,
    /// Text of each file named by a finding, for excerpts, its lines ended by LF or CR LF; never part
    /// of the JSON.
    #[serde(skip)]
    pub texts: BTreeMap<String, String>,
    /// One line per obligation, for formats that list them.
    #[serde(skip)]
    pub cases: Vec<Case>,
    /// Promises that a strict run refuses to take on faith.
    #[serde(skip)]
    pub refused: usize,
    /// Only the static phases ran.
    #[serde(skip)]
    pub checked_only: bool,
    /// The table of layers, for the page.
    #[serde(skip)]
    pub layers: String,
    /// At which layers each assertion is checked, for the page.
    #[serde(skip)]
    pub checked: Vec<CheckedLine>,
    /// How each call moves, for the page.
    #[serde(skip)]
    pub calls: String,
}

/// An assertion or clause, and who checks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedLine {
    pub file: String,
    pub line: u32,
    pub text: String,
    /// `layers 1, 2`, `at no layer`, ...
    pub by: String,
}

/// From the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Verified,
    Unknown,
    Errors,
}

impl Verdict {
    /// Of several programs: the worst.
    pub fn of(reports: &[Report]) -> Verdict {
        reports.iter().map(|report| report.verdict).max().unwrap_or(Verdict::Unknown)
    }
}

/// One diagnostic at a place.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    #[serde(flatten)]
    pub at: Spot,
    pub severity: Severity,
    pub code: String,
    pub phase: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    pub related: Vec<Related>,
    /// Where the reference tool reports this, when our place is more precise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reported_at: Option<Spot>,
    pub trace: Option<serde_json::Value>,
    /// The id of the obligation it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obligation: Option<String>,
    /// Lines of the explanation for people, after the excerpt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanation: Vec<String>,
}

/// Something that nobody proves.
#[derive(Debug, Clone, Serialize)]
pub struct Faith {
    pub kind: &'static str,
    pub what: String,
    /// Where it stands, if it is part of the text.
    #[serde(flatten)]
    pub at: Option<Spot>,
    /// For people: the kind, to be counted.
    #[serde(skip)]
    pub counted: ide::TrustedKind,
}

/// A range in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Spot {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// Byte offsets of the same range.
    #[serde(skip)]
    pub bytes: (u32, u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Information,
}

#[derive(Debug, Clone, Serialize)]
pub struct Related {
    #[serde(flatten)]
    pub at: Spot,
    pub message: String,
}

/// How many obligations ended how; `total` is the sum of the next four, `cached` is a part of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub total: usize,
    pub proved: usize,
    pub failed: usize,
    pub unknown: usize,
    pub skipped: usize,
    pub cached: usize,
}

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Times {
    pub wall_ms: u64,
    pub cpu_ms: u64,
    pub solver_cpu_ms: u64,
    pub peak_memory_kb: u64,
}

/// One obligation and how it ended, for JUnit.
#[derive(Debug, Clone)]
pub struct Case {
    pub group: String,
    pub name: String,
    pub outcome: Outcome,
    pub millis: u64,
    pub layer: Option<u32>,
    /// The items it is about, the owner first.
    pub subjects: Vec<String>,
    pub cached: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Proved,
    Failed(String),
    Unknown(String),
    Skipped(String),
}

impl Report {
    /// Puts the findings in order and derives the verdict.
    ///
    /// `complete` says that every obligation of the program was asked and counted; without it
    /// nothing is ever `verified`.
    pub fn new(mut diagnostics: Vec<Finding>, obligations: Counts, complete: bool) -> Report {
        diagnostics.sort_by(|a, b| (&a.at, &a.code, &a.message).cmp(&(&b.at, &b.code, &b.message)));
        let settled = obligations.proved + obligations.skipped == obligations.total;
        let verdict = if obligations.failed > 0
            || diagnostics.iter().any(|d| d.severity == Severity::Error)
        {
            Verdict::Errors
        } else if complete && settled && obligations.unknown == 0 {
            Verdict::Verified
        } else {
            Verdict::Unknown
        };
        Report {
            version: JSON_VERSION,
            verdict,
            diagnostics,
            obligations,
            trusted: Vec::new(),
            time: Times::default(),
            files: Vec::new(),
            texts: BTreeMap::new(),
            cases: Vec::new(),
            refused: 0,
            checked_only: false,
            layers: String::new(),
            checked: Vec::new(),
            calls: String::new(),
        }
    }

    /// Refuses what is only promised: nothing that rests on it is verified.
    pub fn be_strict(&mut self) {
        self.refused = self.trusted.iter().filter(|it| it.counted.is_promise()).count();
        if self.refused > 0 && self.verdict == Verdict::Verified {
            self.verdict = Verdict::Unknown;
        }
    }

    /// Why the run decided less than it was to; nothing if it did, or only the static phases ran.
    pub fn undecided(&self) -> Option<String> {
        let Counts { total, unknown, .. } = self.obligations;
        if self.verdict != Verdict::Unknown || self.checked_only {
            return None;
        }
        Some(match (unknown, self.refused) {
            (0, 0) => "not every obligation was asked".to_owned(),
            (0, refused) => format!("{refused} taken on faith, which --strict refuses"),
            (unknown, _) => format!("{unknown} of {total} obligations are undecided"),
        })
    }

    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error)
    }

    /// A text that is no program is bad input; a program that breaks a rule is refuted.
    pub fn exit(&self) -> Exit {
        const NOT_A_PROGRAM: [&str; 3] = ["syntax", "resolve", "type"];
        if self.errors().any(|d| d.code == ide::INTERNAL_ERROR) {
            return Exit::Internal;
        }
        match self.verdict {
            Verdict::Verified => Exit::Proved,
            Verdict::Unknown => Exit::Undecided,
            Verdict::Errors if self.errors().any(|d| NOT_A_PROGRAM.contains(&d.phase.as_str())) => {
                Exit::BadInput
            }
            Verdict::Errors => Exit::Refuted,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn finding(severity: Severity, phase: &str) -> Finding {
        Finding {
            at: Spot {
                file: "a.bpl".into(),
                line: 2,
                column: 3,
                end_line: 2,
                end_column: 6,
                bytes: (5, 8),
            },
            severity,
            code: "some-code".into(),
            phase: phase.into(),
            message: "`x` <is> \"wrong\"".into(),
            help: Some("do it right".into()),
            related: vec![],
            reported_at: None,
            trace: None,
            obligation: None,
            explanation: vec![],
        }
    }

    pub(crate) fn sample() -> Report {
        let mut report = Report::new(
            vec![finding(Severity::Error, "proof")],
            Counts { total: 2, proved: 1, failed: 1, ..Counts::default() },
            true,
        );
        report.diagnostics[0].obligation = Some("commutativity(a, b)".into());
        report.texts.insert("a.bpl".into(), "var\n  xyz: int;\n".into());
        let failed = Outcome::Failed("`x` & y".into());
        report.cases.push(Case {
            group: "commutativity".into(),
            name: "commutativity(a, b)".into(),
            outcome: failed,
            millis: 7,
            layer: Some(1),
            subjects: vec!["a".into(), "b".into()],
            cached: false,
        });
        report
    }

    #[test]
    fn an_incomplete_run_never_verifies() {
        assert_eq!(Report::new(vec![], Counts::default(), false).verdict, Verdict::Unknown);
    }

    #[test]
    fn an_obligation_without_an_answer_never_verifies() {
        let counts = Counts { total: 2, proved: 1, ..Counts::default() };
        assert_eq!(Report::new(vec![], counts, true).verdict, Verdict::Unknown);
    }

    #[test]
    fn a_type_error_is_bad_input_and_a_yield_error_a_refutation() {
        let exit = |phase| {
            Report::new(vec![finding(Severity::Error, phase)], Counts::default(), true).exit()
        };
        assert_eq!(exit("type"), Exit::BadInput);
        assert_eq!(exit("yield"), Exit::Refuted);
        assert_eq!(exit("proof"), Exit::Refuted);
    }
}
