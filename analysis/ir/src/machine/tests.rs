//! Small programs, run to the end of all their runs.

use std::collections::{BTreeMap, BTreeSet};

use super::{Configuration, Halt, Machine, replay};
use crate::{
    command::AssertId,
    exploration::{Choice, Schedule, Scope, Start, Turn, Violated},
    layer::{LayerProgram, ProcId, Why},
    pretty::{SAMPLE_LAYER, read_layer},
    site::Site,
    value::Value,
};

/// Reading and writing in two steps loses an update.
const COUNTER: &str = "
(layer 1)
(var n Int)
(var seen Int)
(var r Int)
(var v Int)
(vectors)
(global n above real)
(action READ 1 N (in) (out r) (local) (reads n) (writes) (gate) (requires)
  (node 1 (return) (assign 1 (r n))))
(action WRITE 2 N (in v) (out) (local) (reads) (writes n) (gate) (requires)
  (node 2 (return) (assign 2 (n v))))
(procedure Add 3 (in) (out (seen ordinary)) (local) (requires) (ensures (ensures 7 (= n (+ seen 1)) 3))
  (node 3 (return)
    (act 0 4 (in) (out seen) (hidden))
    (act 1 5 (in (+ seen 1)) (out) (hidden))))
(roots 0)
";

/// Two locks, taken in both orders.
const LOCKS: &str = "
(layer 1)
(var a Bool)
(var b Bool)
(var first Bool)
(vectors)
(global a above real)
(global b above real)
(action A 1 R (in) (out) (local) (reads a) (writes a) (gate) (requires)
  (node 1 (return) (assume (not a) 1) (assign 1 (a true))))
(action B 2 R (in) (out) (local) (reads b) (writes b) (gate) (requires)
  (node 2 (return) (assume (not b) 2) (assign 2 (b true))))
(procedure P 3 (in (first ordinary)) (out) (local) (requires) (ensures)
  (node 3 (goto 1 2))
  (node 3 (goto 3) (assume first 4) (act 0 5 (in) (out) (hidden)) (act 1 6 (in) (out) (hidden)))
  (node 3 (goto 3) (assume (not first) 4) (act 1 7 (in) (out) (hidden)) (act 0 8 (in) (out) (hidden)))
  (node 3 (return) (assign 9 (a false) (b false))))
(roots 0)
";

fn int(value: i64) -> Value {
    Value::Int(value.into())
}

fn program(text: &str) -> LayerProgram {
    read_layer(text).unwrap_or_else(|error| panic!("{error}"))
}

fn start(globals: Vec<Value>) -> Start {
    Start { globals, functions: BTreeMap::new() }
}

/// Everything that can be reached, and what fails on the way.
fn explored(machine: &Machine<'_>, start: &Start) -> (BTreeSet<Configuration>, Vec<Halt>) {
    let first = machine.start(start);
    let mut seen = BTreeSet::from([first.clone()]);
    let mut todo = vec![first];
    let mut halts = Vec::new();
    while let Some(config) = todo.pop() {
        for thread in 0..config.threads.len() {
            for found in machine.successors(&config, u32::try_from(thread).unwrap()) {
                let again = machine.step(&config, u32::try_from(thread).unwrap(), &found.choices);
                assert_eq!(again, found, "a step follows from its choices");
                match found.result {
                    Ok((next, _)) => {
                        if seen.insert(next.clone()) {
                            todo.push(next);
                        }
                    }
                    Err(halt) => halts.push(halt),
                }
            }
        }
    }
    (seen, halts)
}

/// The states of two threads that each add one, counted without any machine: a thread is before its
/// call (0), in it (1), has read (2, what), has written (3, what), has returned (4).
fn counted() -> usize {
    type State = (u8, [(u8, u8); 2]);
    let first: State = (0, [(0, 0); 2]);
    let mut seen = BTreeSet::from([first]);
    let mut todo = vec![first];
    while let Some((n, threads)) = todo.pop() {
        for thread in 0..2 {
            let (mut n, mut threads) = (n, threads);
            threads[thread] = match threads[thread] {
                (0, _) => (1, 0),
                (1, _) => (2, n),
                (2, read) => {
                    n = read + 1;
                    (3, read)
                }
                (3, _) => (4, 0),
                _other => continue,
            };
            if seen.insert((n, threads)) {
                todo.push((n, threads));
            }
        }
    }
    seen.len()
}

#[test]
fn all_interleavings_are_found() {
    let program = program(COUNTER);
    let scope = Scope::default();
    let machine = Machine::new(&program, &scope, &BTreeMap::new());
    let (seen, halts) = explored(&machine, &start(vec![int(0)]));
    assert_eq!(halts, []);
    let is_over = |it: &&Configuration| it.threads.iter().all(|it| it.calls == 1);
    let ends: BTreeSet<&Value> =
        seen.iter().filter(is_over).flat_map(|it| it.globals.values()).collect();
    assert_eq!(ends, BTreeSet::from([&int(1), &int(2)]));
    assert_eq!(seen.len(), counted());
}

fn turn(thread: u32, steps: u32, choices: Vec<Choice>) -> Turn {
    Turn { thread, steps, choices }
}

#[test]
fn a_violation_is_followed_and_others_are_refused() {
    let program = program(COUNTER);
    let scope = Scope::default();
    let call = || vec![Choice::Root(ProcId(0))];
    // Both read 0; the second writes after the first has.. and before it returns: fine for neither.
    let turns = vec![
        turn(0, 2, call()),
        turn(1, 3, call()),
        turn(1, 1, vec![]),
        turn(0, 1, vec![]),
        turn(0, 1, vec![]),
    ];
    let schedule = |turns: &[Turn]| Schedule { start: start(vec![int(0)]), turns: turns.to_vec() };
    let what = Violated::Check { id: AssertId(7), why: Why::Ensures, site: Site(3) };
    let refused = replay(&program, &scope, &what, &schedule(&turns)).unwrap_err();
    assert_eq!((refused.turn, refused.what.as_str()), (5, "nothing fails"));
    // Here the first sees 0 and returns after the second has made it 2.
    let turns = [turn(0, 3, call()), turn(1, 3, call()), turn(0, 1, vec![])];
    assert_eq!(replay(&program, &scope, &what, &schedule(&turns)), Ok(()));
    let other = Violated::Check { id: AssertId(8), why: Why::Ensures, site: Site(3) };
    assert!(replay(&program, &scope, &other, &schedule(&turns)).is_err());
    let superfluous = [turn(0, 3, vec![Choice::Root(ProcId(0)), Choice::Branch(0)])];
    assert!(replay(&program, &scope, &what, &schedule(&superfluous)).is_err());
}

#[test]
fn locks_in_opposite_order_are_stuck() {
    let program = program(LOCKS);
    let scope = Scope::default();
    let machine = Machine::new(&program, &scope, &BTreeMap::new());
    let globals = || start(vec![Value::Bool(false), Value::Bool(false)]);
    let (seen, halts) = explored(&machine, &globals());
    assert_eq!(halts, []);
    let stuck: Vec<_> =
        seen.iter().filter_map(|it| machine.stuck(it).expect("everything is known")).collect();
    assert_eq!(stuck, vec![BTreeSet::from([Site(6), Site(8)]); 2]);
    let enter = |first| {
        vec![
            Choice::Root(ProcId(0)),
            Choice::Value(Value::Bool(first)),
            Choice::Branch(u32::from(!first)),
        ]
    };
    let turns = vec![turn(0, 3, enter(true)), turn(1, 3, enter(false))];
    let schedule = Schedule { start: globals(), turns };
    let deadlock = Violated::Deadlock(vec![Site(8), Site(6)]);
    assert_eq!(replay(&program, &scope, &deadlock, &schedule), Ok(()));
    let elsewhere = Violated::Deadlock(vec![Site(5), Site(6)]);
    assert!(replay(&program, &scope, &elsewhere, &schedule).is_err());
}

#[test]
fn a_branch_whose_guard_is_false_is_not_entered() {
    let program = program(LOCKS);
    let scope = Scope { threads: 1, ..Scope::default() };
    let machine = Machine::new(&program, &scope, &BTreeMap::new());
    let first = machine.start(&start(vec![Value::Bool(false), Value::Bool(false)]));
    let calls = machine.successors(&first, 0);
    assert_eq!(calls.len(), 2, "one for each argument");
    for call in calls {
        let (config, _) = call.result.unwrap();
        assert_eq!(machine.successors(&config, 0).len(), 1);
    }
}

#[test]
fn calls_arms_threads_and_new_values_run() {
    let program = program(SAMPLE_LAYER);
    let scope = Scope { threads: 1, ..Scope::default() };
    let machine = Machine::new(&program, &scope, &BTreeMap::new());
    let nothing = crate::carriers::least(&program.signature, &program.globals[1].var.sort).unwrap();
    let (seen, halts) = explored(&machine, &start(vec![int(0), nothing.clone()]));
    assert_eq!(halts, []);
    assert!(seen.iter().any(|it| it.threads.len() == 2 && it.threads[0].calls == 1));
    assert!(seen.iter().any(|it| it.threads.len() == 2 && it.threads[1].frame.is_none()));
    // With 2 in it at the start, what the first call returns breaks the gate of a later one.
    let (_, halts) = explored(&machine, &start(vec![int(2), nothing]));
    let gate = Halt::Failed { id: AssertId(0), why: Why::Gate, site: Site(2) };
    assert!(!halts.is_empty() && halts.iter().all(|halt| *halt == gate), "{halts:?}");
}

/// Waits for a number above 5; runs start with `a`.
const WAITING: &str = "
(layer 1)
(var a Bool)
(var v Int)
(vectors)
(global a above real)
(narrowed a)
(action PICK 1 N (in) (out) (local v) (reads) (writes) (gate) (requires)
  (node 1 (return) (havoc 1 v) (assume (< 5 v) 1)))
(procedure P 3 (in) (out) (local) (requires) (ensures)
  (node 3 (return) (act 0 4 (in) (out) (hidden))))
(roots 0)
";

/// A deadlock is none where a value beyond the scope may end it, and none in a run that starts as no
/// run does.
#[test]
fn deadlocks_need_all_values_and_a_start_that_exists() {
    let program = program(WAITING);
    let call = Turn { thread: 0, steps: 1, choices: vec![Choice::Root(ProcId(0))] };
    let deadlock = Violated::Deadlock(vec![Site(4)]);
    let judged = |ints, a| {
        let scope = Scope { threads: 1, ints, ..Scope::default() };
        let schedule = Schedule { start: start(vec![Value::Bool(a)]), turns: vec![call.clone()] };
        replay(&program, &scope, &deadlock, &schedule).expect_err("no deadlock").what
    };
    assert!(judged((0, 1), true).contains("a value beyond the scope"));
    assert!(judged((0, 6), true).contains("some can move"));
    assert!(judged((0, 1), false).contains("`where` clause"));
}
