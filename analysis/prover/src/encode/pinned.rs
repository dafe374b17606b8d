//! Scripts of a few questions, lowered ones too, pinned to the version of the encoder.
//!
//! A verdict is kept under the version. If the encoder once was wrong and is repaired without a new
//! version, the wrong proof is found again and believed.

use std::sync::Arc;

use ir::{
    AssertId, BlockId, Bound, CtorDef, DatatypeDef, FuncSym, Item, Lambda, Op, Passive,
    PassiveBlock, PointwiseOp, PoolHint, Quant, QuantKind, Question, Sort, Term, Var,
};

use super::ENCODER_VERSION;

/// The version, and the start of the hash of what it makes of [`questions`].
const PINNED: (u32, &str) = (8, "1a85bf47db79a941");

fn int(name: &str) -> Term {
    Term::var(Var::new(name, Sort::Int))
}

fn quantified(name: &str, trigger: Option<Term>, body: Term) -> Term {
    let bound = vec![Bound::plain(Var::new(name, Sort::Int))];
    let triggers = trigger.into_iter().map(|term| vec![term]).collect();
    Term::quant(Quant { triggers, ..Quant::new(QuantKind::Forall, bound, body) })
}

/// Assumptions, then a fork, then two assertions.
fn question(assumed: Vec<Term>, claimed: [Term; 2], hints: Vec<PoolHint>) -> Question {
    let block = |items, successors: &[u32]| PassiveBlock {
        label: "b".into(),
        items,
        successors: successors.iter().map(|next| BlockId(*next)).collect(),
        site: None,
    };
    let claim = |nth: usize, subsumes| Item::Assert {
        term: claimed[nth].clone(),
        id: AssertId(u32::try_from(nth).unwrap()),
        hints: hints.clone(),
        subsumes,
    };
    let first = assumed.into_iter().map(Item::assume).collect();
    let blocks = vec![
        block(first, &[1, 2]),
        block(vec![claim(0, true)], &[3]),
        block(vec![Item::assume(Term::lt(int("x"), int("y")))], &[3]),
        block(vec![claim(1, false)], &[]),
    ];
    let mut question = Question::new(Passive::new(blocks).unwrap());
    question.declare_from_terms();
    question
}

/// Arithmetic, maps, datatypes, functions with axioms, comprehensions and pools; maps over tuples.
fn questions() -> [Question; 5] {
    let (x, y) = (int("x"), int("y"));
    let f = Arc::new(FuncSym::new("f", [Sort::Int], Sort::Int));
    let f = |of: Term| Term::func(&f, vec![of]);
    let quotient = Term::app(Op::IntDiv, vec![x.clone(), y.clone()]);
    let numbers = question(
        vec![Term::le(quotient, x.clone())],
        [f(x.clone()), f(y.clone())].map(|it| Term::lt(it, Term::int(7))),
        vec![],
    );
    let map = |name: &str| Term::var(Var::new(name, Sort::map(Sort::Int, Sort::Int)));
    let sum = Term::map_op(PointwiseOp::Add, vec![map("m"), map("n")]);
    let shifted = Term::lambda(Lambda {
        bound: vec![Bound::plain(Var::new("i", Sort::Int))],
        body: Term::add(int("i"), y.clone()),
    });
    let stored = Term::store(map("m"), x.clone(), y.clone());
    let deep = Sort::map(Sort::Int, Sort::map(Sort::Int, Sort::Int));
    let deep = |name: &str| Term::var(Var::new(name, deep.clone()));
    let set = Term::var(Var::new("s", Sort::set(Sort::Int)));
    let agree = Term::map_op(PointwiseOp::Eq, vec![deep("a"), deep("b")]);
    let chosen = Term::map_op(PointwiseOp::Ite, vec![set.clone(), deep("a"), deep("b")]);
    let nested = [Term::eq(agree, set), Term::eq(Term::select(chosen, x.clone()), map("n"))];
    let maps = question(
        [&[Term::eq(sum, shifted)][..], &nested].concat(),
        [Term::eq(stored, map("n")), Term::eq(Term::select(map("n"), y.clone()), x.clone())],
        vec![],
    );
    let ctors =
        vec![CtorDef::new("None", vec![]), CtorDef::new("Some", vec![("t".into(), Sort::Int)])];
    let option = DatatypeDef::new("Option", ctors);
    let o = Term::var(Var::new("o", option.sort()));
    let field = Term::field(&option, 1, 0, o.clone());
    let mut data = question(
        vec![Term::is(&option, 1, o.clone())],
        [Term::lt(field, x.clone()), Term::eq(o, Term::ctor(&option, 0, vec![]))],
        vec![],
    );
    let call = f(int("k"));
    data.axioms.push(quantified("k", Some(call.clone()), Term::le(int("k"), call)));
    data.axioms.push(quantified("k", None, Term::lt(Term::int(0), f(f(int("k"))))));
    let pooled = Bound::pooled(Var::new("p", Sort::Int), "P");
    let some = Term::exists(vec![pooled], Term::eq(f(int("p")), x.clone()));
    let hints = vec![PoolHint { label: "P".into(), terms: vec![y.clone(), x.clone()] }];
    let pools = question(vec![], [Term::or([Term::lt(x, y), some.clone()]), some], hints);
    let one = DatatypeDef::new("One", vec![CtorDef::new("One", vec![("val".into(), Sort::Int)])]);
    let pool = |name: &str| Term::var(Var::new(name, Sort::set(one.sort())));
    let held = Term::select(pool("a"), Term::ctor(&one, 0, vec![int("k")]));
    let tuples = question(
        vec![Term::eq(pool("a"), pool("b")), quantified("k", None, held.clone())],
        [held.clone(), Term::not(held)],
        vec![],
    );
    [numbers, maps, data, pools, tuples]
}

#[test]
fn another_script_for_the_same_question_needs_another_version() {
    let scripts = questions().map(|question| {
        let full = super::encode(&question).unwrap();
        let lowered = super::encode_lowered(&question, &full).unwrap();
        format!("{}{}", crate::smt2(&question).unwrap(), lowered.text)
    });
    let hash = blake3::hash(scripts.concat().as_bytes()).to_hex();
    assert_eq!((ENCODER_VERSION, &hash[..16]), PINNED, "count ENCODER_VERSION up, and pin again");
}
