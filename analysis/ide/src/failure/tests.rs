//! Confirmed traces are run again, step by step, with other code than the one that confirmed them.
#![allow(clippy::disallowed_methods, reason = "the examples are read from their folder")]

use std::path::{Path, PathBuf};

use ir::{Item, Question, Refutation, StepKind, Value, Verdict};

use crate::proof::plan::VerifyOptions;
use crate::{AnalysisHost, Believed, Filter, NoStore};

fn options() -> VerifyOptions {
    VerifyOptions {
        jobs: 1,
        time_limit_ms: 30_000,
        step_limit: None,
        seed: 0,
        memory_mb: 2048,
        filter: Filter::default(),
        believed: Believed::default(),
        worker: PathBuf::new(),
        store: std::sync::Arc::new(NoStore),
    }
}

fn programs() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut found = Vec::new();
    for folder in ["examples/broken", "explanations"] {
        let entries = std::fs::read_dir(tests.join(folder)).expect("the folder exists");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        found.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "bpl")));
    }
    found.sort();
    found
}

/// Every failing run of the program, with its question.
fn refutations(path: &Path) -> Vec<(Question, Refutation)> {
    let mut host = AnalysisHost::new();
    let text = std::fs::read_to_string(path).expect("a program");
    let file = host.set_file("a.bpl", text);
    let program = host.add_program(&[file], &[]).expect("no library is asked for");
    let Ok(plan) = host.analysis().plan(program, &options()) else { return Vec::new() };
    let mut found = Vec::new();
    for planned in plan.tasks.iter().filter(|it| it.task.unsupported.is_empty()) {
        let question = &planned.task.obligation.question;
        for (_, verdict) in prover::solve_here(question, prover::Limits::default()) {
            if let Verdict::Refuted(refutation) = verdict {
                found.push((question.clone(), refutation));
            }
        }
    }
    found
}

/// Follows the run: every assumption on the way is true, every value shown is the value of its term,
/// the path is one of the program, and the last thing evaluated is the assertion, which is false.
fn follow(question: &Question, refutation: &Refutation) -> Result<usize, String> {
    let replay = refutation.replay().ok_or("nothing to follow")?;
    let truth = |term: &ir::Term| ir::evaluate(term, &replay.env);
    let mut shown = refutation.trace().steps.iter();
    let mut compared = 0;
    let blocks = question.passive.blocks();
    for (nth, id) in replay.run.path.iter().enumerate() {
        let block = &blocks[id.index()];
        if let Some(next) = replay.run.path.get(nth + 1)
            && !block.successors.contains(next)
        {
            return Err(format!("{} does not lead to {}", id.0, next.0));
        }
        for item in &block.items {
            match item {
                Item::Assume { term, .. } if truth(term) != Ok(Value::Bool(true)) => {
                    return Err(format!("not true: {term}"));
                }
                Item::Assert { term, id, .. } if *id == replay.run.failing => {
                    let last = nth + 1 == replay.run.path.len();
                    let fails = truth(term) == Ok(Value::Bool(false));
                    return (last && fails).then_some(compared).ok_or("it does not fail".into());
                }
                Item::Capture(capture) => {
                    let step = shown.find(|step| step.kind == StepKind::Capture(capture.id));
                    let step = step.ok_or("a step is missing")?;
                    for (name, value) in &step.state {
                        let own = capture.values.iter().find(|(known, _)| known == name);
                        let (_, term) = own.ok_or("a name is not captured")?;
                        match truth(term) {
                            Ok(known) if known != *value => {
                                return Err(format!("{name} is {known}, not {value}"));
                            }
                            Ok(_) => compared += 1,
                            Err(_) => {}
                        }
                    }
                }
                Item::Assume { .. } | Item::Assert { .. } => {}
            }
        }
    }
    Err("the run does not get to the assertion".into())
}

#[test]
fn every_confirmed_trace_ends_in_the_reported_violation() {
    let (mut confirmed, mut compared) = (0, 0);
    for path in programs() {
        for (question, refutation) in refutations(&path) {
            if refutation.is_confirmed() {
                confirmed += 1;
                match follow(&question, &refutation) {
                    Ok(values) => compared += values,
                    Err(why) => panic!("{}: {why}", path.display()),
                }
            }
        }
    }
    assert!(confirmed > 20, "only {confirmed} runs");
    assert!(compared > 100, "only {compared} values");
}
