//! The end of a walk: unknown types are put in; what nothing determines is chosen.

use super::Lowering;
use crate::infer::Infer;
use crate::problem::{Fault, Problem};
use crate::{Arm, Expr, Stmt, Ty};

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
        let infer = &self.infer;
        for ty in &mut self.exprs.types {
            *ty = known(infer, ty);
        }
        for bound in &mut self.exprs.bound {
            bound.ty = known(infer, &bound.ty);
        }
        for expr in &mut self.exprs.exprs {
            finish_expr(infer, expr);
        }
        for stmt in &mut self.stmts {
            finish_stmt(infer, stmt);
        }
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

fn all_known(infer: &Infer, types: &mut [Ty]) {
    for ty in types {
        *ty = known(infer, ty);
    }
}

fn finish_expr(infer: &Infer, expr: &mut Expr) {
    match expr {
        Expr::Call { type_args, .. } => all_known(infer, type_args),
        Expr::Select { type_args, .. } | Expr::Store { type_args, .. } => {
            all_known(infer, type_args);
        }
        Expr::Coerce { ty, .. } => *ty = known(infer, ty),
        Expr::Missing | Expr::Literal(_) | Expr::Local(_) | Expr::Global(_) | Expr::Const(_) => {}
        Expr::Bound(_) | Expr::Old(_) | Expr::Quant { .. } | Expr::Lambda { .. } => {}
        Expr::Let { .. } | Expr::Ite { .. } | Expr::Field { .. } | Expr::FieldUpdate { .. } => {}
        Expr::Is { .. } | Expr::Unary { .. } | Expr::Binary { .. } => {}
        Expr::Convert { .. } | Expr::Extract { .. } => {}
    }
}

/// Puts inferred types into an arm.
pub(crate) fn finish_arm(infer: &Infer, arm: &mut Arm) {
    all_known(infer, &mut arm.type_args);
}

fn finish_stmt(infer: &Infer, stmt: &mut Stmt) {
    match stmt {
        Stmt::Assign { targets, .. } => {
            for target in targets {
                target.ty = known(infer, &target.ty);
            }
        }
        Stmt::Unpack { type_args, .. } => all_known(infer, type_args),
        Stmt::Call { arms, .. } => arms.iter_mut().for_each(|arm| finish_arm(infer, arm)),
        Stmt::Error | Stmt::Assert { .. } | Stmt::Assume { .. } | Stmt::Havoc { .. } => {}
        Stmt::Yield { .. } => {}
        Stmt::Measure { .. } | Stmt::Visibility(_) | Stmt::If { .. } => {}
        Stmt::While { .. } | Stmt::Break { .. } | Stmt::Goto { .. } | Stmt::Label(_) => {}
        Stmt::Return => {}
    }
}
