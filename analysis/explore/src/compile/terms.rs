//! Terms to code that computes them.

#![allow(clippy::wildcard_enum_match_arm, reason = "callers choose the operators")]

use std::{rc::Rc, sync::Arc};

use ir::{
    FuncSym, Op, Sort, Substitution, Term, TermKind, Var,
    exploration::Inexact,
    layer::{Intrinsic, Item},
};

use super::{Compiled, Compiler, DEEPEST_TERM, ROUTINES, refuse};
use crate::{
    arena::{Full, Val},
    code::{General, Instr, Library, Num, Operand, Routine, Slot},
};

impl Compiler<'_, '_> {
    /// Code for `term`; what it computes.
    pub(crate) fn term(&mut self, term: &Term) -> Compiled<Operand> {
        if let Some(known) = self.memo.get(term) {
            return Ok(*known);
        }
        if term.depth() > DEEPEST_TERM || term.is_ill_formed() {
            return refuse("a formula that is too deep or ill-formed");
        }
        self.check_size()?;
        let operand = match term.kind() {
            TermKind::Var(var) => return self.variable(var),
            TermKind::Bool(value) => return Ok(Operand::val(Val::bool(*value))),
            TermKind::Int(value) | TermKind::BitVec(value, _) => {
                Operand::val(self.arena.int(value))
            }
            TermKind::Real(value) => Operand::val(self.arena.real(value)),
            TermKind::String(text) => Operand::val(self.arena.text(text)),
            TermKind::App(op, args) => self.application(op, args, term)?,
            TermKind::Quant(quant) => self.quantifier(quant)?,
            TermKind::Lambda(lambda) => self.comprehension(lambda)?,
        };
        self.memo.insert(term.clone(), operand);
        self.order.push(term.clone());
        Ok(operand)
    }

    fn variable(&self, var: &Var) -> Compiled<Operand> {
        match self.env.get(var) {
            Some(operand) => Ok(*operand),
            None => refuse(format!("`{}` has no value here", ir::source_name(var.name.as_str()))),
        }
    }

    fn terms(&mut self, terms: &[Term]) -> Compiled<Box<[Operand]>> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    fn application(&mut self, op: &Op, args: &[Term], term: &Term) -> Compiled<Operand> {
        match op {
            Op::And => self.junction(args, true),
            Op::Or => self.junction(args, false),
            Op::Implies => self.junction(&[Term::not(args[0].clone()), args[1].clone()], false),
            Op::Ite => self.conditional(args),
            Op::Not => {
                let a = self.term(&args[0])?;
                Ok(self.compute(|dst| Instr::Not { dst, a }))
            }
            Op::Eq => {
                let (a, b) = (self.term(&args[0])?, self.term(&args[1])?);
                Ok(self.compute(|dst| Instr::Eq { dst, a, b }))
            }
            Op::Add | Op::Mul | Op::Sub | Op::Neg | Op::IntDiv | Op::IntMod => {
                self.arithmetic(op, args, term)
            }
            Op::Lt | Op::Le | Op::Gt | Op::Ge => self.comparison(op, args),
            Op::Select => self.selection(args),
            Op::Store => self.update(args),
            Op::Ctor(_, ctor) => {
                let fields = self.terms(args)?;
                let known: Option<Vec<Val>> = fields.iter().map(|it| it.get().err()).collect();
                if let Some(known) = known {
                    return Ok(Operand::val(self.arena.ctor(*ctor, &known)));
                }
                let ctor = *ctor;
                Ok(self.compute(|dst| Instr::Ctor { dst, ctor, fields }))
            }
            Op::Field(_, ctor, field) => {
                let a = self.term(&args[0])?;
                let (ctor, field) = (*ctor as u16, *field as u16);
                Ok(self.compute(|dst| Instr::Field { dst, a, ctor, field }))
            }
            Op::Is(_, ctor) => {
                let (a, ctor) = (self.term(&args[0])?, *ctor);
                Ok(self.compute(|dst| Instr::Is { dst, a, ctor }))
            }
            Op::MapOp(op) => {
                let full = self.full(term.sort());
                self.general(General::Pointwise(*op, full), args)
            }
            Op::Func(func) => self.function(func, args),
            Op::Builtin(name, _) if !crate::eval::knows_builtin(name.as_str()) => {
                refuse(format!("the operator `{name}`"))
            }
            Op::ConstArray(sort) => {
                let full = self.full(sort);
                let arity = sort.as_array().map_or(1, |(indices, _)| indices.len());
                self.general(General::Everywhere(arity, full), args)
            }
            Op::Distinct
            | Op::RealDiv
            | Op::ToReal
            | Op::ToInt
            | Op::SeqEmpty(_)
            | Op::SeqLen
            | Op::SeqConcat
            | Op::SeqUnit
            | Op::SeqNth
            | Op::SeqExtract
            | Op::BvConcat
            | Op::BvExtract { .. }
            | Op::Builtin(..) => self.general(self.strict(op, args), args),
            Op::Pow => refuse("powers of reals"),
        }
    }

    /// Operators on bit vectors need the widths of their arguments.
    fn strict(&self, op: &Op, args: &[Term]) -> General {
        match (op, args.first().map(Term::sort)) {
            (Op::Builtin(name, _), Some(sort @ Sort::BitVec(_))) => {
                // The sort of the argument tells widths; that of the result is known to the reader.
                General::Op(Op::Builtin(name.clone(), sort.clone()))
            }
            _other => General::Op(op.clone()),
        }
    }

    pub(super) fn compute(&mut self, make: impl FnOnce(Slot) -> Instr) -> Operand {
        let dst = self.temp();
        self.emit(make(dst));
        Operand::slot(dst)
    }

    pub(super) fn general(&mut self, what: General, args: &[Term]) -> Compiled<Operand> {
        let args = self.terms(args)?;
        let what = Box::new(what);
        Ok(self.compute(|dst| Instr::General { dst, what, args }))
    }

    /// All indices of a map sort, if they are finitely many.
    pub(super) fn full(&mut self, sort: &Sort) -> Option<Rc<Full>> {
        self.domains.full(sort, self.arena)
    }

    fn junction(&mut self, args: &[Term], unit: bool) -> Compiled<Operand> {
        let acc = self.temp();
        self.emit(Instr::Copy { dst: acc, src: Operand::val(Val::bool(unit)) });
        let mut jumps = Vec::new();
        let mut compile = |own: &mut Self, arg: &Term| {
            let src = own.term(arg)?;
            jumps.push(own.emit(Instr::And { acc, src, end: 0 }));
            Ok(())
        };
        // The first part is always computed, the others only as long as nothing is decided.
        if let Some((first, rest)) = args.split_first() {
            compile(self, first)?;
            self.scoped(|own| rest.iter().try_for_each(|arg| compile(own, arg)))?;
        }
        let end = self.here();
        for at in jumps {
            if let Instr::And { acc, src, .. } = self.code.instrs[at as usize] {
                self.code.instrs[at as usize] =
                    if unit { Instr::And { acc, src, end } } else { Instr::Or { acc, src, end } };
            }
        }
        Ok(Operand::slot(acc))
    }

    fn conditional(&mut self, args: &[Term]) -> Compiled<Operand> {
        let cond = self.term(&args[0])?;
        let dst = self.temp();
        let test = self.emit(Instr::Test { cond, no: 0, undefined: 0 });
        let branch = |own: &mut Self, term: &Term| {
            own.scoped(|own| {
                let src = own.term(term)?;
                own.emit(Instr::Copy { dst, src });
                Ok(own.emit(Instr::Jump(0)))
            })
        };
        let yes = branch(self, &args[1])?;
        let no = self.here();
        let other = branch(self, &args[2])?;
        let undefined = self.emit(Instr::Copy { dst, src: Operand::val(Val::POISON) });
        let end = self.here();
        self.code.instrs[test as usize] = Instr::Test { cond, no, undefined };
        self.code.instrs[yes as usize] = Instr::Jump(end);
        self.code.instrs[other as usize] = Instr::Jump(end);
        Ok(Operand::slot(dst))
    }

    fn arithmetic(&mut self, op: &Op, args: &[Term], term: &Term) -> Compiled<Operand> {
        if *term.sort() != Sort::Int {
            return self.general(General::Op(op.clone()), args);
        }
        if *op == Op::Neg {
            let b = self.term(&args[0])?;
            let a = Operand::val(Val::ZERO);
            return Ok(self.compute(|dst| Instr::Num { op: Num::Sub, dst, a, b }));
        }
        let num = match op {
            Op::Add => Num::Add,
            Op::Mul => Num::Mul,
            Op::Sub => Num::Sub,
            Op::IntDiv => Num::Div,
            _other => Num::Mod,
        };
        let mut sum = self.term(&args[0])?;
        for arg in &args[1..] {
            let (a, b) = (sum, self.term(arg)?);
            sum = self.compute(|dst| Instr::Num { op: num, dst, a, b });
        }
        Ok(sum)
    }

    fn comparison(&mut self, op: &Op, args: &[Term]) -> Compiled<Operand> {
        if *args[0].sort() != Sort::Int {
            return self.general(General::Op(op.clone()), args);
        }
        let (a, b) = (self.term(&args[0])?, self.term(&args[1])?);
        let (op, a, b) = match op {
            Op::Lt => (Num::Lt, a, b),
            Op::Le => (Num::Le, a, b),
            Op::Gt => (Num::Lt, b, a),
            _other => (Num::Le, b, a),
        };
        Ok(self.compute(|dst| Instr::Num { op, dst, a, b }))
    }

    fn selection(&mut self, args: &[Term]) -> Compiled<Operand> {
        let map = self.term(&args[0])?;
        let keys = self.terms(&args[1..])?;
        Ok(match *keys {
            [key] => self.compute(|dst| Instr::Select { dst, map, key }),
            _ => self.compute(|dst| Instr::SelectMany { dst, map, keys }),
        })
    }

    fn update(&mut self, args: &[Term]) -> Compiled<Operand> {
        let map = self.term(&args[0])?;
        let keys = self.terms(&args[1..args.len() - 1])?;
        let element = self.term(&args[args.len() - 1])?;
        Ok(match *keys {
            [key] => self.compute(|dst| Instr::Store { dst, map, key, element }),
            _ => {
                let element = Box::new(element);
                self.compute(|dst| Instr::StoreMany { dst, map, keys, element })
            }
        })
    }

    fn function(&mut self, func: &Arc<FuncSym>, args: &[Term]) -> Compiled<Operand> {
        let Some(function) = self.program.functions.get(&func.name) else {
            return self.free_function(func, args);
        };
        if let Some(excluded) = self.program.excluded(&Item::Function(func.name.clone())) {
            return refuse(format!("`{}`: {}", ir::source_name(func.name.as_str()), excluded.why));
        }
        if let Some(intrinsic) = function.intrinsic
            && let Some(library) = self.library(intrinsic, func)
        {
            return self.general(General::Intrinsic(intrinsic, library), args);
        }
        let Some(definition) = &function.definition else { return self.free_function(func, args) };
        if self.inlining.contains(&func.name) {
            let function = self.routine(func, &definition.params, &definition.body)?;
            let args = self.terms(args)?;
            return Ok(self.compute(|dst| Instr::Call { dst, function, args }));
        }
        let pairs = definition.params.iter().cloned().zip(args.iter().cloned());
        let body = Substitution::of_vars(pairs).apply(&definition.body);
        self.inlining.push(func.name.clone());
        let value = self.term(&body);
        self.inlining.pop();
        value
    }

    /// A function without meaning is a constant map, chosen at the start.
    fn free_function(&mut self, func: &FuncSym, args: &[Term]) -> Compiled<Operand> {
        let var = free_as_variable(func);
        let Some(map) = self.env.get(&var).copied() else {
            return refuse(format!("the function `{}`", ir::source_name(func.name.as_str())));
        };
        if args.is_empty() {
            return Ok(map);
        }
        let keys = self.terms(args)?;
        Ok(self.compute(|dst| Instr::SelectMany { dst, map, keys }))
    }

    /// What the engine has to know to compute a library function itself; `None`: its body will do.
    fn library(&mut self, intrinsic: Intrinsic, func: &FuncSym) -> Option<Library> {
        let first = func.args.first().cloned();
        let result = func.result.clone();
        let (full, filler) = match intrinsic {
            Intrinsic::Default => {
                // Libraries fill with it what lies beyond a vector or the domain of a map.
                if !self.is_in_library() {
                    self.notes.insert(Inexact::OneInterpretation("Default".into()));
                }
                (None, Some(self.least(&result)))
            }
            Intrinsic::Choice => {
                self.notes.insert(Inexact::OneInterpretation("Choice".into()));
                (None, Some(self.least(&result)))
            }
            Intrinsic::SetSize => (self.full(&first?), None),
            Intrinsic::Range => (None, None),
            Intrinsic::VecConcat
            | Intrinsic::VecSlice
            | Intrinsic::StackAbs
            | Intrinsic::QueueAbs => {
                let contents = self.field_sort(&result, 0)?;
                let least = self.least(contents.as_array()?.1);
                (None, Some(least))
            }
            Intrinsic::SetAbs => (self.full(&result), None),
            Intrinsic::Between | Intrinsic::Avoiding => (None, None),
            _other => return None,
        };
        Some(Library { full, filler })
    }

    /// Is the body of a library function being put in place?
    fn is_in_library(&self) -> bool {
        let functions = self.inlining.iter().filter_map(|it| self.program.functions.get(it));
        functions.into_iter().any(|it| it.intrinsic.is_some())
    }

    fn field_sort(&self, sort: &Sort, field: usize) -> Option<Sort> {
        let def = self.program.signature.datatype(sort)?;
        Some(def.ctors().first()?.fields.get(field)?.1.clone())
    }

    /// The code of a function with a body.
    fn routine(&mut self, func: &FuncSym, params: &[Var], body: &Term) -> Compiled<u32> {
        if let Some(known) = self.routines.get(&func.name) {
            return Ok(*known);
        }
        let number = self.code.routines.len() as u32;
        self.routines.insert(func.name.clone(), number);
        self.code.routines.push(Routine { params: Box::new([]), start: 0, window: 0..0 });
        // The body is compiled aside, and reached by calls only.
        let skip = self.emit(Instr::Jump(0));
        let env = std::mem::take(&mut self.env);
        let (memo, order) = (std::mem::take(&mut self.memo), std::mem::take(&mut self.order));
        let next = std::mem::replace(&mut self.next, self.next_routine);
        let free = env.iter().filter(|(var, _)| is_free_variable(var));
        self.env = free.map(|(var, operand)| (var.clone(), *operand)).collect();
        // Functions called by this one get registers behind a generous gap, then the rest follows.
        let window = self.next;
        self.next_routine = window + (1 << 14);
        let slots: Box<[Slot]> = params.iter().map(|param| self.declare(param)).collect();
        let start = self.here();
        let result = self.term(body);
        if let Ok(value) = result {
            self.emit(Instr::Ret(value));
        }
        let full = self.next > window + (1 << 14);
        let end = self.next;
        self.env = env;
        self.memo = memo;
        self.order = order;
        self.next = next;
        let behind = self.here();
        self.code.instrs[skip as usize] = Instr::Jump(behind);
        result?;
        if full {
            return refuse("too much code");
        }
        self.code.routines[number as usize] = Routine { params: slots, start, window: window..end };
        Ok(number)
    }
}

/// A function without meaning, seen as a variable that never changes.
pub(crate) fn free_as_variable(func: &FuncSym) -> Var {
    let sort = if func.args.is_empty() {
        func.result.clone()
    } else {
        Sort::array(func.args.clone(), func.result.clone())
    };
    Var::new(format!("{}@free", func.name), sort)
}

fn is_free_variable(var: &Var) -> bool {
    var.name.as_str().ends_with("@free")
}

const _: () = assert!(ROUTINES.is_power_of_two());
