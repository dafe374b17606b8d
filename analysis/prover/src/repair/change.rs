//! Changes of variables and functions that make a literal true where its clause is violated.
//!
//! **In:** a clause and one of its literals. **Out:** for each place in the literal that can be changed, the
//! variable or function it belongs to, and a term for its new value.
//!
//! | literal | change |
//! | --- | --- |
//! | `m[i]`, `!m[i]` | `m` holds, or does not, at those `i` |
//! | `m[i] == e` | `m` is `e` there |
//! | `m[i] < e`, `m[i] <= e`, .. | `m` is the nearest number there |
//! | `m[i] != e` | `m` is `e + 1` there |
//!
//! Instead of `m[i]` there may be `m[i]->f[j]`, a variable, or a function of `i`. An index is a bound variable, one in a
//! datatype around it, one with a number added to it, or a term without bound variables.

use std::sync::Arc;

use ir::{Bound, DatatypeDef, FuncSym, Lambda, Op, Sort, Substitution, Term, TermKind, Var};

use super::clauses::{Clause, Literal};

/// What is to be changed, and its new value.
pub(super) struct Change {
    pub(super) target: Target,
    pub(super) value: Term,
}

/// A part of a structure.
pub(super) enum Target {
    Variable(Var),
    /// The new value is a map from the arguments.
    Function(Arc<FuncSym>),
    Constant(Arc<FuncSym>),
}

/// The changes that make this literal true.
pub(super) fn changes(clause: &Clause, literal: &Literal) -> Vec<Change> {
    settings(literal)
        .into_iter()
        .filter_map(|(place, value)| change(clause, &place, &value))
        .collect()
}

/// Places of a literal, and the values that they should have.
fn settings(literal: &Literal) -> Vec<(Term, Term)> {
    let one = || Term::int(1);
    let same = |it: &Term| it.clone();
    let more = |it: &Term| Term::add(it.clone(), one());
    let less = |it: &Term| Term::sub(it.clone(), one());
    let both = |(left, right): (&Term, &Term),
                up: &dyn Fn(&Term) -> Term,
                down: &dyn Fn(&Term) -> Term| {
        vec![(left.clone(), down(right)), (right.clone(), up(left))]
    };
    let atom = &literal.atom;
    match (atom.as_app(), literal.holds) {
        (Some((Op::Eq, [left, right])), true) => both((left, right), &same, &same),
        (Some((Op::Eq, [left, right])), false) => match left.sort() {
            Sort::Bool => {
                let not = |it: &Term| Term::not(it.clone());
                both((left, right), &not, &not)
            }
            Sort::Int => both((left, right), &more, &more),
            Sort::Real | Sort::BitVec(_) | Sort::Float(..) | Sort::RoundingMode | Sort::String => {
                Vec::new()
            }
            Sort::RegEx | Sort::Uninterpreted(_) | Sort::Datatype(_) => Vec::new(),
            Sort::Array(..) | Sort::Seq(_) => Vec::new(),
        },
        (Some((Op::Lt, [left, right])), true) => both((left, right), &more, &less),
        (Some((Op::Ge, [left, right])), false) => both((left, right), &more, &less),
        (Some((Op::Gt, [left, right])), true) => both((right, left), &more, &less),
        (Some((Op::Le, [left, right])), false) => both((right, left), &more, &less),
        (Some((Op::Le, [left, right])), true) => both((left, right), &same, &same),
        (Some((Op::Gt, [left, right])), false) => both((left, right), &same, &same),
        (Some((Op::Ge, [left, right])), true) => both((right, left), &same, &same),
        (Some((Op::Lt, [left, right])), false) => both((right, left), &same, &same),
        (_, holds) => vec![(atom.clone(), Term::bool(holds))],
    }
}

/// From a place to the values around it.
enum Step {
    Index(Vec<Term>),
    Field(Arc<DatatypeDef>, usize, usize),
}

fn change(clause: &Clause, place: &Term, value: &Term) -> Option<Change> {
    let mut steps = Vec::new();
    let mut at = place.clone();
    let (target, whole) = loop {
        let next = match at.kind() {
            TermKind::Var(var) if !clause.bound.contains(var) => {
                break (Target::Variable(var.clone()), at.clone());
            }
            TermKind::App(Op::Func(function), args) if args.is_empty() => {
                break (Target::Constant(Arc::clone(function)), at.clone());
            }
            TermKind::App(Op::Func(function), args) => {
                steps.push(Step::Index(args.to_vec()));
                break (Target::Function(Arc::clone(function)), at.clone());
            }
            TermKind::App(Op::Select, args) => {
                let (map, index) = args.split_first()?;
                steps.push(Step::Index(index.to_vec()));
                map.clone()
            }
            TermKind::App(Op::Field(def, ctor, field), args) => {
                steps.push(Step::Field(Arc::clone(def), *ctor as usize, *field as usize));
                args[0].clone()
            }
            TermKind::Var(_) | TermKind::App(..) | TermKind::Quant(_) | TermKind::Lambda(_) => {
                return None;
            }
            TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Real(_)
            | TermKind::BitVec(..)
            | TermKind::String(_) => {
                return None;
            }
        };
        at = next;
    };
    steps.reverse();
    let mut made = Maker { clause, value, solved: Vec::new(), also: Vec::new(), names: 0 };
    let value = match (&target, steps.split_first()) {
        (Target::Function(function), Some((Step::Index(index), rest))) => {
            made.map(&function.args, index, rest, &|args| Some(Term::func(function, args)))?
        }
        (Target::Function(_), _) => return None,
        (Target::Variable(_) | Target::Constant(_), _) => made.changed(&whole, &steps)?,
    };
    Some(Change { target, value })
}

struct Maker<'a> {
    clause: &'a Clause,
    value: &'a Term,
    /// Bound variables of the clause in terms of the indices.
    solved: Vec<(Var, Term)>,
    /// What else is true of the indices.
    also: Vec<Term>,
    names: usize,
}

impl Maker<'_> {
    /// The value with the place behind `steps` changed where the clause is violated.
    fn changed(&mut self, old: &Term, steps: &[Step]) -> Option<Term> {
        match steps.split_first() {
            None => self.innermost(old),
            Some((Step::Index(index), rest)) => {
                let (sorts, _) = old.sort().as_array()?;
                let select = |args: Vec<Term>| {
                    Some(Term::app(Op::Select, [vec![old.clone()], args].concat()))
                };
                self.map(sorts, index, rest, &select)
            }
            Some((Step::Field(def, ctor, field), rest)) => {
                let [only] = def.ctors() else { return None };
                let mut fields: Vec<Term> = (0..only.fields.len())
                    .map(|nth| Term::field(def, *ctor, nth, old.clone()))
                    .collect();
                fields[*field] = self.changed(&fields[*field].clone(), rest)?;
                Some(Term::ctor(def, *ctor, fields))
            }
        }
    }

    /// The map with elements changed; `old` is what it has at some arguments.
    fn map(
        &mut self,
        sorts: &[Sort],
        index: &[Term],
        rest: &[Step],
        old: &dyn Fn(Vec<Term>) -> Option<Term>,
    ) -> Option<Term> {
        let mut bound = Vec::new();
        for (sort, wanted) in sorts.iter().zip(index) {
            self.names += 1;
            let var = Var::new(format!("index {}", self.names), sort.clone());
            self.solve(wanted, Term::var(var.clone()));
            bound.push(var);
        }
        let own = old(bound.iter().cloned().map(Term::var).collect())?;
        let body = self.changed(&own, rest)?;
        let bound = bound.into_iter().map(Bound::plain).collect();
        Some(Term::lambda(Lambda { bound, body }))
    }

    /// `wanted == given`, solved for a bound variable if that is simple.
    fn solve(&mut self, wanted: &Term, given: Term) {
        let solved = |own: &Self, var: &Var| own.solved.iter().any(|(it, _)| it == var);
        match wanted.kind() {
            TermKind::Var(var) if self.clause.bound.contains(var) && !solved(self, var) => {
                self.solved.push((var.clone(), given));
            }
            TermKind::App(Op::Ctor(def, nth), fields) if def.ctors().len() == 1 => {
                for (field, part) in fields.iter().enumerate() {
                    self.solve(part, Term::field(def, *nth as usize, field, given.clone()));
                }
            }
            TermKind::App(Op::Add, args) => match &args[..] {
                [inner, number] | [number, inner] if number.as_int().is_some() => {
                    self.solve(inner, Term::sub(given, number.clone()));
                }
                _other => self.also.push(Term::eq(wanted.clone(), given)),
            },
            TermKind::Var(_) | TermKind::App(..) | TermKind::Quant(_) | TermKind::Lambda(_) => {
                self.also.push(Term::eq(wanted.clone(), given));
            }
            TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Real(_)
            | TermKind::BitVec(..)
            | TermKind::String(_) => {
                self.also.push(Term::eq(wanted.clone(), given));
            }
        }
    }

    fn innermost(&self, old: &Term) -> Option<Term> {
        let mut solved = Substitution::of_vars(self.solved.iter().cloned());
        let violated = Term::and(self.also.iter().cloned().chain([Term::not(self.clause.body())]));
        let violated = solved.apply(&violated);
        let value = solved.apply(self.value);
        let is_open = |var: &&Var| !self.solved.iter().any(|(it, _)| it == *var);
        let open: Vec<Var> = self.clause.bound.iter().filter(is_open).cloned().collect();
        if ir::free_vars(&value).iter().any(|var| open.contains(var)) {
            return None;
        }
        let bound: Vec<Bound> = open.into_iter().map(Bound::plain).collect();
        let somewhere = if bound.is_empty() { violated } else { Term::exists(bound, violated) };
        Some(Term::ite(somewhere, value, old.clone()))
    }
}
