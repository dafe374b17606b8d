//! Programs to register code.
//!
//! **In:** an `ir::LayerProgram` and the domains of a scope. **Out:** [`Code`], or why some item has
//! none.
//!
//! # Invariants
//! - What a term reads is what its variables hold where the code stands: a remembered register is
//!   forgotten as soon as a variable of its term is written.
//! - What cannot be compiled is refused by name; nothing is compiled to something weaker. Where a value
//!   is only approximated, [`Compiler::notes`] says so.

mod choices;
mod client;
mod procedures;
mod quantifiers;
mod steps;
mod terms;

pub(crate) use client::{Client, Start};

use std::collections::{BTreeMap, BTreeSet};

use ir::{
    Site, Sort, Symbol, Term, Var,
    exploration::Inexact,
    layer::{LayerProgram, Why},
    subst::occurs_free,
};
use rustc_hash::FxHashMap;

use crate::{
    arena::Arena,
    code::{Code, Instr, Operand, Pc, Slot},
    domain::Domains,
};

/// Why something has no code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused(pub(crate) String);

pub(crate) type Compiled<T> = Result<T, Refused>;

pub(crate) fn refuse<T>(why: impl Into<String>) -> Compiled<T> {
    Err(Refused(why.into()))
}

/// Registers from here on belong to functions.
const ROUTINES: u32 = 1 << 16;
/// Terms deeper than this are refused.
const DEEPEST_TERM: u32 = 600;
/// More instructions than this are refused.
const MOST_INSTRS: usize = 1 << 20;

/// The state of a compilation.
pub(crate) struct Compiler<'c, 'p> {
    pub(crate) program: &'p LayerProgram,
    pub(crate) arena: &'c mut Arena,
    pub(crate) domains: &'c mut Domains<'p>,
    pub(crate) code: Code,
    /// Which conditions are checked.
    pub(crate) checked: BTreeSet<Why>,
    /// What is approximated wherever it occurs.
    pub(crate) notes: BTreeSet<Inexact>,
    env: FxHashMap<Var, Operand>,
    memo: FxHashMap<Term, Operand>,
    /// Remembered terms in order, to forget those of a branch.
    order: Vec<Term>,
    /// The next register for an intermediate value.
    next: u32,
    /// Functions with code.
    routines: BTreeMap<Symbol, u32>,
    next_routine: u32,
    /// Functions whose bodies are being put in place.
    inlining: Vec<Symbol>,
    /// Variables of the frame and of the action being compiled.
    named: Vec<Slot>,
    /// What is being compiled.
    site: Site,
    body: u32,
    /// For the procedure being compiled, by node and step: what may still be read.
    live: Vec<Vec<BTreeSet<Var>>>,
    /// Node and step.
    cursor: (usize, usize),
    /// Are initial states being chosen?
    starting: bool,
    /// Is the procedure code at the layer above as well? Then the gates of what it calls are a matter
    /// of that layer.
    is_above: bool,
    /// The first register behind the variables of the frame.
    frame_end: u32,
    errands: Vec<procedures::Errand>,
    /// What has no code, and why.
    pub(crate) refusals: Vec<(Symbol, String, Site)>,
}

impl<'c, 'p> Compiler<'c, 'p> {
    pub(crate) fn new(
        program: &'p LayerProgram,
        arena: &'c mut Arena,
        domains: &'c mut Domains<'p>,
        checked: BTreeSet<Why>,
    ) -> Self {
        Compiler {
            program,
            arena,
            domains,
            code: Code::default(),
            checked,
            notes: BTreeSet::new(),
            env: FxHashMap::default(),
            memo: FxHashMap::default(),
            order: Vec::new(),
            next: 0,
            routines: BTreeMap::new(),
            next_routine: ROUTINES,
            inlining: Vec::new(),
            named: Vec::new(),
            site: Site(0),
            body: 0,
            live: Vec::new(),
            cursor: (0, 0),
            starting: false,
            is_above: false,
            frame_end: 0,
            errands: Vec::new(),
            refusals: Vec::new(),
        }
    }

    /// Makes `var` a global, which has the next register.
    pub(crate) fn add_global(&mut self, var: &Var) -> Slot {
        let slot = Slot(self.code.globals.len() as u32);
        self.code.globals.push(var.clone());
        self.env.insert(var.clone(), Operand::slot(slot));
        self.next = slot.0 + 1;
        slot
    }

    /// The finished code.
    pub(crate) fn finish(mut self) -> (Code, BTreeSet<Inexact>) {
        self.code.registers = self.next_routine.max(ROUTINES);
        (self.code, self.notes)
    }

    fn here(&self) -> Pc {
        self.code.instrs.len() as Pc
    }

    fn emit(&mut self, instr: Instr) -> Pc {
        let at = self.here();
        self.code.instrs.push(instr);
        at
    }

    /// A new register.
    pub(crate) fn temp(&mut self) -> Slot {
        let slot = Slot(self.next);
        self.next += 1;
        if self.next <= ROUTINES {
            self.code.window = self.code.window.max(self.next);
        }
        slot
    }

    /// Registers and code are not unlimited.
    fn check_size(&self) -> Compiled<()> {
        let routine = self.next_routine > ROUTINES && self.next > ROUTINES;
        if (!routine && self.next >= ROUTINES) || self.code.instrs.len() > MOST_INSTRS {
            return refuse("too much code");
        }
        Ok(())
    }

    /// Binds `var` to its own new register.
    fn declare(&mut self, var: &Var) -> Slot {
        let slot = self.temp();
        self.bind(var, Operand::slot(slot));
        slot
    }

    fn bind(&mut self, var: &Var, operand: Operand) {
        self.forget(var);
        self.env.insert(var.clone(), operand);
    }

    fn slot_of(&self, var: &Var) -> Compiled<Slot> {
        match self.env.get(var).map(|operand| operand.get()) {
            Some(Ok(slot)) => Ok(slot),
            Some(Err(_)) | None => {
                refuse(format!("`{}` has no place", ir::source_name(var.name.as_str())))
            }
        }
    }

    /// What was computed from `var` is out of date.
    fn forget(&mut self, var: &Var) {
        self.memo.retain(|term, _| !occurs_free(var, term));
    }

    fn forget_all(&mut self) {
        self.memo.clear();
        self.order.clear();
    }

    /// Runs `part`, and forgets what it computed: the code may not be executed.
    fn scoped<T>(&mut self, part: impl FnOnce(&mut Self) -> Compiled<T>) -> Compiled<T> {
        let mark = self.order.len();
        let result = part(self);
        for term in self.order.drain(mark.min(self.order.len())..) {
            self.memo.remove(&term);
        }
        result
    }

    /// Runs `part` with `vars` bound to new registers; bindings and computations are gone afterwards.
    fn with_bound<T>(
        &mut self,
        vars: &[Var],
        part: impl FnOnce(&mut Self, Vec<Slot>) -> Compiled<T>,
    ) -> Compiled<T> {
        let shadows = vars.iter().any(|var| self.env.contains_key(var));
        let saved = shadows.then(|| (self.memo.clone(), self.order.clone()));
        let old: Vec<Option<Operand>> = vars.iter().map(|var| self.env.get(var).copied()).collect();
        let slots: Vec<Slot> = vars.iter().map(|var| self.declare(var)).collect();
        let result = self.scoped(|own| part(own, slots));
        for (var, old) in vars.iter().zip(old) {
            match old {
                Some(operand) => self.env.insert(var.clone(), operand),
                None => self.env.remove(var),
            };
        }
        if let Some((memo, order)) = saved {
            self.memo = memo;
            self.order = order;
        }
        result
    }

    /// The number of something approximated.
    fn note(&mut self, what: Inexact) -> u32 {
        let known = self.code.notes.iter().position(|it| *it == what);
        let at = known.unwrap_or_else(|| {
            self.code.notes.push(what);
            self.code.notes.len() - 1
        });
        at as u32
    }

    /// The number of a sort.
    fn sort_number(&mut self, sort: &Sort) -> u32 {
        let known = self.code.sorts.iter().position(|it| it == sort);
        let at = known.unwrap_or_else(|| {
            self.code.sorts.push(sort.clone());
            self.code.sorts.len() - 1
        });
        at as u32
    }

    /// The first value of a variable of `sort`.
    pub(crate) fn least(&mut self, sort: &Sort) -> crate::arena::Val {
        self.domains.least(sort, self.arena)
    }
}
