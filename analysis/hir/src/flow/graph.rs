//! A bare graph of numbered nodes with node 0 as entry: orders, dominators, components.
//!
//! Nothing here recurses: a body may have very many blocks.

use crate::{Block, Transfer};

/// Successors by node. All nodes are meant to be reachable from node 0 unless said otherwise.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) succs: Vec<Vec<usize>>,
    pub(crate) preds: Vec<Vec<usize>>,
}

impl Graph {
    pub(crate) fn new(succs: Vec<Vec<usize>>) -> Graph {
        let mut preds = vec![Vec::new(); succs.len()];
        for (from, targets) in succs.iter().enumerate() {
            for to in targets {
                // Sources ascend, so a second edge from the same one follows the first.
                if preds[*to].last() != Some(&from) {
                    preds[*to].push(from);
                }
            }
        }
        Graph { succs, preds }
    }

    pub(crate) fn of(blocks: &[Block]) -> Graph {
        let succs = blocks.iter().map(|block| match &block.transfer {
            Transfer::Goto(targets) => targets.iter().map(|it| it.index()).collect(),
            Transfer::Return(_) => Vec::new(),
        });
        Graph::new(succs.collect())
    }

    /// The nodes reachable from node 0, each after those it dominates are entered from.
    pub(crate) fn reverse_postorder(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.succs.len()];
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if !self.succs.is_empty() {
            seen[0] = true;
            stack.push((0, 0));
        }
        while let Some((node, next)) = stack.pop() {
            match self.succs[node].get(next) {
                Some(target) => {
                    stack.push((node, next + 1));
                    if !seen[*target] {
                        seen[*target] = true;
                        stack.push((*target, 0));
                    }
                }
                None => order.push(node),
            }
        }
        order.reverse();
        order
    }

    /// Immediate dominators (Cooper, Harvey and Kennedy 2001); the entry dominates itself.
    pub(crate) fn dominators(&self) -> Dominators {
        let order = self.reverse_postorder();
        let mut rank = vec![usize::MAX; self.succs.len()];
        for (position, node) in order.iter().enumerate() {
            rank[*node] = position;
        }
        let mut idom: Vec<Option<usize>> = vec![None; self.succs.len()];
        if let Some(entry) = order.first() {
            idom[*entry] = Some(*entry);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for node in order.iter().skip(1) {
                let mut known = self.preds[*node].iter().filter(|it| idom[**it].is_some());
                let Some(first) = known.next() else { continue };
                let new = known.fold(*first, |a, b| meet(&idom, &rank, a, *b));
                if idom[*node] != Some(new) {
                    idom[*node] = Some(new);
                    changed = true;
                }
            }
        }
        Dominators { idom, rank }
    }

    /// Strongly connected components of the nodes for which `within` holds, singletons included.
    pub(crate) fn components(&self, within: &[bool]) -> Vec<Vec<usize>> {
        let mut finished = Vec::new();
        let mut seen = vec![false; self.succs.len()];
        for start in (0..self.succs.len()).filter(|it| within[*it]) {
            walk(start, &self.succs, within, &mut seen, &mut finished);
        }
        let mut out = Vec::new();
        let mut seen = vec![false; self.succs.len()];
        for start in finished.into_iter().rev() {
            let mut component = Vec::new();
            walk(start, &self.preds, within, &mut seen, &mut component);
            if !component.is_empty() {
                component.sort_unstable();
                out.push(component);
            }
        }
        out
    }
}

/// The strongly connected components of a graph given by the successors of its nodes, singletons
/// included. A component comes before those it leads to. Takes linear time.
pub fn components(succs: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let within = vec![true; succs.len()];
    Graph::new(succs).components(&within)
}

/// Depth-first walk; nodes are appended when they are finished.
fn walk(
    start: usize,
    edges: &[Vec<usize>],
    within: &[bool],
    seen: &mut [bool],
    out: &mut Vec<usize>,
) {
    if seen[start] {
        return;
    }
    seen[start] = true;
    let mut stack = vec![(start, 0)];
    while let Some((node, next)) = stack.pop() {
        match edges[node].get(next) {
            Some(target) => {
                stack.push((node, next + 1));
                if within[*target] && !seen[*target] {
                    seen[*target] = true;
                    stack.push((*target, 0));
                }
            }
            None => out.push(node),
        }
    }
}

fn meet(idom: &[Option<usize>], rank: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        let high = if rank[a] > rank[b] { &mut a } else { &mut b };
        match idom[*high] {
            Some(up) => *high = up,
            None => return *high,
        }
    }
    a
}

/// Who dominates whom.
pub(crate) struct Dominators {
    idom: Vec<Option<usize>>,
    rank: Vec<usize>,
}

impl Dominators {
    /// Does every path to `b` pass through `a`?
    pub(crate) fn dominates(&self, a: usize, b: usize) -> bool {
        let mut node = b;
        while self.rank[node] > self.rank[a] {
            match self.idom[node] {
                Some(up) if up != node => node = up,
                _entry => return false,
            }
        }
        node == a
    }
}
