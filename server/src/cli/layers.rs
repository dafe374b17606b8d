//! `civl layers`: what exists at which layer.

use super::{Exit, Sources, engine};

#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    sources: Sources,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    match engine::open_single(&arguments.sources) {
        Ok(opened) => super::answer(&opened.host.analysis().layer_table(opened.program)),
        Err(error) => super::bad_input(&error),
    }
}
