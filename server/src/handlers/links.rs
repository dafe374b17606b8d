//! `textDocument/documentLink`: `refines X` leads to the action

use tower_lsp::lsp_types::{DocumentLink, Url};

use super::Opened;
use crate::lsp::proto;
use crate::session::Snapshot;

pub(crate) fn links(snapshot: &Snapshot, uri: &Url) -> Option<Vec<DocumentLink>> {
    let opened = Opened::find(snapshot, uri)?;
    let link = |link: ide::Link| {
        let (mut target, range) = proto::uri_range(snapshot, link.target)?;
        target.set_fragment(Some(&format!("L{}", range.start.line + 1)));
        Some(DocumentLink {
            range: opened.range(link.at.start, link.at.end),
            target: Some(target),
            tooltip: None,
            data: None,
        })
    };
    Some(
        snapshot.analysis.links(opened.program, opened.file).into_iter().filter_map(link).collect(),
    )
}
