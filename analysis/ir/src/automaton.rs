//! Small labelled automata: tables, simulation, shortest refused path.
//!
//! **In:** a labelled graph (control flow), an automaton given as a table, and for each
//! node the states in which the automaton may be there.
//! **Out:** for each node the states that simulate it; or the shortest path that the
//! automaton refuses.
//!
//! State `s` simulates node `n` if `s` is allowed at `n` and every edge `n -a-> m` is
//! matched by a transition `s -a-> t` such that `t` simulates `m`. (Milner 1971; greatest
//! fixpoint by work list.)
//!
//! # Invariants
//! - Labels only; linear in edges times states squared.
//! - The refused path is a shortest one; ties are broken by the order of edges.

use std::collections::{BTreeMap, VecDeque, btree_map::Entry};

/// An automaton as a table of transitions between named states. At most 64 states.
#[derive(Clone, Copy, Debug)]
pub struct Automaton<'a, S, L> {
    /// All states; the order is that of reports.
    pub states: &'a [S],
    /// From, label, to.
    pub transitions: &'a [(S, L, S)],
}

/// A set of states of one automaton, as a bit per position in its list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateSet(u64);

impl StateSet {
    /// No state.
    pub const EMPTY: StateSet = StateSet(0);

    /// Is there no state?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The states in both.
    pub fn intersect(self, other: StateSet) -> StateSet {
        StateSet(self.0 & other.0)
    }

    fn has(self, position: usize) -> bool {
        self.0 >> position & 1 == 1
    }
}

/// A graph whose edges carry labels; nodes are positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledGraph<L> {
    /// The edges of each node: label and target.
    pub edges: Vec<Vec<(L, usize)>>,
}

/// An edge of a refused path: from, position among the edges of that node, to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathEdge {
    /// The node it leaves.
    pub from: usize,
    /// Which edge of the node.
    pub edge: usize,
    /// The node it enters.
    pub to: usize,
}

/// A path that the automaton cannot follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPath {
    /// The edges; the last one is refused. Empty: the start itself is refused.
    pub edges: Vec<PathEdge>,
    /// The states possible before each edge.
    pub states: Vec<StateSet>,
}

impl<S: Copy + PartialEq, L: Copy + PartialEq> Automaton<'_, S, L> {
    /// All states.
    pub fn all(&self) -> StateSet {
        self.set(self.states)
    }

    /// These states; unknown ones are ignored.
    pub fn set(&self, states: &[S]) -> StateSet {
        let bit = |state: &S| self.position(*state).map_or(0, |position| 1 << position);
        StateSet(states.iter().map(bit).fold(0, |all, bit| all | bit))
    }

    /// The states of a set, in table order.
    pub fn members(&self, set: StateSet) -> Vec<S> {
        let numbered = self.states.iter().enumerate();
        numbered.filter(|(position, _)| set.has(*position)).map(|(_, state)| *state).collect()
    }

    fn position(&self, state: S) -> Option<usize> {
        self.states.iter().take(64).position(|own| *own == state)
    }

    /// Where the automaton can be after `label`, from any state of `set`.
    pub fn step(&self, set: StateSet, label: L) -> StateSet {
        let mut next = 0;
        for (from, own, to) in self.transitions {
            let starts = self.position(*from).is_some_and(|position| set.has(position));
            if starts && *own == label {
                next |= self.set(&[*to]).0;
            }
        }
        StateSet(next)
    }

    /// For each node, the states that simulate it, given the states allowed there.
    pub fn simulation(
        &self,
        graph: &LabelledGraph<L>,
        allowed: impl Fn(usize) -> StateSet,
    ) -> Vec<StateSet> {
        let count = graph.edges.len();
        let mut simulating: Vec<StateSet> = (0..count).map(&allowed).collect();
        let mut predecessors = vec![Vec::new(); count];
        for (from, edges) in graph.edges.iter().enumerate() {
            edges.iter().for_each(|(_, to)| predecessors[*to].push(from));
        }
        let mut queued = vec![true; count];
        let mut work: VecDeque<usize> = (0..count).rev().collect();
        while let Some(node) = work.pop_front() {
            queued[node] = false;
            let kept = self.matching(&graph.edges[node], simulating[node], &simulating);
            if kept == simulating[node] {
                continue;
            }
            simulating[node] = kept;
            for from in &predecessors[node] {
                if !std::mem::replace(&mut queued[*from], true) {
                    work.push_back(*from);
                }
            }
        }
        simulating
    }

    /// The states of `own` that match every edge.
    fn matching(&self, edges: &[(L, usize)], own: StateSet, simulating: &[StateSet]) -> StateSet {
        let mut kept = 0;
        for position in (0..self.states.len().min(64)).filter(|position| own.has(*position)) {
            let state = StateSet(1 << position);
            let matches = |(label, to): &(L, usize)| {
                !self.step(state, *label).intersect(simulating[*to]).is_empty()
            };
            if edges.iter().all(matches) {
                kept |= state.0;
            }
        }
        StateSet(kept)
    }

    /// The shortest path from `entry` on which the automaton, started in any state of
    /// `start`, ends up in no allowed state.
    ///
    /// For a deterministic automaton and a single start state there is one exactly if
    /// that state does not simulate the entry.
    pub fn refused_path(
        &self,
        graph: &LabelledGraph<L>,
        entry: usize,
        start: StateSet,
        allowed: impl Fn(usize) -> StateSet,
    ) -> Option<RefusedPath> {
        let first = (entry, start.intersect(allowed(entry)));
        if first.1.is_empty() {
            return Some(RefusedPath { edges: vec![], states: vec![] });
        }
        let mut came_from: BTreeMap<(usize, StateSet), Option<(PathEdge, StateSet)>> =
            BTreeMap::new();
        came_from.insert(first, None);
        let mut work = VecDeque::from([first]);
        while let Some((node, set)) = work.pop_front() {
            for (edge, (label, to)) in graph.edges[node].iter().enumerate() {
                let step = PathEdge { from: node, edge, to: *to };
                let next = (*to, self.step(set, *label).intersect(allowed(*to)));
                if next.1.is_empty() {
                    return Some(path_to(&came_from, step, set));
                }
                if let Entry::Vacant(place) = came_from.entry(next) {
                    place.insert(Some((step, set)));
                    work.push_back(next);
                }
            }
        }
        None
    }
}

fn path_to(
    came_from: &BTreeMap<(usize, StateSet), Option<(PathEdge, StateSet)>>,
    last: PathEdge,
    set: StateSet,
) -> RefusedPath {
    let mut steps = vec![(last, set)];
    let mut at = (last.from, set);
    while let Some(Some((edge, before))) = came_from.get(&at) {
        steps.push((*edge, *before));
        at = (edge.from, *before);
    }
    steps.reverse();
    let (edges, states) = steps.into_iter().unzip();
    RefusedPath { edges, states }
}

#[cfg(test)]
mod tests {
    use super::{Automaton, LabelledGraph, PathEdge, StateSet};
    use crate::samples::Dice;

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Phase {
        Right,
        Left,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Letter {
        Yield,
        Right,
        Non,
        Left,
    }

    use Letter::{Non, Yield};

    const ATOMICITY: Automaton<'static, Phase, Letter> = Automaton {
        states: &[Phase::Right, Phase::Left],
        transitions: &[
            (Phase::Right, Letter::Right, Phase::Right),
            (Phase::Right, Letter::Yield, Phase::Right),
            (Phase::Right, Letter::Non, Phase::Left),
            (Phase::Right, Letter::Left, Phase::Left),
            (Phase::Left, Letter::Left, Phase::Left),
            (Phase::Left, Letter::Yield, Phase::Right),
        ],
    };

    fn refused(edges: &[&[(Letter, usize)]]) -> Option<Vec<usize>> {
        let graph = LabelledGraph { edges: edges.iter().map(|edges| edges.to_vec()).collect() };
        let all = |_| ATOMICITY.all();
        let path = ATOMICITY.refused_path(&graph, 0, ATOMICITY.all(), all)?;
        Some(path.edges.iter().map(|edge| edge.to).collect())
    }

    #[test]
    fn a_second_nonmover_is_refused_unless_a_yield_comes_between() {
        assert_eq!(refused(&[&[(Non, 1)], &[(Non, 2)], &[]]), Some(vec![1, 2]));
        assert_eq!(refused(&[&[(Non, 1)], &[(Yield, 2)], &[(Non, 3)], &[]]), None);
    }

    #[test]
    fn a_loop_of_one_nonmover_is_refused_the_second_time_round() {
        assert_eq!(refused(&[&[(Non, 0), (Yield, 1)], &[]]), Some(vec![0, 0]));
    }

    #[test]
    fn the_refused_path_is_the_shortest() {
        let long = &[(Non, 1), (Letter::Left, 2)];
        assert_eq!(refused(&[long, &[(Letter::Left, 2)], &[(Non, 3)], &[]]), Some(vec![2, 3]));
    }

    #[test]
    fn a_node_may_restrict_its_states() {
        let graph = LabelledGraph { edges: vec![vec![(Non, 1)], vec![]] };
        let right = ATOMICITY.set(&[Phase::Right]);
        let exit_right = |node| if node == 1 { right } else { ATOMICITY.all() };
        assert_eq!(ATOMICITY.simulation(&graph, exit_right), [StateSet::EMPTY, right]);
        let path = ATOMICITY.refused_path(&graph, 0, right, exit_right).unwrap();
        assert_eq!(path.edges, [PathEdge { from: 0, edge: 0, to: 1 }]);
        assert_eq!(ATOMICITY.members(path.states[0]), [Phase::Right]);
    }

    /// The definition: remove wrong pairs until nothing changes.
    fn naive(
        automaton: &Automaton<'_, usize, usize>,
        graph: &LabelledGraph<usize>,
        allowed: &[StateSet],
    ) -> Vec<Vec<usize>> {
        let mut related: Vec<Vec<usize>> =
            allowed.iter().map(|set| automaton.members(*set)).collect();
        loop {
            let ok = |node: usize, state: usize| {
                graph.edges[node].iter().all(|(label, to)| {
                    let moves = |(from, own, next): &(usize, usize, usize)| {
                        *from == state && own == label && related[*to].contains(next)
                    };
                    automaton.transitions.iter().any(moves)
                })
            };
            let next: Vec<Vec<usize>> = related
                .iter()
                .enumerate()
                .map(|(node, states)| {
                    states.iter().copied().filter(|state| ok(node, *state)).collect()
                })
                .collect();
            if next == related {
                return related;
            }
            related = next;
        }
    }

    fn random_graph(dice: &mut Dice) -> LabelledGraph<usize> {
        let count = 1 + dice.roll(8);
        let edges = (0..count).map(|_| {
            let degree = dice.roll(3);
            (0..degree).map(|_| (dice.roll(2), dice.roll(count))).collect()
        });
        LabelledGraph { edges: edges.collect() }
    }

    #[test]
    fn the_work_list_finds_the_greatest_simulation() {
        for seed in 1..2000 {
            let mut dice = Dice::new(seed);
            let graph = random_graph(&mut dice);
            let states: Vec<usize> = (0..1 + dice.roll(4)).collect();
            let size = states.len();
            let transitions: Vec<_> = (0..dice.roll(10))
                .map(|_| (dice.roll(size), dice.roll(2), dice.roll(size)))
                .collect();
            let automaton = Automaton { states: &states, transitions: &transitions };
            let some: Vec<StateSet> = graph
                .edges
                .iter()
                .map(|_| if dice.roll(5) == 0 { automaton.set(&[0]) } else { automaton.all() })
                .collect();
            let found = automaton.simulation(&graph, |node| some[node]);
            let found: Vec<Vec<usize>> =
                found.into_iter().map(|set| automaton.members(set)).collect();
            assert_eq!(found, naive(&automaton, &graph, &some), "seed {seed}");
        }
    }

    #[test]
    fn a_deterministic_automaton_refuses_a_path_exactly_if_it_does_not_simulate() {
        for seed in 1..2000 {
            let mut dice = Dice::new(seed);
            let graph = random_graph(&mut dice);
            let states: Vec<usize> = (0..1 + dice.roll(4)).collect();
            let mut transitions = Vec::new();
            for (state, label) in states.iter().flat_map(|state| [(*state, 0), (*state, 1)]) {
                if dice.roll(4) != 0 {
                    transitions.push((state, label, dice.roll(states.len())));
                }
            }
            let automaton = Automaton { states: &states, transitions: &transitions };
            let simulating = automaton.simulation(&graph, |_| automaton.all());
            for state in &states {
                let start = automaton.set(&[*state]);
                let path = automaton.refused_path(&graph, 0, start, |_| automaton.all());
                assert_eq!(
                    path.is_none(),
                    automaton.members(simulating[0]).contains(state),
                    "seed {seed}"
                );
            }
        }
    }
}
