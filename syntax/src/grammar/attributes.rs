//! `{:name arg, arg}`.

use super::expressions::{EXPR_START, LITERALS, expr};
use super::{at_name, find_in_group, name_ref, quantifiers};
use crate::SyntaxKind::{self, *};
use crate::error::ErrorCode;
use crate::help;
use crate::parser::Parser;
use crate::token_set::TokenSet;

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
    let open = p.open(T!['{']);
    if !p.eat(T![:]) {
        p.error("expected `:`", help::ATTRIBUTE);
    }
    let end = end(p);
    let nopats = p.at(IDENT) && p.text() == "nopats";
    if at_name(p) || p.current().is_keyword() {
        let name = p.start();
        p.bump_as(IDENT);
        name.complete(p, ATTRIBUTE_NAME);
    } else {
        p.error("expected the name of the attribute", help::ATTRIBUTE);
    }
    match end {
        Some(_) if p.at_set(EXPR_START) || p.at(T![,]) => arguments(p),
        Some(_) if nopats => {
            let help = "name the expression that must be no trigger: `{:nopats F(x)}`";
            p.error_code(ErrorCode::NopatsArgument, "`nopats` needs an expression", help);
        }
        Some(_) => {}
        None => literals(p),
    }
    finish(p, open, end);
    m.complete(p, ATTRIBUTE);
}

/// The number of the token that closes the attribute, if it is closed before anything else starts.
fn end(p: &Parser<'_>) -> Option<usize> {
    let marks = TokenSet::new(&[T!['}'], T!["}|"], T!['{'], T![;], T![']']]);
    let mut from = 0;
    loop {
        match find_in_group(&p.ahead()[from..], marks)? {
            (T![']'], distance) => from += distance + 1,
            (T!['}'] | T!["}|"], distance) => return Some(p.pos() + from + distance),
            _ => return None,
        }
    }
}

fn arguments(p: &mut Parser<'_>) {
    argument(p);
    while p.eat(T![,]) {
        argument(p);
    }
}

/// The arguments of an attribute without `}`: what follows may be anything but a literal.
fn literals(p: &mut Parser<'_>) {
    while p.at_set(LITERALS) {
        argument(p);
        while p.at(T![,]) && is_word(p.nth(1)) && p.nth(2) != T![:] {
            p.bump();
            argument_name(p);
        }
        if !(p.at(T![,]) && LITERALS.contains(p.nth(1))) {
            return;
        }
        p.bump();
    }
}

fn argument_name(p: &mut Parser<'_>) {
    let m = p.start();
    let expr = p.start();
    name_ref(p);
    expr.complete(p, NAME_EXPR);
    m.complete(p, ATTRIBUTE_ARG);
}

fn argument(p: &mut Parser<'_>) {
    let m = p.start();
    expr(p);
    m.complete(p, ATTRIBUTE_ARG);
}

/// The `}`, which stands at `end` if there is one.
fn finish(p: &mut Parser<'_>, open: Option<usize>, end: Option<usize>) {
    if p.eat(T!['}']) {
        return;
    }
    let joined = p.at(T!["}|"]);
    let message = match joined {
        true => "expected `}`; write a space between `}` and `|`",
        false => "expected `}`",
    };
    p.unclosed(message, open);
    let Some(end) = end.filter(|it| p.pos() <= *it) else { return };
    let m = p.start();
    while p.pos() < end || p.at(T!["}|"]) {
        p.bump();
    }
    m.complete(p, ERROR);
    p.eat(T!['}']);
}

/// `{e}` where only attributes may stand.
fn misplaced_trigger(p: &mut Parser<'_>) {
    let help = "remove it, or write a `:` after the `{` if you mean an attribute";
    let message = "only attributes `{:name ..}` may stand here";
    p.error_code(ErrorCode::TriggerNotAllowed, message, help);
    let m = p.start();
    quantifiers::trigger(p);
    m.complete(p, ERROR);
}
