//! Which axioms can matter for a question.
//!
//! **In:** a question. **Out:** the same question with the axioms and distinctness facts that
//! can help to answer it. Pruning before fingerprinting keeps edits of unrelated axioms from
//! changing fingerprints.
//!
//! A function or datatype is *live* if the program or a live axiom mentions it. A quantified
//! axiom with triggers is live once all symbols of one of its triggers are; until then it
//! could not be instantiated. Any other axiom is live as soon as any of its symbols is, and
//! always if it has none.
//!
//! # Soundness
//! Dropping an assumption never proves more. Completeness is why a datatype counts as live
//! when only its sort occurs: the solver makes constructor and selector terms of its own.

use std::collections::BTreeSet;

use crate::{
    obligation::Question,
    op::Op,
    sort::Sort,
    subst::for_each_subterm,
    symbol::Symbol,
    term::{QuantKind, Term, TermKind},
};

/// A function with its name, or a datatype.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mention {
    Function(Symbol),
    Datatype(Symbol),
}

type Mentions = BTreeSet<Mention>;

struct Axiom<'a> {
    term: &'a Term,
    mentions: Mentions,
    /// Sets of which one must be live; `None`: any mention will do.
    triggers: Option<Vec<Mentions>>,
}

/// `question` without axioms and distinctness facts that cannot matter.
pub fn prune(question: &Question) -> Question {
    let (axioms, live) = live_axioms(question.passive.terms(), &question.axioms);
    let distinct = question.distinct.iter().map(|group| live_terms(&live, group));
    Question {
        passive: question.passive.clone(),
        axioms,
        signature: question.signature.clone(),
        library: question.library.clone(),
        distinct: distinct.filter(|group| group.len() > 1).collect(),
    }
}

/// The live ones among `axioms`, in their order, and everything that is live in the end.
fn live_axioms<'a>(
    program: impl Iterator<Item = &'a Term>,
    axioms: &'a [Term],
) -> (Vec<Term>, Mentions) {
    let mut live = mentions(program);
    let mut waiting: Vec<Option<Axiom<'_>>> =
        axioms.iter().flat_map(conjuncts).map(|term| Some(describe(term))).collect();
    let mut chosen: Vec<Option<Term>> = vec![None; waiting.len()];
    loop {
        let mut changed = false;
        for (slot, place) in waiting.iter_mut().zip(&mut chosen) {
            if slot.as_ref().is_some_and(|axiom| axiom.is_live(&live))
                && let Some(axiom) = slot.take()
            {
                *place = Some(axiom.term.clone());
                changed |= !axiom.mentions.is_subset(&live);
                live.extend(axiom.mentions);
            }
        }
        if !changed {
            break;
        }
    }
    (chosen.into_iter().flatten().collect(), live)
}

/// The terms of a distinctness fact that can matter; it says nothing about fewer than two.
fn live_terms(live: &Mentions, group: &[Term]) -> Vec<Term> {
    let is_live = |term: &&Term| {
        mentions(std::iter::once(*term)).iter().any(|mention| live.contains(mention))
    };
    group.iter().filter(is_live).cloned().collect()
}

impl Axiom<'_> {
    fn is_live(&self, live: &Mentions) -> bool {
        match &self.triggers {
            Some(triggers) => triggers.iter().any(|trigger| trigger.is_subset(live)),
            None => self.mentions.is_empty() || !self.mentions.is_disjoint(live),
        }
    }
}

fn describe(term: &Term) -> Axiom<'_> {
    let triggers = match term.kind() {
        TermKind::Quant(quant) if quant.kind == QuantKind::Forall && !quant.triggers.is_empty() => {
            Some(quant.triggers.iter().map(|trigger| mentions(trigger.iter())).collect())
        }
        TermKind::Quant(_)
        | TermKind::Var(_)
        | TermKind::Bool(_)
        | TermKind::Int(_)
        | TermKind::Real(_)
        | TermKind::BitVec(..)
        | TermKind::String(_)
        | TermKind::App(..)
        | TermKind::Lambda(_) => None,
    };
    Axiom { term, mentions: mentions(std::iter::once(term)), triggers }
}

fn conjuncts(term: &Term) -> Vec<&Term> {
    match term.args_of(&Op::And) {
        Some(parts) => parts.iter().flat_map(conjuncts).collect(),
        None => vec![term],
    }
}

fn mentions<'a>(terms: impl Iterator<Item = &'a Term>) -> Mentions {
    let mut found = Mentions::new();
    for_each_subterm(terms, |term| {
        let sorts = term.bound().iter().map(|bound| &bound.var.sort);
        for sort in sorts.chain([term.sort()]) {
            mention_sort(sort, &mut found);
        }
        if let Some((Op::Func(function), _)) = term.as_app() {
            found.insert(Mention::Function(function.name.clone()));
        }
    });
    found
}

fn mention_sort(sort: &Sort, found: &mut Mentions) {
    sort.walk(&mut |part| {
        if let Sort::Datatype(name) = part {
            let mention = Mention::Datatype(name.clone());
            if !found.contains(&mention) {
                found.insert(mention);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::term::{Bound, FuncSym, Quant, Var};

    use super::*;

    fn function(name: &str) -> Arc<FuncSym> {
        Arc::new(FuncSym::new(name, [Sort::Int], Sort::Int))
    }

    fn call(name: &str) -> Term {
        Term::func(&function(name), vec![Term::var(Var::new("i", Sort::Int))])
    }

    fn quantified(body: Term, triggers: Vec<Vec<Term>>) -> Term {
        let bound = vec![Bound::plain(Var::new("i", Sort::Int))];
        Term::quant(Quant { triggers, ..Quant::new(QuantKind::Forall, bound, body) })
    }

    fn live(question: &Term, axioms: &[Term]) -> Vec<Term> {
        live_axioms(std::iter::once(question), axioms).0
    }

    #[test]
    fn an_axiom_without_trigger_is_live_with_any_of_its_symbols() {
        let axiom = Term::le(call("f"), call("g"));
        assert_eq!(live(&call("f"), std::slice::from_ref(&axiom)), std::slice::from_ref(&axiom));
        assert_eq!(live(&call("h"), &[axiom]), []);
    }

    #[test]
    fn an_axiom_without_symbols_is_always_live() {
        assert_eq!(live(&call("h"), &[Term::ff()]), [Term::ff()]);
    }

    #[test]
    fn a_trigger_must_be_live_as_a_whole() {
        let both = quantified(Term::le(call("f"), call("g")), vec![vec![call("f"), call("g")]]);
        let either =
            quantified(Term::le(call("f"), call("g")), vec![vec![call("f")], vec![call("g")]]);
        assert_eq!(live(&call("f"), std::slice::from_ref(&both)), []);
        // `either` makes `g` live, and then `both` is.
        assert_eq!(live(&call("f"), &[both.clone(), either.clone()]), [both, either]);
    }
}
