//! Operators on values that may be unknown.

use std::{cmp::Ordering, collections::BTreeSet, iter::once};

use num_bigint::{BigInt, Sign};
use num_rational::BigRational;

use super::{Evaluator, Known, KnownVal, Unknown, unknown};
use crate::{
    arith,
    op::{Op, PointwiseOp},
    sort::Sort,
    source::source_name,
    symbolic::{Engine, Linear, Val},
    term::{FuncSym, Term},
    value::{Data, MapValue, Value},
};

impl<'v> Evaluator<'v> {
    /// The value of `op(args)`; `term` is that application.
    pub(super) fn apply(self, op: &Op, args: Vec<KnownVal<'v>>, term: &Term) -> KnownVal<'v> {
        if *op == Op::And || *op == Op::Or {
            return connective(args, *op == Op::And);
        }
        if *op == Op::Implies {
            let mut args = args.into_iter();
            let premise = args.next().map_or_else(|| unknown("no premise"), |it| it?.truth());
            let premise = premise.map(|it| Val::bool(!it));
            return connective(once(premise).chain(args).collect(), false);
        }
        if *op == Op::Ite {
            return choose(args);
        }
        // Everything else needs all its arguments.
        let args: Vec<Val<'v>> = args.into_iter().collect::<Result<_, _>>()?;
        self.strict(op, args, term.as_app().map_or(&[][..], |(_, args)| args))
    }

    fn strict(self, op: &Op, args: Vec<Val<'v>>, terms: &[Term]) -> KnownVal<'v> {
        let engine = self.engine;
        let sort = terms.first().map_or(&Sort::Bool, Term::sort);
        match (op, args.as_slice()) {
            (Op::Eq, [left, right]) => engine.equal(left, right, sort).map(Val::bool),
            (Op::Distinct, values) => self.distinct(values, sort),
            (Op::Select, [map, index @ ..]) => engine.select(map, index, sort),
            (Op::Store, [map, index @ .., value]) => Ok(self.store(map, index, value, sort)),
            (Op::ConstArray(_), [value]) => Ok(Engine::everywhere(value.clone())),
            (Op::MapOp(op), _) => self.pointwise(*op, args, terms),
            (Op::Ctor(def, ctor), fields) => {
                let name = def.ctors().get(*ctor as usize).map(|ctor| ctor.name.clone());
                let Some(name) = name else { return unknown("a constructor") };
                let made = Engine::data(def.name().clone(), *ctor, name, fields.to_vec());
                self.is_value(def.name(), &made)?;
                Ok(made)
            }
            (Op::Field(_, ctor, field), [value]) => match Engine::fields(value) {
                Some((own, fields)) if own == *ctor => {
                    fields.get(*field as usize).cloned().map_or_else(|| unknown("a field"), Ok)
                }
                Some(_) | None => unknown("a field of another constructor"),
            },
            (Op::Is(_, ctor), [value]) => match Engine::fields(value) {
                Some((own, _)) => Ok(Val::bool(own == *ctor)),
                None => unknown("the constructor of a value"),
            },
            (Op::Func(func), _) => self.function(func, &args),
            _ => self.arithmetic(op, &args),
        }
    }

    fn store(self, map: &Val<'v>, at: &[Val<'v>], value: &Val<'v>, sort: &Sort) -> Val<'v> {
        if let (Val::Plain(Value::Map(table)), Val::Plain(value)) = (map, value)
            && let Some(at) = at.iter().map(|it| it.plain().cloned()).collect::<Option<Vec<_>>>()
            && at.iter().all(is_plain)
        {
            return Val::Plain(Value::Map(table.set(at, value.clone())));
        }
        self.engine.store(map.clone(), at.to_vec(), value.clone(), sort.clone())
    }

    /// A function of a library, one with a definition, or a row of a table.
    fn function(self, func: &FuncSym, args: &[Val<'v>]) -> KnownVal<'v> {
        let table = self.env.funcs.get(&func.name);
        if let Some(meaning) = self.env.library.get(&func.name) {
            return self.engine.of_library(*meaning, args, &func.args, table);
        }
        if let Some((params, body)) = self.env.definitions.get(&func.name) {
            let locals = params.iter().cloned().zip(args.iter().cloned()).collect();
            return self.nested(body, std::rc::Rc::new(locals));
        }
        let row = table.map(|table| self.engine.row(table, args, &func.args));
        match row {
            Some(Ok(value)) => Ok(value),
            Some(Err(_)) | None => {
                unknown(format!("the function `{}`", source_name(func.name.as_str())))
            }
        }
    }

    /// Values of some datatypes are only those of which this is true.
    fn is_value(self, datatype: &crate::Symbol, made: &Val<'v>) -> Result<(), Unknown> {
        for (var, body) in self.env.invariants.get(datatype).into_iter().flatten() {
            let locals = [(var.clone(), made.clone())].into_iter().collect();
            if !self.nested(body, std::rc::Rc::new(locals))?.truth()? {
                return unknown(format!("what is no value of `{datatype}`"));
            }
        }
        Ok(())
    }

    fn distinct(self, values: &[Val<'v>], sort: &Sort) -> KnownVal<'v> {
        let mut open = None;
        for (nth, value) in values.iter().enumerate() {
            for other in &values[..nth] {
                match self.engine.equal(value, other, sort) {
                    Ok(true) => return Ok(Val::bool(false)),
                    Ok(false) => {}
                    Err(why) => open = open.or(Some(why)),
                }
            }
        }
        open.map_or(Ok(Val::bool(true)), Err)
    }

    /// Tables make a table; anything else is computed where it is asked.
    fn pointwise(self, op: PointwiseOp, maps: Vec<Val<'v>>, terms: &[Term]) -> KnownVal<'v> {
        let plain: Option<Vec<Value>> = maps.iter().map(|it| it.plain().cloned()).collect();
        if let Some(Ok(Value::Map(table))) = plain.map(|maps| pointwise(op, &maps))
            && table.default().is_some()
        {
            return Ok(Val::Plain(Value::Map(table)));
        }
        let sorts: Vec<Sort> = terms.iter().map(|term| term.sort().clone()).collect();
        Ok(Val::Map(std::rc::Rc::new(move |index: &[Val<'v>]| {
            self.engine.step()?;
            let part = |(map, sort): (&Val<'v>, &Sort)| self.engine.select(map, index, sort);
            let parts = maps.iter().zip(&sorts).map(part);
            let element = sorts.first().and_then(Sort::as_array).map_or(&Sort::Bool, |it| it.1);
            self.element(op, parts.collect(), element)
        })))
    }

    fn element(self, op: PointwiseOp, parts: Vec<KnownVal<'v>>, sort: &Sort) -> KnownVal<'v> {
        let op = op.element_op();
        if op == Op::And || op == Op::Or {
            return connective(parts, op == Op::And);
        }
        if op == Op::Ite {
            return choose(parts);
        }
        let parts: Vec<Val<'v>> = parts.into_iter().collect::<Result<_, _>>()?;
        match (&op, parts.as_slice()) {
            (Op::Eq, [left, right]) => self.engine.equal(left, right, sort).map(Val::bool),
            (Op::Implies, [premise, conclusion]) => {
                Ok(Val::bool(!premise.truth()? || conclusion.truth()?))
            }
            _ => self.arithmetic(&op, &parts),
        }
    }

    /// Sums of bound variables stay sums; anything else is said of the present values only.
    fn arithmetic(self, op: &Op, args: &[Val<'v>]) -> KnownVal<'v> {
        let engine = self.engine;
        let plain: Option<Vec<Value>> = args.iter().map(|it| it.plain().cloned()).collect();
        if let Some(plain) = plain {
            return concrete(op, &plain).map(Val::Plain);
        }
        let sums: Option<Vec<Linear>> = args.iter().map(|it| engine.integer(it)).collect();
        if let Some(sums) = sums {
            let fold = |with: &dyn Fn(&Linear, &Linear) -> Linear| {
                sums.iter().cloned().reduce(|left, right| with(&left, &right))
            };
            let sum = match (op, sums.as_slice()) {
                (Op::Add, _) => fold(&Engine::plus),
                (Op::Sub, [_, _]) => fold(&Engine::minus),
                (Op::Mul, _) => fold(&|left, right| engine.times(left, right)),
                (Op::Neg, [only]) => Some(only.times(&BigInt::from(-1))),
                (Op::Lt, [left, right]) => return Ok(Val::bool(engine.is_less(left, right))),
                (Op::Gt, [left, right]) => return Ok(Val::bool(engine.is_less(right, left))),
                (Op::Le, [left, right]) => return Ok(Val::bool(!engine.is_less(right, left))),
                (Op::Ge, [left, right]) => return Ok(Val::bool(!engine.is_less(left, right))),
                _other => None,
            };
            if let Some(sum) = sum {
                return Ok(Engine::from_integer(sum));
            }
        }
        let pinned: Option<Vec<Value>> = args.iter().map(|it| engine.pinned(it)).collect();
        match pinned {
            Some(pinned) => concrete(op, &pinned).map(Val::Plain),
            None => unknown(format!("`{}` on maps that are computed", op.keyword())),
        }
    }
}

/// `and` when `unit` is true: one decisive part is enough.
fn connective<'v>(args: Vec<KnownVal<'v>>, unit: bool) -> KnownVal<'v> {
    let mut open = None;
    for arg in args {
        match arg.and_then(|it| it.truth()) {
            Ok(value) if value == unit => {}
            Ok(value) => return Ok(Val::bool(value)),
            Err(what) => open = open.or(Some(what)),
        }
    }
    open.map_or(Ok(Val::bool(unit)), Err)
}

fn choose(args: Vec<KnownVal<'_>>) -> KnownVal<'_> {
    let [test, yes, no] = <[KnownVal<'_>; 3]>::try_from(args).or_else(|_| unknown("a choice"))?;
    match test.and_then(|it| it.truth()) {
        Ok(true) => yes,
        Ok(false) => no,
        Err(what) => match (yes, no) {
            (Ok(Val::Plain(yes)), Ok(Val::Plain(no))) if yes == no => Ok(Val::Plain(yes)),
            _differ => Err(what),
        },
    }
}

/// An operator without binders, maps and datatypes.
fn concrete(op: &Op, args: &[Value]) -> Known {
    match (op, args) {
        (Op::Not, [value]) => negate(Ok(value.clone())),
        (Op::SeqEmpty(_), []) => Ok(Value::Seq(vec![])),
        (Op::SeqLen | Op::SeqConcat | Op::SeqUnit | Op::SeqNth | Op::SeqExtract, args) => {
            sequence(op, args)
        }
        (Op::BvConcat | Op::BvExtract { .. }, args) => bit_vector(op, args),
        (_, args) => numeric(op, args),
    }
}

/// Do the indices of the entries have one representation each?
pub(crate) fn has_plain_indices(map: &MapValue) -> bool {
    map.entries().all(|(index, _)| index.iter().all(is_plain))
}

pub(crate) fn truth(value: bool) -> Known {
    Ok(Value::Bool(value))
}

pub(crate) fn negate(value: Known) -> Known {
    let value = value?;
    if let Value::Bool(value) = value {
        truth(!value)
    } else {
        unknown(format!("the negation of {value}"))
    }
}

/// `and` when `unit` is true: one decisive part is enough.
pub(crate) fn junction(args: Vec<Known>, unit: bool) -> Known {
    let mut open = None;
    for arg in args {
        match arg {
            Ok(Value::Bool(value)) if value == unit => {}
            Ok(Value::Bool(value)) => return truth(value),
            Ok(other) => open = Some(unknown(format!("the truth of {other}"))),
            Err(what) => open = Some(Err(what)),
        }
    }
    open.unwrap_or_else(|| truth(unit))
}

/// Are two values of `sort` the same? `None`: not known.
///
/// Unequal representations of maps may denote the same map if the index sort is finite,
/// because the default may then be nobody's element.
pub(crate) fn same_plain(left: &Value, right: &Value, sort: &Sort) -> Option<bool> {
    match (left, right) {
        (Value::Map(left), Value::Map(right)) => equal_maps(left, right, sort),
        (Value::Opaque(one), Value::Opaque(two)) => (one == two).then_some(true),
        (Value::Seq(one), Value::Seq(two)) => {
            let Sort::Seq(element) = sort else { return None };
            if one.len() != two.len() {
                Some(false)
            } else {
                all_equal(one.iter().zip(two), element)
            }
        }
        (Value::Data(one), Value::Data(two)) => {
            if one.ctor != two.ctor {
                return Some(false);
            }
            // The sorts of fields are not at hand: plain values compare as they are.
            if one == two { exact(left) } else { all_plain(one, two) }
        }
        _ => Some(left == right),
    }
}

fn all_equal<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>, sort: &Sort) -> Option<bool> {
    let mut known = Some(true);
    for (one, two) in pairs {
        match same_plain(one, two, sort) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = None,
        }
    }
    known
}

/// Is the same representation also the same value? Not for maps with unknown elements.
pub(crate) fn exact(value: &Value) -> Option<bool> {
    is_total(value).then_some(true)
}

fn is_total(value: &Value) -> bool {
    match value {
        Value::Map(map) if !map.segments().is_empty() => {
            map.segments().iter().all(|segment| is_total(&segment.base))
        }
        Value::Map(map) => {
            map.default().is_some_and(is_total)
                && map
                    .entries()
                    .all(|(index, element)| index.iter().all(is_total) && is_total(element))
        }
        Value::Data(data) => data.fields.iter().all(is_total),
        Value::Seq(items) => items.iter().all(is_total),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::BitVec(..)
        | Value::String(_)
        | Value::Element(_)
        | Value::Opaque(_) => true,
    }
}

/// Different fields decide if they hold no maps.
pub(crate) fn all_plain(one: &Data, two: &Data) -> Option<bool> {
    let differ =
        |(left, right): (&Value, &Value)| is_plain(left) && is_plain(right) && left != right;
    one.fields.iter().zip(&two.fields).any(differ).then_some(false)
}

/// Has the value one spelling only?
pub fn is_plain(value: &Value) -> bool {
    match value {
        Value::Map(_) | Value::Opaque(_) => false,
        Value::Data(data) => data.fields.iter().all(is_plain),
        Value::Seq(items) => items.iter().all(is_plain),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::BitVec(..)
        | Value::String(_)
        | Value::Element(_) => true,
    }
}

fn equal_maps(left: &MapValue, right: &MapValue, sort: &Sort) -> Option<bool> {
    let (indices, element) = sort.as_array()?;
    if !left.segments().is_empty() || !right.segments().is_empty() {
        return (left == right && is_total(&Value::Map(left.clone()))).then_some(true);
    }
    if !has_plain_indices(left) || !has_plain_indices(right) {
        return None;
    }
    let keys: BTreeSet<&[Value]> =
        left.entries().chain(right.entries()).map(|(index, _)| index).collect();
    let mut known = Some(true);
    for key in keys {
        match left
            .get(key)
            .zip(right.get(key))
            .and_then(|(one, two)| same_plain(&one, &two, element))
        {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = None,
        }
    }
    let (one, two) = (left.default()?, right.default()?);
    match same_plain(one, two, element) {
        Some(true) => known,
        // Finitely many entries cannot cover an infinite sort.
        Some(false) if indices.iter().any(is_infinite) => Some(false),
        Some(false) | None => None,
    }
}

pub(crate) fn is_infinite(sort: &Sort) -> bool {
    match sort {
        Sort::Int | Sort::Real | Sort::String | Sort::Seq(_) => true,
        Sort::Bool
        | Sort::BitVec(_)
        | Sort::Float(..)
        | Sort::RoundingMode
        | Sort::RegEx
        | Sort::Uninterpreted(_)
        | Sort::Datatype(_)
        | Sort::Array(..) => false,
    }
}

fn pointwise(op: PointwiseOp, maps: &[Value]) -> Known {
    let mut tables = Vec::with_capacity(maps.len());
    for map in maps {
        let Value::Map(map) = map else { return unknown("a map") };
        if !has_plain_indices(map) || !map.segments().is_empty() {
            return unknown("a pointwise operation on maps over maps");
        }
        tables.push(map);
    }
    let element = |values: Option<Vec<Value>>| element_value(op, values?);
    let keys: BTreeSet<&[Value]> =
        tables.iter().flat_map(|map| map.entries()).map(|(index, _)| index).collect();
    let default = element(tables.iter().map(|map| map.default().cloned()).collect());
    let mut entries = Vec::new();
    let mut partial = false;
    for key in keys {
        match element(tables.iter().map(|map| map.get(key)).collect()) {
            Some(value) => entries.push((key.to_vec(), value)),
            None => partial = true,
        }
    }
    // An index whose element is unknown must not be covered by the default.
    let default = if partial { None } else { default };
    Ok(Value::Map(MapValue::new(entries, default)))
}

fn element_value(op: PointwiseOp, values: Vec<Value>) -> Option<Value> {
    match (op, values.as_slice()) {
        (PointwiseOp::Eq | PointwiseOp::Iff, [left, right]) => {
            (is_plain(left) && is_plain(right)).then(|| Value::Bool(left == right))
        }
        (PointwiseOp::And, _) => junction(values.into_iter().map(Ok).collect(), true).ok(),
        (PointwiseOp::Or, _) => junction(values.into_iter().map(Ok).collect(), false).ok(),
        (PointwiseOp::Implies, [premise, conclusion]) => {
            let premise = negate(Ok(premise.clone()));
            junction(vec![premise, Ok(conclusion.clone())], false).ok()
        }
        (PointwiseOp::Not, [value]) => negate(Ok(value.clone())).ok(),
        (PointwiseOp::Ite, [Value::Bool(test), yes, no]) => {
            Some(if *test { yes.clone() } else { no.clone() })
        }
        _ => numeric(&op.element_op(), &values).ok(),
    }
}

pub(crate) fn numeric(op: &Op, args: &[Value]) -> Known {
    match (op, args) {
        (Op::ToReal, [Value::Int(value)]) => {
            Ok(Value::Real(BigRational::from_integer(value.clone())))
        }
        (Op::ToInt, [Value::Real(value)]) => Ok(Value::Int(arith::floor(value))),
        (_, [Value::Int(first), rest @ ..]) => integers(op, first, rest),
        (_, [Value::Real(first), rest @ ..]) => reals(op, first, rest),
        _ => unknown(format!("`{}` on these values", op.keyword())),
    }
}

fn integers(op: &Op, first: &BigInt, rest: &[Value]) -> Known {
    let mut others = Vec::with_capacity(rest.len());
    for value in rest {
        let Value::Int(value) = value else { return unknown("a number") };
        others.push(value);
    }
    match (op, others.as_slice()) {
        (Op::Add, others) => {
            Ok(Value::Int(others.iter().fold(first.clone(), |sum, next| sum + *next)))
        }
        (Op::Mul, others) => {
            Ok(Value::Int(others.iter().fold(first.clone(), |product, next| product * *next)))
        }
        (Op::Neg, []) => Ok(Value::Int(-first)),
        (Op::Sub, [second]) => Ok(Value::Int(first - *second)),
        (Op::IntDiv | Op::IntMod, [zero]) if zero.sign() == Sign::NoSign => {
            unknown("division by zero")
        }
        (Op::IntDiv, [second]) => Ok(Value::Int(arith::euclid_div(first, second))),
        (Op::IntMod, [second]) => Ok(Value::Int(arith::euclid_mod(first, second))),
        (op, [second]) => compared(op, first.cmp(second)),
        _ => unknown(format!("`{}` on integers", op.keyword())),
    }
}

fn reals(op: &Op, first: &BigRational, rest: &[Value]) -> Known {
    let mut others = Vec::with_capacity(rest.len());
    for value in rest {
        let Value::Real(value) = value else { return unknown("a number") };
        others.push(value);
    }
    match (op, others.as_slice()) {
        (Op::Add, others) => {
            Ok(Value::Real(others.iter().fold(first.clone(), |sum, next| sum + *next)))
        }
        (Op::Mul, others) => {
            Ok(Value::Real(others.iter().fold(first.clone(), |product, next| product * *next)))
        }
        (Op::Neg, []) => Ok(Value::Real(-first)),
        (Op::Sub, [second]) => Ok(Value::Real(first - *second)),
        (Op::RealDiv, [zero]) if zero.numer().sign() == Sign::NoSign => unknown("division by zero"),
        (Op::RealDiv, [second]) => Ok(Value::Real(first / *second)),
        (op, [second]) => compared(op, first.cmp(second)),
        _ => unknown(format!("`{}` on reals", op.keyword())),
    }
}

fn compared(op: &Op, order: Ordering) -> Known {
    if *op == Op::Lt {
        truth(order.is_lt())
    } else if *op == Op::Le {
        truth(order.is_le())
    } else if *op == Op::Gt {
        truth(order.is_gt())
    } else if *op == Op::Ge {
        truth(order.is_ge())
    } else {
        unknown(format!("`{}` on numbers", op.keyword()))
    }
}

pub(crate) fn sequence(op: &Op, args: &[Value]) -> Known {
    match (op, args) {
        (Op::SeqUnit, [value]) => Ok(Value::Seq(vec![value.clone()])),
        (Op::SeqLen, [Value::Seq(items)]) => Ok(Value::Int(items.len().into())),
        (Op::SeqConcat, parts) => {
            let mut all = Vec::new();
            for part in parts {
                let Value::Seq(items) = part else { return unknown("a sequence") };
                all.extend(items.iter().cloned());
            }
            Ok(Value::Seq(all))
        }
        (Op::SeqNth, [Value::Seq(items), Value::Int(at)]) => {
            let item = usize::try_from(at).ok().and_then(|at| items.get(at));
            item.cloned().map_or_else(|| unknown("an element outside a sequence"), Ok)
        }
        _ => unknown(format!("`{}` on these values", op.keyword())),
    }
}

pub(crate) fn bit_vector(op: &Op, args: &[Value]) -> Known {
    match (op, args) {
        (Op::BvExtract { high, low }, [Value::BitVec(value, _)]) if low <= high => {
            let width = high - low + 1;
            let modulus = BigInt::from(1) << width;
            Ok(Value::BitVec(arith::euclid_mod(&(value >> *low), &modulus), width))
        }
        (Op::BvConcat, parts) => {
            let (mut all, mut total) = (BigInt::from(0), 0);
            for part in parts {
                let Value::BitVec(value, width) = part else { return unknown("a bit vector") };
                all = (all << *width) + value;
                total += width;
            }
            Ok(Value::BitVec(all, total))
        }
        _ => unknown(format!("`{}` on these values", op.keyword())),
    }
}
