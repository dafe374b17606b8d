//! The command line: arguments to a subcommand, a subcommand to an exit code.
//!
//! **In:** the process arguments. **Out:** text on the standard streams and an [`Exit`].
//!
//! # Invariants
//! - Exit codes mean the same in every subcommand: see [`Exit`].
//! - Results go to standard output, everything said to a person on the side goes to standard error.

pub mod bench;
pub mod cache;
pub mod check;
pub mod completions;
pub mod doctor;
pub mod dump;
mod engine;
pub mod explain;
pub mod explore;
pub mod fmt;
pub mod layers;
pub mod lsp;
pub mod man;
pub mod manual;
mod matrix;
pub mod movers;
pub(crate) mod page;
mod progress;
pub mod render;
pub mod report;
pub mod trace;
pub mod verify;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{CommandFactory, Parser, Subcommand};

/// What `civl` tells its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything asked was proved, or the command did its work.
    Proved = 0,
    /// The program breaks a rule or a proof failed.
    Refuted = 1,
    /// No error was found, but not everything could be decided.
    Undecided = 2,
    /// Arguments, files or the text itself cannot be understood as a program.
    BadInput = 3,
    /// A fault of ours, or an answer that could not be written.
    Internal = 4,
}

impl Exit {
    /// The exit of a run with several parts: what is wrong goes before what is not known.
    pub(crate) fn and(self, other: Exit) -> Exit {
        let rank = |exit: Exit| match exit {
            Exit::Proved => 0,
            Exit::Undecided => 1,
            Exit::Refuted => 2,
            Exit::BadInput => 3,
            Exit::Internal => 4,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Verifier and language server for CIVL programs.
#[derive(Parser, Debug)]
#[command(name = "civl", disable_version_flag = true, arg_required_else_help = true)]
struct Arguments {
    /// Print the version of civl and of the solver it is pinned to.
    #[arg(short = 'V', long, global = true)]
    version: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run the static phases: syntax, names, types, layers, linearity, yields.
    Check(check::Arguments),
    /// Prove a program.
    Verify(verify::Arguments),
    /// Format sources in place.
    Fmt(fmt::Arguments),
    /// Show a stage of the pipeline.
    Dump(dump::Arguments),
    /// Table of variables, actions, procedures and invariants by layer.
    Layers(layers::Arguments),
    /// Which actions move past which; with --static the label of each call.
    Movers(movers::Arguments),
    /// Run all interleavings of a small instance of a layer.
    Explore(explore::Arguments),
    /// How the failure of one obligation comes about.
    Trace(trace::Arguments),
    /// Print the manual page of a diagnostic code.
    Explain(explain::Arguments),
    /// Look at, empty or re-check the store of verdicts.
    Cache(cache::Arguments),
    /// Verify every program below a folder and print what it cost.
    Bench(bench::Arguments),
    /// Speak the language server protocol.
    Lsp(lsp::Arguments),
    /// Look whether solver, workers, cache, civl.toml and editors are in order.
    Doctor(doctor::Arguments),
    /// Write the manual as pages for a browser.
    Manual(manual::Arguments),
    /// Print completions for a shell.
    Completions(completions::Arguments),
    /// Write the manual pages of the command line.
    Man(man::Arguments),
}

/// The files that form one program; empty means the programs of `civl.toml`.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct Sources {
    /// Source files; together they form one program.
    pub files: Vec<PathBuf>,
    /// Add a library by name: base, node or set_size.
    #[arg(long = "lib", value_name = "NAME")]
    pub libs: Vec<String>,
}

/// Runs one command line to its end. Nothing counts as done whose answer could not be written.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let exit = execute(arguments);
    match UNWRITTEN.get() {
        Some(why) => unwritten(&anyhow::anyhow!("cannot write to standard output: {why}")),
        None => exit,
    }
}

fn execute(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let parsed = match Arguments::try_parse_from(arguments) {
        Ok(parsed) => parsed,
        Err(error) => {
            let for_people = error.use_stderr();
            if !for_people {
                return answer(&error.render().to_string());
            }
            let _gone = error.print();
            return Exit::BadInput;
        }
    };
    if parsed.version {
        return answer(&version());
    }
    match parsed.command {
        Some(command) => dispatch(command),
        None => {
            complain(
                "say what to do, for example `civl verify FILE`; `civl --help` lists the commands",
            );
            Exit::BadInput
        }
    }
}

fn dispatch(command: Command) -> Exit {
    match command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Fmt(arguments) => fmt::run(&arguments),
        Command::Dump(arguments) => dump::run(&arguments),
        Command::Layers(arguments) => layers::run(&arguments),
        Command::Movers(arguments) => movers::run(&arguments),
        Command::Explore(arguments) => explore::run(&arguments),
        Command::Trace(arguments) => trace::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Cache(arguments) => cache::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Manual(arguments) => manual::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    }
}

/// All subcommands and options, for those who describe them.
fn described() -> clap::Command {
    Arguments::command().version(env!("CARGO_PKG_VERSION"))
}

/// `civl` and its solver, one per line.
pub fn version() -> String {
    format!("civl {}\nz3 {}\n", env!("CARGO_PKG_VERSION"), ide::solver_version())
}

/// Prints a finished answer.
pub(crate) fn answer(text: &str) -> Exit {
    print(text);
    Exit::Proved
}

/// Why standard output did not take what was printed.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// Prints to standard output. If that cannot be done, [`run`] says so at the end: a full disk or a
/// reader that went away must not look like an answer.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        let _the_first_counts = UNWRITTEN.set(error.to_string());
    }
}

/// Says that an answer could not be written.
pub(crate) fn unwritten(error: &anyhow::Error) -> Exit {
    complain(&format!("{error:#}"));
    Exit::Internal
}

/// Says something on standard error.
pub(crate) fn complain(text: &str) {
    let mut err = std::io::stderr().lock();
    let _gone = writeln!(err, "civl: {text}");
}

/// Says why the input cannot be used.
pub(crate) fn bad_input(error: &anyhow::Error) -> Exit {
    complain(&format!("{error:#}"));
    Exit::BadInput
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_wrong_argument_is_bad_input() {
        assert_eq!(run(["civl".into(), "--wat".into()]), Exit::BadInput);
    }
}
