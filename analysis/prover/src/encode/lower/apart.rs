//! Values of datatypes with one constructor, taken apart where they are indices or bound by quantifiers.
//!
//! **In:** arguments of functions, bound variables. **Out:** the same, with such values replaced by their fields.
//!
//! A solver that builds functions from models cuts integers into pieces, but not values that hold one integer. So a
//! function of `One(i)` becomes one of `i`, and "for all permissions" becomes "for all integers".
//!
//! # Soundness
//! A value of a datatype with one constructor is exactly a tuple of fields. So functions of the value and functions of
//! the fields are the same, and so are quantifiers over them.

use std::sync::Arc;

use ir::{Bound, DatatypeDef, Quant, Signature, Sort, Substitution, Term, TermKind, Var};

use crate::encode::rewrite::Rewriter;

/// Datatypes inside one another are taken apart so deeply.
const MOST_DEPTH: usize = 3;

/// The datatype of a sort of tuples without maps.
fn tuple(sort: &Sort, signature: &Signature) -> Option<Arc<DatatypeDef>> {
    let def = signature.datatype(sort)?;
    let [only] = def.ctors() else { return None };
    let is_simple = |field: &Sort| match field {
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Uninterpreted(_) => true,
        Sort::Datatype(_) => true,
        Sort::Array(..) | Sort::Seq(_) | Sort::String | Sort::RegEx => false,
        Sort::Float(..) | Sort::RoundingMode => false,
    };
    only.fields.iter().all(|(_, sort)| is_simple(sort)).then(|| Arc::clone(def))
}

/// The arguments, with tuples replaced by their fields.
pub(super) fn arguments(args: &[Term], signature: &Signature) -> Vec<Term> {
    let mut found = Vec::new();
    args.iter().for_each(|arg| fields(arg, signature, 0, &mut found));
    found
}

fn fields(value: &Term, signature: &Signature, depth: usize, found: &mut Vec<Term>) {
    let def = tuple(value.sort(), signature).filter(|_| depth < MOST_DEPTH);
    let Some(def) = def else { return found.push(value.clone()) };
    for nth in 0..def.ctors()[0].fields.len() {
        fields(&Term::field(&def, 0, nth, value.clone()), signature, depth + 1, found);
    }
}

/// The term, with quantifiers over tuples replaced by quantifiers over their fields.
pub(super) fn quantifiers(term: &Term, signature: &Signature) -> Term {
    let apart = |term: Term| {
        if let TermKind::Quant(quant) = term.kind() { quantifier(quant, signature) } else { term }
    };
    Rewriter::new(|_| true, apart).apply(term)
}

fn quantifier(quant: &Quant, signature: &Signature) -> Term {
    let (mut bound, mut pairs) = (Vec::new(), Vec::new());
    for one in &quant.bound {
        let before = bound.len();
        let value = made(&one.var, signature, 0, &mut bound);
        if value.as_var() == Some(&one.var) {
            bound.truncate(before);
            bound.push(one.clone());
        } else {
            pairs.push((one.var.clone(), value));
        }
    }
    if pairs.is_empty() {
        return Term::quant(quant.clone());
    }
    let body = Substitution::of_vars(pairs).apply(&quant.body);
    Term::quant(Quant::new(quant.kind, bound, body))
}

/// The value that is made of new variables for its fields; the variable itself, if it is no tuple.
fn made(var: &Var, signature: &Signature, depth: usize, bound: &mut Vec<Bound>) -> Term {
    let def = tuple(&var.sort, signature).filter(|_| depth < MOST_DEPTH);
    let Some(def) = def else {
        bound.push(Bound::plain(var.clone()));
        return Term::var(var.clone());
    };
    let parts = def.ctors()[0].fields.iter().enumerate().map(|(nth, (_, sort))| {
        // No name of a program holds a space. The sort belongs to the name: variables are both together.
        let name = format!("{}: {} {nth}", var.name, var.sort);
        made(&Var::new(name, sort.clone()), signature, depth + 1, bound)
    });
    let parts = parts.collect();
    Term::ctor(&def, 0, parts)
}
