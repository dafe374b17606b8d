//! What may stand in a trigger (language.md 4.2).

use base::{Name, NodePtr};
use syntax::ast::{self, AstNode};

use super::Lowering;
use crate::problem::{Fault, TriggerFault};
use crate::{BoundId, Expr, ExprId, Trigger};

impl Lowering<'_> {
    /// Complains if we are inside a trigger.
    pub(crate) fn check_trigger_operator(&mut self, ptr: NodePtr, fault: TriggerFault) {
        if self.in_trigger {
            self.problem(ptr, Fault::BadTrigger(fault));
        }
    }

    pub(crate) fn trigger(&mut self, node: &ast::Trigger, bound: &[BoundId]) -> Trigger {
        let outer = std::mem::replace(&mut self.in_trigger, true);
        let exprs: Vec<ExprId> = node.exprs().map(|expr| self.expr(&expr)).collect();
        self.in_trigger = outer;
        for expr in &exprs {
            let is_variable = matches!(
                self.exprs.expr(*expr),
                Expr::Bound(_) | Expr::Local(_) | Expr::Global(_) | Expr::Const(_)
            );
            if is_variable {
                self.problem(self.ptr(*expr), Fault::BadTrigger(TriggerFault::BareVariable));
            }
        }
        if !exprs.iter().any(|expr| self.is_error(*expr)) {
            for name in self.unmentioned(&exprs, bound) {
                let ptr = self.numbers.at(node.syntax(), node.l_curly_token());
                self.problem(ptr, Fault::BadTrigger(TriggerFault::Unmentioned(name)));
            }
        }
        Trigger { exprs: exprs.into(), negative: false }
    }

    fn unmentioned(&self, exprs: &[ExprId], bound: &[BoundId]) -> Vec<Name> {
        let mut seen = Vec::new();
        let mut todo = exprs.to_vec();
        while let Some(id) = todo.pop() {
            let expr = self.exprs.expr(id);
            if let Expr::Bound(var) = expr {
                seen.push(*var);
            }
            todo.extend(expr.children());
        }
        let missing = bound.iter().filter(|var| !seen.contains(var));
        missing.map(|var| self.exprs.bound(*var).name.clone()).collect()
    }
}
