//! Operators and their sorts.
//!
//! **In:** an operator and the sorts of its arguments.
//! **Out:** the sort of the application, or what is wrong with it.
//!
//! Integer division and remainder are Euclidean; by zero they are functions of the
//! dividend about which nothing is known. A selector applied to a value of another
//! constructor is likewise an unknown function of that value.

use std::{fmt, sync::Arc};

use crate::{
    digest::DigestBuilder,
    sort::{DatatypeDef, Sort},
    symbol::Symbol,
    term::{FuncSym, Term},
};

/// A pointwise operation on maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PointwiseOp {
    And,
    Or,
    Not,
    Implies,
    Iff,
    Eq,
    Ite,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Gt,
    Ge,
    Lt,
    Le,
}

/// An operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Negation.
    Not,
    /// Conjunction of any number.
    And,
    /// Disjunction of any number.
    Or,
    /// Implication.
    Implies,
    /// Equality (on Booleans: equivalence). On floats this is identity, not `fp.eq`.
    Eq,
    /// Condition, then, else.
    Ite,
    /// Pairwise different.
    Distinct,
    /// Sum of at least one number.
    Add,
    /// Difference of two.
    Sub,
    /// Product of at least one number.
    Mul,
    /// Euclidean quotient.
    IntDiv,
    /// Euclidean remainder.
    IntMod,
    /// Quotient of reals.
    RealDiv,
    /// Opposite.
    Neg,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// Integer to real.
    ToReal,
    /// Real to integer, rounding down.
    ToInt,
    /// Power of reals.
    Pow,
    /// Map, indices: the element.
    Select,
    /// Map, indices, element: the updated map.
    Store,
    /// Element: the map (of the given sort) that has it everywhere.
    ConstArray(Sort),
    /// Maps of one shape: the map of results.
    MapOp(PointwiseOp),
    /// Fields: the value.
    Ctor(Arc<DatatypeDef>, u32),
    /// Value: the field (constructor, field).
    Field(Arc<DatatypeDef>, u32, u32),
    /// Value: was it built by this constructor?
    Is(Arc<DatatypeDef>, u32),
    /// A declared function.
    Func(Arc<FuncSym>),
    /// The empty sequence of this (sequence) sort.
    SeqEmpty(Sort),
    /// Length.
    SeqLen,
    /// Concatenation of at least one sequence.
    SeqConcat,
    /// Sequence of one element.
    SeqUnit,
    /// Element at a position; unspecified outside.
    SeqNth,
    /// Sequence, offset, length: the part.
    SeqExtract,
    /// Concatenation of bit vectors, most significant first.
    BvConcat,
    /// Bits `high..=low`.
    BvExtract {
        /// Most significant bit of the part.
        high: u32,
        /// Least significant bit of the part.
        low: u32,
    },
    /// An SMT-LIB operator by name (`bvadd`, `(_ sign_extend 8)`, `fp.add`, `RNE`), with
    /// its result sort. Argument sorts are not checked here; the encoder does.
    Builtin(Symbol, Sort),
}

/// Why an application has no sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortError {
    /// The operator.
    pub op: String,
    /// The sorts it was given.
    pub args: Vec<Sort>,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} does not apply to {:?}", self.op, self.args)
    }
}

impl std::error::Error for SortError {}

/// The operators that carry nothing but themselves, as a pattern: those are alike wherever only the
/// parts of an operator matter, and a new operator has to be put here or handled.
#[macro_export]
macro_rules! plain_op {
    () => {
        $crate::Op::Not
            | $crate::Op::And
            | $crate::Op::Or
            | $crate::Op::Implies
            | $crate::Op::Eq
            | $crate::Op::Ite
            | $crate::Op::Distinct
            | $crate::Op::Add
            | $crate::Op::Sub
            | $crate::Op::Mul
            | $crate::Op::IntDiv
            | $crate::Op::IntMod
            | $crate::Op::RealDiv
            | $crate::Op::Neg
            | $crate::Op::Lt
            | $crate::Op::Le
            | $crate::Op::Gt
            | $crate::Op::Ge
            | $crate::Op::ToReal
            | $crate::Op::ToInt
            | $crate::Op::Pow
            | $crate::Op::Select
            | $crate::Op::Store
            | $crate::Op::SeqLen
            | $crate::Op::SeqConcat
            | $crate::Op::SeqUnit
            | $crate::Op::SeqNth
            | $crate::Op::SeqExtract
            | $crate::Op::BvConcat
    };
}

impl Op {
    /// The sort of this operator applied to `args`.
    pub fn result_sort(&self, args: &[Term]) -> Result<Sort, SortError> {
        self.sort_of(args).ok_or_else(|| SortError {
            op: format!("{self:?}"),
            args: args.iter().map(|arg| arg.sort().clone()).collect(),
        })
    }

    fn sort_of(&self, args: &[Term]) -> Option<Sort> {
        match self {
            Op::Not => all(args, &Sort::Bool, 1..=1, Sort::Bool),
            Op::And | Op::Or => all(args, &Sort::Bool, 0..=usize::MAX, Sort::Bool),
            Op::Implies => all(args, &Sort::Bool, 2..=2, Sort::Bool),
            Op::Eq => alike(args, 2..=2, |_| Some(Sort::Bool)),
            Op::Distinct => alike(args, 1..=usize::MAX, |_| Some(Sort::Bool)),
            Op::Ite => match args {
                [test, yes, no] if *test.sort() == Sort::Bool && yes.sort() == no.sort() => {
                    Some(yes.sort().clone())
                }
                _ => None,
            },
            Op::Add | Op::Mul => alike(args, 1..=usize::MAX, number),
            Op::Sub => alike(args, 2..=2, number),
            Op::Neg => alike(args, 1..=1, number),
            Op::Lt | Op::Le | Op::Gt | Op::Ge => {
                alike(args, 2..=2, |sort| number(sort).map(|_| Sort::Bool))
            }
            Op::IntDiv | Op::IntMod => all(args, &Sort::Int, 2..=2, Sort::Int),
            Op::RealDiv | Op::Pow => all(args, &Sort::Real, 2..=2, Sort::Real),
            Op::ToReal => all(args, &Sort::Int, 1..=1, Sort::Real),
            Op::ToInt => all(args, &Sort::Real, 1..=1, Sort::Int),
            Op::Select => select_sort(args),
            Op::Store => store_sort(args),
            Op::ConstArray(sort) => match (sort.as_array(), args) {
                (Some((_, element)), [value]) if value.sort() == element => Some(sort.clone()),
                _ => None,
            },
            Op::MapOp(op) => op.sort_of(args),
            Op::Ctor(def, ctor) => ctor_sort(def, *ctor, args),
            Op::Field(def, ctor, field) => match args {
                [value] if *value.sort() == def.sort() => {
                    let fields = &def.ctors().get(*ctor as usize)?.fields;
                    Some(fields.get(*field as usize)?.1.clone())
                }
                _ => None,
            },
            Op::Is(def, ctor) => match args {
                [value] if *value.sort() == def.sort() && (*ctor as usize) < def.ctors().len() => {
                    Some(Sort::Bool)
                }
                _ => None,
            },
            Op::Func(func) => {
                let fits = func.args.len() == args.len()
                    && func.args.iter().zip(args).all(|(sort, arg)| sort == arg.sort());
                fits.then(|| func.result.clone())
            }
            Op::SeqEmpty(sort) => {
                (args.is_empty() && matches!(sort, Sort::Seq(_))).then(|| sort.clone())
            }
            Op::SeqLen | Op::SeqConcat | Op::SeqUnit | Op::SeqNth | Op::SeqExtract => {
                self.seq_sort(args)
            }
            Op::BvConcat | Op::BvExtract { .. } => self.bv_sort(args),
            Op::Builtin(_, sort) => Some(sort.clone()),
        }
    }

    fn seq_sort(&self, args: &[Term]) -> Option<Sort> {
        if let (Op::SeqUnit, [element]) = (self, args) {
            return Some(Sort::seq(element.sort().clone()));
        }
        let seq = args.first()?.sort();
        let Sort::Seq(element) = seq else { return None };
        let ints = args[1..].iter().all(|arg| *arg.sort() == Sort::Int);
        match (self, args.len()) {
            (Op::SeqLen, 1) => Some(Sort::Int),
            (Op::SeqConcat, _) => args.iter().all(|arg| arg.sort() == seq).then(|| seq.clone()),
            (Op::SeqNth, 2) if ints => Some(element.as_ref().clone()),
            (Op::SeqExtract, 3) if ints => Some(seq.clone()),
            _ => None,
        }
    }

    fn bv_sort(&self, args: &[Term]) -> Option<Sort> {
        let mut total = 0u32;
        for arg in args {
            let Sort::BitVec(width) = arg.sort() else { return None };
            total = total.checked_add(*width)?;
        }
        if let Op::BvExtract { high, low } = self {
            return (args.len() == 1 && low <= high && *high < total)
                .then(|| Sort::BitVec(high - low + 1));
        }
        (!args.is_empty()).then_some(Sort::BitVec(total))
    }

    pub(crate) fn feed(&self, out: &mut DigestBuilder) {
        out.tag(self.code());
        match self {
            Op::ConstArray(sort) | Op::SeqEmpty(sort) => sort.feed(out),
            Op::MapOp(op) => out.tag(*op as u8),
            Op::Ctor(def, ctor) | Op::Is(def, ctor) => {
                out.digest(def.digest());
                out.number(u64::from(*ctor));
            }
            Op::Field(def, ctor, field) => {
                out.digest(def.digest());
                out.number(u64::from(*ctor));
                out.number(u64::from(*field));
            }
            Op::Func(func) => {
                out.text(func.name.as_str());
                out.number(func.args.len() as u64);
                func.args.iter().for_each(|sort| sort.feed(out));
                func.result.feed(out);
            }
            Op::BvExtract { high, low } => {
                out.number(u64::from(*high));
                out.number(u64::from(*low));
            }
            Op::Builtin(name, sort) => {
                out.text(name.as_str());
                sort.feed(out);
            }
            plain_op!() => {}
        }
    }

    /// The word for this operator in text forms, without its parameters.
    pub fn keyword(&self) -> &'static str {
        match self {
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Implies => "=>",
            Op::Eq => "=",
            Op::Ite => "ite",
            Op::Distinct => "distinct",
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::IntDiv => "div",
            Op::IntMod => "mod",
            Op::RealDiv => "/",
            Op::Neg => "neg",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::ToReal => "to_real",
            Op::ToInt => "to_int",
            Op::Pow => "pow",
            Op::Select => "select",
            Op::Store => "store",
            Op::ConstArray(_) => "const",
            Op::MapOp(_) => "map",
            Op::Ctor(..) => "ctor",
            Op::Field(..) => "field",
            Op::Is(..) => "is",
            Op::Func(_) => "func",
            Op::SeqEmpty(_) => "seq.empty",
            Op::SeqLen => "seq.len",
            Op::SeqConcat => "seq.++",
            Op::SeqUnit => "seq.unit",
            Op::SeqNth => "seq.nth",
            Op::SeqExtract => "seq.extract",
            Op::BvConcat => "concat",
            Op::BvExtract { .. } => "extract",
            Op::Builtin(..) => "builtin",
        }
    }

    /// A number per operator, fixed for ever: digests depend on it.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Op::Not => 1,
            Op::And => 2,
            Op::Or => 3,
            Op::Implies => 4,
            Op::Eq => 5,
            Op::Ite => 6,
            Op::Distinct => 7,
            Op::Add => 8,
            Op::Sub => 9,
            Op::Mul => 10,
            Op::IntDiv => 11,
            Op::IntMod => 12,
            Op::RealDiv => 13,
            Op::Neg => 14,
            Op::Lt => 15,
            Op::Le => 16,
            Op::Gt => 17,
            Op::Ge => 18,
            Op::ToReal => 19,
            Op::ToInt => 20,
            Op::Pow => 21,
            Op::Select => 22,
            Op::Store => 23,
            Op::ConstArray(_) => 24,
            Op::MapOp(_) => 25,
            Op::Ctor(..) => 26,
            Op::Field(..) => 27,
            Op::Is(..) => 28,
            Op::Func(_) => 29,
            Op::SeqEmpty(_) => 30,
            Op::SeqLen => 31,
            Op::SeqConcat => 32,
            Op::SeqUnit => 33,
            Op::SeqNth => 34,
            Op::SeqExtract => 35,
            Op::BvConcat => 36,
            Op::BvExtract { .. } => 37,
            Op::Builtin(..) => 38,
        }
    }
}

impl PointwiseOp {
    /// Every operation.
    pub const ALL: [PointwiseOp; 16] = [
        PointwiseOp::And,
        PointwiseOp::Or,
        PointwiseOp::Not,
        PointwiseOp::Implies,
        PointwiseOp::Iff,
        PointwiseOp::Eq,
        PointwiseOp::Ite,
        PointwiseOp::Add,
        PointwiseOp::Sub,
        PointwiseOp::Mul,
        PointwiseOp::Div,
        PointwiseOp::Mod,
        PointwiseOp::Gt,
        PointwiseOp::Ge,
        PointwiseOp::Lt,
        PointwiseOp::Le,
    ];

    /// The word for this operation in text forms.
    pub fn element_op_name(self) -> &'static str {
        match self {
            PointwiseOp::Iff => "iff",
            PointwiseOp::And
            | PointwiseOp::Or
            | PointwiseOp::Not
            | PointwiseOp::Implies
            | PointwiseOp::Eq
            | PointwiseOp::Ite
            | PointwiseOp::Add
            | PointwiseOp::Sub
            | PointwiseOp::Mul
            | PointwiseOp::Div
            | PointwiseOp::Mod
            | PointwiseOp::Gt
            | PointwiseOp::Ge
            | PointwiseOp::Lt
            | PointwiseOp::Le => self.element_op().keyword(),
        }
    }

    /// The operation on elements that this lifts to maps.
    pub fn element_op(self) -> Op {
        match self {
            PointwiseOp::And => Op::And,
            PointwiseOp::Or => Op::Or,
            PointwiseOp::Not => Op::Not,
            PointwiseOp::Implies => Op::Implies,
            PointwiseOp::Iff | PointwiseOp::Eq => Op::Eq,
            PointwiseOp::Ite => Op::Ite,
            PointwiseOp::Add => Op::Add,
            PointwiseOp::Sub => Op::Sub,
            PointwiseOp::Mul => Op::Mul,
            PointwiseOp::Div => Op::IntDiv,
            PointwiseOp::Mod => Op::IntMod,
            PointwiseOp::Gt => Op::Gt,
            PointwiseOp::Ge => Op::Ge,
            PointwiseOp::Lt => Op::Lt,
            PointwiseOp::Le => Op::Le,
        }
    }

    fn sort_of(self, args: &[Term]) -> Option<Sort> {
        let (indices, _) = args.first()?.sort().as_array()?;
        let mut elements = Vec::with_capacity(args.len());
        for arg in args {
            let (own, element) = arg.sort().as_array()?;
            if own != indices {
                return None;
            }
            elements.push(element);
        }
        Some(Sort::array(indices, self.element_sort(&elements)?))
    }

    fn element_sort(self, args: &[&Sort]) -> Option<Sort> {
        let bools = args.iter().all(|sort| **sort == Sort::Bool);
        match (self, args) {
            (PointwiseOp::Not, [_]) => bools.then_some(Sort::Bool),
            (
                PointwiseOp::And | PointwiseOp::Or | PointwiseOp::Implies | PointwiseOp::Iff,
                [_, _],
            ) => bools.then_some(Sort::Bool),
            (PointwiseOp::Eq, [left, right]) => (left == right).then_some(Sort::Bool),
            (PointwiseOp::Ite, [test, yes, no]) => {
                (**test == Sort::Bool && yes == no).then(|| (*yes).clone())
            }
            (PointwiseOp::Add | PointwiseOp::Sub | PointwiseOp::Mul, [left, right])
                if left == right =>
            {
                number(left)
            }
            (PointwiseOp::Div | PointwiseOp::Mod, [Sort::Int, Sort::Int]) => Some(Sort::Int),
            (
                PointwiseOp::Gt | PointwiseOp::Ge | PointwiseOp::Lt | PointwiseOp::Le,
                [left, right],
            ) if left == right => number(left).map(|_| Sort::Bool),
            _ => None,
        }
    }
}

fn all(
    args: &[Term],
    sort: &Sort,
    count: std::ops::RangeInclusive<usize>,
    result: Sort,
) -> Option<Sort> {
    (count.contains(&args.len()) && args.iter().all(|arg| arg.sort() == sort)).then_some(result)
}

fn alike(
    args: &[Term],
    count: std::ops::RangeInclusive<usize>,
    result: impl Fn(&Sort) -> Option<Sort>,
) -> Option<Sort> {
    let sort = args.first()?.sort();
    let fits = count.contains(&args.len()) && args.iter().all(|arg| arg.sort() == sort);
    if fits { result(sort) } else { None }
}

fn number(sort: &Sort) -> Option<Sort> {
    matches!(sort, Sort::Int | Sort::Real).then(|| sort.clone())
}

fn select_sort(args: &[Term]) -> Option<Sort> {
    let (map, given) = args.split_first()?;
    let (indices, element) = map.sort().as_array()?;
    fits(indices, given).then(|| element.clone())
}

fn store_sort(args: &[Term]) -> Option<Sort> {
    let (map, rest) = args.split_first()?;
    let (value, given) = rest.split_last()?;
    let (indices, element) = map.sort().as_array()?;
    (fits(indices, given) && value.sort() == element).then(|| map.sort().clone())
}

fn fits(sorts: &[Sort], args: &[Term]) -> bool {
    sorts.len() == args.len() && sorts.iter().zip(args).all(|(sort, arg)| sort == arg.sort())
}

fn ctor_sort(def: &Arc<DatatypeDef>, ctor: u32, args: &[Term]) -> Option<Sort> {
    let fields = &def.ctors().get(ctor as usize)?.fields;
    let fits = fields.len() == args.len()
        && fields.iter().zip(args).all(|((_, sort), arg)| sort == arg.sort());
    fits.then(|| def.sort())
}
