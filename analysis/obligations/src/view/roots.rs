//! What surrounds the code: globals, permissions, what clients call and what they wish for.

use std::collections::BTreeSet;

use base::Name;
use hir::{GlobalVar, Layer, LinearKind, NameSpace, Param, RawArg, RawAttrs, Ty};
use ir::layer::{Formal, Global, Held, ProcId, Procedure, Step, Wishes};
use ir::{Symbol, Term, Var};

use super::procedures::linear;
use crate::lowering::{Env, Lowering};
use crate::permissions::{self, Holder};
use crate::world::World;

/// The permissions that a variable of a linear kind holds.
fn held(lowering: &mut Lowering<'_>, ty: &Ty, var: &Var) -> Vec<Held> {
    let mut out = Vec::new();
    for domain in permissions::domains(lowering, [ty]) {
        let holder = Holder { ty: ty.clone(), term: Term::var(var.clone()) };
        let parts = permissions::parts(lowering, &domain, &holder);
        let set = permissions::union(lowering, &domain, &parts);
        let sort = lowering.closed_sort(&domain);
        out.push(Held { domain: Symbol::from(sort.to_string()), set });
    }
    out
}

/// A formal with its permissions.
pub(super) fn formal(lowering: &mut Lowering<'_>, param: &Param, var: Var) -> Formal {
    let linear = linear(param);
    let holds = match param.linear {
        LinearKind::Ordinary => Vec::new(),
        LinearKind::Linear | LinearKind::LinearIn | LinearKind::LinearOut => {
            held(lowering, &param.ty, &var)
        }
    };
    Formal { var, linear, holds }
}

/// The globals of the layer, by name, and what their `where` clauses say.
pub(super) fn globals(lowering: &mut Lowering<'_>, layer: Layer) -> (Vec<Global>, Vec<Term>) {
    let world = lowering.world;
    let (mut out, mut narrowed) = (Vec::new(), Vec::new());
    for global in all_globals(world) {
        if !global.layers.contains(layer) {
            continue;
        }
        let Some(var) = lowering.global_var(&global.name) else { continue };
        narrowed.extend(lowering.global_where(&global.name, &Env::empty()));
        let holds = match global.linear {
            LinearKind::Ordinary => Vec::new(),
            LinearKind::Linear | LinearKind::LinearIn | LinearKind::LinearOut => {
                held(lowering, &global.ty, &var)
            }
        };
        let is_machine =
            discipline::machine::is_machine(world.db, world.program, &global.name, layer);
        let introduced = global.layers.low() == layer && !is_machine;
        let above = global.layers.contains(layer.next());
        out.push(Global { var, holds, above, introduced });
    }
    (out, narrowed)
}

fn all_globals(world: World<'_>) -> Vec<std::sync::Arc<GlobalVar>> {
    let names = hir::global_names(world.db, world.program, NameSpace::Variable);
    names.into_iter().filter_map(|(name, _)| world.global(&name)).collect()
}

/// What clients call: what the program marks, else what has a body and nobody calls.
pub(super) fn roots(world: World<'_>, procedures: &[Procedure]) -> Vec<ProcId> {
    let numbered = || (0..).map(ProcId).zip(procedures);
    let marked: Vec<ProcId> = numbered().filter(|(_, it)| it.marked).map(|(id, _)| id).collect();
    if !marked.is_empty() {
        return marked;
    }
    let steps = procedures.iter().flat_map(|it| &it.nodes).flat_map(|node| &node.steps);
    let called: BTreeSet<ProcId> = steps.flat_map(Step::callees).collect();
    let has_body = |procedure: &Procedure| {
        !world.implementations(&Name::new(procedure.name.as_str())).is_empty()
    };
    let open = numbered().filter(|(id, procedure)| !called.contains(id) && has_body(procedure));
    open.map(|(id, _)| id).collect()
}

/// What the attributes of the program ask for, and the action that makes the initial state.
pub(super) fn wishes(world: World<'_>, layer: Layer) -> (Wishes, Option<Name>) {
    let mut wishes = Wishes::default();
    let mut init = None;
    for (name, _) in hir::global_names(world.db, world.program, NameSpace::Procedure) {
        let Some(sig) = world.proc_sig(&name) else { continue };
        read(&sig.attrs, &mut wishes);
        let is_here = sig.layers.is_none_or(|range| range.contains(layer));
        if sig.attrs.has("explore.init") && sig.is_action() && is_here {
            init.get_or_insert(name);
        }
    }
    for global in all_globals(world) {
        read(&global.attrs, &mut wishes);
    }
    (wishes, init)
}

fn read(attrs: &RawAttrs, wishes: &mut Wishes) {
    let number = |arg: Option<&RawArg>| match arg {
        Some(RawArg::Number(text)) => text.parse::<u32>().ok(),
        _other => None,
    };
    for attr in attrs.0.iter() {
        match (attr.name.as_str(), &*attr.args) {
            ("explore.threads", args) => wishes.threads = number(args.first()).or(wishes.threads),
            ("explore.ops" | "explore.calls", args) => {
                wishes.calls = number(args.first()).or(wishes.calls);
            }
            ("explore.scope", [RawArg::String(sort), size]) => {
                let size = number(Some(size)).map(|size| (Symbol::new(sort.as_str()), size));
                wishes.sizes.extend(size);
            }
            _other => {}
        }
    }
}
