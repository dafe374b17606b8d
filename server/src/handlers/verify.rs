//! What "verify here" means

use tower_lsp::lsp_types::{Position, Url};

use super::Opened;
use crate::session::Snapshot;

/// The declaration around a position, or all of the document up to there.
pub(crate) fn subjects(
    snapshot: &Snapshot,
    uri: &Url,
    position: Position,
    to_cursor: bool,
) -> Option<Vec<String>> {
    let opened = Opened::find(snapshot, uri)?;
    let offset = opened.offset(position);
    if to_cursor {
        return Some(snapshot.analysis.subjects_before(opened.file, offset));
    }
    snapshot.analysis.subject_at(opened.file, offset).map(|name| vec![name])
}
