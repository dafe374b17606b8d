//! Quantifiers, lambdas and lets.

use std::sync::Arc;

use base::Name;
use syntax::ast::{self, AstNode, QuantKind};

use super::Lowering;
use crate::attrs::raw_attrs;
use crate::problem::{Fault, TriggerFault};
use crate::types::mentions;
use crate::{Attr, Attrs, BoundId, Expr, ExprId, MapTy, Quantifier, Trigger, Ty};

impl Lowering<'_> {
    pub(crate) fn quantifier(&mut self, node: &ast::QuantExpr) -> ExprId {
        let ptr = self.numbers.at(node.syntax(), node.quantifier_token());
        self.check_trigger_operator(ptr, TriggerFault::Quantifier);
        let (scope, types) = (self.binders.len(), self.type_params.len());
        let type_params = self.declare_type_params(node.type_params());
        let bound = self.bound_vars(node.bound_vars());
        let triggers: Vec<Trigger> =
            node.triggers().map(|trigger| self.trigger(&trigger, &bound)).collect();
        let (attrs, negative) = self.binder_attrs(node.attributes());
        let body = self.optional_expr(node.expr(), node.syntax());
        self.binders.truncate(scope);
        self.type_params.truncate(types);
        let found = self.ty(body);
        if !self.infer.unify(&found, &Ty::Bool) {
            let ty = self.shown(body);
            self.problem(ptr, Fault::QuantifierBody { ty });
        }
        self.check_quantified_types(&type_params, &bound, &triggers, ptr);
        let quantifier = match node.kind() {
            Some(QuantKind::Exists) => Quantifier::Exists,
            Some(QuantKind::Forall) | None => Quantifier::Forall,
        };
        let expr = Expr::Quant {
            quantifier,
            type_params: type_params.to_vec().into(),
            bound: bound.into(),
            triggers: triggers.into_iter().chain(negative).collect(),
            attrs,
            body,
        };
        self.alloc(expr, Ty::Bool, ptr)
    }

    /// A quantified type variable must be determined by the bound variables, or else by each trigger.
    fn check_quantified_types(
        &mut self,
        params: &[Name],
        bound: &[BoundId],
        triggers: &[Trigger],
        ptr: base::NodePtr,
    ) {
        for param in params {
            let in_bound = bound.iter().any(|var| mentions(&self.exprs.bound(*var).ty, param));
            let in_trigger = |trigger: &Trigger| {
                trigger.exprs.iter().any(|expr| self.mentions_type(*expr, param))
            };
            if !in_bound && !triggers.is_empty() && !triggers.iter().all(in_trigger) {
                self.problem(ptr, Fault::QuantifierTypeVariable { name: param.clone() });
            }
        }
    }

    fn mentions_type(&self, expr: ExprId, param: &Name) -> bool {
        let mut todo = vec![expr];
        while let Some(id) = todo.pop() {
            if mentions(&self.shown(id), param) {
                return true;
            }
            todo.extend(self.exprs.expr(id).children());
        }
        false
    }

    pub(crate) fn lambda(&mut self, node: &ast::LambdaExpr) -> ExprId {
        let ptr = self.numbers.at(node.syntax(), node.lambda_token());
        let (scope, types) = (self.binders.len(), self.type_params.len());
        let params = self.declare_type_params(node.type_params());
        let bound = self.bound_vars(node.bound_vars());
        let (attrs, _) = self.binder_attrs(node.attributes());
        let body = self.optional_expr(node.expr(), node.syntax());
        self.binders.truncate(scope);
        self.type_params.truncate(types);
        let args: Arc<[Ty]> = bound.iter().map(|var| self.exprs.bound(*var).ty.clone()).collect();
        for param in params.iter() {
            if !args.iter().any(|ty| mentions(ty, param)) {
                self.problem(ptr, Fault::LambdaTypeVariable { name: param.clone() });
            }
        }
        let result = self.ty(body);
        let ty = if result == Ty::Error {
            Ty::Error
        } else {
            Ty::Map(Arc::new(MapTy { params: params.clone(), args, result }))
        };
        let type_params = params.to_vec().into();
        self.alloc(Expr::Lambda { type_params, bound: bound.into(), attrs, body }, ty, ptr)
    }

    pub(crate) fn let_expr(&mut self, node: &ast::LetExpr) -> ExprId {
        let ptr = self.numbers.at(node.syntax(), node.var_token());
        let inits = node.let_inits();
        let values: Vec<ExprId> =
            inits.iter().flat_map(|it| it.exprs()).map(|it| self.expr(&it)).collect();
        let vars: Vec<ast::LetVar> =
            node.let_binders().iter().flat_map(|it| it.let_vars()).collect();
        if vars.len() != values.len() {
            let (targets, values) = (vars.len(), values.len());
            self.problem(ptr, Fault::AssignmentArity { targets, values });
        }
        let scope = self.binders.len();
        let mut bound = Vec::new();
        for (number, var) in vars.iter().enumerate() {
            let ty = values.get(number).map_or(Ty::Error, |value| self.ty(*value));
            bound.extend(var.name().map(|name| self.declare_bound(&name, ty, scope)));
        }
        let attrs = self.attrs(node.attributes());
        let body = self.optional_expr(node.expr(), node.syntax());
        self.binders.truncate(scope);
        let ty = self.ty(body);
        self.alloc(Expr::Let { bound: bound.into(), values: values.into(), attrs, body }, ty, ptr)
    }

    /// Brings a bound variable into scope; complains if the same binder has the name already.
    fn declare_bound(&mut self, node: &ast::Name, ty: Ty, scope: usize) -> BoundId {
        let name = Name::new(node.text());
        let ptr = self.numbers.node(node.syntax());
        let twin = self.binders[scope..].iter().find(|(it, _)| *it == name).map(|(_, id)| *id);
        if let Some(id) = twin {
            let first = Some(self.place(self.map.bound[id.index()]));
            let fault = Fault::DuplicateLocal { noun: "variable", name: name.clone(), first };
            self.problem(ptr, fault);
        }
        let id = self.bound(name.clone(), ty, ptr);
        self.binders.push((name, id));
        id
    }

    fn bound_vars(&mut self, node: Option<ast::BoundVars>) -> Vec<BoundId> {
        let scope = self.binders.len();
        let mut out = Vec::new();
        for group in node.iter().flat_map(|it| it.param_groups()) {
            let ty = self.lower_type(group.ty());
            let pools: Box<[_]> = raw_attrs(group.attributes()).strings("pool").cloned().collect();
            for name in group.names() {
                let id = self.declare_bound(&name, ty.clone(), scope);
                self.exprs.bound[id.index()].pools = pools.clone();
                out.push(id);
            }
        }
        out
    }

    /// Attributes of a binder; `{:nopats e}` becomes a negative trigger.
    fn binder_attrs(
        &mut self,
        nodes: impl Iterator<Item = ast::Attribute>,
    ) -> (Attrs, Vec<Trigger>) {
        let attrs = self.attrs(nodes);
        let (mut kept, mut negative): (Vec<Attr>, Vec<Trigger>) = (Vec::new(), Vec::new());
        for attr in attrs.0 {
            if attr.name == "nopats" {
                let exprs = attr.args.iter().filter_map(|arg| match arg {
                    crate::AttrArg::Expr(expr) => Some(*expr),
                    crate::AttrArg::String(_) => None,
                });
                negative.push(Trigger { exprs: exprs.collect(), negative: true });
            } else {
                kept.push(attr);
            }
        }
        (Attrs(kept.into()), negative)
    }
}
