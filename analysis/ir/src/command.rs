//! Units as programs: blocks of commands over typed variables.
//!
//! **In:** a body with contracts, instrumentation and calls already rewritten.
//! **Out:** a control-flow graph that passification turns into a question.
//!
//! A variable listed in [`Program::vars`] can change; any other free variable of a term
//! is an arbitrary fixed value. So "the old value of `g`" is an unlisted variable that an
//! assumption at the entry makes equal to `g`. A block without successors ends the run.
//!
//! # Invariants
//! - A block is named by its position. Sites, labels and captures never change a verdict.

use crate::{
    site::Site,
    symbol::Symbol,
    term::{PoolHint, Term, Var},
};

/// The position of a block in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

impl BlockId {
    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names an assertion of a unit. Copies of one assertion may share the id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssertId(pub u32);

/// Names a capture point of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaptureId(pub u32);

/// What a trace shows at one point: source variables and the terms that hold their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Which point.
    pub id: CaptureId,
    /// Source names and their values here.
    pub values: Vec<(Symbol, Term)>,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Runs continue only where `term` holds.
    Assume {
        /// The condition.
        term: Term,
        /// Pool instances.
        hints: Vec<PoolHint>,
    },
    /// Every run that gets here must satisfy `term`.
    Assert {
        /// The condition.
        term: Term,
        /// Its name.
        id: AssertId,
        /// Pool instances.
        hints: Vec<PoolHint>,
        /// Is it assumed after having been checked (and when it is not selected)?
        subsumes: bool,
    },
    /// Simultaneous assignment; the variables differ.
    Assign(Vec<(Var, Term)>),
    /// The variables get arbitrary values.
    Havoc(Vec<Var>),
    /// Remember the state for traces.
    Capture(Capture),
}

impl Command {
    /// An assumption without hints.
    pub fn assume(term: Term) -> Self {
        Command::Assume { term, hints: Vec::new() }
    }

    /// An assertion without hints that is assumed afterwards.
    pub fn assert(term: Term, id: AssertId) -> Self {
        Command::Assert { term, id, hints: Vec::new(), subsumes: true }
    }

    /// Assignment to one variable.
    pub fn assign(var: Var, term: Term) -> Self {
        Command::Assign(vec![(var, term)])
    }
}

/// A straight line of commands and where it may go next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The name shown in dumps and traces.
    pub label: Symbol,
    /// Commands in order.
    pub commands: Vec<Command>,
    /// Where the run may go on; none: it ends.
    pub successors: Vec<BlockId>,
    /// Where the block came from.
    pub site: Option<Site>,
}

impl Block {
    /// An empty block.
    pub fn new(label: impl Into<Symbol>) -> Self {
        Block { label: label.into(), commands: Vec::new(), successors: Vec::new(), site: None }
    }
}

/// A unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The variables that can change.
    pub vars: Vec<Var>,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// Where runs start.
    pub entry: BlockId,
}

/// Why an algorithm cannot work on a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// An edge or the entry points to no block.
    DanglingEdge(BlockId),
    /// The block lies on a cycle: its loop was not cut.
    Cyclic(BlockId),
    /// An assignment or havoc of a variable that is not listed.
    UndeclaredVar(Var),
    /// An assignment of a term of another sort.
    SortMismatch(Var),
}

impl std::fmt::Display for ProgramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProgramError::DanglingEdge(block) => write!(f, "no block {}", block.0),
            ProgramError::Cyclic(block) => write!(f, "block {} lies on a cycle", block.0),
            ProgramError::UndeclaredVar(var) => write!(f, "`{}` is not declared", var.name),
            ProgramError::SortMismatch(var) => {
                write!(f, "a value of another sort is assigned to `{}`", var.name)
            }
        }
    }
}

impl std::error::Error for ProgramError {}

impl Program {
    /// The block at `id`.
    pub fn block(&self, id: BlockId) -> Option<&Block> {
        self.blocks.get(id.index())
    }

    /// The blocks that runs can reach, each before its successors; ties in edge order.
    pub fn topological_order(&self) -> Result<Vec<BlockId>, ProgramError> {
        topological_order(self.entry, self.blocks.len(), |block| {
            &self.blocks[block.index()].successors
        })
    }
}

/// Reverse postorder of an acyclic graph, without recursion.
pub(crate) fn topological_order<'a>(
    entry: BlockId,
    count: usize,
    successors: impl Fn(BlockId) -> &'a [BlockId],
) -> Result<Vec<BlockId>, ProgramError> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; count];
    let mut order = Vec::new();
    let mut stack = vec![(entry, 0)];
    *marks.get_mut(entry.index()).ok_or(ProgramError::DanglingEdge(entry))? = Mark::Open;
    while let Some((block, next)) = stack.last_mut() {
        // Later edges first, so that the reversed order follows the edges.
        let edges = successors(*block);
        let Some(&target) = edges.len().checked_sub(*next + 1).and_then(|nth| edges.get(nth))
        else {
            marks[block.index()] = Mark::Done;
            order.push(*block);
            stack.pop();
            continue;
        };
        *next += 1;
        match marks.get(target.index()) {
            None => return Err(ProgramError::DanglingEdge(target)),
            Some(Mark::Open) => return Err(ProgramError::Cyclic(target)),
            Some(Mark::Done) => {}
            Some(Mark::New) => {
                marks[target.index()] = Mark::Open;
                stack.push((target, 0));
            }
        }
    }
    order.reverse();
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::{Block, BlockId, Program, ProgramError};

    fn graph(edges: &[&[u32]]) -> Program {
        let block = |targets: &&[u32]| Block {
            successors: targets.iter().map(|target| BlockId(*target)).collect(),
            ..Block::new("b")
        };
        Program { vars: vec![], blocks: edges.iter().map(block).collect(), entry: BlockId(0) }
    }

    #[test]
    fn order_puts_blocks_before_their_successors() {
        let order = graph(&[&[2, 1], &[3], &[1, 3], &[], &[0]]).topological_order();
        assert_eq!(order, Ok(vec![BlockId(0), BlockId(2), BlockId(1), BlockId(3)]));
    }

    #[test]
    fn order_refuses_cycles_and_dangling_edges() {
        assert_eq!(graph(&[&[1], &[0]]).topological_order(), Err(ProgramError::Cyclic(BlockId(0))));
        assert_eq!(graph(&[&[7]]).topological_order(), Err(ProgramError::DanglingEdge(BlockId(7))));
    }
}
