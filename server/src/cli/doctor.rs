//! `civl doctor`: is everything here that a proof needs?
//!
//! **In:** the machine as it is. **Out:** one line per thing looked at, and an exit code.
//!
//! # Invariants
//! - Nothing is repaired or left behind.
//! - A broken solver or worker is a fault of ours (exit 4), a broken `civl.toml` is bad input (3);
//!   everything else only warns, because proofs do not need it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use ide::{AnalysisHost, Believed, Filter, NoStore, VerifyOptions};
use serde::Serialize;

use super::Exit;
use crate::{cache, files, manifest};

/// What one proof of the examination may take.
const TIME_LIMIT_MS: u64 = 20_000;
const WORKER_MEGABYTES: u32 = 512;

/// A claim that holds, and one that does not: a solver that always says yes is found out.
const TRUE_CLAIM: &str = "procedure P(x: int) requires x > 1; { assert x * x > x; }";
const FALSE_CLAIM: &str = "procedure P(x: int) requires x > 1; { assert x * x > 4; }";

/// Programs of editors, and what they are called.
const EDITORS: &[(&str, &str)] = &[
    ("code", "Visual Studio Code"),
    ("codium", "VSCodium"),
    ("nvim", "Neovim"),
    ("emacs", "Emacs"),
    ("hx", "Helix"),
];

#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// How to print what was found.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Folder of the store of verdicts; the default lies in the user's cache directory.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    /// Not there, and not needed.
    Absent,
    Warning,
    Failed,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    state: State,
    found: String,
    #[serde(skip)]
    exit: Exit,
}

impl Check {
    fn new(name: &'static str, state: State, found: impl Into<String>) -> Check {
        Check { name, state, found: found.into(), exit: Exit::Proved }
    }

    fn failed(name: &'static str, exit: Exit, why: impl Into<String>) -> Check {
        Check { exit, ..Check::new(name, State::Failed, why) }
    }
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let mut checks = vec![solver(), workers(), limits(), store(arguments.cache.as_deref())];
    checks.push(std::env::current_dir().map_or_else(
        |why| Check::new("civl.toml", State::Warning, why.to_string()),
        |folder| programs(&folder),
    ));
    checks.push(on_path());
    checks.extend(EDITORS.iter().map(|(program, _)| editor(program)));
    let exit = checks.iter().fold(Exit::Proved, |exit, check| exit.and(check.exit));
    super::print(&match arguments.format {
        Format::Text => text(&checks),
        Format::Json => json(&checks, exit),
    });
    exit
}

fn solver() -> Check {
    let version = ide::solver_version();
    if version.starts_with("unusable") {
        return Check::failed("solver", Exit::Internal, version);
    }
    Check::new("solver", State::Ok, format!("z3 {version}"))
}

/// Starts a worker as a proof does, and asks it for a proof and for a refutation.
fn workers() -> Check {
    for (claim, verified) in [(TRUE_CLAIM, true), (FALSE_CLAIM, false)] {
        match ask(claim) {
            Ok(found) if found == verified => {}
            Ok(_) => {
                let why = format!("the verdict about `{claim}` is wrong");
                return Check::failed("workers", Exit::Internal, why);
            }
            Err(why) => return Check::failed("workers", Exit::Internal, why),
        }
    }
    Check::new("workers", State::Ok, "start, prove and refute")
}

/// What one proof may take when nobody says otherwise.
fn limits() -> Check {
    match super::verify::default_options() {
        Ok(options) => Check::new(
            "limits",
            State::Ok,
            format!(
                "{} workers at most, {} MB each, {} s for one obligation",
                options.jobs,
                options.memory_mb,
                options.time_limit_ms / 1000
            ),
        ),
        Err(why) => Check::failed("limits", Exit::Internal, format!("{why:#}")),
    }
}

fn ask(claim: &str) -> Result<bool, String> {
    let options = VerifyOptions {
        jobs: 1,
        time_limit_ms: TIME_LIMIT_MS,
        step_limit: None,
        seed: 0,
        memory_mb: WORKER_MEGABYTES,
        filter: Filter::default(),
        believed: Believed::default(),
        worker: std::env::current_exe().map_err(|why| why.to_string())?,
        store: Arc::new(NoStore),
    };
    let mut host = AnalysisHost::new();
    let file = host.set_file("doctor.bpl", claim);
    let program = host.add_program(&[file], &[])?;
    let report = host.analysis().verify(program, &options, &mut |_, _, _| {});
    let unknown = report.obligations.iter().find_map(|state| match &state.outcome {
        ide::Outcome::Unknown(why) => Some(why.to_string()),
        ide::Outcome::Proved | ide::Outcome::Failed | ide::Outcome::Skipped(_) => None,
    });
    unknown.map_or(Ok(report.complete && report.diagnostics.is_empty()), Err)
}

fn store(asked: Option<&Path>) -> Check {
    let name = "cache";
    let folder = match cache::folder(asked) {
        Ok(folder) => folder,
        Err(why) => return Check::new(name, State::Warning, format!("{why:#}")),
    };
    let shown = folder.display();
    if !folder.exists() {
        return Check::new(name, State::Absent, format!("{shown} will be made by the first proof"));
    }
    match cache::permissions(&folder) {
        Err(why) => Check::new(name, State::Warning, format!("{shown}: {why:#}; nothing is kept")),
        Ok(Some(why)) => Check::new(name, State::Warning, format!("{shown}: {why}")),
        Ok(None) => Check::new(name, State::Ok, format!("{shown} can be written")),
    }
}

fn programs(folder: &Path) -> Check {
    let name = "civl.toml";
    let Some(path) = manifest::nearest(folder) else {
        return Check::new(name, State::Absent, "none here or above");
    };
    let read = files::read_manifest(&path).and_then(|manifest| {
        let files = manifest.programs.iter().flat_map(|program| &program.files);
        files.map(|file| files::read_file(file)).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(manifest.programs.len())
    });
    match read {
        Ok(count) => Check::new(name, State::Ok, format!("{}: {count} programs", path.display())),
        Err(why) => Check::failed(name, Exit::BadInput, format!("{why:#}")),
    }
}

/// Editors start `civl` by its name.
fn on_path() -> Check {
    let name = "path";
    match found_on_path("civl") {
        None => {
            Check::new(name, State::Warning, "civl is not on the PATH; editors start it by name")
        }
        Some(found) => {
            let same = |own: PathBuf| found.canonicalize().ok() == own.canonicalize().ok();
            if std::env::current_exe().is_ok_and(same) {
                return Check::new(name, State::Ok, found.display().to_string());
            }
            let why = format!("{} is another civl than this one", found.display());
            Check::new(name, State::Warning, why)
        }
    }
}

fn editor(program: &'static str) -> Check {
    match found_on_path(program) {
        Some(path) => Check::new(program, State::Ok, path.display().to_string()),
        None => Check::new(program, State::Absent, "not found"),
    }
}

fn found_on_path(program: &str) -> Option<PathBuf> {
    let all = std::env::var_os("PATH")?;
    std::env::split_paths(&all).map(|folder| folder.join(program)).find(|path| path.is_file())
}

fn text(checks: &[Check]) -> String {
    let line = |check: &Check| {
        let state = match check.state {
            State::Ok => "ok",
            State::Absent => "-",
            State::Warning => "warning",
            State::Failed => "FAILED",
        };
        let title = EDITORS.iter().find(|(program, _)| *program == check.name);
        let name = title.map_or(check.name, |(_, title)| title);
        format!("{state:<8} {name:<18} {}\n", check.found)
    };
    checks.iter().map(line).collect()
}

fn json(checks: &[Check], exit: Exit) -> String {
    let healthy = exit == Exit::Proved;
    let answer = serde_json::json!({"version": 1, "healthy": healthy, "checks": checks});
    format!("{answer:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_that_cannot_be_read_is_bad_input() {
        let folder = std::env::temp_dir().join(format!("civl-doctor-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(manifest::NAME), "programs = [{ files = [\"none.bpl\"] }]")
            .unwrap();
        assert_eq!(programs(&folder).exit, Exit::BadInput);
        std::fs::write(folder.join("none.bpl"), "").unwrap();
        assert_eq!(programs(&folder).state, State::Ok);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
