//! Random typing with verification on: nothing crashes, hangs, leaks or is proved wrongly.
//!
//! An ordinary run takes a few seconds. `CIVL_FUZZ_SECONDS=3600` makes it an hour,
//! `CIVL_FUZZ_SEED` another hour, `CIVL_BINARY` names a faster `civl`.
//!
//! What is held against it:
//! - every request is answered, with a result or with "content modified" or "cancelled";
//! - whenever typing pauses, the verdict of the editor is the one of a fresh command line that
//!   reads the same text and no cache (where a time limit stopped either, this is counted);
//! - memory after the first tenth of the time grows by at most half;
//! - no process of ours is left when the server has gone.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test that starts programs, measures and prints"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use civl_tests::client::Client;
use civl_tests::typing::Typist;
use civl_tests::{files_below, processes, root, run, shown};
use serde_json::{Value, json};
use testing::Random;
use testing::random::seconds_or;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
/// How long a pause may take until the editor shows what the command line says: obligations of its
/// program may take twenty seconds each, and a soak yields the processor to everybody else.
const PATIENCE: Duration = Duration::from_secs(300);
/// Growth that no program of this size reaches without a leak.
const SLACK_KB: u64 = 128 << 10;
/// "Content modified" and "request cancelled".
const OVERTAKEN: [i64; 2] = [-32801, -32800];

/// Asked at a place, and about a whole document.
const AT_A_PLACE: &[&str] = &[
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/documentHighlight",
    "textDocument/signatureHelp",
    "textDocument/prepareRename",
];
const OF_A_DOCUMENT: &[&str] = &[
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
    "textDocument/foldingRange",
    "textDocument/codeLens",
    "textDocument/documentLink",
    "civl/obligations",
    "civl/layerView",
    "civl/movers",
];

#[derive(Default)]
struct Counts {
    edits: usize,
    requests: usize,
    overtaken: usize,
    pauses: usize,
    verified: usize,
    refuted: usize,
    undecided: usize,
}

struct Soak {
    civl: String,
    client: Client,
    random: Random,
    documents: Vec<(String, Typist)>,
    asked: BTreeMap<i64, &'static str>,
    shown: BTreeMap<String, Vec<(u64, String)>>,
    counts: Counts,
    seen_processes: BTreeSet<u32>,
    most_workers: usize,
    complaints: Vec<String>,
}

#[test]
fn hours_of_typing_leave_nothing_behind() {
    let time = seconds_or(5);
    let began = Instant::now();
    let mut soak = Soak::start();
    let mut memory: Vec<(Duration, u64)> = Vec::new();
    let mut told = 0;
    while began.elapsed() < time && soak.complaints.is_empty() {
        soak.burst();
        soak.pause();
        memory.push((began.elapsed(), soak.client.memory_kb()));
        let minute = began.elapsed().as_secs() / 60;
        if minute > told {
            told = minute;
            soak.tell(&format!("minute {minute}"));
        }
    }
    let early = memory.iter().find(|(at, _)| *at >= time / 10).map_or(0, |(_, kb)| *kb);
    let last = memory.last().map_or(0, |(_, kb)| *kb);
    let most = memory.iter().map(|(_, kb)| *kb).max().unwrap_or(0);
    soak.tell(&format!("end after {} s", began.elapsed().as_secs()));
    println!(
        "memory: {} MB after a tenth, {} MB at the end, {} MB at most",
        early >> 10,
        last >> 10,
        most >> 10
    );
    if last > early + (early / 2).max(SLACK_KB) {
        soak.complaints.push(format!("memory grows from {early} kB to {last} kB"));
    }
    soak.end();
}

impl Soak {
    fn start() -> Soak {
        let civl = std::env::var("CIVL_BINARY").unwrap_or_else(|_| CIVL.to_owned());
        let settings = json!({"verify": "change", "timeLimit": 20});
        let params = json!({
            "capabilities": {}, "processId": null, "rootUri": null, "initializationOptions": settings,
        });
        let client = Client::initialized(&civl, params);
        let mut soak = Soak {
            civl,
            client,
            random: Random::from_environment(),
            documents: Vec::new(),
            asked: BTreeMap::new(),
            shown: BTreeMap::new(),
            counts: Counts::default(),
            seen_processes: BTreeSet::new(),
            most_workers: 0,
            complaints: Vec::new(),
        };
        for path in files_below(&root().join("tests/examples"), "bpl") {
            let text = std::fs::read_to_string(&path).expect("an example can be read");
            let uri = format!("file:///soak/{}", shown(&path));
            soak.client.open(&uri, &text);
            soak.documents.push((uri, Typist::new(text)));
        }
        soak
    }

    /// Some edits of one document, with questions in between and without waiting for answers.
    fn burst(&mut self) {
        let at = self.random.below(self.documents.len());
        // The document that the pause looks at is the last one.
        self.documents.swap(at, 0);
        for _ in 0..=self.random.below(12) {
            let (uri, typist) = &mut self.documents[0];
            let changes = typist.change(&mut self.random);
            self.client.change(uri, typist.version, changes);
            self.counts.edits += 1;
            match self.random.below(6) {
                0 => self.client.save(uri),
                1 => {
                    let uri = uri.clone();
                    self.reopen(&uri);
                }
                2..=4 => self.ask(),
                _ => std::thread::sleep(Duration::from_millis(self.random.below(400) as u64)),
            }
            self.take_in();
        }
    }

    /// As an editor that closes a document and opens it again.
    fn reopen(&mut self, uri: &str) {
        self.client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
        let typist = &mut self.documents[0].1;
        typist.version = 1;
        self.client.open(uri, &typist.text);
    }

    fn ask(&mut self) {
        let (uri, typist) = &self.documents[0];
        let mut params = json!({"textDocument": {"uri": uri}, "uri": uri, "layer": 1});
        let method = if self.random.once_in(2) {
            params["position"] = typist.some_position(&mut self.random);
            self.random.pick(AT_A_PLACE)
        } else {
            self.random.pick(OF_A_DOCUMENT)
        };
        let method = method.copied().unwrap_or("textDocument/hover");
        let id = self.client.post(method, params);
        self.asked.insert(id, method);
        self.counts.requests += 1;
        if self.random.once_in(5) {
            self.client.notify("$/cancelRequest", json!({"id": id}));
        }
    }

    /// Reads what the server said so far.
    fn take_in(&mut self) {
        self.client.drain();
        for message in std::mem::take(&mut self.client.inbox) {
            if message["method"] == "textDocument/publishDiagnostics" {
                let params = &message["params"];
                let uri = params["uri"].as_str().unwrap_or_default().to_owned();
                self.shown.insert(uri, errors(&params["diagnostics"]));
            }
        }
        for (id, method) in self.asked.clone() {
            let Some(answer) = self.client.answered(id) else { continue };
            self.asked.remove(&id);
            match answer["error"]["code"].as_i64() {
                None => {}
                Some(code) if OVERTAKEN.contains(&code) => self.counts.overtaken += 1,
                // A place without a name cannot be renamed: a refusal is an answer.
                Some(-32602) => {}
                Some(_) => self.complaints.push(format!("{method}: {}", answer["error"])),
            }
        }
        let workers = processes::children(self.client.id());
        self.most_workers = self.most_workers.max(workers.len());
        self.seen_processes.extend(workers);
    }

    /// Waits until the editor has a verdict and compares it with a fresh run.
    fn pause(&mut self) {
        let (uri, text) = (self.documents[0].0.clone(), self.documents[0].1.text.clone());
        let began = Instant::now();
        let id = self.client.post("civl/verify", json!({"uri": uri}));
        self.asked.insert(id, "civl/verify");
        let fresh = run::verify(&self.civl, Path::new("-"), &text, &["--time-limit", "20"]);
        let fresh = match fresh {
            Ok(fresh) => fresh,
            Err(why) => return self.complaints.push(format!("{why}\n{text}")),
        };
        let expected = run::verdict(&fresh).to_owned();
        let errors = run::errors(&fresh);
        let mut seen = String::new();
        while began.elapsed() < PATIENCE {
            self.take_in();
            let id = self.client.post("civl/obligations", json!({"uri": uri}));
            let states = self.client.answer_within(id, PATIENCE);
            self.take_in();
            let states = states.unwrap_or_default();
            // A program with static errors keeps its old verdicts, marked as such.
            let fresh_enough = states["stale"] == false || fresh["obligations"]["total"] == 0;
            if states["finished"] == true && fresh_enough && self.asked.is_empty() {
                let shown = self.shown.get(&uri).cloned().unwrap_or_default();
                let mine = verdict(&shown, &states["obligations"], &fresh["obligations"]);
                let all_shown = errors.iter().all(|e| {
                    shown.iter().any(|(line, code)| *line == u64::from(e.line) && *code == e.code)
                });
                if mine == expected && all_shown {
                    return self.count(&expected);
                }
                // A limit of time stopped one of them; neither claims too much.
                if mine == "unknown" || expected == "unknown" {
                    return self.count("unknown");
                }
                seen = format!("{mine} {shown:?}");
            } else {
                seen = format!("finished {}, stale {}", states["finished"], states["stale"]);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let waiting: Vec<_> = self.asked.values().collect();
        self.complaints.push(format!(
            "{uri}: the editor says {seen}, a fresh run says {expected} {errors:?}; waiting: {waiting:?}\n{text}"
        ));
    }

    fn count(&mut self, verdict: &str) {
        self.counts.pauses += 1;
        match verdict {
            "verified" => self.counts.verified += 1,
            "errors" => self.counts.refuted += 1,
            _ => self.counts.undecided += 1,
        }
    }

    fn tell(&self, when: &str) {
        let Counts { edits, requests, overtaken, pauses, verified, refuted, undecided } =
            &self.counts;
        println!(
            "{when}: {edits} edits, {requests} requests ({overtaken} overtaken), {pauses} verdicts compared \
             ({verified} verified, {refuted} with errors, {undecided} undecided), {} MB, at most {} workers",
            self.client.memory_kb() >> 10,
            self.most_workers
        );
    }

    fn end(mut self) {
        let status = self.client.shut_down();
        if status.and_then(|s| s.code()) != Some(0) {
            self.complaints.push(format!("the server ended with {status:?}"));
        }
        std::thread::sleep(Duration::from_millis(500));
        let left: Vec<u32> = self
            .seen_processes
            .iter()
            .copied()
            .filter(|id| processes::command(*id).contains(&self.civl))
            .collect();
        println!("{} worker processes seen, {} left", self.seen_processes.len(), left.len());
        if !left.is_empty() {
            self.complaints.push(format!("processes are left: {left:?}"));
        }
        civl_tests::expect_none(&self.complaints);
    }
}

/// Line (from 1) and code of each error that is shown and not stale.
fn errors(diagnostics: &Value) -> Vec<(u64, String)> {
    let all = diagnostics.as_array().cloned().unwrap_or_default();
    let errors = all.iter().filter(|d| d["severity"] == 1 && d["source"] == "civl");
    let line = |d: &Value| d["range"]["start"]["line"].as_u64().unwrap_or(0) + 1;
    errors.map(|d| (line(d), d["code"].as_str().unwrap_or_default().to_owned())).collect()
}

/// The verdict that an editor shows: its errors and the states of its obligations, which must be
/// as many as a fresh run asks about.
fn verdict(errors: &[(u64, String)], states: &Value, fresh: &Value) -> &'static str {
    let mut states = states.as_array().cloned().unwrap_or_default();
    states.retain(|state| state["stale"] == false);
    let is = |word: &'static str| move |state: &Value| state["state"] == word;
    let proved = states.iter().filter(|state| is("proved")(state)).count();
    if !errors.is_empty() || states.iter().any(is("failed")) {
        "errors"
    } else if states.iter().any(is("unknown")) || states.iter().any(is("timeout")) {
        "unknown"
    } else if fresh["proved"] == proved {
        "verified"
    } else {
        "nothing yet"
    }
}
