//! `civl movers`: which actions move past which, proved; or, with `--static`, the label of each call.
//!
//! The exit is that of the checks of movers: what fails or is undecided, also outside the table, and
//! what cannot be read is told below it and is no success.

use ide::{Believed, VerifyOptions};

use super::matrix::Matrix;
use super::report::Outcome;
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
    let exit = report.exit();
    if report.cases.is_empty() && report.errors().next().is_some() {
        super::print(&super::render::render(report, super::render::Format::Text));
        return exit;
    }
    super::print(&Matrix::of(&report.cases).text());
    for case in report.cases.iter().filter(|case| !Matrix::has_cell(case)) {
        if let Outcome::Failed(why) | Outcome::Unknown(why) = &case.outcome {
            super::print(&format!("{}: {why}\n", case.name));
        }
    }
    for found in report.errors().filter(|found| found.obligation.is_none()) {
        let at = &found.at;
        super::print(&format!("{}:{}:{}: {}\n", at.file, at.line, at.column, found.message));
    }
    exit
}
