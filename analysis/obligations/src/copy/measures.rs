//! Measures in copies (language.md 9.10).
//!
//! Measures count in the invariant copy of their layer: those of loops in every procedure, those of
//! procedures at the layer at which a mover procedure is one step.
//!
//! # Soundness
//! A left mover is moved in front of what others do meanwhile, so it has to end. At its own layer it
//! has no yields, so nobody else can make its measures greater.

use std::sync::Arc;

use base::{Name, Place};
use hir::{BlockId as Block, ProcSig};
use ir::ObligationKind;

use super::fragments::{Callee, callee_env};
use super::{Copy, Mode};
use crate::lowering::{Checks, Env, Measured, State, decreases, is_not_negative, not_negative};

/// Measures are asked about on their own.
const CHECKS: Checks = Checks::Assert(ObligationKind::Termination);

impl Copy<'_, '_> {
    /// Finds the measures of the loops.
    pub(super) fn plan_measures(&mut self) {
        if self.mode == Mode::Invariant {
            let layer = Some(self.layer);
            self.loop_measures = self.lowering.loop_measures(self.text, self.cfg, layer);
        }
    }

    /// The measure of a mover procedure of this layer.
    fn measure_of(&mut self, sig: &ProcSig, env: &Env) -> Vec<Measured> {
        if self.mode == Mode::Refinement || !self.is_mover_at_layer(sig) {
            return Vec::new();
        }
        let Some((specs, map)) = self.specs_of(sig) else { return Vec::new() };
        self.lowering.measure((&specs, &map), env, Some(self.layer))
    }

    /// Whoever called the procedure has shown that its measure is not negative.
    pub(super) fn assume_measure(&mut self) {
        let (sig, env) = (Arc::clone(&self.sig), self.env.clone());
        for measured in self.measure_of(&sig, &env) {
            if let Some(bound) = is_not_negative(&measured.term) {
                self.assume(bound);
            }
        }
    }

    /// The callee's measure is not negative and, if the call is recursive, smaller than ours was.
    pub(super) fn check_measure(&mut self, callee: &Callee, place: Place) {
        let now = self.measure_of(&callee.sig, &callee_env(callee));
        for (term, info) in now.iter().filter_map(|it| not_negative(&callee.sig, it, place)) {
            self.out.assert(self.at, term, info);
        }
        let (sig, entry) = (Arc::clone(&self.sig), self.env.in_states(State::old(), State::old()));
        let before = self.measure_of(&sig, &entry);
        if !before.is_empty() && self.is_recursive(&callee.sig.name) {
            let (term, info) = decreases((&callee.sig, &now), &before, place);
            self.out.assert(self.at, term, info);
        }
    }

    fn is_recursive(&self, callee: &Name) -> bool {
        discipline::reaches(self.world.db, self.world.program, callee, &self.sig.name)
    }

    /// A round of the loop starts at its head.
    pub(super) fn start_round(&mut self, head: Block) {
        if let Some(measure) = self.loop_measures.remove(&head) {
            self.with_writer(CHECKS, |writer| writer.start_round(&measure));
            self.loop_measures.insert(head, measure);
        }
    }

    /// On the edge from `from` back to the head of a loop, a round ends.
    pub(super) fn end_round(&mut self, from: Block, head: Block) {
        let back = self.cfg.loop_at(head).is_some_and(|it| it.back_edges.contains(&from));
        if !back {
            return;
        }
        let Some(measure) = self.loop_measures.remove(&head) else { return };
        let place = self.cfg.block(from).place.map(|ptr| self.text.map.place(ptr));
        self.next_block("round");
        self.with_writer(CHECKS, |writer| writer.end_round(&measure, place));
        self.loop_measures.insert(head, measure);
    }
}
