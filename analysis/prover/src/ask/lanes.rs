//! Lanes: ways of asking the same question, and the order in which they are tried.
//!
//! **In:** a script. **Out:** the first decisive answer, and the lane that gave it.
//!
//! | lane | the solver instantiates quantifiers | good at |
//! |---|---|---|
//! | tuned | by patterns only, and splits on constructors late | proofs |
//! | plain | as it does by itself, from models too | runs that satisfy quantified assumptions, some proofs |
//! | lowered | the same, and maps are functions | runs with maps that satisfy quantified assumptions |
//!
//! # Soundness
//! The tuned and the plain lane ask the same script: they differ in how the solver searches, not in what
//! it is told. So `unsat` is a proof in both, and a model that the solver is sure of fails in both. For
//! the lowered lane [`crate::encode::lower`] says why `unsat` is a proof and when a model is sure.
//!
//! No lane instantiates a quantifier over values with maps inside other than by its patterns
//! ([`BY_PATTERNS`](crate::encode::print::BY_PATTERNS)): the axioms about vectors, say, are true of the
//! vectors that programs build and false of others. A model that the solver finds beside such
//! quantifiers is a candidate.

use std::time::Duration;

use ir::Term;

use super::{Asking, Checked};
use crate::clock::Deadline;
use crate::encode;
use crate::engine::Start;
use crate::record::Undecided;

/// How the solver searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Lane {
    #[default]
    Tuned,
    Plain,
    Lowered,
}

/// Set in every script, before anything else. Part of the key of stored verdicts.
///
/// The options of the tuned lane are chosen by measurement; see `analysis/prover/OPTIONS.md`. Splitting
/// on constructors of finite datatypes only when nothing else is left to do decides in milliseconds
/// what takes minutes otherwise.
const COMMON: &str = "\
(set-option :model.completion true)
(set-option :pp.max_depth 1000000)
(set-option :pp.min_alias_size 1000000)
(set-option :pp.bv_literals false)
";

impl Lane {
    pub(crate) const ALL: [Lane; 3] = [Lane::Tuned, Lane::Plain, Lane::Lowered];

    const fn own_options(self) -> &'static str {
        match self {
            Lane::Tuned => "(set-option :smt.mbqi false)\n(set-option :smt.dt_lazy_splits 2)\n",
            Lane::Plain | Lane::Lowered => {
                "(set-option :smt.mbqi true)\n(set-option :smt.mbqi.id q)\n(set-option :smt.dt_lazy_splits 1)\n"
            }
        }
    }

    /// The options of the lane, and the seed where it is not the default.
    pub(crate) fn options(self, seed: u32) -> String {
        let own = self.own_options();
        if seed == 0 {
            return format!("{own}{COMMON}");
        }
        format!(
            "{own}{COMMON}(set-option :smt.random_seed {seed})\n(set-option :sat.random_seed {seed})\n"
        )
    }
}

/// Tries at one script. A search that has lost its way is better begun anew, and one that gives up
/// early leaves its time to the next. What another lane or seed finds, it mostly finds at once.
pub(super) const TRIES: [Try; 8] = [
    Try { lane: Lane::Tuned, seed: Seed::Own, share: Share::AtMost(Duration::from_secs(2)) },
    Try { lane: Lane::Plain, seed: Seed::Own, share: Share::AtMost(Duration::from_secs(1)) },
    Try { lane: Lane::Lowered, seed: Seed::Own, share: Share::AtMost(Duration::from_secs(1)) },
    Try { lane: Lane::Tuned, seed: Seed::Own, share: Share::Part(1, 2) },
    Try { lane: Lane::Tuned, seed: Seed::Default, share: Share::Part(1, 3) },
    Try { lane: Lane::Plain, seed: Seed::Own, share: Share::Part(1, 3) },
    Try { lane: Lane::Lowered, seed: Seed::Own, share: Share::Part(1, 2) },
    Try { lane: Lane::Tuned, seed: Seed::Other, share: Share::Part(1, 1) },
];

/// For tests of what the tuned lane is told.
#[cfg(test)]
pub(super) const TUNED: [Try; 1] =
    [Try { lane: Lane::Tuned, seed: Seed::Own, share: Share::Part(1, 1) }];

#[derive(Clone, Copy)]
pub(super) struct Try {
    lane: Lane,
    seed: Seed,
    share: Share,
}

/// How much of the time that is left a try may take.
#[derive(Clone, Copy)]
enum Share {
    AtMost(Duration),
    Part(u32, u32),
}

impl Share {
    fn of(self, left: Duration) -> Duration {
        match self {
            Share::AtMost(most) => most.min(left / 2),
            Share::Part(parts, of) => left * parts / of,
        }
    }
}

/// The seed of a try.
#[derive(Clone, Copy)]
pub(super) enum Seed {
    /// The one that was asked for.
    Own,
    /// The solver's own; another one if that was asked for.
    Default,
    /// Neither of the two.
    Other,
}

impl Seed {
    pub(super) fn number(self, own: u32) -> u32 {
        match self {
            Seed::Own => own,
            Seed::Default => u32::from(own == 0),
            Seed::Other => own.wrapping_add(4),
        }
    }
}

impl Asking<'_> {
    /// Asks under a fact about the ways of the run, in a fresh solver; again in other ways if it gets
    /// lost or is not sure.
    pub(super) fn check_afresh(&mut self, fact: &Term, time: Duration) -> Checked {
        let deadline = Deadline::after(time);
        let mut checked = Checked::Nothing(self.out_of_time());
        let mut candidate = None;
        for attempt in self.tries.iter().copied() {
            // A candidate is there: only another lane, and only a short while, may do better.
            if candidate.is_some()
                && (attempt.lane == Lane::Tuned || matches!(attempt.share, Share::Part(..)))
            {
                continue;
            }
            let time = attempt.share.of(deadline.left());
            let Some(found) = self.attempt(attempt, fact, time) else { continue };
            match &found {
                Checked::Unsatisfiable | Checked::Model { sure: true } => return found,
                // Evaluation is sure where the solver is not.
                Checked::Model { sure: false } if self.is_confirmed() => return found,
                Checked::Model { sure: false } => {
                    candidate.get_or_insert((attempt, time));
                }
                Checked::Nothing(Undecided::Time { .. } | Undecided::GaveUp) => {}
                Checked::Nothing(_) => return found,
            }
            checked = found;
        }
        match candidate {
            // The solver has to have its model again, for those who read it.
            Some((attempt, time)) => self.attempt(attempt, fact, time).unwrap_or(checked),
            None => checked,
        }
    }

    /// Does evaluation agree that the run of the present model fails?
    fn is_confirmed(&mut self) -> bool {
        let Some((path, item, _)) = self.path() else { return false };
        self.describe(&path, item).is_confirmed(self.question)
    }

    /// What the solver finds in this lane; nothing if the question has no form for it.
    fn attempt(&mut self, attempt: Try, fact: &Term, time: Duration) -> Option<Checked> {
        let seed = attempt.seed.number(self.limits.seed);
        if attempt.lane == Lane::Lowered && !self.can_be_lowered() {
            return None;
        }
        self.lane = attempt.lane;
        if self.script().trivial {
            return Some(Checked::Unsatisfiable);
        }
        Some(match self.with_fact(fact) {
            Ok(text) => self.check_with(seed, Start::Fresh, &text, time),
            Err(why) => Checked::Nothing(why),
        })
    }

    /// Makes the script of the lowered lane, if there is one.
    fn can_be_lowered(&mut self) -> bool {
        if self.lowered.is_none() {
            self.lowered = Some(encode::encode_lowered(self.question, &self.script));
        }
        self.lowered.as_ref().is_some_and(Option::is_some)
    }
}
