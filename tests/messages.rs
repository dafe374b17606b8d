//! Our own messages, as `server/schema/messages.md` describes them.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests stop at the first surprise"
)]

use std::collections::BTreeMap;

use civl_tests::client::Client;
use civl_tests::run;
use serde_json::{Value, json};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
const URI: &str = "file:///work/messages.bpl";

fn start(capabilities: Value) -> Client {
    let params = json!({"capabilities": capabilities, "processId": null, "rootUri": null});
    Client::initialized(CIVL, params)
}

/// No run is under way, and everything is about the present text.
fn is_settled(list: &Value) -> bool {
    list["finished"] == true && list["stale"] == false
}

const FAITH: &str = "\
function f(n: int): int;
axiom (forall n: int :: f(n) >= 0);
procedure Lemma(n: int);
ensures f(n) >= 1;
yield procedure {:layer 0} machine();
procedure P(n: int)
free requires n > 0;
{
  call Lemma(n);
  assert f(n) >= 1;
}
";

#[test]
fn assumptions_are_those_of_the_command_line() {
    let mut client = start(json!({}));
    client.open(URI, FAITH);
    let answer = client.request("civl/assumptions", json!({"uri": URI})).unwrap();
    assert_eq!((&answer["version"], &answer["errors"]), (&json!(1), &json!(false)));
    let told: Vec<(Value, Value, u64)> = answer["assumptions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let line = it["location"]["range"]["start"]["line"].as_u64().unwrap() + 1;
            (it["kind"].clone(), it["what"].clone(), line)
        })
        .collect();
    let report = run::verify(CIVL, std::path::Path::new("-"), FAITH, &[]).unwrap();
    let printed: Vec<(Value, Value, u64)> = report["trusted"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["kind"].clone(), it["what"].clone(), it["line"].as_u64().unwrap()))
        .collect();
    assert_eq!(told, printed);
    let kinds: Vec<(&Value, &Value)> = answer["assumptions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (&it["kind"], &it["promise"]))
        .collect();
    let expected = [("axiom", false), ("procedure", false), ("lemma", true), ("free-clause", true)];
    let expected = expected.map(|(kind, promise)| (json!(kind), json!(promise)));
    assert_eq!(kinds, expected.iter().map(|(a, b)| (a, b)).collect::<Vec<_>>());

    client.change(URI, 2, json!([{"text": FAITH.replace("f(n) >= 1;\n}", "g(n) >= 1;\n}")}]));
    let answer = client.request("civl/assumptions", json!({"uri": URI})).unwrap();
    assert_eq!((&answer["errors"], &answer["assumptions"]), (&json!(true), &json!([])));
    assert!(client.request("civl/assumptions", json!({"uri": "file:///nowhere.bpl"})).is_err());
}

/// The lens over the first declaration, executed as a client does.
fn look_for_contradictions(client: &mut Client) {
    let document = json!({"textDocument": {"uri": URI}});
    let lenses = client.request("textDocument/codeLens", document).unwrap();
    let title = "look for contradictory assumptions";
    let all = lenses.as_array().unwrap().iter().map(|lens| &lens["command"]);
    let own: Vec<&Value> = all.filter(|command| command["title"] == title).collect();
    assert_eq!(own.len(), 1, "{lenses}");
    let asked = json!({"command": own[0]["command"], "arguments": own[0]["arguments"]});
    client.request("workspace/executeCommand", asked).unwrap();
}

#[test]
fn a_lens_looks_for_proofs_from_contradictions() {
    let text = "\
procedure P(x: int)
requires x < 0;
requires x > 0;
{
  assert x == 7;
}
procedure Q(x: int)
requires x == 7;
{
  assert x > 0;
}
";
    let progress = json!({"window": {"workDoneProgress": true}});
    let mut client = start(progress);
    let end = |words: &'static str| {
        move |p: &Value| {
            let message = p["value"]["message"].as_str().unwrap_or_default();
            p["value"]["kind"] == "end" && message.contains(words)
        }
    };
    client.open(URI, text);
    client.save(URI);
    client.wait_for("civl/obligations", is_settled);
    let place = json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 10}});
    let hover = client.request("textDocument/hover", place).unwrap();
    let hover = hover["contents"]["value"].as_str().unwrap();
    assert!(hover.contains("resource units"), "{hover}");
    look_for_contradictions(&mut client);
    let found = client.diagnostics(URI, |all| all.iter().any(|d| d["code"] == "vacuous"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (&found[0]["severity"], &found[0]["range"]["start"]["line"]),
        (&json!(2), &json!(4))
    );
    client.wait_for("$/progress", end("1 proved only from contradictory assumptions"));

    client.change(URI, 2, json!([{"text": text.replace("x < 0", "x > 6").replace("x > 0;\n{\n  assert x == 7", "x < 8;\n{\n  assert x == 7")}]));
    look_for_contradictions(&mut client);
    client.wait_for("$/progress", end("no contradictory assumptions found"));
    client.diagnostics(URI, <[Value]>::is_empty);
}

/// Five procedures, so that one is few of them.
fn five(last: &str) -> String {
    let plain = |n| format!("procedure P{n}(x: int) {{ assert x == x + {n} - {n}; }}\n");
    (0..4).map(plain).collect::<String>() + &format!("procedure Q(x: int) {{ {last} }}\n")
}

fn entries(list: &Value) -> BTreeMap<String, Value> {
    let all = list["obligations"].as_array().cloned().unwrap_or_default();
    all.into_iter().map(|it| (it["id"].as_str().unwrap().to_owned(), it)).collect()
}

/// What a client has after a message: a whole list, or a difference to what it had.
fn apply(have: &mut (Value, BTreeMap<String, Value>), message: &Value) -> bool {
    let difference = message.get("changed").is_some();
    if difference {
        assert_eq!(message["previousResultId"], have.0, "nothing was missed");
        for id in message["removed"].as_array().unwrap() {
            have.1.remove(id.as_str().unwrap());
        }
        for it in message["changed"].as_array().unwrap() {
            have.1.insert(it["id"].as_str().unwrap().to_owned(), it.clone());
        }
    } else {
        have.1 = entries(message);
    }
    have.0 = message["resultId"].clone();
    difference
}

#[test]
fn a_client_that_has_a_list_can_ask_for_the_difference() {
    let mut client = start(json!({}));
    client.open(URI, &five("assert x == 40;"));
    client.save(URI);
    client.wait_for("civl/obligations", is_settled);
    let whole = client.request("civl/obligations", json!({"uri": URI})).unwrap();
    let all = whole["obligations"].as_array().unwrap();
    let asked = all.iter().find(|it| it["owner"] == "Q").unwrap();
    assert!(asked["steps"].as_u64() > Some(0), "{asked}");
    let mut have = (Value::Null, BTreeMap::new());
    apply(&mut have, &whole);
    assert_eq!(have.1.len(), 5);
    client.request("civl/verify", json!({"uri": URI, "symbol": "Q"})).unwrap();
    client.wait_for("civl/status", |p| p["phase"] == "idle" && p["total"] == 1);
    let ask = json!({"uri": URI, "previousResultId": have.0});
    let difference = client.request("civl/obligations", ask).unwrap();
    assert_eq!(difference["changed"].as_array().map(Vec::len), Some(1), "{difference}");
    assert!(difference.get("obligations").is_none());
    apply(&mut have, &difference);
    let now = client.request("civl/obligations", json!({"uri": URI})).unwrap();
    assert_eq!(have, (now["resultId"].clone(), entries(&now)));
    // Nothing is new; and of what nobody knows there is no difference.
    let ask = json!({"uri": URI, "previousResultId": have.0});
    let nothing = client.request("civl/obligations", ask).unwrap();
    assert_eq!((&nothing["changed"], &nothing["removed"]), (&json!([]), &json!([])));
    for unknown in ["", "x", "7.3", "1.999"] {
        let ask = json!({"uri": URI, "previousResultId": unknown});
        assert!(client.request("civl/obligations", ask).unwrap()["obligations"].is_array());
    }
}

#[test]
fn a_client_that_can_is_told_differences() {
    let mut client = start(json!({"experimental": {"civl": {"obligationDifferences": true}}}));
    client.open(URI, &five("assert x == 0;"));
    let mut have = (Value::Null, BTreeMap::new());
    let mut differences = 0;
    for (version, last) in [(2, "assert x == 1;"), (3, ""), (4, "assert x == 2; assert x == 3;")] {
        client.change(URI, version, json!([{"text": five(last)}]));
        client.save(URI);
        loop {
            let message = client.wait_for("civl/obligations", |_| true);
            differences += usize::from(apply(&mut have, &message));
            if is_settled(&message) && message["documentVersion"] == version && !have.1.is_empty() {
                break;
            }
        }
        client.request("civl/verify", json!({"uri": URI, "symbol": "Q"})).unwrap();
        loop {
            let message = client.wait_for("civl/obligations", |_| true);
            differences += usize::from(apply(&mut have, &message));
            if is_settled(&message) {
                break;
            }
        }
        let now = client.request("civl/obligations", json!({"uri": URI})).unwrap();
        assert_eq!(have.1, entries(&now));
    }
    assert!(differences >= 3, "{differences}");
}
