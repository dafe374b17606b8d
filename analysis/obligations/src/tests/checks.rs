//! The checks of actions against the list of the reference: same names, same order. Verdicts are
//! compared by the tests of the whole, in `tests/corpus/units.rs`.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the corpus and the list are found at test time"
)]

use std::collections::BTreeMap;
use std::path::Path;

use base::Program;

use super::plain::CORPUS;
use super::{Database, program};
use crate::{UnitEntry, UnitKey, units};

/// The units of the reference, on machines that have the list.
const REFERENCE: &str = match option_env!("CIVL_REFERENCE_UNITS") {
    Some(path) => path,
    None => "/work/shared/data/reference-units.tsv",
};

/// By file, the units of the reference in its order.
fn reference() -> BTreeMap<String, Vec<String>> {
    let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let Ok(list) = std::fs::read_to_string(REFERENCE) else {
        println!("skipped: {REFERENCE} is no list of the reference's units");
        return out;
    };
    for line in list.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        out.entry(columns[0].to_owned()).or_default().push(anonymous(columns[1]));
    }
    out
}

/// The name without the number, or the procedure, of anonymous actions.
fn anonymous(name: &str) -> String {
    let mut out = String::new();
    let mut rest = name;
    while let Some(at) = rest.find("AnonymousAction_") {
        let end = at + "AnonymousAction_".len();
        out.push_str(&rest[..end]);
        rest = rest[end..].trim_start_matches(|it: char| it.is_ascii_digit());
    }
    out + rest
}

/// Our name with anonymous actions as in [`anonymous`].
fn comparable(entry: &UnitEntry, procedures: &[String]) -> String {
    let mut name = entry.name.clone();
    for procedure in procedures {
        let ours = format!("AnonymousAction_{procedure}");
        // Longer names of procedures come first.
        name = name.replace(&ours, "AnonymousAction_");
    }
    name
}

fn is_about_actions(key: &UnitKey) -> bool {
    match key {
        UnitKey::Plain(_) | UnitKey::Invariant(..) | UnitKey::Refinement(..) => false,
        UnitKey::GateSufficiency(_)
        | UnitKey::Commutativity(_)
        | UnitKey::GatePreservation(_)
        | UnitKey::FailurePreservation(_)
        | UnitKey::Nonblocking(..)
        | UnitKey::ActionRefinement(_)
        | UnitKey::GlobalNoninterference(..)
        | UnitKey::StepNoninterference(..) => true,
    }
}

/// Does a unit of the reference check actions?
fn is_check_of_actions(name: &str) -> bool {
    let starts = [
        "Civl_CommutativityChecker_",
        "Civl_GatePreservationChecker_",
        "Civl_FailurePreservationChecker_",
        "Civl_NonblockingChecker_",
        "Civl_Global_NoninterferenceChecker_",
    ];
    let ends = ["_GateSufficiencyChecker", "_RefinementCheck"];
    starts.iter().any(|start| name.starts_with(start)) || ends.iter().any(|it| name.ends_with(it))
}

/// Our units about actions that have to be proved, by comparable name.
fn ours(db: &Database, program: Program) -> Vec<(String, UnitKey)> {
    let decls = hir::program_decls(db, program);
    let mut procedures: Vec<String> = decls.iter().map(|decl| decl.name(db).to_string()).collect();
    procedures.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let units = units(db, program);
    let units = units.iter().filter(|it| is_about_actions(&it.key) && it.skipped.is_none());
    units.map(|it| (comparable(it, &procedures), it.key.clone())).collect()
}

#[test]
fn the_list_of_checks_is_that_of_the_reference() {
    let mut bad = Vec::new();
    for (file, units) in reference() {
        let Ok(text) = std::fs::read_to_string(Path::new(CORPUS).join(&file)) else { continue };
        let db = Database::default();
        let program = program(&db, &text, &[]);
        let theirs = units.iter().map(String::as_str).filter(|it| is_check_of_actions(it));
        let theirs: Vec<&str> = theirs.collect();
        let ours = ours(&db, program);
        let ours: Vec<&str> = ours.iter().map(|(name, _)| name.as_str()).collect();
        if ours != theirs {
            let missing: Vec<_> = theirs.iter().filter(|it| !ours.contains(it)).collect();
            let extra: Vec<_> = ours.iter().filter(|it| !theirs.contains(it)).collect();
            let differ = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs);
            bad.push(format!("{file}: missing {missing:?}, extra {extra:?}, first {differ:?}"));
        }
    }
    assert!(bad.is_empty(), "{} files\n{}", bad.len(), bad.join("\n"));
}
