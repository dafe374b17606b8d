//! Evaluation against hand-made cases, and as the judge of other modules.

use num_bigint::BigInt;

use super::{Env, Known, evaluate};
use crate::{
    op::Op,
    samples::{Dice, b, bvar, i, int_map, ivar, m, n, opt},
    simplify::simplify,
    sort::Sort,
    subst::Substitution,
    term::{Bound, Lambda, Term, Var},
    value::{Data, Element, MapValue, Value},
};

fn int(value: i64) -> Value {
    Value::Int(BigInt::from(value))
}

fn some(value: i64) -> Value {
    Value::Data(Data {
        datatype: "Opt".into(),
        ctor: 1,
        name: "Some".into(),
        fields: vec![int(value)],
    })
}

/// Values for every symbol of the random terms.
fn random_env(dice: &mut Dice) -> Env {
    let mut env = Env::default();
    for name in ["x", "y", "z", "w"] {
        env.vars.insert(ivar(name), int(dice.roll(5) as i64 - 2));
    }
    for name in ["p", "q"] {
        env.vars.insert(bvar(name), Value::Bool(dice.roll(2) == 0));
    }
    let none =
        Value::Data(Data { datatype: "Opt".into(), ctor: 0, name: "None".into(), fields: vec![] });
    let option = if dice.roll(2) == 0 { none } else { some(dice.roll(3) as i64) };
    env.vars.insert(Var::new("o", opt().sort()), option);
    let entries: Vec<_> = (0..3).map(|nth| (vec![int(nth)], int(dice.roll(4) as i64))).collect();
    env.vars.insert(Var::new("m", int_map()), Value::Map(MapValue::new(entries, Some(int(0)))));
    let pairs: Vec<_> = (0..5)
        .map(|_| {
            (vec![int(dice.roll(4) as i64 - 1), int(dice.roll(4) as i64 - 1)], Value::Bool(true))
        })
        .collect();
    env.funcs.insert("f".into(), MapValue::new(pairs, Some(Value::Bool(false))));
    env.candidates.insert(Sort::Int, (-2..3).map(int).collect());
    env
}

fn value(term: &Term) -> Known {
    evaluate(term, &random_env(&mut Dice::new(1)))
}

#[test]
fn a_known_part_decides_in_spite_of_an_unknown_one() {
    let open = b("nobody");
    assert_eq!(
        value(&Term::and([open.clone(), Term::lt(n(1), i("x")), Term::eq(n(1), n(2))])),
        Ok(Value::Bool(false))
    );
    let raw = |op, args| Term::app_verbatim(op, args).unwrap();
    assert_eq!(value(&raw(Op::Or, vec![open.clone(), Term::tt()])), Ok(Value::Bool(true)));
    assert_eq!(value(&raw(Op::Implies, vec![open.clone(), Term::tt()])), Ok(Value::Bool(true)));
    assert_eq!(value(&raw(Op::Ite, vec![open.clone(), n(3), n(3)])), Ok(int(3)));
    assert!(value(&open).is_err());
}

#[test]
fn unspecified_values_are_unknown() {
    let none = Term::ctor(&opt(), 0, vec![]);
    assert!(value(&Term::field(&opt(), 1, 0, none)).is_err());
    assert!(value(&Term::app(Op::IntDiv, vec![n(1), n(0)])).is_err());
    assert!(value(&Term::app(Op::IntMod, vec![n(1), n(0)])).is_err());
    let seq = Term::app(Op::SeqUnit, vec![n(1)]);
    assert!(value(&Term::app(Op::SeqNth, vec![seq.clone(), n(1)])).is_err());
    assert_eq!(value(&Term::app(Op::SeqNth, vec![seq, n(0)])), Ok(int(1)));
}

#[test]
fn a_quantifier_over_integers_is_decided() {
    let bound = || vec![Bound::plain(ivar("k"))];
    let small = Term::lt(i("k"), n(1));
    assert_eq!(value(&Term::exists(bound(), small.clone())), Ok(Value::Bool(true)));
    assert_eq!(value(&Term::forall(bound(), small)), Ok(Value::Bool(false)));
    assert_eq!(value(&Term::forall(bound(), Term::lt(i("k"), n(9)))), Ok(Value::Bool(false)));
    assert_eq!(value(&Term::exists(bound(), Term::lt(n(9), i("k")))), Ok(Value::Bool(true)));
    let square = Term::app(Op::Mul, vec![i("k"), i("k")]);
    let open = value(&Term::forall(bound(), Term::le(n(0), square)));
    assert_eq!(open.unwrap_err().0, "`forall k` (too many cases)");
}

#[test]
fn truth_values_are_enumerated_completely() {
    let bound = vec![Bound::plain(bvar("k"))];
    let fact = Term::or([b("k"), Term::eq(b("k"), b("r"))]);
    let mut env = Env::default();
    env.vars.insert(bvar("r"), Value::Bool(false));
    assert_eq!(evaluate(&Term::forall(bound, fact), &env), Ok(Value::Bool(true)));
}

#[test]
fn maps_are_read_written_and_compared() {
    let written = Term::store(m("m"), i("x"), n(7));
    assert_eq!(value(&Term::select(written.clone(), i("x"))), Ok(int(7)));
    assert_eq!(value(&Term::eq(written, m("m"))), Ok(Value::Bool(false)));
    let map = Term::lambda(Lambda {
        bound: vec![Bound::plain(ivar("k"))],
        body: Term::add(i("k"), n(1)),
    });
    assert_eq!(
        value(&Term::app_verbatim(Op::Select, vec![map.clone(), n(2)]).unwrap()),
        Ok(int(3))
    );
    assert_eq!(value(&Term::app_verbatim(Op::Select, vec![map, n(77)]).unwrap()), Ok(int(78)));
}

#[test]
fn maps_over_a_finite_sort_may_be_equal_in_disguise() {
    let sort = Sort::map(Sort::Uninterpreted("T".into()), Sort::Int);
    let at = |index| vec![Value::Element(Element { sort: "T".into(), index })];
    let mut env = Env::default();
    let mut set =
        |name: &str, map: MapValue| env.vars.insert(Var::new(name, sort.clone()), Value::Map(map));
    set("a", MapValue::new([(at(0), int(5))], Some(int(0))));
    set("b", MapValue::new([], Some(int(5))));
    set("c", MapValue::new([(at(0), int(6))], Some(int(0))));
    let var = |name: &str| Term::var(Var::new(name, sort.clone()));
    assert!(evaluate(&Term::eq(var("a"), var("b")), &env).is_err());
    assert_eq!(evaluate(&Term::eq(var("a"), var("c")), &env), Ok(Value::Bool(false)));
}

#[test]
fn an_index_that_is_a_map_is_not_looked_up_by_its_spelling() {
    let inner = Sort::map(Sort::Bool, Sort::Int);
    let sort = Sort::map(inner.clone(), Sort::Int);
    let one = Value::Map(MapValue::new([], Some(int(5))));
    let both = [(vec![Value::Bool(true)], int(5)), (vec![Value::Bool(false)], int(5))];
    let disguised = Value::Map(MapValue::new(both, Some(int(0))));
    let mut env = Env::default();
    env.vars.insert(Var::new("k", inner.clone()), disguised);
    env.vars.insert(
        Var::new("n", sort.clone()),
        Value::Map(MapValue::new([(vec![one], int(1))], Some(int(2)))),
    );
    let term = Term::select(Term::var(Var::new("n", sort)), Term::var(Var::new("k", inner)));
    assert_eq!(evaluate(&term, &env), Ok(int(1)));
}

/// Two ways to one value: neither may contradict the other.
fn check_agree(left: &Term, right: &Term, env: &Env, decided: &mut usize) {
    if let (Ok(one), Ok(two)) = (evaluate(left, env), evaluate(right, env)) {
        assert_eq!(one, two, "{left}\n{right}");
        *decided += 1;
    }
}

#[test]
fn smart_constructors_and_simplification_keep_values() {
    let mut decided = 0;
    for seed in 1..3000 {
        let raw = Dice::verbatim(seed).formula(5);
        let env = random_env(&mut Dice::new(seed + 7));
        check_agree(&raw, &simplify(&raw), &env, &mut decided);
    }
    assert!(decided > 800, "{decided}");
}

#[test]
fn substituting_a_term_is_the_same_as_binding_its_value() {
    let mut decided = 0;
    for seed in 1..3000 {
        let mut dice = Dice::new(seed);
        let term = dice.formula(5);
        let (x, y) = (dice.number(2), dice.number(1));
        let mut env = random_env(&mut dice);
        let done =
            Substitution::of_vars([(ivar("x"), x.clone()), (ivar("y"), y.clone())]).apply(&term);
        let Ok(result) = evaluate(&done, &env) else { continue };
        let (Ok(x), Ok(y)) = (evaluate(&x, &env), evaluate(&y, &env)) else { continue };
        env.vars.insert(ivar("x"), x);
        env.vars.insert(ivar("y"), y);
        if let Ok(bound) = evaluate(&term, &env) {
            assert_eq!(bound, result, "{term}\n{done}");
            decided += 1;
        }
    }
    assert!(decided > 500, "{decided}");
}
