//! `textDocument/prepareRename` and `textDocument/rename`

use std::collections::HashMap;

use ide::Location;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Url, WorkspaceEdit,
};

use super::{Opened, cursor};
use crate::lsp::proto;
use crate::session::Snapshot;

pub(crate) fn prepare(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let Some(opened) = Opened::find(snapshot, &params.text_document.uri) else { return Ok(None) };
    let (at, placeholder) = snapshot
        .analysis
        .prepare_rename(opened.at(params.position))
        .map_err(Error::invalid_params)?;
    let range = opened.range(at.start, at.end);
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
}

pub(crate) fn rename(snapshot: &Snapshot, params: &RenameParams) -> Result<Option<WorkspaceEdit>> {
    let Some(at) = cursor(snapshot, &params.text_document_position) else { return Ok(None) };
    let edits = snapshot.analysis.rename(at, &params.new_name).map_err(Error::invalid_params)?;
    Ok(Some(workspace_edit(snapshot, edits)))
}

pub(crate) fn workspace_edit(snapshot: &Snapshot, edits: Vec<(Location, String)>) -> WorkspaceEdit {
    let mut changes: HashMap<Url, Vec<TextEdit>> = HashMap::new();
    for (at, new_text) in edits {
        if let Some((uri, range)) = proto::uri_range(snapshot, at) {
            changes.entry(uri).or_default().push(TextEdit { range, new_text });
        }
    }
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}
