//! What was found out about a question, apart from the names in it.
//!
//! **In:** the solver's answers, by position. **Out:** verdicts for the assertions of a
//! question with the same fingerprint; bytes for a store.
//!
//! A record speaks of the first, second, .. assertion and of block and item numbers, so it
//! fits every question that differs from the asked one in names only. Values of a failing run
//! carry names; they are used only for a question with the very same names.
//!
//! # Soundness
//! [`Record::verdicts`] turns `Proved` into a proof of the question it is given. It is
//! crate-private: only the prover calls it, with the question that was asked or one with
//! the same fingerprint.

use ir::{
    AssertId, BlockId, Capture, Item, Passive, Proof, Question, Reason, Refutation, Step, StepKind,
    Trace, Trust, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::ask::Cost;
use crate::codec::StoredValue;
use crate::repair;
use crate::witness::Witness;

/// One finding per assertion, in the order of [`Passive::asserts`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) findings: Vec<Finding>,
    /// What time ran out on, in the words of the question that was asked; never stored.
    #[serde(skip)]
    pub(crate) costs: Vec<Cost>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Finding {
    Proved,
    /// A model was found; `sure` unless the solver gave up on quantifiers or theories.
    Failed {
        sure: bool,
        run: Run,
    },
    Undecided(Undecided),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Undecided {
    /// The solver gave up and offers no run.
    GaveUp,
    Time {
        milliseconds: u64,
    },
    Steps {
        limit: u64,
    },
    Memory,
    Cancelled,
    Unsupported(String),
    Internal(String),
}

/// A failing run, by positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) blocks: Vec<u32>,
    /// The failing item in the last block.
    pub(crate) item: u32,
    /// Identifies the names of the question that the values belong to.
    pub(crate) names: [u8; 32],
    /// For each capture point on the way, the values of its terms; `None`: not known.
    pub(crate) values: Vec<Vec<Option<StoredValue>>>,
    /// What the run can be replayed with.
    pub(crate) witness: Witness,
}

impl Record {
    pub(crate) fn all(question: &Question, finding: &Finding) -> Record {
        let findings = question.passive.asserts().iter().map(|_| finding.clone()).collect();
        Record { findings, costs: Vec::new() }
    }

    /// Does every assertion have an answer that more time would not change?
    pub(crate) fn is_final(&self) -> bool {
        self.findings.iter().all(|finding| match finding {
            Finding::Proved | Finding::Failed { .. } => true,
            Finding::Undecided(_) => false,
        })
    }

    /// Is every assertion proved?
    pub(crate) fn is_proof(&self) -> bool {
        self.findings.iter().all(|finding| *finding == Finding::Proved)
    }

    /// Does the record speak about a question of this form?
    pub(crate) fn fits(&self, question: &Question) -> bool {
        let blocks = question.passive.blocks();
        let item_fits = |run: &Run| {
            let last = run.blocks.last().and_then(|block| blocks.get(*block as usize));
            last.and_then(|block| block.items.get(run.item as usize))
                .is_some_and(|item| matches!(item, Item::Assert { .. }))
        };
        let run_fits = |run: &Run| {
            run.blocks.iter().all(|block| (*block as usize) < blocks.len()) && item_fits(run)
        };
        self.findings.len() == question.passive.asserts().len()
            && self.findings.iter().all(|finding| match finding {
                Finding::Failed { run, .. } => run_fits(run),
                Finding::Proved | Finding::Undecided(_) => true,
            })
    }

    /// Does the record fit, and are the values of its failing runs under the names of this question?
    pub(crate) fn explains(&self, question: &Question) -> bool {
        let mut runs = self.findings.iter().filter_map(|finding| match finding {
            Finding::Failed { run, .. } => Some(run),
            Finding::Proved | Finding::Undecided(_) => None,
        });
        let Some(first) = runs.next() else { return self.fits(question) };
        let names = names_digest(question);
        self.fits(question) && first.names == names && runs.all(|run| run.names == names)
    }

    pub(crate) fn verdicts(&self, question: &Question, trust: &Trust) -> Vec<(AssertId, Verdict)> {
        let asserts = question.passive.asserts();
        if !self.fits(question) {
            let reason = Reason::Internal("an answer to another question".to_owned());
            return asserts.into_iter().map(|id| (id, Verdict::Unknown(reason.clone()))).collect();
        }
        let verdict = |finding: &Finding| match finding {
            Finding::Proved => Verdict::from_proof(Proof::unsatisfiable(question, trust.clone())),
            Finding::Failed { sure: true, run } => Verdict::Refuted(run.refutation(question)),
            // The solver is not sure, but evaluation is.
            Finding::Failed { sure: false, run } => match run.refutation(question) {
                refutation if refutation.is_confirmed() => Verdict::Refuted(refutation),
                candidate => Verdict::Unknown(Reason::Incomplete(Some(Box::new(candidate)))),
            },
            Finding::Undecided(why) => Verdict::Unknown(why.reason()),
        };
        asserts.into_iter().zip(self.findings.iter().map(verdict)).collect()
    }
}

impl Undecided {
    fn reason(&self) -> Reason {
        match self {
            Undecided::GaveUp => Reason::Incomplete(None),
            Undecided::Time { milliseconds } => Reason::TimedOut(*milliseconds),
            Undecided::Steps { limit } => Reason::OutOfResource(*limit),
            Undecided::Memory => Reason::OutOfMemory,
            Undecided::Cancelled => Reason::Cancelled,
            Undecided::Unsupported(what) => Reason::Unsupported(what.clone()),
            Undecided::Internal(what) => Reason::Internal(what.clone()),
        }
    }
}

impl Run {
    /// The run, replayed by evaluation: whatever a store or a solver claims, it counts as
    /// confirmed only if it really fails.
    fn refutation(&self, question: &Question) -> Refutation {
        let trace = self.trace(question);
        let Some(failing) = trace.failure() else {
            return Refutation::unconfirmed(trace, "the run names no assertion");
        };
        let path = self.blocks.iter().map(|block| BlockId(*block)).collect();
        let run = ir::Run { path, failing };
        let env = self.witness.env(question);
        let found = Refutation::replayed(question, env.clone(), run.clone(), trace.clone());
        if found.is_confirmed() {
            return found;
        }
        repair::repaired(question, &env, &run, &trace).unwrap_or(found)
    }

    /// Does evaluation follow the run to its failure, without a search for other values?
    pub(crate) fn is_confirmed(&self, question: &Question) -> bool {
        let Some(failing) = self.trace(question).failure() else { return false };
        let path = self.blocks.iter().map(|block| BlockId(*block)).collect();
        repair::is_confirmed(question, &self.witness.env(question), &ir::Run { path, failing })
    }

    fn trace(&self, question: &Question) -> Trace {
        let passive = &question.passive;
        let mut values =
            if self.names == names_digest(question) { self.values.iter() } else { [].iter() };
        let mut steps = Vec::new();
        for (nth, block) in self.blocks.iter().enumerate() {
            let is_last = nth + 1 == self.blocks.len();
            let block = &passive.blocks()[*block as usize];
            let step =
                |kind, state| Step { kind, label: block.label.clone(), site: block.site, state };
            steps.push(step(StepKind::Block, Vec::new()));
            let end = if is_last { self.item as usize } else { block.items.len() };
            for item in &block.items[..end] {
                if let Item::Capture(capture) = item {
                    let known = values.next().map_or(&[][..], Vec::as_slice);
                    let state =
                        capture.values.iter().zip(known).filter_map(|((name, _), value)| {
                            Some((name.clone(), value.as_ref()?.to_value()?))
                        });
                    steps.push(step(StepKind::Capture(capture.id), state.collect()));
                }
            }
            if is_last && let Some(Item::Assert { id, .. }) = block.items.get(end) {
                steps.push(step(StepKind::Failure(*id), Vec::new()));
            }
        }
        Trace { steps }
    }
}

/// The capture points on a path that ends at `item` of its last block.
pub(crate) fn captures_on<'q>(
    passive: &'q Passive,
    path: &[BlockId],
    item: usize,
) -> Vec<&'q Capture> {
    let mut found = Vec::new();
    for (nth, block) in path.iter().enumerate() {
        let items = &passive.blocks()[block.index()].items;
        let end = if nth + 1 == path.len() { item } else { items.len() };
        found.extend(items[..end].iter().filter_map(|item| match item {
            Item::Capture(capture) => Some(capture),
            Item::Assume { .. } | Item::Assert { .. } => None,
        }));
    }
    found
}

/// Equal for questions whose runs can be shown and replayed with the same values: the same capture
/// points, and the same terms under the same names. Digests of terms are at hand, so this is cheap.
pub(crate) fn names_digest(question: &Question) -> [u8; 32] {
    let mut hash = blake3::Hasher::new();
    for (nth, block) in question.passive.blocks().iter().enumerate() {
        for item in &block.items {
            if let Item::Capture(capture) = item {
                hash.update(format!("{nth} {}\n", capture.values.len()).as_bytes());
                for (name, term) in &capture.values {
                    hash.update(
                        format!("{} {name}{:?}\n", name.as_str().len(), term.digest()).as_bytes(),
                    );
                }
            }
        }
    }
    for term in question.terms() {
        hash.update(format!("{:?}\n", term.digest()).as_bytes());
    }
    *hash.finalize().as_bytes()
}
