//! Which mover procedures may start threads that rely on yield invariants?
//!
//! **In:** the bodies of the mover procedures of a program, each at its own layer. **Out:**
//! [`starts_threads`].
//!
//! A mover procedure starts such threads itself, or calls a mover procedure of its layer that does.
//! The set is the least solution, computed for all of them together, since they may call each other.
//! A mover procedure without a body starts nothing: that is part of the promise that it is a mover.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{DeclKind, Name, Program};
use hir::{ProcSig, Stmt};

use super::labels::has_yield_preconditions;
use crate::Db;
use crate::standing::{CalleeAt, callee_at};

/// May the mover procedure, run as one step at its own layer, start a thread that relies on yield
/// invariants?
pub(super) fn starts_threads(db: &dyn Db, program: Program, name: &Name) -> bool {
    starters(db, program).contains(name)
}

/// The mover procedures that may start such threads.
#[salsa::tracked(returns(ref))]
fn starters(db: &dyn Db, program: Program) -> BTreeSet<Name> {
    let mut movers = Vec::new();
    for decl in hir::program_decls(db, program).iter() {
        let sig = hir::proc_sig_of(db, program, *decl)
            .filter(|sig| decl.kind(db) == DeclKind::YieldProcedure && sig.is_mover_procedure());
        if let Some(sig) = sig {
            movers.push((sig.name.clone(), own_starts(db, program, sig.name.clone())));
        }
    }
    let mut out: BTreeSet<Name> =
        movers.iter().filter(|(_, own)| own.starts).map(|(name, _)| name.clone()).collect();
    loop {
        let before = out.len();
        for (name, own) in &movers {
            if own.callees.iter().any(|callee| out.contains(callee)) {
                out.insert(name.clone());
            }
        }
        if out.len() == before {
            return out;
        }
    }
}

/// What one mover procedure does by itself.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct Starts {
    starts: bool,
    /// The mover procedures it runs.
    callees: BTreeSet<Name>,
}

/// Reads the bodies of that procedure, and signatures and specifications of its callees.
#[salsa::tracked(returns(clone))]
fn own_starts(db: &dyn Db, program: Program, name: Name) -> Arc<Starts> {
    let mut out = Starts::default();
    let sig = hir::proc_sig(db, program, name.clone());
    let Some(layer) = sig.and_then(|sig| sig.layer()) else { return Arc::new(out) };
    for decl in hir::implementations(db, program, name).iter() {
        let Some(body) = hir::body(db, program, *decl) else { continue };
        for stmt in &body.stmts {
            let Stmt::Call { arms, is_async, .. } = stmt else { continue };
            for arm in arms {
                let Some(callee) = hir::proc_sig(db, program, arm.callee.clone()) else { continue };
                let at = callee_at(db, program, &callee, (arm, *is_async), layer);
                add(db, program, (&callee, at), &mut out);
            }
        }
    }
    Arc::new(out)
}

fn add(db: &dyn Db, program: Program, (callee, at): (&ProcSig, CalleeAt), out: &mut Starts) {
    match at {
        CalleeAt::StartedCode => {
            out.starts |= has_yield_preconditions(db, program, Some(callee));
        }
        CalleeAt::Mover(_) => {
            out.callees.insert(callee.name.clone());
        }
        // An action starts nothing, and what yields or is not understood is complained about.
        CalleeAt::Nothing | CalleeAt::Pure | CalleeAt::Invariant | CalleeAt::Action(_) => {}
        CalleeAt::Skip | CalleeAt::StartedSkip | CalleeAt::Code | CalleeAt::Unknown => {}
    }
}
