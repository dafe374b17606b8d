//! Does an action keep to its layers? (language.md 8 and 9.1)
//!
//! **In:** signature, specifications and body of one action. **Out:** its problems: access to
//! globals, preconditions, calls, loops, refinement.

use std::collections::BTreeSet;

use base::{DeclId, Place, Program};
use hir::{Arm, Body, ClauseKind, Name, ProcKind, ProcSig, SourceMap, Stmt, StmtId, VarRef};

use crate::Db;
use crate::access::{Access, Scope};
use crate::call_graph::callees;
use crate::problem::LayerProblem;
use crate::problem::layers::{OldContext, RefinedActionMissing};
use crate::procedures::{check_statements, spec_scope};

/// The problems of an action, its body excepted.
pub(crate) fn check(db: &dyn Db, program: Program, sig: &ProcSig, out: &mut Vec<LayerProblem>) {
    check_modifies(db, program, sig, out);
    check_specs(db, program, sig, out);
    check_refines(db, program, sig, out);
    let bodies = hir::implementations(db, program, sig.name.clone());
    if bodies.is_empty() {
        let at = hir::decl_place(db, sig.decl);
        out.push(LayerProblem::ActionWithoutBody { action: sig.name.clone(), at });
    }
    if let [first, second, ..] = &*bodies {
        let (first, at) = (hir::decl_place(db, *first), hir::decl_place(db, *second));
        out.push(LayerProblem::ActionBodies { action: sig.name.clone(), at, first });
    }
    if let Some(cycle) = call_cycle(db, program, &sig.name) {
        out.push(LayerProblem::ActionCycle { cycle, at: hir::decl_place(db, sig.decl) });
    }
}

/// The problems of the body of an action.
pub(crate) fn check_body(
    db: &dyn Db,
    program: Program,
    (sig, decl): (&ProcSig, DeclId),
    out: &mut Vec<LayerProblem>,
) {
    check_statements(db, program, (sig, decl), check_stmt, out);
    if hir::cfg(db, program, decl).is_some_and(|cfg| !cfg.is_acyclic()) {
        let at = hir::decl_place(db, sig.decl);
        out.push(LayerProblem::ActionLoop { action: sig.name.clone(), at });
    }
}

/// The written `modifies` clauses. What is only inferred is complained about where it is written.
fn check_modifies(db: &dyn Db, program: Program, sig: &ProcSig, out: &mut Vec<LayerProblem>) {
    let places = hir::modifies_places(db, sig.decl);
    let exprs = hir::Exprs::default();
    let map = SourceMap::new(sig.decl);
    let scope = Scope { db, program, sig, exprs: &exprs, locals: &[], map: &map };
    for (name, at) in sig.modifies.iter().zip(places.iter()) {
        scope.check_global(name, *at, (Access::direct(None), false), out);
    }
}

fn check_specs(db: &dyn Db, program: Program, sig: &ProcSig, out: &mut Vec<LayerProblem>) {
    let (Some(specs), Some(map)) =
        (hir::specs(db, program, sig.decl), hir::specs_map(db, program, sig.decl))
    else {
        return;
    };
    let scope = spec_scope(db, program, sig, &specs, &map);
    for clause in &specs.clauses {
        let access = match clause.kind {
            ClauseKind::Asserts => Access::direct(None),
            ClauseKind::Requires | ClauseKind::Preserves | ClauseKind::Ensures => {
                Access::only_old(clause.layers.hull(), OldContext::Precondition)
            }
        };
        scope.check(clause.expr, access, out);
    }
    for call in &specs.calls {
        let access = Access::only_old(None, OldContext::Precondition);
        call.arm.args.iter().for_each(|arg| scope.check(*arg, access, out));
    }
    let has_preconditions =
        specs.of_kind(ClauseKind::Requires).next().is_some() || !specs.calls.is_empty();
    let Some(range) = sig.layers.filter(|_| has_preconditions) else { return };
    if range.low() != range.high() {
        let at = hir::decl_place(db, sig.decl);
        out.push(LayerProblem::PreconditionLayers { action: sig.name.clone(), at, range });
    }
    for (number, call) in specs.calls.iter().enumerate() {
        check_precondition_call(scope, &call.arm, map.spec_call(number), out);
    }
}

fn check_precondition_call(scope: Scope<'_>, arm: &Arm, at: Place, out: &mut Vec<LayerProblem>) {
    let Some(callee) = hir::proc_sig(scope.db, scope.program, arm.callee.clone()) else { return };
    let ProcKind::Invariant { global } = callee.kind else { return };
    let (Some(layer), Some(range)) = (callee.layer(), scope.sig.layers) else { return };
    let invariant = callee.name.clone();
    if !range.contains(layer) {
        out.push(LayerProblem::PreconditionLayer { invariant, at, layer, range });
    } else if !global && range.low() == range.high() {
        let declared = hir::decl_place(scope.db, callee.decl);
        out.push(LayerProblem::PreconditionNotGlobal { invariant, at, declared });
    }
}

fn check_refines(db: &dyn Db, program: Program, sig: &ProcSig, out: &mut Vec<LayerProblem>) {
    let Some(name) = &sig.refines else { return };
    let Some(action) = hir::proc_sig(db, program, name.clone()) else { return };
    let (Some(ours), Some(range)) = (sig.layers, action.layers) else { return };
    let needed = ours.high().next();
    if !range.contains(needed) {
        out.push(LayerProblem::RefinedActionMissing(RefinedActionMissing {
            refiner: sig.name.clone(),
            action: name.clone(),
            range,
            needed,
            at: hir::decl_place(db, sig.decl),
            reported_at: Some(hir::decl_place(db, action.decl)),
            declared: Some(hir::decl_place(db, action.decl)),
        }));
    }
}

fn check_stmt(scope: Scope<'_>, body: &Body, id: StmtId, out: &mut Vec<LayerProblem>) {
    let access = Access::direct(None);
    let read = |expr: &hir::ExprId, out: &mut Vec<LayerProblem>| scope.check(*expr, access, out);
    match body.stmt(id) {
        Stmt::Assign { targets, values, .. } => {
            targets.iter().for_each(|target| read(&target.value, out));
            values.iter().for_each(|value| read(value, out));
        }
        Stmt::Unpack { targets, value, .. } => {
            check_written(scope, id, targets, out);
            read(value, out);
        }
        Stmt::Assert { expr, .. } | Stmt::Assume { expr, .. } => read(expr, out),
        Stmt::Havoc { targets } => check_written(scope, id, targets, out),
        Stmt::Measure { exprs, .. } => exprs.iter().for_each(|expr| read(expr, out)),
        Stmt::Call { arms, is_async, .. } => {
            for arm in arms {
                arm.args.iter().for_each(|arg| read(arg, out));
                check_written(scope, id, &arm.outs, out);
                check_callee(scope, arm, (scope.map.stmt(id), *is_async), out);
            }
        }
        Stmt::If { guard, .. } | Stmt::While { guard, .. } => {
            guard.iter().for_each(|expr| read(expr, out));
        }
        // Complained about where it stands.
        Stmt::Yield { .. } => {}
        Stmt::Error
        | Stmt::Visibility(_)
        | Stmt::Break { .. }
        | Stmt::Goto { .. }
        | Stmt::Label(_)
        | Stmt::Return => {}
    }
}

fn check_written(scope: Scope<'_>, id: StmtId, targets: &[VarRef], out: &mut Vec<LayerProblem>) {
    for (number, target) in targets.iter().enumerate() {
        let VarRef::Global(name) = target else { continue };
        let at = scope.target_place(id, number);
        scope.check_global(name, at, (Access::direct(None), false), out);
    }
}

fn check_callee(
    scope: Scope<'_>,
    arm: &Arm,
    (at, is_async): (Place, bool),
    out: &mut Vec<LayerProblem>,
) {
    let callee = arm.callee.clone();
    if arm.primitive.is_some() {
        return;
    }
    let Some(target) = hir::proc_sig(scope.db, scope.program, callee.clone()) else { return };
    if is_async {
        out.push(LayerProblem::ActionAsync { at });
    } else if !target.is_action() {
        out.push(LayerProblem::ActionCallee { callee, at });
    } else if let (Some(caller), Some(range)) = (scope.sig.layers, target.layers)
        && !caller.is_within(range)
    {
        out.push(LayerProblem::ActionCalleeRange { callee, at, caller, range });
    }
}

/// A circle of calls through `start`, if it is the circle's first action by name; so that each
/// circle is reported once.
fn call_cycle(db: &dyn Db, program: Program, start: &Name) -> Option<Vec<Name>> {
    let mut todo = vec![vec![start.clone()]];
    let mut seen = BTreeSet::new();
    while let Some(path) = todo.pop() {
        for callee in called_actions(db, program, path.last()?.clone()) {
            if callee == start {
                return path.iter().all(|name| start <= name).then_some(path);
            }
            if seen.insert(callee.clone()) {
                todo.push(path.iter().chain([callee]).cloned().collect());
            }
        }
    }
    None
}

/// The actions an action calls, ascending by name. Reads the bodies of that action only.
#[salsa::tracked(returns(ref))]
fn called_actions(db: &dyn Db, program: Program, action: Name) -> BTreeSet<Name> {
    let is_action = |callee: &&Name| {
        hir::proc_sig(db, program, (*callee).clone()).is_some_and(|sig| sig.is_action())
    };
    callees(db, program, action).iter().filter(is_action).cloned().collect()
}
