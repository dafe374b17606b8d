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
