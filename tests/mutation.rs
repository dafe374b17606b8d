//! Verified examples, damaged: every mutant gets the verdict that `mutation/expected.tsv` lists.
//!
//! Columns: mutant, change, verdict (`static-error`, `refuted`, `unknown`, `verified`), and for
//! verified mutants the reason why they are harmless. A verified mutant without a reason fails.
//!
//! The ordinary run looks at every so many-th mutant. `CIVL_MUTATION=all` looks at all,
//! `CIVL_MUTATION=spin_lock` at those whose name contains this; `UPDATE_EXPECT=1` then writes the
//! verdicts found and keeps the reasons. `CIVL_BINARY` names another `civl` to ask. The test of the table
//! writes the texts of these mutants to the folder that `CIVL_MUTATION_KEEP` names, and asks nobody.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read files"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use civl_tests::mutation::{Mutant, mutants};
use civl_tests::{expect_none, files_below, in_parallel, root, run};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

/// How many mutants an ordinary run looks at.
const SAMPLE: usize = 40;

/// Seconds for one obligation: a mutant that needs more is as good as unknown.
const TIME_LIMIT: &str = "5";

/// One line of the table.
#[derive(Debug, Clone)]
struct Row {
    change: String,
    verdict: String,
    reason: String,
}

#[test]
fn damaged_examples_get_the_expected_verdicts() {
    let all = all_mutants();
    let expected = expected();
    let chosen = chosen(&all);
    let verdicts = in_parallel(&chosen, |(_, mutant)| verdict(mutant));
    println!("{} of {} mutants", chosen.len(), all.len());
    let found: Vec<(&str, String)> =
        chosen.iter().map(|(name, _)| name.as_str()).zip(verdicts).collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return write(&all, &expected, &found);
    }
    let differs = |(name, found): &(&str, String)| {
        let row = expected.get(*name)?;
        let fits = row.verdict == *found || both_unproved(&row.verdict, found);
        (!fits).then(|| format!("{name} ({}): {found}, not {}", row.change, row.verdict))
    };
    expect_none(&found.iter().filter_map(differs).collect::<Vec<_>>());
}

#[test]
fn the_table_is_about_all_mutants_and_no_others() {
    let (all, mut expected) = (all_mutants(), expected());
    keep(&chosen(&all));
    let mut complaints = Vec::new();
    for (name, mutant) in &all {
        match expected.remove(name) {
            Some(row) if row.change == mutant.change => {}
            Some(row) => {
                complaints.push(format!("{name}: {} is not {}", row.change, mutant.change))
            }
            None => complaints.push(format!("{name} ({}) is not in the table", mutant.change)),
        }
    }
    complaints.extend(expected.into_keys().map(|name| format!("{name} does not exist")));
    expect_none(&complaints);
}

#[test]
fn every_verified_mutant_is_explained() {
    let open = |(name, row): (String, Row)| {
        (row.verdict == "verified" && row.reason.is_empty())
            .then(|| format!("{name} ({}) is verified, why?", row.change))
    };
    expect_none(&expected().into_iter().filter_map(open).collect::<Vec<_>>());
}

/// Whether an unproved obligation has a run that shows it may depend on the speed of the machine.
fn both_unproved(one: &str, other: &str) -> bool {
    let unproved = |verdict: &str| verdict == "refuted" || verdict == "unknown";
    unproved(one) && unproved(other)
}

fn verdict(mutant: &Mutant) -> String {
    let civl = std::env::var("CIVL_BINARY").unwrap_or_else(|_| CIVL.to_owned());
    let arguments = ["--jobs", "1", "--time-limit", TIME_LIMIT];
    let answer = match run::verify(&civl, Path::new("-"), &mutant.text, &arguments) {
        Ok(answer) => answer,
        Err(why) => return why,
    };
    let by_proof = |d: &serde_json::Value| d["severity"] != "error" || d["phase"] == "proof";
    match run::verdict(&answer) {
        "errors"
            if answer["diagnostics"].as_array().is_some_and(|all| all.iter().all(by_proof)) =>
        {
            "refuted".to_owned()
        }
        "errors" => "static-error".to_owned(),
        other => other.to_owned(),
    }
}

/// Every mutant of every good example, with its full name.
fn all_mutants() -> Vec<(String, Mutant)> {
    let folder = root().join("tests/examples");
    let good = files_below(&folder, "bpl").into_iter().filter(|it| it.parent() == Some(&folder));
    let of_example = |path: PathBuf| {
        let example = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("an example can be read");
        let named = move |mutant: Mutant| (format!("{example}/{}", mutant.id), mutant);
        mutants(&text).into_iter().map(named)
    };
    good.flat_map(of_example).collect()
}

fn chosen(all: &[(String, Mutant)]) -> Vec<&(String, Mutant)> {
    match std::env::var("CIVL_MUTATION") {
        Ok(wanted) if wanted == "all" => all.iter().collect(),
        Ok(wanted) => all.iter().filter(|(name, _)| name.contains(&wanted)).collect(),
        Err(_) => all.iter().step_by((all.len() / SAMPLE).max(1)).collect(),
    }
}

/// Writes the mutants down, if somebody wants them.
fn keep(chosen: &[&(String, Mutant)]) {
    let Some(folder) = std::env::var_os("CIVL_MUTATION_KEEP").map(PathBuf::from) else { return };
    for (name, mutant) in chosen {
        let file = folder.join(format!("{}.bpl", name.replace('/', "-")));
        std::fs::write(file, &mutant.text).expect("a mutant can be written");
    }
}

fn table() -> PathBuf {
    root().join("tests/mutation/expected.tsv")
}

fn expected() -> BTreeMap<String, Row> {
    let text = std::fs::read_to_string(table()).unwrap_or_default();
    let row = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        (next(), Row { change: next(), verdict: next(), reason: next() })
    };
    text.lines().skip(1).map(row).collect()
}

fn write(all: &[(String, Mutant)], old: &BTreeMap<String, Row>, found: &[(&str, String)]) {
    let mut text = "mutant\tchange\tverdict\treason\n".to_owned();
    for (name, mutant) in all {
        let old = old.get(name).filter(|row| row.change == mutant.change);
        let found = found.iter().find(|(own, _)| own == name).map(|(_, verdict)| verdict.as_str());
        let verdict = found.or(old.map(|row| row.verdict.as_str())).unwrap_or("not asked");
        let reason = old.filter(|_| verdict == "verified").map_or("", |row| row.reason.as_str());
        let line = [name.as_str(), mutant.change.as_str(), verdict, reason].join("\t");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    std::fs::write(table(), text).expect("the table can be written");
}
