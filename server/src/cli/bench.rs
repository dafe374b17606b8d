//! `civl bench`: verify every program below a folder and print what it cost.
//!
//! Each program runs in a process of its own, so that times and memory are its own. Processor time
//! includes that of workers. What lies inside calls of the solver library counts as the solver's:
//! making and freeing contexts, reading scripts, searching, printing models. Memory is the most
//! that the process itself held, without its workers.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::Context;

use super::Exit;
use crate::files;

#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Folder with programs.
    folder: PathBuf,
    /// Compare with a table of `program<TAB>cpu_s` lines.
    #[arg(long, value_name = "TSV")]
    baseline: Option<PathBuf>,
    /// Only programs whose path contains this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Solver processes per program.
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Use the store of verdicts.
    #[arg(long)]
    cache: bool,
}

/// One program: a file, or what a script beside the files runs as one.
struct Program {
    name: String,
    files: Vec<PathBuf>,
    libs: Vec<String>,
}

#[derive(Clone)]
struct Row {
    program: String,
    verdict: String,
    cpu_s: f64,
    wall_s: f64,
    solver_s: f64,
    peak_mb: f64,
    obligations: u64,
    /// Seconds in the baseline.
    reference: Option<f64>,
}

/// How many of the largest programs get a sum of their own.
const LARGEST: usize = 10;

pub(super) fn run(arguments: &Arguments) -> Exit {
    match bench(arguments) {
        Ok(()) => Exit::Proved,
        Err(error) => super::bad_input(&error),
    }
}

fn bench(arguments: &Arguments) -> anyhow::Result<()> {
    let baseline = match &arguments.baseline {
        Some(path) => read_baseline(&files::read_source(path)?.text),
        None => BTreeMap::new(),
    };
    super::print(
        "program\tverdict\tobligations\tcpu_s\twall_s\tin_solver\tpeak_mb\tbaseline_s\tratio\n",
    );
    let mut rows = Vec::new();
    for program in programs(&arguments.folder)? {
        if program.name.contains(&arguments.only) {
            let reference = baseline.get(&program.name).copied();
            let row = Row { reference, ..measure(arguments, &program)? };
            super::print(&line(&row));
            rows.push(row);
        }
    }
    super::print(&summary(rows));
    Ok(())
}

/// Every source below `folder`. Sources that a script runs together are one program, under the name
/// of the script.
fn programs(folder: &Path) -> anyhow::Result<Vec<Program>> {
    let name = |path: &Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let mut found: Vec<Program> = Vec::new();
    let mut together: Vec<PathBuf> = Vec::new();
    for path in files::below(folder, &|path| path.extension().is_some_and(|e| e == "sh"))? {
        let (files, libs) = run_together(&files::read_source(&path)?.text);
        let files: Vec<PathBuf> = files.iter().map(|file| path.with_file_name(file)).collect();
        if files.len() > 1 && files.iter().all(|file| file.is_file()) {
            together.extend(files.iter().cloned());
            found.push(Program { name: name(&path), files, libs });
        }
    }
    for path in files::sources_below(folder)? {
        if !together.contains(&path) {
            found.push(Program { name: name(&path), files: vec![path], libs: Vec::new() });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The sources and libraries that the first line of a script with sources names.
fn run_together(script: &str) -> (Vec<String>, Vec<String>) {
    let sources = |line: &str| -> Vec<String> {
        let words = line.split_whitespace().filter(|word| files::is_source(Path::new(word)));
        words.map(str::to_owned).collect()
    };
    let Some(line) = script.lines().find(|line| !sources(line).is_empty()) else {
        return (Vec::new(), Vec::new());
    };
    let libs = line
        .split_whitespace()
        .filter_map(|word| word.trim_start_matches(['/', '-']).strip_prefix("lib:"));
    (sources(line), libs.map(str::to_owned).collect())
}

fn measure(arguments: &Arguments, program: &Program) -> anyhow::Result<Row> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["verify", "--format", "json", "--jobs", &arguments.jobs.to_string()]);
    if !arguments.cache {
        command.arg("--no-cache");
    }
    program.libs.iter().for_each(|lib| _ = command.args(["--lib", lib]));
    let start = Instant::now();
    let output = command.args(&program.files).output().context("cannot start civl")?;
    let wall_s = start.elapsed().as_secs_f64();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let seconds = |field: &str| json["time"][field].as_f64().unwrap_or(0.0) / 1000.0;
    Ok(Row {
        program: program.name.clone(),
        verdict: json["verdict"].as_str().unwrap_or("crash").to_owned(),
        cpu_s: seconds("cpu_ms"),
        wall_s,
        solver_s: seconds("solver_cpu_ms"),
        peak_mb: json["time"]["peak_memory_kb"].as_f64().unwrap_or(0.0) / 1024.0,
        obligations: json["obligations"]["total"].as_u64().unwrap_or(0),
        reference: None,
    })
}

fn line(row: &Row) -> String {
    let share = if row.cpu_s > 0.0 { 100.0 * row.solver_s / row.cpu_s } else { 0.0 };
    let mut out = format!(
        "{}\t{}\t{}\t{:.2}\t{:.2}\t{share:.0}%\t{:.0}",
        row.program, row.verdict, row.obligations, row.cpu_s, row.wall_s, row.peak_mb
    );
    if let Some(reference) = row.reference {
        let _infallible = write!(out, "\t{reference:.2}\t{:.3}", row.cpu_s / reference);
    }
    out + "\n"
}

/// The sum of all rows and of the largest ones, and the row that does worst against the baseline.
fn summary(mut rows: Vec<Row>) -> String {
    let mut out = line(&sum("total", &rows));
    let ratio = |row: &Row| row.reference.map_or(0.0, |reference| row.cpu_s / reference);
    let size = |row: &Row| row.reference.unwrap_or(row.cpu_s);
    rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
    if rows.len() > LARGEST {
        out += &line(&sum(&format!("the {LARGEST} largest"), &rows[..LARGEST]));
    }
    let worst = rows.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    if let Some(worst) = worst.filter(|row| row.reference.is_some()) {
        out += &format!("worst ratio\t{}\t{:.3}\n", worst.program, ratio(worst));
    }
    out
}

/// Costs added up; of the memory, the most.
fn sum(name: &str, rows: &[Row]) -> Row {
    let reference: f64 = rows.iter().filter_map(|row| row.reference).sum();
    Row {
        program: name.to_owned(),
        verdict: String::new(),
        cpu_s: rows.iter().map(|row| row.cpu_s).sum(),
        wall_s: rows.iter().map(|row| row.wall_s).sum(),
        solver_s: rows.iter().map(|row| row.solver_s).sum(),
        peak_mb: rows.iter().map(|row| row.peak_mb).fold(0.0, f64::max),
        obligations: rows.iter().map(|row| row.obligations).sum(),
        reference: (reference > 0.0).then_some(reference),
    }
}

fn read_baseline(text: &str) -> BTreeMap<String, f64> {
    let rows = text.lines().filter_map(|line| {
        let mut cells = line.split('\t');
        let program = cells.next()?.trim();
        cells.find_map(|cell| cell.trim().parse().ok()).map(|cpu| (program.to_owned(), cpu))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_skips_its_header() {
        let table = read_baseline("program\tcpu_s\nGC.bpl\t52.1\n");
        assert_eq!(table.into_iter().collect::<Vec<_>>(), [("GC.bpl".to_owned(), 52.1)]);
    }

    #[test]
    fn a_script_names_sources_that_are_one_program() {
        let script = "#!/bin/sh\n# RUN: %boogie a.bpl b.bpl /lib:set_size > out\nboogie a.bpl\n";
        let (files, libs) = run_together(script);
        assert_eq!((files, libs), (vec!["a.bpl".into(), "b.bpl".into()], vec!["set_size".into()]));
        assert_eq!(run_together("echo hello"), (Vec::new(), Vec::new()));
    }

    #[test]
    fn sums_add_costs_and_take_the_most_memory() {
        let row = |cpu_s, peak_mb, reference| Row {
            program: format!("{cpu_s}"),
            verdict: "verified".into(),
            cpu_s,
            wall_s: 1.0,
            solver_s: cpu_s / 2.0,
            peak_mb,
            obligations: 3,
            reference,
        };
        let text = summary(vec![row(1.0, 20.0, Some(10.0)), row(3.0, 10.0, Some(10.0))]);
        let expected = "total\t\t6\t4.00\t2.00\t50%\t20\t20.00\t0.200\nworst ratio\t3\t0.300\n";
        assert_eq!(text, expected);
    }
}
