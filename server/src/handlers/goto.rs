//! `textDocument/definition`, `declaration`, `typeDefinition`, `implementation`

use ide::Location;
use tower_lsp::lsp_types::{GotoDefinitionResponse, TextDocumentPositionParams};

use super::cursor;
use crate::lsp::proto;
use crate::session::Snapshot;

pub(crate) fn definition(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Option<GotoDefinitionResponse> {
    answer(snapshot, &snapshot.analysis.definition(cursor(snapshot, params)?))
}

pub(crate) fn type_definition(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Option<GotoDefinitionResponse> {
    answer(snapshot, &snapshot.analysis.type_definition(cursor(snapshot, params)?))
}

pub(crate) fn implementation(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Option<GotoDefinitionResponse> {
    answer(snapshot, &snapshot.analysis.implementation(cursor(snapshot, params)?))
}

fn answer(snapshot: &Snapshot, found: &[Location]) -> Option<GotoDefinitionResponse> {
    let locations: Vec<_> = found.iter().filter_map(|at| proto::location(snapshot, *at)).collect();
    (!locations.is_empty()).then_some(GotoDefinitionResponse::Array(locations))
}
