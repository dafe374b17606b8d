//! Loops of a copy (verification.md 3.7).
//!
//! ```text
//! every head:     permissions of what is available there are disjoint; the loop's invariants
//! yielding head:  the gate, unless done; the yield invariants of the loop; all globals change;
//!                 a fragment starts
//! edge into it:   the fragment ends; what the arguments of the yield invariants read is kept
//! ```
//!
//! An argument of a yield invariant has the value of the moment at which the head is reached, before
//! others interfere: what is known afterwards is the invariant with the *old* argument. So the
//! arguments read globals from variables that every edge into the head assigns. Locals are nobody
//! else's and need no such care.
//!
//! The graph still has its cycles here; [`crate::UnitBuilder::cut_loops`] takes the assertions and
//! assumptions at the start of a head as the loop's invariant.

use std::collections::BTreeSet;

use base::Name;
use discipline::claims::{ClaimAt, ClaimKind};
use hir::{BlockId as Block, Expr, ExprId, LoopHead, Stmt, StmtId};
use ir::{Command, ObligationKind, Term, Var};

use super::{Copy, Mode};
use crate::claim::Claim;
use crate::lowering::State;
use crate::unit::{AssertInfo, Moment};

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
            self.write_loop_invariant(block, *call);
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
        self.show(place, Moment::AfterOthers);
    }

    fn head_place(&self, head: Block) -> base::Place {
        let place = self.cfg.block(head).head.as_ref().and_then(|it| it.place);
        place.map_or_else(
            || hir::decl_place(self.world.db, self.sig.decl),
            |ptr| self.text.map.place(ptr),
        )
    }

    /// The clauses of the invariants that a loop head calls.
    fn write_loop_invariant(&mut self, head: Block, call: StmtId) {
        let Stmt::Call { arms, .. } = self.text.body.stmt(call) else { return };
        let place = self.text.map.stmt(call);
        let mut reached = State::now();
        for (name, kept) in self.kept_globals(head) {
            reached = reached.with(name, Term::var(kept));
        }
        let env = self.env.in_states(reached, self.env.old.clone());
        for (nth, arm) in arms.iter().enumerate() {
            let at = ClaimAt::Arm(call, nth);
            self.visit(self.contract_checks(), at, ClaimKind::InvariantCall);
            let args = self.lowering.exprs(&self.text.body.exprs, &env, &arm.args);
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

    /// The globals that the arguments of a head's invariants read, each with the variable that keeps
    /// the value of the moment at which the head was reached.
    fn kept_globals(&self, head: Block) -> Vec<(Name, Var)> {
        let calls = self.cfg.block(head).head.iter().flat_map(|it| &it.invariant_calls);
        let mut read = BTreeSet::new();
        for call in calls {
            let Stmt::Call { arms, .. } = self.text.body.stmt(*call) else { continue };
            let mut todo: Vec<ExprId> = arms.iter().flat_map(|arm| arm.args.to_vec()).collect();
            while let Some(id) = todo.pop() {
                let expr = self.text.body.exprs.expr(id);
                if let Expr::Global(name) = expr {
                    read.insert(name.clone());
                }
                if !matches!(expr, Expr::Old(_)) {
                    todo.extend(expr.children());
                }
            }
        }
        let globals = self.globals.iter().filter(|(name, _)| read.contains(name));
        let kept = globals.map(|(name, var)| {
            (name.clone(), Var::new(format!("{name}@head{}", head.index()), var.sort.clone()))
        });
        kept.collect()
    }

    /// An edge into a yielding loop head: the fragment ends. Nothing for the edge from the entry.
    pub(super) fn write_edge_to_head(&mut self, from: Option<Block>, head: Block) {
        self.next_block("to loop");
        let place = self.head_place(head);
        self.end_fragment(place);
        self.next_block("at loop");
        self.settle_fragment();
        if !from.is_some_and(|from| self.share_yielding_loop(from, head)) {
            self.distrust_outputs_of_loop(head);
        }
        let kept = self.kept_globals(head).into_iter();
        let pairs: Vec<(Var, Term)> =
            kept.filter_map(|(name, kept)| Some((kept, self.global_term(&name)?))).collect();
        if !pairs.is_empty() {
            self.out.push(self.at, Command::Assign(pairs));
        }
    }

    fn global_term(&self, name: &Name) -> Option<Term> {
        let (_, var) = self.globals.iter().find(|(it, _)| it == name)?;
        Some(Term::var(var.clone()))
    }

    /// Is there a yielding loop around both? Then what its rounds assign was distrusted on the way
    /// into it, which is true of every loop inside.
    fn share_yielding_loop(&self, from: Block, head: Block) -> bool {
        let mut yielding = self.cfg.loops.iter().filter(|it| self.is_yielding_head(it.header));
        yielding.any(|it| it.blocks.contains(&from) && it.blocks.contains(&head))
    }
}
