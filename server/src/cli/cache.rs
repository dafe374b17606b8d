//! `civl cache stat|clear|verify`: the store of verdicts.

use std::path::PathBuf;

use clap::ValueEnum;

use super::Exit;
use crate::cache;

#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// What to do.
    #[arg(value_enum)]
    action: Action,
    /// Folder of the store; the default lies in the user's cache directory.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Action {
    /// Print where the store is, how many verdicts it holds and its size.
    Stat,
    /// Delete every verdict.
    Clear,
    /// Read every entry and drop the damaged ones.
    Verify,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let outcome =
        cache::folder(arguments.cache.as_deref()).and_then(|folder| match arguments.action {
            Action::Stat => cache::stat(&folder),
            Action::Clear => cache::clear(&folder),
            Action::Verify => cache::verify(&folder),
        });
    match outcome {
        Ok(text) => super::answer(&text),
        Err(error) => super::bad_input(&error),
    }
}
