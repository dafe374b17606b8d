//! Our own requests; see `server/schema/messages.md`

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::Url;

use super::Opened;
use crate::lsp::ext::{
    self, DocumentParams, LayerParams, ObligationsParams, StatusParams, TextAnswer, TraceParams,
};
use crate::session::Snapshot;
use crate::session::proofs::ProgramProofs;
use crate::session::publish::files_of;

/// The explanation of the diagnostic of a failed obligation, as the terminal shows it.
pub(crate) fn trace(snapshot: &Snapshot, params: &TraceParams) -> Result<TextAnswer> {
    let opened = find(snapshot, &params.uri)?;
    let proofs = snapshot.proofs.by_program.get(&opened.program);
    let known = |p: &&ProgramProofs| p.entries.iter().any(|e| e.state.id == params.obligation);
    let Some(proofs) = proofs.filter(known) else {
        return Err(Error::invalid_params("no such obligation has been asked yet"));
    };
    let own =
        proofs.diagnostics.iter().filter(|d| d.obligation.as_ref() == Some(&params.obligation));
    let texts: Vec<String> =
        own.map(|d| format!("{}\n{}", d.message, d.explanation.join("\n"))).collect();
    Ok(TextAnswer::new(texts.join("\n\n")))
}

pub(crate) fn layer_view(snapshot: &Snapshot, params: &LayerParams) -> Result<TextAnswer> {
    let opened = find(snapshot, &params.uri)?;
    Ok(TextAnswer::new(snapshot.analysis.layer_view(opened.program, opened.file, params.layer)))
}

pub(crate) fn movers(snapshot: &Snapshot, params: &LayerParams) -> Result<TextAnswer> {
    let opened = find(snapshot, &params.uri)?;
    Ok(TextAnswer::new(snapshot.analysis.mover_table(opened.program)))
}

pub(crate) fn library_text(snapshot: &Snapshot, params: &DocumentParams) -> Result<TextAnswer> {
    let file = snapshot.analysis.file_by_path(params.uri.as_str());
    let file = file.filter(|file| snapshot.analysis.is_library(*file));
    let file = file.ok_or_else(|| Error::invalid_params("there is no such library"))?;
    Ok(TextAnswer::new(snapshot.analysis.text(file).to_string()))
}

pub(crate) fn obligations(
    snapshot: &Snapshot,
    params: &DocumentParams,
) -> Result<ObligationsParams> {
    let opened = find(snapshot, &params.uri)?;
    let files = files_of(snapshot, opened.program);
    let none = ProgramProofs::never_asked();
    let proofs = snapshot.proofs.by_program.get(&opened.program).unwrap_or(&none);
    let at = files.iter().position(|seen| seen.file == opened.file);
    let at = at.ok_or_else(|| Error::invalid_params("the document is part of no program"))?;
    Ok(ext::obligations(&files[at], at == 0, proofs, snapshot.encoding))
}

pub(crate) fn status(snapshot: &Snapshot) -> StatusParams {
    let busy = snapshot.proofs.by_program.values().find(|proofs| !proofs.finished);
    let last = snapshot.proofs.by_program.values().next_back();
    let none = ProgramProofs::never_asked();
    let phase = if busy.is_some() { "verifying" } else { "idle" };
    ext::status(phase, busy.or(last).unwrap_or(&none), snapshot.settings.job_count())
}

fn find<'a>(snapshot: &'a Snapshot, uri: &Url) -> Result<Opened<'a>> {
    Opened::find(snapshot, uri).ok_or_else(|| Error::invalid_params("the document is not open"))
}
