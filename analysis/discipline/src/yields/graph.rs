//! The code of a yield procedure as a labelled graph, seen at one layer (language.md 11.1).
//!
//! **In:** a body, its blocks and a layer. **Out:** nodes for blocks, commands, arms of parallel
//! calls and transfers; edges with labels for both automata.
//!
//! # Invariants
//! - Edges of a node come in the order of the code, so paths found in the graph are stable.
//! - A loop head that yields at the layer is a yield on the way into its block.

use std::sync::Arc;

use base::{DeclId, Place, Program};
use hir::{Arm, BlockId, Body, Cfg, Command, Layer, ProcSig, SourceMap, Stmt, StmtId, Transfer};

use super::Label;
use super::automaton::Graph;
use super::labels::{AsyncLabel, StepLabels, call_labels, statement_labels};
use crate::Db;
use crate::standing::loop_yields;

/// What makes up the code of one procedure. Bodies that were complained about have none.
pub(crate) struct Parts {
    pub(crate) sig: Arc<ProcSig>,
    body: Arc<Body>,
    map: Arc<SourceMap>,
    cfg: Arc<Cfg>,
}

impl Parts {
    pub(crate) fn of_decl(db: &dyn Db, program: Program, decl: DeclId) -> Option<Parts> {
        let sig = hir::proc_sig_of(db, program, decl)?;
        let body = hir::body(db, program, decl).filter(|body| !body.has_errors)?;
        let map = hir::body_map(db, program, decl)?;
        let cfg = hir::cfg(db, program, decl)?;
        Some(Parts { sig, body, map, cfg })
    }

    pub(crate) fn code<'a>(&'a self, db: &'a dyn Db, program: Program) -> Code<'a> {
        let Parts { sig, body, map, cfg } = self;
        Code { db, program, sig, body, map, cfg }
    }
}

/// The code of one procedure.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub(crate) db: &'a dyn Db,
    pub(crate) program: Program,
    pub(crate) sig: &'a ProcSig,
    pub(crate) body: &'a Body,
    pub(crate) map: &'a SourceMap,
    pub(crate) cfg: &'a Cfg,
}

impl<'a> Code<'a> {
    /// The arms of a call statement, and whether it is asynchronous.
    pub(crate) fn call(&self, id: StmtId) -> Option<(&'a [Arm], bool)> {
        if let Stmt::Call { arms, is_async, .. } = self.body.stmt(id) {
            Some((arms, *is_async))
        } else {
            None
        }
    }

    /// A yield statement that yields at `layer`?
    pub(crate) fn is_yield(&self, id: StmtId, layer: Layer) -> bool {
        matches!(self.body.stmt(id), Stmt::Yield { layers, .. } if layers.contains(layer))
    }

    /// The labels of one arm at `layer`.
    pub(crate) fn labels(&self, arm: &Arm, is_async: bool, layer: Layer) -> StepLabels {
        call_labels(self.db, self.program, (arm, is_async), &self.body.exprs, layer)
    }

    /// Where a loop head is reported.
    pub(crate) fn head_place(&self, block: BlockId) -> Place {
        let block = self.cfg.block(block);
        let ptr = block.head.as_ref().and_then(|head| head.place).or(block.place);
        ptr.map_or(hir::decl_place(self.db, self.map.decl), |ptr| self.map.place(ptr))
    }
}

/// A point of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Block(BlockId),
    Command { block: BlockId, index: usize },
    Arm { stmt: StmtId, arm: usize },
    Transfer(BlockId),
}

/// The graph of one procedure at one layer.
pub(super) struct CodeGraph {
    pub(super) nodes: Vec<Node>,
    pub(super) atomicity: Graph<Label>,
    pub(super) asynchrony: Graph<AsyncLabel>,
    /// The returns.
    pub(super) finals: Vec<usize>,
}

impl CodeGraph {
    /// The node of the entry block.
    pub(super) const INITIAL: usize = 0;

    pub(super) fn new(code: &Code<'_>, layer: Layer) -> CodeGraph {
        let mut builder = Builder { code, layer, graph: CodeGraph::empty(), blocks: Vec::new() };
        for block in code.cfg.block_ids() {
            let node = builder.node(Node::Block(block));
            builder.blocks.push(node);
        }
        for block in code.cfg.block_ids() {
            builder.block(block);
        }
        builder.graph
    }

    fn empty() -> CodeGraph {
        CodeGraph {
            nodes: Vec::new(),
            atomicity: Graph { edges: Vec::new() },
            asynchrony: Graph { edges: Vec::new() },
            finals: Vec::new(),
        }
    }
}

struct Builder<'a> {
    code: &'a Code<'a>,
    layer: Layer,
    graph: CodeGraph,
    /// The node of each block.
    blocks: Vec<usize>,
}

impl Builder<'_> {
    fn node(&mut self, node: Node) -> usize {
        self.graph.nodes.push(node);
        self.graph.atomicity.edges.push(Vec::new());
        self.graph.asynchrony.edges.push(Vec::new());
        self.graph.nodes.len() - 1
    }

    fn edge(&mut self, from: usize, labels: StepLabels, to: usize) {
        self.graph.atomicity.edges[from].push((labels.atomicity, to));
        self.graph.asynchrony.edges[from].push((labels.asynchrony, to));
    }

    fn block(&mut self, id: BlockId) {
        let block = self.code.cfg.block(id);
        let mut at = self.blocks[id.index()];
        let yields =
            block.head.as_ref().is_some_and(|head| loop_yields(head, self.code.sig, self.layer));
        let mut label = if yields { StepLabels::YIELD } else { StepLabels::PRIVATE };
        for (index, command) in block.commands.iter().enumerate() {
            let next = self.node(Node::Command { block: id, index });
            self.edge(at, label, next);
            (at, label) = self.command(next, *command);
        }
        let transfer = self.node(Node::Transfer(id));
        self.edge(at, label, transfer);
        match &block.transfer {
            Transfer::Return(_) => self.graph.finals.push(transfer),
            Transfer::Goto(targets) => {
                for target in targets {
                    self.edge(transfer, StepLabels::PRIVATE, self.blocks[target.index()]);
                }
            }
        }
    }

    /// The node a command is left from, and the label on the way out.
    fn command(&mut self, node: usize, command: Command) -> (usize, StepLabels) {
        let Command::Stmt(stmt) = command else { return (node, StepLabels::PRIVATE) };
        let Some((arms, is_async)) = self.code.call(stmt) else {
            return (node, statement_labels(self.code.body.stmt(stmt), self.layer));
        };
        if let [arm] = arms {
            return (node, self.code.labels(arm, is_async, self.layer));
        }
        let (mut at, mut label) = (node, StepLabels::PRIVATE);
        for (i, arm) in arms.iter().enumerate() {
            let next = self.node(Node::Arm { stmt, arm: i });
            self.edge(at, label, next);
            (at, label) = (next, self.code.labels(arm, is_async, self.layer));
        }
        (at, label)
    }
}
