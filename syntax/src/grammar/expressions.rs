//! Expressions.
//!
//! Binary operators are read by binding power from the table [`LEVELS`]; what the language forbids
//! to mix without parentheses is read as if it were left-associative, with a complaint.

use super::quantifiers::{let_expr, quantified};
use super::statements::code_expr;
use super::types::type_;
use super::{HARD_STOP, at_name, find_in_group, name_ref, skip_balanced};
use crate::SyntaxKind::{self, *};
use crate::error::ErrorCode;
use crate::help;
use crate::parser::{CompletedMarker, ParseError, Parser};
use crate::token_set::TokenSet;

/// Tokens an expression can start with.
pub(super) const EXPR_START: TokenSet = LITERALS.union(TokenSet::new(&[
    IDENT,
    T![old],
    T![int],
    T![real],
    T!['('],
    T!["|{"],
    T![if],
    T![-],
    T![!],
    T![forall],
    T![exists],
    T![lambda],
    T![left],
    T![right],
    T![both],
    T![atomic],
    T![reveal],
    T![hide],
    T![push],
    T![pop],
]));

pub(super) const LITERALS: TokenSet = TokenSet::new(&[
    INT_NUMBER,
    DECIMAL_NUMBER,
    FLOAT_NUMBER,
    BV_NUMBER,
    STRING,
    ROUNDING_MODE,
    T![true],
    T![false],
]);

/// How tightly binary operators bind, from loose to tight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Iff,
    Implication,
    Logic,
    Comparison,
    Concat,
    Sum,
    Product,
    Power,
    /// Tighter than any binary operator.
    Operand,
}

impl Level {
    const fn next(self) -> Level {
        match self {
            Level::Iff => Level::Implication,
            Level::Implication => Level::Logic,
            Level::Logic => Level::Comparison,
            Level::Comparison => Level::Concat,
            Level::Concat => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Power,
            Level::Power | Level::Operand => Level::Operand,
        }
    }
}

const fn level(kind: SyntaxKind) -> Option<Level> {
    Some(match kind {
        T![<==>] => Level::Iff,
        T![==>] | T![<==] => Level::Implication,
        T![&&] | T![||] => Level::Logic,
        T![==] | T![!=] | T![<] | T![<=] | T![>] | T![>=] => Level::Comparison,
        T![++] => Level::Concat,
        T![+] | T![-] => Level::Sum,
        T![*] | T![div] | T![mod] | T![/] => Level::Product,
        T![**] => Level::Power,
        _ => return None,
    })
}

/// Any expression. Without one there is a complaint and no node.
pub(super) fn expr(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !p.enter() {
        skip_balanced(p, true);
        return None;
    }
    let result = binary(p, Level::Iff, None);
    p.leave();
    result
}

/// `e, e, e` with at least one expression.
pub(super) fn expr_list(p: &mut Parser<'_>) {
    expr(p);
    while p.eat(T![,]) {
        expr(p);
    }
}

/// An operator that was read.
#[derive(Clone, Copy)]
struct Operator {
    kind: SyntaxKind,
    token: usize,
}

/// Reads operators of level `min` and tighter. `outer` is the operator this is the right operand of.
fn binary(p: &mut Parser<'_>, min: Level, outer: Option<Operator>) -> Option<CompletedMarker> {
    let mut lhs = is_expr(p)?;
    let mut last = outer;
    while let Some(level) = level(p.current()).filter(|it| *it >= min) {
        let op = Operator { kind: p.current(), token: p.pos() };
        check_mixture(p, last, op.kind);
        last = Some(op);
        let m = lhs.precede(p);
        p.bump();
        match op.kind {
            T![==>] | T![**] => right_operand(p, level, op),
            _ => {
                binary(p, level.next(), None);
            }
        }
        lhs = m.complete(p, BINARY_EXPR);
    }
    Some(lhs)
}

/// The right operand of an operator that groups to the right.
fn right_operand(p: &mut Parser<'_>, level: Level, op: Operator) {
    if p.enter() {
        binary(p, level, Some(op));
        p.leave();
    } else {
        skip_balanced(p, true);
    }
}

/// Complains about neighbours that need parentheses.
fn check_mixture(p: &mut Parser<'_>, last: Option<Operator>, op: SyntaxKind) {
    let Some(last) = last else { return };
    let group = "put parentheses around the part that belongs together";
    let (code, message, help) = match (level(last.kind), level(op)) {
        (Some(Level::Implication), Some(Level::Implication)) if last.kind != op => {
            let message = "`==>` and `<==` cannot be mixed without parentheses";
            (ErrorCode::MixedOperators, message, group)
        }
        (Some(Level::Logic), Some(Level::Logic)) if last.kind != op => {
            let message = "`&&` and `||` cannot be mixed without parentheses";
            (ErrorCode::MixedOperators, message, group)
        }
        (Some(Level::Comparison), Some(Level::Comparison)) => {
            let help = "write `a < b && b < c` for `a < b < c`";
            (ErrorCode::ComparisonChain, "comparisons cannot be chained", help)
        }
        _ => return,
    };
    let error = ParseError::new(p.pos(), code, message, help);
    p.report(error.beside(last.token, "the operator before it"));
}

/// `unary [is C]`
fn is_expr(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    let operand = unary(p)?;
    if !p.at(T![is]) {
        return Some(operand);
    }
    let m = operand.precede(p);
    p.bump();
    name_ref(p);
    Some(m.complete(p, IS_EXPR))
}

fn unary(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !matches!(p.current(), T![-] | T![!]) {
        return coercion(p);
    }
    if !p.enter() {
        skip_balanced(p, true);
        return None;
    }
    let m = p.start();
    p.bump();
    unary(p);
    p.leave();
    Some(m.complete(p, UNARY_EXPR))
}

/// `e : T`, which binds tighter than any operator.
fn coercion(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    let mut operand = postfix(p)?;
    while p.at(T![:]) {
        let m = operand.precede(p);
        p.bump();
        if p.at(INT_NUMBER) {
            let message = "bounds of bits are two numbers: `e[high:low]`";
            let help = "write two numbers, the higher one first; bounds cannot be expressions";
            p.error_code(ErrorCode::BitvectorBounds, message, help);
            p.bump();
        } else {
            type_(p);
        }
        operand = m.complete(p, COERCION_EXPR);
    }
    Some(operand)
}

/// `e[..]`, `e->f`, `e->(f := v)`
fn postfix(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    let mut base = atom(p)?;
    loop {
        match p.current() {
            T!['['] => base = index(p, base),
            T![->] => base = field(p, base),
            _ => return Some(base),
        }
    }
}

fn field(p: &mut Parser<'_>, base: CompletedMarker) -> CompletedMarker {
    let m = base.precede(p);
    p.bump();
    if !p.at(T!['(']) {
        name_ref(p);
        return m.complete(p, FIELD_EXPR);
    }
    let open = p.open(T!['(']);
    name_ref(p);
    if p.expect(T![:=]) || p.at_set(EXPR_START) {
        expr(p);
    }
    p.close(T![')'], open);
    m.complete(p, FIELD_UPDATE_EXPR)
}

/// `e[i, j]`, `e[i := v]`, `e[high:low]`
fn index(p: &mut Parser<'_>, base: CompletedMarker) -> CompletedMarker {
    let m = base.precede(p);
    let args = p.start();
    let open = p.open(T!['[']);
    if p.at(INT_NUMBER) && p.nth(1) == T![:] && p.nth(2) == INT_NUMBER && p.nth(3) == T![']'] {
        check_size(p);
        p.bump();
        p.bump();
        p.bump();
        p.bump();
        args.abandon(p);
        return m.complete(p, EXTRACT_EXPR);
    }
    if !matches!(p.current(), T![']'] | T![:=]) {
        expr_list(p);
    }
    let store = p.eat(T![:=]);
    if store {
        expr(p);
    }
    close_bracket(p, T![']'], open);
    args.complete(p, if store { STORE_ARGS } else { INDEX_ARGS });
    m.complete(p, if store { STORE_EXPR } else { INDEX_EXPR })
}

/// A closing bracket; if it is missing, what stands before it is skipped, within the statement.
fn close_bracket(p: &mut Parser<'_>, close: SyntaxKind, open: Option<usize>) {
    if p.close(close, open) {
        return;
    }
    let stops = HARD_STOP.union(TokenSet::new(&[T![;], T![:=], close]));
    let Some((kind, distance)) = find_in_group(p.ahead(), stops) else { return };
    if kind != close {
        return;
    }
    let m = p.start();
    for _ in 0..distance {
        p.bump();
    }
    m.complete(p, ERROR);
    p.eat(close);
}

/// `(e, e)`; a missing `(` is made good when an expression follows.
pub(super) fn arg_list(p: &mut Parser<'_>) {
    let m = p.start();
    let open = p.open(T!['(']);
    if open.is_some() || p.at_set(EXPR_START) || p.at(T![')']) {
        if !p.at(T![')']) {
            expr_list(p);
        }
        close_bracket(p, T![')'], open);
    }
    m.complete(p, ARG_LIST);
}

fn atom(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    match p.current() {
        kind if LITERALS.contains(kind) => Some(literal(p)),
        T!['('] => Some(paren(p)),
        T![old] => Some(keyword_call(p, OLD_EXPR)),
        T![int] | T![real] => Some(keyword_call(p, CONVERT_EXPR)),
        T![if] => Some(if_expr(p)),
        T!["|{"] => code(p),
        T![forall] | T![exists] | T![lambda] => {
            let message = "quantifiers and lambdas stand in parentheses";
            let help = "write `(forall x: T :: e)`, with everything up to the end of `e` inside";
            p.error_code(ErrorCode::MissingParentheses, message, help);
            Some(quantified(p))
        }
        T![var] if matches!(p.nth(2), T![:=] | T![,]) => {
            let message = "a `var` expression stands in parentheses";
            p.error_code(ErrorCode::MissingParentheses, message, help::LET);
            let_expr(p);
            None
        }
        _ if at_name(p) => name_or_call(p),
        _ => {
            p.error("expected an expression", help::EXPRESSION);
            None
        }
    }
}

fn name_or_call(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    let name = name_ref(p)?;
    let m = name.precede(p);
    if p.at(T!['(']) {
        arg_list(p);
        return Some(m.complete(p, CALL_EXPR));
    }
    Some(m.complete(p, NAME_EXPR))
}

fn literal(p: &mut Parser<'_>) -> CompletedMarker {
    if matches!(p.current(), BV_NUMBER | FLOAT_NUMBER) {
        check_size(p);
    }
    let m = p.start();
    p.bump();
    m.complete(p, LITERAL)
}

/// Widths of bit-vectors and floats, and bounds of bits, are counted in machine words.
fn check_size(p: &mut Parser<'_>) {
    let digits = p.text().rsplit(|it: char| !it.is_ascii_digit()).next().unwrap_or_default();
    if digits.parse::<i32>().is_err() {
        let help = "sizes and bounds of bits are at most 2147483647";
        p.error_code(ErrorCode::NumberTooLarge, "this size is too large", help);
    }
}

fn paren(p: &mut Parser<'_>) -> CompletedMarker {
    let m = p.start();
    let open = p.open(T!['(']);
    match p.current() {
        T![forall] | T![exists] | T![lambda] => {
            quantified(p);
        }
        T![var] => let_expr(p),
        _ => match lost_binder(p) {
            Some(T![::]) => {
                p.error("expected `forall`, `exists` or `lambda`", help::BINDER);
                quantified(p);
            }
            Some(_) => {
                p.error("expected `var`", help::LET);
                let_expr(p);
            }
            None => {
                expr(p);
            }
        },
    }
    close_bracket(p, T![')'], open);
    m.complete(p, PAREN_EXPR)
}

/// `::` or `:=` in parentheses that start with `x:`, `x,` or `x :=`: a binder without keyword.
fn lost_binder(p: &Parser<'_>) -> Option<SyntaxKind> {
    let starts = match p.current() {
        T!['{'] => p.nth(1) == T![:],
        T![<] => true,
        _ => at_name(p) && matches!(p.nth(1), T![:] | T![,] | T![:=]),
    };
    let marks = TokenSet::new(&[T![::], T![:=], T![;]]);
    let found = starts.then(|| find_in_group(p.ahead(), marks)).flatten();
    found.map(|it| it.0).filter(|it| *it != T![;])
}

/// `old(e)`, `int(e)`, `real(e)`
fn keyword_call(p: &mut Parser<'_>, kind: SyntaxKind) -> CompletedMarker {
    let m = p.start();
    p.bump();
    let open = p.open(T!['(']);
    if open.is_some() || p.at_set(EXPR_START) {
        expr(p);
        close_bracket(p, T![')'], open);
    }
    m.complete(p, kind)
}

/// `if c then a else b`; the last part reaches as far as it can.
fn if_expr(p: &mut Parser<'_>) -> CompletedMarker {
    let m = p.start();
    p.bump();
    expr(p);
    if p.expect(T![then]) || p.at_set(EXPR_START) {
        expr(p);
    }
    if p.expect(T![else]) || p.at_set(EXPR_START) {
        expr(p);
    }
    m.complete(p, IF_EXPR)
}

fn code(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !p.enter() {
        skip_balanced(p, true);
        return None;
    }
    let result = code_expr(p);
    p.leave();
    Some(result)
}
