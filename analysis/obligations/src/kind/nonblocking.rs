//! A left mover can always run to its end (verification.md 4.4).
//!
//! **In:** an action. **Out:** a unit with one assertion, placed at the name of the action.
//!
//! # Soundness
//! Assumed: the gate, the preconditions if the left mover has some, and disjointness of what is held
//! before. Asserted: there are choices with which the body gets to its end.

use base::Name;
use hir::{Layer, LinearKind};
use ir::ObligationKind;

use super::scene::{Reachable, Scene, named, waiting};
use crate::action::ActionCopy;
use crate::claim::Claim;
use crate::unit::{AssertInfo, Moment, Unit, UnitKey};
use crate::world::World;

/// The unit of an action; with `layer`, under its preconditions there.
pub fn unit(world: World<'_>, name: &Name, layer: Option<Layer>) -> Unit {
    let key = UnitKey::Nonblocking(name.clone(), layer);
    let mut scene = Scene::new(world, crate::place_of(world, &key));
    if let Some(mut copy) = scene.copy(name, "@1") {
        write(&mut scene, &mut copy, layer);
    }
    scene.finish(&key, ObligationKind::Nonblocking)
}

// nonblocking(a):  Lin, gate a  ==>  exists choices :: a gets to its end
fn write(scene: &mut Scene<'_>, copy: &mut ActionCopy, layer: Option<Layer>) {
    let place = named(scene.world, &copy.action.sig).place;
    scene.frame = copy.action.footprint.all();
    scene.widen(copy, layer);
    scene.assume_linear(copy.linear_ins(LinearKind::LinearOut));
    scene.assume_gate(copy);
    scene.assume_preconditions(copy, layer);
    scene.capture(place, Moment::Before, &[waiting(copy)]);
    let copies: &[&ActionCopy] = &[copy];
    let possible = scene.reachable(Reachable {
        copies,
        before: Vec::new(),
        after: Vec::new(),
        candidates: false,
        made_new_is_given: true,
    });
    let claim = Claim::Nonblocking { action: copy.action.sig.name.clone() };
    let info = AssertInfo::new(ObligationKind::Nonblocking, claim, place);
    scene.out.assert(scene.at, possible, info);
}
