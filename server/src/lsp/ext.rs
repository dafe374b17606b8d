//! Our own messages; each is described in `server/schema/messages.md`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tower_lsp::lsp_types::notification::Notification;
use tower_lsp::lsp_types::{Location, Position, Range, Url};

use super::parked::Ticket;
use super::proto;
use crate::session::proofs::{Entry, ProgramProofs, Revision, Standing};
use crate::session::publish::FileSeen;

/// Version of these messages.
pub(crate) const VERSION: u32 = 1;

/// `civl/obligations`, server to client: every obligation of a program and how it stands.
pub(crate) enum Obligations {}

impl Notification for Obligations {
    /// Stands for the list that [`obligations`] writes.
    type Params = Ticket;
    const METHOD: &'static str = "civl/obligations";
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ObligationsParams<'a> {
    version: u32,
    uri: &'a Url,
    document_version: Option<i32>,
    finished: bool,
    stale: bool,
    result_id: String,
    #[serde(flatten)]
    list: List<'a>,
}

/// All entries, or what is different from an earlier list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase", untagged)]
enum List<'a> {
    Whole {
        obligations: Vec<ObligationEntry<'a>>,
    },
    #[serde(rename_all = "camelCase")]
    Difference {
        previous_result_id: String,
        /// To be taken out first.
        removed: BTreeSet<&'a str>,
        changed: Vec<ObligationEntry<'a>>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ObligationEntry<'a> {
    id: &'a str,
    kind: &'a str,
    layer: Option<u32>,
    owner: &'a str,
    partner: Option<&'a str>,
    /// `proved`, `failed`, `timeout`, `unknown`, `skipped`, `trusted`, `queued` or `running`.
    state: &'static str,
    /// Found before the last edit.
    stale: bool,
    reason: Option<String>,
    cached: bool,
    /// Wall-clock time in a worker.
    ms: u64,
    /// CPU time of the solver.
    solver_ms: f64,
    /// What the solver counted, in units of its resource limit.
    steps: u64,
    /// The declaration it is about.
    range: Option<Range>,
    /// The name of that declaration.
    name_range: Option<Range>,
    /// Where it fails or is undecided.
    failures: Vec<Range>,
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
    /// Obligations of the run that have an answer about the present text, and all of them.
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

/// `civl/page`, client to server: the failing run of an obligation; without one, the matrix of movers.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct PageParams {
    pub(crate) uri: Url,
    #[serde(default)]
    pub(crate) obligation: Option<String>,
}

/// The answer to `civl/page`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PageAnswer {
    pub(crate) version: u32,
    pub(crate) style: &'static str,
    pub(crate) script: &'static str,
    /// Markup in which everything of the program is escaped.
    pub(crate) body: String,
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

/// `civl/obligations`, client to server.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListParams {
    pub(crate) uri: Url,
    /// The list that the client has: it wants what is different.
    #[serde(default)]
    pub(crate) previous_result_id: Option<String>,
}

/// The answer to `civl/assumptions`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AssumptionsAnswer {
    pub(crate) version: u32,
    /// Static errors leave nothing to prove, so nothing is taken on faith.
    pub(crate) errors: bool,
    pub(crate) assumptions: Vec<Assumption>,
}

/// Something that nobody proves.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Assumption {
    /// As in the field `trusted` of `server/schema/verify.json`.
    pub(crate) kind: &'static str,
    pub(crate) what: String,
    /// Could it be proved or left out? A strict run refuses it.
    pub(crate) promise: bool,
    pub(crate) location: Option<Location>,
}

/// What the run of a program, or of none, is doing.
pub(crate) fn status(phase: &str, proofs: &ProgramProofs, workers: usize) -> StatusParams {
    let fresh = || proofs.in_run().filter(|entry| !entry.stale);
    let with = |word: &str| fresh().filter(|entry| entry.word() == word).count();
    let running = proofs.in_run().filter(|entry| entry.standing == Standing::Running);
    let running: Vec<String> = running.map(|entry| entry.state.id.clone()).collect();
    let standing = |it| proofs.in_run().filter(|entry| entry.standing == it).count();
    let (queued, total) = (standing(Standing::Queued), proofs.in_run().count());
    StatusParams {
        version: VERSION,
        phase: phase.into(),
        done: fresh().filter(|entry| entry.standing == Standing::Known).count(),
        total,
        failed: with("failed"),
        unknown: with("unknown") + with("timeout"),
        cached: fresh().filter(|entry| entry.state.cached).count(),
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

/// Writes how the obligations about declarations of one file stand. Those that belong to no declaration
/// are told with the first file of the program. `since`: what the client has, if it takes differences.
pub(crate) fn obligations(
    seen: &FileSeen,
    first: bool,
    proofs: &ProgramProofs,
    encoding: ide::ColumnEncoding,
    since: Option<Revision>,
) -> String {
    let range = |at: ide::Location| proto::range(&seen.lines, at.start, at.end, encoding);
    let own = |entry: &&Entry| entry.owner.map_or(first, |owner| owner.whole.file == seen.file);
    let told = |entry| {
        let ours = |d: &&ide::Diagnostic| d.at.file == seen.file;
        let failures = proofs.diagnostics_of(entry).filter(ours).map(|d| range(d.at)).collect();
        entry_of(entry, &range, failures)
    };
    let all = || proofs.entries.iter().filter(own);
    let newer = |then| all().filter(move |entry| ProgramProofs::is_newer(entry, then));
    let since = since.and_then(|then| Some((then, proofs.gone_since(then)?)));
    let list = match since {
        // Where most is new, the whole list is as short.
        Some((then, removed)) if newer(then).count() * 2 <= all().count() => List::Difference {
            previous_result_id: then.to_string(),
            removed,
            changed: newer(then).map(told).collect(),
        },
        Some(_) | None => List::Whole { obligations: all().map(told).collect() },
    };
    let list = ObligationsParams {
        version: VERSION,
        uri: &seen.uri,
        document_version: seen.version,
        finished: proofs.finished,
        stale: proofs.entries.iter().any(|entry| entry.stale),
        result_id: proofs.revision().to_string(),
        list,
    };
    // All keys are strings, so this cannot fail.
    let mut text = serde_json::to_string(&list).unwrap_or_else(|_| "null".into());
    text.shrink_to_fit();
    text
}

fn entry_of<'a>(
    entry: &'a Entry,
    range: &dyn Fn(ide::Location) -> Range,
    failures: Vec<Range>,
) -> ObligationEntry<'a> {
    let state = &entry.state;
    ObligationEntry {
        id: &state.id,
        kind: &state.kind,
        layer: state.layer,
        owner: state.subjects.first().map_or("", |owner| owner),
        partner: state.subjects.get(1).map(|partner| &**partner),
        state: entry.word(),
        stale: entry.stale,
        reason: state.reason(),
        cached: state.cached,
        ms: state.millis,
        solver_ms: state.solver_micros as f64 / 1000.0,
        steps: state.steps,
        range: entry.owner.map(|owner| range(owner.whole)),
        name_range: entry.owner.map(|owner| range(owner.name)),
        failures,
    }
}
