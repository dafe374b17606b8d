//! Running the code of terms.
//!
//! **In:** registers and a position in the code. **Out:** registers, and the position of the first
//! instruction that is not a computation.
//!
//! # Invariants
//! - What the program does not define is [`Val::POISON`], and so is what depends on it; Boolean
//!   operators and conditionals decide in spite of undefined parts where the defined ones suffice.

#![allow(clippy::wildcard_enum_match_arm, reason = "what is no computation ends the run")]

mod library;
mod numbers;

use std::rc::Rc;

use ir::PointwiseOp;

use crate::{
    arena::{Arena, Full, Tag, Val},
    code::{Code, General, Instr, Loop, Num, Operand, Pc, Range, Slot, Table},
};

pub(crate) use numbers::knows_builtin;

/// Calls of functions nested deeper than this have no value.
const DEEPEST_CALL: u32 = 300;
/// Longer intervals are not run through.
const LONGEST_INTERVAL: i64 = 100_000;

/// Registers, and all values.
pub(crate) struct Eval {
    pub(crate) arena: Arena,
    pub(crate) registers: Vec<Val>,
    /// What was approximated so far, by the number of the note.
    pub(crate) noted: Vec<bool>,
    depth: u32,
    scratch: Vec<Val>,
}

impl Eval {
    pub(crate) fn new(arena: Arena, code: &Code) -> Eval {
        let registers = vec![Val::POISON; code.registers as usize];
        let noted = vec![false; code.notes.len()];
        Eval { arena, registers, noted, depth: 0, scratch: Vec::new() }
    }

    #[inline]
    pub(crate) fn get(&self, operand: Operand) -> Val {
        match operand.get() {
            Ok(slot) => self.registers[slot.0 as usize],
            Err(val) => val,
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, slot: Slot, val: Val) {
        self.registers[slot.0 as usize] = val;
    }

    /// Runs a piece of code that ends with `Ret`.
    pub(crate) fn value(&mut self, code: &Code, pc: Pc) -> Val {
        let end = self.run(code, pc);
        match code.instrs.get(end as usize) {
            Some(Instr::Ret(operand)) => self.get(*operand),
            _other => Val::POISON,
        }
    }

    /// Runs computations; returns where the first other instruction is.
    pub(crate) fn run(&mut self, code: &Code, mut pc: Pc) -> Pc {
        while let Some(instr) = code.instrs.get(pc as usize) {
            pc += 1;
            match instr {
                Instr::Copy { dst, src } => {
                    let val = self.get(*src);
                    self.set(*dst, val);
                }
                Instr::Not { dst, a } => {
                    let val = match self.get(*a) {
                        Val::TRUE => Val::FALSE,
                        Val::FALSE => Val::TRUE,
                        _undefined => Val::POISON,
                    };
                    self.set(*dst, val);
                }
                Instr::Eq { dst, a, b } => {
                    let val = self.equal(self.get(*a), self.get(*b));
                    self.set(*dst, val);
                }
                Instr::Num { op, dst, a, b } => {
                    let (a, b) = (self.get(*a), self.get(*b));
                    let val = self.number(*op, a, b);
                    self.set(*dst, val);
                }
                Instr::Select { dst, map, key } => {
                    let val = self.arena.select(self.get(*map), &[self.get(*key)]);
                    self.set(*dst, val);
                }
                Instr::Field { dst, a, ctor, field } => {
                    let val = match self.arena.data(self.get(*a)) {
                        Some((own, fields)) if own == u32::from(*ctor) => {
                            fields.get(*field as usize).copied().unwrap_or(Val::POISON)
                        }
                        Some(_) | None => Val::POISON,
                    };
                    self.set(*dst, val);
                }
                Instr::Is { dst, a, ctor } => {
                    let data = self.arena.data(self.get(*a));
                    let val = data.map_or(Val::POISON, |(own, _)| Val::bool(own == *ctor));
                    self.set(*dst, val);
                }
                Instr::And { acc, src, end } => match self.get(*src) {
                    Val::TRUE => {}
                    Val::FALSE => {
                        self.set(*acc, Val::FALSE);
                        pc = *end;
                    }
                    _undefined => self.set(*acc, Val::POISON),
                },
                Instr::Or { acc, src, end } => match self.get(*src) {
                    Val::FALSE => {}
                    Val::TRUE => {
                        self.set(*acc, Val::TRUE);
                        pc = *end;
                    }
                    _undefined => self.set(*acc, Val::POISON),
                },
                Instr::Test { cond, no, undefined } => match self.get(*cond) {
                    Val::TRUE => {}
                    Val::FALSE => pc = *no,
                    _undefined => pc = *undefined,
                },
                Instr::Jump(to) => pc = *to,
                other => match self.rarer(code, other) {
                    Some(next) => pc = if next == 0 { pc } else { next },
                    None => return pc - 1,
                },
            }
        }
        pc
    }

    /// Computations that are rarer or longer: where to go on (0: with the next instruction); nothing
    /// for what is no computation.
    fn rarer(&mut self, code: &Code, instr: &Instr) -> Option<Pc> {
        match instr {
            Instr::Store { dst, map, key, element } => {
                let (map, key, element) = (self.get(*map), self.get(*key), self.get(*element));
                let val = self.arena.store(map, &[key], element);
                self.set(*dst, val);
            }
            Instr::Ctor { dst, ctor, fields } => {
                let fields = self.gather(fields);
                let val = self.arena.ctor(*ctor, &fields);
                self.scratch = fields;
                self.set(*dst, val);
            }
            Instr::SelectMany { dst, map, keys } => {
                let keys = self.gather(keys);
                let val = self.arena.select(self.get(*map), &keys);
                self.scratch = keys;
                self.set(*dst, val);
            }
            Instr::StoreMany { dst, map, keys, element } => {
                let keys = self.gather(keys);
                let (map, element) = (self.get(*map), self.get(**element));
                let val = self.arena.store(map, &keys, element);
                self.scratch = keys;
                self.set(*dst, val);
            }
            Instr::General { dst, what, args } => {
                let args = self.gather(args);
                let val = self.general(what, &args);
                self.scratch = args;
                self.set(*dst, val);
            }
            Instr::Call { dst, function, args } => {
                let args: Vec<Val> = args.iter().map(|arg| self.get(*arg)).collect();
                let val = self.call(code, *function, &args);
                self.set(*dst, val);
            }
            Instr::Loop(run) => {
                let val = self.quantifier(code, run);
                self.set(run.dst, val);
                return Some(run.end);
            }
            Instr::Table(table) => {
                let val = self.comprehension(code, table);
                self.set(table.dst, val);
                return Some(table.end);
            }
            _no_computation => return None,
        }
        Some(0)
    }

    fn gather(&mut self, operands: &[Operand]) -> Vec<Val> {
        let mut out = std::mem::take(&mut self.scratch);
        out.clear();
        out.extend(operands.iter().map(|it| self.get(*it)));
        out
    }

    /// Are the values equal? Values with something undefined inside may or may not be.
    #[inline]
    pub(crate) fn equal(&self, a: Val, b: Val) -> Val {
        if self.arena.is_tainted(a) || self.arena.is_tainted(b) {
            return Val::POISON;
        }
        Val::bool(a == b)
    }

    #[inline]
    fn number(&mut self, op: Num, a: Val, b: Val) -> Val {
        let (Some(x), Some(y)) = (a.as_small(), b.as_small()) else {
            return self.large(op, a, b);
        };
        let small = match op {
            Num::Add => Val::small(x + y),
            Num::Sub => Val::small(x - y),
            Num::Mul => Val::small(x * y),
            Num::Lt => Some(Val::bool(x < y)),
            Num::Le => Some(Val::bool(x <= y)),
            Num::Div | Num::Mod if y == 0 => Some(Val::POISON),
            Num::Div => Val::small(x.div_euclid(y)),
            Num::Mod => Val::small(x.rem_euclid(y)),
        };
        small.unwrap_or_else(|| self.large(op, a, b))
    }

    fn call(&mut self, code: &Code, function: u32, args: &[Val]) -> Val {
        let Some(routine) = code.routines.get(function as usize) else { return Val::POISON };
        if self.depth >= DEEPEST_CALL {
            return Val::POISON;
        }
        let window = routine.window.start as usize..routine.window.end as usize;
        let saved = self.registers[window.clone()].to_vec();
        for (slot, val) in routine.params.iter().zip(args) {
            self.set(*slot, *val);
        }
        self.depth += 1;
        let val = self.value(code, routine.start);
        self.depth -= 1;
        self.registers[window].copy_from_slice(&saved);
        val
    }

    fn quantifier(&mut self, code: &Code, run: &Loop) -> Val {
        let decisive = Val::bool(!run.all);
        let Some(values) = self.range(&run.range) else { return Val::POISON };
        let mut result = Val::bool(run.all);
        for val in values.iter() {
            self.set(run.var, *val);
            match self.value(code, run.start) {
                it if it == decisive => return decisive,
                Val::POISON => result = Val::POISON,
                _other => {}
            }
        }
        if let Some(note) = run.note {
            self.noted[note as usize] = true;
        }
        result
    }

    fn comprehension(&mut self, code: &Code, table: &Table) -> Val {
        let mut entries = Vec::new();
        for tuple in table.full.iter() {
            for (slot, val) in table.vars.iter().zip(tuple) {
                self.set(*slot, *val);
            }
            let element = self.value(code, table.start);
            entries.extend_from_slice(tuple);
            entries.push(element);
        }
        self.arena.map(table.vars.len(), table.full.least, &entries, Some(&table.full))
    }

    /// The values of a range; nothing if it depends on something undefined or is too long.
    pub(crate) fn range(&mut self, range: &Range) -> Option<Values> {
        match range {
            Range::Listed(domain) => Some(Values::Domain(domain.clone())),
            Range::Only(operand) => {
                let val = self.get(*operand);
                (!self.arena.is_tainted(val)).then(|| Values::List(vec![val]))
            }
            Range::Members(set) => self.arena.members(self.get(*set)).map(Values::List),
            Range::Integers(low, high) => {
                let mut bounds = [i64::MIN, i64::MAX];
                for operand in low.iter() {
                    bounds[0] = bounds[0].max(self.get(*operand).as_small()?);
                }
                for operand in high.iter() {
                    bounds[1] = bounds[1].min(self.get(*operand).as_small()?);
                }
                let [low, high] = bounds;
                (high.saturating_sub(low) < LONGEST_INTERVAL)
                    .then(|| Values::List((low..=high).filter_map(Val::small).collect()))
            }
            Range::Occurring(slots) => {
                let roots: Vec<Val> =
                    slots.iter().map(|slot| self.registers[slot.0 as usize]).collect();
                Some(Values::List(self.integers_in(&roots)))
            }
        }
    }

    /// The integers that occur in values, and their neighbours.
    fn integers_in(&self, roots: &[Val]) -> Vec<Val> {
        let mut found = std::collections::BTreeSet::from([0i64]);
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = roots.to_vec();
        while let Some(val) = todo.pop() {
            if let Some(int) = val.as_small() {
                found.extend([int - 1, int, int + 1]);
            } else if val.tag() == Tag::Node && seen.insert(val) {
                todo.extend_from_slice(self.arena.parts_of(val));
            }
        }
        found.into_iter().filter_map(Val::small).collect()
    }

    fn general(&mut self, what: &General, args: &[Val]) -> Val {
        match what {
            General::Op(op) => self.strict(op, args),
            General::Everywhere(arity, full) => match full {
                Some(full) => self.arena.map(*arity, args[0], &[], Some(full)),
                None => self.arena.constant(*arity, args[0]),
            },
            General::Pointwise(op, full) => self.pointwise(*op, args, full.as_deref()),
            General::Intrinsic(intrinsic, library) => self.library(*intrinsic, library, args),
        }
    }

    fn pointwise(&mut self, op: PointwiseOp, maps: &[Val], full: Option<&Full>) -> Val {
        let mut keys: Vec<Vec<Val>> = Vec::new();
        let mut defaults = Vec::new();
        let mut arity = 1;
        for map in maps {
            let Some((own, default, entries)) = self.arena.entries(*map) else {
                return Val::POISON;
            };
            arity = own;
            defaults.push(default);
            keys.extend(entries.chunks_exact(own + 1).map(|entry| entry[..own].to_vec()));
        }
        keys.sort_unstable();
        keys.dedup();
        let default = self.element(op, &defaults);
        let mut entries = Vec::new();
        for key in keys {
            let elements: Vec<Val> = maps.iter().map(|map| self.arena.select(*map, &key)).collect();
            let element = self.element(op, &elements);
            entries.extend_from_slice(&key);
            entries.push(element);
        }
        self.arena.map(arity, default, &entries, full)
    }

    fn element(&mut self, op: PointwiseOp, args: &[Val]) -> Val {
        let junction = |unit: Val, args: &[Val]| {
            let mut result = unit;
            for arg in args {
                match *arg {
                    it if it == unit => {}
                    Val::TRUE => return Val::TRUE,
                    Val::FALSE => return Val::FALSE,
                    _undefined => result = Val::POISON,
                }
            }
            result
        };
        let negate = |val: Val| match val {
            Val::TRUE => Val::FALSE,
            Val::FALSE => Val::TRUE,
            _undefined => Val::POISON,
        };
        match op {
            PointwiseOp::And => junction(Val::TRUE, args),
            PointwiseOp::Or => junction(Val::FALSE, args),
            PointwiseOp::Implies => junction(Val::FALSE, &[negate(args[0]), args[1]]),
            PointwiseOp::Not => negate(args[0]),
            PointwiseOp::Iff | PointwiseOp::Eq => self.equal(args[0], args[1]),
            PointwiseOp::Ite => match args[0] {
                Val::TRUE => args[1],
                Val::FALSE => args[2],
                _undefined => Val::POISON,
            },
            PointwiseOp::Add => self.number(Num::Add, args[0], args[1]),
            PointwiseOp::Sub => self.number(Num::Sub, args[0], args[1]),
            PointwiseOp::Mul => self.number(Num::Mul, args[0], args[1]),
            PointwiseOp::Div => self.number(Num::Div, args[0], args[1]),
            PointwiseOp::Mod => self.number(Num::Mod, args[0], args[1]),
            PointwiseOp::Gt => self.number(Num::Lt, args[1], args[0]),
            PointwiseOp::Ge => self.number(Num::Le, args[1], args[0]),
            PointwiseOp::Lt => self.number(Num::Lt, args[0], args[1]),
            PointwiseOp::Le => self.number(Num::Le, args[0], args[1]),
        }
    }
}

/// The values of a range.
pub(crate) enum Values {
    Domain(Rc<crate::domain::Domain>),
    List(Vec<Val>),
}

impl Values {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Val> {
        self.as_slice().iter()
    }

    pub(crate) fn as_slice(&self) -> &[Val] {
        match self {
            Values::Domain(domain) => &domain.values,
            Values::List(list) => list,
        }
    }
}
