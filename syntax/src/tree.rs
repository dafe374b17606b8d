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

type GreenElement = NodeOrToken<GreenNode, GreenToken>;

/// Builds green trees bottom up.
///
/// Equal tokens are shared as far as a small table remembers them; nodes are not, because looking
/// for equal nodes costs more time than it saves memory here.
#[derive(Debug)]
pub(crate) struct TreeBuilder {
    remembered: Vec<Option<GreenToken>>,
    open: Vec<(SyntaxKind, usize)>,
    children: Vec<GreenElement>,
}

const REMEMBERED: usize = 4096;
const LONGEST_REMEMBERED: usize = 32;

impl Default for TreeBuilder {
    fn default() -> Self {
        TreeBuilder { remembered: vec![None; REMEMBERED], open: Vec::new(), children: Vec::new() }
    }
}

impl TreeBuilder {
    pub(crate) fn open(&mut self, kind: SyntaxKind) {
        self.open.push((kind, self.children.len()));
    }

    pub(crate) fn token(&mut self, kind: SyntaxKind, text: &str) {
        let token = self.shared_token(kind, text);
        self.children.push(NodeOrToken::Token(token));
    }

    /// Closes the innermost open node; without one nothing happens.
    pub(crate) fn close(&mut self) {
        if let Some((kind, first)) = self.open.pop() {
            let node = GreenNode::new(raw(kind), self.children.drain(first..));
            self.children.push(NodeOrToken::Node(node));
        }
    }

    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(crate) fn root_is(&self, kind: SyntaxKind) -> bool {
        self.open.first().is_some_and(|it| it.0 == kind)
    }

    /// The only node that was built at top level; anything else is wrapped into a file.
    pub(crate) fn finish(mut self) -> GreenNode {
        while !self.open.is_empty() {
            self.close();
        }
        match self.children.pop() {
            Some(NodeOrToken::Node(node)) if self.children.is_empty() => node,
            last => {
                self.children.extend(last);
                GreenNode::new(raw(SyntaxKind::SOURCE_FILE), self.children)
            }
        }
    }

    fn shared_token(&mut self, kind: SyntaxKind, text: &str) -> GreenToken {
        if text.len() > LONGEST_REMEMBERED {
            return GreenToken::new(raw(kind), text);
        }
        let slot = &mut self.remembered[slot(kind, text)];
        match slot {
            Some(token) if token.kind() == raw(kind) && token.text() == text => token.clone(),
            _ => slot.insert(GreenToken::new(raw(kind), text)).clone(),
        }
    }
}

fn slot(kind: SyntaxKind, text: &str) -> usize {
    let mut hash = u64::from(kind as u16) ^ 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash >> 20) as usize % REMEMBERED
}

/// A copy of a tree without trivia. Nodes keep their order, so the number of a node in preorder is
/// the same in both trees.
pub fn shape(node: &SyntaxNode) -> GreenNode {
    shape_of(node.green())
}

fn shape_of(green: &rowan::GreenNodeData) -> GreenNode {
    let children: Vec<GreenElement> = green
        .children()
        .filter_map(|child| match child {
            NodeOrToken::Node(it) => Some(NodeOrToken::Node(shape_of(it))),
            NodeOrToken::Token(it) => {
                let kind = SyntaxKind::from_raw(it.kind().0);
                let keep = !kind.is_some_and(SyntaxKind::is_trivia);
                keep.then(|| NodeOrToken::Token(it.to_owned()))
            }
        })
        .collect();
    GreenNode::new(green.kind(), children)
}
