//! Text of the CIVL dialect of Boogie -> lossless tree -> typed view.
//!
//! **In:** any text. **Out:** a [`Parse`]: a tree whose text is the input, byte for byte, and the
//! problems found on the way.
//!
//! # Promises
//! - Parsing never fails, never loops, never overflows the stack.
//! - The tree is a value: two parses are equal if and only if tree and problems are.
//! - Nothing here knows what a name means.

pub mod ast;
#[cfg(test)]
mod codegen;
mod error;
mod kind;
mod tree;

pub use error::{ErrorCode, SyntaxError};
pub use kind::SyntaxKind;
pub use tree::{
    CivlLanguage, Direction, GreenNode, GreenToken, NodeOrToken, SyntaxElement, SyntaxNode,
    SyntaxNodeChildren, SyntaxToken, TextRange, TextSize, TokenAtOffset, WalkEvent,
};

use std::sync::Arc;

/// A parsed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parse {
    green: GreenNode,
    errors: Arc<[SyntaxError]>,
}

impl Parse {
    /// The typed root.
    pub fn tree(&self) -> ast::SourceFile {
        ast::SourceFile { syntax: self.syntax_node() }
    }

    /// The untyped root.
    pub fn syntax_node(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// The tree as a value.
    pub fn green(&self) -> &GreenNode {
        &self.green
    }

    /// Problems, in order of position.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }
}

/// Reads a whole file.
pub fn parse(text: &str) -> Parse {
    let token = GreenToken::new(tree::raw(SyntaxKind::ERROR_TOKEN), text);
    let green = GreenNode::new(tree::raw(SyntaxKind::SOURCE_FILE), [NodeOrToken::Token(token)]);
    Parse { green, errors: Arc::from([]) }
}
