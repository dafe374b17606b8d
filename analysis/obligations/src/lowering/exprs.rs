//! Expressions to terms.
//!
//! **In:** an expression of one [`Exprs`] and an [`Env`]. **Out:** a term.
//!
//! Bound variables are named after their nesting: the variable `i` of a binder inside two others
//! becomes `i!2`. So the arguments of an inlined function, which mention outer binders only, are
//! never captured by binders of its body, and equal text at equal nesting gives equal terms.
//!
//! # Invariants
//! - Work is on explicit stacks: the depth of an expression is no depth of calls here. Only nested
//!   inlining is, which the absence of cycles among inlined functions bounds.

use hir::{BinaryOp, BoundId, Expr, ExprId, Exprs, Literal, Quantifier, Ty, UnaryOp};
use ir::{Bound, Lambda, Op, PoolHint, Quant, QuantKind, Sort, Symbol, Term, Var};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashMap;

use super::rigid::{may_coincide, shown_type};
use super::{Env, Lowering};

/// What is in sight besides the [`Env`]: terms of bound variables, and how many binders are around.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) bound: FxHashMap<BoundId, Term>,
    pub(super) level: u32,
}

/// One step of lowering.
enum Task {
    /// Lower an expression; `old`: under `old`.
    Visit { id: ExprId, old: bool, level: u32 },
    /// Combine the values of the parts.
    Build { id: ExprId, old: bool, level: u32 },
    /// Give the variables of a `let` their values.
    Bind { id: ExprId },
}

struct Machine<'a> {
    exprs: &'a Exprs,
    env: &'a Env,
    scope: Scope,
    /// The quantifier over types that may stand here, because its types are chosen.
    chosen: Option<ExprId>,
    tasks: Vec<Task>,
    values: Vec<Term>,
}

impl Machine<'_> {
    fn take(&mut self, count: usize) -> Vec<Term> {
        self.values.split_off(self.values.len().saturating_sub(count))
    }

    fn visit(&mut self, ids: &[ExprId], old: bool, level: u32) {
        // The last task is done first, so that values pile up in the order of `ids`.
        self.tasks.extend(ids.iter().rev().map(|id| Task::Visit { id: *id, old, level }));
    }
}

impl Lowering<'_> {
    /// The term of an expression.
    pub fn expr(&mut self, exprs: &Exprs, env: &Env, id: ExprId) -> Term {
        self.expr_in(exprs, env, Scope::default(), id)
    }

    /// The terms of expressions.
    pub fn exprs(&mut self, exprs: &Exprs, env: &Env, ids: &[ExprId]) -> Vec<Term> {
        ids.iter().map(|id| self.expr(exprs, env, *id)).collect()
    }

    /// The pool instances that attributes name.
    pub fn hints(&mut self, exprs: &Exprs, env: &Env, attrs: &hir::Attrs) -> Vec<PoolHint> {
        let terms = attrs.pool_terms();
        let hint = |(pool, id): &(smol_str::SmolStr, ExprId)| PoolHint {
            label: Symbol::from(pool.clone()),
            terms: vec![self.expr(exprs, env, *id)],
        };
        terms.iter().map(hint).collect()
    }

    /// An axiom; if it is over types, for these.
    pub(crate) fn axiom(&mut self, axiom: &hir::ExprBody, types: &hir::TySubst) -> Term {
        let env = Env { types: types.clone(), ..Env::empty() };
        self.instantiating = true;
        self.expr(&axiom.exprs, &env, axiom.root)
    }

    /// The body of a function for these arguments.
    pub(crate) fn function_body(
        &mut self,
        body: &hir::ExprBody,
        types: &hir::TySubst,
        args: &[Term],
    ) -> Term {
        let env = Env { types: types.clone(), ..Env::empty() };
        let bound = body.params.iter().copied().zip(args.iter().cloned()).collect();
        self.expr_in(&body.exprs, &env, Scope { bound, level: 0 }, body.root)
    }

    pub(super) fn expr_in(&mut self, exprs: &Exprs, env: &Env, scope: Scope, id: ExprId) -> Term {
        let level = scope.level;
        let chosen = std::mem::take(&mut self.instantiating).then_some(id);
        let mut machine = Machine { exprs, env, scope, chosen, tasks: vec![], values: vec![] };
        machine.visit(&[id], false, level);
        while let Some(task) = machine.tasks.pop() {
            match task {
                Task::Visit { id, old, level } => self.visit(&mut machine, id, old, level),
                Task::Build { id, old, level } => {
                    let term = self.build(&mut machine, id, old, level);
                    machine.values.push(term);
                }
                Task::Bind { id } => bind(&mut machine, id),
            }
        }
        let value = machine.values.pop();
        value.unwrap_or_else(|| self.unknown("an expression without value", Sort::Bool))
    }

    /// Leaves become values; other expressions become tasks.
    fn visit(&mut self, m: &mut Machine<'_>, id: ExprId, old: bool, level: u32) {
        match m.exprs.expr(id) {
            Expr::Old(arg) => m.visit(&[*arg], true, level),
            Expr::Coerce { arg, .. } => m.visit(&[*arg], old, level),
            Expr::Let { values, body, .. } => {
                m.visit(&[*body], old, level);
                m.tasks.push(Task::Bind { id });
                m.visit(values, old, level);
            }
            Expr::Quant { .. } | Expr::Lambda { .. } => {
                m.tasks.push(Task::Build { id, old, level });
                self.enter(m, id, level);
                let parts = parts_of_binder(m.exprs.expr(id));
                m.visit(&parts, old, level + 1);
            }
            other @ (Expr::Missing
            | Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Global(_)
            | Expr::Const(_)
            | Expr::Bound(_)
            | Expr::Call { .. }
            | Expr::Ite { .. }
            | Expr::Select { .. }
            | Expr::Store { .. }
            | Expr::Field { .. }
            | Expr::FieldUpdate { .. }
            | Expr::Is { .. }
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Convert { .. }
            | Expr::Extract { .. }) => {
                m.tasks.push(Task::Build { id, old, level });
                m.visit(&other.children(), old, level);
            }
        }
    }

    /// Names the variables of a binder.
    fn enter(&mut self, m: &mut Machine<'_>, id: ExprId, level: u32) {
        let (Expr::Quant { bound, .. } | Expr::Lambda { bound, .. }) = m.exprs.expr(id) else {
            return;
        };
        for var in bound.iter() {
            let sort = self.sort(&m.exprs.bound(*var).ty, m.env);
            let name = Symbol::from(format!("{}!{level}", m.exprs.bound(*var).name));
            m.scope.bound.insert(*var, Term::var(Var::new(name, sort)));
        }
    }

    fn build(&mut self, m: &mut Machine<'_>, id: ExprId, old: bool, level: u32) -> Term {
        let exprs = m.exprs;
        let sort = self.sort(exprs.ty(id), m.env);
        let expr = exprs.expr(id);
        if let Expr::Quant { .. } | Expr::Lambda { .. } = expr {
            return self.binder(m, id);
        }
        let args = m.take(expr.children().len());
        match expr {
            Expr::Missing => self.unknown("an expression with an error", sort),
            Expr::Literal(literal) => self.literal(literal, sort),
            Expr::Local(local) => match m.env.local(*local) {
                Some(term) => term.clone(),
                None => self.unknown("a local variable out of place", sort),
            },
            Expr::Global(name) => {
                let state = if old { &m.env.old } else { &m.env.now };
                match state.given(name) {
                    Some(term) => term.clone(),
                    None => Term::var(Var::new(state.symbol(name), sort)),
                }
            }
            Expr::Const(name) => self.constant(name),
            Expr::Bound(bound) => match m.scope.bound.get(bound) {
                Some(term) => term.clone(),
                None => self.unknown("a bound variable out of place", sort),
            },
            Expr::Call { func, type_args, .. } => {
                let types: Vec<Ty> = type_args.iter().map(|ty| ty.subst(&m.env.types)).collect();
                self.call(func, &types, args, level)
            }
            Expr::Ite { .. } => self.apply(Op::Ite, args, sort),
            Expr::Select { type_args, .. } | Expr::Store { type_args, .. }
                if !type_args.is_empty() =>
            {
                self.unknown("a polymorphic map", sort)
            }
            Expr::Select { indices, .. } if indices.is_empty() => args[0].clone(),
            Expr::Select { .. } => self.apply(Op::Select, args, sort),
            Expr::Store { indices, .. } if indices.is_empty() => args[1].clone(),
            Expr::Store { .. } => self.apply(Op::Store, args, sort),
            Expr::Field { base, field } => {
                let ty = exprs.ty(*base).subst(&m.env.types);
                self.field(&ty, field, args[0].clone(), sort)
            }
            Expr::FieldUpdate { base, field, .. } => {
                let ty = exprs.ty(*base).subst(&m.env.types);
                self.field_update(&ty, field, args[0].clone(), args[1].clone())
            }
            Expr::Is { base, ctor } => {
                let ty = exprs.ty(*base).subst(&m.env.types);
                self.tester(&ty, ctor, args[0].clone())
            }
            Expr::Unary { op: UnaryOp::Not, .. } => self.apply(Op::Not, args, sort),
            Expr::Unary { op: UnaryOp::Neg, .. } => self.apply(Op::Neg, args, sort),
            Expr::Binary { op: op @ (BinaryOp::Eq | BinaryOp::Ne), lhs, rhs }
                if args[0].sort() != args[1].sort() =>
            {
                let types = [lhs, rhs].map(|side| exprs.ty(*side).subst(&m.env.types));
                self.mixed_equality(*op, &types)
            }
            Expr::Binary { op, .. } => self.binary(*op, args, sort),
            Expr::Convert { .. } if *args[0].sort() == sort => args[0].clone(),
            Expr::Convert { .. } if sort == Sort::Int => self.apply(Op::ToInt, args, sort),
            Expr::Convert { .. } => self.apply(Op::ToReal, args, sort),
            Expr::Extract { high, low, .. } if low < high => {
                self.apply(Op::BvExtract { high: high - 1, low: *low }, args, sort)
            }
            Expr::Extract { .. } => self.unknown("a bit vector without bits", sort),
            Expr::Old(_) | Expr::Coerce { .. } | Expr::Let { .. } => {
                self.unknown("an expression out of place", sort)
            }
            Expr::Quant { .. } | Expr::Lambda { .. } => self.unknown("a binder out of place", sort),
        }
    }

    /// `op(args)`; an ill-sorted application is our own bug and makes the unit undecided.
    pub(super) fn apply(&mut self, op: Op, args: Vec<Term>, sort: Sort) -> Term {
        match Term::app_checked(op, args) {
            Ok(term) => term,
            Err(error) => self.unknown(format!("an expression ({error})"), sort),
        }
    }

    fn literal(&mut self, literal: &Literal, sort: Sort) -> Term {
        match literal {
            Literal::Bool(value) => Term::bool(*value),
            Literal::Int(value) => Term::int(value.clone()),
            Literal::Real { mantissa, exponent } => match decimal(mantissa, *exponent) {
                Some(value) => Term::real(value),
                None => self.unknown("a real number of this size", sort),
            },
            Literal::Bv { value, width } if *width > 0 => Term::bit_vec(value.clone(), *width),
            Literal::Bv { .. } => self.unknown("a bit vector without bits", sort),
            Literal::Float(_) => self.unknown("floating-point numbers", sort),
            Literal::RMode(_) => self.unknown("rounding modes", sort),
            Literal::String(_) => self.unknown("strings", sort),
        }
    }

    /// Equality of values of different sorts.
    ///
    /// Values of different types are never equal. But the body of a polymorphic procedure is proved
    /// once, with types of its own for its type parameters: different there says nothing about a
    /// call, where two parameters may stand for the same type.
    fn mixed_equality(&mut self, op: BinaryOp, [left, right]: &[Ty; 2]) -> Term {
        if may_coincide(left, right) {
            let (left, right) = (shown_type(left), shown_type(right));
            let what = format!("equality at `{left}` and `{right}`, which may be the same type");
            return self.unknown(what, Sort::Bool);
        }
        Term::bool(op == BinaryOp::Ne)
    }

    fn binary(&mut self, op: BinaryOp, mut args: Vec<Term>, sort: Sort) -> Term {
        match op {
            BinaryOp::Eq | BinaryOp::Iff => self.apply(Op::Eq, args, sort),
            BinaryOp::Ne => {
                let equal = self.apply(Op::Eq, args, Sort::Bool);
                self.apply(Op::Not, vec![equal], sort)
            }
            BinaryOp::Implies => self.apply(Op::Implies, args, sort),
            BinaryOp::And => self.apply(Op::And, args, sort),
            BinaryOp::Or => self.apply(Op::Or, args, sort),
            BinaryOp::Lt => self.apply(Op::Lt, args, sort),
            BinaryOp::Le => self.apply(Op::Le, args, sort),
            BinaryOp::Gt => self.apply(Op::Gt, args, sort),
            BinaryOp::Ge => self.apply(Op::Ge, args, sort),
            BinaryOp::Concat => self.apply(Op::BvConcat, args, sort),
            BinaryOp::Add => self.apply(Op::Add, args, sort),
            BinaryOp::Sub => self.apply(Op::Sub, args, sort),
            BinaryOp::Mul => self.apply(Op::Mul, args, sort),
            BinaryOp::Div => self.apply(Op::IntDiv, args, sort),
            BinaryOp::Mod => self.apply(Op::IntMod, args, sort),
            BinaryOp::RealDiv | BinaryOp::Pow => {
                for arg in &mut args {
                    if *arg.sort() == Sort::Int {
                        *arg = self.apply(Op::ToReal, vec![arg.clone()], Sort::Real);
                    }
                }
                let op = if op == BinaryOp::Pow { Op::Pow } else { Op::RealDiv };
                self.apply(op, args, sort)
            }
        }
    }

    /// A quantifier or lambda from the values of its parts.
    fn binder(&mut self, m: &mut Machine<'_>, id: ExprId) -> Term {
        let expr = m.exprs.expr(id);
        let mut values = m.take(parts_of_binder(expr).len()).into_iter();
        let Some(body) = values.next() else { return self.unknown("a binder", Sort::Bool) };
        let sort = self.sort(m.exprs.ty(id), m.env);
        if let Expr::Quant { type_params, .. } | Expr::Lambda { type_params, .. } = expr
            && !type_params.is_empty()
            && m.chosen != Some(id)
        {
            return self.unknown("a quantifier over types here", sort);
        }
        if let Expr::Lambda { bound, .. } = expr {
            return Term::lambda(Lambda { bound: bound_of(m, bound), body });
        }
        let Expr::Quant { quantifier, bound, triggers, attrs, .. } = expr else {
            return self.unknown("a binder", sort);
        };
        let kind = match quantifier {
            Quantifier::Forall => QuantKind::Forall,
            Quantifier::Exists => QuantKind::Exists,
        };
        let mut quant = Quant::new(kind, bound_of(m, bound), body);
        quant.weight = weight_of(m.exprs, attrs);
        for trigger in triggers.iter() {
            let terms: Vec<Term> = values.by_ref().take(trigger.exprs.len()).collect();
            if trigger.negative {
                quant.nopats.extend(terms);
            } else {
                quant.triggers.push(terms);
            }
        }
        let pools = attrs.pool_terms();
        quant.hints = (pools.into_iter().zip(values))
            .map(|((pool, _), term)| PoolHint { label: pool.into(), terms: vec![term] })
            .collect();
        Term::quant(quant)
    }
}

/// What has to be lowered inside a binder: body, triggers, pool instances.
fn parts_of_binder(expr: &Expr) -> Vec<ExprId> {
    if let Expr::Quant { triggers, attrs, body, .. } = expr {
        let triggers = triggers.iter().flat_map(|trigger| trigger.exprs.iter().copied());
        let hints = attrs.pool_terms().into_iter().map(|(_, id)| id);
        return [*body].into_iter().chain(triggers).chain(hints).collect();
    }
    if let Expr::Lambda { body, .. } = expr { vec![*body] } else { Vec::new() }
}

fn bind(m: &mut Machine<'_>, id: ExprId) {
    let Expr::Let { bound, values, .. } = m.exprs.expr(id) else { return };
    let terms = m.take(values.len());
    m.scope.bound.extend(bound.iter().copied().zip(terms));
}

fn bound_of(m: &Machine<'_>, bound: &[BoundId]) -> Vec<Bound> {
    let one = |id: &BoundId| {
        let var = m.scope.bound.get(id)?.as_var()?.clone();
        let pools = m.exprs.bound(*id).pools.iter().map(|pool| Symbol::from(pool.clone()));
        Some(Bound { var, pools: pools.collect() })
    };
    bound.iter().filter_map(one).collect()
}

fn weight_of(exprs: &Exprs, attrs: &hir::Attrs) -> u32 {
    let arg = attrs.find("weight").and_then(|attr| attr.args.first());
    if let Some(hir::AttrArg::Expr(id)) = arg
        && let Expr::Literal(Literal::Int(value)) = exprs.expr(*id)
    {
        return u32::try_from(value).unwrap_or(1);
    }
    1
}

/// `mantissa * 10^exponent`, within reason.
fn decimal(mantissa: &BigInt, exponent: i64) -> Option<BigRational> {
    let power = u32::try_from(exponent.unsigned_abs()).ok().filter(|power| *power <= 10_000)?;
    let ten = BigInt::from(10).pow(power);
    Some(if exponent < 0 {
        BigRational::new(mantissa.clone(), ten)
    } else {
        BigRational::from_integer(mantissa * ten)
    })
}
