//! Actions preserve the global invariants of their layers (verification.md 3.4, case 2).
//!
//! **In:** an action that writes a global, and a layer at which it exists, or at which it is the step of
//! a procedure without body ([`super::machine_steps`]). **Out:** a unit with one assertion for each
//! clause, that is not free, of each global invariant of the layer, placed at the clause.
//!
//! # Soundness
//! Assumed: the gate; disjointness of what the acting thread and the globals hold where the action
//! starts; of the parameters of an invariant, which are arbitrary, that linear ones hold permissions
//! apart from all of these; and all clauses of the same invariant before the action. Asserted: each
//! clause after the action, for the same parameters. What the acting thread holds is taken where
//! the action *starts*, in the old state: afterwards it may have given permissions away.

use std::sync::Arc;

use base::{Name, Place};
use hir::{ClauseKind, Layer, LinearKind, ProcKind, ProcSig, Ty};
use ir::{ObligationKind, Symbol, Term, Var, free_vars};

use super::machine_steps;
use super::scene::{Scene, done, linear_global, named, old, waiting};
use crate::action::ActionCopy;
use crate::claim::Claim;
use crate::faith::FaithKind;
use crate::lowering::{Env, Lowering, State, owned_by};
use crate::permissions::{Holder, Part, domains, linear_facts_beside, parts};
use crate::unit::{AssertInfo, Moment, Unit, UnitEntry, UnitKey};
use crate::world::World;

/// The units of one layer, for these actions in their order.
pub fn units(world: World<'_>, layer: Layer, actions: &[Name]) -> Vec<UnitEntry> {
    if invariants(world, layer).is_empty() {
        return Vec::new();
    }
    let steps = machine_steps::steps(world);
    let wanted = actions.iter().filter(|name| {
        let here = world.proc_sig(name).and_then(|sig| sig.layers);
        let exists = here.is_some_and(|range| range.contains(layer));
        (exists || steps.is_step_at(name, layer)) && !world.modifies(name).is_empty()
    });
    let keys = wanted.cloned().map(|name| UnitKey::GlobalNoninterference(name, layer));
    keys.map(|key| super::entry(world, key)).collect()
}

/// The global invariants of a layer that have a clause, in declaration order.
fn invariants(world: World<'_>, layer: Layer) -> Vec<Arc<ProcSig>> {
    let decls = hir::program_decls(world.db, world.program);
    let sigs = decls.iter().filter_map(|decl| hir::proc_sig_of(world.db, world.program, *decl));
    sigs.filter(|sig| sig.layer() == Some(layer) && is_checked(world, sig)).collect()
}

fn is_checked(world: World<'_>, sig: &ProcSig) -> bool {
    let global = matches!(sig.kind, ProcKind::Invariant { global: true });
    let specs = if global { world.specs(sig.decl) } else { None };
    specs.is_some_and(|specs| specs.of_kind(ClauseKind::Preserves).next().is_some())
}

/// The unit of an action at a layer.
pub fn unit(world: World<'_>, name: &Name, layer: Layer) -> Unit {
    let key = UnitKey::GlobalNoninterference(name.clone(), layer);
    let mut scene = Scene::new(world, crate::place_of(world, &key));
    if let Some(mut copy) = scene.copy(name, "@1") {
        let sigs = invariants(world, layer).into_iter();
        let claims = sigs.filter_map(|sig| stable(&mut scene.lowering, sig)).collect();
        write(&mut scene, &mut copy, (claims, ObligationKind::GlobalNoninterference));
    }
    scene.finish(&key, ObligationKind::GlobalNoninterference)
}

// stable(a, I):  Lin, gate a;  a;  { Lin(ps of I, held before a), I before  ==>  I after }
pub(super) fn write(
    scene: &mut Scene<'_>,
    copy: &mut ActionCopy,
    (claims, kind): (Vec<Stable>, ObligationKind),
) {
    let by = named(scene.world, &copy.action.sig);
    scene.frame = copy.action.footprint.all();
    for claim in &claims {
        let vars = claim.clauses.iter().flat_map(|clause| free_vars(&clause.after));
        let names = vars.map(|var| Name::new(var.name.as_str()));
        let world = scene.world;
        scene.frame.extend(names.filter(|name| world.global(name).is_some()));
    }
    let held = copy.linear_ins(LinearKind::LinearOut);
    scene.assume_linear(held.clone());
    scene.assume_gate(copy);
    scene.capture(by.place, Moment::Before, &[waiting(copy)]);
    let before = held_before(scene, held);
    scene.run(copy);
    scene.capture(by.place, Moment::AfterAction(by.name.clone()), &[done(copy)]);
    for claim in claims {
        write_claim(scene, (&by.name, kind), claim, &before);
    }
}

/// One invariant, and what it says before and after.
pub(super) struct Stable {
    pub(super) name: Name,
    /// Parameters, or locals, of whoever waits, by name.
    pub(super) own: Vec<(Name, Var)>,
    /// Parameters of linear kind.
    pub(super) holders: Vec<Holder>,
    pub(super) clauses: Vec<StableClause>,
}

pub(super) struct StableClause {
    pub(super) place: Place,
    pub(super) free: bool,
    pub(super) before: Term,
    pub(super) after: Term,
}

/// An invariant with arbitrary parameters.
pub(super) fn stable(lowering: &mut Lowering<'_>, sig: Arc<ProcSig>) -> Option<Stable> {
    let world = lowering.world;
    let found = world.specs(sig.decl).zip(world.specs_map(sig.decl));
    let Some((specs, map)) = found.filter(|(specs, _)| !specs.has_errors) else {
        lowering.unsupported(format!("the invariant `{}`", sig.name));
        return None;
    };
    let mut own = Vec::with_capacity(sig.ins.len());
    let mut holders = Vec::new();
    for param in sig.ins.iter() {
        let sort = lowering.closed_sort(&param.ty);
        let name = Symbol::from(format!("{}{}", param.name, owned_by(&sig.name)));
        let var = Var::new(name, sort);
        if param.linear != LinearKind::Ordinary {
            holders.push(Holder { ty: param.ty.clone(), term: Term::var(var.clone()) });
        }
        own.push((param.name.clone(), var));
    }
    let after = Env::of_locals(own.iter().map(|(_, var)| Term::var(var.clone())).collect())
        .in_states(State::now(), State::now());
    let before = after.in_states(State::old(), State::old());
    let mut clauses = Vec::new();
    for (nth, clause) in specs.of_kind(ClauseKind::Preserves) {
        lowering.at(map.clause(nth));
        if clause.free {
            lowering.on_faith(FaithKind::FreeClause, &sig.name, map.clause(nth));
        }
        clauses.push(StableClause {
            place: map.clause(nth),
            free: clause.free,
            before: lowering.expr(&specs.exprs, &before, clause.expr),
            after: lowering.expr(&specs.exprs, &after, clause.expr),
        });
    }
    Some(Stable { name: sig.name.clone(), own, holders, clauses })
}

/// What the acting thread and the globals hold where the unit starts, by domain.
fn held_before(scene: &mut Scene<'_>, mut holders: Vec<Holder>) -> Vec<(Ty, Vec<Part>)> {
    for name in scene.frame.clone() {
        if let Some(holder) = linear_global(&mut scene.lowering, &name) {
            let then = holder.term.as_var().map(old);
            holders.extend(then.map(|term| Holder { term, ..holder }));
        }
    }
    let lowering = &mut scene.lowering;
    let domains = domains(lowering, holders.iter().map(|holder| &holder.ty));
    let of = |domain: Ty| {
        let parts = holders.iter().flat_map(|holder| parts(lowering, &domain, holder)).collect();
        (domain, parts)
    };
    domains.into_iter().map(of).collect()
}

/// A branch of its own: the invariant before gives the invariant after.
fn write_claim(
    scene: &mut Scene<'_>,
    (by, kind): (&Name, ObligationKind),
    claim: Stable,
    before: &[(Ty, Vec<Part>)],
) {
    let Stable { name, own, holders, clauses } = claim;
    scene.out.waits(&name, own);
    let block = scene.out.block(format!("{name} is stable"), None);
    scene.out.edge(scene.at, block);
    let apart = linear_facts_beside(&mut scene.lowering, &holders, before);
    scene.out.assume(block, apart);
    for clause in &clauses {
        scene.out.assume(block, clause.before.clone());
    }
    for clause in clauses.into_iter().filter(|clause| !clause.free) {
        let words = Claim::Noninterference { invariant: name.clone(), by: by.clone() };
        let info = AssertInfo::new(kind, words, clause.place).about(name.clone());
        scene.out.assert(block, clause.after, info);
    }
}
