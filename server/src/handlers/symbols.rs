//! `textDocument/documentSymbol` and `workspace/symbol`

use ide::{ProgramId, Symbol};
use tower_lsp::lsp_types::{DocumentSymbol, DocumentSymbolResponse, SymbolInformation, Url};

use super::Opened;
use crate::lsp::proto;
use crate::session::Snapshot;

pub(crate) fn document(snapshot: &Snapshot, uri: &Url) -> Option<DocumentSymbolResponse> {
    let opened = Opened::find(snapshot, uri)?;
    let symbols = snapshot.analysis.document_symbols(opened.program, opened.file);
    Some(DocumentSymbolResponse::Nested(symbols.iter().map(|s| nested(&opened, s)).collect()))
}

#[expect(deprecated, reason = "the protocol type still has the deprecated field")]
fn nested(opened: &Opened<'_>, symbol: &Symbol) -> DocumentSymbol {
    let children: Vec<_> = symbol.children.iter().map(|child| nested(opened, child)).collect();
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: (!symbol.detail.is_empty()).then(|| symbol.detail.clone()),
        kind: proto::symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: opened.range(symbol.at.start, symbol.at.end),
        selection_range: opened.range(symbol.selection.start, symbol.selection.end),
        children: (!children.is_empty()).then_some(children),
    }
}

pub(crate) fn workspace(snapshot: &Snapshot, query: &str) -> Option<Vec<SymbolInformation>> {
    let programs: Vec<ProgramId> = snapshot.members.programs().collect();
    let symbols = snapshot.analysis.workspace_symbols(&programs, query);
    Some(symbols.iter().filter_map(|symbol| flat(snapshot, symbol)).collect())
}

#[expect(deprecated, reason = "the protocol type still has the deprecated field")]
fn flat(snapshot: &Snapshot, symbol: &Symbol) -> Option<SymbolInformation> {
    Some(SymbolInformation {
        name: symbol.name.clone(),
        kind: proto::symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: proto::location(snapshot, symbol.selection)?,
        container_name: (!symbol.detail.is_empty()).then(|| symbol.detail.clone()),
    })
}
