//! The cursor the grammar moves over the tokens, and the events it leaves behind.
//!
//! **In:** tokens without trivia. **Out:** a flat list of events (open node, token, close node)
//! and problems; nothing here knows how a tree is stored.
//!
//! # Invariants
//! - Every token is put into the events exactly once, in order.
//! - The cursor never stands still: after [`FUEL`] looks without a step it gives up and treats the
//!   rest as unreadable. This is a safety net, not a way to end a loop.
//! - Recursion is counted: beyond [`MAX_NESTING`] the grammar skips to the matching bracket.
//! - Two general syntax errors closer than [`ERROR_DISTANCE`] tokens are one.

use std::borrow::Cow;
use std::cell::Cell;

use crate::error::ErrorCode;
use crate::help;
use crate::lexer::{Tokens, is_line_end, line_ends};
use crate::token_set::TokenSet;
use crate::tree::TextRange;
use crate::{SyntaxKind, SyntaxKind::*};

/// Looks at tokens allowed between two steps of the cursor.
const FUEL: u32 = 100_000;

/// Nested brackets, blocks, branches and right-associative operators that are read.
pub(crate) const MAX_NESTING: u32 = 200;

const ERROR_DISTANCE: usize = 2;

pub(crate) const TOO_DEEP: &str = "this is nested too deeply to be read";
pub(crate) const TOO_DEEP_HELP: &str =
    "name a part of it with a function, or move a block into a procedure";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// Opens a node. `forward` is the distance to the event that opens its parent, or 0.
    Open {
        kind: SyntaxKind,
        forward: u32,
    },
    /// The next token, under the given kind (soft keywords become identifiers).
    Token {
        kind: SyntaxKind,
    },
    Close,
    /// A node that was given up.
    Nothing,
}

/// A problem at a token (by its number among the tokens that are not trivia).
#[derive(Debug)]
pub(crate) struct ParseError {
    pub(crate) token: usize,
    pub(crate) code: ErrorCode,
    pub(crate) message: Cow<'static, str>,
    /// The token that is the other half of it, and what is to be seen there.
    pub(crate) other: Option<(usize, &'static str)>,
    pub(crate) help: &'static str,
    /// Not told, because another one stands close before it.
    pub(crate) hidden: bool,
}

impl ParseError {
    pub(crate) fn new(
        token: usize,
        code: ErrorCode,
        message: impl Into<Cow<'static, str>>,
        help: &'static str,
    ) -> ParseError {
        ParseError { token, code, message: message.into(), other: None, help, hidden: false }
    }

    pub(crate) fn beside(self, token: usize, text: &'static str) -> ParseError {
        ParseError { other: Some((token, text)), ..self }
    }
}

/// The tokens the grammar sees.
#[derive(Debug)]
pub(crate) struct Input<'t> {
    text: &'t str,
    kinds: Vec<SyntaxKind>,
    ranges: Vec<(u32, u32)>,
}

impl<'t> Input<'t> {
    pub(crate) fn new(text: &'t str, tokens: &Tokens) -> Input<'t> {
        let mut input = Input {
            text,
            kinds: Vec::with_capacity(tokens.kinds.len() / 2 + 1),
            ranges: Vec::with_capacity(tokens.kinds.len() / 2 + 1),
        };
        for (i, &kind) in tokens.kinds.iter().enumerate() {
            if !is_skipped(kind) {
                input.kinds.push(kind);
                input.ranges.push((tokens.starts[i], tokens.starts[i + 1]));
            }
        }
        input
    }

    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Range of a token; the end of the text for the token after the last.
    pub(crate) fn range(&self, token: usize) -> (u32, u32) {
        let end = self.text.len() as u32;
        self.ranges.get(token).copied().unwrap_or((end, end))
    }

    pub(crate) fn text_range(&self, token: usize) -> TextRange {
        let (start, end) = self.range(token);
        TextRange::new(start.into(), end.into())
    }

    /// Whether a line break stands before the token.
    pub(crate) fn starts_line(&self, token: usize) -> bool {
        let before = token.checked_sub(1).map_or(0, |it| self.range(it).1 as usize);
        token == 0 || line_ends(&self.text[before..self.range(token).0 as usize]) > 0
    }

    fn in_first_column(&self, token: usize) -> bool {
        let start = self.range(token).0 as usize;
        start == 0 || self.text.as_bytes().get(start - 1).is_some_and(|it| is_line_end(*it))
    }
}

/// Tokens the grammar never sees: trivia, and what the lexer already complained about.
pub(crate) const fn is_skipped(kind: SyntaxKind) -> bool {
    kind.is_trivia() || matches!(kind, ERROR_TOKEN)
}

/// What the grammar produced.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) events: Vec<Event>,
    pub(crate) errors: Vec<ParseError>,
}

pub(crate) struct Parser<'t> {
    input: &'t Input<'t>,
    pos: usize,
    events: Vec<Event>,
    errors: Vec<ParseError>,
    fuel: Cell<u32>,
    nesting: u32,
    last_error: Option<usize>,
    /// The braces of the body being read do not close before the next declaration.
    pub(crate) unclosed_body: bool,
    /// Inside `|{ .. }|`, where `return` takes a value.
    pub(crate) in_code: bool,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(input: &'t Input<'t>) -> Parser<'t> {
        Parser {
            input,
            pos: 0,
            events: Vec::with_capacity(input.len() * 3),
            errors: Vec::new(),
            fuel: Cell::new(FUEL),
            nesting: 0,
            last_error: None,
            unclosed_body: false,
            in_code: false,
        }
    }

    pub(crate) fn finish(self) -> Output {
        Output { events: self.events, errors: self.errors }
    }

    pub(crate) fn current(&self) -> SyntaxKind {
        self.nth(0)
    }

    pub(crate) fn nth(&self, n: usize) -> SyntaxKind {
        match self.fuel.get().checked_sub(1) {
            Some(left) => self.fuel.set(left),
            None => return EOF,
        }
        self.input.kinds.get(self.pos + n).copied().unwrap_or(EOF)
    }

    pub(crate) fn at(&self, kind: SyntaxKind) -> bool {
        self.current() == kind
    }

    pub(crate) fn at_set(&self, set: TokenSet) -> bool {
        set.contains(self.current())
    }

    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    /// Whether all tokens were consumed (and the cursor did not give up before).
    pub(crate) fn is_done(&self) -> bool {
        self.pos >= self.input.kinds.len()
    }

    /// The text of the current token.
    pub(crate) fn text(&self) -> &'t str {
        let (start, end) = self.input.range(self.pos);
        &self.input.text[start as usize..end as usize]
    }

    pub(crate) fn starts_line(&self) -> bool {
        self.input.starts_line(self.pos)
    }

    pub(crate) fn in_first_column(&self) -> bool {
        self.input.in_first_column(self.pos)
    }

    /// The kinds of the tokens from here on. For bounded scans only.
    pub(crate) fn ahead(&self) -> &'t [SyntaxKind] {
        self.input.kinds.get(self.pos..).unwrap_or_default()
    }

    pub(crate) fn bump(&mut self) {
        if let Some(&kind) = self.ahead().first() {
            self.bump_as(kind);
        }
    }

    pub(crate) fn bump_as(&mut self, kind: SyntaxKind) {
        if self.is_done() {
            return;
        }
        self.events.push(Event::Token { kind });
        self.pos += 1;
        self.fuel.set(FUEL);
    }

    pub(crate) fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    pub(crate) fn expect(&mut self, kind: SyntaxKind) -> bool {
        if self.eat(kind) {
            return true;
        }
        self.error(expected(kind), help::missing(kind));
        false
    }

    /// An opening bracket that must stand here: its token, for [`Parser::close`].
    pub(crate) fn open(&mut self, kind: SyntaxKind) -> Option<usize> {
        let token = self.pos;
        self.expect(kind).then_some(token)
    }

    /// The closing bracket of the one at the token `open`.
    pub(crate) fn close(&mut self, kind: SyntaxKind, open: Option<usize>) -> bool {
        let found = self.eat(kind);
        if !found {
            self.unclosed(expected(kind), open);
        }
        found
    }

    /// A general syntax error: the bracket at the token `open` should be closed here.
    pub(crate) fn unclosed(&mut self, message: impl Into<Cow<'static, str>>, open: Option<usize>) {
        self.general(message, help::UNCLOSED, open.map(|it| (it, "this is not closed")));
    }

    /// A general syntax error at the current token.
    pub(crate) fn error(&mut self, message: impl Into<Cow<'static, str>>, help: &'static str) {
        self.general(message, help, None);
    }

    /// A general syntax error at the current token that concerns another token as well.
    pub(crate) fn error_beside(
        &mut self,
        message: &'static str,
        help: &'static str,
        other: (usize, &'static str),
    ) {
        self.general(message, help, Some(other));
    }

    fn general(
        &mut self,
        message: impl Into<Cow<'static, str>>,
        help: &'static str,
        other: Option<(usize, &'static str)>,
    ) {
        let near = self.last_error.is_some_and(|it| self.pos < it + ERROR_DISTANCE);
        self.last_error = Some(self.pos);
        let error = ParseError::new(self.pos, ErrorCode::SyntaxError, message, help);
        self.errors.push(match near {
            true => ParseError { message: Cow::Borrowed(""), hidden: true, ..error },
            false => ParseError { other, ..error },
        });
    }

    /// A violated rule at the current token.
    pub(crate) fn error_code(
        &mut self,
        code: ErrorCode,
        message: impl Into<Cow<'static, str>>,
        help: &'static str,
    ) {
        self.report(ParseError::new(self.pos, code, message, help));
    }

    pub(crate) fn report(&mut self, error: ParseError) {
        self.errors.push(error);
    }

    /// Puts the current token into an error node.
    pub(crate) fn error_and_bump(&mut self, message: &'static str, help: &'static str) {
        self.error(message, help);
        let m = self.start();
        self.bump();
        m.complete(self, ERROR);
    }

    pub(crate) fn start(&mut self) -> Marker {
        let pos = self.events.len() as u32;
        self.events.push(Event::Nothing);
        Marker { pos }
    }

    /// Enters one level of nesting, unless that would be one too many.
    pub(crate) fn enter(&mut self) -> bool {
        if self.nesting >= MAX_NESTING {
            let told = self.errors.iter().any(|it| it.code == ErrorCode::NestingTooDeep);
            if !told {
                self.error_code(ErrorCode::NestingTooDeep, TOO_DEEP, TOO_DEEP_HELP);
            }
            self.last_error = Some(self.pos);
            return false;
        }
        self.nesting += 1;
        true
    }

    pub(crate) fn leave(&mut self) {
        self.nesting -= 1;
    }
}

fn expected(kind: SyntaxKind) -> String {
    format!("expected `{}`", kind.fixed_text().unwrap_or("this"))
}

/// An open node.
#[must_use]
pub(crate) struct Marker {
    pos: u32,
}

impl Marker {
    pub(crate) fn complete(self, p: &mut Parser<'_>, kind: SyntaxKind) -> CompletedMarker {
        p.events[self.pos as usize] = Event::Open { kind, forward: 0 };
        p.events.push(Event::Close);
        CompletedMarker { pos: self.pos }
    }

    /// Gives the node up; its children become children of the node around it.
    pub(crate) fn abandon(self, p: &mut Parser<'_>) {
        if self.pos as usize + 1 == p.events.len() {
            p.events.pop();
        }
    }
}

/// A closed node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompletedMarker {
    pos: u32,
}

impl CompletedMarker {
    /// Opens a node that starts where this one starts.
    pub(crate) fn precede(self, p: &mut Parser<'_>) -> Marker {
        let marker = p.start();
        if let Event::Open { forward, .. } = &mut p.events[self.pos as usize] {
            *forward = marker.pos - self.pos;
        }
        marker
    }
}
