//! The `civl` program: everything it does is a subcommand of [`civl_server::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    civl_server::main()
}
