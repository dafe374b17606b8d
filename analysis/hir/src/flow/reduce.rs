//! Making graphs reducible by copying blocks.
//!
//! A cycle with several entries keeps its first entry as header; every other way in gets its own
//! copy of the rest of the cycle. Each step removes one such cycle; copies are bounded, and what is
//! left over is reported, never ignored.

use super::graph::Graph;
use crate::{Block, BlockId, Transfer};

/// How many blocks may be added.
const MAX_COPIES: usize = 2_000;

/// What became of a graph.
pub(crate) struct Reduced {
    pub(crate) blocks: Vec<Block>,
    /// The headers of cycles that could not be untangled.
    pub(crate) irreducible: Vec<BlockId>,
    /// Was there anything to untangle?
    pub(crate) untangled: bool,
}

/// The blocks with every cycle entered at one block only, as far as possible.
pub(crate) fn reducible(mut blocks: Vec<Block>) -> Reduced {
    let limit = blocks.len() + MAX_COPIES;
    let mut untangled = false;
    while let Some(region) = find_region(&Graph::of(&blocks)) {
        if blocks.len() + region.nodes.len() > limit {
            let irreducible = vec![BlockId::from_index(region.header)];
            return Reduced { blocks, irreducible, untangled };
        }
        untangled = true;
        split(&mut blocks, &region);
        blocks = super::reachable(blocks);
    }
    Reduced { blocks, irreducible: Vec::new(), untangled }
}

/// A cycle with several entries.
struct Region {
    header: usize,
    /// All nodes but the header, ascending.
    nodes: Vec<usize>,
}

/// The first cycle with several entries: components, then components without their header, ...
fn find_region(graph: &Graph) -> Option<Region> {
    let mut todo = vec![vec![true; graph.succs.len()]];
    while let Some(within) = todo.pop() {
        for component in graph.components(&within) {
            let mut inside = vec![false; graph.succs.len()];
            for node in &component {
                inside[*node] = true;
            }
            let loops_to_itself = graph.succs[component[0]].contains(&component[0]);
            if component.len() == 1 && !loops_to_itself {
                continue;
            }
            let is_entry =
                |node: &usize| *node == 0 || graph.preds[*node].iter().any(|from| !inside[*from]);
            let entries: Vec<usize> = component.iter().copied().filter(is_entry).collect();
            let header = *entries.first()?;
            if entries.len() > 1 {
                let nodes = component.into_iter().filter(|it| *it != header).collect();
                return Some(Region { header, nodes });
            }
            inside[header] = false;
            todo.push(inside);
        }
    }
    None
}

/// Edges from outside into the region, except to its header, lead to copies from now on.
fn split(blocks: &mut Vec<Block>, region: &Region) {
    let first = blocks.len();
    let copy_of = |id: BlockId| {
        let position = region.nodes.binary_search(&id.index()).ok()?;
        Some(BlockId::from_index(first + position))
    };
    let redirect = |block: &mut Block| {
        if let Transfer::Goto(targets) = &mut block.transfer {
            for target in targets {
                *target = copy_of(*target).unwrap_or(*target);
            }
        }
    };
    let mut copies: Vec<Block> = region.nodes.iter().map(|it| blocks[*it].clone()).collect();
    copies.iter_mut().for_each(redirect);
    let is_inside =
        |number: usize| number == region.header || region.nodes.binary_search(&number).is_ok();
    for (number, block) in blocks.iter_mut().enumerate() {
        if !is_inside(number) {
            redirect(block);
        }
    }
    blocks.extend(copies);
}
