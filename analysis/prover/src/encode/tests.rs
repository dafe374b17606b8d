//! Small questions with known answers: one valid and one invalid per operator and per rule of
//! the encoder, so that a wrong or missing rule turns a test red.

use std::sync::Arc;

use ir::{
    AssertId, BlockId, Bound, Capture, CaptureId, CtorDef, DatatypeDef, FuncSym, Item, Lambda, Op,
    Passive, PassiveBlock, PointwiseOp, PoolHint, Quant, QuantKind, Question, Reason, Sort, Term,
    Var, Verdict,
};
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::{Limits, solve_here};

fn v(name: &str, sort: &Sort) -> Term {
    Term::var(Var::new(name, sort.clone()))
}

fn x() -> Term {
    v("x", &Sort::Int)
}

fn y() -> Term {
    v("y", &Sort::Int)
}

fn n(value: i64) -> Term {
    Term::int(value)
}

fn app(op: Op, args: &[Term]) -> Term {
    Term::app(op, args.to_vec())
}

fn block(items: Vec<Item>, successors: &[u32]) -> PassiveBlock {
    let successors = successors.iter().map(|next| BlockId(*next)).collect();
    PassiveBlock { label: "b".into(), items, successors, site: None }
}

fn assume(term: Term) -> Item {
    Item::assume(term)
}

fn assert(term: Term, id: u32) -> Item {
    Item::Assert { term, id: AssertId(id), hints: vec![], subsumes: true }
}

fn program(blocks: Vec<PassiveBlock>) -> Question {
    let mut question = Question::new(Passive::new(blocks).unwrap());
    question.declare_from_terms();
    question
}

fn line(items: Vec<Item>) -> Question {
    program(vec![block(items, &[])])
}

/// One letter per assertion: `p`roved, `r`efuted, `c`andidate, `u`nknown.
fn answers(question: &Question) -> String {
    let letter = |verdict: &Verdict| match verdict {
        Verdict::Proved(_) => 'p',
        Verdict::Refuted(_) => 'r',
        Verdict::Unknown(Reason::Incomplete(Some(_))) => 'c',
        Verdict::Unknown(reason) => panic!("{reason}"),
        Verdict::HoldsUpTo(_) => panic!("a bound"),
    };
    let record = crate::ask::ask_tuned(question, &mut crate::engine::InProcess::new(2048));
    let tuned = record.verdicts(question, &ir::Trust::default());
    tuned.iter().map(|(_, verdict)| letter(verdict)).collect()
}

/// The same with all lanes.
fn answers_of_all(question: &Question) -> String {
    let verdicts = solve_here(question, Limits::default());
    let letter = |verdict: &Verdict| match verdict {
        Verdict::Proved(_) => 'p',
        Verdict::Refuted(_) => 'r',
        Verdict::Unknown(Reason::Incomplete(Some(_))) => 'c',
        Verdict::Unknown(_) | Verdict::HoldsUpTo(_) => 'u',
    };
    verdicts.iter().map(|(_, verdict)| letter(verdict)).collect()
}

#[track_caller]
fn valid(term: Term) {
    assert_eq!(answers(&line(vec![assert(term, 0)])), "p");
}

#[track_caller]
fn invalid(term: Term) {
    assert_eq!(answers(&line(vec![assert(term, 0)])), "r");
}

/// Both sides are opaque to the smart constructors: the first assumption hides the value.
#[track_caller]
fn same(left: Term, right: Term) {
    let hidden = v("hidden", right.sort());
    let question = line(vec![
        assume(Term::eq(hidden.clone(), right)),
        assert(Term::eq(left.clone(), hidden), 0),
    ]);
    assert_eq!(answers(&question), "p");
}

#[test]
fn connectives_mean_what_they_say() {
    let (a, b, c) = (v("a", &Sort::Bool), v("b", &Sort::Bool), v("c", &Sort::Bool));
    valid(Term::implies(Term::and([a.clone(), b.clone()]), Term::or([b.clone(), c.clone()])));
    invalid(Term::implies(Term::or([a.clone(), b.clone()]), Term::and([b.clone(), c.clone()])));
    valid(Term::eq(
        Term::implies(a.clone(), b.clone()),
        Term::or([Term::not(a.clone()), b.clone()]),
    ));
    invalid(Term::eq(Term::implies(a.clone(), b.clone()), Term::implies(b.clone(), a.clone())));
    valid(Term::implies(
        a.clone(),
        Term::eq(Term::ite(a.clone(), b.clone(), c.clone()), b.clone()),
    ));
    invalid(Term::implies(a.clone(), Term::eq(Term::ite(a, b, c.clone()), c)));
    valid(Term::implies(app(Op::Distinct, &[x(), y(), n(3)]), Term::ne(x(), y())));
    invalid(Term::implies(app(Op::Distinct, &[x(), y(), n(3)]), Term::ne(x(), n(4))));
}

#[test]
fn integer_arithmetic_is_that_of_smt_lib() {
    let cases = [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1)];
    for (above, below, quotient, remainder) in cases {
        let given = Term::and([Term::eq(x(), n(above)), Term::eq(y(), n(below))]);
        let is = |op, value| Term::eq(app(op, &[x(), y()]), n(value));
        valid(Term::implies(given.clone(), is(Op::IntDiv, quotient)));
        valid(Term::implies(given.clone(), is(Op::IntMod, remainder)));
        invalid(Term::implies(given, is(Op::IntDiv, quotient + 1)));
    }
    // Nothing is known about division by zero, except that it is a function.
    invalid(Term::eq(app(Op::IntDiv, &[x(), n(0)]), n(0)));
    valid(Term::implies(
        Term::eq(x(), y()),
        Term::eq(app(Op::IntDiv, &[x(), n(0)]), app(Op::IntDiv, &[y(), n(0)])),
    ));
    valid(Term::eq(app(Op::Sub, &[x(), y()]), app(Op::Add, &[x(), app(Op::Neg, &[y()])])));
    valid(Term::implies(Term::eq(x(), n(-5)), Term::eq(app(Op::Mul, &[x(), n(3)]), n(-15))));
    valid(Term::eq(app(Op::Gt, &[x(), y()]), Term::lt(y(), x())));
    valid(Term::eq(app(Op::Ge, &[x(), y()]), Term::not(Term::lt(x(), y()))));
    invalid(Term::eq(app(Op::Ge, &[x(), y()]), Term::le(x(), y())));
}

#[test]
fn reals_are_exact() {
    let r = v("r", &Sort::Real);
    let third = Term::real(BigRational::new(BigInt::from(1), BigInt::from(-3)));
    valid(Term::implies(
        Term::eq(r.clone(), third.clone()),
        Term::eq(app(Op::Mul, &[r.clone(), app(Op::ToReal, &[n(3)])]), app(Op::ToReal, &[n(-1)])),
    ));
    same(app(Op::ToInt, &[third]), n(-1));
    invalid(Term::eq(app(Op::ToReal, &[app(Op::ToInt, std::slice::from_ref(&r))]), r.clone()));
    valid(Term::implies(
        Term::ne(r.clone(), app(Op::ToReal, &[n(0)])),
        Term::eq(app(Op::RealDiv, &[r.clone(), r.clone()]), app(Op::ToReal, &[n(1)])),
    ));
    // Powers are a function, about which nothing is known.
    let power = |of: &Term| app(Op::Pow, &[of.clone(), of.clone()]);
    let s = v("s", &Sort::Real);
    valid(Term::implies(Term::eq(r.clone(), s.clone()), Term::eq(power(&r), power(&s))));
    invalid(Term::eq(power(&r), r));
}

#[test]
fn maps_are_extensional_arrays() {
    let sort = Sort::map(Sort::Int, Sort::Int);
    let (m, k) = (v("m", &sort), v("k", &sort));
    let read = |map: &Term, at: Term| Term::select(map.clone(), at);
    valid(Term::implies(
        Term::ne(x(), y()),
        Term::eq(read(&Term::store(m.clone(), x(), n(1)), y()), read(&m, y())),
    ));
    invalid(Term::eq(read(&Term::store(m.clone(), x(), n(1)), y()), read(&m, y())));
    valid(Term::eq(
        Term::store(Term::store(m.clone(), x(), n(1)), y(), n(1)),
        Term::store(Term::store(m.clone(), y(), n(1)), x(), n(1)),
    ));
    valid(Term::implies(
        Term::eq(k.clone(), Term::const_array(sort.clone(), n(7))),
        Term::eq(read(&k, x()), n(7)),
    ));
    let two = Sort::array([Sort::Int, Sort::Bool], Sort::Int);
    let wide = v("wide", &two);
    let (t, f) = (Term::tt(), Term::ff());
    let stored = app(Op::Store, &[wide.clone(), x(), t, n(1)]);
    valid(Term::eq(
        app(Op::Select, &[stored.clone(), x(), f.clone()]),
        app(Op::Select, &[wide, x(), f]),
    ));
    let none = v("none", &Sort::array([], Sort::Int));
    valid(Term::eq(app(Op::Select, &[app(Op::Store, &[none.clone(), x()])]), x()));
    invalid(Term::eq(app(Op::Select, &[none]), x()));
}

#[test]
fn pointwise_operations_work_on_each_element() {
    let ints = Sort::map(Sort::Int, Sort::Int);
    let sets = Sort::set(Sort::Int);
    let int_ops = [
        PointwiseOp::Add,
        PointwiseOp::Sub,
        PointwiseOp::Mul,
        PointwiseOp::Div,
        PointwiseOp::Mod,
        PointwiseOp::Gt,
        PointwiseOp::Ge,
        PointwiseOp::Lt,
        PointwiseOp::Le,
        PointwiseOp::Eq,
    ];
    let set_ops = [PointwiseOp::And, PointwiseOp::Or, PointwiseOp::Implies, PointwiseOp::Iff];
    let at = |map: &Term| Term::select(map.clone(), x());
    let all = int_ops.iter().map(|op| (op, &ints)).chain(set_ops.iter().map(|op| (op, &sets)));
    for (op, sort) in all {
        let (m, k) = (v("m", sort), v("k", sort));
        let lifted = Term::map_op(*op, vec![m.clone(), k.clone()]);
        same(at(&lifted), app(op.element_op(), &[at(&m), at(&k)]));
        let swapped = line(vec![assert(
            Term::eq(at(&lifted), at(&Term::map_op(*op, vec![m.clone(), m.clone()]))),
            0,
        )]);
        assert_eq!(answers(&swapped), "r", "{op:?}");
    }
    let (m, k, s) = (v("m", &ints), v("k", &ints), v("s", &sets));
    same(at(&Term::map_op(PointwiseOp::Not, vec![s.clone()])), Term::not(at(&s)));
    same(
        at(&Term::map_op(PointwiseOp::Ite, vec![s.clone(), m.clone(), k.clone()])),
        Term::ite(at(&s), at(&m), at(&k)),
    );
}

fn list() -> Arc<DatatypeDef> {
    let tail = Sort::Datatype("Forest".into());
    DatatypeDef::new(
        "Tree",
        vec![
            CtorDef::new("Leaf", vec![]),
            CtorDef::new("Node", vec![("value".into(), Sort::Int), ("rest".into(), tail)]),
        ],
    )
}

fn forest() -> Arc<DatatypeDef> {
    let tree = Sort::Datatype("Tree".into());
    DatatypeDef::new(
        "Forest",
        vec![CtorDef::new("Trees", vec![("of".into(), Sort::map(Sort::Int, tree))])],
    )
}

#[test]
fn mutually_recursive_datatypes_are_declared_together() {
    let def = list();
    let tree = v("t", &def.sort());
    let is_node = Term::is(&def, 1, tree.clone());
    let rebuilt = Term::ctor(
        &def,
        1,
        vec![Term::field(&def, 1, 0, tree.clone()), Term::field(&def, 1, 1, tree.clone())],
    );
    let mut question = line(vec![
        assert(Term::implies(is_node.clone(), Term::eq(rebuilt.clone(), tree.clone())), 0),
        assert(Term::or([is_node.clone(), Term::is(&def, 0, tree.clone())]), 1),
        assert(Term::eq(rebuilt, tree), 2),
    ]);
    question.signature.declare(def);
    question.signature.declare(forest());
    assert_eq!(answers(&question), "ppr");
}

#[test]
fn a_datatype_with_two_definitions_is_refused() {
    let other = DatatypeDef::new("Tree", vec![CtorDef::new("Leaf", vec![])]);
    let mut question = line(vec![assert(Term::is(&list(), 1, v("t", &list().sort())), 0)]);
    question.signature.declare(other);
    question.signature.declare(forest());
    let verdicts = solve_here(&question, Limits::default());
    assert!(matches!(&verdicts[0].1, Verdict::Unknown(Reason::Unsupported(_))), "{verdicts:?}");
}

#[test]
fn a_datatype_without_definition_is_refused() {
    let question = line(vec![assert(Term::eq(v("t", &list().sort()), v("u", &list().sort())), 0)]);
    let verdicts = solve_here(&question, Limits::default());
    assert!(matches!(&verdicts[0].1, Verdict::Unknown(Reason::Unsupported(_))), "{verdicts:?}");
}

#[test]
fn sequences_are_those_of_the_solver() {
    let sort = Sort::seq(Sort::Int);
    let s = v("s", &sort);
    let unit = |of: Term| app(Op::SeqUnit, &[of]);
    let two = app(Op::SeqConcat, &[unit(x()), unit(y())]);
    valid(Term::eq(app(Op::SeqLen, std::slice::from_ref(&two)), n(2)));
    valid(Term::eq(app(Op::SeqNth, &[two.clone(), n(1)]), y()));
    invalid(Term::eq(app(Op::SeqNth, &[two.clone(), n(1)]), x()));
    valid(Term::eq(app(Op::SeqExtract, &[two, n(0), n(1)]), unit(x())));
    valid(Term::eq(app(Op::SeqConcat, &[s.clone(), app(Op::SeqEmpty(sort), &[])]), s));
}

#[test]
fn bit_vectors_concatenate_and_extract_from_the_top() {
    let b = |value: i64, width| Term::bit_vec(value, width);
    let whole = app(Op::BvConcat, &[b(1, 2), b(0, 1), b(3, 2)]);
    same(whole.clone(), b(0b01011, 5));
    same(app(Op::BvExtract { high: 2, low: 1 }, &[whole]), b(0b01, 2));
    let w = v("w", &Sort::BitVec(8));
    let sum = app(Op::Builtin("bvadd".into(), Sort::BitVec(8)), &[w.clone(), b(255, 8)]);
    valid(Term::ne(sum.clone(), w.clone()));
    invalid(app(Op::Builtin("bvult".into(), Sort::Bool), &[sum, w.clone()]));
    let wide = app(Op::Builtin("(_ sign_extend 8)".into(), Sort::BitVec(16)), &[b(255, 8)]);
    same(wide, b(0xffff, 16));
}

#[test]
fn a_builtin_cannot_smuggle_commands_into_the_script() {
    let commands =
        ["true) (assert false", "|x|", "a b", "", "(_ a", "1", "x;y", "(_ f (g))", "\"s\""];
    // What a script calls its own things: `v0` is the choice whether the assertion fails.
    let own = ["v0", "f0", "c0_0", "s0_0_0", "T0", "D0", "x0", "l0", "q0", "real_pow", "(_ v0)"];
    for name in commands.into_iter().chain(own) {
        let question = line(vec![assert(app(Op::Builtin(name.into(), Sort::Bool), &[]), 0)]);
        let verdicts = solve_here(&question, Limits::default());
        assert!(
            matches!(&verdicts[0].1, Verdict::Unknown(Reason::Unsupported(_))),
            "{name}: {verdicts:?}"
        );
    }
}

#[test]
fn a_builtin_of_another_sort_is_a_complaint_and_no_proof() {
    let wrong = app(Op::Builtin("bvadd".into(), Sort::Bool), &[x(), x()]);
    let verdicts = solve_here(&line(vec![assert(wrong, 0)]), Limits::default());
    assert!(matches!(&verdicts[0].1, Verdict::Unknown(Reason::Internal(_))), "{verdicts:?}");
}

#[test]
fn strings_survive_quoting() {
    let text = "say \"hi\" \\u{41} é\n";
    let s = v("s", &Sort::String);
    let length = app(Op::Builtin("str.len".into(), Sort::Int), std::slice::from_ref(&s));
    valid(Term::implies(
        Term::eq(s, Term::string(text)),
        Term::eq(length, n(text.chars().count() as i64)),
    ));
}

fn quant(kind: QuantKind, bound: &[&str], body: Term, triggers: Vec<Vec<Term>>) -> Term {
    let bound = bound.iter().map(|name| Bound::plain(Var::new(*name, Sort::Int))).collect();
    Term::quant(Quant { triggers, ..Quant::new(kind, bound, body) })
}

fn f(arg: Term) -> Term {
    Term::func(&Arc::new(FuncSym::new("f", [Sort::Int], Sort::Int)), vec![arg])
}

#[test]
fn axioms_are_used_through_their_triggers() {
    let i = v("i", &Sort::Int);
    let grows =
        quant(QuantKind::Forall, &["i"], Term::lt(i.clone(), f(i.clone())), vec![vec![f(i)]]);
    let mut question =
        line(vec![assert(Term::lt(x(), f(f(x()))), 0), assert(Term::lt(f(x()), x()), 1)]);
    assert_eq!(answers(&question), "rr");
    question.axioms.push(grows);
    assert_eq!(answers(&question), "pr");
}

#[test]
fn unique_constants_differ() {
    let constant = |name: &str| {
        Term::func(&Arc::new(FuncSym::new(name, [], Sort::Uninterpreted("T".into()))), vec![])
    };
    let (a, b, c) = (constant("a"), constant("b"), constant("c"));
    let mut question = line(vec![assert(Term::ne(a.clone(), b.clone()), 0)]);
    assert_eq!(answers(&question), "r");
    question.distinct.push(vec![a, b, c]);
    assert_eq!(answers(&question), "p");
}

#[test]
fn bound_variables_hide_outer_ones() {
    // x is a program variable here, and bound there; shared subterms mention both.
    let busy = |of: Term| Term::lt(Term::add(f(of.clone()), f(of.clone())), f(of));
    let claim = Term::implies(
        Term::and([
            busy(x()),
            quant(QuantKind::Forall, &["x"], Term::not(busy(x())), vec![vec![f(x())]]),
        ]),
        Term::ff(),
    );
    valid(claim);
    invalid(Term::implies(busy(x()), quant(QuantKind::Forall, &["x"], busy(x()), vec![])));
}

#[test]
fn nested_quantifiers_share_subterms_of_both_levels() {
    let g = Arc::new(FuncSym::new("g", [Sort::Int, Sort::Int], Sort::Int));
    let call = |a: &Term, b: &Term| Term::func(&g, vec![a.clone(), b.clone()]);
    let (i, j) = (v("i", &Sort::Int), v("j", &Sort::Int));
    let inner = Term::and([
        Term::le(Term::add(f(i.clone()), f(i.clone())), call(&i, &j)),
        Term::lt(f(i.clone()), call(&i, &j)),
    ]);
    let inner = quant(QuantKind::Forall, &["j"], inner, vec![vec![call(&i, &j)]]);
    let outer = quant(QuantKind::Forall, &["i"], inner, vec![vec![f(i)]]);
    let goal = |of: Term| Term::implies(outer.clone(), Term::lt(f(x()), of));
    valid(goal(call(&x(), &y())));
    assert_eq!(answers(&line(vec![assert(goal(call(&y(), &x())), 0)])), "c");
}

#[test]
fn a_shared_term_is_printed_once() {
    let mut term = x();
    for _ in 0..200 {
        term = Term::ite(Term::lt(term.clone(), n(5)), Term::add(term.clone(), n(1)), term);
    }
    let question = line(vec![assert(Term::le(x(), term), 0)]);
    assert!(crate::smt2(&question).unwrap().len() < 20_000);
}

fn lambda(bound: &[&str], body: Term) -> Term {
    let bound = bound.iter().map(|name| Bound::plain(Var::new(*name, Sort::Int))).collect();
    Term::lambda(Lambda { bound, body })
}

#[test]
fn lambdas_are_defined_by_their_elements() {
    let i = v("i", &Sort::Int);
    let shifted = lambda(&["i"], Term::add(i.clone(), y()));
    let m = v("m", &Sort::map(Sort::Int, Sort::Int));
    let given = Term::eq(m.clone(), shifted);
    let read = Term::select(m, x());
    assert_eq!(
        answers(&line(vec![
            assume(given),
            assert(Term::eq(read.clone(), Term::add(x(), y())), 0),
            assert(Term::eq(read, x()), 1)
        ])),
        "pr"
    );
}

#[test]
fn lambdas_that_differ_in_names_are_one() {
    let of = |name: &str, hole: Term| lambda(&[name], Term::add(v(name, &Sort::Int), hole));
    let question = line(vec![
        assume(Term::eq(x(), y())),
        assert(Term::eq(of("i", x()), of("j", y())), 0),
        assert(Term::eq(of("i", x()), of("j", f(x()))), 1),
    ]);
    assert_eq!(answers(&question), "pr");
}

#[test]
fn a_lambda_under_a_quantifier_gets_the_bound_variable_as_a_hole() {
    let (i, k) = (v("i", &Sort::Int), v("k", &Sort::Int));
    let map = Sort::map(Sort::Int, Sort::Int);
    let h = Arc::new(FuncSym::new("h", [Sort::Int], map));
    let call = |of: &Term| Term::func(&h, vec![of.clone()]);
    let law = Term::eq(call(&k), lambda(&["i"], Term::add(i, k.clone())));
    let law = quant(QuantKind::Forall, &["k"], law, vec![vec![call(&k)]]);
    let mut question =
        line(vec![assert(Term::eq(Term::select(call(&y()), x()), Term::add(x(), y())), 0)]);
    question.axioms.push(law);
    assert_eq!(answers(&question), "p");
}

#[test]
fn a_lambda_may_bind_a_variable_that_is_free_elsewhere_in_it() {
    // lambda i :: x + (exists x :: f(x) == i)
    let i = v("i", &Sort::Int);
    let inner =
        Term::exists(vec![Bound::plain(Var::new("x", Sort::Int))], Term::eq(f(x()), i.clone()));
    let map = lambda(&["i"], Term::add(x(), Term::ite(inner, n(1), n(0))));
    let m = v("m", map.sort());
    let goal = Term::le(x(), Term::select(m.clone(), y()));
    assert_eq!(answers(&line(vec![assume(Term::eq(m, map)), assert(goal, 0)])), "p");
}

#[test]
fn such_a_lambda_may_stand_under_a_quantifier_of_that_variable() {
    // forall x :: h(x) == (lambda i :: x + (if exists x :: f(x) == i then 1 else 0))
    let i = v("i", &Sort::Int);
    let inner = Term::exists(vec![Bound::plain(Var::new("x", Sort::Int))], Term::eq(f(x()), i));
    let map = lambda(&["i"], Term::add(x(), Term::ite(inner, n(1), n(0))));
    let h = Arc::new(FuncSym::new("h", [Sort::Int], map.sort().clone()));
    let call = |of: Term| Term::func(&h, vec![of]);
    let law = quant(QuantKind::Forall, &["x"], Term::eq(call(x()), map), vec![vec![call(x())]]);
    let mut question = line(vec![assert(Term::le(n(8), Term::select(call(n(8)), y())), 0)]);
    question.axioms.push(law);
    assert_eq!(answers(&question), "p");
}

fn pooled(kind: QuantKind, pool: &str, body: Term) -> Term {
    Term::quant(Quant::new(kind, vec![Bound::pooled(Var::new("i", Sort::Int), pool)], body))
}

fn hint(pool: &str, term: Term) -> PoolHint {
    PoolHint { label: pool.into(), terms: vec![term] }
}

#[test]
fn pools_instantiate_what_triggers_cannot() {
    let i = v("i", &Sort::Int);
    // There is no trigger in i + i == y.
    let double = |of: Term| Term::eq(app(Op::Add, &[of.clone(), of]), y());
    let goal = pooled(QuantKind::Exists, "A", double(i.clone()));
    let ask = |hints: Vec<PoolHint>| {
        answers(&line(vec![Item::Assume { term: double(x()), hints }, assert(goal.clone(), 0)]))
    };
    assert_eq!(ask(vec![hint("A", x())]), "p");
    assert_ne!(ask(vec![hint("B", x())]), "p");
    assert_ne!(ask(vec![hint("A", n(3))]), "p");
}

#[test]
fn pooled_assumptions_are_weakened_never_strengthened() {
    let i = v("i", &Sort::Int);
    let all = pooled(QuantKind::Forall, "A", Term::lt(f(i.clone()), n(0)));
    let ask = |hinted: Term, goal: Term| {
        let hints = vec![hint("A", hinted)];
        answers(&line(vec![Item::Assume { term: all.clone(), hints }, assert(goal, 0)]))
    };
    assert_eq!(ask(x(), Term::lt(f(x()), n(0))), "p");
    // The quantifier is gone: only its instance is known.
    assert_eq!(ask(x(), Term::lt(f(y()), n(0))), "c");
    // A universal goal is about an arbitrary value, pools or not.
    let goal = pooled(QuantKind::Forall, "A", Term::lt(f(i), n(1)));
    let hints = vec![hint("A", x())];
    assert_eq!(
        answers(&line(vec![Item::Assume { term: Term::lt(f(x()), n(0)), hints }, assert(goal, 0)])),
        "r"
    );
}

#[test]
fn fresh_constants_feed_pools_through_hints_of_their_quantifier() {
    let i = v("i", &Sort::Int);
    let all = pooled(QuantKind::Forall, "A", Term::lt(f(i.clone()), n(0)));
    let goal = Term::quant(Quant {
        hints: vec![hint("A", Term::add(i.clone(), n(1)))],
        ..Quant::new(
            QuantKind::Forall,
            vec![Bound::plain(Var::new("i", Sort::Int))],
            Term::lt(f(Term::add(i, n(1))), n(1)),
        )
    });
    assert_eq!(answers(&line(vec![assume(all), assert(goal, 0)])), "p");
}

#[test]
fn equivalences_of_quantifiers_are_split_by_polarity() {
    let i = v("i", &Sort::Int);
    let b = v("b", &Sort::Bool);
    let all = pooled(QuantKind::Forall, "A", Term::lt(f(i), n(0)));
    let given = Term::eq(b.clone(), all);
    let ask = |goal: Term| {
        let hints = vec![hint("A", x())];
        answers(&line(vec![Item::Assume { term: given.clone(), hints }, assert(goal, 0)]))
    };
    assert_eq!(ask(Term::implies(b.clone(), Term::lt(f(x()), n(0)))), "p");
    // One instance does not make the universal true.
    assert_eq!(ask(Term::implies(Term::lt(f(x()), n(0)), b)), "r");
}

#[test]
fn negation_turns_assumptions_into_goals() {
    let i = v("i", &Sort::Int);
    let some = pooled(QuantKind::Exists, "A", Term::lt(n(0), f(i.clone())));
    let small = Term::le(f(x()), n(0));
    let ask = |term: Term, goal: Term| {
        answers(&line(vec![Item::Assume { term, hints: vec![hint("A", x())] }, assert(goal, 0)]))
    };
    assert_eq!(ask(Term::not(some.clone()), small.clone()), "p");
    // That there is none at x does not mean that there is none.
    assert_eq!(ask(small, Term::not(some)), "r");
    let all = pooled(QuantKind::Forall, "A", Term::lt(n(0), f(i)));
    assert_eq!(ask(Term::not(all.clone()), Term::le(f(x()), n(0))), "r");
    assert_eq!(ask(Term::le(f(x()), n(0)), Term::not(all)), "p");
}

#[test]
fn conditionals_of_quantifiers_keep_both_branches() {
    let (i, b) = (v("i", &Sort::Int), v("b", &Sort::Bool));
    let all = pooled(QuantKind::Forall, "A", Term::lt(f(i), n(0)));
    let choice = Term::ite(b.clone(), all.clone(), Term::eq(y(), n(0)));
    let ask = |term: Term, goal: Term| {
        answers(&line(vec![Item::Assume { term, hints: vec![hint("A", x())] }, assert(goal, 0)]))
    };
    assert_eq!(ask(choice.clone(), Term::or([Term::lt(f(x()), n(0)), Term::eq(y(), n(0))])), "p");
    assert_eq!(ask(Term::and([choice.clone(), Term::not(b.clone())]), Term::eq(y(), n(0))), "p");
    assert_ne!(ask(all.clone(), choice.clone()), "p");
    assert_ne!(ask(Term::eq(y(), n(0)), choice), "p");
    assert_ne!(ask(Term::and([all, b]), Term::eq(y(), n(0))), "p");
}

#[test]
fn ever_larger_hints_come_to_an_end() {
    let i = v("i", &Sort::Int);
    let all = Term::quant(Quant {
        hints: vec![hint("A", f(i.clone()))],
        ..Quant::new(
            QuantKind::Forall,
            vec![Bound::pooled(Var::new("i", Sort::Int), "A")],
            Term::lt(i, n(0)),
        )
    });
    let items = vec![
        Item::Assume { term: all, hints: vec![hint("A", x())] },
        assert(Term::lt(f(f(x())), n(0)), 0),
    ];
    assert_eq!(answers(&line(items)), "p");
}

#[test]
fn pooled_lambdas_are_unfolded_at_the_pools() {
    let i = v("i", &Sort::Int);
    let body = Term::add(i.clone(), y());
    let map =
        Term::lambda(Lambda { bound: vec![Bound::pooled(Var::new("i", Sort::Int), "A")], body });
    let m = v("m", map.sort());
    let all = pooled(QuantKind::Forall, "A", Term::lt(Term::select(m.clone(), i), n(0)));
    let items = vec![
        Item::Assume { term: Term::eq(m, map), hints: vec![hint("A", x())] },
        assume(all),
        assert(Term::lt(Term::add(x(), y()), n(0)), 0),
    ];
    assert_eq!(answers(&line(items)), "p");
}

#[test]
fn every_path_and_every_assertion_counts() {
    let diamond = |left: i64, right: i64| {
        program(vec![
            block(vec![], &[1, 2]),
            block(vec![assume(Term::eq(x(), n(left)))], &[3]),
            block(vec![assume(Term::eq(x(), n(right)))], &[3]),
            block(vec![assert(Term::lt(n(0), x()), 7), assert(Term::lt(x(), n(10)), 8)], &[]),
        ])
    };
    assert_eq!(answers(&diamond(1, 2)), "pp");
    assert_eq!(answers(&diamond(1, 0)), "rp");
    assert_eq!(answers(&diamond(10, 2)), "pr");
    assert_eq!(answers(&diamond(10, 0)), "rr");
}

#[test]
fn assertions_are_assumed_afterwards_only_if_they_subsume() {
    let positive = Term::lt(n(0), x());
    let first = |subsumes| Item::Assert {
        term: positive.clone(),
        id: AssertId(0),
        hints: vec![],
        subsumes,
    };
    assert_eq!(answers(&line(vec![first(true), assert(positive.clone(), 1)])), "rp");
    assert_eq!(answers(&line(vec![first(false), assert(positive.clone(), 1)])), "rr");
}

#[test]
fn a_later_assumption_does_not_help_an_earlier_assertion() {
    assert_eq!(answers(&line(vec![assert(Term::lt(n(0), x()), 0), assume(Term::ff())])), "r");
    assert_eq!(answers(&line(vec![assume(Term::ff()), assert(Term::lt(n(0), x()), 0)])), "p");
}

#[test]
fn copies_of_one_assertion_have_one_verdict() {
    let question = program(vec![
        block(vec![], &[1, 2]),
        block(vec![assume(Term::eq(x(), n(1))), assert(Term::lt(n(0), x()), 5)], &[]),
        block(vec![assert(Term::lt(n(0), x()), 5), assert(Term::eq(x(), x()), 6)], &[]),
    ]);
    assert_eq!(answers(&question), "rp");
}

#[test]
fn excluding_one_failure_hides_no_other() {
    // The last block has nothing but its assertion; runs that never get there must still be
    // looked at when it is known to fail.
    let (a, b) = (v("a", &Sort::Bool), v("b", &Sort::Bool));
    let question = program(vec![
        block(vec![], &[1, 2]),
        block(vec![assert(a.clone(), 1)], &[3]),
        block(vec![], &[3]),
        block(vec![assert(b.clone(), 2)], &[]),
    ]);
    assert_eq!(answers(&question), "rr");
    let two_ends = program(vec![
        block(vec![], &[1, 2]),
        block(vec![assert(a, 1)], &[]),
        block(vec![assert(b, 2)], &[]),
    ]);
    assert_eq!(answers(&two_ends), "rr");
}

#[test]
fn a_failing_run_tells_its_blocks_and_values() {
    let capture = |id, term: Term| {
        Item::Capture(Capture { id: CaptureId(id), values: vec![("x".into(), term)] })
    };
    let question = program(vec![
        block(vec![capture(1, x())], &[1, 2]),
        block(vec![assume(Term::eq(x(), n(3))), capture(2, Term::add(x(), n(1)))], &[3]),
        block(vec![assume(Term::eq(x(), n(-4)))], &[3]),
        block(
            vec![capture(3, lambda(&["i"], v("i", &Sort::Int))), assert(Term::lt(x(), n(0)), 9)],
            &[],
        ),
    ]);
    let verdicts = solve_here(&question, Limits::default());
    let Verdict::Refuted(refutation) = &verdicts[0].1 else { panic!("{verdicts:?}") };
    let trace = refutation.trace();
    assert_eq!(trace.failure(), Some(AssertId(9)));
    let shown: Vec<String> = trace
        .steps
        .iter()
        .map(|step| {
            let state: Vec<String> =
                step.state.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{:?} {}", step.kind, state.join(" "))
        })
        .collect();
    let expected = [
        "Block ",
        "Capture(CaptureId(1)) x=3",
        "Block ",
        "Capture(CaptureId(2)) x=4",
        "Block ",
        "Capture(CaptureId(3)) ",
        "Failure(AssertId(9)) ",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn time_and_steps_are_bounded() {
    let cube = |of: Term| app(Op::Mul, &[of.clone(), of.clone(), of]);
    let (a, b, c) = (v("a", &Sort::Int), v("b", &Sort::Int), v("c", &Sort::Int));
    let sum = app(Op::Add, &[cube(a.clone()), cube(b), cube(c)]);
    let hard = line(vec![assume(Term::lt(n(100), a)), assert(Term::ne(sum, n(33)), 0)]);
    let time = Limits { time: std::time::Duration::from_millis(200), ..Limits::default() };
    assert!(matches!(&solve_here(&hard, time)[0].1, Verdict::Unknown(Reason::TimedOut(200))));
    let steps = Limits { steps: Some(10_000), ..Limits::default() };
    let verdict = &solve_here(&hard, steps)[0].1;
    assert!(matches!(verdict, Verdict::Unknown(Reason::OutOfResource(10_000))), "{verdict:?}");
}

#[test]
fn names_of_the_program_do_not_reach_the_solver() {
    let odd = |name: &str| v(name, &Sort::Int);
    let question = line(vec![
        assume(Term::eq(odd("and"), odd("x) (assert false"))),
        assert(Term::eq(odd("; end\n(assert false)"), odd("and")), 0),
    ]);
    assert_eq!(answers(&question), "r");
    let renamed =
        line(vec![assume(Term::eq(odd("a"), odd("b"))), assert(Term::eq(odd("c"), odd("a")), 0)]);
    let without_comments = |text: String| {
        text.lines()
            .map(|line| line.split(" ;").next().unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        without_comments(crate::smt2(&question).unwrap()),
        without_comments(crate::smt2(&renamed).unwrap())
    );
}

#[test]
fn other_lanes_refute_what_patterns_leave_open() {
    let i = v("i", &Sort::Int);
    let set = |name: &str| v(name, &Sort::set(Sort::Int));
    let below = |set: Term, bound: Term| {
        let body = Term::eq(Term::select(set, i.clone()), Term::lt(i.clone(), bound));
        quant(QuantKind::Forall, &["i"], body, vec![])
    };
    let next = Term::store(set("t"), Term::add(x(), n(1)), Term::tt());
    let question =
        line(vec![assume(below(set("t"), x())), assert(below(next, Term::add(x(), n(1))), 0)]);
    assert_eq!(answers_of_all(&question), "r");
    let next = Term::store(set("t"), x(), Term::tt());
    let question =
        line(vec![assume(below(set("t"), x())), assert(below(next, Term::add(x(), n(1))), 0)]);
    assert_eq!(answers_of_all(&question), "p");
}

/// An axiom about a datatype with maps inside, false of values that no program builds, proves nothing.
#[test]
fn quantifiers_over_values_with_maps_are_left_to_their_patterns() {
    let map = Sort::map(Sort::Int, Sort::Int);
    let fields = vec![("contents".into(), map), ("len".into(), Sort::Int)];
    let def = DatatypeDef::new("Vec", vec![CtorDef::new("Vec", fields)]);
    let len = |of: Term| Term::field(&def, 0, 1, of);
    let vec = Var::new("v", def.sort());
    let own = len(Term::var(vec.clone()));
    let law = Term::quant(Quant {
        triggers: vec![vec![own.clone()]],
        ..Quant::new(
            QuantKind::Forall,
            vec![Bound::plain(vec.clone())],
            Term::le(n(0), own.clone()),
        )
    });
    let mut question =
        line(vec![assert(Term::le(n(0), own.clone()), 0), assert(Term::lt(own, n(3)), 1)]);
    question.axioms.push(law);
    let answers = answers_of_all(&question);
    assert!(answers.starts_with('p') && !answers.ends_with('p'), "{answers}");
}

/// The field of another constructor is any function of the value: no lane takes it for one value.
#[test]
fn fields_of_other_constructors_differ_between_values() {
    let map = Sort::map(Sort::Int, Sort::Int);
    let ctors = vec![
        CtorDef::new("A", vec![("m".into(), map.clone()), ("i".into(), Sort::Int)]),
        CtorDef::new("B", vec![("f".into(), Sort::Int)]),
    ];
    let def = DatatypeDef::new("D", ctors);
    let made = Term::ctor(&def, 0, vec![v("m", &map), v("i", &Sort::Int)]);
    let table = lambda(&["i"], Term::field(&def, 1, 0, made));
    let at = |index: i64| Term::select(table.clone(), n(index));
    let question = line(vec![assert(Term::eq(at(1), at(2)), 0)]);
    assert_ne!(answers_of_all(&question), "p");
}
