//! Places in a declaration that survive edits of white space and comments.
//!
//! **In:** a node or token of the tree of one declaration, or of its [`shape`](crate::shape).
//! **Out:** a [`NodePtr`]: numbers only. The same pointer leads to the same place in the real tree
//! and in the shape, because both have the same nodes in the same order.
//!
//! # Invariants
//! - A pointer holds no text range and no tree.

use std::collections::HashMap;

use crate::tree::{SyntaxElement, SyntaxNode, SyntaxToken, TextRange};

/// A node of a declaration, or one of the tokens below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodePtr {
    /// Number of the node in preorder; the root of the declaration has number 0.
    pub node: u32,
    /// The token meant, if it is not the whole node.
    pub token: Option<TokenPick>,
}

/// A token anywhere below a node: its number among those that are not trivia.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenPick(pub u32);

impl NodePtr {
    /// The declaration itself.
    pub const ROOT: NodePtr = NodePtr { node: 0, token: None };

    /// A pointer to `node`, which lies below `root`. Walks the tree: use [`NodeNumbers`] for many.
    pub fn of_node(root: &SyntaxNode, node: &SyntaxNode) -> Option<NodePtr> {
        let number = root.descendants().position(|it| it == *node)?;
        Some(NodePtr { node: number as u32, token: None })
    }

    /// A pointer to `token`, which lies below `root`.
    pub fn of_token(root: &SyntaxNode, token: &SyntaxToken) -> Option<NodePtr> {
        let parent = token.parent()?;
        Some(NodePtr { token: pick(token), ..NodePtr::of_node(root, &parent)? })
    }

    /// The node pointed to (the one around the token, if a token is meant).
    pub fn node(self, root: &SyntaxNode) -> Option<SyntaxNode> {
        root.descendants().nth(self.node as usize)
    }

    /// The node or token pointed to.
    pub fn resolve(self, root: &SyntaxNode) -> Option<SyntaxElement> {
        let node = self.node(root)?;
        match self.token {
            None => Some(node.into()),
            Some(TokenPick(n)) => real_tokens(&node).nth(n as usize).map(Into::into),
        }
    }

    /// Where that is, in the text of the tree of `root`. A token that is not there any more means
    /// the node, a node that is not there any more means the root.
    pub fn range(self, root: &SyntaxNode) -> TextRange {
        let found = self.resolve(root).map(|it| it.text_range());
        let node = || self.node(root).map(|it| it.text_range());
        found.or_else(node).unwrap_or_else(|| root.text_range())
    }
}

/// The numbers of all nodes of a declaration, for making many pointers.
#[derive(Debug, Clone)]
pub struct NodeNumbers {
    numbers: HashMap<SyntaxNode, u32>,
}

impl NodeNumbers {
    pub fn new(root: &SyntaxNode) -> NodeNumbers {
        let numbers = root.descendants().enumerate().map(|(i, it)| (it, i as u32)).collect();
        NodeNumbers { numbers }
    }

    /// A pointer to a node; the root for a node of another tree.
    pub fn node(&self, node: &SyntaxNode) -> NodePtr {
        let node = self.numbers.get(node).copied().unwrap_or_default();
        NodePtr { node, token: None }
    }

    /// A pointer to a token; the root for a token of another tree.
    pub fn token(&self, token: &SyntaxToken) -> NodePtr {
        match token.parent() {
            Some(parent) if self.numbers.contains_key(&parent) => {
                NodePtr { token: pick(token), ..self.node(&parent) }
            }
            _ => NodePtr::ROOT,
        }
    }
}

fn pick(token: &SyntaxToken) -> Option<TokenPick> {
    let parent = token.parent()?;
    let n = real_tokens(&parent).position(|it| it == *token)?;
    Some(TokenPick(n as u32))
}

fn real_tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    let elements = node.descendants_with_tokens();
    elements.filter_map(|it| it.into_token()).filter(|it| !it.kind().is_trivia())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::AstNode as _;

    const TEXT: &str = "\
// a comment
yield procedure {:layer 1} p(x: /* here */ int, {:linear} y: One T)
requires {:layer 1} x > 0; // why
{
  var i: int;
  // loop
  while (i < x) { i := i + 1; call q(i) | r(); }
}
";

    fn declaration(text: &str) -> SyntaxNode {
        crate::parse(text).tree().items().next().unwrap().syntax().clone()
    }

    #[test]
    fn a_shape_has_no_trivia_and_does_not_change_with_it() {
        let other = TEXT.replace("// why", "").replace("  ", " \n ").replace("/* here */", "");
        let shape = crate::shape(&declaration(TEXT));
        assert_eq!(shape, crate::shape(&declaration(&other)));
        let root = SyntaxNode::new_root(shape);
        let tokens = root.descendants_with_tokens().filter_map(|it| it.into_token());
        assert!(tokens.into_iter().all(|it| !it.kind().is_trivia()));
    }

    #[test]
    fn pointers_lead_to_the_same_place_in_shape_and_tree() {
        let real = declaration(TEXT);
        let shape = SyntaxNode::new_root(crate::shape(&real));
        let numbers = NodeNumbers::new(&shape);
        let same = |ptr: NodePtr, element: SyntaxElement| {
            let there = ptr.resolve(&real).unwrap();
            assert_eq!(there.kind(), element.kind());
            assert_eq!(ptr.range(&real), there.text_range());
            match (there, element) {
                (rowan::NodeOrToken::Token(a), rowan::NodeOrToken::Token(b)) => {
                    assert_eq!(a.text(), b.text());
                }
                (a, b) => assert_eq!(a.kind(), b.kind()),
            }
        };
        for element in shape.descendants_with_tokens() {
            let ptr = match &element {
                rowan::NodeOrToken::Node(it) => {
                    assert_eq!(NodePtr::of_node(&shape, it), Some(numbers.node(it)));
                    numbers.node(it)
                }
                rowan::NodeOrToken::Token(it) => {
                    assert_eq!(NodePtr::of_token(&shape, it), Some(numbers.token(it)));
                    numbers.token(it)
                }
            };
            same(ptr, element);
        }
    }

    #[test]
    fn a_stale_pointer_means_the_whole_declaration() {
        let real = declaration(TEXT);
        let ptr = NodePtr { node: 100_000, token: None };
        assert_eq!(ptr.range(&real), real.text_range());
    }
}
