//! All checks of this crate, per declaration and for the whole program.
//!
//! **In:** one declaration. **Out:** its problems, worded, each with the stage in which the
//! reference looks for it.
//!
//! # Invariants
//! - Problems of one declaration depend on its own text and on signatures, never on other bodies
//!   (the set of checked layers excepted, and which permissions come from ghost code).
//! - Within a stage, problems of a declaration come in the order of the reference.

use std::sync::Arc;

use base::{DeclId, Diagnostic, Phase, Program, Severity};

use crate::problem::{Problem, Stage};
use crate::{Db, linear, render, termination, yields};

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
    let mut layers = crate::layers::check(db, program, decl);
    crate::forged::check(db, program, decl, &mut layers);
    let mut out: Vec<Problem> = layers.into_iter().map(Problem::from).collect();
    linear::check(db, program, decl, &mut out);
    yields::check_shapes(db, program, decl, &mut out);
    // What is wrong about layers would only be said again, in other words, by the automata.
    if out.iter().all(|problem| problem.stage() != Stage::TypeCheck) {
        yields::check(db, program, decl, &mut out);
        termination::check(db, program, decl, &mut out);
    }
    out
}

#[cfg(test)]
mod tests {
    use base::{Change, SourceFile};
    use testing::QueryLog;

    use super::batch_diagnostics;
    use crate::fixture::{Database, check};

    const PROGRAM: &str = r#"
var {:layer 0,1} x: int;
atomic action {:layer 1} A_N() { x := x + 1; }
yield procedure {:layer 0} N(); refines A_N;
yield procedure {:layer 1} P()
{
  call N();
}
yield procedure {:layer 1} Q()
{
  call P();
}
"#;

    /// How often the checks and the flow run again when `before` becomes `after`.
    fn reruns(before: &str, after: &str) -> Vec<usize> {
        let log = QueryLog::default();
        let mut db = Database::logged(&log);
        let file = SourceFile::new(&db, "test.bpl".to_owned(), PROGRAM.into(), None);
        let program = hir::program_of(&db, vec![file]);
        assert_eq!(batch_diagnostics(&db, program), []);
        log.take();
        let mut change = Change::default();
        assert!(PROGRAM.contains(before));
        change.set_text(file, PROGRAM.replacen(before, after, 1));
        change.apply(&mut db);
        batch_diagnostics(&db, program);
        log.take_runs(&["staged_diagnostics", "flow", "invariant_layers"])
    }

    #[test]
    fn white_space_and_comments_rerun_nothing() {
        assert_eq!(reruns("call N();", "call  /* now */ N();"), [0, 0, 0]);
    }

    #[test]
    fn typing_in_one_body_reruns_the_checks_of_that_body_only() {
        assert_eq!(reruns("call N();", "call N(); assume true;"), [1, 1, 0]);
    }

    #[test]
    fn a_new_layer_on_an_assertion_reruns_the_checks_of_all_code() {
        let [checks, flow, layers] = reruns("call N();", "call N(); assert {:layer 0} true;")[..]
        else {
            panic!("three counts")
        };
        assert_eq!((flow, layers), (1, 1));
        assert!(checks >= 2);
    }

    #[test]
    fn a_batch_run_stops_after_the_first_stage_with_an_error() {
        // Layers come before linearity, linearity before yields.
        let linear = r#"
procedure L({:linear} t: One int) returns ({:linear} r: One int) { r := t; } //~ error[linear-parameter-unavailable]
"#;
        let yields = r#"
yield procedure {:layer 1} R() { call N(); call N(); } //~ error[yield-sufficiency]
"#;
        let without_marks = |text: &str| text.replace("//~", "//");
        check(&format!("{PROGRAM}{yields}"));
        check(&format!("{PROGRAM}{linear}{}", without_marks(yields)));
        let layers = r#"
yield procedure {:layer 0} S() { call P(); } //~ error[callee-layer]
"#;
        check(&format!("{PROGRAM}{layers}{}{}", without_marks(linear), without_marks(yields)));
    }
}
