//! A harder goal that is easier to prove.
//!
//! **In:** a goal. **Out:** a goal that implies it, or `None` if there is nothing to gain.
//!
//! Who builds a goal "some value will do" often knows a value: the goal is then `this value
//! will do OR some value will do`. The known value is enough nearly always, while the mere
//! presence of the existential lets the solver try every other value it can think of. So the
//! existential is left out first.
//!
//! # Soundness
//! Leaving out a disjunct makes a disjunction stronger, and polarity is tracked: only what has
//! to be proved is touched. A failure of the stronger goal means nothing.

use ir::{Op, QuantKind, Term, TermKind};
use rustc_hash::FxHashMap;

/// `goal` without the existential disjuncts beside others.
pub(crate) fn strengthen(goal: &Term) -> Option<Term> {
    let mut memo: FxHashMap<Term, Term> = FxHashMap::default();
    let mut tasks = vec![(goal.clone(), false)];
    while let Some((term, parts_done)) = tasks.pop() {
        if !term.has_quantifier() || memo.contains_key(&term) {
            continue;
        }
        let Some((op, args)) = term.as_app() else { continue };
        let goals = goals_of(op, args);
        if goals.is_empty() {
            continue;
        }
        if parts_done {
            let rebuilt = rebuild(op, args, &goals, &memo);
            memo.insert(term, rebuilt);
            continue;
        }
        tasks.push((term.clone(), true));
        tasks.extend(goals.iter().map(|nth| (args[*nth].clone(), false)));
    }
    memo.remove(goal).filter(|stronger| stronger != goal)
}

/// The arguments that have to be proved if the application has to be.
fn goals_of(op: &Op, args: &[Term]) -> Vec<usize> {
    if matches!(op, Op::And | Op::Or) {
        return (0..args.len()).collect();
    }
    if *op == Op::Implies { vec![1] } else { Vec::new() }
}

fn rebuild(op: &Op, args: &[Term], goals: &[usize], memo: &FxHashMap<Term, Term>) -> Term {
    let part = |nth: usize| {
        let arg = &args[nth];
        if goals.contains(&nth) { memo.get(arg).unwrap_or(arg).clone() } else { arg.clone() }
    };
    let parts: Vec<Term> = (0..args.len()).map(part).collect();
    let is_existential = |term: &Term| matches!(term.kind(), TermKind::Quant(quant) if quant.kind == QuantKind::Exists);
    let direct = parts.iter().filter(|part| !is_existential(part)).count();
    if *op == Op::Or && direct > 0 && direct < parts.len() {
        return Term::or(parts.into_iter().filter(|part| !is_existential(part)));
    }
    Term::app(op.clone(), parts)
}

#[cfg(test)]
mod tests {
    use ir::{Bound, Sort, Var};

    use super::*;

    fn atom(name: &str) -> Term {
        Term::var(Var::new(name, Sort::Bool))
    }

    fn some() -> Term {
        let x = Var::new("x", Sort::Int);
        Term::exists(vec![Bound::plain(x.clone())], Term::lt(Term::var(x), Term::int(0)))
    }

    #[test]
    fn existential_disjuncts_of_goals_are_left_out() {
        let goal = Term::implies(atom("a"), Term::and([atom("b"), Term::or([atom("c"), some()])]));
        let stronger = Term::implies(atom("a"), Term::and([atom("b"), atom("c")]));
        assert_eq!(strengthen(&goal), Some(stronger));
    }

    #[test]
    fn assumptions_and_lonely_existentials_stay() {
        let mixed = Term::or([atom("c"), some()]);
        for goal in [
            some(),
            Term::implies(mixed.clone(), atom("a")),
            Term::not(mixed.clone()),
            Term::eq(atom("a"), mixed),
        ] {
            assert_eq!(strengthen(&goal), None, "{goal}");
        }
    }
}
