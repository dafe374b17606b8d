//! Documents are not trusted: what they name is never run, fetched, or read outside the workspace.
#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests write files and start programs"
)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use civl_tests::client::Client;
use civl_tests::{processes, root};
use serde_json::json;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

fn fresh(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("civl-security-{}-{name}", std::process::id()));
    let _not_there = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("workspace")).expect("a folder");
    folder
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a file can be written");
}

fn civl(arguments: &[&str], folder: &Path) -> Output {
    Command::new(CIVL).args(arguments).current_dir(folder).output().expect("civl starts")
}

#[test]
fn a_manifest_reads_nothing_outside_its_folder() {
    let folder = fresh("manifest");
    let workspace = folder.join("workspace");
    write(&folder.join("outside.bpl"), "SECRET");
    symlink(folder.join("outside.bpl"), workspace.join("link.bpl")).expect("a link");
    symlink(&folder, workspace.join("up")).expect("a link");
    let absolute = folder.join("outside.bpl").display().to_string();
    for path in ["../outside.bpl", "./../outside.bpl", "link.bpl", "up/outside.bpl", &absolute] {
        write(&workspace.join("civl.toml"), &format!("programs = [{{ files = [{path:?}] }}]"));
        let output = civl(&["check"], &workspace);
        let said =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{path}: {said}");
        assert!(!said.contains("SECRET"), "{path}: {said}");
    }
}

/// Nobody writes into the pipe, so reading it would last for ever.
#[test]
fn a_manifest_that_names_a_pipe_is_refused_at_once() {
    let folder = fresh("pipe").join("workspace");
    let made = Command::new("mkfifo").arg(folder.join("a.bpl")).status().expect("mkfifo starts");
    assert!(made.success());
    write(&folder.join("civl.toml"), "programs = [{ files = [\"a.bpl\"] }]");
    let output = civl(&["check"], &folder);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("a.bpl is not an ordinary file"), "{said}");
    assert_eq!(civl(&["doctor"], &folder).status.code(), Some(3));

    // The server says so too and still answers.
    let root = format!("file://{}", folder.display());
    let mut client =
        Client::initialized(CIVL, json!({"capabilities": {}, "processId": null, "rootUri": root}));
    let uri = format!("{root}/b.bpl");
    client.open(&uri, "procedure P() { }");
    let symbols = client
        .request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}))
        .expect("an answer");
    assert_eq!(symbols[0]["name"], "P");
}

/// Without any option a proof has an end: in memory, in time and in processes.
#[test]
fn limits_are_on_unless_somebody_lifts_them() {
    let folder = fresh("limits").join("workspace");
    let output = civl(&["doctor", "--format", "json", "--cache", "cache"], &folder);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let checks = found["checks"].as_array().expect("checks");
    let limits = checks.iter().find(|check| check["name"] == "limits").expect("limits are shown");
    let words = limits["found"].as_str().expect("words");
    let numbers: Vec<u64> =
        words.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    let [jobs, megabytes, seconds] = numbers[..] else { panic!("three limits in `{words}`") };
    assert!(jobs >= 1, "{words}");
    assert!((1..=4096).contains(&megabytes), "{words}");
    assert!((1..=60).contains(&seconds), "{words}");
}

#[test]
fn formatting_follows_no_planted_link() {
    let folder = fresh("format");
    let (victim, source) = (folder.join("victim"), folder.join("workspace/a.bpl"));
    write(&victim, "untouched");
    write(&source, "var   x:int;");
    symlink(&victim, folder.join("workspace/a.bpl.civl-new")).expect("a link");
    assert_eq!(civl(&["fmt", "a.bpl"], &folder.join("workspace")).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&victim).expect("still there"), "untouched");
    assert_ne!(std::fs::read_to_string(&source).expect("still there"), "var   x:int;");
}

#[test]
fn a_report_shows_names_as_text() {
    let folder = fresh("report");
    let workspace = folder.join("workspace");
    let text = "// <script>alert(1)</script> \"><img src=x>\n\
                procedure {:msg \"</script><b>\"} P(x: int)\n{\n  assert x == 0; // </pre><script>\n}\n";
    write(&workspace.join("a.bpl"), text);
    civl(&["verify", "--no-cache", "--report", "out", "a.bpl"], &workspace);
    let pages = civl_tests::files_below(&workspace.join("out"), "html");
    assert!(!pages.is_empty());
    for page in pages {
        let page = std::fs::read_to_string(page).expect("a page");
        for wrong in
            ["<script>alert", "<img src=x", "</pre><script", "</script><b>", "http://", "https://"]
        {
            assert!(!page.contains(wrong), "{wrong}");
        }
    }
}

/// While a program is proved, the server and its workers hold no socket of the network, and run
/// nothing but `civl`, the workers with a limit to their memory.
#[test]
fn the_server_talks_to_nobody_and_runs_only_itself() {
    let mut client =
        Client::initialized(CIVL, json!({"capabilities": {}, "processId": null, "rootUri": null}));
    let text =
        std::fs::read_to_string(root().join("tests/examples/treiber_stack.bpl")).expect("a text");
    let named = "// http://example.com/x file:///bin/sh $(touch /tmp/x) `reboot`\n";
    let uri = "file:///security/a.bpl";
    client.open(uri, &format!("{named}{text}"));
    client.save(uri);
    let network = network_sockets();
    let mut workers = 0;
    loop {
        let children = processes::children(client.id());
        workers += children.len();
        for id in children.into_iter().chain([client.id()]) {
            let command = processes::command(id);
            assert!(command.is_empty() || command.contains("civl"), "{command}");
            assert!(!command.contains(" worker ") || has_memory_limit(&command), "{command}");
            for file in processes::open_files(id) {
                let file = file.display().to_string();
                let inode = file.strip_prefix("socket:[").map(|rest| rest.trim_end_matches(']'));
                assert!(!inode.is_some_and(|i| network().contains(&i.to_owned())), "{file}");
            }
        }
        let states = client.request("civl/obligations", json!({"uri": uri})).unwrap_or_default();
        let known = states["obligations"].as_array().is_some_and(|all| !all.is_empty());
        if known && states["finished"] == true {
            break;
        }
    }
    assert!(workers > 0 || !Path::new("/proc/self").exists(), "no worker was seen");
}

fn has_memory_limit(command: &str) -> bool {
    let mut words = command.split_whitespace().skip_while(|word| *word != "--memory");
    words.nth(1).and_then(|n| n.parse().ok()).is_some_and(|n: u32| (1..=4096).contains(&n))
}

/// The inodes of sockets that reach beyond this machine's own pipes.
fn network_sockets() -> impl Fn() -> Vec<String> {
    || {
        let tables = ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"];
        let read = |table: &&str| std::fs::read_to_string(format!("/proc/net/{table}")).ok();
        let texts: Vec<String> = tables.iter().filter_map(read).collect();
        let lines = texts.iter().flat_map(|text| text.lines().skip(1));
        lines.filter_map(|line| line.split_whitespace().nth(9)).map(str::to_owned).collect()
    }
}
