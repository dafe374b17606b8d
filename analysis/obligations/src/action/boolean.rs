//! "For all truth values" said twice.
//!
//! **In:** `forall b, xs :: p`. **Out:** the same without the first few Boolean variables: the solver
//! finds values of a bound variable by matching terms, and there is nothing to match with a Boolean.
//!
//! # Soundness
//! `forall b :: p(b)` is `p(true) && p(false)`.

use ir::{Quant, QuantKind, Sort, Substitution, Term, TermKind, Var};

/// So many Boolean variables of a quantifier are tried with both values.
const MOST: usize = 3;

/// The term, if it is a universal quantifier, without its first few Boolean variables. Quantifiers
/// with patterns or hints of their own stay as they are.
pub(crate) fn without_boolean_binders(term: Term) -> Term {
    let TermKind::Quant(quant) = term.kind() else { return term };
    let plain = quant.triggers.is_empty() && quant.nopats.is_empty() && quant.hints.is_empty();
    let booleans = quant.bound.iter().map(|bound| &bound.var).filter(|var| var.sort == Sort::Bool);
    let booleans: Vec<Var> = booleans.take(MOST).cloned().collect();
    if quant.kind != QuantKind::Forall || !plain || booleans.is_empty() {
        return term;
    }
    let bound = quant.bound.iter().filter(|bound| !booleans.contains(&bound.var));
    let rest = Quant { bound: bound.cloned().collect(), ..quant.as_ref().clone() };
    let mut cases = vec![rest.body.clone()];
    for var in booleans {
        let decided = |value: bool, case: &Term| {
            Substitution::of_vars([(var.clone(), Term::bool(value))]).apply(case)
        };
        cases = cases.iter().flat_map(|case| [decided(false, case), decided(true, case)]).collect();
    }
    let cases = cases.into_iter().map(|body| Term::quant(Quant { body, ..rest.clone() }));
    Term::and(cases)
}

#[cfg(test)]
mod tests {
    use ir::{Bound, Sort, Term, Var};

    use super::without_boolean_binders;

    #[test]
    fn each_truth_value_is_its_own_case() {
        let (b, x) = (Var::new("b", Sort::Bool), Var::new("x", Sort::Int));
        let positive = Term::lt(Term::int(0), Term::var(x.clone()));
        let body = Term::implies(Term::var(b.clone()), positive.clone());
        let all = Term::forall(vec![Bound::plain(b), Bound::plain(x.clone())], body);
        let expected = Term::forall(vec![Bound::plain(x)], positive);
        assert_eq!(without_boolean_binders(all), expected);
    }

    #[test]
    fn existence_stays() {
        let b = Var::new("b", Sort::Bool);
        let some = Term::exists(vec![Bound::plain(b.clone())], Term::var(b));
        assert_eq!(without_boolean_binders(some.clone()), some);
    }
}
