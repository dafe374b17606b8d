//! Places in a program that hold no text offset.
//!
//! A place inside a declaration counts nodes of its syntax tree in preorder. Comments and white
//! space are not nodes, so the count is the same in the tree with them and in the tree without.
//! `hir::place_range` turns a place into a range of the current revision.

use crate::{DeclId, FileRange, SourceFile};

/// The n-th token anywhere below a node, not counting comments and white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenPick(pub u32);

/// A node of a declaration's tree, or one of its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodePtr {
    /// Preorder index among the nodes of the declaration's tree; the declaration itself is 0.
    pub node: u32,
    /// If set, the place is this token of the node rather than the whole node.
    pub token: Option<TokenPick>,
}

impl NodePtr {
    /// The whole declaration.
    pub const ROOT: NodePtr = NodePtr { node: 0, token: None };

    /// The whole node.
    pub fn node(node: u32) -> NodePtr {
        NodePtr { node, token: None }
    }

    /// The same node, as a whole.
    pub fn whole(self) -> NodePtr {
        NodePtr { token: None, ..self }
    }
}

/// Where something is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A node or token inside a declaration.
    Node {
        /// The declaration whose tree is counted.
        decl: DeclId,
        /// The node or token.
        ptr: NodePtr,
    },
    /// A stretch of the text itself. For syntax problems only: it does not survive edits.
    Range(FileRange),
    /// The file, at no particular place.
    File(SourceFile),
}

impl Place {
    /// The place `ptr` in the tree of `decl`.
    pub fn new(decl: DeclId, ptr: NodePtr) -> Place {
        Place::Node { decl, ptr }
    }

    /// The declaration the place is in, if it is in one.
    pub fn decl(self) -> Option<DeclId> {
        match self {
            Place::Node { decl, .. } => Some(decl),
            Place::Range(_) | Place::File(_) => None,
        }
    }
}
