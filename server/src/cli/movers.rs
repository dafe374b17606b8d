//! `civl movers`: the mover label of each call at each layer.

use super::{Exit, Sources, engine};

#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    sources: Sources,
    /// Labels as declared, without asking the solver.
    #[arg(long = "static")]
    only_static: bool,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let opened = match engine::open_single(&arguments.sources) {
        Ok(opened) => opened,
        Err(error) => return super::bad_input(&error),
    };
    if !arguments.only_static {
        super::complain("showing declared labels; `civl verify --kind commutativity` proves them");
    }
    super::answer(&opened.host.analysis().mover_table(opened.program))
}
