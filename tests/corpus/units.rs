//! Units of the corpus against those of the reference, name by name and verdict by verdict.
//!
//! **In:** the corpus and a table of the reference's units (file, unit, seconds, steps, assertions,
//! outcome), which `CIVL_REFERENCE_UNITS` names; else the one beside this repository is taken.
//!
//! # Invariants
//! - Every difference is a row of [`EXPLAINED`], and every row explains a difference.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use civl_tests::{in_parallel, root};
use ide::{AnalysisHost, Believed, Filter, NoStore, Outcome, Stage, VerifyOptions};

use super::{CIVL, CorpusProgram};

/// Why the lists of a program differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    /// The reference calls actions without a name by number; we call them by their procedure. Their
    /// numbers grow along the text.
    Numbered,
    /// The reference monomorphises generic procedures and puts this behind their names; we keep type
    /// parameters.
    Instances(&'static str),
    /// We list a unit that the reference leaves out, because it is run with `/trustRefinement`.
    Trusted(&'static str),
    /// The table says nothing about the program.
    Missing,
}

use Difference::{Instances, Missing, Numbered, Trusted};

const EXPLAINED: &[(&str, Difference)] = &[
    ("large-samples/cache-coherence.bpl", Numbered),
    ("large-samples/lc-list.bpl", Numbered),
    ("large-samples/msq.bpl", Numbered),
    ("large-samples/node-lemmas.bpl", Instances("_6953")),
    ("large-samples/shared-vector.bpl", Numbered),
    ("large-samples/treiber-stack.bpl", Numbered),
    ("paxos/is.sh", Missing),
    ("regression-tests/anonymous-action.bpl", Numbered),
    ("regression-tests/global-invariant-fail.bpl", Numbered),
    ("regression-tests/global-invariant.bpl", Numbered),
    ("regression-tests/permissions-fail.bpl", Trusted("Civl_Proc1_Refine_1")),
    ("regression-tests/permissions-fail.bpl", Trusted("Civl_Proc2_Refine_1")),
    ("samples/2pc.bpl", Numbered),
    ("samples/ABD.bpl", Numbered),
    ("samples/BroadcastConsensus.bpl", Numbered),
    ("samples/ChangRoberts.bpl", Numbered),
    ("samples/Gauss.bpl", Numbered),
    ("samples/PingPong.bpl", Numbered),
    ("samples/cuda-add.bpl", Numbered),
    ("samples/snapshot-parallel.bpl", Numbered),
    ("samples/snapshot.bpl", Numbered),
];

/// Before the number or the procedure of an action without a name.
const ANONYMOUS: &str = "AnonymousAction_";

/// Unit and whether it holds, of one program.
type Units = BTreeMap<String, bool>;

/// What the reference says about each program; `None`: there is no table.
fn reference() -> Option<BTreeMap<String, Units>> {
    let beside = || root().join("../shared/data/reference-units.tsv");
    let path = std::env::var_os("CIVL_REFERENCE_UNITS").map_or_else(beside, PathBuf::from);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is no table of the reference's units", path.display());
        return None;
    };
    let mut table: BTreeMap<String, Units> = BTreeMap::new();
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, unit, _, _, _, outcome] = cells[..] else { panic!("a row: {row}") };
        let units = table.entry(file.to_owned()).or_default();
        let twice = units.insert(unit.to_owned(), outcome == "verified");
        assert_eq!(twice, None, "{file}: {unit} has two rows");
    }
    Some(table)
}

pub(super) fn compare_with_reference(programs: &[CorpusProgram]) -> Vec<String> {
    let Some(table) = reference() else { return Vec::new() };
    let compared = in_parallel(programs, |program| compare(program, table.get(&program.name)));
    let known: BTreeSet<&str> = programs.iter().map(|program| program.name.as_str()).collect();
    let unknown = table.keys().filter(|file| !known.contains(file.as_str()));
    let mut wrong: Vec<String> = unknown.map(|file| format!("{file}: not in the corpus")).collect();
    let count: usize = compared.iter().map(|(count, _)| count).sum();
    println!("{count} units of {} programs compared", table.len());
    wrong.extend(compared.into_iter().flat_map(|(_, wrong)| wrong));
    let strangers = EXPLAINED.iter().filter(|(file, _)| !known.contains(file));
    wrong.extend(strangers.map(|(file, _)| format!("{file}: explained, but not in the corpus")));
    wrong
}

/// How many units agree, and what does not.
fn compare(program: &CorpusProgram, theirs: Option<&Units>) -> (usize, Vec<String>) {
    let name = &program.name;
    let rows = EXPLAINED.iter().filter(|(file, _)| file == name).map(|(_, why)| *why);
    let explained: Vec<Difference> = rows.collect();
    let ours = match (list(program), theirs) {
        (Ok(ours), _) => ours,
        // A program with a static error has no units.
        (Err(_), None) => return (0, unused(name, &explained)),
        (Err(why), Some(_)) => return (0, vec![format!("{name}: {why}")]),
    };
    let Some(theirs) = theirs else {
        let silent = explained == [Missing];
        let wrong = if silent { vec![] } else { vec![format!("{name}: not in the table")] };
        return (0, wrong);
    };
    let (theirs, used) = translate(program, theirs, &ours, &explained);
    let unused_rows: Vec<Difference> =
        explained.iter().copied().filter(|row| !used.contains(row)).collect();
    let mut wrong = unused(name, &unused_rows);
    let trusted: BTreeSet<&str> = used
        .iter()
        .filter_map(|row| match row {
            Trusted(unit) => Some(*unit),
            Numbered | Instances(_) | Missing => None,
        })
        .collect();
    let asked: Units =
        ours.into_iter().filter(|(unit, _)| !trusted.contains(unit.as_str())).collect();
    for (unit, holds) in &asked {
        match theirs.get(unit) {
            None => wrong.push(format!("{name}: {unit} is a unit only here")),
            Some(other) if other == holds => {}
            Some(other) => wrong.push(format!("{name}: {unit} holds: {holds}, there {other}")),
        }
    }
    let missing = theirs.keys().filter(|unit| !asked.contains_key(*unit));
    wrong.extend(missing.map(|unit| format!("{name}: {unit} is a unit only there")));
    (asked.len(), wrong)
}

fn unused(name: &str, rows: &[Difference]) -> Vec<String> {
    rows.iter().map(|row| format!("{name}: {row:?} explains nothing any more")).collect()
}

/// The reference's units under our names, and the rows that were needed for it.
fn translate(
    program: &CorpusProgram,
    theirs: &Units,
    ours: &Units,
    explained: &[Difference],
) -> (Units, Vec<Difference>) {
    let mut units = theirs.clone();
    let mut used = Vec::new();
    for row in explained {
        let before = units.clone();
        match row {
            Numbered => {
                let names = by_number(program, &units, ours);
                units = rename(&units, |unit| without_numbers(unit, &names));
            }
            Instances(ending) => {
                units = rename(&units, |unit| unit.strip_suffix(ending).unwrap_or(unit).to_owned());
            }
            Trusted(unit) => {
                if ours.contains_key(*unit) && !units.contains_key(*unit) {
                    used.push(*row);
                }
            }
            Missing => {}
        }
        if units != before {
            used.push(*row);
        }
    }
    (units, used)
}

fn rename(units: &Units, name: impl Fn(&str) -> String) -> Units {
    units.iter().map(|(unit, holds)| (name(unit), *holds)).collect()
}

/// The procedure of each number: both grow along the text.
fn by_number(program: &CorpusProgram, theirs: &Units, ours: &Units) -> BTreeMap<u64, String> {
    let mut numbers = BTreeSet::new();
    for unit in theirs.keys() {
        numbers.extend(unit.split(ANONYMOUS).skip(1).filter_map(|rest| split_number(rest).0));
    }
    let procedures = anonymous(program);
    let mut met: BTreeSet<&String> = BTreeSet::new();
    for unit in ours.keys() {
        for rest in unit.split(ANONYMOUS).skip(1) {
            let begins = |name: &&String| {
                rest.strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
            };
            met.extend(procedures.iter().filter(begins).max_by_key(|name| name.len()));
        }
    }
    let named = procedures.iter().filter(|name| met.contains(name));
    let named: Vec<String> = named.cloned().collect();
    assert_eq!(numbers.len(), named.len(), "{}: {numbers:?} are {named:?}", program.name);
    numbers.into_iter().zip(named).collect()
}

fn without_numbers(unit: &str, names: &BTreeMap<u64, String>) -> String {
    let mut parts = unit.split(ANONYMOUS);
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = match split_number(part) {
            (Some(number), rest) => (names[&number].as_str(), rest),
            (None, _) => ("", part),
        };
        renamed.push_str(&format!("{ANONYMOUS}{name}{rest}"));
    }
    renamed
}

/// The number that `text` starts with, and the rest.
fn split_number(text: &str) -> (Option<u64>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (text[..end].parse().ok(), &text[end..])
}

/// The procedures with an action of their own, in the order of the text.
fn anonymous(program: &CorpusProgram) -> Vec<String> {
    let (host, id) = open(program);
    let decls = host.analysis().dump(id, Stage::Decls).expect("declarations");
    let own = decls.lines().filter(|line| !line.contains(" refines "));
    own.filter_map(|line| {
        Some(line.split_once("action of ")?.1.split(['(', '<']).next()?.to_owned())
    })
    .collect()
}

fn open(program: &CorpusProgram) -> (AnalysisHost, ide::ProgramId) {
    let mut host = AnalysisHost::new();
    let mut files = Vec::new();
    for path in &program.files {
        let bytes = std::fs::read(path).expect("a corpus file can be read");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        files.push(host.set_file(&path.display().to_string(), text));
    }
    let after_lib = program.flags.windows(2).filter(|pair| pair[0] == "--lib");
    let libs: Vec<String> = after_lib.map(|pair| pair[1].clone()).collect();
    let id = host.add_program(&files, &libs).expect("known libraries");
    (host, id)
}

/// The units that have to be proved, as `civl dump` lists them, with our verdicts.
fn list(program: &CorpusProgram) -> Result<Units, String> {
    let libs = program.flags.iter().filter(|flag| *flag != "--trust-refinement");
    let output = Command::new(CIVL)
        .args(["dump", "--at", "units"])
        .args(libs)
        .args(&program.files)
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let (host, id) = open(program);
    let believed = Believed {
        refinement: program.flags.iter().any(|flag| flag == "--trust-refinement"),
        ..Believed::default()
    };
    let options = VerifyOptions {
        jobs: 1,
        time_limit_ms: 120_000,
        step_limit: None,
        seed: 0,
        memory_mb: 2048,
        filter: Filter::default(),
        believed,
        worker: CIVL.into(),
        store: Arc::new(NoStore),
    };
    let report = host.analysis().verify(id, &options, &mut |_, _, _| {});
    let mut units = Units::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        // What is skipped here is skipped there: a unit with a tab has no row in the table.
        if line.contains('\t') {
            continue;
        }
        let own = report.obligations.iter().filter(|state| state.unit == line);
        let outcomes: Vec<&Outcome> = own.map(|state| &state.outcome).collect();
        if let Some(Outcome::Unknown(why)) =
            outcomes.iter().find(|outcome| matches!(outcome, Outcome::Unknown(_)))
        {
            return Err(format!("{line}: {why}"));
        }
        let holds = !outcomes.iter().any(|outcome| matches!(outcome, Outcome::Failed));
        if units.insert(line.to_owned(), holds).is_some() {
            return Err(format!("{line} is listed twice"));
        }
    }
    Ok(units)
}
