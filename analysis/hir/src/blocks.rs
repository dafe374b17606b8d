//! Bodies as graphs of blocks (language.md 6).
//!
//! **In:** a [`crate::Body`]. **Out:** a [`Cfg`] over the same statements.
//!
//! # Invariants
//! - Block 0 is the entry. Every block is reachable. The graph is reducible, or `irreducible` is set.
//! - Commands are simple statements: no `If`, `While`, `Break`, `Goto`, `Label`, `Return`, `Error`
//!   excepted, which stays as a command that may do anything.
//! - The yield annotation and the leading invariant calls of a loop head are in [`LoopHead`] and no
//!   longer among the commands of the block (language.md 9.8).

use base::{Name, NodePtr};

use crate::{BlockId, Body, ExprId, LayerSet, Stmt, StmtId};

/// The graph of one body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cfg {
    pub blocks: Vec<Block>,
    /// Natural loops, outer before inner, by header.
    pub loops: Vec<Loop>,
    /// Headers of cycles with several entries that could not be untangled: complained about.
    pub irreducible: Vec<BlockId>,
    /// Had some cycle several entries, so that blocks were copied?
    pub untangled: bool,
}

/// A block: commands without jumps, then one transfer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// The user's label, or a generated one as in language.md 6 (`anon3_LoopHead`).
    pub label: Name,
    /// Where the block is reported; nothing for blocks without any token.
    pub place: Option<NodePtr>,
    pub commands: Vec<Command>,
    pub transfer: Transfer,
    /// The `while` statement whose head this is.
    pub of: Option<StmtId>,
    /// Set iff this block is the header of a natural loop.
    pub head: Option<LoopHead>,
}

/// A command of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// A simple statement.
    Stmt(StmtId),
    /// `assume cond` or, if negated, `assume !cond`, from the guard of the statement `of`.
    Guard { cond: ExprId, negated: bool, of: StmtId },
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// To any of these; none means the end is never reached.
    Goto(Vec<BlockId>),
    /// At a `return`, or at the closing brace.
    Return(NodePtr),
}

/// What a loop header says about its loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoopHead {
    /// The `while` statement, if the loop is one.
    pub stmt: Option<StmtId>,
    /// The header's position: the `while` keyword or the label.
    pub place: Option<NodePtr>,
    /// The annotation `{:yields}`; without it the loop yields at no layer.
    pub yields: Option<LoopYield>,
    /// The calls of yield invariants at the head, all of them statements with one arm or more.
    pub invariant_calls: Vec<StmtId>,
}

/// A `{:yields}` annotation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoopYield {
    /// The assertion or assumption that carries it.
    pub stmt: StmtId,
    /// Its layers: none means all layers of the procedure.
    pub layers: LayerSet,
}

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loop {
    pub header: BlockId,
    /// Sources of back edges, ascending.
    pub back_edges: Vec<BlockId>,
    /// All blocks of the loop, ascending, the header included.
    pub blocks: Vec<BlockId>,
    /// The innermost loop around it, as an index into [`Cfg::loops`].
    pub parent: Option<usize>,
}

impl Block {
    /// What the head of a loop says about each of its rounds, besides what is in [`LoopHead`]: the
    /// assertions, assumptions and measures with which its commands begin. The one answer to which
    /// commands are the loop's invariant; nothing for a block that is no head.
    pub fn predicates(&self, body: &Body) -> &[Command] {
        let is_part = |command: &&Command| match command {
            Command::Stmt(id) => is_predicate(body.stmt(*id)),
            Command::Guard { .. } => false,
        };
        let count = match self.head {
            Some(_) => self.commands.iter().take_while(is_part).count(),
            None => 0,
        };
        &self.commands[..count]
    }
}

/// A statement that says something about the state and changes nothing.
fn is_predicate(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Assert { .. } | Stmt::Assume { .. } | Stmt::Measure { .. } => true,
        Stmt::Error | Stmt::Assign { .. } | Stmt::Unpack { .. } | Stmt::Havoc { .. } => false,
        Stmt::Call { .. } | Stmt::Yield { .. } | Stmt::Visibility(_) | Stmt::If { .. } => false,
        Stmt::While { .. } | Stmt::Break { .. } | Stmt::Goto { .. } | Stmt::Label(_) => false,
        Stmt::Return => false,
    }
}

impl Cfg {
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    pub fn entry(&self) -> BlockId {
        BlockId(0)
    }

    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len()).map(BlockId::from_index)
    }

    /// The blocks `id` may continue with.
    pub fn successors(&self, id: BlockId) -> &[BlockId] {
        match &self.block(id).transfer {
            Transfer::Goto(targets) => targets,
            Transfer::Return(_) => &[],
        }
    }

    /// For each block the blocks it may be reached from, ascending.
    pub fn predecessors(&self) -> Vec<Vec<BlockId>> {
        let mut out = vec![Vec::new(); self.blocks.len()];
        for from in self.block_ids() {
            for to in self.successors(from) {
                if !out[to.index()].contains(&from) {
                    out[to.index()].push(from);
                }
            }
        }
        out
    }

    /// The loop with this header.
    pub fn loop_at(&self, header: BlockId) -> Option<&Loop> {
        self.loops.iter().find(|it| it.header == header)
    }

    /// Is there no loop at all?
    pub fn is_acyclic(&self) -> bool {
        self.loops.is_empty() && self.irreducible.is_empty()
    }
}
