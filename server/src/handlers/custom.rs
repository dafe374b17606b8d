//! Our own requests; see `server/schema/messages.md`

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::Url;

use super::Opened;
use crate::lsp::ext::{
    self, DocumentParams, LayerParams, ObligationsParams, StatusParams, TextAnswer, TraceParams,
};
use crate::session::Snapshot;
use crate::session::publish::ProgramProofs;

/// The explanation of the diagnostic of a failed obligation, as the terminal shows it.
pub(crate) fn trace(snapshot: &Snapshot, params: &TraceParams) -> Result<TextAnswer> {
    let opened = find(snapshot, &params.uri)?;
    let proofs = snapshot.proofs.by_program.get(&opened.program);
    let state = proofs.and_then(|p| p.states.iter().find(|state| state.id == params.obligation));
    let (Some(state), Some(proofs)) = (state, proofs) else {
        return Err(Error::invalid_params("no such obligation has been asked yet"));
    };
    let own = proofs.diagnostics.iter().filter(|d| d.obligation.as_ref() == Some(&state.id));
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
    let version = snapshot.documents.get(&params.uri).map(|d| d.version);
    let none = ProgramProofs::default();
    let proofs = snapshot.proofs.by_program.get(&opened.program).unwrap_or(&none);
    Ok(ext::obligations(&params.uri, version, proofs))
}

pub(crate) fn status(snapshot: &Snapshot) -> StatusParams {
    let all = snapshot.proofs.by_program.values();
    let (mut done, mut busy) = (0, false);
    for proofs in all {
        done += proofs.states.len();
        busy |= !proofs.finished;
    }
    ext::status(if busy { "verifying" } else { "idle" }, done, done)
}

fn find<'a>(snapshot: &'a Snapshot, uri: &Url) -> Result<Opened<'a>> {
    Opened::find(snapshot, uri).ok_or_else(|| Error::invalid_params("the document is not open"))
}
