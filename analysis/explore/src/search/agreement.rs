//! The fast machine and the slow one do the same.
//!
//! Both go through all states of small programs side by side: same moves, same values, same failures,
//! and equal states of one are equal states of the other.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::AtomicBool,
};

use ir::{
    exploration::{Answer, Scope, Violated},
    layer::{LayerProgram, ProcId},
    machine::{Claims, Configuration, Halt, Machine as Slow},
    pretty::read_layer,
};

use super::{Options, Prepared, explore, prepare};
use crate::{Grain, arena::Val, step::End};

const PROGRAMS: &[(&str, &str)] = &[
    ("async_calls", include_str!("../../test_data/async_calls.layer")),
    ("barrier", include_str!("../../test_data/barrier.layer")),
    ("bounded_buffer", include_str!("../../test_data/bounded_buffer.layer")),
    ("herlihy_wing_queue", include_str!("../../test_data/herlihy_wing_queue.layer")),
    ("mover_procedure", include_str!("../../test_data/mover_procedure.layer")),
    ("parallel_calls", include_str!("../../test_data/parallel_calls.layer")),
    ("peterson", include_str!("../../test_data/peterson.layer")),
    ("readers_writer_lock", include_str!("../../test_data/readers_writer_lock.layer")),
    ("ticket_lock", include_str!("../../test_data/ticket_lock.layer")),
    ("write_barrier", include_str!("../../test_data/write_barrier.layer")),
];

fn program(text: &str) -> LayerProgram {
    read_layer(text).expect("a layer as text")
}

/// Goes through at most so many states; how many there were.
fn side_by_side(name: &str, program: &LayerProgram, scope: &Scope, most: u32) -> u32 {
    let options = Options { grain: Grain::Micro, ..Options::default() };
    let cancel = AtomicBool::new(false);
    let Prepared { mut search, start, .. } = prepare(program, scope, &options, &cancel);
    search.begin(&start.expect("initial states")).expect("few initial states");
    let threads = search.machine.shape.threads as u32;
    let scope = Scope { threads, ..scope.clone() };
    let mut slow = Slow::new(program, &scope, &BTreeMap::new());
    slow.claims = Claims::Ignored;
    let mut known: BTreeMap<u32, Configuration> = BTreeMap::new();
    let mut back: BTreeMap<Configuration, Vec<Val>> = BTreeMap::new();
    for state in 0..search.states.len() {
        let row = search.states.get(state).to_vec();
        known.insert(state, slow.start(&search.start_of(&row)));
    }
    search.machine.recording = true;
    let mut at = 0;
    while at < search.states.len().min(most) {
        let row = search.states.get(at).to_vec();
        let from = known.get(&at).expect("a configuration").clone();
        search.machine.expand(&row);
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for nth in 0..search.machine.outcomes.len() {
            let made = search.machine.outcomes[nth].clone();
            // Started threads that have finished have no number of their own; such programs end here.
            assert_eq!(made.steps, 1, "{name}: one micro step at a time");
            *counts.entry(made.thread).or_default() += 1;
            let taken = slow.step(&from, made.thread, &made.choices);
            assert_eq!(taken.choices.len(), made.choices.len(), "{name}: decisions");
            match (taken.result, made.end) {
                (Ok((next, _)), End::Moved) => {
                    let after = search.machine.row(nth).to_vec();
                    let next = without_finished(next);
                    let old = back.insert(next.clone(), after.clone());
                    assert!(old.is_none_or(|old| old == after), "{name}: {next:?}");
                    search.states.insert(&after, at);
                    let place = (0..search.states.len())
                        .rev()
                        .find(|it| search.states.get(*it) == after)
                        .expect("a state");
                    let same = known.entry(place).or_insert_with(|| next.clone());
                    assert_eq!(*same, next, "{name}: one state, two configurations");
                }
                (Err(Halt::Failed { id, .. }), End::Failed(check)) => {
                    let condition = &search.machine.code.checks[check as usize];
                    assert_eq!(condition.id, id, "{name}: the failing condition");
                }
                (slow, fast) => panic!("{name}: slow {slow:?}, fast {fast:?}"),
            }
        }
        for thread in 0..from.threads.len() as u32 {
            let count = slow.successors(&from, thread).len();
            assert_eq!(count, counts.get(&thread).copied().unwrap_or(0), "{name}: moves");
        }
        at += 1;
    }
    at
}

/// The fast machine forgets started threads that have finished.
fn without_finished(mut config: Configuration) -> Configuration {
    config.threads.retain(|it| it.is_client || it.frame.is_some());
    config
}

#[test]
fn fast_and_slow_make_the_same_moves() {
    let mut states = BTreeMap::new();
    for (name, text) in PROGRAMS {
        let program = program(text);
        // Permissions are dealt out here, and fought for there.
        if takes_permissions(&program) {
            continue;
        }
        // A program of its own runs once.
        let is_main = |id: &ProcId| program.procedure(*id).is_some_and(super::is_main);
        let calls = Some(if program.roots.iter().any(is_main) { 1 } else { 2 });
        let scope = Scope { calls, ..Scope::default() };
        states.insert(*name, side_by_side(name, &program, &scope, 150));
    }
    assert!(states.len() >= 6, "{states:?}");
    assert!(states.values().sum::<u32>() > 700, "{states:?}");
}

fn takes_permissions(program: &LayerProgram) -> bool {
    let roots = program.roots.iter().filter_map(|id| program.procedure(*id));
    roots.flat_map(|it| &it.ins).any(|formal| !formal.holds.is_empty())
}

fn ask(program: &LayerProgram, grain: Grain, calls: Option<u32>) -> (Answer, u64) {
    let scope = Scope { calls, ..Scope::default() };
    let options = Options { grain, most_states: 200_000, ..Options::default() };
    let explored = explore(program, &scope, &options, &AtomicBool::new(false));
    (explored.exploration.answer, explored.exploration.stats.states)
}

#[test]
fn fusing_and_blocks_change_no_verdict() {
    for (name, text) in PROGRAMS.iter().filter(|it| it.0 != "async_calls") {
        let program = program(text);
        let mut sizes = Vec::new();
        for grain in [Grain::Micro, Grain::Shared, Grain::Blocks] {
            let (answer, states) = ask(&program, grain, Some(1));
            assert_eq!(answer, Answer::Exhausted, "{name} by {grain:?}");
            sizes.push(states);
        }
        assert!(sizes[0] >= sizes[1], "{name}: {sizes:?}");
    }
}

#[test]
fn a_raised_flag_ends_the_search() {
    let text = PROGRAMS.iter().find(|it| it.0 == "peterson").expect("the lock").1;
    let explored =
        explore(&program(text), &Scope::default(), &Options::default(), &AtomicBool::new(true));
    assert!(matches!(explored.exploration.answer, Answer::Truncated(_)));
}

#[test]
fn a_budget_of_states_is_kept() {
    let text = PROGRAMS.iter().find(|it| it.0 == "peterson").expect("the lock").1;
    let scope = Scope { calls: None, ..Scope::default() };
    let options = Options { most_states: 100, grain: Grain::Micro, ..Options::default() };
    let explored = explore(&program(text), &scope, &options, &AtomicBool::new(false));
    assert!(matches!(explored.exploration.answer, Answer::Truncated(_)));
    assert!(explored.exploration.stats.states < 100 + 10_000);
}

#[test]
fn two_runs_give_the_same_answer() {
    for (name, text) in PROGRAMS.iter().filter(|it| it.0 != "async_calls") {
        let program = program(text);
        let one = ask(&program, Grain::Shared, Some(1));
        assert_eq!(one, ask(&program, Grain::Shared, Some(1)), "{name}");
    }
}

/// The program with all assertions of actions denied, and whether there are any.
fn denied(mut program: LayerProgram) -> (LayerProgram, bool) {
    let mut denied = false;
    let nodes = program.actions.iter_mut().flat_map(|action| &mut action.nodes);
    for step in nodes.flat_map(|node| &mut node.steps) {
        if let ir::layer::Step::Assert(condition) = step {
            condition.term = ir::Term::not(condition.term.clone());
            denied = true;
        }
    }
    (program, denied)
}

/// An assertion that says the opposite fails, and the slow machine follows the run to it.
#[test]
fn what_is_found_is_confirmed() {
    let mut found = BTreeSet::new();
    for (name, text) in PROGRAMS {
        let (program, denied) = denied(program(text));
        if !denied {
            continue;
        }
        for grain in [Grain::Micro, Grain::Shared, Grain::Blocks] {
            let (answer, _) = ask(&program, grain, Some(1));
            let Answer::Violation(violation) = answer else { panic!("{name}: {answer:?}") };
            assert!(matches!(violation.what(), Violated::Check { .. }), "{name}");
            assert_eq!(violation.confirmed(), Ok(()), "{name} by {grain:?}");
        }
        found.insert(*name);
    }
    assert!(found.len() >= 3, "{found:?}");
}

/// Where every root borrows one permission, few deals do. All of them have more states, and the same
/// verdict.
#[test]
fn fewer_deals_change_no_verdict() {
    for name in ["barrier", "peterson"] {
        let text = PROGRAMS.iter().find(|it| it.0 == name).expect("a program").1;
        let right = program(text);
        for (program, breaks) in [(right.clone(), false), (denied(right).0, true)] {
            let mut sizes = Vec::new();
            for all in [false, true] {
                let scope = Scope { calls: Some(2), ..Scope::default() };
                let options = Options { grain: Grain::Shared, ..Options::default() };
                let cancel = AtomicBool::new(false);
                let Prepared { mut search, start, .. } =
                    prepare(&program, &scope, &options, &cancel);
                assert!(search.clients[0].0.borrows_one, "{name}");
                search.clients.iter_mut().for_each(|it| it.0.borrows_one &= !all);
                let answer = search.run(&start.expect("initial states"));
                let violated = matches!(answer, Answer::Violation(_));
                assert!(violated || answer == Answer::Exhausted, "{name}: {answer:?}");
                assert_eq!(violated, breaks, "{name}: {answer:?}");
                sizes.push(search.states.len());
            }
            assert!(sizes[0] < sizes[1], "{name}: {sizes:?}");
        }
    }
}
