//! Which layers of a program are checked (verification.md 1).
//!
//! **In:** signatures, and what every declaration claims ([`crate::claims`]). **Out:** two sets of
//! layers, ascending: where refinement is checked and where invariants are checked. The second
//! contains the first, and every layer at which something must hold.
//!
//! # Invariants
//! - Each declaration's share is a query of its own, so an edit of a body reaches the sets only if
//!   it changes the layers of claims in that body.
//!
//! # Soundness
//! A claim at a layer without a program would be asked by nobody. The reference forgets pure calls,
//! primitives, measures and preconditions of actions here.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{DeclId, Program};
use hir::Layer;

use crate::Db;
use crate::claims::claimed_layers;

/// The layers of yield procedures with bodies, and the upper layers of actions with a `refines`
/// clause: here a layer is shown to refine the next one.
#[salsa::tracked(returns(clone))]
pub fn refinement_layers(db: &dyn Db, program: Program) -> Arc<[Layer]> {
    let decls = hir::program_decls(db, program);
    let layers: BTreeSet<Layer> =
        decls.iter().filter_map(|decl| refinement_layer(db, program, *decl)).collect();
    layers.into_iter().collect()
}

/// The refinement layers, and every layer at which something is claimed: here an invariant program
/// is generated, and so here code must yield enough.
///
/// The reference checks yields at refinement layers only, so an assertion at any other layer is
/// proved there against interleavings that are too coarse.
#[salsa::tracked(returns(clone))]
pub fn invariant_layers(db: &dyn Db, program: Program) -> Arc<[Layer]> {
    let mut layers: BTreeSet<Layer> = refinement_layers(db, program).iter().copied().collect();
    for decl in hir::program_decls(db, program).iter() {
        layers.extend(claimed_layers(db, program, *decl).as_slice());
    }
    layers.into_iter().collect()
}

/// The invariant layers at which the code of a yield procedure at layer `top` exists, ascending.
pub fn code_layers(db: &dyn Db, program: Program, top: Layer) -> Vec<Layer> {
    let layers = invariant_layers(db, program);
    layers.iter().copied().filter(|layer| *layer <= top).collect()
}

/// The refinement layer that one declaration adds.
fn refinement_layer(db: &dyn Db, program: Program, decl: DeclId) -> Option<Layer> {
    let sig = hir::proc_sig_of(db, program, decl)?;
    let has_body = sig.has_body || sig.decl != decl;
    let refines = sig.is_action() && sig.refines.is_some();
    ((sig.is_yield_procedure() && has_body) || refines).then(|| sig.layer())?
}

#[cfg(test)]
mod tests {
    use super::{invariant_layers, refinement_layers};
    use crate::fixture::{Database, program};

    #[test]
    fn layers_come_from_bodies_refining_actions_invariants_and_assertions() {
        let db = Database::default();
        let text = r#"
action {:layer 4,5} A() refines B; { }
action {:layer 6,90} B() { }
yield invariant {:layer 7} I(); preserves true;
invariant {:layer 8} G(); preserves true;
yield procedure {:layer 1} NoBody(); requires {:layer 0} true;
yield procedure {:layer 30} P()
requires {:layer 10} true;
ensures {:layer 11,12} true;
{
  assert {:layer 13} true;
  while (*)
  invariant {:yields} {:layer 20} true;
  invariant {:layer 14} true;
  {
  }
}
"#;
        let program = program(&db, text);
        let numbers = |layers: &[hir::Layer]| layers.iter().map(|it| it.0).collect::<Vec<_>>();
        assert_eq!(numbers(&refinement_layers(&db, program)), [5, 30]);
        let expected = [0, 5, 7, 8, 10, 11, 12, 13, 14, 30];
        assert_eq!(numbers(&invariant_layers(&db, program)), expected);
    }
}
