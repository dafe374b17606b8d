//! Declarations at top level.

use super::attributes::attributes;
use super::expressions::{EXPR_START, expr};
use super::specs::{self, Where, param_list, returns, spec_clauses};
use super::statements::{body, unmatched_close_ahead};
use super::types::{at_type, type_, type_params};
use super::{MOVERS, at_declaration, at_mover_declaration, at_name, name, semicolon, skip_one};
use crate::SyntaxKind::{self, *};
use crate::help;
use crate::parser::{Marker, Parser};

/// One declaration; anything else is skipped up to the next one.
pub(super) fn item(p: &mut Parser<'_>) {
    let m = p.start();
    match p.current() {
        T![const] => const_decl(p, m),
        T![function] | T![revealed] => function_decl(p, m),
        T![axiom] | T![hideable] => axiom_decl(p, m),
        T![type] => type_decl(p, m),
        T![datatype] => datatype_decl(p, m),
        T![var] => var_decl(p, m, GLOBAL_VAR_DECL),
        T![invariant] => invariant_decl(p, m),
        T![yield] => yield_decl(p, m),
        T![pure] => pure_decl(p, m),
        T![action] => action_decl(p, m),
        T![procedure] => proc_decl(p, m),
        T![implementation] => impl_decl(p, m),
        kind if MOVERS.contains(kind) => mover_decl(p, m),
        _ => unreadable(p, m),
    }
}

/// Skips to the next declaration; what stands in brackets is skipped as a whole.
fn unreadable(p: &mut Parser<'_>, m: Marker) {
    p.error("expected a declaration", help::DECLARATION);
    let start = p.pos();
    while !p.at(EOF) && !at_declaration(p) {
        let starts = matches!(p.current(), T![var] | T![invariant] | T![yield]);
        if starts && p.pos() > start {
            break;
        }
        skip_one(p);
    }
    m.complete(p, ERROR);
}

fn const_decl(p: &mut Parser<'_>, m: Marker) {
    p.bump();
    attributes(p);
    p.eat(T![unique]);
    name(p);
    while p.eat(T![,]) {
        name(p);
    }
    if p.expect(T![:]) || at_type(p) {
        type_(p);
    }
    if p.at(T![uses]) {
        uses_clause(p);
    } else {
        semicolon(p);
    }
    m.complete(p, CONST_DECL);
}

fn uses_clause(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    // Axioms also follow a clause whose `}` is missing; those stand in the first column.
    let closed = unmatched_close_ahead_of_axioms(p);
    let open = p.open(T!['{']);
    while matches!(p.current(), T![axiom] | T![hideable]) && (closed || !p.in_first_column()) {
        let axiom = p.start();
        axiom_decl(p, axiom);
    }
    p.close(T!['}'], open);
    m.complete(p, USES_CLAUSE);
}

/// Whether only axioms stand between here and the next `}` that closes what is open.
fn unmatched_close_ahead_of_axioms(p: &Parser<'_>) -> bool {
    let mut depth = usize::from(!p.at(T!['{']));
    for kind in p.ahead() {
        match kind {
            T!['{'] | T!["|{"] => depth += 1,
            T!['}'] | T!["}|"] if depth <= 1 => return true,
            T!['}'] | T!["}|"] => depth -= 1,
            T![axiom] | T![hideable] => {}
            T![var] | T![const] | T![type] | T![function] | T![procedure] | T![datatype] => {
                return false;
            }
            _ => {}
        }
    }
    false
}

fn function_decl(p: &mut Parser<'_>, m: Marker) {
    p.eat(T![revealed]);
    p.expect(T![function]);
    attributes(p);
    name(p);
    if p.at(T![<]) {
        type_params(p);
    }
    function_params(p);
    function_returns(p);
    function_end(p);
    m.complete(p, FUNCTION_DECL);
}

fn function_params(p: &mut Parser<'_>) {
    let m = p.start();
    let open = p.open(T!['(']);
    while !matches!(p.current(), T![')'] | T![;] | T!['}'] | EOF) && !at_declaration(p) {
        function_param(p);
        if p.eat(T![,]) {
            continue;
        }
        if p.at(T![')']) || !at_type(p) {
            break;
        }
        p.error("expected `,` or `)`", help::PARAMETER);
    }
    p.close(T![')'], open);
    m.complete(p, FUNCTION_PARAM_LIST);
}

/// `x: T`, or `T` alone (which may also be a name that shares the type of the next parameter).
fn function_param(p: &mut Parser<'_>) {
    let m = p.start();
    attributes(p);
    if at_name(p) && p.nth(1) == T![:] {
        name(p);
        p.bump();
        type_(p);
    } else {
        type_(p);
        if p.at(T![:]) {
            p.error_and_bump("expected a single name before `:`", help::PARAMETER);
            type_(p);
        }
    }
    m.complete(p, FUNCTION_PARAM);
}

fn function_returns(p: &mut Parser<'_>) {
    let m = p.start();
    match p.current() {
        T![returns] => {
            p.bump();
            let open = p.open(T!['(']);
            function_param(p);
            p.close(T![')'], open);
        }
        T![:] => {
            p.bump();
            type_(p);
        }
        _ => {
            let help = "a function is declared as `function F(x: T): U;`";
            p.error("expected `:` or `returns` and the type of the result", help);
            if at_type(p) && !p.starts_line() {
                type_(p);
            }
        }
    }
    m.complete(p, FUNCTION_RETURNS);
}

fn function_end(p: &mut Parser<'_>) {
    let lost_brace = p.at_set(EXPR_START) && unmatched_close_ahead(p);
    if p.at(T!['{']) || lost_brace {
        let m = p.start();
        let open = p.open(T!['{']);
        expr(p);
        close_function_body(p, open);
        m.complete(p, FUNCTION_BODY);
        if p.at(T![uses]) {
            uses_clause(p);
        }
    } else if p.at(T![uses]) {
        uses_clause(p);
    } else {
        semicolon(p);
    }
}

fn close_function_body(p: &mut Parser<'_>, open: Option<usize>) {
    if p.close(T!['}'], open) {
        return;
    }
    let m = p.start();
    while !matches!(p.current(), T!['}'] | EOF | T![var] | T![uses] | T![yield] | T![invariant])
        && !at_declaration(p)
    {
        skip_one(p);
    }
    m.complete(p, ERROR);
    p.eat(T!['}']);
}

fn axiom_decl(p: &mut Parser<'_>, m: Marker) {
    p.eat(T![hideable]);
    p.expect(T![axiom]);
    attributes(p);
    expr(p);
    semicolon(p);
    m.complete(p, AXIOM_DECL);
}

fn type_decl(p: &mut Parser<'_>, m: Marker) {
    p.bump();
    attributes(p);
    type_def(p);
    while p.eat(T![,]) {
        type_def(p);
    }
    semicolon(p);
    m.complete(p, TYPE_DECL);
}

/// `T`, `T a b`, `T a = type`
fn type_def(p: &mut Parser<'_>) {
    let m = p.start();
    name(p);
    if at_name(p) {
        let params = p.start();
        while at_name(p) {
            name(p);
        }
        params.complete(p, TYPE_DEF_PARAMS);
    }
    if p.eat(T![=]) {
        type_(p);
    }
    m.complete(p, TYPE_DEF);
}

fn datatype_decl(p: &mut Parser<'_>, m: Marker) {
    p.bump();
    attributes(p);
    name(p);
    if p.at(T![<]) {
        type_params(p);
    }
    let open = p.open(T!['{']);
    while at_name(p) || p.at(T!['(']) {
        constructor(p);
        if p.eat(T![,]) {
            if !at_name(p) {
                p.error("expected a constructor", help::CONSTRUCTOR);
            }
        } else if at_name(p) {
            p.error("expected `,`", help::CONSTRUCTOR);
        }
    }
    p.close(T!['}'], open);
    m.complete(p, DATATYPE_DECL);
}

fn constructor(p: &mut Parser<'_>) {
    let m = p.start();
    name(p);
    let help = "remove it, and say it where values of the datatype are used";
    param_list(p, Where::Forbidden { on: "the field of a constructor", help });
    m.complete(p, CONSTRUCTOR);
}

/// `var {:a} x, y: T, z: U;` at top level or in a body.
pub(super) fn var_decl(p: &mut Parser<'_>, m: Marker, kind: SyntaxKind) {
    p.expect(T![var]);
    attributes(p);
    var_group(p);
    while p.eat(T![,]) {
        var_group(p);
    }
    semicolon(p);
    m.complete(p, kind);
}

fn var_group(p: &mut Parser<'_>) {
    let m = p.start();
    specs::names_and_type(p, Where::Allowed);
    m.complete(p, VAR_GROUP);
}

fn invariant_decl(p: &mut Parser<'_>, m: Marker) {
    p.eat(T![yield]);
    p.expect(T![invariant]);
    attributes(p);
    name(p);
    param_list(p, Where::Allowed);
    p.expect(T![;]);
    spec_clauses(p, false);
    m.complete(p, INVARIANT_DECL);
}

fn yield_decl(p: &mut Parser<'_>, m: Marker) {
    match p.nth(1) {
        T![invariant] => invariant_decl(p, m),
        _ => yield_proc_decl(p, m),
    }
}

fn pure_decl(p: &mut Parser<'_>, m: Marker) {
    match p.nth(1) {
        T![action] => action_decl(p, m),
        kind if MOVERS.contains(kind) => action_decl(p, m),
        _ => proc_decl(p, m),
    }
}

/// A declaration that starts with a mover: an action, or a procedure that lost its `yield`.
fn mover_decl(p: &mut Parser<'_>, m: Marker) {
    if p.nth(1) == T![procedure] {
        let help = "write `yield` before the mover, or remove the mover";
        p.error("expected `yield` before a procedure with a mover", help);
        yield_proc_decl(p, m);
    } else if at_mover_declaration(p) || p.nth(1) == T!['{'] {
        action_decl(p, m);
    } else {
        unreadable(p, m);
    }
}

fn action_decl(p: &mut Parser<'_>, m: Marker) {
    p.eat(T![pure]);
    specs::mover(p);
    p.expect(T![action]);
    attributes(p);
    name(p);
    proc_rest(p);
    m.complete(p, ACTION_DECL);
}

fn yield_proc_decl(p: &mut Parser<'_>, m: Marker) {
    p.eat(T![yield]);
    specs::mover(p);
    p.expect(T![procedure]);
    attributes(p);
    name(p);
    proc_rest(p);
    m.complete(p, YIELD_PROC_DECL);
}

fn proc_decl(p: &mut Parser<'_>, m: Marker) {
    p.eat(T![pure]);
    p.expect(T![procedure]);
    attributes(p);
    name(p);
    if p.at(T![<]) {
        type_params(p);
    }
    proc_rest(p);
    m.complete(p, PROC_DECL);
}

fn impl_decl(p: &mut Parser<'_>, m: Marker) {
    p.bump();
    attributes(p);
    name(p);
    if p.at(T![<]) {
        type_params(p);
    }
    let help = "write it on the parameter of the procedure that is implemented";
    let rule = Where::Forbidden { on: "the parameter of an implementation", help };
    param_list(p, rule);
    returns(p, rule);
    spec_clauses(p, true);
    body(p);
    m.complete(p, IMPL_DECL);
}

/// Parameters, results, clauses and body: `;` before the clauses means that there is no body.
fn proc_rest(p: &mut Parser<'_>) {
    param_list(p, Where::Allowed);
    returns(p, Where::Allowed);
    let semicolon = p.pos();
    let complete = p.eat(T![;]);
    spec_clauses(p, !complete);
    if !complete {
        body(p);
    } else if p.at(T!['{']) && p.nth(1) != T![:] {
        let help = "remove the `;` after the header, or the body";
        let message = "a declaration with `;` after its header has no body";
        p.error_beside(message, help, (semicolon, "the `;` after the header"));
        body(p);
    }
}
