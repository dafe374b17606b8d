//! What generated views are made of: the [`AstNode`] trait, child lookups and two macros.

use std::marker::PhantomData;

use crate::SyntaxKind;
use crate::tree::{SyntaxNode, SyntaxNodeChildren, SyntaxToken, TextRange};

/// A typed view of a node.
pub trait AstNode: Sized {
    fn can_cast(kind: SyntaxKind) -> bool;
    fn cast(node: SyntaxNode) -> Option<Self>;
    fn syntax(&self) -> &SyntaxNode;

    /// The range of the node: from its first to its last real token.
    fn range(&self) -> TextRange {
        self.syntax().text_range()
    }
}

/// The children of a node that have one type.
#[derive(Debug, Clone)]
pub struct AstChildren<N> {
    inner: SyntaxNodeChildren,
    marker: PhantomData<N>,
}

impl<N> AstChildren<N> {
    pub(crate) fn new(parent: &SyntaxNode) -> Self {
        AstChildren { inner: parent.children(), marker: PhantomData }
    }
}

impl<N: AstNode> Iterator for AstChildren<N> {
    type Item = N;

    fn next(&mut self) -> Option<N> {
        self.inner.find_map(N::cast)
    }
}

/// The first child of type `N`.
pub(crate) fn child<N: AstNode>(parent: &SyntaxNode) -> Option<N> {
    parent.children().find_map(N::cast)
}

/// The first token of the given kind directly below `parent`.
pub(crate) fn token(parent: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxToken> {
    tokens(parent).find(|it| it.kind() == kind)
}

/// All tokens directly below `parent`, trivia included.
pub(crate) fn tokens(parent: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    parent.children_with_tokens().filter_map(|it| it.into_token())
}

/// The first child of type `N` after the first token of kind `kind`.
pub(crate) fn child_after<N: AstNode>(parent: &SyntaxNode, kind: SyntaxKind) -> Option<N> {
    parent
        .children_with_tokens()
        .skip_while(|it| it.kind() != kind)
        .filter_map(|it| it.into_node())
        .find_map(N::cast)
}

/// The children of type `N` before the first token of kind `kind`.
pub(crate) fn children_before<N: AstNode>(
    parent: &SyntaxNode,
    kind: SyntaxKind,
) -> impl Iterator<Item = N> {
    parent
        .children_with_tokens()
        .take_while(move |it| it.kind() != kind)
        .filter_map(|it| it.into_node())
        .filter_map(N::cast)
}

macro_rules! ast_node {
    ($name:ident = $kind:ident { $($shape:ident $field:ident: $what:ident;)* }) => {
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name {
            pub(crate) syntax: $crate::SyntaxNode,
        }

        impl $crate::ast::AstNode for $name {
            fn can_cast(kind: $crate::SyntaxKind) -> bool {
                kind == $crate::SyntaxKind::$kind
            }

            fn cast(syntax: $crate::SyntaxNode) -> Option<Self> {
                Self::can_cast(syntax.kind()).then_some($name { syntax })
            }

            fn syntax(&self) -> &$crate::SyntaxNode {
                &self.syntax
            }
        }

        impl $name {
            $($crate::ast::support::accessor!($shape $field: $what);)*
        }
    };
}

macro_rules! accessor {
    (token $field:ident: $kind:ident) => {
        pub fn $field(&self) -> Option<$crate::SyntaxToken> {
            $crate::ast::support::token(&self.syntax, $crate::SyntaxKind::$kind)
        }
    };
    (one $field:ident: $node:ident) => {
        pub fn $field(&self) -> Option<$crate::ast::$node> {
            $crate::ast::support::child(&self.syntax)
        }
    };
    (many $field:ident: $node:ident) => {
        pub fn $field(&self) -> $crate::ast::AstChildren<$crate::ast::$node> {
            $crate::ast::AstChildren::new(&self.syntax)
        }
    };
}

macro_rules! ast_enum {
    ($name:ident { $($variant:ident,)* }) => {
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name {
            $($variant($crate::ast::$variant),)*
        }

        impl $crate::ast::AstNode for $name {
            fn can_cast(kind: $crate::SyntaxKind) -> bool {
                $(<$crate::ast::$variant as $crate::ast::AstNode>::can_cast(kind))||*
            }

            fn cast(syntax: $crate::SyntaxNode) -> Option<Self> {
                $(if <$crate::ast::$variant as $crate::ast::AstNode>::can_cast(syntax.kind()) {
                    return Some($name::$variant($crate::ast::$variant { syntax }));
                })*
                None
            }

            fn syntax(&self) -> &$crate::SyntaxNode {
                match self {
                    $($name::$variant(it) => &it.syntax,)*
                }
            }
        }

        $(impl From<$crate::ast::$variant> for $name {
            fn from(it: $crate::ast::$variant) -> $name {
                $name::$variant(it)
            }
        })*
    };
}

pub(crate) use {accessor, ast_enum, ast_node};
