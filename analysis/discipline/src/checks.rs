//! All checks of this crate, per declaration and for the whole program.
//!
//! **In:** one declaration. **Out:** its problems, worded, each with the stage in which the
//! reference looks for it.
//!
//! # Invariants
//! - Problems of one declaration depend on its own text and on signatures, never on other bodies
//!   (the set of checked layers excepted).
//! - Within a stage, problems of a declaration come in the order of the reference.

use std::sync::Arc;

use base::{DeclId, Diagnostic, Program, Severity};

use crate::problem::{Problem, Stage};
use crate::{Db, linear, render, yields};

/// Every problem of one declaration, all stages, with its stage.
///
/// Reads the declaration, signatures of what it mentions, and the layers that are checked.
#[salsa::tracked]
pub fn staged_diagnostics(
    db: &dyn Db,
    program: Program,
    decl: DeclId,
) -> Arc<[(Stage, Diagnostic)]> {
    let problems = problems(db, program, decl);
    problems.iter().map(|it| (it.stage(), render::render(it))).collect()
}

/// Every problem of one declaration, as an editor shows them.
#[salsa::tracked]
pub fn diagnostics(db: &dyn Db, program: Program, decl: DeclId) -> Arc<[Diagnostic]> {
    let staged = staged_diagnostics(db, program, decl);
    staged.iter().map(|(_, diagnostic)| diagnostic.clone()).collect()
}

/// The problems of the first stage that has an error, in the order of the reference; all warnings
/// if there is no error. To be used when `hir` found no error before the type check; problems of
/// [`Stage::TypeCheck`] belong together with `hir`'s type errors.
pub fn program_diagnostics(db: &dyn Db, program: Program) -> Vec<(Stage, Diagnostic)> {
    let decls = hir::program_decls(db, program);
    let mut seen = Vec::new();
    for stage in Stage::ALL {
        for decl in decls.iter() {
            let staged = staged_diagnostics(db, program, *decl);
            seen.extend(staged.iter().filter(|(it, _)| *it == stage).cloned());
        }
        if seen.iter().any(|(_, it)| it.severity == Severity::Error) {
            break;
        }
    }
    seen
}

/// The structured problems of one declaration. Each area appends its own.
fn problems(db: &dyn Db, program: Program, decl: DeclId) -> Vec<Problem> {
    let layers = crate::layers::check(db, program, decl);
    let mut out: Vec<Problem> = layers.into_iter().map(Problem::from).collect();
    linear::check(db, program, decl, &mut out);
    yields::check(db, program, decl, &mut out);
    out
}
