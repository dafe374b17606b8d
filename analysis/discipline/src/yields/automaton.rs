//! Small automata that read labelled graphs.
//!
//! **In:** a table of transitions, a graph with labelled edges, and the phases allowed at each node.
//! **Out:** the greatest simulation of the graph by the automaton, and the shortest path on which
//! the automaton is stuck.
//!
//! Both automata of this crate have two phases, before and after some event, and are deterministic.
//! A node is simulated by a phase iff the automaton, started there, can follow every path of the
//! graph. Starting from all pairs, pairs that violate this are deleted until none does; that is the
//! greatest fixpoint, computed with each deletion looking at its predecessors only.

use std::collections::{BTreeMap, VecDeque};

/// A state of an automaton: before or after the event it watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    Before,
    After,
}

impl Phase {
    /// Both phases.
    pub const ALL: [Phase; 2] = [Phase::Before, Phase::After];

    fn bit(self) -> u8 {
        match self {
            Phase::Before => 1,
            Phase::After => 2,
        }
    }
}

/// A set of phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PhaseSet(u8);

impl PhaseSet {
    /// Both phases.
    pub const ALL: PhaseSet = PhaseSet(3);

    /// One phase only.
    pub fn only(phase: Phase) -> PhaseSet {
        PhaseSet(phase.bit())
    }

    /// Is the phase in the set?
    pub fn contains(self, phase: Phase) -> bool {
        self.0 & phase.bit() != 0
    }

    /// Is the set empty?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn without(self, phase: Phase) -> PhaseSet {
        PhaseSet(self.0 & !phase.bit())
    }
}

/// A deterministic automaton: rows (from, label, to). A missing row means it is stuck.
pub struct Automaton<L: 'static> {
    pub rows: &'static [(Phase, L, Phase)],
}

impl<L: Copy + PartialEq> Automaton<L> {
    /// Where the automaton goes; nothing if it is stuck.
    pub fn step(&self, from: Phase, label: L) -> Option<Phase> {
        let row = self.rows.iter().find(|(phase, on, _)| *phase == from && *on == label);
        row.map(|(_, _, to)| *to)
    }
}

/// A graph with labelled edges; nodes are numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph<L> {
    /// For each node its edges, in a fixed order.
    pub edges: Vec<Vec<(L, usize)>>,
}

/// The greatest relation in which a phase at a node is in `allowed` there and can follow each of
/// the node's edges to a phase in the relation.
pub fn simulate<L: Copy + PartialEq>(
    graph: &Graph<L>,
    automaton: &Automaton<L>,
    allowed: &[PhaseSet],
) -> Vec<PhaseSet> {
    let mut sources = vec![Vec::new(); graph.edges.len()];
    for (from, edges) in graph.edges.iter().enumerate() {
        for (_, to) in edges {
            sources[*to].push(from);
        }
    }
    let mut sim = allowed.to_vec();
    let mut todo: Vec<usize> = (0..graph.edges.len()).collect();
    while let Some(node) = todo.pop() {
        let before = sim[node];
        for phase in Phase::ALL {
            let follows = |(label, to): &(L, usize)| {
                automaton.step(phase, *label).is_some_and(|next| sim[*to].contains(next))
            };
            if sim[node].contains(phase) && !graph.edges[node].iter().all(follows) {
                sim[node] = sim[node].without(phase);
            }
        }
        if sim[node] != before {
            todo.push(node);
            todo.extend(&sources[node]);
        }
    }
    sim
}

/// A path on which the automaton is stuck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The nodes from the start, each with the phase in which it is entered.
    pub path: Vec<(usize, Phase)>,
    /// Stuck on the way out of the last node; otherwise the last node does not allow the phase.
    pub on_edge: bool,
}

/// The shortest path from `start` to a node where the automaton is stuck; ties go to earlier edges.
/// Nothing if the automaton is never stuck.
pub fn shortest_refusal<L: Copy + PartialEq>(
    graph: &Graph<L>,
    automaton: &Automaton<L>,
    allowed: &[PhaseSet],
    start: (usize, Phase),
) -> Option<Refusal> {
    let mut came_from: BTreeMap<(usize, Phase), Option<(usize, Phase)>> =
        BTreeMap::from([(start, None)]);
    let mut todo = VecDeque::from([start]);
    while let Some(at) = todo.pop_front() {
        let (node, phase) = at;
        if !allowed[node].contains(phase) {
            return Some(Refusal { path: path_to(&came_from, at), on_edge: false });
        }
        for (label, to) in &graph.edges[node] {
            let Some(next) = automaton.step(phase, *label) else {
                return Some(Refusal { path: path_to(&came_from, at), on_edge: true });
            };
            came_from.entry((*to, next)).or_insert_with(|| {
                todo.push_back((*to, next));
                Some(at)
            });
        }
    }
    None
}

fn path_to(
    came_from: &BTreeMap<(usize, Phase), Option<(usize, Phase)>>,
    end: (usize, Phase),
) -> Vec<(usize, Phase)> {
    let mut path = vec![end];
    let mut at = end;
    while let Some(Some(previous)) = came_from.get(&at) {
        path.push(*previous);
        at = *previous;
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::{Automaton, Graph, Phase, PhaseSet, shortest_refusal, simulate};
    use crate::yields::{ASYNC, ATOMICITY, AsyncLabel, Label};

    /// A small reproducible source of numbers.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(self.0 >> 33).unwrap() % bound
        }
    }

    /// The greatest fixpoint, straight from its definition: recompute everything until it is stable.
    fn naive<L: Copy + PartialEq>(
        graph: &Graph<L>,
        automaton: &Automaton<L>,
        allowed: &[PhaseSet],
    ) -> Vec<PhaseSet> {
        let mut sim = allowed.to_vec();
        loop {
            let next: Vec<PhaseSet> = (0..sim.len())
                .map(|node| {
                    let keeps = |phase: &Phase| {
                        sim[node].contains(*phase)
                            && graph.edges[node].iter().all(|(label, to)| {
                                automaton
                                    .step(*phase, *label)
                                    .is_some_and(|it| sim[*to].contains(it))
                            })
                    };
                    let kept = Phase::ALL.into_iter().filter(keeps);
                    kept.fold(PhaseSet(0), |set, phase| PhaseSet(set.0 | phase.bit()))
                })
                .collect();
            if next == sim {
                return sim;
            }
            sim = next;
        }
    }

    fn random<L: Copy>(numbers: &mut Numbers, labels: &[L]) -> (Graph<L>, Vec<PhaseSet>) {
        let nodes = 1 + numbers.below(9);
        let edges = (0..nodes)
            .map(|_| {
                let count = numbers.below(4);
                (0..count)
                    .map(|_| (labels[numbers.below(labels.len())], numbers.below(nodes)))
                    .collect()
            })
            .collect();
        let set =
            |pick: usize| if pick == 0 { PhaseSet::only(Phase::Before) } else { PhaseSet::ALL };
        let allowed = (0..nodes).map(|_| set(numbers.below(6))).collect();
        (Graph { edges }, allowed)
    }

    fn agree<L: Copy + PartialEq + std::fmt::Debug>(automaton: &Automaton<L>, labels: &[L]) {
        let mut numbers = Numbers(7);
        for _ in 0..4_000 {
            let (graph, allowed) = random(&mut numbers, labels);
            let sim = simulate(&graph, automaton, &allowed);
            assert_eq!(sim, naive(&graph, automaton, &allowed), "{graph:?} {allowed:?}");
            for phase in Phase::ALL {
                let refusal = shortest_refusal(&graph, automaton, &allowed, (0, phase));
                assert_eq!(refusal.is_none(), sim[0].contains(phase), "{graph:?} {allowed:?}");
            }
        }
    }

    #[test]
    fn simulation_agrees_with_the_naive_fixpoint_for_atomicity() {
        agree(&ATOMICITY, &Label::ALL);
    }

    #[test]
    fn simulation_agrees_with_the_naive_fixpoint_for_async() {
        agree(&ASYNC, &AsyncLabel::ALL);
    }
}
