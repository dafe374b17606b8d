//! The typed view of the tree.
//!
//! **In:** untyped nodes. **Out:** one struct per rule of `civl.ungram`, one enum per choice;
//! every accessor returns an `Option` or an iterator because a tree may be incomplete.
//!
//! # Invariants
//! - A view is a node and nothing else: casting costs no allocation, views are values.
//! - The view works the same on real trees and on shapes (trees without trivia).

mod exprs;
#[rustfmt::skip]
mod generated;
mod items;
mod stmts;
mod support;
mod tokens;

pub use exprs::{ArithOp, BinaryOp, CompareOp, LiteralKind, LogicOp, QuantKind, UnaryOp};
pub use generated::*;
pub use items::{FunctionParamView, HasAttributes, HasName, HasSpecs, MoverKind};
pub use support::{AstChildren, AstNode};
pub use tokens::{ident_text, string_text};

use crate::{SyntaxKind, SyntaxNode};

/// Whether the first real token directly below `node` has the given kind.
pub(crate) fn first_token_is(node: &SyntaxNode, kind: SyntaxKind) -> bool {
    support::tokens(node).find(|it| !it.kind().is_trivia()).is_some_and(|it| it.kind() == kind)
}

#[cfg(test)]
mod tests;
