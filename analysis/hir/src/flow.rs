//! From statements to blocks (language.md 6).
//!
//! **In:** a body. **Out:** its [`Cfg`]: reachable blocks, natural loops, what loop heads say.
//!
//! The steps: cut into blocks (`build`), drop what cannot be reached, make reducible (`reduce`), find
//! loops (`loops`), take annotations off loop heads (here).

mod build;
mod graph;
mod loops;
mod reduce;

use std::sync::Arc;

use base::{DeclId, Program};

use crate::{
    Block, BlockId, Body, Cfg, Command, Db, LoopHead, LoopYield, Stmt, StmtId, Transfer, body,
    body_map, proc_sig, proc_sig_of,
};

pub use graph::components;

pub(crate) use graph::Graph;

/// The blocks of the body written in a declaration. Reads the body and, in yield procedures, which
/// callees at loop heads are invariants.
#[salsa::tracked(returns(clone))]
pub fn cfg(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<Cfg>> {
    let body = body(db, program, decl)?;
    let map = body_map(db, program, decl)?;
    let blocks = reachable(build::blocks(&body, &map));
    let reduce::Reduced { blocks, irreducible, untangled } = reduce::reducible(blocks);
    let mut cfg = Cfg { blocks, loops: Vec::new(), irreducible, untangled };
    cfg.loops = loops::natural_loops(&Graph::of(&cfg.blocks));
    let yields = proc_sig_of(db, program, decl).is_some_and(|sig| sig.is_yield_procedure());
    let is_invariant = |stmt: &Stmt| {
        let Stmt::Call { arms, is_async: false, .. } = stmt else { return false };
        let [arm] = &**arms else { return false };
        proc_sig(db, program, arm.callee.clone()).is_some_and(|it| it.is_invariant())
    };
    let headers: Vec<BlockId> = cfg.loops.iter().map(|it| it.header).collect();
    for header in headers {
        let block = &mut cfg.blocks[header.index()];
        let stmt = block.of;
        let mut head = LoopHead {
            stmt,
            place: stmt.map(|it| map.stmts[it.index()]).or(block.place),
            yields: None,
            invariant_calls: Vec::new(),
        };
        if yields {
            take_annotation(block, &mut head, &body);
            take_calls(block, &mut head, |id| is_invariant(body.stmt(id)));
        }
        block.head = Some(head);
    }
    Some(Arc::new(cfg))
}

/// The first assertion or assumption with `{:yields}` moves from the block to the head.
fn take_annotation(block: &mut Block, head: &mut LoopHead, body: &Body) {
    for (number, command) in block.commands.iter().enumerate() {
        let Command::Stmt(id) = command else { continue };
        let (Stmt::Assert { layers, attrs, .. } | Stmt::Assume { layers, attrs, .. }) =
            body.stmt(*id)
        else {
            continue;
        };
        if attrs.has("yields") {
            head.yields = Some(LoopYield { stmt: *id, layers: layers.clone() });
            block.commands.remove(number);
            return;
        }
    }
}

/// The leading calls of invariants move from the block to the head.
fn take_calls(block: &mut Block, head: &mut LoopHead, is_invariant: impl Fn(StmtId) -> bool) {
    let count = (block.commands.iter())
        .take_while(|command| matches!(command, Command::Stmt(id) if is_invariant(*id)))
        .count();
    for command in block.commands.drain(..count) {
        if let Command::Stmt(id) = command {
            head.invariant_calls.push(id);
        }
    }
}

/// The blocks that can be reached from the first, in the same order.
fn reachable(blocks: Vec<Block>) -> Vec<Block> {
    let graph = Graph::of(&blocks);
    let order = graph.reverse_postorder();
    let mut number = vec![None; blocks.len()];
    let mut kept: Vec<usize> = order;
    kept.sort_unstable();
    for (new, old) in kept.iter().enumerate() {
        number[*old] = Some(BlockId::from_index(new));
    }
    let mut out = Vec::new();
    for (old, mut block) in blocks.into_iter().enumerate() {
        if number[old].is_none() {
            continue;
        }
        if let Transfer::Goto(targets) = &mut block.transfer {
            *targets = targets.iter().filter_map(|it| number[it.index()]).collect();
        }
        out.push(block);
    }
    out
}
