//! `textDocument/codeAction`

use tower_lsp::lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    Diagnostic, NumberOrString,
};

use super::Opened;
use super::rename::workspace_edit;
use crate::session::Snapshot;

pub(crate) fn actions(
    snapshot: &Snapshot,
    params: &CodeActionParams,
) -> Option<CodeActionResponse> {
    let opened = Opened::find(snapshot, &params.text_document.uri)?;
    let range = opened.offsets(params.range);
    let found = snapshot.analysis.actions(opened.program, opened.file, range);
    let shown = found.into_iter().map(|action| {
        let repaired =
            params.context.diagnostics.iter().filter(|d| has_code(d, action.repairs)).cloned();
        let diagnostics: Vec<Diagnostic> = repaired.collect();
        let checked = if action.checked { " (checked)" } else { "" };
        CodeActionOrCommand::CodeAction(CodeAction {
            title: format!("{}{checked}", action.fix.title),
            kind: Some(if action.repairs.is_some() {
                CodeActionKind::QUICKFIX
            } else {
                CodeActionKind::REFACTOR
            }),
            diagnostics: (!diagnostics.is_empty()).then_some(diagnostics),
            edit: Some(workspace_edit(snapshot, action.fix.edits)),
            is_preferred: action.checked.then_some(true),
            ..CodeAction::default()
        })
    });
    Some(shown.collect())
}

fn has_code(diagnostic: &Diagnostic, code: Option<&str>) -> bool {
    match (&diagnostic.code, code) {
        (Some(NumberOrString::String(have)), Some(want)) => have == want,
        _ => false,
    }
}
