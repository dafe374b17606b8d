//! The gate of `A` survives `B` (verification.md 4.4).
//!
//! **In:** two actions. **Out:** a unit with one assertion per condition of the gate of `A`, placed at
//! the assertion of `A` it stems from.
//!
//! # Soundness
//! Assumed: both gates, and disjointness of what is held before `B` and after it. `A` has not run:
//! its `linear_out` inputs are nobody's at either moment, its `linear_in` inputs are still held at
//! both. (The reference takes `linear_out` inputs of `A` for held after `B`, which can make the
//! assumption contradict the gate.)

use hir::LinearKind;
use ir::ObligationKind;

use super::scene::{Scene, done, named, waiting};
use crate::action::ActionCopy;
use crate::claim::Claim;
use crate::unit::{AssertInfo, Moment, Pair, Unit, UnitKey};
use crate::world::World;

/// The unit of a pair.
pub fn unit(world: World<'_>, pair: &Pair) -> Unit {
    let key = UnitKey::GatePreservation(pair.clone());
    let mut scene = Scene::new(world, crate::place_of(world, &key));
    if let (Some(mut a), Some(mut b)) =
        (scene.copy(&pair.first, "@1"), scene.copy(&pair.second, "@2"))
    {
        write(&mut scene, &mut a, &mut b, pair);
    }
    scene.finish(&key, ObligationKind::GatePreservation)
}

// preserves(a, b):  Lin, gate a, gate b;  b;  Lin'  ==>  gate a
fn write(scene: &mut Scene<'_>, a: &mut ActionCopy, b: &mut ActionCopy, pair: &Pair) {
    let (first, second) = (named(scene.world, &a.action.sig), named(scene.world, &b.action.sig));
    scene.frame = a.action.footprint.gate.clone();
    scene.frame.extend(b.action.footprint.all());
    scene.widen(a, pair.conditional);
    let held = a.linear_ins(LinearKind::LinearOut);
    scene.assume_linear([held.clone(), b.linear_ins(LinearKind::LinearOut)].concat());
    scene.assume_gate(a);
    scene.assume_gate(b);
    scene.assume_preconditions(a, pair.conditional);
    scene.capture(second.place, Moment::Before, &[waiting(a), waiting(b)]);
    scene.run(b);
    scene.capture(second.place, Moment::AfterAction(second.name.clone()), &[waiting(a), done(b)]);
    scene.assume_linear([held, b.linear_outs()].concat());
    for conjunct in a.gate() {
        let claim = Claim::GatePreservation { first: first.clone(), second: second.clone() };
        let info = AssertInfo::new(ObligationKind::GatePreservation, claim, conjunct.place)
            .related(second.place, "the action that may break it");
        scene.out.assert_with(scene.at, conjunct.term, info, conjunct.hints);
    }
}
