//! The language server protocol: transport, order of messages, capabilities, conversions.
//!
//! **In:** an editor's messages on standard input or a socket. **Out:** answers and notifications.
//!
//! All state lives in the [`session`](crate::session); this module only translates. It is the one
//! place that would change with another protocol library.

pub(crate) mod backend;
pub(crate) mod capabilities;
pub(crate) mod ext;
pub(crate) mod ordering;
pub(crate) mod parked;
pub(crate) mod proto;
mod wire;

use tokio::io::{AsyncRead, AsyncWrite};
use tower_lsp::{LspService, Server};

use backend::Backend;
use ordering::Front;
use parked::Parked;

/// So many requests can be under way that a cancellation never waits for a slot.
const CONCURRENCY: usize = 256;

/// Between the pumps and the protocol library.
const BUFFER_BYTES: usize = 1 << 18;

/// Serves one client on standard input and output, or on a port of this machine.
pub fn serve(port: Option<u16>) -> anyhow::Result<()> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        match port {
            None => serve_streams(tokio::io::stdin(), tokio::io::stdout()).await,
            Some(port) => {
                let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
                crate::cli::complain(&format!("listening on {}", listener.local_addr()?));
                let (stream, _) = listener.accept().await?;
                let (read, write) = stream.into_split();
                serve_streams(read, write).await;
            }
        }
        anyhow::Ok(())
    })?;
    // A blocked read of standard input must not keep the process.
    runtime.shutdown_background();
    Ok(())
}

async fn serve_streams(
    read: impl AsyncRead + Unpin + Send + 'static,
    write: impl AsyncWrite + Send + 'static,
) {
    let parked = Parked::default();
    let (service, socket) = LspService::build(|client| Backend::new(client, parked.clone()))
        .custom_method(ordering::LOST, Backend::lost)
        .custom_method("civl/verify", Backend::verify)
        .custom_method("civl/cancel", Backend::cancel)
        .custom_method("civl/trace", Backend::trace)
        .custom_method("civl/layerView", Backend::layer_view)
        .custom_method("civl/movers", Backend::movers)
        .custom_method("civl/page", Backend::page)
        .custom_method("civl/libraryText", Backend::library_text)
        .custom_method("civl/assumptions", Backend::assumptions)
        .custom_method("civl/obligations", Backend::obligations)
        .custom_method("civl/status", Backend::status)
        .custom_method("window/workDoneProgress/cancel", Backend::progress_cancel)
        .finish();
    let (to_library, from_client) = tokio::io::duplex(BUFFER_BYTES);
    let (to_client, from_library) = tokio::io::duplex(BUFFER_BYTES);
    let (complain, complaints) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(wire::pump_in(read, to_library, complain));
    let output = tokio::spawn(wire::pump_out(from_library, write, complaints, parked));
    let server = Server::new(from_client, to_client, socket).concurrency_level(CONCURRENCY);
    server.serve(Front::new(service)).await;
    let _panicked = output.await;
}
