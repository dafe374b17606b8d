//! Passive programs: acyclic blocks of assumptions and assertions over fixed values.
//!
//! **In:** the result of passification, or blocks built directly.
//! **Out:** what a question is about; slices that contain only selected assertions.
//!
//! Meaning: for all values of the free variables and every path from the entry, each
//! assertion holds if all assumptions (and subsuming assertions) before it do.
//!
//! # Invariants
//! - The entry is block 0 and every edge goes to a later block: the block list is in
//!   topological order and there is no cycle.
//!
//! # Soundness of slicing
//! Dropping code after the last selected assertion, or a path without one, removes no
//! run to a selected assertion. An assertion that is not selected is assumed only if it
//! subsumes; whoever uses the slice must get all assertions of the unit answered.

use std::collections::BTreeSet;

use crate::{
    command::{AssertId, BlockId, Capture},
    site::Site,
    symbol::Symbol,
    term::{PoolHint, Term},
};

/// A passive command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Paths continue only where `term` holds.
    Assume {
        /// The condition.
        term: Term,
        /// Pool instances.
        hints: Vec<PoolHint>,
    },
    /// `term` must hold here.
    Assert {
        /// The condition.
        term: Term,
        /// Its name.
        id: AssertId,
        /// Pool instances.
        hints: Vec<PoolHint>,
        /// Is it assumed afterwards?
        subsumes: bool,
    },
    /// The state at this point, for traces.
    Capture(Capture),
}

impl Item {
    /// An assumption without hints.
    pub fn assume(term: Term) -> Self {
        Item::Assume { term, hints: Vec::new() }
    }
}

/// A block of a passive program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassiveBlock {
    /// The name shown in dumps and traces.
    pub label: Symbol,
    /// Items in order.
    pub items: Vec<Item>,
    /// Later blocks.
    pub successors: Vec<BlockId>,
    /// Where the block came from.
    pub site: Option<Site>,
}

/// A passive program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passive {
    blocks: Vec<PassiveBlock>,
}

impl Passive {
    /// The program with these blocks, entered at the first; `None` if there is no block
    /// or an edge does not go to a later block.
    pub fn new(blocks: Vec<PassiveBlock>) -> Option<Self> {
        let forward = |(nth, block): (usize, &PassiveBlock)| {
            block.successors.iter().all(|next| nth < next.index() && next.index() < blocks.len())
        };
        (!blocks.is_empty() && blocks.iter().enumerate().all(forward)).then_some(Passive { blocks })
    }

    /// A program without assertions.
    pub fn empty() -> Self {
        let block = PassiveBlock {
            label: Symbol::new("entry"),
            items: vec![],
            successors: vec![],
            site: None,
        };
        Passive { blocks: vec![block] }
    }

    /// The blocks in topological order; the first is the entry.
    pub fn blocks(&self) -> &[PassiveBlock] {
        &self.blocks
    }

    /// The ids of all assertions, in block order.
    pub fn asserts(&self) -> Vec<AssertId> {
        let mut seen = BTreeSet::new();
        let items = self.blocks.iter().flat_map(|block| &block.items);
        items.filter_map(assert_id).filter(|id| seen.insert(*id)).collect()
    }

    /// Every term of every assumption and assertion, and of their hints; not captures.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.blocks.iter().flat_map(|block| &block.items).flat_map(|item| match item {
            Item::Assume { term, hints } | Item::Assert { term, hints, .. } => {
                Some(term).into_iter().chain(hints.iter().flat_map(hint_terms))
            }
            Item::Capture(_) => None.into_iter().chain([].iter().flat_map(hint_terms)),
        })
    }

    /// The part of the program that decides the assertions in `selected`.
    pub fn select(&self, selected: &[AssertId]) -> Passive {
        let selected: BTreeSet<AssertId> = selected.iter().copied().collect();
        let wanted = |item: &Item| assert_id(item).is_some_and(|id| selected.contains(&id));
        let mut blocks: Vec<Option<PassiveBlock>> = vec![None; self.blocks.len()];
        for (nth, block) in self.blocks.iter().enumerate().rev() {
            let mut successors: Vec<BlockId> = block
                .successors
                .iter()
                .copied()
                .filter(|next| blocks[next.index()].is_some())
                .collect();
            successors.dedup();
            let end = if successors.is_empty() {
                block.items.iter().rposition(wanted).map_or(0, |last| last + 1)
            } else {
                block.items.len()
            };
            if end == 0 && successors.is_empty() {
                continue;
            }
            let (items, dead) = slice_items(&block.items[..end], wanted);
            if dead {
                successors.clear();
            }
            if successors.is_empty() && !items.iter().any(wanted) {
                continue;
            }
            blocks[nth] = Some(PassiveBlock {
                label: block.label.clone(),
                items,
                successors,
                site: block.site,
            });
        }
        renumber(blocks)
    }
}

fn hint_terms(hint: &PoolHint) -> std::slice::Iter<'_, Term> {
    hint.terms.iter()
}

fn assert_id(item: &Item) -> Option<AssertId> {
    match item {
        Item::Assert { id, .. } => Some(*id),
        Item::Assume { .. } | Item::Capture(_) => None,
    }
}

/// Items with unselected assertions weakened; and whether nothing gets past them.
fn slice_items(items: &[Item], wanted: impl Fn(&Item) -> bool) -> (Vec<Item>, bool) {
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Item::Assume { term, hints } => {
                if !term.is_true() || !hints.is_empty() {
                    kept.push(item.clone());
                }
                if term.is_false() {
                    return (trim(kept, wanted), true);
                }
            }
            Item::Assert { .. } if wanted(item) => kept.push(item.clone()),
            Item::Assert { term, hints, subsumes, .. } => {
                if *subsumes && (!term.is_true() || !hints.is_empty()) {
                    kept.push(Item::Assume { term: term.clone(), hints: hints.clone() });
                }
            }
            Item::Capture(_) => kept.push(item.clone()),
        }
    }
    (kept, false)
}

/// Without what follows the last wanted item.
fn trim(mut items: Vec<Item>, wanted: impl Fn(&Item) -> bool) -> Vec<Item> {
    let end = items.iter().rposition(wanted).map_or(0, |last| last + 1);
    items.truncate(end);
    items
}

/// Drops the empty places. Blocks that the entry no longer reaches go as well.
fn renumber(mut blocks: Vec<Option<PassiveBlock>>) -> Passive {
    let mut reached = vec![false; blocks.len()];
    reached[0] = true;
    let mut new_ids = vec![BlockId(0); blocks.len()];
    let mut count = 0;
    for nth in 0..blocks.len() {
        let Some(block) = blocks[nth].as_ref().filter(|_| reached[nth]) else {
            blocks[nth] = None;
            continue;
        };
        new_ids[nth] = BlockId(count);
        count += 1;
        for next in &block.successors {
            reached[next.index()] = true;
        }
    }
    if blocks[0].is_none() {
        return Passive::empty();
    }
    let moved = |mut block: PassiveBlock| {
        block.successors.iter_mut().for_each(|next| *next = new_ids[next.index()]);
        block
    };
    Passive { blocks: blocks.into_iter().flatten().map(moved).collect() }
}

#[cfg(test)]
mod tests {
    use super::{Item, Passive, PassiveBlock};
    use crate::{
        command::{AssertId, BlockId},
        samples::b,
        term::Term,
    };

    fn assert(name: &str, id: u32) -> Item {
        Item::Assert { term: b(name), id: AssertId(id), hints: vec![], subsumes: true }
    }

    fn block(label: &str, items: Vec<Item>, successors: &[u32]) -> PassiveBlock {
        let successors = successors.iter().map(|next| BlockId(*next)).collect();
        PassiveBlock { label: label.into(), items, successors, site: None }
    }

    fn show(passive: &Passive) -> String {
        let item = |item: &Item| match item {
            Item::Assume { term, .. } => format!("assume {term}; "),
            Item::Assert { term, id, .. } => format!("assert#{} {term}; ", id.0),
            Item::Capture(_) => "capture; ".to_owned(),
        };
        let line = |block: &PassiveBlock| {
            let items: String = block.items.iter().map(item).collect();
            let next: Vec<u32> = block.successors.iter().map(|next| next.0).collect();
            format!("{}: {items}-> {next:?}\n", block.label)
        };
        passive.blocks().iter().map(line).collect()
    }

    fn sample() -> Passive {
        Passive::new(vec![
            block("entry", vec![Item::assume(b("p")), assert("q", 1)], &[1, 2, 3]),
            block("left", vec![assert("r", 2), Item::assume(b("t"))], &[4]),
            block("right", vec![Item::assume(b("s"))], &[4]),
            block("checker", vec![assert("u", 3), Item::assume(Term::ff())], &[]),
            block("exit", vec![assert("v", 4), Item::assume(b("w"))], &[]),
        ])
        .unwrap()
    }

    #[test]
    fn edges_must_go_forward() {
        assert_eq!(Passive::new(vec![block("a", vec![], &[0])]), None);
        assert_eq!(Passive::new(vec![block("a", vec![], &[1])]), None);
        assert_eq!(Passive::new(vec![]), None);
    }

    #[test]
    fn a_slice_keeps_the_paths_to_the_selected_assertion() {
        expect_test::expect![[r#"
            entry: assume p; assume q; -> [1, 2]
            left: assume r; assume t; -> [3]
            right: assume s; -> [3]
            exit: assert#4 v; -> []
        "#]]
        .assert_eq(&show(&sample().select(&[AssertId(4)])));
    }

    #[test]
    fn a_slice_drops_what_follows_the_last_selected_assertion() {
        expect_test::expect![[r#"
            entry: assume p; assert#1 q; -> [1]
            left: assert#2 r; -> []
        "#]]
        .assert_eq(&show(&sample().select(&[AssertId(2), AssertId(1)])));
    }

    #[test]
    fn a_dead_end_of_other_assertions_vanishes() {
        expect_test::expect![[r#"
            entry: assume p; assume q; -> [1]
            checker: assert#3 u; -> []
        "#]]
        .assert_eq(&show(&sample().select(&[AssertId(3)])));
    }

    #[test]
    fn nothing_selected_leaves_nothing() {
        assert_eq!(sample().select(&[]), Passive::empty());
    }

    #[test]
    fn nothing_gets_past_an_impossible_assumption() {
        let passive = Passive::new(vec![
            block("a", vec![assert("p", 1), Item::assume(Term::ff()), assert("q", 2)], &[1]),
            block("b", vec![assert("r", 3)], &[]),
        ])
        .unwrap();
        assert_eq!(show(&passive.select(&passive.asserts())), "a: assert#1 p; -> []\n");
    }

    #[test]
    fn an_assertion_that_does_not_subsume_is_not_assumed() {
        let weak = Item::Assert { term: b("p"), id: AssertId(1), hints: vec![], subsumes: false };
        let passive = Passive::new(vec![block("a", vec![weak, assert("q", 2)], &[])]).unwrap();
        assert_eq!(show(&passive.select(&[AssertId(2)])), "a: assert#2 q; -> []\n");
    }
}
