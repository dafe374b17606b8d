//! The store of verdicts under attack: kills, company, damage, other versions, forgeries. Verdicts
//! stay right, and nothing stale is used.
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "helpers of tests stop at the first surprise"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A store of its own for each test, empty at the start.
struct Store {
    folder: PathBuf,
}

/// What a run said.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    verdict: String,
    /// Positions of errors.
    errors: Vec<(u64, u64)>,
    /// Answers that came from the store, and from the solver.
    stored: u64,
    asked: u64,
}

impl Store {
    fn new(name: &str) -> Store {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("store").join(name);
        let _not_there = fs::remove_dir_all(&folder);
        Store { folder }
    }

    fn start(&self, program: &str) -> Child {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/examples");
        let mut command = Command::new(env!("CARGO_BIN_EXE_civl"));
        command.args(["verify", "--format", "json", "--jobs", "1", "--cache"]);
        command.arg(&self.folder).arg(root.join(program));
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("civl starts")
    }

    fn run(&self, program: &str) -> Run {
        ended(self.start(program))
    }

    /// The entries, sorted.
    fn entries(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let shards = fs::read_dir(self.folder.join("v1")).into_iter().flatten();
        for shard in shards.filter_map(Result::ok).filter(|it| it.path().is_dir()) {
            let files = fs::read_dir(shard.path()).into_iter().flatten();
            found.extend(files.filter_map(Result::ok).map(|it| it.path()));
        }
        found.sort();
        found
    }

    /// Changes every entry.
    fn damage(&self, damage: impl Fn(usize, &[Vec<u8>]) -> Vec<u8>) {
        let entries = self.entries();
        let contents: Vec<Vec<u8>> =
            entries.iter().map(|path| fs::read(path).expect("an entry")).collect();
        assert!(entries.len() > 1, "there is something to damage");
        for (nth, path) in entries.iter().enumerate() {
            fs::write(path, damage(nth, &contents)).expect("an entry");
        }
    }
}

fn ended(child: Child) -> Run {
    let output = child.wait_with_output().expect("civl ends");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or_default();
    let obligations = &json["obligations"];
    let answered = ["proved", "failed", "unknown"].map(|word| number(&obligations[word]));
    let diagnostics = json["diagnostics"].as_array().cloned().unwrap_or_default();
    let position = |it: &serde_json::Value| (number(&it["line"]), number(&it["column"]));
    Run {
        verdict: json["verdict"].as_str().unwrap_or_default().to_owned(),
        errors: diagnostics.iter().map(position).collect(),
        stored: number(&obligations["cached"]),
        asked: answered.iter().sum::<u64>() - number(&obligations["cached"]),
    }
}

const GOOD: &str = "ticket_lock.bpl";
const BROKEN: &str = "broken/ticket_lock.bpl";

/// All damage has the same effect as an empty store.
fn check_damage(name: &str, damage: impl Fn(usize, &[Vec<u8>]) -> Vec<u8>) {
    for program in [GOOD, BROKEN] {
        let store = Store::new(name);
        let first = store.run(program);
        let second = store.run(program);
        assert!(second.stored > 0 && second.asked < first.asked, "{second:?}");
        store.damage(&damage);
        assert_eq!(store.run(program), first, "{program}");
        assert_eq!(store.run(program), second, "{program} is stored again");
    }
}

#[test]
fn an_entry_that_was_cut_short_is_asked_again() {
    check_damage("cut", |nth, all| all[nth][..all[nth].len() / 2].to_vec());
}

#[test]
fn an_entry_of_another_version_is_asked_again() {
    check_damage("version", |nth, all| {
        let mut entry = all[nth].clone();
        // The last byte of the magic word is the version.
        entry[7] ^= 1;
        entry
    });
}

#[test]
fn an_entry_in_the_place_of_another_is_asked_again() {
    check_damage("forged", |nth, all| all[(nth + 1) % all.len()].clone());
}

#[test]
fn another_layout_and_left_overs_are_not_read() {
    let store = Store::new("layout");
    let first = store.run(GOOD);
    fs::rename(store.folder.join("v1"), store.folder.join("v0")).expect("another layout");
    fs::create_dir_all(store.folder.join("v1")).expect("the present layout");
    fs::write(store.folder.join("v1/new-1-1"), "left over").expect("a file");
    assert_eq!(store.run(GOOD), first);
}

#[test]
fn runs_at_the_same_time_share_a_store() {
    let store = Store::new("company");
    let runs: Vec<Child> = [GOOD, GOOD, BROKEN].map(|it| store.start(it)).into_iter().collect();
    let runs: Vec<Run> = runs.into_iter().map(ended).collect();
    let verdicts: Vec<&str> = runs.iter().map(|run| run.verdict.as_str()).collect();
    assert_eq!(verdicts, ["verified", "verified", "errors"]);
    let alone = Store::new("company-of-one");
    alone.run(GOOD);
    assert_eq!(store.run(GOOD), alone.run(GOOD), "everything is stored");
}

#[test]
fn a_killed_run_leaves_nothing_wrong() {
    let expected = Store::new("alone").run(GOOD);
    let store = Store::new("killed");
    let mut child = store.start(GOOD);
    // Killed as soon as it has stored something, while it writes or asks more.
    while store.entries().is_empty() && child.try_wait().expect("a state").is_none() {
        std::thread::yield_now();
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let stored = store.entries().len() as u64;
    let run = store.run(GOOD);
    assert_eq!((&run.verdict, &run.errors), (&expected.verdict, &expected.errors));
    assert_eq!(run.stored + run.asked, expected.asked + expected.stored);
    assert!(stored > 0 && run.stored > 0, "what was stored is used: {run:?}");
}
