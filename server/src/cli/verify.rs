//! `civl verify`: prove a program.
//!
//! # Invariants
//! - "verified" is printed only for a complete run without error, unknown or filter.
//! - `index.html` of a report speaks of all programs: of several it is a table of their pages, with the
//!   worst verdict as its own. Pages of programs that are no more are removed.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use ide::{Believed, Filter, NoStore, ObligationState, VerifyOptions, VerifyReport};

use super::engine::{self, Finder, Opened};
use super::progress::Progress;
use super::render::{self, Document, Format};
use super::report::{Case, Counts, Outcome, Report, Times};
use super::{Exit, Sources};
use crate::{cache, usage};

/// What one worker may use.
const WORKER_MEGABYTES: u32 = 2048;
/// Longest time one obligation may take.
const DEFAULT_SECONDS: f64 = 30.0;

#[derive(clap::Args, Debug, Clone)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,
    /// How to print what was found.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Solver processes; the default is the number of processors.
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Seconds one obligation may take.
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_SECONDS)]
    pub time_limit: f64,
    /// Steps of the solver one question may take: a limit that is the same on every machine.
    #[arg(long, value_name = "N")]
    pub step_limit: Option<u32>,
    /// Seed of the solver, to see whether answers are stable; 0 is its default.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Ask only obligations whose id matches (`*` stands for anything).
    #[arg(long, value_name = "PATTERN")]
    pub only: Option<String>,
    /// Ask only obligations of this layer.
    #[arg(long, value_name = "N")]
    pub layer: Option<u32>,
    /// Ask only obligations of this kind.
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    #[command(flatten)]
    pub believe: Believe,
    /// Refuse promises: unproved ends of loops and recursions, free clauses, trusted checks.
    #[arg(long)]
    pub strict: bool,
    /// Do not read or write the store of verdicts.
    #[arg(long)]
    pub no_cache: bool,
    /// Folder of the store of verdicts.
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Also look for assertions that no run can reach.
    #[arg(long)]
    pub vacuity: bool,
    /// Also write a page with obligations, movers, layers and traces into this folder.
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
}

/// What to take on faith; everything trusted is left out of the obligations.
#[derive(clap::Args, Debug, Clone, Copy)]
pub struct Believe {
    /// Do not check refinement.
    #[arg(long)]
    trust_refinement: bool,
    /// Do not check declared mover types.
    #[arg(long)]
    trust_mover_types: bool,
    /// Do not check non-interference.
    #[arg(long)]
    trust_noninterference: bool,
    /// Do not check the sequential correctness of invariants.
    #[arg(long)]
    trust_invariants: bool,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let options = match options(arguments) {
        Ok(options) => options,
        Err(error) => return super::bad_input(&error),
    };
    let programs = match engine::open(&arguments.sources) {
        Ok(programs) => programs,
        Err(error) => return super::bad_input(&error),
    };
    let mut exit = Exit::Proved;
    let mut document = Document::new(arguments.format, programs.len());
    let mut pages = Pages::new(arguments.report.as_deref(), programs.len());
    for opened in &programs {
        let asked = Asked {
            progress: arguments.format == Format::Text,
            vacuity: arguments.vacuity,
            full: false,
        };
        let mut report = verify_with(opened, &options, asked);
        if arguments.strict {
            report.be_strict();
        }
        exit = exit.and(report.exit());
        if arguments.report.is_some() {
            report.checked = engine::checked_lines(opened);
        }
        if let Err(error) = pages.add(&report) {
            exit = exit.and(super::unwritten(&error));
        }
        super::print(&document.add(report));
    }
    super::print(&document.end());
    if let Err(error) = pages.end() {
        exit = exit.and(super::unwritten(&error));
    }
    // The process ends; taking databases apart piece by piece first would only cost time.
    std::mem::forget(programs);
    exit
}

/// The pages of a report.
struct Pages<'a> {
    folder: Option<&'a Path>,
    programs: usize,
    told: Vec<render::html::Line>,
}

impl Pages<'_> {
    fn new(folder: Option<&Path>, programs: usize) -> Pages<'_> {
        Pages { folder, programs, told: Vec::new() }
    }

    /// The page of the next program: `index.html` if it is the only one.
    fn add(&mut self, report: &Report) -> anyhow::Result<()> {
        let Some(folder) = self.folder else { return Ok(()) };
        let number = self.told.len() + 1;
        let page = if self.programs == 1 { INDEX.to_owned() } else { page_name(number) };
        let files = report.files.clone();
        self.told.push(render::html::Line { page: page.clone(), verdict: report.verdict, files });
        std::fs::create_dir_all(folder)?;
        crate::files::write_source(&folder.join(page), &render::html::render(report))
    }

    fn end(&self) -> anyhow::Result<()> {
        let Some(folder) = self.folder else { return Ok(()) };
        if self.programs > 1 {
            crate::files::write_source(&folder.join(INDEX), &render::html::index(&self.told))?;
        }
        let kept = if self.programs > 1 { self.programs } else { 0 };
        let old = (kept + 1..).map(|number| folder.join(page_name(number)));
        for page in old.take_while(|page| page.exists()) {
            std::fs::remove_file(page)?;
        }
        Ok(())
    }
}

const INDEX: &str = "index.html";

fn page_name(number: usize) -> String {
    format!("program-{number}.html")
}

/// The options of a plain `civl verify`.
pub(super) fn default_options() -> anyhow::Result<VerifyOptions> {
    Ok(VerifyOptions {
        jobs: processors(),
        time_limit_ms: (DEFAULT_SECONDS * 1000.0) as u64,
        step_limit: None,
        seed: 0,
        filter: Filter::default(),
        believed: Believed::default(),
        worker: std::env::current_exe()?,
        memory_mb: WORKER_MEGABYTES,
        store: cache::open(None),
    })
}

pub(super) fn options(arguments: &Arguments) -> anyhow::Result<VerifyOptions> {
    if !(arguments.time_limit > 0.0 && arguments.time_limit <= 86_400.0) {
        anyhow::bail!("--time-limit must lie between 0 and 86400 seconds");
    }
    let believe = arguments.believe;
    Ok(VerifyOptions {
        jobs: arguments.jobs.unwrap_or_else(processors).clamp(1, 64),
        time_limit_ms: (arguments.time_limit * 1000.0).ceil() as u64,
        step_limit: arguments.step_limit,
        seed: arguments.seed,
        filter: Filter {
            only: arguments.only.clone(),
            layer: arguments.layer,
            kind: arguments.kind.clone(),
            ..Filter::default()
        },
        believed: Believed {
            refinement: believe.trust_refinement,
            movers: believe.trust_mover_types,
            noninterference: believe.trust_noninterference,
            invariants: believe.trust_invariants,
        },
        worker: std::env::current_exe()?,
        memory_mb: WORKER_MEGABYTES,
        store: if arguments.no_cache {
            Arc::new(NoStore)
        } else {
            cache::open(arguments.cache.as_deref())
        },
    })
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Verifies one loaded program.
pub(super) fn verify(opened: &Opened, options: &VerifyOptions, progress: bool) -> Report {
    verify_with(opened, options, Asked { progress, ..Asked::default() })
}

/// The same with explanations of any length.
pub(super) fn verify_in_full(opened: &Opened, options: &VerifyOptions) -> Report {
    verify_with(opened, options, Asked { progress: true, full: true, ..Asked::default() })
}

/// What a run does besides proving.
#[derive(Clone, Copy, Default)]
struct Asked {
    progress: bool,
    vacuity: bool,
    /// Leave nothing out of explanations.
    full: bool,
}

fn verify_with(opened: &Opened, options: &VerifyOptions, asked: Asked) -> Report {
    if let Some(refused) = opened.refused() {
        return refused;
    }
    let start = Instant::now();
    let analysis = opened.host.analysis();
    let mut progress = Progress::for_terminal(asked.progress);
    let mut run = analysis
        .verify(opened.program, options, &mut |done, total, name| progress.show(done, total, name));
    if asked.vacuity {
        run.diagnostics.extend(analysis.vacuous(opened.program, options, &run.obligations));
    }
    progress.finish();
    if asked.full {
        run.diagnostics.iter_mut().for_each(|found| analysis.unabridge(found));
    }
    let mut finder = Finder::new(&analysis);
    let findings = finder.findings(opened, &run.diagnostics);
    let complete = run.complete && options.filter == Filter::default();
    let mut report = Report::new(findings, counts(&run), complete);
    report.files = opened.files.clone();
    report.trusted = finder.faith(&run.trusted);
    finder.give_texts(&mut report);
    report.cases = run.obligations.iter().map(case).collect();
    report.layers = analysis.layer_table(opened.program);
    report.calls = analysis.mover_table(opened.program);
    report.time = Times {
        wall_ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
        cpu_ms: usage::cpu_ms(),
        solver_cpu_ms: run.solver_cpu_ms,
        peak_memory_kb: usage::peak_memory_kb(),
    };
    report
}

fn counts(run: &VerifyReport) -> Counts {
    let mut counts = Counts { total: run.obligations.len(), ..Counts::default() };
    for obligation in &run.obligations {
        match obligation.outcome {
            ide::Outcome::Proved => counts.proved += 1,
            ide::Outcome::Failed => counts.failed += 1,
            ide::Outcome::Unknown(_) => counts.unknown += 1,
            ide::Outcome::Skipped(_) => counts.skipped += 1,
        }
        counts.cached += usize::from(obligation.cached);
    }
    counts
}

pub(super) fn case(state: &ObligationState) -> Case {
    let outcome = match &state.outcome {
        ide::Outcome::Proved => Outcome::Proved,
        ide::Outcome::Failed => Outcome::Failed(state.reason().unwrap_or_default()),
        ide::Outcome::Unknown(why) => Outcome::Unknown(why.to_string()),
        ide::Outcome::Skipped(why) => Outcome::Skipped(why.to_string()),
    };
    Case {
        group: state.kind.clone(),
        name: state.id.clone(),
        outcome,
        millis: state.millis,
        layer: state.layer,
        subjects: state.subjects.clone(),
        cached: state.cached,
    }
}
