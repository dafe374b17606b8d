//! Linearity of declarations and of invariant calls in specifications (language.md 10.2, 10.4).
//!
//! **In:** a global, or the formals and specifications of a procedure. **Out:** problems.
//!
//! What a specification passes to a linear parameter of an invariant must be there when the
//! specification is read: before the call for `requires`, after it for `ensures`, both for
//! `preserves`. The attribute of the formal alone decides, whatever its type.

use std::sync::Arc;

use base::{DeclId, DeclKind, Place, Program};
use hir::{ClauseKind, LinearKind, ProcSig, SourceMap, SpecCall, Specs, VarRef};

use super::commands::{self, CallSite};
use super::owner::{Owner, as_var, var_name};
use crate::Db;
use crate::problem::{LinearProblem, Problem, Unavailable, UnavailableWhy};

/// Appends the problems of one declaration outside its body.
pub(super) fn check(db: &dyn Db, program: Program, decl: DeclId, out: &mut Vec<Problem>) {
    let mut found = Vec::new();
    if decl.kind(db) == DeclKind::Var
        && let Some(global) = hir::global_of(db, program, decl)
    {
        check_kind((hir::decl_place(db, decl), &global.name), global.linear, &mut found);
    }
    if let Some(sig) = signature(db, program, decl) {
        check_formals(&sig, &hir::formal_places(db, program, decl), &mut found);
        let specs = hir::specs(db, program, decl);
        if let (Some(specs), Some(map)) = (specs, hir::specs_map(db, program, decl)) {
            let owner = Owner::new(db, program, sig);
            for (number, call) in specs.calls.iter().enumerate() {
                check_call(&owner, (&specs, &map), (number, call), &mut found);
            }
        }
    }
    out.extend(found.into_iter().map(Problem::from));
}

/// The signature of a declaration that declares one.
fn signature(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<ProcSig>> {
    let kinds =
        [DeclKind::Procedure, DeclKind::Action, DeclKind::YieldProcedure, DeclKind::Invariant];
    kinds.contains(&decl.kind(db)).then(|| hir::proc_sig_of(db, program, decl))?
}

/// Globals and results are there or not; they are not handed in or out.
fn check_kind((place, name): (Place, &base::Name), kind: LinearKind, out: &mut Vec<LinearProblem>) {
    match kind {
        LinearKind::Ordinary | LinearKind::Linear => {}
        LinearKind::LinearIn | LinearKind::LinearOut => {
            out.push(LinearProblem::Kind { place, name: name.clone() });
        }
    }
}

fn check_formals(sig: &ProcSig, places: &[Place], out: &mut Vec<LinearProblem>) {
    for (i, (param, place)) in sig.formals().zip(places).enumerate() {
        if i >= sig.ins.len() {
            check_kind((*place, &param.name), param.linear, out);
        } else if sig.is_invariant() {
            let mut found = Vec::new();
            check_kind((*place, &param.name), param.linear, &mut found);
            let (place, name) = (*place, param.name.clone());
            out.extend(
                found.iter().map(|_| LinearProblem::InvariantKind { place, name: name.clone() }),
            );
        }
    }
}

/// The kinds of formals that are there when a clause is read.
const KINDS: &[(ClauseKind, &[LinearKind], UnavailableWhy)] = &[
    (ClauseKind::Requires, &[LinearKind::Linear, LinearKind::LinearIn], UnavailableWhy::Requires),
    (ClauseKind::Ensures, &[LinearKind::Linear, LinearKind::LinearOut], UnavailableWhy::Ensures),
    (ClauseKind::Preserves, &[LinearKind::Linear], UnavailableWhy::Preserves),
];

fn check_call(
    owner: &Owner<'_>,
    (specs, map): (&Specs, &SourceMap),
    (number, call): (usize, &SpecCall),
    out: &mut Vec<LinearProblem>,
) {
    let place = map.spec_call(number);
    let (exprs, locals) = (&specs.exprs, &specs.locals);
    commands::check_arm(owner, &CallSite { arm: &call.arm, exprs, locals, map, place }, out);
    let Some(callee) = owner.callee(&call.arm) else { return };
    let Some((_, kinds, why)) = KINDS.iter().find(|(kind, ..)| *kind == call.kind) else { return };
    for (param, arg) in callee.ins.iter().zip(&call.arm.args) {
        let Some(var) = as_var(exprs, *arg) else { continue };
        let VarRef::Local(local) = var else { continue };
        if param.linear == LinearKind::Ordinary || kinds.contains(&owner.kind(local)) {
            continue;
        }
        out.push(LinearProblem::Unavailable(Unavailable {
            place,
            arg: map.expr(*arg),
            name: var_name(locals, &var),
            callee: callee.name.clone(),
            param: param.name.clone(),
            why: *why,
        }));
    }
}
