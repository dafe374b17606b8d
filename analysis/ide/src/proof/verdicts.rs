//! Verdicts as diagnostics: words and places of what is not proved.

use obligations::{Unit, UnitKey};

use crate::diagnostics::without_repetitions;
use crate::failure::trace_view;
use crate::failure::{Scene, advice, costs};
use crate::proof::plan::Plan;
use crate::proof::state::{ObligationState, Open, Outcome};
use crate::types::{Diagnostic, Phase, Severity};
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
        let ignored = self.passed_over(program, plan);
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
            let question = &planned.task.obligation.question;
            let (costs, ignored) = (&*state.costs, ignored.as_deref());
            let about = About { program: input, unit: &unit, question, costs, ignored };
            found.extend(state.open.iter().filter_map(|open| self.open_assertion(&about, open)));
            if found.len() == before {
                found.extend(self.undecided_unit(program, &planned.key, state));
            }
            found[before..].iter_mut().for_each(|d| d.obligation = Some(state.id.clone()));
        }
        without_repetitions(found)
    }

    /// What of the program has no faithful translation, if anything: then no run of it is confirmed.
    fn passed_over(&self, program: ProgramId, plan: &Plan) -> Option<String> {
        let unsupported = plan.tasks.iter().flat_map(|planned| &planned.task.unsupported);
        let input = self.program(program);
        let files = input.files(&self.db);
        let decls = hir::program_decls(&self.db, input);
        let own = decls.iter().filter(|decl| files.contains(&decl.file(&self.db)));
        let ignored = own.flat_map(|decl| hir::ignored_attributes(&self.db, *decl).to_vec());
        let mut found = unsupported
            .map(|it| it.what.clone())
            .chain(ignored.map(|it| format!("the attribute `{{:{}}}`", it.name)));
        found.next().map(|what| format!("the program contains {what}"))
    }

    /// An assertion that fails, or of which nobody knows.
    fn open_assertion(&self, about: &About<'_>, open: &Open) -> Option<Diagnostic> {
        let info = about.unit.assert(open.assert)?;
        let mut diagnostic = self.rendered(&obligations::render::failure(info))?;
        match &open.why {
            Ok(refutation) => {
                let found = (about.question, refutation);
                let scene = Scene::new(self, about.program, about.unit, info, found);
                let view = trace_view::view(&scene, about.ignored);
                diagnostic.explanation = self.trace_lines(&view, false);
                diagnostic.trace = Some(view);
            }
            Err(doubt) => {
                diagnostic.severity = Severity::Warning;
                diagnostic.code = base::Code::Undecided.as_str();
                diagnostic.message = format!("undecided: {} ({doubt})", diagnostic.message);
                let reason = doubt.reason();
                diagnostic.explanation = reason
                    .map_or_else(Vec::new, |it| advice::lines(it, about.question, open.assert));
                let own = about.costs.iter().filter(|cost| cost.assert == open.assert);
                let own: Vec<&prover::Cost> = own.collect();
                diagnostic.explanation.extend(costs::lines(self, about.program, &own));
                if let Some(ir::Reason::Incomplete(Some(candidate))) = reason {
                    let found = (about.question, candidate.as_ref());
                    let scene = Scene::new(self, about.program, about.unit, info, found);
                    let view = trace_view::view(&scene, about.ignored);
                    diagnostic.explanation.extend(self.trace_lines(&view, false));
                    diagnostic.trace = Some(view);
                }
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
        let Outcome::Unknown(doubt) = &state.outcome else { return None };
        Some(Diagnostic {
            at: self.location(place)?,
            severity: Severity::Warning,
            code: base::Code::Undecided.as_str(),
            phase: Phase::Proof,
            message: format!("undecided: {} ({doubt})", state.id),
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

/// What an open assertion is part of.
struct About<'a> {
    program: base::Program,
    unit: &'a Unit,
    question: &'a ir::Question,
    costs: &'a [prover::Cost],
    /// What of the program was passed over.
    ignored: Option<&'a str>,
}

fn undecided_by_us(mut diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.severity = Severity::Warning;
    diagnostic
}
