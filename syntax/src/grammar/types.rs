//! Types.

use super::{at_name, name, name_ref, skip_balanced};
use crate::SyntaxKind::*;
use crate::help;
use crate::parser::Parser;
use crate::token_set::TokenSet;

pub(super) const PRIM_TYPES: TokenSet = TokenSet::new(&[T![int], T![real], T![bool]]);

/// Tokens other than names that start a type.
pub(super) const TYPE_START: TokenSet = PRIM_TYPES.union(TokenSet::new(&[T!['('], T!['['], T![<]]));

pub(super) fn at_type(p: &Parser<'_>) -> bool {
    p.at_set(TYPE_START) || at_name(p)
}

/// A type; a name takes all following types as its arguments, a map type ends them.
pub(super) fn type_(p: &mut Parser<'_>) -> bool {
    if !at_type(p) {
        p.error("expected a type", help::TYPE);
        return false;
    }
    if !p.enter() {
        skip_balanced(p, true);
        return false;
    }
    if at_name(p) {
        let m = p.start();
        name_ref(p);
        type_args(p);
        m.complete(p, NAMED_TYPE);
    } else {
        type_without_args(p);
    }
    p.leave();
    true
}

fn type_args(p: &mut Parser<'_>) {
    while at_type(p) {
        let last = p.at(T!['[']) || p.at(T![<]);
        if at_name(p) {
            let m = p.start();
            name_ref(p);
            m.complete(p, NAMED_TYPE);
        } else {
            type_without_args(p);
        }
        if last {
            break;
        }
    }
}

fn type_without_args(p: &mut Parser<'_>) {
    match p.current() {
        T!['('] => {
            let m = p.start();
            let open = p.open(T!['(']);
            type_(p);
            p.close(T![')'], open);
            m.complete(p, PAREN_TYPE);
        }
        T!['['] | T![<] => map_type(p),
        _ => {
            let m = p.start();
            p.bump();
            m.complete(p, PRIM_TYPE);
        }
    }
}

fn map_type(p: &mut Parser<'_>) {
    let m = p.start();
    if p.at(T![<]) {
        type_params(p);
    }
    let domain = p.start();
    let open = p.open(T!['[']);
    if open.is_some() {
        if !p.at(T![']']) {
            type_(p);
        }
        while p.eat(T![,]) {
            type_(p);
        }
        p.close(T![']'], open);
    }
    domain.complete(p, MAP_DOMAIN);
    type_(p);
    m.complete(p, MAP_TYPE);
}

/// `<a, b>`
pub(super) fn type_params(p: &mut Parser<'_>) {
    let m = p.start();
    let open = p.open(T![<]);
    name(p);
    while p.eat(T![,]) {
        name(p);
    }
    p.close(T![>], open);
    m.complete(p, TYPE_PARAMS);
}
