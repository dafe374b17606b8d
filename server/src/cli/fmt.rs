//! `civl fmt`: format sources in place, or say which ones are not formatted.

use std::path::PathBuf;

use super::Exit;
use crate::files;

#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Files to format; `-` reads standard input and prints the result.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Change nothing; exit 1 and name the files that are not formatted.
    #[arg(long)]
    check: bool,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let mut exit = Exit::Proved;
    for file in &arguments.files {
        match format_file(file, arguments.check) {
            Ok(one) => exit = exit.and(one),
            Err(error) => exit = exit.and(super::bad_input(&error)),
        }
    }
    exit
}

fn format_file(file: &std::path::Path, check: bool) -> anyhow::Result<Exit> {
    let source = files::read_source(file)?;
    if source.replaced_at.is_some() {
        anyhow::bail!("{} is not valid UTF-8 and is left alone", source.path);
    }
    let formatted = ide::format(&source.text);
    if file.as_os_str() == "-" {
        super::print(&formatted);
        return Ok(Exit::Proved);
    }
    if formatted == source.text {
        return Ok(Exit::Proved);
    }
    if check {
        super::print(&format!("{}\n", source.path));
        return Ok(Exit::Refuted);
    }
    let written = files::write_source(file, &formatted);
    Ok(written.map_or_else(|error| super::unwritten(&error), |()| Exit::Proved))
}
