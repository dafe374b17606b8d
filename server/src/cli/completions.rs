//! `civl completions SHELL`: what a shell needs to complete subcommands and options.

use clap_complete::Shell;

use super::Exit;

#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The shell to complete in.
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::described(), "civl", &mut text);
    super::answer(&String::from_utf8_lossy(&text))
}
