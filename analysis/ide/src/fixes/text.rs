//! Places and pieces of text that edits are made of.

use std::sync::Arc;

use hir::ProcSig;
use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

use crate::Analysis;
use crate::types::Location;

pub(super) fn token_at(analysis: &Analysis, at: Location) -> Option<SyntaxToken> {
    let root = analysis.root(analysis.source(at.file));
    (u32::from(root.text_range().end()) >= at.start)
        .then(|| root.token_at_offset(at.start.into()).right_biased())?
}

/// The signature of the declaration around a place, if it is a procedure or something like it.
pub(super) fn signature_around(
    analysis: &Analysis,
    program: base::Program,
    mut around: impl Iterator<Item = SyntaxNode>,
) -> Option<Arc<ProcSig>> {
    let name = around.find_map(ast::Item::cast)?.name()?;
    hir::proc_sig(&analysis.db, program, base::Name::new(name.text()))
}

pub(super) fn statement_at(analysis: &Analysis, at: Location) -> Option<SyntaxNode> {
    token_at(analysis, at)?.parent_ancestors().find(|node| ast::Stmt::can_cast(node.kind()))
}

pub(super) fn first_token(node: &SyntaxNode) -> Option<SyntaxToken> {
    let mut tokens = node.descendants_with_tokens().filter_map(|e| e.into_token());
    tokens.find(|token| !token.kind().is_trivia())
}

pub(super) fn last_token(node: &SyntaxNode) -> Option<SyntaxToken> {
    let tokens = node.descendants_with_tokens().filter_map(|e| e.into_token());
    tokens.filter(|token| !token.kind().is_trivia()).last()
}

pub(super) fn previous_keyword(name: &ast::Name) -> Option<SyntaxToken> {
    let first = name.ident_token()?;
    std::iter::successors(first.prev_token(), SyntaxToken::prev_token)
        .find(|token| token.kind().is_keyword())
}

pub(super) fn start(node: &SyntaxNode) -> u32 {
    first_token(node).map_or(node.text_range().start(), |token| token.text_range().start()).into()
}

pub(super) fn token_place(at: Location, token: &SyntaxToken) -> Location {
    Location {
        start: token.text_range().start().into(),
        end: token.text_range().end().into(),
        ..at
    }
}

pub(super) fn end_of(at: Location, node: &SyntaxNode) -> Location {
    let end =
        last_token(node).map_or(node.text_range().end(), |token| token.text_range().end()).into();
    Location { start: end, end, ..at }
}

pub(super) fn whole(at: Location, node: &SyntaxNode) -> Location {
    Location { start: start(node), end: end_of(at, node).end, ..at }
}

pub(super) fn trimmed(node: &SyntaxNode) -> String {
    node.text().to_string().trim().to_owned()
}

/// The white space before the first token of a node on its line.
pub(super) fn indentation(node: &SyntaxNode) -> String {
    let before = first_token(node).and_then(|token| token.prev_token());
    let text = before.filter(|t| t.kind() == SyntaxKind::WHITESPACE).map(|t| t.text().to_owned());
    text.and_then(|text| text.rsplit_once(['\n', '\r']).map(|(_, last)| last.to_owned()))
        .unwrap_or_default()
}
