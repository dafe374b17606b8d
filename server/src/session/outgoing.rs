//! Messages to the client, in order, through one task.
//!
//! # Invariants
//! - Lists of obligations are long and each replaces the one before. If a client does not read them,
//!   the older ones are dropped, never the newest.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::lsp_types::notification::Progress as ProgressNotification;
use tower_lsp::lsp_types::request::WorkDoneProgressCreate;
use tower_lsp::lsp_types::{
    Diagnostic, MessageType, NumberOrString, ProgressParams, ProgressParamsValue, Registration,
    Url, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams,
    WorkDoneProgressEnd, WorkDoneProgressReport,
};

use crate::lsp::ext::{Obligations, Status, StatusParams};
use crate::lsp::parked::{List, Parked};
use crate::lsp::proto;

/// So many bytes of lists may wait for one document.
const MOST_WAITING: usize = 8 << 20;

/// What the client understands besides the basics.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClientFeatures {
    pub(crate) progress: bool,
    pub(crate) refresh_diagnostics: bool,
    pub(crate) refresh_lenses: bool,
    pub(crate) refresh_hints: bool,
    pub(crate) configuration: bool,
    pub(crate) watch_files: bool,
    /// A diagnostic may have places beside its message.
    pub(crate) related: bool,
    /// Lists of obligations may come as differences.
    pub(crate) differences: bool,
}

pub(crate) enum Message {
    Diagnostics {
        uri: Url,
        version: Option<i32>,
        diagnostics: Vec<Diagnostic>,
    },
    /// The next list that waits for this document, if it was not dropped.
    Obligations(Url),
    Status(StatusParams),
    /// Files of these names are to be watched as well.
    Watch(Vec<String>),
    /// For the person.
    Warning(String),
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
pub(crate) struct Outgoing {
    queue: UnboundedSender<Message>,
    lists: Lists,
}

/// Lists of obligations that wait, by document.
#[derive(Clone, Default)]
pub(crate) struct Lists(Arc<Mutex<BTreeMap<Url, VecDeque<Numbered>>>>);

/// A list and its number among all lists.
type Numbered = (u64, String);

impl Lists {
    fn push(&self, uri: &Url, age: u64, list: String) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = all.entry(uri.clone()).or_default();
        waiting.push_back((age, list));
        while waiting.len() > 1 && waiting.iter().map(|it| it.1.len()).sum::<usize>() > MOST_WAITING
        {
            waiting.pop_front();
        }
    }

    pub(crate) fn next(&self, uri: &Url) -> Option<Numbered> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = all.get_mut(uri)?;
        let list = waiting.pop_front();
        if waiting.is_empty() {
            all.remove(uri);
        }
        list
    }
}

impl Outgoing {
    pub(crate) fn start(
        client: Client,
        runtime: &tokio::runtime::Handle,
        parked: Parked,
    ) -> Outgoing {
        let (queue, receiver) = unbounded_channel();
        let lists = Lists::default();
        runtime.spawn(deliver(client, receiver, lists.clone(), parked));
        Outgoing { queue, lists }
    }

    /// A queue that a test reads.
    #[cfg(test)]
    pub(crate) fn unconnected() -> (Outgoing, UnboundedReceiver<Message>, Lists) {
        let (queue, receiver) = unbounded_channel();
        let lists = Lists::default();
        (Outgoing { queue, lists: lists.clone() }, receiver, lists)
    }

    pub(crate) fn send(&self, message: Message) {
        let _client_gone = self.queue.send(message);
    }

    /// Sends how the obligations of a document stand, as text. `age`: the number of this list.
    pub(crate) fn send_obligations(&self, uri: &Url, age: u64, list: String) {
        self.lists.push(uri, age, list);
        self.send(Message::Obligations(uri.clone()));
    }
}

async fn deliver(
    client: Client,
    mut queue: UnboundedReceiver<Message>,
    lists: Lists,
    parked: Parked,
) {
    let mut features = ClientFeatures::default();
    while let Some(message) = queue.recv().await {
        match message {
            Message::Features(new) => features = new,
            Message::Diagnostics { uri, version, mut diagnostics } => {
                if !features.related {
                    proto::in_one_text(&mut diagnostics);
                }
                client.publish_diagnostics(uri, diagnostics, version).await;
            }
            Message::Obligations(uri) => {
                if let Some((age, text)) = lists.next(&uri) {
                    let list = List { uri, age, answer: false };
                    let ticket = parked.park(text, Some(list));
                    client.send_notification::<Obligations>(ticket).await;
                }
            }
            Message::Status(params) => client.send_notification::<Status>(params).await,
            Message::Watch(names) if features.watch_files => watch(&client, &names),
            Message::Warning(text) => client.show_message(MessageType::WARNING, text).await,
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
            | Message::Watch(_)
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

/// Has files watched that are not called as sources are. What was watched before stays so.
fn watch(client: &Client, names: &[String]) {
    // In a pattern these mean something; any letter does as well.
    let plain = |name: &String| name.replace(['*', '?', '[', ']', '{', '}', '!', '\\'], "?");
    let watchers: Vec<_> =
        names.iter().map(|name| json!({"globPattern": format!("**/{}", plain(name))})).collect();
    let new = Registration {
        id: format!("civl-watch {}", names.join(" ")),
        method: "workspace/didChangeWatchedFiles".into(),
        register_options: Some(json!({"watchers": watchers})),
    };
    let client = client.clone();
    tokio::spawn(async move { client.register_capability(vec![new]).await });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_does_not_read_costs_a_bounded_amount() {
        let lists = Lists::default();
        let uri = Url::parse("file:///a.bpl").unwrap();
        let list = |n: usize| format!("{n}{}", " ".repeat(MOST_WAITING / 3));
        (1..=9).for_each(|n| lists.push(&uri, 0, list(n)));
        assert_eq!([lists.next(&uri), lists.next(&uri)], [8, 9].map(|n| Some((0, list(n)))));
        assert_eq!(lists.next(&uri), None);
        let huge = " ".repeat(2 * MOST_WAITING);
        lists.push(&uri, 0, huge.clone());
        assert_eq!(lists.next(&uri), Some((0, huge)));
    }
}
