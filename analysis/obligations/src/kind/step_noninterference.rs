//! Steps of procedures without body disturb nobody who waits (verification.md 3.4, 14.7 row 18).
//!
//! **In:** an action that is the step of a procedure without body at a layer
//! ([`super::machine_steps`]). **Out:** a unit with one assertion for each clause of each yield
//! invariant of the layer, and for each yield statement, that the action can change.
//!
//! # Soundness
//! As for [`super::global_noninterference`]: the acting thread holds the linear inputs of the action
//! and shares the linear globals, where the action starts; whoever waits holds other permissions,
//! and is otherwise arbitrary. What no clause mentions is not asked about.

use std::collections::BTreeSet;

use base::Name;
use hir::{Expr, Layer, ProcKind};
use ir::ObligationKind;

use super::global_noninterference::{Stable, StableClause, stable, write};
use super::machine_steps;
use super::scene::Scene;
use crate::copy::{YieldStatement, waiting_locals, yield_invariants_at, yield_statements_at};
use crate::lowering::{State, owned_by};
use crate::permissions::Holder;
use crate::unit::{Unit, UnitEntry, UnitKey};
use crate::world::World;

/// The units of one layer, for these actions in their order.
pub fn units(world: World<'_>, layer: Layer, actions: &[Name]) -> Vec<UnitEntry> {
    let steps = machine_steps::steps(world);
    let disturbs = |name: &&Name| {
        let written: BTreeSet<Name> = world.modifies(name).iter().cloned().collect();
        steps.is_step_at(name, layer) && is_read(world, layer, &written)
    };
    let keys = actions.iter().filter(disturbs).cloned();
    keys.map(|name| super::entry(world, UnitKey::StepNoninterference(name, layer))).collect()
}

/// Does somebody who may wait at the layer rely on one of these globals?
fn is_read(world: World<'_>, layer: Layer, globals: &BTreeSet<Name>) -> bool {
    let reads = |exprs: &hir::Exprs| {
        let mut all = exprs.ids().map(|id| exprs.expr(id));
        all.any(|it| matches!(it, Expr::Global(name) if globals.contains(name)))
    };
    let by_invariant = yield_invariants_at(world.db, world.program, layer).iter().any(|name| {
        let specs = world.proc_sig(name).and_then(|sig| world.specs(sig.decl));
        specs.is_none_or(|specs| reads(&specs.exprs))
    });
    // A body may read a global elsewhere only: then the unit has nothing to assert.
    let mut waiting = yield_statements_at(world.db, world.program, layer).to_vec().into_iter();
    by_invariant || waiting.any(|it| world.body(it.decl).is_none_or(|body| reads(&body.exprs)))
}

/// The unit of an action at a layer.
pub fn unit(world: World<'_>, name: &Name, layer: Layer) -> Unit {
    let key = UnitKey::StepNoninterference(name.clone(), layer);
    let mut scene = Scene::new(world, crate::place_of(world, &key));
    if let Some(mut copy) = scene.copy(name, "@1") {
        let claims = claims(&mut scene, layer);
        write(&mut scene, &mut copy, (claims, ObligationKind::Noninterference));
    }
    scene.finish(&key, ObligationKind::Noninterference)
}

fn claims(scene: &mut Scene<'_>, layer: Layer) -> Vec<Stable> {
    let world = scene.world;
    let mut out = Vec::new();
    for name in yield_invariants_at(world.db, world.program, layer).iter() {
        let sig = world.proc_sig(name);
        let sig = sig.filter(|sig| sig.kind == ProcKind::Invariant { global: false });
        out.extend(sig.and_then(|sig| stable(&mut scene.lowering, sig)));
    }
    // `free` says who need not show an invariant where it is called; interference is never free.
    out.iter_mut().flat_map(|it| &mut it.clauses).for_each(|clause| clause.free = false);
    for at in yield_statements_at(world.db, world.program, layer).iter() {
        out.extend(waiting_at(scene, at, layer));
    }
    out
}

/// A thread that waits at a yield statement, with arbitrary locals.
fn waiting_at(scene: &mut Scene<'_>, at: &YieldStatement, layer: Layer) -> Option<Stable> {
    let world = scene.world;
    let (body, map) = (world.body(at.decl)?, world.body_map(at.decl)?);
    let hir::Stmt::Yield { expr: Some(expr), .. } = body.stmt(at.stmt) else { return None };
    let env = scene.lowering.body_env(&body, &owned_by(&at.name));
    let mut term = |now: State| {
        scene.lowering.expr(&body.exprs, &env.in_states(now, State::suffixed("@any")), *expr)
    };
    let clause = StableClause {
        place: map.stmt(at.stmt),
        free: false,
        before: term(State::old()),
        after: term(State::now()),
    };
    let holder = |id: hir::LocalId| {
        Some(Holder { ty: body.local(id).ty.clone(), term: env.local(id)?.clone() })
    };
    let held = at.locals_held(world, layer).into_iter().filter_map(holder).collect();
    let own = waiting_locals(&body, &env);
    Some(Stable { name: at.name.clone(), own, holders: held, clauses: vec![clause] })
}
