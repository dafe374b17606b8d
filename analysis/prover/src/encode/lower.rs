//! Maps lowered to functions: the same question for a solver that looks for a failing run.
//!
//! **In:** the terms of a question. **Out:** terms without maps. A map becomes a function, its updates
//! and pointwise operations become conditions on the index, a comprehension its body, and the equality
//! of two maps a quantifier over indices; a value of a datatype with maps inside becomes its fields.
//! Quantifiers over indices are what the solver can decide by models, while it searches for ever among
//! maps that are values.
//!
//! What cannot be lowered (quantifiers over maps, functions of maps, maps indexed by maps) becomes an
//! unknown function of the variables that are bound around it.
//!
//! | map | as a function of `i` |
//! | --- | --- |
//! | variable `m` | `f(i)` |
//! | `m[j := v]` | `i == j ? v : f(i)` |
//! | constant `v` | `v` |
//! | pointwise operation | the operation on elements |
//! | comprehension | its body |
//! | `c ? m : n` | `c ? f(i) : g(i)` |
//! | `m == n` | `forall i :: f(i) == g(i)` |
//!
//! Indices that are tuples are taken apart ([`apart`]).
//!
//! # Soundness
//! Every structure of the question is one of the lowered question: let each function be the elements of
//! its map, and each unknown function the value of what it stands for. Maps are equal exactly if their
//! elements are. So `unsat` is a proof. In the other direction a structure of the lowered question is
//! one of the question if nothing became unknown ([`Lowering::is_exact`]), because for every function
//! there is a map; otherwise it is a candidate.

mod apart;
mod low;
pub(crate) mod reading;
mod shape;

use std::collections::BTreeSet;
use std::sync::Arc;

use ir::{
    Bound, FuncSym, Lambda, Op, Quant, Question, Signature, Sort, Substitution, Symbol, Term,
    TermKind, Var,
};
use rustc_hash::FxHashMap;

pub(crate) use low::Low;
use low::{Data, elementwise, index_variables};
use shape::{Shape, Shapes};

/// Lowers terms, each once.
pub(crate) struct Lowering {
    shapes: Shapes,
    memo: FxHashMap<Term, Option<Low>>,
    /// Variables that are bound somewhere in the question.
    bound: BTreeSet<Var>,
    unknown: usize,
    is_exact: bool,
}

impl Lowering {
    /// For the terms `roots`, whose datatypes are those of `signature`.
    pub(crate) fn new<'t>(
        signature: &Signature,
        roots: impl IntoIterator<Item = &'t Term>,
    ) -> Lowering {
        let mut bound = BTreeSet::new();
        ir::subst::for_each_subterm(roots, |term| {
            bound.extend(term.bound().iter().map(|bound| bound.var.clone()));
        });
        let shapes = Shapes::new(signature.clone());
        Lowering { shapes, memo: FxHashMap::default(), bound, unknown: 0, is_exact: true }
    }

    /// Was everything lowered that was asked for?
    pub(crate) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// A truth value or another value without maps.
    pub(crate) fn plain(&mut self, term: &Term) -> Option<Term> {
        self.lower(term)?.plain().cloned()
    }

    /// The value of a term; nothing if its sort has no functions to offer.
    pub(crate) fn lower(&mut self, root: &Term) -> Option<Low> {
        let mut todo = vec![(root.clone(), false)];
        while let Some((term, parts_done)) = todo.pop() {
            if self.memo.contains_key(&term) {
                continue;
            }
            if parts_done {
                let low = self.node(&term);
                self.memo.insert(term, low);
                continue;
            }
            todo.push((term.clone(), true));
            match term.kind() {
                TermKind::App(_, args) => todo.extend(args.iter().map(|arg| (arg.clone(), false))),
                TermKind::Quant(quant) => todo.push((quant.body.clone(), false)),
                TermKind::Lambda(lambda) => todo.push((lambda.body.clone(), false)),
                TermKind::Var(_)
                | TermKind::Bool(_)
                | TermKind::Int(_)
                | TermKind::Real(_)
                | TermKind::BitVec(..)
                | TermKind::String(_) => {}
            }
        }
        self.memo.get(root).cloned().flatten()
    }

    fn done(&self, term: &Term) -> Option<Low> {
        self.memo.get(term).cloned().flatten()
    }

    fn done_plain(&self, term: &Term) -> Option<Term> {
        self.done(term)?.plain().cloned()
    }

    /// The parts of `term` are done.
    fn node(&mut self, term: &Term) -> Option<Low> {
        let low = match term.kind() {
            TermKind::Var(var) => self.leaves(term, ("var", &var.name), &[]),
            TermKind::App(op, args) => self.application(term, op, args),
            TermKind::Quant(quant) => self.quantifier(quant),
            TermKind::Lambda(lambda) => self.comprehension(term.sort(), lambda),
            TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Real(_)
            | TermKind::BitVec(..)
            | TermKind::String(_) => Some(Low::Plain(term.clone())),
        };
        low.or_else(|| self.unknown(term))
    }

    /// A variable, or a function of plain arguments: one function for each of its parts.
    fn leaves(&mut self, term: &Term, (kind, name): (&str, &Symbol), args: &[Term]) -> Option<Low> {
        let sort = term.sort();
        let shape = self.shapes.of(sort)?;
        if shape.is_plain() {
            return Some(Low::Plain(term.clone()));
        }
        // A map that is bound by a quantifier is no function.
        if term.as_var().is_some_and(|var| self.bound.contains(var)) {
            return None;
        }
        let signature = self.shapes.signature();
        let mut leaf = |path: &str, of: &Sort, indices: &[Var]| {
            let all: Vec<Term> =
                args.iter().cloned().chain(indices.iter().cloned().map(Term::var)).collect();
            let all = apart::arguments(&all, signature);
            let sorts: Vec<Sort> = all.iter().map(|arg| arg.sort().clone()).collect();
            // The sort belongs to the name: variables are their name and sort together.
            let name = format!("{kind} {name}: {sort}{path}");
            Term::func(&Arc::new(FuncSym::new(name, sorts, of.clone())), all)
        };
        Some(Low::of_leaves(&shape, sort, ("", &[]), &mut leaf))
    }

    /// An unknown function of the variables that are bound around the term.
    fn unknown(&mut self, term: &Term) -> Option<Low> {
        self.is_exact = false;
        let shape = self.shapes.of(term.sort())?;
        let mut leaf = self.free_leaf("unknown", term);
        Some(Low::of_leaves(&shape, term.sort(), ("", &[]), &mut leaf))
    }

    /// Makes parts of a value of which nothing is known: functions of the plain variables that are bound
    /// around `term`. Those that hold maps are bound by quantifiers that become unknown themselves.
    fn free_leaf(
        &mut self,
        kind: &str,
        term: &Term,
    ) -> impl FnMut(&str, &Sort, &[Var]) -> Term + use<> {
        let mut args = Vec::new();
        for var in ir::free_vars(term).intersection(&self.bound) {
            if self.shapes.of(&var.sort).is_some_and(|shape| shape.is_plain()) {
                args.push(Term::var(var.clone()));
            }
        }
        self.unknown += 1;
        let name = format!("{kind} {}", self.unknown);
        move |path: &str, of: &Sort, indices: &[Var]| {
            let indices = indices.iter().cloned().map(Term::var);
            let all: Vec<Term> = args.iter().cloned().chain(indices).collect();
            let sorts: Vec<Sort> = all.iter().map(|arg| arg.sort().clone()).collect();
            let function = FuncSym::new(format!("{name}{path}"), sorts, of.clone());
            Term::func(&Arc::new(function), all)
        }
    }

    fn quantifier(&mut self, quant: &Quant) -> Option<Low> {
        for bound in &quant.bound {
            self.shapes.of(&bound.var.sort).filter(Shape::is_plain)?;
        }
        let body = self.done_plain(&quant.body)?;
        let bound = quant.bound.iter().map(|bound| Bound::plain(bound.var.clone())).collect();
        Some(Low::Plain(Term::quant(Quant::new(quant.kind, bound, body))))
    }

    fn comprehension(&mut self, sort: &Sort, lambda: &Lambda) -> Option<Low> {
        let Some(Shape::Map { indices, height, .. }) = self.shapes.of(sort) else { return None };
        let bound = index_variables(height, &indices);
        let own = lambda.bound.iter().map(|bound| bound.var.clone());
        let pairs = own.zip(bound.iter().cloned().map(Term::var)).collect();
        let element = self.done(&lambda.body)?.with(pairs)?;
        Some(Low::Map { bound, element: Arc::new(element) })
    }

    fn application(&mut self, term: &Term, op: &Op, args: &[Term]) -> Option<Low> {
        let parts: Option<Vec<Low>> = args.iter().map(|arg| self.done(arg)).collect();
        let parts = parts?;
        match op {
            Op::Select => {
                let (map, index) = parts.split_first()?;
                map.at(&all_plain(index)?)
            }
            Op::Store => self.store(term.sort(), &parts),
            Op::ConstArray(sort) => {
                let Some(Shape::Map { indices, height, .. }) = self.shapes.of(sort) else {
                    return None;
                };
                let element = Arc::new(parts.into_iter().next()?);
                Some(Low::Map { bound: index_variables(height, &indices), element })
            }
            Op::MapOp(op) => self.pointwise(term, &elementwise(*op), args, &parts),
            Op::Ctor(def, nth) => self.constructor(term, def, *nth as usize, parts),
            Op::Field(def, nth, field) => match parts.into_iter().next()? {
                Low::Data(data) => data.fields.get(*nth as usize)?.get(*field as usize).cloned(),
                Low::Plain(value) => Some(Low::Plain(Term::app(
                    Op::Field(Arc::clone(def), *nth, *field),
                    vec![value],
                ))),
                Low::Map { .. } => None,
            },
            Op::Is(def, nth) => match parts.into_iter().next()? {
                Low::Data(data) => Some(Low::Plain(data.is(*nth as usize))),
                Low::Plain(value) => {
                    Some(Low::Plain(Term::app(Op::Is(Arc::clone(def), *nth), vec![value])))
                }
                Low::Map { .. } => None,
            },
            Op::Func(function) => {
                let args = all_plain(&parts)?;
                let call = Term::func(function, args.clone());
                self.leaves(&call, ("fun", &function.name), &args)
            }
            Op::Builtin(..) | Op::SeqEmpty(_) | Op::BvExtract { .. } | ir::plain_op!() => {
                operation(op, &parts)
            }
        }
    }

    /// The parts and the result may be of different heights: `MapEq` of maps of maps is a set. The
    /// elements are put side by side at the variables of the highest, which no map inside any of them has.
    fn pointwise(&mut self, term: &Term, op: &Op, args: &[Term], parts: &[Low]) -> Option<Low> {
        let mut result = 0;
        let mut highest = 0;
        for sort in args.iter().chain([term]).map(Term::sort) {
            let Some(Shape::Map { height, .. }) = self.shapes.of(sort) else { return None };
            (result, highest) = (height, highest.max(height));
        }
        let Sort::Array(indices, _) = term.sort() else { return None };
        let index: Vec<Term> =
            index_variables(highest, indices).iter().cloned().map(Term::var).collect();
        let elements: Option<Vec<Low>> = parts.iter().map(|map| map.at(&index)).collect();
        let element = Arc::new(operation(op, &elements?)?);
        Low::Map { bound: index_variables(highest, indices), element }
            .given_at(&index_variables(result, indices))
    }

    fn store(&mut self, sort: &Sort, parts: &[Low]) -> Option<Low> {
        let [map, index @ .., value] = parts else { return None };
        let Some(Shape::Map { indices, height, .. }) = self.shapes.of(sort) else { return None };
        let bound = index_variables(height, &indices);
        let here = bound.iter().zip(all_plain(index)?);
        let here = Term::and(here.map(|(var, at)| Term::eq(Term::var(var.clone()), at)));
        let at: Vec<Term> = bound.iter().cloned().map(Term::var).collect();
        let element = Arc::new(Low::choose(&here, value, &map.at(&at)?)?);
        Some(Low::Map { bound, element })
    }

    fn constructor(
        &mut self,
        term: &Term,
        def: &Arc<ir::DatatypeDef>,
        nth: usize,
        parts: Vec<Low>,
    ) -> Option<Low> {
        let Shape::Data { ctors, .. } = self.shapes.of(term.sort())? else {
            return Some(Low::Plain(Term::app(
                Op::Ctor(Arc::clone(def), u32::try_from(nth).ok()?),
                all_plain(&parts)?,
            )));
        };
        if ctors.len() > 1 {
            // What a field of another constructor is depends on the value; here it is just anything.
            self.is_exact = false;
        }
        let mut leaf = self.free_leaf("lacking", term);
        let mut fields = Vec::new();
        for (at, shapes) in ctors.iter().enumerate() {
            if at == nth {
                fields.push(parts.clone());
                continue;
            }
            let lacking = shapes.iter().zip(&def.ctors()[at].fields).enumerate().map(
                |(field, (shape, (_, sort)))| {
                    Low::of_leaves(shape, sort, (&format!(" {at}.{field}"), &[]), &mut leaf)
                },
            );
            fields.push(lacking.collect());
        }
        Some(Data::built(def, nth, fields))
    }
}

fn all_plain(parts: &[Low]) -> Option<Vec<Term>> {
    parts.iter().map(|part| part.plain().cloned()).collect()
}

/// An operator that is not about maps.
fn operation(op: &Op, parts: &[Low]) -> Option<Low> {
    match (op, parts) {
        (Op::Ite, [test, yes, no]) => Low::choose(test.plain()?, yes, no),
        (Op::Eq, [left, right]) => Some(Low::Plain(left.equals(right)?)),
        (Op::Distinct, _) if all_plain(parts).is_none() => {
            let mut facts = Vec::new();
            for (nth, left) in parts.iter().enumerate() {
                for right in &parts[nth + 1..] {
                    facts.push(Term::not(left.equals(right)?));
                }
            }
            Some(Low::Plain(Term::and(facts)))
        }
        (_, _) => Some(Low::Plain(Term::app(op.clone(), all_plain(parts)?))),
    }
}

/// The lowered assumptions and goal of a question, unless some of it has no lowered form.
pub(crate) struct Lowered {
    pub(crate) assumptions: Vec<Term>,
    pub(crate) goal: Term,
}

/// Lowers what is assumed and what is to be shown.
pub(crate) fn lower(lowering: &mut Lowering, question: &Question, goal: &Term) -> Option<Lowered> {
    let distinct = question.distinct.iter().map(|group| Term::app(Op::Distinct, group.clone()));
    let facts: Vec<Term> = question.axioms.iter().cloned().chain(distinct).collect();
    let mut assumptions = Vec::new();
    let mut lowered = |term: &Term| {
        let plain = lowering.plain(term)?;
        Some(apart::quantifiers(&plain, lowering.shapes.signature()))
    };
    for fact in
        facts.iter().flat_map(|fact| std::iter::once(fact.clone()).chain(instances(fact, goal)))
    {
        assumptions.push(lowered(&fact)?);
    }
    Some(Lowered { assumptions, goal: lowered(goal)? })
}

/// What an axiom about all values of a datatype says about the variables and constants of the goal: the axiom
/// itself has no lowered form if maps are inside.
fn instances(axiom: &Term, goal: &Term) -> Vec<Term> {
    let TermKind::Quant(quant) = axiom.kind() else { return Vec::new() };
    let ([bound], ir::QuantKind::Forall) = (quant.bound.as_slice(), quant.kind) else {
        return Vec::new();
    };
    if !matches!(bound.var.sort, Sort::Datatype(_)) {
        return Vec::new();
    }
    let mut alike: Vec<Term> = ir::free_vars(goal).into_iter().map(Term::var).collect();
    ir::subst::for_each_subterm([goal], |term| {
        if matches!(term.as_app(), Some((Op::Func(_), []))) && !alike.contains(term) {
            alike.push(term.clone());
        }
    });
    alike.retain(|it| *it.sort() == bound.var.sort);
    let at = |it: Term| Substitution::of_vars([(bound.var.clone(), it)]).apply(&quant.body);
    alike.into_iter().map(at).collect()
}

#[cfg(test)]
mod meaning;
#[cfg(test)]
mod tests;
