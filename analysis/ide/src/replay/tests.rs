//! Runs that are executed: real ones arrive, changed ones and runs of other programs do not.
#![allow(
    clippy::disallowed_methods,
    clippy::wildcard_enum_match_arm,
    reason = "programs are read from their folders; what a test cannot handle fails it"
)]

use std::collections::BTreeMap;
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
        super::run_of(world, &run.unit, &run.info, refutation).err()
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

/// Random values of a sort, over at most three elements of each uninterpreted one.
struct Dice<'q> {
    state: u64,
    question: &'q ir::Question,
}

impl Dice<'_> {
    fn roll(&mut self, sides: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % sides
    }

    fn value(&mut self, sort: &ir::Sort) -> Value {
        match sort {
            ir::Sort::Bool => Value::Bool(self.roll(2) == 0),
            ir::Sort::Int => Value::Int((self.roll(4) as i64 - 1).into()),
            ir::Sort::Uninterpreted(name) => self.element(name, None),
            ir::Sort::Datatype(name) => {
                let def = self.question.signature.datatypes[name].clone();
                let nth = self.roll(def.ctors().len() as u64) as usize;
                let ctor = &def.ctors()[nth];
                let fields = ctor.fields.iter().map(|(_, sort)| self.value(sort)).collect();
                let (datatype, name) = (name.clone(), ctor.name.clone());
                Value::Data(ir::Data { datatype, ctor: nth as u32, name, fields })
            }
            ir::Sort::Array(indices, element) => {
                let rows = (0..6).map(|_| {
                    let index = indices.iter().map(|sort| self.value(sort)).collect();
                    (index, self.value(element))
                });
                let rows: Vec<(Vec<Value>, Value)> = rows.collect();
                let is_set = **element == ir::Sort::Bool;
                let default = if is_set { Value::Bool(false) } else { self.value(element) };
                Value::Map(ir::MapValue::new(rows, Some(default)))
            }
            other => panic!("no values of {other}"),
        }
    }

    fn element(&mut self, sort: &ir::Symbol, index: Option<u32>) -> Value {
        let index = index.unwrap_or_else(|| self.roll(3) as u32);
        Value::Element(ir::Element { sort: sort.clone(), index })
    }
}

const LIBRARIES: &str = "type E;
procedure A(s: [int]bool, t: [E]bool, i: int, e: E, r: [E]bool)
{
  assert Choice(s) == 3;
  assert Choice(t) == e;
  assert Set_Size(Set_Add(s, i)) < 3;
  assert Set_Size(Set_Union(Set_Remove(t, e), Set_Difference(t, r))) < Set_Size(Set_Intersection(t, r));
}
procedure B(h: [One Loc]Node int, a: Option Loc, l: Loc, n: Node int)
{
  assert Between(h, a, a, a);
  assert Avoiding(h[One(l) := n], a, a, None());
}";

/// The axioms of a library are never false of what its functions are computed to be.
#[test]
fn functions_of_libraries_satisfy_their_axioms() {
    let mut host = AnalysisHost::new();
    let file = host.set_file("a.bpl", LIBRARIES);
    let program =
        host.add_program(&[file], &["node".into(), "set_size".into()]).expect("libraries of ours");
    let plan = host.analysis().plan(program, &options()).expect("a plan");
    let (mut held, mut seen) = (0, std::collections::BTreeSet::new());
    for planned in &plan.tasks {
        let question = &planned.task.obligation.question;
        for axiom in &question.library {
            let (bound, body) = match axiom.kind() {
                ir::TermKind::Quant(quant) => (quant.bound.clone(), quant.body.clone()),
                _closed => (Vec::new(), axiom.clone()),
            };
            for seed in 1..80 {
                let mut dice =
                    Dice { state: u64::wrapping_mul(seed, 0x9E37_79B9_7F4A_7C15), question };
                let mut env = ir::Env::default();
                for bound in &bound {
                    env.vars.insert(bound.var.clone(), dice.value(&bound.var.sort));
                }
                for (nth, sort) in ["E", "Loc"].into_iter().enumerate() {
                    for index in 0..3 {
                        let name = format!("carrier {nth} {index}");
                        let var = ir::Var::new(name, ir::Sort::Uninterpreted(sort.into()));
                        let element = dice.element(&sort.into(), Some(index));
                        env.vars.insert(var, element);
                    }
                }
                let env = env.in_structure_of(question);
                assert!(env.granted.contains(axiom), "{axiom} is not granted");
                match ir::evaluate(&body, &env) {
                    Ok(Value::Bool(true)) => {
                        held += 1;
                        seen.insert(axiom.clone());
                    }
                    Ok(other) => panic!("{axiom} is {other} with {:?}", env.vars),
                    Err(_) => {}
                }
            }
        }
    }
    assert!(seen.len() > 20 && held > 1_000, "{} axioms, {held} times", seen.len());
}

/// The globals that a moment of the trace shows.
fn globals_at(failing: &Failing, run: &FailingRun) -> Vec<(Moment, BTreeMap<String, Value>)> {
    let analysis = failing.host.analysis();
    let world = World::new(&analysis.db, analysis.program(failing.program));
    let mut found = Vec::new();
    for step in &run.refutation.trace().steps {
        let StepKind::Capture(id) = step.kind else { continue };
        let Some(point) = run.unit.captures.get(id.0 as usize) else { continue };
        let is_global = |name: &str| world.global(&base::Name::new(name)).is_some();
        let state = step.state.iter().filter(|(name, _)| is_global(name.as_str()));
        let state = state.map(|(name, value)| (name.to_string(), value.clone()));
        found.push((point.moment.clone(), state.collect()));
    }
    found
}

#[test]
fn the_steps_between_two_moments_lead_from_one_to_the_other() {
    let (mut steps, mut compared) = (0, 0);
    let is_told = |path: &PathBuf| !path.iter().any(|part| part == "soundness");
    for path in programs().into_iter().filter(is_told) {
        let failing = Failing::of(&std::fs::read_to_string(&path).expect("a program"));
        for run in &failing.runs {
            let analysis = failing.host.analysis();
            let world = World::new(&analysis.db, analysis.program(failing.program));
            let Ok(ran) = super::run_of(world, &run.unit, &run.info, &run.refutation) else {
                continue;
            };
            let moments = globals_at(&failing, run);
            let (mut seen, mut state) = (0, BTreeMap::new());
            for event in &ran.events {
                match event {
                    super::Event::Step(step) => {
                        steps += 1;
                        let changes = step.changes.iter();
                        state.extend(changes.map(|it| (it.name.to_string(), it.after.clone())));
                    }
                    super::Event::Moment => {
                        let (moment, shown) = &moments[seen];
                        for (name, value) in shown.iter().filter(|_| COMPUTED.contains(moment)) {
                            let Some(told) = state.get(name) else { continue };
                            assert_eq!(told, value, "{}: {name} at {moment:?}", path.display());
                            compared += 1;
                        }
                        (seen, state) = (seen + 1, shown.clone());
                    }
                    super::Event::Did => {}
                }
            }
        }
    }
    assert!(steps > 60 && compared > 40, "{steps} steps, {compared} values");
}
