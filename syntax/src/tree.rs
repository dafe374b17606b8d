//! The lossless tree: the only file that names rowan's types.
//!
//! **In:** kinds and texts of tokens, in order.
//! **Out:** immutable green trees ([`GreenNode`], `Send + Sync + Eq`) and cursors into them
//! ([`SyntaxNode`], made on demand, cheap to clone, not `Send`).

use crate::SyntaxKind;

pub use rowan::{Direction, GreenNode, GreenToken, NodeOrToken, TextRange, TextSize, WalkEvent};

/// Names our language towards rowan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CivlLanguage {}

impl rowan::Language for CivlLanguage {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::from_raw(raw.0).unwrap_or(SyntaxKind::ERROR)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        raw(kind)
    }
}

pub(crate) const fn raw(kind: SyntaxKind) -> rowan::SyntaxKind {
    rowan::SyntaxKind(kind as u16)
}

pub type SyntaxNode = rowan::SyntaxNode<CivlLanguage>;
pub type SyntaxToken = rowan::SyntaxToken<CivlLanguage>;
pub type SyntaxElement = rowan::SyntaxElement<CivlLanguage>;
pub type SyntaxNodeChildren = rowan::SyntaxNodeChildren<CivlLanguage>;
pub type TokenAtOffset = rowan::TokenAtOffset<SyntaxToken>;
