//! `civl man`: the manual pages of the command line, for `man`.
//!
//! **In:** the description of the arguments. **Out:** `civl.1` on standard output, or a file for it
//! and for each subcommand in a folder.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::Exit;

#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Write `civl.1` and one page per subcommand into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let command = super::described();
    let Some(folder) = &arguments.out else {
        return match page(&command) {
            Ok(text) => super::answer(&text),
            Err(error) => super::unwritten(&error),
        };
    };
    match write_all(&command, folder) {
        Ok(count) => super::answer(&format!("{count} pages in {}\n", folder.display())),
        Err(error) => super::unwritten(&error),
    }
}

fn write_all(command: &clap::Command, folder: &Path) -> anyhow::Result<usize> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut pages = vec![("civl".to_owned(), page(command)?)];
    for sub in command.get_subcommands() {
        let name = format!("civl-{}", sub.get_name());
        let named = sub.clone().display_name(&name).bin_name(format!("civl {}", sub.get_name()));
        pages.push((name, page(&named)?));
    }
    for (name, text) in &pages {
        let path = folder.join(format!("{name}.1"));
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(pages.len())
}

fn page(command: &clap::Command) -> anyhow::Result<String> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
