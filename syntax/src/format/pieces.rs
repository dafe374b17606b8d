//! What a text consists of, white space aside, with the facts the formatter needs of each piece.
//!
//! **In:** a parse and, for a part of a file, a range. **Out:** tokens, comments and preprocessor
//! lines in order. Pieces of declarations that cannot be read, or were not asked for, are frozen.

use crate::ast::{self, AstNode as _};
use crate::tree::{NodeOrToken, SyntaxNode, SyntaxToken, TextRange, WalkEvent};
use crate::{ErrorCode, Parse, SyntaxKind, SyntaxKind::*};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Token,
    LineComment,
    BlockComment,
    Pragma,
    /// The byte order mark at the start of a file.
    Bom,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bracket {
    None,
    /// A brace around statements or declarations.
    OpenBlock,
    CloseBlock,
    /// A brace around one expression: lines in it are not continuations.
    OpenLines,
    /// Parentheses, square brackets, attributes.
    Open,
    Close,
}

impl Bracket {
    pub(super) fn closes(self) -> bool {
        matches!(self, Bracket::CloseBlock | Bracket::Close)
    }
}

#[derive(Debug)]
pub(super) struct Piece {
    pub(super) range: TextRange,
    pub(super) role: Role,
    pub(super) kind: SyntaxKind,
    /// The node the token stands in.
    pub(super) parent: SyntaxKind,
    pub(super) bracket: Bracket,
    pub(super) starts_item: bool,
    /// Starts a declaration, clause, statement or block: no continuation of the line before.
    pub(super) starts_part: bool,
    /// White space around this piece stays.
    pub(super) is_frozen: bool,
}

pub(super) fn pieces(parse: &Parse, range: Option<TextRange>) -> Vec<Piece> {
    let root = parse.syntax_node();
    let mut out = Vec::new();
    for element in root.children_with_tokens() {
        match element {
            NodeOrToken::Token(it) => {
                let frozen = range.is_some() || it.kind() == ERROR_TOKEN;
                out.extend(
                    piece(&it, SOURCE_FILE, false).map(|it| Piece { is_frozen: frozen, ..it }),
                );
            }
            NodeOrToken::Node(node) => {
                let asked = range.is_none_or(|it| node.text_range().intersect(it).is_some());
                let frozen = !asked || !is_readable(parse, &node);
                declaration(&node, frozen, &mut out);
            }
        }
    }
    out
}

/// Whether the tree of a declaration can be trusted.
fn is_readable(parse: &Parse, node: &SyntaxNode) -> bool {
    let range = node.text_range();
    let broken = parse.errors().iter().any(|it| {
        let distrust = matches!(
            it.code,
            ErrorCode::SyntaxError
                | ErrorCode::UnexpectedCharacter
                | ErrorCode::UnterminatedComment
                | ErrorCode::UnterminatedString
                | ErrorCode::NestingTooDeep
                | ErrorCode::BitvectorBounds
        );
        distrust && range.intersect(it.range).is_some()
    });
    ast::Item::can_cast(node.kind()) && !broken
}

fn declaration(node: &SyntaxNode, frozen: bool, out: &mut Vec<Piece>) {
    let mut parents: Vec<SyntaxKind> = Vec::new();
    let mut starts_item = true;
    let mut starts_part = true;
    for event in node.preorder_with_tokens() {
        match event {
            WalkEvent::Enter(NodeOrToken::Node(it)) => {
                starts_part |= is_part(it.kind());
                parents.push(it.kind());
            }
            WalkEvent::Leave(NodeOrToken::Node(_)) => {
                parents.pop();
            }
            WalkEvent::Enter(NodeOrToken::Token(token)) => {
                let parent = parents.last().copied().unwrap_or(SOURCE_FILE);
                let Some(piece) = piece(&token, parent, frozen) else { continue };
                let real = piece.role == Role::Token;
                out.push(Piece {
                    starts_item: real && starts_item,
                    starts_part: real && starts_part,
                    ..piece
                });
                if real {
                    starts_item = false;
                    starts_part = false;
                }
            }
            WalkEvent::Leave(NodeOrToken::Token(_)) => {}
        }
    }
}

/// Nodes that start at the indentation of what they belong to.
fn is_part(kind: SyntaxKind) -> bool {
    ast::Stmt::can_cast(kind)
        || ast::SpecClause::can_cast(kind)
        || matches!(
            kind,
            AXIOM_DECL
                | LOCAL_VAR_DECL
                | LOOP_INVARIANT
                | BODY
                | BLOCK
                | ELSE_BRANCH
                | RETURNS
                | FUNCTION_BODY
                | USES_CLAUSE
                | CONSTRUCTOR
        )
}

fn piece(token: &SyntaxToken, parent: SyntaxKind, is_frozen: bool) -> Option<Piece> {
    let role = match token.kind() {
        WHITESPACE if token.text().starts_with('\u{feff}') => Role::Bom,
        WHITESPACE => return None,
        LINE_COMMENT => Role::LineComment,
        BLOCK_COMMENT => Role::BlockComment,
        PRAGMA => Role::Pragma,
        _ => Role::Token,
    };
    Some(Piece {
        range: token.text_range(),
        role,
        kind: token.kind(),
        parent,
        bracket: bracket(token.kind(), parent),
        starts_item: false,
        starts_part: false,
        is_frozen,
    })
}

fn bracket(kind: SyntaxKind, parent: SyntaxKind) -> Bracket {
    let block = matches!(parent, BODY | BLOCK | DATATYPE_DECL | USES_CLAUSE | CODE_EXPR);
    match kind {
        T!['{'] | T!["|{"] if block => Bracket::OpenBlock,
        T!['}'] | T!["}|"] if block => Bracket::CloseBlock,
        T!['{'] if parent == FUNCTION_BODY => Bracket::OpenLines,
        T!['}'] if parent == FUNCTION_BODY => Bracket::CloseBlock,
        T!['('] | T!['['] | T!['{'] => Bracket::Open,
        T![')'] | T![']'] | T!['}'] => Bracket::Close,
        _ => Bracket::None,
    }
}
