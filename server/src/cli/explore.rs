//! `civl explore`: all interleavings of a small instance of a layer.
//!
//! **In:** a program and a scope. **Out:** for each layer one answer, which names its scope.
//!
//! # Invariants
//! - The exit is 0 only if every scope asked for was exhausted exactly and nothing is broken.
//! - A bounded answer is never called a proof, and has no part in what `civl verify` says.

mod text;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ide::{ExplorationReport, ExploreAnswer, ExploreRequest};
use serde_json::{Value, json};

use super::engine::{Finder, Opened};
use super::{Exit, Sources, engine};
use crate::usage;

#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    sources: Sources,
    /// Only this layer; otherwise every layer that has code.
    #[arg(long, value_name = "N")]
    layer: Option<u32>,
    /// Threads of the client.
    #[arg(long, value_name = "T")]
    threads: Option<u32>,
    /// Calls of each thread; `inf` for any number.
    #[arg(long, value_name = "C|inf")]
    calls: Option<String>,
    /// Elements of a sort; `int` counts the integers from 0 that are chosen.
    #[arg(long = "scope", value_name = "SORT=K")]
    scopes: Vec<String>,
    /// A procedure that the client calls, instead of those that the program marks or nobody calls.
    #[arg(long = "root", value_name = "P")]
    roots: Vec<String>,
    /// The action that makes the initial state.
    #[arg(long, value_name = "A")]
    init: Option<String>,
    /// What is looked for.
    #[arg(long, value_enum, default_value_t = Mode::Failures)]
    mode: Mode,
    /// Check yield invariants and other claims of the proof as well.
    #[arg(long)]
    claims: bool,
    /// Do not look for deadlocks.
    #[arg(long)]
    no_deadlocks: bool,
    /// Which reductions are used: `all`, `none` or a list. R1: threads run from yield to yield, as
    /// their mover types allow.
    #[arg(long, value_name = "all|none|LIST", default_value = "all")]
    reductions: String,
    /// The most states of one exploration.
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    /// Seconds for one exploration.
    #[arg(long, value_name = "S", default_value_t = 600.0)]
    time_limit: f64,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The reductions that there are.
const REDUCTIONS: &[&str] = &["R1"];

/// What is looked for.
#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Conditions that fail, and deadlocks.
    Failures,
    /// Calls and returns that no order of the atomic actions explains.
    Trace,
    /// The same, and shared variables unlike those of the layer above.
    State,
}

impl Mode {
    fn word(self) -> &'static str {
        match self {
            Mode::Failures => "failures",
            Mode::Trace => "trace",
            Mode::State => "state",
        }
    }
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Json,
}

/// An answer and what it cost.
struct Found {
    report: ExplorationReport,
    cpu_ms: u64,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    match explore(arguments) {
        Ok(exit) => exit,
        Err(error) => super::bad_input(&error),
    }
}

fn explore(arguments: &Arguments) -> anyhow::Result<Exit> {
    if arguments.mode != Mode::Failures {
        anyhow::bail!("`--mode {}` does not exist yet", arguments.mode.word());
    }
    let limit = arguments.time_limit;
    anyhow::ensure!(limit > 0.0 && limit <= 86_400.0, "a time limit is from 0 to 86400 seconds");
    let request = request(arguments)?;
    let opened = engine::open_single(&arguments.sources)?;
    let analysis = opened.host.analysis();
    let plans = analysis.explore_plans(opened.program, &request).map_err(anyhow::Error::msg)?;
    let mut all = Vec::new();
    for plan in plans {
        let before = usage::cpu_ms();
        let explored = within(limit, |cancel| plan.run(cancel));
        let cpu_ms = usage::cpu_ms().saturating_sub(before);
        all.push(Found { report: analysis.exploration_report(&plan, &explored), cpu_ms });
    }
    let exit = all.iter().fold(Exit::Proved, |exit, it| exit.and(exit_of(&it.report)));
    match arguments.format {
        Format::Text => super::print(&text::render(&opened, &all)),
        Format::Json => super::print(&format!("{:#}\n", as_json(&opened, &all))),
    }
    Ok(exit)
}

/// Runs the search, and raises the flag when time is over.
fn within<T>(seconds: f64, search: impl FnOnce(&AtomicBool) -> T) -> T {
    let cancel = Arc::new(AtomicBool::new(false));
    let (done, over) = std::sync::mpsc::channel::<()>();
    let flag = cancel.clone();
    let watch = std::thread::spawn(move || {
        let timeout = Duration::from_secs_f64(seconds);
        if over.recv_timeout(timeout) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            flag.store(true, Ordering::Relaxed);
        }
    });
    let result = search(&cancel);
    drop(done);
    let _ended = watch.join();
    result
}

fn request(arguments: &Arguments) -> anyhow::Result<ExploreRequest> {
    let calls = match arguments.calls.as_deref() {
        None => None,
        Some("inf") => Some(None),
        Some(count) => match count.parse() {
            Ok(count) => Some(Some(count)),
            Err(_) => anyhow::bail!("`--calls {count}` is no number, and not `inf`"),
        },
    };
    let mut sizes = Vec::new();
    for scope in &arguments.scopes {
        let size = scope.split_once('=').and_then(|(sort, size)| Some((sort, size.parse().ok()?)));
        match size {
            Some((sort, size)) if size > 0 => sizes.push((sort.to_owned(), size)),
            Some(_) | None => anyhow::bail!("`--scope {scope}` should be like `Key=2`"),
        }
    }
    let blocks = match arguments.reductions.as_str() {
        "all" => true,
        "none" => false,
        list => {
            let names: Vec<&str> = list.split(',').map(str::trim).collect();
            if let Some(unknown) = names.iter().find(|it| !REDUCTIONS.contains(it)) {
                let known = REDUCTIONS.join(", ");
                anyhow::bail!("there is no reduction `{unknown}`; there are {known}");
            }
            true
        }
    };
    anyhow::ensure!(arguments.threads != Some(0), "at least one thread is needed");
    Ok(ExploreRequest {
        layer: arguments.layer,
        threads: arguments.threads,
        calls,
        sizes,
        roots: arguments.roots.clone(),
        init: arguments.init.clone(),
        most_states: arguments.max_states,
        claims: arguments.claims,
        deadlocks: !arguments.no_deadlocks,
        blocks,
    })
}

fn exit_of(report: &ExplorationReport) -> Exit {
    match report.answer {
        ExploreAnswer::Violation(_) => Exit::Refuted,
        ExploreAnswer::Exhausted if report.exact => Exit::Proved,
        ExploreAnswer::Exhausted | ExploreAnswer::Truncated(_) => Exit::Undecided,
    }
}

fn as_json(opened: &Opened, all: &[Found]) -> Value {
    let analysis = opened.host.analysis();
    let mut finder = Finder::new(&analysis);
    let explorations: Vec<Value> = all.iter().map(|it| exploration(it, &mut finder)).collect();
    json!({ "version": 1, "files": opened.files, "explorations": explorations })
}

fn exploration(found: &Found, finder: &mut Finder<'_>) -> Value {
    let report = &found.report;
    let (answer, why, violation) = match &report.answer {
        ExploreAnswer::Exhausted => ("exhausted", None, Value::Null),
        ExploreAnswer::Truncated(why) => ("truncated", Some(why.clone()), Value::Null),
        ExploreAnswer::Violation(violation) => {
            let turns: Vec<Value> = violation
                .turns
                .iter()
                .map(|turn| {
                    let changes = turn.changes.iter().map(
                        |(name, old, new)| json!({ "name": name, "before": old, "after": new }),
                    );
                    json!({
                        "thread": turn.thread,
                        "at": turn.at.map(|at| finder.spot(at)),
                        "call": turn.call,
                        "returns": turn.returns,
                        "changes": changes.collect::<Vec<_>>(),
                    })
                })
                .collect();
            let start = violation.start.iter();
            let start: Vec<Value> =
                start.map(|(name, value)| json!({ "name": name, "value": value })).collect();
            let violation = json!({
                "kind": violation.kind,
                "code": violation.code,
                "message": violation.message,
                "at": violation.at.map(|at| finder.spot(at)),
                "confirmed": violation.confirmed.is_ok(),
                "unconfirmed": violation.confirmed.as_ref().err(),
                "trace": { "start": start, "steps": turns },
            });
            ("violation", None, violation)
        }
    };
    let excluded: Vec<Value> = report
        .excluded
        .iter()
        .map(|it| json!({ "name": it.name, "why": it.why, "at": it.at.map(|at| finder.spot(at)) }))
        .collect();
    let scope = &report.scope;
    json!({
        "layer": report.layer,
        "scope": { "threads": scope.threads, "calls": scope.calls, "sizes": scope.sizes },
        "mode": "failures",
        "reductions": report.reductions,
        "assumes_movers": report.assumes_movers,
        "answer": answer,
        "why": why,
        "exact": report.exact,
        "inexact": report.inexact,
        "excluded": excluded,
        "states": report.states,
        "transitions": report.transitions,
        "starts": report.starts,
        "bytes": report.bytes,
        "cpu_ms": found.cpu_ms,
        "violation": violation,
    })
}
