//! Text -> tokens.
//!
//! **In:** any text. **Out:** tokens that cover every byte of it, in order, and the problems that
//! show in single tokens.
//!
//! The rules are those of the language: the longest match wins; `}|` and `|{` are single tokens;
//! `.`, `#`, `'`, `?`, `~`, `$`, `^`, `_` and the back quote are letters; comments nest. A line ends at
//! LF, at CR LF and at a CR alone, as in editors and in the reference: what ends a line comment, a
//! string or a preprocessor line is what begins a line for everyone who counts lines.
//!
//! # Invariants
//! - Tokens are never empty, and their lengths add up to the length of the text.
//! - What a token is depends on its own line start and its own text only, so a declaration can be
//!   lexed alone.

use crate::error::ErrorCode;
use crate::{SyntaxKind, SyntaxKind::*};

mod numbers;

/// All tokens of a text: kinds and where they start; one more start marks the end.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    pub(crate) kinds: Vec<SyntaxKind>,
    pub(crate) starts: Vec<u32>,
    pub(crate) errors: Vec<LexError>,
}

/// A problem of the token with the given index.
#[derive(Debug)]
pub(crate) struct LexError {
    pub(crate) token: usize,
    pub(crate) code: ErrorCode,
    pub(crate) message: &'static str,
    pub(crate) help: &'static str,
}

impl Tokens {
    pub(crate) fn text<'t>(&self, text: &'t str, token: usize) -> &'t str {
        &text[self.starts[token] as usize..self.starts[token + 1] as usize]
    }
}

/// Cuts a text into tokens.
pub(crate) fn tokenize(text: &str) -> Tokens {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), pos: 0, out: Tokens::default() };
    lexer.out.kinds.reserve(text.len() / 3);
    lexer.out.starts.reserve(text.len() / 3 + 1);
    if text.starts_with('\u{feff}') {
        lexer.push(WHITESPACE, '\u{feff}'.len_utf8());
    }
    while lexer.pos < lexer.bytes.len() {
        let (kind, len) = lexer.next();
        lexer.push(kind, len);
    }
    lexer.out.starts.push(lexer.pos as u32);
    lexer.out
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pos: usize,
    out: Tokens,
}

impl Lexer<'_> {
    fn push(&mut self, kind: SyntaxKind, len: usize) {
        self.out.kinds.push(kind);
        self.out.starts.push(self.pos as u32);
        self.pos += len.max(1);
    }

    fn error(&mut self, code: ErrorCode, message: &'static str, help: &'static str) {
        self.out.errors.push(LexError { token: self.out.kinds.len(), code, message, help });
    }

    /// The text not yet cut.
    fn rest(&self) -> &[u8] {
        &self.bytes[self.pos..]
    }

    fn next(&mut self) -> (SyntaxKind, usize) {
        let rest = self.rest();
        match rest[0] {
            b' ' | b'\t' | b'\r' | b'\n' => (WHITESPACE, run(rest, is_space)),
            b'/' if rest.get(1) == Some(&b'/') => (LINE_COMMENT, line_end(rest)),
            b'/' if rest.get(1) == Some(&b'*') => self.block_comment(),
            b'#' if self.is_preprocessor_line() => self.pragma(),
            b'"' => self.string(),
            b'0'..=b'9' => numbers::number(rest),
            b'-' => match numbers::hex_float(rest) {
                Some(len) => (FLOAT_NUMBER, len),
                None => punctuation(rest),
            },
            b'\\' if rest.get(1).is_some_and(|it| is_letter(*it)) => {
                (IDENT, 1 + run(&rest[1..], is_ident))
            }
            byte if is_letter(byte) => word(rest),
            byte if byte.is_ascii_punctuation() => self.punctuation(),
            _ => self.other(),
        }
    }

    fn punctuation(&mut self) -> (SyntaxKind, usize) {
        match punctuation(self.rest()) {
            (ERROR_TOKEN, _) => self.other(),
            token => token,
        }
    }

    fn block_comment(&mut self) -> (SyntaxKind, usize) {
        let rest = self.rest();
        let mut depth = 0usize;
        let mut i = 0;
        while i + 1 < rest.len() {
            match (rest[i], rest[i + 1]) {
                (b'/', b'*') => {
                    depth += 1;
                    i += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    i += 2;
                    if depth == 0 {
                        return (BLOCK_COMMENT, i);
                    }
                }
                _ => i += 1,
            }
        }
        let len = rest.len();
        let help = "write `*/` where it ends; comments nest, so each `/*` inside needs its own";
        self.error(ErrorCode::UnterminatedComment, "this comment is never closed", help);
        (BLOCK_COMMENT, len)
    }

    /// A string ends at its line at the latest; only `\"` is an escape.
    fn string(&mut self) -> (SyntaxKind, usize) {
        let rest = self.rest();
        let mut i = 1;
        while i < rest.len() {
            match rest[i] {
                b'"' => return (STRING, i + 1),
                b'\\' if rest.get(i + 1) == Some(&b'"') => i += 2,
                byte if is_line_end(byte) => break,
                _ => i += 1,
            }
        }
        let help = "write `\"` where it ends, on the same line; inside it, a quote is `\\\"`";
        self.error(ErrorCode::UnterminatedString, "this string is never closed", help);
        (STRING, i)
    }

    /// `#` in the first column, or a conditional with only blanks before it.
    fn is_preprocessor_line(&self) -> bool {
        let before = &self.bytes[..self.pos];
        let blanks = before.iter().rev().take_while(|it| matches!(it, b' ' | b'\t')).count();
        let line_start =
            before.get(before.len().wrapping_sub(blanks + 1)).is_none_or(|it| is_line_end(*it));
        line_start && (blanks == 0 || is_conditional(self.rest()))
    }

    fn pragma(&mut self) -> (SyntaxKind, usize) {
        let rest = self.rest();
        let len = line_end(rest);
        if is_conditional(rest) {
            let help = "remove the line, and of the branches all but the one you want";
            let message = "conditional compilation is not supported";
            self.error(ErrorCode::PreprocessorLine, message, help);
        } else if &rest[..run(&rest[1..], is_letter) + 1] != b"#line" {
            let help = "remove the line; of all such lines only `#line` may stay, and is skipped";
            self.error(ErrorCode::PreprocessorLine, "unknown preprocessor line", help);
        }
        (PRAGMA, len)
    }

    /// Unicode spellings of operators; anything else is an error token, adjacent ones in one.
    fn other(&mut self) -> (SyntaxKind, usize) {
        let rest = &self.text[self.pos..];
        let mut chars = rest.chars();
        let first = chars.next().map_or(1, char::len_utf8);
        if let Some(kind) = rest.chars().next().and_then(unicode_spelling) {
            return (kind, first);
        }
        let mut len = first;
        for c in chars {
            let foreign = c.is_control() && !is_space(c as u8)
                || !c.is_ascii() && unicode_spelling(c).is_none();
            if !foreign {
                break;
            }
            len += c.len_utf8();
        }
        let help = rest.chars().next().map_or(FOREIGN_HELP, foreign_help);
        self.error(ErrorCode::UnexpectedCharacter, "this character has no meaning here", help);
        (ERROR_TOKEN, len)
    }
}

const FOREIGN_HELP: &str =
    "remove it; names are made of ASCII letters, digits, `' ~ # $ ^ _ . ?` and the back quote";

/// Characters of other languages, and what is written here instead.
const FOREIGN: &[(&[char], &str)] = &[
    (&['&'], "write `&&` for the logical and"),
    (&['%'], "write `mod` for the remainder"),
    (&['“', '”', '„', '«', '»'], "write strings in straight quotes"),
    (&['→'], "write `->` before a field, `==>` for an implication"),
    (&['×', '·'], "write `*` for the product"),
];

fn foreign_help(c: char) -> &'static str {
    FOREIGN.iter().find(|it| it.0.contains(&c)).map_or(FOREIGN_HELP, |it| it.1)
}

const CONDITIONALS: &[&[u8]] = &[b"#if", b"#elsif", b"#else", b"#endif"];

fn is_conditional(rest: &[u8]) -> bool {
    let len = 1 + run(rest.get(1..).unwrap_or_default(), |it| it.is_ascii_alphanumeric());
    CONDITIONALS.contains(&&rest[..len])
}

const UNICODE: &[(char, SyntaxKind)] = &[
    ('⇔', IFF),
    ('⇒', IMPLIES),
    ('⇐', EXPLIES),
    ('∧', AMP2),
    ('∨', PIPE2),
    ('≠', NEQ),
    ('≤', LTEQ),
    ('≥', GTEQ),
    ('¬', BANG),
    ('∀', FORALL_KW),
    ('∃', EXISTS_KW),
    ('λ', LAMBDA_KW),
    ('•', COLON2),
];

fn unicode_spelling(c: char) -> Option<SyntaxKind> {
    if c.is_ascii() {
        return None;
    }
    UNICODE.iter().find(|it| it.0 == c).map(|it| it.1)
}

/// Whole words that are literals.
const ROUNDING_MODES: &[&[u8]] = &[
    b"RNE",
    b"RNA",
    b"RTP",
    b"RTN",
    b"RTZ",
    b"roundNearestTiesToEven",
    b"roundNearestTiesToAway",
    b"roundTowardPositive",
    b"roundTowardNegative",
    b"roundTowardZero",
];

fn word(rest: &[u8]) -> (SyntaxKind, usize) {
    let len = run(rest, is_ident);
    let text = &rest[..len];
    let kind = match SyntaxKind::from_keyword(text) {
        Some(keyword) => keyword,
        None if matches!(text[0], b'R' | b'r') && ROUNDING_MODES.contains(&text) => ROUNDING_MODE,
        None => IDENT,
    };
    (kind, len)
}

fn punctuation(rest: &[u8]) -> (SyntaxKind, usize) {
    let second = rest.get(1).copied().unwrap_or(0);
    match (rest[0], second) {
        (b'(', _) => (L_PAREN, 1),
        (b')', _) => (R_PAREN, 1),
        (b'[', _) => (L_BRACK, 1),
        (b']', _) => (R_BRACK, 1),
        (b'{', _) => (L_CURLY, 1),
        (b'}', b'|') => (R_CODE, 2),
        (b'}', _) => (R_CURLY, 1),
        (b',', _) => (COMMA, 1),
        (b';', _) => (SEMICOLON, 1),
        (b':', b':') => (COLON2, 2),
        (b':', b'=') => (COLON_EQ, 2),
        (b':', _) => (COLON, 1),
        (b'=', b'=') if rest.get(2) == Some(&b'>') => (IMPLIES, 3),
        (b'=', b'=') => (EQ2, 2),
        (b'=', _) => (EQ, 1),
        (b'!', b'=') => (NEQ, 2),
        (b'!', _) => (BANG, 1),
        (b'<', b'=') => less_equal(rest),
        (b'<', _) => (L_ANGLE, 1),
        (b'>', b'=') => (GTEQ, 2),
        (b'>', _) => (R_ANGLE, 1),
        (b'&', b'&') => (AMP2, 2),
        (b'|', b'|') => (PIPE2, 2),
        (b'|', b'{') => (L_CODE, 2),
        (b'|', _) => (PIPE, 1),
        (b'+', b'+') => (PLUS2, 2),
        (b'+', _) => (PLUS, 1),
        (b'-', b'>') => (ARROW, 2),
        (b'-', _) => (MINUS, 1),
        (b'*', b'*') => (STAR2, 2),
        (b'*', _) => (STAR, 1),
        (b'/', _) => (SLASH, 1),
        _ => (ERROR_TOKEN, 1),
    }
}

/// `<=`, `<==` or `<==>`.
fn less_equal(rest: &[u8]) -> (SyntaxKind, usize) {
    match (rest.get(2), rest.get(3)) {
        (Some(b'='), Some(b'>')) => (IFF, 4),
        (Some(b'='), _) => (EXPLIES, 3),
        _ => (LTEQ, 2),
    }
}

fn run(bytes: &[u8], accept: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|it| !accept(*it)).unwrap_or(bytes.len())
}

fn line_end(bytes: &[u8]) -> usize {
    run(bytes, |it| !is_line_end(it))
}

/// LF, or CR: alone or as the first part of CR LF.
pub(crate) const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// How many line ends a text has; CR LF is one.
pub(crate) fn line_ends(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends = |(at, byte): &(usize, &u8)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    bytes.iter().enumerate().filter(ends).count()
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

const fn is_letter(byte: u8) -> bool {
    CLASS[byte as usize] == 2
}

const fn is_ident(byte: u8) -> bool {
    CLASS[byte as usize] >= 1
}

/// 2: may start an identifier; 1: digits, may continue one; 0: neither.
const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let byte = i as u8;
        if byte.is_ascii_alphabetic() {
            table[i] = 2;
        } else if byte.is_ascii_digit() {
            table[i] = 1;
        }
        i += 1;
    }
    let others = b"'~#$^_.?`";
    let mut i = 0;
    while i < others.len() {
        table[others[i] as usize] = 2;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests;
