//! Expressions: resolved and typed.
//!
//! **Out:** [`Expr`], kept in a list inside [`Exprs`] and referred to by [`ExprId`].
//!
//! # Invariants
//! - Children have smaller numbers than their parents.
//! - Every name in an expression is resolved, except in [`Expr::Missing`], which stands for
//!   whatever was complained about.
//! - No position: places are in a separate [`crate::SourceMap`].

use base::Name;
use num_bigint::BigInt;
use smol_str::SmolStr;

use crate::Ty;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into a list.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of list position `index`.
            pub fn from_index(index: usize) -> $name {
                $name(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }
    )*};
}

ids! {
    /// An expression of one [`Exprs`].
    ExprId
    /// A variable bound by a quantifier, lambda or let of one [`Exprs`].
    BoundId
    /// A formal or local variable of one procedure: in-parameters first, then out-parameters, then
    /// locals. The numbers of formals are the same in specifications and in the body.
    LocalId
    /// A statement of one [`crate::Body`].
    StmtId
    /// A block of one [`crate::Cfg`].
    BlockId
}

/// A value written down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    Bool(bool),
    Int(BigInt),
    /// `mantissa * 10^exponent`
    Real {
        mantissa: BigInt,
        exponent: i64,
    },
    Bv {
        value: BigInt,
        width: u32,
    },
    /// As written; its type tells the sizes.
    Float(SmolStr),
    /// The short name, such as `RNE`.
    RMode(SmolStr),
    /// Without the quotes.
    String(SmolStr),
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Not,
    Neg,
}

/// Infix operators. `a <== b` is stored as `b ==> a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Iff,
    Implies,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Concat,
    Add,
    Sub,
    Mul,
    /// Integer division.
    Div,
    Mod,
    /// `/` on reals, or on integers giving a real, or on floats.
    RealDiv,
    Pow,
}

/// Quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    Forall,
    Exists,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// What was complained about already.
    Missing,
    Literal(Literal),
    Local(LocalId),
    Global(Name),
    Const(Name),
    Bound(BoundId),
    /// A function or constructor applied; `type_args` in the order of the function's parameters.
    Call {
        func: Name,
        type_args: Box<[Ty]>,
        args: Box<[ExprId]>,
    },
    Old(ExprId),
    Quant {
        quantifier: Quantifier,
        type_params: Box<[Name]>,
        bound: Box<[BoundId]>,
        triggers: Box<[Trigger]>,
        attrs: Attrs,
        body: ExprId,
    },
    Lambda {
        type_params: Box<[Name]>,
        bound: Box<[BoundId]>,
        attrs: Attrs,
        body: ExprId,
    },
    Let {
        bound: Box<[BoundId]>,
        values: Box<[ExprId]>,
        attrs: Attrs,
        body: ExprId,
    },
    Ite {
        cond: ExprId,
        then: ExprId,
        other: ExprId,
    },
    /// `map[indices]`; `type_args` for the parameters of a polymorphic map type.
    Select {
        map: ExprId,
        indices: Box<[ExprId]>,
        type_args: Box<[Ty]>,
    },
    Store {
        map: ExprId,
        indices: Box<[ExprId]>,
        value: ExprId,
        type_args: Box<[Ty]>,
    },
    /// `base->field`; the type of `base` is the datatype.
    Field {
        base: ExprId,
        field: Name,
    },
    FieldUpdate {
        base: ExprId,
        field: Name,
        value: ExprId,
    },
    /// `base is ctor`
    Is {
        base: ExprId,
        ctor: Name,
    },
    Unary {
        op: UnaryOp,
        arg: ExprId,
    },
    Binary {
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `e : T`: nothing happens, the type was checked.
    Coerce {
        arg: ExprId,
        ty: Ty,
    },
    /// `int(e)` or `real(e)`: the type of the expression tells which.
    Convert {
        arg: ExprId,
    },
    /// `base[high:low]`, bits low to high-1.
    Extract {
        base: ExprId,
        high: u32,
        low: u32,
    },
}

/// A positive trigger, or a negative one (`{:nopats e}`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trigger {
    pub exprs: Box<[ExprId]>,
    pub negative: bool,
}

/// A bound variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoundVar {
    pub name: Name,
    pub ty: Ty,
    /// Names of `{:pool}`.
    pub pools: Box<[SmolStr]>,
}

/// An attribute with its expressions resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attr {
    pub name: Name,
    pub args: Box<[AttrArg]>,
}

/// A parameter of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttrArg {
    String(SmolStr),
    Expr(ExprId),
}

/// The attributes of a statement, a specification or a quantifier.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Attrs(pub Box<[Attr]>);

impl Attrs {
    /// The first attribute of this name.
    pub fn find(&self, name: &str) -> Option<&Attr> {
        self.0.iter().find(|attr| attr.name == name)
    }

    /// Is the attribute there at all?
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// All attributes of this name, in order.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Attr> + 'a {
        self.0.iter().filter(move |attr| attr.name == name)
    }

    /// The terms put into pools by `{:add_to_pool "P", e, ..}`: pairs of pool and expression.
    pub fn pool_terms(&self) -> Vec<(SmolStr, ExprId)> {
        let mut out = Vec::new();
        for attr in self.all("add_to_pool") {
            let Some(AttrArg::String(pool)) = attr.args.first() else { continue };
            out.extend(attr.args[1..].iter().filter_map(|arg| match arg {
                AttrArg::Expr(expr) => Some((pool.clone(), *expr)),
                AttrArg::String(_) => None,
            }));
        }
        out
    }
}

/// The expressions of one body, or of the specifications of one declaration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Exprs {
    pub(crate) exprs: Vec<Expr>,
    pub(crate) types: Vec<Ty>,
    pub(crate) bound: Vec<BoundVar>,
}

impl Exprs {
    /// The expression with this number.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// Its type; [`Ty::Error`] if it was complained about.
    pub fn ty(&self, id: ExprId) -> &Ty {
        &self.types[id.index()]
    }

    /// The bound variable with this number.
    pub fn bound(&self, id: BoundId) -> &BoundVar {
        &self.bound[id.index()]
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// Every expression number, children before parents.
    pub fn ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len()).map(ExprId::from_index)
    }
}

impl Expr {
    /// The direct parts, in source order. Triggers and attributes are not parts.
    pub fn children(&self) -> Vec<ExprId> {
        match self {
            Expr::Missing | Expr::Literal(_) | Expr::Local(_) | Expr::Global(_) => Vec::new(),
            Expr::Const(_) | Expr::Bound(_) => Vec::new(),
            Expr::Call { args, .. } => args.to_vec(),
            Expr::Old(arg) | Expr::Unary { arg, .. } => vec![*arg],
            Expr::Coerce { arg, .. } | Expr::Convert { arg } => vec![*arg],
            Expr::Quant { body, .. } | Expr::Lambda { body, .. } => vec![*body],
            Expr::Let { values, body, .. } => values.iter().chain([body]).copied().collect(),
            Expr::Ite { cond, then, other } => vec![*cond, *then, *other],
            Expr::Select { map, indices, .. } => {
                [map].into_iter().chain(indices).copied().collect()
            }
            Expr::Store { map, indices, value, .. } => {
                [map].into_iter().chain(indices).chain([value]).copied().collect()
            }
            Expr::Field { base, .. } | Expr::Is { base, .. } => vec![*base],
            Expr::Extract { base, .. } => vec![*base],
            Expr::FieldUpdate { base, value, .. } => vec![*base, *value],
            Expr::Binary { lhs, rhs, .. } => vec![*lhs, *rhs],
        }
    }
}
