//! `textDocument/inlayHint`, with a switch per kind

use ide::HintKind;
use tower_lsp::lsp_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip};

use super::Opened;
use crate::lsp::proto;
use crate::session::Snapshot;
use crate::session::settings::Hints;

pub(crate) fn hints(snapshot: &Snapshot, params: &InlayHintParams) -> Option<Vec<InlayHint>> {
    let opened = Opened::find(snapshot, &params.text_document.uri)?;
    let range = opened.offsets(params.range);
    let found = snapshot.analysis.inlay_hints(opened.program, opened.file, range);
    let wanted = found.into_iter().filter(|hint| is_on(&snapshot.settings.hints, hint.kind));
    let shown = wanted.map(|hint| InlayHint {
        position: proto::position(&opened.lines, hint.offset, snapshot.encoding),
        label: InlayHintLabel::String(hint.label),
        kind: None,
        text_edits: None,
        tooltip: hint.tooltip.map(InlayHintTooltip::String),
        padding_left: Some(hint.pad_left),
        padding_right: Some(!hint.pad_left),
        data: None,
    });
    Some(shown.collect())
}

fn is_on(hints: &Hints, kind: HintKind) -> bool {
    match kind {
        HintKind::Layers => hints.layers,
        HintKind::Movers => hints.movers,
        HintKind::Phases => hints.phases,
        HintKind::Modifies => hints.modifies,
        HintKind::Linear => hints.linear,
    }
}
