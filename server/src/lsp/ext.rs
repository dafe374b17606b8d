//! Our own messages; each is described in `server/schema/messages.md`.

use serde::{Deserialize, Serialize};
use tower_lsp::lsp_types::notification::Notification;
use tower_lsp::lsp_types::{Location, Position, Range, Url};

use super::proto;
use crate::session::proofs::{Entry, ProgramProofs, Standing};
use crate::session::publish::FileSeen;

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
    /// `proved`, `failed`, `timeout`, `unknown`, `skipped`, `trusted`, `queued` or `running`.
    pub(crate) state: String,
    /// Found before the last edit.
    pub(crate) stale: bool,
    pub(crate) reason: Option<String>,
    pub(crate) cached: bool,
    /// Wall-clock time in a worker.
    pub(crate) ms: u64,
    /// CPU time of the solver.
    pub(crate) solver_ms: f64,
    /// The declaration it is about.
    pub(crate) range: Option<Range>,
    /// The name of that declaration.
    pub(crate) name_range: Option<Range>,
    /// Where it fails or is undecided.
    pub(crate) failures: Vec<Range>,
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
    /// Obligations of the run that have an answer, and all of them.
    pub(crate) done: usize,
    pub(crate) total: usize,
    pub(crate) failed: usize,
    /// Neither proved nor refuted.
    pub(crate) unknown: usize,
    /// Answers that came from the store.
    pub(crate) cached: usize,
    /// What workers are busy with.
    pub(crate) running: Vec<String>,
    pub(crate) queued: usize,
    /// How many workers there may be.
    pub(crate) workers: usize,
    /// Resident memory of the server, in megabytes.
    pub(crate) memory_mb: u64,
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
    /// One obligation, by a part of its id.
    pub(crate) obligation: Option<String>,
    /// Several, by their ids.
    pub(crate) obligations: Option<Vec<String>>,
    /// With `position`: everything in the document up to there.
    pub(crate) to_cursor: bool,
    /// Also look for assertions that no run can reach.
    pub(crate) vacuity: bool,
}

/// `civl/cancel`, client to server; without a document, everything.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CancelParams {
    pub(crate) uri: Option<Url>,
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

/// The answer to `civl/trace`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TraceAnswer {
    pub(crate) version: u32,
    /// As the terminal shows it.
    pub(crate) text: String,
    /// One per failing assertion; see [`crate::told`].
    pub(crate) traces: Vec<serde_json::Value>,
}

/// The answer to `civl/layerView`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LayerAnswer {
    pub(crate) version: u32,
    pub(crate) text: String,
    pub(crate) layer: u32,
    /// The layers that can be asked for.
    pub(crate) layers: Vec<u32>,
    pub(crate) source_map: Vec<SourcePiece>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct SourcePiece {
    /// First line in the text, from 0.
    pub(crate) line: u32,
    pub(crate) lines: u32,
    pub(crate) location: Location,
}

/// The answer to `civl/movers`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct MoversAnswer {
    pub(crate) version: u32,
    /// The mover label of each call.
    pub(crate) text: String,
    /// Which actions were compared with which, as far as they have been asked.
    pub(crate) pairs: Vec<MoverPair>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct MoverPair {
    pub(crate) layer: Option<u32>,
    pub(crate) first: String,
    pub(crate) second: Option<String>,
    pub(crate) checks: Vec<MoverCheck>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct MoverCheck {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) state: String,
    pub(crate) stale: bool,
    pub(crate) reason: Option<String>,
    pub(crate) cached: bool,
    pub(crate) ms: u64,
}

/// `civl/libraryText`, client to server: the text of a read-only library document.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct DocumentParams {
    pub(crate) uri: Url,
}

/// What the run of a program, or of none, is doing.
pub(crate) fn status(phase: &str, proofs: &ProgramProofs, workers: usize) -> StatusParams {
    let with = |word: &str| proofs.in_run().filter(|entry| entry.word() == word).count();
    let running = proofs.in_run().filter(|entry| entry.standing == Standing::Running);
    let running: Vec<String> = running.map(|entry| entry.state.id.clone()).collect();
    let (queued, total) = (with("queued"), proofs.in_run().count());
    StatusParams {
        version: VERSION,
        phase: phase.into(),
        done: total - queued - running.len(),
        total,
        failed: with("failed"),
        unknown: with("unknown") + with("timeout"),
        cached: proofs.in_run().filter(|entry| entry.state.cached).count(),
        running,
        queued,
        workers,
        memory_mb: memory_mb(),
        solver: ide::solver_version(),
    }
}

/// Resident memory of this process; 0 where the system does not tell.
fn memory_mb() -> u64 {
    const PAGE_BYTES: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_whitespace().nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * PAGE_BYTES / (1024 * 1024)
}

/// How the obligations about declarations of one file stand. Those that belong to no declaration
/// are told with the first file of the program.
pub(crate) fn obligations(
    seen: &FileSeen,
    first: bool,
    proofs: &ProgramProofs,
    encoding: ide::ColumnEncoding,
) -> ObligationsParams {
    let range = |at: ide::Location| proto::range(&seen.lines, at.start, at.end, encoding);
    let own = |entry: &&Entry| entry.owner.map_or(first, |owner| owner.whole.file == seen.file);
    let entry = |entry: &Entry| {
        let state = &entry.state;
        let own = |d: &&ide::Diagnostic| {
            d.obligation.as_ref() == Some(&state.id) && d.at.file == seen.file
        };
        ObligationEntry {
            id: state.id.clone(),
            kind: state.kind.clone(),
            layer: state.layer,
            owner: state.subjects.first().cloned().unwrap_or_default(),
            partner: state.subjects.get(1).cloned(),
            state: entry.word().into(),
            stale: entry.stale,
            reason: state.reason().map(str::to_owned),
            cached: state.cached,
            ms: state.millis,
            solver_ms: state.solver_micros as f64 / 1000.0,
            range: entry.owner.map(|owner| range(owner.whole)),
            name_range: entry.owner.map(|owner| range(owner.name)),
            failures: proofs.diagnostics.iter().filter(own).map(|d| range(d.at)).collect(),
        }
    };
    ObligationsParams {
        version: VERSION,
        uri: seen.uri.clone(),
        document_version: seen.version,
        finished: proofs.finished,
        stale: proofs.entries.iter().any(|entry| entry.stale),
        obligations: proofs.entries.iter().filter(own).map(entry).collect(),
    }
}
