//! From a passive program to one formula that is valid exactly if every assertion holds.
//!
//! **In:** a passive program. **Out:** its correctness as a shared term, and for each block
//! the ways out of it, so that a failing run can be read off a model.
//!
//! Block equations after Barnett and Leino (2005), with one change: which way a failing run
//! takes out of a block is said by a few truth values per block instead of one integer.
//!
//! ```text
//! correct(B)          = wlp(items(B), go on to the successors)
//! wlp(assume e, rest) = e ==> rest
//! wlp(assert e, rest) = (here ==> e) AND (!here AND e ==> rest)
//! wlp(assert e, rest) = (here ==> e) AND (!here ==> rest)              if it does not subsume
//! go on to S, others  = (there ==> correct(S)) AND (!there ==> go on to others)
//! go on to S          = correct(S)
//! ```
//!
//! # Soundness
//! The choice variables `here` and `there` occur nowhere else. If some run fails an assertion,
//! the choices that follow that run make the formula false; so a valid formula means that no
//! run fails. In the other direction a falsifying assignment follows one run, turn by turn, to
//! one failing assertion.
//! Every failure has a choice of its own. Making it false forbids that failure and nothing
//! else: neither other failures, nor the block, nor blocks that the run never enters.

use ir::{AssertId, BlockId, Item, Passive, PassiveBlock, Sort, Term, Var};

/// A way out of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The item at this position fails.
    Failure { item: usize, id: AssertId },
    /// The run goes on.
    Next(BlockId),
}

/// The ways out of a block: the first whose choice is true, or else the last successor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exits {
    pub(crate) ways: Vec<Exit>,
    /// One for each way but the last successor.
    pub(crate) choices: Vec<Term>,
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
        Term::and(self.failures(|own| own == id).map(Term::not))
    }

    /// If the run fails, it fails at an assertion called `id`.
    pub(crate) fn failing_only_at(&self, id: AssertId) -> Term {
        Term::and(self.failures(|own| own != id).map(Term::not))
    }

    fn failures(&self, wanted: impl Fn(AssertId) -> bool) -> impl Iterator<Item = Term> {
        let all = self.exits.iter().flat_map(|exits| exits.ways.iter().zip(&exits.choices));
        all.filter_map(move |(way, choice)| match way {
            Exit::Failure { id, .. } if wanted(*id) => Some(choice.clone()),
            Exit::Failure { .. } | Exit::Next(_) => None,
        })
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
    let mut choices = exits.choices.iter().rev();
    let mut rest = match block.successors.split_last() {
        Some((last, others)) => {
            others.iter().rev().fold(correct[last.index()].clone(), |rest, next| {
                either(choices.next(), correct[next.index()].clone(), rest)
            })
        }
        None => Term::tt(),
    };
    for item in block.items.iter().rev() {
        match item {
            Item::Assume { term, .. } => rest = Term::implies(term.clone(), rest),
            Item::Assert { term, .. } if term.is_true() => {}
            Item::Assert { term, subsumes, .. } => {
                let after = if *subsumes { Term::implies(term.clone(), rest) } else { rest };
                rest = either(choices.next(), term.clone(), after);
            }
            Item::Capture(_) => {}
        }
    }
    rest
}

/// `(choice ==> yes) AND (!choice ==> no)`. Without a choice, which cannot happen, both.
fn either(choice: Option<&Term>, yes: Term, no: Term) -> Term {
    match choice {
        Some(choice) => Term::and([
            Term::implies(choice.clone(), yes),
            Term::implies(Term::not(choice.clone()), no),
        ]),
        None => Term::and([yes, no]),
    }
}
