//! Does what others can see or rely on come to its end?
//!
//! **In:** a yield procedure, or a pure procedure. **Out:** a warning for each assumption, loop and
//! recursion that may never go on, an error for each that obviously never does, if it
//! - stands after the commit point of a transaction: others see what was done, but no check at
//!   the end of the fragment is ever reached; or
//! - belongs to a pure procedure: whoever calls it goes on at run time, where ghost code does not
//!   exist, and relies on what it ensures.
//!
//! Before its commit point a transaction may wait or run in circles: right movers that nobody
//! has committed can be moved behind everything, as if they had not happened.
//!
//! # Invariants
//! - `assume true` waits for nothing; it only carries hints.
//! - Loops and recursions of left mover procedures at their own layer are not repeated here.

use std::collections::BTreeSet;

use base::{DeclId, Name, Place, Program};
use hir::{BlockId, Command, Expr, Layer, Literal, ProcKind, Stmt, StmtId, Transfer};

use super::{has_measure, never_passes, unproved_loops};
use crate::Db;
use crate::call_graph::reaches;
use crate::layers_of_program::code_layers;
use crate::problem::{Blocking, Problem, YieldProblem};
use crate::standing::loop_yields;
use crate::yields::{Code, Label, Parts, Phase, after_commit};

pub(super) fn check(db: &dyn Db, program: Program, decl: DeclId, out: &mut Vec<Problem>) {
    if decl.file(db).library(db).is_some() {
        return;
    }
    let Some(parts) = Parts::of_decl(db, program, decl) else { return };
    let code = parts.code(db, program);
    let found = match code.sig.kind {
        ProcKind::Pure => in_ghost_code(&code),
        ProcKind::Yield => in_transactions(&code),
        ProcKind::Plain | ProcKind::Action { .. } | ProcKind::Invariant { .. } => Vec::new(),
    };
    out.extend(found.into_iter().map(Problem::from));
}

/// What may keep a committed transaction from its end, at some layer.
fn in_transactions(code: &Code<'_>) -> Vec<YieldProblem> {
    let mut out: Vec<YieldProblem> = Vec::new();
    let Some(top) = code.sig.layer() else { return out };
    for layer in code_layers(code.db, code.program, top) {
        for Found { at, what, hopeless } in after_commit_at(code, layer) {
            let problem = YieldProblem::CommittedBlocks { layers: vec![layer], at, what, hopeless };
            match out.iter_mut().find(|it| it.is_same_elsewhere(&problem)) {
                Some(known) => known.add_layer(layer),
                None => out.push(problem),
            }
        }
    }
    out
}

/// Something that may never go on.
struct Found {
    at: Place,
    what: Blocking,
    /// It obviously never does.
    hopeless: bool,
}

fn after_commit_at(code: &Code<'_>, layer: Layer) -> Vec<Found> {
    let mover = code.sig.mover.filter(|_| code.sig.layer() == Some(layer));
    let is_left = mover.is_some_and(|it| it.is_left());
    let committed = after_commit(code, layer, if is_left { Phase::After } else { Phase::Before });
    let mut out = assumptions(code, |stmt| committed.statements.contains(&stmt));
    if is_left {
        return out;
    }
    for it in unproved_loops(code, layer) {
        let head = code.cfg.block(it.header).head.as_ref();
        let yields = head.is_some_and(|head| loop_yields(head, code.sig, layer));
        if !yields && committed.blocks.contains(&it.header) {
            let ends = |block| is_yielded_in(code, block, layer);
            let hopeless = !gets_on(code, it.header, &ends, &|_| false);
            out.push(Found { at: code.head_place(it.header), what: Blocking::Loop, hopeless });
        }
    }
    out
}

/// Does a fragment end in this block, at `layer`?
fn is_yielded_in(code: &Code<'_>, block: BlockId, layer: Layer) -> bool {
    let block = code.cfg.block(block);
    let head = block.head.as_ref().is_some_and(|head| loop_yields(head, code.sig, layer));
    let yields = |stmt: StmtId| {
        let (arms, is_async) = code.call(stmt).unwrap_or_default();
        let label = |arm| code.labels(arm, is_async, layer).atomicity;
        code.is_yield(stmt, layer) || arms.iter().any(|arm| label(arm) == Label::Yield)
    };
    let mut commands = block.commands.iter();
    head || commands.any(|command| matches!(command, Command::Stmt(stmt) if yields(*stmt)))
}

/// Does some way from `from` lead to a return or a block of `ends`, not through one of `stops`?
fn gets_on(
    code: &Code<'_>,
    from: BlockId,
    ends: &dyn Fn(BlockId) -> bool,
    stops: &dyn Fn(BlockId) -> bool,
) -> bool {
    let mut todo = vec![from];
    let mut seen = BTreeSet::new();
    while let Some(id) = todo.pop() {
        let block = code.cfg.block(id);
        let stuck = block.commands.iter().any(|it| never_passes(code, *it)) || stops(id);
        if stuck || !seen.insert(id) {
            continue;
        }
        match &block.transfer {
            _ if ends(id) => return true,
            Transfer::Return(_) => return true,
            Transfer::Goto(targets) => todo.extend(targets),
        }
    }
    false
}

/// What may keep a pure procedure from its end. Its measures have no layer.
fn in_ghost_code(code: &Code<'_>) -> Vec<YieldProblem> {
    let anywhere = Layer(0);
    let mut out = assumptions(code, |_| true);
    for it in unproved_loops(code, anywhere) {
        let hopeless = !gets_on(code, it.header, &|_| false, &|_| false);
        out.push(Found { at: code.head_place(it.header), what: Blocking::Loop, hopeless });
    }
    if !has_measure(code.db, code.program, code.sig, anywhere) {
        out.extend(recursions(code));
    }
    let problem = |Found { at, what, hopeless }| YieldProblem::GhostBlocks { at, what, hopeless };
    out.into_iter().map(problem).collect()
}

fn statements(code: &Code<'_>) -> impl Iterator<Item = StmtId> + use<> {
    (0..code.body.stmts.len()).map(StmtId::from_index)
}

/// The assumptions among the `wanted` statements that may be false.
fn assumptions(code: &Code<'_>, wanted: impl Fn(StmtId) -> bool) -> Vec<Found> {
    let waits = |stmt: &StmtId| {
        let Stmt::Assume { expr, .. } = code.body.stmt(*stmt) else { return false };
        *code.body.exprs.expr(*expr) != Expr::Literal(Literal::Bool(true))
    };
    let found = statements(code).filter(|stmt| wanted(*stmt)).filter(waits);
    let problem = |stmt: StmtId| Found {
        at: code.map.stmt(stmt),
        what: Blocking::Assume,
        hopeless: never_passes(code, Command::Stmt(stmt)),
    };
    found.map(problem).collect()
}

/// The calls of a procedure that may lead back to it.
fn recursions(code: &Code<'_>) -> Vec<Found> {
    let mut calls: Vec<(StmtId, Name)> = Vec::new();
    for stmt in statements(code) {
        let (arms, _) = code.call(stmt).unwrap_or_default();
        let back = arms.iter().map(|arm| arm.callee.clone());
        let back = back.filter(|it| reaches(code.db, code.program, it, &code.sig.name));
        calls.extend(back.map(|callee| (stmt, callee)));
    }
    // Another procedure of the cycle may come back.
    let is_own = |callee: &Name| *callee == code.sig.name;
    let own = |id: BlockId| {
        let mut commands = code.cfg.block(id).commands.iter();
        let is_call = |it: &Command, stmt: StmtId| *it == Command::Stmt(stmt);
        commands.any(|it| calls.iter().any(|(stmt, name)| is_own(name) && is_call(it, *stmt)))
    };
    let endless = !gets_on(code, code.cfg.entry(), &|_| false, &own);
    let problem = |(stmt, callee): &(StmtId, Name)| Found {
        at: code.map.stmt(*stmt),
        what: Blocking::Recursion(callee.clone()),
        hopeless: endless && is_own(callee),
    };
    calls.iter().map(problem).collect()
}
