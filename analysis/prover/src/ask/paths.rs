//! One assertion, asked once for each way on which a run may get to it.
//!
//! **In:** an assertion that got no answer in time. **Out:** the answer for all ways together.
//!
//! # Soundness
//! At a fork, a run takes the first successor whose choice is true, or else the last: exactly one of
//! the cases below. If none of them has a failing run, there is none. A run that does not pass
//! the fork is in every case.

use std::collections::BTreeSet;
use std::time::Duration;

use ir::{AssertId, Term};

use super::{Asking, Checked};
use crate::encode::vc::{Correctness, Exit};
use crate::record::Undecided;

/// More cases than this are not worth their share of the time.
const MOST_CASES: usize = 16;

impl Asking<'_> {
    /// Do runs get to the assertion on several ways?
    pub(super) fn has_ways(&self, id: AssertId) -> bool {
        ways(&self.script.correctness, id).len() > 1
    }

    /// Asks for each way, under `fact`, by which the question is about `id` alone; `why` is why there is
    /// no answer yet.
    pub(super) fn each_way(
        &mut self,
        id: AssertId,
        fact: &Term,
        share: Duration,
        why: Undecided,
    ) -> Checked {
        let cases = ways(&self.script.correctness, id);
        let each = share / 2 / u32::try_from(cases.len().max(1)).unwrap_or(u32::MAX);
        for case in &cases {
            match self.check_afresh(&Term::and([fact.clone(), case.clone()]), each) {
                Checked::Unsatisfiable => {}
                // The time that counts is that of the whole question.
                Checked::Nothing(Undecided::Time { .. }) => return Checked::Nothing(why),
                other @ (Checked::Nothing(_) | Checked::Model { .. }) => return other,
            }
        }
        Checked::Unsatisfiable
    }
}

/// Conditions on choices, one of which holds on every run to `id`; a single `true` if there is no fork.
fn ways(correctness: &Correctness, id: AssertId) -> Vec<Term> {
    let leading = leading_to(correctness, id);
    let mut cases = vec![Term::tt()];
    for (block, exits) in correctness.exits.iter().enumerate() {
        let next: Vec<(usize, bool)> = (exits.ways.iter().enumerate())
            .filter_map(|(nth, way)| match way {
                Exit::Next(to) => Some((nth, leading.contains(&to.index()))),
                Exit::Failure { .. } => None,
            })
            .collect();
        let useful = next.iter().filter(|(_, leads)| *leads).count();
        if !leading.contains(&block) || useful < 2 || cases.len() * next.len() > MOST_CASES {
            continue;
        }
        let taken = |turn: usize| {
            let earlier = next[..turn].iter().filter_map(|(nth, _)| exits.choices.get(*nth));
            let own = exits.choices.get(next[turn].0).cloned();
            Term::and(earlier.cloned().map(Term::not).chain(own))
        };
        let turns: Vec<Term> = (0..next.len()).map(taken).collect();
        let mut finer = Vec::new();
        for case in &cases {
            finer.extend(turns.iter().map(|turn| Term::and([case.clone(), turn.clone()])));
        }
        cases = finer;
    }
    cases
}

/// The blocks from which some way leads to a failure of `id`.
fn leading_to(correctness: &Correctness, id: AssertId) -> BTreeSet<usize> {
    let mut leading = BTreeSet::new();
    // Successors come later.
    for (block, exits) in correctness.exits.iter().enumerate().rev() {
        let leads = exits.ways.iter().any(|way| match way {
            Exit::Failure { id: own, .. } => *own == id,
            Exit::Next(to) => leading.contains(&to.index()),
        });
        if leads {
            leading.insert(block);
        }
    }
    leading
}
