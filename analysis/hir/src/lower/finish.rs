//! The end of a walk: unknown types are put in; what nothing determines is chosen.

use base::{Name, NodePtr};

use super::Lowering;
use crate::infer::Infer;
use crate::problem::{Fault, Problem};
use crate::{Arm, Expr, Stmt, Ty, TySubst};

impl Lowering<'_> {
    /// Puts in all inferred types. Type parameters that nothing determines become `int` with a
    /// warning if there was no error, silently otherwise (language.md 5.2).
    pub(crate) fn finish(&mut self) {
        let clean = self.problems.is_empty();
        for open in std::mem::take(&mut self.open) {
            if self.infer.shallow(&Ty::Infer(open.var)) != Ty::Infer(open.var) {
                let rest = self.infer.resolve(&Ty::Infer(open.var));
                if !rest.has_infer() {
                    continue;
                }
            }
            let unknown = first_unknown(&self.infer.resolve(&Ty::Infer(open.var)));
            if let Some(var) = unknown {
                self.infer.default_to(var, Ty::Int);
                if clean {
                    let fault = Fault::AmbiguousType { name: open.param, chosen: Ty::Int };
                    self.problems.push(Problem { place: open.place, fault });
                }
            }
        }
        let infer = std::mem::take(&mut self.infer);
        self.map_types(&|ty| known(&infer, ty));
        self.infer = infer;
    }

    /// Changes every type in expressions and statements.
    fn map_types(&mut self, change: &dyn Fn(&Ty) -> Ty) {
        for ty in &mut self.exprs.types {
            *ty = change(ty);
        }
        for bound in &mut self.exprs.bound {
            bound.ty = change(&bound.ty);
        }
        for expr in &mut self.exprs.exprs {
            finish_expr(change, expr);
        }
        for stmt in &mut self.stmts {
            finish_stmt(change, stmt);
        }
    }

    /// The type parameters of an implementation, by position, become those of its procedure: all
    /// readers of a body know them by the names of the declaration.
    pub(crate) fn rename_type_params(&mut self, own: &[Name], declared: &[Name]) {
        let pairs = own.iter().zip(declared).filter(|(own, declared)| own != declared);
        let renaming: TySubst =
            pairs.map(|(own, declared)| (own.clone(), Ty::Param(declared.clone()))).collect();
        if renaming.is_empty() {
            return;
        }
        if let Some((name, ptr)) = self.bound_type_param(declared) {
            let fault = Fault::DuplicateLocal { noun: "type variable", name, first: None };
            self.problem(ptr, fault);
        }
        self.map_types(&|ty| ty.subst(&renaming));
        for local in &mut self.locals {
            local.ty = local.ty.subst(&renaming);
        }
    }

    /// A type parameter of a quantifier, lambda or map type inside the body that has one of these
    /// names, and would be mistaken for it.
    fn bound_type_param(&self, names: &[Name]) -> Option<(Name, NodePtr)> {
        let of_map = |ty: &Ty| match ty {
            Ty::Map(map) => map.params.iter().find(|it| names.contains(it)).cloned(),
            Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => None,
            Ty::String | Ty::Regex | Ty::Param(_) | Ty::Ctor(..) | Ty::Infer(_) | Ty::Error => None,
        };
        let in_type = |ty: &Ty| {
            let found = std::cell::RefCell::new(None);
            ty.any(&|part| of_map(part).map(|name| found.replace(Some(name))).is_some());
            found.into_inner()
        };
        for (nth, expr) in self.exprs.exprs.iter().enumerate() {
            let (Expr::Quant { type_params, .. } | Expr::Lambda { type_params, .. }) = expr else {
                continue;
            };
            if let Some(name) = type_params.iter().find(|it| names.contains(it)) {
                return Some((name.clone(), self.map.exprs[nth]));
            }
        }
        let typed = self.exprs.types.iter().zip(&self.map.exprs);
        typed.filter_map(|(ty, ptr)| Some((in_type(ty)?, *ptr))).next()
    }
}

fn first_unknown(ty: &Ty) -> Option<crate::InferVar> {
    let found = std::cell::Cell::new(None);
    ty.any(&|part| {
        if let Ty::Infer(var) = part {
            found.set(Some(*var));
        }
        matches!(part, Ty::Infer(_))
    });
    found.get()
}

/// The type; unknown parts that belong to no type parameter become errors.
fn known(infer: &Infer, ty: &Ty) -> Ty {
    let ty = infer.resolve(ty);
    if ty.has_infer() { without_unknowns(&ty) } else { ty }
}

fn without_unknowns(ty: &Ty) -> Ty {
    if let Ty::Infer(_) = ty { Ty::Int } else { ty.map_parts(&mut without_unknowns) }
}

fn change_all(change: &dyn Fn(&Ty) -> Ty, types: &mut [Ty]) {
    for ty in types {
        *ty = change(ty);
    }
}

fn finish_expr(change: &dyn Fn(&Ty) -> Ty, expr: &mut Expr) {
    match expr {
        Expr::Call { type_args, .. } => change_all(change, type_args),
        Expr::Select { type_args, .. } | Expr::Store { type_args, .. } => {
            change_all(change, type_args);
        }
        Expr::Coerce { ty, .. } => *ty = change(ty),
        Expr::Missing | Expr::Literal(_) | Expr::Local(_) | Expr::Global(_) | Expr::Const(_) => {}
        Expr::Bound(_) | Expr::Old(_) | Expr::Quant { .. } | Expr::Lambda { .. } => {}
        Expr::Let { .. } | Expr::Ite { .. } | Expr::Field { .. } | Expr::FieldUpdate { .. } => {}
        Expr::Is { .. } | Expr::Unary { .. } | Expr::Binary { .. } => {}
        Expr::Convert { .. } | Expr::Extract { .. } => {}
    }
}

/// Puts inferred types into an arm.
pub(crate) fn finish_arm(infer: &Infer, arm: &mut Arm) {
    change_all(&|ty| known(infer, ty), &mut arm.type_args);
}

fn finish_stmt(change: &dyn Fn(&Ty) -> Ty, stmt: &mut Stmt) {
    match stmt {
        Stmt::Assign { targets, .. } => {
            for target in targets {
                target.ty = change(&target.ty);
            }
        }
        Stmt::Unpack { type_args, .. } => change_all(change, type_args),
        Stmt::Call { arms, .. } => {
            arms.iter_mut().for_each(|arm| change_all(change, &mut arm.type_args));
        }
        Stmt::Error | Stmt::Assert { .. } | Stmt::Assume { .. } | Stmt::Havoc { .. } => {}
        Stmt::Yield { .. } => {}
        Stmt::Measure { .. } | Stmt::Visibility(_) | Stmt::If { .. } => {}
        Stmt::While { .. } | Stmt::Break { .. } | Stmt::Goto { .. } | Stmt::Label(_) => {}
        Stmt::Return => {}
    }
}
