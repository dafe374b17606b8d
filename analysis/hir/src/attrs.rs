//! Attributes that can be read without knowing names and types.
//!
//! **In:** attribute nodes. **Out:** [`RawAttrs`], layers, linear kinds.

use base::{Name, Place};
use smol_str::SmolStr;
use syntax::ast::{self, AstNode, LiteralKind};

use crate::problem::{Fault, Problem};
use crate::tree::NodeNumbers;
use crate::{DeclId, Layer, LayerRange, LayerSet, LinearKind, RawArg, RawAttr, RawAttrs};

/// The attributes, with expressions other than literals left out.
pub(crate) fn raw_attrs(attrs: impl Iterator<Item = ast::Attribute>) -> RawAttrs {
    RawAttrs(attrs.map(|attr| raw_attr(&attr)).collect())
}

fn raw_attr(attr: &ast::Attribute) -> RawAttr {
    let name = Name::new(attr.name_text().unwrap_or_default());
    RawAttr { name, args: attr.args().map(|arg| raw_arg(&arg)).collect() }
}

fn raw_arg(arg: &ast::AttributeArg) -> RawArg {
    let Some(ast::Expr::Literal(literal)) = arg.expr() else { return RawArg::Expr };
    let text = literal.token().map(|token| SmolStr::new(token.text())).unwrap_or_default();
    match literal.kind() {
        Some(LiteralKind::True) => RawArg::Bool(true),
        Some(LiteralKind::False) => RawArg::Bool(false),
        Some(LiteralKind::Int) => RawArg::Number(text),
        Some(LiteralKind::String) => RawArg::String(ast::string_text(&text).into()),
        Some(LiteralKind::Decimal | LiteralKind::Float | LiteralKind::BitVector) => RawArg::Expr,
        Some(LiteralKind::RoundingMode) | None => RawArg::Expr,
    }
}

/// The linear kind; `linear` wins over `linear_in` over `linear_out`.
pub(crate) fn linear_kind(attrs: &RawAttrs) -> LinearKind {
    if attrs.has("linear") {
        LinearKind::Linear
    } else if attrs.has("linear_in") {
        LinearKind::LinearIn
    } else if attrs.has("linear_out") {
        LinearKind::LinearOut
    } else {
        LinearKind::Ordinary
    }
}

/// The layers of the `{:layer}` attributes among `attrs`; what is no layer is complained about.
pub(crate) fn layers(
    attrs: impl Iterator<Item = ast::Attribute>,
    decl: DeclId,
    numbers: &NodeNumbers,
    problems: &mut Vec<Problem>,
) -> LayerSet {
    let mut out = Vec::new();
    for attr in attrs.filter(|attr| attr.name_text().as_deref() == Some("layer")) {
        for arg in attr.args() {
            match layer(&arg) {
                Ok(layer) => out.push(layer),
                Err(fault) => {
                    let ptr = numbers.at(attr.syntax(), attr.l_curly_token());
                    problems.push(Problem { place: Place::new(decl, ptr), fault });
                }
            }
        }
    }
    LayerSet::new(out)
}

#[expect(clippy::result_large_err, reason = "a fault is made once per mistake of the user")]
fn layer(arg: &ast::AttributeArg) -> Result<Layer, Fault> {
    let token = arg.as_int().ok_or(Fault::LayerNotLiteral { too_large: false })?;
    let number = token.text().parse::<u32>().ok().map(Layer).filter(|it| *it <= Layer::MAX);
    number.ok_or(Fault::LayerNotLiteral { too_large: true })
}

/// A set of at most two layers as a range; `default` if there is none.
#[expect(clippy::result_large_err, reason = "a fault is made once per mistake of the user")]
pub(crate) fn as_range(layers: &LayerSet, default: LayerRange) -> Result<LayerRange, Fault> {
    if layers.as_slice().len() > 2 {
        return Err(Fault::LayerRangeInvalid);
    }
    Ok(layers.hull().unwrap_or(default))
}
