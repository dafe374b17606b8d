//! Calls as steps of a layer.
//!
//! **In:** a call statement. **Out:** for each arm, what the callee is at this layer:
//!
//! | callee at the layer ([`CalleeAt`]) | becomes |
//! | --- | --- |
//! | nothing, started Skip | nothing |
//! | pure | its code, or one action if it touches globals in several steps |
//! | invariant | a yield with a claim |
//! | action | an action |
//! | Skip | arbitrary results |
//! | code, mover procedure | a call |
//! | started code | a new thread |
//!
//! Arms of one call that are left and are more than one stand in one parallel step.

use std::sync::Arc;

use base::Place;
use discipline::standing::{CalleeAt, callee_at};
use hir::{AttrArg, ProcSig, Stmt, StmtId};
use ir::layer::{Act, Arm, Call, Step};
use ir::{Sort, Symbol, Term, Var};

use super::contracts::{self, Carries};
use super::procedures::Body;
use crate::claim::Claim;

impl Body<'_, '_> {
    pub(super) fn call(&mut self, id: StmtId) {
        let text = self.text;
        let Stmt::Call { arms, is_async, .. } = text.body.stmt(id) else { return };
        let place = text.map.stmt(id);
        let mut running = Vec::new();
        let mut events = Vec::new();
        for arm in arms {
            let sig = self.code.world.proc_sig(&arm.callee).filter(|_| arm.resolved);
            let fits = |sig: &Arc<ProcSig>| {
                sig.ins.len() == arm.args.len() && sig.outs.len() == arm.outs.len()
            };
            let Some(sig) = sig.filter(fits) else {
                self.code.lowering.unsupported(format!("a call of `{}`", arm.callee));
                continue;
            };
            let (db, program) = (self.code.world.db, self.code.world.program);
            let at = callee_at(db, program, &sig, (arm, *is_async), self.code.layer);
            if !matches!(at, CalleeAt::Nothing) {
                events.extend(self.event(arm, place));
            }
            match at {
                CalleeAt::Nothing | CalleeAt::StartedSkip => {}
                CalleeAt::Pure if arms.len() > 1 => {
                    self.code.lowering.unsupported("a pure call beside other calls");
                }
                CalleeAt::Pure => self.pure_call(id),
                CalleeAt::Invariant => {
                    let env = self.env.clone();
                    let args = self.code.lowering.exprs(&text.body.exprs, &env, &arm.args);
                    let claim = Claim::Precondition { callee: arm.callee.clone() };
                    let claims = self.invariant(&arm.callee, args, (place, claim));
                    running.push(Arm::Claims(claims));
                }
                CalleeAt::Action(action) => {
                    running.extend(self.act(&sig, arm, &action, place).map(Arm::Act));
                }
                CalleeAt::Skip => self.skip(&sig, arm, place),
                CalleeAt::Code => running.extend(self.code_call(&sig, arm, place)),
                CalleeAt::Mover(_) if *is_async && !arm.sync => self.spawn(&sig, arm, place),
                CalleeAt::Mover(_) => running.extend(self.code_call(&sig, arm, place)),
                CalleeAt::StartedCode => self.spawn(&sig, arm, place),
                CalleeAt::Unknown => {
                    self.code.lowering.unsupported(format!("a call of `{}`", arm.callee));
                }
            }
        }
        self.arms(running, place);
        events.into_iter().for_each(|event| self.code.keep(event, place));
    }

    /// What nobody proves about the callee keeps this caller from being executed.
    fn refuse_narrowed(&mut self, sig: &ProcSig, which: Carries) {
        if contracts::is_narrowed(&mut self.code.lowering, sig, which) {
            let what = format!("a call of `{}`, which has `where` clauses", sig.name);
            self.code.lowering.unsupported(what);
        }
    }

    fn arms(&mut self, running: Vec<Arm>, place: Place) {
        let site = self.code.site(place);
        let is_claim = |arm: &Arm| matches!(arm, Arm::Claims(_));
        if running.iter().all(is_claim) && !running.is_empty() {
            let claims = running.into_iter().flat_map(|arm| match arm {
                Arm::Claims(claims) => claims,
                Arm::Act(_) | Arm::Call(_) => Vec::new(),
            });
            return self.code.keep(Step::Yield(claims.collect(), site), place);
        }
        let mut running = running.into_iter();
        match (running.next(), running.next()) {
            (None, _) => {}
            (Some(Arm::Act(act)), None) => self.code.keep(Step::Act(act), place),
            (Some(Arm::Call(call)), None) => self.code.keep(Step::Call(call), place),
            (first, second) => {
                let arms = first.into_iter().chain(second).chain(running).collect();
                self.code.keep(Step::Par(arms, site), place);
            }
        }
    }

    fn pure_call(&mut self, id: StmtId) {
        let text = self.text;
        let env = self.env.clone();
        self.code.statement((text, &env), (text.map.stmt(id), false), |writer| {
            // Primitives are written by the first, other procedures by the second.
            if !writer.simple(id) {
                writer.sequential_call(id);
            }
        });
    }

    /// The terms of arguments and the variables of results, where `wanted` says so.
    fn interface(
        &mut self,
        sig: &ProcSig,
        arm: &hir::Arm,
        wanted: impl Fn(&ProcSig, &hir::Param) -> bool,
    ) -> Option<(Vec<Term>, Vec<Var>)> {
        let env = self.env.clone();
        let mut ins = Vec::new();
        for (param, arg) in sig.ins.iter().zip(arm.args.iter()) {
            if wanted(sig, param) {
                ins.push(self.code.lowering.expr(&self.text.body.exprs, &env, *arg));
            }
        }
        let mut outs = Vec::new();
        for (param, target) in sig.outs.iter().zip(arm.outs.iter()) {
            if wanted(sig, param) {
                outs.push(self.target(target)?);
            }
        }
        Some((ins, outs))
    }

    fn target(&mut self, target: &hir::VarRef) -> Option<Var> {
        let (text, env) = (self.text, self.env.clone());
        self.code.write((text, &env), |writer| writer.variable(target)).map(|(var, _)| var)
    }

    fn act(
        &mut self,
        sig: &ProcSig,
        arm: &hir::Arm,
        action: &base::Name,
        place: Place,
    ) -> Option<Act> {
        self.refuse_narrowed(sig, Carries::Results);
        let (ins, outs) = self.interface(sig, arm, |sig, param| sig.is_visible(param))?;
        let (_, all) = self.interface(sig, arm, |_, _| true)?;
        let hidden = all.into_iter().filter(|var| !outs.contains(var)).collect();
        let (action, site) = (self.code.action(action), self.code.site(place));
        Some(Act { action, ins, outs, hidden, site })
    }

    fn skip(&mut self, sig: &ProcSig, arm: &hir::Arm, place: Place) {
        self.refuse_narrowed(sig, Carries::Results);
        let targets: Vec<Var> = arm.outs.iter().filter_map(|out| self.target(out)).collect();
        if !targets.is_empty() {
            let site = self.code.site(place);
            self.code.keep(Step::Havoc(targets, site), place);
        }
    }

    /// A procedure that is code.
    fn code_call(&mut self, sig: &ProcSig, arm: &hir::Arm, place: Place) -> Option<Arm> {
        let layer = self.code.layer;
        self.refuse_narrowed(sig, Carries::Arguments);
        self.refuse_narrowed(sig, Carries::Results);
        let (ins, outs) =
            self.interface(sig, arm, |_, param| super::procedures::exists(param, layer))?;
        let (procedure, site) = (self.code.procedure(&sig.name), self.code.site(place));
        Some(Arm::Call(Call { procedure, ins, outs, site }))
    }

    fn spawn(&mut self, sig: &ProcSig, arm: &hir::Arm, place: Place) {
        let layer = self.code.layer;
        self.refuse_narrowed(sig, Carries::Arguments);
        let exists = |_: &ProcSig, param: &hir::Param| super::procedures::exists(param, layer);
        let Some((ins, _)) = self.interface(sig, arm, exists) else { return };
        let (procedure, site) = (self.code.procedure(&sig.name), self.code.site(place));
        self.code.keep(Step::Spawn { procedure, ins, site }, place);
    }

    /// `{:lin ok, "pop", x}`: the event `pop` with datum `x` happens after the call if `ok`.
    fn event(&mut self, arm: &hir::Arm, place: Place) -> Option<Step> {
        let attr = arm.attrs.find("lin").or_else(|| arm.attrs.find("lin.if"))?;
        let mut name = Symbol::new(arm.callee.as_str());
        let mut values = Vec::new();
        for arg in attr.args.iter() {
            match arg {
                AttrArg::String(text) => name = Symbol::new(text.as_str()),
                AttrArg::Expr(id) => {
                    let env = self.env.clone();
                    values.push(self.code.lowering.expr(&self.text.body.exprs, &env, *id));
                }
            }
        }
        let is_condition = values.first().is_some_and(|term| *term.sort() == Sort::Bool);
        let when = if is_condition { values.remove(0) } else { Term::tt() };
        Some(Step::Event { name, when, args: values, site: self.code.site(place) })
    }
}
