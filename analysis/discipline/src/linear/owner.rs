//! What the linear checks need to know about the procedure they look at.
//!
//! # Invariants
//! - The kinds of formals come from the signature that callers see, also inside an
//!   `implementation` whose own formals may be written without attributes.
//! - Inside a polymorphic body every type parameter counts as linear, since it may be instantiated
//!   that way. So the body is right for all instances.

use std::sync::Arc;

use base::{DeclId, DeclKind, Name, Program};
use hir::{
    Arm, Body, Expr, ExprId, Exprs, LinearKind, Local, LocalId, Param, ProcSig, Ty, TySubst, VarRef,
};

use super::types::{self, ONE};
use crate::Db;

/// The procedure whose body or specifications are checked.
pub(super) struct Owner<'a> {
    pub(super) db: &'a dyn Db,
    pub(super) program: Program,
    pub(super) sig: Arc<ProcSig>,
    generic: TySubst,
}

/// An argument that meets a linear parameter.
pub(super) struct Passing<'s> {
    pub(super) param: &'s Param,
    pub(super) arg: ExprId,
    /// The argument is a path into a variable, changed by the primitive.
    pub(super) is_path: bool,
}

impl<'a> Owner<'a> {
    pub(super) fn new(db: &'a dyn Db, program: Program, sig: Arc<ProcSig>) -> Owner<'a> {
        let opaque = |name: &Name| Ty::ctor(ONE, [Ty::ctor(name.clone(), [])]);
        let generic = sig.type_params.iter().map(|it| (it.clone(), opaque(it))).collect();
        Owner { db, program, sig, generic }
    }

    /// Does a value of this type hold permissions?
    pub(super) fn is_linear(&self, ty: &Ty) -> bool {
        types::is_linear(self.db, self.program, &ty.subst(&self.generic))
    }

    /// The attribute of a formal; ordinary for locals.
    pub(super) fn kind(&self, local: LocalId) -> LinearKind {
        self.sig.formals().nth(local.index()).map_or(LinearKind::Ordinary, |param| param.linear)
    }

    /// Is this an in-parameter?
    pub(super) fn is_in(&self, local: LocalId) -> bool {
        local.index() < self.sig.ins.len()
    }

    /// The signature of a callee, if it exists and the arguments fit it in number.
    pub(super) fn callee(&self, arm: &Arm) -> Option<Arc<ProcSig>> {
        let sig = hir::proc_sig(self.db, self.program, arm.callee.clone())?;
        (arm.resolved && sig.ins.len() == arm.args.len() && sig.outs.len() == arm.outs.len())
            .then_some(sig)
    }

    /// The arguments that meet parameters with linear kind and linear type.
    pub(super) fn passings<'s>(&self, arm: &Arm, callee: &'s ProcSig) -> Vec<Passing<'s>> {
        let subst = arm_subst(arm, callee);
        let is_primitive = callee.primitive.is_some();
        let pairs = callee.ins.iter().zip(&arm.args);
        let linear = pairs.filter(|(param, _)| self.is_linear_param(param, &subst));
        linear
            .map(|(param, arg)| {
                let is_path = is_primitive && param.linear == LinearKind::Linear;
                Passing { param, arg: *arg, is_path }
            })
            .collect()
    }

    /// The results, each with whether its out-parameter has linear kind and linear type.
    pub(super) fn results<'s>(&self, arm: &'s Arm, callee: &ProcSig) -> Vec<(&'s VarRef, bool)> {
        let subst = arm_subst(arm, callee);
        let is_given = |param: &Param| {
            param.linear == LinearKind::Linear && self.is_linear(&param.ty.subst(&subst))
        };
        arm.outs.iter().zip(callee.outs.iter()).map(|(var, param)| (var, is_given(param))).collect()
    }

    fn is_linear_param(&self, param: &Param, subst: &TySubst) -> bool {
        param.linear != LinearKind::Ordinary && self.is_linear(&param.ty.subst(subst))
    }

    /// The type of a variable.
    pub(super) fn var_ty(&self, body: &Body, var: &VarRef) -> Ty {
        match var {
            VarRef::Local(id) => body.local(*id).ty.clone(),
            VarRef::Global(name) => {
                let global = hir::global(self.db, self.program, name.clone());
                global.map_or(Ty::Error, |it| it.ty.clone())
            }
            VarRef::Error => Ty::Error,
        }
    }

    /// The linear globals of the program, in declaration order.
    pub(super) fn linear_globals(&self) -> Arc<[Name]> {
        linear_globals(self.db, self.program)
    }
}

/// The name a variable is written with.
pub(super) fn var_name(locals: &[Local], var: &VarRef) -> Name {
    match var {
        VarRef::Local(id) => {
            locals.get(id.index()).map_or_else(Name::missing, |it| it.name.clone())
        }
        VarRef::Global(name) => name.clone(),
        VarRef::Error => Name::missing(),
    }
}

fn arm_subst(arm: &Arm, callee: &ProcSig) -> TySubst {
    callee.type_params.iter().cloned().zip(arm.type_args.iter().cloned()).collect()
}

/// The variable an expression is, if it is nothing else.
pub(super) fn as_var(exprs: &Exprs, id: ExprId) -> Option<VarRef> {
    if let Expr::Local(local) = exprs.expr(id) {
        Some(VarRef::Local(*local))
    } else if let Expr::Global(name) = exprs.expr(id) {
        Some(VarRef::Global(name.clone()))
    } else {
        None
    }
}

/// The variable at the root of a path `x[i]->f..`.
pub(super) fn path_root(exprs: &Exprs, id: ExprId) -> Option<VarRef> {
    let mut at = id;
    loop {
        if let Expr::Select { map: inner, .. } | Expr::Field { base: inner, .. } = exprs.expr(at) {
            at = *inner;
        } else {
            return as_var(exprs, at);
        }
    }
}

/// The variable an argument stands for: itself, or the root of its path.
pub(super) fn passed_var(exprs: &Exprs, passing: &Passing<'_>) -> Option<VarRef> {
    if passing.is_path { path_root(exprs, passing.arg) } else { as_var(exprs, passing.arg) }
}

/// The global variables that own permissions, in declaration order.
///
/// Reads the declarations of globals only; no edit inside a body reaches it.
#[salsa::tracked(returns(clone))]
fn linear_globals(db: &dyn Db, program: Program) -> Arc<[Name]> {
    let decls = hir::program_decls(db, program);
    let is_var = |decl: &&DeclId| decl.kind(db) == DeclKind::Var;
    let globals = decls.iter().filter(is_var).filter_map(|it| hir::global_of(db, program, *it));
    globals
        .filter(|it| it.linear != LinearKind::Ordinary && types::is_linear(db, program, &it.ty))
        .map(|it| it.name.clone())
        .collect()
}
