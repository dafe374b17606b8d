//! `civl check`: the static phases only.

use super::engine::{self, Finder, Opened};
use super::render::{Document, Format};
use super::report::{Counts, Report, Verdict};
use super::{Exit, Sources};

#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    sources: Sources,
    /// How to print what was found.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Show the problems of every phase, also of those that only follow from earlier ones.
    #[arg(long)]
    all_phases: bool,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let programs = match engine::open(&arguments.sources) {
        Ok(programs) => programs,
        Err(error) => return super::bad_input(&error),
    };
    let mut exit = Exit::Proved;
    let mut document = Document::new(arguments.format, programs.len());
    for opened in &programs {
        let report = check(opened, arguments.all_phases);
        if report.verdict == Verdict::Errors {
            exit = exit.and(report.exit());
        }
        super::print(&document.add(report));
    }
    super::print(&document.end());
    exit
}

/// No obligation is asked, so the verdict of the report is never "verified".
fn check(opened: &Opened, all_phases: bool) -> Report {
    if let Some(refused) = opened.refused() {
        return refused;
    }
    let analysis = opened.host.analysis();
    let problems =
        if all_phases { analysis.problems(opened.program) } else { analysis.check(opened.program) };
    let mut finder = Finder::new(&analysis);
    let findings = finder.findings(opened, &problems);
    let mut report = Report::new(findings, Counts::default(), false);
    report.checked_only = true;
    report.files = opened.files.clone();
    finder.give_texts(&mut report);
    report
}
