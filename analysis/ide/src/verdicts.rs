//! Verdicts as diagnostics: words and places of what is not proved.

use obligations::{Unit, UnitKey};

use crate::diagnostics::without_repetitions;
use crate::types::{Diagnostic, Phase, Severity};
use crate::verify::{ObligationState, Open, Outcome, Plan};
use crate::{Analysis, ProgramId};

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
            found[before..].iter_mut().for_each(|d| d.obligation = Some(state.id.clone()));
        }
        without_repetitions(found)
    }

    /// An assertion that fails, or of which nobody knows.
    fn open_assertion(&self, unit: &Unit, open: &Open) -> Option<Diagnostic> {
        let mut diagnostic =
            self.rendered(&obligations::render::failure(unit.assert(open.assert)?))?;
        match &open.why {
            Ok(refutation) => {
                let view = self.trace_view(unit, refutation);
                diagnostic.explanation = self.trace_lines(&view);
                diagnostic.trace = Some(view);
            }
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
            trace: None,
            obligation: None,
            fixes: Vec::new(),
        })
    }
}

fn undecided_by_us(mut diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.severity = Severity::Warning;
    diagnostic
}
