//! Memory that nothing reaches is forgotten.
//!
//! **In:** a state. **Out:** the same without the cells of heaps that no other global and no variable
//! of a thread leads to; their addresses can become new again.
//!
//! A heap is a linear global of the library's type `Map`, from addresses that are made new.
//!
//! # Soundness
//! A cell that nothing reaches can come back only through a step that names its address: a new one, or
//! one found by enumerating addresses or the domain of the map. So cells are forgotten only if no
//! condition or value that is computed ranges over addresses, compares whole maps over them, or is
//! chosen among them. [`heaps`] looks through all code that runs; where it finds such a thing there is
//! no heap, and nothing is forgotten.

#![allow(clippy::wildcard_enum_match_arm, reason = "what is not named is looked into by its terms")]

use std::collections::BTreeSet;

use ir::{
    Op, Sort, Symbol, Term, Var, free_vars,
    layer::{Arm, Condition, Intrinsic, LayerProgram, Node, Step, Why},
    subst::for_each_subterm,
};
use rustc_hash::FxHashMap;

use crate::arena::{Arena, Val};

/// A global that is memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heap {
    global: usize,
}

/// The heaps of the program from which cells may be forgotten.
pub(crate) fn heaps(
    program: &LayerProgram,
    roots: &[ir::layer::ProcId],
    checked: &BTreeSet<Why>,
) -> Vec<Heap> {
    let mut found = Vec::new();
    for (nth, global) in program.globals.iter().enumerate() {
        if let Some(sort) = heap_of(program, &global.var.sort)
            && !global.holds.is_empty()
            && !(Usage { program, checked, sort }).ranges_over_addresses(roots)
        {
            found.push(Heap { global: nth });
        }
    }
    found
}

/// The sort of addresses, if this is a map from them.
fn heap_of(program: &LayerProgram, sort: &Sort) -> Option<Symbol> {
    let [ctor] = program.signature.datatype(sort)?.ctors() else { return None };
    let [(_, dom), (_, val)] = &ctor.fields[..] else { return None };
    let ((keys, element), (indices, _)) = (dom.as_array()?, val.as_array()?);
    let ([key], true) = (keys, *element == Sort::Bool && keys == indices) else { return None };
    let [one] = program.signature.datatype(key)?.ctors() else { return None };
    match &one.fields[..] {
        [(_, Sort::Uninterpreted(name))] => {
            program.sorts.get(name).filter(|it| it.made_new).map(|_| name.clone())
        }
        _other => None,
    }
}

/// What the code that runs does with the addresses of a sort.
struct Usage<'a> {
    program: &'a LayerProgram,
    checked: &'a BTreeSet<Why>,
    sort: Symbol,
}

impl Usage<'_> {
    fn ranges_over_addresses(&self, roots: &[ir::layer::ProcId]) -> bool {
        let terms = self.terms();
        let mut read: BTreeSet<Var> = BTreeSet::new();
        for term in &terms {
            read.extend(free_vars(term));
        }
        let program = self.program;
        let arguments = roots.iter().filter_map(|id| program.procedure(*id));
        let arguments = arguments.flat_map(|it| &it.ins).map(|it| &it.var);
        let chosen = self.steps().filter_map(|step| match step {
            Step::Havoc(vars, _) => Some(vars.clone()),
            Step::Act(act) => Some(act.hidden.clone()),
            _other => None,
        });
        let chosen: Vec<Var> = chosen.flatten().filter(|it| read.contains(it)).collect();
        arguments.chain(&chosen).any(|var| self.mentions(&var.sort, 0))
            || terms.iter().any(|term| self.enumerates(term))
    }

    fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.program.nodes()
    }

    fn steps(&self) -> impl Iterator<Item = &Step> {
        self.nodes().flat_map(|node| &node.steps)
    }

    /// Every term that is evaluated, bodies of functions included.
    fn terms(&self) -> Vec<Term> {
        let is_checked = |it: &&Condition| self.checked.contains(&it.why);
        let mut terms = Vec::new();
        for step in self.steps() {
            match step {
                Step::Assert(condition) => {
                    terms.extend(Some(condition).filter(is_checked).map(|it| it.term.clone()));
                }
                Step::Yield(claims, _) => {
                    terms.extend(claims.iter().filter(is_checked).map(|it| it.term.clone()));
                }
                Step::Par(arms, _) => {
                    for arm in arms {
                        match arm {
                            Arm::Claims(claims) => {
                                let claims = claims.iter().filter(is_checked);
                                terms.extend(claims.map(|it| it.term.clone()));
                            }
                            Arm::Act(act) => terms.extend(act.ins.iter().cloned()),
                            Arm::Call(call) => terms.extend(call.ins.iter().cloned()),
                        }
                    }
                }
                other => terms.extend(other.terms().into_iter().cloned()),
            }
        }
        for action in &self.program.actions {
            let conditions = action.gate.iter().chain(&action.requires).filter(is_checked);
            terms.extend(conditions.map(|it| it.term.clone()));
        }
        for procedure in &self.program.procedures {
            let conditions = procedure.requires.iter().chain(&procedure.ensures);
            terms.extend(conditions.filter(is_checked).map(|it| it.term.clone()));
        }
        self.with_functions(terms)
    }

    fn with_functions(&self, mut terms: Vec<Term>) -> Vec<Term> {
        let mut seen = BTreeSet::new();
        let mut at = 0;
        while at < terms.len() {
            let mut called = BTreeSet::new();
            for_each_subterm([&terms[at]], |term| {
                if let Some((Op::Func(func), _)) = term.as_app() {
                    called.insert(func.name.clone());
                }
            });
            for name in called {
                if seen.insert(name.clone())
                    && let Some(function) = self.program.functions.get(&name)
                    && !function.intrinsic.is_some_and(walks)
                {
                    terms.extend(function.definition.iter().map(|it| it.body.clone()));
                }
            }
            at += 1;
        }
        terms
    }

    /// Does the sort have addresses in it?
    fn mentions(&self, sort: &Sort, depth: u32) -> bool {
        let mut found = false;
        sort.walk(&mut |part| match part {
            Sort::Uninterpreted(name) => found |= *name == self.sort,
            Sort::Datatype(_) if depth < 8 => {
                let def = self.program.signature.datatype(part);
                let fields = def.iter().flat_map(|def| def.ctors()).flat_map(|it| &it.fields);
                found |= fields.into_iter().any(|(_, sort)| self.mentions(sort, depth + 1));
            }
            Sort::Datatype(_) => found = true,
            _other => {}
        });
        found
    }

    /// Does the sort have maps from addresses in it?
    fn has_map(&self, sort: &Sort, depth: u32) -> bool {
        let mut found = false;
        sort.walk(&mut |part| match part {
            Sort::Array(indices, _) => found |= indices.iter().any(|it| self.mentions(it, 0)),
            Sort::Datatype(_) if depth < 8 => {
                let def = self.program.signature.datatype(part);
                let fields = def.iter().flat_map(|def| def.ctors()).flat_map(|it| &it.fields);
                found |= fields.into_iter().any(|(_, sort)| self.has_map(sort, depth + 1));
            }
            _other => {}
        });
        found
    }

    fn enumerates(&self, term: &Term) -> bool {
        let mut found = false;
        for_each_subterm([term], |part| {
            found |= part.bound().iter().any(|bound| self.mentions(&bound.var.sort, 0));
            let Some((op, args)) = part.as_app() else { return };
            let on_maps = args.iter().any(|arg| self.has_map(arg.sort(), 0));
            found |= match op {
                Op::Eq | Op::Distinct | Op::MapOp(_) => on_maps,
                Op::Func(func) => self.program.functions.get(&func.name).is_none_or(|it| {
                    let free = it.is_free() && args.iter().any(|it| self.mentions(it.sort(), 0));
                    free || (on_maps && it.definition.is_none() && !it.intrinsic.is_some_and(walks))
                }),
                _other => false,
            };
        });
        found
    }
}

/// Does the library function look at the cells that it is led to, and at no others?
fn walks(intrinsic: Intrinsic) -> bool {
    matches!(
        intrinsic,
        Intrinsic::Between
            | Intrinsic::Avoiding
            | Intrinsic::StackAbs
            | Intrinsic::SetAbs
            | Intrinsic::QueueAbs
            | Intrinsic::Default
    )
}

/// Forgets cells.
#[derive(Default)]
pub(crate) struct Collector {
    heaps: Vec<Heap>,
    /// A heap and the addresses known elsewhere, and what is left of it.
    known: FxHashMap<(Val, u64), (Val, u64)>,
}

impl Collector {
    pub(crate) fn new(heaps: Vec<Heap>) -> Collector {
        Collector { heaps, known: FxHashMap::default() }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.heaps.is_empty()
    }

    /// Forgets what nothing in the row leads to.
    pub(crate) fn collect(&mut self, row: &mut [Val], arena: &mut Arena) {
        let mut marks = 0;
        for (nth, val) in row.iter().enumerate() {
            if !self.heaps.iter().any(|heap| heap.global == nth) {
                marks |= arena.marks(*val);
            }
        }
        // What one heap leads to may keep a cell of another.
        loop {
            let before = marks;
            for heap in &self.heaps {
                marks |= left(&mut self.known, row[heap.global], marks, arena).1;
            }
            if marks == before {
                break;
            }
        }
        for heap in &self.heaps {
            row[heap.global] = left(&mut self.known, row[heap.global], marks, arena).0;
        }
    }
}

/// What is left of a heap, and the addresses that lead on from these marks.
fn left(
    known: &mut FxHashMap<(Val, u64), (Val, u64)>,
    heap: Val,
    marks: u64,
    arena: &mut Arena,
) -> (Val, u64) {
    if let Some(known) = known.get(&(heap, marks)) {
        return *known;
    }
    let result = sweep(heap, marks, arena).unwrap_or((heap, marks));
    known.insert((heap, marks), result);
    result
}

fn sweep(heap: Val, mut marks: u64, arena: &mut Arena) -> Option<(Val, u64)> {
    let (_, fields) = arena.data(heap)?;
    let (mut dom, mut val) = (*fields.first()?, *fields.get(1)?);
    let (_, default, _) = arena.entries(val)?;
    let mut cells: Vec<(Val, Val)> = Vec::new();
    for key in arena.members(dom)? {
        cells.push((key, arena.select(val, &[key])));
    }
    while let Some(at) = cells.iter().position(|(key, _)| arena.marks(*key) & marks != 0) {
        let (_, cell) = cells.swap_remove(at);
        marks |= arena.marks(cell);
    }
    for (key, _) in cells {
        dom = arena.store(dom, &[key], Val::FALSE);
        val = arena.store(val, &[key], default);
    }
    Some((arena.ctor(0, &[dom, val]), marks))
}
