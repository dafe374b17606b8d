//! `textDocument/completion`

use tower_lsp::lsp_types::{
    CompletionItem, CompletionResponse, Documentation, InsertTextFormat, MarkupContent, MarkupKind,
    TextDocumentPositionParams,
};

use super::cursor;
use crate::lsp::proto;
use crate::session::Snapshot;

pub(crate) fn completion(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Option<CompletionResponse> {
    let found = snapshot.analysis.completion(cursor(snapshot, params)?);
    Some(CompletionResponse::Array(found.into_iter().map(item).collect()))
}

fn item(found: ide::Completion) -> CompletionItem {
    let format =
        if found.is_snippet { InsertTextFormat::SNIPPET } else { InsertTextFormat::PLAIN_TEXT };
    let documentation = found.documentation.map(|value| {
        Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
    });
    CompletionItem {
        sort_text: Some(format!("{:03} {}", found.rank, found.label)),
        label: found.label,
        kind: Some(proto::completion_kind(found.kind)),
        detail: (!found.detail.is_empty()).then_some(found.detail),
        insert_text: Some(found.insert),
        insert_text_format: Some(format),
        documentation,
        ..CompletionItem::default()
    }
}
