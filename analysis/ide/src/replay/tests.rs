//! Runs that are executed: real ones arrive, changed ones and runs of other programs do not.
#![allow(clippy::disallowed_methods, reason = "programs are read from their folders")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ir::{Refutation, StepKind, Value, Verdict};
use obligations::{AssertInfo, Moment, Unit, World};

use crate::proof::plan::VerifyOptions;
use crate::{AnalysisHost, Believed, Filter, NoStore, ProgramId};

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
        store: Arc::new(NoStore),
    }
}

/// A program, and its failing runs.
struct Failing {
    host: AnalysisHost,
    program: ProgramId,
    runs: Vec<FailingRun>,
}

struct FailingRun {
    question: ir::Question,
    unit: Arc<Unit>,
    info: AssertInfo,
    refutation: Refutation,
}

impl Failing {
    fn of(text: &str) -> Failing {
        let mut host = AnalysisHost::new();
        let file = host.set_file("a.bpl", text);
        let program = host.add_program(&[file], &[]).expect("no library is asked for");
        let analysis = host.analysis();
        let input = analysis.program(program);
        let mut runs = Vec::new();
        for planned in analysis.plan(program, &options()).map(|it| it.tasks).unwrap_or_default() {
            if !planned.task.unsupported.is_empty() {
                continue;
            }
            let question = &planned.task.obligation.question;
            for (id, verdict) in prover::solve_here(question, prover::Limits::default()) {
                let Verdict::Refuted(refutation) = verdict else { continue };
                let unit = obligations::unit_of(&analysis.db, input, planned.key.clone());
                let Some(info) = unit.assert(id).cloned() else { continue };
                runs.push(FailingRun { question: question.clone(), unit, info, refutation });
            }
        }
        Failing { host, program, runs }
    }

    fn doubt(&self, run: &FailingRun, refutation: &Refutation) -> Option<String> {
        let analysis = self.host.analysis();
        let world = World::new(&analysis.db, analysis.program(self.program));
        super::doubt_of(world, &run.unit, &run.info, refutation)
    }
}

fn programs() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut folders = vec![
        tests.join("examples/broken"),
        tests.join("explanations"),
        tests.join("confirmed"),
        tests.join("soundness"),
    ];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder exists") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "bpl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Another value of the same type.
fn changed(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(it) => Some(Value::Bool(!it)),
        Value::Int(it) => Some(Value::Int(it + 1)),
        Value::Data(data) => {
            let mut data = data.clone();
            let fields = data.fields.iter().position(|field| changed(field).is_some())?;
            data.fields[fields] = changed(&data.fields[fields])?;
            Some(Value::Data(data))
        }
        Value::Map(map) => {
            // Of a map over few indices only some of this may count, so everything changes.
            let default = changed(map.default()?)?;
            let entries = map.entries().map(|(at, it)| Some((at.to_vec(), changed(it)?)));
            let entries: Option<Vec<(Vec<Value>, Value)>> = entries.collect();
            Some(Value::Map(ir::MapValue::new(entries?, Some(default))))
        }
        Value::Real(_) | Value::BitVec(..) | Value::String(_) | Value::Element(_) => None,
        Value::Seq(_) | Value::Opaque(_) => None,
    }
}

/// Programs whose failures stay candidates: the gate of a right mover behind code that yields is asked
/// in an arbitrary state, which is none of the moments of a run; which locations are new, nobody
/// can list; and a result that only one path assigns is not known on the other.
const CANDIDATES: [&str; 3] = [
    "c01b_parallel_right_arm_gate_after_code.bpl",
    "c08_failure_preserved_by_stale_location.bpl",
    "c10d_action_makes_on_one_path.bpl",
];

/// Moments at which everything shown was computed from what was shown before.
const COMPUTED: [Moment; 3] = [Moment::BeforeAssertion, Moment::Return, Moment::BeforeOthers];

#[test]
fn runs_of_the_text_end_in_the_violation_and_changed_ones_do_not() {
    let (mut confirmed, mut corrupted) = (0, 0);
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a program");
        let candidates = text.lines().any(|line| line == "// candidates");
        let failing = Failing::of(&text);
        for run in failing.runs.iter().filter(|run| run.refutation.is_confirmed()) {
            if let Some(why) = failing.doubt(run, &run.refutation) {
                // A candidate, and shown as one.
                if candidates || CANDIDATES.iter().any(|it| path.ends_with(it)) {
                    continue;
                }
                panic!("{}: {:?} is not confirmed: {why}", path.display(), run.info.claim);
            }
            confirmed += 1;
            for wrong in corruptions(run) {
                corrupted += 1;
                let doubt = failing.doubt(run, &wrong);
                assert!(doubt.is_some(), "{}: {:?}", path.display(), run.info.claim);
            }
        }
    }
    assert!(confirmed > 140 && corrupted > 140, "only {confirmed} runs, {corrupted} changed");
}

/// The run with one value changed, in all ways that cannot be a run.
fn corruptions(run: &FailingRun) -> Vec<Refutation> {
    let trace = run.refutation.trace();
    let replay = run.refutation.replay().expect("a confirmed run has values");
    let mut found = Vec::new();
    for (nth, step) in trace.steps.iter().enumerate() {
        let StepKind::Capture(id) = step.kind else { continue };
        if !COMPUTED.contains(&run.unit.captures[id.0 as usize].moment) {
            continue;
        }
        for (position, (_, value)) in step.state.iter().enumerate() {
            let Some(other) = changed(value) else { continue };
            let mut trace = trace.clone();
            trace.steps[nth].state[position].1 = other;
            let (env, path) = (replay.env.clone(), replay.run.clone());
            found.push(Refutation::replayed(&run.question, env, path, trace));
        }
    }
    found
}

/// The run that refutes the first program is none of the second, which has the same shape.
#[track_caller]
fn check_other(first: &str, second: &str, why: &str) {
    let (first, second) = (Failing::of(first), Failing::of(second));
    let run = first.runs.first().expect("the first program is wrong");
    assert!(run.refutation.is_confirmed(), "{:?}", run.refutation.doubt());
    assert_eq!(first.doubt(run, &run.refutation), None);
    let doubt = second.doubt(run, &run.refutation).unwrap_or_default();
    assert!(doubt.contains(why), "{doubt}");
}

#[track_caller]
fn check_instead(text: &str, wrong: &str, right: &str, why: &str) {
    assert!(text.contains('§'));
    check_other(&text.replace('§', wrong), &text.replace('§', right), why);
}

/// What a wrong encoding would be like: the formulas speak about another program.
#[test]
fn a_run_of_other_formulas_is_not_confirmed() {
    let text = "procedure P(x: int where x § 0) { assert x >= 0; }";
    check_instead(text, "<=", ">=", "`where` clause is false");
    let text = "yield procedure {:layer 1} P(x: int where x § 0) { assert {:layer 1} x >= 0; }";
    check_instead(text, "<=", ">=", "`where` clause is false");
    let text = "procedure P() { var x: int; havoc x; assume x § 0; assert x >= 0; }";
    check_instead(text, "<=", ">=", "is false");
    let text = "procedure P(x: int) requires x § 0; { assert x >= 0; }";
    check_instead(text, "<=", ">=", "a precondition is false");
    let text = "procedure Q() returns (x: int); ensures x § 0;
procedure P() { var x: int; call x := Q(); assert x >= 0; }";
    check_instead(text, "<=", ">=", "not as shown");
    let text = "procedure {:inline 1} Q(a: int) returns (b: int) { b := a § a; }
procedure P() { var x: int; call x := Q(1); assert x == 2; }";
    check_instead(text, "-", "+", "not as shown");
    let text = "const n: int; axiom n § 0; procedure P() { assert n >= 0; }";
    check_instead(text, "<=", ">=", "an axiom is false");
}

#[test]
fn a_run_of_another_copy_is_not_confirmed() {
    let text = "var {:layer 0,1} x: int;
yield invariant {:layer 1} I(); preserves x § 0;
yield procedure {:layer 1} P() requires call I(); { call I(); assert {:layer 1} x >= 0; }";
    check_instead(text, "<=", ">=", "what a callee ensures is false");
    let text = "var {:layer 0,2} x: int;
yield procedure {:layer 0} W(); refines atomic action {:layer 1} _ { x := x § 1; }
yield procedure {:layer 1} P() refines atomic action {:layer 2} _ { x := x - 1; } { call W(); }";
    check_instead(text, "+", "-", "not as shown");
    let text = "var {:layer 0,2} x: int;
left action {:layer 1} A() { x := x + 1; }
action {:layer 1} B() { x := x § 2; }
yield procedure {:layer 0} PA(); refines A;
yield procedure {:layer 0} PB(); refines B;";
    check_instead(text, "*", "+", "does not do what is shown");
}
