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
    /// The other half of the problem, and what is to be seen there.
    pub other: Option<(TextRange, &'static str)>,
    /// What to do about it, in words.
    pub help: &'static str,
}

impl SyntaxError {
    /// Problems are listed in this order.
    pub(crate) fn sort_key(&self) -> (u32, u32, ErrorCode, &str) {
        (self.range.start().into(), self.range.end().into(), self.code, &self.message)
    }

    /// The same problem with all its places moved by `change`.
    pub(crate) fn moved(mut self, change: impl Fn(TextRange) -> TextRange) -> SyntaxError {
        self.range = change(self.range);
        self.other = self.other.map(|(range, text)| (change(range), text));
        self
    }
}

macro_rules! error_codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// The rules a text can break.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ErrorCode {
            $($(#[$doc])* $variant,)*
        }

        impl ErrorCode {
            /// Every code, in order of declaration.
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$variant,)*];

            /// The stable kebab-case name.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(ErrorCode::$variant => $name,)*
                }
            }
        }
    };
}

error_codes! {
    /// Something else was expected here.
    SyntaxError = "syntax-error",
    /// A byte that no token starts with.
    UnexpectedCharacter = "unexpected-character",
    /// `/*` without its `*/`.
    UnterminatedComment = "unterminated-comment",
    /// `"` without its partner on the same line.
    UnterminatedString = "unterminated-string",
    /// `#if` and other lines for a preprocessor.
    PreprocessorLine = "preprocessor-line",
    /// Brackets, blocks or operators nested deeper than is read.
    NestingTooDeep = "nesting-too-deep",
    /// `where` on a bound variable, constructor field or parameter of an implementation.
    WhereNotAllowed = "where-not-allowed",
    /// A function parameter that is neither a type nor a name with a type.
    FunctionParameter = "function-parameter",
    /// A function with type parameters and `{:define}`.
    DefinePolymorphic = "define-polymorphic",
    /// Two constructors of one datatype with the same name.
    DuplicateConstructor = "duplicate-constructor",
    /// A mover keyword on a `pure action`.
    MoverOnPureAction = "mover-on-pure-action",
    /// More than one `refines`.
    DuplicateRefines = "duplicate-refines",
    /// A parallel, `async` or `free` call where only a plain one may stand.
    CallForm = "call-form",
    /// `==>` beside `<==`, or `&&` beside `||`, without parentheses.
    MixedOperators = "mixed-operators",
    /// `a < b < c`.
    ComparisonChain = "comparison-chain",
    /// Bounds of a bit-vector extraction that are no numbers, or stand in the wrong place.
    BitvectorBounds = "bitvector-bounds",
    /// A trigger on a lambda, or where only attributes may stand.
    TriggerNotAllowed = "trigger-not-allowed",
    /// A quantifier, lambda or let without its parentheses.
    MissingParentheses = "missing-parentheses",
    /// `{:nopats}` without an expression.
    NopatsArgument = "nopats-argument",
    /// A code expression whose blocks are not `label: statements goto or return`.
    CodeExpressionBlock = "code-expression-block",
    /// A clause that this kind of declaration cannot have.
    ClauseNotAllowed = "clause-not-allowed",
    /// A number no machine word can count.
    NumberTooLarge = "number-too-large",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_names_are_kebab_case_and_distinct() {
        let mut names: Vec<_> = ErrorCode::ALL.iter().map(|it| it.as_str()).collect();
        assert!(names.iter().all(|it| it.bytes().all(|b| b == b'-' || b.is_ascii_lowercase())));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ErrorCode::ALL.len());
    }
}
