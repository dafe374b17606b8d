//! Parts of the page of `civl verify --report`, for editors that show them beside the text.
//!
//! **In:** diagnostics and states of obligations of a session. **Out:** a [`Part`], written by the code
//! that writes the page.
//!
//! # Invariants
//! - What was found before the last edit, or is still being asked, is never shown as proved.

use ide::{Analysis, Diagnostic, ProgramId};

use super::engine::Finder;
use super::render::html;
pub(crate) use super::render::html::Part;
use super::report::{Counts, Outcome, Report};
use super::verify;
use crate::session::proofs::Entry;

/// How failures come about.
pub(crate) fn failures(analysis: &Analysis, diagnostics: &[&Diagnostic]) -> Part {
    html::problems(&report(analysis, diagnostics))
}

/// Which actions move past which.
pub(crate) fn movers(
    analysis: &Analysis,
    program: ProgramId,
    diagnostics: &[&Diagnostic],
    entries: &[Entry],
) -> Part {
    let mut report = report(analysis, diagnostics);
    report.cases = entries
        .iter()
        .map(|entry| {
            let mut case = verify::case(&entry.state);
            if entry.stale {
                case.outcome = Outcome::Unknown("found before the last edit".into());
            } else if matches!(entry.word(), "queued" | "running") {
                case.outcome = Outcome::Unknown(entry.word().into());
            }
            case
        })
        .collect();
    report.calls = analysis.mover_table(program);
    html::movers(&report)
}

fn report(analysis: &Analysis, diagnostics: &[&Diagnostic]) -> Report {
    let mut finder = Finder::new(analysis);
    let findings = diagnostics.iter().map(|diagnostic| finder.finding(diagnostic)).collect();
    let mut report = Report::new(findings, Counts::default(), false);
    finder.give_texts(&mut report);
    report
}
