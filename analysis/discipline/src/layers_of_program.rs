//! Which layers of a program are checked (verification.md 1).
//!
//! **In:** signatures, and the layers written on assertions. **Out:** two sets of layers, ascending:
//! where refinement is checked and where invariants are checked. The second contains the first.
//!
//! # Invariants
//! - Each declaration's share is a query of its own, so an edit of a body reaches the sets only if
//!   it changes the layers written in that body.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{DeclId, Program};
use hir::{ClauseKind, Layer, Stmt, StmtId};

use crate::Db;

/// The layers of yield procedures with bodies, and the upper layers of actions with a `refines`
/// clause: here a layer is shown to refine the next one.
#[salsa::tracked(returns(clone))]
pub fn refinement_layers(db: &dyn Db, program: Program) -> Arc<[Layer]> {
    let decls = hir::program_decls(db, program);
    let layers: BTreeSet<Layer> =
        decls.iter().filter_map(|decl| refinement_layer(db, program, *decl)).collect();
    layers.into_iter().collect()
}

/// The refinement layers, the layers of invariants, and every layer written on an assertion,
/// yield, precondition or postcondition of a yield procedure: here an invariant program is generated, and
/// so here code must yield enough.
///
/// The reference checks yields at refinement layers only, so an assertion at any other layer is
/// proved there against interleavings that are too coarse.
#[salsa::tracked(returns(clone))]
pub fn invariant_layers(db: &dyn Db, program: Program) -> Arc<[Layer]> {
    let mut layers: BTreeSet<Layer> = refinement_layers(db, program).iter().copied().collect();
    for decl in hir::program_decls(db, program).iter() {
        layers.extend(asserted_layers(db, program, *decl).iter());
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

/// The layers that one declaration adds to the invariant layers.
#[salsa::tracked(returns(clone))]
fn asserted_layers(db: &dyn Db, program: Program, decl: DeclId) -> Arc<[Layer]> {
    let Some(sig) = hir::proc_sig_of(db, program, decl) else { return Arc::from([]) };
    let mut layers = BTreeSet::new();
    if sig.is_invariant() {
        layers.extend(sig.layer());
    }
    if sig.is_yield_procedure() {
        if let Some(specs) = hir::specs(db, program, decl) {
            let counted = [ClauseKind::Requires, ClauseKind::Ensures];
            let clauses = specs.clauses.iter().filter(|it| counted.contains(&it.kind));
            layers.extend(clauses.flat_map(|clause| clause.layers.as_slice()));
        }
        layers.extend(body_layers(db, program, decl));
    }
    layers.into_iter().collect()
}

/// The layers of assertions in a body, the annotation of yielding loops excepted.
fn body_layers(db: &dyn Db, program: Program, decl: DeclId) -> Vec<Layer> {
    let Some(body) = hir::body(db, program, decl) else { return Vec::new() };
    let cfg = hir::cfg(db, program, decl);
    let heads =
        cfg.iter().flat_map(|cfg| cfg.blocks.iter()).filter_map(|block| block.head.as_ref());
    let annotations: Vec<StmtId> = heads.filter_map(|it| Some(it.yields.as_ref()?.stmt)).collect();
    let mut out = Vec::new();
    for (index, stmt) in body.stmts.iter().enumerate() {
        if let Stmt::Assert { layers, .. } | Stmt::Yield { layers, .. } = stmt
            && !annotations.contains(&StmtId::from_index(index))
        {
            out.extend(layers.as_slice());
        }
    }
    out
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
