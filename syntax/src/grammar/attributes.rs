//! `{:name arg, arg}`.

use super::expressions::{EXPR_START, LITERALS, expr};
use super::{at_name, quantifiers};
use crate::SyntaxKind::{self, *};
use crate::error::ErrorCode;
use crate::parser::Parser;

/// Attributes where a `{` can start nothing else: a trigger is an error, and a missing `{` or `:`
/// is made good.
pub(super) fn attributes(p: &mut Parser<'_>) {
    loop {
        match p.current() {
            T!['{'] if p.nth(1) == T![:] => attribute(p),
            T![:] if is_word(p.nth(1)) && at_argument_or_end(p) => attribute(p),
            T!['{'] if is_word(p.nth(1)) && LITERALS.contains(p.nth(2)) => attribute(p),
            T!['{'] if EXPR_START.contains(p.nth(1)) => misplaced_trigger(p),
            _ => return,
        }
    }
}

/// Two tokens ahead: what follows the name of an attribute that lost its `{` or `:`.
fn at_argument_or_end(p: &Parser<'_>) -> bool {
    p.nth(2) == T!['}'] || LITERALS.contains(p.nth(2))
}

/// Names, soft keywords among them.
pub(super) fn is_word(kind: SyntaxKind) -> bool {
    kind == IDENT || kind.is_soft_keyword()
}

/// Attributes where a `{` without `:` may start something else.
pub(super) fn attributes_before_brace(p: &mut Parser<'_>) {
    loop {
        match p.current() {
            T!['{'] if p.nth(1) == T![:] => attribute(p),
            T!['{'] | T![:] if is_word(p.nth(1)) && at_argument_or_end(p) => attribute(p),
            _ => return,
        }
    }
}

pub(super) fn attribute(p: &mut Parser<'_>) {
    let m = p.start();
    p.expect(T!['{']);
    p.expect(T![:]);
    let nopats = p.at(IDENT) && p.text() == "nopats";
    if at_name(p) || p.current().is_keyword() {
        let name = p.start();
        p.bump_as(IDENT);
        name.complete(p, ATTRIBUTE_NAME);
    } else {
        p.error("expected the name of the attribute");
    }
    if p.at_set(EXPR_START) || p.at(T![,]) {
        arguments(p);
    } else if nopats {
        p.error_code(ErrorCode::NopatsArgument, "`nopats` needs an expression");
    }
    close(p);
    m.complete(p, ATTRIBUTE);
}

fn arguments(p: &mut Parser<'_>) {
    argument(p);
    while p.eat(T![,]) {
        argument(p);
    }
}

fn argument(p: &mut Parser<'_>) {
    let m = p.start();
    expr(p);
    m.complete(p, ATTRIBUTE_ARG);
}

fn close(p: &mut Parser<'_>) {
    if p.at(T!["}|"]) {
        p.error_and_bump("expected `}`; write a space between `}` and `|`");
        return;
    }
    if !p.expect(T!['}']) && p.nth(1) == T!['}'] {
        p.error_and_bump("expected `}`");
        p.eat(T!['}']);
    }
}

/// `{e}` where only attributes may stand.
fn misplaced_trigger(p: &mut Parser<'_>) {
    p.error_code(ErrorCode::TriggerNotAllowed, "only attributes `{:name ..}` may stand here");
    let m = p.start();
    quantifiers::trigger(p);
    m.complete(p, ERROR);
}
