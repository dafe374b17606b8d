//! `textDocument/codeLens`: verify, and how the declaration stands; over the first declaration, whether
//! anything is proved only because assumptions contradict each other

use serde_json::json;
use tower_lsp::lsp_types::{CodeLens, Command, Url};

use super::Opened;
use crate::session::Snapshot;

pub(crate) fn lenses(snapshot: &Snapshot, uri: &Url) -> Option<Vec<CodeLens>> {
    if !snapshot.settings.lens {
        return Some(Vec::new());
    }
    let opened = Opened::find(snapshot, uri)?;
    let proofs = opened.proofs();
    let mut shown: Vec<CodeLens> = Vec::new();
    for lens in snapshot.analysis.lenses(opened.program, opened.file) {
        let range = opened.range(lens.at.start, lens.at.end);
        let standing = proofs.tally(&lens.name).words();
        let title = standing.map_or("verify".to_owned(), |words| format!("verify ({words})"));
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
        if shown.len() == 1 {
            let title = "look for contradictory assumptions".to_owned();
            shown.push(command(title, "civl.verify", json!({"uri": uri, "vacuity": true})));
        }
        for layer in &lens.layers {
            let arguments = json!({"uri": uri, "layer": layer});
            shown.push(command(format!("show at layer {layer}"), "civl.showLayer", arguments));
        }
    }
    Some(shown)
}
