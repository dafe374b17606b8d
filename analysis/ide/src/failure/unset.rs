//! Locals that have no value worth showing yet.
//!
//! **In:** what a failing run meets on its path. **Out:** the variables of the question that hold what a
//! local had when its procedure was entered, if the run never looks at that.
//!
//! A local or result has any value before its first assignment. A solver picks one, and shown beside
//! the others it looks like a cause of the failure.
//!
//! # Invariants
//! - A value that some condition of the run depends on is never left out: a run that reads a local before
//!   its first assignment fails because of what it had.

use std::collections::BTreeSet;

use ir::{Capture, Item, Op, Term, Var};

#[derive(Debug, Default)]
pub(super) struct Unset(BTreeSet<Var>);

impl Unset {
    /// Along `items`, for the locals among the names captured in `entry`.
    pub(super) fn new(items: &[&Item], entry: &Capture, is_local: &dyn Fn(&str) -> bool) -> Unset {
        let locals = entry.values.iter().filter(|(name, _)| is_local(name.as_str()));
        let mut held: BTreeSet<Var> = locals.filter_map(|(_, it)| it.as_var()).cloned().collect();
        let mut read: BTreeSet<String> = BTreeSet::new();
        for item in items {
            let (Item::Assume { term, .. } | Item::Assert { term, .. }) = item else { continue };
            if let Some([one, other]) = renamed(term) {
                // Two branches meet: the local goes on under another name.
                if held.contains(one) || held.contains(other) {
                    held.extend([one.clone(), other.clone()]);
                }
                continue;
            }
            let met = ir::free_vars(term);
            read.extend(met.intersection(&held).map(|var| own_name(var).to_owned()));
        }
        held.retain(|var| !read.contains(own_name(var)));
        Unset(held)
    }

    /// Is this the value of a local that was neither assigned nor read?
    pub(super) fn hides(&self, value: &Term) -> bool {
        value.as_var().is_some_and(|var| self.0.contains(var))
    }
}

/// Both sides, if the term says that a variable is itself under another name.
fn renamed(term: &Term) -> Option<[&Var; 2]> {
    let [one, other] = term.args_of(&Op::Eq)? else { return None };
    let (one, other) = (one.as_var()?, other.as_var()?);
    (own_name(one) == own_name(other)).then_some([one, other])
}

fn own_name(var: &Var) -> &str {
    ir::source_name(var.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{CaptureId, Sort};

    fn var(name: &str) -> Var {
        Var::new(name, Sort::Int)
    }

    fn equal(one: &str, other: &str) -> Item {
        let term = Term::eq(Term::var(var(one)), Term::var(var(other)));
        Item::Assume { term, hints: Vec::new() }
    }

    fn hidden(items: &[Item]) -> Vec<String> {
        let value = |name: &str| (name.into(), Term::var(var(name)));
        let entry = Capture { id: CaptureId(0), values: vec![value("a"), value("b"), value("n")] };
        let items: Vec<&Item> = items.iter().collect();
        let unset = Unset::new(&items, &entry, &|name| name != "n");
        unset.0.iter().map(|var| var.name.as_str().to_owned()).collect()
    }

    #[test]
    fn what_is_assigned_first_has_no_value_before() {
        assert_eq!(hidden(&[equal("a@1", "n")]), ["a", "b"]);
    }

    #[test]
    fn what_is_read_is_shown() {
        assert_eq!(hidden(&[equal("n@1", "a")]), ["b"]);
    }

    #[test]
    fn a_local_goes_through_joins() {
        assert_eq!(hidden(&[equal("a@2", "a")]), ["a", "a@2", "b"]);
        assert_eq!(hidden(&[equal("a@2", "a"), equal("n@1", "a@2")]), ["b"]);
    }
}
