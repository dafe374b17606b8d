//! Units of the public programs against the reference's, when `CIVL_CORPUS` and `CIVL_UNITS` name a
//! copy of the programs and the table of the reference's units. Prints what differs.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test that reads the programs it is pointed at"
)]

use std::collections::BTreeMap;

use base::LibraryName;

use super::{Database, program, verdicts};
use crate::units;

/// `CIVL_ONLY` restricts to programs whose path contains it, `CIVL_UNIT` to units whose name does.
#[test]
fn units_agree_with_the_reference() {
    let (Ok(corpus), Ok(table)) = (std::env::var("CIVL_CORPUS"), std::env::var("CIVL_UNITS"))
    else {
        println!("skipped: CIVL_CORPUS and CIVL_UNITS are not set");
        return;
    };
    let only = std::env::var("CIVL_ONLY").unwrap_or_default();
    let unit_only = std::env::var("CIVL_UNIT").unwrap_or_default();
    let mut wanted: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for row in std::fs::read_to_string(table).unwrap().lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let unit = (cells[1].to_owned(), cells[5].to_owned());
        wanted.entry(cells[0].to_owned()).or_default().insert(unit.0, unit.1);
    }
    let mut wrong = Vec::new();
    for (file, expected) in wanted.iter().filter(|(file, _)| file.contains(&only)) {
        let text = std::fs::read_to_string(format!("{corpus}/{file}")).unwrap();
        let db = Database::default();
        let libraries = [LibraryName::Base];
        let program = program(&db, &text, &libraries);
        for unit in units(&db, program).iter().filter(|unit| unit.skipped.is_none()) {
            if !unit.name.contains(&unit_only) {
                continue;
            }
            let Some(outcome) = expected.get(&unit.name) else {
                wrong.push(format!("{file}: {} is not a unit of the reference", unit.name));
                continue;
            };
            let got = verdicts(&db, program, &unit.key);
            if (got == "proved") != (outcome == "verified") {
                let got = got.replace('\n', "; ");
                wrong.push(format!("{file}: {} is {outcome} there, here {got}", unit.name));
            }
        }
        println!("{file} done, {} differences so far", wrong.len());
    }
    wrong.iter().for_each(|line| println!("{line}"));
    assert!(wrong.is_empty(), "{} differences", wrong.len());
}
