//! What stands between two pieces of one line.

use super::pieces::{Piece, Role};
use crate::lexer::tokenize;
use crate::{SyntaxKind, SyntaxKind::*};

/// The white space between two neighbours on one line; `old` is what the author wrote.
pub(super) fn between(text: &str, before: &Piece, after: &Piece, old: &str) -> String {
    if after.role == Role::LineComment {
        // Comments behind lines may be aligned with each other.
        let aligned = old.bytes().all(|it| it == b' ') && !old.is_empty();
        return if aligned { old.to_owned() } else { " ".to_owned() };
    }
    if before.role != Role::Token || after.role != Role::Token {
        let keep = old.is_empty();
        return if keep { String::new() } else { " ".to_owned() };
    }
    let apart = wants_space(before, after) && !is_layer_list(text, before, after)
        || merges(&text[before.range], &text[after.range]);
    if apart { " ".to_owned() } else { String::new() }
}

/// `{:layer 0,2}`: the numbers of an attribute stand together, as everybody writes them.
fn is_layer_list(text: &str, before: &Piece, after: &Piece) -> bool {
    let earlier = text[..usize::from(before.range.start())].trim_end();
    before.kind == T![,]
        && before.parent == ATTRIBUTE
        && after.kind == INT_NUMBER
        && earlier.ends_with(|it: char| it.is_ascii_digit())
}

fn wants_space(before: &Piece, after: &Piece) -> bool {
    let inner_brace = |parent: SyntaxKind| !matches!(parent, ATTRIBUTE | TRIGGER);
    match (before.kind, after.kind) {
        (_, T![,] | T![;] | T![')'] | T![']']) => false,
        (T!['('] | T!['['], _) => false,
        (T!['{'], _) => inner_brace(before.parent),
        (_, T!['}']) => inner_brace(after.parent),
        (T![->], _) | (_, T![->]) => false,
        (_, T![:]) => false,
        (T![:], _) => !matches!(before.parent, ATTRIBUTE | EXTRACT_EXPR),
        (T![-] | T![!], _) if before.parent == UNARY_EXPR => false,
        (T![']'], _) if before.parent == MAP_DOMAIN => false,
        (T![<], _) if before.parent == TYPE_PARAMS => false,
        (_, T![>]) if after.parent == TYPE_PARAMS => false,
        (_, T![<]) if after.parent == TYPE_PARAMS => before.parent != NAME,
        (T![>], T!['(']) => before.parent != TYPE_PARAMS,
        (_, T!['(']) => !opens_directly(before, after),
        (_, T!['[']) => after.parent == MAP_DOMAIN && before.parent != TYPE_PARAMS,
        _ => true,
    }
}

/// Whether `(` belongs to the word before it.
fn opens_directly(before: &Piece, after: &Piece) -> bool {
    let belongs = matches!(
        after.parent,
        ARG_LIST | PARAM_LIST | FUNCTION_PARAM_LIST | UNPACK_VARS | OLD_EXPR | CONVERT_EXPR
    );
    belongs && before.kind != T![returns]
}

/// Whether two tokens without a space would be read as something else.
fn merges(before: &str, after: &str) -> bool {
    let joined = [before, after].concat();
    let tokens = tokenize(&joined);
    tokens.kinds.len() != 2 || tokens.starts[1] as usize != before.len()
}
