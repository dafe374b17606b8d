//! Operators and functions of the solver, on values.

use std::collections::BTreeSet;

use hir::{BinaryOp, MapTy, Ty};
use ir::{MapValue, Value};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;

use super::structure::{Known, Structure, doubt};

/// An infix operator other than the logical ones and equality.
pub(super) fn binary(op: BinaryOp, left: &Value, right: &Value) -> Known<Value> {
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

impl Structure<'_> {
    /// A function of the solver; `ty` is the type of the result, `args` those of the arguments.
    pub(super) fn builtin(
        &self,
        name: &str,
        values: &[Value],
        (args, ty): (&[Ty], &Ty),
    ) -> Known<Value> {
        match (name, values) {
            ("MapConst", [value]) => Ok(Value::Map(MapValue::new([], Some(value.clone())))),
            ("seq.empty", []) => Ok(Value::Seq(Vec::new())),
            ("seq.unit", [value]) => Ok(Value::Seq(vec![value.clone()])),
            ("seq.len", [Value::Seq(items)]) => Ok(Value::Int(items.len().into())),
            ("seq.++", [Value::Seq(left), Value::Seq(right)]) => {
                Ok(Value::Seq(left.iter().chain(right).cloned().collect()))
            }
            ("seq.nth", [Value::Seq(items), Value::Int(at)]) => {
                let item = usize::try_from(at).ok().and_then(|at| items.get(at));
                item.cloned().map_or_else(|| doubt("an element outside a sequence"), Ok)
            }
            _ => self.pointwise(name, values, (args, ty)),
        }
    }

    /// An operator on the elements of maps, index by index.
    fn pointwise(&self, name: &str, values: &[Value], types: (&[Ty], &Ty)) -> Known<Value> {
        let Some(element) = elementwise(name) else {
            return doubt(format!("the function `{name}`"));
        };
        let (args, result) = types;
        let mut maps = Vec::new();
        for value in values {
            let Value::Map(map) = value else { return doubt("a map") };
            maps.push(map);
        }
        let types: Vec<Ty> =
            args.iter().filter_map(|ty| Some(ty.as_map()?.result.clone())).collect();
        let at = |parts: Option<Vec<&Value>>| -> Known<Value> {
            let Some(parts) = parts else { return doubt("a map that is known in part") };
            self.element(element, &parts, &types)
        };
        let listed = result.as_map().and_then(|ty: &MapTy| self.indices(ty));
        let keys: BTreeSet<Vec<Value>> = match &listed {
            Some(indices) => indices.iter().cloned().collect(),
            None => maps.iter().flat_map(|map| map.entries()).map(|(at, _)| at.to_vec()).collect(),
        };
        let default = at(maps.iter().map(|map| map.default()).collect());
        let mut entries = Vec::new();
        let mut partial = false;
        for key in keys {
            match at(maps.iter().map(|map| map.get(&key)).collect()) {
                Ok(value) => entries.push((key, value)),
                Err(_) => partial = true,
            }
        }
        // An index whose element is not known must not be covered by the default.
        let default = if partial { None } else { default.ok() };
        Ok(Value::Map(MapValue::new(entries, default)))
    }

    fn element(&self, op: Elementwise, parts: &[&Value], types: &[Ty]) -> Known<Value> {
        let truth = |value: &Value| {
            if let Value::Bool(it) = value { Ok(*it) } else { doubt("a truth value") }
        };
        match (op, parts) {
            (Elementwise::Not, [it]) => Ok(Value::Bool(!truth(it)?)),
            (Elementwise::And, [a, b]) => Ok(Value::Bool(truth(a)? && truth(b)?)),
            (Elementwise::Or, [a, b]) => Ok(Value::Bool(truth(a)? || truth(b)?)),
            (Elementwise::Imp, [a, b]) => Ok(Value::Bool(!truth(a)? || truth(b)?)),
            (Elementwise::Ite, [test, yes, no]) => {
                Ok(if truth(test)? { (*yes).clone() } else { (*no).clone() })
            }
            (Elementwise::Eq, [a, b]) => {
                let Some(ty) = types.first() else { return doubt("the type of a map") };
                self.equal(a, b, ty).map(Value::Bool)
            }
            (Elementwise::Binary(op), [a, b]) => binary(op, a, b),
            _other => doubt("an operator on maps"),
        }
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
