//! `textDocument/references` and `textDocument/documentHighlight`

use ide::Access;
use tower_lsp::lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Location, ReferenceParams,
};

use super::{Opened, cursor};
use crate::lsp::proto;
use crate::session::Snapshot;

pub(crate) fn references(snapshot: &Snapshot, params: &ReferenceParams) -> Option<Vec<Location>> {
    let at = cursor(snapshot, &params.text_document_position)?;
    let with_declaration = params.context.include_declaration;
    let found = snapshot.analysis.references(at);
    let wanted = found.iter().filter(|r| with_declaration || r.access != Access::Declare);
    Some(wanted.filter_map(|r| proto::location(snapshot, r.at)).collect())
}

pub(crate) fn highlights(
    snapshot: &Snapshot,
    params: &DocumentHighlightParams,
) -> Option<Vec<DocumentHighlight>> {
    let params = &params.text_document_position_params;
    let opened = Opened::find(snapshot, &params.text_document.uri)?;
    let found = snapshot.analysis.references(opened.at(params.position));
    let own = found.iter().filter(|r| r.at.file == opened.file);
    let highlight = |r: &ide::Reference| DocumentHighlight {
        range: opened.range(r.at.start, r.at.end),
        kind: Some(match r.access {
            Access::Read => DocumentHighlightKind::READ,
            Access::Write => DocumentHighlightKind::WRITE,
            Access::Declare | Access::Call => DocumentHighlightKind::TEXT,
        }),
    };
    Some(own.map(highlight).collect())
}
