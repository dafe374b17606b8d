//! Programs of layers, run: what is proved of a good example never fails in a run of it.
//!
//! Threads take turns at yields only, as the proofs of a layer have it; then every claim of the layer
//! holds, not only gates and assertions.

use std::collections::{BTreeMap, BTreeSet};

use ir::carriers::Carriers;
use ir::exploration::{Scope, Start};
use ir::layer::{LayerProgram, Next, Step};
use ir::machine::{Child, Claims, Configuration, Frame, Halt, Machine};
use ir::{Sort, Value};
use testing::Random;

use super::view::{CORPUS, EXAMPLES, for_each_layer};
use crate::layer_unit;

/// May others run before the next step of the frame?
fn gives_way(program: &LayerProgram, frame: &Frame) -> bool {
    let mut waits = false;
    for child in &frame.children {
        match child {
            Child::Running(child) => {
                if !gives_way(program, child) {
                    return false;
                }
                waits = true;
            }
            Child::Act(_) => waits = true,
            Child::Done => {}
        }
    }
    if waits {
        return true;
    }
    let procedure = &program.procedures[frame.procedure.index()];
    if procedure.mover.is_some() {
        return false;
    }
    let node = &procedure.nodes[frame.node.index()];
    match node.steps.get(frame.step) {
        Some(Step::Yield(..) | Step::Call(_) | Step::Par(..)) => true,
        Some(_) => frame.node.index() == 0 && frame.step == 0,
        None => node.next == Next::Return,
    }
}

fn random_start(program: &LayerProgram, scope: &Scope, random: &mut Random) -> Option<Start> {
    let (signature, vectors) = (&program.signature, &program.vectors);
    let carriers = Carriers { signature, vectors, scope };
    let mut any = |sort: &Sort| random.pick(&carriers.values(sort)?.values).cloned();
    let globals = program.globals.iter().map(|global| any(&global.var.sort));
    let globals = globals.collect::<Option<Vec<Value>>>()?;
    Some(Start { globals, functions: BTreeMap::new() })
}

#[derive(Default)]
struct Tally {
    steps: usize,
    returns: usize,
    unknown: BTreeMap<String, usize>,
    failures: Vec<String>,
}

/// A run in which threads take turns at yields.
fn walk(
    machine: &Machine<'_>,
    start: &Start,
    random: &mut Random,
    tally: &mut Tally,
) -> Option<Halt> {
    let mut config = machine.start(start);
    let mut current: Option<usize> = None;
    let mut idle = 0;
    for _ in 0..80 {
        let thread = current.unwrap_or_else(|| random.below(config.threads.len()));
        let thread_id = u32::try_from(thread).ok()?;
        let mut pick = |count: usize| if count == 0 { 0 } else { random.below(count) };
        let mut tries = (0..6).map(|_| machine.some(&config, thread_id, &mut pick).result);
        let Some(found) = tries.find(|it| *it != Err(Halt::Blocked)) else {
            // In the middle of a transaction this run ends; elsewhere another thread may move.
            match current {
                Some(_) => return None,
                None if idle > 3 => return None,
                None => {
                    idle += 1;
                    continue;
                }
            }
        };
        let (next, events) = match found {
            Ok(next) => next,
            Err(Halt::Unknown(why)) => {
                *tally.unknown.entry(why).or_default() += 1;
                return None;
            }
            Err(halt) => return Some(halt),
        };
        tally.steps += 1;
        tally.returns +=
            events.iter().filter(|it| matches!(it, ir::exploration::Event::Return { .. })).count();
        config = next;
        let runs = frame_of(&config, thread);
        current = runs.filter(|frame| !gives_way(machine.program, frame)).map(|_| thread);
    }
    None
}

fn frame_of(config: &Configuration, thread: usize) -> Option<&Frame> {
    config.threads.get(thread)?.frame.as_ref()
}

/// What fails in random runs of the programs of `folder` whose path has `part` in it.
fn walks(folder: &str, part: &str, but: &str, rounds: usize) -> Tally {
    let mut tally = Tally::default();
    let mut random = Random::new(5);
    for_each_layer(folder, |name, db, program, layer| {
        if !name.contains(part) || name.contains(but) {
            return;
        }
        let unit = layer_unit(db, program, layer);
        let scope = Scope { ints: (0, 2), ..Scope::default() };
        let mut machine = Machine::new(&unit.program, &scope, &BTreeMap::new());
        machine.claims = Claims::Checked;
        for _ in 0..rounds {
            let Some(start) = random_start(&unit.program, &scope, &mut random) else { continue };
            let found = walk(&machine, &start, &mut random, &mut tally);
            if let Some(Halt::Failed { id, why, .. }) = found {
                let claim = &unit.claims[id.0 as usize].claim;
                tally.failures.push(format!("{name}: {why:?} {claim:?}"));
            }
        }
    });
    tally.failures.sort();
    tally.failures.dedup();
    tally
}

#[test]
fn what_is_proved_of_the_examples_never_fails() {
    let tally = walks(EXAMPLES, "", "/broken/", 12);
    assert!(tally.failures.is_empty(), "{}", tally.failures.join("\n"));
    assert!(tally.steps > 1_000 && tally.returns > 80, "{} steps", tally.steps);
}

#[test]
fn broken_examples_fail() {
    let tally = walks(EXAMPLES, "/broken/", "nothing", 40);
    let program = |failure: &String| failure.split(".bpl").next().unwrap_or_default().to_owned();
    let programs: BTreeSet<String> = tally.failures.iter().map(program).collect();
    assert!(programs.len() >= 5, "{programs:#?}");
}

#[test]
fn what_is_proved_of_the_corpus_never_fails() {
    let tally = walks(CORPUS, "samples/", "nothing", 12);
    assert!(tally.failures.is_empty(), "{}", tally.failures.join("\n"));
}
