//! Applications: operators, functions, maps, fields (typing rules of language.md 2.1 and 5.3).

use base::{Name, NodePtr};
use syntax::ast::{self, ArithOp, AstNode, CompareOp, LogicOp};

use super::{Lowering, OpenType};
use crate::problem::{Callee, Fault, TriggerFault};
use crate::{
    BinaryOp, Datatype, Expr, ExprId, MapTy, Ty, TySubst, datatype, decl_place, func_sig,
    lookup_type,
};

/// Text of an operator.
pub fn operator_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Iff => "<==>",
        BinaryOp::Implies => "==>",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Concat => "++",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "div",
        BinaryOp::Mod => "mod",
        BinaryOp::RealDiv => "/",
        BinaryOp::Pow => "**",
    }
}

/// The operator and whether its operands are swapped.
fn lower_op(op: ast::BinaryOp) -> (BinaryOp, bool) {
    let op = match op {
        ast::BinaryOp::Concat => BinaryOp::Concat,
        ast::BinaryOp::Logic(op) => match op {
            LogicOp::Iff => BinaryOp::Iff,
            LogicOp::Implies => BinaryOp::Implies,
            LogicOp::Explies => return (BinaryOp::Implies, true),
            LogicOp::And => BinaryOp::And,
            LogicOp::Or => BinaryOp::Or,
        },
        ast::BinaryOp::Compare(op) => match op {
            CompareOp::Eq => BinaryOp::Eq,
            CompareOp::Neq => BinaryOp::Ne,
            CompareOp::Lt => BinaryOp::Lt,
            CompareOp::Le => BinaryOp::Le,
            CompareOp::Gt => BinaryOp::Gt,
            CompareOp::Ge => BinaryOp::Ge,
        },
        ast::BinaryOp::Arith(op) => match op {
            ArithOp::Add => BinaryOp::Add,
            ArithOp::Sub => BinaryOp::Sub,
            ArithOp::Mul => BinaryOp::Mul,
            ArithOp::Div => BinaryOp::Div,
            ArithOp::Mod => BinaryOp::Mod,
            ArithOp::RealDiv => BinaryOp::RealDiv,
            ArithOp::Pow => BinaryOp::Pow,
        },
    };
    (op, false)
}

impl Lowering<'_> {
    /// `a op b op c ..`: chains lean left and may be long, so they are not walked recursively.
    pub(crate) fn binary_chain(&mut self, node: &ast::BinaryExpr) -> ExprId {
        let mut spine = vec![node.clone()];
        while let Some(ast::Expr::BinaryExpr(inner)) = spine.last().and_then(|it| it.lhs()) {
            spine.push(inner);
        }
        let mut left = match spine.last().and_then(|it| it.lhs()) {
            Some(first) => self.expr(&first),
            None => self.missing(node.syntax()),
        };
        for node in spine.iter().rev() {
            let right = self.optional_expr(node.rhs(), node.syntax());
            left = self.binary(node, left, right);
        }
        left
    }

    fn binary(&mut self, node: &ast::BinaryExpr, left: ExprId, right: ExprId) -> ExprId {
        let ptr = self.numbers.at(node.syntax(), node.op_token());
        let Some(op) = node.op() else { return self.missing(node.syntax()) };
        let (op, swapped) = lower_op(op);
        if let Some(fault) = trigger_fault(op) {
            self.check_trigger_operator(ptr, fault);
        }
        let (a, b) = (self.ty(left), self.ty(right));
        let ty = if a == Ty::Error || b == Ty::Error {
            error_or_bool(op)
        } else {
            self.binary_type(op, &a, &b).unwrap_or_else(|| {
                let (lhs, rhs) = (self.shown(left), self.shown(right));
                self.problem(ptr, Fault::BinaryTypes { op: operator_text(op), lhs, rhs });
                Ty::Error
            })
        };
        let (lhs, rhs) = if swapped { (right, left) } else { (left, right) };
        self.alloc(Expr::Binary { op, lhs, rhs }, ty, ptr)
    }

    /// Type of `a op b`; nothing if the operator does not take such operands.
    fn binary_type(&mut self, op: BinaryOp, a: &Ty, b: &Ty) -> Option<Ty> {
        let mut both = |ty: &Ty| self.infer.unify(a, ty) && self.infer.unify(b, ty);
        match op {
            BinaryOp::Iff | BinaryOp::Implies | BinaryOp::And | BinaryOp::Or => {
                both(&Ty::Bool).then_some(Ty::Bool)
            }
            BinaryOp::Eq | BinaryOp::Ne => self.infer.comparable(a, b).then_some(Ty::Bool),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.numeric(a, b).map(|_| Ty::Bool)
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.numeric(a, b),
            BinaryOp::Div | BinaryOp::Mod => both(&Ty::Int).then_some(Ty::Int),
            BinaryOp::RealDiv => self.quotient(a, b),
            BinaryOp::Pow => both(&Ty::Real).then_some(Ty::Real),
            BinaryOp::Concat => match (a, b) {
                (Ty::Bv(m), Ty::Bv(n)) => m.checked_add(*n).map(Ty::Bv),
                _other => None,
            },
        }
    }

    /// Both int, both real or both the same float.
    fn numeric(&mut self, a: &Ty, b: &Ty) -> Option<Ty> {
        let ty = match (a, b) {
            (Ty::Real, _) | (_, Ty::Real) => Ty::Real,
            (Ty::Float(..), _) => a.clone(),
            (_, Ty::Float(..)) => b.clone(),
            _other => Ty::Int,
        };
        (self.infer.unify(a, &ty) && self.infer.unify(b, &ty)).then_some(ty)
    }

    /// `/`: integers and reals in any mixture give a real; floats give a float.
    fn quotient(&mut self, a: &Ty, b: &Ty) -> Option<Ty> {
        if matches!(a, Ty::Float(..)) || matches!(b, Ty::Float(..)) {
            return self.infer.unify(a, b).then(|| self.infer.resolve(a));
        }
        for ty in [a, b] {
            if *ty != Ty::Real && !self.infer.unify(ty, &Ty::Int) {
                return None;
            }
        }
        Some(Ty::Real)
    }

    /// `f(args)`: a function or a constructor.
    pub(crate) fn application(&mut self, node: &ast::CallExpr) -> ExprId {
        let name_ref = node.name_ref();
        let name = Name::new(name_ref.as_ref().map(|it| it.text()).unwrap_or_default());
        let token = name_ref.and_then(|it| it.ident_token());
        let ptr = self.numbers.at(node.syntax(), token);
        let list = node.arg_list();
        let args: Vec<ExprId> =
            list.iter().flat_map(|it| it.exprs()).map(|it| self.expr(&it)).collect();
        self.apply(&name, args, ptr)
    }

    /// The function of this name applied to lowered arguments.
    pub(crate) fn apply(&mut self, name: &Name, args: Vec<ExprId>, ptr: NodePtr) -> ExprId {
        let Some(sig) = func_sig(self.db, self.program, name.clone()) else {
            if !name.is_missing() {
                self.problem(ptr, Fault::UndeclaredFunction { name: name.clone() });
            }
            return self.alloc(Expr::Missing, Ty::Error, ptr);
        };
        let declared = || Some(decl_place(self.db, sig.decl));
        if sig.params.len() != args.len() {
            let (expected, found, declared) = (sig.params.len(), args.len(), declared());
            let func = name.clone();
            self.problem(ptr, Fault::FunctionArity { func, expected, found, declared });
            return self.alloc(Expr::Missing, Ty::Error, ptr);
        }
        let subst = self.instantiate(&sig.type_params, ptr);
        let mut failed = args.iter().any(|arg| self.is_error(*arg));
        for (number, (param, arg)) in sig.params.iter().zip(&args).enumerate() {
            let expected = param.ty.subst(&subst);
            let found = self.ty(*arg);
            if !self.infer.unify(&expected, &found) {
                failed = true;
                let (expected, found) = (self.infer.resolve(&expected), self.shown(*arg));
                let (of, declared) = (Callee::Function(name.clone()), declared());
                let at = self.ptr(*arg);
                self.problem(at, Fault::ArgumentType { of, number, expected, found, declared });
            }
        }
        let ty = if failed { Ty::Error } else { sig.result.subst(&subst) };
        let type_args = sig.type_params.iter().map(|it| subst[it].clone()).collect();
        self.alloc(Expr::Call { func: name.clone(), type_args, args: args.into() }, ty, ptr)
    }

    /// Unknown types for type parameters, remembered so that each is determined in the end.
    pub(crate) fn instantiate(&mut self, params: &[Name], ptr: NodePtr) -> TySubst {
        let subst = self.infer.instantiate(params);
        let place = self.place(ptr);
        for param in params {
            if let Some(Ty::Infer(var)) = subst.get(param) {
                self.open.push(OpenType { param: param.clone(), var: *var, place });
            }
        }
        subst
    }

    pub(crate) fn index(&mut self, node: &ast::IndexExpr) -> ExprId {
        let map = self.optional_expr(node.expr(), node.syntax());
        let list = node.index_args();
        let bracket = list.as_ref().and_then(|it| it.l_brack_token());
        let ptr = self.numbers.at(node.syntax(), bracket);
        let indices: Vec<ExprId> =
            list.iter().flat_map(|it| it.exprs()).map(|it| self.expr(&it)).collect();
        self.select(map, indices, ptr)
    }

    /// `map[indices]` of lowered parts.
    pub(crate) fn select(&mut self, map: ExprId, indices: Vec<ExprId>, ptr: NodePtr) -> ExprId {
        let (ty, type_args) = match self.access(map, &indices, ptr) {
            Some((_, result, type_args)) => (result, type_args),
            None => (Ty::Error, Box::default()),
        };
        self.alloc(Expr::Select { map, indices: indices.into(), type_args }, ty, ptr)
    }

    pub(crate) fn store(&mut self, node: &ast::StoreExpr) -> ExprId {
        let map = self.optional_expr(node.base(), node.syntax());
        let list = node.store_args();
        let bracket = list.as_ref().and_then(|it| it.l_brack_token());
        let ptr = self.numbers.at(node.syntax(), bracket);
        let indices: Vec<ExprId> =
            list.iter().flat_map(|it| it.indices()).map(|it| self.expr(&it)).collect();
        let value = self.optional_expr(list.and_then(|it| it.value()), node.syntax());
        let (mut ty, mut args) = (Ty::Error, Box::default());
        if let Some((map_ty, result, type_args)) = self.access(map, &indices, ptr) {
            let found = self.ty(value);
            args = type_args;
            if self.infer.unify(&result, &found) {
                ty = map_ty;
            } else {
                let (expected, found) = (self.infer.resolve(&result), self.shown(value));
                let at = self.ptr(value);
                self.problem(at, Fault::StoredType { expected, found });
            }
        }
        let indices = indices.into();
        self.alloc(Expr::Store { map, indices, value, type_args: args }, ty, ptr)
    }

    /// Checks indices against the type of a map. Gives the map type, the type of the element, and
    /// what the map's own type parameters stand for.
    fn access(
        &mut self,
        map: ExprId,
        indices: &[ExprId],
        ptr: NodePtr,
    ) -> Option<(Ty, Ty, Box<[Ty]>)> {
        let mut map_ty = self.ty(map);
        if matches!(map_ty, Ty::Infer(_)) {
            let args: Vec<Ty> = indices.iter().map(|_| self.infer.fresh()).collect();
            let shape = Ty::map(args, self.infer.fresh());
            self.infer.unify(&map_ty, &shape);
            map_ty = shape;
        }
        let failed = indices.iter().any(|index| self.is_error(*index));
        let Ty::Map(parts) = &map_ty else {
            if map_ty != Ty::Error {
                let ty = self.shown(map);
                self.problem(ptr, Fault::NotAMap { ty });
            }
            return None;
        };
        let parts = parts.clone();
        if parts.args.len() != indices.len() {
            let (expected, found) = (parts.args.len(), indices.len());
            self.problem(ptr, Fault::MapArity { expected, found });
            return None;
        }
        let subst = self.instantiate(&parts.params, ptr);
        let fits = self.check_indices(&parts, &subst, indices);
        let type_args = parts.params.iter().map(|it| subst[it].clone()).collect();
        (fits && !failed).then(|| (map_ty, parts.result.subst(&subst), type_args))
    }

    fn check_indices(&mut self, parts: &MapTy, subst: &TySubst, indices: &[ExprId]) -> bool {
        let mut fits = true;
        for (number, (ty, index)) in parts.args.iter().zip(indices).enumerate() {
            let (expected, found) = (ty.subst(subst), self.ty(*index));
            if !self.infer.unify(&expected, &found) {
                fits = false;
                let (expected, found) = (self.infer.resolve(&expected), self.shown(*index));
                let at = self.ptr(*index);
                self.problem(at, Fault::IndexType { number, expected, found });
            }
        }
        fits
    }

    pub(crate) fn extract(&mut self, node: &ast::ExtractExpr) -> ExprId {
        let base = self.optional_expr(node.expr(), node.syntax());
        let ptr = self.numbers.at(node.syntax(), node.l_brack_token());
        let bound = |token: Option<syntax::SyntaxToken>| token?.text().parse::<u32>().ok();
        let (Some(high), Some(low)) = (bound(node.high()), bound(node.low())) else {
            self.problem(ptr, Fault::ExtractBounds { reason: "the bounds must be small numbers" });
            return self.missing(node.syntax());
        };
        let found = self.ty(base);
        let ty = match (high.checked_sub(low), &found) {
            (None, _) => {
                let reason = "the first bound must not be below the second";
                self.problem(ptr, Fault::ExtractBounds { reason });
                Ty::Error
            }
            (Some(width), Ty::Bv(size)) if high <= *size => Ty::Bv(width),
            (Some(_), Ty::Error) => Ty::Error,
            (Some(_), _) => {
                let ty = self.shown(base);
                self.problem(ptr, Fault::ExtractOperand { width: high, ty });
                Ty::Error
            }
        };
        self.alloc(Expr::Extract { base, high, low }, ty, ptr)
    }

    pub(crate) fn field(&mut self, node: &ast::FieldExpr) -> ExprId {
        let base = self.optional_expr(node.expr(), node.syntax());
        let ptr = self.numbers.at(node.syntax(), node.arrow_token());
        let name_ref = node.name_ref();
        let member = self.numbers.node(name_ref.as_ref().map_or(node.syntax(), |it| it.syntax()));
        let field = Name::new(name_ref.map(|it| it.text()).unwrap_or_default());
        self.field_of(base, field, ptr, member)
    }

    /// `base->field` of a lowered base.
    pub(crate) fn field_of(
        &mut self,
        base: ExprId,
        field: Name,
        ptr: NodePtr,
        member: NodePtr,
    ) -> ExprId {
        let ty = self.field_type(base, &field, member).unwrap_or(Ty::Error);
        let id = self.alloc(Expr::Field { base, field }, ty, ptr);
        self.map.members.insert(id, member);
        id
    }

    /// The type of a field of `base`, whose datatype must be known by now.
    fn field_type(&mut self, base: ExprId, field: &Name, member: NodePtr) -> Option<Ty> {
        let (datatype, subst) = self.datatype_of(base, member)?;
        if let Some(ty) = datatype.field_ty(field) {
            return Some(ty.subst(&subst));
        }
        if !field.is_missing() {
            let (ty, field) = (self.shown(base), field.clone());
            let declared = self.declared(datatype.decl);
            self.problem(member, Fault::UnknownField { ty, field, declared });
        }
        None
    }

    /// The datatype an expression belongs to, and what its parameters stand for.
    fn datatype_of(
        &mut self,
        base: ExprId,
        ptr: NodePtr,
    ) -> Option<(std::sync::Arc<Datatype>, TySubst)> {
        let ty = self.ty(base);
        if ty == Ty::Error {
            return None;
        }
        let found = ty.as_ctor().and_then(|(name, args)| {
            lookup_type(self.db, self.program, name.clone())?;
            let datatype = datatype(self.db, self.program, name.clone())?;
            let subst = datatype.subst(args);
            Some((datatype, subst))
        });
        if found.is_none() {
            let ty = self.shown(base);
            self.problem(ptr, Fault::NotADatatype { ty });
        }
        found
    }

    pub(crate) fn field_update(&mut self, node: &ast::FieldUpdateExpr) -> ExprId {
        let base = self.optional_expr(node.base(), node.syntax());
        let ptr = self.numbers.at(node.syntax(), node.arrow_token());
        let value = self.optional_expr(node.value(), node.syntax());
        let name_ref = node.name_ref();
        let member = self.numbers.node(name_ref.as_ref().map_or(node.syntax(), |it| it.syntax()));
        let field = Name::new(name_ref.map(|it| it.text()).unwrap_or_default());
        let mut ty = Ty::Error;
        if let Some(expected) = self.field_type(base, &field, member) {
            let found = self.ty(value);
            ty = self.ty(base);
            if !self.infer.unify(&expected, &found) {
                let (expected, found) = (self.infer.resolve(&expected), self.shown(value));
                let field = field.clone();
                self.problem(member, Fault::UpdatedFieldType { field, expected, found });
                ty = Ty::Error;
            }
        }
        let id = self.alloc(Expr::FieldUpdate { base, field, value }, ty, ptr);
        self.map.members.insert(id, member);
        id
    }

    pub(crate) fn is(&mut self, node: &ast::IsExpr) -> ExprId {
        let base = self.optional_expr(node.expr(), node.syntax());
        let ptr = self.numbers.at(node.syntax(), node.is_token());
        let name_ref = node.name_ref();
        let member = self.numbers.node(name_ref.as_ref().map_or(node.syntax(), |it| it.syntax()));
        let ctor = Name::new(name_ref.map(|it| it.text()).unwrap_or_default());
        if let Some((datatype, _)) = self.datatype_of(base, member)
            && datatype.ctor(&ctor).is_none()
            && !ctor.is_missing()
        {
            let (ty, declared) = (self.shown(base), self.declared(datatype.decl));
            let ctor = ctor.clone();
            self.problem(member, Fault::UnknownConstructor { ty, ctor, declared });
        }
        let id = self.alloc(Expr::Is { base, ctor }, Ty::Bool, ptr);
        self.map.members.insert(id, member);
        id
    }
}

/// After an error in an operand: what still can be said about the type.
fn error_or_bool(op: BinaryOp) -> Ty {
    match op {
        BinaryOp::Iff | BinaryOp::Implies | BinaryOp::And | BinaryOp::Or => Ty::Bool,
        BinaryOp::Eq | BinaryOp::Ne => Ty::Bool,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Ty::Bool,
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => Ty::Error,
        BinaryOp::RealDiv | BinaryOp::Pow | BinaryOp::Concat => Ty::Error,
    }
}

/// Operators that a trigger must not contain.
fn trigger_fault(op: BinaryOp) -> Option<TriggerFault> {
    match op {
        BinaryOp::Iff | BinaryOp::Implies | BinaryOp::And | BinaryOp::Or => {
            Some(TriggerFault::BooleanOperator)
        }
        BinaryOp::Eq => Some(TriggerFault::Equality),
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Some(TriggerFault::Comparison),
        BinaryOp::Ne | BinaryOp::Concat | BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => None,
        BinaryOp::Div | BinaryOp::Mod | BinaryOp::RealDiv | BinaryOp::Pow => None,
    }
}
