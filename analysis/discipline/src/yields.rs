//! Does the code between two yields always form one transaction? (language.md 11)
//!
//! **In:** the labelled control-flow graph of one procedure, seen at one layer.
//! **Out:** nothing, or the shortest path whose labels the automaton refuses.
//!
//! A transaction is any number of right movers, at most one non-mover, then any number
//! of left movers. Both-movers and private steps may stand anywhere; a yield starts
//! afresh. The rule is the table [`ATOMICITY`]; there is no second copy of it.
//!
//! A second automaton, [`ASYNC`], watches asynchronous calls: a thread that is started may rely on
//! yield invariants, and it begins to run at the starter's next yield. So no global may be
//! changed in between, by code, ghost code or a mover procedure, wherever the thread was started.
//!
//! # Invariants
//! - Labels only: no formula is read, no engine is called. Safe on every keystroke.
//! - The refused path is the shortest, ties broken by block order, so its wording does
//!   not change under unrelated edits.
//!
//! # Soundness
//! Five rules are stricter than the reference's:
//! - ghost code counts as a write to the async automaton, and at layer 0 as a non-mover;
//! - a mover procedure that starts a thread counts as starting it for its callers;
//! - every layer that has an invariant program is checked, not only refinement layers;
//! - a right-mover procedure must still be before its commit point at every return;
//! - a mover procedure does not yield at its own layer.

mod automaton;
mod graph;
mod labels;
mod paths;
mod phases;
mod summary;

pub use ir::layer::Label;

pub use automaton::{Automaton, Graph, Phase, PhaseSet, Refusal, shortest_refusal, simulate};
pub use labels::{AsyncLabel, AsyncRule, LabelRule, StepLabels, call_labels, label_of, rules};

pub use phases::{TransactionStep, transaction_steps};

pub(crate) use graph::{Code, Parts};
pub(crate) use paths::arm_place;

use std::collections::BTreeSet;

use base::{DeclId, Program};
use hir::{BlockId, Command, Layer, Mover, StmtId};

use crate::problem::{Problem, YieldProblem};
use crate::{Db, layers_of_program, loops, par_calls};
use graph::{CodeGraph, Node};
use paths::{Explanation, explain};

/// One transaction: `Before` its commit point right movers, `After` it left movers.
pub const ATOMICITY: Automaton<Label> = Automaton {
    rows: &[
        (Phase::Before, Label::Private, Phase::Before),
        (Phase::Before, Label::Both, Phase::Before),
        (Phase::Before, Label::Right, Phase::Before),
        (Phase::Before, Label::Left, Phase::After),
        (Phase::Before, Label::NonMover, Phase::After),
        (Phase::Before, Label::Yield, Phase::Before),
        (Phase::After, Label::Private, Phase::After),
        (Phase::After, Label::Both, Phase::After),
        (Phase::After, Label::Left, Phase::After),
        (Phase::After, Label::Yield, Phase::Before),
    ],
};

/// No global is changed `After` a thread with yield preconditions was started, until the next yield.
pub const ASYNC: Automaton<AsyncLabel> = Automaton {
    rows: &[
        (Phase::Before, AsyncLabel::Private, Phase::Before),
        (Phase::Before, AsyncLabel::Modifies, Phase::Before),
        (Phase::Before, AsyncLabel::Async, Phase::After),
        (Phase::Before, AsyncLabel::ModifiesAsync, Phase::After),
        (Phase::Before, AsyncLabel::Yield, Phase::Before),
        (Phase::After, AsyncLabel::Private, Phase::After),
        (Phase::After, AsyncLabel::Async, Phase::After),
        (Phase::After, AsyncLabel::Yield, Phase::Before),
    ],
};

/// Appends problems of parallel calls and of loop annotations that are the same at all layers.
pub(crate) fn check_shapes(db: &dyn Db, program: Program, decl: DeclId, out: &mut Vec<Problem>) {
    let Some(parts) = Parts::of_decl(db, program, decl) else { return };
    let code = parts.code(db, program);
    par_calls::check_callers(&code, out);
    if let (true, Some(top)) = (code.sig.is_yield_procedure(), code.sig.layer()) {
        loops::check_annotations(&code, top, out);
    }
}

/// Appends the yield problems of one declaration, layers ascending; a problem that is the same at
/// several layers is reported once.
pub(crate) fn check(db: &dyn Db, program: Program, decl: DeclId, out: &mut Vec<Problem>) {
    let Some(parts) = Parts::of_decl(db, program, decl) else { return };
    let code = parts.code(db, program);
    let (true, Some(top)) = (code.sig.is_yield_procedure(), code.sig.layer()) else { return };
    let mut found: Vec<YieldProblem> = Vec::new();
    for layer in layers_of_program::code_layers(db, program, top) {
        for problem in check_layer(&code, layer) {
            match found.iter_mut().find(|it| it.is_same_elsewhere(&problem)) {
                Some(known) => known.add_layer(layer),
                None => found.push(problem),
            }
        }
    }
    out.extend(found.into_iter().map(Problem::from));
}

fn check_layer(code: &Code<'_>, layer: Layer) -> Vec<YieldProblem> {
    let mut out = par_calls::check(code, layer);
    out.extend(loops::check_yields(code, layer));
    let graph = CodeGraph::new(code, layer);
    let own_mover = code.sig.mover.filter(|_| code.sig.layer() == Some(layer));
    match own_mover {
        Some(mover) => out.extend(check_mover(code, &graph, (mover, layer))),
        None => {
            let allowed = vec![PhaseSet::ALL; graph.nodes.len()];
            // Whatever the phase after the commit point can follow, the phase before it can.
            let found = refusal(code, &graph, &allowed, Phase::Before);
            out.extend(found.and_then(|it| not_atomic(code, it, layer)));
        }
    }
    out.extend(check_async(code, &graph, layer));
    out
}

/// The explanation of the shortest refused path from `start`.
fn refusal(
    code: &Code<'_>,
    graph: &CodeGraph,
    allowed: &[PhaseSet],
    start: Phase,
) -> Option<Explanation> {
    let sim = simulate(&graph.atomicity, &ATOMICITY, allowed);
    if sim[CodeGraph::INITIAL].contains(start) {
        return None;
    }
    let from = (CodeGraph::INITIAL, start);
    let found = shortest_refusal(&graph.atomicity, &ATOMICITY, allowed, from)?;
    Some(explain(code, graph, &found))
}

fn not_atomic(code: &Code<'_>, found: Explanation, layer: Layer) -> Option<YieldProblem> {
    Some(YieldProblem::NotAtomic {
        layers: vec![layer],
        procedure: hir::decl_place(code.db, code.map.decl),
        stuck: found.stuck?,
        closed: found.closed,
    })
}

/// A mover procedure at its own layer is one transaction, or a part of one, without yields.
fn check_mover(
    code: &Code<'_>,
    graph: &CodeGraph,
    (mover, layer): (Mover, Layer),
) -> Vec<YieldProblem> {
    let yields = loops::own_yields(code, layer);
    if !yields.is_empty() {
        return yields;
    }
    let anywhere = vec![PhaseSet::ALL; graph.nodes.len()];
    let mut uncommitted = anywhere.clone();
    for node in &graph.finals {
        uncommitted[*node] = PhaseSet::only(Phase::Before);
    }
    // right: starts and returns before the commit point; left: may start after it.
    let right = || refusal(code, graph, &uncommitted, Phase::Before);
    let left = || refusal(code, graph, &anywhere, Phase::After);
    let found = match mover {
        Mover::Atomic => refusal(code, graph, &anywhere, Phase::Before),
        Mover::Right => right(),
        Mover::Left => left(),
        Mover::Both => right().or_else(left),
    };
    let Some(found) = found else { return Vec::new() };
    vec![YieldProblem::MoverDeclaration {
        layer,
        mover,
        procedure: hir::decl_place(code.db, code.map.decl),
        stuck: found.stuck,
        closed: found.closed,
        end: found.end,
    }]
}

/// What the code may reach at `layer` after its transaction has taken effect, starting in `start`.
pub(crate) fn after_commit(code: &Code<'_>, layer: Layer, start: Phase) -> Committed {
    let graph = CodeGraph::new(code, layer);
    let mut todo = vec![(CodeGraph::INITIAL, start)];
    let mut seen = BTreeSet::new();
    let mut out = Committed::default();
    while let Some((node, phase)) = todo.pop() {
        if !seen.insert((node, phase)) {
            continue;
        }
        // A step that does not fit is complained about elsewhere.
        let next = |(label, to): &(Label, usize)| Some((*to, ATOMICITY.step(phase, *label)?));
        todo.extend(graph.atomicity.edges[node].iter().filter_map(next));
        match graph.nodes[node] {
            _ if phase == Phase::Before => {}
            Node::Block(block) => _ = out.blocks.insert(block),
            Node::Command { block, index } => {
                if let Command::Stmt(stmt) = code.cfg.block(block).commands[index] {
                    out.statements.insert(stmt);
                }
            }
            Node::Arm { .. } | Node::Transfer(_) => {}
        }
    }
    out
}

/// Parts of the code.
#[derive(Default)]
pub(crate) struct Committed {
    pub(crate) blocks: BTreeSet<BlockId>,
    pub(crate) statements: BTreeSet<StmtId>,
}

fn check_async(code: &Code<'_>, graph: &CodeGraph, layer: Layer) -> Option<YieldProblem> {
    let allowed = vec![PhaseSet::ALL; graph.nodes.len()];
    let sim = simulate(&graph.asynchrony, &ASYNC, &allowed);
    if !sim[CodeGraph::INITIAL].is_empty() {
        return None;
    }
    let from = (CodeGraph::INITIAL, Phase::Before);
    let found = shortest_refusal(&graph.asynchrony, &ASYNC, &allowed, from)?;
    let found = explain(code, graph, &found);
    Some(YieldProblem::AsyncOverwritten {
        layers: vec![layer],
        procedure: hir::decl_place(code.db, code.map.decl),
        modifies: found.stuck?,
        started: found.closed,
    })
}

#[cfg(test)]
mod tests;
