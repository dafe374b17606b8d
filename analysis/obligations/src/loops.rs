//! Cutting loops (verification.md 6.2).
//!
//! **In:** blocks with cycles. **Out:** blocks without.
//!
//! The assertions and assumptions at the start of a loop head are the loop's invariant. Every edge
//! into the head checks the assertions; the head forgets all that the loop assigns and assumes them;
//! assumptions stay in the head. Edges back to the head end there.
//!
//! # Soundness
//! A run through the loop is split where it passes the head. The state there differs from the state
//! at entry in variables that some block of the natural loop assigns, and those are havocked first.
//! That needs the graph to be reducible: other graphs are refused.

use std::collections::{BTreeMap, BTreeSet};

use base::Place;
use ir::{Block, BlockId, Command, Var};

use crate::builder::UnitBuilder;
use crate::claim::Claim;

/// A natural loop.
struct Loop {
    head: usize,
    back: BTreeSet<usize>,
    entries: BTreeSet<usize>,
    /// Commands of the head that are its invariant.
    prefix: usize,
    assigned: BTreeSet<Var>,
}

impl UnitBuilder {
    /// Makes the graph acyclic. If that cannot be done the unit becomes unsupported at `place`.
    pub fn cut_loops(&mut self, place: Place) {
        let Some(graph) = Graph::of(&self.blocks) else { return };
        let Some(loops) = graph.loops(&self.blocks) else {
            self.unsupported(place, "a loop with several entries");
            // Nothing is proved about this unit; without edges it is at least acyclic.
            self.blocks.iter_mut().for_each(|block| block.successors.clear());
            return;
        };
        for it in &loops {
            self.cut(it);
        }
    }

    fn cut(&mut self, it: &Loop) {
        let invariant: Vec<Command> = self.blocks[it.head].commands[..it.prefix].to_vec();
        for from in &it.entries {
            let at = self.edge_block(*from, it.head);
            self.check_invariant(at, &invariant, &Claim::LoopEntry);
        }
        for from in &it.back {
            let at = self.edge_block(*from, it.head);
            self.check_invariant(at, &invariant, &Claim::LoopMaintained);
            self.blocks[at].successors.clear();
        }
        let mut commands = Vec::new();
        if !it.assigned.is_empty() {
            commands.push(Command::Havoc(it.assigned.iter().cloned().collect()));
        }
        let wheres = it.assigned.iter().filter_map(|var| self.where_of(var));
        commands.extend(wheres.map(Command::assume));
        let mut rest = std::mem::take(&mut self.blocks[it.head].commands).into_iter();
        commands.extend(rest.by_ref().take(it.prefix).map(|command| match command {
            Command::Assert { term, hints, .. } => Command::Assume { term, hints },
            other @ (Command::Assume { .. }
            | Command::Assign(_)
            | Command::Havoc(_)
            | Command::Capture(_)) => other,
        }));
        commands.extend(rest);
        self.blocks[it.head].commands = commands;
    }

    /// A block that runs exactly when the edge is taken.
    fn edge_block(&mut self, from: usize, head: usize) -> usize {
        let targets: BTreeSet<BlockId> = self.blocks[from].successors.iter().copied().collect();
        if targets.len() == 1 {
            return from;
        }
        let id = |index: usize| BlockId(u32::try_from(index).unwrap_or(u32::MAX));
        let label = format!("{}->{}", self.blocks[from].label, self.blocks[head].label);
        let new = self.blocks.len();
        let site = self.blocks[head].site;
        let successors = vec![id(head)];
        self.blocks.push(Block { successors, site, ..Block::new(label) });
        for next in &mut self.blocks[from].successors {
            if next.index() == head {
                *next = id(new);
            }
        }
        new
    }

    fn check_invariant(&mut self, at: usize, invariant: &[Command], claim: &Claim) {
        for command in invariant {
            let Command::Assert { term, id, hints, subsumes } = command else { continue };
            let Some(info) = self.info(*id) else { continue };
            let mut info = info.clone();
            // Of a measure it is said the same wherever it is negative.
            if !matches!(info.claim, Claim::MeasureNonNegative { .. }) {
                info.claim = claim.clone();
            }
            let id = self.claim(info);
            let (term, hints) = (term.clone(), hints.clone());
            let command = Command::Assert { term, id, hints, subsumes: *subsumes };
            self.blocks[at].commands.push(command);
        }
    }
}

/// Reachable blocks in reverse postorder, with predecessors and dominators.
struct Graph {
    order: Vec<usize>,
    /// Position in `order`; nothing for unreachable blocks.
    rank: Vec<Option<usize>>,
    predecessors: Vec<Vec<usize>>,
    /// Immediate dominators; the entry's is itself.
    dominator: Vec<usize>,
}

impl Graph {
    fn of(blocks: &[Block]) -> Option<Graph> {
        if blocks.is_empty() {
            return None;
        }
        let order = reverse_postorder(blocks);
        let mut rank = vec![None; blocks.len()];
        for (position, block) in order.iter().enumerate() {
            rank[*block] = Some(position);
        }
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for from in &order {
            let targets: BTreeSet<usize> =
                blocks[*from].successors.iter().map(|id| id.index()).collect();
            targets.into_iter().for_each(|to| predecessors[to].push(*from));
        }
        let mut graph = Graph { order, rank, predecessors, dominator: Vec::new() };
        graph.find_dominators(blocks.len());
        Some(graph)
    }

    /// Cooper, Harvey and Kennedy 2001.
    fn find_dominators(&mut self, count: usize) {
        let mut dominator: Vec<Option<usize>> = vec![None; count];
        dominator[0] = Some(0);
        let mut changed = true;
        while changed {
            changed = false;
            for block in self.order.iter().skip(1) {
                let known = self.predecessors[*block].iter().filter(|it| dominator[**it].is_some());
                let best = known.copied().reduce(|a, b| self.meet(&dominator, a, b));
                if best.is_some() && dominator[*block] != best {
                    dominator[*block] = best;
                    changed = true;
                }
            }
        }
        self.dominator = dominator.into_iter().map(|it| it.unwrap_or(0)).collect();
    }

    fn meet(&self, dominator: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
        while a != b {
            if self.rank[a] > self.rank[b] {
                a = dominator[a].unwrap_or(0);
            } else {
                b = dominator[b].unwrap_or(0);
            }
        }
        a
    }

    fn dominates(&self, above: usize, mut below: usize) -> bool {
        while self.rank[below] > self.rank[above] {
            below = self.dominator[below];
        }
        below == above
    }

    /// The natural loops in the order of their heads; nothing if some cycle is not one.
    fn loops(&self, blocks: &[Block]) -> Option<Vec<Loop>> {
        let mut back: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for head in &self.order {
            for from in &self.predecessors[*head] {
                if self.rank[*from] < self.rank[*head] {
                    continue;
                }
                if !self.dominates(*head, *from) {
                    return None;
                }
                back.entry(*head).or_default().insert(*from);
            }
        }
        let heads = self.order.iter().filter_map(|head| Some((*head, back.get(head)?.clone())));
        Some(heads.map(|(head, back)| self.natural_loop(blocks, head, back)).collect())
    }

    fn natural_loop(&self, blocks: &[Block], head: usize, back: BTreeSet<usize>) -> Loop {
        let mut inside = BTreeSet::from([head]);
        let mut todo: Vec<usize> = back.iter().copied().collect();
        while let Some(block) = todo.pop() {
            if inside.insert(block) {
                todo.extend(&self.predecessors[block]);
            }
        }
        let mut assigned = BTreeSet::new();
        for command in inside.iter().flat_map(|block| &blocks[*block].commands) {
            match command {
                Command::Assign(pairs) => assigned.extend(pairs.iter().map(|(var, _)| var.clone())),
                Command::Havoc(vars) => assigned.extend(vars.iter().cloned()),
                Command::Assume { .. } | Command::Assert { .. } | Command::Capture(_) => {}
            }
        }
        let entries = self.predecessors[head].iter().copied().filter(|it| !back.contains(it));
        let prefix = blocks[head].commands.iter().take_while(|it| is_predicate(it)).count();
        Loop { head, entries: entries.collect(), back, prefix, assigned }
    }
}

fn is_predicate(command: &Command) -> bool {
    match command {
        Command::Assume { .. } | Command::Assert { .. } | Command::Capture(_) => true,
        Command::Assign(_) | Command::Havoc(_) => false,
    }
}

fn reverse_postorder(blocks: &[Block]) -> Vec<usize> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::with_capacity(blocks.len());
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        let targets = &blocks[*block].successors;
        // Later edges first, so that the reversed order follows the edges.
        match targets.len().checked_sub(*next + 1).map(|nth| targets[nth].index()) {
            None => {
                order.push(*block);
                stack.pop();
            }
            Some(target) => {
                *next += 1;
                if !std::mem::replace(&mut seen[target], true) {
                    stack.push((target, 0));
                }
            }
        }
    }
    order.reverse();
    order
}
