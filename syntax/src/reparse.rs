//! Reading a file again after an edit inside one declaration.
//!
//! **In:** the last parse and one edit. **Out:** the parse of the new text, made by reading only a
//! body or a declaration again; or nothing, when that cannot be known to equal a full parse.
//!
//! # Why it equals a full parse
//! - A body is taken when it closes with its own last token, nothing else in its declaration is
//!   wrong, and another declaration (or the end) follows. Inside, the grammar never looks past the
//!   closing brace; outside, it only sees that brace.
//! - A declaration is taken when it is free of problems before and after. It then ends with its own
//!   last token and is followed by the start of another one, on which the grammar stops as well.
//! - Tokens do not depend on what stands before them on earlier lines, and `;` and `}` do not merge
//!   with what may follow them there.

use crate::ast::{self, AstNode as _};
use crate::error::SyntaxError;
use crate::lexer::tokenize;
use crate::parser::is_skipped;
use crate::tree::{GreenNode, NodeOrToken, SyntaxElement, SyntaxNode, TextRange, TextSize};
use crate::{ErrorCode, MAX_ERRORS, Parse, Problems, SyntaxKind, grammar, read, validate};

/// A replacement of one range of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The range replaced, in the old text.
    pub range: TextRange,
    pub text: String,
}

impl Edit {
    /// The new text.
    pub fn apply(&self, text: &str) -> String {
        let mut out = text.to_owned();
        out.replace_range(
            usize::from(self.range.start())..usize::from(self.range.end()),
            &self.text,
        );
        out
    }
}

impl Parse {
    /// The parse of the text after `edit`. Falls back to reading `new_text` as a whole.
    pub fn reparse(&self, edit: &Edit, new_text: &str) -> Parse {
        self.incremental(edit).unwrap_or_else(|| crate::parse(new_text))
    }

    /// The parse of the text after `edit`, if reading one declaration again is enough.
    pub fn incremental(&self, edit: &Edit) -> Option<Parse> {
        let root = self.syntax_node();
        let item = item_around(&root, edit.range)?;
        if !followed_by_item_or_end(&item) || self.unclear_border(&item) {
            return None;
        }
        let body = item.children().find(|it| it.kind() == SyntaxKind::BODY);
        let inside = body.filter(|it| strictly_inside(it, edit.range));
        let parse = match inside {
            Some(body) => self.new_body(&item, &body, edit).or_else(|| self.new_item(&item, edit)),
            None => self.new_item(&item, edit),
        };
        let complete = |it: &Parse| it.errors.len() < MAX_ERRORS;
        parse.filter(|it| complete(self) && complete(it))
    }

    /// Whether a problem may belong to either side of the end of the declaration, or is one that
    /// is only told once per file.
    fn unclear_border(&self, item: &SyntaxNode) -> bool {
        let end = TextRange::empty(item.text_range().end());
        let next = item.next_sibling().map(|it| it.text_range().start());
        self.all_problems().any(|it| {
            let at_border = it.range == end || Some(it.range.start()) == next;
            at_border || it.code == ErrorCode::NestingTooDeep
        })
    }

    fn new_body(&self, item: &SyntaxNode, body: &SyntaxNode, edit: &Edit) -> Option<Parse> {
        // A problem at the `{` is one of the header.
        let contents = TextRange::new(body.text_range().start() + ONE, body.text_range().end());
        if !self.errors_within(item.text_range()).all(|it| inside(contents, it.range)) {
            return None;
        }
        let text = edited(body, edit);
        let read = read_alone(&text, grammar::body, BODY_LEVEL, SyntaxKind::BODY)?;
        let start = body.text_range().start();
        let placed = |all: Vec<SyntaxError>| -> Vec<SyntaxError> {
            all.into_iter().map(|it| it.moved(|range| range + start)).collect()
        };
        let problems =
            Problems { told: placed(read.problems.told), hidden: placed(read.problems.hidden) };
        let new_item = item.green().replace_child(body.index(), NodeOrToken::Node(read.green));
        Some(self.with_item(item, new_item, problems, edit))
    }

    fn new_item(&self, item: &SyntaxNode, edit: &Edit) -> Option<Parse> {
        if self.errors_within(item.text_range()).next().is_some()
            || !strictly_inside(item, edit.range)
        {
            return None;
        }
        let text = edited(item, edit);
        let read = read_alone(&text, grammar::single_item, ITEM_LEVEL, item.kind())?;
        let clean = read.problems.told.is_empty();
        clean.then(|| self.with_item(item, read.green, Problems::default(), edit))
    }

    /// Puts a new declaration in the place of the old one. `problems` are those of its reading.
    fn with_item(
        &self,
        old: &SyntaxNode,
        new: GreenNode,
        mut problems: Problems,
        edit: &Edit,
    ) -> Parse {
        let range = old.text_range();
        let green = self.green.replace_child(old.index(), NodeOrToken::Node(new));
        let root = SyntaxNode::new_root(green.clone());
        let item = root.children_with_tokens().nth(old.index());
        if let Some(item) = item.and_then(SyntaxElement::into_node).and_then(ast::Item::cast) {
            validate::validate_item(&item, &mut problems.told);
        }
        let others = |all: &[SyntaxError]| -> Vec<SyntaxError> {
            let outside = all.iter().filter(|it| !inside(range, it.range));
            outside.map(|it| moved(it, range.end(), edit)).collect()
        };
        problems.told.extend(others(&self.errors));
        problems.hidden.extend(others(&self.hidden));
        Parse::new(green, problems)
    }

    fn all_problems(&self) -> impl Iterator<Item = &SyntaxError> {
        self.errors.iter().chain(self.hidden.iter())
    }

    fn errors_within(&self, range: TextRange) -> impl Iterator<Item = &SyntaxError> {
        self.all_problems().filter(move |it| inside(range, it.range))
    }
}

/// A problem of another declaration; those behind `end` move with the text.
fn moved(error: &SyntaxError, end: TextSize, edit: &Edit) -> SyntaxError {
    let after = |range: TextRange| match range.start() >= end {
        true => range + TextSize::of(edit.text.as_str()) - edit.range.len(),
        false => range,
    };
    error.clone().moved(after)
}

/// Length of the opening brace.
const ONE: TextSize = TextSize::new(1);

/// Level of a declaration below the root.
const ITEM_LEVEL: usize = 2;
const BODY_LEVEL: usize = 3;

fn inside(outer: TextRange, inner: TextRange) -> bool {
    outer.contains_range(inner)
}

/// Whether the edit leaves the first and the last token of the node alone.
fn strictly_inside(node: &SyntaxNode, edit: TextRange) -> bool {
    let first = node.first_token().map(|it| it.text_range().end());
    let last = node.last_token().map(|it| it.text_range().start());
    // The first token of a declaration is a word, which an insertion behind it would lengthen.
    first.is_some_and(|it| it < edit.start()) && last.is_some_and(|it| edit.end() <= it)
}

fn item_around(root: &SyntaxNode, edit: TextRange) -> Option<SyntaxNode> {
    let item = root.child_or_token_at_range(edit)?.into_node()?;
    ast::Item::can_cast(item.kind()).then_some(item)
}

fn followed_by_item_or_end(item: &SyntaxNode) -> bool {
    let mut next = item.next_sibling_or_token();
    while let Some(element) = next {
        match &element {
            // A mover before `procedure` is a problem at the first token.
            NodeOrToken::Node(it) => {
                let lost_yield = it.kind() == SyntaxKind::YIELD_PROC_DECL
                    && it.first_token().is_some_and(|it| it.kind() != SyntaxKind::YIELD_KW);
                return ast::Item::can_cast(it.kind()) && !lost_yield;
            }
            NodeOrToken::Token(it) if it.kind().is_trivia() => {}
            NodeOrToken::Token(_) => return false,
        }
        next = element.next_sibling_or_token();
    }
    true
}

/// The text of the node after the edit.
fn edited(node: &SyntaxNode, edit: &Edit) -> String {
    let mut text = node.text().to_string();
    let range = edit.range - node.text_range().start();
    text.replace_range(usize::from(range.start())..usize::from(range.end()), &edit.text);
    text
}

/// Reads a text that must be exactly one node of the given kind, ending with its own last token.
fn read_alone(
    text: &str,
    grammar: fn(&mut crate::parser::Parser<'_>),
    level: usize,
    kind: SyntaxKind,
) -> Option<crate::Read> {
    let tokens = tokenize(text);
    let cut = |it: &crate::lexer::LexError| it.code == ErrorCode::UnterminatedComment;
    // `{:` is read as the attribute of a clause that lost its keyword.
    let mut real = tokens.kinds.iter().filter(|it| !is_skipped(**it));
    let attribute = kind == SyntaxKind::BODY && real.nth(1) == Some(&SyntaxKind::COLON);
    let closed = matches!(tokens.kinds.last(), Some(SyntaxKind::R_CURLY | SyntaxKind::SEMICOLON));
    if !closed || attribute || tokens.errors.iter().any(cut) {
        return None;
    }
    let read = read(text, &tokens, grammar, level);
    let deep = read.problems.told.iter().any(|it| it.code == ErrorCode::NestingTooDeep);
    let whole = SyntaxNode::new_root(read.green.clone());
    let ends_itself = whole.last_child_or_token().is_some_and(|it| match it {
        NodeOrToken::Token(it) => it.text_range().end() == whole.text_range().end(),
        NodeOrToken::Node(it) => kind != SyntaxKind::BODY && it.last_token().is_some(),
    });
    let alone = read.complete && whole.kind() == kind && !deep && ends_itself;
    (alone && usize::from(whole.text_range().len()) == text.len()).then_some(read)
}
