//! Recursions that obviously end because a parameter counts.
//!
//! **In:** a procedure that calls itself. **Out:** does every such call move one parameter by a
//! constant towards a bound that a precondition names and that the calls hand on unchanged?
//!
//! # Soundness
//! The precondition holds at every call: the obligations of the layer prove it there. So the
//! distance between parameter and bound is never negative, and it gets smaller with each call.

use hir::{ClauseKind, Expr, ExprId, Layer, LocalId, Specs};

use super::counting::{Scope, Way, bounds, is_step};
use crate::yields::Code;

/// Do the calls that the procedure makes of itself obviously end?
pub(super) fn ends(code: &Code<'_>, layer: Layer) -> bool {
    let Some(specs) = hir::specs(code.db, code.program, code.sig.decl) else { return false };
    let calls = own_calls(code);
    limits(&specs, layer).into_iter().any(|(param, bound, way)| {
        is_handed_on(code, &specs, &calls, bound)
            && calls.iter().all(|args| {
                let arg = args.get(param.index());
                arg.is_some_and(|arg| is_step(&Scope::of_body(code), *arg, (param, way)))
            })
    })
}

/// The arguments of each call that the procedure makes of itself.
fn own_calls<'a>(code: &Code<'a>) -> Vec<&'a [ExprId]> {
    let ids = (0..code.body.stmts.len()).map(hir::StmtId::from_index);
    let arms = ids.flat_map(|id| code.call(id).map(|(arms, _)| arms).unwrap_or_default());
    arms.filter(|arm| arm.callee == code.sig.name).map(|arm| &*arm.args).collect()
}

/// The parameters that a precondition of the layer bounds, with the bound and the way towards it.
pub(super) fn limits(specs: &Specs, layer: Layer) -> Vec<(LocalId, ExprId, Way)> {
    let required = specs.clauses.iter().filter(|it| {
        let kinds = [ClauseKind::Requires, ClauseKind::Preserves];
        kinds.contains(&it.kind) && it.layers.contains(layer) && !it.free
    });
    let scope = Scope { exprs: &specs.exprs, locals: &specs.locals };
    required.flat_map(|clause| bounds(&scope, clause.expr)).collect()
}

/// Is the bound, an expression of the specification, the same in each call: a number, a constant or
/// an input that is passed as it is?
fn is_handed_on(code: &Code<'_>, specs: &Specs, calls: &[&[ExprId]], bound: ExprId) -> bool {
    let bound = specs.exprs.expr(bound);
    let Expr::Local(param) = bound else {
        return matches!(bound, Expr::Literal(_) | Expr::Const(_));
    };
    calls.iter().all(|args| {
        let arg = args.get(param.index());
        arg.is_some_and(|arg| *code.body.exprs.expr(*arg) == Expr::Local(*param))
    })
}
