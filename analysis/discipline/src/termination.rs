//! Does a left mover end?
//!
//! **In:** a mover procedure that is a left mover, at its own layer. **Out:** an error if it can
//! never return; a warning for each loop and recursive call that nothing shows to end.
//!
//! A left mover is moved in front of what other threads do meanwhile. If it never ends, what they do
//! would be proved of no execution at all. The reference does not ask for termination. Requiring a
//! `measure` everywhere would refuse programs it accepts, so only a procedure without any way to
//! its end is an error here; measures, where they are written, are proved by the obligations. No way
//! leads out of a loop whose guard is one of its invariants.
//!
//! # Invariants
//! - A loop or recursion with a `measure` at the layer is never complained about.
//! - A counting loop ends obviously: each round moves a local by a constant towards a bound that
//!   does not change in the loop.
//! - A counting recursion ends obviously: each call of itself moves a parameter by a constant
//!   towards a bound that a precondition names.

mod blocking;
mod counting;
mod leaving;
mod meeting;
mod recursion;
mod returning;

use base::{DeclId, DeclKind, Name, Place, Program};
use hir::{Command, Expr, Layer, LayerSet, Literal, Loop, Mover, ProcSig, Stmt, StmtId};

use crate::Db;
use crate::call_graph::reaches;
use crate::problem::{Problem, YieldProblem};
use crate::yields::{Code, Parts};

/// Appends the termination problems of one declaration.
pub(crate) fn check(db: &dyn Db, program: Program, decl: DeclId, out: &mut Vec<Problem>) {
    blocking::check(db, program, decl, out);
    let Some(found) = Procedure::of_decl(db, program, decl) else { return };
    let code = found.code(db, program);
    let endless = returning::endless(db, program);
    let skeleton = returning::skeleton(db, program, decl);
    let blocked = skeleton.and_then(|it| it.blocked_at(&|name| !endless.contains(name)));
    let procedure = hir::decl_place(db, decl);
    if let Some(at) = blocked {
        let at = code.map.place(code.map.stmts[at.index()].whole());
        out.push(YieldProblem::MoverEndless { at, procedure, mover: found.mover }.into());
        return;
    }
    for (at, recursive) in unproved(&code, found.layer) {
        out.push(YieldProblem::MoverTermination { at, recursive, mover: found.mover }.into());
    }
}

/// A left mover procedure with a body.
struct Procedure {
    parts: Parts,
    mover: Mover,
    layer: Layer,
}

impl Procedure {
    fn of_decl(db: &dyn Db, program: Program, decl: DeclId) -> Option<Procedure> {
        let kinds = [DeclKind::YieldProcedure, DeclKind::Implementation];
        let parts = kinds.contains(&decl.kind(db)).then(|| Parts::of_decl(db, program, decl))??;
        let sig = &parts.sig;
        let mover = sig.mover.filter(|mover| mover.is_left() && sig.is_mover_procedure())?;
        Some(Procedure { layer: sig.layer()?, mover, parts })
    }

    fn code<'a>(&'a self, db: &'a dyn Db, program: Program) -> Code<'a> {
        self.parts.code(db, program)
    }
}

/// A guard or assumption that is false whatever the state.
fn never_passes(code: &Code<'_>, command: Command) -> bool {
    let is = |id, value| *code.body.exprs.expr(id) == Expr::Literal(Literal::Bool(value));
    match command {
        Command::Guard { cond, negated, .. } => is(cond, negated),
        Command::Stmt(stmt) => {
            matches!(code.body.stmt(stmt), Stmt::Assume { expr, .. } if is(*expr, false))
        }
    }
}

/// The calls of mover procedures that are summaries at `layer`, started ones included.
fn called_movers<'a>(
    code: &Code<'a>,
    layer: Layer,
) -> impl Iterator<Item = (StmtId, Name)> + use<'a> {
    let code = *code;
    let ids = (0..code.body.stmts.len()).map(StmtId::from_index);
    ids.flat_map(move |id| {
        let arms = code.call(id).map(|(arms, _)| arms).unwrap_or_default();
        let movers = arms.iter().filter(move |arm| {
            let callee = hir::proc_sig(code.db, code.program, arm.callee.clone());
            callee.is_some_and(|it| it.is_mover_procedure() && it.layer() == Some(layer))
        });
        movers.map(move |arm| (id, arm.callee.clone()))
    })
}

/// Loops and recursive calls that have no measure and do not end obviously.
fn unproved(code: &Code<'_>, layer: Layer) -> Vec<(Place, Option<Name>)> {
    let loops = unproved_loops(code, layer).into_iter();
    let mut out: Vec<(Place, Option<Name>)> =
        loops.map(|it| (code.head_place(it.header), None)).collect();
    if has_measure(code.db, code.program, code.sig, layer) {
        return out;
    }
    let counts = recursion::ends(code, layer);
    for (id, callee) in called_movers(code, layer) {
        let obvious = counts && callee == code.sig.name;
        if !obvious && reaches(code.db, code.program, &callee, &code.sig.name) {
            out.push((code.map.stmt(id), Some(callee)));
        }
    }
    out
}

/// Loops that have no measure at `layer` and do not end obviously.
fn unproved_loops<'a>(code: &Code<'a>, layer: Layer) -> Vec<&'a Loop> {
    let measured = |it: &Loop| {
        let mut commands = code.cfg.block(it.header).commands.iter();
        commands.any(|command| {
            matches!(command, Command::Stmt(id) if matches!(code.body.stmt(*id),
                Stmt::Measure { layers, .. } if counts(code.sig, layers, layer)))
        })
    };
    let open = |it: &&Loop| !measured(it) && !counting::ends(code, it, layer);
    let mut loops: Vec<&Loop> = code.cfg.loops.iter().filter(open).collect();
    loops.sort_by_key(|it| it.header);
    loops
}

/// Has the procedure a measure for `layer`?
fn has_measure(db: &dyn Db, program: Program, sig: &ProcSig, layer: Layer) -> bool {
    let specs = hir::specs(db, program, sig.decl);
    specs.is_some_and(|specs| specs.measures.iter().any(|it| counts(sig, &it.layers, layer)))
}

/// Does what is said for `layers` count at `layer`? In code without layers everything does.
fn counts(sig: &ProcSig, layers: &LayerSet, layer: Layer) -> bool {
    layers.contains(layer) || !sig.is_yield_procedure()
}

#[cfg(test)]
mod tests;
