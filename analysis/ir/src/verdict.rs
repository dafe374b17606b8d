//! Verdicts, and who may utter them.
//!
//! **In:** an engine's answer about a question, with its evidence.
//! **Out:** one of four verdicts per assertion.
//!
//! # Soundness
//! [`Verdict::Proved`] holds a [`Proof`], which has no public constructor but the three
//! complete arguments below: a solver found the negation of the whole question
//! unsatisfiable, a simplification left nothing to ask, or an exhaustive analysis ended.
//! Each takes the question and refuses an ill-formed one. A bounded search can only make
//! [`Verdict::HoldsUpTo`]; all doubt is [`Verdict::Unknown`].

use std::{collections::BTreeSet, fmt, sync::Arc};

use crate::{
    eval::Env,
    obligation::Question,
    passive::Item,
    replay::{Run, replay},
    trace::Trace,
};

/// Something a proof took on faith.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// Declared mover types were trusted by request.
    MoverTypes,
    /// Non-interference was trusted by request.
    Noninterference,
    /// Refinement was trusted by request.
    Refinement,
    /// Invariants were trusted by request.
    Invariants,
    /// A specification of memory reclamation.
    Reclamation(String),
    /// An axiom or body-less contract written by the user.
    Declared(String),
}

/// What a proof took on faith, beside the solver and ourselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// The assumptions, ordered.
    pub assumptions: BTreeSet<Assumption>,
}

/// Evidence that an assertion always holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    trust: Trust,
    argument: Argument,
}

/// The kind of a complete argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The solver answered "unsatisfiable".
    Unsatisfiable,
    /// Nothing was left to ask after simplification.
    Simplification,
    /// An analysis over all runs reached its end.
    Exhaustive(String),
}

impl Proof {
    /// The solver answered "unsatisfiable" to the negation of `question`, encoded whole
    /// and without approximating assumptions from above.
    pub fn unsatisfiable(question: &Question, trust: Trust) -> Option<Proof> {
        (!question.is_ill_formed()).then_some(Proof { trust, argument: Argument::Unsatisfiable })
    }

    /// Every assertion of `question` is literally `true`, or there is none.
    pub fn simplification(question: &Question, trust: Trust) -> Option<Proof> {
        let mut items = question.passive.blocks().iter().flat_map(|block| &block.items);
        let trivial = items.all(|item| match item {
            Item::Assert { term, .. } => term.is_true(),
            Item::Assume { .. } | Item::Capture(_) => true,
        });
        (trivial && !question.is_ill_formed())
            .then_some(Proof { trust, argument: Argument::Simplification })
    }

    /// A named analysis covered all runs of the program that `question` describes.
    pub fn exhaustive(
        question: &Question,
        analysis: impl Into<String>,
        trust: Trust,
    ) -> Option<Proof> {
        (!question.is_ill_formed())
            .then(|| Proof { trust, argument: Argument::Exhaustive(analysis.into()) })
    }

    /// What was taken on faith.
    pub fn trust(&self) -> &Trust {
        &self.trust
    }

    /// The argument.
    pub fn argument(&self) -> &Argument {
        &self.argument
    }
}

/// A failing run, and whether it was replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    trace: Trace,
    replay: Option<Arc<Replay>>,
    doubt: Option<String>,
}

/// What a run was replayed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The values of variables and functions.
    pub env: Env,
    /// The path and the assertion at its end.
    pub run: Run,
}

impl Refutation {
    /// A trace that nobody could replay, and why.
    pub fn unconfirmed(trace: Trace, why: impl Into<String>) -> Self {
        Refutation { trace, replay: None, doubt: Some(why.into()) }
    }

    /// A trace that counts as confirmed if evaluation follows `run` to the failure.
    pub fn replayed(question: &Question, env: Env, run: Run, trace: Trace) -> Self {
        let doubt = replay(question, &env, &run).err().map(|why| why.to_string());
        Refutation { trace, replay: Some(Arc::new(Replay { env, run })), doubt }
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What the run was replayed with, if anybody tried.
    pub fn replay(&self) -> Option<&Replay> {
        self.replay.as_deref()
    }

    /// Was the trace replayed by evaluation?
    pub fn is_confirmed(&self) -> bool {
        self.doubt.is_none()
    }

    /// What evaluation could not confirm.
    pub fn doubt(&self) -> Option<&str> {
        self.doubt.as_deref()
    }
}

/// How far a bounded search got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The bound in words: "3 threads, 2 values per sort, depth 40".
    pub description: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The solver gave up on quantifiers or theories; perhaps with a candidate.
    Incomplete(Option<Box<Refutation>>),
    /// Time ran out (milliseconds).
    TimedOut(u64),
    /// The deterministic resource limit was reached.
    OutOfResource(u64),
    /// Memory ran out.
    OutOfMemory,
    /// Nobody wants the answer any more.
    Cancelled,
    /// The question uses something the engine does not support.
    Unsupported(String),
    /// Our own bug or the solver's.
    Internal(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Incomplete(_) => f.write_str("the solver gave up"),
            Reason::TimedOut(millis) => write!(f, "no answer within {millis} ms"),
            Reason::OutOfResource(limit) => write!(f, "no answer within {limit} solver steps"),
            Reason::OutOfMemory => f.write_str("the solver ran out of memory"),
            Reason::Cancelled => f.write_str("cancelled"),
            Reason::Unsupported(what) => write!(f, "not supported: {what}"),
            Reason::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It always holds.
    Proved(Proof),
    /// It fails in this run.
    Refuted(Refutation),
    /// It holds in every run within a bound.
    HoldsUpTo(Bound),
    /// No answer.
    Unknown(Reason),
}

impl Verdict {
    /// "Proved", unless there is no proof after all.
    pub fn from_proof(proof: Option<Proof>) -> Verdict {
        proof.map_or_else(
            || Verdict::Unknown(Reason::Internal("ill-formed question".into())),
            Verdict::Proved,
        )
    }

    /// Is it proved?
    pub fn is_proved(&self) -> bool {
        matches!(self, Verdict::Proved(_))
    }
}

#[cfg(test)]
mod tests {
    use super::{Proof, Trust, Verdict};
    use crate::{
        command::AssertId,
        obligation::Question,
        op::Op,
        passive::{Item, Passive, PassiveBlock},
        samples::{b, i},
        sort::Sort,
        term::{Term, TermKind},
    };

    fn ask(term: Term) -> Question {
        let item = Item::Assert { term, id: AssertId(0), hints: vec![], subsumes: true };
        let block =
            PassiveBlock { label: "b".into(), items: vec![item], successors: vec![], site: None };
        Question::new(Passive::new(vec![block]).unwrap())
    }

    #[test]
    fn an_ill_formed_question_is_never_proved() {
        let kind = TermKind::App(Op::And, vec![i("x")].into());
        let question = ask(Term::ill_formed_node(kind, Sort::Bool));
        assert_eq!(Proof::unsatisfiable(&question, Trust::default()), None);
        assert_eq!(Proof::exhaustive(&question, "search", Trust::default()), None);
        assert!(!Verdict::from_proof(None).is_proved());
    }

    #[test]
    fn an_ill_formed_part_spoils_the_whole_term() {
        let kind = TermKind::App(Op::And, vec![i("x")].into());
        let part = Term::ill_formed_node(kind, Sort::Bool);
        let whole = Term::implies(b("p"), Term::eq(part, b("q")));
        assert!(whole.is_ill_formed());
    }

    #[test]
    fn simplification_proves_only_literal_truth() {
        assert!(Proof::simplification(&ask(Term::tt()), Trust::default()).is_some());
        assert!(Proof::simplification(&ask(b("p")), Trust::default()).is_none());
    }
}
