//! Problems found while reading text: where, which rule, in which words.

use crate::tree::TextRange;

/// One problem of the text itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    /// Where; may be empty (then it is the place where something is missing).
    pub range: TextRange,
    /// Stable name of the rule.
    pub code: ErrorCode,
    /// What is wrong, in words; under 80 characters, no full stop.
    pub message: String,
}

/// The rules a text can break. `SyntaxError` is the general "this cannot be read".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorCode {
    SyntaxError,
}

impl ErrorCode {
    /// The stable kebab-case name.
    pub const fn as_str(self) -> &'static str {
        match self {
            ErrorCode::SyntaxError => "syntax-error",
        }
    }
}
