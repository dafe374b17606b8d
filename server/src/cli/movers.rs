//! `civl movers`: which actions move past which, proved; or, with `--static`, the label of each call.

use ide::{Believed, VerifyOptions};

use super::matrix::Matrix;
use super::{Exit, Sources, engine, verify};

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
    if arguments.only_static {
        return super::answer(&opened.host.analysis().mover_table(opened.program));
    }
    let options = match verify::default_options() {
        Ok(options) => options,
        Err(error) => return super::bad_input(&error),
    };
    // Everything but the checks of movers is left out.
    let believed =
        Believed { refinement: true, noninterference: true, invariants: true, movers: false };
    let report = verify::verify(&opened, &VerifyOptions { believed, ..options }, true);
    if report.cases.is_empty() && report.errors().next().is_some() {
        let exit = report.exit();
        super::print(&super::render::render(report, super::render::Format::Text));
        return exit;
    }
    super::answer(&Matrix::of(&report.cases).text())
}
