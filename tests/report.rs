//! Explanations of failures: every failing proof has a trace, most are confirmed, all are readable,
//! and the page shows them in a real browser.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read files and print what they count"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use civl_tests::{expect_none, files_below, in_parallel, root, run, shown};
use serde_json::Value;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
/// Of a hundred failing runs so many must be confirmed by replay.
const CONFIRMED_PERCENT: usize = 90;
/// Longest explanation that nobody asked to be longer.
const MOST_LINES: usize = 40;

/// A program and the arguments it is verified with.
struct Given {
    path: PathBuf,
    arguments: Vec<String>,
}

fn broken() -> Vec<Given> {
    let all = files_below(&root().join("tests/examples/broken"), "bpl");
    all.into_iter().map(|path| Given { path, arguments: Vec::new() }).collect()
}

fn answer(given: &Given) -> Result<Value, String> {
    let arguments: Vec<&str> = given.arguments.iter().map(String::as_str).collect();
    run::verify(CIVL, &given.path, "", &arguments)
}

/// What a person sees, without colours.
fn text_of(path: &Path) -> String {
    text_with(path, &[])
}

/// The same with more arguments.
fn text_with(path: &Path, arguments: &[&str]) -> String {
    let output = Command::new(CIVL)
        .args(["verify", "--no-cache"])
        .args(arguments)
        .arg(path.strip_prefix(root()).unwrap_or(path))
        .current_dir(root())
        .output()
        .expect("civl can be started");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[derive(Default)]
struct Count {
    failures: usize,
    traced: usize,
    confirmed: usize,
    complaints: Vec<String>,
}

fn count(name: &str, answer: &Value) -> Count {
    let mut count = Count::default();
    let all = answer["diagnostics"].as_array().cloned().unwrap_or_default();
    for failure in all.iter().filter(|d| d["phase"] == "proof" && d["severity"] == "error") {
        count.failures += 1;
        let trace = &failure["trace"];
        let place =
            format!("{name}:{} [{}]", failure["line"], failure["code"].as_str().unwrap_or(""));
        if trace["steps"].as_array().is_none_or(Vec::is_empty) {
            count.complaints.push(format!("{place}: no trace"));
            continue;
        }
        count.traced += 1;
        if trace["confirmed"] == true {
            count.confirmed += 1;
        } else if trace["unconfirmed"].as_str().is_none_or(str::is_empty) {
            count.complaints.push(format!("{place}: a candidate that does not say why"));
        } else {
            println!("candidate: {place}: {}", trace["unconfirmed"].as_str().unwrap_or_default());
        }
        count.complaints.extend(internal_names(trace).map(|it| format!("{place}: shows {it}")));
    }
    count
}

/// Names that only tools make up. No identifier of a program holds one of these.
fn internal_names(trace: &Value) -> impl Iterator<Item = String> {
    const MARKS: [&str; 10] = [
        "@",
        "!val!",
        "k!",
        "way ",
        "as-array",
        "(store",
        "lambda ((",
        "Civl_",
        "AnonymousAction",
        "v'",
    ];
    let mut texts = Vec::new();
    strings(trace, &mut texts);
    texts.into_iter().filter(|text| MARKS.iter().any(|mark| text.contains(mark)))
}

/// Every string but the names of files.
fn strings(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
        Value::Object(fields) => {
            fields
                .iter()
                .filter(|(key, _)| *key != "file")
                .for_each(|(_, item)| strings(item, out));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn check(programs: &[Given]) {
    let counts = in_parallel(programs, |given| match answer(given) {
        Ok(answer) => count(&shown(&given.path), &answer),
        Err(why) => Count { complaints: vec![why], ..Count::default() },
    });
    let sum = |of: fn(&Count) -> usize| counts.iter().map(of).sum::<usize>();
    let (failures, traced) = (sum(|it| it.failures), sum(|it| it.traced));
    let confirmed = sum(|it| it.confirmed);
    println!(
        "{} programs: {failures} failures, {traced} with a trace, {confirmed} confirmed",
        programs.len()
    );
    expect_none(&counts.into_iter().flat_map(|it| it.complaints).collect::<Vec<_>>());
    assert!(failures > 0, "nothing failed, so nothing was tested");
    assert!(confirmed * 100 >= failures * CONFIRMED_PERCENT, "too few runs are confirmed");
}

#[test]
fn every_failure_of_a_broken_example_has_a_trace() {
    check(&broken());
}

#[test]
fn every_failure_of_the_corpus_has_a_trace() {
    let Some(corpus) = std::env::var_os("CIVL_CORPUS").map(PathBuf::from) else {
        println!("skipped: CIVL_CORPUS names no copy of the corpus");
        return;
    };
    let given = |expect: PathBuf| {
        let path = expect.with_extension("");
        let refuted = std::fs::read_to_string(&expect).is_ok_and(|it| it.contains(": Error"));
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a source")).into_owned();
        let line = text.lines().find(|l| l.contains("RUN:") && l.contains("boogie")).unwrap_or("");
        let libs = line
            .split_whitespace()
            .filter_map(|w| w.trim_start_matches(['-', '/']).strip_prefix("lib:"));
        let mut arguments: Vec<String> =
            libs.flat_map(|lib| ["--lib".to_owned(), lib.to_owned()]).collect();
        if line.contains("trustRefinement") {
            arguments.push("--trust-refinement".to_owned());
        }
        (refuted && path.extension().is_some_and(|it| it == "bpl"))
            .then_some(Given { path, arguments })
    };
    let programs: Vec<Given> =
        files_below(&corpus, "expect").into_iter().filter_map(given).collect();
    check(&programs);
}

#[test]
fn explanations_are_short_and_the_same_on_ten_runs() {
    let programs = broken();
    let complaints = in_parallel(&programs, |given| {
        let first = text_of(&given.path);
        let mut complaints = Vec::new();
        for _ in 1..10 {
            if text_of(&given.path) != first {
                complaints.push(format!("{}: another text on another run", shown(&given.path)));
                break;
            }
        }
        for story in first.split("\n\n") {
            let lines = story
                .lines()
                .skip_while(|l| !l.ends_with("by replay:") && !l.ends_with("a candidate:"));
            let lines = lines.count();
            if lines > MOST_LINES {
                complaints.push(format!("{}: {lines} lines", shown(&given.path)));
            }
        }
        complaints
    });
    expect_none(&complaints.into_iter().flatten().collect::<Vec<_>>());
}

/// The driver for Chromium, where both are installed.
fn browser() -> Result<(PathBuf, PathBuf), String> {
    let modules = root().join("target/browser/node_modules");
    if !modules.join("playwright-core").is_dir() {
        return Err("target/browser holds no playwright-core; `.ci/run` installs it".into());
    }
    let known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    let chromium = known.iter().map(PathBuf::from).find(|path| path.exists());
    chromium.map(|path| (path, modules)).ok_or_else(|| "no Chromium is installed".into())
}

/// Clicks through the page of one program; what the driver saw.
fn visit(example: &str, (chromium, modules): &(PathBuf, PathBuf)) -> Value {
    let folder = root().join("target/report").join(example.replace('/', "-"));
    let written = Command::new(CIVL)
        .args(["verify", "--no-cache", "--report"])
        .arg(&folder)
        .arg(root().join(format!("tests/examples/{example}.bpl")))
        .output();
    assert!(written.is_ok());
    let output = Command::new("node")
        .arg(root().join("tests/browser/report.mjs"))
        .arg(folder.join("index.html"))
        .arg(folder.join("shot"))
        .arg(chromium)
        .env("NODE_PATH", modules)
        .output()
        .expect("node can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{example}: {said}");
    let seen: Value = serde_json::from_slice(&output.stdout).expect("the driver prints JSON");
    println!("{example}: {seen}");
    for shot in ["top", "whole", "dark", "matrix", "layers", "narrow"] {
        let file = folder.join(format!("shot-{shot}.png"));
        assert!(file.metadata().is_ok_and(|it| it.len() > 1000), "{}", file.display());
    }
    assert_eq!(seen["errors"], serde_json::json!([]), "{example}");
    assert_eq!(seen["requests"], serde_json::json!([]), "the page works offline");
    assert_eq!(seen["expanded"], "true", "a cell opens by keyboard");
    assert!(seen["overflow"].as_i64().is_some_and(|it| it <= 0), "{example}: {seen}");
    seen
}

#[test]
fn the_page_can_be_clicked_through_in_a_browser() {
    let browser = match browser() {
        Ok(browser) => browser,
        Err(why) => {
            println!("skipped: {why}");
            return;
        }
    };
    let good = visit("write_barrier", &browser);
    assert_eq!(good["title"], "civl: verified");
    assert_eq!(good["failed"], 0);
    assert!(good["cells"].as_u64() > Some(10) && good["reasons"].as_u64() > Some(0));
    let lock = visit("broken/spin_lock", &browser);
    let shown = |key: &str, nth: usize, words: &[&str]| {
        let told = lock[key][nth].as_str().unwrap_or_default();
        assert!(words.iter().all(|word| told.contains(word)), "{key} {nth}: {lock}");
    };
    shown("inner", 0, &["line 34", "call taken := Test()", "taken = false"]);
    shown("inner", 1, &["line 41", "owner := Copy", "Some(Tid#1) → Some(Tid#0)"]);
    shown("wrong", 0, &["line 41", "owner := Copy"]);
    let bad = visit("broken/treiber_stack", &browser);
    assert_eq!(bad["title"], "civl: errors");
    assert_eq!((&bad["failed"], &bad["diagrams"]), (&1.into(), &2.into()));
    assert_eq!(bad["lanes"], serde_json::json!(["ReadTop", "SwapTop", "ReadTop", "SwapTop"]));
    assert_eq!((&bad["linked"], &bad["reached"]), (&1.into(), &1.into()));
    assert!(bad["trace"].as_str().is_some_and(|it| it.contains("ReadTop")), "{bad}");
}

/// The text with the count of each quantifier replaced: counts depend on the speed of the machine.
fn without_counts(text: &str) -> String {
    let line = |line: &str| match line.split_once(" × ") {
        Some((count, rest)) if count.trim().parse::<u64>().is_ok() => {
            format!("    N × {rest}\n")
        }
        Some(_) | None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// `timeouts/NAME.bpl` never ends; `NAME.txt` is what is said about it. Steps are limited, not the time,
/// so that a busy machine says the same.
#[test]
fn a_timeout_names_the_costliest_quantifiers() {
    for path in files_below(&root().join("tests/timeouts"), "bpl") {
        let said =
            without_counts(&text_with(&path, &["--time-limit", "600", "--step-limit", "2000000"]));
        let pinned = path.with_extension("txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&pinned, &said).expect("the folder can be written");
        }
        let wanted = std::fs::read_to_string(&pinned).unwrap_or_default();
        assert_eq!(said, wanted, "{}", shown(&path));
    }
}

/// A run through fifty calls is cut in the middle, unless all of it is asked for.
#[test]
fn a_long_trace_is_whole_on_request() {
    let calls = "  call y := Next(y);\n".repeat(50);
    let text = format!(
        "procedure Next(x: int) returns (y: int);\n  ensures y == x + 1;\n\n\
         procedure Long(x: int)\n{{\n  var y: int;\n  y := x;\n{calls}  assert y == x;\n}}\n"
    );
    let folder = root().join("target/report");
    std::fs::create_dir_all(&folder).expect("target can be written");
    let path = folder.join("long.bpl");
    std::fs::write(&path, text).expect("target can be written");
    let steps = |arguments: &[&str]| {
        let output = Command::new(CIVL).args(["trace", "Long"]).arg(&path).args(arguments).output();
        let said =
            String::from_utf8_lossy(&output.expect("civl can be started").stdout).into_owned();
        (said.matches("call y := Next(y)  ").count(), said.contains(" lines more "))
    };
    let (shown, cut) = steps(&[]);
    assert!(shown < MOST_LINES && cut, "{shown} steps");
    assert_eq!(steps(&["--full"]), (50, false));
}

/// `explanations/NAME.bpl` and what is said about it, `NAME.txt`; `UPDATE_EXPECT=1` writes it.
#[test]
fn each_template_reads_as_it_is_pinned() {
    let programs = files_below(&root().join("tests/explanations"), "bpl");
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let complaints = in_parallel(&programs, |path| {
        let said = text_of(path);
        let pinned = path.with_extension("txt");
        if update {
            return std::fs::write(&pinned, &said).err().map(|why| why.to_string());
        }
        let wanted = std::fs::read_to_string(&pinned).unwrap_or_default();
        (said != wanted).then(|| format!("{}: expected\n{wanted}\nfound\n{said}", shown(path)))
    });
    println!("{} explanations", programs.len());
    expect_none(&complaints.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn a_stored_failure_is_told_with_the_present_names() {
    let before = "\
var {:layer 0,1} y: int;
yield procedure {:layer 0} set(to: int);
refines left action {:layer 1} _ { y := to; }
";
    let after = "\
var {:layer 0,1} cell: int;
yield procedure {:layer 0} write(value: int);
refines left action {:layer 1} Write { cell := value; }
";
    let folder = std::env::temp_dir().join(format!("civl-renamed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let verify = |text: &str, cache: &str| {
        std::fs::write(folder.join("set.bpl"), text).expect("the folder can be written");
        let command = Command::new(CIVL)
            .args(["verify", "--cache", cache, "set.bpl"])
            .current_dir(&folder)
            .output();
        let said = command.expect("civl can be started").stdout;
        let said = String::from_utf8_lossy(&said).into_owned();
        // The last line counts what came from the store.
        said.trim_end().rsplit_once('\n').map(|(most, _)| most.to_owned()).unwrap_or_default()
    };
    let fresh = verify(after, "empty");
    assert!(fresh.contains("confirmed by replay") && fresh.contains("cell = "), "{fresh}");
    assert!(verify(before, "shared").contains("y = "));
    assert_eq!(verify(after, "shared"), fresh, "answered by the store under other names");
    assert_eq!(verify(after, "shared"), fresh, "answered by the store");
    let _left_behind = std::fs::remove_dir_all(&folder);
}
