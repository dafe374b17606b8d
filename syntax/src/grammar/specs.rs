//! Parameters and specification clauses.
//!
//! Every kind of declaration reads every clause; which ones it may have is checked afterwards, so
//! that a wrong clause costs one complaint and no tree.

use super::attributes::{attributes, attributes_before_brace, is_word};
use super::expressions::{expr, expr_list};
use super::types::{at_type, type_};
use super::{
    DECLARATION_ONLY, MOVERS, SPEC_START, at_declaration, at_name, name, name_ref, name_ref_list,
    semicolon, skip_one, statements,
};
use crate::SyntaxKind::{self, *};
use crate::error::ErrorCode;
use crate::help;
use crate::parser::{ParseError, Parser};
use crate::token_set::TokenSet;

/// Whether a `where` may follow the type of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    Allowed,
    /// Not here.
    Forbidden {
        /// The kind of variable.
        on: &'static str,
        help: &'static str,
    },
}

/// Where a broken parameter list certainly ends.
const PARAMS_END: TokenSet = SPEC_START.union(DECLARATION_ONLY).union(TokenSet::new(&[
    EOF,
    T![')'],
    T!['{'],
    T!['}'],
    T![;],
    T![returns],
    T![::],
]));

/// `(groups)`; a missing `(` is made good when a parameter follows.
pub(super) fn param_list(p: &mut Parser<'_>, rule: Where) {
    let m = p.start();
    let open = p.open(T!['(']);
    if open.is_none() && !at_param(p) && !p.at(T![')']) {
        m.abandon(p);
        return;
    }
    while !p.at(T![')']) && !p.at(EOF) {
        if at_param(p) {
            param_group(p, rule);
        } else {
            p.error("expected a parameter", help::PARAMETER);
        }
        // The next constructor of a datatype: this one lost its `)`.
        if p.at(T![,]) && p.nth(2) == T!['('] {
            break;
        }
        if !p.eat(T![,]) && !next_param(p) {
            break;
        }
    }
    p.close(T![')'], open);
    m.complete(p, PARAM_LIST);
}

fn at_param(p: &Parser<'_>) -> bool {
    let attribute_end = |n| matches!(p.nth(n), T!['}'] | INT_NUMBER | STRING);
    at_name(p)
        || p.at(T!['{']) && (p.nth(1) == T![:] || is_word(p.nth(1)) && attribute_end(2))
        || p.at(T![:]) && is_word(p.nth(1)) && attribute_end(2)
}

/// After a parameter without a `,`: skips to where the list goes on, if it does.
fn next_param(p: &mut Parser<'_>) -> bool {
    if p.at(T![')']) {
        return false;
    }
    p.error("expected `,` or `)`", help::PARAMETER);
    if at_param(p) {
        return true;
    }
    let m = p.start();
    while !p.at_set(PARAMS_END) && !at_declaration(p) && !p.at(T![,]) {
        skip_one(p);
    }
    m.complete(p, ERROR);
    p.eat(T![,])
}

/// `{:a} x, y: T where e`
pub(super) fn param_group(p: &mut Parser<'_>, rule: Where) {
    let m = p.start();
    attributes(p);
    names_and_type(p, rule);
    m.complete(p, PARAM_GROUP);
}

/// `x, y: T where e`
pub(super) fn names_and_type(p: &mut Parser<'_>, rule: Where) {
    name(p);
    while p.at(T![,]) && !matches!(p.nth(1), T!['{']) {
        p.bump();
        name(p);
    }
    if p.expect(T![:]) || at_type(p) {
        type_(p);
    }
    if !p.at(T![where]) {
        return;
    }
    if let Where::Forbidden { on, help } = rule {
        let message = format!("`where` is not allowed on {on}");
        p.error_code(ErrorCode::WhereNotAllowed, message, help);
    }
    let m = p.start();
    p.bump();
    expr(p);
    m.complete(p, WHERE_CLAUSE);
}

pub(super) fn returns(p: &mut Parser<'_>, rule: Where) {
    if p.at(T![returns]) {
        let m = p.start();
        p.bump();
        param_list(p, rule);
        m.complete(p, RETURNS);
    }
}

pub(super) fn at_spec(p: &Parser<'_>) -> bool {
    match p.current() {
        T![free] => SPEC_START.contains(p.nth(1)) || p.nth(1) == T![measure],
        T![measure] => true,
        kind => SPEC_START.contains(kind),
    }
}

/// The clauses of a declaration. `body_follows`: it has no `;` after its header, so that a `{`
/// belongs to it.
pub(super) fn spec_clauses(p: &mut Parser<'_>, body_follows: bool) {
    loop {
        match p.current() {
            T!['{'] if body_follows && p.nth(1) == T![:] => lost_clause(p),
            _ if at_spec(p) => spec_clause(p),
            _ => return,
        }
    }
}

/// `{:a} e;`: a clause that lost its keyword. No body starts with `{:`.
pub(super) fn lost_clause(p: &mut Parser<'_>) {
    let help = "write the keyword of the clause: `requires`, `ensures`, `invariant`, ..";
    p.error("expected a keyword before the attributes of this clause", help);
    let m = p.start();
    attributes(p);
    expr(p);
    semicolon(p);
    m.complete(p, ERROR);
}

pub(super) fn spec_clause(p: &mut Parser<'_>) {
    let keyword = if p.at(T![free]) { p.nth(1) } else { p.current() };
    match keyword {
        T![refines] => refines(p),
        T![requires] => expr_or_call(p, REQUIRES_CLAUSE),
        T![ensures] => expr_or_call(p, ENSURES_CLAUSE),
        T![preserves] => expr_or_call(p, PRESERVES_CLAUSE),
        T![asserts] => asserts(p),
        T![modifies] => modifies(p),
        _ => measure(p, MEASURE_CLAUSE),
    }
}

fn stray_free(p: &mut Parser<'_>) {
    if p.at(T![free]) {
        let help = "remove `free`; only `requires`, `ensures` and `measure` may have it";
        p.error_and_bump("`free` is not allowed here", help);
    }
}

/// `refines A;` or `refines atomic action {:layer n} _ { .. }`
fn refines(p: &mut Parser<'_>) {
    let m = p.start();
    stray_free(p);
    p.bump();
    attributes(p);
    if p.at_set(MOVERS) || p.at(T![action]) {
        inline_action(p);
    } else {
        name_ref(p);
        semicolon(p);
    }
    m.complete(p, REFINES_CLAUSE);
}

fn inline_action(p: &mut Parser<'_>) {
    let m = p.start();
    mover(p);
    p.expect(T![action]);
    attributes_before_brace(p);
    name(p);
    statements::body(p);
    m.complete(p, INLINE_ACTION);
}

pub(super) fn mover(p: &mut Parser<'_>) {
    if p.at_set(MOVERS) {
        let m = p.start();
        p.bump();
        m.complete(p, MOVER);
    }
}

/// `requires {:a} e;`, `invariant call Inv(x);` and their kin.
pub(super) fn expr_or_call(p: &mut Parser<'_>, kind: SyntaxKind) {
    let m = p.start();
    p.eat(T![free]);
    p.bump();
    attributes(p);
    if statements::at_call(p) {
        // Calls of invariants are plain: neither parallel nor `async` nor `free`.
        let start = p.pos();
        if statements::call(p) != statements::CallForm::Plain {
            let help = "write one clause per invariant, without `|`, `async` and `free`";
            let message = "only a plain, single call may stand here";
            p.report(ParseError::new(start, ErrorCode::CallForm, message, help));
        }
    } else {
        expr(p);
    }
    semicolon(p);
    m.complete(p, kind);
}

fn asserts(p: &mut Parser<'_>) {
    let m = p.start();
    stray_free(p);
    p.bump();
    attributes(p);
    expr(p);
    semicolon(p);
    m.complete(p, ASSERTS_CLAUSE);
}

fn modifies(p: &mut Parser<'_>) {
    let m = p.start();
    stray_free(p);
    p.bump();
    if at_name(p) {
        name_ref_list(p);
    }
    semicolon(p);
    m.complete(p, MODIFIES_CLAUSE);
}

/// `measure e, e;` as a clause or as a statement.
pub(super) fn measure(p: &mut Parser<'_>, kind: SyntaxKind) {
    let m = p.start();
    p.eat(T![free]);
    p.bump();
    attributes(p);
    expr_list(p);
    semicolon(p);
    m.complete(p, kind);
}
