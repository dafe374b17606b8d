//! `civl` under another name, built together with the tests that run it.

use std::process::ExitCode;

fn main() -> ExitCode {
    server::main()
}
