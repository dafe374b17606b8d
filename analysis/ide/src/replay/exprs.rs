//! Expressions of the text, on values.
//!
//! **In:** an expression and a [`View`]: the values of the variables in sight. **Out:** its value, or
//! what is not known.
//!
//! # Soundness
//! Nothing is guessed. A field of another constructor, a division by zero, a row that is missing in
//! a table and a quantifier that the values of the run do not decide are not known; logical operators
//! decide in spite of unknown parts where the known ones suffice.

use std::collections::BTreeMap;

use base::Name;
use hir::{
    BinaryOp, BoundId, Expr, ExprId, Exprs, FuncKind, Literal, Quantifier, Ty, TySubst, UnaryOp,
};
use ir::{MapValue, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::builtins::binary;
use super::equality::{all, any};
use super::machine::{Globals, Slot};
use super::structure::{Doubt, Known, Structure, doubt, extended};

/// What the names of an expression stand for.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) exprs: &'a Exprs,
    pub(super) types: &'a TySubst,
    pub(super) locals: &'a [Slot],
    pub(super) now: &'a Globals,
    pub(super) old: &'a Globals,
}

/// Calls of functions nested more deeply than this are not followed.
const MOST_NESTING: usize = 60;

/// Evaluates in one view.
struct Evaluator<'a> {
    structure: &'a Structure<'a>,
    view: View<'a>,
    bound: BTreeMap<BoundId, Value>,
    nesting: usize,
}

impl Structure<'_> {
    /// The value of an expression.
    pub(super) fn value(&self, view: View<'_>, id: ExprId) -> Known<Value> {
        Evaluator { structure: self, view, bound: BTreeMap::new(), nesting: 0 }.eval(id, false)
    }

    /// The truth of an expression.
    pub(super) fn truth(&self, view: View<'_>, id: ExprId) -> Known<bool> {
        self.value(view, id).and_then(truth)
    }

    /// `name<types>(args)`
    pub(super) fn call(&self, name: &str, types: &[Ty], args: Vec<Value>) -> Known<Value> {
        self.apply(&Name::new(name), types, args, 0)
    }

    fn apply(&self, name: &Name, types: &[Ty], args: Vec<Value>, nesting: usize) -> Known<Value> {
        let Some(sig) = self.world.func_sig(name) else { return doubt(format!("`{name}`")) };
        let subst: TySubst = sig.type_params.iter().cloned().zip(types.iter().cloned()).collect();
        match &sig.kind {
            FuncKind::Constructor { datatype, index } => {
                let made = self.data(&Ty::ctor(datatype.clone(), types), *index as usize, args);
                made.map_or_else(|| doubt(format!("`{name}`")), Ok)
            }
            FuncKind::Builtin(builtin) => {
                let params: Vec<Ty> = sig.params.iter().map(|it| it.ty.subst(&subst)).collect();
                self.builtin(builtin, &args, (&params, &sig.result.subst(&subst)))
            }
            FuncKind::Uninterpreted => self.function(name, types, &args),
            FuncKind::Inline | FuncKind::Define | FuncKind::Axiom => {
                let body = self.world.expr_body(sig.decl).filter(|it| !it.has_errors);
                let Some(body) = body.filter(|it| it.params.len() == args.len()) else {
                    return doubt(format!("the body of `{name}`"));
                };
                if nesting > MOST_NESTING {
                    return doubt(format!("`{name}`, which calls itself"));
                }
                let none = Globals::new();
                let view =
                    View { exprs: &body.exprs, types: &subst, locals: &[], now: &none, old: &none };
                let bound = body.params.iter().copied().zip(args).collect();
                let nesting = nesting + 1;
                Evaluator { structure: self, view, bound, nesting }.eval(body.root, false)
            }
        }
    }
}

fn truth(value: Value) -> Known<bool> {
    if let Value::Bool(it) = value { Ok(it) } else { doubt(format!("the truth of {value}")) }
}

impl Evaluator<'_> {
    fn eval(&mut self, id: ExprId, old: bool) -> Known<Value> {
        let exprs = self.view.exprs;
        match exprs.expr(id) {
            Expr::Missing => doubt("an expression with an error"),
            Expr::Literal(literal) => value_of(literal),
            Expr::Local(local) => {
                let slot = self.view.locals.get(local.index());
                known(slot, "a local variable").map_err(|_| Doubt(self.named(*local)))
            }
            Expr::Global(name) => {
                let state = if old { self.view.old } else { self.view.now };
                known(state.get(name), name.as_str())
            }
            Expr::Const(name) => self.structure.constant(name),
            Expr::Bound(bound) => {
                let value = self.bound.get(bound).cloned();
                value.map_or_else(|| doubt("a bound variable"), Ok)
            }
            Expr::Old(arg) => self.eval(*arg, true),
            Expr::Coerce { arg, .. } => self.eval(*arg, old),
            Expr::Call { func, type_args, args } => {
                let types: Vec<Ty> = type_args.iter().map(|ty| ty.subst(self.view.types)).collect();
                let args = self.values(args, old)?;
                self.structure.apply(func, &types, args, self.nesting)
            }
            Expr::Let { bound, values, body, .. } => {
                let values = self.values(values, old)?;
                self.bound.extend(bound.iter().copied().zip(values));
                self.eval(*body, old)
            }
            Expr::Ite { cond, then, other } => match self.truth(*cond, old) {
                Ok(true) => self.eval(*then, old),
                Ok(false) => self.eval(*other, old),
                Err(why) => Err(why),
            },
            Expr::Quant { quantifier, type_params, bound, body, .. } => {
                // Types that are chosen already need no quantifier.
                if !type_params.iter().all(|it| self.view.types.contains_key(it)) {
                    return doubt("a quantifier over types");
                }
                self.quantified(*quantifier, bound, *body, old).map(Value::Bool)
            }
            Expr::Lambda { type_params, bound, body, .. } => {
                if !type_params.is_empty() {
                    return doubt("a quantifier over types");
                }
                self.lambda(bound, *body, old)
            }
            Expr::Select { type_args, .. } | Expr::Store { type_args, .. }
                if !type_args.is_empty() =>
            {
                doubt("a polymorphic map")
            }
            Expr::Select { map, indices, .. } => self.select(*map, indices, old),
            Expr::Store { map, indices, value, .. } => self.store(*map, indices, *value, old),
            Expr::Field { base, field } => {
                let (value, ty) = (self.eval(*base, old)?, self.ty(*base));
                self.structure.field(&ty, field, &value)
            }
            Expr::FieldUpdate { base, field, value } => {
                let (old_value, ty) = (self.eval(*base, old)?, self.ty(*base));
                let value = self.eval(*value, old)?;
                self.structure.field_update(&ty, field, &old_value, value)
            }
            Expr::Is { base, ctor } => {
                let (value, ty) = (self.eval(*base, old)?, self.ty(*base));
                self.structure.is_built_by(&ty, ctor, &value).map(Value::Bool)
            }
            Expr::Unary { op, arg } => self.unary(*op, *arg, old),
            Expr::Binary { op, lhs, rhs } => self.binary(*op, *lhs, *rhs, old),
            Expr::Convert { arg } => convert(self.eval(*arg, old)?, &self.ty(id)),
            Expr::Extract { base, high, low } => {
                let value = self.eval(*base, old)?;
                let Value::BitVec(value, _) = value else { return doubt("bits of this value") };
                if low >= high {
                    return doubt("a bit vector without bits");
                }
                let modulus = BigInt::from(1) << (high - low);
                Ok(Value::BitVec((value >> *low) % modulus, high - low))
            }
        }
    }

    fn named(&self, local: hir::LocalId) -> String {
        format!("the value of local variable number {}", local.0)
    }

    fn ty(&self, id: ExprId) -> Ty {
        self.view.exprs.ty(id).subst(self.view.types)
    }

    fn values(&mut self, ids: &[ExprId], old: bool) -> Known<Vec<Value>> {
        ids.iter().map(|id| self.eval(*id, old)).collect()
    }

    fn truth(&mut self, id: ExprId, old: bool) -> Known<bool> {
        self.eval(id, old).and_then(truth)
    }

    fn unary(&mut self, op: UnaryOp, arg: ExprId, old: bool) -> Known<Value> {
        match (op, self.eval(arg, old)?) {
            (UnaryOp::Not, Value::Bool(it)) => Ok(Value::Bool(!it)),
            (UnaryOp::Neg, Value::Int(it)) => Ok(Value::Int(-it)),
            (UnaryOp::Neg, Value::Real(it)) => Ok(Value::Real(-it)),
            _other => doubt("an operator on this value"),
        }
    }

    fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, old: bool) -> Known<Value> {
        let truths = |this: &mut Self| (this.truth(lhs, old), this.truth(rhs, old));
        match op {
            BinaryOp::And => {
                let (left, right) = truths(self);
                all([left, right].into_iter()).map(Value::Bool)
            }
            BinaryOp::Or => {
                let (left, right) = truths(self);
                any([left, right].into_iter()).map(Value::Bool)
            }
            BinaryOp::Implies => {
                let (left, right) = truths(self);
                any([left.map(|it| !it), right].into_iter()).map(Value::Bool)
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Iff => {
                let (left, right) = (self.eval(lhs, old)?, self.eval(rhs, old)?);
                let (ty, other) = (self.ty(lhs), self.ty(rhs));
                // Types that turned out to differ: what they have in common is nobody's to say.
                if !ty.same_as(&other) {
                    return doubt("equality of values of different types");
                }
                let same = self.structure.equal(&left, &right, &ty)?;
                Ok(Value::Bool(same == (op != BinaryOp::Ne)))
            }
            BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Concat
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::RealDiv
            | BinaryOp::Pow => binary(op, &self.eval(lhs, old)?, &self.eval(rhs, old)?),
        }
    }

    fn select(&mut self, map: ExprId, indices: &[ExprId], old: bool) -> Known<Value> {
        let value = self.eval(map, old)?;
        if indices.is_empty() {
            return Ok(value);
        }
        let indices = self.values(indices, old)?;
        let Value::Map(map) = value else { return doubt("an element of this value") };
        map.get(&indices).cloned().map_or_else(|| doubt("an element of a map"), Ok)
    }

    fn store(&mut self, map: ExprId, at: &[ExprId], value: ExprId, old: bool) -> Known<Value> {
        let base = self.eval(map, old)?;
        let indices = self.values(at, old)?;
        let value = self.eval(value, old)?;
        if at.is_empty() {
            return Ok(value);
        }
        let Value::Map(map) = base else { return doubt("a map") };
        Ok(Value::Map(map.set(indices, value)))
    }

    /// The tuples that are tried, and whether they are all.
    fn tuples(&self, bound: &[BoundId]) -> Known<(Vec<Vec<Value>>, bool)> {
        let mut tuples = vec![Vec::new()];
        let mut complete = true;
        for id in bound {
            let var = self.view.exprs.bound(*id);
            let ty = var.ty.subst(self.view.types);
            let values = match self.structure.elements(&ty) {
                Some(values) => values,
                None => {
                    complete = false;
                    self.structure.candidates(var.name.as_str(), &ty)
                }
            };
            let more = extended(&tuples, &values);
            tuples = more.ok_or_else(|| Doubt("a quantifier over many values".into()))?;
        }
        Ok((tuples, complete))
    }

    fn with(&mut self, bound: &[BoundId], tuple: &[Value]) {
        self.bound.extend(bound.iter().copied().zip(tuple.iter().cloned()));
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        bound: &[BoundId],
        body: ExprId,
        old: bool,
    ) -> Known<bool> {
        let decisive = quantifier == Quantifier::Exists;
        let (tuples, complete) = self.tuples(bound)?;
        let mut open = (!complete).then(|| {
            let names = bound.iter().map(|id| self.view.exprs.bound(*id).name.to_string());
            Doubt(format!("a quantifier over `{}`", names.collect::<Vec<_>>().join(", ")))
        });
        for tuple in tuples {
            self.with(bound, &tuple);
            match self.truth(body, old) {
                Ok(it) if it == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(why) => open = open.or(Some(why)),
            }
        }
        open.map_or(Ok(!decisive), Err)
    }

    fn lambda(&mut self, bound: &[BoundId], body: ExprId, old: bool) -> Known<Value> {
        let (tuples, complete) = self.tuples(bound)?;
        let mut entries = Vec::new();
        for tuple in tuples {
            self.with(bound, &tuple);
            match self.eval(body, old) {
                Ok(value) => entries.push((tuple, value)),
                Err(why) if complete => return Err(why),
                Err(_) => {}
            }
        }
        Ok(Value::Map(MapValue::new(entries, None)))
    }
}

/// The value in a variable.
pub(super) fn known(slot: Option<&Slot>, name: &str) -> Known<Value> {
    match slot {
        Some(Slot::Known(value)) => Ok(value.clone()),
        Some(Slot::Choice(_) | Slot::Unknown) | None => doubt(format!("the value of `{name}`")),
    }
}

fn value_of(literal: &Literal) -> Known<Value> {
    match literal {
        Literal::Bool(it) => Ok(Value::Bool(*it)),
        Literal::Int(it) => Ok(Value::Int(it.clone())),
        Literal::Real { mantissa, exponent } => {
            let power = u32::try_from(exponent.unsigned_abs()).ok().filter(|it| *it <= 1000);
            let Some(power) = power else { return doubt("a number of this size") };
            let ten = BigInt::from(10).pow(power);
            Ok(Value::Real(match *exponent < 0 {
                true => BigRational::new(mantissa.clone(), ten),
                false => BigRational::from_integer(mantissa * ten),
            }))
        }
        Literal::Bv { value, width } => Ok(Value::BitVec(value.clone(), *width)),
        Literal::Float(_) | Literal::RMode(_) | Literal::String(_) => {
            doubt("a literal of this kind")
        }
    }
}

fn convert(value: Value, ty: &Ty) -> Known<Value> {
    match (value, ty) {
        (value @ Value::Int(_), Ty::Int) | (value @ Value::Real(_), Ty::Real) => Ok(value),
        (Value::Int(it), Ty::Real) => Ok(Value::Real(BigRational::from_integer(it))),
        (Value::Real(it), Ty::Int) => Ok(Value::Int(it.floor().to_integer())),
        _other => doubt("a conversion of this value"),
    }
}

impl Structure<'_> {
    /// `value->field`
    pub(super) fn field(&self, ty: &Ty, field: &Name, value: &Value) -> Known<Value> {
        let Value::Data(data) = value else { return doubt(format!("the field `{field}`")) };
        match self.place_of(ty, field, data.ctor) {
            Some(nth) => Ok(data.fields[nth].clone()),
            None => doubt(format!("the field `{field}` of another constructor")),
        }
    }

    /// `value->(field := new)`
    pub(super) fn field_update(
        &self,
        ty: &Ty,
        field: &Name,
        value: &Value,
        new: Value,
    ) -> Known<Value> {
        let Value::Data(data) = value else { return doubt(format!("the field `{field}`")) };
        let Some(nth) = self.place_of(ty, field, data.ctor) else {
            return doubt(format!("the field `{field}` of another constructor"));
        };
        let mut data = data.clone();
        data.fields[nth] = new;
        Ok(Value::Data(data))
    }

    fn place_of(&self, ty: &Ty, field: &Name, ctor: u32) -> Option<usize> {
        let datatype = self.world.datatype(ty.as_ctor()?.0)?;
        let places = datatype.field_places(field).into_iter();
        places.filter(|(own, _)| *own == ctor as usize).map(|(_, nth)| nth).next()
    }

    /// `value is ctor`
    pub(super) fn is_built_by(&self, ty: &Ty, ctor: &Name, value: &Value) -> Known<bool> {
        let datatype = ty.as_ctor().and_then(|(name, _)| self.world.datatype(name));
        let number = datatype.and_then(|it| Some(it.ctor(ctor)?.0));
        match (value, number) {
            (Value::Data(data), Some(number)) => Ok(data.ctor as usize == number),
            _other => doubt(format!("the constructor `{ctor}`")),
        }
    }
}
