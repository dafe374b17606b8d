//! From programs that assign to programs that only assume: single assignment.
//!
//! **In:** an acyclic [`Program`].
//! **Out:** an equivalent [`Passive`] program.
//!
//! Each assignment `x := e` gives `x` a new name `x@k` and assumes `x@k == e`, except
//! that literals and variables simply become the value of `x`; havoc gives a new name.
//! Where paths meet with different values of a variable that is still used, a new name is
//! made equal to the old value at the end of each incoming path. The value of `x` at the
//! entry is `x` itself. (Flanagan and Saxe 2001; Barnett and Leino 2005.)
//!
//! # Soundness
//! Every run of the program gives values to the new names under which exactly the
//! corresponding path satisfies its assumptions, and vice versa: a new name is defined
//! once per path. Variables without a use ahead need no name; captures count as uses, so
//! that traces show true values.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    command::{Block, BlockId, Capture, Command, Program, ProgramError},
    digest::Digest,
    passive::{Item, Passive, PassiveBlock},
    subst::{Substitution, for_each_subterm, free_vars},
    symbol::Symbol,
    term::{PoolHint, Term, Var},
};

/// The passive form of `program`.
pub fn passify(program: &Program) -> Result<Passive, ProgramError> {
    check(program)?;
    let graph = Graph::of(program)?;
    let mut pass = Passifier::new(program);
    let live = pass.live_at_entry(&graph);
    let mut ends: Vec<State> = Vec::with_capacity(graph.blocks.len());
    let mut blocks: Vec<PassiveBlock> = Vec::with_capacity(graph.blocks.len());
    for (nth, block) in graph.blocks.iter().enumerate() {
        let mut state = pass.join(&graph.predecessors[nth], &live[nth], &ends, &mut blocks);
        let mut items = Vec::with_capacity(block.commands.len());
        for command in block.commands {
            pass.command(command, &mut state, &mut items);
        }
        blocks.push(PassiveBlock {
            label: block.label.clone(),
            items,
            successors: block.successors.clone(),
            site: block.site,
        });
        ends.push(state);
    }
    Passive::new(blocks).ok_or(ProgramError::DanglingEdge(program.entry))
}

fn check(program: &Program) -> Result<(), ProgramError> {
    let vars: BTreeSet<&Var> = program.vars.iter().collect();
    let declared = |var: &Var| {
        if vars.contains(var) { Ok(()) } else { Err(ProgramError::UndeclaredVar(var.clone())) }
    };
    for command in program.blocks.iter().flat_map(|block| &block.commands) {
        match command {
            Command::Assign(pairs) => {
                for (var, term) in pairs {
                    declared(var)?;
                    if var.sort != *term.sort() {
                        return Err(ProgramError::SortMismatch(var.clone()));
                    }
                }
            }
            Command::Havoc(vars) => vars.iter().try_for_each(declared)?,
            Command::Assume { .. } | Command::Assert { .. } | Command::Capture(_) => {}
        }
    }
    Ok(())
}

struct GraphBlock<'a> {
    label: Symbol,
    commands: &'a [Command],
    successors: Vec<BlockId>,
    site: Option<crate::site::Site>,
}

/// Reachable blocks in topological order, with a block on every edge from a fork to a join.
struct Graph<'a> {
    blocks: Vec<GraphBlock<'a>>,
    predecessors: Vec<Vec<usize>>,
}

impl<'a> Graph<'a> {
    fn of(program: &'a Program) -> Result<Self, ProgramError> {
        let order = program.topological_order()?;
        let mut incoming: FxHashMap<BlockId, usize> = FxHashMap::default();
        let targets = |id: &BlockId| distinct(&program.blocks[id.index()].successors);
        for target in order.iter().flat_map(targets) {
            *incoming.entry(target).or_default() += 1;
        }
        let splits = |from: &BlockId, to: &BlockId| targets(from).len() > 1 && incoming[to] > 1;
        // First places, then blocks: an inserted block stands right after its source.
        let mut place: FxHashMap<BlockId, u32> = FxHashMap::default();
        let mut next = 0;
        for id in &order {
            place.insert(*id, next);
            next += 1 + targets(id).iter().filter(|to| splits(id, to)).count() as u32;
        }
        let mut blocks: Vec<GraphBlock<'a>> = Vec::with_capacity(next as usize);
        for id in &order {
            let Block { label, commands, site, .. } = &program.blocks[id.index()];
            let mut inserted = Vec::new();
            let mut successors = Vec::new();
            for to in targets(id) {
                let there = BlockId(place[&to]);
                if splits(id, &to) {
                    successors.push(BlockId(place[id] + 1 + inserted.len() as u32));
                    let label =
                        Symbol::from(format!("{label}->{}", program.blocks[to.index()].label));
                    inserted.push(GraphBlock {
                        label,
                        commands: &[],
                        successors: vec![there],
                        site: None,
                    });
                } else {
                    successors.push(there);
                }
            }
            blocks.push(GraphBlock { label: label.clone(), commands, successors, site: *site });
            blocks.extend(inserted);
        }
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (nth, block) in blocks.iter().enumerate() {
            block.successors.iter().for_each(|next| predecessors[next.index()].push(nth));
        }
        Ok(Graph { blocks, predecessors })
    }
}

fn distinct(ids: &[BlockId]) -> Vec<BlockId> {
    let mut seen = BTreeSet::new();
    ids.iter().copied().filter(|id| seen.insert(*id)).collect()
}

/// The values of the listed variables, by number; nothing where it is the value at the entry.
type State = Vec<Option<Term>>;

struct Passifier {
    /// The listed variables in their order, as terms: what they are called at the entry.
    vars: Vec<Term>,
    numbers: FxHashMap<Digest, usize>,
    taken: FxHashSet<Symbol>,
    counts: Vec<u32>,
    /// The listed variables of each root term met so far.
    mentions: FxHashMap<Digest, Arc<[usize]>>,
}

impl Passifier {
    fn new(program: &Program) -> Self {
        let listed: BTreeSet<&Var> = program.vars.iter().collect();
        let mut taken: FxHashSet<Symbol> = listed.iter().map(|var| var.name.clone()).collect();
        let mut roots = Vec::new();
        program.blocks.iter().flat_map(|block| &block.commands).for_each(|command| {
            for_each_term(command, &mut |term| roots.push(term));
        });
        for_each_subterm(roots, |term| {
            taken.extend(term.as_var().map(|var| var.name.clone()));
            taken.extend(term.bound().iter().map(|bound| bound.var.name.clone()));
        });
        let vars: Vec<Term> = listed.into_iter().map(|var| Term::var(var.clone())).collect();
        let numbers = vars.iter().enumerate().map(|(nth, var)| (var.digest(), nth)).collect();
        let counts = vec![0; vars.len()];
        Passifier { vars, numbers, taken, counts, mentions: FxHashMap::default() }
    }

    /// The number of a listed variable; [`check`] has seen that assigned ones are listed.
    fn number(&self, var: &Var) -> Option<usize> {
        self.numbers.get(&Term::var(var.clone()).digest()).copied()
    }

    fn mentioned(&mut self, term: &Term) -> Arc<[usize]> {
        if let Some(vars) = self.mentions.get(&term.digest()) {
            return Arc::clone(vars);
        }
        let vars: Arc<[usize]> =
            free_vars(term).iter().filter_map(|var| self.number(var)).collect();
        self.mentions.insert(term.digest(), Arc::clone(&vars));
        vars
    }

    /// Which variables may still be read, at the start of each block.
    fn live_at_entry(&mut self, graph: &Graph<'_>) -> Vec<Vec<bool>> {
        let mut live: Vec<Vec<bool>> = vec![Vec::new(); graph.blocks.len()];
        for (nth, block) in graph.blocks.iter().enumerate().rev() {
            let mut now = vec![false; self.vars.len()];
            for next in &block.successors {
                now.iter_mut().zip(&live[next.index()]).for_each(|(now, next)| *now |= next);
            }
            for command in block.commands.iter().rev() {
                match command {
                    Command::Assign(pairs) => {
                        pairs.iter().for_each(|(var, _)| self.unread(var, &mut now));
                    }
                    Command::Havoc(vars) => vars.iter().for_each(|var| self.unread(var, &mut now)),
                    Command::Assume { .. } | Command::Assert { .. } | Command::Capture(_) => {}
                }
                for_each_term(command, &mut |term| match self.numbers.get(&term.digest()) {
                    Some(var) => now[*var] = true,
                    None => self.mentioned(term).iter().for_each(|var| now[*var] = true),
                });
            }
            live[nth] = now;
        }
        live
    }

    fn unread(&self, var: &Var, live: &mut [bool]) {
        if let Some(number) = self.number(var) {
            live[number] = false;
        }
    }

    /// The values at the start of a block; adds equations to its predecessors.
    fn join(
        &mut self,
        predecessors: &[usize],
        live: &[bool],
        ends: &[State],
        blocks: &mut [PassiveBlock],
    ) -> State {
        let mut state: State = vec![None; self.vars.len()];
        let Some((first, others)) = predecessors.split_first() else { return state };
        for var in (0..live.len()).filter(|var| live[*var]) {
            let value = |from: &usize| ends[*from][var].as_ref().unwrap_or(&self.vars[var]);
            if others.iter().all(|from| value(from) == value(first)) {
                state[var] = ends[*first][var].clone();
                continue;
            }
            let values: Vec<Term> = predecessors.iter().map(value).cloned().collect();
            let name = self.fresh(var);
            for (from, value) in predecessors.iter().zip(values) {
                blocks[*from].items.push(Item::assume(Term::eq(name.clone(), value)));
            }
            state[var] = Some(name);
        }
        state
    }

    fn command(&mut self, command: &Command, state: &mut State, items: &mut Vec<Item>) {
        match command {
            Command::Assume { term, hints } => {
                let hints = self.rename_hints(hints, state);
                items.push(Item::Assume { term: self.rename(term, state), hints });
            }
            Command::Assert { term, id, hints, subsumes } => {
                let hints = self.rename_hints(hints, state);
                let term = self.rename(term, state);
                items.push(Item::Assert { term, id: *id, hints, subsumes: *subsumes });
            }
            Command::Assign(pairs) => {
                let values: Vec<Term> =
                    pairs.iter().map(|(_, term)| self.rename(term, state)).collect();
                for ((var, _), value) in pairs.iter().zip(values) {
                    let Some(var) = self.number(var) else { continue };
                    if value.is_literal() || value.as_var().is_some() {
                        state[var] = Some(value);
                        continue;
                    }
                    let name = self.fresh(var);
                    items.push(Item::assume(Term::eq(name.clone(), value)));
                    state[var] = Some(name);
                }
            }
            Command::Havoc(vars) => {
                for var in vars {
                    let Some(var) = self.number(var) else { continue };
                    state[var] = Some(self.fresh(var));
                }
            }
            Command::Capture(Capture { id, values }) => {
                let values =
                    values.iter().map(|(name, term)| (name.clone(), self.rename(term, state)));
                items.push(Item::Capture(Capture { id: *id, values: values.collect() }));
            }
        }
    }

    fn rename(&mut self, term: &Term, state: &State) -> Term {
        if let Some(var) = self.numbers.get(&term.digest()) {
            return state[*var].as_ref().unwrap_or(term).clone();
        }
        let mentioned = self.mentioned(term);
        let changed = mentioned.iter().filter_map(|var| {
            let value = state[*var].as_ref().filter(|value| **value != self.vars[*var])?;
            Some((self.vars[*var].clone(), value.clone()))
        });
        let map: Vec<(Term, Term)> = changed.collect();
        if map.is_empty() { term.clone() } else { Substitution::of_terms(map).apply(term) }
    }

    fn rename_hints(&mut self, hints: &[PoolHint], state: &State) -> Vec<PoolHint> {
        let mut renamed = Vec::with_capacity(hints.len());
        for PoolHint { label, terms } in hints {
            let terms = terms.iter().map(|term| self.rename(term, state)).collect();
            renamed.push(PoolHint { label: label.clone(), terms });
        }
        renamed
    }

    fn fresh(&mut self, var: usize) -> Term {
        let Some(Var { name, sort }) = self.vars[var].as_var() else {
            return self.vars[var].clone();
        };
        loop {
            self.counts[var] += 1;
            let name = Symbol::from(format!("{name}@{}", self.counts[var]));
            if self.taken.insert(name.clone()) {
                return Term::var(Var { name, sort: sort.clone() });
            }
        }
    }
}

/// The terms that a command reads.
fn for_each_term<'a>(command: &'a Command, each: &mut dyn FnMut(&'a Term)) {
    match command {
        Command::Assume { term, hints } | Command::Assert { term, hints, .. } => {
            each(term);
            hints.iter().flat_map(|hint| &hint.terms).for_each(each);
        }
        Command::Assign(pairs) => pairs.iter().for_each(|(_, term)| each(term)),
        Command::Havoc(_) => {}
        Command::Capture(capture) => capture.values.iter().for_each(|(_, term)| each(term)),
    }
}

#[cfg(test)]
mod tests {
    use super::passify;
    use crate::{
        command::{AssertId, Block, BlockId, Capture, CaptureId, Command, Program, ProgramError},
        passive::Item,
        samples::{b, i, ivar, n},
        term::Term,
    };

    fn block(label: &str, commands: Vec<Command>, successors: &[u32]) -> Block {
        let successors = successors.iter().map(|next| BlockId(*next)).collect();
        Block { commands, successors, ..Block::new(label) }
    }

    fn check(blocks: Vec<Block>, expected: expect_test::Expect) {
        let program = Program { vars: vec![ivar("x"), ivar("y")], blocks, entry: BlockId(0) };
        let mut text = String::new();
        for block in passify(&program).unwrap().blocks() {
            text += &format!("{}:\n", block.label);
            for item in &block.items {
                text += &match item {
                    Item::Assume { term, .. } => format!("  assume {term}\n"),
                    Item::Assert { term, .. } => format!("  assert {term}\n"),
                    Item::Capture(capture) => format!("  capture {:?}\n", capture.values),
                };
            }
            text += &format!(
                "  -> {:?}\n",
                block.successors.iter().map(|next| next.0).collect::<Vec<_>>()
            );
        }
        expected.assert_eq(&text);
    }

    fn set(name: &str, term: Term) -> Command {
        Command::assign(ivar(name), term)
    }

    #[test]
    fn copies_and_literals_need_no_new_name() {
        let assert = Command::assert(Term::lt(i("x"), i("y")), AssertId(0));
        check(
            vec![block("a", vec![set("x", n(3)), set("y", i("c")), assert], &[])],
            expect_test::expect![[r#"
                a:
                  assert (< 3 c)
                  -> []
            "#]],
        );
    }

    #[test]
    fn simultaneous_assignment_reads_the_old_values() {
        let swap = Command::Assign(vec![(ivar("x"), i("y")), (ivar("y"), Term::add(i("x"), n(1)))]);
        let assert = Command::assert(Term::lt(i("x"), i("y")), AssertId(0));
        check(
            vec![block("a", vec![swap, assert], &[])],
            expect_test::expect![[r#"
                a:
                  assume (= y@1 (+ x 1))
                  assert (< y y@1)
                  -> []
            "#]],
        );
    }

    #[test]
    fn joins_equate_only_variables_that_are_still_used() {
        let assert = Command::assert(Term::lt(i("x"), n(9)), AssertId(0));
        check(
            vec![
                block("a", vec![], &[1, 2]),
                block("b", vec![set("x", n(1)), set("y", n(1))], &[2]),
                block("c", vec![assert], &[]),
            ],
            expect_test::expect![[r#"
                a:
                  -> [2, 1]
                a->c:
                  assume (= x@1 x)
                  -> [3]
                b:
                  assume (= x@1 1)
                  -> [3]
                c:
                  assert (< x@1 9)
                  -> []
            "#]],
        );
    }

    #[test]
    fn captured_variables_count_as_used() {
        let capture =
            Command::Capture(Capture { id: CaptureId(0), values: vec![("x".into(), i("x"))] });
        check(
            vec![
                block("a", vec![Command::Havoc(vec![ivar("x")])], &[1, 2]),
                block("b", vec![Command::Havoc(vec![ivar("x")])], &[3]),
                block("c", vec![Command::assume(b("p"))], &[3]),
                block("d", vec![capture], &[]),
            ],
            expect_test::expect![[r#"
                a:
                  -> [1, 2]
                b:
                  assume (= x@3 x@2)
                  -> [3]
                c:
                  assume p
                  assume (= x@3 x@1)
                  -> [3]
                d:
                  capture [(x, x@3)]
                  -> []
            "#]],
        );
    }

    #[test]
    fn new_names_avoid_names_in_use() {
        let assert = Command::assert(Term::lt(i("x"), i("x@1")), AssertId(0));
        check(
            vec![block("a", vec![Command::Havoc(vec![ivar("x")]), assert], &[])],
            expect_test::expect![[r#"
                a:
                  assert (< x@2 x@1)
                  -> []
            "#]],
        );
    }

    #[test]
    fn loops_and_undeclared_variables_are_refused() {
        let cyclic =
            Program { vars: vec![], blocks: vec![block("a", vec![], &[0])], entry: BlockId(0) };
        assert_eq!(passify(&cyclic), Err(ProgramError::Cyclic(BlockId(0))));
        let blocks = vec![block("a", vec![set("x", n(1))], &[])];
        let undeclared = Program { vars: vec![], blocks, entry: BlockId(0) };
        assert_eq!(passify(&undeclared), Err(ProgramError::UndeclaredVar(ivar("x"))));
    }
}
