//! Replaying a counterexample before it is believed.
//!
//! **In:** a question, an environment read off a model, and the run it claims to fail on.
//! **Out:** nothing, or the first thing that evaluation does not confirm.
//!
//! # Soundness
//! A confirmed run is a real one: its blocks are connected from the entry, everything
//! assumed on the way and every axiom evaluates to true, and the assertion to false.
//! Unknown is not true. Axioms that are true because of how the environment was made
//! ([`Env::granted`]) need no evaluation; `eval/structure.rs` says why.

use std::fmt;

use crate::{
    command::{AssertId, BlockId},
    eval::{Env, Fuel, Unknown, evaluate_within},
    obligation::Question,
    passive::Item,
    source::source_text,
    term::Term,
    value::Value,
};

/// A path and the assertion at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The blocks from the entry to the one with the failing assertion.
    pub path: Vec<BlockId>,
    /// The assertion.
    pub failing: AssertId,
}

/// What a replay stumbled over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The path does not exist in the program.
    NoSuchPath,
    /// Something assumed is false: the block and the item, or an axiom.
    NotAssumed(Term),
    /// Something assumed has no known value.
    Undecided(Term, Unknown),
    /// The assertion does not fail.
    Holds,
    /// A value is none of its type, by the axioms of a library.
    NoValue,
    /// The assertion is not in the last block.
    NoSuchAssertion,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::NoSuchPath => f.write_str("the path does not exist"),
            Mismatch::NotAssumed(term) => {
                write!(f, "the run violates the assumption `{}`", excerpt(term))
            }
            Mismatch::Undecided(term, what) => {
                write!(f, "`{}` depends on {what}", excerpt(term))
            }
            Mismatch::NoValue => f.write_str("the run mentions a vector that is none"),
            Mismatch::Holds => f.write_str("the assertion holds on this run"),
            Mismatch::NoSuchAssertion => f.write_str("the run does not reach the assertion"),
        }
    }
}

/// The beginning of a term, as people write it.
fn excerpt(term: &Term) -> String {
    const LONGEST: usize = 100;
    let text = source_text(term);
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

/// Follows `run` by evaluation.
pub fn replay(question: &Question, env: &Env, run: &Run) -> Result<(), Mismatch> {
    replay_within(question, env, run, &Fuel::unlimited())
}

/// The same, as far as the fuel goes; what is not evaluated any more is undecided.
pub fn replay_within(
    question: &Question,
    env: &Env,
    run: &Run,
    fuel: &Fuel,
) -> Result<(), Mismatch> {
    let at = Place { env, fuel };
    let blocks = question.passive.blocks();
    if run.path.first() != Some(&BlockId(0)) {
        return Err(Mismatch::NoSuchPath);
    }
    for (nth, id) in run.path.iter().enumerate() {
        let block = blocks.get(id.index()).ok_or(Mismatch::NoSuchPath)?;
        match run.path.get(nth + 1) {
            Some(next) if !block.successors.contains(next) => return Err(Mismatch::NoSuchPath),
            Some(_) => block.items.iter().try_for_each(|item| at.pass(item))?,
            None => at.reach(&block.items, run.failing)?,
        }
    }
    let open = question.axioms.iter().filter(|axiom| !env.granted.contains(*axiom));
    open.into_iter().try_for_each(|axiom| at.holds(axiom))?;
    match env.check_values(fuel) {
        Ok(Value::Bool(true)) => {}
        Ok(_) => return Err(Mismatch::NoValue),
        Err(what) => return Err(Mismatch::Undecided(Term::tt(), what)),
    }
    for group in question.distinct.iter().filter(|group| group.len() > 1) {
        at.holds(&Term::app(crate::op::Op::Distinct, group.clone()))?;
    }
    Ok(())
}

/// Values, and what may be spent on evaluation with them.
#[derive(Clone, Copy)]
struct Place<'v> {
    env: &'v Env,
    fuel: &'v Fuel,
}

impl Place<'_> {
    fn holds(self, term: &Term) -> Result<(), Mismatch> {
        let is_true = self.value(term)? == Value::Bool(true);
        if is_true { Ok(()) } else { Err(Mismatch::NotAssumed(term.clone())) }
    }

    fn value(self, term: &Term) -> Result<Value, Mismatch> {
        let value = evaluate_within(term, self.env, self.fuel);
        value.map_err(|what| Mismatch::Undecided(term.clone(), what))
    }

    /// What lies before the failure must hold. An assertion that does not subsume may fail.
    fn pass(self, item: &Item) -> Result<(), Mismatch> {
        match item {
            Item::Assume { term, .. } | Item::Assert { term, subsumes: true, .. } => {
                self.holds(term)
            }
            Item::Assert { subsumes: false, .. } | Item::Capture(_) => Ok(()),
        }
    }

    fn reach(self, items: &[Item], failing: AssertId) -> Result<(), Mismatch> {
        for item in items {
            if let Item::Assert { term, id, .. } = item
                && *id == failing
            {
                let fails = self.value(term)? == Value::Bool(false);
                return if fails { Ok(()) } else { Err(Mismatch::Holds) };
            }
            self.pass(item)?;
        }
        Err(Mismatch::NoSuchAssertion)
    }
}

#[cfg(test)]
mod tests {
    use super::{Mismatch, Run, replay};
    use crate::{
        command::{AssertId, BlockId},
        eval::Env,
        obligation::Question,
        passive::{Item, Passive, PassiveBlock},
        samples::{i, ivar, n},
        term::{Bound, Term},
        trace::Trace,
        value::Value,
        verdict::Refutation,
    };

    fn question() -> Question {
        let block = |items, successors: &[u32]| PassiveBlock {
            label: "b".into(),
            items,
            successors: successors.iter().map(|next| BlockId(*next)).collect(),
            site: None,
        };
        let claim = Item::Assert {
            term: Term::lt(i("x"), n(9)),
            id: AssertId(1),
            hints: vec![],
            subsumes: true,
        };
        let passive = Passive::new(vec![
            block(vec![Item::assume(Term::lt(n(0), i("x")))], &[1, 2]),
            block(vec![claim], &[]),
            block(vec![], &[]),
        ]);
        Question::new(passive.unwrap())
    }

    fn env(x: i32) -> Env {
        let mut env = Env::default();
        env.vars.insert(ivar("x"), Value::Int(x.into()));
        env
    }

    fn run(path: &[u32]) -> Run {
        Run { path: path.iter().map(|id| BlockId(*id)).collect(), failing: AssertId(1) }
    }

    #[test]
    fn a_real_failure_is_confirmed() {
        assert_eq!(replay(&question(), &env(12), &run(&[0, 1])), Ok(()));
        assert!(
            Refutation::replayed(&question(), env(12), run(&[0, 1]), Trace::default())
                .is_confirmed()
        );
        let doubt = Refutation::replayed(&question(), env(-3), run(&[0, 1]), Trace::default());
        assert_eq!(doubt.doubt(), Some("the run violates the assumption `0 < x`"));
        assert!(!Refutation::unconfirmed(Trace::default(), "nobody tried").is_confirmed());
    }

    #[test]
    fn an_impossible_or_harmless_run_is_not() {
        let outcome = |x, path: &[u32]| replay(&question(), &env(x), &run(path)).unwrap_err();
        assert_eq!(outcome(-3, &[0, 1]), Mismatch::NotAssumed(Term::lt(n(0), i("x"))));
        assert_eq!(outcome(5, &[0, 1]), Mismatch::Holds);
        assert_eq!(outcome(12, &[0, 2]), Mismatch::NoSuchAssertion);
        assert_eq!(outcome(12, &[1]), Mismatch::NoSuchPath);
        assert_eq!(outcome(12, &[0, 7]), Mismatch::NoSuchPath);
        assert_eq!(outcome(12, &[]), Mismatch::NoSuchPath);
    }

    #[test]
    fn an_undecided_axiom_leaves_a_run_unconfirmed() {
        let mut question = question();
        let all = |body| Term::forall(vec![Bound::plain(ivar("y"))], body);
        question.axioms.push(all(Term::lt(i("y"), n(100))));
        let outcome = replay(&question, &env(12), &run(&[0, 1]));
        assert!(matches!(outcome, Err(Mismatch::NotAssumed(..))));
        let square = Term::app(crate::op::Op::Mul, vec![i("y"), i("y")]);
        question.axioms = vec![all(Term::le(n(0), square))];
        let outcome = replay(&question, &env(12), &run(&[0, 1]));
        assert!(matches!(outcome, Err(Mismatch::Undecided(..))));
    }
}
