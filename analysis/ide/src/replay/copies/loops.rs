//! Loops of a copy (verification.md 3.7).

use std::collections::BTreeSet;

use base::Place;
use discipline::standing::{self, CalleeAt};
use hir::{BlockId, Command, Stmt, VarRef};
use obligations::Claim;

use super::super::effects::assigned;
use super::super::machine::{Check, Globals, Guide, Machine, Slot, Stop, Walk, stuck};
use super::super::{measures, sequential};
use super::{Copy, Mode};

impl Copy<'_> {
    fn is_yielding_head(&self, block: BlockId) -> bool {
        let head = self.code.cfg.block(block).head.as_ref();
        head.is_some_and(|head| standing::loop_yields(head, self.sig(), self.layer))
    }

    /// Is the block in a loop that yields at this layer?
    pub(super) fn is_in_yielding_loop(&self, block: BlockId) -> bool {
        let yielding = self.code.cfg.loops.iter().filter(|it| self.is_yielding_head(it.header));
        yielding.into_iter().any(|it| it.blocks.contains(&block))
    }

    /// Takes an edge; from nowhere at the entry.
    pub(super) fn jump(&self, mut machine: Machine, from: Option<BlockId>, to: BlockId) -> Walk {
        let Some(it) = self.code.cfg.loop_at(to) else {
            machine.top_mut().block = to;
            machine.top_mut().next = 0;
            return Ok(vec![machine]);
        };
        let back = from.is_some_and(|from| it.back_edges.contains(&from));
        if back {
            self.end_round(&mut machine, to)?;
        }
        let place = self.head_place(to);
        if self.is_yielding_head(to) {
            let in_loop = from.is_some_and(|from| self.is_in_yielding_loop(from));
            self.end_fragment_of(&mut machine, place, in_loop)?;
            if !from.is_some_and(|from| self.share_yielding_loop(from, to)) {
                self.distrust_results(&mut machine, to);
            }
        }
        let claim = if back { Claim::LoopMaintained } else { Claim::LoopEntry };
        self.check_invariants(&mut machine, to, &claim)?;
        if back {
            return stuck("a round of a loop ends without a failure");
        }
        // The arguments of invariants are those of the moment at which the head is reached.
        let reached = machine.globals.clone();
        machine.log.rounds(place);
        machine.made = None;
        let entered = self.entered(machine, to).into_iter();
        self.all(entered, |machine| self.start_round(machine, to, &reached))
    }

    /// Is there a yielding loop around both?
    fn share_yielding_loop(&self, from: BlockId, head: BlockId) -> bool {
        let mut yielding = self.code.cfg.loops.iter().filter(|it| self.is_yielding_head(it.header));
        yielding.any(|it| it.blocks.contains(&from) && it.blocks.contains(&head))
    }

    fn head_place(&self, head: BlockId) -> Place {
        let place = self.code.cfg.block(head).head.as_ref().and_then(|it| it.place);
        place.map_or_else(
            || hir::decl_place(self.structure.world.db, self.sig().decl),
            |ptr| self.code.map.place(ptr),
        )
    }

    /// What was done before a loop that assigns a visible result counts only if it changed state.
    fn distrust_results(&self, machine: &mut Machine, head: BlockId) {
        let first = self.sig().ins.len();
        let results = self.sig().visible_outs();
        let results = results.map(|(nth, _)| VarRef::Local(hir::LocalId::from_index(first + nth)));
        let written = self.written(head);
        if results.into_iter().any(|it| written.contains(&it)) {
            machine.fragment.done &= machine.fragment.changed;
        }
    }

    fn end_round(&self, machine: &mut Machine, head: BlockId) -> Result<(), Stop> {
        if self.mode == Mode::Refinement {
            return Ok(());
        }
        let Some((stmt, exprs)) = measures::of_loop(&self.code, head, Some(self.layer)) else {
            return Ok(());
        };
        let before = machine.top().measures.get(&head).cloned().unwrap_or_default();
        let now = measures::values(self.follower, machine, &exprs);
        let holds = now.and_then(|now| measures::is_smaller(&now, &before));
        let claim = Claim::MeasureDecreases { callee: None };
        self.follower.demand(machine, holds, Check::new(claim, self.code.map.stmt(stmt)))
    }

    /// The assertions and assumptions at the start of a head.
    fn prefix(&self, head: BlockId) -> usize {
        self.code.cfg.block(head).predicates(&self.code.body).len()
    }

    /// Checks the invariants of a loop, if this copy does.
    fn check_invariants(
        &self,
        machine: &mut Machine,
        head: BlockId,
        claim: &Claim,
    ) -> Result<(), Stop> {
        if self.mode == Mode::Refinement {
            return Ok(());
        }
        for (check, holds) in self.invariants_of(machine, (head, &machine.globals), claim) {
            self.follower.demand(machine, holds, check)?;
        }
        match measures::of_loop(&self.code, head, Some(self.layer)) {
            Some((_, exprs)) => measures::at_head(self.follower, machine, &exprs),
            None => Ok(()),
        }
    }

    fn invariants_of(
        &self,
        machine: &Machine,
        (head, reached): (BlockId, &Globals),
        claim: &Claim,
    ) -> Vec<(Check, super::Known<bool>)> {
        let block = self.code.cfg.block(head);
        let mut all = Vec::new();
        for command in block.commands.iter().take(self.prefix(head)) {
            let Command::Stmt(id) = command else { continue };
            if let Stmt::Assert { expr, layers, .. } = self.code.body.stmt(*id)
                && layers.contains(self.layer)
            {
                let holds = machine.truth(self.structure, *expr);
                all.push((Check::new(claim.clone(), self.code.map.stmt(*id)), holds));
            }
        }
        let calls = block.head.iter().flat_map(|head| &head.invariant_calls);
        for call in calls.filter(|_| self.is_yielding_head(head)) {
            let Stmt::Call { arms, .. } = self.code.body.stmt(*call) else { continue };
            for arm in arms {
                let frame = machine.top();
                let view = frame.view(reached);
                let value = |id| self.structure.value(view, id).map_or(Slot::Unknown, Slot::Known);
                let args: Vec<Slot> = arm.args.iter().map(|id| value(*id)).collect();
                for condition in self.invariant(&arm.callee, &args, &machine.globals) {
                    let place = self.code.map.stmt(*call);
                    let check = Check::of(claim.clone(), place, condition.clause);
                    all.push((check, condition.holds));
                }
            }
        }
        all
    }

    /// The variables that a loop writes at this layer.
    fn written(&self, head: BlockId) -> BTreeSet<VarRef> {
        let world = self.structure.world;
        let Some(it) = self.code.cfg.loop_at(head) else { return BTreeSet::new() };
        let mut found = assigned(world, &self.code, Some(&it.blocks));
        let commands = it.blocks.iter().flat_map(|block| &self.code.cfg.block(*block).commands);
        for command in commands {
            let Command::Stmt(id) = command else { continue };
            let Stmt::Call { arms, is_async, .. } = self.code.body.stmt(*id) else { continue };
            for arm in arms {
                let Some(sig) = world.proc_sig(&arm.callee) else { continue };
                let at = standing::callee_at(
                    world.db,
                    world.program,
                    &sig,
                    (arm, *is_async),
                    self.layer,
                );
                let globals: Vec<base::Name> = match at {
                    CalleeAt::Action(action) => world.modifies(&action).iter().cloned().collect(),
                    CalleeAt::Mover(_) => world.modifies(&sig.name).iter().cloned().collect(),
                    CalleeAt::Code | CalleeAt::Invariant | CalleeAt::Unknown => {
                        self.globals.clone()
                    }
                    CalleeAt::Nothing | CalleeAt::Pure | CalleeAt::Skip => Vec::new(),
                    CalleeAt::StartedSkip | CalleeAt::StartedCode => Vec::new(),
                };
                found.extend(globals.into_iter().map(VarRef::Global));
            }
        }
        if self.is_yielding_head(head) {
            found.extend(self.globals.iter().cloned().map(VarRef::Global));
        }
        found
    }

    /// The machine with any values of what the loop writes.
    fn entered(&self, mut machine: Machine, head: BlockId) -> Vec<Machine> {
        let written: Vec<VarRef> = self.written(head).into_iter().collect();
        machine.top_mut().block = head;
        machine.top_mut().next = self.prefix(head);
        if self.is_yielding_head(head) {
            self.follower.adopt(&mut machine, &written);
            return vec![machine];
        }
        // No moment shows the state here. What is never read need not be known.
        let read = self.code.body.exprs.ids().map(|id| self.code.body.exprs.expr(id).clone());
        let read: Vec<hir::Expr> = read.collect();
        let is_read = |var: &VarRef| match var {
            VarRef::Local(id) => read.contains(&hir::Expr::Local(*id)),
            VarRef::Global(_) | VarRef::Error => true,
        };
        let (needed, other): (Vec<VarRef>, Vec<VarRef>) = written.into_iter().partition(is_read);
        other.iter().for_each(|var| machine.set(var, Slot::Unknown));
        sequential::chosen(self.follower, machine, &needed)
    }

    fn start_round(&self, mut machine: Machine, head: BlockId, reached: &Globals) -> Walk {
        let written: Vec<VarRef> = self.written(head).into_iter().collect();
        self.assume_wheres(&mut machine, &written)?;
        let available = self.availability.at_loop_head(head).to_vec();
        self.assume_apart(&mut machine, &available)?;
        for (_, holds) in self.invariants_of(&machine.clone(), (head, reached), &Claim::LoopEntry) {
            self.follower.assume(&mut machine, holds, "a loop invariant")?;
        }
        for command in self.code.cfg.block(head).commands.iter().take(self.prefix(head)) {
            let Command::Stmt(id) = command else { continue };
            if let Stmt::Assume { expr, .. } = self.code.body.stmt(*id) {
                let holds = machine.truth(self.structure, *expr);
                self.follower.assume(&mut machine, holds, "an assumption")?;
            }
        }
        let measure = measures::of_loop(&self.code, head, Some(self.layer));
        if let Some((_, exprs)) = measure.filter(|_| self.mode == Mode::Invariant) {
            let kept = measures::values(self.follower, &machine, &exprs)?;
            machine.top_mut().measures.insert(head, kept);
        }
        if self.is_yielding_head(head) {
            self.resume(&mut machine, self.head_place(head), &available)?;
        }
        Ok(vec![machine])
    }
}
