//! Failing runs as people read them: where, what happens, what changed.
//!
//! **In:** a refutation of the prover and the side table of its unit. **Out:** a [`TraceView`] and
//! its lines of text, the same in terminal, editor and report.
//!
//! # Invariants
//! - Only variables of the program are shown, and only when their value differs from the one last
//!   shown; steps at which nothing changes are left out, except the first and the last.
//! - "confirmed" is said only of a run that evaluation has followed to the failure.

use obligations::Unit;

use crate::Analysis;
use crate::types::Location;

/// A trace of more steps is cut in the middle.
const LONGEST_TRACE: usize = 30;
/// Longer values are cut at the end.
const LONGEST_VALUE: usize = 100;

/// A failing run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceView {
    /// Has evaluation followed the run to the failure?
    pub confirmed: bool,
    /// The steps, the last one at the failure.
    pub steps: Vec<TraceStep>,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// Where.
    pub at: Option<Location>,
    /// What happens there.
    pub what: String,
    /// Variables whose values are new, in order.
    pub changes: Vec<(String, String)>,
}

impl Analysis {
    pub(crate) fn trace_view(&self, unit: &Unit, refutation: &ir::Refutation) -> TraceView {
        let trace = refutation.trace();
        let mut steps = Vec::new();
        for (step, changed) in trace.steps.iter().zip(trace.changes()) {
            let ir::StepKind::Capture(id) = step.kind else { continue };
            let Some(point) = unit.captures.get(id.0 as usize) else { continue };
            steps.push(TraceStep {
                at: self.location(point.place),
                what: readable(&point.what),
                changes: changed
                    .iter()
                    .map(|(name, value)| (readable(name.as_str()), shortened(&value.to_string())))
                    .collect(),
            });
        }
        let last = steps.len().saturating_sub(1);
        let mut number = 0;
        steps.retain(|step| {
            number += 1;
            !step.changes.is_empty() || number == 1 || number == last + 1
        });
        TraceView { confirmed: refutation.is_confirmed(), steps }
    }

    /// The lines of a trace, as a terminal shows them.
    pub(crate) fn trace_lines(&self, view: &TraceView) -> Vec<String> {
        if view.steps.is_empty() {
            return Vec::new();
        }
        let head = if view.confirmed {
            "a run that fails, confirmed by replay:"
        } else {
            "a candidate for a failing run (it could not be replayed in full):"
        };
        let place = |step: &TraceStep| {
            step.at.map(|at| format!("line {}", self.place(at).line + 1)).unwrap_or_default()
        };
        let wide =
            |text: &dyn Fn(&TraceStep) -> usize| view.steps.iter().map(text).max().unwrap_or(0);
        let places = wide(&|step| place(step).len());
        let words = wide(&|step| step.what.chars().count()).min(40);
        let line = |step: &TraceStep| {
            let changes: Vec<String> =
                step.changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let text =
                format!("  {:places$}  {:words$}  {}", place(step), step.what, changes.join(", "));
            text.trim_end().to_owned()
        };
        let mut lines: Vec<String> = view.steps.iter().map(line).collect();
        if lines.len() > LONGEST_TRACE {
            let hidden = lines.len() - LONGEST_TRACE;
            let middle = LONGEST_TRACE / 2;
            lines.splice(middle..middle + hidden, [format!("  ... {hidden} steps ...")]);
        }
        lines.insert(0, head.to_owned());
        lines
    }
}

/// Actions without a name are called after their procedure.
fn readable(text: &str) -> String {
    text.replace("AnonymousAction_", "")
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST_VALUE {
        return text.to_owned();
    }
    let kept: String = text.chars().take(LONGEST_VALUE).collect();
    format!("{kept}…")
}
