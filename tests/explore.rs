//! What `civl explore` says about `tests/explore`: counts of states against an independent counter,
//! verdicts, formats and exit codes.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests run programs"
)]

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use civl_tests::{expect_none, in_parallel, root};
use serde_json::Value;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
/// Rows of the counter with more states than this are left to longer runs.
const QUICK: u64 = 20_000;

/// Exit code and the first exploration.
fn explore(program: &str, arguments: &[String]) -> (i32, Value) {
    let output = Command::new(CIVL)
        .args(["explore", "--format", "json", "--layer", "1"])
        .args(arguments)
        .arg(format!("tests/explore/{program}.bpl"))
        .current_dir(root())
        .output()
        .expect("civl starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let answer: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    (output.status.code().unwrap_or(-1), answer["explorations"][0].clone())
}

/// `threads=2 calls=inf int=1` as arguments.
fn scope(words: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (name, value) in words.split(' ').filter_map(|word| word.split_once('=')) {
        match name {
            "threads" | "calls" => out.extend([format!("--{name}"), value.to_owned()]),
            sort => out.extend(["--scope".to_owned(), format!("{sort}={value}")]),
        }
    }
    out
}

fn table(name: &str) -> Vec<Vec<String>> {
    let path = root().join("tests/tools/counters").join(name);
    let text = std::fs::read_to_string(path).expect("a table");
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn states_are_those_of_an_independent_counter() {
    let rows: Vec<Vec<String>> = table("expected.tsv")
        .into_iter()
        .filter(|row| row[2].parse::<u64>().is_ok_and(|states| states <= QUICK))
        .collect();
    assert!(rows.len() >= 20, "{} rows", rows.len());
    let found = in_parallel(&rows, |row| {
        let arguments = [scope(&row[1]), vec!["--reductions".into(), "none".into()]].concat();
        let (exit, answer) = explore(&row[0], &arguments);
        let seen = [answer["states"].to_string(), answer["transitions"].to_string()];
        let fits = exit == 0 && answer["exact"] == true && seen[..] == row[2..4];
        (!fits)
            .then(|| format!("{} {}: exit {exit}, {seen:?}, not {:?}", row[0], row[1], &row[2..4]))
    });
    expect_none(&found.into_iter().flatten().collect::<Vec<_>>());
}

/// Failures and deadlocks are found with and without reductions, and the slow machine follows them.
#[test]
fn verdicts_are_those_of_the_counter() {
    let rows: Vec<Vec<String>> = table("verdicts.tsv")
        .into_iter()
        .filter(|row| row[4].parse::<u64>().is_ok_and(|states| states <= QUICK))
        .collect();
    let mut asked = Vec::new();
    for row in rows {
        for reductions in ["all", "none"] {
            asked.push((row.clone(), reductions));
        }
    }
    let found = in_parallel(&asked, |(row, reductions)| {
        let words = vec!["--reductions".into(), (*reductions).to_owned()];
        let (exit, answer) = explore(&row[0], &[scope(&row[3]), words].concat());
        let wanted = row[1] == "failures" && row[2] == "violation";
        let fits = match (wanted, answer["answer"].as_str()) {
            (true, Some("violation")) => exit == 1 && answer["violation"]["confirmed"] == true,
            // Some programs fail before their histories go wrong.
            (false, Some("violation")) => row[2] == "violation" && exit == 1,
            (false, Some("exhausted")) => exit == 0 && answer["exact"] == true,
            _other => false,
        };
        (!fits).then(|| format!("{} by {reductions}: exit {exit}, {}", row[0], answer["answer"]))
    });
    expect_none(&found.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn good_examples_show_no_violation() {
    let programs = civl_tests::files_below(&root().join("tests/examples"), "bpl");
    let programs: Vec<_> = programs
        .into_iter()
        .filter(|path| !path.components().any(|it| it.as_os_str() == "broken"))
        .collect();
    assert!(programs.len() >= 20);
    let found = in_parallel(&programs, |path| {
        let output = Command::new(CIVL)
            .args(["explore", "--max-states", "60000", "--time-limit", "60", "--lib", "node"])
            .arg(path)
            .current_dir(root())
            .output()
            .expect("civl starts");
        let code = output.status.code().unwrap_or(-1);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let fits = (code == 0 || code == 2) && !text.contains("verified");
        (!fits).then(|| format!("{}: exit {code}\n{text}", path.display()))
    });
    expect_none(&found.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn what_cannot_be_asked_is_bad_input() {
    for (arguments, word) in [
        (vec!["--mode", "trace"], "does not exist yet"),
        (vec!["--calls", "many"], "no number"),
        (vec!["--scope", "Key"], "Key=2"),
        (vec!["--scope", "Nothing=2"], "no sort"),
        (vec!["--root", "Nobody"], "no procedure"),
        (vec!["--init", "Nothing"], "no action"),
        (vec!["--reductions", "R9"], "no reduction"),
        (vec!["--layer", "7"], "layer 7"),
        (vec!["--threads", "0"], "one thread"),
    ] {
        let output = Command::new(CIVL)
            .arg("explore")
            .args(&arguments)
            .arg("tests/explore/peterson.bpl")
            .current_dir(root())
            .output()
            .expect("civl starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {said}");
        assert!(said.contains(word), "{arguments:?}: {said}");
    }
}

#[test]
fn too_few_states_are_an_undecided_answer() {
    let (exit, answer) = explore("peterson", &["--max-states".into(), "10".into()]);
    assert_eq!((exit, &answer["answer"]), (2, &Value::from("truncated")));
    assert_eq!(answer["exact"], false);
}

/// A run is told with one lane for each thread, and its scope is part of the sentence.
#[test]
fn a_violation_is_told_with_its_scope() {
    let output = Command::new(CIVL)
        .args(["explore", "--layer", "1", "tests/explore/wrong/peterson_own_turn.bpl"])
        .current_dir(root())
        .output()
        .expect("civl starts");
    let text = String::from_utf8(output.stdout).expect("text");
    for part in [
        "error[explore-failure]",
        "thread 1",
        "thread 2",
        "calls Flip(",
        "confirmed by replay",
        "2 threads",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
}

/// One run of a program of `tests/explore/answers`, as its first lines ask for it.
struct Asked {
    path: PathBuf,
    arguments: Vec<String>,
    exit: i32,
    words: Vec<String>,
    /// Words that may not be said.
    never: Vec<String>,
}

/// `// explore --layer 1: exit 2 "these words" not "those"`, or `// json: "field" true`, which is about
/// the run without arguments.
fn asked(path: &Path) -> Vec<Asked> {
    let text = std::fs::read_to_string(path).expect("a program");
    let mut out: Vec<Asked> = Vec::new();
    for line in text.lines() {
        if let Some(json) = line.strip_prefix("// json: ") {
            let (field, value) = json.rsplit_once(' ').expect("a field and its value");
            let (arguments, exit) = (vec!["--format".into(), "json".into()], out[0].exit);
            let words = vec![format!("{field}: {value}")];
            out.push(Asked { path: path.into(), arguments, exit, words, never: vec![] });
        } else if let Some(run) = line.strip_prefix("// explore") {
            let (arguments, rest) = run.split_once(": exit ").expect("arguments and an exit code");
            let arguments = arguments.split_whitespace().map(str::to_owned).collect();
            let (exit, said) = rest.split_at(1);
            let mut parts = said.split('"');
            let (mut words, mut never) = (Vec::new(), Vec::new());
            while let (Some(before), Some(quoted)) = (parts.next(), parts.next()) {
                let is_not = before.trim() == "not";
                if is_not { &mut never } else { &mut words }.push(quoted.to_owned());
            }
            let exit = exit.parse().expect("an exit code");
            out.push(Asked { path: path.into(), arguments, exit, words, never });
        } else {
            break;
        }
    }
    out
}

/// What an answer takes for granted is part of it, and what is said to be broken is.
#[test]
fn answers_say_what_they_rest_on() {
    let programs = civl_tests::files_below(&root().join("tests/explore/answers"), "bpl");
    let all: Vec<Asked> = programs.iter().flat_map(|path| asked(path)).collect();
    assert!(programs.len() >= 25 && all.len() > programs.len(), "{} runs", all.len());
    let found = in_parallel(&all, |it| {
        let output = Command::new(CIVL)
            .arg("explore")
            .args(&it.arguments)
            .arg(&it.path)
            .current_dir(root())
            .output()
            .expect("civl starts");
        let code = output.status.code().unwrap_or(-1);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let fits = code == it.exit
            && it.words.iter().all(|word| text.contains(word))
            && !it.never.iter().any(|word| text.contains(word));
        let asked = it.arguments.join(" ");
        (!fits).then(|| format!("{} {asked}: exit {code}\n{text}", it.path.display()))
    });
    expect_none(&found.into_iter().flatten().collect::<Vec<_>>());
}
