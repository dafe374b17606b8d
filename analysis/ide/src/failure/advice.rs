//! A question without an answer: what was tried, and what a person can do about this program.
//!
//! **In:** why there is no answer, the question, the assertion. **Out:** lines for people.
//!
//! | the question | advice |
//! | --- | --- |
//! | has a candidate run that violates a quantified assumption | the values at which it is violated: assert that instance |
//! | asks for a value (`exists`) | assert the body for the value |
//! | multiplies or divides unknowns | state what is needed of the product |
//! | draws from a pool that is empty | add to the pool |
//!
//! # Invariants
//! - Only what the question contains is spoken of; values were computed on the run.

use std::collections::BTreeSet;

use ir::{AssertId, Env, Item, Op, QuantKind, Question, Reason, Refutation, Term, TermKind, Value};

use super::orders::shortened;

/// So many values are tried for each bound variable of a quantifier.
const MOST_VALUES: usize = 12;
/// So many bound variables are given values.
const MOST_VARIABLES: usize = 3;
/// More products are not listed.
const MOST_PRODUCTS: usize = 2;

/// What was tried, and what helps; nothing if asking again is no use.
pub(crate) fn lines(reason: &Reason, question: &Question, assert: AssertId) -> Vec<String> {
    let Some(spent) = spent(reason) else { return Vec::new() };
    let count = question.passive.asserts().len();
    let first = match count {
        0 | 1 => format!("tried: this assertion, {spent}"),
        _ => {
            format!("tried: all {count} assertions of the obligation, then this one alone, {spent}")
        }
    };
    let mut lines = vec![first];
    let goal = goal(question, assert);
    let candidate =
        if let Reason::Incomplete(candidate) = reason { candidate.as_deref() } else { None };
    lines.extend(candidate.and_then(|it| violated(question, it)));
    lines.extend(goal.and_then(wanted_value));
    lines.extend(goal.and_then(products));
    lines.extend(idle_pools(question).into_iter().map(|pool| {
        format!("pool `{pool}` is empty: a quantifier draws from it, but nothing is added to it")
    }));
    lines
}

fn spent(reason: &Reason) -> Option<String> {
    Some(match reason {
        Reason::TimedOut(millis) => format!("{millis} ms in all"),
        Reason::OutOfResource(steps) => format!("{steps} steps of the solver each time"),
        Reason::OutOfMemory => "until memory ran out".to_owned(),
        Reason::Incomplete(_) => "until the solver gave up on quantifiers".to_owned(),
        Reason::Cancelled | Reason::Unsupported(_) | Reason::Internal(_) => return None,
    })
}

fn goal(question: &Question, assert: AssertId) -> Option<&Term> {
    let items = question.passive.blocks().iter().flat_map(|block| &block.items);
    items.into_iter().find_map(|item| match item {
        Item::Assert { term, id, .. } if *id == assert => Some(term),
        Item::Assert { .. } | Item::Assume { .. } | Item::Capture(_) => None,
    })
}

/// Where the candidate violates an assumption that the solver did not use.
fn violated(question: &Question, candidate: &Refutation) -> Option<String> {
    let replay = candidate.replay()?;
    let found = ir::replay::replay(question, &replay.env, &replay.run);
    let Err(ir::replay::Mismatch::NotAssumed(term)) = found else { return None };
    let values = false_at(&term, &replay.env)?;
    let at: Vec<String> = values
        .iter()
        .map(|(var, value)| format!("{} = {value}", ir::source_name(var.name.as_str())))
        .collect();
    Some(format!(
        "help: `{}` is false in the candidate at {}; assert what it says there, for values that the program names",
        shortened(&ir::source_text(&term)),
        at.join(", ")
    ))
}

/// Values of the bound variables at which a universal statement is false.
fn false_at(term: &Term, env: &Env) -> Option<Vec<(ir::Var, Value)>> {
    let TermKind::Quant(quant) = term.kind() else { return None };
    if quant.kind != QuantKind::Forall || quant.bound.len() > MOST_VARIABLES {
        return None;
    }
    let mut tuples: Vec<Vec<(ir::Var, Value)>> = vec![Vec::new()];
    for bound in &quant.bound {
        let values = values_for(&bound.var.sort, env);
        tuples = (tuples.iter())
            .flat_map(|tuple| values.iter().map(|it| (tuple.clone(), it.clone())))
            .map(|(tuple, it)| [tuple, vec![(bound.var.clone(), it)]].concat())
            .collect();
    }
    tuples.into_iter().find(|tuple| {
        let mut env = env.clone();
        env.vars.extend(tuple.iter().cloned());
        ir::eval::evaluate(&quant.body, &env) == Ok(Value::Bool(false))
    })
}

/// Values that the run mentions and, of integers, those beside them: small ones first.
fn values_for(sort: &ir::Sort, env: &Env) -> Vec<Value> {
    let own = env.vars.iter().filter(|(var, _)| var.sort == *sort).map(|(_, value)| value);
    let mut found: BTreeSet<Value> = own.cloned().collect();
    found.extend(env.candidates.get(sort).into_iter().flatten().cloned());
    if *sort == ir::Sort::Int {
        let mut more = Vec::new();
        for value in &found {
            if let Value::Int(number) = value {
                more.extend([Value::Int(number - 1), Value::Int(number + 1)]);
            }
        }
        found.extend(more.into_iter().chain([0, 1].map(|it| Value::Int(it.into()))));
    }
    let mut all: Vec<Value> = found.into_iter().collect();
    all.sort_by_key(|value| value.to_string().len());
    all.truncate(MOST_VALUES);
    all
}

/// A value that is claimed to exist.
fn wanted_value(goal: &Term) -> Option<String> {
    if let TermKind::Quant(quant) = goal.kind() {
        let text = shortened(&ir::source_text(goal));
        let line = format!(
            "help: assert the body of `{text}` for the value that you have in mind, just before"
        );
        return (quant.kind == QuantKind::Exists).then_some(line);
    }
    match goal.as_app() {
        Some((Op::And, args)) => args.iter().find_map(wanted_value),
        Some((Op::Implies, args)) => args.last().and_then(wanted_value),
        _other => None,
    }
}

/// Products and quotients of unknowns.
fn products(goal: &Term) -> Option<String> {
    let mut found = Vec::new();
    ir::subst::for_each_subterm([goal], |term| {
        let is_unknown = |term: &&Term| !term.is_literal();
        let counts = match term.as_app() {
            Some((Op::Mul, args)) => args.iter().filter(is_unknown).count() > 1,
            Some((Op::IntDiv | Op::IntMod, args)) => args.last().is_some_and(|it| is_unknown(&it)),
            _other => false,
        };
        if counts && found.len() < MOST_PRODUCTS {
            found.push(format!("`{}`", shortened(&ir::source_text(term))));
        }
    });
    (!found.is_empty()).then(|| {
        format!(
            "help: the solver does not decide products of unknowns ({}); prove what is needed of them in a lemma",
            found.join(", ")
        )
    })
}

/// Pools that quantifiers of the question draw from and that nothing is added to.
fn idle_pools(question: &Question) -> BTreeSet<ir::Symbol> {
    let (mut drawn, mut filled) = (BTreeSet::new(), Vec::new());
    ir::subst::for_each_subterm(question.terms(), |term| {
        drawn.extend(term.bound().iter().flat_map(|bound| bound.pools.iter().cloned()));
        if let TermKind::Quant(quant) = term.kind() {
            filled.extend(quant.hints.iter().map(|hint| hint.label.clone()));
        }
    });
    for item in question.passive.blocks().iter().flat_map(|block| &block.items) {
        if let Item::Assume { hints, .. } | Item::Assert { hints, .. } = item {
            filled.extend(hints.iter().map(|hint| hint.label.clone()));
        }
    }
    drawn.retain(|label| !filled.contains(label));
    drawn
}
