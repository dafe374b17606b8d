//! `civl bench`: verify every program below a folder and print what it cost.
//!
//! Each program runs in a process of its own, so that times and memory are its own.

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

struct Row {
    program: String,
    verdict: String,
    cpu_s: f64,
    wall_s: f64,
    solver_s: f64,
    peak_mb: f64,
    obligations: u64,
}

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
    let mut total = (0.0, 0.0, 0.0);
    for file in files::sources_below(&arguments.folder)? {
        let name = file.strip_prefix(&arguments.folder).unwrap_or(&file).display().to_string();
        if !name.contains(&arguments.only) {
            continue;
        }
        let row = measure(arguments, &file, name)?;
        let reference = baseline.get(&row.program).copied();
        total = (total.0 + row.cpu_s, total.1 + row.wall_s, total.2 + reference.unwrap_or(0.0));
        super::print(&line(&row, reference));
    }
    let mut last = format!("total\t\t\t{:.2}\t{:.2}\t\t\t", total.0, total.1);
    if total.2 > 0.0 {
        let _infallible = write!(last, "{:.2}\t{:.3}", total.2, total.0 / total.2);
    }
    super::print(&(last + "\n"));
    Ok(())
}

fn measure(arguments: &Arguments, file: &Path, program: String) -> anyhow::Result<Row> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["verify", "--format", "json", "--jobs", &arguments.jobs.to_string()]);
    if !arguments.cache {
        command.arg("--no-cache");
    }
    let start = Instant::now();
    let output = command.arg(file).output().context("cannot start civl")?;
    let wall_s = start.elapsed().as_secs_f64();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let seconds = |field: &str| json["time"][field].as_f64().unwrap_or(0.0) / 1000.0;
    Ok(Row {
        program,
        verdict: json["verdict"].as_str().unwrap_or("crash").to_owned(),
        cpu_s: seconds("cpu_ms"),
        wall_s,
        solver_s: seconds("solver_cpu_ms"),
        peak_mb: json["time"]["peak_memory_kb"].as_f64().unwrap_or(0.0) / 1024.0,
        obligations: json["obligations"]["total"].as_u64().unwrap_or(0),
    })
}

fn line(row: &Row, reference: Option<f64>) -> String {
    let share = if row.cpu_s > 0.0 { 100.0 * row.solver_s / row.cpu_s } else { 0.0 };
    let mut out = format!(
        "{}\t{}\t{}\t{:.2}\t{:.2}\t{share:.0}%\t{:.0}",
        row.program, row.verdict, row.obligations, row.cpu_s, row.wall_s, row.peak_mb
    );
    if let Some(reference) = reference {
        let _infallible = write!(out, "\t{reference:.2}\t{:.3}", row.cpu_s / reference);
    }
    out + "\n"
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
}
