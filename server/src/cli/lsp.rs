//! `civl lsp`: the language server.

use super::Exit;

#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Listen on a TCP port of this machine instead of standard input and output.
    #[arg(long, value_name = "PORT")]
    socket: Option<u16>,
    /// Standard input and output; the default, accepted because editors pass it.
    #[arg(long, conflicts_with = "socket")]
    stdio: bool,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    debug_assert!(!(arguments.stdio && arguments.socket.is_some()));
    match crate::lsp::serve(arguments.socket) {
        Ok(()) => Exit::Proved,
        Err(error) => super::bad_input(&error),
    }
}
