//! The same program gets the same answer: obligations, their order, verdicts, failing runs.
//!
//! Ten runs each, with one, two and eight workers, through the real command line. Only times may
//! differ.
#![allow(clippy::expect_used, clippy::disallowed_methods, reason = "tests read programs")]

use std::path::Path;
use std::process::Command;

use civl_tests::{expect_none, in_parallel, root, run};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

/// A proved program, two with failing runs, and one that asks equal questions under other names.
const PROGRAMS: [&str; 4] = [
    "spin_lock.bpl",
    "broken/spin_lock.bpl",
    "broken/mover_procedure.bpl",
    "broken/ticket_lock.bpl",
];

/// The number of workers of each run.
const JOBS: [&str; 10] = ["1", "2", "8", "8", "2", "1", "8", "2", "8", "2"];

#[test]
fn ten_runs_and_any_number_of_jobs_give_the_same_answer() {
    let complaints = in_parallel(&PROGRAMS, |program| {
        let path = root().join("tests/examples").join(program);
        let first = (answer(&path, JOBS[0]), obligations(&path, JOBS[0]));
        assert!(first.1.len() > 5, "{program}: {:?}", first.1);
        let mut wrong = Vec::new();
        for (nth, jobs) in JOBS.iter().enumerate().skip(1) {
            let again = (answer(&path, jobs), obligations(&path, jobs));
            if again != first {
                wrong.push(format!(
                    "{program}, run {nth} with {jobs} jobs: {again:?}\n  not {first:?}"
                ));
            }
        }
        wrong
    });
    expect_none(&complaints.concat());
}

/// The JSON answer without times.
fn answer(path: &Path, jobs: &str) -> String {
    let mut answer = run::verify(CIVL, path, "", &["--jobs", jobs]).expect("an answer");
    let time = answer.as_object_mut().and_then(|answer| answer.remove("time"));
    assert!(time.is_some(), "the answer says how long it took");
    answer.to_string()
}

/// Every obligation and its outcome, in the order of the report.
fn obligations(path: &Path, jobs: &str) -> Vec<String> {
    let output = Command::new(CIVL)
        .args(["verify", "--no-cache", "--format", "junit", "--jobs", jobs])
        .arg(path)
        .output()
        .expect("civl runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let report = roxmltree::Document::parse(&text).expect("a report");
    let cases = report.descendants().filter(|node| node.has_tag_name("testcase"));
    cases
        .map(|case| {
            let outcome = case.first_element_child().map_or("proved", |it| it.tag_name().name());
            format!("{} {outcome}", case.attribute("name").expect("a name"))
        })
        .collect()
}
