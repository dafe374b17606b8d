//! Random questions against evaluation: a refutation must be a real run, a proof must survive
//! random values, and a question that was written down and read back has the same verdicts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ir::eval::{Env, evaluate};
use ir::{
    AssertId, BlockId, Bound, CtorDef, DatatypeDef, Item, Lambda, MapValue, Op, Passive,
    PassiveBlock, PointwiseOp, PoolHint, Quant, QuantKind, Question, Sort, Term, Value, Var,
    Verdict,
};

use super::encode;
use crate::engine::{Engine, InProcess, Start};
use crate::model::Reader;
use crate::sexpr::{self, Sexpr};
use crate::{Limits, solve_here};

/// A small reproducible source of choices (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

fn pair() -> Arc<DatatypeDef> {
    let some = vec![("left".into(), Sort::Int), ("right".into(), Sort::Bool)];
    DatatypeDef::new("Pair", vec![CtorDef::new("Nothing", vec![]), CtorDef::new("Both", some)])
}

fn map() -> Sort {
    Sort::map(Sort::Int, Sort::Int)
}

fn variable(dice: &mut Dice, sort: &Sort) -> Term {
    let nth = dice.below(3);
    Term::var(Var::new(format!("{sort}{nth}"), sort.clone()))
}

fn int(dice: &mut Dice, depth: usize) -> Term {
    if depth == 0 {
        let value = i64::try_from(dice.below(7)).unwrap() - 3;
        return if dice.below(2) == 0 { Term::int(value) } else { variable(dice, &Sort::Int) };
    }
    let d = depth - 1;
    match dice.below(9) {
        8 => Term::select(lambda(dice, d), bool(dice, d)),
        0 => Term::add(int(dice, d), int(dice, d)),
        1 => Term::sub(int(dice, d), int(dice, d)),
        2 => Term::app(Op::IntDiv, vec![int(dice, d), Term::int([2, -3][dice.below(2)])]),
        3 => Term::app(Op::IntMod, vec![int(dice, d), Term::int([2, -3][dice.below(2)])]),
        4 => Term::ite(bool(dice, d), int(dice, d), int(dice, d)),
        5 => Term::select(array(dice, d), int(dice, d)),
        6 => Term::field(&pair(), 1, 0, Term::ctor(&pair(), 1, vec![int(dice, d), bool(dice, d)])),
        _ => Term::app(Op::Neg, vec![int(dice, d)]),
    }
}

fn array(dice: &mut Dice, depth: usize) -> Term {
    if depth == 0 {
        return variable(dice, &map());
    }
    let d = depth - 1;
    match dice.below(4) {
        0 => Term::store(array(dice, d), int(dice, d), int(dice, d)),
        1 => Term::const_array(map(), int(dice, d)),
        2 => Term::map_op(PointwiseOp::Add, vec![array(dice, d), array(dice, d)]),
        _ => array(dice, 0),
    }
}

fn data(dice: &mut Dice, depth: usize) -> Term {
    match dice.below(3) {
        0 if depth > 0 => Term::ctor(&pair(), 1, vec![int(dice, depth - 1), bool(dice, depth - 1)]),
        1 => Term::ctor(&pair(), 0, vec![]),
        _ => variable(dice, &pair().sort()),
    }
}

fn bool(dice: &mut Dice, depth: usize) -> Term {
    if depth == 0 {
        return variable(dice, &Sort::Bool);
    }
    let d = depth - 1;
    match dice.below(11) {
        9 | 10 => quantified(dice, d),
        0 => Term::and([bool(dice, d), bool(dice, d)]),
        1 => Term::or([bool(dice, d), bool(dice, d), bool(dice, d)]),
        2 => Term::implies(bool(dice, d), bool(dice, d)),
        3 => Term::not(bool(dice, d)),
        4 => Term::eq(bool(dice, d), bool(dice, d)),
        5 => Term::lt(int(dice, d), int(dice, d)),
        6 => Term::eq(int(dice, d), int(dice, d)),
        7 => Term::eq(data(dice, d), data(dice, d)),
        _ => Term::is(&pair(), 1, data(dice, d)),
    }
}

/// Bound variables have the names of free ones, to invite confusion.
fn bound(dice: &mut Dice) -> Bound {
    let var = Var::new(format!("bool{}", dice.below(3)), Sort::Bool);
    if dice.below(2) == 0 { Bound::plain(var) } else { Bound::pooled(var, "P") }
}

fn quantified(dice: &mut Dice, depth: usize) -> Term {
    let kind = if dice.below(2) == 0 { QuantKind::Forall } else { QuantKind::Exists };
    let bound = vec![bound(dice)];
    let hints = hints(dice);
    Term::quant(Quant { hints, ..Quant::new(kind, bound, bool(dice, depth)) })
}

fn lambda(dice: &mut Dice, depth: usize) -> Term {
    let bound = vec![bound(dice)];
    let body = int(dice, depth);
    let map = Term::lambda(Lambda { bound, body });
    if dice.below(2) == 0 { map } else { Term::store(map, bool(dice, 0), int(dice, 0)) }
}

fn hints(dice: &mut Dice) -> Vec<PoolHint> {
    match dice.below(3) {
        0 => vec![PoolHint { label: "P".into(), terms: vec![bool(dice, 0)] }],
        _ => vec![],
    }
}

/// A diamond of four blocks with three assertions.
fn question(dice: &mut Dice) -> Question {
    let edges: [&[u32]; 4] = [&[1, 2], &[3], &[3], &[]];
    let mut next_id = 0;
    let mut items = |dice: &mut Dice, asserts: usize| {
        let mut items = Vec::new();
        for _ in 0..asserts {
            items.push(Item::Assume { term: bool(dice, 3), hints: hints(dice) });
            let subsumes = dice.below(4) > 0;
            items.push(Item::Assert {
                term: bool(dice, 3),
                id: AssertId(next_id),
                hints: vec![],
                subsumes,
            });
            next_id += 1;
        }
        items
    };
    let blocks = edges.iter().enumerate().map(|(nth, edges)| PassiveBlock {
        label: "b".into(),
        items: items(dice, [1, 1, 0, 1][nth]),
        successors: edges.iter().map(|edge| BlockId(*edge)).collect(),
        site: None,
    });
    let mut question = Question::new(Passive::new(blocks.collect()).unwrap());
    question.signature.declare(pair());
    question
}

fn variables(question: &Question) -> Vec<Var> {
    let all: std::collections::BTreeSet<Var> = question.terms().flat_map(ir::free_vars).collect();
    all.into_iter().collect()
}

fn random_value(dice: &mut Dice, sort: &Sort) -> Value {
    let number = |dice: &mut Dice| Value::Int((i64::try_from(dice.below(7)).unwrap() - 3).into());
    match sort {
        Sort::Bool => Value::Bool(dice.below(2) == 0),
        Sort::Int => number(dice),
        Sort::Datatype(_) => evaluate(&closed_data(dice), &Env::default()).unwrap(),
        Sort::Array(..)
        | Sort::Real
        | Sort::BitVec(_)
        | Sort::Float(..)
        | Sort::RoundingMode
        | Sort::String
        | Sort::RegEx
        | Sort::Uninterpreted(_)
        | Sort::Seq(_) => {
            let entries: Vec<_> =
                (0..dice.below(3)).map(|_| (vec![number(dice)], number(dice))).collect();
            Value::Map(MapValue::new(entries, Some(number(dice))))
        }
    }
}

fn closed_data(dice: &mut Dice) -> Term {
    let number = i64::try_from(dice.below(5)).unwrap();
    let both = Term::ctor(&pair(), 1, vec![Term::int(number), Term::bool(dice.below(2) == 0)]);
    if dice.below(2) == 0 { Term::ctor(&pair(), 0, vec![]) } else { both }
}

/// The assertions that fail on some run with these values; nothing if a value is unknown.
fn failing(question: &Question, env: &Env) -> Option<Vec<AssertId>> {
    let blocks = question.passive.blocks();
    let mut reached = vec![false; blocks.len()];
    reached[0] = true;
    let mut found = Vec::new();
    for (nth, block) in blocks.iter().enumerate() {
        let mut alive = reached[nth];
        for item in &block.items {
            let (term, assertion) = match item {
                Item::Assume { term, .. } => (term, None),
                Item::Assert { term, id, subsumes, .. } => (term, Some((id, subsumes))),
                Item::Capture(_) => continue,
            };
            if !alive {
                continue;
            }
            let holds = evaluate(term, env).ok()? == Value::Bool(true);
            match assertion {
                Some((id, subsumes)) => {
                    if !holds {
                        found.push(*id);
                    }
                    alive &= holds || !subsumes;
                }
                None => alive &= holds,
            }
        }
        for next in block.successors.iter().filter(|_| alive) {
            reached[next.index()] = true;
        }
    }
    Some(found)
}

/// All variables at the values of the solver's first model, if there is one.
fn first_model(question: &Question) -> Option<Env> {
    let script = encode(question).unwrap();
    if script.trivial || !script.exact {
        return None;
    }
    let mut engine = InProcess::new(1000);
    let time = Duration::from_secs(10);
    let text =
        format!("{}(push 1)\n{}(check-sat)\n", crate::ask::Lane::default().options(0), script.text);
    if engine.eval(Start::Fresh, &text, time).unwrap() != "sat\n" {
        return None;
    }
    let mut vars = BTreeMap::new();
    let mut reader = Reader::new(&script.names);
    for var in variables(question) {
        let Ok(name) = script.term(&Term::var(var.clone())) else { continue };
        let printed = engine.eval(Start::Continue, &format!("(get-value ({name}))"), time).unwrap();
        let Some(Sexpr::List(pairs)) = sexpr::parse(&printed).unwrap().pop() else {
            panic!("{printed}")
        };
        let value = pairs[0].list().unwrap()[1].clone();
        vars.insert(var.clone(), reader.value(&value, &var.sort));
    }
    Some(Env { vars, ..Env::default() })
}

#[test]
fn verdicts_agree_with_evaluation() {
    let (mut proofs, mut refutations, mut confirmed, mut models) = (0, 0, 0, 0);
    for seed in 1..250 {
        let mut dice = Dice(seed * 0x9E37_79B9);
        let question = question(&mut dice);
        let verdicts = solve_here(&question, Limits::default());
        let proved: Vec<AssertId> =
            verdicts.iter().filter(|(_, v)| v.is_proved()).map(|(id, _)| *id).collect();
        proofs += proved.len();
        refutations += verdicts.iter().filter(|(_, v)| matches!(v, Verdict::Refuted(_))).count();
        confirmed += verdicts
            .iter()
            .filter(|(_, v)| matches!(v, Verdict::Refuted(refutation) if refutation.is_confirmed()))
            .count();
        // Assertions before a proved one are assumed, so look at runs that fail first there.
        for _ in 0..40 {
            let vars = variables(&question)
                .into_iter()
                .map(|var| (var.clone(), random_value(&mut dice, &var.sort)));
            let env = Env { vars: vars.collect(), ..Env::default() };
            let fails = failing(&question, &env).unwrap_or_default();
            assert!(
                !fails.iter().any(|id| proved.contains(id)),
                "seed {seed}: {fails:?} of {verdicts:?}"
            );
        }
        if let Some(env) = first_model(&question)
            && let Some(fails) = failing(&question, &env)
        {
            models += 1;
            assert!(!fails.is_empty(), "seed {seed}: the model is no failing run");
            assert!(!fails.iter().any(|id| proved.contains(id)), "seed {seed}");
        }
    }
    // The test is worth something only if all of these occur often.
    let counts = format!("{proofs} {refutations} {confirmed} {models}");
    assert!(proofs > 50 && refutations > 100 && confirmed > 100 && models > 50, "{counts}");
}

#[test]
fn a_question_that_was_written_down_has_the_same_verdicts() {
    for seed in 1..40 {
        let question = question(&mut Dice(seed * 0x9E37_79B9));
        let text = ir::pretty::write_question(&question);
        let again = ir::pretty::read_question(&text).unwrap();
        assert_eq!(crate::smt2(&question), crate::smt2(&again), "seed {seed}");
        assert_eq!(ir::fingerprint(&question), ir::fingerprint(&again), "seed {seed}");
    }
}
