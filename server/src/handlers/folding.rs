//! `textDocument/foldingRange`

use tower_lsp::lsp_types::{FoldingRange, FoldingRangeKind, Url};

use super::Opened;
use crate::session::Snapshot;

pub(crate) fn folds(snapshot: &Snapshot, uri: &Url) -> Option<Vec<FoldingRange>> {
    let opened = Opened::find(snapshot, uri)?;
    let shown = snapshot.analysis.folds(opened.file).into_iter().filter_map(|fold| {
        let range = opened.range(fold.start, fold.end);
        // The line with the closing brace stays visible.
        let last = if fold.comment { range.end.line } else { range.end.line.saturating_sub(1) };
        (last > range.start.line).then(|| FoldingRange {
            start_line: range.start.line,
            end_line: last,
            kind: fold.comment.then_some(FoldingRangeKind::Comment),
            ..FoldingRange::default()
        })
    });
    Some(shown.collect())
}
