//! Random programs, run by the book, as the judge of every program transformation.
//!
//! **In:** a seed.
//! **Out:** agreement of passification, slicing, if-conversion and weakest preconditions
//! with an interpreter that knows nothing of them: it follows every path with values.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    command::{AssertId, Block, BlockId, Command, Program},
    convert::if_convert,
    eval::{Env, evaluate},
    op::Op,
    passify::passify,
    passive::{Item, Passive},
    samples::{Dice, bvar, ivar},
    term::{Term, TermKind, Var},
    value::Value,
    wp::{Closing, Origin, gate},
};

/// A small acyclic program over `x y z p q`. With `open`, some branches have no guard.
fn random_program(dice: &mut Dice, open: bool) -> Program {
    let count = 3 + dice.roll(5);
    let mut blocks: Vec<Block> = (0..count).map(|nth| Block::new(format!("b{nth}"))).collect();
    let mut id = 0;
    for block in &mut blocks {
        for _ in 0..dice.roll(4) {
            let command = random_command(dice, &mut id);
            block.commands.push(command);
        }
    }
    for (nth, block) in blocks.iter_mut().enumerate().take(count - 1) {
        let later = |dice: &mut Dice| BlockId((nth + 1 + dice.roll(count - nth - 1)) as u32);
        block.successors = match dice.roll(3) {
            0 => vec![later(dice)],
            _ if open => vec![later(dice), later(dice)],
            _ => vec![],
        };
    }
    if !open {
        guard_branches(dice, &mut blocks);
    }
    let vars = vec![ivar("x"), ivar("y"), bvar("p")];
    Program { vars, blocks, entry: BlockId(0) }
}

/// Makes a chain of conditionals out of what has no successor yet.
fn guard_branches(dice: &mut Dice, blocks: &mut Vec<Block>) {
    for nth in 0..blocks.len() - 1 {
        if !blocks[nth].successors.is_empty() {
            continue;
        }
        let guard = plain_formula(dice);
        for condition in [guard.clone(), Term::not(guard)] {
            let arm = BlockId(blocks.len() as u32);
            let mut id = 1000 + 10 * arm.0;
            let mut commands = vec![Command::assume(condition)];
            commands.extend((0..dice.roll(3)).map(|_| random_command(dice, &mut id)));
            blocks.push(Block {
                commands,
                successors: vec![BlockId(nth as u32 + 1)],
                ..Block::new("arm")
            });
            blocks[nth].successors.push(arm);
        }
    }
}

/// A formula without quantifiers or maps, so that it always has a value.
fn plain_formula(dice: &mut Dice) -> Term {
    let number = |dice: &mut Dice| {
        let name = ["x", "y", "z"][dice.roll(3)];
        Term::add(Term::var(ivar(name)), Term::int(dice.roll(3) as i64 - 1))
    };
    match dice.roll(4) {
        0 => Term::var(bvar(["p", "q"][dice.roll(2)])),
        1 => Term::eq(number(dice), number(dice)),
        2 => Term::not(Term::lt(number(dice), number(dice))),
        _ => Term::or([Term::lt(number(dice), number(dice)), Term::var(bvar("q"))]),
    }
}

fn random_command(dice: &mut Dice, id: &mut u32) -> Command {
    let sum = |dice: &mut Dice| {
        let name = ["x", "y", "z"][dice.roll(3)];
        Term::add(Term::var(ivar(name)), Term::int(dice.roll(3) as i64 - 1))
    };
    match dice.roll(6) {
        0 => Command::assume(plain_formula(dice)),
        1 | 2 => {
            *id += 1;
            let subsumes = dice.roll(3) != 0;
            Command::Assert {
                term: plain_formula(dice),
                id: AssertId(*id),
                hints: vec![],
                subsumes,
            }
        }
        3 => Command::assign(bvar("p"), plain_formula(dice)),
        4 => Command::assign(ivar("x"), sum(dice)),
        _ => Command::Assign(vec![(ivar("x"), sum(dice)), (ivar("y"), sum(dice))]),
    }
}

fn random_state(dice: &mut Dice) -> Env {
    let mut env = Env::default();
    for name in ["x", "y", "z"] {
        env.vars.insert(ivar(name), Value::Int((dice.roll(4) as i64 - 1).into()));
    }
    for name in ["p", "q"] {
        env.vars.insert(bvar(name), Value::Bool(dice.roll(2) == 0));
    }
    env
}

fn value(term: &Term, env: &Env) -> Value {
    evaluate(term, env).unwrap_or_else(|what| panic!("{term}: {what}"))
}

fn is_true(term: &Term, env: &Env) -> bool {
    value(term, env) == Value::Bool(true)
}

/// The assertions that fail on some path. `stop`: a subsuming failure ends its path.
fn failures(program: &Program, start: &Env, stop: bool) -> BTreeSet<AssertId> {
    let mut failed = BTreeSet::new();
    let mut work = vec![(program.entry, start.clone())];
    while let Some((id, mut env)) = work.pop() {
        let block = &program.blocks[id.index()];
        if block.commands.iter().all(|command| step(command, &mut env, stop, &mut failed)) {
            work.extend(block.successors.iter().map(|next| (*next, env.clone())));
        }
    }
    failed
}

/// Executes one command; false: the path ends here.
fn step(command: &Command, env: &mut Env, stop: bool, failed: &mut BTreeSet<AssertId>) -> bool {
    match command {
        Command::Assume { term, .. } => is_true(term, env),
        Command::Assert { term, id, subsumes, .. } => {
            let holds = is_true(term, env);
            if !holds {
                failed.insert(*id);
            }
            holds || !(stop && *subsumes)
        }
        Command::Assign(pairs) => {
            let values: Vec<(Var, Value)> =
                pairs.iter().map(|(var, term)| (var.clone(), value(term, env))).collect();
            env.vars.extend(values);
            true
        }
        Command::Havoc(_) | Command::Capture(_) => true,
    }
}

/// The assertions that fail on some path; the first equation of a name defines it.
fn passive_failures(passive: &Passive, start: &Env) -> BTreeSet<AssertId> {
    let mut failed = BTreeSet::new();
    let mut work = vec![(BlockId(0), start.clone())];
    while let Some((id, mut env)) = work.pop() {
        let block = &passive.blocks()[id.index()];
        if block.items.iter().all(|item| passive_step(item, &mut env, &mut failed)) {
            work.extend(block.successors.iter().map(|next| (*next, env.clone())));
        }
    }
    failed
}

fn passive_step(item: &Item, env: &mut Env, failed: &mut BTreeSet<AssertId>) -> bool {
    match item {
        Item::Assume { term, .. } => {
            define(term, env);
            is_true(term, env)
        }
        Item::Assert { term, id, subsumes, .. } => {
            let holds = is_true(term, env);
            if !holds {
                failed.insert(*id);
            }
            holds || !subsumes
        }
        Item::Capture(_) => true,
    }
}

/// `name == e`, and for truth values also `name` and `!name`, define a new name.
fn define(term: &Term, env: &mut Env) {
    let (side, defined) = match (term.kind(), term.as_app()) {
        (TermKind::Var(_), _) => (term, Value::Bool(true)),
        (_, Some((Op::Not, args))) if args[0].as_var().is_some() => (&args[0], Value::Bool(false)),
        (_, Some((Op::Eq, args))) => match evaluate(&args[1], env) {
            Ok(value) => (&args[0], value),
            Err(_) => return,
        },
        _ => return,
    };
    if let Some(var) = side.as_var() {
        env.vars.entry(var.clone()).or_insert(defined);
    }
}

fn check(open: bool, mut judge: impl FnMut(&Program, &Env, &mut Dice)) {
    for seed in 1..600 {
        let mut dice = Dice::new(seed);
        let program = random_program(&mut dice, open);
        for _ in 0..4 {
            let env = random_state(&mut dice);
            judge(&program, &env, &mut dice);
        }
    }
}

#[test]
fn passification_keeps_every_failure_and_invents_none() {
    let mut failing = 0;
    for open in [true, false] {
        check(open, |program, env, _| {
            let expected = failures(program, env, true);
            assert_eq!(passive_failures(&passify(program).unwrap(), env), expected, "{program:#?}");
            failing += usize::from(!expected.is_empty());
        });
    }
    assert!(failing > 500, "{failing}");
}

#[test]
fn a_slice_fails_exactly_where_the_whole_program_does() {
    check(true, |program, env, dice| {
        let passive = passify(program).unwrap();
        let selected: Vec<AssertId> =
            passive.asserts().into_iter().filter(|_| dice.roll(2) == 0).collect();
        let mut expected = failures(program, env, true);
        expected.retain(|id| selected.contains(id));
        assert_eq!(
            passive_failures(&passive.select(&selected), env),
            expected,
            "{selected:?} {program:#?}"
        );
    });
}

#[test]
fn if_conversion_keeps_every_failure_and_invents_none() {
    let mut folded = 0;
    for open in [true, false] {
        check(open, |program, env, _| {
            let converted = if_convert(program).unwrap();
            assert_eq!(
                failures(&converted, env, true),
                failures(program, env, true),
                "{program:#?}"
            );
            let edges = |program: &Program| {
                program.blocks.iter().map(|block| block.successors.len()).sum::<usize>()
            };
            folded += usize::from(edges(&converted) + 2 < edges(program));
        });
    }
    assert!(folded > 500, "{folded}");
}

#[test]
fn the_gate_is_false_exactly_where_an_assertion_can_fail() {
    for open in [true, false] {
        check(open, |program, env, _| {
            let mut violated: BTreeMap<AssertId, bool> = BTreeMap::new();
            for conjunct in gate(program, &Closing::default()).unwrap() {
                let Origin::Assert(id) = conjunct.origin else {
                    panic!("no postcondition was given")
                };
                *violated.entry(id).or_default() |= !is_true(&conjunct.term, env);
            }
            violated.retain(|_, violated| *violated);
            let expected = failures(program, env, false);
            assert_eq!(violated.into_keys().collect::<BTreeSet<_>>(), expected, "{program:#?}");
        });
    }
}
