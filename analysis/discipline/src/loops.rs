//! Annotations of loops, and which loops must yield (language.md 9.8, 11.4).
//!
//! **In:** the loop heads of a yield procedure. **Out:** problems of `{:yields}` annotations and
//! loop invariants once per loop, and of missing yields per layer.
//!
//! # Soundness
//! The invariant calls and the annotation of a head are those that `hir` found before anything was
//! removed from the block, so the prefix of ordinary invariants that follows is never shifted. Which
//! commands are that prefix is said by [`Block::predicates`], here and for the proofs: an assertion
//! behind a `measure` is an invariant like any other.

use base::Place;
use hir::{Block, BlockId, Command, Expr, ExprId, Layer, Literal, LoopHead, Stmt, StmtId};

use crate::problem::{Problem, YieldProblem};
use crate::standing::{is_annotated, loop_yields};
use crate::yields::{Code, Label};

/// Appends the problems of the annotations of every loop head. `top` is the procedure's layer.
pub(crate) fn check_annotations(code: &Code<'_>, top: Layer, out: &mut Vec<Problem>) {
    let mut seen: Vec<YieldProblem> = Vec::new();
    for id in code.cfg.block_ids() {
        let block = code.cfg.block(id);
        let Some(head) = &block.head else { continue };
        let at = code.head_place(id);
        for problem in check_head(code, (block, head), (at, top)) {
            if !seen.contains(&problem) {
                seen.push(problem);
            }
        }
    }
    out.extend(seen.into_iter().map(Problem::from));
    out.extend(unchecked_conditions(code).into_iter().map(Problem::from));
}

/// Conditions that look like assertions and are none: those of `{:yields}` annotations, which are
/// taken off the head, and of assertions with `{:yields}` elsewhere, which need no layers.
fn unchecked_conditions(code: &Code<'_>) -> Vec<YieldProblem> {
    let heads = code.cfg.blocks.iter().filter_map(|block| block.head.as_ref());
    let annotations: Vec<StmtId> =
        heads.filter_map(|head| Some(head.yields.as_ref()?.stmt)).collect();
    let is_true = |id: ExprId| *code.body.exprs.expr(id) == Expr::Literal(Literal::Bool(true));
    let mut out = Vec::new();
    for id in (0..code.body.stmts.len()).map(StmtId::from_index) {
        let at_head = annotations.contains(&id);
        let expr = match code.body.stmt(id) {
            Stmt::Assert { expr, layers, attrs, .. } if attrs.has("yields") => {
                (at_head || layers.is_empty()).then_some(*expr)
            }
            Stmt::Assume { expr, .. } => at_head.then_some(*expr),
            Stmt::Error
            | Stmt::Assert { .. }
            | Stmt::Assign { .. }
            | Stmt::Unpack { .. }
            | Stmt::Havoc { .. }
            | Stmt::Yield { .. }
            | Stmt::Measure { .. }
            | Stmt::Call { .. }
            | Stmt::Visibility(_)
            | Stmt::If { .. }
            | Stmt::While { .. }
            | Stmt::Break { .. }
            | Stmt::Goto { .. }
            | Stmt::Label(_)
            | Stmt::Return => None,
        };
        if expr.is_some_and(|expr| !is_true(expr)) {
            out.push(YieldProblem::YieldsCondition { at: code.map.stmt(id), at_head });
        }
    }
    out
}

fn check_head(
    code: &Code<'_>,
    (block, head): (&Block, &LoopHead),
    (at, top): (Place, Layer),
) -> Vec<YieldProblem> {
    let highest = match &head.yields {
        None => None,
        Some(annotation) => {
            let annotated = code.map.stmt(annotation.stmt);
            match annotation.layers.as_slice() {
                [] => Some(top),
                [layer] if *layer > top => {
                    let layer = *layer;
                    return vec![YieldProblem::LoopTooHigh { at, annotated, layer, top }];
                }
                [layer] => Some(*layer),
                [_, _, ..] => return vec![YieldProblem::LoopLayers { at, annotated }],
            }
        }
    };
    let mut out = Vec::new();
    if let (None, Some(first)) = (highest, head.invariant_calls.first()) {
        out.push(YieldProblem::LoopYieldMissing { at, call: code.map.stmt(*first) });
    }
    for id in &head.invariant_calls {
        out.extend(check_call(code, *id, (at, highest)));
    }
    if let Some(highest) = highest {
        let invariants = block.predicates(code.body).iter().filter_map(|it| predicate(code, *it));
        out.extend(invariants.filter_map(|it| check_invariant(code, it, (at, highest))));
    }
    out
}

/// An invariant called at a loop head holds at a yield, so the loop must yield at its layer.
fn check_call(
    code: &Code<'_>,
    id: StmtId,
    (head, highest): (Place, Option<Layer>),
) -> Vec<YieldProblem> {
    let (arms, _) = code.call(id).unwrap_or((&[], false));
    let layer_of = |arm: &hir::Arm| {
        let sig = hir::proc_sig(code.db, code.program, arm.callee.clone())?;
        Some((sig.name.clone(), sig.layer()?))
    };
    let called = arms.iter().filter_map(layer_of);
    let missing = called.filter(|(_, layer)| highest.is_none_or(|highest| *layer > highest));
    missing
        .map(|(invariant, layer)| {
            let at = code.map.stmt(id);
            YieldProblem::LoopInvariantLayer { at, head, invariant, layer, highest }
        })
        .collect()
}

/// Of an assertion or assumption: its statement, its expression, and its lowest layer.
fn predicate(code: &Code<'_>, command: Command) -> Option<(StmtId, ExprId, Layer)> {
    let Command::Stmt(id) = command else { return None };
    if let Stmt::Assert { expr, layers, .. } | Stmt::Assume { expr, layers, .. } =
        code.body.stmt(id)
    {
        Some((id, *expr, layers.min().unwrap_or(Layer::ZERO)))
    } else {
        None
    }
}

/// Where the loop yields, an ordinary invariant must not depend on what others may change.
fn check_invariant(
    code: &Code<'_>,
    (id, expr, lowest): (StmtId, ExprId, Layer),
    (head, highest): (Place, Layer),
) -> Option<YieldProblem> {
    if lowest > highest {
        return None;
    }
    let (name, used) = global_outside_old(code, expr)?;
    let at = code.map.stmt(id);
    let used = code.map.expr(used);
    Some(YieldProblem::LoopInvariantGlobal { at, head, used, name, layer: lowest })
}

/// The first global that an expression reads outside `old`.
fn global_outside_old(code: &Code<'_>, root: ExprId) -> Option<(base::Name, ExprId)> {
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        let expr = code.body.exprs.expr(id);
        if let Expr::Global(name) = expr {
            return Some((name.clone(), id));
        }
        if !matches!(expr, Expr::Old(_)) {
            todo.extend(expr.children().into_iter().rev());
        }
    }
    None
}

/// Loops that do not yield at `layer` although a yield belongs to them.
pub(crate) fn check_yields(code: &Code<'_>, layer: Layer) -> Vec<YieldProblem> {
    let yields = |block: BlockId| {
        code.cfg.block(block).head.as_ref().is_some_and(|head| loop_yields(head, code.sig, layer))
    };
    let mut out: Vec<YieldProblem> = Vec::new();
    let mut report = |header: BlockId, inside: Place| {
        let at = code.head_place(header);
        let problem = YieldProblem::LoopMustYield { layers: vec![layer], at, inside };
        let known = out
            .iter()
            .any(|it| matches!(it, YieldProblem::LoopMustYield { at: seen, .. } if *seen == at));
        if !known {
            out.push(problem);
        }
    };
    for inner in &code.cfg.loops {
        let parent = inner.parent.map(|parent| code.cfg.loops[parent].header);
        if let Some(parent) = parent.filter(|parent| yields(inner.header) && !yields(*parent)) {
            report(parent, code.head_place(inner.header));
        }
    }
    for (block, stmt) in yielding_calls(code, layer) {
        let header = innermost(code, block);
        if let Some(header) = header.filter(|header| !yields(*header)) {
            report(header, code.map.place(code.map.stmts[stmt.index()].whole()));
        }
    }
    out
}

/// The header of the smallest loop around a block.
fn innermost(code: &Code<'_>, block: BlockId) -> Option<BlockId> {
    let around = code.cfg.loops.iter().filter(|it| it.blocks.contains(&block));
    around.min_by_key(|it| it.blocks.len()).map(|it| it.header)
}

/// The yields, and the calls with an arm, that yield at `layer`.
fn yielding_calls(code: &Code<'_>, layer: Layer) -> Vec<(BlockId, StmtId)> {
    let mut out = Vec::new();
    for block in code.cfg.block_ids() {
        for command in &code.cfg.block(block).commands {
            let Command::Stmt(id) = command else { continue };
            if code.is_yield(*id, layer) {
                out.push((block, *id));
            }
            let Some((arms, is_async)) = code.call(*id) else { continue };
            let is_yield =
                |arm: &hir::Arm| code.labels(arm, is_async, layer).atomicity == Label::Yield;
            if arms.iter().any(is_yield) {
                out.push((block, *id));
            }
        }
    }
    out
}

/// The yields of a mover procedure at its own layer, where it must not yield.
pub(crate) fn own_yields(code: &Code<'_>, layer: Layer) -> Vec<YieldProblem> {
    let procedure = hir::decl_place(code.db, code.map.decl);
    let heads = code.cfg.block_ids().filter(|id| {
        code.cfg.block(*id).head.as_ref().is_some_and(|head| is_annotated(head, layer))
    });
    let heads = heads.map(|id| code.head_place(id));
    let calls = yielding_calls(code, layer);
    let calls = calls.iter().map(|(_, id)| code.map.place(code.map.stmts[id.index()].whole()));
    heads.chain(calls).map(|at| YieldProblem::MoverYields { layer, at, procedure }).collect()
}

#[cfg(test)]
mod tests;
