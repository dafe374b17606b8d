//! Natural loops: one per header, with all blocks from which a back edge is reached without
//! passing the header.

use super::graph::Graph;
use crate::{BlockId, Loop};

/// The natural loops, outer before inner; loops of equal size by header.
pub(crate) fn natural_loops(graph: &Graph) -> Vec<Loop> {
    let dominators = graph.dominators();
    let mut loops: Vec<Loop> = Vec::new();
    for header in 0..graph.succs.len() {
        let back: Vec<usize> = (graph.preds[header].iter().copied())
            .filter(|source| dominators.dominates(header, *source))
            .collect();
        if back.is_empty() {
            continue;
        }
        let mut back_edges: Vec<BlockId> = back.iter().map(|it| BlockId::from_index(*it)).collect();
        back_edges.sort_unstable();
        let blocks = members(graph, header, back);
        loops.push(Loop { header: BlockId::from_index(header), back_edges, blocks, parent: None });
    }
    loops.sort_by_key(|it| (std::cmp::Reverse(it.blocks.len()), it.header));
    for inner in 0..loops.len() {
        let header = loops[inner].header;
        let around = |outer: &usize| loops[*outer].blocks.binary_search(&header).is_ok();
        loops[inner].parent = (0..inner).rev().find(around);
    }
    loops
}

fn members(graph: &Graph, header: usize, back: Vec<usize>) -> Vec<BlockId> {
    let mut inside = vec![false; graph.succs.len()];
    inside[header] = true;
    let mut todo = back;
    while let Some(node) = todo.pop() {
        if !inside[node] {
            inside[node] = true;
            todo.extend(&graph.preds[node]);
        }
    }
    let ids = inside.iter().enumerate().filter(|(_, it)| **it);
    ids.map(|(number, _)| BlockId::from_index(number)).collect()
}
