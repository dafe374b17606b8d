//! Text of the CIVL dialect of Boogie -> lossless tree -> typed view.
//!
//! **In:** any text. **Out:** a [`Parse`]: a tree whose text is the input, byte for byte, and the
//! problems found on the way.
//!
//! # Promises
//! - Parsing never fails, never loops, never overflows the stack.
//! - The tree is a value: two parses are equal if and only if tree and problems are.
//! - Nothing here knows what a name means.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the grammar asks about a few of two hundred kinds"
)]

#[macro_use]
mod kind;

pub mod ast;
#[cfg(test)]
mod codegen;
mod error;
mod event;
mod format;
mod grammar;
mod help;
mod lexer;
mod parser;
mod ptr;
mod reparse;
#[cfg(test)]
mod tests;
mod token_set;
mod tree;
mod validate;

pub use error::{ErrorCode, SyntaxError};
pub use format::{format, format_range};
pub use kind::SyntaxKind;
pub use ptr::{NodeNumbers, NodePtr, TokenPick};
pub use reparse::Edit;
pub use tree::{
    CivlLanguage, Direction, GreenNode, GreenToken, NodeOrToken, SyntaxElement, SyntaxNode,
    SyntaxNodeChildren, SyntaxToken, TextRange, TextSize, TokenAtOffset, WalkEvent, shape,
};

use std::sync::Arc;

use lexer::Tokens;
use parser::{Input, ParseError, Parser, TOO_DEEP, TOO_DEEP_HELP};

/// Problems told per file; the first ones count.
const MAX_ERRORS: usize = 1000;

/// A parsed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parse {
    green: GreenNode,
    errors: Arc<[SyntaxError]>,
    /// Problems not told because they stand close behind another one. They matter when a part of
    /// the file is read again.
    hidden: Arc<[SyntaxError]>,
}

impl Parse {
    fn new(green: GreenNode, mut problems: Problems) -> Parse {
        problems.told.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        problems.told.truncate(MAX_ERRORS);
        problems.hidden.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        Parse { green, errors: problems.told.into(), hidden: problems.hidden.into() }
    }

    /// The typed root.
    pub fn tree(&self) -> ast::SourceFile {
        ast::SourceFile { syntax: self.syntax_node() }
    }

    /// The untyped root.
    pub fn syntax_node(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// The tree as a value.
    pub fn green(&self) -> &GreenNode {
        &self.green
    }

    /// Problems, in order of position.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }
}

/// Reads a whole file.
pub fn parse(text: &str) -> Parse {
    let tokens = lexer::tokenize(text);
    let read = read(text, &tokens, grammar::source_file, 1);
    let mut problems = read.problems;
    validate::validate(&SyntaxNode::new_root(read.green.clone()), &mut problems.told);
    Parse::new(read.green, problems)
}

/// Problems of a text, told and not.
#[derive(Default)]
struct Problems {
    told: Vec<SyntaxError>,
    hidden: Vec<SyntaxError>,
}

/// A tree and its problems, not yet validated.
struct Read {
    green: GreenNode,
    problems: Problems,
    complete: bool,
}

/// Runs one entry point of the grammar; `level` is the depth at which its tree will stand.
fn read(text: &str, tokens: &Tokens, grammar: fn(&mut Parser<'_>), level: usize) -> Read {
    let input = Input::new(text, tokens);
    let mut parser = Parser::new(&input);
    grammar(&mut parser);
    let complete = parser.is_done();
    let output = parser.finish();
    let built = event::build(text, tokens, output.events, level);
    let mut problems = Problems::default();
    for error in output.errors {
        let list = if error.hidden { &mut problems.hidden } else { &mut problems.told };
        list.push(placed(&input, error));
    }
    problems.told.extend(tokens.errors.iter().map(|it| SyntaxError {
        range: range(tokens.starts[it.token], tokens.starts[it.token + 1]),
        code: it.code,
        message: it.message.to_owned(),
        other: None,
        help: it.help,
    }));
    let too_deep = built.too_deep.filter(|it| *it < tokens.kinds.len());
    problems.told.extend(too_deep.map(|token| SyntaxError {
        range: range(tokens.starts[token], tokens.starts[token + 1]),
        code: ErrorCode::NestingTooDeep,
        message: TOO_DEEP.to_owned(),
        other: None,
        help: TOO_DEEP_HELP,
    }));
    Read { green: built.green, problems, complete }
}

/// What is missing at the start of a line is missing at the end of the line before.
fn placed(input: &Input<'_>, error: ParseError) -> SyntaxError {
    let (start, end) = input.range(error.token);
    let missing = error.code == ErrorCode::SyntaxError && error.token > 0;
    let range = match error.token.checked_sub(1).map(|it| input.range(it).1) {
        Some(before) if missing && (start == end || input.starts_line(error.token)) => {
            range(before, before)
        }
        _ => range(start, end),
    };
    let other = error.other.map(|(token, text)| (input.text_range(token), text));
    let message = error.message.into_owned();
    SyntaxError { range, code: error.code, message, other, help: error.help }
}

fn range(start: u32, end: u32) -> TextRange {
    TextRange::new(start.into(), end.into())
}
