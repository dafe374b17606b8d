//! The statement `yield e;`: a yield invariant without a name (verification.md 13.1).
//!
//! **In:** a yield statement. **Out:** in the copy of its procedure, a yield point at which `e` is
//! asserted before others interfere and assumed afterwards; for the copies of all procedures of the
//! layer, an invariant that their fragments must not break.
//!
//! # Soundness
//! - Somebody may wait at the yield with any values of its locals, and of `old(g)`: in the check of
//!   a fragment they are arbitrary, except that the waiting thread holds the permissions of its
//!   available linear locals, which are disjoint from those of the running thread.
//! - Linear globals belong to nobody who waits.

use std::sync::Arc;

use base::{DeclId, Name, Program};
use hir::{Body, ExprId, Layer, LayerSet, Stmt, StmtId, Ty, VarRef};
use ir::{ObligationKind, Term, Var};

use super::contracts::Condition;
use super::interference::Victim;
use super::{Copy, Mode, snapshot};
use crate::Db;
use crate::claim::Claim;
use crate::lowering::{Env, State, owned_by};
use crate::permissions::Holder;
use crate::unit::{AssertInfo, Moment};
use crate::world::World;

/// A yield statement that says something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YieldStatement {
    /// The declaration that holds the body.
    pub(crate) decl: DeclId,
    /// `P.yield2`: the second yield of `P`.
    pub(crate) name: Name,
    pub(crate) stmt: StmtId,
    layers: LayerSet,
}

impl YieldStatement {
    /// The linear locals that a thread holds at `layer` while it waits at the yield.
    pub(crate) fn locals_held(&self, world: World<'_>, layer: Layer) -> Vec<hir::LocalId> {
        let Some(body) = world.body(self.decl) else { return Vec::new() };
        let availability =
            discipline::linear::availability_at(world.db, world.program, self.decl, layer);
        let locals = availability.before_call(self.stmt).iter().filter_map(|var| match var {
            VarRef::Local(id) => Some(*id),
            VarRef::Global(_) | VarRef::Error => None,
        });
        let exists =
            |id: &hir::LocalId| body.local(*id).layers.is_none_or(|range| range.contains(layer));
        locals.filter(exists).collect()
    }
}

/// The yield statements of a body that say something, in the order of the text. Bodies without any
/// have equal answers, so an edit of them reaches no copy of another procedure.
#[salsa::tracked(returns(clone))]
fn yield_statements(db: &dyn Db, program: Program, decl: DeclId) -> Arc<[YieldStatement]> {
    let Some(body) = hir::body(db, program, decl) else { return Arc::from([]) };
    let mut out = Vec::new();
    let mut nth = 0;
    for (index, stmt) in body.stmts.iter().enumerate() {
        let Stmt::Yield { expr, layers, .. } = stmt else { continue };
        nth += 1;
        if expr.is_some() {
            let name = Name::new(format!("{}.yield{nth}", body.proc));
            let stmt = StmtId::from_index(index);
            out.push(YieldStatement { decl, name, stmt, layers: layers.clone() });
        }
    }
    out.into()
}

/// The yield statements of all procedures at a layer, procedures in the order of names.
#[salsa::tracked(returns(clone))]
pub(crate) fn yield_statements_at(
    db: &dyn Db,
    program: Program,
    layer: Layer,
) -> Arc<[YieldStatement]> {
    let mut out = Vec::new();
    for (name, _) in hir::global_names(db, program, hir::NameSpace::Procedure) {
        let sig = hir::proc_sig(db, program, name.clone());
        if !sig.is_some_and(|sig| sig.is_yield_procedure() && sig.layer() >= Some(layer)) {
            continue;
        }
        for decl in hir::implementations(db, program, name).iter() {
            out.extend(yield_statements(db, program, *decl).iter().cloned());
        }
    }
    out.retain(|it| it.layers.contains(layer));
    out.into()
}

impl Copy<'_, '_> {
    /// The types of the linear locals that a thread holds while it waits at the yield.
    pub(super) fn types_held_at(&self, at: &YieldStatement) -> Vec<Ty> {
        let Some(body) = self.world.body(at.decl) else { return Vec::new() };
        let held = at.locals_held(self.world, self.layer).into_iter();
        held.map(|id| body.local(id).ty.clone()).collect()
    }

    /// A thread that waits at a yield statement, with arbitrary locals.
    pub(super) fn waiting(&mut self, at: &YieldStatement) -> Option<Victim> {
        let (body, map) = (self.world.body(at.decl)?, self.world.body_map(at.decl)?);
        let Stmt::Yield { expr: Some(expr), .. } = body.stmt(at.stmt) else { return None };
        let env = self.lowering.body_env(&body, &owned_by(&at.name));
        self.out.waits(&at.name, waiting_locals(&body, &env));
        let clause = map.stmt(at.stmt);
        let mut condition = |now: State| {
            let env: Env = env.in_states(now, State::suffixed("@any"));
            let term = self.lowering.expr(&body.exprs, &env, *expr);
            vec![Condition { term, clause }]
        };
        let before = condition(snapshot());
        let after = condition(State::now());
        let held = at.locals_held(self.world, self.layer);
        let holder = |id: hir::LocalId| {
            let term = env.local(id)?.clone();
            Some(Holder { ty: body.local(id).ty.clone(), term })
        };
        let holders = held.into_iter().filter_map(holder).collect();
        Some(Victim { name: at.name.clone(), holders, before, after })
    }

    /// `yield expr`, at a layer at which it yields.
    pub(super) fn yield_statement(&mut self, id: StmtId, expr: Option<ExprId>) {
        let place = self.text.map.stmt(id);
        self.lowering.at(place);
        if self.is_mover_here() {
            return self.lowering.unsupported("a yield of a mover procedure at its own layer");
        }
        let available = self.availability().after_call(id).to_vec();
        self.end_fragment(place);
        self.next_block("yield");
        self.settle_fragment();
        let term = expr.map(|expr| self.lowering.expr(&self.text.body.exprs, &self.env, expr));
        let term = term.unwrap_or_else(Term::tt);
        if self.mode == Mode::Invariant && expr.is_some() {
            let info = AssertInfo::new(ObligationKind::Contract, Claim::Yield, place);
            self.out.assert(self.at, term.clone(), info);
        }
        self.interfere();
        self.assume(term);
        self.assume_gate_unless_done();
        self.start_fragment(&available);
        self.assume_linear(&available);
        self.show(place, Moment::AfterOthers);
    }
}

/// The locals of a thread that waits inside `body`, by name.
pub(crate) fn waiting_locals(body: &Body, env: &Env) -> Vec<(Name, Var)> {
    let locals = body.locals.iter().zip(&env.locals);
    locals.filter_map(|(it, term)| Some((it.name.clone(), term.as_var()?.clone()))).collect()
}
