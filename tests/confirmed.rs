//! "Confirmed" is true: right programs are never refuted by a run that is called confirmed.
//!
//! Each program below `tests/confirmed` says in a comment which verdict is expected. Those that are
//! not `errors` are right programs that once were refuted, or programs that mean something else to the
//! reference than to us: they must be verified or undecided.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read files and print what they count"
)]

use std::path::Path;

use civl_tests::marks::{compare, marks};
use civl_tests::{expect_none, files_below, in_parallel, root, run, shown};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

#[test]
fn only_real_runs_are_called_confirmed() {
    let programs = files_below(&root().join("tests/confirmed"), "bpl");
    let answers = in_parallel(&programs, |path| complaints(path));
    println!("{} programs", programs.len());
    expect_none(&answers.into_iter().flatten().collect::<Vec<_>>());
}

fn complaints(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a program can be read");
    let place = |what: String| format!("{}: {what}", shown(path));
    let said = |what: &str| {
        text.lines().find_map(|line| line.strip_prefix(what).map(|rest| rest.trim().to_owned()))
    };
    let Some(wanted) = said("// verdict:") else {
        return vec![place("no `// verdict:` comment".into())];
    };
    let answer = match run::verify(CIVL, path, "", &[]) {
        Ok(answer) => answer,
        Err(why) => return vec![place(why)],
    };
    let mut found = Vec::new();
    if run::verdict(&answer) != wanted {
        found.push(format!("the verdict is {}, not {wanted}", run::verdict(&answer)));
    }
    found.extend(compare(&marks(&text), &run::errors(&answer)));
    let all = answer["diagnostics"].as_array().cloned().unwrap_or_default();
    let runs = all.iter().filter(|it| it["trace"].is_object());
    for run in runs {
        let confirmed = run["trace"]["confirmed"] == true;
        let expected = wanted == "errors" && said("// candidates").is_none();
        if confirmed != expected {
            let why = run["trace"]["unconfirmed"].as_str().unwrap_or_default();
            found.push(format!("line {}: confirmed is {confirmed} ({why})", run["line"]));
        }
    }
    found.into_iter().map(place).collect()
}
