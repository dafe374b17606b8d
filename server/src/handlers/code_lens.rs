//! `textDocument/codeLens`: verify, and how the declaration stands

use serde_json::json;
use tower_lsp::lsp_types::{CodeLens, Command, Url};

use super::Opened;
use crate::session::Snapshot;
use crate::session::proofs::ProgramProofs;

pub(crate) fn lenses(snapshot: &Snapshot, uri: &Url) -> Option<Vec<CodeLens>> {
    if !snapshot.settings.lens {
        return Some(Vec::new());
    }
    let opened = Opened::find(snapshot, uri)?;
    let proofs = snapshot.proofs.by_program.get(&opened.program);
    let mut shown = Vec::new();
    for lens in snapshot.analysis.lenses(opened.program, opened.file) {
        let range = opened.range(lens.at.start, lens.at.end);
        let title = match proofs.map(|proofs| standing(&lens.name, proofs)) {
            Some(standing) if !standing.is_empty() => format!("verify ({standing})"),
            _ => "verify".to_owned(),
        };
        let command = |title: String, command: &str, arguments| CodeLens {
            range,
            command: Some(Command {
                title,
                command: command.into(),
                arguments: Some(vec![arguments]),
            }),
            data: None,
        };
        shown.push(command(title, "civl.verify", json!({"uri": uri, "symbol": lens.name})));
        for layer in &lens.layers {
            let arguments = json!({"uri": uri, "layer": layer});
            shown.push(command(format!("show at layer {layer}"), "civl.showLayer", arguments));
        }
    }
    Some(shown)
}

fn standing(name: &str, proofs: &ProgramProofs) -> String {
    let own: Vec<_> = proofs.entries.iter().filter(|entry| entry.is_about(name)).collect();
    let settled = |word: &str| matches!(word, "proved" | "skipped" | "trusted");
    let proved = own.iter().filter(|entry| settled(entry.word())).count();
    match (own.len(), own.iter().any(|entry| entry.stale)) {
        (0, _) => String::new(),
        (total, false) => format!("{proved} of {total} proved"),
        (total, true) => format!("{proved} of {total} proved before the last edit"),
    }
}
