//! The grammar: which tokens make which nodes.
//!
//! **In:** a [`Parser`] over the tokens of a file or of one body. **Out:** events.
//!
//! One function per nonterminal, in files by topic. A function that recovers says how; the common
//! ways are here: [`semicolon`] ends a statement or clause, [`skip_balanced`] leaves a region that
//! is nested too deeply.

mod attributes;
mod expressions;
mod items;
mod quantifiers;
mod specs;
mod statements;
mod types;

pub(crate) use statements::body;

use crate::SyntaxKind::{self, *};
use crate::help;
use crate::parser::{CompletedMarker, Parser};
use crate::token_set::TokenSet;

/// A whole file.
pub(crate) fn source_file(p: &mut Parser<'_>) {
    let m = p.start();
    while !p.at(EOF) {
        let before = p.pos();
        items::item(p);
        if p.pos() == before {
            p.error_and_bump("expected a declaration", help::DECLARATION);
        }
    }
    if !p.is_done() {
        let help = "split the declaration before this place";
        p.error("the reader lost its way here; please report this file", help);
        let rest = p.start();
        while !p.is_done() {
            p.bump();
        }
        rest.complete(p, ERROR);
    }
    m.complete(p, SOURCE_FILE);
}

/// One declaration and nothing else.
pub(crate) fn single_item(p: &mut Parser<'_>) {
    items::item(p);
}

const MOVERS: TokenSet = TokenSet::new(&[T![left], T![right], T![both], T![atomic]]);

/// Keywords that only ever start a declaration.
const DECLARATION_ONLY: TokenSet = TokenSet::new(&[
    T![const],
    T![function],
    T![revealed],
    T![axiom],
    T![hideable],
    T![type],
    T![datatype],
    T![pure],
    T![action],
    T![procedure],
    T![implementation],
]);

const SPEC_START: TokenSet = TokenSet::new(&[
    T![refines],
    T![requires],
    T![ensures],
    T![preserves],
    T![asserts],
    T![modifies],
]);

/// Keywords that start a statement (names start one as well).
const STMT_KEYWORDS: TokenSet = TokenSet::new(&[
    T![assert],
    T![assume],
    T![havoc],
    T![measure],
    T![call],
    T![async],
    T![free],
    T![if],
    T![while],
    T![break],
    T![goto],
    T![return],
    T![yield],
    T![var],
]);

/// Where a broken statement or clause certainly ends.
const HARD_STOP: TokenSet = STMT_KEYWORDS
    .union(SPEC_START)
    .union(DECLARATION_ONLY)
    .union(TokenSet::new(&[EOF, T!['{'], T!['}'], T!["}|"], T![invariant], T![else], T![uses]]));

/// Whether a declaration starts `n` tokens ahead, judged by tokens no body contains.
fn declaration_ahead(kinds: &[SyntaxKind]) -> bool {
    let nth = |n: usize| kinds.get(n).copied().unwrap_or(EOF);
    match nth(0) {
        kind if DECLARATION_ONLY.contains(kind) => true,
        kind if MOVERS.contains(kind) => matches!(nth(1), T![action] | T![procedure]),
        T![yield] => {
            matches!(nth(1), T![procedure] | T![invariant])
                || MOVERS.contains(nth(1)) && nth(2) == T![procedure]
        }
        _ => false,
    }
}

fn at_declaration(p: &Parser<'_>) -> bool {
    match p.current() {
        T![yield] => {
            matches!(p.nth(1), T![procedure] | T![invariant])
                || MOVERS.contains(p.nth(1)) && p.nth(2) == T![procedure]
        }
        kind => DECLARATION_ONLY.contains(kind) || at_mover_declaration(p),
    }
}

/// `left action` and the like: soft keywords that are no names here.
fn at_mover_declaration(p: &Parser<'_>) -> bool {
    p.at_set(MOVERS) && matches!(p.nth(1), T![action] | T![procedure])
}

/// Whether a name can be read here.
fn at_name(p: &Parser<'_>) -> bool {
    match p.current() {
        IDENT => true,
        kind => kind.is_soft_keyword() && !at_mover_declaration(p),
    }
}

fn name_like(p: &mut Parser<'_>, kind: SyntaxKind) -> Option<CompletedMarker> {
    if !at_name(p) {
        p.error("expected a name", help::NAME);
        return None;
    }
    let m = p.start();
    p.bump_as(IDENT);
    Some(m.complete(p, kind))
}

/// A name that is introduced here.
fn name(p: &mut Parser<'_>) -> bool {
    name_like(p, NAME).is_some()
}

/// A name that was introduced elsewhere.
fn name_ref(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    name_like(p, NAME_REF)
}

/// `a, b, c` with at least one name.
fn name_ref_list(p: &mut Parser<'_>) {
    name_ref(p);
    while p.eat(T![,]) {
        name_ref(p);
    }
}

/// The `;` at the end of a statement, clause or declaration. When it is missing, what follows is
/// skipped up to the next `;`, or to a place where something new certainly starts.
fn semicolon(p: &mut Parser<'_>) {
    if p.eat(T![;]) {
        return;
    }
    p.error("expected `;`", help::missing(T![;]));
    if new_start(p) {
        return;
    }
    let m = p.start();
    while !new_start(p) && !p.at(T![;]) {
        skip_one(p);
    }
    m.complete(p, ERROR);
    p.eat(T![;]);
}

/// Skips one token, or a bracket with everything up to its partner.
fn skip_one(p: &mut Parser<'_>) {
    for _ in 0..group_len(p.ahead()).unwrap_or(1) {
        p.bump();
    }
}

/// How far the partner of a bracket is looked for.
const GROUP_REACH: usize = 2000;

/// The number of tokens from the bracket here to its partner, both included.
fn group_len(kinds: &[SyntaxKind]) -> Option<usize> {
    let mut open: Vec<SyntaxKind> = Vec::new();
    for (i, &kind) in kinds.iter().take(GROUP_REACH).enumerate() {
        match kind {
            T!['('] => open.push(T![')']),
            T!['['] => open.push(T![']']),
            T!['{'] => open.push(T!['}']),
            T!["|{"] => open.push(T!["}|"]),
            T![')'] | T![']'] | T!['}'] | T!["}|"] if open.pop() != Some(kind) => return None,
            _ if declaration_ahead(&kinds[i..]) => return None,
            _ => {}
        }
        if open.is_empty() {
            return (i > 0).then_some(i + 1);
        }
    }
    None
}

/// The first of the tokens `wanted` that stands here outside of further brackets, before the
/// bracket around them closes: its kind and distance.
fn find_in_group(kinds: &[SyntaxKind], wanted: TokenSet) -> Option<(SyntaxKind, usize)> {
    let mut i = 0;
    while let Some(&kind) = kinds.get(i).filter(|_| i < GROUP_REACH) {
        match kind {
            _ if wanted.contains(kind) => return Some((kind, i)),
            T!['('] | T!['['] | T!['{'] | T!["|{"] => i += group_len(&kinds[i..])?,
            T![')'] | T![']'] | T!['}'] | T!["}|"] => return None,
            _ if declaration_ahead(&kinds[i..]) => return None,
            _ => i += 1,
        }
    }
    None
}

/// Whether something new certainly starts here. In the middle of a line `if` and `else` may just
/// as well go on with an expression.
fn new_start(p: &Parser<'_>) -> bool {
    match p.current() {
        T![if] | T![else] => p.starts_line(),
        kind => HARD_STOP.contains(kind) || at_declaration(p) || p.starts_line() && at_name(p),
    }
}

/// Skips to a closing bracket that was opened before, to the end, or to the next declaration.
/// Used when nesting is too deep; the skipped tokens lie flat in an error node.
fn skip_balanced(p: &mut Parser<'_>, stop_at_semicolon: bool) {
    let m = p.start();
    let mut depth = 0usize;
    while !p.at(EOF) && !at_declaration(p) {
        match p.current() {
            T!['('] | T!['['] | T!['{'] | T!["|{"] => depth += 1,
            T![')'] | T![']'] | T!['}'] | T!["}|"] if depth == 0 => break,
            T![')'] | T![']'] | T!['}'] | T!["}|"] => depth -= 1,
            T![;] if depth == 0 && stop_at_semicolon => break,
            _ => {}
        }
        p.bump();
    }
    m.complete(p, ERROR);
}

/// Whether the `{` here is closed before the next declaration.
fn braces_close(kinds: &[SyntaxKind]) -> bool {
    let mut depth = 0usize;
    for (i, kind) in kinds.iter().enumerate() {
        match kind {
            T!['{'] | T!["|{"] => depth += 1,
            T!['}'] | T!["}|"] if depth <= 1 => return true,
            T!['}'] | T!["}|"] => depth -= 1,
            _ if declaration_ahead(&kinds[i..]) => return false,
            _ => {}
        }
    }
    false
}
