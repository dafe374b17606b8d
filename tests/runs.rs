//! Which proof the server works on: in which order, what takes a run back, and that none is lost.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests stop at the first surprise"
)]

use civl_tests::client::{Client, is_running};
use serde_json::{Value, json};
use testing::Random;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
const SLOW: &str = "file:///work/slow.bpl";
const QUICK: &str = "file:///work/quick.bpl";

/// Nobody decides this before the time limit below, and none of these tests waits for that.
const HARD: &str = "\
procedure Hard(a: int, b: int, c: int, n: int)
{
  assert n > 2 && a > 0 && b > 0 && c > 0 ==> a * a * a * a * n + b * b * b * b * n != c * c * c * c * n;
}
procedure Easy(a: int)
{
  assert a == a + 0;
}
";
const SMALL: &str = "procedure P(x: int) { assert x == x; }\n";

fn start() -> Client {
    let settings = json!({"timeLimit": 3600, "cache": false});
    let params = json!({
        "capabilities": {}, "processId": null, "rootUri": null, "initializationOptions": settings,
    });
    Client::initialized(CIVL, params)
}

/// Two documents, and the first is being proved.
fn busy() -> (Client, Vec<u32>) {
    let mut client = start();
    client.open(SLOW, HARD);
    client.open(QUICK, SMALL);
    client.save(SLOW);
    wait_until_running(&mut client);
    let workers = client.wait_for_workers();
    (client, workers)
}

fn wait_until_running(client: &mut Client) {
    client.wait_for("civl/obligations", |p| p["uri"] == SLOW && state(p, "Hard") == "running");
}

fn state(list: &Value, owner: &str) -> Value {
    let all = list["obligations"].as_array().cloned().unwrap_or_default();
    let own = all.iter().find(|entry| entry["owner"] == owner);
    own.map(|entry| entry["state"].clone()).unwrap_or_default()
}

fn is_settled(list: &Value) -> bool {
    list["finished"] == true && list["stale"] == false
}

fn obligations(client: &mut Client, uri: &str) -> Value {
    loop {
        match client.request("civl/obligations", json!({"uri": uri})) {
            Ok(list) => return list,
            // A newer list has overtaken it.
            Err(error) => assert_eq!(error["code"], -32801, "{error}"),
        }
    }
}

fn verify(client: &mut Client, uri: &str) {
    client.request("civl/verify", json!({"uri": uri})).unwrap();
}

#[test]
fn what_a_person_asks_for_goes_before_what_was_saved() {
    let (mut client, workers) = busy();
    verify(&mut client, QUICK);
    client.wait_for("civl/obligations", |p| p["uri"] == QUICK && is_settled(p));
    // The other run was put back, and begins again with workers of its own.
    assert_eq!(obligations(&mut client, SLOW)["finished"], false);
    client.inbox.clear();
    if state(&obligations(&mut client, SLOW), "Hard") != "running" {
        wait_until_running(&mut client);
    }
    assert!(workers.iter().all(|worker| !is_running(*worker)));
}

#[test]
fn one_declaration_is_proved_before_the_rest_of_its_program() {
    let (mut client, _) = busy();
    client.request("civl/verify", json!({"uri": SLOW, "symbol": "Easy"})).unwrap();
    client.wait_for("civl/obligations", |p| p["uri"] == SLOW && state(p, "Easy") == "proved");
    assert_eq!(obligations(&mut client, SLOW)["finished"], false);
    wait_until_running(&mut client);
}

#[test]
fn asking_for_what_is_under_way_does_not_start_it_again() {
    let (mut client, workers) = busy();
    for _ in 0..10 {
        verify(&mut client, SLOW);
        client.save(SLOW);
    }
    let status = client.request("civl/status", json!({})).unwrap();
    assert_eq!(status["phase"], "verifying");
    let hard = workers.iter().any(|worker| is_running(*worker));
    assert!(hard, "the worker of the first run works on");
}

#[test]
fn a_run_that_waits_is_not_finished_and_an_edit_takes_it_back() {
    let (mut client, _) = busy();
    client.save(QUICK);
    assert_eq!(obligations(&mut client, QUICK)["finished"], false);
    client.change(QUICK, 2, json!([{"text": format!("// new\n{SMALL}")}]));
    assert_eq!(obligations(&mut client, QUICK)["finished"], true);
    client.save(QUICK);
    assert_eq!(obligations(&mut client, QUICK)["finished"], false);
    client.request("civl/cancel", json!({"uri": QUICK})).unwrap();
    assert_eq!(obligations(&mut client, QUICK)["finished"], true);
    // Only this program was meant.
    assert_eq!(obligations(&mut client, SLOW)["finished"], false);
    client.inbox.clear();
    client.change(SLOW, 2, json!([{"text": format!("// new\n{HARD}")}]));
    client.wait_for("civl/status", |p| p["phase"] == "cancelled");
    assert_eq!(client.request("civl/status", json!({})).unwrap()["phase"], "idle");
}

#[test]
fn a_background_run_is_served_after_what_was_before_it_ends() {
    let (mut client, _) = busy();
    client.save(QUICK);
    assert_eq!(obligations(&mut client, QUICK)["finished"], false);
    client.request("civl/cancel", json!({"uri": SLOW})).unwrap();
    client.wait_for("civl/obligations", |p| p["uri"] == QUICK && is_settled(p));
}

/// Whatever happened before: what is asked for after the last edit is answered.
#[test]
fn no_run_is_lost_among_edits_saves_and_cancellations() {
    let mut client = start();
    let mut random = Random::new(5);
    let uris = [SLOW, QUICK, "file:///work/third.bpl"];
    for uri in uris {
        client.open(uri, SMALL);
    }
    let mut version = 1;
    for round in 0..25 {
        let asked = uris[random.below(3)];
        for _ in 0..random.below(12) {
            let uri = uris[random.below(3)];
            version += 1;
            match random.below(5) {
                0 | 1 => {
                    let text = [SMALL, HARD, "procedure ("][random.below(3)];
                    client.change(uri, version, json!([{"text": format!("// {version}\n{text}")}]));
                }
                2 => client.save(uri),
                3 => verify(&mut client, uri),
                _ => drop(client.request("civl/cancel", json!({"uri": uri})).unwrap()),
            }
        }
        version += 1;
        client.change(asked, version, json!([{"text": format!("// {version}\n{SMALL}")}]));
        client.inbox.clear();
        verify(&mut client, asked);
        // Edits of the others take back nothing of it.
        let other = uris[(round + 1) % 3];
        if other != asked {
            client.change(other, version, json!([{"text": format!("// {version}\n{HARD}")}]));
            client.save(other);
        }
        client.wait_for("civl/obligations", |p| {
            let present = p["uri"] == asked && p["documentVersion"] == version;
            present && is_settled(p) && state(p, "P") == "proved"
        });
    }
}
