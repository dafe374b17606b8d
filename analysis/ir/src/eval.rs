//! Terms on values: evaluation that never guesses.
//!
//! **In:** a term and an [`Env`]: values of variables, tables of functions, and what sorts are.
//! **Out:** the value, or what could not be known.
//!
//! # Soundness
//! A value is returned only if the term has it in *every* structure that agrees with the
//! environment. So division by zero, a field of another constructor, an entry missing in a
//! table, and a quantifier that is not decided are all [`Unknown`]; Boolean
//! operators decide in spite of unknown parts where the known ones suffice. Quantifiers, comprehensions and
//! equality of maps are decided by [`crate::symbolic`], which says what is decided, and why.

pub(crate) mod apply;
mod structure;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{
    op::Op,
    sort::{DatatypeDef, Sort},
    source::source_name,
    symbol::Symbol,
    symbolic::{Engine, Shapes, Val, library::Meaning},
    term::{Bound, Lambda, Quant, QuantKind, Term, TermKind, Var},
    value::{MapValue, Value},
};

pub use apply::is_plain;
pub(crate) use apply::same_plain;

/// Why a term has no known value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown(pub String);

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

pub(crate) type Known = Result<Value, Unknown>;

pub(crate) fn unknown<T>(what: impl Into<String>) -> Result<T, Unknown> {
    Err(Unknown(what.into()))
}

/// What is known about symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Env {
    /// Values of free variables.
    pub vars: BTreeMap<Var, Value>,
    /// Functions and constants, as maps from argument tuples.
    pub funcs: BTreeMap<Symbol, MapValue>,
    /// Values to try for bound variables whose sort cannot be listed.
    pub candidates: BTreeMap<Sort, Vec<Value>>,
    /// The elements of uninterpreted sorts, if these are all there are.
    pub carriers: Option<BTreeMap<Symbol, Vec<Value>>>,
    /// Datatypes.
    pub datatypes: BTreeMap<Symbol, Arc<DatatypeDef>>,
    /// Functions of libraries that are computed.
    pub library: BTreeMap<Symbol, Meaning>,
    /// Functions that are computed from their definitions.
    pub definitions: BTreeMap<Symbol, (Vec<Var>, Term)>,
    /// What is true of all values of a datatype: others are none.
    pub invariants: BTreeMap<Symbol, Vec<(Var, Term)>>,
    /// Axioms that are true because of the above.
    pub granted: Vec<Term>,
}

impl Shapes for Env {
    fn elements(&self, sort: &Symbol) -> Option<Vec<Value>> {
        let none = || crate::symbolic::carrier(sort, []);
        Some(self.carriers.as_ref()?.get(sort).cloned().unwrap_or_else(none))
    }

    fn constructors(&self, datatype: &Symbol) -> Option<Vec<(Symbol, Vec<Sort>)>> {
        let all = self.datatypes.get(datatype)?.ctors().iter();
        let sorts = |fields: &[(Symbol, Sort)]| fields.iter().map(|it| it.1.clone()).collect();
        Some(all.map(|ctor| (ctor.name.clone(), sorts(&ctor.fields))).collect())
    }

    fn candidates(&self, sort: &Sort) -> Vec<Value> {
        self.candidates.get(sort).cloned().unwrap_or_default()
    }

    fn is_restricted(&self, datatype: &Symbol) -> bool {
        self.invariants.contains_key(datatype)
    }
}

/// What may be spent on many evaluations: one unit whenever a part of a term is evaluated. No clock is asked, so
/// that the same search ends in the same way everywhere.
#[derive(Clone, Debug)]
pub struct Fuel(Cell<usize>);

impl Fuel {
    /// So many parts.
    pub fn new(parts: usize) -> Fuel {
        Fuel(Cell::new(parts))
    }

    /// As many as it takes.
    pub fn unlimited() -> Fuel {
        Fuel::new(usize::MAX)
    }

    /// What is left.
    pub fn left(&self) -> usize {
        self.0.get()
    }

    fn spend(&self) -> Result<(), Unknown> {
        let Some(left) = self.left().checked_sub(1) else { return unknown("too many evaluations") };
        self.0.set(left);
        Ok(())
    }
}

/// The value of `term`.
pub fn evaluate(term: &Term, env: &Env) -> Known {
    evaluate_within(term, env, &Fuel::unlimited())
}

/// The same, as far as the fuel goes.
pub fn evaluate_within(term: &Term, env: &Env, fuel: &Fuel) -> Known {
    let engine = Engine::new(env);
    let evaluator = Evaluator { env, engine: &engine, fuel, nesting: 0 };
    let value = evaluator.term(term, &Locals::default())?;
    engine.written(&value, term.sort())
}

/// Does `term` evaluate to exactly this truth value?
pub fn is_known(term: &Term, env: &Env, value: bool) -> bool {
    evaluate(term, env) == Ok(Value::Bool(value))
}

/// Binders deeper than this are not entered.
const MAX_NESTING: u32 = 24;

#[derive(Clone, Copy)]
struct Evaluator<'v> {
    env: &'v Env,
    engine: &'v Engine<'v>,
    fuel: &'v Fuel,
    nesting: u32,
}

type Locals<'v> = Rc<BTreeMap<Var, Val<'v>>>;
type KnownVal<'v> = Result<Val<'v>, Unknown>;
type Memo<'v> = FxHashMap<Term, KnownVal<'v>>;

impl<'v> Evaluator<'v> {
    /// A part of a connective is evaluated only if those before it do not decide.
    fn term(self, root: &Term, locals: &Locals<'v>) -> KnownVal<'v> {
        let mut memo: Memo<'v> = FxHashMap::default();
        let mut tasks = vec![(root.clone(), 0)];
        while let Some((term, step)) = tasks.pop() {
            if memo.contains_key(&term) {
                continue;
            }
            if let TermKind::App(op, args) = term.kind() {
                let next = next_parts(op, args, step, &memo);
                if !next.is_empty() {
                    tasks.push((term.clone(), step + 1));
                    tasks.extend(next.iter().map(|arg| (arg.clone(), 0)));
                    continue;
                }
            }
            self.fuel.spend()?;
            let value = self.node(&term, locals, &memo);
            memo.insert(term, value);
        }
        memo.remove(root).unwrap_or_else(|| unknown("not evaluated"))
    }

    fn node(self, term: &Term, locals: &Locals<'v>, memo: &Memo<'v>) -> KnownVal<'v> {
        let value = match term.kind() {
            TermKind::Var(var) => {
                let own = self.env.vars.get(var);
                let found = locals.get(var).cloned().or_else(|| own.cloned().map(Val::Plain));
                return found.map_or_else(
                    || unknown(format!("the value of `{}`", source_name(var.name.as_str()))),
                    Ok,
                );
            }
            TermKind::Bool(value) => Value::Bool(*value),
            TermKind::Int(value) => Value::Int(value.clone()),
            TermKind::Real(value) => Value::Real(value.clone()),
            TermKind::BitVec(value, width) => Value::BitVec(value.clone(), *width),
            TermKind::String(value) => Value::String(value.to_string()),
            TermKind::App(op, args) => {
                let args: Vec<KnownVal<'v>> = args
                    .iter()
                    .map(|arg| memo.get(arg).cloned().unwrap_or_else(|| unknown("not evaluated")))
                    .collect();
                return self.apply(op, args, term);
            }
            TermKind::Quant(quant) => return self.quant(quant, locals),
            TermKind::Lambda(lambda) => return Ok(self.lambda(lambda, locals)),
        };
        Ok(Val::Plain(value))
    }

    fn lambda(self, lambda: &Lambda, locals: &Locals<'v>) -> Val<'v> {
        let (lambda, locals) = (lambda.clone(), Rc::clone(locals));
        Val::Map(Rc::new(move |index: &[Val<'v>]| {
            self.nested(&lambda.body, extended(&locals, &lambda.bound, index))
        }))
    }

    fn nested(mut self, body: &Term, locals: Locals<'v>) -> KnownVal<'v> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return unknown("binders nested too deeply");
        }
        self.engine.step()?;
        self.term(body, &locals)
    }

    /// `forall` looks for a counterexample, `exists` for a witness.
    fn quant(self, quant: &Quant, locals: &Locals<'v>) -> KnownVal<'v> {
        let wanted = quant.kind == QuantKind::Exists;
        let sorts: Vec<Sort> = quant.bound.iter().map(|it| it.var.sort.clone()).collect();
        let mut test = |tuple: &[Val<'v>]| {
            let inner = extended(locals, &quant.bound, tuple);
            Ok(self.nested(&quant.body, inner)?.truth()? == wanted)
        };
        let why = match self.engine.exists(&sorts, &mut test) {
            Ok(found) => return Ok(Val::bool(found == wanted)),
            Err(why) => why.0,
        };
        let names: Vec<&str> =
            quant.bound.iter().map(|bound| source_name(bound.var.name.as_str())).collect();
        let word = match quant.kind {
            QuantKind::Forall => "forall",
            QuantKind::Exists => "exists",
        };
        let why = if why.is_empty() { why } else { format!(" ({why})") };
        unknown(format!("`{word} {}`{why}", names.join(", ")))
    }
}

/// The arguments that are needed next; none if the term can be evaluated.
fn next_parts<'t>(op: &Op, args: &'t [Term], step: usize, memo: &Memo<'_>) -> &'t [Term] {
    let truth = |arg: &Term| memo.get(arg).and_then(|it| it.as_ref().ok()?.truth().ok());
    if *op == Op::Ite {
        return match (step, args) {
            (0, [test, _, _]) => std::slice::from_ref(test),
            (1, [test, yes, no]) => match truth(test) {
                Some(true) => std::slice::from_ref(yes),
                Some(false) => std::slice::from_ref(no),
                None => &args[1..],
            },
            _done => &[],
        };
    }
    if ![Op::And, Op::Or, Op::Implies].contains(op) {
        return if step == 0 { args } else { &[] };
    }
    // A false premise decides, too.
    let decisive = Some(*op == Op::Or || (*op == Op::Implies && step != 1));
    match step.checked_sub(1).and_then(|last| args.get(last)) {
        Some(last) if truth(last) == decisive => &[],
        Some(_) | None => args.get(step..=step).unwrap_or(&[]),
    }
}

fn extended<'v>(locals: &Locals<'v>, bound: &[Bound], tuple: &[Val<'v>]) -> Locals<'v> {
    let mut inner = (**locals).clone();
    inner.extend(bound.iter().zip(tuple).map(|(bound, value)| (bound.var.clone(), value.clone())));
    Rc::new(inner)
}

#[cfg(test)]
mod tests;
