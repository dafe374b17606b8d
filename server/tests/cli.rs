//! The command line as its users see it: a process, its output and its exit code.
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "helpers of tests stop at the first surprise"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn civl(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_civl")).args(arguments).output().expect("civl starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli");
    std::fs::create_dir_all(&folder).expect("a folder for test files");
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a test file");
    path
}

#[test]
fn the_version_names_the_tool_and_the_solver() {
    let output = civl(&["--version"]);
    let text = stdout(&output);
    assert!(text.starts_with("civl "), "{text}");
    assert!(text.contains("\nz3 4."), "{text}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_missing_file_is_bad_input_and_is_named() {
    let output = civl(&["verify", "/nowhere/at-all.bpl"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/nowhere/at-all.bpl"));
}

#[test]
fn a_wrong_option_is_bad_input() {
    assert_eq!(civl(&["verify", "--no-such-option"]).status.code(), Some(3));
    assert_eq!(civl(&["verify", "--time-limit", "-1", "x.bpl"]).status.code(), Some(3));
}

#[test]
fn an_unknown_library_is_bad_input() {
    let path = file("empty.bpl", b"");
    assert_eq!(
        civl(&["verify", "--lib", "nope", &path.display().to_string()]).status.code(),
        Some(3)
    );
}

#[test]
fn bytes_that_are_no_text_get_a_position() {
    let path = file("latin.bpl", b"// caf\xe9\nvar x: int;\n");
    let output = civl(&["verify", "--format", "json", &path.display().to_string()]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let first = &json["diagnostics"][0];
    assert_eq!(
        (first["code"].as_str(), first["line"].as_u64()),
        (Some("invalid-utf8"), Some(1)),
        "{json}"
    );
    assert_eq!(first["column"], 7);
    assert_eq!(output.status.code(), Some(3));
}

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/examples");
    folder.join(name).display().to_string()
}

#[test]
fn a_refuted_program_is_explained_by_a_run_and_a_page() {
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    let path = example("broken/spin_lock.bpl");
    let output = civl(&["verify", "--no-cache", "--report", &page.display().to_string(), &path]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("confirmed by replay"), "{text}");
    let html = std::fs::read_to_string(page.join("index.html")).expect("a page");
    assert!(html.contains("id=\"matrix\"") && html.contains("other threads"), "{html}");
}

#[test]
fn movers_are_shown_as_a_matrix_and_traces_by_name() {
    let text = stdout(&civl(&["movers", &example("treiber_stack.bpl")]));
    assert!(text.contains("first \\ second") && text.contains('✓'), "{text}");
    let output = civl(&["trace", "refinement*Acquire", &example("broken/spin_lock.bpl")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("refinement(Acquire) @ 1"));
    assert_eq!(civl(&["trace", "no-such-thing", &example("spin_lock.bpl")]).status.code(), Some(3));
}

#[test]
fn layers_and_declared_labels_need_no_solver() {
    let path = example("write_barrier.bpl");
    assert!(stdout(&civl(&["layers", &path])).contains("WriteBarrier"));
    assert!(stdout(&civl(&["movers", "--static", &path])).contains("WriteBarrier"));
    assert!(stdout(&civl(&["dump", "--at", "units", &path])).contains("Civl_"));
}

#[test]
fn a_second_run_asks_nothing() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    let _fresh = std::fs::remove_dir_all(&cache);
    let (cache, path) = (cache.display().to_string(), example("spin_lock.bpl"));
    let run = || {
        let output = civl(&["verify", "--format", "json", "--cache", &cache, &path]);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (
            json["verdict"].clone(),
            json["time"]["solver_cpu_ms"].as_u64(),
            json["obligations"]["cached"].as_u64(),
        )
    };
    let (verdict, _, cached) = run();
    assert_eq!((verdict.as_str(), cached), (Some("verified"), Some(0)));
    let (verdict, solver, cached) = run();
    assert_eq!((verdict.as_str(), solver), (Some("verified"), Some(0)));
    assert!(cached.is_some_and(|n| n > 0));
}

/// Two threads that add to one slot, each with a permission that `Take` returned.
const TWO_TAKERS: &str = "type Tid;
var {:layer 0,2} x: [Tid]int;
var {:layer 0,2} {:linear} pool: UnitMap (One Tid);
yield procedure {:layer 0} Read({:linear} me: One Tid) returns (v: int);
refines both action {:layer 1} _ { v := x[me->val]; }
yield procedure {:layer 0} Write({:linear} me: One Tid, v: int);
refines both action {:layer 1} _ { x[me->val] := v; }
yield procedure {:layer 1} Add({:linear} me: One Tid)
refines both action {:layer 2} _ { x[me->val] := x[me->val] + 1; }
{ var v: int; call v := Read(me); call Write(me, v + 1); }
yield procedure {:layer 2} Twice(t: Tid)
{
  var {:linear} a, b: One Tid;
  a := One(t);
  b := One(t);
  call Take(a);
  call Take(b);
  call Add(a) | Add(b);
}
";

#[test]
fn a_strict_run_refuses_permissions_from_nowhere() {
    let hidden = "yield procedure {:layer 0} Take({:hide} {:linear_out} p: One Tid);\n";
    let conjured = "type Tid;
yield procedure {:layer 0} Take({:linear_out} p: One Tid);
yield procedure {:layer 0} Twice(t: Tid)
{
  var a, b: One Tid;
  a := One(t);
  b := One(t);
  call Take(a);
  call Take(b);
  assert {:layer 0} a != b;
}";
    let handed_out = "right action {:layer 1,2} TAKE({:linear_out} p: One Tid)
{ assume Map_Contains(pool, p); call One_Get(pool, p); }
yield procedure {:layer 0} Take({:linear_out} p: One Tid);
refines TAKE;\n";
    let run = |text: &str, options: &[&str]| {
        let path = file("takers.bpl", text.as_bytes());
        let path = path.display().to_string();
        let fixed = ["verify", "--no-cache", "--format", "json"];
        let arguments = [&fixed[..], options, &[&path]].concat();
        let output = civl(&arguments);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let trusted = json["trusted"].as_array().expect("a list").iter();
        let promises = trusted.filter(|it| it["kind"] == "permission").count();
        (output.status.code(), json["verdict"].as_str().map(str::to_owned), promises)
    };
    let answer = |code, verdict: &str, promises| (Some(code), Some(verdict.to_owned()), promises);
    assert_eq!(run(conjured, &[]), answer(0, "verified", 1));
    assert_eq!(run(conjured, &["--strict"]), answer(2, "unknown", 1));
    // What is given at layer 0 only is not there at the layers of `Add`.
    assert_eq!(run(&format!("{TWO_TAKERS}{hidden}"), &[]), answer(1, "errors", 0));
    let handed_out = format!("{TWO_TAKERS}{handed_out}");
    assert_eq!(run(&handed_out, &["--strict"]), answer(0, "verified", 0));
}
