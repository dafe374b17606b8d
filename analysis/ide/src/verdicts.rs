//! Verdicts as diagnostics: words and places of what is not proved.

use obligations::{Unit, UnitKey};

use crate::diagnostics::without_repetitions;
use crate::types::{Diagnostic, Phase, Severity};
use crate::verify::{ObligationState, Open, Outcome, Plan};
use crate::{Analysis, ProgramId};

/// A trace of more steps is cut in the middle.
const LONGEST_TRACE: usize = 36;

impl Analysis {
    /// Failed and undecided obligations as diagnostics of the current revision.
    pub fn verdict_diagnostics(
        &self,
        program: ProgramId,
        plan: &Plan,
        states: &[ObligationState],
    ) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for state in states {
            let Some(planned) = state.task.and_then(|number| plan.tasks.get(number)) else {
                continue;
            };
            if matches!(state.outcome, Outcome::Proved | Outcome::Skipped(_)) {
                continue;
            }
            let input = self.program(program);
            let before = found.len();
            for problem in &planned.task.unsupported {
                found.extend(
                    self.rendered(&obligations::render::unsupported(problem)).map(undecided_by_us),
                );
            }
            let unit = obligations::unit_of(&self.db, input, planned.key.clone());
            found.extend(state.open.iter().filter_map(|open| self.open_assertion(&unit, open)));
            if found.len() == before {
                found.extend(self.undecided_unit(program, &planned.key, state));
            }
        }
        without_repetitions(found)
    }

    /// An assertion that fails, or of which nobody knows.
    fn open_assertion(&self, unit: &Unit, open: &Open) -> Option<Diagnostic> {
        let mut diagnostic =
            self.rendered(&obligations::render::failure(unit.assert(open.assert)?))?;
        match &open.why {
            Ok(trace) => diagnostic.explanation = self.trace_lines(unit, trace),
            Err(reason) => {
                diagnostic.severity = Severity::Warning;
                diagnostic.code = base::Code::Undecided.as_str();
                diagnostic.message = format!("undecided: {} ({reason})", diagnostic.message);
            }
        }
        Some(diagnostic)
    }

    /// A unit without an answer and without an assertion to blame.
    fn undecided_unit(
        &self,
        program: ProgramId,
        key: &UnitKey,
        state: &ObligationState,
    ) -> Option<Diagnostic> {
        let input = self.program(program);
        let place = obligations::place_of(obligations::World::new(&self.db, input), key);
        let Outcome::Unknown(reason) = &state.outcome else { return None };
        Some(Diagnostic {
            at: self.location(place)?,
            severity: Severity::Warning,
            code: base::Code::Undecided.as_str(),
            phase: Phase::Proof,
            message: format!("undecided: {} ({reason})", state.id),
            related: Vec::new(),
            help: None,
            reported_at: None,
            explanation: Vec::new(),
            fixes: Vec::new(),
        })
    }

    /// A failing run as lines: where, what happens, and what changed.
    fn trace_lines(&self, unit: &Unit, trace: &ir::Trace) -> Vec<String> {
        let mut lines = Vec::new();
        for (step, changed) in trace.steps.iter().zip(trace.changes()) {
            let ir::StepKind::Capture(id) = step.kind else { continue };
            let Some(point) = unit.captures.get(id.0 as usize) else { continue };
            let line = self.location(point.place).map(|at| self.place(at).line + 1).unwrap_or(0);
            let values: Vec<String> =
                changed.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            lines.push(format!("line {line}: {}: {}", point.what, values.join(", ")));
        }
        if lines.len() > LONGEST_TRACE {
            let hidden = lines.len() - LONGEST_TRACE;
            lines.splice(
                LONGEST_TRACE / 2..LONGEST_TRACE / 2 + hidden,
                [format!("... {hidden} steps ...")],
            );
        }
        lines
    }
}

fn undecided_by_us(mut diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.severity = Severity::Warning;
    diagnostic
}
