//! Programs that must not be proved, and their nearest neighbours that must.
//!
//! Each program below `tests/soundness` says in a comment what is expected:
//! `// verdict: verified`, `// verdict: errors`, or `// verdict: not-verified` (errors or unknown).
//! Those of `study` say `// expect: refused` (never verified), `// expect: faith` (something is taken
//! on faith: listed, and a strict run refuses) or `// expect: verified` (a strict run, too).
//! Marked lines (`//~`), where there are any, must be exactly the reported ones.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read files"
)]

use std::path::Path;

use civl_tests::marks::{compare, marks};
use civl_tests::{expect_none, files_below, in_parallel, root, run, shown};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

#[test]
fn no_wrong_program_is_proved_and_no_right_one_is_refused() {
    let programs = files_below(&root().join("tests/soundness"), "bpl");
    let answers = in_parallel(&programs, |path| complaints(path));
    println!("{} programs", programs.len());
    expect_none(&answers.into_iter().flatten().collect::<Vec<_>>());
}

/// `tools/oracle` makes programs near provable ones, and runs whatever is verified in all ways, with a meaning of its own.
#[test]
fn random_programs_do_what_was_proved_of_them() {
    let keep = root().join("target/tmp/oracle");
    let keep = keep.to_str().expect("a path of this test is text");
    let (succeeds, counts) =
        oracle(&["--civl", CIVL, "--programs", "80", "--seed", "7", "--jobs", "2", "--keep", keep]);
    assert!(succeeds, "something false was proved");
    let count = |what: &str| counts[what].as_u64().unwrap_or(0);
    assert!(count("judged") >= 10 && count("runs") >= 100, "hardly anything was tried");
    assert_eq!(count("internal"), 0, "the oracle stumbles");
}

/// Programs of the study that the oracle cannot run: vectors, sequences, maps of maps of numbers (too many to list),
/// bit vectors, real numbers, sizes of sets, fresh locations, functions of the solver, permissions at the end of
/// long paths; and a machine that does what nobody can do.
const BEYOND_THE_ORACLE: [&str; 35] = [
    "c05_bodyless_ensures_not_compared",
    "c08_failure_preserved_by_stale_location",
    "c10_used_location_refines_new_one",
    "c10b_used_location_refines_new_one_by_action",
    "c10c_branch_makes_no_location",
    "c10d_action_makes_on_one_path",
    "d01_deep_types",
    "d01_russell_behind_a_deep_type",
    "d01b_russell_through_many_datatypes",
    "d01c_russell_through_deep_sequences",
    "d03_axioms_about_vectors",
    "d03b_length_of_a_vector",
    "d04_nested_maps",
    "d04_permissions_in_an_array",
    "d04b_permissions_in_an_array_refine",
    "d04c_permissions_in_an_array_of_a_map",
    "d04d_permissions_put_and_copied_back",
    "d04e_permissions_in_an_array_by_action",
    "d04f_permissions_in_a_packed_array",
    "d05_map_get_result_on_path",
    "d05b_map_get_result_is_key",
    "d05c_map_split_result_in_keys",
    "e01_choice_of_maps_of_maps",
    "e01_maps_of_maps",
    "e01b_equal_rows",
    "e01c_linear_map_of_vectors",
    "e01d_extract_of_vectors",
    "e01e_equal_vectors",
    "s06_vector_forged_by_map_put",
    "s07_bit_vectors",
    "s07_builtin_of_another_sort",
    "s09_own_type_named_seq",
    "s09_russell_through_seq",
    "s11_builtin_in_definition_not_listed",
    "s13_set_size_of_an_infinite_set",
];

/// The power of the oracle: it sees what is wrong with the programs of the study, and nothing wrong with the right ones.
#[test]
fn the_oracle_knows_right_from_wrong() {
    for which in ["wrong", "right"] {
        let programs = files_below(&root().join("tests/soundness/study").join(which), "bpl");
        let beyond = |path: &Path| {
            BEYOND_THE_ORACLE.iter().any(|name| path.ends_with(format!("{name}.bpl")))
        };
        let able: Vec<&str> =
            programs.iter().filter(|path| !beyond(path)).filter_map(|path| path.to_str()).collect();
        assert!(able.len() > 13, "hardly any program is {which}");
        let (_, counts) = oracle(&[&["--judge"], able.as_slice()].concat());
        assert_eq!(counts[which].as_u64(), Some(able.len() as u64), "{counts}");
    }
}

/// Runs the oracle: whether it ends well, and the counts of its last line.
fn oracle(words: &[&str]) -> (bool, serde_json::Value) {
    let ended = std::process::Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(root().join("tests/tools/oracle"))
        .args(words)
        .output()
        .expect("python3 can be started");
    let printed = String::from_utf8_lossy(&ended.stdout);
    println!("{printed}{}", String::from_utf8_lossy(&ended.stderr));
    let counts = printed
        .lines()
        .next_back()
        .and_then(|line| serde_json::from_str(line).ok())
        .expect("the last line counts");
    (ended.status.success(), counts)
}

/// How a program of the study differs from what is expected of it.
fn unlike(path: &Path, wanted: &str) -> Vec<String> {
    let plain = run::verify(CIVL, path, "", &[]);
    let strict = run::verify(CIVL, path, "", &["--strict"]);
    let (plain, strict) = match (plain, strict) {
        (Ok(plain), Ok(strict)) => (plain, strict),
        (Err(why), _) | (_, Err(why)) => return vec![why],
    };
    let is_verified = |answer| run::verdict(answer) == "verified";
    let listed = plain["trusted"].as_array().is_some_and(|all| !all.is_empty());
    let fits = match wanted {
        "refused" => !is_verified(&plain) && !is_verified(&strict),
        "faith" => is_verified(&plain) && listed && !is_verified(&strict),
        "verified" => is_verified(&plain) && is_verified(&strict),
        other => return vec![format!("`{other}` is no expectation")],
    };
    match fits {
        true => Vec::new(),
        false => {
            let (plain, strict) = (run::verdict(&plain), run::verdict(&strict));
            vec![format!("{wanted} is expected, not {plain} (strict: {strict})")]
        }
    }
}

fn complaints(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a program can be read");
    let place = |what: String| format!("{}: {what}", shown(path));
    if let Some(wanted) = text.lines().find_map(|line| line.strip_prefix("// expect:")) {
        return unlike(path, wanted.trim()).into_iter().map(place).collect();
    }
    let Some(wanted) =
        text.lines().find_map(|line| line.trim().strip_prefix("// verdict:").map(str::trim))
    else {
        return vec![place("no `// verdict:` comment".into())];
    };
    let answer = match run::verify(CIVL, path, "", &[]) {
        Ok(answer) => answer,
        // A crash proves nothing, but it is no answer either.
        Err(why) => return vec![place(why)],
    };
    let verdict = run::verdict(&answer);
    let fits = match wanted {
        "verified" => verdict == "verified",
        "errors" => verdict == "errors",
        "not-verified" => verdict == "errors" || verdict == "unknown",
        other => return vec![place(format!("`{other}` is no verdict"))],
    };
    let mut found = Vec::new();
    if !fits {
        found.push(format!("the verdict is {verdict}, not {wanted}"));
    }
    let expected = marks(&text);
    if !expected.is_empty() {
        found.extend(compare(&expected, &run::errors(&answer)));
    }
    found.into_iter().map(place).collect()
}
