//! Expressions: dispatch, names, literals and the simple constructs.

use base::{DeclKind, Name};
use num_bigint::BigInt;
use smol_str::SmolStr;
use syntax::ast::{self, AstNode, LiteralKind};

use super::{Lowering, StateMode};
use crate::problem::Fault;
use crate::types::builtin_type;
use crate::{Expr, ExprId, Literal, Ty, UnaryOp, constant, global, lookup_var};

impl Lowering<'_> {
    pub(crate) fn optional_expr(
        &mut self,
        expr: Option<ast::Expr>,
        around: &syntax::SyntaxNode,
    ) -> ExprId {
        match expr {
            Some(expr) => self.expr(&expr),
            None => self.missing(around),
        }
    }

    pub(crate) fn expr(&mut self, expr: &ast::Expr) -> ExprId {
        match expr {
            ast::Expr::BinaryExpr(it) => self.binary_chain(it),
            ast::Expr::UnaryExpr(it) => self.unary(it),
            ast::Expr::IsExpr(it) => self.is(it),
            ast::Expr::CoercionExpr(it) => self.coercion(it),
            ast::Expr::IndexExpr(it) => self.index(it),
            ast::Expr::StoreExpr(it) => self.store(it),
            ast::Expr::ExtractExpr(it) => self.extract(it),
            ast::Expr::FieldExpr(it) => self.field(it),
            ast::Expr::FieldUpdateExpr(it) => self.field_update(it),
            ast::Expr::Literal(it) => self.literal(it),
            ast::Expr::NameExpr(it) => self.name(it),
            ast::Expr::CallExpr(it) => self.application(it),
            ast::Expr::OldExpr(it) => self.old(it),
            ast::Expr::ConvertExpr(it) => self.convert(it),
            ast::Expr::ParenExpr(it) => self.optional_expr(it.expr(), it.syntax()),
            ast::Expr::QuantExpr(it) => self.quantifier(it),
            ast::Expr::LambdaExpr(it) => self.lambda(it),
            ast::Expr::LetExpr(it) => self.let_expr(it),
            ast::Expr::IfExpr(it) => self.if_expr(it),
            ast::Expr::CodeExpr(it) => {
                let ptr = self.numbers.at(it.syntax(), it.l_code_token());
                self.problem(ptr, Fault::Unsupported { what: "code expressions" });
                self.missing(it.syntax())
            }
        }
    }

    fn literal(&mut self, node: &ast::Literal) -> ExprId {
        let ptr = self.numbers.node(node.syntax());
        let text = node.token().map(|token| SmolStr::new(token.text())).unwrap_or_default();
        let value = node.kind().and_then(|kind| literal_value(kind, &text));
        match value {
            Some((literal, ty)) => self.alloc(Expr::Literal(literal), ty, ptr),
            None => self.missing(node.syntax()),
        }
    }

    fn name(&mut self, node: &ast::NameExpr) -> ExprId {
        let text = node.name_ref().map(|it| it.text()).unwrap_or_default();
        self.variable(&Name::new(text), node.syntax())
    }

    /// A variable, innermost scope first.
    pub(crate) fn variable(&mut self, name: &Name, node: &syntax::SyntaxNode) -> ExprId {
        let ptr = self.numbers.node(node);
        if let Some(id) = self.find_bound(name) {
            let ty = self.exprs.bound[id.index()].ty.clone();
            return self.alloc(Expr::Bound(id), ty, ptr);
        }
        if let Some(id) = self.find_local(name) {
            let ty = self.locals[id.index()].ty.clone();
            return self.alloc(Expr::Local(id), ty, ptr);
        }
        let decl = lookup_var(self.db, self.program, name.clone());
        let Some(decl) = decl else {
            if !name.is_missing() {
                self.problem(ptr, Fault::UndeclaredIdentifier { name: name.clone() });
            }
            return self.alloc(Expr::Missing, Ty::Error, ptr);
        };
        if decl.kind(self.db) == DeclKind::Const {
            let constant = constant(self.db, self.program, name.clone());
            let ty = constant.map_or(Ty::Error, |it| it.ty.clone());
            return self.alloc(Expr::Const(name.clone()), ty, ptr);
        }
        if self.mode == StateMode::None {
            let declared = self.declared(decl);
            self.problem(ptr, Fault::GlobalNotAllowed { name: name.clone(), declared });
        }
        let ty = global(self.db, self.program, name.clone()).map_or(Ty::Error, |it| it.ty.clone());
        self.alloc(Expr::Global(name.clone()), ty, ptr)
    }

    fn old(&mut self, node: &ast::OldExpr) -> ExprId {
        let ptr = self.numbers.at(node.syntax(), node.old_token());
        if self.mode != StateMode::Two {
            self.problem(ptr, Fault::OldNotAllowed);
        }
        let arg = self.optional_expr(node.expr(), node.syntax());
        let ty = self.ty(arg);
        self.alloc(Expr::Old(arg), ty, ptr)
    }

    fn unary(&mut self, node: &ast::UnaryExpr) -> ExprId {
        let ptr = self.numbers.at(node.syntax(), node.op_token());
        let arg = self.optional_expr(node.expr(), node.syntax());
        let found = self.ty(arg);
        let Some(op) = node.op() else { return self.missing(node.syntax()) };
        let (op, text) = match op {
            ast::UnaryOp::Neg => (UnaryOp::Neg, "-"),
            ast::UnaryOp::Not => (UnaryOp::Not, "!"),
        };
        if op == UnaryOp::Not {
            self.check_trigger_operator(ptr, crate::problem::TriggerFault::BooleanOperator);
        }
        let ty = match (op, &found) {
            (_, Ty::Error) => Ty::Error,
            (UnaryOp::Neg, Ty::Real | Ty::Float(..)) => found.clone(),
            (UnaryOp::Neg, _) if self.infer.unify(&found, &Ty::Int) => Ty::Int,
            (UnaryOp::Not, _) if self.infer.unify(&found, &Ty::Bool) => Ty::Bool,
            (UnaryOp::Neg | UnaryOp::Not, _) => {
                let ty = self.shown(arg);
                self.problem(ptr, Fault::UnaryTypes { op: text, ty });
                Ty::Error
            }
        };
        self.alloc(Expr::Unary { op, arg }, ty, ptr)
    }

    fn coercion(&mut self, node: &ast::CoercionExpr) -> ExprId {
        let ptr = self.numbers.at(node.syntax(), node.colon_token());
        let arg = self.optional_expr(node.expr(), node.syntax());
        let ty = self.lower_type(node.ty());
        let found = self.ty(arg);
        if !self.infer.unify(&found, &ty) {
            let from = self.shown(arg);
            self.problem(ptr, Fault::BadCoercion { from, to: ty.clone() });
        }
        self.alloc(Expr::Coerce { arg, ty: ty.clone() }, ty, ptr)
    }

    fn convert(&mut self, node: &ast::ConvertExpr) -> ExprId {
        let ptr = self.numbers.at(node.syntax(), node.target_token());
        let arg = self.optional_expr(node.expr(), node.syntax());
        let to_int = node.int_token().is_some();
        let (from, to) = if to_int { (Ty::Real, Ty::Int) } else { (Ty::Int, Ty::Real) };
        let found = self.ty(arg);
        if !self.infer.unify(&found, &from) {
            let found = self.shown(arg);
            self.problem(ptr, Fault::BadConversion { found, expected: from });
        }
        self.alloc(Expr::Convert { arg }, to, ptr)
    }

    fn if_expr(&mut self, node: &ast::IfExpr) -> ExprId {
        let ptr = self.numbers.at(node.syntax(), node.if_token());
        let cond = self.optional_expr(node.condition(), node.syntax());
        let then = self.optional_expr(node.then_value(), node.syntax());
        let other = self.optional_expr(node.else_value(), node.syntax());
        let found = self.ty(cond);
        let mut ty = self.ty(then);
        if !self.infer.unify(&found, &Ty::Bool) {
            let ty = self.shown(cond);
            self.problem(ptr, Fault::ConditionOfIte { ty });
        } else {
            let other_ty = self.ty(other);
            if !self.infer.unify(&ty, &other_ty) {
                let (then, other) = (self.shown(then), self.shown(other));
                self.problem(ptr, Fault::BranchTypes { then, other });
                ty = Ty::Error;
            }
        }
        self.alloc(Expr::Ite { cond, then, other }, ty, ptr)
    }
}

fn literal_value(kind: LiteralKind, text: &str) -> Option<(Literal, Ty)> {
    Some(match kind {
        LiteralKind::True => (Literal::Bool(true), Ty::Bool),
        LiteralKind::False => (Literal::Bool(false), Ty::Bool),
        LiteralKind::Int => (Literal::Int(text.parse().ok()?), Ty::Int),
        LiteralKind::Decimal => (decimal(text)?, Ty::Real),
        LiteralKind::Float => (Literal::Float(text.into()), float_type(text)?),
        LiteralKind::BitVector => {
            let (value, width) = text.split_once("bv")?;
            let width = width.parse().ok()?;
            (Literal::Bv { value: value.parse().ok()?, width }, Ty::Bv(width))
        }
        LiteralKind::String => (Literal::String(ast::string_text(text).into()), Ty::String),
        LiteralKind::RoundingMode => (Literal::RMode(rounding_mode(text).into()), Ty::RMode),
    })
}

/// `12.5e-3` as `125 * 10^-4`.
fn decimal(text: &str) -> Option<Literal> {
    let (digits, exponent) = match text.split_once('e') {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    Some(Literal::Real { mantissa, exponent })
}

/// The sizes at the end of a float literal: `..f24e8`, `0NaN24e8`, `0+oo24e8`.
fn float_type(text: &str) -> Option<Ty> {
    let from_sizes = |sizes: &str| builtin_type(&format!("float{sizes}"));
    if let Some((_, sizes)) = text.rsplit_once('f') {
        return from_sizes(sizes);
    }
    let special = ["0NaN", "0nan", "0+oo", "0-oo"];
    special.iter().find_map(|prefix| text.strip_prefix(prefix)).and_then(from_sizes)
}

/// Long and short names of the rounding modes.
const ROUNDING_MODES: &[(&str, &str)] = &[
    ("roundNearestTiesToEven", "RNE"),
    ("roundNearestTiesToAway", "RNA"),
    ("roundTowardPositive", "RTP"),
    ("roundTowardNegative", "RTN"),
    ("roundTowardZero", "RTZ"),
];

fn rounding_mode(text: &str) -> &str {
    ROUNDING_MODES.iter().find(|(long, _)| *long == text).map_or(text, |(_, short)| short)
}
