//! The formatter behind `civl fmt`.
//!
//! **In:** a parse. **Out:** edits that replace white space by white space, and nothing else.
//!
//! Line breaks are the author's; the formatter decides how far a line is indented and what stands
//! between two tokens of one line. At most one blank line is kept, none at the edges of a block.
//! Comments stay on their lines; a comment alone on its line is indented like what follows it.
//! A declaration that cannot be read is left as it is.
//!
//! # Invariants
//! - The tokens and comments of the text, in order, do not change (the result is checked).
//! - Formatting twice is formatting once: a decision depends only on tokens, line breaks and
//!   indentation already decided.

mod pieces;
mod spacing;

use crate::lexer::{line_ends, tokenize};
use crate::reparse::Edit;
use crate::tree::{TextRange, TextSize};
use crate::{Parse, SyntaxKind};

use pieces::{Bracket, Piece, Role, pieces};

/// Spaces per level.
const INDENT: usize = 2;

/// The formatted text. A text that is already formatted comes back unchanged.
pub fn format(text: &str) -> String {
    let parse = crate::parse(text);
    let edits = format_edits(&parse, text, None);
    let formatted = apply(text, &edits);
    if same_tokens(text, &formatted) { formatted } else { text.to_owned() }
}

/// Edits that format the declarations touching `range`; if that is the whole text, also what
/// stands between them. In order, disjoint.
pub fn format_range(text: &str, range: TextRange) -> Vec<Edit> {
    let parse = crate::parse(text);
    let part = Some(range).filter(|it| !it.contains_range(TextRange::up_to(TextSize::of(text))));
    let edits = format_edits(&parse, text, part);
    if same_tokens(text, &apply(text, &edits)) { edits } else { Vec::new() }
}

fn format_edits(parse: &Parse, text: &str, range: Option<TextRange>) -> Vec<Edit> {
    let pieces = pieces(parse, range);
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut writer = Writer::new(text, &pieces, newline);
    for at in 0..pieces.len() {
        writer.piece(at);
    }
    if range.is_none() {
        writer.end();
    }
    writer.edits
}

/// The text after the edits, which are in order and disjoint.
fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len() + edits.len());
    let mut done = 0;
    for edit in edits {
        out.push_str(&text[done..usize::from(edit.range.start())]);
        out.push_str(&edit.text);
        done = edit.range.end().into();
    }
    out.push_str(&text[done..]);
    out
}

/// Whether two texts differ in white space only.
pub(crate) fn same_tokens(a: &str, b: &str) -> bool {
    let (left, right) = (tokenize(a), tokenize(b));
    let words = |tokens: &crate::lexer::Tokens| -> Vec<(SyntaxKind, usize)> {
        let real = tokens.kinds.iter().enumerate();
        real.filter(|it| *it.1 != SyntaxKind::WHITESPACE).map(|it| (*it.1, it.0)).collect()
    };
    let (words_a, words_b) = (words(&left), words(&right));
    words_a.len() == words_b.len()
        && words_a
            .iter()
            .zip(&words_b)
            .all(|(x, y)| x.0 == y.0 && left.text(a, x.1) == right.text(b, y.1))
}

/// An open bracket.
struct Frame {
    bracket: Bracket,
    /// Indentation of what stands inside.
    inside: usize,
    /// Indentation of the closing bracket.
    outside: usize,
    /// Nothing stands inside yet.
    fresh: bool,
}

struct Writer<'t> {
    text: &'t str,
    pieces: &'t [Piece],
    newline: &'static str,
    frames: Vec<Frame>,
    /// Indentation of the current line.
    line: usize,
    edits: Vec<Edit>,
}

impl<'t> Writer<'t> {
    fn new(text: &'t str, pieces: &'t [Piece], newline: &'static str) -> Writer<'t> {
        Writer { text, pieces, newline, frames: Vec::new(), line: 0, edits: Vec::new() }
    }

    /// Decides the gap before a piece, then follows its brackets.
    fn piece(&mut self, at: usize) {
        let piece = &self.pieces[at];
        if piece.starts_item {
            self.frames.clear();
        }
        let gap = self.gap(at);
        let old = &self.text[gap];
        if self.is_free(at) {
            let new = self.separator(at, old);
            self.edit(gap, new);
        } else if let Some(last) = old.rfind(['\n', '\r']) {
            self.line = old.len() - last - 1;
        }
        if piece.is_frozen || piece.role != Role::Token {
            return;
        }
        self.follow(piece);
    }

    /// The white space before a piece.
    fn gap(&self, at: usize) -> TextRange {
        let start = at.checked_sub(1).map_or(TextSize::new(0), |it| self.pieces[it].range.end());
        TextRange::new(start, self.pieces[at].range.start())
    }

    /// Whether the white space before a piece may change.
    fn is_free(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|it| &self.pieces[it]);
        !self.pieces[at].is_frozen && before.is_none_or(|it| !it.is_frozen)
    }

    fn edit(&mut self, range: TextRange, new: String) {
        if self.text[range] != new {
            self.edits.push(Edit { range, text: new });
        }
    }

    fn separator(&mut self, at: usize, old: &str) -> String {
        let piece = &self.pieces[at];
        let breaks = line_ends(old);
        let Some(before) = at.checked_sub(1).map(|it| &self.pieces[it]) else {
            self.line = 0;
            return String::new();
        };
        let forced = matches!(before.role, Role::LineComment | Role::Pragma)
            || piece.role == Role::Pragma
            || piece.starts_item && before.role == Role::Token;
        if breaks == 0 && !forced {
            return spacing::between(self.text, before, piece, old);
        }
        let edge = before.bracket == Bracket::OpenBlock || piece.bracket == Bracket::CloseBlock;
        let lines = if breaks >= 2 && !edge { 2 } else { 1 };
        self.line = self.indentation(at);
        let blanks =
            if before.role == Role::Bom { String::new() } else { self.newline.repeat(lines) };
        blanks + &" ".repeat(self.line)
    }

    /// Where the line that starts with this piece starts.
    fn indentation(&self, at: usize) -> usize {
        let piece = &self.pieces[at];
        let Some(frame) = self.frames.last() else { return self.outer_indentation(at) };
        match piece.role {
            Role::Pragma => 0,
            Role::Token if piece.bracket.closes() => frame.outside,
            Role::Token => frame.inside + self.continuation(frame, piece),
            Role::LineComment | Role::BlockComment | Role::Bom => match self.next_token(at) {
                Some(next) if !next.bracket.closes() => {
                    frame.inside + self.continuation(frame, next)
                }
                _ => frame.inside,
            },
        }
    }

    /// Outside of all brackets: what continues a declaration is indented once.
    fn outer_indentation(&self, at: usize) -> usize {
        let piece = &self.pieces[at];
        let token = match piece.role {
            Role::Token => Some(piece),
            Role::Pragma | Role::Bom => None,
            Role::LineComment | Role::BlockComment => self.next_token(at),
        };
        match token {
            Some(it) if !it.starts_part && !it.is_frozen => INDENT,
            _ => 0,
        }
    }

    /// In a block, what continues a statement is indented once more.
    fn continuation(&self, frame: &Frame, piece: &Piece) -> usize {
        let continues = frame.bracket == Bracket::OpenBlock && !piece.starts_part && !frame.fresh;
        if continues { INDENT } else { 0 }
    }

    fn next_token(&self, at: usize) -> Option<&'t Piece> {
        self.pieces[at..].iter().find(|it| it.role == Role::Token)
    }

    fn follow(&mut self, piece: &Piece) {
        if piece.bracket.closes() {
            self.frames.pop();
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.fresh = false;
        }
        let outside = match piece.bracket {
            Bracket::None | Bracket::CloseBlock | Bracket::Close => return,
            // A block hangs on its statement, wherever on a line its brace stands.
            Bracket::OpenBlock | Bracket::OpenLines => self.frames.last().map_or(0, |it| it.inside),
            Bracket::Open => self.line,
        };
        let inside = outside + INDENT;
        self.frames.push(Frame { bracket: piece.bracket, inside, outside, fresh: true });
    }

    /// A file ends with one line break.
    fn end(&mut self) {
        let Some(last) = self.pieces.last().filter(|it| !it.is_frozen) else { return };
        let range = TextRange::new(last.range.end(), TextSize::of(self.text));
        self.edit(range, self.newline.to_owned());
    }
}

#[cfg(test)]
mod tests;
