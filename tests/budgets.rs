//! How long a person waits: latencies of the language server on a file of 2,000 lines; and how much
//! memory it takes.
//!
//! The figures are printed as `METRIC name p50 p95 (budget)`. They are held against the budgets only in an
//! optimised build (`cargo test --release`), with a margin for busy machines.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test that measures"
)]

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use civl_tests::client::{Client, PATIENCE};
use serde_json::{Value, json};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
const URI: &str = "file:///work/large.bpl";
const ROUNDS: usize = 40;
/// How much slower than its budget a figure may be before the test fails.
const MARGIN: f64 = 3.0;

/// What the server may take at most, in megabytes.
const MEMORY_MB: u64 = 150;

/// A program of 2,000 lines: counters, each with an action, a procedure and an invariant.
fn program() -> String {
    let mut text = String::new();
    for n in 0..91 {
        write!(
            text,
            "\
var {{:layer 0,1}} x{n}: int;

// Adds `by` to counter {n}.
atomic action {{:layer 1}} Bump{n}(by: int)
{{
  x{n} := x{n} + by;
}}

yield procedure {{:layer 0}} bump{n}(by: int);
refines Bump{n};

yield invariant {{:layer 1}} Positive{n}(low: int);
preserves low <= x{n};

yield procedure {{:layer 1}} work{n}()
{{
  var i: int;
  i := {n};
  assert {{:layer 1}} i <= {n};
  call bump{n}(i);
}}

"
        )
        .unwrap();
    }
    text
}

/// The line of `work40`.
const LINE_OF_WORK: u32 = 40 * 22 + 14;

struct Measured {
    name: &'static str,
    budget_ms: f64,
    times: Vec<Duration>,
}

impl Measured {
    fn new(name: &'static str, budget_ms: f64) -> Measured {
        Measured { name, budget_ms, times: Vec::new() }
    }

    fn take(&mut self, work: impl FnOnce()) {
        let began = Instant::now();
        work();
        self.times.push(began.elapsed());
    }

    fn at(&self, share: f64) -> f64 {
        let mut sorted = self.times.clone();
        sorted.sort();
        let place = ((sorted.len() - 1) as f64 * share).round() as usize;
        sorted[place].as_secs_f64() * 1000.0
    }

    fn report(&self) -> Option<String> {
        let (p50, p95) = (self.at(0.5), self.at(0.95));
        println!(
            "METRIC {:<24} p50 {p50:7.1} ms  p95 {p95:7.1} ms  (budget {} ms)",
            self.name, self.budget_ms
        );
        // A busy machine moves the tail, not the middle.
        (p50 > self.budget_ms * MARGIN).then(|| format!("{}: p50 {p50:.1} ms", self.name))
    }
}

fn has(code: &'static str) -> impl Fn(&[Value]) -> bool {
    move |all| all.iter().any(|d| d["code"] == code)
}

fn insert(client: &mut Client, version: i32, line: u32, text: &str) {
    let place = json!({"line": line, "character": 0});
    client.change(URI, version, json!([{"range": {"start": place, "end": place}, "text": text}]));
}

fn remove_line(client: &mut Client, version: i32, line: u32) {
    let range =
        json!({"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}});
    client.change(URI, version, json!([{"range": range, "text": ""}]));
}

/// One measures at a time: the other would be part of what is measured.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn nobody_waits_long() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let text = program();
    println!("{} lines", text.lines().count());
    let mut all = vec![initialize()];
    let mut client = Client::initialized(CIVL, capabilities());
    let mut open = Measured::new("open to diagnostics", 500.0);
    open.take(|| {
        client.open(URI, &text);
        client.diagnostics(URI, <[Value]>::is_empty);
    });
    all.push(open);
    all.extend(edits(&mut client));
    all.extend(questions(&mut client, &text));
    all.push(code_actions(&mut client));
    all.push(verdict(&mut client));
    all.push(cancel());
    let late: Vec<String> = all.iter().filter_map(Measured::report).collect();
    println!("METRIC memory {} MB", client.memory_kb() / 1024);
    if !cfg!(debug_assertions) {
        civl_tests::expect_none(&late);
    }
}

/// A wrong line is typed and taken back: once unreadable, once with an unknown name.
fn edits(client: &mut Client) -> Vec<Measured> {
    // Inside the body of `work40`.
    let line = LINE_OF_WORK + 3;
    let mut syntax = Measured::new("edit to syntax", 30.0);
    let mut meaning = Measured::new("edit to names and types", 100.0);
    let mut version = 2;
    for (measured, wrong, code) in [
        (&mut syntax, "  i := := 1;\n", "syntax-error"),
        (&mut meaning, "  i := nowhere;\n", "undeclared-identifier"),
    ] {
        for _ in 0..ROUNDS {
            measured.take(|| {
                insert(client, version, line, wrong);
                client.diagnostics(URI, has(code));
            });
            remove_line(client, version + 1, line);
            client.diagnostics(URI, <[Value]>::is_empty);
            client.inbox.clear();
            version += 2;
        }
    }
    vec![syntax, meaning]
}

fn questions(client: &mut Client, text: &str) -> Vec<Measured> {
    let offset = text.find("call bump50").unwrap() + 6;
    let line = text[..offset].matches('\n').count();
    let place = json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": 8}});
    let document = json!({"textDocument": {"uri": URI}});
    let start = json!({"line": LINE_OF_WORK, "character": 0});
    let end = json!({"line": LINE_OF_WORK + 60, "character": 0});
    let range = json!({"textDocument": {"uri": URI}, "range": {"start": start, "end": end}});
    let asked = [
        ("hover", "textDocument/hover", &place, 10.0),
        ("definition", "textDocument/definition", &place, 10.0),
        ("references", "textDocument/documentHighlight", &place, 50.0),
        ("completion", "textDocument/completion", &place, 30.0),
        ("semantic tokens", "textDocument/semanticTokens/full", &document, 30.0),
        ("symbols", "textDocument/documentSymbol", &document, 30.0),
        ("folding", "textDocument/foldingRange", &document, 10.0),
        ("pull diagnostics", "textDocument/diagnostic", &document, 100.0),
        ("inlay hints", "textDocument/inlayHint", &range, 50.0),
        ("code lenses", "textDocument/codeLens", &document, 30.0),
    ];
    let mut all = Vec::new();
    for (name, method, params, budget) in asked {
        let mut measured = Measured::new(name, budget);
        client.request(method, params.clone()).unwrap();
        for _ in 0..ROUNDS {
            measured.take(|| {
                client.request(method, params.clone()).unwrap();
            });
        }
        all.push(measured);
    }
    all
}

/// At the head of a procedure that refines nothing, another one each time: a stub is tried out.
fn code_actions(client: &mut Client) -> Measured {
    let mut measured = Measured::new("code actions", 100.0);
    for round in 0..ROUNDS {
        let at = json!({"line": round * 22 + 14, "character": 28});
        let context = json!({"diagnostics": []});
        let range = json!({"start": at, "end": at});
        let params = json!({"textDocument": {"uri": URI}, "range": range, "context": context});
        measured.take(|| {
            let found = client.request("textDocument/codeAction", params).unwrap();
            assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
        });
    }
    measured
}

fn capabilities() -> Value {
    json!({"capabilities": {}, "processId": null, "rootUri": null})
}

fn initialize() -> Measured {
    let mut measured = Measured::new("initialize", 150.0);
    for _ in 0..10 {
        let mut client = None;
        measured.take(|| {
            let mut new = Client::start(CIVL);
            new.request("initialize", capabilities()).unwrap();
            client = Some(new);
        });
    }
    measured
}

/// From saving the large file to the first answer about the procedure that was edited, which a
/// worker has to be asked for.
fn verdict(client: &mut Client) -> Measured {
    let mut measured = Measured::new("save to first verdict", 300.0);
    client.save(URI);
    client.wait_for("civl/obligations", |p| p["finished"] == true && p["stale"] == false);
    for round in 0..10 {
        let version = 1000 + round;
        let range = json!({
            "start": {"line": LINE_OF_WORK + 3, "character": 0},
            "end": {"line": LINE_OF_WORK + 4, "character": 0},
        });
        let text = format!("  havoc i; assume 0 <= i && i <= {round};\n");
        client.change(URI, version, json!([{"range": range, "text": text}]));
        // This client pulls, so nothing is pushed any more.
        client.request("textDocument/diagnostic", json!({"textDocument": {"uri": URI}})).unwrap();
        client.inbox.clear();
        let mut told = Value::Null;
        measured.take(|| {
            client.save(URI);
            told = client.wait_for("civl/obligations", |p| {
                let all = p["obligations"].as_array().cloned().unwrap_or_default();
                all.iter().any(|entry| {
                    let asked = entry["cached"] == false && entry["stale"] == false;
                    entry["owner"] == "work40" && entry["state"] == "proved" && asked
                })
            });
        });
        // The first answer may be the last as well.
        let settled = |p: &Value| p["finished"] == true && p["stale"] == false;
        if !settled(&told) {
            client.wait_for("civl/obligations", settled);
        }
    }
    measured
}

/// From an edit during a proof to the end of the workers.
fn cancel() -> Measured {
    let hard = "procedure Hard(a: int, b: int, c: int, n: int)\n{\n  assert n > 2 && a > 0 && b > 0 && c > 0 ==> \
        a * a * a * a * n + b * b * b * b * n != c * c * c * c * n;\n}\n";
    let uri = "file:///work/hard.bpl";
    let mut measured = Measured::new("edit to idle workers", 100.0);
    let mut client = Client::initialized(CIVL, capabilities());
    client.open(uri, hard);
    for round in 0..10 {
        client.save(uri);
        client.wait_for_workers();
        measured.take(|| {
            let text = format!("// {round}\n{hard}");
            client.change(uri, round + 2, json!([{"text": text}]));
            while !client.workers().is_empty() {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
    }
    measured
}

/// The generated program and, if there is a corpus, its largest program are opened and proved.
#[test]
fn a_proof_of_a_large_program_fits_into_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut programs = vec![("the generated program", civl_tests::large::program())];
    match std::env::var_os("CIVL_CORPUS") {
        Some(corpus) => {
            let path = std::path::Path::new(&corpus).join("large-samples/GC.bpl");
            programs.push(("GC", std::fs::read_to_string(path).expect("GC is in the corpus")));
        }
        None => println!("skipped: CIVL_CORPUS names no copy of the corpus"),
    }
    let mut too_much = Vec::new();
    for (name, text) in programs {
        let mut client = Client::initialized(CIVL, capabilities());
        client.open(URI, &text);
        client.save(URI);
        let list = client
            .try_wait_for("civl/obligations", 10 * PATIENCE, |p| p["finished"] == true)
            .expect("the run ends");
        let all = list["obligations"].as_array().expect("a list");
        let settled = all.iter().filter(|o| o["state"] == "proved" || o["state"] == "skipped");
        assert_eq!((settled.count(), !all.is_empty()), (all.len(), true), "{name} is proved");
        let peak = client.peak_memory_kb() / 1024;
        // The generated program has 38,000 obligations, four times as many: only told.
        let has_budget = name == "GC";
        let budget = if has_budget { format!(" (budget {MEMORY_MB} MB)") } else { String::new() };
        println!("METRIC memory of {name} {peak} MB{budget}, {} obligations", all.len());
        if has_budget && peak >= MEMORY_MB {
            too_much.push(format!("{name}: {peak} MB"));
        }
    }
    if !cfg!(debug_assertions) {
        civl_tests::expect_none(&too_much);
    }
}
