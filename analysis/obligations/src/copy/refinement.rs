//! Refinement: the fragments together do what the refined action does (verification.md 3.6, 3.7).
//!
//! ```text
//! pc    some fragment has changed visible state
//! ok    the outputs are explained by one fragment that did the action
//! eval  the present fragment does the action
//!
//! end of a fragment:  assert  pc || unchanged || eval
//!                     assert  pc ==> unchanged && outputs unchanged
//!                     pc, ok := (unchanged ==> pc), (eval || (outputs unchanged && ok))
//! in a yielding loop: assert  unchanged;  assert  pc ==> outputs unchanged
//! return:             the same as at the end of a fragment, then  assert ok
//! ```
//!
//! Visible are the globals that live on at the next layer. On an edge into a yielding loop the
//! fragment ends like at any yield, and if the loop may assign a visible output then only what was
//! done before counts: `ok := ok && pc` (section 14.1 and 14.2).
//!
//! # Soundness
//! `eval` occurs only where its truth helps to pass a check. So it is enough that it is true
//! whenever the transition relation holds: the copy assumes `relation ==> eval` for an otherwise
//! arbitrary `eval`, which keeps the quantifiers of the relation in one polarity.

use base::{Name, Place};
use discipline::claims::{ClaimAt, ClaimKind};
use hir::{Stmt, VarRef};
use ir::{Command, Flag, ObligationKind, Sort, Term, Var};

use super::{Copy, Mode, snapshot_of};
use crate::action::made_new::MadeNew;
use crate::action::transition::{Runs, disjunction, paths};
use crate::action::{ActionCopy, action_ir};
use crate::claim::{Claim, RefinementRule};
use crate::lowering::Checks;
use crate::unit::AssertInfo;

/// What a refinement copy keeps track of.
pub(super) struct Refinement {
    pc: Var,
    ok: Var,
    eval: Var,
    /// The refined action; nothing for Skip.
    action: Option<Name>,
    /// The action leads from the snapshot to the present state.
    relation: Term,
    /// The gate of the action in the present state.
    gate: Term,
    /// Visible globals are as in the snapshot.
    unchanged: Term,
    /// Outputs are as they were when the fragment started.
    outputs_unchanged: Term,
    /// The outputs, and where their values at the start are kept.
    outputs: Vec<(Var, Var)>,
    /// What was made new, if the action makes something new.
    made: Option<MadeNew>,
}

impl Copy<'_, '_> {
    pub(super) fn plan_refinement(&mut self) {
        if self.mode == Mode::Invariant {
            return;
        }
        let visible: Vec<Var> = self
            .globals
            .iter()
            .filter(|(name, _)| {
                self.world.global(name).is_some_and(|it| self.layer < it.layers.high())
            })
            .map(|(_, var)| var.clone())
            .collect();
        let unchanged = Term::and(
            visible.iter().map(|var| Term::eq(Term::var(snapshot_of(var)), Term::var(var.clone()))),
        );
        let outputs: Vec<(Var, Var)> = self
            .out_vars()
            .into_iter()
            .map(|var| (var.clone(), Var::new(format!("{}@before", var.name), var.sort)))
            .collect();
        let same = |(now, before): &(Var, Var)| {
            Term::eq(Term::var(before.clone()), Term::var(now.clone()))
        };
        let outputs_unchanged = Term::and(outputs.iter().map(same));
        let action = self.sig.refines.clone();
        let (relation, gate) = match &action {
            Some(name) => self.action_terms(name, &visible),
            None => (unchanged.clone(), Term::tt()),
        };
        let made = self.lowering.records.clone();
        let flag = |flag: Flag| Var::new(flag.name(), Sort::Bool);
        let checks = Checks::Assert(ObligationKind::Refinement);
        self.visit(checks, ClaimAt::Declaration, ClaimKind::Refinement);
        self.refinement = Some(Refinement {
            pc: flag(Flag::Changed),
            ok: flag(Flag::Done),
            eval: flag(Flag::Does),
            action,
            relation,
            gate,
            unchanged,
            outputs_unchanged,
            outputs,
            made,
        });
    }

    /// The transition relation from the snapshot, and the gate, of the refined action.
    fn action_terms(&mut self, name: &Name, visible: &[Var]) -> (Term, Term) {
        let Some(action) = action_ir(self.world.db, self.world.program, name.clone()) else {
            self.lowering.unsupported(format!("the action `{name}`"));
            return (Term::ff(), Term::tt());
        };
        let mut copy = ActionCopy::new(&mut self.lowering, &action, "@refined");
        if let Some(made) = copy.new_locations().first().map(MadeNew::of_sort) {
            copy.demand_new(&made);
            self.lowering.records = Some(made);
        }
        let ins = self.sig.visible_ins().map(|(nth, _)| self.env.locals[nth].clone());
        let ins: Vec<(Var, Term)> = copy.ins.iter().cloned().zip(ins).collect();
        let first_out = self.sig.ins.len();
        let outs = self.sig.visible_outs().map(|(nth, _)| self.env.locals[first_out + nth].clone());
        let outs: Vec<(Var, Term)> = copy.outs.iter().cloned().zip(outs).collect();
        let mut named = ir::Substitution::of_vars(ins.clone());
        let gate = Term::and(copy.gate().iter().map(|it| named.apply(&it.term)));
        let before = visible.iter().map(|var| (var.clone(), Term::var(snapshot_of(var))));
        let after = visible.iter().map(|var| (var.clone(), Term::var(var.clone())));
        let runs = Runs {
            bodies: vec![&copy.body],
            before: before.chain(ins).collect(),
            after: after.chain(outs).collect(),
            choices: copy.choices.clone(),
        };
        let Some(paths) = paths(&runs) else {
            self.lowering.unsupported(format!("an action with as many paths as `{name}`"));
            return (Term::ff(), gate);
        };
        (disjunction(&paths, &copy.closing(), false), gate)
    }

    /// Nothing was done yet, and the gate holds.
    pub(super) fn start_refinement(&mut self) {
        let Some(it) = &self.refinement else { return };
        let (pc, ok, gate) = (it.pc.clone(), it.ok.clone(), it.gate.clone());
        if let Some(made) = &it.made {
            self.out.push(self.at, made.nothing());
        }
        self.out.push(self.at, Command::Assign(vec![(pc, Term::ff()), (ok, Term::ff())]));
        self.assume(gate);
    }

    pub(super) fn remember_outputs(&mut self) {
        let Some(it) = &self.refinement else { return };
        let pairs = it.outputs.iter().map(|(now, before)| (before.clone(), Term::var(now.clone())));
        let pairs: Vec<(Var, Term)> = pairs.collect();
        if !pairs.is_empty() {
            self.out.push(self.at, Command::Assign(pairs));
        }
    }

    /// While nothing was done, the gate may be assumed: if it fails, so may the action.
    pub(super) fn assume_gate_unless_done(&mut self) {
        let Some(it) = &self.refinement else { return };
        let fact = Term::or([Term::var(it.pc.clone()), it.gate.clone()]);
        self.assume(fact);
    }

    /// The checks at the end of a fragment, in a block of their own.
    pub(super) fn check_fragment(&mut self, place: Place) {
        if self.refinement.is_none() {
            return;
        }
        if !self.in_yielding_loop {
            self.evaluate();
        }
        let block = self.out.block("refinement", None);
        self.out.edge(self.at, block);
        let before = std::mem::replace(&mut self.at, block);
        match self.in_yielding_loop {
            true => self.assert_unchanged(place),
            false => self.assert_fragment(place),
        }
        self.at = before;
    }

    /// `pc` and `ok` after the fragment that just ended.
    pub(super) fn settle_fragment(&mut self) {
        if self.in_yielding_loop {
            return;
        }
        let Some(it) = &self.refinement else { return };
        let (pc, ok) = (Term::var(it.pc.clone()), Term::var(it.ok.clone()));
        let new_pc = Term::implies(it.unchanged.clone(), pc);
        let kept = Term::and([it.outputs_unchanged.clone(), ok]);
        let new_ok = Term::or([Term::var(it.eval.clone()), kept]);
        let pairs = vec![(it.pc.clone(), new_pc), (it.ok.clone(), new_ok)];
        self.out.push(self.at, Command::Assign(pairs));
    }

    /// What was done before a loop that assigns a visible output counts only if it changed state.
    pub(super) fn distrust_outputs_of_loop(&mut self, header: hir::BlockId) {
        let assigns = self.assigns_visible_output(header);
        let Some(it) = self.refinement.as_ref().filter(|_| assigns) else { return };
        let both = Term::and([Term::var(it.ok.clone()), Term::var(it.pc.clone())]);
        let ok = it.ok.clone();
        self.out.assign(self.at, ok, both);
    }

    fn assigns_visible_output(&self, header: hir::BlockId) -> bool {
        let is_output = |var: &VarRef| self.is_visible_output(var);
        let Some(it) = self.cfg.loop_at(header) else { return false };
        let commands = it.blocks.iter().flat_map(|block| &self.cfg.block(*block).commands);
        commands.into_iter().any(|command| match command {
            hir::Command::Guard { .. } => false,
            hir::Command::Stmt(id) => match self.text.body.stmt(*id) {
                Stmt::Assign { targets, .. } => targets.iter().any(|it| is_output(&it.root)),
                Stmt::Unpack { targets, .. } | Stmt::Havoc { targets } => {
                    targets.iter().any(is_output)
                }
                // Primitives change their first argument: count every local they mention.
                Stmt::Call { arms, .. } => arms.iter().any(|arm| {
                    arm.outs.iter().any(is_output)
                        || arm.primitive.is_some_and(|it| it.modifies_first)
                }),
                Stmt::Error => true,
                Stmt::Assert { .. }
                | Stmt::Assume { .. }
                | Stmt::Measure { .. }
                | Stmt::Yield { .. }
                | Stmt::Visibility(_)
                | Stmt::If { .. }
                | Stmt::While { .. }
                | Stmt::Break { .. }
                | Stmt::Goto { .. }
                | Stmt::Label(_)
                | Stmt::Return => false,
            },
        })
    }

    pub(super) fn check_return(&mut self, place: Place) {
        if self.refinement.is_none() {
            return;
        }
        let block = self.out.block("refinement at return", None);
        self.out.edge(self.at, block);
        let before = std::mem::replace(&mut self.at, block);
        // A return inside a yielding loop ends a fragment like any other return.
        let in_loop = std::mem::replace(&mut self.in_yielding_loop, false);
        self.evaluate();
        self.assert_fragment(place);
        self.settle_fragment();
        if let Some(ok) = self.refinement.as_ref().map(|it| Term::var(it.ok.clone())) {
            self.assert_rule(ok, RefinementRule::NoMatch, place);
        }
        self.in_yielding_loop = in_loop;
        self.at = before;
    }

    /// `eval` is true if the fragment does the action.
    fn evaluate(&mut self) {
        let Some(it) = &self.refinement else { return };
        let (eval, relation) = (it.eval.clone(), it.relation.clone());
        self.out.havoc(self.at, vec![eval.clone()]);
        self.assume(Term::implies(relation, Term::var(eval)));
    }

    fn assert_fragment(&mut self, place: Place) {
        let Some(it) = &self.refinement else { return };
        let pc = Term::var(it.pc.clone());
        let eval = Term::var(it.eval.clone());
        let first = Term::or([pc.clone(), it.unchanged.clone(), eval]);
        let same = Term::and([it.unchanged.clone(), it.outputs_unchanged.clone()]);
        let second = Term::implies(pc, same);
        self.assert_rule(first, RefinementRule::FirstChange, place);
        self.assert_rule(second, RefinementRule::SecondChange, place);
    }

    fn assert_unchanged(&mut self, place: Place) {
        let Some(it) = &self.refinement else { return };
        let globals = it.unchanged.clone();
        let outputs = Term::implies(Term::var(it.pc.clone()), it.outputs_unchanged.clone());
        self.assert_rule(globals, RefinementRule::LoopGlobals, place);
        self.assert_rule(outputs, RefinementRule::LoopOutputs, place);
    }

    fn assert_rule(&mut self, term: Term, rule: RefinementRule, place: Place) {
        let action = self.refinement.as_ref().and_then(|it| it.action.clone());
        let procedure = self.sig.name.clone();
        let layer = self.layer.next();
        let claim = Claim::Refinement { rule, procedure, action, layer };
        let name = hir::decl_place(self.world.db, self.sig.decl);
        let info = AssertInfo::new(ObligationKind::Refinement, claim, place).reported_at(name);
        self.out.assert(self.at, term, info);
    }
}
