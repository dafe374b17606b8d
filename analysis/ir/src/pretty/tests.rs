//! Reading back what was written; refusing what was not.

use std::sync::Arc;

use expect_test::expect;

use super::{
    read_obligation, read_question, read_term, write_obligation, write_question, write_term,
};
use crate::{
    canonical::fingerprint,
    command::{AssertId, BlockId, Capture, CaptureId},
    obligation::{Obligation, ObligationId, ObligationKind, Question},
    op::{Op, PointwiseOp},
    passive::{Item, Passive, PassiveBlock},
    samples::{Dice, b, i, int_map, ivar, m, n, opt},
    site::Site,
    sort::{CtorDef, DatatypeDef, Sort},
    term::{Bound, FuncSym, PoolHint, Quant, QuantKind, Term, Var},
};

fn check_term(term: &Term) {
    let text = write_term(term);
    let back = read_term(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(back, *term, "{text}");
}

#[test]
fn random_terms_read_back_equal() {
    for seed in 1..500 {
        check_term(&Dice::new(seed).formula(6));
    }
}

#[test]
fn every_operator_reads_back_equal() {
    let bv = |value: i32| Term::bit_vec(value, 8);
    let seq = Term::app(Op::SeqUnit, vec![i("x")]);
    let real = Term::app(Op::ToReal, vec![i("x")]);
    let app = Term::app;
    let terms = [
        app(Op::Pow, vec![real.clone(), real.clone()]),
        app(
            Op::RealDiv,
            vec![real.clone(), Term::real(num_rational::BigRational::new(1.into(), 3.into()))],
        ),
        app(Op::ToInt, vec![app(Op::Neg, vec![real])]),
        app(Op::Distinct, vec![i("x"), i("y"), i("z")]),
        app(Op::BvConcat, vec![bv(3), Term::var(Var::new("v", Sort::BitVec(4)))]),
        app(Op::BvExtract { high: 5, low: 2 }, vec![bv(77)]),
        app(Op::Builtin("(_ sign_extend 8)".into(), Sort::BitVec(16)), vec![bv(-1)]),
        app(Op::Builtin("RNE".into(), Sort::RoundingMode), vec![]),
        app(Op::SeqConcat, vec![seq.clone(), app(Op::SeqEmpty(Sort::seq(Sort::Int)), vec![])]),
        app(Op::SeqExtract, vec![seq.clone(), n(0), app(Op::SeqLen, vec![seq.clone()])]),
        app(Op::SeqNth, vec![seq, n(-1)]),
        app(Op::Ge, vec![i("x"), app(Op::IntMod, vec![i("y"), n(0)])]),
        Term::string("a \"quoted\" | \\ text"),
        Term::eq(
            Term::var(Var::new("f", Sort::Float(8, 24))),
            Term::var(Var::new("g", Sort::Float(8, 24))),
        ),
        Term::eq(Term::var(Var::new("r", Sort::RegEx)), Term::var(Var::new("s", Sort::RegEx))),
    ];
    terms.iter().for_each(check_term);
    for op in PointwiseOp::ALL {
        let sets = |name: &str| Term::var(Var::new(name, Sort::set(Sort::Int)));
        let args = [
            vec![m("a"), m("b")],
            vec![sets("p"), sets("q")],
            vec![sets("p")],
            vec![sets("p"), m("a"), m("b")],
        ];
        let fits: Vec<Term> = args
            .into_iter()
            .filter_map(|args| Term::app_checked(Op::MapOp(op), args).ok())
            .collect();
        assert!(!fits.is_empty(), "{op:?}");
        fits.iter().for_each(check_term);
    }
}

#[test]
fn odd_names_and_namesakes_read_back_equal() {
    let func = Arc::new(FuncSym::new("and", vec![Sort::Int], Sort::Bool));
    let names = ["true", "", "a b", "x|y", "$1", "12", "-", "ü", "(", "\"", "x~2", "back\\slash"];
    for name in names {
        check_term(&Term::func(&func, vec![i(name)]));
    }
    let same =
        Term::and([b("x"), Term::lt(i("x"), i("x~2")), Term::var(Var::new("x", Sort::Bool))]);
    check_term(&same);
}

#[test]
fn deep_and_shared_terms_are_written_in_linear_space() {
    let mut shared = Term::lt(i("x"), i("y"));
    for nth in 0..300 {
        shared = Term::ite(
            Term::var(Var::new(format!("q{nth}"), Sort::Bool)),
            shared.clone(),
            Term::not(shared),
        );
    }
    assert!(write_term(&shared).len() < 40_000);
    check_term(&shared);
    let mut deep = b("p");
    for nth in 0..50_000 {
        deep = Term::implies(b(["q", "r"][nth % 2]), deep);
    }
    check_term(&deep);
}

pub(super) fn sample() -> Question {
    let def = DatatypeDef::new(
        "Loc",
        vec![CtorDef::new(
            "Loc",
            vec![("id".into(), Sort::Int), ("of".into(), Sort::Uninterpreted("Ref".into()))],
        )],
    );
    let f = Arc::new(FuncSym::new("f", vec![Sort::Int], Sort::Int));
    let app = Term::func(&f, vec![i("x")]);
    let mut quant = Quant::new(
        QuantKind::Forall,
        vec![Bound::pooled(ivar("x"), "L")],
        Term::lt(n(0), app.clone()),
    );
    quant.triggers = vec![vec![app.clone()]];
    quant.weight = 2;
    quant.hints = vec![PoolHint { label: "L".into(), terms: vec![app.clone()] }];
    let hint = PoolHint { label: "L".into(), terms: vec![n(1), i("x")] };
    let first = PassiveBlock {
        label: "entry".into(),
        items: vec![
            Item::Assume {
                term: Term::eq(m("m"), Term::const_array(int_map(), app)),
                hints: vec![hint],
            },
            Item::Capture(Capture { id: CaptureId(4), values: vec![("x".into(), i("x@1"))] }),
        ],
        successors: vec![BlockId(1), BlockId(2)],
        site: Some(Site(9)),
    };
    let claim = |name: &str, id, subsumes| {
        let item = Item::Assert { term: b(name), id: AssertId(id), hints: vec![], subsumes };
        PassiveBlock {
            label: "odd label".into(),
            items: vec![item],
            successors: vec![],
            site: None,
        }
    };
    let blocks = vec![first, claim("p", 1, true), claim("q", 2, false)];
    let mut question = Question::new(Passive::new(blocks).unwrap());
    question.axioms.push(Term::quant(quant));
    question.distinct = vec![vec![n(1), n(2)]];
    question.signature.declare(def);
    question
}

#[test]
fn questions_look_like_this_and_read_back_equal() {
    let text = write_question(&sample());
    expect![[r#"
        (datatype Loc (Loc (id Int) (of (Sort Ref))))
        (var m (Array (Int) Int))
        (var x Int)
        (var p Bool)
        (var q Bool)
        (var x@1 Int)
        (fun f (Int) Int)
        (def $0 (func f x))
        (axiom (forall ((x L)) (< 0 $0) (pattern $0) (weight 2) (hint L $0)))
        (distinct 1 2)
        (block entry (site 9) (goto 1 2)
          (assume (= m (const (Array (Int) Int) $0)) (hint L 1 x))
          (capture 4 (x x@1)))
        (block |odd label|
          (assert 1 p))
        (block |odd label|
          (check 2 q))
    "#]]
    .assert_eq(&text);
    let back = read_question(&text).unwrap();
    assert_eq!(back, sample());
    assert_eq!(fingerprint(&back), fingerprint(&sample()));
}

#[test]
fn obligations_read_back_equal() {
    for layer in [None, Some(3)] {
        let id = ObligationId::new(ObligationKind::Noninterference, ["P", "action@Q"], layer);
        let obligation = Obligation { id, unit: "Civl_P_3".into(), question: sample() };
        assert_eq!(read_obligation(&write_obligation(&obligation)), Ok(obligation));
    }
}

#[test]
fn wrong_texts_are_refused() {
    let wrong = [
        "(axiom (and x))",
        "(var x Int) (axiom (and x))",
        "(var x Int) (block a (assert 1 x))",
        "(block a (goto 0))",
        "(block a",
        "(axiom (real 1 0))",
        "(axiom $0)",
        "(def $1 true)",
        "(conflict D (C))",
        "(datatype D (C)) (datatype D (C))",
        "(axiom (forall () true))",
        "(axiom (ill-formed and 1))",
        "(var x |Int)",
        "(axiom \"open)",
        "(block a) )",
    ];
    for text in wrong {
        assert!(read_question(text).is_err(), "{text}");
    }
}

#[test]
fn two_definitions_of_one_datatype_are_not_read_as_one() {
    let other = DatatypeDef::new("Opt", vec![CtorDef::new("Only", vec![])]);
    let one = Term::is(&opt(), 1, Term::var(Var::new("o", opt().sort())));
    let two = Term::eq(Term::ctor(&other, 0, vec![]), Term::var(Var::new("o", other.sort())));
    assert!(read_term(&write_term(&Term::and([one, two]))).is_err());
}

#[test]
fn programs_of_layers_read_back_equal() {
    let program = super::read_layer(super::SAMPLE_LAYER).unwrap_or_else(|error| panic!("{error}"));
    let text = super::write_layer(&program);
    assert_eq!(super::read_layer(&text).as_ref(), Ok(&program), "{text}");
    assert_eq!(super::write_layer(&super::read_layer(&text).unwrap()), text);
    // Every form that there is stands in the sample.
    for word in ["assume", "check", "assign", "havoc", "fresh", "act", "call", "par", "spawn"] {
        assert!(text.contains(&format!("({word} ")), "{word}");
    }
    assert!(text.contains("(yield ") && text.contains("(event ") && text.contains("(claims"));
}

#[test]
fn programs_that_differ_in_sites_have_one_text_without_them() {
    let text = super::SAMPLE_LAYER;
    let program = super::read_layer(text).unwrap();
    let moved = super::read_layer(&text.replace(" 26)", " 126)").replace("13)", "113)")).unwrap();
    assert_ne!(program, moved);
    let without = super::write_layer_without_sites;
    assert_eq!(without(&program), without(&moved));
    let other = super::read_layer(&text.replace("(check assertion 7", "(check demand 7")).unwrap();
    assert_ne!(without(&program), without(&other));
}

#[test]
fn what_is_no_program_of_a_layer_is_refused() {
    let refused = |from: &str, to: &str| {
        let text = super::SAMPLE_LAYER.replace(from, to);
        assert_ne!(text, super::SAMPLE_LAYER);
        super::read_layer(&text).expect_err(&text).message
    };
    assert!(refused("(layer 2)", "(lair 2)").contains("layer"));
    assert!(refused("(intrinsic Vec_Len)", "(intrinsic Vec_Lens)").contains("Vec_Lens"));
    assert!(refused("(assign 14 (old n))", "(assign 14 (old true))").contains("sort"));
    assert!(refused("(mover L)", "(mover Q)").contains("`Q`"));
    assert!(refused("(check assertion 7", "(check asserted 7").contains("asserted"));
}
