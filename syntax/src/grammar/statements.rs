//! Bodies and statements.

use super::attributes::{attributes, attributes_before_brace, is_word};
use super::expressions::{EXPR_START, arg_list, expr, expr_list};
use super::items::var_decl;
use super::specs::{expr_or_call, lost_clause, measure, spec_clause};
use super::types::{PRIM_TYPES, TYPE_START};
use super::{
    HARD_STOP, SPEC_START, STMT_KEYWORDS, at_declaration, at_name, braces_close, declaration_ahead,
    group_len, name, name_ref, name_ref_list, new_start, semicolon, skip_balanced, skip_one,
};
use crate::SyntaxKind::{self, *};
use crate::error::ErrorCode;
use crate::help;
use crate::parser::{CompletedMarker, ParseError, Parser};

/// `{ locals statements }`. A missing `{` is made good when the `}` is there.
pub(crate) fn body(p: &mut Parser<'_>) {
    let m = p.start();
    if p.at(T!['{']) {
        let unclosed = !braces_close(p.ahead());
        let outer = std::mem::replace(&mut p.unclosed_body, unclosed);
        let open = p.open(T!['{']);
        body_contents(p);
        p.close(T!['}'], open);
        p.unclosed_body = outer;
        m.complete(p, BODY);
        return;
    }
    let help = "write the body in `{ .. }`, or `;` after the header if there is none";
    p.error("expected `{` or `;`", help);
    let statement = p.at_set(STMT_KEYWORDS) || at_name(p) || p.at(T!['}']);
    if statement && !at_declaration(p) && unmatched_close_ahead(p) {
        body_contents(p);
        p.eat(T!['}']);
        m.complete(p, BODY);
    } else {
        m.abandon(p);
    }
}

fn body_contents(p: &mut Parser<'_>) {
    while p.at(T![var]) && !at_body_end(p) || at_lost_var(p) {
        let local = p.start();
        var_decl(p, local, LOCAL_VAR_DECL);
    }
    statements(p);
}

/// `{:a} x: T;` or `x, y: T;`: a declaration that lost its `var`.
fn at_lost_var(p: &Parser<'_>) -> bool {
    let kinds = p.ahead();
    let nth = |n: usize| kinds.get(n).copied().unwrap_or(EOF);
    let mut first = 0;
    while nth(first) == T!['{'] && nth(first + 1) == T![:] {
        let Some(len) = group_len(&kinds[first..]) else { return false };
        first += len;
    }
    let mut colon = first + 1;
    while is_word(nth(colon - 1)) && nth(colon) == T![,] {
        colon += 2;
    }
    if !is_word(nth(colon - 1)) || nth(colon) != T![:] {
        return false;
    }
    // A label may be followed by a statement that starts with a name.
    let ends_type = |kind| is_word(kind) || PRIM_TYPES.contains(kind) || kind == T![;];
    let argument = || match kinds.get(colon + 2..).and_then(group_len) {
        Some(len) => nth(colon + 2) == T!['('] && nth(colon + 2 + len) != T![:=],
        None => false,
    };
    colon > 1
        || TYPE_START.contains(nth(colon + 1))
        || is_word(nth(colon + 1)) && (ends_type(nth(colon + 2)) || argument())
}

fn statements(p: &mut Parser<'_>) {
    while !at_body_end(p) {
        let before = p.pos();
        statement(p);
        if p.pos() == before {
            p.error_and_bump("expected a statement", help::STATEMENT);
        }
    }
}

/// A closing brace, the end, or a declaration after a body whose `}` is missing.
fn at_body_end(p: &Parser<'_>) -> bool {
    match p.current() {
        T!['}'] | T!["}|"] | EOF => true,
        T![var] | T![invariant] => p.unclosed_body && p.in_first_column(),
        kind if SPEC_START.contains(kind) => p.unclosed_body,
        _ => at_declaration(p),
    }
}

/// Whether a `}` comes that was not opened from here on, before the next declaration.
pub(super) fn unmatched_close_ahead(p: &Parser<'_>) -> bool {
    let mut depth = 0usize;
    let kinds = p.ahead();
    for (i, kind) in kinds.iter().enumerate() {
        match kind {
            T!['{'] | T!["|{"] => depth += 1,
            T!['}'] | T!["}|"] if depth == 0 => return true,
            T!['}'] | T!["}|"] => depth -= 1,
            _ if declaration_ahead(&kinds[i..]) => return false,
            _ => {}
        }
    }
    false
}

fn statement(p: &mut Parser<'_>) {
    match p.current() {
        T![assert] => with_expr(p, ASSERT_STMT),
        T![assume] => with_expr(p, ASSUME_STMT),
        T![havoc] => havoc(p),
        T![measure] => measure(p, MEASURE_STMT),
        T![call] | T![async] => call_stmt(p),
        T![free] if matches!(p.nth(1), T![call] | T![async]) => call_stmt(p),
        T![reveal] => reveal_or_hide(p, REVEAL_STMT),
        T![hide] => reveal_or_hide(p, HIDE_STMT),
        T![push] => keyword_only(p, PUSH_STMT),
        T![pop] => keyword_only(p, POP_STMT),
        T![if] => nested(p, if_stmt),
        T![while] => nested(p, while_stmt),
        T![break] => break_stmt(p),
        T![goto] => goto_stmt(p),
        T![return] => return_stmt(p),
        T![yield] => yield_stmt(p),
        _ if at_name(p) => name_first(p),
        _ => misplaced(p),
    }
}

fn nested(p: &mut Parser<'_>, statement: fn(&mut Parser<'_>)) {
    if p.enter() {
        statement(p);
        p.leave();
    } else {
        skip_balanced(p, false);
    }
}

/// Statements that start with a name.
fn name_first(p: &mut Parser<'_>) {
    match p.nth(1) {
        T![:] => {
            let m = p.start();
            name(p);
            p.bump();
            m.complete(p, LABEL_STMT);
        }
        T!['('] => unpack_or_lost_call(p),
        _ => assign(p),
    }
}

fn assign(p: &mut Parser<'_>) {
    let m = p.start();
    lhs_path(p);
    while p.eat(T![,]) {
        lhs_path(p);
    }
    if p.expect(T![:=]) {
        attributes(p);
        expr_list(p);
    } else if p.at_set(EXPR_START) && !new_start(p) {
        expr_list(p);
    }
    semicolon(p);
    m.complete(p, ASSIGN_STMT);
}

fn lhs_path(p: &mut Parser<'_>) {
    let m = p.start();
    name_ref(p);
    loop {
        match p.current() {
            T!['['] => lhs_index(p),
            T![->] => {
                let field = p.start();
                p.bump();
                name_ref(p);
                field.complete(p, LHS_FIELD);
            }
            _ => break,
        }
    }
    m.complete(p, LHS_PATH);
}

fn lhs_index(p: &mut Parser<'_>) {
    let m = p.start();
    let open = p.open(T!['[']);
    if p.at(INT_NUMBER) && p.nth(1) == T![:] && p.nth(2) == INT_NUMBER {
        let help = "assign all of it, for example `v := v[8:4] ++ e` for the lower half of 8 bits";
        let message = "bits of a bit-vector cannot be assigned";
        p.error_code(ErrorCode::BitvectorBounds, message, help);
        p.bump();
        p.bump();
        p.bump();
    } else if !p.at(T![']']) {
        expr_list(p);
    }
    p.close(T![']'], open);
    m.complete(p, LHS_INDEX);
}

/// `C(x, y) := e;`, or a call whose `call` is missing.
fn unpack_or_lost_call(p: &mut Parser<'_>) {
    let m = p.start();
    if !assign_after_parens(&p.ahead()[1..]) {
        p.error("a call statement starts with `call`", help::missing(T![call]));
        call(p);
        semicolon(p);
        m.complete(p, CALL_STMT);
        return;
    }
    name_ref(p);
    let vars = p.start();
    let open = p.open(T!['(']);
    if p.at(T![')']) {
        p.error("expected a variable", "write a variable for each field: `C(x, y) := e;`");
    } else {
        name_ref_list(p);
    }
    p.close(T![')'], open);
    vars.complete(p, UNPACK_VARS);
    p.expect(T![:=]);
    attributes(p);
    expr(p);
    semicolon(p);
    m.complete(p, UNPACK_STMT);
}

/// Whether `:=` follows the parenthesis that opens here, within one statement.
fn assign_after_parens(kinds: &[SyntaxKind]) -> bool {
    let mut depth = 0usize;
    for (i, kind) in kinds.iter().enumerate() {
        match kind {
            T!['('] => depth += 1,
            T![')'] if depth == 1 => return kinds.get(i + 1) == Some(&T![:=]),
            T![')'] => depth -= 1,
            T![:=] if depth == 1 => return true,
            T![;] | T!['{'] | T!['}'] => return false,
            _ => {}
        }
    }
    false
}

fn with_expr(p: &mut Parser<'_>, kind: SyntaxKind) {
    let m = p.start();
    p.bump();
    attributes(p);
    expr(p);
    semicolon(p);
    m.complete(p, kind);
}

fn havoc(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    name_ref_list(p);
    semicolon(p);
    m.complete(p, HAVOC_STMT);
}

fn reveal_or_hide(p: &mut Parser<'_>, kind: SyntaxKind) {
    let m = p.start();
    p.bump();
    if !p.eat(T![*]) {
        name_ref(p);
    }
    semicolon(p);
    m.complete(p, kind);
}

fn keyword_only(p: &mut Parser<'_>, kind: SyntaxKind) {
    let m = p.start();
    p.bump();
    semicolon(p);
    m.complete(p, kind);
}

fn if_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    attributes_before_brace(p);
    guard(p);
    block(p);
    else_branch(p);
    m.complete(p, IF_STMT);
}

fn else_branch(p: &mut Parser<'_>) {
    if !p.at(T![else]) {
        return;
    }
    let m = p.start();
    p.bump();
    if p.at(T![if]) {
        nested(p, if_stmt);
    } else {
        block(p);
    }
    m.complete(p, ELSE_BRANCH);
}

/// `(*)` or `(e)`
fn guard(p: &mut Parser<'_>) {
    let m = p.start();
    let open = p.open(T!['(']);
    if !p.eat(T![*]) {
        expr(p);
    }
    if !p.close(T![')'], open) {
        while !p.at_set(HARD_STOP) && !p.at(T![;]) && !p.starts_line() {
            let closes = p.at(T![')']);
            p.bump();
            if closes {
                break;
            }
        }
    }
    m.complete(p, GUARD);
}

fn while_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    guard(p);
    loop_specs(p);
    block(p);
    m.complete(p, WHILE_STMT);
}

fn loop_specs(p: &mut Parser<'_>) {
    loop {
        match p.current() {
            T![invariant] => expr_or_call(p, LOOP_INVARIANT),
            T![free] if p.nth(1) == T![invariant] => expr_or_call(p, LOOP_INVARIANT),
            T![measure] => measure(p, MEASURE_CLAUSE),
            T![free] if p.nth(1) == T![measure] => measure(p, MEASURE_CLAUSE),
            T!['{'] if p.nth(1) == T![:] => lost_clause(p),
            _ => break,
        }
    }
}

/// `{ statements }`. A missing `{` is made good when statements follow.
fn block(p: &mut Parser<'_>) {
    if !p.enter() {
        skip_balanced(p, false);
        return;
    }
    let m = p.start();
    let open = p.open(T!['{']);
    let lost_open = match p.current() {
        T!['}'] => matches!(p.nth(1), T!['}'] | T![else]),
        _ => p.at_set(STMT_KEYWORDS) || at_name(p),
    };
    if open.is_some() || lost_open {
        statements(p);
        p.close(T!['}'], open);
        m.complete(p, BLOCK);
    } else {
        m.abandon(p);
    }
    p.leave();
}

fn break_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    if at_name(p) && !p.starts_line() {
        name_ref(p);
    }
    semicolon(p);
    m.complete(p, BREAK_STMT);
}

fn goto_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    attributes_before_brace(p);
    name_ref_list(p);
    semicolon(p);
    m.complete(p, GOTO_STMT);
}

fn return_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    attributes_before_brace(p);
    if p.in_code {
        expr(p);
    }
    semicolon(p);
    m.complete(p, RETURN_STMT);
}

/// `yield;`, `yield e;`, `yield {:layer 1} e;`
fn yield_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    attributes_before_brace(p);
    if !p.at(T![;]) && p.at_set(EXPR_START) {
        expr(p);
    }
    semicolon(p);
    m.complete(p, YIELD_STMT);
}

fn call_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    let start = p.pos();
    if call(p) == CallForm::Mixed {
        let message = "a parallel call can be neither `async` nor `free`";
        let help = "drop the keyword, or write one call statement per arm";
        p.report(ParseError::new(start, ErrorCode::CallForm, message, help));
    }
    semicolon(p);
    m.complete(p, CALL_STMT);
}

/// How a call was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallForm {
    /// One arm, neither `async` nor `free`.
    Plain,
    /// Several arms.
    Parallel,
    /// One arm with `async` or `free`.
    Marked,
    /// Several arms with `async` or `free`.
    Mixed,
}

pub(super) fn at_call(p: &Parser<'_>) -> bool {
    match p.current() {
        T![call] | T![async] => true,
        T![free] => matches!(p.nth(1), T![call] | T![async]),
        _ => false,
    }
}

/// `async free call arm | arm`
pub(super) fn call(p: &mut Parser<'_>) -> CallForm {
    let m = p.start();
    let marked = p.eat(T![async]) | p.eat(T![free]);
    p.expect(T![call]);
    call_arm(p);
    let mut parallel = false;
    loop {
        if p.at(T!["|{"]) {
            let help = "`|{` is one token, the start of a code expression";
            p.error_and_bump("expected `|`; write a space between `|` and `{`", help);
        } else if !p.eat(T![|]) {
            break;
        }
        parallel = true;
        call_arm(p);
    }
    m.complete(p, CALL);
    match (parallel, marked) {
        (false, false) => CallForm::Plain,
        (true, false) => CallForm::Parallel,
        (false, true) => CallForm::Marked,
        (true, true) => CallForm::Mixed,
    }
}

/// `{:a} x, y := P(e, e)`
fn call_arm(p: &mut Parser<'_>) {
    let m = p.start();
    attributes(p);
    let lost_assign = at_name(p) && p.nth(1) == IDENT;
    if at_name(p) && matches!(p.nth(1), T![,] | T![:=]) || lost_assign {
        let outs = p.start();
        name_ref_list(p);
        outs.complete(p, CALL_OUTS);
        p.expect(T![:=]);
    }
    if name_ref(p).is_some() || p.at(T!['(']) {
        arg_list(p);
    }
    m.complete(p, CALL_ARM);
}

/// Something that starts no statement here: read what it is and complain once.
fn misplaced(p: &mut Parser<'_>) {
    let m = p.start();
    match p.current() {
        T![var] => {
            let help = "move the declaration up, before the first statement of the body";
            p.error("variables are declared at the start of the body", help);
            // Those that follow share the complaint.
            while p.at(T![var]) {
                let local = p.start();
                var_decl(p, local, LOCAL_VAR_DECL);
            }
        }
        T!['{'] if p.nth(1) == T![:] => {
            p.error("a call statement starts with `call`", help::missing(T![call]));
            call(p);
            semicolon(p);
        }
        T!['{'] => {
            let help = "write `if (..)` or `while (..)` before the block, or remove its braces";
            p.error("expected a statement", help);
            lost_branch(p);
        }
        T![else] => {
            let help = "an `else` stands right after the block of its `if`";
            p.error("expected a statement; this `else` has no `if`", help);
            else_branch(p);
        }
        T![invariant] => {
            let help = "write it between `while (..)` and `{`; inside the loop, use `assert`";
            p.error("an invariant belongs before the `{` of a loop", help);
            lost_loop(p);
        }
        kind if SPEC_START.contains(kind) => {
            let help = "move it up, between the header of the declaration and its body";
            p.error("a clause belongs before the `{` of the body", help);
            spec_clause(p);
        }
        _ => unreadable(p),
    }
    m.complete(p, ERROR);
}

/// A block, and the `else` behind it, after something that was not understood.
fn lost_branch(p: &mut Parser<'_>) {
    block(p);
    else_branch(p);
}

fn lost_loop(p: &mut Parser<'_>) {
    loop_specs(p);
    if p.at(T!['{']) {
        block(p);
    }
}

fn unreadable(p: &mut Parser<'_>) {
    p.error("expected a statement", help::STATEMENT);
    skip_one(p);
    while !new_start(p) && !p.at(T![;]) {
        skip_one(p);
    }
    match p.current() {
        T![;] => p.bump(),
        T!['{'] => lost_branch(p),
        T![invariant] | T![free] | T![measure] => lost_loop(p),
        _ => {}
    }
}

/// `|{ locals blocks }|`
pub(super) fn code_expr(p: &mut Parser<'_>) -> CompletedMarker {
    let m = p.start();
    let open = p.open(T!["|{"]);
    let outer = std::mem::replace(&mut p.in_code, true);
    while p.at(T![var]) {
        let local = p.start();
        var_decl(p, local, LOCAL_VAR_DECL);
    }
    if !(at_name(p) && p.nth(1) == T![:]) {
        let help = "write a name and `:` before its first statement";
        let message = "a block of a code expression needs a label";
        p.error_code(ErrorCode::CodeExpressionBlock, message, help);
    }
    code_statements(p);
    p.in_code = outer;
    p.close(T!["}|"], open);
    m.complete(p, CODE_EXPR)
}

fn code_statements(p: &mut Parser<'_>) {
    while !matches!(p.current(), T!["}|"] | T!['}'] | EOF) && !at_declaration(p) {
        let before = p.pos();
        statement(p);
        if p.pos() == before {
            p.error_and_bump("expected a statement", help::STATEMENT);
        }
    }
}
