//! `civl trace OBLIGATION`: how one failure comes about.

use ide::{Filter, VerifyOptions};

use super::render::{self, Format};
use super::{Exit, Sources, engine, verify};

#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The obligation, or a part of its id (`*` stands for anything).
    obligation: String,
    #[command(flatten)]
    sources: Sources,
    /// Show every line, however long the trace gets.
    #[arg(long)]
    full: bool,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let opened = match engine::open_single(&arguments.sources) {
        Ok(opened) => opened,
        Err(error) => return super::bad_input(&error),
    };
    let options = match verify::default_options() {
        Ok(options) => options,
        Err(error) => return super::bad_input(&error),
    };
    let filter = Filter { only: Some(arguments.obligation.clone()), ..Filter::default() };
    let options = VerifyOptions { filter, ..options };
    let report = if arguments.full {
        verify::verify_in_full(&opened, &options)
    } else {
        verify::verify(&opened, &options, true)
    };
    if report.cases.is_empty() && report.errors().next().is_none() {
        super::complain(&format!("no obligation matches `{}`", arguments.obligation));
        return Exit::BadInput;
    }
    let exit = report.exit();
    let names: String = report.cases.iter().map(|case| format!("{}\n", case.name)).collect();
    super::print(&(render::render(report, Format::Text) + &names));
    exit
}
