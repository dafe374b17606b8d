//! Our own messages; each is described in `server/schema/messages.md`.

use serde::{Deserialize, Serialize};
use tower_lsp::lsp_types::notification::Notification;
use tower_lsp::lsp_types::{Position, Url};

use crate::session::publish::ProgramProofs;

/// Version of these messages.
pub(crate) const VERSION: u32 = 1;

/// `civl/obligations`, server to client: every obligation of a program and how it stands.
pub(crate) enum Obligations {}

impl Notification for Obligations {
    type Params = ObligationsParams;
    const METHOD: &'static str = "civl/obligations";
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObligationsParams {
    pub(crate) version: u32,
    pub(crate) uri: Url,
    pub(crate) document_version: Option<i32>,
    pub(crate) finished: bool,
    pub(crate) stale: bool,
    pub(crate) obligations: Vec<ObligationEntry>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObligationEntry {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) layer: Option<u32>,
    pub(crate) owner: String,
    pub(crate) partner: Option<String>,
    pub(crate) state: String,
    pub(crate) reason: Option<String>,
    pub(crate) cached: bool,
    pub(crate) ms: u64,
}

/// `civl/status`, server to client: what the verifier is doing.
pub(crate) enum Status {}

impl Notification for Status {
    type Params = StatusParams;
    const METHOD: &'static str = "civl/status";
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusParams {
    pub(crate) version: u32,
    /// `idle`, `verifying` or `cancelled`.
    pub(crate) phase: String,
    pub(crate) done: usize,
    pub(crate) total: usize,
    pub(crate) solver: String,
}

/// `civl/verify`, client to server.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct VerifyParams {
    pub(crate) uri: Option<Url>,
    pub(crate) position: Option<Position>,
    pub(crate) symbol: Option<String>,
    pub(crate) layer: Option<u32>,
    pub(crate) kind: Option<String>,
    pub(crate) obligation: Option<String>,
}

/// `civl/trace`, client to server: how a failure comes about.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct TraceParams {
    pub(crate) uri: Url,
    pub(crate) obligation: String,
}

/// `civl/layerView` and `civl/movers`, client to server.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct LayerParams {
    pub(crate) uri: Url,
    #[serde(default)]
    pub(crate) layer: Option<u32>,
}

/// An answer that is text.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TextAnswer {
    pub(crate) version: u32,
    pub(crate) text: String,
}

impl TextAnswer {
    pub(crate) fn new(text: String) -> TextAnswer {
        TextAnswer { version: VERSION, text }
    }
}

/// `civl/libraryText`, client to server: the text of a read-only library document.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct DocumentParams {
    pub(crate) uri: Url,
}

pub(crate) fn status(phase: &str, done: usize, total: usize) -> StatusParams {
    StatusParams {
        version: VERSION,
        phase: phase.into(),
        done,
        total,
        solver: ide::solver_version(),
    }
}

pub(crate) fn obligations(
    uri: &Url,
    document_version: Option<i32>,
    proofs: &ProgramProofs,
) -> ObligationsParams {
    let entry = |state: &ide::ObligationState| {
        let (word, reason) = match &state.outcome {
            ide::Outcome::Proved => ("proved", None),
            ide::Outcome::Failed(why) => ("failed", Some(why.clone())),
            ide::Outcome::Unknown(why) => ("unknown", Some(why.clone())),
            ide::Outcome::Skipped(why) => ("skipped", Some(why.clone())),
        };
        ObligationEntry {
            id: state.id.clone(),
            kind: state.kind.clone(),
            layer: state.layer,
            owner: state.subjects.first().cloned().unwrap_or_default(),
            partner: state.subjects.get(1).cloned(),
            state: word.into(),
            reason,
            cached: state.cached,
            ms: state.millis,
        }
    };
    ObligationsParams {
        version: VERSION,
        uri: uri.clone(),
        document_version,
        finished: proofs.finished,
        stale: proofs.stale,
        obligations: proofs.states.iter().map(entry).collect(),
    }
}
