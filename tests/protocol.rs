//! The language server at the edges: every capability on a program of two files, bad input, several
//! roots, settings, cancelling, other transports, and editors that die.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests stop at the first surprise"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use civl_tests::client::{Client, PATIENCE, frame, is_running};
use serde_json::{Value, json};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

const ACTIONS: &str = "\
var {:layer 0,2} x: int;
/// Adds something.
atomic action {:layer 1,2} Bump(by: int)
{
  x := x + by;
}
yield procedure {:layer 0} bump(by: int);
refines Bump;
yield invariant {:layer 1} Positive();
preserves x >= 0;
procedure Check(n: int) { assert n == n; }
";

const WORK: &str = "\
yield procedure {:layer 1} work(s: Option int)
requires call Positive();
{
  var n: int;
  n := Id(s->t);
  call bump(n);
}
";

/// Its proof takes as long as it may.
const HARD: &str = "\
procedure Hard(a: int, b: int, c: int, n: int)
{
  assert n > 2 && a > 0 && b > 0 && c > 0 ==> a * a * a * a * n + b * b * b * b * n != c * c * c * c * n;
}
";

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path =
            std::env::temp_dir().join(format!("civl-protocol-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let folder = Folder(path);
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.0.join(name).display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _left_behind = std::fs::remove_dir_all(&self.0);
    }
}

/// Actions and work as one program, both open.
fn two_files(name: &str) -> (Folder, Client) {
    let manifest = "programs = [{ files = [\"actions.bpl\", \"work.bpl\"], libs = [\"base\"] }]\n";
    let files = [("civl.toml", manifest), ("actions.bpl", ACTIONS), ("work.bpl", WORK)];
    let folder = Folder::new(name, &files);
    let mut client = Client::initialized(CIVL, with_roots(&[&folder], json!({})));
    client.open(&folder.uri("actions.bpl"), ACTIONS);
    client.open(&folder.uri("work.bpl"), WORK);
    (folder, client)
}

fn with_roots(roots: &[&Folder], capabilities: Value) -> Value {
    let root = |folder: &&Folder| {
        let uri = format!("file://{}", folder.0.display());
        json!({"uri": uri, "name": "root"})
    };
    let folders: Vec<Value> = roots.iter().map(root).collect();
    json!({"capabilities": capabilities, "processId": null, "rootUri": null, "workspaceFolders": folders})
}

fn place(uri: &str, text: &str, needle: &str) -> Value {
    let at = text.find(needle).expect("the text holds it");
    let line = text[..at].matches('\n').count();
    let column = at - text[..at].rfind('\n').map_or(0, |i| i + 1);
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": column}})
}

fn is_settled(p: &Value) -> bool {
    p["finished"] == true && p["stale"] == false
}

fn is_something(answer: &Value) -> bool {
    match answer {
        Value::Null => false,
        Value::Array(all) => !all.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => true,
    }
}

#[test]
fn every_capability_answers_on_a_program_of_two_files() {
    let (folder, mut client) = two_files("all");
    let (actions, work) = (folder.uri("actions.bpl"), folder.uri("work.bpl"));
    let at = |needle: &str| place(&work, WORK, needle);
    let with = |mut params: Value, more: Value| {
        let more = more.as_object().cloned().unwrap_or_default();
        params.as_object_mut().unwrap().extend(more);
        params
    };
    let document = json!({"textDocument": {"uri": work}});
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let options = json!({"options": {"tabSize": 2, "insertSpaces": true}});
    let untidy = folder.uri("untidy.bpl");
    client.open(&untidy, "var   x :int ;\n");
    let other = json!({"textDocument": {"uri": untidy}});
    let asked = [
        ("textDocument/hover", at("bump(n)")),
        ("textDocument/definition", at("bump(n)")),
        ("textDocument/declaration", at("bump(n)")),
        ("textDocument/implementation", place(&actions, ACTIONS, "Bump")),
        ("textDocument/typeDefinition", at("s->")),
        (
            "textDocument/references",
            with(at("bump(n)"), json!({"context": {"includeDeclaration": true}})),
        ),
        ("textDocument/documentHighlight", at("n :=")),
        ("textDocument/prepareRename", at("bump(n)")),
        ("textDocument/rename", with(at("bump(n)"), json!({"newName": "raise"}))),
        ("textDocument/documentSymbol", document.clone()),
        ("workspace/symbol", json!({"query": "Bump"})),
        ("textDocument/prepareCallHierarchy", at("work")),
        ("textDocument/completion", at("bump(n)")),
        ("textDocument/signatureHelp", at("n);")),
        ("textDocument/semanticTokens/full", document.clone()),
        ("textDocument/semanticTokens/range", with(document.clone(), json!({"range": all}))),
        ("textDocument/inlayHint", with(document.clone(), json!({"range": all}))),
        ("textDocument/codeLens", document.clone()),
        ("textDocument/foldingRange", document.clone()),
        (
            "textDocument/selectionRange",
            with(document.clone(), json!({"positions": [at("bump(n)")["position"]]})),
        ),
        ("textDocument/documentLink", json!({"textDocument": {"uri": actions}})),
        ("textDocument/formatting", with(other.clone(), options.clone())),
        (
            "textDocument/rangeFormatting",
            with(with(other.clone(), options.clone()), json!({"range": all})),
        ),
        (
            "textDocument/onTypeFormatting",
            with(
                with(other, options),
                json!({"ch": ";", "position": {"line": 0, "character": 14}}),
            ),
        ),
        (
            "textDocument/codeAction",
            with(
                document.clone(),
                json!({"range": {"start": at("work")["position"], "end": at("work")["position"]}, "context": {"diagnostics": []}}),
            ),
        ),
        ("textDocument/diagnostic", document),
        ("civl/layerView", json!({"uri": work, "layer": 1})),
        ("civl/movers", json!({"uri": work})),
        ("civl/obligations", json!({"uri": work})),
        ("civl/status", json!({})),
    ];
    for (method, params) in asked {
        let answer = client.request(method, params);
        assert!(answer.as_ref().is_ok_and(is_something), "{method}: {answer:?}");
    }
    let rename = with(at("bump(n)"), json!({"newName": "raise"}));
    let edit = client.request("textDocument/rename", rename).unwrap();
    assert_eq!(edit["changes"].as_object().map(serde_json::Map::len), Some(2), "{edit}");
}

#[test]
fn libraries_and_manual_pages_are_read_only_documents() {
    let (folder, mut client) = two_files("library");
    let work = folder.uri("work.bpl");
    let found = client.request("textDocument/definition", place(&work, WORK, "Id(")).unwrap();
    let library = found[0]["uri"].as_str().unwrap().to_owned();
    assert!(library.starts_with("civl://library/"), "{found}");
    let text = client.request("civl/libraryText", json!({"uri": library})).unwrap();
    let line = found[0]["range"]["start"]["line"].as_u64().unwrap();
    let line = text["text"].as_str().unwrap().lines().nth(line.try_into().unwrap()).unwrap();
    assert!(line.contains("Id<T>"), "{line}");
    let inside = json!({"textDocument": {"uri": library}, "position": found[0]["range"]["start"]});
    assert!(client.request("textDocument/hover", inside).unwrap().is_object());
    client.change(&work, 2, json!([{"text": WORK.replace("n := Id", "nowhere := Id")}]));
    let shown = client.diagnostics(&work, |d| !d.is_empty());
    let page = json!({"uri": shown[0]["codeDescription"]["href"]});
    let text = client.request("civl/libraryText", page).unwrap();
    assert!(text["text"].as_str().unwrap().contains("# "), "{text}");
}

#[test]
fn obligations_are_told_with_the_document_of_their_owner() {
    let (folder, mut client) = two_files("owners");
    client.save(&folder.uri("work.bpl"));
    for (name, owner) in [("actions.bpl", "Check"), ("work.bpl", "work")] {
        let uri = folder.uri(name);
        let told = client.wait_for("civl/obligations", |p| p["uri"] == uri && is_settled(p));
        let owners: Vec<&Value> =
            told["obligations"].as_array().unwrap().iter().map(|o| &o["owner"]).collect();
        assert!(!owners.is_empty() && owners.iter().any(|o| **o == owner), "{name}: {owners:?}");
    }
}

#[test]
fn a_failure_is_told_as_steps() {
    let mut client = Client::initialized(CIVL, with_roots(&[], json!({})));
    let uri = "file:///work/trace.bpl";
    client.open(uri, "procedure P(x: int)\n{\n  var y: int;\n  y := x + 1;\n  assert y == 0;\n}\n");
    client.save(uri);
    let told = client.wait_for("civl/obligations", is_settled);
    let pushed = client.diagnostics(uri, |d| !d.is_empty());
    let document = json!({"textDocument": {"uri": uri}});
    let pulled = client.request("textDocument/diagnostic", document).unwrap();
    let id = pushed[0]["data"]["obligation"].clone();
    assert_eq!(id, told["obligations"][0]["id"]);
    assert_eq!(id, pulled["items"][0]["data"]["obligation"]);
    let trace = client.request("civl/trace", json!({"uri": uri, "obligation": id})).unwrap();
    assert_eq!(trace["traces"][0]["verdict"], "confirmed", "{trace}");
    assert_eq!(trace["traces"][0]["location"]["range"]["start"]["line"], 4, "{trace}");
    assert!(is_something(&trace["traces"][0]["steps"]), "{trace}");
    assert!(client.request("civl/trace", json!({"uri": uri, "obligation": "none"})).is_err());
}

#[test]
fn vacuous_proofs_are_looked_for_on_request_and_assertions_say_where_they_are_checked() {
    let mut params = with_roots(&[], json!({}));
    params["initializationOptions"] = json!({"civl": {"verify": "never"}});
    let mut client = Client::initialized(CIVL, params);
    let uri = "file:///work/vacuous.bpl";
    let text = "var {:layer 0,3} x: int;\n\n\
        yield invariant {:layer 2} Never();\npreserves x < 0 && 0 < x;\n\n\
        yield procedure {:layer 2} P()\nrequires call Never();\n{\n  \
        assert {:layer 2} x == 7;\n}\n";
    client.open(uri, text);
    let code = |d: &Value| d["code"] == "vacuous";
    client.request("civl/verify", json!({"uri": uri})).unwrap();
    client.wait_for("civl/obligations", is_settled);
    let before = client.diagnostics(uri, |_| true);
    assert!(!before.iter().any(code), "{before:?}");
    client.request("civl/verify", json!({"uri": uri, "vacuity": true})).unwrap();
    let found = client.diagnostics(uri, |all| all.iter().any(code));
    let warning = found.iter().find(|d| code(d)).expect("it was waited for");
    assert_eq!(warning["range"]["start"]["line"], 8, "{found:?}");
    assert_eq!(warning["severity"], 2, "a warning");
    let at = place(uri, text, "assert {:layer 2}");
    let hover = client.request("textDocument/hover", at).unwrap();
    assert_eq!(hover["contents"]["value"], "checked at layer 2", "{hover}");
}

#[test]
fn bad_input_costs_one_answer_each() {
    let mut client = Client::initialized(CIVL, with_roots(&[], json!({})));
    let unknown = client.request("no/such/method", json!({})).unwrap_err();
    assert_eq!(unknown["code"], -32601);
    let wrong = client.request("textDocument/hover", json!({"textDocument": 3})).unwrap_err();
    assert_eq!(wrong["code"], -32602);
    assert!(client.request("civl/layerView", json!({"uri": "file:///nowhere.bpl"})).is_err());
    let good = json!({"jsonrpc": "2.0", "id": "good", "method": "civl/status", "params": {}});
    let good = good.to_string();
    for bad in
        ["Content-Length: 3\r\n\r\n", "Content-Length: 9999999999999\r\n\r\n", "garbage\r\n\r\n"]
    {
        client.send_raw(bad.as_bytes());
        client.send_raw(frame(&good).as_bytes());
    }
    client.notify("no/such/notification", json!({"deep": [[[[]]]]}));
    client.notify("textDocument/didChange", json!({"textDocument": {"uri": "file:///not/open.bpl", "version": 1}, "contentChanges": []}));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": "file:///not/open.bpl"}}));
    assert_eq!(client.request("civl/status", json!({})).unwrap()["phase"], "idle");
}

/// Waits until the workers are gone.
fn expect_gone(pids: &[u32], patience: Duration) {
    let deadline = Instant::now() + patience;
    while pids.iter().any(|pid| is_running(*pid)) {
        assert!(Instant::now() < deadline, "processes survive: {pids:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_long_request_is_cancelled_with_its_workers() {
    let text = "\
var {:layer 0,1} x: int;
atomic action {:layer 1} Set(a: int, b: int, c: int, n: int)
asserts n > 2 && a > 0 && b > 0 && c > 0 ==> a * a * a * a * n + b * b * b * b * n != c * c * c * c * n + x;
{ x := a; }
yield procedure {:layer 0} set(a: int, b: int, c: int, n: int);
refines Set;
";
    let uri = "file:///work/long.bpl";
    let mut client = Client::initialized(CIVL, with_roots(&[], json!({})));
    client.open(uri, text);
    let at = place(uri, text, "Set")["position"].clone();
    let params = json!({"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": {"diagnostics": []}});
    let actions = client.request("textDocument/codeAction", params).unwrap();
    let promise = actions.as_array().unwrap().iter().find(|a| a["data"].is_object()).cloned();
    let id = client.post("codeAction/resolve", promise.expect("a promise"));
    let workers = client.wait_for_workers();
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.answer(id).unwrap_err()["code"], -32800);
    expect_gone(&workers, PATIENCE);
    assert_eq!(client.request("civl/status", json!({})).unwrap()["phase"], "idle");
}

#[test]
fn progress_is_shown_and_can_be_cancelled() {
    let window = json!({"window": {"workDoneProgress": true}});
    let mut client = Client::initialized(CIVL, with_roots(&[], window));
    let uri = "file:///work/hard.bpl";
    client.open(uri, HARD);
    client.save(uri);
    let create = client.wait_for("window/workDoneProgress/create", |_| true);
    client.wait_for("$/progress", |p| {
        p["value"]["kind"] == "begin" && p["value"]["cancellable"] == true
    });
    let workers = client.wait_for_workers();
    client.notify("window/workDoneProgress/cancel", json!({"token": create["token"]}));
    client.wait_for("$/progress", |p| p["token"] == create["token"] && p["value"]["kind"] == "end");
    client.wait_for("civl/status", |p| p["phase"] == "cancelled");
    expect_gone(&workers, PATIENCE);
    let told = client.wait_for("civl/obligations", is_settled);
    assert_eq!(told["obligations"][0]["state"], "unknown", "{told}");
}

#[test]
fn an_edit_never_waits_for_a_proof_of_another_program() {
    let options = json!({"timeLimit": 600.0});
    let mut params = with_roots(&[], json!({}));
    params["initializationOptions"] = options;
    let mut client = Client::initialized(CIVL, params);
    let (hard, easy) = ("file:///work/hard.bpl", "file:///work/easy.bpl");
    client.open(hard, HARD);
    client.save(hard);
    let workers = client.wait_for_workers();
    client.open(easy, "procedure P() {}");
    // This proof waits for the other; typing goes on.
    client.save(easy);
    client.change(easy, 2, json!([{"text": "procedure P() { assert nowhere; }"}]));
    client.diagnostics(easy, |d| d.iter().any(|d| d["code"] == "undeclared-identifier"));
    assert!(workers.iter().all(|pid| is_running(*pid)), "the long proof goes on");
}

#[test]
fn old_failures_move_with_the_text_and_are_marked() {
    let uri = "file:///work/stale.bpl";
    let text = "procedure P(x: int)\n{\n  assert x == 0;\n}\n";
    let mut client = Client::initialized(CIVL, with_roots(&[], json!({})));
    client.open(uri, text);
    client.save(uri);
    client.diagnostics(uri, |d| d.iter().any(|d| d["code"] == "assertion"));
    client.wait_for("civl/obligations", is_settled);
    client.inbox.clear();
    let start = json!({"line": 0, "character": 0});
    let insert = json!([{"range": {"start": start, "end": start}, "text": "// one\n// two\n"}]);
    client.change(uri, 2, insert);
    let told = client.wait_for("civl/obligations", |p| p["stale"] == true);
    assert_eq!(told["documentVersion"], 2);
    assert_eq!(
        (&told["obligations"][0]["state"], &told["obligations"][0]["stale"]),
        (&json!("failed"), &json!(true))
    );
    assert_eq!(told["obligations"][0]["failures"][0]["start"]["line"], 4);
    let moved = client.diagnostics(uri, |d| d.iter().any(|d| d["range"]["start"]["line"] == 4));
    assert_eq!((&moved[0]["tags"], &moved[0]["source"]), (&json!([1]), &json!("civl (stale)")));
    client.save(uri);
    let fresh = client.diagnostics(uri, |d| d.iter().any(|d| d["source"] == "civl"));
    assert_eq!(fresh[0]["range"]["start"]["line"], 4);
    let shown = client.inbox.iter().filter(|m| m["method"] == "textDocument/publishDiagnostics");
    let mut lists = shown.map(|m| m["params"]["diagnostics"].as_array().map_or(0, Vec::len));
    assert!(lists.all(|length| length > 0), "the failure flickers");
}

#[test]
fn lenses_and_hovers_are_shown_anew_whenever_verdicts_change() {
    let uri = "file:///work/lens.bpl";
    let refresh = json!({"refreshSupport": true});
    let capabilities = json!({"workspace": {"codeLens": refresh, "diagnostics": refresh}});
    let mut client = Client::initialized(CIVL, with_roots(&[], capabilities));
    client.unanswered = Some("workspace/diagnostic/refresh");
    client.open(uri, "procedure P(x: int)\n{\n  assert x == 0;\n}\n");
    let shown = |client: &mut Client, words: &str| {
        client.wait_for("workspace/codeLens/refresh", |_| true);
        let document = json!({"textDocument": {"uri": uri}});
        let lenses = client.request("textDocument/codeLens", document.clone()).unwrap();
        assert_eq!(lenses[0]["command"]["title"], format!("verify ({words})"));
        let mut at = document;
        at["position"] = json!({"line": 0, "character": 10});
        let hover = client.request("textDocument/hover", at).unwrap();
        let hover = hover["contents"]["value"].as_str().unwrap();
        assert!(hover.contains(&format!("**Obligations**: {words}\n")), "{hover}");
    };
    client.save(uri);
    shown(&mut client, "0 of 1 proved");
    let range = json!({"start": {"line": 2, "character": 14}, "end": {"line": 2, "character": 15}});
    client.change(uri, 2, json!([{"range": range, "text": "x"}]));
    shown(&mut client, "0 of 1 proved, 1 answered before the last edit");
    client.save(uri);
    shown(&mut client, "1 of 1 proved");
    let start = json!({"line": 0, "character": 0});
    client.change(uri, 3, json!([{"range": {"start": start, "end": start}, "text": "// one\n"}]));
    client.change(
        uri,
        4,
        json!([{"range": {"start": start, "end": {"line": 1, "character": 0}}, "text": ""}]),
    );
    shown(&mut client, "0 of 1 proved, 1 answered before the last edit");
}

#[test]
fn a_text_that_changes_without_an_edit_makes_verdicts_stale() {
    let manifest = "programs = [{ files = [\"a.bpl\", \"b.bpl\"] }]\n";
    let right = "function f(x: int): int { x }\n";
    let wrong = "function f(x: int): int { x + 1 }\n";
    let b = "procedure P() { assert f(1) == 1; }\n";
    let files = [("civl.toml", manifest), ("a.bpl", right), ("b.bpl", b)];
    let folder = Folder::new("outside", &files);
    let mut client = Client::initialized(CIVL, with_roots(&[&folder], json!({})));
    let [a, b_uri] = ["a.bpl", "b.bpl"].map(|name| folder.uri(name));
    let proved = |client: &mut Client| {
        client.inbox.clear();
        client.save(&b_uri);
        let own = |p: &Value| p["uri"] == *b_uri && is_settled(p);
        let told = client.wait_for("civl/obligations", own);
        assert_eq!(told["obligations"][0]["state"], "proved");
    };
    let stale = |client: &mut Client| {
        let told =
            client.wait_for("civl/obligations", |p| p["uri"] == *b_uri && p["stale"] == true);
        assert_eq!(told["obligations"][0]["stale"], true);
    };
    client.open(&b_uri, b);
    proved(&mut client);
    // It is opened with words that are not saved.
    client.open(&a, wrong);
    stale(&mut client);
    let whole = json!([{"text": right}]);
    client.change(&a, 2, whole);
    proved(&mut client);
    // It is closed, and what is on disk counts, which is something else.
    folder.write("a.bpl", wrong);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": a}}));
    stale(&mut client);
    folder.write("a.bpl", right);
    let changed = json!({"changes": [{"uri": a, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changed.clone());
    proved(&mut client);
    // Another program writes it.
    folder.write("a.bpl", wrong);
    client.notify("workspace/didChangeWatchedFiles", changed);
    stale(&mut client);
}

#[test]
fn modes_say_when_proofs_begin() {
    let uri = "file:///work/modes.bpl";
    let text = "procedure P(x: int) { assert x == x; }\nprocedure Q(x: int) { assert x == x; }\n";
    let run = |mode: &str| {
        let mut params = with_roots(&[], json!({}));
        params["initializationOptions"] = json!({"civl": {"verify": mode}});
        let mut client = Client::initialized(CIVL, params);
        client.open(uri, text);
        client
    };
    // What a run leaves out is listed as such.
    let states = |told: &Value| [0, 1].map(|nth| told["obligations"][nth]["state"].clone());
    let mut client = run("change");
    client.change(uri, 2, json!([{"text": text}]));
    let told = client.wait_for("civl/obligations", is_settled);
    assert_eq!(states(&told), ["proved", "proved"], "{told}");
    let mut client = run("cursor");
    let first = json!({"line": 0, "character": 22});
    client.change(uri, 2, json!([{"range": {"start": first, "end": first}, "text": " "}]));
    client.save(uri);
    let told = client.wait_for("civl/obligations", is_settled);
    assert_eq!(states(&told), ["proved", "unknown"], "{told}");
    let mut client = run("never");
    client.save(uri);
    client.diagnostics(uri, <[Value]>::is_empty);
    assert_eq!(client.request("civl/status", json!({})).unwrap()["total"], 0);
    let second = json!({"uri": uri, "position": {"line": 1, "character": 0}});
    client.request("civl/verify", second).unwrap();
    let told = client.wait_for("civl/obligations", is_settled);
    assert_eq!(states(&told), ["unknown", "proved"], "{told}");
}

#[test]
fn settings_change_while_the_server_runs() {
    let uri = "file:///work/settings.bpl";
    let text = format!("{ACTIONS}yield procedure {{:layer 1}} work() {{ call bump(1); }}\n");
    let mut client = Client::initialized(CIVL, with_roots(&[], json!({})));
    client.open(uri, &text);
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let params = json!({"textDocument": {"uri": uri}, "range": all});
    let labels = |client: &mut Client| -> Vec<String> {
        let hints = client.request("textDocument/inlayHint", params.clone()).unwrap();
        hints.as_array().unwrap().iter().map(|h| h["label"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(labels(&mut client), ["N"]);
    let settings = json!({"civl": {"hints": {"movers": false, "phases": true}, "lens": false}});
    client.notify("workspace/didChangeConfiguration", json!({"settings": settings}));
    assert_eq!(labels(&mut client), ["commit"]);
    let lenses = client.request("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    assert_eq!(lenses.unwrap(), json!([]));
}

/// A client that comes back tells its settings early, often, or not at all.
#[test]
fn settings_survive_a_client_that_says_nothing() {
    let uri = "file:///work/silent.bpl";
    let mut client = Client::start(CIVL);
    let nothing = json!({"settings": null});
    client.notify("workspace/didChangeConfiguration", nothing.clone());
    let mut params = with_roots(&[], json!({"workspace": {"configuration": true}}));
    params["initializationOptions"] = json!({"lens": false});
    client.request("initialize", params).unwrap();
    client.notify("workspace/didChangeConfiguration", nothing.clone());
    client.notify("initialized", json!({}));
    client.wait_for("workspace/configuration", |_| true);
    client.inbox.clear();
    client.notify("workspace/didChangeConfiguration", nothing);
    client.wait_for("workspace/configuration", |_| true);
    client.open(uri, "procedure P() { }\n");
    for _ in 0..20 {
        let lenses = client.request("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
        assert_eq!(lenses.unwrap(), json!([]), "the client has said that it wants none");
    }
}

#[test]
fn files_and_roots_come_and_go() {
    let manifest = "programs = [{ files = [\"a.bpl\", \"b.bpl\"] }]\n";
    let b = "procedure P() { assert f(1) == 1; }\n";
    let files =
        [("civl.toml", manifest), ("a.bpl", "function f(x: int): int { x }\n"), ("b.bpl", b)];
    let (one, two) = (Folder::new("one", &files), Folder::new("two", &files));
    let mut client = Client::initialized(CIVL, with_roots(&[&one], json!({})));
    client.open(&one.uri("b.bpl"), b);
    client.diagnostics(&one.uri("b.bpl"), <[Value]>::is_empty);
    // Another program changes a file that is not open.
    one.write("a.bpl", "function g(x: int): int { x }\n");
    let changed = json!({"changes": [{"uri": one.uri("a.bpl"), "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changed);
    client.diagnostics(&one.uri("b.bpl"), |d| d.iter().any(|d| d["code"] == "undeclared-function"));
    let folder = json!({"uri": format!("file://{}", two.0.display()), "name": "two"});
    let event = json!({"event": {"added": [folder], "removed": []}});
    client.notify("workspace/didChangeWorkspaceFolders", event);
    client.open(&two.uri("b.bpl"), b);
    client.diagnostics(&two.uri("b.bpl"), <[Value]>::is_empty);
}

#[test]
fn a_file_of_a_manifest_that_cannot_be_read_is_told_and_the_rest_works() {
    let manifest = "programs = [\n  { files = [\"a.bpl\", \"gone.bpl\"] },\n]\n";
    let a = "procedure P() { assert f(1) == 1; }\n";
    let folder = Folder::new("unreadable", &[("civl.toml", manifest), ("a.bpl", a)]);
    let mut client = Client::initialized(CIVL, with_roots(&[&folder], json!({})));
    let manifest_uri = folder.uri("civl.toml");
    let found = client.diagnostics(&manifest_uri, |d| !d.is_empty());
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&json!("manifest"), &json!(1)));
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("cannot read") && message.contains("gone.bpl"), "{message}");
    assert!(message.contains("the program is checked without this file"), "{message}");
    let range = json!({"start": {"line": 1, "character": 22}, "end": {"line": 1, "character": 32}});
    assert_eq!(found[0]["range"], range);
    client.open(&folder.uri("a.bpl"), a);
    let missing = |d: &[Value]| d.iter().any(|d| d["code"] == "undeclared-function");
    client.diagnostics(&folder.uri("a.bpl"), missing);
    // The file comes, and goes again.
    let tell = |client: &mut Client, kind: u32| {
        let changed = json!({"changes": [{"uri": folder.uri("gone.bpl"), "type": kind}]});
        client.notify("workspace/didChangeWatchedFiles", changed);
    };
    folder.write("gone.bpl", "function f(x: int): int { x }\n");
    tell(&mut client, 1);
    client.diagnostics(&manifest_uri, <[Value]>::is_empty);
    client.diagnostics(&folder.uri("a.bpl"), <[Value]>::is_empty);
    std::fs::remove_file(folder.0.join("gone.bpl")).unwrap();
    tell(&mut client, 3);
    client.diagnostics(&manifest_uri, |d| !d.is_empty());
    client.diagnostics(&folder.uri("a.bpl"), missing);
    // What is not yet saved counts as well.
    client.open(&folder.uri("gone.bpl"), "function f(x: int): int { x }\n");
    client.diagnostics(&manifest_uri, <[Value]>::is_empty);
    client.diagnostics(&folder.uri("a.bpl"), <[Value]>::is_empty);
}

#[test]
fn a_manifest_that_is_wrong_says_where() {
    for (text, line, words) in [
        ("programs = [{ files = [\"a.bpl\"] }\n", 0, ""),
        ("\nprogram = []\n", 1, "program"),
        ("programs = [\n{ files = [\"a.bpl\"], libs = [\"bass\"] }]\n", 1, "no library `bass`"),
        ("programs = [{ files = [\"../a.bpl\"] }]\n", 0, "leaves the folder"),
    ] {
        let a = "procedure P() { assert g(1) == 1; }\n";
        let folder = Folder::new("wrong", &[("civl.toml", text), ("a.bpl", a)]);
        let mut client = Client::initialized(CIVL, with_roots(&[&folder], json!({})));
        let found = client.diagnostics(&folder.uri("civl.toml"), |d| !d.is_empty());
        assert_eq!(found[0]["code"], "manifest");
        let message = found[0]["message"].as_str().unwrap();
        assert!(message.contains(words), "{message}");
        assert_eq!(found[0]["range"]["start"]["line"], line, "{text}: {}", found[0]);
        // Its file is a program of its own.
        client.open(&folder.uri("a.bpl"), a);
        client.diagnostics(&folder.uri("a.bpl"), |d| !d.is_empty());
        folder.write("civl.toml", "programs = []\n");
        client.save(&folder.uri("civl.toml"));
        client.diagnostics(&folder.uri("civl.toml"), <[Value]>::is_empty);
    }
}

#[test]
fn nothing_survives_an_editor_that_is_killed_during_a_proof() {
    let mut editor = Command::new("sleep").arg("600").spawn().unwrap();
    let mut params = with_roots(&[], json!({}));
    params["processId"] = json!(editor.id());
    let mut client = Client::initialized(CIVL, params);
    let uri = "file:///work/hard.bpl";
    client.open(uri, HARD);
    client.save(uri);
    let mut processes = client.wait_for_workers();
    processes.push(client.id());
    editor.kill().unwrap();
    // Nobody has asked yet how the editor ended, and the pipes are still open.
    let deadline = Instant::now() + Duration::from_secs(2);
    assert!(client.wait_exit(deadline - Instant::now()).is_some(), "the server survives");
    expect_gone(&processes, deadline.saturating_duration_since(Instant::now()));
    editor.wait().unwrap();
}

#[test]
fn a_socket_serves_as_well_as_pipes() {
    let mut server = Command::new(CIVL)
        .args(["lsp", "--socket", "0"])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim().rsplit(':').next().unwrap();
    let mut stream = std::net::TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": with_roots(&[], json!({}))});
    stream.write_all(frame(&request.to_string()).as_bytes()).unwrap();
    let mut head = [0; 16];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"Content-Length: ");
    drop(stream);
    let deadline = Instant::now() + PATIENCE;
    while server.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "the server outlives its only client");
        std::thread::sleep(Duration::from_millis(10));
    }
}
