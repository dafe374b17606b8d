//! Which globals are state of the machine at their lowest layer?
//!
//! **In:** the globals and the yield procedures without body. **Out:** [`is_machine`].
//!
//! A global that exists at layer 0 is part of the machine: there is no layer below that says how it is
//! read and written. A global that is introduced higher up is ghost state, which pure calls of that
//! layer read and write inside transactions, unless a yield procedure without body has the same layer
//! and its action touches the global: then the procedure is a step of the machine there, and so is
//! every other access at that layer.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{DeclKind, Name, Program};
use hir::{Expr, Exprs, Layer};

use crate::Db;
use crate::call_graph::callees;

/// Is an access to the global at `layer` a step of the machine?
pub fn is_machine(db: &dyn Db, program: Program, global: &Name, layer: Layer) -> bool {
    let declared = hir::global(db, program, global.clone());
    // What is not declared is complained about; until then it is as bad as can be.
    let lowest = declared.map_or(layer, |global| global.layers.low());
    layer == lowest && (lowest == Layer::ZERO || touched(db, program, layer).contains(global))
}

/// The globals that actions of yield procedures without body of this layer touch.
#[salsa::tracked(returns(clone))]
fn touched(db: &dyn Db, program: Program, layer: Layer) -> Arc<BTreeSet<Name>> {
    let mut todo: Vec<Name> = Vec::new();
    for decl in hir::program_decls(db, program).iter() {
        let is_procedure = decl.kind(db) == DeclKind::YieldProcedure;
        let sig = hir::proc_sig_of(db, program, *decl).filter(|_| is_procedure);
        let Some(sig) = sig.filter(|sig| sig.layer() == Some(layer)) else { continue };
        if hir::implementations(db, program, sig.name.clone()).is_empty() {
            todo.extend(sig.refines.clone());
        }
    }
    let mut out = BTreeSet::new();
    let mut seen = BTreeSet::new();
    while let Some(action) = todo.pop() {
        if seen.insert(action.clone()) {
            out.extend(mentioned(db, program, action.clone()).iter().cloned());
            todo.extend(callees(db, program, action).iter().cloned());
        }
    }
    Arc::new(out)
}

/// The globals that an action itself mentions. Reads its specifications and bodies only.
#[salsa::tracked(returns(clone))]
fn mentioned(db: &dyn Db, program: Program, action: Name) -> Arc<BTreeSet<Name>> {
    let mut out: BTreeSet<Name> =
        hir::modifies(db, program, action.clone()).iter().cloned().collect();
    if let Some(sig) = hir::proc_sig(db, program, action.clone())
        && let Some(specs) = hir::specs(db, program, sig.decl)
    {
        out.extend(globals(&specs.exprs));
    }
    for decl in hir::implementations(db, program, action).iter() {
        if let Some(body) = hir::body(db, program, *decl) {
            out.extend(globals(&body.exprs));
        }
    }
    Arc::new(out)
}

fn globals(exprs: &Exprs) -> impl Iterator<Item = Name> {
    exprs.ids().filter_map(|id| {
        if let Expr::Global(name) = exprs.expr(id) { Some(name.clone()) } else { None }
    })
}
