//! A bare worker, for the tests of this crate; people get `civl worker`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    prover::worker::run(&arguments).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}
