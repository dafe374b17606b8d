//! What can be folded, and what a growing selection covers.

#![allow(clippy::wildcard_enum_match_arm, reason = "most kinds of nodes cannot be folded")]

use syntax::{NodeOrToken, SyntaxKind};

use crate::Analysis;
use crate::editor::answers::Fold;
use crate::types::FileId;

impl Analysis {
    /// Bodies, blocks, datatypes and runs of comments.
    pub fn folds(&self, file: FileId) -> Vec<Fold> {
        let root = self.root(self.source(file));
        let mut folds = Vec::new();
        let mut comment: Option<Fold> = None;
        for element in root.descendants_with_tokens() {
            match element {
                NodeOrToken::Node(node) => match node.kind() {
                    SyntaxKind::BODY
                    | SyntaxKind::BLOCK
                    | SyntaxKind::DATATYPE_DECL
                    | SyntaxKind::CODE_EXPR => {
                        let range = node.text_range();
                        folds.push(Fold {
                            start: range.start().into(),
                            end: range.end().into(),
                            comment: false,
                        });
                    }
                    _ => {}
                },
                NodeOrToken::Token(token) if token.kind().is_comment() => {
                    let range = token.text_range();
                    let (start, end) = (range.start().into(), range.end().into());
                    match &mut comment {
                        Some(open) => open.end = end,
                        None => comment = Some(Fold { start, end, comment: true }),
                    }
                }
                NodeOrToken::Token(token)
                    if token.kind() == SyntaxKind::WHITESPACE && one_line(token.text()) => {}
                NodeOrToken::Token(_) => folds.extend(comment.take()),
            }
        }
        folds.extend(comment);
        folds
    }

    /// The stretches around an offset, from the smallest to the whole file.
    pub fn selections(&self, file: FileId, offset: u32) -> Vec<(u32, u32)> {
        let root = self.root(self.source(file));
        if offset > root.text_range().end().into() {
            return Vec::new();
        }
        let Some(token) = root.token_at_offset(offset.into()).right_biased() else {
            return Vec::new();
        };
        let nodes = token.parent_ancestors().map(|node| node.text_range());
        let mut found: Vec<(u32, u32)> = std::iter::once(token.text_range())
            .chain(nodes)
            .map(|range| (range.start().into(), range.end().into()))
            .collect();
        found.dedup();
        found
    }
}

fn one_line(text: &str) -> bool {
    base::with_line_feeds(text).matches('\n').count() <= 1
}
