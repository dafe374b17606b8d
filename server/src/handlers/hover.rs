//! `textDocument/hover`

use tower_lsp::lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use super::Opened;
use crate::session::Snapshot;
use crate::session::publish::ProgramProofs;

pub(crate) fn hover(snapshot: &Snapshot, params: &HoverParams) -> Option<Hover> {
    let params = &params.text_document_position_params;
    let opened = Opened::find(snapshot, &params.text_document.uri)?;
    let hover = snapshot.analysis.hover(opened.at(params.position))?;
    let mut value = hover.markdown;
    let proofs = snapshot.proofs.by_program.get(&opened.program);
    if let (Some(name), Some(proofs)) = (&hover.subject, proofs) {
        value.push_str(&standing(name, proofs));
    }
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(opened.range(hover.at.start, hover.at.end)) })
}

/// How the obligations about `name` stand.
fn standing(name: &str, proofs: &ProgramProofs) -> String {
    let own: Vec<_> =
        proofs.states.iter().filter(|state| state.subjects.iter().any(|s| s == name)).collect();
    if own.is_empty() {
        return String::new();
    }
    let stale = if proofs.stale { " (before the last edit)" } else { "" };
    let mut lines = format!("\n\n---\n**Obligations**{stale}\n");
    for state in own {
        let (mark, why) = match &state.outcome {
            ide::Outcome::Proved => ("✓", String::new()),
            ide::Outcome::Failed(why) => ("✗", format!(": {why}")),
            ide::Outcome::Unknown(why) => ("?", format!(": {why}")),
            ide::Outcome::Skipped(why) => ("–", format!(": {why}")),
        };
        let source =
            if state.cached { "cached".to_owned() } else { format!("{} ms", state.millis) };
        lines.push_str(&format!("- {mark} `{}` {source}{why}\n", state.id));
    }
    lines
}
