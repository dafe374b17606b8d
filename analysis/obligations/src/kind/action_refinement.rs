//! `action A refines B`: whatever `A` does, `B` can do (verification.md 4.6).
//!
//! **In:** an action that refines another. **Out:** a unit with the whole gate of `A`, and at each of
//! its returns that some run of `B` has the same effect.
//!
//! # Soundness
//! Assumed: the gate of `B` and nothing else. Proved: the gate of `A`, and that the globals that exist
//! above the layers of `A`, and the outputs, end up as after some run of `B` from the same state. A
//! global that neither action writes is the same on both sides. What `B` makes new, `A` has made new,
//! see [`crate::action::made_new`].

use std::collections::BTreeSet;

use base::{Name, Place};
use hir::Layer;
use ir::{BlockId, ObligationKind, Term, Var};

use super::scene::{Reachable, Scene, done, named, old, waiting};
use crate::action::ActionCopy;
use crate::action::made_new::MadeNew;
use crate::claim::Claim;
use crate::unit::{AssertInfo, Moment, Unit, UnitEntry, UnitKey};
use crate::world::World;

/// The units of these actions.
pub fn units(world: World<'_>, actions: &[Name]) -> Vec<UnitEntry> {
    let refines = |name: &&Name| world.proc_sig(name).is_some_and(|sig| sig.refines.is_some());
    let keys = actions.iter().filter(refines).cloned().map(UnitKey::ActionRefinement);
    keys.map(|key| super::entry(world, key)).collect()
}

/// The unit of an action.
pub fn unit(world: World<'_>, name: &Name) -> Unit {
    let key = UnitKey::ActionRefinement(name.clone());
    let mut scene = Scene::new(world, crate::place_of(world, &key));
    let refined = world.proc_sig(name).and_then(|sig| sig.refines.clone());
    match refined {
        Some(refined) => {
            let copies = scene.copy(name, "@1").zip(scene.copy(&refined, "@2"));
            if let Some((mut a, mut b)) = copies {
                write(&mut scene, &mut a, &mut b);
            }
        }
        None => scene.lowering.unsupported("an action that refines nothing"),
    }
    scene.finish(&key, ObligationKind::ActionRefinement)
}

// refines(a, b):  gate b;  gate of a, if declared, asserted;  body of a, each assertion asserted;
//                 some run of b leads from old to now
fn write(scene: &mut Scene<'_>, a: &mut ActionCopy, b: &mut ActionCopy) {
    let sort = |vars: &[Var]| vars.iter().map(|var| var.sort.clone()).collect::<Vec<_>>();
    if sort(&a.ins) != sort(&b.ins) || sort(&a.outs) != sort(&b.outs) {
        return scene.lowering.unsupported("an action that refines one with other parameters");
    }
    let place = named(scene.world, &a.action.sig).place;
    scene.frame = a.action.footprint.all();
    scene.frame.extend(b.action.footprint.all());
    // the parameters are the same
    for (own, theirs) in a.ins.iter().zip(&b.ins) {
        scene.assume(Term::eq(Term::var(theirs.clone()), Term::var(own.clone())));
    }
    scene.assume_gate(b);
    if let Some(made) = b.new_locations().first().map(MadeNew::of_sort) {
        scene.out.push(scene.at, made.nothing());
        a.record_new(&made);
        b.demand_new(&made);
    }
    scene.capture(place, Moment::Entry, &[waiting(a)]);
    if a.action.has_asserts {
        assert_gate(scene, a, b);
    }
    let ends = a.write_checked(&mut scene.out, scene.at, ObligationKind::ActionRefinement);
    let matched = matched(scene, a, b);
    for (block, at) in ends {
        assert_matched(scene, (a, b), (block, at), matched.clone());
    }
}

/// Whoever refines `a` may assume its declared gate, so it must follow from the gate of `b`. A gate
/// that is not declared consists of the assertions of the body, which are asserted where they stand.
fn assert_gate(scene: &mut Scene<'_>, a: &mut ActionCopy, b: &ActionCopy) {
    let (action, refined) = (named(scene.world, &a.action.sig), named(scene.world, &b.action.sig));
    for conjunct in a.gate() {
        let (action, refining) = (action.name.clone(), refined.name.clone());
        let claim = Claim::RefinedGate { action, refined: refining };
        let info = AssertInfo::new(ObligationKind::ActionRefinement, claim, conjunct.place)
            .related(refined.place, "the refined action");
        scene.out.assert_with(scene.at, conjunct.term, info, conjunct.hints);
    }
}

/// Some run of `b` leads from the state before to the state now, as far as it can be seen above.
fn matched(scene: &mut Scene<'_>, a: &ActionCopy, b: &ActionCopy) -> Term {
    let modified = |copy: &ActionCopy| copy.action.footprint.modified.clone();
    let written: BTreeSet<Name> = modified(a).union(&modified(b)).cloned().collect();
    let top = a.action.sig.layer().unwrap_or(Layer::MAX);
    let visible = written.iter().filter(|name| survives(scene.world, name, top)).cloned();
    let visible = scene.globals(&visible.collect());
    let before = scene.globals(&written);
    let outs = b.outs.iter().cloned().zip(a.outs.iter().map(|var| Term::var(var.clone())));
    scene.reachable(Reachable {
        copies: &[b],
        before: before.iter().map(|var| (var.clone(), old(var))).collect(),
        after: visible
            .iter()
            .map(|var| (var.clone(), Term::var(var.clone())))
            .chain(outs)
            .collect(),
        candidates: false,
        made_new_is_given: false,
    })
}

/// Does the global exist above `layer` as well as at it?
fn survives(world: World<'_>, name: &Name, layer: Layer) -> bool {
    world.global(name).is_none_or(|it| it.layers.low() <= layer && layer < it.layers.high())
}

fn assert_matched(
    scene: &mut Scene<'_>,
    (a, b): (&ActionCopy, &ActionCopy),
    (block, at): (BlockId, Option<Place>),
    matched: Term,
) {
    let (action, refined) = (named(scene.world, &a.action.sig), named(scene.world, &b.action.sig));
    let claim = Claim::ActionRefinement { action: action.name, refined: refined.name };
    let info = AssertInfo::new(ObligationKind::ActionRefinement, claim, action.place)
        .related(refined.place, "the refined action");
    scene.at = block;
    scene.capture(at.unwrap_or(action.place), Moment::End, &[done(a)]);
    let info = match at {
        Some(at) => info.reported_at(at),
        None => info,
    };
    scene.out.assert(block, matched, info);
}
