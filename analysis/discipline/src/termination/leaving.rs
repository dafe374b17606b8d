//! Loops that are never left because their guard is one of their invariants.
//!
//! **In:** the negated guard on the way out of a loop. **Out:** does an invariant of the loop say that
//! it never holds?
//!
//! # Soundness
//! What is said here only refuses programs. The obligations prove the invariant, so that at the head
//! the guard holds, and the way out is none.

use hir::pretty::Printer;
use hir::{BinaryOp, Command, Expr, ExprId, Layer, Stmt};

use super::counting::conjuncts;
use crate::yields::Code;

/// Is this the way out of a loop whose guard is part of its invariants at `layer`?
pub(super) fn is_no_way_out(code: &Code<'_>, command: Command, layer: Layer) -> bool {
    let Command::Guard { cond, negated: true, of } = command else { return false };
    let Stmt::While { head, .. } = code.body.stmt(of) else { return false };
    let mut known = Vec::new();
    for id in head {
        if let Stmt::Assert { expr, layers, .. } = code.body.stmt(*id)
            && super::counts(code.sig, layers, layer)
        {
            known.extend(conjuncts(code, *expr).into_iter().filter_map(|it| comparison(code, it)));
        }
    }
    let holds = |id: ExprId| comparison(code, id).is_some_and(|it| known.contains(&it));
    conjuncts(code, cond).into_iter().all(holds)
}

/// A comparison as text; `old` of what does not change between two states is left out.
fn comparison(code: &Code<'_>, id: ExprId) -> Option<(BinaryOp, String, String)> {
    let Expr::Binary { op, lhs, rhs } = code.body.exprs.expr(id) else { return None };
    let printer = Printer { exprs: &code.body.exprs, locals: &code.body.locals };
    let side = |id: ExprId| printer.expr(without_old(code, id));
    Some((*op, side(*lhs), side(*rhs)))
}

/// What an expression is inside `old` if no global is there.
fn without_old(code: &Code<'_>, mut id: ExprId) -> ExprId {
    while let Expr::Old(inner) = code.body.exprs.expr(id) {
        let mut todo = vec![*inner];
        while let Some(part) = todo.pop() {
            let expr = code.body.exprs.expr(part);
            if matches!(expr, Expr::Global(_)) {
                return id;
            }
            todo.extend(expr.children());
        }
        id = *inner;
    }
    id
}
