//! Another thread that waits, and what it relies on.
//!
//! It waits where a yield invariant holds, with any arguments, or at a yield statement, with any locals.
//! The run says which: the variables are called after the invariant or the yield.

use base::{Name, Place};
use hir::{ClauseKind, Layer, LinearKind, Stmt, StmtId, TySubst, VarRef};

use super::exprs::View;
use super::machine::{Code, Globals, Slot};
use super::permissions::Holder;
use super::structure::{Known, Structure, doubt};

/// A thread that waits.
pub(super) struct Waiting<'a> {
    structure: &'a Structure<'a>,
    at: At,
    locals: Vec<Slot>,
    /// What `old` means to it.
    old: Globals,
    /// What it holds.
    pub(super) holders: Vec<Holder>,
}

enum At {
    Invariant(Name),
    Yield(Box<Code>, StmtId),
}

impl<'a> Waiting<'a> {
    /// The thread that waits at `victim`, in the run with these values.
    pub(super) fn at(
        structure: &'a Structure<'a>,
        env: &ir::Env,
        (victim, layer): (&Name, Layer),
    ) -> Known<Waiting<'a>> {
        let given = |name: String| {
            let found = env.vars.iter().find(|(var, _)| var.name.as_str() == name);
            found.map_or(Slot::Unknown, |(_, value)| Slot::Known(value.clone()))
        };
        let own = |name: &Name| given(format!("{name}@({victim})"));
        let world = structure.world;
        if let Some(sig) = world.proc_sig(victim).filter(|sig| sig.is_invariant()) {
            let locals: Vec<Slot> = sig.ins.iter().map(|param| own(&param.name)).collect();
            let mut holders = Vec::new();
            for (param, slot) in sig.ins.iter().zip(&locals) {
                if param.linear != LinearKind::Ordinary {
                    holders.push(holder(&param.ty, slot)?);
                }
            }
            let at = At::Invariant(victim.clone());
            return Ok(Waiting { structure, at, locals, old: Globals::new(), holders });
        }
        let found = victim.as_str().rsplit_once(".yield");
        let found = found.and_then(|(owner, nth)| {
            let code = Code::of_name(world, &Name::new(owner))?;
            let nth = nth.parse::<usize>().ok()?.checked_sub(1)?;
            let stmts = code.body.stmts.iter().enumerate();
            let mut yields = stmts.filter(|(_, stmt)| matches!(stmt, Stmt::Yield { .. }));
            let stmt = StmtId::from_index(yields.nth(nth)?.0);
            Some((code, stmt))
        });
        let Some((code, stmt)) = found else { return doubt(format!("`{victim}`")) };
        let locals: Vec<Slot> = code.body.locals.iter().map(|local| own(&local.name)).collect();
        let (db, program) = (world.db, world.program);
        let available = discipline::linear::availability_at(db, program, code.body.decl, layer);
        let mut holders = Vec::new();
        for var in available.before_call(stmt) {
            let VarRef::Local(id) = var else { continue };
            let local = code.body.local(*id);
            if local.layers.is_none_or(|range| range.contains(layer)) {
                holders.push(holder(&local.ty, &locals[id.index()])?);
            }
        }
        let names = hir::global_names(db, program, hir::NameSpace::Variable).into_iter();
        let old = names.map(|(name, _)| (name.clone(), given(format!("{name}@any")))).collect();
        Ok(Waiting { structure, at: At::Yield(Box::new(code), stmt), locals, old, holders })
    }

    /// What it relies on in a state, and where that stands.
    pub(super) fn conditions(&self, now: &Globals) -> Vec<(Known<bool>, Place)> {
        let (structure, types) = (self.structure, TySubst::new());
        let locals = &self.locals;
        match &self.at {
            At::Invariant(name) => {
                let world = structure.world;
                let sig = world.proc_sig(name);
                let specs =
                    sig.and_then(|sig| world.specs(sig.decl).zip(world.specs_map(sig.decl)));
                let Some((specs, map)) = specs else { return Vec::new() };
                let view = View { exprs: &specs.exprs, types: &types, locals, now, old: now };
                let clauses = specs.of_kind(ClauseKind::Preserves);
                let truth = |(nth, clause): (usize, &hir::Clause)| {
                    (structure.truth(view, clause.expr), map.clause(nth))
                };
                clauses.map(truth).collect()
            }
            At::Yield(code, stmt) => {
                let Stmt::Yield { expr: Some(expr), .. } = code.body.stmt(*stmt) else {
                    return Vec::new();
                };
                let old = &self.old;
                let view = View { exprs: &code.body.exprs, types: &types, locals, now, old };
                vec![(structure.truth(view, *expr), code.map.stmt(*stmt))]
            }
        }
    }
}

fn holder(ty: &hir::Ty, slot: &Slot) -> Known<Holder> {
    match slot {
        Slot::Known(value) => Ok(Holder { ty: ty.clone(), value: value.clone() }),
        Slot::Choice(_) | Slot::Unknown => doubt("the permissions of a waiting thread"),
    }
}
