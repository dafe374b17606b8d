//! Our own requests; see `server/schema/messages.md`

use serde_json::json;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::Url;

use super::Opened;
use crate::cli::page;
use crate::lsp::ext::{
    self, Assumption, AssumptionsAnswer, DocumentParams, LayerAnswer, LayerParams, ListParams,
    MoverCheck, MoverPair, MoversAnswer, PageAnswer, PageParams, StatusParams, TextAnswer,
    TraceAnswer, TraceParams,
};
use crate::lsp::proto;
use crate::session::Snapshot;
use crate::session::proofs::{ProgramProofs, Revision};
use crate::session::publish::{files_of, is_first};
use crate::told::{self, Places};

/// What is said of a run that was found in another text.
const OLD: &str = "found before the last edit";

/// The kinds of obligations that compare an action with another, or with itself.
const MOVER_KINDS: [&str; 4] =
    ["commutativity", "gate-preservation", "failure-preservation", "nonblocking"];

/// How the failure of an obligation comes about, as text and as steps.
pub(crate) fn trace(snapshot: &Snapshot, params: &TraceParams) -> Result<TraceAnswer> {
    let own = failures_of(snapshot, &params.uri, &params.obligation)?;
    let text = |(d, stale): &(ide::Diagnostic, bool)| {
        let old = if *stale { format!("{OLD}:\n") } else { String::new() };
        format!("{old}{}\n{}", d.message, d.explanation.join("\n"))
    };
    let texts: Vec<String> = own.iter().map(text).collect();
    Ok(TraceAnswer {
        version: ext::VERSION,
        text: texts.join("\n\n"),
        traces: own.iter().map(|(d, stale)| trace_of(snapshot, d, *stale)).collect(),
    })
}

/// What is wrong with one obligation, and whether that was found before the last edit: then the run is
/// about another text, and nothing has confirmed it in this one.
fn failures_of(
    snapshot: &Snapshot,
    uri: &Url,
    obligation: &str,
) -> Result<Vec<(ide::Diagnostic, bool)>> {
    let opened = find(snapshot, uri)?;
    let all = opened.programs.iter().filter_map(|it| snapshot.proofs.by_program.get(it));
    let known = |p: &&ProgramProofs| p.entries.iter().any(|e| e.state.id == obligation);
    let asked: Vec<&ProgramProofs> = all.filter(known).collect();
    if asked.is_empty() {
        return Err(Error::invalid_params("no such obligation has been asked yet"));
    }
    let own = |d: &&ide::Diagnostic| d.obligation.as_deref() == Some(obligation);
    let found = asked.into_iter().flat_map(|proofs| {
        proofs.diagnostics.iter().filter(own).map(|d| (d.clone(), proofs.is_stale(d)))
    });
    let mut found: Vec<(ide::Diagnostic, bool)> = found.collect();
    for view in found.iter_mut().filter(|it| it.1).filter_map(|it| it.0.trace.as_mut()) {
        (view.confirmed, view.doubt) = (false, Some(OLD.into()));
    }
    for line in found.iter_mut().filter(|it| it.1).flat_map(|it| &mut it.0.explanation) {
        *line = line.replace(", confirmed by replay", &format!(", {OLD}"));
    }
    Ok(found)
}

/// A part of the page of a report: a failing run, or the matrix of movers.
pub(crate) fn page(snapshot: &Snapshot, params: &PageParams) -> Result<PageAnswer> {
    let part = if let Some(obligation) = &params.obligation {
        let found = failures_of(snapshot, &params.uri, obligation)?;
        let found: Vec<&ide::Diagnostic> = found.iter().map(|(d, _)| d).collect();
        page::failures(&snapshot.analysis, &found)
    } else {
        let opened = find(snapshot, &params.uri)?;
        let proofs = opened.proofs();
        let found: Vec<&ide::Diagnostic> = proofs.diagnostics.iter().collect();
        page::movers(&snapshot.analysis, opened.program, &found, &proofs.entries)
    };
    let page::Part { style, script, body } = part;
    Ok(PageAnswer { version: ext::VERSION, style, script, body })
}

/// The trace of one failing assertion, with what clients want to show first.
fn trace_of(snapshot: &Snapshot, diagnostic: &ide::Diagnostic, stale: bool) -> serde_json::Value {
    let place = &mut |at| json!(proto::location(snapshot, at));
    let view = diagnostic.trace.as_ref();
    let mut trace = view.map_or_else(
        || json!({"steps": []}),
        |view| told::trace(view, &mut Places { field: "location", place }),
    );
    let confirmed = view.is_some_and(|view| view.confirmed);
    trace["message"] = json!(diagnostic.message);
    trace["verdict"] = json!(if confirmed { "confirmed" } else { "candidate" });
    trace["stale"] = json!(stale);
    trace["location"] = json!(proto::location(snapshot, diagnostic.at));
    trace
}

pub(crate) fn layer_view(snapshot: &Snapshot, params: &LayerParams) -> Result<LayerAnswer> {
    let opened = find(snapshot, &params.uri)?;
    let view = snapshot.analysis.layer_view(opened.program, opened.file, params.layer);
    let piece = |piece: &ide::LayerPiece| {
        let location = proto::location(snapshot, piece.source)?;
        Some(ext::SourcePiece { line: piece.line, lines: piece.lines, location })
    };
    Ok(LayerAnswer {
        version: ext::VERSION,
        source_map: view.pieces.iter().filter_map(piece).collect(),
        text: view.text,
        layer: view.layer,
        layers: view.layers,
    })
}

/// The label of each call, and what is known of pairs of actions.
pub(crate) fn movers(snapshot: &Snapshot, params: &LayerParams) -> Result<MoversAnswer> {
    let opened = find(snapshot, &params.uri)?;
    let proofs = opened.proofs();
    let mut pairs: Vec<MoverPair> = Vec::new();
    for entry in
        proofs.entries.iter().filter(|entry| MOVER_KINDS.contains(&entry.state.kind.as_str()))
    {
        let state = &entry.state;
        if params.layer.is_some_and(|layer| state.layer.is_some_and(|own| own != layer)) {
            continue;
        }
        let [first, rest @ ..] = state.subjects.as_slice() else { continue };
        let check = MoverCheck {
            id: state.id.clone(),
            kind: state.kind.clone(),
            state: entry.word().into(),
            stale: entry.stale,
            reason: state.reason(),
            cached: state.cached,
            ms: state.millis,
        };
        let key = (state.layer, first, rest.first());
        match pairs.iter_mut().find(|p| (p.layer, &p.first, p.second.as_ref()) == key) {
            Some(pair) => pair.checks.push(check),
            None => pairs.push(MoverPair {
                layer: state.layer,
                first: first.clone(),
                second: rest.first().cloned(),
                checks: vec![check],
            }),
        }
    }
    let text = snapshot.analysis.mover_table(opened.program);
    Ok(MoversAnswer { version: ext::VERSION, text, pairs })
}

/// The text of a library, or of the manual page of a code.
pub(crate) fn library_text(snapshot: &Snapshot, params: &DocumentParams) -> Result<TextAnswer> {
    if let Some(page) = proto::page(&params.uri) {
        return Ok(TextAnswer::new(page.text.to_owned()));
    }
    let file = snapshot.analysis.file_by_path(params.uri.as_str());
    let file = file.filter(|file| snapshot.analysis.is_library(*file));
    let file = file.ok_or_else(|| Error::invalid_params("there is no such library or page"))?;
    Ok(TextAnswer::new(snapshot.analysis.text(file).to_string()))
}

/// What the program of a document takes on faith.
pub(crate) fn assumptions(
    snapshot: &Snapshot,
    params: &DocumentParams,
) -> Result<AssumptionsAnswer> {
    let opened = find(snapshot, &params.uri)?;
    let trust = ide::Believed::default();
    let trusted: Option<Vec<Vec<ide::Trusted>>> =
        opened.programs.iter().map(|it| snapshot.analysis.assumptions(*it, trust)).collect();
    let errors = trusted.is_none();
    let mut once: Vec<ide::Trusted> = Vec::new();
    for it in trusted.unwrap_or_default().into_iter().flatten() {
        if !once.contains(&it) {
            once.push(it);
        }
    }
    let told = |it: &ide::Trusted| Assumption {
        kind: it.kind.as_str(),
        what: it.what.clone(),
        promise: it.kind.is_promise(),
        location: it.at.and_then(|at| proto::location(snapshot, at)),
    };
    Ok(AssumptionsAnswer {
        version: ext::VERSION,
        errors,
        assumptions: once.iter().map(told).collect(),
    })
}

/// The list of one document, written; a difference, if the client has an earlier one.
pub(crate) fn obligations(snapshot: &Snapshot, params: &ListParams) -> Result<String> {
    let opened = find(snapshot, &params.uri)?;
    let files = files_of(snapshot, opened.program);
    let own = files.iter().find(|seen| seen.file == opened.file);
    let own = own.ok_or_else(|| Error::invalid_params("the document is part of no program"))?;
    let since = params.previous_result_id.as_deref().and_then(Revision::read);
    let first = is_first(&snapshot.members, opened.file);
    Ok(ext::obligations(own, first, &opened.proofs(), snapshot.encoding, since))
}

/// What the run under way is doing, or how the last one stands now.
pub(crate) fn status(snapshot: &Snapshot) -> StatusParams {
    let busy = snapshot.proofs.by_program.values().find(|proofs| !proofs.finished);
    let last = snapshot.last_run.and_then(|program| snapshot.proofs.by_program.get(&program));
    let none = ProgramProofs::never_asked();
    let phase = if busy.is_some() { "verifying" } else { "idle" };
    ext::status(phase, busy.or(last).unwrap_or(&none), snapshot.settings.job_count())
}

fn find<'a>(snapshot: &'a Snapshot, uri: &Url) -> Result<Opened<'a>> {
    Opened::find(snapshot, uri).ok_or_else(|| Error::invalid_params("the document is not open"))
}
