//! Terms as short readable text, for debugging and messages; not for reading back.
//!
//! **In:** a term.
//! **Out:** a prefix form, cut off at a fixed depth, so that printing always ends soon.

use std::fmt;

use crate::{
    op::Op,
    term::{Bound, QuantKind, Term, TermKind},
};

/// Deeper parts are shown as dots.
const DEPTH: u32 = 24;

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, DEPTH, f)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, DEPTH, f)
    }
}

fn show(term: &Term, depth: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match term.kind() {
        TermKind::Var(var) => write!(f, "{}", var.name),
        TermKind::Bool(value) => write!(f, "{value}"),
        TermKind::Int(value) => write!(f, "{value}"),
        TermKind::Real(value) if value.is_integer() => write!(f, "{}.0", value.numer()),
        TermKind::Real(value) => write!(f, "{value}"),
        TermKind::BitVec(value, width) => write!(f, "{value}bv{width}"),
        TermKind::String(value) => write!(f, "{value:?}"),
        TermKind::App(op, args) if args.is_empty() => show_op(op, f),
        _ if depth == 0 => f.write_str("…"),
        TermKind::App(op, args) => {
            f.write_str("(")?;
            show_op(op, f)?;
            for arg in args {
                f.write_str(" ")?;
                show(arg, depth - 1, f)?;
            }
            f.write_str(")")
        }
        TermKind::Quant(quant) => {
            let word = match quant.kind {
                QuantKind::Forall => "forall",
                QuantKind::Exists => "exists",
            };
            show_binder(word, &quant.bound, f)?;
            for trigger in &quant.triggers {
                f.write_str("{")?;
                for (nth, term) in trigger.iter().enumerate() {
                    f.write_str(if nth == 0 { "" } else { ", " })?;
                    show(term, depth - 1, f)?;
                }
                f.write_str("} ")?;
            }
            show(&quant.body, depth - 1, f)?;
            f.write_str(")")
        }
        TermKind::Lambda(lambda) => {
            show_binder("lambda", &lambda.bound, f)?;
            show(&lambda.body, depth - 1, f)?;
            f.write_str(")")
        }
    }
}

fn show_binder(word: &str, bound: &[Bound], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "({word} ")?;
    for (nth, bound) in bound.iter().enumerate() {
        write!(f, "{}{}: {}", if nth == 0 { "" } else { ", " }, bound.var.name, bound.var.sort)?;
    }
    f.write_str(" :: ")
}

fn show_op(op: &Op, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match op {
        Op::Func(func) => write!(f, "{}", func.name),
        Op::Ctor(def, ctor) => f.write_str(ctor_name(def, *ctor)),
        Op::Is(def, ctor) => write!(f, "is-{}", ctor_name(def, *ctor)),
        Op::Field(def, ctor, field) => {
            let fields = def.ctors().get(*ctor as usize).map_or(&[][..], |ctor| &ctor.fields);
            let name = fields.get(*field as usize).map_or("?", |(name, _)| name.as_str());
            write!(f, "->{name}#{}", ctor_name(def, *ctor))
        }
        Op::ConstArray(sort) => write!(f, "const{{{sort}}}"),
        Op::SeqEmpty(sort) => write!(f, "seq.empty{{{sort}}}"),
        Op::MapOp(op) => write!(f, "map-{}", op.element_op_name()),
        Op::Builtin(name, _) => write!(f, "{name}"),
        Op::BvExtract { high, low } => write!(f, "extract[{high}:{low}]"),
        crate::plain_op!() => f.write_str(op.keyword()),
    }
}

fn ctor_name(def: &crate::sort::DatatypeDef, ctor: u32) -> &str {
    def.ctors().get(ctor as usize).map_or("?", |ctor| ctor.name.as_str())
}
