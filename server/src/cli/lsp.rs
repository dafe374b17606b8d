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
    super::complain("the language server is not built yet");
    Exit::Internal
}
