//! Which question goes first.
//!
//! **In:** a question; what was edited; what earlier runs found. **Out:** a priority.
//!
//! First comes what is about an edited declaration; then the pairs that mention it or the action
//! that it refines; then the rest. In each of these, what was not proved last time comes before
//! what was, and cheap questions before dear ones: by the time the solver took last time, or else
//! by size.
//!
//! # Soundness
//! An order decides when an answer comes, never which.

use std::collections::BTreeMap;

use ir::ObligationKind;
use obligations::Task;

use crate::proof::state::{ObligationState, Outcome, shown};
use crate::{Analysis, ProgramId};

/// What goes first.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Declarations, as obligations name their subjects: those that were edited or asked for.
    pub first: Vec<String>,
    /// Actions that `first` refine.
    pub refined: Vec<String>,
    /// What earlier runs found.
    pub history: History,
}

/// What earlier runs of a program found, by obligation.
#[derive(Clone, Debug, Default)]
pub struct History {
    last: BTreeMap<String, Last>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    proved: bool,
    /// What the solver took when it was last asked; 0 if it never was.
    micros: u64,
}

impl History {
    /// Adds what a run found.
    pub fn learn(&mut self, states: &[ObligationState]) {
        for state in states.iter().filter(|state| state.task.is_some()) {
            let before = self.last.get(&state.id).map_or(0, |last| last.micros);
            let micros = if state.asked { state.solver_micros } else { before };
            let proved = state.outcome == Outcome::Proved;
            self.last.insert(state.id.clone(), Last { proved, micros });
        }
    }
}

impl Order {
    /// Is this about a declaration that goes first?
    pub fn is_awaited(&self, subjects: &[String]) -> bool {
        subjects.iter().any(|name| self.first.contains(name))
    }

    /// Smaller goes first: three digits each for what it is about, how it ended and what it costs.
    pub(crate) fn priority(&self, task: &Task) -> u32 {
        let last = self.history.last.get(&shown(&task.obligation.id));
        let passed = u32::from(last.is_none_or(|last| last.proved));
        let cost = match last.map_or(0, |last| last.micros) {
            0 => cost_by_size(task),
            micros => micros.ilog2(),
        };
        (self.class(task) * 1000 + passed) * 1000 + cost
    }

    /// 0: about what goes first; 1: a pair that mentions it; 2: neither.
    fn class(&self, task: &Task) -> u32 {
        let id = &task.obligation.id;
        let is_pair = matches!(
            id.kind,
            ObligationKind::Commutativity
                | ObligationKind::GatePreservation
                | ObligationKind::FailurePreservation
        );
        let subjects: Vec<String> = id.subjects.iter().map(shown).collect();
        if !is_pair && subjects.iter().any(|name| self.first.contains(name)) {
            return 0;
        }
        let mentioned = |name| self.first.contains(name) || self.refined.contains(name);
        if subjects.iter().any(mentioned) { 1 } else { 2 }
    }
}

/// A question without history is as dear as it is long: about a millisecond for eight commands.
fn cost_by_size(task: &Task) -> u32 {
    let blocks = task.obligation.question.passive.blocks();
    let items: usize = blocks.iter().map(|block| block.items.len()).sum();
    u32::try_from(items).unwrap_or(u32::MAX).max(1).ilog2() + 7
}

impl Analysis {
    /// The actions that these procedures refine, as obligations name their subjects.
    pub fn refined_by(&self, program: ProgramId, procedures: &[String]) -> Vec<String> {
        let program = self.program(program);
        let sigs = procedures
            .iter()
            .filter_map(|name| hir::proc_sig(&self.db, program, base::Name::new(name.as_str())));
        sigs.filter_map(|sig| sig.refines.as_ref().map(shown)).collect()
    }
}
