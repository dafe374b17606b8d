//! `textDocument/hover`

use tower_lsp::lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use super::Opened;
use crate::session::Snapshot;
use crate::session::proofs::{Entry, ProgramProofs, Standing};

/// More obligations than anyone reads in a hover.
const MOST_SHOWN: usize = 12;

pub(crate) fn hover(snapshot: &Snapshot, params: &HoverParams) -> Option<Hover> {
    let params = &params.text_document_position_params;
    let opened = Opened::find(snapshot, &params.text_document.uri)?;
    let hover = snapshot.analysis.hover(opened.at(params.position))?;
    let mut value = hover.markdown;
    if let Some(name) = &hover.subject {
        value.push_str(&standing(name, &opened.proofs()));
    }
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(opened.range(hover.at.start, hover.at.end)) })
}

/// How the obligations about `name` stand.
fn standing(name: &str, proofs: &ProgramProofs) -> String {
    let Some(words) = proofs.tally(name).words() else { return String::new() };
    let mut text = format!("\n\n---\n**Obligations**: {words}\n");
    let mut own: Vec<_> = proofs.entries.iter().filter(|entry| entry.is_about(name)).collect();
    // What needs attention first; of the others the dearest.
    own.sort_by_key(|entry| (entry.is_settled(), std::cmp::Reverse(entry.state.solver_micros)));
    for entry in own.iter().take(MOST_SHOWN) {
        text.push_str(&line(entry));
    }
    if own.len() > MOST_SHOWN {
        text.push_str(&format!("- … and {} more\n", own.len() - MOST_SHOWN));
    }
    text
}

fn line(entry: &Entry) -> String {
    let state = &entry.state;
    let mark = match entry.word() {
        _ if entry.stale => "◌",
        "proved" => "✓",
        "failed" => "✗",
        "skipped" | "trusted" => "–",
        "queued" | "running" => "…",
        _ => "?",
    };
    let cost = if state.cached {
        "cached".to_owned()
    } else {
        let solver = state.solver_micros as f64 / 1000.0;
        format!("{} ms, solver {solver:.1} ms and {} resource units", state.millis, state.steps)
    };
    let why = match entry.standing {
        Standing::Known => state.reason().map(|why| format!(": {why}")).unwrap_or_default(),
        Standing::Queued | Standing::Running => String::new(),
    };
    let stale = if entry.stale { ", before the last edit" } else { "" };
    format!("- {mark} `{}` {}, {cost}{stale}{why}\n", state.id, entry.word())
}
