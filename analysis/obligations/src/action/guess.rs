//! Values worth trying for a number that is only bounded.
//!
//! **In:** constraints with integers of which only existence is asked. **Out:** the constraints for a
//! few values next to the bounds.
//!
//! # Soundness
//! Each result is an instance: where it holds, values exist. So it may stand beside "for some values"
//! in a disjunction without changing the meaning.

use std::collections::BTreeSet;

use ir::subst::occurs_free;
use ir::{Op, Sort, Substitution, Term, Var};

/// More instances than this are not tried.
const MOST: usize = 8;

/// The operators that bound a number: is the greater side first, and how far are the sides apart?
const BOUNDS: [(Op, bool, i64); 4] =
    [(Op::Lt, false, 1), (Op::Le, false, 0), (Op::Gt, true, 1), (Op::Ge, true, 0)];

/// The constraints for values of `open` next to their bounds; nothing if one of them has no bound.
pub(super) fn guesses(constraints: &[Term], open: &[Var]) -> Vec<Term> {
    let mut instances: Vec<Vec<(Var, Term)>> = vec![Vec::new()];
    for var in open {
        let values = candidates(constraints, var, open);
        instances = instances
            .iter()
            .flat_map(|instance| {
                values.iter().map(move |value| {
                    let mut instance = instance.clone();
                    instance.push((var.clone(), value.clone()));
                    instance
                })
            })
            .take(MOST)
            .collect();
    }
    let all = Term::and(constraints.to_vec());
    let instances = instances.into_iter().map(|it| Substitution::of_vars(it).apply(&all));
    instances.filter(|instance| !instance.is_false()).collect()
}

/// Values next to the bounds of `var`, which no other unknown decides.
fn candidates(constraints: &[Term], var: &Var, open: &[Var]) -> BTreeSet<Term> {
    let mut out = BTreeSet::new();
    if var.sort != Sort::Int {
        return out;
    }
    let is_var = |term: &Term| term.as_var() == Some(var);
    let known = |term: &Term| open.iter().all(|other| !occurs_free(other, term));
    let step = |term: &Term, by: i64| Term::add(term.clone(), Term::int(by));
    for (op, turned, apart) in &BOUNDS {
        for args in constraints.iter().filter_map(|constraint| constraint.args_of(op)) {
            let [left, right] = args else { continue };
            let (below, above) = if *turned { (right, left) } else { (left, right) };
            if is_var(above) && known(below) {
                out.insert(step(below, *apart));
            } else if is_var(below) && known(above) {
                out.insert(step(above, -apart));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use ir::{Sort, Substitution, Term, Var};

    use super::guesses;

    /// `k < x < k + 2`
    fn bounds_of(x: &Var, k: &Term) -> [Term; 2] {
        let x = Term::var(x.clone());
        let above = Term::add(k.clone(), Term::int(2));
        [Term::lt(k.clone(), x.clone()), Term::lt(x, above)]
    }

    #[test]
    fn a_number_between_bounds_is_tried_next_to_them() {
        let (x, k) = (Var::new("x", Sort::Int), Term::var(Var::new("k", Sort::Int)));
        let tx = Term::var(x.clone());
        let bounds =
            [Term::lt(k.clone(), tx.clone()), Term::lt(tx, Term::add(k.clone(), Term::int(2)))];
        let next = Term::add(k.clone(), Term::int(1));
        let expected =
            bounds.map(|it| Substitution::of_vars([(x.clone(), next.clone())]).apply(&it));
        assert_eq!(guesses(&bounds_of(&x, &k), &[x]), [Term::and(expected)]);
    }

    #[test]
    fn a_number_without_bounds_is_not_guessed() {
        let x = Var::new("x", Sort::Int);
        assert_eq!(guesses(&[], &[x]), []);
    }
}
