//! Actions as code of a layer.
//!
//! **In:** an action. **Out:** a [`Part`] with an action in it: its declared gate, and its body with
//! the actions and pure procedures that it calls inlined.

use std::collections::BTreeSet;

use base::{Name, Program};
use discipline::yields::label_of;
use hir::{Cfg, ClauseKind, Layer, ProcSig, Transfer};
use ir::layer::{Action, Condition, Label, Step, Why};
use ir::{BlockId, Symbol, Var};

use super::code::Code;
use super::contracts::{Claimed, claimed};
use super::{Part, tidy};
use crate::Db;
use crate::claim::Claim;
use crate::lowering::{Env, Text, owned_by};
use crate::world::World;

/// The action `name`, called at `layer`; nothing if there is no such action.
pub(super) fn project(db: &dyn Db, program: Program, name: &Name, layer: Layer) -> Option<Part> {
    let world = World::new(db, program);
    let sig = world.proc_sig(name).filter(|sig| sig.is_action())?;
    let decl = *world.implementations(name).first()?;
    let ((body, map), cfg) = (world.body(decl).zip(world.body_map(decl))?, world.cfg(decl)?);
    let whole = hir::decl_place(db, sig.decl);
    let mut code = Code::new(world, layer, whole);
    let mut env = code.lowering.body_env(&body, &owned_by(name));
    env.old = env.now.clone();
    let text = Text { body: &body, map: &map };
    if !cfg.irreducible.is_empty() || body.has_errors {
        code.lowering.unsupported("a body with an error");
    }
    if !cfg.is_acyclic() {
        code.lowering.unsupported("a loop in an action");
    }
    for (id, _) in body.local_ids().zip(&body.locals) {
        if code.lowering.local_where(&body, &env, id).is_some() {
            code.lowering.unsupported("a `where` clause in an action");
        }
    }
    write(&mut code, text, &env, &cfg);
    let mut formals = env.locals.iter().filter_map(|term| term.as_var().cloned());
    let ins: Vec<Var> = formals.by_ref().take(sig.ins.len()).collect();
    let outs: Vec<Var> = formals.take(sig.outs.len()).collect();
    let site = code.site(whole);
    let mut nodes = code.nodes(BlockId(0), whole);
    tidy::simplify(&mut nodes);
    let at_exit: BTreeSet<Var> = outs.iter().cloned().collect();
    tidy::drop_dead_choices(&mut nodes, &at_exit, |var| code.is_global(var));
    let open: Vec<Var> = tidy::live_at_entry(&nodes, &at_exit)
        .into_iter()
        .filter(|var| !code.is_global(var) && !ins.contains(var))
        .collect();
    if !open.is_empty() {
        nodes[0].steps.insert(0, Step::Havoc(open, site));
    }
    let gate = conditions(&mut code, &sig, &env, ClauseKind::Asserts);
    let requires = conditions(&mut code, &sig, &env, ClauseKind::Requires);
    if !code.lowering.problems().is_empty() {
        nodes.clear();
    }
    let action = Action {
        name: Symbol::new(name.as_str()),
        ins,
        outs,
        locals: Vec::new(),
        gate,
        requires,
        nodes,
        label: sig.mover.map_or(Label::NonMover, label_of),
        footprint: Default::default(),
        site,
    };
    let action = code.completed(action);
    let mut part = code.finish();
    part.action = Some(action);
    Some(part)
}

/// The blocks of the body; calls are inlined.
fn write(code: &mut Code<'_>, text: Text<'_>, env: &Env, cfg: &Cfg) {
    let labels = cfg.blocks.iter().map(|block| code.out.block(block.label.as_str(), None));
    let starts: Vec<BlockId> = labels.collect();
    code.out.edge(code.at, starts[cfg.entry().index()]);
    for (block, start) in cfg.blocks.iter().zip(&starts) {
        code.at = *start;
        for command in &block.commands {
            let (hir::Command::Stmt(id) | hir::Command::Guard { of: id, .. }) = *command;
            code.lowering.at(text.map.stmt(id));
            code.write((text, env), |writer| {
                if !writer.command(*command) {
                    writer.sequential_call(id);
                }
            });
            code.mark(text.map.stmt(id), false);
        }
        match &block.transfer {
            Transfer::Goto(targets) => {
                targets.iter().for_each(|it| code.out.edge(code.at, starts[it.index()]));
            }
            Transfer::Return(_) => code.leave(),
        }
    }
}

/// The gate, or what is required at the layer.
fn conditions(code: &mut Code<'_>, sig: &ProcSig, env: &Env, kind: ClauseKind) -> Vec<Condition> {
    let action = sig.name.clone();
    let (claim, why) = match kind {
        ClauseKind::Asserts => (Claim::Gate { action }, Why::Gate),
        ClauseKind::Requires | ClauseKind::Preserves | ClauseKind::Ensures => {
            (Claim::ActionPrecondition { action }, Why::Requires)
        }
    };
    let layer = code.layer;
    let clauses = claimed(&mut code.lowering, sig, env, kind, layer);
    let condition =
        |it: Claimed| code.condition(it.term, claim.clone(), (it.clause, it.clause), why);
    clauses.into_iter().map(condition).collect()
}
