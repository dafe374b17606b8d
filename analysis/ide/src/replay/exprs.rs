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
use std::rc::Rc;
use std::sync::Arc;

use base::Name;
use hir::{
    BinaryOp, BoundId, Expr, ExprBody, ExprId, Exprs, FuncKind, Literal, Quantifier, Ty, TySubst,
    UnaryOp,
};
use ir::symbolic::{Engine, Linear, Val};
use ir::{Sort, Symbol, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::builtins::arithmetic;
use super::equality::{all, any};
use super::machine::{Globals, Slot};
use super::structure::{Doubt, Known, Structure, doubt};

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

/// Where the expressions are.
#[derive(Clone)]
enum Source<'v> {
    Shared(&'v Exprs),
    Body(Arc<ExprBody>),
}

impl Source<'_> {
    fn exprs(&self) -> &Exprs {
        match self {
            Source::Shared(exprs) => exprs,
            Source::Body(body) => &body.exprs,
        }
    }
}

/// Evaluates in one view.
#[derive(Clone)]
struct Evaluator<'v> {
    structure: &'v Structure<'v>,
    engine: &'v Engine<'v>,
    source: Source<'v>,
    types: Rc<TySubst>,
    locals: &'v [Slot],
    now: &'v Globals,
    old: &'v Globals,
    /// An argument that is not known may not matter.
    bound: BTreeMap<BoundId, Known<Val<'v>>>,
    nesting: usize,
}

impl Structure<'_> {
    /// The value of an expression.
    pub(super) fn value(&self, view: View<'_>, id: ExprId) -> Known<Value> {
        let engine = Engine::new(self);
        let mut evaluator = Evaluator {
            structure: self,
            engine: &engine,
            source: Source::Shared(view.exprs),
            types: Rc::new(view.types.clone()),
            locals: view.locals,
            now: view.now,
            old: view.old,
            bound: BTreeMap::new(),
            nesting: 0,
        };
        let value = evaluator.eval(id, false)?;
        let sort = self.sort_of(&evaluator.ty(id));
        Ok(engine.written(&value, &sort)?)
    }

    /// The truth of an expression.
    pub(super) fn truth(&self, view: View<'_>, id: ExprId) -> Known<bool> {
        let value = self.value(view, id)?;
        if let Value::Bool(it) = value { Ok(it) } else { doubt(format!("the truth of {value}")) }
    }

    /// The truth of a part of an expression that stands alone, where a bound variable has this value.
    pub(super) fn truth_of(
        &self,
        whole: &ExprBody,
        types: &TySubst,
        id: ExprId,
        (bound, value): (BoundId, Value),
    ) -> Known<bool> {
        let engine = Engine::new(self);
        let mut evaluator = Evaluator {
            structure: self,
            engine: &engine,
            source: Source::Shared(&whole.exprs),
            types: Rc::new(types.clone()),
            locals: &[],
            now: &self.none,
            old: &self.none,
            bound: BTreeMap::from([(bound, Ok(Val::Plain(value)))]),
            nesting: 0,
        };
        evaluator.truth(id, false)
    }

    /// `name<types>(args)`
    pub(super) fn call(&self, name: &str, types: &[Ty], args: Vec<Value>) -> Known<Value> {
        let engine = Engine::new(self);
        let args = args.into_iter().map(|it| Ok(Val::Plain(it))).collect();
        let name = Name::new(name);
        let value = self.apply(&engine, (&name, types), args, 0)?;
        let Some(sig) = self.world.func_sig(&name) else { return doubt(format!("`{name}`")) };
        let subst: TySubst = sig.type_params.iter().cloned().zip(types.iter().cloned()).collect();
        Ok(engine.written(&value, &self.sort_of(&sig.result.subst(&subst)))?)
    }

    fn apply<'v>(
        &'v self,
        engine: &'v Engine<'v>,
        (name, types): (&Name, &[Ty]),
        args: Vec<Known<Val<'v>>>,
        nesting: usize,
    ) -> Known<Val<'v>> {
        let Some(sig) = self.world.func_sig(name) else { return doubt(format!("`{name}`")) };
        let subst: TySubst = sig.type_params.iter().cloned().zip(types.iter().cloned()).collect();
        let strict = |args: Vec<Known<Val<'v>>>| args.into_iter().collect::<Known<Vec<Val<'v>>>>();
        let params = || sig.params.iter().map(|it| it.ty.subst(&subst)).collect::<Vec<Ty>>();
        match &sig.kind {
            FuncKind::Constructor { datatype, index } => self.construct(
                engine,
                &Ty::ctor(datatype.clone(), types),
                *index as usize,
                strict(args)?,
            ),
            FuncKind::Builtin(builtin) => {
                self.builtin(engine, builtin, strict(args)?, (&params(), &sig.result.subst(&subst)))
            }
            FuncKind::Uninterpreted => {
                self.function(engine, (name, types), &strict(args)?, &params())
            }
            FuncKind::Inline | FuncKind::Define | FuncKind::Axiom => {
                let body = self.world.expr_body(sig.decl).filter(|it| !it.has_errors);
                let Some(body) = body.filter(|it| it.params.len() == args.len()) else {
                    return doubt(format!("the body of `{name}`"));
                };
                if nesting > MOST_NESTING {
                    return doubt(format!("`{name}`, which calls itself"));
                }
                let root = body.root;
                let bound = body.params.iter().copied().zip(args).collect();
                let mut inner = Evaluator {
                    structure: self,
                    engine,
                    source: Source::Body(body),
                    types: Rc::new(subst),
                    locals: &[],
                    now: &self.none,
                    old: &self.none,
                    bound,
                    nesting: nesting + 1,
                };
                inner.eval(root, false)
            }
        }
    }

    /// What a constructor makes, unless a library says that it is no value.
    fn construct<'v>(
        &'v self,
        engine: &'v Engine<'v>,
        ty: &Ty,
        nth: usize,
        fields: Vec<Val<'v>>,
    ) -> Known<Val<'v>> {
        let found = ty.as_ctor().and_then(|(name, _)| self.world.datatype(name));
        let Some(ctor) = found.as_ref().and_then(|it| it.ctors.get(nth)) else {
            return doubt("a constructor");
        };
        if ctor.fields.len() != fields.len() {
            return doubt(format!("`{}`", ctor.name));
        }
        let name = Symbol::new(ctor.name.as_str());
        let number = u32::try_from(nth).unwrap_or(u32::MAX);
        let made = Engine::data(Symbol::from(ty.to_string()), number, name, fields);
        for axiom in super::axioms::restrictions(self, ty) {
            let (root, bound) = axiom.root();
            let mut inner = Evaluator {
                structure: self,
                engine,
                source: Source::Body(axiom.body),
                types: Rc::new(axiom.types),
                locals: &[],
                now: &self.none,
                old: &self.none,
                bound: BTreeMap::from([(bound, Ok(made.clone()))]),
                nesting: 0,
            };
            if !inner.truth(root, false)? {
                return doubt(format!("what is no value of `{ty}`"));
            }
        }
        Ok(made)
    }
}

impl<'v> Evaluator<'v> {
    fn eval(&mut self, id: ExprId, old: bool) -> Known<Val<'v>> {
        let source = self.source.clone();
        match source.exprs().expr(id) {
            Expr::Missing => doubt("an expression with an error"),
            Expr::Literal(literal) => value_of(literal).map(Val::Plain),
            Expr::Local(_) | Expr::Global(_) | Expr::Const(_) | Expr::Bound(_) => {
                self.named(source.exprs().expr(id), old)
            }
            Expr::Old(arg) => self.eval(*arg, true),
            Expr::Coerce { arg, .. } => self.eval(*arg, old),
            Expr::Call { func, type_args, args } => {
                let types: Vec<Ty> = type_args.iter().map(|ty| ty.subst(&self.types)).collect();
                let args = args.iter().map(|id| self.eval(*id, old)).collect();
                self.structure.apply(self.engine, (func, &types), args, self.nesting)
            }
            Expr::Let { bound, values, body, .. } => {
                let values = self.values(values, old)?;
                self.bound.extend(bound.iter().copied().zip(values.into_iter().map(Ok)));
                self.eval(*body, old)
            }
            Expr::Ite { cond, then, other } => match self.truth(*cond, old) {
                Ok(true) => self.eval(*then, old),
                Ok(false) => self.eval(*other, old),
                Err(why) => Err(why),
            },
            Expr::Quant { quantifier, type_params, bound, body, .. } => {
                // Types that are chosen already need no quantifier.
                if !type_params.iter().all(|it| self.types.contains_key(it)) {
                    return doubt("a quantifier over types");
                }
                self.quantified(*quantifier, bound, *body, old).map(Val::bool)
            }
            Expr::Lambda { type_params, bound, body, .. } => {
                if !type_params.is_empty() {
                    return doubt("a quantifier over types");
                }
                Ok(self.lambda(bound, *body, old))
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
                self.structure.part(&ty, field, &value)
            }
            Expr::FieldUpdate { base, field, value } => {
                let (old_value, ty) = (self.eval(*base, old)?, self.ty(*base));
                let value = self.eval(*value, old)?;
                let (ctor, fields) = self.structure.with_part(&ty, field, &old_value, value)?;
                self.structure.construct(self.engine, &ty, ctor, fields)
            }
            Expr::Is { base, ctor } => {
                let (value, ty) = (self.eval(*base, old)?, self.ty(*base));
                self.structure.was_built_by(&ty, ctor, &value).map(Val::bool)
            }
            Expr::Unary { op, arg } => self.unary(*op, *arg, old),
            Expr::Binary { op, lhs, rhs } => self.binary(*op, *lhs, *rhs, old),
            Expr::Convert { arg } => {
                let value = self.pinned(*arg, old)?;
                convert(value, &self.ty(id)).map(Val::Plain)
            }
            Expr::Extract { base, high, low } => {
                let Value::BitVec(value, _) = self.pinned(*base, old)? else {
                    return doubt("bits of this value");
                };
                if low >= high {
                    return doubt("a bit vector without bits");
                }
                let modulus = BigInt::from(1) << (high - low);
                Ok(Val::Plain(Value::BitVec((value >> *low) % modulus, high - low)))
            }
        }
    }

    /// The value for the present values of bound variables.
    fn pinned(&mut self, id: ExprId, old: bool) -> Known<Value> {
        let value = self.eval(id, old)?;
        self.engine.pinned(&value).map_or_else(|| doubt("a map that is computed"), Ok)
    }

    /// The value of a variable or constant.
    fn named(&self, expr: &Expr, old: bool) -> Known<Val<'v>> {
        if let Expr::Local(local) = expr {
            let value = known(self.locals.get(local.index()), "a local variable");
            let words = || format!("the value of local variable number {}", local.0);
            return value.map(Val::Plain).map_err(|_| Doubt(words()));
        }
        if let Expr::Global(name) = expr {
            let state = if old { self.old } else { self.now };
            return known(state.get(name), name.as_str()).map(Val::Plain);
        }
        if let Expr::Const(name) = expr {
            return self.structure.constant(name).map(Val::Plain);
        }
        let Expr::Bound(bound) = expr else { return doubt("no variable") };
        self.bound.get(bound).cloned().unwrap_or_else(|| doubt("a bound variable"))
    }

    fn ty(&self, id: ExprId) -> Ty {
        self.source.exprs().ty(id).subst(&self.types)
    }

    fn values(&mut self, ids: &[ExprId], old: bool) -> Known<Vec<Val<'v>>> {
        ids.iter().map(|id| self.eval(*id, old)).collect()
    }

    fn truth(&mut self, id: ExprId, old: bool) -> Known<bool> {
        Ok(self.eval(id, old)?.truth()?)
    }

    fn unary(&mut self, op: UnaryOp, arg: ExprId, old: bool) -> Known<Val<'v>> {
        let value = self.eval(arg, old)?;
        match (op, self.engine.integer(&value), &value) {
            (UnaryOp::Not, _, Val::Plain(Value::Bool(it))) => Ok(Val::bool(!it)),
            (UnaryOp::Neg, Some(it), _) => {
                Ok(Engine::from_integer(Engine::minus(&Linear::constant(0.into()), &it)))
            }
            (UnaryOp::Neg, _, Val::Plain(Value::Real(it))) => Ok(Val::Plain(Value::Real(-it))),
            _other => doubt("an operator on this value"),
        }
    }

    fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, old: bool) -> Known<Val<'v>> {
        let left = self.eval(lhs, old);
        // What does not matter is not looked at, so that it sets no limits to what was found.
        let decided = left.as_ref().ok().and_then(|it| it.truth().ok());
        match (op, decided) {
            (BinaryOp::And, Some(false)) => return Ok(Val::bool(false)),
            (BinaryOp::Or, Some(true)) | (BinaryOp::Implies, Some(false)) => {
                return Ok(Val::bool(true));
            }
            _open => {}
        }
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                let left = left.and_then(|it| Ok(it.truth()?));
                let right = self.truth(rhs, old);
                let left = if op == BinaryOp::Implies { left.map(|it| !it) } else { left };
                let parts = [left, right].into_iter();
                let found = if op == BinaryOp::And { all(parts) } else { any(parts) };
                found.map(Val::bool)
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Iff => {
                let (left, right) = (left?, self.eval(rhs, old)?);
                let (ty, other) = (self.ty(lhs), self.ty(rhs));
                // Types that turned out to differ: what they have in common is nobody's to say.
                if !ty.same_as(&other) {
                    return doubt("equality of values of different types");
                }
                let same = self.engine.equal(&left, &right, &self.structure.sort_of(&ty))?;
                Ok(Val::bool(same == (op != BinaryOp::Ne)))
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
            | BinaryOp::Pow => {
                let right = self.eval(rhs, old)?;
                arithmetic(self.engine, op, &left?, &right)
            }
        }
    }

    fn map_sort(&self, map: ExprId) -> Sort {
        self.structure.sort_of(&self.ty(map))
    }

    fn select(&mut self, map: ExprId, indices: &[ExprId], old: bool) -> Known<Val<'v>> {
        let value = self.eval(map, old)?;
        if indices.is_empty() {
            return Ok(value);
        }
        match (self.values(indices, old), value) {
            (Ok(indices), value) => {
                Ok(self.engine.select(&value, &indices, &self.map_sort(map))?)
            }
            // The same element everywhere, wherever that is.
            (Err(_), Val::Plain(Value::Map(table)))
                if table.entries().next().is_none() && table.default().is_some() =>
            {
                table.default().cloned().map_or_else(|| doubt("a map"), |it| Ok(Val::Plain(it)))
            }
            (Err(why), _) => Err(why),
        }
    }

    fn store(&mut self, map: ExprId, at: &[ExprId], value: ExprId, old: bool) -> Known<Val<'v>> {
        let base = self.eval(map, old)?;
        let indices = self.values(at, old)?;
        let value = self.eval(value, old)?;
        if at.is_empty() {
            return Ok(value);
        }
        let plain: Option<Vec<Value>> = indices.iter().map(|it| it.plain().cloned()).collect();
        if let (Val::Plain(Value::Map(table)), Some(at), Val::Plain(value)) = (&base, plain, &value)
            && at.iter().all(ir::eval::is_plain)
        {
            return Ok(Val::Plain(Value::Map(table.set(at, value.clone()))));
        }
        Ok(self.engine.store(base, indices, value, self.map_sort(map)))
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        bound: &[BoundId],
        body: ExprId,
        old: bool,
    ) -> Known<bool> {
        let wanted = quantifier == Quantifier::Exists;
        let source = self.source.clone();
        let own = |id: &BoundId| source.exprs().bound(*id);
        let types = bound.iter().map(|id| own(id).ty.subst(&self.types));
        let sorts: Vec<Sort> = types.map(|ty| self.structure.sort_of(&ty)).collect();
        let engine = self.engine;
        let mut test = |tuple: &[Val<'v>]| {
            engine.step()?;
            self.bound.extend(bound.iter().copied().zip(tuple.iter().cloned().map(Ok)));
            let truth = self.truth(body, old).map_err(|why| ir::Unknown(why.0))?;
            Ok(truth == wanted)
        };
        match engine.exists(&sorts, &mut test) {
            Ok(found) => Ok(found == wanted),
            Err(why) if why.0.is_empty() => {
                let names: Vec<&str> = bound.iter().map(|id| own(id).name.as_str()).collect();
                doubt(format!("a quantifier over `{}`", names.join(", ")))
            }
            Err(why) => Err(why.into()),
        }
    }

    fn lambda(&self, bound: &[BoundId], body: ExprId, old: bool) -> Val<'v> {
        let (own, bound) = (self.clone(), bound.to_vec());
        Val::Map(Rc::new(move |index: &[Val<'v>]| {
            let mut inner = own.clone();
            inner.engine.step()?;
            inner.bound.extend(bound.iter().copied().zip(index.iter().cloned().map(Ok)));
            inner.eval(body, old).map_err(|why| ir::Unknown(why.0))
        }))
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
        let part = self.part(ty, field, &Val::Plain(value.clone()))?;
        part.plain().cloned().map_or_else(|| doubt(format!("the field `{field}`")), Ok)
    }

    fn part<'v>(&self, ty: &Ty, field: &Name, value: &Val<'v>) -> Known<Val<'v>> {
        let Some((ctor, fields)) = Engine::fields(value) else {
            return doubt(format!("the field `{field}`"));
        };
        let part = self.place_of(ty, field, ctor).and_then(|nth| fields.get(nth).cloned());
        part.map_or_else(|| doubt(format!("the field `{field}` of another constructor")), Ok)
    }

    /// `value->(field := new)`
    pub(super) fn field_update(
        &self,
        ty: &Ty,
        field: &Name,
        value: &Value,
        new: Value,
    ) -> Known<Value> {
        let engine = Engine::new(self);
        let (value, new) = (Val::Plain(value.clone()), Val::Plain(new));
        let (ctor, fields) = self.with_part(ty, field, &value, new)?;
        let made = self.construct(&engine, ty, ctor, fields)?;
        made.plain().cloned().map_or_else(|| doubt(format!("the field `{field}`")), Ok)
    }

    fn with_part<'v>(
        &self,
        ty: &Ty,
        field: &Name,
        value: &Val<'v>,
        new: Val<'v>,
    ) -> Known<(usize, Vec<Val<'v>>)> {
        let Some((ctor, mut fields)) = Engine::fields(value) else {
            return doubt(format!("the field `{field}`"));
        };
        let place = self.place_of(ty, field, ctor).filter(|nth| *nth < fields.len());
        let Some(nth) = place else {
            return doubt(format!("the field `{field}` of another constructor"));
        };
        fields[nth] = new;
        Ok((ctor as usize, fields))
    }

    fn place_of(&self, ty: &Ty, field: &Name, ctor: u32) -> Option<usize> {
        let datatype = self.world.datatype(ty.as_ctor()?.0)?;
        let places = datatype.field_places(field).into_iter();
        places.filter(|(own, _)| *own == ctor as usize).map(|(_, nth)| nth).next()
    }

    /// `value is ctor`
    pub(super) fn is_built_by(&self, ty: &Ty, ctor: &Name, value: &Value) -> Known<bool> {
        self.was_built_by(ty, ctor, &Val::Plain(value.clone()))
    }

    fn was_built_by(&self, ty: &Ty, ctor: &Name, value: &Val<'_>) -> Known<bool> {
        let datatype = ty.as_ctor().and_then(|(name, _)| self.world.datatype(name));
        let number = datatype.and_then(|it| Some(it.ctor(ctor)?.0));
        match (Engine::fields(value), number) {
            (Some((own, _)), Some(number)) => Ok(own as usize == number),
            _other => doubt(format!("the constructor `{ctor}`")),
        }
    }
}
