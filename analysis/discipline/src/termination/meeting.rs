//! Loops that obviously end because a counter meets its bound.
//!
//! **In:** a loop with a guard `v != bound`. **Out:** does `v` start on one side of the bound, and
//! does each round move it by exactly one towards it?
//!
//! # Soundness
//! A number that moves by one from at most the bound upwards meets the bound. What the
//! preconditions of the layer say about an input is proved at every call.

use hir::{
    BinaryOp, BlockId, Command, Expr, ExprId, Layer, Literal, LocalId, LocalKind, Loop, Stmt, Ty,
    VarRef,
};
use num_bigint::BigInt;

use super::counting::{Way, conjuncts, has_round_without, is_fixed, may_write, writes};
use super::recursion::limits;
use crate::yields::Code;

/// Does a counter of the loop meet a bound that its guard names?
pub(super) fn ends(code: &Code<'_>, around: &Loop, guard: ExprId, layer: Layer) -> bool {
    conjuncts(code, guard).into_iter().any(|id| {
        let Expr::Binary { op: BinaryOp::Ne, lhs, rhs } = code.body.exprs.expr(id) else {
            return false;
        };
        meets(code, around, (*lhs, *rhs), layer) || meets(code, around, (*rhs, *lhs), layer)
    })
}

fn meets(code: &Code<'_>, around: &Loop, (counter, bound): (ExprId, ExprId), layer: Layer) -> bool {
    let Expr::Local(var) = code.body.exprs.expr(counter) else { return false };
    if code.body.local(*var).ty != Ty::Int || !is_fixed(code, around, bound) {
        return false;
    }
    let (Some(way), Some(start)) = (way_by_one(code, around, *var), start(code, around, *var))
    else {
        return false;
    };
    nearest(code, bound, way, layer).iter().any(|nearest| match way {
        Way::Up => start <= nearest,
        Way::Down => start >= nearest,
    })
}

/// The way in which each round moves the variable by one, exactly once.
fn way_by_one(code: &Code<'_>, around: &Loop, var: LocalId) -> Option<Way> {
    let found = writes(code, around, var);
    let [(block, stmt)] = &*found else { return None };
    let own = innermost(code, *block) == Some(around.header);
    if !own || has_round_without(code, around, &[*block].into()) {
        return None;
    }
    let value = assigned(code, *stmt, var)?;
    let Expr::Binary { op, lhs, rhs } = code.body.exprs.expr(value) else { return None };
    let is_var = |id: ExprId| *code.body.exprs.expr(id) == Expr::Local(var);
    let is_one = |id: ExprId| number(code, id).is_some_and(|it| *it == BigInt::from(1));
    if *op == BinaryOp::Add && (is_var(*lhs) && is_one(*rhs) || is_one(*lhs) && is_var(*rhs)) {
        Some(Way::Up)
    } else if *op == BinaryOp::Sub && is_var(*lhs) && is_one(*rhs) {
        Some(Way::Down)
    } else {
        None
    }
}

/// The header of the smallest loop around a block.
fn innermost(code: &Code<'_>, block: BlockId) -> Option<BlockId> {
    let around = code.cfg.loops.iter().filter(|it| it.blocks.contains(&block));
    around.min_by_key(|it| it.blocks.len()).map(|it| it.header)
}

/// The number that the variable is when the loop is entered.
fn start<'a>(code: &Code<'a>, around: &Loop, var: LocalId) -> Option<&'a BigInt> {
    let before = code.cfg.predecessors();
    let before = before.get(around.header.index())?;
    let mut entries = before.iter().filter(|it| !around.back_edges.contains(it));
    let (Some(entry), None) = (entries.next(), entries.next()) else { return None };
    let last = code.cfg.block(*entry).commands.iter().rev().find_map(|command| match command {
        Command::Stmt(id) => may_write(code, *id, var).then_some(*id),
        Command::Guard { .. } => None,
    });
    number(code, assigned(code, last?, var)?)
}

/// What the statement assigns to the variable.
fn assigned(code: &Code<'_>, stmt: hir::StmtId, var: LocalId) -> Option<ExprId> {
    let Stmt::Assign { targets, values, .. } = code.body.stmt(stmt) else { return None };
    let target = |it: &hir::Target| it.root == VarRef::Local(var) && it.path.is_empty();
    values.get(targets.iter().position(target)?).copied()
}

fn number<'a>(code: &Code<'a>, id: ExprId) -> Option<&'a BigInt> {
    let Expr::Literal(Literal::Int(number)) = code.body.exprs.expr(id) else { return None };
    Some(number)
}

/// Numbers that the bound does not lie before, on the given way.
fn nearest(code: &Code<'_>, bound: ExprId, way: Way, layer: Layer) -> Vec<BigInt> {
    if let Some(number) = number(code, bound) {
        return vec![number.clone()];
    }
    let Expr::Local(input) = code.body.exprs.expr(bound) else { return Vec::new() };
    let specs = hir::specs(code.db, code.program, code.sig.decl);
    let is_input = code.body.local(*input).kind == LocalKind::In;
    let Some(specs) = specs.filter(|_| is_input) else { return Vec::new() };
    // The limit of the input lies the other way.
    let mut out = Vec::new();
    for (param, limit, towards) in limits(&specs, layer) {
        if let Expr::Literal(Literal::Int(number)) = specs.exprs.expr(limit)
            && param == *input
            && towards != way
        {
            out.push(number.clone());
        }
    }
    out
}
