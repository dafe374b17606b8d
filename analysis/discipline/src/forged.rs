//! Vectors that are built or changed by hand.
//!
//! **In:** the expressions and statements of one declaration of the user. **Out:** every place that
//! uses the constructor of the library's `Vec`, or writes one of its fields.
//!
//! # Soundness
//! The library's axioms say that no vector has a negative length or contents beyond its length. The
//! library's own functions keep that; a vector made otherwise could contradict the axioms, and then
//! everything could be proved.

use base::{DeclId, LibraryName, Name, Place, Program};
use hir::{Body, Expr, ExprId, Exprs, SourceMap, Stmt, StmtId, Ty};

use crate::Db;
use crate::problem::LayerProblem;

const VECTOR: &str = "Vec";

pub(crate) fn check(db: &dyn Db, program: Program, decl: DeclId, out: &mut Vec<LayerProblem>) {
    if decl.file(db).library(db).is_some() || !vector_is_the_library_s(db, program) {
        return;
    }
    let mut problem = |at: Place| out.push(LayerProblem::ForgedVector { at });
    if let Some((body, map)) = hir::body(db, program, decl).zip(hir::body_map(db, program, decl)) {
        check_exprs(&body.exprs, &map, &mut problem);
        check_writes(&body, &map, &mut problem);
    }
    if let Some((specs, map)) = hir::specs(db, program, decl).zip(hir::specs_map(db, program, decl))
    {
        check_exprs(&specs.exprs, &map, &mut problem);
    }
    let function = hir::expr_body(db, program, decl).zip(hir::expr_body_map(db, program, decl));
    if let Some((function, map)) = function {
        check_exprs(&function.exprs, &map, &mut problem);
    }
}

fn vector_is_the_library_s(db: &dyn Db, program: Program) -> bool {
    let decl = hir::lookup_func(db, program, Name::new(VECTOR));
    decl.is_some_and(|it| it.file(db).library(db) == Some(LibraryName::Base))
}

fn is_vector(ty: &Ty) -> bool {
    matches!(ty, Ty::Ctor(name, _) if name.as_str() == VECTOR)
}

/// The constructor, and updates of a field.
fn check_exprs(exprs: &Exprs, map: &SourceMap, problem: &mut impl FnMut(Place)) {
    for id in (0..exprs.len()).map(ExprId::from_index) {
        let forged = if let Expr::Call { func, .. } = exprs.expr(id) {
            func.as_str() == VECTOR
        } else if let Expr::FieldUpdate { base, .. } = exprs.expr(id) {
            is_vector(exprs.ty(*base))
        } else {
            false
        };
        if forged {
            problem(map.expr(id));
        }
    }
}

/// Assignments and primitives that write to a place inside a vector. A result of a call is a
/// variable, never a place inside one.
fn check_writes(body: &Body, map: &SourceMap, problem: &mut impl FnMut(Place)) {
    for (index, stmt) in body.stmts.iter().enumerate() {
        let mut paths = Vec::new();
        if let Stmt::Assign { targets, .. } = stmt {
            paths.extend(targets.iter().map(|it| it.value));
        } else if let Stmt::Call { arms, .. } = stmt {
            let writes = |it: &&hir::Arm| it.primitive.is_some_and(|it| it.modifies_first);
            let stores = arms.iter().filter(writes);
            paths.extend(stores.filter_map(|it| it.args.first()).copied());
        }
        for path in paths {
            if goes_through_vector(&body.exprs, path) {
                problem(map.stmt(StmtId::from_index(index)));
            }
        }
    }
}

fn goes_through_vector(exprs: &Exprs, path: ExprId) -> bool {
    let mut at = path;
    loop {
        if let Expr::Select { map, .. } = exprs.expr(at) {
            at = *map;
        } else if let Expr::Field { base, .. } = exprs.expr(at) {
            if is_vector(exprs.ty(*base)) {
                return true;
            }
            at = *base;
        } else {
            return false;
        }
    }
}
