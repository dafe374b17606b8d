//! Does a pure callee demand anything of its callers?
//!
//! **In:** one arm of a call. **Out:** may something about the call have to be proved?
//!
//! | callee | demands |
//! | --- | --- |
//! | primitive that takes something out, `Move` | always |
//! | other primitive with a path | if the path is more than a variable |
//! | primitive that makes something new | never |
//! | pure action | if it, or what it calls, asserts or requires something |
//! | pure procedure | if it requires something or has a measure; if inlined, as a pure action |
//!
//! A value that is taken apart must be built by the constructor that is written, unless its type has
//! no other ([`may_be_built_otherwise`]).
//!
//! # Invariants
//! - Fail closed: what is not understood demands something.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Name, Program};
use hir::{Arm, Body, ClauseKind, Expr, ProcSig, Stmt, Ty};

use crate::Db;

/// When a primitive demands something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    /// If its first argument is more than a variable: keys and fields must be there.
    OnPaths,
    Never,
}

const PRIMITIVES: &[(&str, When)] = &[
    ("Loc_New", When::Never),
    ("Tag_New", When::Never),
    ("Tags_New", When::Never),
    ("Map_MakeEmpty", When::Never),
    ("Move", When::Always),
    ("One_Get", When::Always),
    ("One_Put", When::OnPaths),
    ("Map_Get", When::Always),
    ("Map_Put", When::OnPaths),
    ("Map_Split", When::Always),
    ("Map_Join", When::OnPaths),
    ("Path_Load", When::OnPaths),
    ("Path_Store", When::OnPaths),
];

/// May something have to be proved about a pure call, written in `body`?
pub fn has_demands(db: &dyn Db, program: Program, body: &Body, arm: &Arm) -> bool {
    if arm.primitive.is_some() {
        return primitive_demands(body, arm);
    }
    let mut todo = vec![arm.callee.clone()];
    let mut seen = BTreeSet::new();
    while let Some(name) = todo.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let own = own_demands(db, program, name);
        if own.any {
            return true;
        }
        todo.extend(own.callees.iter().cloned());
    }
    false
}

/// May the value that is taken apart be built by another constructor than the one that is written?
pub(super) fn may_be_built_otherwise(
    db: &dyn Db,
    program: Program,
    body: &Body,
    value: hir::ExprId,
) -> bool {
    let Ty::Ctor(name, _) = body.exprs.ty(value) else { return true };
    let datatype = hir::datatype(db, program, name.clone());
    datatype.is_none_or(|datatype| datatype.ctors.len() != 1)
}

fn primitive_demands(body: &Body, arm: &Arm) -> bool {
    let when = PRIMITIVES.iter().find(|(name, _)| arm.callee == *name).map(|(_, when)| *when);
    let is_variable =
        |id: &hir::ExprId| matches!(body.exprs.expr(*id), Expr::Local(_) | Expr::Global(_));
    match when {
        Some(When::Never) => false,
        Some(When::OnPaths) => !arm.args.first().is_some_and(is_variable),
        Some(When::Always) | None => true,
    }
}

/// What one callee demands by itself, and whose demands are its own.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct Demands {
    any: bool,
    callees: BTreeSet<Name>,
}

/// Reads the specifications of the callee and, where callers see it, its body.
#[salsa::tracked(returns(clone))]
fn own_demands(db: &dyn Db, program: Program, name: Name) -> Arc<Demands> {
    let Some(sig) = hir::proc_sig(db, program, name.clone()) else {
        return Arc::new(Demands { any: true, callees: BTreeSet::new() });
    };
    let mut out = Demands::default();
    if let Some(specs) = hir::specs(db, program, sig.decl) {
        out.any = !specs.measures.is_empty() || !specs.calls.is_empty();
        out.any |= specs.clauses.iter().any(|clause| match clause.kind {
            ClauseKind::Requires => !clause.free,
            ClauseKind::Asserts | ClauseKind::Preserves => true,
            ClauseKind::Ensures => false,
        });
    }
    if is_written_out(&sig) {
        for decl in hir::implementations(db, program, name).iter() {
            if let Some(body) = hir::body(db, program, *decl) {
                for stmt in &body.stmts {
                    out.any |= matches!(stmt, Stmt::Unpack { value, .. }
                        if may_be_built_otherwise(db, program, &body, *value));
                    statement(&body, stmt, &mut out);
                }
            }
        }
    }
    Arc::new(out)
}

/// Is the body written out at each call?
fn is_written_out(sig: &ProcSig) -> bool {
    sig.is_action() || sig.attrs.has("inline")
}

fn statement(body: &Body, stmt: &Stmt, out: &mut Demands) {
    match stmt {
        Stmt::Error | Stmt::Assert { .. } | Stmt::Measure { .. } | Stmt::Yield { .. } => {
            out.any = true;
        }
        Stmt::Call { arms, .. } => {
            for arm in arms {
                if arm.primitive.is_some() {
                    out.any |= primitive_demands(body, arm);
                } else {
                    out.callees.insert(arm.callee.clone());
                }
            }
        }
        // What an unpack demands depends on the type of its value, see `own_demands`.
        Stmt::Unpack { .. } => {}
        Stmt::Assign { .. } | Stmt::Assume { .. } | Stmt::Havoc { .. } => {}
        Stmt::Visibility(_) | Stmt::If { .. } | Stmt::While { .. } | Stmt::Break { .. } => {}
        Stmt::Goto { .. } | Stmt::Label(_) | Stmt::Return => {}
    }
}

#[cfg(test)]
mod tests {
    use super::PRIMITIVES;

    #[test]
    fn every_primitive_has_a_row() {
        for primitive in hir::PRIMITIVES {
            assert!(PRIMITIVES.iter().any(|(name, _)| *name == primitive.name));
        }
        assert_eq!(PRIMITIVES.len(), hir::PRIMITIVES.len());
    }
}
