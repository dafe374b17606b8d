//! Loops of a copy (verification.md 3.7).
//!
//! ```text
//! every head:     permissions of what is available there are disjoint; the loop's invariants
//! yielding head:  the gate, unless done; the yield invariants of the loop; all globals change;
//!                 a fragment starts
//! edge into it:   the fragment ends
//! ```
//!
//! The graph still has its cycles here; [`crate::UnitBuilder::cut_loops`] takes the assertions and
//! assumptions at the start of a head as the loop's invariant.

use hir::{BlockId as Block, LoopHead, Stmt, StmtId};
use ir::{BlockId, Command, ObligationKind, Term, Var};

use super::{Copy, Mode};
use crate::claim::Claim;
use crate::lowering::State;
use crate::unit::AssertInfo;

impl Copy<'_, '_> {
    pub(super) fn write_loop_head(
        &mut self,
        block: Block,
        head: &LoopHead,
        invariant: &[hir::Command],
    ) {
        let available = self.availability().at_loop_head(block).to_vec();
        self.assume_linear(&available);
        for command in invariant {
            self.write_command(*command);
        }
        if !self.is_yielding_head(block) {
            return self.start_round(block);
        }
        self.assume_gate_unless_done();
        for call in &head.invariant_calls {
            self.write_loop_invariant(*call);
        }
        self.start_round(block);
        // An assignment that changes nothing makes the loop forget every global.
        let vars = self.global_vars();
        let pairs: Vec<(Var, Term)> =
            vars.into_iter().map(|var| (var.clone(), Term::var(var))).collect();
        if !pairs.is_empty() {
            self.out.push(self.at, Command::Assign(pairs));
        }
        self.start_fragment(&available);
        let place = self.head_place(block);
        self.show(place, "after other threads ran");
    }

    fn head_place(&self, head: Block) -> base::Place {
        let place = self.cfg.block(head).head.as_ref().and_then(|it| it.place);
        place.map_or_else(
            || hir::decl_place(self.world.db, self.sig.decl),
            |ptr| self.text.map.place(ptr),
        )
    }

    /// The clauses of the invariants that a loop head calls.
    fn write_loop_invariant(&mut self, call: StmtId) {
        let Stmt::Call { arms, .. } = self.text.body.stmt(call) else { return };
        let place = self.text.map.stmt(call);
        for arm in arms {
            let args = self.lowering.exprs(&self.text.body.exprs, &self.env, &arm.args);
            for condition in self.invariant(&arm.callee, args, &State::now()) {
                if self.mode == Mode::Refinement {
                    self.assume(condition.term);
                    continue;
                }
                let info = AssertInfo::new(ObligationKind::Contract, Claim::LoopEntry, place)
                    .reported_at(condition.clause)
                    .related(condition.clause, "this clause of the invariant");
                self.out.assert(self.at, condition.term, info);
            }
        }
    }

    /// The edge from `from` into a yielding loop head: the fragment ends.
    pub(super) fn write_edge_to_head(&mut self, from: BlockId, head: Block) {
        self.at = from;
        self.next_block("to loop");
        let place = self.head_place(head);
        self.end_fragment(place);
        self.next_block("at loop");
        self.settle_fragment();
        if !self.in_yielding_loop {
            self.distrust_outputs_of_loop(head);
        }
    }
}
