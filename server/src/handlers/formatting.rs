//! `textDocument/formatting`, `rangeFormatting` and `onTypeFormatting`

use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::lsp_types::{Position, Range, TextDocumentPositionParams, TextEdit, Url};

use super::Opened;
use crate::session::Snapshot;

pub(crate) fn document(snapshot: &Snapshot, uri: &Url) -> Result<Option<Vec<TextEdit>>> {
    let Some(opened) = Opened::find(snapshot, uri) else { return Ok(None) };
    let end = u32::try_from(opened.lines.text().len()).unwrap_or(u32::MAX);
    edits(&opened, (0, end))
}

pub(crate) fn range(snapshot: &Snapshot, uri: &Url, range: Range) -> Result<Option<Vec<TextEdit>>> {
    let Some(opened) = Opened::find(snapshot, uri) else { return Ok(None) };
    let offsets = opened.offsets(range);
    edits(&opened, offsets)
}

/// After `;` or `}`: the line that was just finished.
pub(crate) fn on_type(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Result<Option<Vec<TextEdit>>> {
    let Some(opened) = Opened::find(snapshot, &params.text_document.uri) else { return Ok(None) };
    let line = params.position.line;
    let offsets = opened.offsets(Range::new(Position::new(line, 0), params.position));
    // While a text is being typed it often cannot be read; then nothing is moved.
    Ok(edits(&opened, offsets).unwrap_or(None))
}

fn edits(opened: &Opened<'_>, range: (u32, u32)) -> Result<Option<Vec<TextEdit>>> {
    let found = opened.snapshot.analysis.format_range(opened.file, range).map_err(refused)?;
    let edit = |(start, end, new_text): (u32, u32, String)| TextEdit {
        range: opened.range(start, end),
        new_text,
    };
    Ok(Some(found.into_iter().map(edit).collect()))
}

fn refused(why: String) -> Error {
    // RequestFailed: the request was fine, but it cannot be done now.
    Error { code: ErrorCode::ServerError(-32803), message: why.into(), data: None }
}
