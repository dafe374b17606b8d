//! Where in its transaction each step of a yield procedure stands.
//!
//! **In:** a yield procedure and a layer. **Out:** for each call and yield that can be reached, its
//! label and the phases in which it may be met.
//!
//! Phases flow forward from the entry; where the automaton is stuck they end, and the check of
//! yield sufficiency complains.

use base::{DeclId, Place, Program};
use hir::{Command, Layer};

use super::ATOMICITY;
use super::Label;
use super::automaton::Phase;
use super::graph::{Code, CodeGraph, Node, Parts};
use crate::Db;

/// One step of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionStep {
    /// The callee, or the yield statement.
    pub at: Place,
    /// How it moves.
    pub label: Label,
    /// From which phase to which it may go; to nowhere if it is not allowed there.
    pub turns: Vec<(Phase, Option<Phase>)>,
}

/// The calls and yields of a yield procedure at a layer, in the order of the code.
pub fn transaction_steps(
    db: &dyn Db,
    program: Program,
    decl: DeclId,
    layer: Layer,
) -> Vec<TransactionStep> {
    let Some(parts) = Parts::of_decl(db, program, decl) else { return Vec::new() };
    let code = parts.code(db, program);
    let graph = CodeGraph::new(&code, layer);
    let phases = reached(&graph);
    let mut steps = Vec::new();
    for (node, phases) in phases.iter().enumerate().filter(|(_, phases)| !phases.is_empty()) {
        let label = graph.atomicity.edges[node].first().map(|(label, _)| *label);
        let (Some(at), Some(label)) = (step_place(&code, graph.nodes[node]), label) else {
            continue;
        };
        let turns = phases.iter().map(|phase| (*phase, ATOMICITY.step(*phase, label))).collect();
        steps.push(TransactionStep { at, label, turns });
    }
    steps
}

/// The phases in which each node can be reached.
fn reached(graph: &CodeGraph) -> Vec<Vec<Phase>> {
    let mut phases: Vec<Vec<Phase>> = vec![Vec::new(); graph.nodes.len()];
    let mut todo = vec![(CodeGraph::INITIAL, Phase::Before)];
    while let Some((node, phase)) = todo.pop() {
        if phases[node].contains(&phase) {
            continue;
        }
        phases[node].push(phase);
        for (label, next) in &graph.atomicity.edges[node] {
            todo.extend(ATOMICITY.step(phase, *label).map(|to| (*next, to)));
        }
    }
    phases.iter_mut().for_each(|phases| phases.sort());
    phases
}

/// The callee of a call, or the yield statement; nothing for other nodes.
fn step_place(code: &Code<'_>, node: Node) -> Option<Place> {
    let (stmt, arm) = match node {
        Node::Command { block, index } => match code.cfg.block(block).commands[index] {
            Command::Stmt(stmt) => (stmt, 0),
            Command::Guard { .. } => return None,
        },
        Node::Arm { stmt, arm } => (stmt, arm),
        Node::Block(_) | Node::Transfer(_) => return None,
    };
    if let Some(arms) = code.map.arms.get(&stmt) {
        // The node before the arms of a parallel call is none of them.
        let is_head = arms.len() > 1 && matches!(node, Node::Command { .. });
        let place = arms.get(arm).filter(|_| !is_head)?;
        return Some(code.map.place(place.callee));
    }
    let is_yield = matches!(code.body.stmt(stmt), hir::Stmt::Yield { .. });
    is_yield.then(|| code.map.stmt(stmt))
}
