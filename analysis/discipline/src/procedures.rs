//! Do the clauses and statements of a yield procedure or invariant keep to their layers?
//!
//! **In:** signature, specifications and body of one yield procedure or invariant. **Out:** the
//! problems of language.md 8, 9.2 and 9.3; calls are handed to [`crate::calls`].
//!
//! | place | layers needed | globals |
//! | --- | --- | --- |
//! | `requires`, `ensures` of a mover procedure at its own layer | those of the clause | direct |
//! | `requires`, `ensures` otherwise | those of the clause | inside `old` |
//! | `requires call`, `call` of an invariant | the invariant's | direct |
//! | `preserves call`, `ensures call` | the invariant's | inside `old` |
//! | `assert`, loop invariant | those of the assertion | direct |
//! | `yield` | those of the statement | direct |
//! | `assume`, guard | all up to the procedure's | never |
//! | free loop invariant | all up to the procedure's | inside `old` |
//! | right-hand side, index on the left, argument of a procedure | those of the variable | inside `old`, if that is one layer above 0 |
//! | `measure` | those of the measure | direct |
//!
//! Stricter than the reference: indices on the left of an assignment are read too, so they are
//! held to the same rule as the right-hand side; `havoc` of a global is a direct write; and `old` of
//! a global in code is a read ([`crate::access`]).

use base::{DeclId, Program};
use hir::{
    Body, ClauseKind, ExprId, LayerRange, ProcSig, Role, SourceMap, Specs, Step, Stmt, StmtId,
    Target, VarRef,
};

use crate::Db;
use crate::access::{Access, Scope, global_variable};
use crate::calls::{self, CallSite};
use crate::problem::LayerProblem;
use crate::problem::layers::{OldContext, RefinedActionMissing};

/// The problems of a yield procedure or invariant: its clauses, then its statements.
pub(crate) fn check(db: &dyn Db, program: Program, sig: &ProcSig, out: &mut Vec<LayerProblem>) {
    if sig.is_yield_procedure() {
        check_refines(db, program, sig, out);
        check_mover_modifies(db, program, sig, out);
    }
    let specs = hir::specs(db, program, sig.decl);
    let map = hir::specs_map(db, program, sig.decl);
    if let (Some(specs), Some(map)) = (specs, map) {
        let scope = spec_scope(db, program, sig, &specs, &map);
        check_clauses(scope, &specs, out);
        check_spec_calls(scope, &specs, out);
    }
}

/// A yield procedure has one body: callers, and the procedures it refines to, see one behaviour, and
/// only one is proved.
pub(crate) fn check_bodies(
    db: &dyn Db,
    program: Program,
    sig: &ProcSig,
    out: &mut Vec<LayerProblem>,
) {
    let bodies = hir::implementations(db, program, sig.name.clone());
    let Some((first, others)) = bodies.split_first() else { return };
    for other in others {
        let (owner, at) = (sig.name.clone(), hir::decl_place(db, *other));
        let first = Some(hir::decl_place(db, *first));
        out.push(LayerProblem::ProcedureBodies { owner, at, first });
    }
}

/// The problems of one body of a yield procedure.
pub(crate) fn check_body(
    db: &dyn Db,
    program: Program,
    (sig, decl): (&ProcSig, DeclId),
    out: &mut Vec<LayerProblem>,
) {
    check_statements(db, program, (sig, decl), check_stmt, out);
}

/// The problems of the statements of a body, by `check`.
pub(crate) fn check_statements(
    db: &dyn Db,
    program: Program,
    (sig, decl): (&ProcSig, DeclId),
    check: fn(Scope<'_>, &Body, StmtId, &mut Vec<LayerProblem>),
    out: &mut Vec<LayerProblem>,
) {
    let (Some(body), Some(map)) = (hir::body(db, program, decl), hir::body_map(db, program, decl))
    else {
        return;
    };
    let scope = body_scope(db, program, sig, &body, &map);
    for index in 0..body.stmts.len() {
        check(scope, &body, StmtId::from_index(index), out);
    }
}

/// The expressions of specifications.
pub(crate) fn spec_scope<'a>(
    db: &'a dyn Db,
    program: Program,
    sig: &'a ProcSig,
    specs: &'a Specs,
    map: &'a SourceMap,
) -> Scope<'a> {
    Scope { db, program, sig, exprs: &specs.exprs, locals: &specs.locals, map }
}

/// The expressions of a body.
pub(crate) fn body_scope<'a>(
    db: &'a dyn Db,
    program: Program,
    sig: &'a ProcSig,
    body: &'a Body,
    map: &'a SourceMap,
) -> Scope<'a> {
    Scope { db, program, sig, exprs: &body.exprs, locals: &body.locals, map }
}

fn check_refines(db: &dyn Db, program: Program, sig: &ProcSig, out: &mut Vec<LayerProblem>) {
    let Some(name) = &sig.refines else { return };
    let Some(action) = hir::proc_sig(db, program, name.clone()) else { return };
    let (Some(layer), Some(range)) = (sig.layer(), action.layers) else { return };
    if range.contains(layer.next()) {
        return;
    }
    out.push(LayerProblem::RefinedActionMissing(RefinedActionMissing {
        refiner: sig.name.clone(),
        action: name.clone(),
        range,
        needed: layer.next(),
        at: hir::decl_place(db, sig.decl),
        reported_at: None,
        declared: Some(hir::decl_place(db, action.decl)),
    }));
}

fn check_mover_modifies(db: &dyn Db, program: Program, sig: &ProcSig, out: &mut Vec<LayerProblem>) {
    let (true, Some(layer)) = (sig.is_mover_procedure(), sig.layer()) else { return };
    for name in hir::modifies(db, program, sig.name.clone()).iter() {
        let Some(variable) = global_variable(db, program, name) else { continue };
        if !variable.lifetime.contains(layer) {
            let at = hir::decl_place(db, sig.decl);
            out.push(LayerProblem::MoverModifies { variable, at, layer });
        }
    }
}

fn check_clauses(scope: Scope<'_>, specs: &Specs, out: &mut Vec<LayerProblem>) {
    let own_layer = scope.layer();
    for (number, clause) in specs.clauses.iter().enumerate() {
        let needed = clause.layers.hull();
        let at_own_layer = scope.sig.is_mover_procedure()
            && clause.layers.as_slice().iter().all(|layer| *layer >= own_layer);
        let at_mover = at_own_layer || !scope.sig.is_yield_procedure();
        if at_mover {
            scope.check(clause.expr, Access::direct(needed), out);
        } else if clause.kind == ClauseKind::Preserves {
            let only_layer = scope.sig.mover.map(|_| own_layer);
            let at = scope.map.clause(number);
            out.push(LayerProblem::PreservesClause { at, only_layer });
        } else {
            scope.check(clause.expr, Access::only_old(needed, OldContext::Contract), out);
        }
    }
    for measure in &specs.measures {
        let access = Access::direct(measure.layers.hull());
        measure.exprs.iter().for_each(|expr| scope.check(*expr, access, out));
    }
}

fn check_spec_calls(scope: Scope<'_>, specs: &Specs, out: &mut Vec<LayerProblem>) {
    for (number, call) in specs.calls.iter().enumerate() {
        let at = scope.map.spec_call(number);
        let only_old = (call.kind != ClauseKind::Requires).then_some(OldContext::Contract);
        let site = CallSite { at, is_async: false, only_old };
        calls::check_in_procedure(scope, &call.arm, site, out);
    }
}

fn check_stmt(scope: Scope<'_>, body: &Body, id: StmtId, out: &mut Vec<LayerProblem>) {
    let all_layers = Some(LayerRange::up_to(scope.layer()));
    match body.stmt(id) {
        Stmt::Assign { targets, values, .. } => check_assign(scope, id, (targets, values), out),
        Stmt::Unpack { targets, value, .. } => {
            check_written(scope, id, targets, out);
            let ranges = targets.iter().filter_map(|it| lifetime(scope, it));
            let access = Access::only_old(ranges.reduce(LayerRange::hull), OldContext::Code);
            scope.check(*value, access, out);
        }
        Stmt::Assert { expr, layers, .. } => {
            scope.check(*expr, Access::direct(layers.hull()), out);
        }
        Stmt::Yield { expr, layers, .. } => {
            expr.iter().for_each(|expr| scope.check(*expr, Access::direct(layers.hull()), out));
        }
        Stmt::Assume { expr, role, .. } => {
            let context = match role {
                Role::Plain => OldContext::Code,
                Role::LoopInvariant => OldContext::Contract,
            };
            scope.check(*expr, Access::only_old(all_layers, context), out);
        }
        Stmt::Havoc { targets } => check_written(scope, id, targets, out),
        Stmt::Measure { exprs, layers, .. } => {
            let access = Access::direct(layers.hull());
            exprs.iter().for_each(|expr| scope.check(*expr, access, out));
        }
        Stmt::Call { arms, is_async, .. } => {
            let site = CallSite { at: scope.map.stmt(id), is_async: *is_async, only_old: None };
            arms.iter().for_each(|arm| calls::check_in_procedure(scope, arm, site, out));
        }
        Stmt::If { guard, .. } | Stmt::While { guard, .. } => {
            let access = Access::only_old(all_layers, OldContext::Code);
            guard.iter().for_each(|expr| scope.check(*expr, access, out));
        }
        Stmt::Error
        | Stmt::Visibility(_)
        | Stmt::Break { .. }
        | Stmt::Goto { .. }
        | Stmt::Label(_)
        | Stmt::Return => {}
    }
}

fn check_assign(
    scope: Scope<'_>,
    id: StmtId,
    (targets, values): (&[Target], &[ExprId]),
    out: &mut Vec<LayerProblem>,
) {
    let roots: Vec<VarRef> = targets.iter().map(|it| it.root.clone()).collect();
    check_written(scope, id, &roots, out);
    for (target, value) in targets.iter().zip(values) {
        let access = Access::only_old(lifetime(scope, &target.root), OldContext::Code);
        scope.check(*value, access, out);
        let indices = target.path.iter().flat_map(|step| match step {
            Step::Index(indices) => indices.to_vec(),
            Step::Field(_) => Vec::new(),
        });
        indices.for_each(|index| scope.check(index, access, out));
    }
}

/// Complains about globals among the written variables.
fn check_written(scope: Scope<'_>, id: StmtId, targets: &[VarRef], out: &mut Vec<LayerProblem>) {
    for (number, target) in targets.iter().enumerate() {
        let VarRef::Global(name) = target else { continue };
        let Some(variable) = global_variable(scope.db, scope.program, name) else { continue };
        let at = scope.target_place(id, number);
        out.push(LayerProblem::WrittenDirectly { variable, at });
    }
}

fn lifetime(scope: Scope<'_>, variable: &VarRef) -> Option<LayerRange> {
    match variable {
        VarRef::Local(id) => scope.local_variable(*id).map(|it| it.lifetime),
        VarRef::Global(name) => {
            global_variable(scope.db, scope.program, name).map(|it| it.lifetime)
        }
        VarRef::Error => None,
    }
}
