//! Which changes of a question change its fingerprint, and which do not.

use std::sync::Arc;

use super::fingerprint;
use crate::{
    command::{AssertId, BlockId, Capture, CaptureId},
    obligation::{Fingerprint, Question},
    op::Op,
    passive::{Item, Passive, PassiveBlock},
    samples::Dice,
    site::Site,
    sort::{CtorDef, DatatypeDef, Sort},
    term::{Bound, FuncSym, PoolHint, Quant, QuantKind, Term, Var},
};

/// Everything in the sample question that a test may change.
#[derive(Clone)]
struct Sample {
    prefix: &'static str,
    literal: i64,
    op: Op,
    weight: u32,
    pool: bool,
    trigger: bool,
    axioms_reversed: bool,
    second_axiom: bool,
    subsumes: bool,
    edge: bool,
    id: u32,
    captures: bool,
    field: Sort,
    hint: bool,
}

impl Sample {
    fn new() -> Self {
        Sample {
            prefix: "a",
            literal: 3,
            op: Op::Lt,
            weight: 1,
            pool: false,
            trigger: true,
            axioms_reversed: false,
            second_axiom: true,
            subsumes: true,
            edge: true,
            id: 1,
            captures: false,
            field: Sort::Int,
            hint: false,
        }
    }

    fn name(&self, text: &str) -> String {
        // Another prefix also turns the alphabetical order around.
        if self.prefix == "a" {
            format!("a{text}")
        } else {
            format!("{}{}", self.prefix, 255 - text.as_bytes()[0])
        }
    }

    fn axioms(&self) -> Vec<Term> {
        let sort = Sort::Uninterpreted(self.name("S").into());
        let func = |text: &str| {
            Arc::new(FuncSym::new(self.name(text).as_str(), vec![sort.clone()], Sort::Int))
        };
        let var = Var::new(self.name("v").as_str(), sort.clone());
        let axiom = |name: &str, limit: i64| {
            let app = Term::func(&func(name), vec![Term::var(var.clone())]);
            let bound = if self.pool {
                Bound::pooled(var.clone(), self.name("L").as_str())
            } else {
                Bound::plain(var.clone())
            };
            let mut quant =
                Quant::new(QuantKind::Forall, vec![bound], Term::lt(app.clone(), Term::int(limit)));
            quant.weight = self.weight;
            if self.trigger {
                quant.triggers.push(vec![app]);
            }
            Term::quant(quant)
        };
        let mut axioms = vec![axiom("f", 1), axiom("g", 2), axiom("h", 2), axiom("k", 2)];
        let constant = |name: &str| {
            Term::func(
                &Arc::new(FuncSym::new(self.name(name).as_str(), vec![], sort.clone())),
                vec![],
            )
        };
        axioms.push(Term::lt(
            Term::func(&func("h"), vec![constant("c")]),
            Term::func(&func("k"), vec![constant("c")]),
        ));
        if !self.second_axiom {
            axioms.remove(1);
        }
        if self.axioms_reversed {
            axioms.reverse();
        }
        axioms
    }

    fn question(&self) -> Question {
        let def = DatatypeDef::new(
            self.name("D").as_str(),
            vec![
                CtorDef::new(self.name("E").as_str(), vec![]),
                CtorDef::new(
                    self.name("C").as_str(),
                    vec![(self.name("t").as_str().into(), self.field.clone())],
                ),
            ],
        );
        let x = Term::var(Var::new(self.name("x").as_str(), Sort::Int));
        let d = Term::var(Var::new(self.name("d").as_str(), def.sort()));
        let sort = Sort::Uninterpreted(self.name("S").into());
        let f = Arc::new(FuncSym::new(self.name("f").as_str(), vec![sort.clone()], Sort::Int));
        let s = Term::var(Var::new(self.name("s").as_str(), sort));
        let hint = PoolHint { label: self.name("L").into(), terms: vec![s.clone()] };
        let claim = Term::app(self.op.clone(), vec![x.clone(), Term::int(self.literal)]);
        let known = Term::eq(Term::func(&f, vec![s]), x);
        let mut items =
            vec![Item::Assume { term: known, hints: if self.hint { vec![hint] } else { vec![] } }];
        if self.captures {
            items.push(Item::Capture(Capture { id: CaptureId(1), values: vec![] }));
        }
        let second = PassiveBlock {
            label: self.name("B").into(),
            items: vec![
                Item::Assert {
                    term: Term::is(&def, 1, d),
                    id: AssertId(self.id),
                    hints: vec![],
                    subsumes: self.subsumes,
                },
                Item::Assert {
                    term: claim,
                    id: AssertId(self.id + 1),
                    hints: vec![],
                    subsumes: true,
                },
            ],
            successors: vec![],
            site: self.captures.then_some(Site(7)),
        };
        let mut successors = vec![BlockId(1), BlockId(2)];
        if !self.edge {
            successors.pop();
        }
        let first = PassiveBlock { label: "entry".into(), items, successors, site: None };
        let last = PassiveBlock { label: "last".into(), ..second.clone() };
        let mut question = Question::new(Passive::new(vec![first, second, last]).unwrap());
        question.axioms = self.axioms();
        question.signature.declare(def);
        question
    }

    fn fingerprint(&self) -> Fingerprint {
        fingerprint(&self.question())
    }
}

fn check_same(change: impl Fn(&mut Sample)) {
    let mut changed = Sample::new();
    change(&mut changed);
    assert_eq!(changed.fingerprint(), Sample::new().fingerprint());
}

fn check_different(change: impl Fn(&mut Sample)) {
    let mut changed = Sample::new();
    change(&mut changed);
    assert_ne!(changed.fingerprint(), Sample::new().fingerprint());
}

#[test]
fn renaming_everything_keeps_the_fingerprint() {
    check_same(|sample| sample.prefix = "other_");
}

#[test]
fn reordering_axioms_keeps_the_fingerprint() {
    check_same(|sample| sample.axioms_reversed = true);
    check_same(|sample| (sample.axioms_reversed, sample.prefix) = (true, "zz"));
}

#[test]
fn assertion_ids_captures_and_sites_keep_the_fingerprint() {
    check_same(|sample| sample.id = 40);
    check_same(|sample| sample.captures = true);
}

#[test]
fn every_logical_change_changes_the_fingerprint() {
    check_different(|sample| sample.literal = 4);
    check_different(|sample| sample.op = Op::Le);
    check_different(|sample| sample.weight = 2);
    check_different(|sample| sample.pool = true);
    check_different(|sample| sample.trigger = false);
    check_different(|sample| sample.second_axiom = false);
    check_different(|sample| sample.subsumes = false);
    check_different(|sample| sample.edge = false);
    check_different(|sample| sample.field = Sort::Bool);
    check_different(|sample| sample.hint = true);
}

#[test]
fn distinct_groups_are_sets_of_sets() {
    let sort = Sort::Uninterpreted("aS".into());
    let constant =
        |name: &str| Term::func(&Arc::new(FuncSym::new(name, vec![], sort.clone())), vec![]);
    let with = |groups: &[&[&str]]| {
        let mut question = Sample::new().question();
        question.distinct =
            groups.iter().map(|group| group.iter().map(|name| constant(name)).collect()).collect();
        fingerprint(&question)
    };
    assert_eq!(with(&[&["p", "q", "ac"], &["r"]]), with(&[&["r"], &["ac", "q", "p"]]));
    assert_ne!(with(&[&["p", "q", "ac"]]), with(&[&["p", "q", "w"]]));
}

fn ask(term: Term) -> Fingerprint {
    let item = Item::Assert { term, id: AssertId(0), hints: vec![], subsumes: true };
    let block =
        PassiveBlock { label: "b".into(), items: vec![item], successors: vec![], site: None };
    fingerprint(&Question::new(Passive::new(vec![block]).unwrap()))
}

#[test]
fn bound_names_do_not_matter_but_what_they_bind_does() {
    let sort = Sort::Int;
    let f = Arc::new(FuncSym::new("f", vec![Sort::Int, Sort::Int], Sort::Bool));
    let nest = |outer: &str, inner: &str, left: &str, right: &str| {
        let var = |name: &str| Var::new(name, sort.clone());
        let body = Term::func(&f, vec![Term::var(var(left)), Term::var(var(right))]);
        let body = Term::exists(vec![Bound::plain(var(inner))], body);
        Term::forall(vec![Bound::plain(var(outer))], body)
    };
    assert_eq!(ask(nest("x", "y", "x", "y")), ask(nest("y", "x", "y", "x")));
    assert_ne!(ask(nest("x", "y", "x", "y")), ask(nest("x", "y", "y", "x")));
    let both = |names: [&str; 2]| {
        Term::and(
            names.map(|name| nest(name, "w", name, "w")).into_iter().chain([Term::bool(true)]),
        )
    };
    assert_eq!(ask(Term::not(both(["x", "x"]))), ask(Term::not(both(["u", "u"]))));
}

#[test]
fn identifying_two_variables_changes_the_fingerprint() {
    let p = |left: &str, right: &str| {
        let f = Arc::new(FuncSym::new("f", vec![Sort::Int, Sort::Int], Sort::Bool));
        Term::func(&f, [left, right].map(|name| Term::var(Var::new(name, Sort::Int))).to_vec())
    };
    assert_eq!(ask(p("x", "y")), ask(p("y", "x")));
    assert_ne!(ask(p("x", "y")), ask(p("x", "x")));
}

#[test]
fn different_random_formulas_have_different_fingerprints() {
    let mut seen = std::collections::BTreeMap::new();
    for seed in 1..300 {
        let term = Dice::new(seed).formula(4);
        let key = ask(term.clone());
        let twin: &Term = seen.entry(key).or_insert_with(|| term.clone());
        // Only a renaming may collide; then the printed shapes have the same length.
        assert_eq!(twin.to_string().len(), term.to_string().len(), "{twin}\n{term}");
    }
}

#[test]
fn deep_and_shared_terms_are_hashed_without_recursion_or_unfolding() {
    let p = Term::var(Var::new("p", Sort::Bool));
    let mut deep = p.clone();
    for nth in 0..50_000 {
        deep = Term::implies(Term::var(Var::new(format!("q{}", nth % 3), Sort::Bool)), deep);
    }
    let mut shared = p;
    for nth in 0..100 {
        let name = Term::var(Var::new(format!("q{nth}"), Sort::Bool));
        shared = Term::ite(name, shared.clone(), Term::not(shared));
    }
    assert_ne!(ask(deep), ask(shared));
}
