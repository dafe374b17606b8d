//! The manual is true: every program in it behaves as its page says.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read files and print what they did"
)]

use std::path::Path;

use civl_tests::literate::{Block, Mode, blocks};
use civl_tests::marks::{compare, marks};
use civl_tests::{expect_none, files_below, in_parallel, root, run, shown};

/// Codes that no program in a page can trigger reliably, and warnings.
const NO_PROGRAM_OF_THEIR_OWN: &[&str] = &[
    "ambiguous-type",
    "internal-error",
    "invalid-utf8",
    "irreducible-loop",
    "manifest",
    "mover-termination",
    "undecided",
    "unsupported",
];
const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

#[test]
fn every_program_of_the_manual_behaves_as_its_page_says() {
    let pages = files_below(&root().join("tests/spec"), "md");
    let answers = in_parallel(&pages, |page| page_complaints(page));
    let programs: usize = answers.iter().map(|(count, _)| count).sum();
    println!("{programs} programs on {} pages", pages.len());
    let complaints: Vec<String> =
        answers.into_iter().flat_map(|(_, complaints)| complaints).collect();
    expect_none(&complaints);
}

#[test]
fn the_page_of_a_code_triggers_it_and_shows_a_program_without_it() {
    let mut complaints = Vec::new();
    for page in files_below(&root().join("tests/spec/codes"), "md") {
        let code = page.file_stem().expect("a page has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&page).expect("a page can be read");
        let programs = blocks(&text).unwrap_or_default();
        let cannot_be_text = NO_PROGRAM_OF_THEIR_OWN.contains(&code.as_str());
        if !cannot_be_text
            && !programs.iter().any(|b| marks(&b.text).iter().any(|m| m.code == code))
        {
            complaints.push(format!("{}: no program is marked with its own code", shown(&page)));
        }
        if !programs.iter().any(|b| marks(&b.text).is_empty()) {
            complaints.push(format!("{}: no accepted program", shown(&page)));
        }
    }
    expect_none(&complaints);
}

#[test]
fn every_static_error_of_the_manual_says_what_to_do() {
    let mut complaints = Vec::new();
    for page in files_below(&root().join("tests/spec"), "md") {
        let text = std::fs::read_to_string(&page).expect("a page can be read");
        for block in blocks(&text).unwrap_or_default().iter().filter(|b| b.mode == Mode::Check) {
            let bare = run::helpless(&block.text).into_iter();
            complaints.extend(
                bare.map(|it| format!("{}:{}: {}", shown(&page), block.line + it.line, it.code)),
            );
        }
    }
    expect_none(&complaints);
}

fn page_complaints(page: &Path) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(page).expect("a page can be read");
    let blocks = match blocks(&text) {
        Ok(blocks) => blocks,
        Err(why) => return (0, vec![format!("{}: {why}", shown(page))]),
    };
    let place = |block: &Block, what: String| format!("{}:{}: {what}", shown(page), block.line);
    let complaints = blocks
        .iter()
        .flat_map(|block| block_complaints(block).into_iter().map(move |what| place(block, what)));
    (blocks.len(), complaints.collect())
}

fn block_complaints(block: &Block) -> Vec<String> {
    let expected = marks(&block.text);
    if block.mode == Mode::Check {
        let seen = std::panic::catch_unwind(|| run::check(&block.text));
        return seen.map_or_else(
            |_| vec!["the checker panicked".into()],
            |seen| compare(&expected, &seen),
        );
    }
    if block.mode == Mode::Explore {
        return match run::explore(CIVL, &block.text) {
            Ok(seen) => compare(&expected, &seen),
            Err(why) => vec![why],
        };
    }
    let vacuity = block.mode == Mode::Vacuity;
    let arguments: &[&str] = if vacuity { &["--vacuity"] } else { &[] };
    let answer = match run::verify(CIVL, Path::new("-"), &block.text, arguments) {
        Ok(answer) => answer,
        Err(why) => return vec![why],
    };
    let wanted = match block.mode {
        Mode::Unknown => "unknown",
        Mode::Vacuity => "verified",
        Mode::Check | Mode::Verify | Mode::Explore if expected.is_empty() => "verified",
        Mode::Check | Mode::Verify | Mode::Explore => "errors",
    };
    let told = if vacuity { "warning" } else { "error" };
    let mut complaints = compare(&expected, &run::of_severity(&answer, told));
    if run::verdict(&answer) != wanted {
        complaints.push(format!("the verdict is {}, not {wanted}", run::verdict(&answer)));
    }
    complaints
}
