//! Who calls whom, and whose calls lead back to it.
//!
//! **In:** the bodies of a program. **Out:** what a procedure calls ([`callees`]), and whether a call
//! may lead to another ([`reaches`]).
//!
//! # Invariants
//! - An edit that leaves the calls of its body alone computes only the calls of that body anew.
//! - Whether a call leads back to its caller is looked up: all circles of calls are found together,
//!   in time linear in the number of calls.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclKind, Name, Program};
use hir::Stmt;

use crate::Db;

/// May a call of `from` lead to a call of `to`?
pub fn reaches(db: &dyn Db, program: Program, from: &Name, to: &Name) -> bool {
    if from == to {
        return true;
    }
    let circles = circles(db, program);
    let circle = circles.get(from);
    if circle.is_some() && circle == circles.get(to) {
        return true;
    }
    // A callee that leads back to its caller would be in one circle with it.
    !callees(db, program, to.clone()).contains(from) && leads_to(db, program, from, to)
}

fn leads_to(db: &dyn Db, program: Program, from: &Name, to: &Name) -> bool {
    let mut todo = vec![from.clone()];
    let mut seen = BTreeSet::new();
    while let Some(name) = todo.pop() {
        if name == *to {
            return true;
        }
        if seen.insert(name.clone()) {
            todo.extend(callees(db, program, name).iter().cloned());
        }
    }
    false
}

/// The procedures that call each other in circles, each with the number of its circle.
#[salsa::tracked(returns(clone))]
fn circles(db: &dyn Db, program: Program) -> Arc<BTreeMap<Name, usize>> {
    let mut names = BTreeSet::new();
    for decl in hir::program_decls(db, program).iter() {
        let apart = decl.kind(db) == DeclKind::Implementation;
        if apart || hir::proc_sig_of(db, program, *decl).is_some() {
            names.insert(decl.name(db).clone());
        }
    }
    let names: Vec<Name> = names.into_iter().collect();
    let succs = names.iter().map(|name| {
        let called = callees(db, program, name.clone()).iter();
        called.filter_map(|callee| names.binary_search(callee).ok()).collect()
    });
    let mut out = BTreeMap::new();
    let components = hir::components(succs.collect());
    for (number, circle) in components.iter().filter(|it| it.len() > 1).enumerate() {
        out.extend(circle.iter().map(|member| (names[*member].clone(), number)));
    }
    Arc::new(out)
}

/// Everything a procedure calls, ascending by name. Reads the bodies of that procedure only.
#[salsa::tracked(returns(ref))]
pub(crate) fn callees(db: &dyn Db, program: Program, name: Name) -> BTreeSet<Name> {
    let mut out = BTreeSet::new();
    for decl in hir::implementations(db, program, name).iter() {
        let Some(body) = hir::body(db, program, *decl) else { continue };
        for stmt in &body.stmts {
            if let Stmt::Call { arms, .. } = stmt {
                out.extend(arms.iter().map(|arm| arm.callee.clone()));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use base::Name;

    use super::reaches;
    use crate::fixture::{Database, program};

    #[test]
    fn calls_lead_along_calls() {
        let db = Database::default();
        let program = program(
            &db,
            "procedure A() { call B(); } procedure B() { call C(); call D(); }
             procedure C() { call B(); } procedure D() { call E(); } procedure E() { }",
        );
        let reached = |from: &str| -> String {
            let names = ["A", "B", "C", "D", "E"].into_iter();
            names.filter(|to| reaches(&db, program, &Name::new(from), &Name::new(to))).collect()
        };
        assert_eq!(["A", "B", "C", "D", "E"].map(reached), ["ABCDE", "BCDE", "BCDE", "DE", "E"]);
    }
}
