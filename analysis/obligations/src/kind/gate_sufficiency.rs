//! The `asserts` clauses of an action suffice for the assertions of its body (verification.md 4.2).
//!
//! **In:** an action with `asserts`. **Out:** a unit with the assertions of the body.
//!
//! # Soundness
//! Assumed: the clauses, and disjointness of what is held where the action starts: inputs that are
//! declared linear, `linear_out` ones excepted, and linear globals. The body is the text itself.

use base::Name;
use hir::LinearKind;
use ir::ObligationKind;

use super::scene::{Scene, named, waiting};
use crate::action::{ActionCopy, outline};
use crate::unit::{Moment, Unit, UnitEntry, UnitKey};
use crate::world::World;

/// The units of these actions.
pub fn units(world: World<'_>, actions: &[Name]) -> Vec<UnitEntry> {
    let declared = |name: &&Name| {
        let outline = outline(world.db, world.program, (*name).clone());
        outline.is_some_and(|outline| outline.has_asserts)
    };
    let keys = actions.iter().filter(declared).cloned().map(UnitKey::GateSufficiency);
    keys.map(|key| super::entry(world, key)).collect()
}

/// The unit of an action.
pub fn unit(world: World<'_>, name: &Name) -> Unit {
    let key = UnitKey::GateSufficiency(name.clone());
    let mut scene = Scene::new(world, crate::place_of(world, &key));
    if let Some(mut copy) = scene.copy(name, "@1") {
        write(&mut scene, &mut copy);
    }
    scene.finish(&key, ObligationKind::GateSufficiency)
}

// suffices(a):  Lin, asserts of a;  body of a, each assertion asserted
fn write(scene: &mut Scene<'_>, copy: &mut ActionCopy) {
    let place = named(scene.world, &copy.action.sig).place;
    scene.frame = copy.action.mentioned.clone();
    scene.assume_linear(copy.linear_ins(LinearKind::LinearOut));
    scene.assume_gate(copy);
    scene.capture(place, Moment::Entry, &[waiting(copy)]);
    copy.write_checked(&mut scene.out, scene.at, ObligationKind::GateSufficiency);
}
