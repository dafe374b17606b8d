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

use base::{DeclId, Diagnostic, Phase, Program, Severity};

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

/// What a batch run reports: the problems of the first phase with an error, those of `hir`
/// included, in the order of the reference; all warnings if there is no error.
pub fn batch_diagnostics(db: &dyn Db, program: Program) -> Vec<Diagnostic> {
    let plain = hir::program_diagnostics(db, program);
    let is_error = |it: &Diagnostic| it.severity == Severity::Error;
    for phase in [Phase::Syntax, Phase::Resolve] {
        if plain.iter().any(|it| it.phase == phase && is_error(it)) {
            return plain.into_iter().filter(|it| it.phase <= phase).collect();
        }
    }
    let stop = plain.iter().any(is_error).then_some(Stage::TypeCheck);
    let civl = staged(db, program, stop);
    plain.into_iter().chain(civl.into_iter().map(|(_, diagnostic)| diagnostic)).collect()
}

/// The problems of the first stage that has an error, in the order of the reference; all warnings
/// if there is no error. To be used when `hir` found no error before the type check; problems of
/// [`Stage::TypeCheck`] belong together with `hir`'s type errors.
pub fn program_diagnostics(db: &dyn Db, program: Program) -> Vec<(Stage, Diagnostic)> {
    staged(db, program, None)
}

/// The problems up to the first stage with an error, or up to `stop`.
fn staged(db: &dyn Db, program: Program, stop: Option<Stage>) -> Vec<(Stage, Diagnostic)> {
    let decls = hir::program_decls(db, program);
    let mut seen: Vec<(Stage, Diagnostic)> = Vec::new();
    for stage in Stage::ALL {
        for decl in decls.iter() {
            let found = staged_diagnostics(db, program, *decl);
            for (_, diagnostic) in found.iter().filter(|(it, _)| *it == stage) {
                // A forbidden type is a problem of the type: once per program, not per use.
                let known = stage == Stage::LinearTypes
                    && seen.iter().any(|(_, it)| it.message == diagnostic.message);
                if !known {
                    seen.push((stage, diagnostic.clone()));
                }
            }
        }
        let failed = seen.iter().any(|(_, it)| it.severity == Severity::Error);
        if failed || stop == Some(stage) {
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
