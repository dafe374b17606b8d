//! Non-interference: no fragment disturbs what other threads rely on (verification.md 3.4).
//!
//! ```text
//! for each end of a fragment, each yield invariant I of the layer, each clause of I:
//!   for all arguments of I whose permissions differ from those held when the fragment started,
//!     all clauses of I held in the snapshot   ==>   the clause holds now
//! ```
//!
//! Most pairs need no solver: a clause whose globals the fragment cannot have written is as true at
//! its end as at its start. Which globals a fragment may have written is a forward analysis over
//! the blocks of the copy.
//!
//! # Soundness
//! - Permissions are those held at the *start* of the fragment; it may have given some away since.
//!   They are kept in variables `perm@D`, unless every fragment starts with the same inputs and
//!   globals, whose permissions can be read off the snapshot.
//! - The arguments of the invariant are arbitrary, not those of any call.
//! - A written global counts as written until the next snapshot, on some path.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Name, Program};
use hir::{Expr, Layer, LinearKind, LocalKind, ProcKind, ProcSig, Ty, VarRef};
use ir::{Command, ObligationKind, Term, Var, free_vars};

use super::contracts::Condition;
use super::yields::{YieldStatement, yield_statements_at};
use super::{Copy, Exit, Mode, snapshot, snapshot_of};
use crate::Db;
use crate::claim::Claim;
use crate::lowering::{State, owned_by};
use crate::permissions::{self, Holder, Part};
use crate::unit::{AssertInfo, Role};

/// How the permissions of the running thread are remembered.
#[derive(Default)]
pub(super) struct Permissions {
    /// The domains that some invariant of the layer speaks about.
    domains: Vec<Ty>,
    /// If every fragment starts with these, they need no variable.
    constant: Option<Vec<VarRef>>,
}

/// What a waiting thread relies on: a yield invariant of the layer with arbitrary arguments, or a
/// yield statement with arbitrary locals.
pub(super) struct Victim {
    pub(super) name: Name,
    /// What the waiting thread holds.
    pub(super) holders: Vec<Holder>,
    pub(super) before: Vec<Condition>,
    pub(super) after: Vec<Condition>,
}

/// The yield invariants of a layer, in the order of names.
#[salsa::tracked(returns(clone))]
pub(crate) fn yield_invariants_at(db: &dyn Db, program: Program, layer: Layer) -> Arc<[Name]> {
    let names = hir::global_names(db, program, hir::NameSpace::Procedure);
    let of_layer = names.into_iter().map(|(name, _)| name).filter(|name| {
        hir::proc_sig(db, program, name.clone()).is_some_and(|sig| {
            sig.kind == ProcKind::Invariant { global: false } && sig.layer() == Some(layer)
        })
    });
    of_layer.collect()
}

impl Copy<'_, '_> {
    fn yield_invariants(&self) -> Vec<Arc<ProcSig>> {
        let names = yield_invariants_at(self.world.db, self.world.program, self.layer);
        names.iter().filter_map(|name| self.world.proc_sig(name)).collect()
    }

    fn yield_statements(&self) -> Arc<[YieldStatement]> {
        yield_statements_at(self.world.db, self.world.program, self.layer)
    }

    /// Finds out which permissions have to be remembered, and how.
    pub(super) fn plan_permissions(&mut self) {
        if self.mode == Mode::Refinement || self.is_mover_here() {
            return;
        }
        let victims = self.yield_invariants();
        let mut types: Vec<Ty> = victims.iter().flat_map(|sig| linear_types(sig)).collect();
        types.extend(self.yield_statements().iter().flat_map(|it| self.types_held_at(it)));
        self.permissions.domains = permissions::domains(&self.lowering, &types);
        let availability = self.availability();
        let entry = availability.at_entry().to_vec();
        let starts = self.fragment_starts();
        let same = starts.iter().all(|start| *start == entry);
        self.permissions.constant =
            (same && entry.iter().all(|it| self.is_fixed(it))).then_some(entry);
    }

    /// Inputs never change, and the snapshot holds the globals.
    fn is_fixed(&self, var: &VarRef) -> bool {
        match var {
            VarRef::Local(id) => self.text.body.local(*id).kind == LocalKind::In,
            VarRef::Global(_) => true,
            VarRef::Error => false,
        }
    }

    /// What is available wherever a fragment may start, entry excepted.
    fn fragment_starts(&self) -> Vec<Vec<VarRef>> {
        let availability = self.availability();
        let mut starts = Vec::new();
        for block in self.cfg.block_ids() {
            if self.cfg.block(block).head.is_some() {
                starts.push(availability.at_loop_head(block).to_vec());
            }
            for command in &self.cfg.block(block).commands {
                let hir::Command::Stmt(id) = command else { continue };
                let stmt = self.text.body.stmt(*id);
                let arms = if let hir::Stmt::Call { arms, .. } = stmt { arms.len() } else { 0 };
                if !matches!(stmt, hir::Stmt::Call { .. } | hir::Stmt::Yield { .. }) {
                    continue;
                }
                starts.push(availability.before_call(*id).to_vec());
                starts.extend((0..arms).map(|nth| availability.before_arm(*id, nth).to_vec()));
                starts.push(availability.after_call(*id).to_vec());
            }
        }
        starts
    }

    /// Remembers the permissions held at the start of a fragment.
    pub(super) fn remember_permissions(&mut self, available: &[VarRef]) {
        if self.permissions.constant.is_some() {
            return;
        }
        let holders = self.holders(available);
        for domain in self.permissions.domains.clone() {
            let parts = self.parts_of(&domain, &holders);
            let set = permissions::union(&mut self.lowering, &domain, &parts);
            let var = self.permission_var(&domain);
            self.out.assign(self.at, var, set);
        }
    }

    fn parts_of(&mut self, domain: &Ty, holders: &[Holder]) -> Vec<Part> {
        let mut parts = Vec::new();
        for holder in holders {
            parts.extend(permissions::parts(&mut self.lowering, domain, holder));
        }
        parts
    }

    fn permission_var(&mut self, domain: &Ty) -> Var {
        let sort = permissions::set_sort(&mut self.lowering, domain);
        Var::new(format!("perm@{domain}"), sort)
    }

    /// The permissions held at the start of the fragment, by domain.
    fn held_at_start(&mut self) -> Vec<(Ty, Vec<Part>)> {
        let mut out = Vec::new();
        for domain in self.permissions.domains.clone() {
            let parts = match self.permissions.constant.clone() {
                Some(available) => {
                    let holders = self.holders_in_snapshot(&available);
                    self.parts_of(&domain, &holders)
                }
                None => vec![Part::set(Term::var(self.permission_var(&domain)))],
            };
            out.push((domain, parts));
        }
        out
    }

    fn holders_in_snapshot(&self, available: &[VarRef]) -> Vec<Holder> {
        let in_snapshot = |var: &VarRef| {
            let mut holder = self.holder(var)?;
            if let VarRef::Global(_) = var {
                holder.term = Term::var(snapshot_of(holder.term.as_var()?));
            }
            Some(holder)
        };
        available.iter().filter_map(in_snapshot).collect()
    }

    /// Adds the checks at all ends of fragments.
    pub(super) fn check_interference(&mut self) {
        if self.mode == Mode::Refinement || self.is_mover_here() {
            return;
        }
        let written = self.written_at_ends();
        let ends = self.exits.iter().flat_map(|exit| &written[exit.at.index()]);
        let dirty: BTreeSet<Name> = ends.cloned().collect();
        if dirty.is_empty() {
            return;
        }
        let sigs = self.yield_invariants().into_iter();
        let mut victims: Vec<Victim> = sigs
            .filter_map(|sig| if self.may_mention(&sig, &dirty) { self.victim(&sig) } else { None })
            .collect();
        victims.extend(self.yield_statements().iter().filter_map(|it| self.waiting(it)));
        let held = self.held_at_start();
        for exit in std::mem::take(&mut self.exits) {
            let dirty = &written[exit.at.index()];
            for victim in &victims {
                self.check_victim(&exit, victim, dirty, &held);
            }
        }
    }

    /// Can an invariant read one of these globals? Only the text of its clauses names globals:
    /// functions cannot read them, and the arguments are arbitrary.
    fn may_mention(&self, sig: &ProcSig, globals: &BTreeSet<Name>) -> bool {
        self.world.specs(sig.decl).is_none_or(|specs| {
            let mut all = specs.exprs.ids().map(|id| specs.exprs.expr(id));
            all.any(|it| matches!(it, Expr::Global(name) if globals.contains(name)))
        })
    }

    fn victim(&mut self, sig: &ProcSig) -> Option<Victim> {
        let name = &sig.name;
        let mut own = Vec::new();
        for param in sig.ins.iter() {
            let sort = self.lowering.closed_sort(&param.ty);
            let var = Var::new(format!("{}{}", param.name, owned_by(name)), sort);
            own.push((param.name.clone(), var));
        }
        let arguments: Vec<Term> = own.iter().map(|(_, var)| Term::var(var.clone())).collect();
        self.out.waits(name, own);
        let before = self.invariant(name, arguments.clone(), &snapshot());
        let after = self.invariant(name, arguments.clone(), &State::now());
        let params = sig.ins.iter().zip(arguments);
        let linear = params.filter(|(param, _)| param.linear != LinearKind::Ordinary);
        let holders = linear.map(|(param, term)| Holder { ty: param.ty.clone(), term }).collect();
        let name = name.clone();
        (!after.is_empty()).then_some(Victim { name, holders, before, after })
    }

    fn check_victim(
        &mut self,
        exit: &Exit,
        victim: &Victim,
        dirty: &BTreeSet<Name>,
        held: &[(Ty, Vec<Part>)],
    ) {
        let touched: Vec<&Condition> =
            victim.after.iter().filter(|it| mentions(&it.term, dirty)).collect();
        if touched.is_empty() {
            return;
        }
        let block = self.out.block(format!("other thread at {}", victim.name), None);
        self.out.edge(exit.at, block);
        let facts = permissions::linear_facts_beside(&mut self.lowering, &victim.holders, held);
        self.out.assume(block, facts);
        for condition in &victim.before {
            self.out.assume(block, condition.term.clone());
        }
        for condition in touched {
            let info = self.interference_info(exit, &victim.name, condition);
            self.out.assert(block, condition.term.clone(), info);
        }
    }

    /// The failure is shown at the statement that wrote last what the clause mentions, if every run
    /// to the end of the fragment has the same one; otherwise where the fragment ends.
    fn interference_info(&self, exit: &Exit, victim: &Name, condition: &Condition) -> AssertInfo {
        let claim = Claim::Noninterference { invariant: victim.clone(), by: self.sig.name.clone() };
        let read = free_vars(&condition.term);
        let globals = self.globals.iter().map(|(_, var)| var).filter(|var| read.contains(*var));
        let culprit = self.written_by.last_write(&self.out, exit.at, &globals.collect());
        let info =
            AssertInfo::new(ObligationKind::Noninterference, claim, culprit.unwrap_or(exit.place));
        let info = info.about(victim.clone()).reported_at(condition.clause);
        let info = info.related(condition.clause, "another thread may rely on this");
        match culprit.filter(|place| *place != exit.place) {
            Some(_) => info.related(exit.place, "here other threads may run"),
            None => info,
        }
    }

    /// For each block the globals that may differ from their snapshot at its end.
    fn written_at_ends(&self) -> Vec<BTreeSet<Name>> {
        let blocks = &self.out.blocks;
        let mut ends: Vec<BTreeSet<Name>> = vec![BTreeSet::new(); blocks.len()];
        let mut starts = ends.clone();
        let mut todo: Vec<usize> = (0..blocks.len()).rev().collect();
        while let Some(nth) = todo.pop() {
            let mut dirty = starts[nth].clone();
            blocks[nth].commands.iter().for_each(|command| self.track(command, &mut dirty));
            for next in &blocks[nth].successors {
                let before = starts[next.index()].len();
                starts[next.index()].extend(dirty.iter().cloned());
                if starts[next.index()].len() > before {
                    todo.push(next.index());
                }
            }
            ends[nth] = dirty;
        }
        ends
    }

    fn track(&self, command: &Command, dirty: &mut BTreeSet<Name>) {
        let mut written = |var: &Var| {
            if let Some(Role::Snapshot(global)) = self.out.roles.get(var) {
                dirty.remove(global);
            } else if let Some((name, _)) = self.globals.iter().find(|(_, global)| global == var) {
                dirty.insert(name.clone());
            }
        };
        match command {
            Command::Assign(pairs) => pairs.iter().for_each(|(var, _)| written(var)),
            Command::Havoc(vars) => vars.iter().for_each(written),
            Command::Assume { .. } | Command::Assert { .. } | Command::Capture(_) => {}
        }
    }
}

/// The linear types of an invariant's parameters.
fn linear_types(sig: &ProcSig) -> Vec<Ty> {
    let linear = sig.ins.iter().filter(|param| param.linear != LinearKind::Ordinary);
    linear.map(|param| param.ty.clone()).collect()
}

/// Does the term read one of these globals?
fn mentions(term: &Term, globals: &BTreeSet<Name>) -> bool {
    free_vars(term).iter().any(|var| globals.contains(&Name::new(var.name.as_str())))
}
