//! Checks of single commands, without knowing what is available (language.md 10.3).
//!
//! **In:** one command. **Out:** problems. A body with such problems is not followed further: the
//! flow of permissions is defined for commands that pass these checks only.

use std::collections::{BTreeMap, BTreeSet};

use base::{Name, Place};
use hir::{
    Arm, Body, Expr, ExprId, Exprs, LinearKind, Local, ProcSig, SourceMap, Stmt, StmtId, Target,
    VarRef,
};

use super::owner::{Owner, as_var, passed_var, var_name};
use super::primitives;
use super::types::is_one_or_map;
use crate::problem::LinearProblem;
use crate::yields::arm_place;

/// One call of a statement or a specification, with its place.
pub(super) struct CallSite<'a> {
    pub(super) arm: &'a Arm,
    pub(super) exprs: &'a Exprs,
    pub(super) locals: &'a [Local],
    pub(super) map: &'a SourceMap,
    /// The `call` keyword.
    pub(super) place: Place,
}

/// A body with its places.
pub(super) struct Code<'a> {
    pub(super) body: &'a Body,
    pub(super) map: &'a SourceMap,
}

/// Appends the problems of one statement.
pub(super) fn check(owner: &Owner<'_>, code: &Code<'_>, id: StmtId, out: &mut Vec<LinearProblem>) {
    match code.body.stmt(id) {
        Stmt::Assign { targets, values, .. } => {
            check_assign(owner, code, (id, targets, values), out);
        }
        Stmt::Unpack { value, .. } => {
            let linear = owner.is_linear(code.body.exprs.ty(*value));
            if linear && as_var(&code.body.exprs, *value).is_none() {
                out.push(LinearProblem::UnpackSource { place: code.map.stmt(id) });
            }
        }
        Stmt::Call { arms, .. } => check_call(owner, code, (id, arms), out),
        Stmt::Error | Stmt::Assert { .. } | Stmt::Assume { .. } | Stmt::Havoc { .. } => {}
        Stmt::Yield { .. } => {}
        Stmt::Measure { .. } | Stmt::Visibility(_) | Stmt::If { .. } | Stmt::While { .. } => {}
        Stmt::Break { .. } | Stmt::Goto { .. } | Stmt::Label(_) | Stmt::Return => {}
    }
}

fn check_assign(
    owner: &Owner<'_>,
    code: &Code<'_>,
    (id, targets, values): (StmtId, &[Target], &[ExprId]),
    out: &mut Vec<LinearProblem>,
) {
    let mut sources = BTreeSet::new();
    let places = code.map.targets.get(&id);
    for (i, (target, value)) in targets.iter().zip(values).enumerate() {
        let ptr = places.and_then(|it| it.get(i).copied());
        let place = ptr.map_or(code.map.stmt(id), |ptr| code.map.place(ptr));
        if let Some(ty) = assigned_inside(&code.body.exprs, target.value) {
            out.push(LinearProblem::AssignInside { place, ty });
        } else if owner.is_linear(&target.ty) {
            check_source(owner, code, *value, (&mut sources, out));
        }
    }
}

/// The type `One _` or `Map _ _` whose field the path assigns, if there is one.
fn assigned_inside(exprs: &Exprs, path: ExprId) -> Option<hir::Ty> {
    let mut at = path;
    loop {
        if let Expr::Select { map, .. } = exprs.expr(at) {
            at = *map;
        } else if let Expr::Field { base, .. } = exprs.expr(at) {
            if is_one_or_map(exprs.ty(*base)) {
                return Some(exprs.ty(*base).clone());
            }
            at = *base;
        } else {
            return None;
        }
    }
}

/// Each variable may give its permissions once; a pack takes them from variables.
fn check_source(
    owner: &Owner<'_>,
    code: &Code<'_>,
    value: ExprId,
    (sources, out): (&mut BTreeSet<VarRef>, &mut Vec<LinearProblem>),
) {
    let exprs = &code.body.exprs;
    if let Some(var) = as_var(exprs, value) {
        take(code, (var, value), (sources, out));
        return;
    }
    for (field, arg) in pack_arguments(owner, exprs, value).unwrap_or_default() {
        match as_var(exprs, arg) {
            Some(var) => take(code, (var, arg), (sources, out)),
            None => out.push(LinearProblem::PackArgument { place: code.map.expr(arg), field }),
        }
    }
}

fn take(
    code: &Code<'_>,
    (var, expr): (VarRef, ExprId),
    (sources, out): (&mut BTreeSet<VarRef>, &mut Vec<LinearProblem>),
) {
    let name = var_name(&code.body.locals, &var);
    if !sources.insert(var) {
        out.push(LinearProblem::SourceTwice { place: code.map.expr(expr), name });
    }
}

/// If `value` applies a constructor of a datatype other than `One` and `Map`: the arguments for its
/// linear fields, with the names of the fields.
pub(super) fn pack_arguments(
    owner: &Owner<'_>,
    exprs: &Exprs,
    value: ExprId,
) -> Option<Vec<(Name, ExprId)>> {
    let Expr::Call { func, args, .. } = exprs.expr(value) else { return None };
    let sig = hir::func_sig(owner.db, owner.program, func.clone())?;
    if !sig.is_constructor() || is_one_or_map(exprs.ty(value)) {
        return None;
    }
    let fields = sig.params.iter().zip(args);
    let linear = fields.filter(|(_, arg)| owner.is_linear(exprs.ty(**arg)));
    Some(linear.map(|(field, arg)| (field.name.clone(), *arg)).collect())
}

fn check_call(
    owner: &Owner<'_>,
    code: &Code<'_>,
    (id, arms): (StmtId, &[Arm]),
    out: &mut Vec<LinearProblem>,
) {
    let place = code.map.stmt(id);
    if arms.len() > 1 {
        let primitive = arms.iter().position(|arm| arm.primitive.is_some());
        if let Some(nth) = primitive {
            let (arm, callee) = (arm_place(code.map, id, nth), arms[nth].callee.clone());
            out.push(LinearProblem::ParallelPrimitive { place, arm, callee });
            return;
        }
        check_parallel(owner, code, (place, arms), out);
    }
    for arm in arms {
        let (exprs, locals) = (&code.body.exprs, &code.body.locals);
        let site = CallSite { arm, exprs, locals, map: code.map, place };
        check_arm(owner, &site, out);
        if let (1, Some(callee)) = (arms.len(), owner.callee(arm)) {
            primitives::check(owner, code, (&site, &callee), out);
        }
    }
}

/// Checks the arguments of one call against the linear parameters of its callee.
pub(super) fn check_arm(owner: &Owner<'_>, site: &CallSite<'_>, out: &mut Vec<LinearProblem>) {
    let Some(callee) = owner.callee(site.arm) else { return };
    let mut given = Given::default();
    let place = site.place;
    for passing in owner.passings(site.arm, &callee) {
        let name = callee.name.clone();
        let Some(var) = passed_var(site.exprs, &passing) else {
            // `Move` wants variables whatever their type, and says so itself.
            if primitives::wants_variables(&name) {
                continue;
            }
            let arg = site.map.expr(passing.arg);
            out.push(if passing.is_path {
                LinearProblem::Path { place, arg, callee: name }
            } else {
                let param = passing.param.name.clone();
                LinearProblem::Argument { place, arg, param, callee: name }
            });
            continue;
        };
        if let (VarRef::Global(global), false) = (&var, callee.is_pure()) {
            let global = global.clone();
            out.push(LinearProblem::GlobalArgument { place, name: global, callee: name });
            continue;
        }
        let arg = site.map.expr(passing.arg);
        match given.give(&var, arg) {
            Again::No => check_global_returns(site, &callee, (&var, passing.param.linear), out),
            Again::Second(first) => {
                let (twice, var) = ([first, arg], var_name(site.locals, &var));
                out.push(LinearProblem::ArgumentTwice { place, twice, name: var, callee: name });
            }
            Again::Known => {}
        }
    }
}

/// The variables whose permissions were given, where, and whether they were given a second time.
#[derive(Default)]
struct Given(BTreeMap<VarRef, (Place, bool)>);

/// Were the permissions of a variable given before?
enum Again {
    No,
    /// Once, by this argument.
    Second(Place),
    /// Twice or more, which was complained about.
    Known,
}

impl Given {
    fn give(&mut self, var: &VarRef, arg: Place) -> Again {
        match self.0.get_mut(var) {
            None => {
                self.0.insert(var.clone(), (arg, false));
                Again::No
            }
            Some((_, true)) => Again::Known,
            Some((first, twice)) => {
                *twice = true;
                Again::Second(*first)
            }
        }
    }
}

/// A global that is given away must be received back.
fn check_global_returns(
    site: &CallSite<'_>,
    callee: &ProcSig,
    (var, kind): (&VarRef, LinearKind),
    out: &mut Vec<LinearProblem>,
) {
    let VarRef::Global(name) = var else { return };
    if kind == LinearKind::LinearIn && !site.arm.outs.contains(var) {
        let (name, callee) = (name.clone(), callee.name.clone());
        out.push(LinearProblem::GlobalLost { place: site.place, name, callee });
    }
}

/// Over all arms: procedures share no permissions, and invariants none with procedures.
fn check_parallel(
    owner: &Owner<'_>,
    code: &Code<'_>,
    (place, arms): (Place, &[Arm]),
    out: &mut Vec<LinearProblem>,
) {
    let mut given = Given::default();
    let passed = |invariants: bool| {
        let arms = arms.iter().filter_map(|arm| Some((arm, owner.callee(arm)?)));
        let arms = arms.filter(move |(_, callee)| callee.is_invariant() == invariants);
        arms.flat_map(|(arm, callee)| kind_passed(&code.body.exprs, arm, &callee))
            .collect::<Vec<_>>()
    };
    for (var, arg) in passed(false) {
        let arg = code.map.expr(arg);
        if let Again::Second(first) = given.give(&var, arg) {
            let name = var_name(&code.body.locals, &var);
            out.push(LinearProblem::ParallelTwice { place, twice: [first, arg], name });
        }
    }
    for (var, _) in passed(true) {
        if given.0.contains_key(&var) {
            let name = var_name(&code.body.locals, &var);
            out.push(LinearProblem::ParallelShared { place, name });
        }
    }
}

/// The variables passed to parameters with a linear attribute, whatever their type.
fn kind_passed(exprs: &Exprs, arm: &Arm, callee: &ProcSig) -> Vec<(VarRef, ExprId)> {
    let pairs = callee.ins.iter().zip(&arm.args);
    let linear = pairs.filter(|(param, _)| param.linear != LinearKind::Ordinary);
    linear.filter_map(|(_, arg)| Some((as_var(exprs, *arg)?, *arg))).collect()
}
