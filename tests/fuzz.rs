//! Random input where bytes come from outside: messages to the server, and the store of verdicts.
//!
//! An ordinary run takes a few seconds. For longer, one at a time:
//! `CIVL_FUZZ_SECONDS=600 cargo test --release -p civl-tests --test fuzz NAME -- --nocapture`.
//! `CIVL_FUZZ_SEED` makes another run, `CIVL_BINARY` names a faster `civl`. Texts of programs are
//! fuzzed in `syntax`, texts of obligations in `analysis/ir`, both by the test `fuzz_for`.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test that starts programs, measures and prints"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use civl_tests::client::{Client, frame};
use civl_tests::root;
use ide::{MemoryStore, Order, Outcome, Store, StoreKey};
use serde_json::{Value, json};
use server::cache::DiskStore;
use testing::Random;
use testing::random::{damaged, seconds_or};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
const URI: &str = "file:///fuzz/a.bpl";
/// Messages between two looks at whether the server still answers.
const BATCH: usize = 50;
/// Also a process that yields to all others is served within this time.
const PATIENCE: Duration = Duration::from_secs(600);

const METHODS: &[&str] = &[
    "initialize",
    "initialized",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didSave",
    "textDocument/didClose",
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta",
    "textDocument/diagnostic",
    "textDocument/formatting",
    "textDocument/selectionRange",
    "textDocument/prepareCallHierarchy",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    "workspace/executeCommand",
    "workspace/symbol",
    "civl/verify",
    "civl/cancel",
    "civl/trace",
    "civl/obligations",
    "civl/layerView",
    "civl/movers",
    "civl/libraryText",
    "$/cancelRequest",
    "$/setTrace",
    "no/suchMethod",
];

#[test]
fn server_messages() {
    let (began, time) = (Instant::now(), seconds_or(5));
    let mut random = Random::from_environment();
    let civl = std::env::var("CIVL_BINARY").unwrap_or_else(|_| CIVL.to_owned());
    let params = json!({"capabilities": {}, "processId": null, "rootUri": null});
    let mut client = Client::initialized(&civl, params);
    let mut sent = 0u64;
    while began.elapsed() < time {
        let batch: Vec<Vec<u8>> = (0..BATCH).map(|_| some_message(&mut random)).collect();
        let all_sent = batch.iter().all(|message| client.try_send_raw(message));
        sent += BATCH as u64;
        // No message of these ends a conversation, so the next question must be answered.
        let question =
            frame(r#"{"jsonrpc":"2.0","id":"still there?","method":"civl/status","params":{}}"#);
        let answered = all_sent
            && client.try_send_raw(question.as_bytes())
            && client.wait_for_answer(&json!("still there?"), PATIENCE);
        if !answered {
            let texts: Vec<_> = batch.iter().map(|m| String::from_utf8_lossy(m)).collect();
            let status = client.wait_exit(Duration::from_secs(1));
            panic!("after {sent} messages: {status:?}\n{}", texts.join("\n"));
        }
        client.inbox.clear();
        client.forget_answers();
    }
    let memory = client.memory_kb() >> 10;
    assert_eq!(client.shut_down().and_then(|status| status.code()), Some(0));
    println!("{sent} messages, {memory} MB at the end, no finding");
}

/// A message with anything in it, or bytes that only look like one.
fn some_message(random: &mut Random) -> Vec<u8> {
    if random.once_in(20) {
        let garbage: &[&str] = &[
            "garbage",
            "Content-Length: x\r\n\r\n",
            "Content-Length: -1\r\n\r\n{}",
            "Content-Length: 0\r\n\r\n",
            "Content-Length: 2\r\n\r\n[]",
            "Content-Length: 99999999999999999999\r\n\r\n",
        ];
        return random.pick(garbage).map(|text| text.as_bytes().to_vec()).unwrap_or_default();
    }
    let method = random.pick(METHODS).copied().unwrap_or_default();
    let mut message = json!({"jsonrpc": "2.0", "method": method, "params": some_params(random)});
    if !random.once_in(4) {
        message["id"] =
            if random.once_in(9) { some_value(random, 2) } else { json!(random.below(1 << 40)) };
    }
    for _ in 0..random.below(3) {
        replace_somewhere(&mut message, random);
    }
    let body = message.to_string();
    if !random.once_in(10) {
        return frame(&body).into_bytes();
    }
    // The length stays true, so that the next message can be found.
    let body = damaged(body.as_bytes(), random);
    let mut bytes = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend(body);
    bytes
}

/// What most methods understand a part of.
fn some_params(random: &mut Random) -> Value {
    let place =
        |random: &mut Random| json!({"line": random.below(40), "character": random.below(60)});
    let range = json!({"start": place(random), "end": place(random)});
    let text =
        random.pick(&["var x: int;\n", "procedure P() { assert false; }\n", "{", "é𝒳\r\n", ""]);
    json!({
        "textDocument": {"uri": URI, "version": random.below(100), "languageId": "civl", "text": text},
        "contentChanges": [{"range": range, "text": text}],
        "position": place(random),
        "positions": [place(random)],
        "range": range,
        "context": {"diagnostics": [], "includeDeclaration": true},
        "newName": "other",
        "options": {"tabSize": 2, "insertSpaces": true},
        "uri": URI,
        "layer": random.below(4),
        "obligation": "commutativity(A,B)@1",
        "query": "x",
        "command": "civl.verify",
        "arguments": [{"uri": URI}],
        "settings": {"civl": {"verify": "never", "jobs": random.below(5)}},
        "changes": [{"uri": URI, "type": 2}],
        "event": {"added": [{"uri": "file:///fuzz", "name": "fuzz"}], "removed": []},
        "id": random.below(1 << 40),
        "value": "off",
        "previousResultId": "1",
    })
}

/// Puts another value in some place of a message.
fn replace_somewhere(value: &mut Value, random: &mut Random) {
    let inside = match value {
        Value::Object(map) if !map.is_empty() => {
            let at = random.below(map.len());
            map.values_mut().nth(at)
        }
        Value::Array(items) if !items.is_empty() => {
            let at = random.below(items.len());
            items.get_mut(at)
        }
        Value::Object(_) | Value::Array(_) => None,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    match inside {
        Some(inside) if !random.once_in(4) => replace_somewhere(inside, random),
        Some(inside) => *inside = some_value(random, 3),
        None => *value = some_value(random, 3),
    }
}

fn some_value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 8 } else { 10 }) {
        0 => Value::Null,
        1 => json!(random.once_in(2)),
        2 => json!(random.number()),
        3 => json!(-(random.below(1 << 31) as i64)),
        4 => json!(1e308),
        5 => json!("file:///etc/passwd"),
        6 => json!("a\u{0}\u{feff}𝒳".repeat(random.below(50))),
        7 => json!("civl://library/base.bpl"),
        8 => (0..random.below(4)).map(|_| some_value(random, depth - 1)).collect(),
        _ => json!({"uri": some_value(random, depth - 1), "line": some_value(random, depth - 1)}),
    }
}

/// Whatever happens to the files, a load gives what was saved under the key, or nothing.
#[test]
fn cache_files() {
    let (began, time) = (Instant::now(), seconds_or(3));
    let mut random = Random::from_environment();
    let folder = std::env::temp_dir().join(format!("civl-fuzz-cache-{}", std::process::id()));
    let mut saved: BTreeMap<StoreKey, Vec<Vec<u8>>> = BTreeMap::new();
    let (mut damages, mut loads, mut found) = (0u64, 0u64, 0u64);
    while began.elapsed() < time {
        let Ok(store) = DiskStore::open(&folder, random.once_in(10)) else {
            // Something stands where the folder should be: nothing is kept, nothing is lost.
            let _gone = std::fs::remove_dir_all(&folder);
            continue;
        };
        for _ in 0..20 {
            let key = StoreKey([random.below(12) as u8; 32]);
            if random.once_in(3) {
                let content: Vec<u8> =
                    (0..random.below(200)).map(|_| random.number() as u8).collect();
                store.save(&key, &content);
                saved.entry(key).or_default().push(content);
            } else {
                loads += 1;
                let Some(loaded) = store.load(&key) else { continue };
                found += 1;
                let known = saved.get(&key).is_some_and(|all| all.contains(&loaded));
                assert!(known, "{key:?} was never saved with {loaded:?}");
            }
        }
        for _ in 0..=random.below(4) {
            damage_a_file(&folder, &mut random);
            damages += 1;
        }
        if random.once_in(50) {
            let _any = (server::cache::stat(&folder), server::cache::verify(&folder));
            let _emptied = server::cache::clear(&folder);
            saved.clear();
        }
    }
    let _gone = std::fs::remove_dir_all(&folder);
    println!("{damages} damages, {loads} loads, {found} of them found something, no finding");
}

fn damage_a_file(folder: &Path, random: &mut Random) {
    let files = all_files(folder);
    let (Some(one), Some(other)) = (random.pick(&files).cloned(), random.pick(&files).cloned())
    else {
        return;
    };
    let bytes = std::fs::read(&one).unwrap_or_default();
    let _as_it_comes = match random.below(8) {
        0 => std::fs::remove_file(&one),
        1 => std::fs::copy(&other, &one).map(drop),
        2 => std::fs::rename(&one, &other),
        3 => std::fs::remove_file(&one).and_then(|()| std::fs::create_dir(&one)),
        4 => std::fs::write(one.with_extension("new"), &bytes),
        _ => std::fs::write(&one, damaged(&bytes, random)),
    };
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() { found.extend(all_files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// A store that lost the seal and damages what it gives out.
struct Damaging {
    kept: MemoryStore,
    loads: AtomicU64,
}

impl Store for Damaging {
    fn load(&self, key: &StoreKey) -> Option<Vec<u8>> {
        let bytes = self.kept.load(key)?;
        let nth = self.loads.fetch_add(1, Ordering::Relaxed);
        Some(damaged(&bytes, &mut Random::new(nth.wrapping_mul(0x9e37_79b9_7f4a_7c15))))
    }

    fn save(&self, key: &StoreKey, bytes: &[u8]) {
        self.kept.save(key, bytes);
    }
}

/// Answers that cannot be read are asked again; none stops a run.
#[test]
fn stored_answers() {
    let (began, time) = (Instant::now(), seconds_or(3));
    let store = Arc::new(Damaging { kept: MemoryStore::default(), loads: AtomicU64::new(0) });
    let path = root().join("tests/examples/broken/spin_lock.bpl");
    let text = std::fs::read_to_string(path).expect("an example can be read");
    let mut host = ide::AnalysisHost::new();
    let file = host.set_file("fuzz.bpl", text);
    let program = host.add_program(&[file], &[]).expect("no library is asked for");
    let options = ide::VerifyOptions {
        jobs: 1,
        time_limit_ms: 10_000,
        step_limit: None,
        seed: 0,
        memory_mb: 1024,
        filter: ide::Filter::default(),
        believed: ide::Believed::default(),
        worker: std::env::var("CIVL_BINARY").map_or_else(|_| CIVL.into(), Into::into),
        store: store.clone(),
    };
    let mut runs = 0u64;
    while began.elapsed() < time || runs < 2 {
        let analysis = host.analysis();
        let plan = analysis.plan(program, &options).expect("the example is well-formed");
        let states = plan.run(&options, &Order::default(), &AtomicBool::new(false), &mut |_| {});
        assert_eq!(states.len(), plan.len(), "an obligation got no answer");
        for state in &states {
            if let Outcome::Unknown(why) = &state.outcome {
                assert!(!why.to_string().contains("panic"), "{}: {why}", state.id);
            }
        }
        let _words = analysis.verdict_diagnostics(program, &plan, &states);
        runs += 1;
        std::thread::sleep(Duration::from_millis(1));
    }
    let loads = store.loads.load(Ordering::Relaxed);
    println!("{runs} runs, {loads} damaged answers, no finding");
}
