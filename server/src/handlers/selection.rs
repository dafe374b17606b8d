//! `textDocument/selectionRange`

use tower_lsp::lsp_types::{Range, SelectionRange, SelectionRangeParams};

use super::Opened;
use crate::session::Snapshot;

pub(crate) fn ranges(
    snapshot: &Snapshot,
    params: &SelectionRangeParams,
) -> Option<Vec<SelectionRange>> {
    let opened = Opened::find(snapshot, &params.text_document.uri)?;
    let chain = |position| {
        let found = snapshot.analysis.selections(opened.file, opened.offset(position));
        // From the widest inwards, each one holding the wider as its parent.
        let outer = found.iter().rev().fold(None, |parent, (start, end)| {
            Some(SelectionRange { range: opened.range(*start, *end), parent: parent.map(Box::new) })
        });
        outer.unwrap_or(SelectionRange { range: Range::new(position, position), parent: None })
    };
    Some(params.positions.iter().copied().map(chain).collect())
}
