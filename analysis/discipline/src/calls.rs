//! May this yield procedure make this call? (language.md 9.4 to 9.6)
//!
//! **In:** one arm of a call, or a call in a specification, of a yield procedure. **Out:** problems
//! of arguments and results first; the rules about the callee are asked only if there are none.
//!
//! A callee that is a yield procedure is code up to its layer and an action above; a mover
//! procedure is a summary at its own layer; an invariant exists at one layer; a pure callee exists
//! at the layers written on the call.

use std::sync::Arc;

use base::Place;
use hir::{Arm, ExprId, Exprs, Layer, LayerRange, Param, ProcKind, ProcSig, VarRef};

use crate::access::{Access, Scope, global_variable};
use crate::machine::is_machine;
use crate::problem::LayerProblem;
use crate::problem::layers::{AccessRule, LayerRule, OldContext, Variable};

/// Where a call stands and what is special about it.
#[derive(Clone, Copy)]
pub(crate) struct CallSite {
    /// The `call` keyword.
    pub(crate) at: Place,
    pub(crate) is_async: bool,
    /// Why the arguments may read globals inside `old` only, if so.
    pub(crate) only_old: Option<OldContext>,
}

/// The problems of one call made by a yield procedure.
pub(crate) fn check_in_procedure(
    scope: Scope<'_>,
    arm: &Arm,
    site: CallSite,
    out: &mut Vec<LayerProblem>,
) {
    let Some(callee) = hir::proc_sig(scope.db, scope.program, arm.callee.clone()) else { return };
    let before = out.len();
    check_results(scope, arm, (&callee, site), out);
    check_arguments(scope, arm, (&callee, site), out);
    if out.len() > before {
        return;
    }
    match callee.kind {
        ProcKind::Yield => check_yield_callee(scope, arm, (&callee, site), out),
        ProcKind::Invariant { .. } => check_invariant_callee(scope, &callee, site, out),
        ProcKind::Pure | ProcKind::Action { pure: true } => {
            check_pure_callee(scope, arm, (&callee, site), out);
        }
        // Other callees are complained about while resolving names.
        ProcKind::Plain | ProcKind::Action { pure: false } => {}
    }
}

/// The layers at which a formal of the callee exists for this caller.
fn formal_range(scope: Scope<'_>, arm: &Arm, callee: &ProcSig, formal: &Param) -> LayerRange {
    match callee.kind {
        ProcKind::Invariant { .. } => callee.layers.unwrap_or(LayerRange::ALL),
        ProcKind::Yield => {
            let own = formal.layers.unwrap_or(LayerRange::ALL);
            if callee.is_visible(formal) {
                LayerRange::new(own.low(), scope.layer()).unwrap_or(own)
            } else {
                own
            }
        }
        ProcKind::Plain | ProcKind::Pure | ProcKind::Action { .. } => call_range(scope, arm),
    }
}

/// The layers at which a pure call exists.
fn call_range(scope: Scope<'_>, arm: &Arm) -> LayerRange {
    arm.layers.hull().unwrap_or(LayerRange::up_to(scope.layer()))
}

fn check_results(
    scope: Scope<'_>,
    arm: &Arm,
    (callee, site): (&ProcSig, CallSite),
    out: &mut Vec<LayerProblem>,
) {
    for (actual, formal) in arm.outs.iter().zip(callee.outs.iter()) {
        match actual {
            VarRef::Global(name) if !callee.is_pure() => {
                let Some(variable) = global_variable(scope.db, scope.program, name) else {
                    continue;
                };
                out.push(LayerProblem::WrittenDirectly { variable, at: site.at });
            }
            VarRef::Global(_) | VarRef::Error => {}
            VarRef::Local(id) => {
                let within = formal_range(scope, arm, callee, formal);
                let variable = scope.local_variable(*id);
                check_result_layer(variable, within, (arm, site), out);
            }
        }
    }
    if let Some(primitive) = callee.primitive
        && primitive.modifies_first
        && let Some(hir::Expr::Local(id)) = arm.args.first().map(|arg| root_of(scope.exprs, *arg))
    {
        let variable = scope.local_variable(id);
        check_result_layer(variable, call_range(scope, arm), (arm, site), out);
    }
}

fn check_result_layer(
    variable: Option<Variable>,
    within: LayerRange,
    (arm, site): (&Arm, CallSite),
    out: &mut Vec<LayerProblem>,
) {
    let Some(variable) = variable else { return };
    if !variable.lifetime.is_within(within) {
        let callee = arm.callee.clone();
        out.push(LayerProblem::ResultLayer { variable, at: site.at, within, callee });
    }
}

/// What an access path starts from.
fn root_of(exprs: &Exprs, mut path: ExprId) -> hir::Expr {
    while let hir::Expr::Field { base: inner, .. } | hir::Expr::Select { map: inner, .. } =
        exprs.expr(path)
    {
        path = *inner;
    }
    exprs.expr(path).clone()
}

fn check_arguments(
    scope: Scope<'_>,
    arm: &Arm,
    (callee, site): (&ProcSig, CallSite),
    out: &mut Vec<LayerProblem>,
) {
    let in_code = callee.is_yield_procedure().then_some(OldContext::Code);
    let only_old = site.only_old.or(in_code);
    for (actual, formal) in arm.args.iter().zip(callee.ins.iter()) {
        let needed = Some(formal_range(scope, arm, callee, formal));
        scope.check(*actual, Access { needed, only_old }, out);
    }
}

fn check_yield_callee(
    scope: Scope<'_>,
    arm: &Arm,
    (callee, site): (&ProcSig, CallSite),
    out: &mut Vec<LayerProblem>,
) {
    let (Some(theirs), ours) = (callee.layer(), scope.layer()) else { return };
    let wrong_layer = |rule| LayerProblem::CalleeLayer {
        callee: callee.name.clone(),
        at: site.at,
        callee_layer: theirs,
        caller_layer: ours,
        rule,
    };
    if theirs > ours {
        out.push(wrong_layer(LayerRule::NotAbove));
    } else if callee.is_skip_procedure() {
        // Nothing is left of it above its layer: any call is fine.
    } else if site.is_async && !arm.sync {
        out.push(LayerProblem::NotSynchronized { callee: callee.name.clone(), at: site.at });
    } else if let Some(mover) = callee.mover {
        if ours > theirs {
            out.push(wrong_layer(LayerRule::SameAsMover));
        } else if site.is_async && !mover.is_left() {
            let name = callee.name.clone();
            let problem =
                LayerProblem::SyncNotLeft { callee: name.clone(), at: site.at, mover: name };
            out.push(problem);
        }
    } else if ours > theirs {
        check_refined_callee(scope, (callee, site), ours, out);
    } else if scope.sig.is_mover_procedure() {
        out.push(LayerProblem::MoverCaller { callee: callee.name.clone(), at: site.at });
    } else if site.is_async {
        out.push(wrong_layer(LayerRule::BelowSync));
    }
}

/// The callee is an action at the caller's layer: does the action exist, and if the call is
/// asynchronous, is every action on the way there a left mover?
fn check_refined_callee(
    scope: Scope<'_>,
    (callee, site): (&ProcSig, CallSite),
    layer: Layer,
    out: &mut Vec<LayerProblem>,
) {
    let Some(top) = hir::refined_action(scope.db, scope.program, callee.name.clone(), layer) else {
        let name = callee.name.clone();
        out.push(LayerProblem::CalleeActionMissing { callee: name, at: site.at, layer });
        return;
    };
    if !site.is_async {
        return;
    }
    for action in refinement_chain(scope, callee) {
        if !action.mover.is_some_and(hir::Mover::is_left) {
            let (callee, mover) = (callee.name.clone(), action.name.clone());
            out.push(LayerProblem::SyncNotLeft { callee, at: site.at, mover });
            return;
        }
        if action.name == top {
            return;
        }
    }
}

/// The actions a procedure refines, from the lowest upwards. Ends if the chain is a circle.
fn refinement_chain(scope: Scope<'_>, callee: &ProcSig) -> Vec<Arc<ProcSig>> {
    let mut chain: Vec<Arc<ProcSig>> = Vec::new();
    let mut next = callee.refines.clone();
    while let Some(name) = next {
        if chain.iter().any(|seen| seen.name == name) {
            break;
        }
        let Some(action) = hir::proc_sig(scope.db, scope.program, name) else { break };
        next = action.refines.clone();
        chain.push(action);
    }
    chain
}

fn check_invariant_callee(
    scope: Scope<'_>,
    callee: &ProcSig,
    site: CallSite,
    out: &mut Vec<LayerProblem>,
) {
    let (Some(theirs), ours) = (callee.layer(), scope.layer()) else { return };
    let rule = if theirs > ours {
        LayerRule::NotAbove
    } else if theirs == ours && scope.sig.is_mover_procedure() {
        LayerRule::BelowMover
    } else {
        return;
    };
    out.push(LayerProblem::CalleeLayer {
        callee: callee.name.clone(),
        at: site.at,
        callee_layer: theirs,
        caller_layer: ours,
        rule,
    });
}

/// A pure call that touches a global exists at one layer; what it writes is introduced there, and
/// not seen above unless it is the procedure's own layer.
///
/// That is ghost code, unless the global is state of the machine there ([`crate::machine`]).
fn check_pure_callee(
    scope: Scope<'_>,
    arm: &Arm,
    (callee, site): (&ProcSig, CallSite),
    out: &mut Vec<LayerProblem>,
) {
    let accesses = accesses(scope.exprs, arm);
    if accesses.is_empty() {
        return;
    }
    let [layer] = arm.layers.as_slice() else {
        out.push(LayerProblem::PureCallLayer { callee: callee.name.clone(), at: site.at });
        return;
    };
    check_machine(scope, (&accesses, *layer), (callee, site), out);
    let written = written_globals(scope.exprs, arm);
    for name in &written {
        let Some(variable) = global_variable(scope.db, scope.program, name) else { continue };
        if variable.lifetime.low() != *layer {
            let variable = variable.clone();
            out.push(LayerProblem::PureCallIntroduced { variable, at: site.at, layer: *layer });
        }
        if *layer < scope.layer() && variable.lifetime.high() != *layer {
            out.push(LayerProblem::PureCallHidden { variable, at: site.at, layer: *layer });
        }
    }
}

/// A pure call that touches state of the machine is one step of it: it reads or writes one global,
/// once, and counts as a non-mover ([`crate::yields`]).
fn check_machine(
    scope: Scope<'_>,
    (accesses, layer): (&[(hir::Name, bool)], Layer),
    (callee, site): (&ProcSig, CallSite),
    out: &mut Vec<LayerProblem>,
) {
    let real = |(name, _): &&(hir::Name, bool)| is_machine(scope.db, scope.program, name, layer);
    let real: Vec<&(hir::Name, bool)> = accesses.iter().filter(real).collect();
    let several = (real.len() > 1).then_some(AccessRule::Several);
    let old = real.iter().any(|(_, in_old)| *in_old).then_some(AccessRule::Old);
    for rule in several.into_iter().chain(old) {
        let callee = callee.name.clone();
        out.push(LayerProblem::MachineAccess { callee, at: site.at, layer, rule });
    }
}

/// The globals that a pure call writes: its results, and what a primitive changes.
pub(crate) fn written_globals(exprs: &Exprs, arm: &Arm) -> Vec<hir::Name> {
    let mut written: Vec<hir::Name> = arm.outs.iter().filter_map(global_name).collect();
    if let Some(primitive) = arm.primitive
        && primitive.modifies_first
        && let Some(hir::Expr::Global(name)) = arm.args.first().map(|arg| root_of(exprs, *arg))
    {
        written.push(name);
    }
    written
}

/// The globals that a pure call reads or writes, once for each occurrence in an argument and for each
/// time it is written, each with whether it is read inside `old`.
pub(crate) fn accesses(exprs: &Exprs, arm: &Arm) -> Vec<(hir::Name, bool)> {
    let mut out = Vec::new();
    let mut todo: Vec<(ExprId, bool)> = arm.args.iter().map(|arg| (*arg, false)).collect();
    while let Some((id, in_old)) = todo.pop() {
        let expr = exprs.expr(id);
        if let hir::Expr::Global(name) = expr {
            out.push((name.clone(), in_old));
        }
        let in_old = in_old || matches!(expr, hir::Expr::Old(_));
        todo.extend(expr.children().into_iter().map(|child| (child, in_old)));
    }
    out.extend(written_globals(exprs, arm).into_iter().map(|name| (name, false)));
    out
}

fn global_name(variable: &VarRef) -> Option<hir::Name> {
    match variable {
        VarRef::Global(name) => Some(name.clone()),
        VarRef::Local(_) | VarRef::Error => None,
    }
}
