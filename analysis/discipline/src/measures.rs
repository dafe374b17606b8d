//! Are measures where they mean something? (language.md 9.10)
//!
//! **In:** one procedure. **Out:** measures on things that have none, twice for one layer, away
//! from a loop head, after an assignment, or of different lengths along a recursive call.

use std::collections::BTreeSet;

use base::{DeclId, Place, Program};
use hir::{Body, Cfg, Command, LayerSet, Name, ProcSig, SourceMap, Stmt, StmtId};

use crate::Db;
use crate::call_graph::reaches;
use crate::problem::LayerProblem;
use crate::problem::layers::MeasureRule;

/// The problems of the `measure` clauses of a procedure.
pub(crate) fn check(db: &dyn Db, program: Program, sig: &ProcSig, out: &mut Vec<LayerProblem>) {
    let (Some(specs), Some(map)) =
        (hir::specs(db, program, sig.decl), hir::specs_map(db, program, sig.decl))
    else {
        return;
    };
    let clauses: Vec<(Place, LayerSet)> = specs
        .measures
        .iter()
        .zip(&map.measures)
        .map(|(measure, ptr)| (map.place(*ptr), measure.layers.clone()))
        .collect();
    check_once(sig, &clauses, None, out);
    let has_body = !hir::implementations(db, program, sig.name.clone()).is_empty();
    let may_have = sig.is_plain_or_pure_procedure() || sig.is_mover_procedure();
    if !clauses.is_empty() && has_body && !may_have {
        let at = hir::decl_place(db, sig.decl);
        let rule = MeasureRule::OnlyMovers { owner: sig.name.clone() };
        out.push(LayerProblem::Measure { at, rule });
    }
}

/// The problems of the `measure` statements of a body, and of its recursive calls.
pub(crate) fn check_body(
    db: &dyn Db,
    program: Program,
    (sig, decl): (&ProcSig, DeclId),
    out: &mut Vec<LayerProblem>,
) {
    let (Some(body), Some(map), Some(cfg)) = (
        hir::body(db, program, decl),
        hir::body_map(db, program, decl),
        hir::cfg(db, program, decl),
    ) else {
        return;
    };
    check_loop_heads((&body, &map, &cfg), sig, out);
    check_recursive_calls(db, program, (sig, &body, &map), out);
}

/// One measure per layer; one in all for code without layers.
fn check_once(
    sig: &ProcSig,
    measures: &[(Place, LayerSet)],
    head: Option<Place>,
    out: &mut Vec<LayerProblem>,
) {
    if !sig.is_yield_procedure() {
        let twice = measures.iter().skip(1).take(1);
        out.extend(
            twice.map(|(at, _)| LayerProblem::Measure {
                at: *at,
                rule: MeasureRule::Twice { head },
            }),
        );
        return;
    }
    let mut seen = BTreeSet::new();
    for (at, layers) in measures {
        if let Some(layer) = layers.as_slice().iter().find(|layer| !seen.insert(**layer)) {
            let rule = MeasureRule::TwicePerLayer { layer: *layer };
            out.push(LayerProblem::Measure { at: *at, rule });
        }
    }
}

fn check_loop_heads(
    (body, map, cfg): (&Body, &SourceMap, &Cfg),
    sig: &ProcSig,
    out: &mut Vec<LayerProblem>,
) {
    for block in &cfg.blocks {
        let mut measures = Vec::new();
        let mut assigned = false;
        for id in block.commands.iter().filter_map(statement) {
            assigned |= matches!(body.stmt(id), Stmt::Assign { .. });
            let Stmt::Measure { layers, .. } = body.stmt(id) else { continue };
            let at = map.stmt(id);
            if block.head.is_none() {
                out.push(LayerProblem::Measure { at, rule: MeasureRule::OutsideLoopHead });
            } else if assigned {
                out.push(LayerProblem::Measure { at, rule: MeasureRule::AfterAssignment });
            }
            measures.push((at, layers.clone()));
        }
        if let Some(head) = &block.head {
            let head = head.place.or(block.place).map(|ptr| map.place(ptr));
            check_once(sig, &measures, head, out);
        }
    }
}

fn statement(command: &Command) -> Option<StmtId> {
    match command {
        Command::Stmt(id) => Some(*id),
        Command::Guard { .. } => None,
    }
}

fn check_recursive_calls(
    db: &dyn Db,
    program: Program,
    (sig, body, map): (&ProcSig, &Body, &SourceMap),
    out: &mut Vec<LayerProblem>,
) {
    let caller = measure_count(db, program, &sig.name);
    if caller == 0 {
        return;
    }
    for (number, stmt) in body.stmts.iter().enumerate() {
        let Stmt::Call { arms, .. } = stmt else { continue };
        for arm in arms.iter().filter(|arm| reaches(db, program, &arm.callee, &sig.name)) {
            let callee = measure_count(db, program, &arm.callee);
            if callee != caller {
                let at = map.stmt(StmtId::from_index(number));
                let rule = MeasureRule::Count { caller, callee };
                out.push(LayerProblem::Measure { at, rule });
            }
        }
    }
}

/// How many expressions the measures of a procedure have together.
fn measure_count(db: &dyn Db, program: Program, name: &Name) -> usize {
    let Some(sig) = hir::proc_sig(db, program, name.clone()) else { return 0 };
    let specs = hir::specs(db, program, sig.decl);
    specs.map_or(0, |specs| specs.measures.iter().map(|measure| measure.exprs.len()).sum())
}
