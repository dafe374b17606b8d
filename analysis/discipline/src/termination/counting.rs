//! Loops that obviously end because they count.
//!
//! **In:** a natural loop. **Out:** does each round move a local variable by a constant towards a
//! bound that the loop does not change, and does the guard hold the variable off that bound?
//!
//! # Soundness
//! The distance between variable and bound gets smaller in each round and is not negative at its
//! start. Where that takes an invariant of the loop, the obligations prove the invariant. Nothing in
//! the loop may write any part of the bound, or of the variable but by its steps: assignments,
//! unpacks, results of calls, and what primitives change through a path.

use std::collections::BTreeSet;

use hir::pretty::Printer;
use hir::{
    BinaryOp, BlockId, Command, Expr, ExprId, Exprs, Layer, Literal, Local, LocalId, Loop, Stmt,
    StmtId, VarRef,
};
use num_bigint::Sign;

use super::meeting;
use crate::yields::Code;

/// Which way the variable must move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Up,
    Down,
}

/// Expressions, and what their variables are.
pub(super) struct Scope<'a> {
    pub(super) exprs: &'a Exprs,
    pub(super) locals: &'a [Local],
}

impl<'a> Scope<'a> {
    pub(super) fn of_body(code: &Code<'a>) -> Scope<'a> {
        Scope { exprs: &code.body.exprs, locals: &code.body.locals }
    }
}

/// Does the loop obviously end?
pub(super) fn ends(code: &Code<'_>, around: &Loop, layer: Layer) -> bool {
    let head = code.cfg.block(around.header).head.as_ref();
    let Some(Stmt::While { guard: Some(guard), .. }) =
        head.and_then(|head| head.stmt).map(|id| code.body.stmt(id))
    else {
        return false;
    };
    let mut found = bounds(&Scope::of_body(code), *guard);
    found.extend(approached(code, *guard, &invariants(code, around, layer)));
    found
        .into_iter()
        .any(|(var, bound, way)| is_fixed(code, around, bound) && moves(code, around, (var, way)))
        || meeting::ends(code, around, *guard, layer)
}

/// The variables a condition keeps on one side of a bound, with the bound and the way towards it.
pub(super) fn bounds(scope: &Scope<'_>, guard: ExprId) -> Vec<(LocalId, ExprId, Way)> {
    let Expr::Binary { op, lhs, rhs } = scope.exprs.expr(guard) else { return Vec::new() };
    let (left, right) = match op {
        BinaryOp::And => {
            let mut out = bounds(scope, *lhs);
            out.extend(bounds(scope, *rhs));
            return out;
        }
        BinaryOp::Lt | BinaryOp::Le => (Way::Up, Way::Down),
        BinaryOp::Gt | BinaryOp::Ge => (Way::Down, Way::Up),
        BinaryOp::Iff | BinaryOp::Implies | BinaryOp::Or | BinaryOp::Eq | BinaryOp::Ne => {
            return Vec::new();
        }
        BinaryOp::Concat | BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
            return Vec::new();
        }
        BinaryOp::Mod | BinaryOp::RealDiv | BinaryOp::Pow => return Vec::new(),
    };
    let mut out = Vec::new();
    if let Expr::Local(var) = scope.exprs.expr(*lhs) {
        out.push((*var, *rhs, left));
    }
    if let Expr::Local(var) = scope.exprs.expr(*rhs) {
        out.push((*var, *lhs, right));
    }
    out.retain(|(var, ..)| scope.locals.get(var.index()).is_some_and(|it| it.ty == hir::Ty::Int));
    out
}

/// The conditions that hold whenever the loop head is passed: its asserted invariants at `layer`.
fn invariants(code: &Code<'_>, around: &Loop, layer: Layer) -> Vec<ExprId> {
    let mut out = Vec::new();
    for command in code.cfg.block(around.header).predicates(code.body) {
        let Command::Stmt(id) = command else { continue };
        if let Stmt::Assert { expr, layers, .. } = code.body.stmt(*id) {
            out.extend(super::counts(code.sig, layers, layer).then_some(*expr));
        }
    }
    out
}

/// A guard `v != bound` together with an invariant `v <= bound` holds the variable off the bound.
fn approached(
    code: &Code<'_>,
    guard: ExprId,
    invariants: &[ExprId],
) -> Vec<(LocalId, ExprId, Way)> {
    let scope = Scope::of_body(code);
    let printer = Printer { exprs: scope.exprs, locals: scope.locals };
    let text = |id: ExprId| printer.expr(id);
    let mut apart = Vec::new();
    for id in conjuncts(code, guard) {
        if let Expr::Binary { op: BinaryOp::Ne, lhs, rhs } = code.body.exprs.expr(id) {
            apart.push((text(*lhs), text(*rhs)));
            apart.push((text(*rhs), text(*lhs)));
        }
    }
    let mut out: Vec<_> = invariants.iter().flat_map(|it| bounds(&scope, *it)).collect();
    out.retain(|(var, bound, _)| {
        let var = code.body.local(*var).name.to_string();
        apart.contains(&(var, text(*bound)))
    });
    out
}

/// The parts of a conjunction.
pub(super) fn conjuncts(code: &Code<'_>, root: ExprId) -> Vec<ExprId> {
    let mut todo = vec![root];
    let mut out = Vec::new();
    while let Some(id) = todo.pop() {
        if let Expr::Binary { op: BinaryOp::And, lhs, rhs } = code.body.exprs.expr(id) {
            todo.extend([*rhs, *lhs]);
        } else {
            out.push(id);
        }
    }
    out
}

/// Does the loop change nothing that `bound` reads? `old` fixes globals; `old` of a local is the local.
pub(super) fn is_fixed(code: &Code<'_>, around: &Loop, bound: ExprId) -> bool {
    let mut todo = vec![(bound, false)];
    while let Some((id, in_old)) = todo.pop() {
        let expr = code.body.exprs.expr(id);
        let changes = match expr {
            Expr::Global(_) => !in_old,
            Expr::Local(local) => !writes(code, around, *local).is_empty(),
            Expr::Missing => true,
            Expr::Literal(_) | Expr::Const(_) | Expr::Bound(_) | Expr::Old(_) => false,
            Expr::Call { .. } | Expr::Quant { .. } | Expr::Lambda { .. } | Expr::Let { .. } => {
                false
            }
            Expr::Ite { .. } | Expr::Select { .. } | Expr::Store { .. } | Expr::Field { .. } => {
                false
            }
            Expr::FieldUpdate { .. } | Expr::Is { .. } | Expr::Unary { .. } => false,
            Expr::Binary { .. } | Expr::Coerce { .. } | Expr::Convert { .. } => false,
            Expr::Extract { .. } => false,
        };
        if changes {
            return false;
        }
        let in_old = in_old || matches!(expr, Expr::Old(_));
        todo.extend(expr.children().into_iter().map(|child| (child, in_old)));
    }
    true
}

/// Is every write of the variable in the loop a step of the right way, and is there one in every
/// round?
fn moves(code: &Code<'_>, around: &Loop, (var, way): (LocalId, Way)) -> bool {
    let writes = writes(code, around, var);
    let steps = writes.iter().all(|(_, stmt)| assigns_step(code, *stmt, (var, way)));
    steps && !has_round_without(code, around, &writes.iter().map(|(block, _)| *block).collect())
}

/// The statements of the loop that may change the variable, with their blocks.
pub(super) fn writes(code: &Code<'_>, around: &Loop, var: LocalId) -> Vec<(BlockId, StmtId)> {
    let mut out = Vec::new();
    for block in &around.blocks {
        for command in &code.cfg.block(*block).commands {
            let Command::Stmt(id) = command else { continue };
            if may_write(code, *id, var) {
                out.push((*block, *id));
            }
        }
    }
    out
}

/// May the statement change the variable?
pub(super) fn may_write(code: &Code<'_>, stmt: StmtId, var: LocalId) -> bool {
    let is_var = |written: &VarRef| *written == VarRef::Local(var);
    match code.body.stmt(stmt) {
        Stmt::Assign { targets, .. } => targets.iter().any(|it| is_var(&it.root)),
        Stmt::Unpack { targets, .. } | Stmt::Havoc { targets } => targets.iter().any(is_var),
        Stmt::Call { arms, .. } => arms.iter().any(|arm| {
            arm.outs.iter().any(is_var)
                || hir::modified_root(code.body, arm).as_ref().is_some_and(is_var)
        }),
        Stmt::Error => true,
        Stmt::Assert { .. } | Stmt::Assume { .. } | Stmt::Measure { .. } => false,
        Stmt::Yield { .. } | Stmt::Visibility(_) | Stmt::If { .. } | Stmt::While { .. } => false,
        Stmt::Break { .. } | Stmt::Goto { .. } | Stmt::Label(_) | Stmt::Return => false,
    }
}

/// Does the statement assign `v + c` or `v - c` with a positive constant to `v`?
fn assigns_step(code: &Code<'_>, stmt: StmtId, (var, way): (LocalId, Way)) -> bool {
    let Stmt::Assign { targets, values, .. } = code.body.stmt(stmt) else { return false };
    let index = targets.iter().position(|it| it.root == VarRef::Local(var));
    let value = index.and_then(|index| values.get(index));
    value.is_some_and(|value| is_step(&Scope::of_body(code), *value, (var, way)))
}

/// Is the value `v + c` or `v - c` with a positive constant?
pub(super) fn is_step(scope: &Scope<'_>, value: ExprId, (var, way): (LocalId, Way)) -> bool {
    let exprs = scope.exprs;
    let Expr::Binary { op, lhs, rhs } = exprs.expr(value) else { return false };
    let is_var = |id: ExprId| *exprs.expr(id) == Expr::Local(var);
    let is_constant = |id: ExprId| matches!(exprs.expr(id), Expr::Literal(Literal::Int(number)) if number.sign() == Sign::Plus);
    match (op, way) {
        (BinaryOp::Add, Way::Up) => {
            is_var(*lhs) && is_constant(*rhs) || is_constant(*lhs) && is_var(*rhs)
        }
        (BinaryOp::Sub, Way::Down) => is_var(*lhs) && is_constant(*rhs),
        (_, Way::Up | Way::Down) => false,
    }
}

/// Is there a way through the loop, back to its header, that avoids these blocks?
pub(super) fn has_round_without(
    code: &Code<'_>,
    around: &Loop,
    avoided: &BTreeSet<BlockId>,
) -> bool {
    if avoided.contains(&around.header) {
        return false;
    }
    let mut todo = vec![around.header];
    let mut seen = BTreeSet::new();
    while let Some(id) = todo.pop() {
        for next in code.cfg.successors(id) {
            if *next == around.header {
                return true;
            }
            let inside = around.blocks.contains(next) && !avoided.contains(next);
            if inside && seen.insert(*next) {
                todo.push(*next);
            }
        }
    }
    false
}
