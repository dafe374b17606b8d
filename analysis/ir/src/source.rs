//! Terms as people write them: infix, with the names of the program.
//!
//! **In:** a term of a question. **Out:** text in the syntax of the language, cut off at a fixed
//! depth. It is for reading; two variables that stand for one name at different moments look alike.
//!
//! # Invariants
//! - No name made by a tool is shown: what follows `@` in a name is left out, as are the type
//!   arguments of instances.

use std::fmt::Write;

use crate::{
    op::{Op, PointwiseOp},
    sort::DatatypeDef,
    term::{Bound, QuantKind, Term, TermKind},
};

/// Deeper parts are shown as dots.
const DEPTH: u32 = 12;

/// How tightly operators bind, loosest first.
const IFF: u8 = 1;
const IMPLIES: u8 = 2;
const LOGIC: u8 = 3;
const RELATION: u8 = 4;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;
const UNARY: u8 = 8;
const TIGHT: u8 = 9;

/// The term as source text.
pub fn source_text(term: &Term) -> String {
    let mut out = String::new();
    write_term(term, DEPTH, 0, &mut out);
    out
}

/// A variable of a refinement check that stands for no name of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// The present fragment does the action.
    Does,
    /// An earlier fragment changed something.
    Changed,
    /// The action was done.
    Done,
}

impl Flag {
    const ALL: [Flag; 3] = [Flag::Does, Flag::Changed, Flag::Done];

    /// What it is called in a program; later values have a number behind it.
    pub fn name(self) -> &'static str {
        match self {
            Flag::Does => "eval@flag",
            Flag::Changed => "pc@flag",
            Flag::Done => "ok@flag",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Flag::Does => "(the fragment does the action)",
            Flag::Changed => "(an earlier fragment changed something)",
            Flag::Done => "(the action was done)",
        }
    }
}

/// The name that a variable or function has in the program.
pub fn source_name(name: &str) -> &str {
    if let Some(flag) = Flag::ALL.into_iter().find(|flag| name.starts_with(flag.name())) {
        return flag.words();
    }
    let end = name.find(['@', '!', '<', '(']).unwrap_or(name.len());
    if end == 0 { name } else { &name[..end] }
}

fn write_term(term: &Term, depth: u32, outer: u8, out: &mut String) {
    match term.kind() {
        TermKind::Var(var) => out.push_str(source_name(var.name.as_str())),
        TermKind::App(..) | TermKind::Quant(_) | TermKind::Lambda(_) if depth == 0 => {
            out.push('…');
        }
        TermKind::App(op, args) => write_app(op, args, depth - 1, outer, out),
        TermKind::Quant(quant) => {
            let word = match quant.kind {
                QuantKind::Forall => "forall",
                QuantKind::Exists => "exists",
            };
            write_binder(word, &quant.bound, &quant.body, depth - 1, out);
        }
        TermKind::Lambda(lambda) => {
            write_binder("lambda", &lambda.bound, &lambda.body, depth - 1, out);
        }
        TermKind::Bool(_)
        | TermKind::Int(_)
        | TermKind::Real(_)
        | TermKind::BitVec(..)
        | TermKind::String(_) => {
            let _infallible = write!(out, "{term}");
        }
    }
}

fn write_binder(word: &str, bound: &[Bound], body: &Term, depth: u32, out: &mut String) {
    let _infallible = write!(out, "({word} ");
    for (nth, Bound { var, .. }) in bound.iter().enumerate() {
        let comma = if nth == 0 { "" } else { ", " };
        let name = source_name(var.name.as_str());
        let _infallible = write!(out, "{comma}{name}: {}", var.sort);
    }
    out.push_str(" :: ");
    write_term(body, depth, 0, out);
    out.push(')');
}

/// The sign of an operator between its arguments, and how tightly it binds.
fn infix(op: &Op) -> Option<(&'static str, u8)> {
    INFIX.iter().find(|(it, ..)| it == op).map(|(_, sign, binding)| (*sign, *binding))
}

/// Operators that stand between their arguments.
const INFIX: &[(Op, &str, u8)] = &[
    (Op::Implies, "==>", IMPLIES),
    (Op::And, "&&", LOGIC),
    (Op::Or, "||", LOGIC),
    (Op::Eq, "==", RELATION),
    (Op::Lt, "<", RELATION),
    (Op::Le, "<=", RELATION),
    (Op::Gt, ">", RELATION),
    (Op::Ge, ">=", RELATION),
    (Op::SeqConcat, "++", 5),
    (Op::BvConcat, "++", 5),
    (Op::Add, "+", SUM),
    (Op::Sub, "-", SUM),
    (Op::Mul, "*", PRODUCT),
    (Op::IntDiv, "div", PRODUCT),
    (Op::IntMod, "mod", PRODUCT),
    (Op::RealDiv, "/", PRODUCT),
    (Op::Pow, "**", UNARY),
];

fn write_app(op: &Op, args: &[Term], depth: u32, outer: u8, out: &mut String) {
    if let (Op::Not, [inner]) = (op, args)
        && let Some([left, right]) = inner.args_of(&Op::Eq)
    {
        return write_infix("!=", RELATION, &[left.clone(), right.clone()], (depth, outer), out);
    }
    if let (Some((sign, level)), true) = (infix(op), args.len() > 1) {
        let iff = *op == Op::Eq && args[0].sort() == &crate::sort::Sort::Bool;
        let (sign, level) = if iff { ("<==>", IFF) } else { (sign, level) };
        return write_infix(sign, level, args, (depth, outer), out);
    }
    match (op, args) {
        (Op::Not, [inner]) => write_prefix("!", inner, depth, out),
        (Op::Neg, [inner]) => write_prefix("-", inner, depth, out),
        (Op::Ite, [test, yes, no]) => {
            let parts = [("(if ", test), (" then ", yes), (" else ", no)];
            for (word, part) in parts {
                out.push_str(word);
                write_term(part, depth, 0, out);
            }
            out.push(')');
        }
        (Op::Select, [map, index @ ..]) => write_indexed(map, index, None, depth, out),
        (Op::Store, [map, index @ .., value]) => {
            write_indexed(map, index, Some(value), depth, out);
        }
        (Op::Field(def, ctor, field), [value]) => {
            write_term(value, depth, TIGHT, out);
            let _infallible = write!(out, "->{}", field_name(def, *ctor, *field));
        }
        (Op::Is(def, ctor), [value]) => {
            let open = outer > RELATION;
            out.push_str(if open { "(" } else { "" });
            write_term(value, depth, UNARY, out);
            let _infallible = write!(out, " is {}", ctor_name(def, *ctor));
            out.push_str(if open { ")" } else { "" });
        }
        _ => {
            out.push_str(function_name(op));
            write_list("(", args, ")", depth, out);
        }
    }
}

fn write_infix(sign: &str, level: u8, args: &[Term], at: (u32, u8), out: &mut String) {
    let (depth, outer) = at;
    // Equal levels get parentheses, except that a chain of one operator is one list of arguments.
    let open = outer >= level;
    out.push_str(if open { "(" } else { "" });
    for (nth, arg) in args.iter().enumerate() {
        if nth > 0 {
            let _infallible = write!(out, " {sign} ");
        }
        write_term(arg, depth, level, out);
    }
    out.push_str(if open { ")" } else { "" });
}

fn write_prefix(sign: &str, inner: &Term, depth: u32, out: &mut String) {
    out.push_str(sign);
    write_term(inner, depth, UNARY, out);
}

fn write_indexed(map: &Term, index: &[Term], value: Option<&Term>, depth: u32, out: &mut String) {
    write_term(map, depth, TIGHT, out);
    match value {
        None => write_list("[", index, "]", depth, out),
        Some(value) => {
            write_list("[", index, " := ", depth, out);
            write_term(value, depth, 0, out);
            out.push(']');
        }
    }
}

fn write_list(open: &str, items: &[Term], close: &str, depth: u32, out: &mut String) {
    out.push_str(open);
    for (nth, item) in items.iter().enumerate() {
        out.push_str(if nth == 0 { "" } else { ", " });
        write_term(item, depth, 0, out);
    }
    out.push_str(close);
}

fn function_name(op: &Op) -> &str {
    match op {
        Op::Func(func) => source_name(func.name.as_str()),
        Op::Ctor(def, ctor) => ctor_name(def, *ctor),
        Op::ConstArray(_) => "MapConst",
        Op::MapOp(op) => pointwise_name(*op),
        Op::Builtin(name, _) => name.as_str(),
        Op::SeqEmpty(_) => "Seq_Empty",
        Op::Is(..) | Op::Field(..) | Op::BvExtract { .. } | crate::plain_op!() => op.keyword(),
    }
}

fn pointwise_name(op: PointwiseOp) -> &'static str {
    match op {
        PointwiseOp::And => "MapAnd",
        PointwiseOp::Or => "MapOr",
        PointwiseOp::Not => "MapNot",
        PointwiseOp::Implies => "MapImp",
        PointwiseOp::Iff => "MapIff",
        PointwiseOp::Eq => "MapEq",
        PointwiseOp::Ite => "MapIte",
        PointwiseOp::Add => "MapAdd",
        PointwiseOp::Sub => "MapSub",
        PointwiseOp::Mul => "MapMul",
        PointwiseOp::Div => "MapDiv",
        PointwiseOp::Mod => "MapMod",
        PointwiseOp::Gt => "MapGt",
        PointwiseOp::Ge => "MapGe",
        PointwiseOp::Lt => "MapLt",
        PointwiseOp::Le => "MapLe",
    }
}

fn ctor_name(def: &DatatypeDef, ctor: u32) -> &str {
    def.ctors().get(ctor as usize).map_or("?", |ctor| source_name(ctor.name.as_str()))
}

fn field_name(def: &DatatypeDef, ctor: u32, field: u32) -> &str {
    let fields = def.ctors().get(ctor as usize).map_or(&[][..], |ctor| &ctor.fields);
    fields.get(field as usize).map_or("?", |(name, _)| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::source_text;
    use crate::samples::{b, i, n};
    use crate::term::{Bound, Term};

    #[test]
    fn names_of_moments_and_copies_are_the_names_of_the_program() {
        assert_eq!(source_text(&Term::lt(i("x@snap@3"), i("tid@1"))), "x < tid");
        assert_eq!(source_text(&b("ok@flag@2")), "(the action was done)");
    }

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let sum = Term::app(crate::Op::Add, vec![i("x"), n(1)]);
        let product = Term::app(crate::Op::Mul, vec![sum.clone(), n(2)]);
        assert_eq!(source_text(&product), "(x + 1) * 2");
        let claim = Term::implies(Term::and([b("p"), b("q")]), Term::not(Term::eq(i("x"), sum)));
        assert_eq!(source_text(&claim), "p && q ==> x != x + 1");
        let all =
            Term::forall(vec![Bound::plain(crate::samples::ivar("k"))], Term::lt(i("k"), n(3)));
        assert_eq!(source_text(&Term::not(all)), "!(forall k: int :: k < 3)");
    }
}
