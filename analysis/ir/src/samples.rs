//! Test support: short names for common terms, and random ones.
//!
//! **In:** a seed.
//! **Out:** the same terms for the same seed, on every machine.

use std::sync::Arc;

use crate::{
    op::{Op, PointwiseOp},
    sort::{CtorDef, DatatypeDef, Sort},
    term::{Bound, FuncSym, Lambda, PoolHint, Quant, QuantKind, Term, Var},
};

pub(crate) fn ivar(name: &str) -> Var {
    Var::new(name, Sort::Int)
}

pub(crate) fn bvar(name: &str) -> Var {
    Var::new(name, Sort::Bool)
}

pub(crate) fn i(name: &str) -> Term {
    Term::var(ivar(name))
}

pub(crate) fn b(name: &str) -> Term {
    Term::var(bvar(name))
}

pub(crate) fn int_map() -> Sort {
    Sort::map(Sort::Int, Sort::Int)
}

pub(crate) fn m(name: &str) -> Term {
    Term::var(Var::new(name, int_map()))
}

pub(crate) fn n(value: i64) -> Term {
    Term::int(value)
}

/// `datatype Opt { None(), Some(t: int) }`
pub(crate) fn opt() -> Arc<DatatypeDef> {
    DatatypeDef::new(
        "Opt",
        vec![CtorDef::new("None", vec![]), CtorDef::new("Some", vec![("t".into(), Sort::Int)])],
    )
}

/// `f(int, int): bool`
pub(crate) fn rel() -> Arc<FuncSym> {
    Arc::new(FuncSym::new("f", vec![Sort::Int, Sort::Int], Sort::Bool))
}

/// A small, fast, reproducible source of choices.
pub(crate) struct Dice {
    state: u64,
    verbatim: bool,
}

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, verbatim: false }
    }

    /// Terms exactly as rolled, without the simplifications of constructors.
    pub(crate) fn verbatim(seed: u64) -> Self {
        Dice { verbatim: true, ..Dice::new(seed) }
    }

    fn app(&self, op: Op, args: Vec<Term>) -> Term {
        if self.verbatim { Term::app_verbatim(op, args).unwrap() } else { Term::app(op, args) }
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as usize % sides.max(1)
    }

    fn name(&mut self, names: &[&'static str]) -> &'static str {
        names[self.roll(names.len())]
    }

    /// A random formula over `p q`, `x y z`, `m`, `o`.
    pub(crate) fn formula(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return match self.roll(4) {
                0 => Term::bool(self.roll(2) == 0),
                _ => b(self.name(&["p", "q"])),
            };
        }
        let deep = depth - 1;
        match self.roll(14) {
            0 => {
                let args = vec![self.formula(deep)];
                self.app(Op::Not, args)
            }
            1 => {
                let args = vec![self.formula(deep), self.formula(deep), self.formula(deep)];
                self.app(Op::And, args)
            }
            2 => {
                let args = vec![self.formula(deep), self.formula(deep)];
                self.app(Op::Or, args)
            }
            3 => {
                let args = vec![self.formula(deep), self.formula(deep)];
                self.app(Op::Implies, args)
            }
            4 => {
                let args = vec![self.formula(deep), self.formula(deep)];
                self.app(Op::Eq, args)
            }
            5 => {
                let args = vec![self.formula(deep), self.formula(deep), self.formula(deep)];
                self.app(Op::Ite, args)
            }
            6 => {
                let args = vec![self.number(deep), self.number(deep)];
                self.app(Op::Eq, args)
            }
            7 => {
                let args = vec![self.number(deep), self.number(deep)];
                self.app(Op::Lt, args)
            }
            8 => Term::func(&rel(), vec![self.number(deep), self.number(deep)]),
            9 => {
                let args = vec![self.option(deep)];
                self.app(Op::Is(opt(), 1), args)
            }
            10 => {
                let args = vec![self.option(deep), self.option(deep)];
                self.app(Op::Eq, args)
            }
            11 => {
                let args = vec![self.map(deep), self.map(deep)];
                self.app(Op::Eq, args)
            }
            _ => self.quantifier(deep),
        }
    }

    fn quantifier(&mut self, depth: u32) -> Term {
        let name = self.name(&["x", "y", "z", "w"]);
        let bound = if self.roll(3) == 0 {
            Bound::pooled(ivar(name), "L")
        } else {
            Bound::plain(ivar(name))
        };
        let kind = if self.roll(2) == 0 { QuantKind::Forall } else { QuantKind::Exists };
        let mut quant = Quant::new(kind, vec![bound], self.formula(depth));
        if self.roll(2) == 0 {
            quant.triggers.push(vec![Term::func(&rel(), vec![i(name), self.number(0)])]);
        }
        if self.roll(4) == 0 {
            quant.hints.push(PoolHint { label: "L".into(), terms: vec![self.number(1)] });
            quant.weight = 3;
        }
        Term::quant(quant)
    }

    pub(crate) fn number(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return match self.roll(3) {
                0 => n(self.roll(5) as i64 - 2),
                _ => i(self.name(&["x", "y", "z"])),
            };
        }
        let deep = depth - 1;
        match self.roll(8) {
            0 => {
                let args = vec![self.number(deep), self.number(deep)];
                self.app(Op::Add, args)
            }
            1 => {
                let args = vec![self.number(deep), self.number(deep)];
                self.app(Op::Sub, args)
            }
            2 => {
                let args = vec![self.number(deep), self.number(deep)];
                self.app(Op::Mul, args)
            }
            3 => {
                let args = vec![self.number(deep), self.number(deep)];
                self.app(Op::IntDiv, args)
            }
            4 => {
                let args = vec![self.number(deep), self.number(deep)];
                self.app(Op::IntMod, args)
            }
            5 => {
                let args = vec![self.formula(deep), self.number(deep), self.number(deep)];
                self.app(Op::Ite, args)
            }
            6 => {
                let args = vec![self.map(deep), self.number(deep)];
                self.app(Op::Select, args)
            }
            _ => {
                let args = vec![self.option(deep)];
                self.app(Op::Field(opt(), 1, 0), args)
            }
        }
    }

    fn option(&mut self, depth: u32) -> Term {
        match self.roll(3) {
            0 => Term::ctor(&opt(), 0, vec![]),
            1 if depth > 0 => Term::ctor(&opt(), 1, vec![self.number(depth - 1)]),
            _ => Term::var(Var::new("o", opt().sort())),
        }
    }

    fn map(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return m("m");
        }
        let deep = depth - 1;
        match self.roll(5) {
            0 => {
                let args = vec![self.map(deep), self.number(deep), self.number(deep)];
                self.app(Op::Store, args)
            }
            1 => Term::const_array(int_map(), self.number(deep)),
            2 => {
                let args = vec![self.map(deep), self.map(deep)];
                self.app(Op::MapOp(PointwiseOp::Add), args)
            }
            3 => Term::lambda(Lambda {
                bound: vec![Bound::plain(ivar("x"))],
                body: self.number(deep),
            }),
            _ => m("m"),
        }
    }
}
