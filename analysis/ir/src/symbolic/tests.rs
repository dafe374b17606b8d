//! Quantifiers against counting, and functions of libraries against what they mean.

use num_bigint::BigInt;

use super::{Engine, Shapes, Val, library::Meaning};
use crate::eval::{Env, evaluate};
use crate::samples::{Dice, b, bvar, i, int_map, ivar, m, n, opt};
use crate::{Bound, Data, Element, Lambda, MapValue, Op, Segment, Sort, Symbol, Term, Value, Var};

fn int(value: i64) -> Value {
    Value::Int(BigInt::from(value))
}

fn segment(from: Option<i64>, base: i64, slope: i64) -> Segment {
    Segment { from: from.map(BigInt::from), base: int(base), slope: BigInt::from(slope) }
}

/// Values for everything that random terms mention.
fn random_env(dice: &mut Dice) -> Env {
    let mut env = Env::default();
    for name in ["x", "y", "z", "w"] {
        env.vars.insert(ivar(name), int(dice.roll(5) as i64 - 2));
    }
    for name in ["p", "q"] {
        env.vars.insert(bvar(name), Value::Bool(dice.roll(2) == 0));
    }
    let none = Data { datatype: "Opt".into(), ctor: 0, name: "None".into(), fields: vec![] };
    env.vars.insert(Var::new("o", opt().sort()), Value::Data(none));
    let (first, second) = (dice.roll(4) as i64 - 2, dice.roll(3) as i64);
    let map = match dice.roll(3) {
        0 => MapValue::new([(vec![int(first)], int(second))], Some(int(1))),
        1 => MapValue::piecewise(vec![segment(None, 0, 0), segment(Some(first), second, 1)]),
        _ => MapValue::piecewise(vec![
            segment(None, 1, -1),
            segment(Some(first), second, 0),
            segment(Some(first + 2), 3, 2),
        ]),
    };
    env.vars.insert(Var::new("m", int_map()), Value::Map(map));
    let pairs = [(vec![int(first), int(second)], Value::Bool(true))];
    env.funcs.insert("f".into(), MapValue::new(pairs, Some(Value::Bool(false))));
    env.datatypes.insert("Opt".into(), opt());
    env
}

fn at(env: &Env, name: &str, value: i64) -> Env {
    let mut env = env.clone();
    env.vars.insert(ivar(name), int(value));
    env
}

/// What is said of all integers is true of each, and what is said of some is found.
fn check_quantifier(body: &Term, env: &Env, decided: &mut (usize, usize)) {
    let all = Term::forall(vec![Bound::plain(ivar("x"))], body.clone());
    let found = evaluate(&all, env);
    let ones = (-30..=30).map(|nth| evaluate(body, &at(env, "x", nth)));
    let is_false = ones.into_iter().any(|it| it == Ok(Value::Bool(false)));
    match found {
        Ok(Value::Bool(true)) => {
            assert!(!is_false, "{body} is false somewhere");
            decided.0 += 1;
        }
        Ok(_) => {
            let far = (-400..=400)
                .any(|nth| evaluate(body, &at(env, "x", nth)) == Ok(Value::Bool(false)));
            assert!(is_false || far, "{body} is false nowhere");
            decided.1 += 1;
        }
        Err(_) => {}
    }
}

#[test]
fn a_quantifier_says_what_its_instances_say() {
    let mut decided = (0, 0);
    for seed in 1..600 {
        let mut dice = Dice::verbatim(seed);
        let body = dice.formula(3);
        let env = random_env(&mut dice);
        check_quantifier(&body, &env, &mut decided);
    }
    assert!(decided.0 > 80 && decided.1 > 80, "{decided:?}");
}

#[test]
fn quantifiers_inside_quantifiers_are_decided_for_all_outer_values() {
    let mut decided = (0, 0);
    for seed in 1..400 {
        let mut dice = Dice::verbatim(seed);
        let atoms: Vec<Term> = (0..3).map(|_| linear_atom(&mut dice)).collect();
        let inner = match dice.roll(3) {
            0 => Term::or(atoms),
            1 => Term::and(atoms),
            _ => Term::implies(atoms[0].clone(), Term::or(atoms[1..].to_vec())),
        };
        let bound = vec![Bound::plain(ivar("y"))];
        let body = match dice.roll(2) {
            0 => Term::forall(bound, inner),
            _ => Term::exists(bound, inner),
        };
        let env = random_env(&mut dice);
        check_quantifier(&body, &env, &mut decided);
    }
    assert!(decided.0 > 40 && decided.1 > 40, "{decided:?}");
}

fn linear_atom(dice: &mut Dice) -> Term {
    let side = |dice: &mut Dice| {
        let sum = Term::add(i(["x", "y", "z"][dice.roll(3)]), n(dice.roll(5) as i64 - 2));
        match dice.roll(4) {
            0 => Term::select(m("m"), sum),
            1 => Term::app(Op::Mul, vec![n(2), sum]),
            _ => sum,
        }
    };
    let (left, right) = (side(dice), side(dice));
    match dice.roll(3) {
        0 => Term::eq(left, right),
        1 => Term::lt(left, right),
        _ => Term::not(Term::eq(left, right)),
    }
}

#[test]
fn maps_in_pieces_equal_what_computes_the_same() {
    let ramp = |from: i64| {
        let below = Term::lt(i("k"), n(from));
        let body = Term::app(Op::Ite, vec![below, n(0), Term::add(i("k"), n(1))]);
        Term::lambda(Lambda { bound: vec![Bound::plain(ivar("k"))], body })
    };
    let mut env = Env::default();
    let map = MapValue::piecewise(vec![segment(None, 0, 0), segment(Some(3), 1, 1)]);
    env.vars.insert(Var::new("m", int_map()), Value::Map(map.clone()));
    let same = |from: i64| evaluate(&Term::eq(m("m"), ramp(from)), &env);
    assert_eq!(same(3), Ok(Value::Bool(true)));
    assert_eq!(same(4), Ok(Value::Bool(false)));
    assert_eq!(evaluate(&ramp(3), &env), Ok(Value::Map(map)));
}

#[test]
fn a_sort_is_all_its_elements_only_if_somebody_says_so() {
    let sort = Sort::Uninterpreted("T".into());
    let var = |name: &str| Var::new(name, sort.clone());
    let all = Term::forall(
        vec![Bound::plain(var("t"))],
        Term::eq(Term::var(var("t")), Term::var(var("a"))),
    );
    let element = |index| Value::Element(Element { sort: "T".into(), index });
    let mut env = Env::default();
    env.vars.insert(var("a"), element(0));
    assert!(evaluate(&all, &env).is_err());
    env.carriers = Some([("T".into(), vec![element(0)])].into_iter().collect());
    assert_eq!(evaluate(&all, &env), Ok(Value::Bool(true)));
    env.carriers = Some([("T".into(), vec![element(0), element(1)])].into_iter().collect());
    assert_eq!(evaluate(&all, &env), Ok(Value::Bool(false)));
    assert!(evaluate(&b("nobody"), &env).is_err());
}

#[test]
fn sets_are_counted_and_an_infinite_one_has_no_size() {
    let env = Env::default();
    let sort = Sort::set(Sort::Int);
    let size = |table: MapValue| {
        let engine = Engine::new(&env);
        let set = Val::Plain(Value::Map(table));
        let sorts = std::slice::from_ref(&sort);
        let found = engine.of_library(Meaning::Size, std::slice::from_ref(&set), sorts, None);
        let chosen = engine.of_library(Meaning::Choice, &[set], sorts, None);
        let plain = |it: super::Known<Val<'_>>| it.ok().and_then(|it| it.plain().cloned());
        (plain(found), plain(chosen))
    };
    let truth = |from: Option<i64>, base: bool| Segment {
        from: from.map(BigInt::from),
        base: Value::Bool(base),
        slope: 0.into(),
    };
    let members = |all: &[i64]| {
        let entries = all.iter().map(|it| (vec![int(*it)], Value::Bool(true)));
        MapValue::new(entries, Some(Value::Bool(false)))
    };
    assert_eq!(size(members(&[-3, 5, 6])), (Some(int(3)), Some(int(5))));
    assert_eq!(size(members(&[])), (Some(int(0)), None));
    let long = vec![truth(None, false), truth(Some(10), true), truth(Some(1010), false)];
    assert_eq!(size(MapValue::piecewise(long)), (Some(int(1000)), Some(int(10))));
    let half = vec![truth(None, true), truth(Some(0), false)];
    assert_eq!(size(MapValue::piecewise(half)), (None, Some(int(-1))));
}

/// Shapes of heaps are those of the environment.
#[test]
fn an_address_that_is_not_reached_is_not_between() {
    let loc = |index| Value::Element(Element { sort: "Loc".into(), index });
    let data = |datatype: &str, ctor, name: &str, fields: Vec<Value>| {
        let (datatype, name) = (Symbol::from(datatype), Symbol::from(name));
        Value::Data(Data { datatype, ctor, name, fields })
    };
    let none = || data("Option Loc", 0, "None", vec![]);
    let some = |index| data("Option Loc", 1, "Some", vec![loc(index)]);
    let node = |next| data("Node int", 0, "Node", vec![next, int(0)]);
    let row = |from, next| (vec![data("One Loc", 0, "One", vec![loc(from)])], node(next));
    // 0 to 1 to 2 to the end; 3 to itself.
    let rows = [row(0, some(1)), row(1, some(2)), row(2, none()), row(3, some(3))];
    let heap = Value::Map(MapValue::new(rows, None));
    let sort = Sort::map(Sort::Datatype("One Loc".into()), Sort::Datatype("Node int".into()));
    let env = Env::default();
    assert!(env.constructors(&"Option Loc".into()).is_none());
    let ask = |meaning, x: &Value, y: &Value, z: &Value| {
        let engine = Engine::new(&env);
        let args = [&heap, x, y, z].map(|it| Val::Plain(it.clone()));
        engine
            .of_library(meaning, &args, std::slice::from_ref(&sort), None)
            .and_then(|it| it.truth())
    };
    let between = |x: &Value, y: &Value, z: &Value| ask(Meaning::Between, x, y, z);
    assert_eq!(between(&some(0), &some(1), &none()), Ok(true));
    assert_eq!(between(&some(0), &some(2), &some(1)), Ok(false));
    assert_eq!(between(&some(3), &some(3), &none()), Ok(false));
    assert_eq!(between(&some(3), &some(3), &some(3)), Ok(true));
    assert_eq!(ask(Meaning::Avoiding, &some(3), &some(3), &none()), Ok(true));
    assert_eq!(ask(Meaning::Avoiding, &some(0), &some(2), &some(1)), Ok(false));
    assert!(between(&some(7), &some(7), &none()).is_err());
}
