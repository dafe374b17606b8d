//! Smaller values for a failing run.
//!
//! **In:** the path of a run that the solver found, and the variables of the question. **Out:** facts
//! that make numbers small and maps empty, as far as the same path still fails under them.
//!
//! # Invariants
//! - A fact only narrows the choice among runs that fail on this path, so whatever is found with it
//!   fails as well.
//! - The solver is limited by steps, which are the same on every machine, so the same question leads
//!   to the same run.

use ir::{BlockId, Op, Question, Sort, Term};
use num_bigint::BigInt;

use crate::encode::vc::{Correctness, Exit};
use crate::record::captures_on;
use crate::witness;

/// Steps of the solver for each attempt.
pub(crate) const STEPS: u32 = 300_000;
/// So many attempts are made for one run.
pub(crate) const MOST_ATTEMPTS: usize = 60;
/// More variables than this are left as they are.
const MOST_VARIABLES: usize = 200;
/// Ranges for all numbers at once, best first.
const RANGES: [(i32, i32); 4] = [(0, 2), (-2, 2), (0, 16), (-16, 16)];
/// The ranges for numbers one by one, if they do not fit together, best first.
const OWN_RANGES: [(i32, i32); 2] = [(0, 2), (-16, 16)];

/// What to try, in order.
pub(crate) struct Wishes {
    /// Of these, the first that is possible.
    pub(crate) together: Vec<Term>,
    /// If none of those is, of each of these the first that is possible.
    pub(crate) alone: Vec<Vec<Term>>,
    /// And each of these that is possible.
    pub(crate) empty: Vec<Term>,
}

/// The wishes for a run along `path` that ends at `item` of its last block.
pub(crate) fn wishes(question: &Question, path: &[BlockId], item: usize) -> Wishes {
    let mut terms: Vec<Term> = Vec::new();
    for capture in captures_on(&question.passive, path, item) {
        terms.extend(capture.values.iter().map(|(_, term)| term.clone()));
    }
    terms.extend(witness::wanted(question).variables.into_iter().map(Term::var));
    terms.sort();
    terms.dedup();
    if terms.len() > MOST_VARIABLES {
        terms.clear();
    }
    let numbers: Vec<Term> = terms.iter().flat_map(|term| numbers_in(term, question)).collect();
    let together = RANGES.iter().filter(|_| !numbers.is_empty());
    Wishes {
        together: together
            .map(|range| Term::and(numbers.iter().map(|number| within(number, *range))))
            .collect(),
        alone: numbers
            .iter()
            .map(|it| OWN_RANGES.map(|range| within(it, range)).to_vec())
            .collect(),
        empty: terms.iter().filter_map(|term| empty(term, question)).collect(),
    }
}

/// The term itself, or the numbers that a value of one constructor holds.
fn numbers_in(term: &Term, question: &Question) -> Vec<Term> {
    if *term.sort() == Sort::Int {
        return vec![term.clone()];
    }
    let Sort::Datatype(name) = term.sort() else { return Vec::new() };
    let Some(def) = question.signature.datatypes.get(name) else { return Vec::new() };
    let [only] = def.ctors() else { return Vec::new() };
    let numbers = only.fields.iter().enumerate().filter(|(_, (_, sort))| *sort == Sort::Int);
    let field = |nth: usize| {
        let nth = u32::try_from(nth).unwrap_or(u32::MAX);
        Term::app(Op::Field(def.clone(), 0, nth), vec![term.clone()])
    };
    numbers.map(|(nth, _)| field(nth)).collect()
}

fn within(number: &Term, (low, high): (i32, i32)) -> Term {
    let literal = |value: i32| Term::int(BigInt::from(value));
    Term::and([Term::le(literal(low), number.clone()), Term::le(number.clone(), literal(high))])
}

/// "The map is false, zero or the like everywhere", for a variable or the first field of a library map.
fn empty(term: &Term, question: &Question) -> Option<Term> {
    if let Sort::Array(_, element) = term.sort() {
        let value = simplest(element, question)?;
        let everywhere = Term::app(Op::ConstArray(term.sort().clone()), vec![value]);
        return Some(Term::eq(term.clone(), everywhere));
    }
    let Sort::Datatype(name) = term.sort() else { return None };
    let def = question.signature.datatypes.get(name)?;
    let [only] = def.ctors() else { return None };
    let (_, sort) = only.fields.first()?;
    let is_set = matches!(sort, Sort::Array(_, element) if **element == Sort::Bool);
    let field = Term::app(Op::Field(def.clone(), 0, 0), vec![term.clone()]);
    if is_set { empty(&field, question) } else { None }
}

/// The simplest value that can be written down.
fn simplest(sort: &Sort, question: &Question) -> Option<Term> {
    if let Some(scalar) = simplest_scalar(sort) {
        return Some(scalar);
    }
    let Sort::Datatype(name) = sort else { return None };
    let def = question.signature.datatypes.get(name)?;
    let fields = def.ctors().first()?.fields.iter();
    let fields: Option<Vec<Term>> = fields.map(|(_, sort)| simplest_scalar(sort)).collect();
    Some(Term::app(Op::Ctor(def.clone(), 0), fields?))
}

fn simplest_scalar(sort: &Sort) -> Option<Term> {
    if *sort == Sort::Bool {
        return Some(Term::ff());
    }
    (*sort == Sort::Int).then(|| Term::int(BigInt::from(0)))
}

/// "The run takes this path and fails there."
pub(crate) fn along(correctness: &Correctness, path: &[BlockId], item: usize) -> Term {
    let mut facts = Vec::new();
    for (nth, block) in path.iter().enumerate() {
        let Some(exits) = correctness.exits.get(block.index()) else { continue };
        let taken = |way: &Exit| match way {
            Exit::Failure { item: own, .. } => nth + 1 == path.len() && *own == item,
            Exit::Next(next) => path.get(nth + 1) == Some(next),
        };
        let Some(chosen) = exits.ways.iter().position(taken) else { continue };
        for (way, choice) in exits.choices.iter().enumerate().take(chosen + 1) {
            facts.push(if way == chosen { choice.clone() } else { Term::not(choice.clone()) });
        }
    }
    Term::and(facts)
}
