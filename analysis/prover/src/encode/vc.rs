//! From a passive program to one formula that is valid exactly if every assertion holds.
//!
//! **In:** a passive program. **Out:** its correctness as a shared term, and for each block
//! the ways out of it, so that a failing run can be read off a model.
//!
//! Block equations after Barnett and Leino (2005), with one change: which way a failing run
//! takes out of a block is said by a few truth values per block instead of one integer.
//!
//! ```text
//! correct(B)               = wlp(items(B), AND over successors S of (way to S ==> correct(S)))
//! wlp(assume e, rest)      = e ==> rest
//! wlp(assert e, rest)      = (way to this assert ==> e) AND (e ==> rest)
//! wlp(assert e, rest)      = (way to this assert ==> e) AND rest       if it does not subsume
//! ```
//!
//! # Soundness
//! The choice variables occur nowhere else. If some run fails an assertion, the choices that
//! follow that run make the formula false; so a valid formula means that no run fails. In the
//! other direction the ways out of a block exclude each other, so a falsifying assignment
//! follows one run to one failing assertion.
//! Every failure has a choice of its own: forbidding a failure must not forbid the block in
//! which it happens, let alone blocks that the run never enters.

use ir::{AssertId, BlockId, Item, Passive, PassiveBlock, Sort, Term, Var};

/// A way out of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The item at this position fails.
    Failure { item: usize, id: AssertId },
    /// The run goes on.
    Next(BlockId),
}

/// The ways out of a block: the first whose choice is true; if there is none, the last, if
/// that one has no choice, and otherwise no way at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exits {
    pub(crate) ways: Vec<Exit>,
    /// One for each way but the last successor.
    pub(crate) choices: Vec<Term>,
}

impl Exits {
    /// Holds in exactly the assignments that take way `nth`.
    pub(crate) fn condition(&self, nth: usize) -> Term {
        let earlier = self.choices.iter().take(nth).map(|choice| Term::not(choice.clone()));
        Term::and(earlier.chain(self.choices.get(nth).cloned()))
    }
}

/// The correctness of a passive program.
#[derive(Clone, Debug)]
pub(crate) struct Correctness {
    pub(crate) formula: Term,
    /// By block.
    pub(crate) exits: Vec<Exits>,
}

impl Correctness {
    /// Holds if the run does not fail at an assertion called `id`.
    pub(crate) fn not_failing_at(&self, id: AssertId) -> Term {
        Term::and(self.ways_to_fail(|own| own == id).into_iter().map(Term::not))
    }

    /// If the run fails, it fails at an assertion called `id`.
    pub(crate) fn failing_only_at(&self, id: AssertId) -> Term {
        Term::and(self.ways_to_fail(|own| own != id).into_iter().map(Term::not))
    }

    fn ways_to_fail(&self, wanted: impl Fn(AssertId) -> bool) -> Vec<Term> {
        let mut found = Vec::new();
        for exits in &self.exits {
            for (nth, way) in exits.ways.iter().enumerate() {
                if let Exit::Failure { id, .. } = way
                    && wanted(*id)
                {
                    found.push(exits.condition(nth));
                }
            }
        }
        found
    }
}

pub(crate) fn correctness(passive: &Passive) -> Correctness {
    let blocks = passive.blocks();
    let exits: Vec<Exits> =
        blocks.iter().enumerate().map(|(nth, block)| exits(nth, block)).collect();
    let mut correct: Vec<Term> = vec![Term::tt(); blocks.len()];
    for (nth, block) in blocks.iter().enumerate().rev() {
        correct[nth] = wlp(block, &exits[nth], &correct);
    }
    let formula = correct.into_iter().next().unwrap_or_else(Term::tt);
    Correctness { formula, exits }
}

fn exits(nth: usize, block: &PassiveBlock) -> Exits {
    let failures = block.items.iter().enumerate().filter_map(|(item, it)| match it {
        Item::Assert { term, id, .. } if !term.is_true() => Some(Exit::Failure { item, id: *id }),
        Item::Assert { .. } | Item::Assume { .. } | Item::Capture(_) => None,
    });
    let ways: Vec<Exit> =
        failures.chain(block.successors.iter().map(|next| Exit::Next(*next))).collect();
    // No name of a program holds a space.
    let choice = |way: usize| Term::var(Var::new(format!("way {nth} {way}"), Sort::Bool));
    let free = usize::from(!block.successors.is_empty());
    let choices = (0..ways.len().saturating_sub(free)).map(choice).collect();
    Exits { ways, choices }
}

fn wlp(block: &PassiveBlock, exits: &Exits, correct: &[Term]) -> Term {
    let failures = exits.ways.iter().filter(|way| matches!(way, Exit::Failure { .. })).count();
    let successors = exits.ways.iter().enumerate().skip(failures).map(|(nth, way)| match way {
        Exit::Next(next) => Term::implies(exits.condition(nth), correct[next.index()].clone()),
        Exit::Failure { .. } => Term::tt(),
    });
    let mut rest = Term::and(successors);
    let mut nth = failures;
    for item in block.items.iter().rev() {
        match item {
            Item::Assume { term, .. } => rest = Term::implies(term.clone(), rest),
            Item::Assert { term, .. } if term.is_true() => {}
            Item::Assert { term, subsumes, .. } => {
                nth -= 1;
                let here = Term::implies(exits.condition(nth), term.clone());
                let after = if *subsumes { Term::implies(term.clone(), rest) } else { rest };
                rest = Term::and([here, after]);
            }
            Item::Capture(_) => {}
        }
    }
    rest
}
