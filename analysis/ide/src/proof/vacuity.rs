//! Proofs from contradictory assumptions, and at which layers an assertion was checked.
//!
//! **In:** proved obligations. **Out:** a warning for each assertion that no run can reach: whatever it
//! says, it holds. And, for every assertion and clause of the text, the layers that check it.
//!
//! The question is asked once more with `false` in place of each assertion; if that can be proved, no
//! run gets there. Checks of pairs of actions and of interference are left out: that two threads
//! cannot be where they would disturb each other is how such proofs are meant to end.
//!
//! # Soundness
//! Nothing here changes a verdict. A question without an answer gives no warning.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base::Place;
use ir::{AssertId, Item, Obligation, ObligationKind, Passive, Question, Term};
use obligations::{Claim, Task};

use crate::editor::answers::Position;
use crate::proof::plan::{Plan, VerifyOptions};
use crate::proof::run::Runner;
use crate::proof::state::{Names, ObligationState, Outcome};
use crate::types::{Diagnostic, Location};
use crate::{Analysis, ProgramId};

/// A fraction of the time that a proof may take.
const SHARE: u64 = 6;

/// An assertion or clause of the text, and where it is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The assertion.
    pub at: Location,
    /// Its first line.
    pub text: String,
    /// The layers that check it; an obligation without a layer counts as none of them.
    pub layers: BTreeSet<u32>,
    /// Is it checked by an obligation that belongs to no layer?
    pub without_layer: bool,
}

impl Checked {
    /// Who checks it, in words.
    pub fn words(&self) -> String {
        let layers: Vec<String> = self.layers.iter().map(u32::to_string).collect();
        match (layers.as_slice(), self.without_layer) {
            ([], true) => "checked".to_owned(),
            ([], false) => "never checked, only assumed or without effect".to_owned(),
            ([one], _) => format!("checked at layer {one}"),
            (all, _) => format!("checked at layers {}", all.join(", ")),
        }
    }
}

impl Plan {
    /// Asks of each proved obligation whether runs get to its assertions. `states` are those of a
    /// run of this plan. Raising `cancel` ends it early.
    pub fn run_vacuity(
        &self,
        options: &VerifyOptions,
        states: &[ObligationState],
        cancel: &AtomicBool,
    ) -> Vec<ObligationState> {
        let mut limited = options.clone();
        limited.time_limit_ms = (options.time_limit_ms / SHARE).max(1);
        let mut runner = Runner::new(&limited, Names::default());
        let mut names = BTreeMap::new();
        for state in states.iter().filter(|state| state.outcome == Outcome::Proved) {
            let Some(number) = state.task else { continue };
            if let Some(task) = self.tasks.get(number).and_then(|it| unreachable(&it.task)) {
                runner.submit(number, &task, 0);
                names.insert(number, state.id.clone());
            }
        }
        let mut reached = runner.finish(cancel, &mut |_| {});
        for state in &mut reached {
            if let Some(name) = state.task.and_then(|number| names.remove(&number)) {
                state.id = name;
            }
        }
        reached
    }
}

impl Analysis {
    /// Warnings about assertions that were proved although no run gets to them. `states` are those of
    /// a run with the same options.
    pub fn vacuous(
        &self,
        program: ProgramId,
        options: &VerifyOptions,
        states: &[ObligationState],
    ) -> Vec<Diagnostic> {
        let Ok(plan) = self.plan(program, options) else { return Vec::new() };
        let reached = plan.run_vacuity(options, states, &AtomicBool::new(false));
        self.vacuity_diagnostics(program, &plan, &reached)
    }

    /// What [`Plan::run_vacuity`] found, as warnings of the current revision.
    pub fn vacuity_diagnostics(
        &self,
        program: ProgramId,
        plan: &Plan,
        reached: &[ObligationState],
    ) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for state in reached {
            let Some(planned) = state.task.and_then(|number| plan.tasks.get(number)) else {
                continue;
            };
            let open: BTreeSet<AssertId> = state.open.iter().map(|open| open.assert).collect();
            let answered = matches!(state.outcome, Outcome::Proved) || !open.is_empty();
            let dead = planned.task.asserts.iter().filter(|id| answered && !open.contains(id));
            let dead: Vec<AssertId> = dead.copied().collect();
            let all = dead.len() == planned.task.asserts.len();
            let input = self.program(program);
            let unit = obligations::unit_of(&self.db, input, planned.key.clone());
            for info in dead.iter().filter_map(|id| unit.assert(*id)) {
                // A part of the rule of refinement may be out of reach; all of it may not.
                if matches!(info.claim, Claim::Refinement { .. }) && !all {
                    continue;
                }
                found.extend(self.vacuous_warning(info.place, &state.id));
            }
        }
        crate::diagnostics::without_repetitions(found)
    }

    fn vacuous_warning(&self, place: Place, obligation: &str) -> Option<Diagnostic> {
        let words =
            "no run gets here: this holds only because the assumptions contradict each other";
        let warning = base::Diagnostic::warning(base::Code::Vacuous, place, words)
            .help("look for a requires, invariant, axiom or assume that can never hold");
        let mut warning = self.rendered(&warning)?;
        warning.obligation = Some(obligation.to_owned());
        Some(warning)
    }

    /// Every assertion and clause of the program's own files, in the order of the text, with the
    /// layers at which an obligation checks it.
    pub fn checked_layers(&self, program: ProgramId) -> Vec<Checked> {
        let input = self.program(program);
        let mut found: BTreeMap<Location, Checked> = BTreeMap::new();
        for at in self.assertions(program) {
            self.note(&mut found, at, None);
        }
        self.note_checks(input, &mut found);
        found.into_values().collect()
    }

    /// The assertion or clause whose keyword is at the cursor.
    pub(crate) fn checked_at(&self, at: Position) -> Option<Checked> {
        let here = |it: &Location| it.file == at.file && it.touches(at.offset);
        let assertion = self.assertions(at.program).into_iter().find(here)?;
        let mut found = BTreeMap::new();
        self.note(&mut found, assertion, None);
        self.note_checks(self.program(at.program), &mut found);
        found.into_values().next()
    }

    /// Notes who checks the assertions in `found`.
    fn note_checks(&self, input: base::Program, found: &mut BTreeMap<Location, Checked>) {
        for entry in obligations::units(&self.db, input).iter().filter(|it| it.skipped.is_none()) {
            let unit = obligations::unit_of(&self.db, input, entry.key.clone());
            for info in &unit.asserts {
                let places = [info.place].into_iter().chain(info.related.iter().map(|it| it.0));
                for at in places.filter_map(|place| self.location(place)) {
                    if found.contains_key(&at) {
                        self.note(found, at, Some(unit.id.layer));
                    }
                }
            }
        }
    }

    fn note(&self, found: &mut BTreeMap<Location, Checked>, at: Location, by: Option<Option<u32>>) {
        let checked = found.entry(at).or_insert_with(|| {
            let text = self.text(at.file);
            let rest = text.get(at.start as usize..).unwrap_or_default();
            let line = rest.split(['\n', '\r']).next().unwrap_or_default().trim().to_owned();
            Checked { at, text: line, layers: BTreeSet::new(), without_layer: false }
        });
        match by {
            Some(Some(layer)) => drop(checked.layers.insert(layer)),
            Some(None) => checked.without_layer = true,
            None => {}
        }
    }

    /// Where the program's own files assert or claim something.
    fn assertions(&self, program: ProgramId) -> Vec<Location> {
        let input = self.program(program);
        let mut places = Vec::new();
        for decl in hir::program_decls(&self.db, input).iter() {
            let specs =
                hir::specs(&self.db, input, *decl).zip(hir::specs_map(&self.db, input, *decl));
            if let Some((specs, map)) = specs {
                places.extend((0..specs.clauses.len()).map(|nth| map.clause(nth)));
            }
            let body = hir::body(&self.db, input, *decl).zip(hir::body_map(&self.db, input, *decl));
            if let Some((body, map)) = body {
                let asserts = |id: &hir::StmtId| matches!(body.stmt(*id), hir::Stmt::Assert { .. });
                let all = (0..body.stmts.len()).map(hir::StmtId::from_index);
                places.extend(all.filter(asserts).map(|id| map.stmt(id)));
            }
        }
        let own = places.into_iter().filter_map(|place| self.location(place));
        own.filter(|at| !self.is_library(at.file)).collect()
    }
}

/// The question whether the assertions of a task can be reached; nothing for kinds whose proofs are
/// meant to end in contradictions, and for questions without assertions.
fn unreachable(task: &Task) -> Option<Task> {
    let obligation = &task.obligation;
    let wanted = match obligation.id.kind {
        ObligationKind::Contract
        | ObligationKind::GateAtCall
        | ObligationKind::Refinement
        | ObligationKind::Plain
        | ObligationKind::GateSufficiency => !task.asserts.is_empty(),
        ObligationKind::Commutativity
        | ObligationKind::GatePreservation
        | ObligationKind::FailurePreservation
        | ObligationKind::Nonblocking
        | ObligationKind::ActionRefinement
        | ObligationKind::Noninterference
        | ObligationKind::GlobalNoninterference
        | ObligationKind::Termination => false,
    };
    if !wanted || !task.unsupported.is_empty() {
        return None;
    }
    let mut blocks = obligation.question.passive.blocks().to_vec();
    for block in &mut blocks {
        block.items = block.items.drain(..).flat_map(impossible).collect();
    }
    let question = Question { passive: Passive::new(blocks)?, ..obligation.question.clone() };
    let fingerprint = ir::fingerprint(&question);
    let obligation = Obligation { question, ..obligation.as_ref().clone() };
    Some(Task { obligation: Arc::new(obligation), fingerprint, ..task.clone() })
}

/// `assert e` becomes `assert false`, and `e` is assumed afterwards as before.
fn impossible(item: Item) -> Vec<Item> {
    match item {
        Item::Assert { term, id, hints, subsumes } => {
            let never =
                Item::Assert { term: Term::ff(), id, hints: hints.clone(), subsumes: false };
            let after = subsumes.then_some(Item::Assume { term, hints });
            [never].into_iter().chain(after).collect()
        }
        Item::Assume { .. } | Item::Capture(_) => vec![item],
    }
}
