//! From a path on which an automaton is stuck to the two steps a user must look at.
//!
//! **In:** a graph and a refused path. **Out:** the step at which the automaton is stuck, and the
//! step before it that left the automaton in a phase that does not allow it.

use base::{Name, Place};
use hir::{Command, SourceMap, StmtId, Transfer};

use super::Label;
use super::automaton::{Phase, Refusal};
use super::graph::{Code, CodeGraph, Node};
use crate::problem::StepFacts;

/// The steps that explain a refusal.
pub(super) struct Explanation {
    /// The step that turned the phase from before to after for the last time.
    pub(super) closed: Option<StepFacts>,
    /// The step that is not allowed in that phase; nothing if the end itself is not.
    pub(super) stuck: Option<StepFacts>,
    /// Where the path ends.
    pub(super) end: Place,
}

/// Explains `refusal`, a path in the graph of `code`.
pub(super) fn explain(code: &Code<'_>, graph: &CodeGraph, refusal: &Refusal) -> Explanation {
    let steps = refusal.path.windows(2);
    let mut turns = steps.filter(|pair| matches!(pair, [(_, Phase::Before), (_, Phase::After)]));
    let closed = turns.next_back().and_then(|pair| step(code, graph, pair[0].0));
    let last = refusal.path.last().map_or(CodeGraph::INITIAL, |(node, _)| *node);
    let stuck = if refusal.on_edge { step(code, graph, last) } else { None };
    Explanation { closed, stuck, end: place(code, graph, last) }
}

/// What happens on the way out of a node.
fn step(code: &Code<'_>, graph: &CodeGraph, node: usize) -> Option<StepFacts> {
    let label = graph.atomicity.edges[node].first().map_or(Label::Private, |(label, _)| *label);
    let (stmt, number) = match graph.nodes[node] {
        Node::Command { block, index } => match code.cfg.block(block).commands[index] {
            Command::Stmt(stmt) => (stmt, 0),
            Command::Guard { .. } => return None,
        },
        Node::Arm { stmt, arm } => (stmt, arm),
        Node::Block(_) | Node::Transfer(_) => return None,
    };
    let Some((arms, is_async)) = code.call(stmt) else {
        let (at, callee) = (code.map.stmt(stmt), Name::new("this statement"));
        return Some(StepFacts { at, label, callee, is_async: false });
    };
    let callee = arms.get(number)?.callee.clone();
    Some(StepFacts { at: arm_place(code.map, stmt, number), label, callee, is_async })
}

/// The whole call; of a parallel call, one arm.
pub(crate) fn arm_place(map: &SourceMap, stmt: StmtId, arm: usize) -> Place {
    let places = map.arms.get(&stmt).filter(|places| places.len() > 1);
    let one = places.and_then(|places| places.get(arm));
    let ptr = one.map_or(map.stmts[stmt.index()].whole(), |it| it.arm);
    map.place(ptr)
}

fn place(code: &Code<'_>, graph: &CodeGraph, node: usize) -> Place {
    match graph.nodes[node] {
        Node::Block(block) => code.head_place(block),
        Node::Command { block, index } => match code.cfg.block(block).commands[index] {
            Command::Stmt(stmt) => code.map.stmt(stmt),
            Command::Guard { of, .. } => code.map.stmt(of),
        },
        Node::Arm { stmt, arm } => arm_place(code.map, stmt, arm),
        Node::Transfer(block) => match &code.cfg.block(block).transfer {
            Transfer::Return(ptr) => code.map.place(*ptr),
            Transfer::Goto(_) => code.head_place(block),
        },
    }
}
