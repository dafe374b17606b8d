//! `textDocument/formatting`, `rangeFormatting` and `onTypeFormatting`

use tower_lsp::lsp_types::{Position, Range, TextDocumentPositionParams, TextEdit, Url};

use super::Opened;
use crate::session::Snapshot;

pub(crate) fn document(snapshot: &Snapshot, uri: &Url) -> Option<Vec<TextEdit>> {
    let opened = Opened::find(snapshot, uri)?;
    let end = u32::try_from(opened.lines.text().len()).unwrap_or(u32::MAX);
    Some(edits(&opened, (0, end)))
}

pub(crate) fn range(snapshot: &Snapshot, uri: &Url, range: Range) -> Option<Vec<TextEdit>> {
    let opened = Opened::find(snapshot, uri)?;
    let offsets = opened.offsets(range);
    Some(edits(&opened, offsets))
}

/// After `;` or `}`: the line that was just finished, if the text can be read.
pub(crate) fn on_type(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Option<Vec<TextEdit>> {
    let opened = Opened::find(snapshot, &params.text_document.uri)?;
    let line = opened.offset(Position::new(params.position.line, 0));
    let cursor = opened.offset(params.position);
    let on_line = |edit: &(u32, u32, String)| line <= edit.0 && edit.1 <= cursor;
    let found = opened.snapshot.analysis.format_range(opened.file, (line, cursor));
    Some(shown(&opened, found.into_iter().filter(on_line)))
}

fn edits(opened: &Opened<'_>, range: (u32, u32)) -> Vec<TextEdit> {
    shown(opened, opened.snapshot.analysis.format_range(opened.file, range).into_iter())
}

fn shown(opened: &Opened<'_>, found: impl Iterator<Item = (u32, u32, String)>) -> Vec<TextEdit> {
    found
        .map(|(start, end, new_text)| TextEdit { range: opened.range(start, end), new_text })
        .collect()
}
