//! Yield procedures without body: the machine, as the program describes it.
//!
//! **In:** a yield procedure without body, at a layer at which it is code. **Out:** a [`Part`] with a
//! procedure of one step: the action that it refines; arbitrary results, if it refines none.

use hir::{ClauseKind, Layer, ProcSig};
use ir::layer::{Act, Formal, Label, Next, Node, Procedure, Step};
use ir::{Symbol, Term, Var};

use super::code::Code;
use super::procedures::{contract, exists, spec};
use super::{Part, roots};
use crate::lowering::Env;
use crate::world::World;

pub(super) fn project(world: World<'_>, sig: &ProcSig, layer: Layer, mover: Option<Label>) -> Part {
    let whole = hir::decl_place(world.db, sig.decl);
    let mut code = Code::new(world, layer, whole);
    code.part.procedure_name = Some(sig.name.clone());
    let site = code.site(whole);
    let mut vars = Vec::new();
    for param in sig.formals() {
        let clash = world.global(&param.name).is_some();
        let suffix = if clash { "@local" } else { "" };
        let sort = code.lowering.closed_sort(&param.ty);
        vars.push(Var::new(Symbol::from(format!("{}{suffix}", param.name)), sort));
    }
    let (ins, outs) = vars.split_at(sig.ins.len());
    let action = sig.refines.as_ref().filter(|_| mover.is_none());
    let step = match action {
        Some(action) => {
            let ins = sig.visible_ins().map(|(nth, _)| Term::var(ins[nth].clone())).collect();
            let shown: Vec<Var> = sig.visible_outs().map(|(nth, _)| outs[nth].clone()).collect();
            let here = sig.outs.iter().zip(outs).filter(|(param, _)| exists(param, layer));
            let hidden = here.map(|(_, var)| var.clone()).filter(|var| !shown.contains(var));
            let hidden = hidden.collect();
            let action = code.action(action);
            Some(Step::Act(Act { action, ins, outs: shown, hidden, site }))
        }
        None => (!outs.is_empty()).then(|| Step::Havoc(outs.to_vec(), site)),
    };
    let env = Env::of_locals(vars.iter().cloned().map(Term::var).collect());
    let mut formals: Vec<Vec<Formal>> = Vec::new();
    for (params, vars) in [(&sig.ins, ins), (&sig.outs, outs)] {
        let mut some = Vec::new();
        for (param, var) in params.iter().zip(vars).filter(|(param, _)| exists(param, layer)) {
            some.push(roots::formal(&mut code.lowering, param, var.clone()));
        }
        formals.push(some);
    }
    let outs = formals.pop().unwrap_or_default();
    let ins = formals.pop().unwrap_or_default();
    let is_formal = |var: &Var| ins.iter().chain(&outs).any(|formal| formal.var == *var);
    let ensures = contract(&mut code, sig, &env, ClauseKind::Ensures);
    if let Some(clause) = ensures.first() {
        let place = code.part.sites[clause.site.0 as usize];
        code.lowering.at(place);
        code.lowering.unsupported("what a procedure without body ensures");
    }
    let mut nodes = vec![Node { steps: step.into_iter().collect(), next: Next::Return, site }];
    if !code.lowering.problems().is_empty() {
        nodes.clear();
    }
    let procedure = Procedure {
        name: Symbol::new(sig.name.as_str()),
        locals: vars.iter().filter(|var| !is_formal(var)).cloned().collect(),
        ins,
        outs,
        requires: contract(&mut code, sig, &env, ClauseKind::Requires),
        ensures: Vec::new(),
        nodes,
        mover,
        spec: spec(&mut code, sig),
        marked: sig.attrs.has("explore.root"),
        site,
    };
    let mut part = code.finish();
    part.procedure = Some(procedure);
    part
}
