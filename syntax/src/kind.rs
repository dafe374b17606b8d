//! Kinds of tokens and nodes, and `T![..]` to name token kinds by their text.
//!
//! **In:** nothing; the list is generated from `civl.ungram` and the token tables.
//! **Out:** [`SyntaxKind`] with its small classifications.

#[macro_use]
#[rustfmt::skip]
#[allow(clippy::too_many_lines, reason = "generated tables")]
mod generated;

pub(crate) use generated::ALL;
pub use generated::SyntaxKind;

use SyntaxKind::{BLOCK_COMMENT, ERROR_TOKEN, LINE_COMMENT, PRAGMA, WHITESPACE};

impl SyntaxKind {
    /// White space, comments and preprocessor lines: tokens the grammar never sees.
    pub const fn is_trivia(self) -> bool {
        matches!(self, WHITESPACE | LINE_COMMENT | BLOCK_COMMENT | PRAGMA)
    }

    /// Line and block comments.
    pub const fn is_comment(self) -> bool {
        matches!(self, LINE_COMMENT | BLOCK_COMMENT)
    }

    /// Words reserved by the language, soft ones included.
    pub const fn is_keyword(self) -> bool {
        self as u16 >= SyntaxKind::ATOMIC_KW as u16 && self as u16 <= SyntaxKind::LAMBDA_KW as u16
    }

    /// Keywords that may also be used as names.
    pub const fn is_soft_keyword(self) -> bool {
        self as u16 >= SyntaxKind::ATOMIC_KW as u16 && self as u16 <= SyntaxKind::POP_KW as u16
    }

    /// Whether this is a kind of token (and not of a node).
    pub const fn is_token(self) -> bool {
        self as u16 <= ERROR_TOKEN as u16
    }

    /// The kind with number `raw`, if there is one.
    pub(crate) fn from_raw(raw: u16) -> Option<SyntaxKind> {
        ALL.get(usize::from(raw)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_kinds_lead_back_to_them() {
        for (i, &kind) in ALL.iter().enumerate() {
            assert_eq!(kind as usize, i);
            assert_eq!(SyntaxKind::from_raw(kind as u16), Some(kind));
        }
    }

    #[test]
    fn soft_keywords_are_the_eight_of_the_language() {
        let soft: Vec<_> =
            ALL.iter().filter(|it| it.is_soft_keyword()).filter_map(|it| it.fixed_text()).collect();
        assert_eq!(soft, ["atomic", "both", "left", "right", "reveal", "hide", "push", "pop"]);
    }
}
