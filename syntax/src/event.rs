//! Events -> tree.
//!
//! **In:** the tokens of a text (with trivia) and the events of the grammar (without).
//! **Out:** the green tree of the text.
//!
//! # Invariants
//! - The text of the tree is the text of the tokens.
//! - A node starts at its first and ends at its last real token: trivia before, after and between
//!   nodes belongs to the node around them.
//! - No node but the root is empty, and none is deeper than [`MAX_DEPTH`]: what is deeper lies flat
//!   in the deepest node allowed, so that walks over trees may recurse.

use crate::lexer::Tokens;
use crate::parser::{Event, is_skipped};
use crate::tree::TreeBuilder;
use crate::{SyntaxKind, SyntaxKind::*};

/// The deepest level of a tree; the root is at level 1.
pub(crate) const MAX_DEPTH: usize = 500;

/// A built tree.
pub(crate) struct Built {
    pub(crate) green: crate::GreenNode,
    /// The token (among all) at which the tree was first cut for being too deep.
    pub(crate) too_deep: Option<usize>,
}

/// Builds the tree. `level` is the depth of the place where its root will stand (1 for a file).
pub(crate) fn build(text: &str, tokens: &Tokens, mut events: Vec<Event>, level: usize) -> Built {
    let mut sink = Sink::new(text, tokens, level);
    let mut parents: Vec<SyntaxKind> = Vec::new();
    for i in 0..events.len() {
        match std::mem::replace(&mut events[i], Event::Nothing) {
            Event::Open { kind, forward } => {
                let mut at = i;
                let mut next = forward;
                parents.push(kind);
                while next != 0 {
                    at += next as usize;
                    let parent = std::mem::replace(&mut events[at], Event::Nothing);
                    let Event::Open { kind, forward } = parent else { break };
                    parents.push(kind);
                    next = forward;
                }
                parents.drain(..).rev().for_each(|kind| sink.open(kind));
            }
            Event::Token { kind } => sink.token(kind),
            Event::Close => sink.close(),
            Event::Nothing => {}
        }
    }
    sink.finish()
}

struct Sink<'t> {
    text: &'t str,
    tokens: &'t Tokens,
    /// The next token, trivia included.
    next: usize,
    builder: TreeBuilder,
    /// Levels in use by opened nodes.
    level: usize,
    /// Nodes to be opened before the next token.
    pending: Vec<SyntaxKind>,
    /// Nodes left out because they would be too deep.
    omitted: usize,
    too_deep: Option<usize>,
}

impl<'t> Sink<'t> {
    fn new(text: &'t str, tokens: &'t Tokens, level: usize) -> Sink<'t> {
        Sink {
            text,
            tokens,
            next: 0,
            builder: TreeBuilder::default(),
            level: level - 1,
            pending: Vec::new(),
            omitted: 0,
            too_deep: None,
        }
    }

    fn open(&mut self, kind: SyntaxKind) {
        if kind == SOURCE_FILE {
            self.builder.open(kind);
            self.level += 1;
        } else if self.level + self.pending.len() >= MAX_DEPTH {
            let skipped = self.tokens.kinds[self.next..].iter().take_while(|it| is_skipped(**it));
            self.too_deep.get_or_insert(self.next + skipped.count());
            self.omitted += 1;
        } else {
            self.pending.push(kind);
        }
    }

    fn token(&mut self, kind: SyntaxKind) {
        // Trivia before the first node of a fragment would have no parent: a fragment has none.
        self.skipped();
        for kind in self.pending.drain(..) {
            self.builder.open(kind);
            self.level += 1;
        }
        self.put(kind);
    }

    fn close(&mut self) {
        if self.omitted > 0 {
            self.omitted -= 1;
        } else if self.pending.pop().is_none() {
            if self.builder.depth() == 1 && self.builder.root_is(SOURCE_FILE) {
                self.skipped();
            }
            self.builder.close();
            self.level -= 1;
        }
    }

    fn skipped(&mut self) {
        while let Some(&kind) = self.tokens.kinds.get(self.next) {
            if !is_skipped(kind) {
                break;
            }
            self.put(kind);
        }
    }

    fn put(&mut self, kind: SyntaxKind) {
        if self.next < self.tokens.kinds.len() {
            self.builder.token(kind, self.tokens.text(self.text, self.next));
            self.next += 1;
        }
    }

    fn finish(self) -> Built {
        Built { green: self.builder.finish(), too_deep: self.too_deep }
    }
}
