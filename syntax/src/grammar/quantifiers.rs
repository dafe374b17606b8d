//! Binders: quantifiers, lambdas, lets, and the triggers between.

use super::attributes::{attribute, attributes, attributes_before_brace};
use super::expressions::{EXPR_START, expr, expr_list};
use super::specs::{Where, param_group};
use super::types::type_params;
use super::{HARD_STOP, at_declaration, at_name, find_in_group, name, skip_one};
use crate::SyntaxKind::*;
use crate::error::ErrorCode;
use crate::help;
use crate::parser::{CompletedMarker, ParseError, Parser};
use crate::token_set::TokenSet;

/// `forall <T> {:a} x, y: T :: {:a} {trigger} e`, without the parentheses around it.
pub(super) fn quantified(p: &mut Parser<'_>) -> CompletedMarker {
    let m = p.start();
    let keyword = p.pos();
    let kind = if p.at(T![lambda]) { LAMBDA_EXPR } else { QUANT_EXPR };
    if matches!(p.current(), T![forall] | T![exists] | T![lambda]) {
        p.bump();
    }
    let Some((_, distance)) = find_in_group(p.ahead(), TokenSet::new(&[T![::]])) else {
        without_separator(p);
        return m.complete(p, kind);
    };
    let separator = p.pos() + distance;
    if p.at(T![<]) {
        type_params(p);
    }
    if at_name(p) || matches!(p.current(), T!['{'] | T![:]) {
        bound_vars(p);
    } else if !p.at(T![::]) {
        p.error("expected a bound variable", help::BINDER);
    }
    if !p.eat(T![::]) {
        p.error("expected `::`", help::BINDER);
        let rest = p.start();
        while p.pos() < separator {
            p.bump();
        }
        rest.complete(p, ERROR);
        p.eat(T![::]);
    }
    while p.at(T!['{']) {
        if p.nth(1) == T![:] {
            attribute(p);
            continue;
        }
        if kind == LAMBDA_EXPR {
            let help = "remove the trigger; only `forall` and `exists` have some";
            let message = "a lambda has no triggers";
            let error = ParseError::new(p.pos(), ErrorCode::TriggerNotAllowed, message, help);
            p.report(error.beside(keyword, "the lambda starts here"));
        }
        trigger(p);
    }
    expr(p);
    m.complete(p, kind)
}

/// Without `::` nobody knows where the bound variables end.
fn without_separator(p: &mut Parser<'_>) {
    p.error("expected `::` after the bound variables", help::BINDER);
    let m = p.start();
    let end = HARD_STOP.union(TokenSet::new(&[T![')'], T![']'], T![;]]));
    while !p.at_set(end) && !at_declaration(p) {
        skip_one(p);
    }
    m.complete(p, ERROR);
}

fn bound_vars(p: &mut Parser<'_>) {
    let m = p.start();
    let help = "say it in the body: `cond ==> e` after `forall`, `cond && e` after `exists`";
    let rule = Where::Forbidden { on: "a bound variable", help };
    param_group(p, rule);
    while p.eat(T![,]) {
        param_group(p, rule);
    }
    m.complete(p, BOUND_VARS);
}

/// `{e, e}`
pub(super) fn trigger(p: &mut Parser<'_>) {
    let m = p.start();
    let open = p.open(T!['{']);
    if p.at_set(EXPR_START) {
        expr_list(p);
    } else {
        p.error("expected an expression", help::EXPRESSION);
    }
    p.close(T!['}'], open);
    m.complete(p, TRIGGER);
}

/// `var x, y := e, e; e`, without the parentheses around it.
pub(super) fn let_expr(p: &mut Parser<'_>) {
    let m = p.start();
    p.eat(T![var]);
    let binders = p.start();
    let_var(p);
    while p.eat(T![,]) {
        let_var(p);
    }
    binders.complete(p, LET_BINDERS);
    if p.expect(T![:=]) || p.at_set(EXPR_START) {
        let inits = p.start();
        expr_list(p);
        inits.complete(p, LET_INITS);
    }
    if let_separator(p) {
        attributes_before_brace(p);
        expr(p);
    }
    m.complete(p, LET_EXPR);
}

/// The `;` between values and body; what stands before it unread is skipped.
fn let_separator(p: &mut Parser<'_>) -> bool {
    if p.expect(T![;]) {
        return true;
    }
    let found = find_in_group(p.ahead(), TokenSet::new(&[T![;], T![:=]]));
    let Some((T![;], distance)) = found else { return p.at_set(EXPR_START) };
    let m = p.start();
    for _ in 0..distance {
        p.bump();
    }
    m.complete(p, ERROR);
    p.eat(T![;])
}

fn let_var(p: &mut Parser<'_>) {
    let m = p.start();
    attributes(p);
    name(p);
    m.complete(p, LET_VAR);
}
