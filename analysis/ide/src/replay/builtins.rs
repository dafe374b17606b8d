//! Operators and functions of the solver, on values.

use std::rc::Rc;

use hir::{BinaryOp, Ty};
use ir::symbolic::{Engine, Val};
use ir::{Sort, Value};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;

use super::structure::{Known, Structure, doubt};

/// An infix operator other than the logical ones and equality.
fn binary(op: BinaryOp, left: &Value, right: &Value) -> Known<Value> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => integers(op, left, right),
        (Value::Real(left), Value::Real(right)) => reals(op, left, right),
        (Value::Int(left), Value::Real(right)) => reals(op, &real(left), right),
        (Value::Real(left), Value::Int(right)) => reals(op, left, &real(right)),
        (Value::BitVec(left, high), Value::BitVec(right, low)) if op == BinaryOp::Concat => {
            Ok(Value::BitVec((left << *low) + right, high + low))
        }
        _other => doubt("an operator on these values"),
    }
}

fn real(value: &BigInt) -> BigRational {
    BigRational::from_integer(value.clone())
}

fn integers(op: BinaryOp, left: &BigInt, right: &BigInt) -> Known<Value> {
    Ok(match op {
        BinaryOp::Add => Value::Int(left + right),
        BinaryOp::Sub => Value::Int(left - right),
        BinaryOp::Mul => Value::Int(left * right),
        BinaryOp::Div | BinaryOp::Mod if right.sign() == Sign::NoSign => {
            return doubt("division by zero");
        }
        BinaryOp::Div => Value::Int(euclid(left, right).0),
        BinaryOp::Mod => Value::Int(euclid(left, right).1),
        BinaryOp::Lt => Value::Bool(left < right),
        BinaryOp::Le => Value::Bool(left <= right),
        BinaryOp::Gt => Value::Bool(left > right),
        BinaryOp::Ge => Value::Bool(left >= right),
        BinaryOp::RealDiv | BinaryOp::Pow => return reals(op, &real(left), &real(right)),
        BinaryOp::Iff | BinaryOp::Implies | BinaryOp::And | BinaryOp::Or => {
            return doubt("a logical operator on numbers");
        }
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Concat => {
            return doubt("an operator on these values");
        }
    })
}

/// Quotient and remainder; the remainder is not negative.
fn euclid(left: &BigInt, right: &BigInt) -> (BigInt, BigInt) {
    let (quotient, rest) = (left / right, left % right);
    match (rest.sign(), right.sign()) {
        (Sign::Minus, Sign::Plus | Sign::NoSign) => (quotient - 1, rest + right),
        (Sign::Minus, Sign::Minus) => (quotient + 1, rest - right),
        (Sign::NoSign | Sign::Plus, _) => (quotient, rest),
    }
}

fn reals(op: BinaryOp, left: &BigRational, right: &BigRational) -> Known<Value> {
    Ok(match op {
        BinaryOp::Add => Value::Real(left + right),
        BinaryOp::Sub => Value::Real(left - right),
        BinaryOp::Mul => Value::Real(left * right),
        BinaryOp::RealDiv if right.numer().sign() == Sign::NoSign => {
            return doubt("division by zero");
        }
        BinaryOp::RealDiv => Value::Real(left / right),
        BinaryOp::Lt => Value::Bool(left < right),
        BinaryOp::Le => Value::Bool(left <= right),
        BinaryOp::Gt => Value::Bool(left > right),
        BinaryOp::Ge => Value::Bool(left >= right),
        BinaryOp::Div | BinaryOp::Mod | BinaryOp::Pow | BinaryOp::Concat => {
            return doubt("an operator on these values");
        }
        BinaryOp::Iff | BinaryOp::Implies | BinaryOp::And | BinaryOp::Or => {
            return doubt("a logical operator on numbers");
        }
        BinaryOp::Eq | BinaryOp::Ne => return doubt("an operator on these values"),
    })
}

/// The same on values that depend on bound variables: sums stay sums, anything else is said of the present
/// values only.
pub(super) fn arithmetic<'v>(
    engine: &Engine<'v>,
    op: BinaryOp,
    left: &Val<'v>,
    right: &Val<'v>,
) -> Known<Val<'v>> {
    if let (Val::Plain(left), Val::Plain(right)) = (left, right) {
        return binary(op, left, right).map(Val::Plain);
    }
    if let (Some(left), Some(right)) = (engine.integer(left), engine.integer(right)) {
        let sum = match (op, &left) {
            (BinaryOp::Add, left) => Some(Engine::plus(left, &right)),
            (BinaryOp::Sub, left) => Some(Engine::minus(left, &right)),
            (BinaryOp::Mul, left) => Some(engine.times(left, &right)),
            (BinaryOp::Lt, left) => return Ok(Val::bool(engine.is_less(left, &right))),
            (BinaryOp::Gt, left) => return Ok(Val::bool(engine.is_less(&right, left))),
            (BinaryOp::Le, left) => return Ok(Val::bool(!engine.is_less(&right, left))),
            (BinaryOp::Ge, left) => return Ok(Val::bool(!engine.is_less(left, &right))),
            _other => None,
        };
        if let Some(sum) = sum {
            return Ok(Engine::from_integer(sum));
        }
    }
    match (engine.pinned(left), engine.pinned(right)) {
        (Some(left), Some(right)) => binary(op, &left, &right).map(Val::Plain),
        (None, _) | (_, None) => doubt("an operator on maps that are computed"),
    }
}

impl Structure<'_> {
    /// A function of the solver; `ty` is the type of the result, `args` those of the arguments.
    pub(super) fn builtin<'v>(
        &'v self,
        engine: &'v Engine<'v>,
        name: &str,
        values: Vec<Val<'v>>,
        (args, ty): (&[Ty], &Ty),
    ) -> Known<Val<'v>> {
        if let ("MapConst", [value]) = (name, values.as_slice()) {
            return Ok(Engine::everywhere(value.clone()));
        }
        if let Some(op) = elementwise(name) {
            return self.pointwise(engine, op, values, (args, ty));
        }
        let pinned: Option<Vec<Value>> = values.iter().map(|it| engine.pinned(it)).collect();
        let Some(pinned) = pinned else { return doubt(format!("the function `{name}`")) };
        let value = match (name, pinned.as_slice()) {
            ("seq.empty", []) => Value::Seq(Vec::new()),
            ("seq.unit", [value]) => Value::Seq(vec![value.clone()]),
            ("seq.len", [Value::Seq(items)]) => Value::Int(items.len().into()),
            ("seq.++", [Value::Seq(left), Value::Seq(right)]) => {
                Value::Seq(left.iter().chain(right).cloned().collect())
            }
            ("seq.nth", [Value::Seq(items), Value::Int(at)]) => {
                let item = usize::try_from(at).ok().and_then(|at| items.get(at));
                return item.cloned().map_or_else(
                    || doubt("an element outside a sequence"),
                    |it| Ok(Val::Plain(it)),
                );
            }
            _ => return doubt(format!("the function `{name}`")),
        };
        Ok(Val::Plain(value))
    }

    /// An operator on the elements of maps, index by index; written down if it is one of tables.
    fn pointwise<'v>(
        &'v self,
        engine: &'v Engine<'v>,
        op: Elementwise,
        maps: Vec<Val<'v>>,
        (args, result): (&[Ty], &Ty),
    ) -> Known<Val<'v>> {
        let sorts: Vec<Sort> = args.iter().map(|ty| self.sort_of(ty)).collect();
        let element = args.first().and_then(|ty| Some(self.sort_of(&ty.as_map()?.result)));
        let Some(element) = element.filter(|_| sorts.len() == maps.len()) else {
            return doubt("the type of a map");
        };
        let are_plain = maps.iter().all(|it| it.plain().is_some());
        let made = Val::Map(Rc::new(move |index: &[Val<'v>]| {
            engine.step()?;
            let pairs = maps.iter().zip(&sorts);
            let parts = pairs.map(|(map, sort)| engine.select(map, index, sort));
            let parts: Vec<Val<'v>> = parts.collect::<Result<_, _>>()?;
            of_elements(engine, op, &parts, &element).map_err(|why| ir::Unknown(why.0))
        }));
        if are_plain
            && let Ok(Value::Map(table)) = engine.written(&made, &self.sort_of(result))
            && (table.default().is_some() || !table.segments().is_empty())
        {
            return Ok(Val::Plain(Value::Map(table)));
        }
        Ok(made)
    }
}

fn of_elements<'v>(
    engine: &Engine<'v>,
    op: Elementwise,
    parts: &[Val<'v>],
    sort: &Sort,
) -> Known<Val<'v>> {
    match (op, parts) {
        (Elementwise::Not, [it]) => Ok(Val::bool(!it.truth()?)),
        (Elementwise::And, [a, b]) => Ok(Val::bool(a.truth()? && b.truth()?)),
        (Elementwise::Or, [a, b]) => Ok(Val::bool(a.truth()? || b.truth()?)),
        (Elementwise::Imp, [a, b]) => Ok(Val::bool(!a.truth()? || b.truth()?)),
        (Elementwise::Ite, [test, yes, no]) => {
            Ok(if test.truth()? { yes.clone() } else { no.clone() })
        }
        (Elementwise::Eq, [a, b]) => Ok(Val::bool(engine.equal(a, b, sort)?)),
        (Elementwise::Binary(op), [a, b]) => arithmetic(engine, op, a, b),
        _other => doubt("an operator on maps"),
    }
}

/// An operator on elements.
#[derive(Clone, Copy)]
enum Elementwise {
    Not,
    And,
    Or,
    Imp,
    Ite,
    Eq,
    Binary(BinaryOp),
}

fn elementwise(name: &str) -> Option<Elementwise> {
    Some(match name {
        "MapNot" => Elementwise::Not,
        "MapAnd" => Elementwise::And,
        "MapOr" => Elementwise::Or,
        "MapImp" => Elementwise::Imp,
        "MapIte" => Elementwise::Ite,
        "MapEq" | "MapIff" => Elementwise::Eq,
        "MapAdd" => Elementwise::Binary(BinaryOp::Add),
        "MapSub" => Elementwise::Binary(BinaryOp::Sub),
        "MapMul" => Elementwise::Binary(BinaryOp::Mul),
        "MapDiv" => Elementwise::Binary(BinaryOp::Div),
        "MapMod" => Elementwise::Binary(BinaryOp::Mod),
        "MapLt" => Elementwise::Binary(BinaryOp::Lt),
        "MapLe" => Elementwise::Binary(BinaryOp::Le),
        "MapGt" => Elementwise::Binary(BinaryOp::Gt),
        "MapGe" => Elementwise::Binary(BinaryOp::Ge),
        _ => return None,
    })
}
