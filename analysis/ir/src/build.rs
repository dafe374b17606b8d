//! Smart constructors: the only way to make terms.
//!
//! **In:** parts.
//! **Out:** an equal term, possibly simpler than the literal application.
//!
//! # Soundness
//! Every rewrite is an equivalence of the SMT-LIB theories that holds for all values of
//! the parts. In particular no rewrite fixes the value of a division by zero, of a
//! selector on the wrong constructor, or of a sequence access out of bounds.
//! An ill-sorted application is a bug of the caller: it stops a debug build, and in a
//! release build becomes an unknown value marked [`Term::is_ill_formed`].

use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::{
    arith,
    op::{Op, PointwiseOp, SortError},
    sort::{DatatypeDef, Sort},
    term::{Bound, FuncSym, Lambda, Quant, QuantKind, Term, TermKind, Var},
};

impl Term {
    /// A variable.
    pub fn var(var: Var) -> Term {
        let sort = var.sort.clone();
        Term::node(TermKind::Var(var), sort)
    }

    /// A truth value.
    pub fn bool(value: bool) -> Term {
        Term::node(TermKind::Bool(value), Sort::Bool)
    }

    /// `true`.
    pub fn tt() -> Term {
        Term::bool(true)
    }

    /// `false`.
    pub fn ff() -> Term {
        Term::bool(false)
    }

    /// An integer.
    pub fn int(value: impl Into<BigInt>) -> Term {
        Term::node(TermKind::Int(value.into()), Sort::Int)
    }

    /// A real.
    pub fn real(value: BigRational) -> Term {
        Term::node(TermKind::Real(value), Sort::Real)
    }

    /// A bit vector; the value is taken modulo `2^width`.
    pub fn bit_vec(value: impl Into<BigInt>, width: u32) -> Term {
        let modulus = BigInt::from(1) << width;
        let value = arith::euclid_mod(&value.into(), &modulus);
        Term::node(TermKind::BitVec(value, width), Sort::BitVec(width))
    }

    /// A string.
    pub fn string(value: impl Into<SmolStr>) -> Term {
        Term::node(TermKind::String(value.into()), Sort::String)
    }

    /// `op(args)`, simplified; see the module for ill-sorted arguments.
    pub fn app(op: Op, args: Vec<Term>) -> Term {
        match op.result_sort(&args) {
            Ok(sort) => build(op, args, sort),
            Err(error) => {
                debug_assert!(false, "ill-sorted term: {error}");
                let sort = guess_sort(&op, &args);
                Term::ill_formed_node(TermKind::App(op, args.into()), sort)
            }
        }
    }

    /// `op(args)`, simplified, or why it is ill-sorted.
    pub fn app_checked(op: Op, args: Vec<Term>) -> Result<Term, SortError> {
        let sort = op.result_sort(&args)?;
        Ok(build(op, args, sort))
    }

    /// `op(args)` exactly as written, or why it is ill-sorted.
    pub fn app_verbatim(op: Op, args: Vec<Term>) -> Result<Term, SortError> {
        let sort = op.result_sort(&args)?;
        Ok(Term::node(TermKind::App(op, args.into()), sort))
    }

    /// `!term`.
    #[expect(clippy::should_implement_trait, reason = "a constructor like the others")]
    pub fn not(term: Term) -> Term {
        Term::app(Op::Not, vec![term])
    }

    /// Conjunction, flattened and without repetitions.
    pub fn and(terms: impl IntoIterator<Item = Term>) -> Term {
        Term::app(Op::And, terms.into_iter().collect())
    }

    /// Disjunction, flattened and without repetitions.
    pub fn or(terms: impl IntoIterator<Item = Term>) -> Term {
        Term::app(Op::Or, terms.into_iter().collect())
    }

    /// `premise ==> conclusion`.
    pub fn implies(premise: Term, conclusion: Term) -> Term {
        Term::app(Op::Implies, vec![premise, conclusion])
    }

    /// `left == right`.
    pub fn eq(left: Term, right: Term) -> Term {
        Term::app(Op::Eq, vec![left, right])
    }

    /// `left != right`.
    pub fn ne(left: Term, right: Term) -> Term {
        Term::not(Term::eq(left, right))
    }

    /// `if test then yes else no`.
    pub fn ite(test: Term, yes: Term, no: Term) -> Term {
        Term::app(Op::Ite, vec![test, yes, no])
    }

    /// `left + right`.
    #[expect(clippy::should_implement_trait, reason = "a constructor like the others")]
    pub fn add(left: Term, right: Term) -> Term {
        Term::app(Op::Add, vec![left, right])
    }

    /// `left - right`.
    #[expect(clippy::should_implement_trait, reason = "a constructor like the others")]
    pub fn sub(left: Term, right: Term) -> Term {
        Term::app(Op::Sub, vec![left, right])
    }

    /// `left < right`.
    pub fn lt(left: Term, right: Term) -> Term {
        Term::app(Op::Lt, vec![left, right])
    }

    /// `left <= right`.
    pub fn le(left: Term, right: Term) -> Term {
        Term::app(Op::Le, vec![left, right])
    }

    /// `map[index]`.
    pub fn select(map: Term, index: Term) -> Term {
        Term::app(Op::Select, vec![map, index])
    }

    /// `map[index := value]`.
    pub fn store(map: Term, index: Term, value: Term) -> Term {
        Term::app(Op::Store, vec![map, index, value])
    }

    /// The map of sort `sort` that is `value` everywhere.
    pub fn const_array(sort: Sort, value: Term) -> Term {
        Term::app(Op::ConstArray(sort), vec![value])
    }

    /// A pointwise operation.
    pub fn map_op(op: PointwiseOp, maps: Vec<Term>) -> Term {
        Term::app(Op::MapOp(op), maps)
    }

    /// A value built by constructor `ctor` of `def`.
    pub fn ctor(def: &Arc<DatatypeDef>, ctor: usize, fields: Vec<Term>) -> Term {
        Term::app(Op::Ctor(def.clone(), ctor as u32), fields)
    }

    /// Field `field` of constructor `ctor` of `value`.
    pub fn field(def: &Arc<DatatypeDef>, ctor: usize, field: usize, value: Term) -> Term {
        Term::app(Op::Field(def.clone(), ctor as u32, field as u32), vec![value])
    }

    /// Was `value` built by constructor `ctor`?
    pub fn is(def: &Arc<DatatypeDef>, ctor: usize, value: Term) -> Term {
        Term::app(Op::Is(def.clone(), ctor as u32), vec![value])
    }

    /// `func(args)`.
    pub fn func(func: &Arc<FuncSym>, args: Vec<Term>) -> Term {
        Term::app(Op::Func(func.clone()), args)
    }

    /// A quantifier. Bound variables that occur nowhere are dropped; a literal body
    /// stands for itself.
    pub fn quant(mut quant: Quant) -> Term {
        if *quant.body.sort() != Sort::Bool {
            debug_assert!(false, "a quantifier over a body of sort {}", quant.body.sort());
            return Term::ill_formed_node(TermKind::Quant(Box::new(quant)), Sort::Bool);
        }
        if quant.body.as_bool().is_some() || quant.bound.is_empty() {
            return quant.body;
        }
        let used = used_vars(&quant);
        quant.bound.retain(|bound| used.contains(&bound.var));
        if quant.bound.is_empty() {
            return quant.body;
        }
        Term::node(TermKind::Quant(Box::new(quant)), Sort::Bool)
    }

    /// `forall bound :: body`, without triggers.
    pub fn forall(bound: Vec<Bound>, body: Term) -> Term {
        Term::quant(Quant::new(QuantKind::Forall, bound, body))
    }

    /// `exists bound :: body`, without triggers.
    pub fn exists(bound: Vec<Bound>, body: Term) -> Term {
        Term::quant(Quant::new(QuantKind::Exists, bound, body))
    }

    /// A map comprehension; a body that no bound variable occurs in gives a constant map.
    pub fn lambda(lambda: Lambda) -> Term {
        let indices: Vec<Sort> = lambda.bound.iter().map(|bound| bound.var.sort.clone()).collect();
        let sort = Sort::array(indices, lambda.body.sort().clone());
        if lambda.bound.is_empty() {
            return lambda.body;
        }
        let free = crate::subst::free_vars(&lambda.body);
        if !lambda.bound.iter().any(|bound| free.contains(&bound.var)) {
            return Term::const_array(sort, lambda.body);
        }
        Term::node(TermKind::Lambda(Box::new(lambda)), sort)
    }
}

fn used_vars(quant: &Quant) -> std::collections::BTreeSet<Var> {
    let mut free = crate::subst::FreeVars::behind(&[]);
    free.add(&quant.body);
    quant.triggers.iter().flatten().for_each(|term| free.add(term));
    quant.nopats.iter().for_each(|term| free.add(term));
    quant.hints.iter().flat_map(|hint| &hint.terms).for_each(|term| free.add(term));
    free.finish()
}

/// The most plausible sort of an ill-sorted application, so that the caller can go on.
fn guess_sort(op: &Op, args: &[Term]) -> Sort {
    let first = args.first().map_or(Sort::Bool, |arg| arg.sort().clone());
    match op {
        Op::Not
        | Op::And
        | Op::Or
        | Op::Implies
        | Op::Eq
        | Op::Distinct
        | Op::Lt
        | Op::Le
        | Op::Gt
        | Op::Ge
        | Op::Is(..) => Sort::Bool,
        Op::Ite => args.get(1).map_or(Sort::Bool, |arg| arg.sort().clone()),
        Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Neg
        | Op::Store
        | Op::MapOp(_)
        | Op::SeqConcat
        | Op::SeqExtract
        | Op::BvConcat
        | Op::BvExtract { .. } => first,
        Op::IntDiv | Op::IntMod | Op::ToInt | Op::SeqLen => Sort::Int,
        Op::RealDiv | Op::ToReal | Op::Pow => Sort::Real,
        Op::Select | Op::SeqNth => match &first {
            Sort::Array(_, element) | Sort::Seq(element) => element.as_ref().clone(),
            Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::BitVec(_)
            | Sort::Float(..)
            | Sort::RoundingMode
            | Sort::String
            | Sort::RegEx
            | Sort::Uninterpreted(_)
            | Sort::Datatype(_) => Sort::Bool,
        },
        Op::ConstArray(sort) | Op::SeqEmpty(sort) | Op::Builtin(_, sort) => sort.clone(),
        Op::Ctor(def, _) => def.sort(),
        Op::Field(def, ctor, field) => def
            .ctors()
            .get(*ctor as usize)
            .and_then(|ctor| ctor.fields.get(*field as usize))
            .map_or(Sort::Bool, |(_, sort)| sort.clone()),
        Op::Func(func) => func.result.clone(),
        Op::SeqUnit => Sort::seq(first),
    }
}

fn build(op: Op, args: Vec<Term>, sort: Sort) -> Term {
    if let Some(term) = rewrite(&op, &args, &sort) {
        return term;
    }
    Term::node(TermKind::App(op, args.into()), sort)
}

/// A simpler equal term, if one of the rules applies. Arguments are well-sorted.
fn rewrite(op: &Op, args: &[Term], sort: &Sort) -> Option<Term> {
    match op {
        Op::Not => not(&args[0]),
        Op::And => junction(args, true),
        Op::Or => junction(args, false),
        Op::Implies => implies(&args[0], &args[1]),
        Op::Eq => equal(&args[0], &args[1]),
        Op::Ite => ite(&args[0], &args[1], &args[2]),
        Op::Distinct => distinct(args),
        Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Neg
        | Op::IntDiv
        | Op::IntMod
        | Op::RealDiv
        | Op::Lt
        | Op::Le
        | Op::Gt
        | Op::Ge
        | Op::ToReal
        | Op::ToInt => arith::fold(op, args),
        Op::Select => select(&args[0], &args[1..]),
        Op::Store => store(args),
        Op::MapOp(op) => map_op(*op, args, sort),
        Op::Field(def, ctor, field) => match args[0].as_app() {
            // C(.., x, ..)->f = x, for the same constructor only.
            Some((Op::Ctor(own, built), fields)) if own == def && built == ctor => {
                fields.get(*field as usize).cloned()
            }
            _ => None,
        },
        Op::Is(def, ctor) => match args[0].as_app() {
            // C(..) is D = (C and D are the same constructor)
            Some((Op::Ctor(own, built), _)) if own == def => Some(Term::bool(built == ctor)),
            // a datatype with one constructor has no other values
            _ => (def.ctors().len() == 1).then(Term::tt),
        },
        Op::ConstArray(_) | Op::Ctor(..) | Op::Func(_) | Op::Pow | Op::Builtin(..) => None,
        Op::SeqEmpty(_)
        | Op::SeqLen
        | Op::SeqConcat
        | Op::SeqUnit
        | Op::SeqNth
        | Op::SeqExtract => None,
        Op::BvConcat | Op::BvExtract { .. } => None,
    }
}

fn not(term: &Term) -> Option<Term> {
    if let Some(value) = term.as_bool() {
        return Some(Term::bool(!value));
    }
    // !!a = a
    term.args_of(&Op::Not).map(|args| args[0].clone())
}

/// Are these syntactically opposite?
fn opposite(left: &Term, right: &Term) -> bool {
    left.args_of(&Op::Not).is_some_and(|args| args[0] == *right)
        || right.args_of(&Op::Not).is_some_and(|args| args[0] == *left)
}

/// `and` when `unit` is true, `or` when it is false.
fn junction(args: &[Term], unit: bool) -> Option<Term> {
    let op = if unit { Op::And } else { Op::Or };
    let mut parts: Vec<Term> = Vec::with_capacity(args.len());
    let mut seen = FxHashSet::default();
    let flat = args.iter().flat_map(|arg| arg.args_of(&op).unwrap_or(std::slice::from_ref(arg)));
    for part in flat {
        match part.as_bool() {
            Some(value) if value == unit => continue,
            Some(value) => return Some(Term::bool(value)),
            None => {}
        }
        if seen.insert(part.clone()) {
            parts.push(part.clone());
        }
    }
    // a and !a = false,  a or !a = true
    let clash = |part: &Term| part.args_of(&Op::Not).is_some_and(|inner| seen.contains(&inner[0]));
    if parts.iter().any(clash) {
        return Some(Term::bool(!unit));
    }
    Some(match parts.len() {
        0 => Term::bool(unit),
        1 => parts.swap_remove(0),
        _ => Term::node(TermKind::App(op, parts.into()), Sort::Bool),
    })
}

fn implies(premise: &Term, conclusion: &Term) -> Option<Term> {
    match (premise.as_bool(), conclusion.as_bool()) {
        (Some(false), _) | (_, Some(true)) => return Some(Term::tt()),
        (Some(true), _) => return Some(conclusion.clone()),
        (_, Some(false)) => return Some(Term::not(premise.clone())),
        (None, None) => {}
    }
    if premise == conclusion {
        return Some(Term::tt());
    }
    // a ==> !a = !a  and  !a ==> a = a
    opposite(premise, conclusion).then(|| conclusion.clone())
}

fn equal(left: &Term, right: &Term) -> Option<Term> {
    if left == right {
        return Some(Term::tt());
    }
    if left.is_literal() && right.is_literal() {
        return Some(Term::ff());
    }
    if *left.sort() == Sort::Bool {
        return equivalent(left, right).or_else(|| equivalent(right, left));
    }
    // C(a..) == C(b..) = a == b ..;  C(..) == D(..) = false
    if let (Some((Op::Ctor(def, one), fields)), Some((Op::Ctor(_, two), others))) =
        (left.as_app(), right.as_app())
    {
        debug_assert_eq!(left.sort(), &def.sort());
        if one != two {
            return Some(Term::ff());
        }
        let pairs = fields.iter().zip(others);
        return Some(Term::and(pairs.map(|(field, other)| Term::eq(field.clone(), other.clone()))));
    }
    // index sorts are inhabited, so constant maps are equal iff their elements are
    if let (Some((Op::ConstArray(_), one)), Some((Op::ConstArray(_), two))) =
        (left.as_app(), right.as_app())
    {
        return Some(Term::eq(one[0].clone(), two[0].clone()));
    }
    None
}

fn equivalent(left: &Term, right: &Term) -> Option<Term> {
    match left.as_bool() {
        Some(true) => Some(right.clone()),
        Some(false) => Some(Term::not(right.clone())),
        None => opposite(left, right).then(Term::ff),
    }
}

fn ite(test: &Term, yes: &Term, no: &Term) -> Option<Term> {
    if let Some(value) = test.as_bool() {
        return Some(if value { yes.clone() } else { no.clone() });
    }
    if yes == no {
        return Some(yes.clone());
    }
    if let Some(inner) = test.args_of(&Op::Not) {
        return Some(Term::ite(inner[0].clone(), no.clone(), yes.clone()));
    }
    if *yes.sort() != Sort::Bool {
        return None;
    }
    match (yes.as_bool(), no.as_bool()) {
        (Some(true), _) => Some(Term::or([test.clone(), no.clone()])),
        (Some(false), _) => Some(Term::and([Term::not(test.clone()), no.clone()])),
        (_, Some(true)) => Some(Term::implies(test.clone(), yes.clone())),
        (_, Some(false)) => Some(Term::and([test.clone(), yes.clone()])),
        (None, None) => None,
    }
}

fn distinct(args: &[Term]) -> Option<Term> {
    if args.len() == 1 {
        return Some(Term::tt());
    }
    if args.len() == 2 {
        return Some(Term::ne(args[0].clone(), args[1].clone()));
    }
    let mut seen = FxHashSet::default();
    if args.iter().any(|arg| !seen.insert(arg)) {
        return Some(Term::ff());
    }
    args.iter().all(Term::is_literal).then(Term::tt)
}

/// What is known syntactically about two index tuples.
enum Compared {
    Same,
    Different,
    Unknown,
}

fn compare(left: &[Term], right: &[Term]) -> Compared {
    if left == right {
        return Compared::Same;
    }
    let differ =
        |(left, right): (&Term, &Term)| equal(left, right).is_some_and(|term| term.is_false());
    if left.iter().zip(right).any(differ) { Compared::Different } else { Compared::Unknown }
}

fn select(map: &Term, indices: &[Term]) -> Option<Term> {
    let mut map = map;
    let mut skipped = false;
    while let Some((Op::Store, args)) = map.as_app() {
        match compare(&args[1..args.len() - 1], indices) {
            // m[i := v][i] = v
            Compared::Same => return Some(args[args.len() - 1].clone()),
            // m[i := v][j] = m[j] when i and j differ for sure
            Compared::Different => {
                map = &args[0];
                skipped = true;
            }
            Compared::Unknown => break,
        }
    }
    if let Some((Op::ConstArray(_), args)) = map.as_app() {
        return Some(args[0].clone());
    }
    skipped.then(|| {
        let args = std::iter::once(map).chain(indices).cloned().collect();
        Term::app(Op::Select, args)
    })
}

fn store(args: &[Term]) -> Option<Term> {
    let (map, value) = (&args[0], &args[args.len() - 1]);
    let indices = &args[1..args.len() - 1];
    // m[i := m[i]] = m
    if let Some((Op::Select, read)) = value.as_app()
        && read[0] == *map
        && read[1..] == *indices
    {
        return Some(map.clone());
    }
    match map.as_app() {
        // const(v)[i := v] = const(v)
        Some((Op::ConstArray(_), element)) if element[0] == *value => Some(map.clone()),
        // m[i := v][i := w] = m[i := w]
        Some((Op::Store, inner)) if inner[1..inner.len() - 1] == *indices => {
            let mut args = args.to_vec();
            args[0] = inner[0].clone();
            Some(Term::app(Op::Store, args))
        }
        _ => None,
    }
}

fn map_op(op: PointwiseOp, maps: &[Term], sort: &Sort) -> Option<Term> {
    // op on constant maps = the constant map of op on their elements
    let constant = |map: &Term| match map.as_app() {
        Some((Op::ConstArray(_), element)) => Some(element[0].clone()),
        _ => None,
    };
    let elements: Option<Vec<Term>> = maps.iter().map(constant).collect();
    elements.map(|elements| Term::const_array(sort.clone(), Term::app(op.element_op(), elements)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{b, i, int_map, ivar, m, n, opt, rel};

    fn app(op: Op, args: &[Term]) -> Term {
        Term::app(op, args.to_vec())
    }

    #[test]
    fn junctions_are_flat_and_free_of_units_and_repetitions() {
        let inner = Term::and([b("p"), b("q")]);
        assert_eq!(
            Term::and([inner, Term::tt(), b("p"), b("r")]),
            Term::and([b("p"), b("q"), b("r")])
        );
        assert_eq!(Term::and([]), Term::tt());
        assert_eq!(Term::or([]), Term::ff());
        assert_eq!(Term::or([b("p"), Term::tt()]), Term::tt());
        assert_eq!(Term::and([b("p")]), b("p"));
    }

    #[test]
    fn opposite_parts_decide_a_junction() {
        assert_eq!(Term::and([b("p"), b("q"), Term::not(b("p"))]), Term::ff());
        assert_eq!(Term::or([Term::not(b("p")), b("p")]), Term::tt());
    }

    #[test]
    fn implications_with_known_sides_vanish() {
        assert_eq!(Term::implies(Term::tt(), b("p")), b("p"));
        assert_eq!(Term::implies(b("p"), Term::ff()), Term::not(b("p")));
        assert_eq!(Term::implies(b("p"), b("p")), Term::tt());
        assert_eq!(Term::implies(b("p"), Term::not(b("p"))), Term::not(b("p")));
    }

    #[test]
    fn equal_and_different_literals_are_decided() {
        assert_eq!(Term::eq(i("x"), i("x")), Term::tt());
        assert_eq!(Term::eq(n(1), n(2)), Term::ff());
        assert_eq!(Term::eq(Term::ff(), b("p")), Term::not(b("p")));
        assert_eq!(Term::eq(b("p"), Term::not(b("p"))), Term::ff());
    }

    #[test]
    fn equal_constructor_terms_are_compared_by_field() {
        let some = |x| Term::ctor(&opt(), 1, vec![x]);
        assert_eq!(Term::eq(some(i("x")), some(i("y"))), Term::eq(i("x"), i("y")));
        assert_eq!(Term::eq(some(i("x")), Term::ctor(&opt(), 0, vec![])), Term::ff());
    }

    #[test]
    fn fields_and_tests_of_known_constructors_are_decided() {
        let some = Term::ctor(&opt(), 1, vec![i("x")]);
        assert_eq!(Term::field(&opt(), 1, 0, some.clone()), i("x"));
        assert_eq!(Term::is(&opt(), 0, some), Term::ff());
    }

    #[test]
    fn a_field_of_the_wrong_constructor_keeps_its_unknown_value() {
        let none = Term::ctor(&opt(), 0, vec![]);
        assert!(Term::field(&opt(), 1, 0, none).as_app().is_some());
        let ctor = |name: &str| crate::CtorDef::new(name, vec![("t".into(), Sort::Int)]);
        let both = DatatypeDef::new("Both", vec![ctor("A"), ctor("B")]);
        let read = Term::field(&both, 1, 0, Term::ctor(&both, 0, vec![i("x")]));
        assert!(read.as_app().is_some(), "{read}");
    }

    #[test]
    fn division_by_zero_keeps_its_unknown_value() {
        for op in [Op::IntDiv, Op::IntMod] {
            assert!(app(op, &[n(3), n(0)]).as_app().is_some());
        }
        let zero = Term::app(Op::ToReal, vec![n(0)]);
        assert!(app(Op::RealDiv, &[zero.clone(), zero]).as_app().is_some());
    }

    #[test]
    fn division_is_euclidean() {
        let cases = [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (-6, 3, -2, 0)];
        for (value, divisor, quotient, rest) in cases {
            assert_eq!(app(Op::IntDiv, &[n(value), n(divisor)]), n(quotient));
            assert_eq!(app(Op::IntMod, &[n(value), n(divisor)]), n(rest));
        }
    }

    #[test]
    fn sums_gather_their_literals() {
        let sum = Term::add(n(1), Term::add(i("x"), n(2)));
        assert_eq!(sum, Term::app_verbatim(Op::Add, vec![i("x"), n(3)]).unwrap());
        assert_eq!(Term::add(i("x"), n(0)), i("x"));
        assert_eq!(app(Op::Mul, &[i("x"), n(0)]), n(0));
        assert_eq!(Term::sub(i("x"), i("x")), n(0));
    }

    #[test]
    fn a_read_skips_writes_at_indices_that_differ_for_sure() {
        let map = Term::store(Term::store(m("m"), n(1), i("x")), n(2), i("y"));
        assert_eq!(Term::select(map.clone(), n(1)), i("x"));
        assert_eq!(Term::select(map.clone(), n(3)), Term::select(m("m"), n(3)));
        let unknown = Term::select(map.clone(), i("k"));
        assert_eq!(unknown.as_app().unwrap().1[0], map);
    }

    #[test]
    fn constant_maps_are_read_and_combined_by_element() {
        let constant = |value| Term::const_array(int_map(), value);
        assert_eq!(Term::select(constant(i("x")), i("k")), i("x"));
        let sum = Term::map_op(PointwiseOp::Add, vec![constant(n(1)), constant(n(2))]);
        assert_eq!(sum, constant(n(3)));
    }

    #[test]
    fn a_later_write_to_the_same_place_wins() {
        let twice = Term::store(Term::store(m("m"), i("k"), n(1)), i("k"), n(2));
        assert_eq!(twice, Term::store(m("m"), i("k"), n(2)));
        assert_eq!(Term::store(m("m"), i("k"), Term::select(m("m"), i("k"))), m("m"));
    }

    #[test]
    fn unused_bound_variables_are_dropped() {
        let bound = vec![Bound::plain(ivar("x")), Bound::plain(ivar("y"))];
        let body = Term::func(&rel(), vec![i("x"), n(0)]);
        let quant = Term::forall(bound.clone(), body);
        assert_eq!(quant.bound().len(), 1);
        assert!(quant.is_closed());
        assert_eq!(Term::exists(bound, b("p")), b("p"));
    }

    #[test]
    fn ill_sorted_applications_are_refused() {
        assert!(Term::app_checked(Op::And, vec![i("x")]).is_err());
        assert!(Term::app_checked(Op::Select, vec![m("m"), b("p")]).is_err());
        assert!(Term::app_checked(Op::Ite, vec![b("p"), i("x"), b("q")]).is_err());
        let args = vec![m("m"), m("m")];
        assert!(Term::app_checked(Op::MapOp(PointwiseOp::And), args).is_err());
    }

    #[test]
    fn comparisons_lifted_to_maps_give_sets() {
        let less = Term::map_op(PointwiseOp::Lt, vec![m("a"), m("b")]);
        assert_eq!(*less.sort(), Sort::set(Sort::Int));
    }
}
