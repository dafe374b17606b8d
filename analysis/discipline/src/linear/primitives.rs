//! Extra rules for calls of the linear primitives (language.md 10.3, 10.5).
//!
//! **In:** one call of a primitive. **Out:** problems with its path, its other arguments and the
//! variable it changes.

use base::Name;
use hir::{Expr, ExprId, Exprs, ProcSig, VarRef};

use super::commands::{CallSite, Code};
use super::owner::{Owner, as_var, path_root, var_name};
use super::types::{MAP, ONE};
use crate::problem::LinearProblem;

/// What a primitive wants of its arguments besides the kinds of its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wants {
    /// Nothing.
    Nothing,
    /// Both arguments are variables.
    Variables,
    /// The first argument is a path.
    Path,
    /// The first argument is a path to a value without permissions.
    OrdinaryPath,
}

/// The primitives and what they want.
const WANTS: &[(&str, Wants)] = &[
    ("Loc_New", Wants::Nothing),
    ("Tag_New", Wants::Nothing),
    ("Tags_New", Wants::Nothing),
    ("Map_MakeEmpty", Wants::Nothing),
    ("Move", Wants::Variables),
    ("One_Get", Wants::Path),
    ("One_Put", Wants::Path),
    ("Map_Get", Wants::Path),
    ("Map_Put", Wants::Path),
    ("Map_Split", Wants::Path),
    ("Map_Join", Wants::Path),
    ("Path_Load", Wants::OrdinaryPath),
    ("Path_Store", Wants::OrdinaryPath),
];

/// The primitive that writes the value at the end of a path.
const STORE: &str = "Path_Store";

fn wants(callee: &Name) -> Wants {
    let row = WANTS.iter().find(|(name, _)| *callee == *name);
    row.map_or(Wants::Nothing, |(_, wants)| *wants)
}

/// Does the callee want variables for all its arguments?
pub(super) fn wants_variables(callee: &Name) -> bool {
    wants(callee) == Wants::Variables
}

/// Appends the problems of a call, if its callee is a primitive.
pub(super) fn check(
    owner: &Owner<'_>,
    code: &Code<'_>,
    (site, callee): (&CallSite<'_>, &ProcSig),
    out: &mut Vec<LinearProblem>,
) {
    let Some(primitive) = callee.primitive else { return };
    check_arguments(owner, (site, callee), out);
    if primitive.modifies_first {
        check_modified(owner, code, (site, callee), out);
    }
}

fn check_arguments(
    owner: &Owner<'_>,
    (site, callee): (&CallSite<'_>, &ProcSig),
    out: &mut Vec<LinearProblem>,
) {
    let wants = wants(&callee.name);
    let place = site.place;
    match wants {
        Wants::Nothing => {}
        Wants::Variables => {
            for arg in site.arm.args.iter().filter(|arg| as_var(site.exprs, **arg).is_none()) {
                out.push(LinearProblem::MoveArgument { place, arg: site.map.expr(*arg) });
            }
        }
        Wants::Path | Wants::OrdinaryPath => {
            let Some(first) = site.arm.args.first().copied() else { return };
            let arg = site.map.expr(first);
            let ty = site.exprs.ty(first);
            let known = out
                .iter()
                .any(|it| matches!(it, LinearProblem::Path { arg: seen, .. } if *seen == arg));
            let name = callee.name.clone();
            if !known && !is_legal_path(site.exprs, first, owner.is_linear(ty)) {
                out.push(LinearProblem::Path { place, arg, callee: name.clone() });
            } else if name == STORE && is_all_values(site.exprs, first) {
                out.push(LinearProblem::StoreAllValues { place, arg });
            }
            if wants == Wants::OrdinaryPath && owner.is_linear(ty) {
                let ty = ty.clone();
                out.push(LinearProblem::PathNotOrdinary { place, arg, ty, callee: name });
            }
        }
    }
}

/// The function from keys to values inside a `Map`. Storing it would give keys values that nobody put
/// there, permissions among them, and keys outside the domain other values than the default.
fn is_all_values(exprs: &Exprs, path: ExprId) -> bool {
    let Expr::Field { base, field } = exprs.expr(path) else { return false };
    *field == "val" && exprs.ty(*base).as_ctor().is_some_and(|(name, _)| *name == MAP)
}

/// A path that goes neither into a `One` nor into the domain of a `Map`. One to permissions goes through
/// ordinary maps nowhere: a map type holds none, so its values are copied freely, and the root says
/// nothing about what is found there.
fn is_legal_path(exprs: &Exprs, path: ExprId, to_permissions: bool) -> bool {
    let mut at = path;
    loop {
        if let Expr::Select { map, .. } = exprs.expr(at) {
            if to_permissions && !is_all_values(exprs, *map) {
                return false;
            }
            at = *map;
        } else if let Expr::Field { base, field } = exprs.expr(at) {
            let ty = exprs.ty(*base).as_ctor();
            let forbidden =
                |(name, _): (&Name, &[hir::Ty])| *name == ONE || *name == MAP && *field == "dom";
            if ty.is_some_and(forbidden) {
                return false;
            }
            at = *base;
        } else {
            return as_var(exprs, at).is_some();
        }
    }
}

/// The root of the first argument is changed: it must be something that may change.
fn check_modified(
    owner: &Owner<'_>,
    code: &Code<'_>,
    (site, callee): (&CallSite<'_>, &ProcSig),
    out: &mut Vec<LinearProblem>,
) {
    let Some(first) = site.arm.args.first().copied() else { return };
    let Some(var) = path_root(site.exprs, first) else { return };
    let (place, name, callee) = (site.place, var_name(site.locals, &var), callee.name.clone());
    match &var {
        VarRef::Local(id) if owner.is_in(*id) => {
            let decl = code.map.local(*id);
            out.push(LinearProblem::PrimitiveInput { place, name, callee, decl });
        }
        VarRef::Local(_) | VarRef::Global(_) if site.arm.outs.contains(&var) => {
            out.push(LinearProblem::PrimitiveResult { place, name, callee });
        }
        VarRef::Global(global) => {
            let inferred = hir::infers_modifies(owner.db, owner.program);
            let allowed = owner.sig.is_yield_procedure() || owner.sig.modifies.contains(global);
            if !inferred && !allowed {
                let owner = owner.sig.name.clone();
                out.push(LinearProblem::PrimitiveModifies { place, name, owner });
            }
        }
        VarRef::Local(_) | VarRef::Error => {}
    }
}

#[cfg(test)]
mod tests {
    use super::WANTS;

    #[test]
    fn every_primitive_has_a_row() {
        let known: Vec<&str> = hir::PRIMITIVES.iter().map(|it| it.name).collect();
        for name in &known {
            assert!(WANTS.iter().any(|(row, _)| row == name), "{name}");
        }
        assert_eq!(known.len(), WANTS.len());
    }
}
