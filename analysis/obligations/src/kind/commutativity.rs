//! `A` then `B` can be done as `B` then `A` (verification.md 4.4).
//!
//! **In:** two actions. **Out:** a unit with one assertion, placed at the name of `A`.
//!
//! # Soundness
//! Assumed: the gates of both actions; that parameters and globals declared linear hold different
//! permissions before (`linear_out` inputs excepted, which nobody holds yet) and afterwards (of both:
//! outputs and inputs that were not consumed). The discipline proves the latter for every thread and
//! hence for two threads that act one after the other: nobody gets in an output what another keeps, and a
//! location that `B` makes new is none that `A` keeps, since it is nobody's (13-trust). Asserted: from the state before `A`, some run
//! of `B; A` with the same inputs reaches the state after `A; B` with the same outputs. Globals that
//! neither action writes are the same in both orders, so only written ones are compared.

use hir::LinearKind;
use ir::{ObligationKind, Term, Var};

use super::scene::{Reachable, Scene, done, named, old, waiting};
use crate::action::ActionCopy;
use crate::claim::Claim;
use crate::permissions::Holder;
use crate::unit::{AssertInfo, Moment, Pair, Unit, UnitKey};
use crate::world::World;

/// The unit of a pair.
pub fn unit(world: World<'_>, pair: &Pair) -> Unit {
    let key = UnitKey::Commutativity(pair.clone());
    let mut scene = Scene::new(world, crate::place_of(world, &key));
    if let (Some(mut a), Some(mut b)) =
        (scene.copy(&pair.first, "@1"), scene.copy(&pair.second, "@2"))
    {
        write(&mut scene, &mut a, &mut b, pair);
    }
    scene.finish(&key, ObligationKind::Commutativity)
}

// commutes(a, b):  Lin, gate a, gate b;  a; b;  Lin'  ==>  some run of b; a leads from old to now
fn write(scene: &mut Scene<'_>, a: &mut ActionCopy, b: &mut ActionCopy, pair: &Pair) {
    let (first, second) = (named(scene.world, &a.action.sig), named(scene.world, &b.action.sig));
    scene.frame = a.action.footprint.all();
    scene.frame.extend(b.action.footprint.all());
    scene.widen(b, pair.conditional);
    // linear_out inputs are nobody's before the actions run
    let before = [a.linear_ins(LinearKind::LinearOut), b.linear_ins(LinearKind::LinearOut)];
    scene.assume_linear(before.concat());
    scene.assume_gate(a);
    scene.assume_gate(b);
    scene.assume_preconditions(b, pair.conditional);
    scene.capture(first.place, Moment::Before, &[waiting(a), waiting(b)]);
    scene.run(a);
    scene.capture(first.place, Moment::AfterAction(first.name.clone()), &[done(a), waiting(b)]);
    scene.run(b);
    scene.capture(second.place, Moment::AfterAction(second.name.clone()), &[done(a), done(b)]);
    scene.assume_linear(held_afterwards(a, b));
    let other_order = other_order(scene, a, b);
    let place = first.place;
    let claim = Claim::Commutativity { first, second };
    let info = AssertInfo::new(ObligationKind::Commutativity, claim, place);
    scene.out.assert(scene.at, other_order, info);
}

/// Who holds permissions after `a; b`: inputs that were not consumed and outputs, of both.
fn held_afterwards(a: &ActionCopy, b: &ActionCopy) -> Vec<Holder> {
    let held =
        |copy: &ActionCopy| [copy.linear_ins(LinearKind::LinearIn), copy.linear_outs()].concat();
    [held(a), held(b)].concat()
}

/// Some run of `b; a` leads from the state before to the state now.
fn other_order(scene: &mut Scene<'_>, a: &ActionCopy, b: &ActionCopy) -> Term {
    let modified = |copy: &ActionCopy| copy.action.footprint.modified.clone();
    let written = scene.globals(&modified(a).union(&modified(b)).cloned().collect());
    let now = |var: &Var| (var.clone(), Term::var(var.clone()));
    scene.reachable(Reachable {
        copies: &[b, a],
        before: written.iter().map(|var| (var.clone(), old(var))).collect(),
        after: written.iter().chain(&a.outs).chain(&b.outs).map(now).collect(),
        candidates: true,
        made_new_is_given: false,
    })
}
