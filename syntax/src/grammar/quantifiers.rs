//! Binders: quantifiers, lambdas, lets, and the triggers between.

use super::attributes::{attribute, attributes, attributes_before_brace};
use super::expressions::{EXPR_START, expr, expr_list};
use super::specs::{Where, param_group};
use super::types::type_params;
use super::{at_name, name};
use crate::SyntaxKind::*;
use crate::error::ErrorCode;
use crate::parser::{CompletedMarker, Parser};

/// `forall <T> {:a} x, y: T :: {:a} {trigger} e`, without the parentheses around it.
pub(super) fn quantified(p: &mut Parser<'_>) -> CompletedMarker {
    let m = p.start();
    let kind = if p.at(T![lambda]) { LAMBDA_EXPR } else { QUANT_EXPR };
    p.bump();
    if p.at(T![<]) {
        type_params(p);
    }
    if at_name(p) || p.at(T!['{']) {
        bound_vars(p);
    } else if !p.at(T![::]) {
        p.error("expected a bound variable");
    }
    p.expect(T![::]);
    while p.at(T!['{']) {
        if p.nth(1) == T![:] {
            attribute(p);
            continue;
        }
        if kind == LAMBDA_EXPR {
            p.error_code(ErrorCode::TriggerNotAllowed, "a lambda has no triggers");
        }
        trigger(p);
    }
    expr(p);
    m.complete(p, kind)
}

fn bound_vars(p: &mut Parser<'_>) {
    let m = p.start();
    let rule = Where::Forbidden("a bound variable");
    param_group(p, rule);
    while p.eat(T![,]) {
        param_group(p, rule);
    }
    m.complete(p, BOUND_VARS);
}

/// `{e, e}`
pub(super) fn trigger(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    if p.at_set(EXPR_START) {
        expr_list(p);
    } else {
        p.error("expected an expression");
    }
    p.expect(T!['}']);
    m.complete(p, TRIGGER);
}

/// `var x, y := e, e; e`, without the parentheses around it.
pub(super) fn let_expr(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
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
    if p.expect(T![;]) || p.at_set(EXPR_START) {
        attributes_before_brace(p);
        expr(p);
    }
    m.complete(p, LET_EXPR);
}

fn let_var(p: &mut Parser<'_>) {
    let m = p.start();
    attributes(p);
    name(p);
    m.complete(p, LET_VAR);
}
