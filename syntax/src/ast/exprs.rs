//! Hand-written parts of the view of expressions and types: operators, literals, children that
//! share a type.

use super::support::{AstChildren, AstNode, child, child_after, children_before, tokens};
use super::{
    BinaryExpr, ConvertExpr, Expr, ExtractExpr, FieldUpdateExpr, IfExpr, Literal, NamedType,
    QuantExpr, StoreArgs, StoreExpr, Type, UnaryExpr,
};
use crate::SyntaxKind;
use crate::tree::SyntaxToken;

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    Logic(LogicOp),
    Compare(CompareOp),
    Arith(ArithOp),
    /// `++` on bit-vectors.
    Concat,
}

/// `<==>`, `==>`, `<==`, `&&`, `||`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LogicOp {
    Iff,
    Implies,
    /// `a <== b`: the right operand implies the left one.
    Explies,
    And,
    Or,
}

/// `==`, `!=`, `<`, `<=`, `>`, `>=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CompareOp {
    Eq,
    Neq,
    Lt,
    Le,
    Gt,
    Ge,
}

/// `+`, `-`, `*`, `div`, `mod`, `/`, `**`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    RealDiv,
    Pow,
}

/// `-` and `!`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    Neg,
    Not,
}

/// `forall` and `exists`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum QuantKind {
    Forall,
    Exists,
}

/// What a literal token denotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LiteralKind {
    True,
    False,
    /// `12`
    Int,
    /// `1.5`, `2e-3`: reals.
    Decimal,
    /// `0x1.0e0f24e8`, `0NaN24e8`, ...
    Float,
    /// `5bv8`
    BitVector,
    String,
    /// `RNE`, `roundTowardZero`, ...
    RoundingMode,
}

/// Which token spells which binary operator.
const BINARY_OPS: &[(SyntaxKind, BinaryOp)] = &[
    (SyntaxKind::IFF, BinaryOp::Logic(LogicOp::Iff)),
    (SyntaxKind::IMPLIES, BinaryOp::Logic(LogicOp::Implies)),
    (SyntaxKind::EXPLIES, BinaryOp::Logic(LogicOp::Explies)),
    (SyntaxKind::AMP2, BinaryOp::Logic(LogicOp::And)),
    (SyntaxKind::PIPE2, BinaryOp::Logic(LogicOp::Or)),
    (SyntaxKind::EQ2, BinaryOp::Compare(CompareOp::Eq)),
    (SyntaxKind::NEQ, BinaryOp::Compare(CompareOp::Neq)),
    (SyntaxKind::L_ANGLE, BinaryOp::Compare(CompareOp::Lt)),
    (SyntaxKind::LTEQ, BinaryOp::Compare(CompareOp::Le)),
    (SyntaxKind::R_ANGLE, BinaryOp::Compare(CompareOp::Gt)),
    (SyntaxKind::GTEQ, BinaryOp::Compare(CompareOp::Ge)),
    (SyntaxKind::PLUS2, BinaryOp::Concat),
    (SyntaxKind::PLUS, BinaryOp::Arith(ArithOp::Add)),
    (SyntaxKind::MINUS, BinaryOp::Arith(ArithOp::Sub)),
    (SyntaxKind::STAR, BinaryOp::Arith(ArithOp::Mul)),
    (SyntaxKind::DIV_KW, BinaryOp::Arith(ArithOp::Div)),
    (SyntaxKind::MOD_KW, BinaryOp::Arith(ArithOp::Mod)),
    (SyntaxKind::SLASH, BinaryOp::Arith(ArithOp::RealDiv)),
    (SyntaxKind::STAR2, BinaryOp::Arith(ArithOp::Pow)),
];

const LITERALS: &[(SyntaxKind, LiteralKind)] = &[
    (SyntaxKind::TRUE_KW, LiteralKind::True),
    (SyntaxKind::FALSE_KW, LiteralKind::False),
    (SyntaxKind::INT_NUMBER, LiteralKind::Int),
    (SyntaxKind::DECIMAL_NUMBER, LiteralKind::Decimal),
    (SyntaxKind::FLOAT_NUMBER, LiteralKind::Float),
    (SyntaxKind::BV_NUMBER, LiteralKind::BitVector),
    (SyntaxKind::STRING, LiteralKind::String),
    (SyntaxKind::ROUNDING_MODE, LiteralKind::RoundingMode),
];

fn lookup<V: Copy>(table: &[(SyntaxKind, V)], kind: SyntaxKind) -> Option<V> {
    table.iter().find(|it| it.0 == kind).map(|it| it.1)
}

impl BinaryExpr {
    /// The operator token; its position is the position of the expression.
    pub fn op_token(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax).find(|it| lookup(BINARY_OPS, it.kind()).is_some())
    }

    pub fn op(&self) -> Option<BinaryOp> {
        lookup(BINARY_OPS, self.op_token()?.kind())
    }

    pub fn lhs(&self) -> Option<Expr> {
        let op = self.op_token()?;
        child::<Expr>(&self.syntax).filter(|it| it.range().end() <= op.text_range().start())
    }

    pub fn rhs(&self) -> Option<Expr> {
        child_after(&self.syntax, self.op_token()?.kind())
    }
}

impl UnaryExpr {
    pub fn op_token(&self) -> Option<SyntaxToken> {
        self.minus_token().or_else(|| self.bang_token())
    }

    pub fn op(&self) -> Option<UnaryOp> {
        if self.minus_token().is_some() {
            return Some(UnaryOp::Neg);
        }
        self.bang_token().map(|_| UnaryOp::Not)
    }
}

impl Literal {
    /// The only token of the literal.
    pub fn token(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax).find(|it| lookup(LITERALS, it.kind()).is_some())
    }

    pub fn kind(&self) -> Option<LiteralKind> {
        lookup(LITERALS, self.token()?.kind())
    }
}

impl QuantExpr {
    pub fn kind(&self) -> Option<QuantKind> {
        if self.forall_token().is_some() {
            return Some(QuantKind::Forall);
        }
        self.exists_token().map(|_| QuantKind::Exists)
    }

    /// The keyword; its position is the position of the expression.
    pub fn quantifier_token(&self) -> Option<SyntaxToken> {
        self.forall_token().or_else(|| self.exists_token())
    }
}

impl ConvertExpr {
    /// `int` or `real`, the type converted to.
    pub fn target_token(&self) -> Option<SyntaxToken> {
        self.int_token().or_else(|| self.real_token())
    }
}

impl StoreArgs {
    /// The expressions before `:=`.
    pub fn indices(&self) -> impl Iterator<Item = Expr> {
        children_before(&self.syntax, SyntaxKind::COLON_EQ)
    }

    /// The expression after `:=`.
    pub fn value(&self) -> Option<Expr> {
        child_after(&self.syntax, SyntaxKind::COLON_EQ)
    }
}

impl StoreExpr {
    /// The map that is updated.
    pub fn base(&self) -> Option<Expr> {
        self.expr()
    }
}

impl FieldUpdateExpr {
    /// The value that is updated.
    pub fn base(&self) -> Option<Expr> {
        children_before(&self.syntax, SyntaxKind::ARROW).next()
    }

    /// The new value of the field.
    pub fn value(&self) -> Option<Expr> {
        child_after(&self.syntax, SyntaxKind::COLON_EQ)
    }
}

impl ExtractExpr {
    /// The first bound (exclusive upper end).
    pub fn high(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax)
            .take_while(|it| it.kind() != SyntaxKind::COLON)
            .find(|it| it.kind() == SyntaxKind::INT_NUMBER)
    }

    /// The second bound (inclusive lower end).
    pub fn low(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax)
            .skip_while(|it| it.kind() != SyntaxKind::COLON)
            .find(|it| it.kind() == SyntaxKind::INT_NUMBER)
    }
}

impl IfExpr {
    pub fn condition(&self) -> Option<Expr> {
        children_before(&self.syntax, SyntaxKind::THEN_KW).next()
    }

    pub fn then_value(&self) -> Option<Expr> {
        let value: Expr = child_after(&self.syntax, SyntaxKind::THEN_KW)?;
        let before_else =
            self.else_token().is_none_or(|it| value.range().end() <= it.text_range().start());
        before_else.then_some(value)
    }

    pub fn else_value(&self) -> Option<Expr> {
        child_after(&self.syntax, SyntaxKind::ELSE_KW)
    }
}

impl NamedType {
    /// The type arguments, as written: a bare name argument is a `NamedType` without arguments.
    pub fn args(&self) -> AstChildren<Type> {
        AstChildren::new(&self.syntax)
    }
}

impl Expr {
    /// The expression inside all enclosing parentheses.
    pub fn without_parens(self) -> Option<Expr> {
        let mut expr = self;
        while let Expr::ParenExpr(paren) = &expr {
            expr = paren.expr()?;
        }
        Some(expr)
    }
}
