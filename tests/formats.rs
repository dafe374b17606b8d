//! What `civl verify` prints for machines: each format as its readers expect it, and progress on a
//! terminal.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests run programs"
)]

use std::path::PathBuf;
use std::process::Command;

use civl_tests::{expect_none, in_parallel, root};
use serde_json::Value;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

/// Proved, refuted in each way of telling it, refused statically, warned about.
const PROGRAMS: [&str; 7] = [
    "tests/examples/spin_lock.bpl",
    "tests/examples/broken/spin_lock.bpl",
    "tests/examples/broken/locked_counter.bpl",
    "tests/examples/broken/write_barrier_yield.bpl",
    "tests/examples/broken/action_refinement.bpl",
    "tests/soundness/static/unique_constants.bpl",
    "tests/soundness/static/left_mover_termination.bpl",
];

/// A claim about cubes that is beyond the solver, between two easy ones.
const HARD: &str = "\
procedure P(a: int, b: int, c: int, either: bool)
requires a > 100 && b > 100;
{
  var x: int;

  if (either) { x := a; } else { x := b; }
  assert x > 1;
  assert x * x * x + b * b * b + c * c * c != 33;
  assert x > 2;
}
";

fn printed(format: &str, program: &str) -> String {
    let command = ["verify", "--no-cache", "--jobs", "1", "--format", format, program];
    let output =
        Command::new(CIVL).args(command).current_dir(root()).output().expect("civl starts");
    String::from_utf8(output.stdout).expect("text")
}

fn json(format: &str, program: &str) -> Value {
    serde_json::from_str(&printed(format, program)).expect("JSON")
}

/// Complaints about all programs, each with its name.
fn complaints(check: impl Fn(&str) -> Vec<String> + Sync) {
    let found = in_parallel(&PROGRAMS, |program| {
        check(program).into_iter().map(|what| format!("{program}: {what}")).collect::<Vec<_>>()
    });
    expect_none(&found.into_iter().flatten().collect::<Vec<_>>());
}

fn schema() -> Value {
    let path = root().join("server/schema/verify.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON")
}

/// Where `value` is not as `schema` says; knows the words our schema uses and no others.
fn violations(whole: &Value, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    for (word, rule) in schema.as_object().expect("a schema is an object") {
        let fits = match word.as_str() {
            "$ref" => {
                let pointer = rule.as_str().and_then(|it| it.strip_prefix('#'));
                let target = whole.pointer(pointer.expect("a place in this file"));
                violations(whole, target.expect("the place exists"), value, at, out);
                true
            }
            "allOf" => {
                list(rule).iter().for_each(|it| violations(whole, it, value, at, out));
                true
            }
            "anyOf" => list(rule).iter().any(|it| {
                let mut inner = Vec::new();
                violations(whole, it, value, at, &mut inner);
                inner.is_empty()
            }),
            "type" => match rule.as_array() {
                Some(types) => types.iter().any(|it| has_type(value, it)),
                None => has_type(value, rule),
            },
            "const" => value == rule,
            "enum" => list(rule).contains(value),
            "minimum" => value.as_i64().is_none_or(|it| Some(it) >= rule.as_i64()),
            "required" => value.as_object().is_none_or(|fields| {
                list(rule).iter().all(|name| fields.contains_key(name.as_str().expect("a name")))
            }),
            "properties" => {
                for (name, schema) in rule.as_object().expect("fields") {
                    if let Some(field) = value.get(name) {
                        violations(whole, schema, field, &format!("{at}.{name}"), out);
                    }
                }
                true
            }
            "additionalProperties" => {
                for (name, field) in value.as_object().into_iter().flatten() {
                    violations(whole, rule, field, &format!("{at}.{name}"), out);
                }
                true
            }
            "items" => {
                for (nth, item) in value.as_array().into_iter().flatten().enumerate() {
                    violations(whole, rule, item, &format!("{at}[{nth}]"), out);
                }
                true
            }
            "$schema" | "$id" | "$defs" | "title" | "description" => true,
            unknown => unreachable!("this test does not know the word {unknown}"),
        };
        if !fits {
            out.push(format!("{at} breaks {word}: {rule}"));
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        other => unreachable!("this test does not know the type {other:?}"),
    }
}

fn against_schema(answer: &Value) -> Vec<String> {
    let (schema, mut out) = (schema(), Vec::new());
    violations(&schema, &schema, answer, "answer", &mut out);
    out
}

#[test]
fn json_is_as_its_schema_says() {
    complaints(|program| {
        let answer = json("json", program);
        let mut out = against_schema(&answer);
        let count = |name: &str| answer["obligations"][name].as_u64().unwrap_or(0);
        let parts = count("proved") + count("failed") + count("unknown") + count("skipped");
        if parts != count("total") {
            out.push(format!("{parts} of {} obligations have an outcome", count("total")));
        }
        out
    });
}

#[test]
fn what_breaks_the_schema_is_noticed() {
    let good = json("json", PROGRAMS[1]);
    type Damage = fn(&mut Value);
    let damage: [(&str, Damage); 5] = [
        ("version", |it| it["version"] = 2.into()),
        ("verdict", |it| it["verdict"] = "proved".into()),
        ("time", |it| drop(it.as_object_mut().expect("an object").remove("time"))),
        ("line", |it| it["diagnostics"][0]["line"] = 0.into()),
        ("trace", |it| it["diagnostics"][0]["trace"]["confirmed"] = "yes".into()),
    ];
    for (what, damage) in damage {
        let mut bad = good.clone();
        damage(&mut bad);
        assert!(!against_schema(&bad).is_empty(), "{what} is not noticed");
    }
}

#[test]
fn sarif_has_what_its_standard_requires() {
    complaints(|program| {
        let log = json("sarif", program);
        let mut out = Vec::new();
        let mut need = |holds: bool, what: &str| {
            if !holds {
                out.push(what.to_owned());
            }
        };
        need(log["version"] == "2.1.0", "the version");
        need(list(&log["runs"]).len() == 1, "one run");
        let run = &log["runs"][0];
        let driver = &run["tool"]["driver"];
        need(driver["name"] == "civl", "the name of the tool");
        need(run["invocations"][0]["executionSuccessful"] == true, "a successful run");
        let rules: Vec<&Value> = list(&driver["rules"]).iter().map(|rule| &rule["id"]).collect();
        let wanted = json("json", program);
        need(list(&run["results"]).len() == list(&wanted["diagnostics"]).len(), "all results");
        for result in list(&run["results"]) {
            need(rules.contains(&&result["ruleId"]), "a rule for each result");
            need(result["message"]["text"].is_string(), "a message");
            let level = result["level"].as_str();
            need(["error", "warning", "note"].map(Some).contains(&level), "a level");
            let place = &result["locations"][0]["physicalLocation"];
            need(place["artifactLocation"]["uri"] == program, "the file");
            need(place["region"]["startLine"].as_u64() >= Some(1), "a line");
            need(place["region"]["startColumn"].as_u64() >= Some(1), "a column");
            for flow in result["codeFlows"].as_array().into_iter().flatten() {
                for thread in list(&flow["threadFlows"]) {
                    need(!list(&thread["locations"]).is_empty(), "a flow with a location");
                }
            }
        }
        out
    });
}

#[test]
fn junit_is_well_formed_and_counts_its_cases() {
    complaints(|program| {
        let text = printed("junit", program);
        let tree = match roxmltree::Document::parse(&text) {
            Ok(tree) => tree,
            Err(why) => return vec![why.to_string()],
        };
        let Some(suite) = tree.descendants().find(|it| it.has_tag_name("testsuite")) else {
            return vec!["no test suite".to_owned()];
        };
        let mut out = Vec::new();
        let elements = [
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ];
        for (attribute, element) in elements {
            let said = suite.attribute(attribute).and_then(|it| it.parse::<usize>().ok());
            let found = suite.descendants().filter(|it| it.has_tag_name(element)).count();
            if said != Some(found) {
                out.push(format!("{found} times {element}, but {attribute} says {said:?}"));
            }
        }
        let cases = suite.children().filter(|it| it.has_tag_name("testcase"));
        let nameless = cases.filter(|it| it.attribute("name").is_none_or(str::is_empty));
        out.extend(nameless.map(|it| format!("no name: {it:?}")));
        out
    });
}

#[test]
fn github_gets_one_command_a_line() {
    complaints(|program| {
        let text = printed("github", program);
        let wanted = list(&json("json", program)["diagnostics"]).len();
        let mut out = Vec::new();
        if text.lines().count() != wanted {
            out.push(format!("{} lines for {wanted} diagnostics", text.lines().count()));
        }
        for line in text.lines() {
            let level = ["::error ", "::warning ", "::notice "]
                .iter()
                .find_map(|level| line.strip_prefix(level));
            let fits = level.and_then(|rest| rest.split_once("::")).is_some_and(|(at, message)| {
                let names: Vec<&str> =
                    at.split(',').filter_map(|it| it.split('=').next()).collect();
                names == ["file", "line", "col", "endLine", "endColumn", "title"]
                    && !message.is_empty()
            });
            if !fits {
                out.push(format!("no command: {line}"));
            }
        }
        out
    });
}

#[test]
fn progress_on_a_terminal_never_goes_back_or_beyond() {
    let program = "tests/examples/spin_lock.bpl";
    let command = format!("{CIVL} verify --no-cache --jobs 2 {program}");
    let terminal =
        Command::new("script").args(["-qec", &command, "/dev/null"]).current_dir(root()).output();
    let Ok(output) = terminal else {
        println!("skipped: there is no `script` to make a terminal");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.parse::<u64>().ok();
    let seen: Vec<(u64, u64)> = (words.windows(3))
        .filter(|it| it[1] == "of")
        .filter_map(|it| Some((number(it[0])?, number(it[2])?)))
        .collect();
    assert!(!seen.is_empty(), "no progress in {text:?}");
    assert!(seen.iter().all(|(done, total)| done <= total), "{seen:?}");
    assert!(seen.windows(2).all(|it| it[0].0 <= it[1].0 || it[1].1 < it[0].1), "{seen:?}");
    let piped = Command::new(CIVL)
        .args(["verify", "--no-cache", program])
        .current_dir(root())
        .output()
        .expect("civl starts");
    assert!(piped.stderr.is_empty(), "{}", String::from_utf8_lossy(&piped.stderr));
}

#[test]
fn a_time_out_names_the_assertion_that_took_the_time() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hard.bpl");
    std::fs::write(&path, HARD).expect("a test file");
    let answer = civl_tests::run::verify(CIVL, &path, "", &["--jobs", "1", "--time-limit", "4"])
        .expect("an answer");
    assert_eq!(answer["verdict"], "unknown", "{answer:#}");
    expect_none(&against_schema(&answer));
    let undecided: Vec<(&Value, &Value)> = (list(&answer["diagnostics"]).iter())
        .filter(|it| it["code"] == "undecided")
        .map(|it| (&it["line"], &it["message"]))
        .collect();
    assert_eq!(undecided.iter().map(|(line, _)| line.as_u64()).collect::<Vec<_>>(), [Some(8)]);
    assert!(
        answer.to_string().contains("4000 ms") || answer.to_string().contains("4 s"),
        "{answer:#}"
    );
}

/// A fresh folder with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("formats-{name}"));
    let _none = std::fs::remove_dir_all(&folder);
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a test file");
    }
    std::fs::create_dir_all(folder.join(".git")).expect("the root of a repository");
    folder
}

/// Exit code, standard output and standard error of `civl verify` in a folder.
fn verify_in(folder: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(CIVL)
        .args(["verify", "--no-cache"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("civl starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const TRUE: &str = "procedure P(x: int) { assert x == x; }\n";
const FALSE: &str = "procedure P(x: int) { assert x != x; }\n";
/// Holds with one of two functions.
const CALLER: &str = "procedure P(x: int) { assert f(x) == x; }\n";

/// Exit 2 in three ways: time ran out, something was left out, something is only promised.
#[test]
fn what_is_undecided_is_told_in_every_format() {
    let promise = "procedure P(x: int)\nfree requires x > 0;\n{ assert x > 0; }\n";
    let files = [("hard.bpl", HARD), ("easy.bpl", TRUE), ("promised.bpl", promise)];
    let folder = folder("undecided", &files);
    let ways: [&[&str]; 3] = [
        &["--time-limit", "0.5", "hard.bpl"],
        &["--only", "nothing*", "easy.bpl"],
        &["--strict", "promised.bpl"],
    ];
    for way in ways {
        let run = |format: &str| {
            let (exit, out, _) = verify_in(&folder, &[&["--format", format], way].concat());
            assert_eq!(exit, Some(2), "{way:?} {format}");
            out
        };
        let junit = run("junit");
        let tree = roxmltree::Document::parse(&junit).expect("XML");
        assert!(tree.descendants().any(|it| it.has_tag_name("error")), "{junit}");
        let suite = tree.descendants().find(|it| it.has_tag_name("testsuite")).expect("a suite");
        let count = tree.descendants().filter(|it| it.has_tag_name("error")).count();
        assert_eq!(suite.attribute("errors"), Some(count.to_string().as_str()), "{junit}");
        let sarif: Value = serde_json::from_str(&run("sarif")).expect("JSON");
        let invocation = &sarif["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false, "{sarif:#}");
        assert!(!list(&invocation["toolExecutionNotifications"]).is_empty(), "{sarif:#}");
        assert!(run("github").contains("::warning title=undecided::"), "{way:?}");
        let json: Value = serde_json::from_str(&run("json")).expect("JSON");
        assert_eq!(json["verdict"], "unknown");
    }
}

#[test]
fn several_programs_are_one_document() {
    let manifest = "programs = [{ files = [\"a.bpl\"] }, { files = [\"b.bpl\"] }]\n";
    let folder = folder("several", &[("civl.toml", manifest), ("a.bpl", TRUE), ("b.bpl", FALSE)]);
    let run = |format: &str| {
        let (exit, out, said) = verify_in(&folder, &["--format", format]);
        assert_eq!(exit, Some(1), "{format} {out} {said}");
        assert!(said.contains("using 2 programs of civl.toml"), "{said}");
        out
    };
    let json: Value = serde_json::from_str(&run("json")).expect("one JSON document");
    expect_none(&against_schema(&json));
    let verdict = |at: usize| &json["programs"][at]["verdict"];
    assert_eq!(
        (&json["verdict"], verdict(0), verdict(1)),
        (&"errors".into(), &"verified".into(), &"errors".into())
    );
    assert_eq!(json["programs"][1]["files"], serde_json::json!(["b.bpl"]));
    let sarif: Value = serde_json::from_str(&run("sarif")).expect("one JSON document");
    assert_eq!(list(&sarif["runs"]).len(), 1);
    assert_eq!(list(&sarif["runs"][0]["results"]).len(), 1);
    let junit = run("junit");
    let tree = roxmltree::Document::parse(&junit).expect("one XML document");
    assert_eq!(tree.descendants().filter(|it| it.has_tag_name("testsuite")).count(), 2);
    assert_eq!(run("github").lines().count(), 1);
}

/// The manifest above decides, from wherever it is asked; all programs with the file are proved.
#[test]
fn a_file_is_proved_in_all_its_programs() {
    let manifest = "programs = [\n  { files = [\"sub/a.bpl\", \"same.bpl\"] },\n  \
                    { files = [\"sub/a.bpl\", \"next.bpl\"] },\n]\n";
    let same = "function {:inline} f(x: int): int { x }\n";
    let next = "function {:inline} f(x: int): int { x + 1 }\n";
    let files =
        [("civl.toml", manifest), ("sub/a.bpl", CALLER), ("same.bpl", same), ("next.bpl", next)];
    let folder = folder("all", &files);
    for (place, file) in [(".", "sub/a.bpl"), ("sub", "a.bpl"), ("sub", "../sub/./a.bpl")] {
        let (exit, out, said) = verify_in(&folder.join(place), &["--format", "json", file]);
        assert_eq!(exit, Some(1), "{place} {file} {said}");
        let json: Value = serde_json::from_str(&out).expect("JSON");
        let verdicts: Vec<&Value> =
            list(&json["programs"]).iter().map(|it| &it["verdict"]).collect();
        assert_eq!(verdicts, ["verified", "errors"], "{place} {file}");
        assert!(said.contains("civl.toml"), "{said}");
    }
    // One of them, by its files.
    assert_eq!(verify_in(&folder, &["sub/a.bpl", "same.bpl"]).0, Some(0));
    assert_eq!(verify_in(&folder, &["same.bpl"]).0, Some(0));
    // A part of a program is not the program.
    std::fs::remove_file(folder.join("next.bpl")).expect("it is there");
    let (exit, out, _) = verify_in(&folder, &["--format", "json", "sub/a.bpl"]);
    let json: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((exit, &json["programs"][1]["verdict"]), (Some(3), &"errors".into()), "{out}");
    expect_none(&against_schema(&json));
    assert_eq!(verify_in(&folder, &["same.bpl"]).0, Some(0));
    // A manifest that cannot be understood is told, and is no reason to forget the others.
    std::fs::write(folder.join("sub/civl.toml"), "programs = [").expect("a manifest");
    let (exit, out, _) = verify_in(&folder, &["--format", "json", "sub/a.bpl"]);
    let json: Value = serde_json::from_str(&out).expect("JSON");
    let verdicts: Vec<&Value> = list(&json["programs"]).iter().map(|it| &it["verdict"]).collect();
    assert_eq!(verdicts, ["verified", "errors", "errors"], "{out}");
    assert_eq!(exit, Some(3));
}

#[test]
fn a_file_given_twice_is_one_file() {
    let folder = folder("twice", &[("a.bpl", TRUE)]);
    std::os::unix::fs::symlink("a.bpl", folder.join("link.bpl")).expect("a link");
    let whole = folder.join("a.bpl").display().to_string();
    for spelling in ["a.bpl", "./a.bpl", "link.bpl", &whole] {
        let (exit, out, said) = verify_in(&folder, &["a.bpl", spelling]);
        assert_eq!(exit, Some(0), "{spelling}: {out}{said}");
    }
    let manifest = "programs = [{ files = [\"a.bpl\", \"./a.bpl\", \"link.bpl\"] }]\n";
    std::fs::write(folder.join("civl.toml"), manifest).expect("a manifest");
    assert_eq!(verify_in(&folder, &[]).0, Some(0));
}

#[test]
fn an_answer_that_cannot_be_written_is_no_answer() {
    let folder = folder("unwritten", &[("a.bpl", TRUE)]);
    for command in
        ["verify a.bpl", "verify --format json a.bpl", "check a.bpl", "--help", "explain"]
    {
        let (exit, _, said) = shell(&folder, &format!("{CIVL} {command} > /dev/full"));
        assert_eq!(exit, Some(4), "{command}: {said}");
        assert!(said.contains("cannot write to standard output"), "{command}: {said}");
    }
    let piped = format!("{{ {CIVL} verify a.bpl; echo $? > code; }} | true; cat code");
    let (_, code, _) = shell(&folder, &format!("for i in 1 2 3; do {piped}; done"));
    // `true` may be slow enough to leave the pipe open for a while.
    assert!(code.lines().all(|it| it == "4" || it == "0"), "{code}");
    let (exit, _, said) = shell(&folder, &format!("{CIVL} verify --report /dev/null/x a.bpl"));
    assert_eq!(exit, Some(4), "{said}");
}

/// Nobody writes into the pipe, so reading it would last for ever.
#[test]
fn what_is_no_file_is_bad_input() {
    let folder = folder("no-file", &[("sub/a.bpl", TRUE)]);
    let (exit, _, said) = shell(&folder, "mkfifo pipe.bpl");
    assert_eq!(exit, Some(0), "{said}");
    for path in ["pipe.bpl", "/dev/zero", "sub", "/dev/tty"] {
        for command in ["verify", "check", "fmt"] {
            let (exit, _, said) = shell(&folder, &format!("timeout 20 {CIVL} {command} {path}"));
            assert_eq!(exit, Some(3), "{command} {path}: {said}");
            assert!(said.contains(path), "{command} {path}: {said}");
        }
    }
}

fn shell(folder: &std::path::Path, command: &str) -> (Option<i32>, String, String) {
    let output = Command::new("sh").args(["-c", command]).current_dir(folder).output().expect("sh");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Excerpts count lines as everything else does.
#[test]
fn carets_stand_under_lines_that_end_with_a_carriage_return() {
    let folder = folder("returns", &[("a.bpl", "// one\rprocedure P()\r{\r  assert false;\r}\r")]);
    let (exit, text, _) = verify_in(&folder, &["a.bpl"]);
    assert_eq!(exit, Some(1));
    assert!(text.contains("a.bpl:4:3") && text.contains("4 |   assert false;\n"), "{text}");
    let (_, json, _) = verify_in(&folder, &["--format", "json", "a.bpl"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let first = &json["diagnostics"][0];
    assert_eq!((first["line"].as_u64(), first["column"].as_u64()), (Some(4), Some(3)), "{first}");
}

/// Each input is read, whatever it is called, and a manifest that cannot be read is not none.
#[cfg(unix)]
#[test]
fn no_input_is_taken_for_another() {
    use std::ffi::OsStr;
    use std::io::Write;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    let folder = std::env::temp_dir().join(format!("civl-inputs-{}", std::process::id()));
    let _none = std::fs::remove_dir_all(&folder);
    for below in [".git", "w", "other/dir"] {
        std::fs::create_dir_all(folder.join(below)).expect("a folder");
    }
    let here = folder.join("w");
    let right = "procedure PA(x: int) { assert x == x; }\n";
    let wrong = "procedure PB(x: int) { assert x != x; }\n";
    let write = |name: &[u8], text: &str| {
        std::fs::write(here.join(OsStr::from_bytes(name)), text).expect("a file");
    };
    let exit = |files: &[&[u8]], input: &str| {
        let mut child = Command::new(CIVL)
            .args(["verify", "--no-cache"])
            .args(files.iter().map(|it| OsStr::from_bytes(it)))
            .current_dir(&here)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("civl starts");
        let _not_read = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        child.wait().expect("civl ends").code()
    };
    write(b"a.bpl", right);
    // Behind a link, `..` is above where the link leads.
    std::fs::write(folder.join("other/a.bpl"), wrong).expect("a file");
    symlink(folder.join("other/dir"), here.join("link")).expect("a link");
    assert_eq!(exit(&[b"a.bpl", b"link/../a.bpl"], ""), Some(1));
    // Names that are shown alike, and standard input.
    write(b"a\xff.bpl", wrong);
    write(b"a\xfe.bpl", right);
    assert_eq!(exit(&[b"a\xff.bpl", b"a\xfe.bpl"], ""), Some(1));
    assert_eq!(exit(&[b"a\xfe.bpl"], ""), Some(0));
    write(b"<stdin>", right);
    assert_eq!(exit(&[b"-", b"<stdin>"], wrong), Some(1));
    write(b"-", wrong);
    assert_eq!(exit(&[b"-", b"./-"], right), Some(1));
    write(b"-", right);
    assert_eq!(exit(&[b"./-", b"-"], wrong), Some(1));
    // A manifest that is a link to nothing.
    assert_eq!(exit(&[b"a.bpl"], ""), Some(0));
    symlink("nowhere", here.join("civl.toml")).expect("a link");
    assert_eq!(exit(&[b"a.bpl"], ""), Some(3));
    std::fs::remove_dir_all(&folder).expect("it was there");
}

#[test]
fn the_exit_of_movers_is_that_of_what_it_asked() {
    let folder = std::env::temp_dir().join(format!("civl-movers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let inc = "action {:layer 1,2} Inc() modifies x; { x := x + 1; }\n\
               yield procedure {:layer 0} inc(); refines Inc;\n";
    let dbl = "right action {:layer 1,2} Dbl() modifies x; { x := x * 2; }\n\
               yield procedure {:layer 0} dbl(); refines Dbl;\n";
    let blocks = "left action {:layer 1,2} Blk() { assume x > 0; }\n\
                  yield procedure {:layer 0} blk(); refines Blk;\n";
    let not_text = format!("// HERE\nboth {inc}");
    for (text, exit, told) in [
        (format!("both {inc}"), 0, "Inc"),
        (format!("left {inc}{dbl}"), 1, "commutativity("),
        (blocks.to_owned(), 1, "nonblocking("),
        (not_text, 3, "UTF-8"),
    ] {
        let text = format!("var {{:layer 0,2}} x: int;\n{text}").into_bytes();
        let at = text.windows(4).position(|it| it == b"HERE");
        let text = at.map_or(text.clone(), |at| [&text[..at], b"\xff", &text[at + 4..]].concat());
        std::fs::write(folder.join("a.bpl"), text).expect("a file");
        let run = Command::new(CIVL).args(["movers", "a.bpl"]).current_dir(&folder).output();
        let run = run.expect("civl starts");
        let printed = String::from_utf8_lossy(&run.stdout).into_owned();
        assert_eq!(run.status.code(), Some(exit), "{printed}");
        assert!(printed.contains(told), "{told}: {printed}");
    }
    std::fs::remove_dir_all(&folder).expect("it was there");
}

#[test]
fn the_first_page_of_a_report_is_about_all_programs() {
    let two = "programs=[{files=[\"r.bpl\"]},{files=[\"w.bpl\"]}]";
    let files = [("r.bpl", TRUE), ("w.bpl", FALSE), ("civl.toml", two)];
    let folder = folder("pages", &files);
    let page = |name: &str| std::fs::read_to_string(folder.join("rep").join(name)).ok();
    assert_eq!(verify_in(&folder, &["--report", "rep"]).0, Some(1));
    let index = page("index.html").expect("a page");
    assert!(index.contains("<title>civl: errors"), "{index}");
    for part in ["r.bpl", "w.bpl", "program-1.html", "program-2.html"] {
        assert!(index.contains(part), "{part}: {index}");
    }
    let first = page("program-1.html").expect("a page");
    assert!(first.contains("<title>civl: verified") && first.contains("r.bpl"), "{first}");
    // One program that rests on an axiom: the other pages are gone.
    std::fs::write(folder.join("civl.toml"), "").expect("a file");
    std::fs::write(folder.join("f.bpl"), format!("axiom false;\n{FALSE}")).expect("a file");
    assert_eq!(verify_in(&folder, &["--report", "rep", "f.bpl"]).0, Some(0));
    let index = page("index.html").expect("a page");
    assert!(index.contains("Taken on faith: 1") && index.contains("f.bpl:1"), "{index}");
    assert_eq!([page("program-1.html"), page("program-2.html")], [None, None]);
}
