//! `civl layers`: what exists at which layer.

use super::report::CheckedLine;
use super::{Exit, Sources, engine};

#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    sources: Sources,
    /// At which layers each assertion and clause is checked.
    #[arg(long)]
    assertions: bool,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    match engine::open_single(&arguments.sources) {
        Ok(opened) if arguments.assertions => super::answer(&assertions(&opened)),
        Ok(opened) => super::answer(&opened.host.analysis().layer_table(opened.program)),
        Err(error) => super::bad_input(&error),
    }
}

fn assertions(opened: &engine::Opened) -> String {
    let lines = engine::checked_lines(opened);
    let place = |it: &CheckedLine| format!("{}:{}", it.file, it.line);
    let wide = lines.iter().map(|it| place(it).chars().count()).max().unwrap_or(0);
    let who = lines.iter().map(|it| it.by.chars().count()).max().unwrap_or(0);
    let text = |it: &CheckedLine| format!("{:wide$}  {:who$}  {}\n", place(it), it.by, it.text);
    lines.iter().map(text).collect()
}
