//! Everything about layers, for one declaration.
//!
//! **In:** a declaration. **Out:** its [`LayerProblem`]s: of the kind of item it is, and of the body
//! it holds. Rules: [`crate::access`], [`crate::actions`], [`crate::procedures`], [`crate::calls`],
//! [`crate::refines`], [`crate::measures`].

use base::{DeclId, Program};
use hir::ProcKind;

use crate::problem::LayerProblem;
use crate::{Db, actions, measures, procedures, refines};

/// The problems with layers of one declaration.
pub(crate) fn check(db: &dyn Db, program: Program, decl: DeclId) -> Vec<LayerProblem> {
    let mut out = Vec::new();
    let Some(sig) = hir::proc_sig_of(db, program, decl) else { return out };
    let own = sig.decl == decl;
    match sig.kind {
        ProcKind::Action { .. } => {
            if own {
                actions::check(db, program, &sig, &mut out);
                refines::check(db, program, &sig, &mut out);
            }
            actions::check_body(db, program, (&sig, decl), &mut out);
        }
        ProcKind::Yield => {
            if own {
                procedures::check(db, program, &sig, &mut out);
                procedures::check_bodies(db, program, &sig, &mut out);
                refines::check(db, program, &sig, &mut out);
            }
            procedures::check_body(db, program, (&sig, decl), &mut out);
        }
        ProcKind::Invariant { .. } if own => procedures::check(db, program, &sig, &mut out),
        ProcKind::Invariant { .. } => {
            let (owner, at) = (sig.name.clone(), hir::decl_place(db, decl));
            out.push(LayerProblem::ProcedureBodies { owner, at, first: None });
        }
        ProcKind::Plain | ProcKind::Pure => {}
    }
    if own {
        measures::check(db, program, &sig, &mut out);
    }
    measures::check_body(db, program, (&sig, decl), &mut out);
    out
}

#[cfg(test)]
mod tests;
