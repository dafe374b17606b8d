//! `textDocument/semanticTokens`: full, delta and range.
//!
//! Results are numbered by the version of the document; a delta is computed against the tokens
//! of the last full answer, which the client names.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ide::{ColumnEncoding, Lines, Token};
use tower_lsp::lsp_types::{
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams,
    SemanticTokensEdit, SemanticTokensFullDeltaResult, SemanticTokensRangeParams,
    SemanticTokensRangeResult, SemanticTokensResult, Url,
};

use super::Opened;
use crate::session::Snapshot;

/// The last full answer per document, with its number.
static LAST: Mutex<BTreeMap<Url, (u64, Vec<SemanticToken>)>> = Mutex::new(BTreeMap::new());

pub(crate) fn full(snapshot: &Snapshot, uri: &Url) -> Option<SemanticTokensResult> {
    let data = tokens(snapshot, uri, None)?;
    let result_id = remember(uri, &data);
    Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: Some(result_id), data }))
}

pub(crate) fn range(
    snapshot: &Snapshot,
    params: &SemanticTokensRangeParams,
) -> Option<SemanticTokensRangeResult> {
    let uri = &params.text_document.uri;
    let offsets = Opened::find(snapshot, uri)?.offsets(params.range);
    let data = tokens(snapshot, uri, Some(offsets))?;
    Some(SemanticTokensRangeResult::Tokens(SemanticTokens { result_id: None, data }))
}

pub(crate) fn delta(
    snapshot: &Snapshot,
    params: &SemanticTokensDeltaParams,
) -> Option<SemanticTokensFullDeltaResult> {
    let uri = &params.text_document.uri;
    let new = tokens(snapshot, uri, None)?;
    let old = recall(uri, &params.previous_result_id);
    let result_id = Some(remember(uri, &new));
    Some(match old {
        Some(old) => {
            let edits = difference(&old, &new).into_iter().collect();
            SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta { result_id, edits })
        }
        None => SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id, data: new }),
    })
}

fn remember(uri: &Url, data: &[SemanticToken]) -> String {
    let Ok(mut last) = LAST.lock() else { return String::new() };
    let number = last.get(uri).map_or(1, |(number, _)| number + 1);
    last.insert(uri.clone(), (number, data.to_vec()));
    number.to_string()
}

fn recall(uri: &Url, id: &str) -> Option<Vec<SemanticToken>> {
    let last = LAST.lock().ok()?;
    last.get(uri).filter(|(number, _)| number.to_string() == id).map(|(_, data)| data.clone())
}

/// The one stretch in which two lists differ.
fn difference(old: &[SemanticToken], new: &[SemanticToken]) -> Option<SemanticTokensEdit> {
    let same_front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same_front;
    let same_back =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let removed = old.len() - same_front - same_back;
    let inserted = &new[same_front..new.len() - same_back];
    if removed == 0 && inserted.is_empty() {
        return None;
    }
    // The protocol counts numbers, five per token.
    let numbers = |tokens: usize| u32::try_from(tokens * 5).unwrap_or(u32::MAX);
    Some(SemanticTokensEdit {
        start: numbers(same_front),
        delete_count: numbers(removed),
        data: Some(inserted.to_vec()),
    })
}

fn tokens(
    snapshot: &Snapshot,
    uri: &Url,
    within: Option<(u32, u32)>,
) -> Option<Vec<SemanticToken>> {
    let opened = Opened::find(snapshot, uri)?;
    let mut found = snapshot.analysis.semantic_tokens(opened.program, opened.file);
    if let Some((start, end)) = within {
        found.retain(|token| token.end > start && token.start < end);
    }
    Some(encode(&opened.lines, &found, snapshot.encoding))
}

/// Tokens relative to each other, as the protocol wants them.
fn encode(lines: &Lines, tokens: &[Token], encoding: ColumnEncoding) -> Vec<SemanticToken> {
    let (mut line, mut column) = (0, 0);
    let relative = |token: &Token| {
        let start = lines.place(token.start, encoding);
        let end = lines.place(token.end, encoding);
        let delta_line = start.line - line;
        let delta_start = if delta_line == 0 { start.column - column } else { start.column };
        (line, column) = (start.line, start.column);
        SemanticToken {
            delta_line,
            delta_start,
            length: end.column.saturating_sub(start.column),
            token_type: token.class as u32,
            token_modifiers_bitset: token.modifiers,
        }
    };
    tokens.iter().map(relative).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(kind: u32) -> SemanticToken {
        SemanticToken {
            delta_line: 0,
            delta_start: 1,
            length: 1,
            token_type: kind,
            token_modifiers_bitset: 0,
        }
    }

    #[test]
    fn a_delta_is_the_one_stretch_that_differs() {
        let old = [token(1), token(2), token(3)];
        let new = [token(1), token(9), token(9), token(3)];
        let edit = difference(&old, &new).unwrap();
        assert_eq!((edit.start, edit.delete_count), (5, 5));
        assert_eq!(edit.data.unwrap().len(), 2);
        assert!(difference(&old, &old).is_none());
    }
}
