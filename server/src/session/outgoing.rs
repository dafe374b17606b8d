//! Messages to the client, in order, through one task.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::lsp_types::notification::Progress as ProgressNotification;
use tower_lsp::lsp_types::request::WorkDoneProgressCreate;
use tower_lsp::lsp_types::{
    Diagnostic, NumberOrString, ProgressParams, ProgressParamsValue, Url, WorkDoneProgress,
    WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};

use crate::lsp::ext::{Obligations, ObligationsParams, Status, StatusParams};

/// What the client understands besides the basics.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClientFeatures {
    pub(crate) progress: bool,
    pub(crate) refresh_diagnostics: bool,
    pub(crate) refresh_lenses: bool,
    pub(crate) refresh_hints: bool,
    pub(crate) configuration: bool,
    pub(crate) watch_files: bool,
}

pub(crate) enum Message {
    Diagnostics {
        uri: Url,
        version: Option<i32>,
        diagnostics: Vec<Diagnostic>,
    },
    Obligations(ObligationsParams),
    Status(StatusParams),
    ProgressBegin {
        token: String,
        title: String,
    },
    ProgressReport {
        token: String,
        message: String,
        percentage: u32,
    },
    ProgressEnd {
        token: String,
        message: String,
    },
    /// How verdicts stand changed: what shows it should be asked for again.
    Refresh,
    Features(ClientFeatures),
}

/// The end of the queue that the session holds.
#[derive(Clone)]
pub(crate) struct Outgoing(UnboundedSender<Message>);

impl Outgoing {
    pub(crate) fn start(client: Client, runtime: &tokio::runtime::Handle) -> Outgoing {
        let (sender, receiver) = unbounded_channel();
        runtime.spawn(deliver(client, receiver));
        Outgoing(sender)
    }

    /// A queue that a test reads.
    #[cfg(test)]
    pub(crate) fn unconnected() -> (Outgoing, UnboundedReceiver<Message>) {
        let (sender, receiver) = unbounded_channel();
        (Outgoing(sender), receiver)
    }

    pub(crate) fn send(&self, message: Message) {
        let _client_gone = self.0.send(message);
    }
}

async fn deliver(client: Client, mut queue: UnboundedReceiver<Message>) {
    let mut features = ClientFeatures::default();
    while let Some(message) = queue.recv().await {
        match message {
            Message::Features(new) => features = new,
            Message::Diagnostics { uri, version, diagnostics } => {
                client.publish_diagnostics(uri, diagnostics, version).await;
            }
            Message::Obligations(params) => client.send_notification::<Obligations>(params).await,
            Message::Status(params) => client.send_notification::<Status>(params).await,
            Message::Refresh => refresh(&client, features),
            Message::ProgressBegin { token, title } if features.progress => {
                let create =
                    WorkDoneProgressCreateParams { token: NumberOrString::String(token.clone()) };
                // Not awaited: a client that never answers must not stop everything else.
                let request = client.clone();
                tokio::spawn(async move {
                    request.send_request::<WorkDoneProgressCreate>(create).await
                });
                let begin = WorkDoneProgressBegin {
                    title,
                    cancellable: Some(true),
                    message: None,
                    percentage: Some(0),
                };
                progress(&client, token, WorkDoneProgress::Begin(begin)).await;
            }
            Message::ProgressReport { token, message, percentage } if features.progress => {
                let report = WorkDoneProgressReport {
                    cancellable: Some(true),
                    message: Some(message),
                    percentage: Some(percentage),
                };
                progress(&client, token, WorkDoneProgress::Report(report)).await;
            }
            Message::ProgressEnd { token, message } if features.progress => {
                let end = WorkDoneProgressEnd { message: Some(message) };
                progress(&client, token, WorkDoneProgress::End(end)).await;
            }
            Message::ProgressBegin { .. }
            | Message::ProgressReport { .. }
            | Message::ProgressEnd { .. } => {}
        }
    }
}

async fn progress(client: &Client, token: String, value: WorkDoneProgress) {
    let params = ProgressParams {
        token: NumberOrString::String(token),
        value: ProgressParamsValue::WorkDone(value),
    };
    client.send_notification::<ProgressNotification>(params).await;
}

/// Each request on its own: a client that leaves one unanswered must hear the others.
fn refresh(client: &Client, features: ClientFeatures) {
    if features.refresh_diagnostics {
        let client = client.clone();
        tokio::spawn(async move { client.workspace_diagnostic_refresh().await });
    }
    if features.refresh_lenses {
        let client = client.clone();
        tokio::spawn(async move { client.code_lens_refresh().await });
    }
    if features.refresh_hints {
        let client = client.clone();
        tokio::spawn(async move { client.inlay_hint_refresh().await });
    }
}
