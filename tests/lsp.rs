//! Conversations with the language server over real pipes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests stop at the first surprise"
)]

use std::time::{Duration, Instant};

use civl_tests::client::{Client, PATIENCE, frame, is_running};
use civl_tests::{files_below, root, run};
use serde_json::{Value, json};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
const URI: &str = "file:///work/counter.bpl";

/// A small program with something of everything.
const COUNTER: &str = "\
// What the counter counts.
var {:layer 0,2} x: int;

datatype Pair { Pair(left: int, right: int) }

function {:inline} twice(n: int): int { 2 * n }

/// Adds one.
atomic action {:layer 1,2} Bump(by: int)
{
  x := x + by;
}

yield procedure {:layer 0} bump(by: int);
refines Bump;

yield invariant {:layer 1} Positive();
preserves x >= 0;

yield procedure {:layer 1} work()
requires call Positive();
{
  var p: Pair;
  p := Pair(1, twice(2));
  call bump(p->left);
}
";

fn basic() -> Value {
    json!({"capabilities": {}, "processId": null, "rootUri": null})
}

fn start() -> Client {
    Client::initialized(CIVL, basic())
}

/// Line and character of the `nth` occurrence of `needle`, from 0.
fn position(text: &str, needle: &str, nth: usize) -> Value {
    let at = text.match_indices(needle).nth(nth).expect("the text holds it").0;
    let line = text[..at].matches('\n').count();
    let column = at - text[..at].rfind('\n').map_or(0, |i| i + 1);
    json!({"line": line, "character": column})
}

fn at(needle: &str, nth: usize) -> Value {
    json!({"textDocument": {"uri": URI}, "position": position(COUNTER, needle, nth)})
}

fn code(diagnostic: &Value) -> &str {
    diagnostic["code"].as_str().unwrap_or_default()
}

#[test]
fn initialize_names_the_server_and_never_sends_null_capabilities() {
    let mut client = Client::start(CIVL);
    let began = Instant::now();
    let result = client.request("initialize", basic()).unwrap();
    println!("initialize {} ms", began.elapsed().as_millis());
    assert_eq!(result["serverInfo"]["name"], "civl");
    let capabilities = result["capabilities"].as_object().unwrap();
    assert!(capabilities.values().all(|value| !value.is_null()));
    assert!(capabilities.len() >= 25, "{}", capabilities.len());
    assert_eq!(client.shut_down().and_then(|status| status.code()), Some(0));
}

#[test]
fn requests_before_initialize_are_refused() {
    let mut client = Client::start(CIVL);
    let error = client.request("textDocument/hover", at("x", 0)).unwrap_err();
    assert_eq!(error["code"], -32002);
}

#[test]
fn exit_without_shutdown_is_a_failure() {
    let mut client = start();
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_exit(Duration::from_secs(5)).and_then(|s| s.code()), Some(1));
}

#[test]
fn parameters_that_are_null_are_none() {
    let mut client = start();
    client.send(&json!({"jsonrpc": "2.0", "id": 77, "method": "shutdown", "params": null}));
    assert_eq!(client.answer(77), Ok(Value::Null));
    client.send(&json!({"jsonrpc": "2.0", "method": "exit", "params": null}));
    assert_eq!(client.wait_exit(Duration::from_secs(5)).and_then(|s| s.code()), Some(0));
}

#[test]
fn a_client_that_vanishes_takes_the_server_with_it() {
    let mut client = start();
    client.open(URI, COUNTER);
    client.save(URI);
    client.vanish();
    assert!(client.wait_exit(Duration::from_secs(2)).is_some());
}

#[test]
fn diagnostics_come_with_code_and_go_with_the_repair() {
    let mut client = start();
    client.open(URI, &COUNTER.replace("twice(2)", "thrice(2)"));
    let found = client.diagnostics(URI, |d| !d.is_empty());
    assert_eq!(code(&found[0]), "undeclared-function", "{found:?}");
    assert_eq!(found[0]["source"], "civl");
    let start = position(COUNTER, "twice(2)", 0);
    let end = json!({"line": start["line"], "character": start["character"].as_u64().unwrap() + 6});
    client.change(URI, 2, json!([{"range": {"start": start, "end": end}, "text": "twice"}]));
    client.diagnostics(URI, <[Value]>::is_empty);
}

#[test]
fn pulled_diagnostics_are_the_same_and_can_be_unchanged() {
    let mut client = start();
    client.open(URI, &COUNTER.replace("twice(2)", "thrice(2)"));
    let document = json!({"textDocument": {"uri": URI}});
    let report = client.request("textDocument/diagnostic", document).unwrap();
    assert_eq!(report["kind"], "full");
    assert_eq!(code(&report["items"][0]), "undeclared-function");
    let again = json!({"textDocument": {"uri": URI}, "previousResultId": report["resultId"]});
    assert_eq!(client.request("textDocument/diagnostic", again).unwrap()["kind"], "unchanged");
}

#[test]
fn pulling_is_offered_to_clients_that_can_be_told_to_pull_again() {
    let mut plain = Client::start(CIVL);
    let offered = plain.request("initialize", basic()).unwrap();
    assert!(offered["capabilities"].get("diagnosticProvider").is_none());
    let mut params = basic();
    params["capabilities"] = json!({"workspace": {"diagnostics": {"refreshSupport": true}}});
    let mut client = Client::start(CIVL);
    let offered = client.request("initialize", params).unwrap();
    assert_eq!(offered["capabilities"]["diagnosticProvider"]["identifier"], "civl");
    client.notify("initialized", json!({}));
    client.open(URI, "procedure P(i: int) { assert i == 0; }");
    let document = json!({"textDocument": {"uri": URI}});
    let before = client.request("textDocument/diagnostic", document.clone()).unwrap();
    assert_eq!(before["items"], json!([]));
    client.save(URI);
    client.wait_for("workspace/diagnostic/refresh", |_| true);
    let after = client.request("textDocument/diagnostic", document).unwrap();
    assert_eq!(code(&after["items"][0]), "assertion");
}

#[test]
fn hover_shows_signature_layers_and_comment() {
    let mut client = start();
    client.open(URI, COUNTER);
    let hover = client.request("textDocument/hover", at("Bump", 0)).unwrap();
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("atomic action {:layer 1,2} Bump(by: int)"), "{text}");
    assert!(text.contains("Adds one."), "{text}");
    let local = client.request("textDocument/hover", at("p->left", 0)).unwrap();
    assert!(local["contents"]["value"].as_str().unwrap().contains("p: Pair"));
}

#[test]
fn definition_references_highlights_and_rename_agree() {
    let mut client = start();
    client.open(URI, COUNTER);
    let definition = client.request("textDocument/definition", at("Bump;", 0)).unwrap();
    assert_eq!(definition[0]["range"]["start"], position(COUNTER, "Bump", 0));
    let mut params = at("x :=", 0);
    params["context"] = json!({"includeDeclaration": true});
    let references = client.request("textDocument/references", params).unwrap();
    assert_eq!(references.as_array().unwrap().len(), 4);
    let highlights = client.request("textDocument/documentHighlight", at("x :=", 0)).unwrap();
    let writes = highlights.as_array().unwrap().iter().filter(|h| h["kind"] == 3).count();
    assert_eq!(writes, 1);
    let prepared = client.request("textDocument/prepareRename", at("x :=", 0)).unwrap();
    assert_eq!(prepared["placeholder"], "x");
    let mut params = at("x :=", 0);
    params["newName"] = json!("total");
    let edit = client.request("textDocument/rename", params.clone()).unwrap();
    assert_eq!(edit["changes"][URI].as_array().unwrap().len(), 4);
    params["newName"] = json!("not a name");
    assert!(client.request("textDocument/rename", params).is_err());
}

#[test]
fn implementation_leads_from_an_action_to_its_procedures() {
    let mut client = start();
    client.open(URI, COUNTER);
    let found = client.request("textDocument/implementation", at("Bump", 0)).unwrap();
    assert_eq!(found[0]["range"]["start"], position(COUNTER, "bump", 0));
    let types = client.request("textDocument/typeDefinition", at("p->left", 0)).unwrap();
    assert_eq!(types[0]["range"]["start"], position(COUNTER, "Pair", 0));
    let links =
        client.request("textDocument/documentLink", json!({"textDocument": {"uri": URI}})).unwrap();
    assert_eq!(links.as_array().unwrap().len(), 1);
}

#[test]
fn outlines_fold_and_select() {
    let mut client = start();
    client.open(URI, COUNTER);
    let document = json!({"textDocument": {"uri": URI}});
    let symbols = client.request("textDocument/documentSymbol", document.clone()).unwrap();
    let names: Vec<&str> =
        symbols.as_array().unwrap().iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["x", "Pair", "twice", "Bump", "bump", "Positive", "work"]);
    let found = client.request("workspace/symbol", json!({"query": "pos"})).unwrap();
    assert_eq!(found[0]["name"], "Positive");
    let folds = client.request("textDocument/foldingRange", document).unwrap();
    assert!(folds.as_array().unwrap().len() >= 2);
    let params =
        json!({"textDocument": {"uri": URI}, "positions": [position(COUNTER, "twice(2)", 0)]});
    let selections = client.request("textDocument/selectionRange", params).unwrap();
    assert!(selections[0]["parent"]["parent"].is_object());
}

#[test]
fn tokens_come_whole_in_part_and_as_difference() {
    let mut client = start();
    client.open(URI, COUNTER);
    let document = json!({"textDocument": {"uri": URI}});
    let full = client.request("textDocument/semanticTokens/full", document).unwrap();
    let all = full["data"].as_array().unwrap().len();
    assert!(all > 100 && all.is_multiple_of(5));
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}});
    let params = json!({"textDocument": {"uri": URI}, "range": range});
    let part = client.request("textDocument/semanticTokens/range", params).unwrap();
    assert!(part["data"].as_array().unwrap().len() < all);
    let line = json!({"line": 0, "character": 0});
    client.change(URI, 2, json!([{"range": {"start": line, "end": line}, "text": "type T;\n"}]));
    let params = json!({"textDocument": {"uri": URI}, "previousResultId": full["resultId"]});
    let delta = client.request("textDocument/semanticTokens/full/delta", params).unwrap();
    assert!(delta["edits"][0]["data"].as_array().unwrap().len() <= 15, "{delta}");
}

#[test]
fn completion_and_signatures_know_the_context() {
    let mut client = start();
    client.open(URI, COUNTER);
    let labels = |answer: Value| -> Vec<String> {
        let items = answer.as_array().cloned().unwrap_or_default();
        items.iter().filter_map(|i| i["label"].as_str().map(str::to_owned)).collect()
    };
    let callees = labels(client.request("textDocument/completion", at("bump(p", 0)).unwrap());
    assert!(
        callees.contains(&"bump".to_owned()) && !callees.contains(&"twice".to_owned()),
        "{callees:?}"
    );
    let fields = labels(client.request("textDocument/completion", at("left);", 0)).unwrap());
    assert_eq!(fields, ["left", "right"]);
    let attributes = labels(client.request("textDocument/completion", at("layer", 0)).unwrap());
    assert!(attributes.contains(&"linear".to_owned()));
    let help = client.request("textDocument/signatureHelp", at("p->left", 0)).unwrap();
    assert_eq!(help["signatures"][0]["label"], "bump(by: int)");
    let start = json!({"line": 0, "character": 0});
    let prose = "// a word \n/* more */\n";
    client.change(URI, 2, json!([{"range": {"start": start, "end": start}, "text": prose}]));
    for (line, character, is_prose) in [(0, 10, true), (1, 4, true), (1, 10, false), (0, 0, false)]
    {
        let place = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": URI}, "position": place});
        let offered = labels(client.request("textDocument/completion", params).unwrap());
        assert_eq!(offered.is_empty(), is_prose, "{line}:{character}: {offered:?}");
    }
}

#[test]
fn hints_lenses_and_calls_show_what_moves() {
    let mut client = start();
    client.open(URI, COUNTER);
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let params = json!({"textDocument": {"uri": URI}, "range": range});
    let hints = client.request("textDocument/inlayHint", params).unwrap();
    assert_eq!(hints[0]["label"], "N", "{hints}");
    let lenses =
        client.request("textDocument/codeLens", json!({"textDocument": {"uri": URI}})).unwrap();
    assert!(lenses.as_array().unwrap().iter().any(|l| l["command"]["command"] == "civl.verify"));
    let items = client.request("textDocument/prepareCallHierarchy", at("bump", 0)).unwrap();
    let incoming =
        client.request("callHierarchy/incomingCalls", json!({"item": items[0]})).unwrap();
    assert_eq!(incoming[0]["from"]["name"], "work");
    let outgoing =
        client.request("callHierarchy/outgoingCalls", json!({"item": items[0]})).unwrap();
    assert_eq!(outgoing[0]["to"]["name"], "Bump");
}

#[test]
fn formatting_changes_white_space_only() {
    let mut client = start();
    client.open(URI, "var   x :int ;\n");
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let params = json!({"textDocument": {"uri": URI}, "options": options});
    let edits = client.request("textDocument/formatting", params).unwrap();
    assert!(!edits.as_array().unwrap().is_empty());
    assert!(
        edits.as_array().unwrap().iter().all(|e| e["newText"].as_str().unwrap().trim().is_empty())
    );
}

#[test]
fn a_repair_is_offered_only_after_it_was_tried() {
    let text = "\
var {:layer 0,1} x: int;
atomic action {:layer 1} Bump() { x := x + 1; }
yield procedure {:layer 0} bump();
refines Bump;
yield invariant {:layer 1} Anything();
preserves true;
yield procedure {:layer 1} twice()
{
  call bump();
  call bump();
}
";
    let mut client = start();
    client.open(URI, text);
    let found = client.diagnostics(URI, |d| !d.is_empty());
    assert_eq!(code(&found[0]), "yield-sufficiency", "{found:?}");
    let context = json!({"diagnostics": found});
    let params =
        json!({"textDocument": {"uri": URI}, "range": found[0]["range"], "context": context});
    let actions = client.request("textDocument/codeAction", params).unwrap();
    let titles: Vec<&str> =
        actions.as_array().unwrap().iter().filter_map(|a| a["title"].as_str()).collect();
    assert!(
        titles.contains(&"insert `call Anything()` before this statement (checked)"),
        "{titles:?}"
    );
    let words = |title: &&str| title.contains("(checked)") || title.contains("can be proved");
    assert!(titles.iter().all(words), "{titles:?}");
    let edit = &actions[0]["edit"]["changes"][URI][0];
    client.change(URI, 2, json!([{"range": edit["range"], "text": edit["newText"]}]));
    client.diagnostics(URI, <[Value]>::is_empty);
}

/// The code actions at a place, by title.
fn actions_at(client: &mut Client, place: &Value, diagnostics: &Value) -> Vec<Value> {
    let range = json!({"start": place, "end": place});
    let context = json!({"diagnostics": diagnostics});
    let params = json!({"textDocument": {"uri": URI}, "range": range, "context": context});
    let actions = client.request("textDocument/codeAction", params).unwrap();
    actions.as_array().cloned().unwrap_or_default()
}

fn titled<'a>(actions: &'a [Value], words: &str) -> &'a Value {
    let fits = |a: &&Value| a["title"].as_str().is_some_and(|title| title.contains(words));
    actions.iter().find(fits).unwrap_or_else(|| panic!("no action `{words}` in {actions:?}"))
}

#[test]
fn a_stronger_mover_is_proved_before_its_edit_is_told() {
    let text = "\
var {:layer 0,1} x: int;
atomic action {:layer 1} Bump(by: int) { x := x + by; }
yield procedure {:layer 0} bump(by: int);
refines Bump;
var {:layer 0,1} y: int;
atomic action {:layer 1} Set(to: int) { y := to; }
yield procedure {:layer 0} set(to: int);
refines Set;
";
    let mut client = start();
    client.open(URI, text);
    let actions = actions_at(&mut client, &position(text, "Bump", 0), &json!([]));
    let promised = titled(&actions, "make `Bump` a both mover, if that can be proved").clone();
    assert!(promised.get("edit").is_none(), "{promised}");
    let proved = client.request("codeAction/resolve", promised).unwrap();
    assert_eq!(proved["title"], "make `Bump` a both mover (checked: proves)");
    assert_eq!(proved["edit"]["changes"][URI][0]["newText"], "both");
    let actions = actions_at(&mut client, &position(text, "Set", 0), &json!([]));
    let promised = titled(&actions, "make `Set` a both mover").clone();
    let refused = client.request("codeAction/resolve", promised.clone()).unwrap_err();
    let why = refused["message"].as_str().unwrap();
    assert!(why.contains("commutativity(Set, Set)"), "{refused}");
    // A choice from before an edit is not taken for the text after it.
    client.change(URI, 2, json!([{"text": format!("// new\n{text}")}]));
    assert_eq!(client.request("codeAction/resolve", promised).unwrap_err()["code"], -32801);
}

#[test]
fn a_mover_type_that_fails_can_be_weakened() {
    let set = "yield procedure {:layer 0} set(to: int);\nrefines";
    for (text, title) in [
        (
            format!("left action {{:layer 1}} Set(to: int) {{ y := to; }}\n{set} Set;\n"),
            "make `Set` a non-mover",
        ),
        (
            format!("{set} left action {{:layer 1}} _ {{ y := to; }}\n"),
            "make the action of `set` a non-mover",
        ),
    ] {
        let mut client = start();
        client.open(URI, &format!("var {{:layer 0,1}} y: int;\n{text}"));
        client.save(URI);
        let found = client.diagnostics(URI, |d| d.iter().any(|d| code(d) == "commutativity"));
        let place = found[0]["range"]["start"].clone();
        let actions = actions_at(&mut client, &place, &json!(found));
        let promised = titled(&actions, title).clone();
        assert_eq!(promised["kind"], "quickfix");
        let proved = client.request("codeAction/resolve", promised).unwrap();
        assert_eq!(proved["edit"]["changes"][URI][0]["newText"], "atomic");
    }
}

#[test]
fn refactorings_are_offered_after_a_trial() {
    let mut client = start();
    client.open(URI, COUNTER);
    let actions = actions_at(&mut client, &position(COUNTER, "work", 0), &json!([]));
    let stub = titled(&actions, "write a stub action `AtomicWork`");
    assert_eq!(stub["kind"], "refactor");
    assert_eq!(stub["edit"]["changes"][URI].as_array().map(Vec::len), Some(2), "{stub}");
    let only = json!({"diagnostics": [], "only": ["quickfix"]});
    let place = position(COUNTER, "work", 0);
    let range = json!({"start": place, "end": place});
    let params = json!({"textDocument": {"uri": URI}, "range": range, "context": only});
    assert_eq!(client.request("textDocument/codeAction", params).unwrap(), json!([]));
}

#[test]
fn edits_and_requests_keep_their_order() {
    let mut client = start();
    client.open(URI, "");
    let mut asked = Vec::new();
    let mut text = String::new();
    for number in 0..200 {
        let line = format!("var {{:layer 0,1}} v{number}: int;\n");
        let place = json!({"line": number, "character": 0});
        client.change(
            URI,
            number + 2,
            json!([{"range": {"start": place, "end": place}, "text": line}]),
        );
        text.push_str(&line);
        let document = json!({"textDocument": {"uri": URI}});
        asked.push((number, client.post("textDocument/documentSymbol", document)));
    }
    let mut overtaken = 0;
    for (number, id) in asked {
        match client.answer(id) {
            Ok(symbols) => assert_eq!(symbols.as_array().map(Vec::len), Some(number as usize + 1)),
            Err(error) => {
                assert_eq!(error["code"], -32801, "{error}");
                overtaken += 1;
            }
        }
    }
    println!("{overtaken} of 200 requests were overtaken by an edit");
}

#[test]
fn positions_count_in_the_agreed_encoding() {
    for (encoding, column) in [("utf-8", 12), ("utf-16", 10), ("utf-32", 9)] {
        let general = json!({"positionEncodings": [encoding]});
        let params =
            json!({"capabilities": {"general": general}, "processId": null, "rootUri": null});
        let mut client = Client::start(CIVL);
        let result = client.request("initialize", params).unwrap();
        assert_eq!(result["capabilities"]["positionEncoding"], encoding);
        client.notify("initialized", json!({}));
        client.open(URI, "/*𝄞*/var x: int;\n");
        let symbols = client
            .request("textDocument/documentSymbol", json!({"textDocument": {"uri": URI}}))
            .unwrap();
        assert_eq!(symbols[0]["selectionRange"]["start"]["character"], column, "{encoding}");
    }
}

#[test]
fn malformed_messages_do_not_end_the_conversation() {
    let mut client = start();
    client.send_raw(frame("{this is no JSON").as_bytes());
    client.send_raw(frame("[1, 2]").as_bytes());
    client.send_raw(
        frame("{\"jsonrpc\": \"2.0\", \"id\": \"x\", \"method\": \"no/such/method\"}").as_bytes(),
    );
    client.send_raw(
        frame("{\"jsonrpc\": \"2.0\", \"method\": \"textDocument/didChange\"}").as_bytes(),
    );
    client.open(URI, COUNTER);
    assert!(client.request("textDocument/hover", at("Bump", 0)).unwrap().is_object());
}

#[test]
fn a_cancelled_request_is_answered_and_others_go_on() {
    let mut client = start();
    client.open(URI, COUNTER);
    let id = client.post("textDocument/hover", at("Bump", 0));
    client.notify("$/cancelRequest", json!({"id": id}));
    let outcome = client.answer(id);
    if let Err(error) = outcome {
        assert_eq!(error["code"], -32800);
    }
    assert!(client.request("textDocument/hover", at("Bump", 0)).unwrap().is_object());
}

#[test]
fn our_own_requests_answer() {
    let mut client = start();
    client.open(URI, COUNTER);
    let view = client.request("civl/layerView", json!({"uri": URI, "layer": 1})).unwrap();
    let text = view["text"].as_str().unwrap();
    assert!(text.contains("// bump is now Bump"), "{text}");
    assert!(!text.contains("yield procedure {:layer 0} bump"), "{text}");
    let movers = client.request("civl/movers", json!({"uri": URI})).unwrap();
    assert!(movers["text"].as_str().unwrap().contains("bump"));
    let library =
        client.request("civl/libraryText", json!({"uri": "civl://library/base.bpl"})).unwrap();
    assert!(library["text"].as_str().unwrap().contains("datatype"));
    assert_eq!(client.request("civl/status", json!({})).unwrap()["version"], 1);
    assert!(
        client.request("civl/obligations", json!({"uri": URI})).unwrap()["obligations"].is_array()
    );
    client.request("civl/cancel", json!({})).unwrap();
}

/// No run is under way, and everything is about the present text.
fn is_settled(obligations: &Value) -> bool {
    obligations["finished"] == true && obligations["stale"] == false
}

#[test]
fn saving_proves_and_closing_clears() {
    let text = "procedure P(x: int)\n{\n  assert x == 0;\n}\n";
    let mut client = start();
    client.open(URI, text);
    client.save(URI);
    let found = client.diagnostics(URI, |d| d.iter().any(|d| code(d) == "assertion"));
    assert_eq!(found[0]["range"]["start"]["line"], 2);
    let states = client.wait_for("civl/obligations", is_settled);
    assert_eq!(states["obligations"][0]["state"], "failed");
    let line = |range: &Value| range["start"]["line"].clone();
    assert_eq!(line(&states["obligations"][0]["failures"][0]), 2);
    assert_eq!(line(&states["obligations"][0]["range"]), 0);
    client.change(URI, 2, json!([{"text": text.replace("assert x == 0", "assert x == x")}]));
    client.save(URI);
    client.diagnostics(URI, <[Value]>::is_empty);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert!(client.request("civl/status", json!({})).is_ok());
}

/// A program whose proof takes long: multiplication is undecidable.
const HARD: &str = "\
procedure Hard(a: int, b: int, c: int, n: int)
{
  assert n > 2 && a > 0 && b > 0 && c > 0 ==> a * a * a * a * n + b * b * b * b * n != c * c * c * c * n;
}
";

/// Has the hard program proved and waits until a worker works on it.
fn busy(client: &mut Client) -> Vec<u32> {
    client.open(URI, HARD);
    client.save(URI);
    client.wait_for_workers()
}

fn expect_gone(pids: &[u32], patience: Duration) {
    let deadline = Instant::now() + patience;
    while pids.iter().any(|pid| is_running(*pid)) {
        assert!(Instant::now() < deadline, "processes survive: {pids:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn no_worker_survives_the_end_of_the_conversation() {
    let mut client = start();
    let workers = busy(&mut client);
    client.vanish();
    assert!(client.wait_exit(Duration::from_secs(2)).is_some());
    expect_gone(&workers, Duration::from_secs(2));

    let mut client = start();
    let workers = busy(&mut client);
    assert!(client.shut_down().is_some());
    expect_gone(&workers, Duration::from_secs(2));

    let mut client = start();
    let workers = busy(&mut client);
    drop(client); // SIGKILL
    expect_gone(&workers, Duration::from_secs(2));
}

#[test]
fn the_server_ends_when_its_editor_is_killed() {
    let mut editor = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    let params = json!({"capabilities": {}, "processId": editor.id(), "rootUri": null});
    let mut client = Client::initialized(CIVL, params);
    editor.kill().unwrap();
    editor.wait().unwrap();
    assert!(client.wait_exit(Duration::from_secs(2)).is_some());
}

#[test]
fn an_edit_and_a_command_cancel_a_proof_at_once() {
    let mut client = start();
    let workers = busy(&mut client);
    let began = Instant::now();
    client.change(URI, 2, json!([{"text": "procedure Easy() {}"}]));
    expect_gone(&workers, Duration::from_millis(1000));
    println!("METRIC cancel by edit {} ms", began.elapsed().as_millis());
    let mut client = start();
    let workers = busy(&mut client);
    let began = Instant::now();
    client.request("civl/cancel", json!({})).unwrap();
    expect_gone(&workers, Duration::from_millis(1000));
    println!("METRIC cancel by command {} ms", began.elapsed().as_millis());
}

#[test]
fn a_killed_worker_costs_one_answer_and_the_next_save_works() {
    let mut client = start();
    busy(&mut client);
    // The first worker tries an easier goal; the one that replaces it has to die as well.
    let pause = Duration::from_millis(50);
    let killed = Instant::now();
    let states = loop {
        for worker in client.workers() {
            let pid = worker.to_string();
            let _killed = std::process::Command::new("kill").args(["-9", &pid]).status();
        }
        if let Some(states) = client.try_wait_for("civl/obligations", pause, is_settled) {
            break states;
        }
        assert!(killed.elapsed() < PATIENCE, "no answer although every worker is killed");
    };
    assert_eq!(states["obligations"][0]["state"], "unknown", "{states}");
    client.change(URI, 2, json!([{"text": "procedure Easy() { assert 1 < 2; }"}]));
    client.save(URI);
    let states = client.wait_for("civl/obligations", is_settled);
    assert_eq!(states["obligations"][0]["state"], "proved", "{states}");
}

#[test]
fn a_verdict_that_needs_no_solver_is_told_at_once() {
    // It is known before the static problems are.
    for _ in 0..5 {
        let mut client = start();
        client.open(URI, "procedure P() {}");
        client.save(URI);
        let states = client.wait_for("civl/obligations", is_settled);
        assert_eq!(states["obligations"][0]["state"], "proved", "{states}");
    }
}

#[test]
fn verifying_one_declaration_keeps_what_is_known_of_others() {
    let text = "procedure P(x: int) { assert x == 0; }\nprocedure Q(x: int) { assert x == x; }\n";
    let mut client = start();
    client.open(URI, text);
    client.save(URI);
    client.wait_for("civl/obligations", is_settled);
    client.inbox.clear();
    client.request("civl/verify", json!({"uri": URI, "symbol": "Q"})).unwrap();
    let begun = client.wait_for("civl/obligations", |p| p["finished"] == false);
    let state = |of: &Value, owner: &str| {
        let all = of["obligations"].as_array().cloned().unwrap_or_default();
        let own = all.iter().find(|entry| entry["owner"] == owner);
        own.map(|entry| entry["state"].clone()).unwrap_or_default()
    };
    assert_eq!((state(&begun, "P"), state(&begun, "Q")), (json!("failed"), json!("queued")));
    let ended = client.wait_for("civl/obligations", is_settled);
    assert_eq!((state(&ended, "P"), state(&ended, "Q")), (json!("failed"), json!("proved")));
    let status = client.wait_for("civl/status", |p| p["phase"] == "idle" && p["total"] == 1);
    assert_eq!(status["done"], 1, "{status}");
    let shown = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": URI}}));
    assert_eq!(shown.unwrap()["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn several_files_of_a_manifest_are_one_program() {
    let folder = std::env::temp_dir().join(format!("civl-lsp-program-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("civl.toml"), "programs = [{ files = [\"a.bpl\", \"b.bpl\"] }]\n")
        .unwrap();
    std::fs::write(folder.join("a.bpl"), "function f(x: int): int { x }\n").unwrap();
    let b = "procedure P() { assert f(1) == 1; }\n";
    std::fs::write(folder.join("b.bpl"), b).unwrap();
    let uri = |name: &str| format!("file://{}", folder.join(name).display());
    let params = json!({"capabilities": {}, "processId": null, "rootUri": format!("file://{}", folder.display())});
    let mut client = Client::initialized(CIVL, params);
    client.open(&uri("b.bpl"), b);
    client.diagnostics(&uri("b.bpl"), <[Value]>::is_empty);
    let place = json!({"textDocument": {"uri": uri("b.bpl")}, "position": position(b, "f(1)", 0)});
    let definition = client.request("textDocument/definition", place).unwrap();
    assert_eq!(definition[0]["uri"], uri("a.bpl"));
    // An unsaved edit of the other file counts.
    client.open(&uri("a.bpl"), "function g(x: int): int { x }\n");
    client.diagnostics(&uri("b.bpl"), |d| d.iter().any(|d| code(d) == "undeclared-function"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_thousand_edits_do_not_fill_memory() {
    let mut client = start();
    client.open(URI, COUNTER);
    let edit = |client: &mut Client, version: i32| {
        let text = format!("// {version}\n{COUNTER}");
        client.change(URI, version, json!([{"text": text}]));
    };
    for version in 2..300 {
        edit(&mut client, version);
    }
    client.request("textDocument/hover", at("Bump", 0)).ok();
    let before = client.memory_kb();
    for version in 300..1300 {
        edit(&mut client, version);
    }
    client.request("textDocument/hover", at("Bump", 0)).ok();
    let after = client.memory_kb();
    println!("memory {before} kB before, {after} kB after 1000 edits");
    assert!(after < before + 10_240, "{before} {after}");
}

/// Line, column, code and headline of an error, counted as the command line does.
type Said = (u64, u64, String, String);

fn said_by_command_line(answer: &Value) -> Vec<Said> {
    let number = |v: &Value| v.as_u64().unwrap_or(0);
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let all = answer["diagnostics"].as_array().cloned().unwrap_or_default();
    let errors = all.iter().filter(|d| d["severity"] == "error");
    let mut said: Vec<Said> = errors
        .map(|d| (number(&d["line"]), number(&d["column"]), text(&d["code"]), text(&d["message"])))
        .collect();
    said.sort();
    said
}

fn said_by_server(diagnostics: &[Value]) -> Vec<Said> {
    let errors = diagnostics.iter().filter(|d| d["severity"] == 1);
    let mut said: Vec<Said> = errors
        .map(|d| {
            let start = &d["range"]["start"];
            let headline =
                d["message"].as_str().unwrap_or_default().lines().next().unwrap_or_default();
            (
                start["line"].as_u64().unwrap_or(0) + 1,
                start["character"].as_u64().unwrap_or(0) + 1,
                code(d).to_owned(),
                headline.to_owned(),
            )
        })
        .collect();
    said.sort();
    said
}

#[test]
fn editor_and_command_line_say_the_same() {
    let mut client = start();
    for path in files_below(&root().join("tests/examples"), "bpl") {
        let text = std::fs::read_to_string(&path).unwrap();
        let answer = run::verify(CIVL, &path, "", &[]).unwrap();
        let wanted = said_by_command_line(&answer);
        let is_broken = path.components().any(|part| part.as_os_str() == "broken");
        assert_eq!(wanted.is_empty(), !is_broken, "{}", path.display());
        let uri = format!("file://{}", path.display());
        client.open(&uri, &text);
        client.save(&uri);
        let states = client.wait_for("civl/obligations", |p| p["uri"] == uri && is_settled(p));
        let pulled =
            client.request("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
        let said = said_by_server(pulled.unwrap()["items"].as_array().unwrap());
        let errors = answer["diagnostics"].as_array().unwrap();
        if errors.iter().all(|d| d["phase"] == "proof" || d["severity"] != "error") {
            assert_eq!(said, wanted, "{}", path.display());
            let count = |word: &str| {
                let all = states["obligations"].as_array().unwrap().iter();
                u64::try_from(all.filter(|o| o["state"] == word).count()).unwrap()
            };
            for word in ["proved", "failed", "skipped"] {
                assert_eq!(count(word), answer["obligations"][word], "{} {word}", path.display());
            }
        } else {
            // An editor shows the problems of all phases, the command line those of the first.
            assert!(wanted.iter().all(|one| said.contains(one)), "{}", path.display());
        }
        client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }
}
