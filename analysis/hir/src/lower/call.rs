//! Calls, in statements and in specifications (language.md 4.2, 5.3, 9.11).

use std::sync::Arc;

use base::{Name, NodePtr};
use syntax::ast::{self, AstNode};

use super::Lowering;
use crate::problem::{AsyncRule, Callee, CalleeRule, Fault, HighLayer};
use crate::{
    Arm, ArmPlaces, Expr, ExprId, LocalId, ProcKind, ProcSig, Stmt, StmtId, VarRef,
    infers_modifies, proc_sig,
};

impl Lowering<'_> {
    pub(crate) fn call_stmt(&mut self, node: &ast::Call) -> StmtId {
        let ptr = self.numbers.at(node.syntax(), node.call_token());
        let before = self.problems.len();
        let (mut arms, mut places) = (Vec::new(), Vec::new());
        for arm in node.call_arms() {
            let (arm, place) = self.arm(&arm, ptr, node.is_async());
            arms.push(arm);
            places.push(place);
        }
        if arms.len() > 1 && self.problems.len() == before {
            self.check_parallel(&arms, &places, ptr);
        }
        let (is_async, is_free) = (node.is_async(), node.free_token().is_some());
        let id = self.push_stmt(Stmt::Call { arms: arms.into(), is_async, is_free }, ptr);
        self.map.arms.insert(id, places.into());
        id
    }

    /// One arm; everything is reported at the keyword `call`.
    pub(crate) fn arm(
        &mut self,
        node: &ast::CallArm,
        ptr: NodePtr,
        is_async: bool,
    ) -> (Arm, ArmPlaces) {
        let name_ref = node.callee();
        let callee = Name::new(name_ref.as_ref().map(|it| it.text()).unwrap_or_default());
        let sig = proc_sig(self.db, self.program, callee.clone());
        if sig.is_none() && !callee.is_missing() {
            self.problem(ptr, Fault::UndeclaredProcedure { name: callee.clone() });
        }
        let attrs = self.attrs(node.attributes());
        let layers = self.layers(node.attributes());
        let list = node.arg_list();
        let args: Vec<ExprId> =
            list.iter().flat_map(|it| it.exprs()).map(|it| self.expr(&it)).collect();
        let (outs, out_places) = self.outs(node, ptr);
        let mut arm = Arm {
            callee,
            resolved: sig.is_some(),
            type_args: Box::default(),
            args: args.into(),
            outs: outs.iter().map(|(var, _)| var.clone()).collect(),
            layers,
            sync: attrs.has("sync"),
            attrs,
            primitive: sig.as_ref().and_then(|sig| sig.primitive),
        };
        if let Some(sig) = sig {
            let outs: Vec<ExprId> = outs.iter().map(|(_, expr)| *expr).collect();
            self.check_arm(&mut arm, &outs, &sig, (ptr, is_async));
        }
        let places = ArmPlaces {
            arm: self.numbers.node(node.syntax()),
            callee: self.numbers.node(name_ref.as_ref().map_or(node.syntax(), |it| it.syntax())),
            outs: out_places.into(),
        };
        (arm, places)
    }

    fn outs(&mut self, node: &ast::CallArm, ptr: NodePtr) -> (Vec<(VarRef, ExprId)>, Vec<NodePtr>) {
        let (mut outs, mut places): (Vec<(VarRef, ExprId)>, Vec<NodePtr>) = Default::default();
        for name in node.outs() {
            let (var, expr, place) = self.written(&name);
            self.check_constant(&name, expr, ptr);
            self.check_assigned(&var, ptr);
            if var != VarRef::Error && outs.iter().any(|(it, _)| *it == var) {
                self.problem(ptr, Fault::CallResultTwice { name: Name::new(name.text()) });
            }
            outs.push((var, expr));
            places.push(place);
        }
        (outs, places)
    }

    fn check_arm(
        &mut self,
        arm: &mut Arm,
        outs: &[ExprId],
        sig: &Arc<ProcSig>,
        (ptr, is_async): (NodePtr, bool),
    ) {
        let callee = || arm.callee.clone();
        let counts = [(false, sig.ins.len(), arm.args.len()), (true, sig.outs.len(), outs.len())];
        for (results, expected, found) in counts {
            if expected != found {
                let (callee, declared) = (callee(), self.declared(sig.decl));
                let fault = Fault::CallArity { callee, results, expected, found, declared };
                self.problem(ptr, fault);
                return;
            }
        }
        if is_async && !sig.outs.is_empty() {
            let (callee, declared) = (callee(), self.declared(sig.decl));
            self.problem(ptr, Fault::AsyncResults { callee, declared });
            return;
        }
        self.check_call_layers(arm, ptr);
        self.check_statement_id(&arm.attrs, ptr);
        self.check_callee(sig, ptr, is_async);
        self.check_callee_modifies(arm, sig, ptr, is_async);
        self.check_arm_types(arm, outs, sig, ptr);
    }

    fn check_call_layers(&mut self, arm: &Arm, ptr: NodePtr) {
        let Some(owner) = self.owner.clone().filter(|it| it.is_yield_procedure()) else { return };
        let (Some(limit), Some(found)) = (owner.layer(), arm.layers.max()) else { return };
        if arm.layers.as_slice().len() > 2 {
            self.problem(ptr, Fault::CallLayers);
        } else if found > limit {
            self.problem(ptr, Fault::LayerTooHigh { what: HighLayer::Call, found, limit });
        }
    }

    /// Who may call whom, as far as resolution decides it.
    fn check_callee(&mut self, sig: &ProcSig, ptr: NodePtr, is_async: bool) {
        let Some(owner) = self.owner.clone() else { return };
        let procedures_only = owner.is_plain_or_pure_procedure();
        let mut rules = Vec::new();
        if procedures_only && !sig.is_plain_or_pure_procedure() {
            rules.push(CalleeRule::ProcedureCallsProcedure);
        }
        if owner.is_pure() && !sig.is_pure() {
            rules.push(CalleeRule::PureCallsPure);
        }
        let fine = sig.is_pure() || sig.is_yield_procedure() || sig.is_invariant();
        if owner.is_yield_procedure() && !fine {
            rules.push(CalleeRule::YieldProcedureCalls);
        }
        for rule in rules {
            let (callee, declared) = (sig.name.clone(), self.declared(sig.decl));
            self.problem(ptr, Fault::CalleeKind { rule, callee, declared });
        }
        if !is_async {
            return;
        }
        let rule = match owner.kind {
            ProcKind::Action { .. } => (!sig.is_action()).then_some(AsyncRule::TargetAction),
            ProcKind::Yield => {
                (!sig.is_yield_procedure()).then_some(AsyncRule::TargetYieldProcedure)
            }
            ProcKind::Plain | ProcKind::Pure | ProcKind::Invariant { .. } => {
                Some(AsyncRule::Caller)
            }
        };
        if let Some(rule) = rule {
            let (callee, declared) = (sig.name.clone(), self.declared(sig.decl));
            self.problem(ptr, Fault::AsyncTarget { rule, callee, declared });
        }
    }

    /// Without inference, what the callee may modify the caller must be allowed to modify.
    fn check_callee_modifies(&mut self, arm: &Arm, sig: &ProcSig, ptr: NodePtr, is_async: bool) {
        if infers_modifies(self.db, self.program) || (is_async && !arm.sync) {
            return;
        }
        for name in sig.modifies.iter() {
            self.check_modifies(name, ptr);
        }
    }

    fn check_arm_types(&mut self, arm: &mut Arm, outs: &[ExprId], sig: &ProcSig, ptr: NodePtr) {
        let subst = self.instantiate(&sig.type_params, ptr);
        for (number, (param, arg)) in sig.ins.iter().zip(&arm.args).enumerate() {
            let (expected, found) = (param.ty.subst(&subst), self.ty(*arg));
            if !self.infer.unify(&expected, &found) {
                let of = Callee::Procedure(sig.name.clone());
                let (expected, found) = (self.infer.resolve(&expected), self.shown(*arg));
                let (at, declared) = (self.ptr(*arg), self.declared(sig.decl));
                self.problem(at, Fault::ArgumentType { of, number, expected, found, declared });
            }
        }
        for (number, (param, out)) in sig.outs.iter().zip(outs).enumerate() {
            let (expected, found) = (param.ty.subst(&subst), self.ty(*out));
            if !self.infer.unify(&expected, &found) {
                let callee = sig.name.clone();
                let (expected, found) = (self.infer.resolve(&expected), self.shown(*out));
                let (at, declared) = (self.ptr(*out), self.declared(sig.decl));
                self.problem(at, Fault::ResultType { callee, number, expected, found, declared });
            }
        }
        arm.type_args = sig.type_params.iter().map(|it| subst[it].clone()).collect();
    }

    /// Arms of a parallel call must not write what another arm writes or reads.
    fn check_parallel(&mut self, arms: &[Arm], places: &[ArmPlaces], ptr: NodePtr) {
        let reads: Vec<Vec<VarRef>> = arms.iter().map(|arm| self.variables(&arm.args)).collect();
        let mut written: Vec<(VarRef, NodePtr)> = Vec::new();
        for (number, (arm, place)) in arms.iter().zip(places).enumerate() {
            for (var, at) in arm.outs.iter().zip(&place.outs) {
                if *var == VarRef::Error {
                    continue;
                }
                let name = self.var_name(var);
                let twin = written.iter().find(|(it, _)| it == var).map(|(_, at)| *at);
                let mut others = reads.iter().enumerate().filter(|(other, _)| *other != number);
                let is_read = others.any(|(_, vars)| vars.contains(var));
                if let Some(first) = twin {
                    let first = Some(self.place(first));
                    self.problem(ptr, Fault::ParallelResultTwice { name, first });
                } else if is_read {
                    let written = Some(self.place(*at));
                    self.problem(ptr, Fault::ParallelResultRead { name, written });
                } else {
                    written.push((var.clone(), *at));
                }
            }
        }
    }

    fn var_name(&self, var: &VarRef) -> Name {
        match var {
            VarRef::Local(LocalId(id)) => self.locals[*id as usize].name.clone(),
            VarRef::Global(name) => name.clone(),
            VarRef::Error => Name::missing(),
        }
    }

    /// The variables of the program that occur in expressions.
    fn variables(&self, exprs: &[ExprId]) -> Vec<VarRef> {
        let mut out = Vec::new();
        let mut todo = exprs.to_vec();
        while let Some(id) = todo.pop() {
            let expr = self.exprs.expr(id);
            if matches!(expr, Expr::Local(_) | Expr::Global(_)) {
                out.push(self.root_of(id));
            }
            todo.extend(expr.children());
        }
        out
    }
}
