//! The statements inside of a failing fragment, as each reader gets them: JSON, editor, page.
//!
//! `explanations/inner_steps.bpl` is a procedure of thirty lines that does its action in two steps. What is
//! said about it is pinned beside it; `UPDATE_EXPECT=1` writes it. The text is pinned by `report.rs`.
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests stop at the first surprise"
)]

use std::path::PathBuf;
use std::process::Command;

use civl_tests::client::Client;
use civl_tests::root;
use serde_json::{Value, json};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
const PROGRAM: &str = "tests/explanations/inner_steps.bpl";
const OBLIGATION: &str = "refinement(Withdraw) @ 1";
/// The statements of the fragment that writes first: line and text.
const FIRST: [(u64, &str); 7] = [
    (39, "taken := 0"),
    (43, "call Lock(me)"),
    (44, "call there := ReadSavings(me)"),
    (49, "taken := wanted"),
    (50, "there := there - taken"),
    (51, "call WriteSavings(me, there)"),
    (52, "call Unlock(me)"),
];

fn pinned(ending: &str, said: &str) {
    let path: PathBuf = root().join(PROGRAM).with_extension(ending);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, said).expect("the folder can be written");
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(said, wanted, "{}", path.display());
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("JSON") + "\n"
}

#[test]
fn json_tells_the_steps_of_each_fragment() {
    let command = ["verify", "--no-cache", "--format", "json", PROGRAM];
    let output = Command::new(CIVL).args(command).current_dir(root()).output();
    let answer: Value =
        serde_json::from_slice(&output.expect("civl starts").stdout).expect("an answer");
    let failures = answer["diagnostics"].as_array().expect("diagnostics");
    let told = failures.iter().map(|it| {
        json!({"line": it["line"], "message": it["message"], "obligation": it["obligation"], "trace": it["trace"]})
    });
    let fragment = failures[1]["trace"]["facts"][1]["steps"].as_array().expect("steps");
    let steps = fragment.iter().map(|it| (it["at"]["line"].as_u64(), it["what"].as_str()));
    let wanted = FIRST.map(|(line, what)| (Some(line), Some(what)));
    assert_eq!(steps.collect::<Vec<_>>(), wanted);
    pinned("json", &pretty(&told.collect()));
}

/// A server that has proved the program, and its diagnostics; `related`: the client shows related places.
fn editor(related: bool) -> (Client, &'static str, Vec<Value>) {
    let text = std::fs::read_to_string(root().join(PROGRAM)).expect("the program");
    let uri = "file:///work/inner_steps.bpl";
    let capabilities =
        json!({"textDocument": {"publishDiagnostics": {"relatedInformation": related}}});
    let params = json!({"processId": null, "rootUri": null, "capabilities": capabilities});
    let mut client = Client::initialized(CIVL, params);
    client.open(uri, &text);
    client.save(uri);
    client.wait_for("civl/obligations", |told| {
        let all = told["obligations"].as_array();
        let open = |it: &Value| it["state"] == "queued" || it["state"] == "running";
        told["uri"] == uri && all.is_some_and(|all| !all.is_empty() && !all.iter().any(open))
    });
    let shown = client.diagnostics(uri, |all| all.len() == 2);
    (client, uri, shown)
}

#[test]
fn an_editor_gets_one_line_in_its_list_and_the_steps_beside_it() {
    let (mut client, uri, shown) = editor(true);
    for problem in &shown {
        let message = problem["message"].as_str().expect("a message");
        assert_eq!(message.lines().count(), 1, "{message}");
        let places = problem["relatedInformation"].as_array().expect("places");
        let told =
            |it: &Value| it["message"].as_str().is_some_and(|it| it.starts_with("call Lock"));
        assert!(places.iter().any(told), "{problem}");
    }
    let params = json!({"uri": uri, "obligation": OBLIGATION});
    let trace = client.request("civl/trace", params.clone()).expect("a trace");
    pinned("lsp.json", &pretty(&json!({"diagnostics": shown, "trace": trace})));
    let page = client.request("civl/page", params).expect("a page");
    let body = page["body"].as_str().expect("markup");
    for (line, what) in FIRST {
        let step = format!("data-line=\"{line}\"");
        assert!(body.contains(&step) && body.contains(&format!("<code>{what}</code>")), "{what}");
    }
    pinned("html", body);
}

#[test]
fn an_editor_that_shows_no_other_places_gets_all_words_in_the_message() {
    let (_client, _uri, shown) = editor(false);
    for problem in shown {
        assert!(problem["relatedInformation"].is_null(), "{problem}");
        let message = problem["message"].as_str().expect("a message");
        assert!(
            message.contains("line 43: call Lock(me): owner: None() → Some(Tid#0)"),
            "{message}"
        );
    }
}
