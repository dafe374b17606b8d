//! What "verify here" means

use tower_lsp::lsp_types::{Position, Url};

use super::Opened;
use crate::session::Snapshot;

/// The name of the declaration around a position.
pub(crate) fn symbol_at(snapshot: &Snapshot, uri: &Url, position: Position) -> Option<String> {
    let opened = Opened::find(snapshot, uri)?;
    let offset = opened.offset(position);
    let symbols = snapshot.analysis.document_symbols(opened.program, opened.file);
    symbols.into_iter().find(|symbol| symbol.at.touches(offset)).map(|symbol| symbol.name)
}
