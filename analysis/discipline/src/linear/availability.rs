//! The available linear variables at the points obligations ask about, layer by layer.
//!
//! **In:** the flow of permissions through a body ([`super::flow`]). **Out:** what is held at entry,
//! around each call and its arms, and at each loop head; and the problems of the flow.
//!
//! # Soundness
//! A call with `{:layer n}` moves permissions at layer n only, and a parameter that is hidden or
//! does not exist at a layer moves nothing there. So what a proof at a layer may assume
//! ([`availability_at`]) follows the flow of that layer, and the flow of each layer must be right by
//! itself. The flow that ignores layers is the reference's; nothing is available at a layer that is
//! not available there too.
//!
//! The arms of a parallel call run in any order, and the proof takes them from left to right. What
//! an arm takes in is gone for the arms after it; what an arm hands out, as `linear_out` or as a
//! result, is there only after the whole call ([`Availability::before_arm`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclId, Program};
use hir::{BlockId, Layer, LayerRange, LinearKind, Stmt, StmtId, VarRef};

use super::flow::{Flow, flow};
use super::owner::Owner;
use crate::Db;
use crate::problem::{LinearProblem, Problem};

/// The available linear variables of a body. All lists are sorted: formals and locals by number,
/// then globals by name.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Availability {
    pub(super) entry: Vec<VarRef>,
    pub(super) before: BTreeMap<StmtId, Vec<VarRef>>,
    pub(super) arms: BTreeMap<(StmtId, usize), Vec<VarRef>>,
    pub(super) after: BTreeMap<StmtId, Vec<VarRef>>,
    pub(super) heads: BTreeMap<BlockId, Vec<VarRef>>,
}

impl Availability {
    /// At the entry of the body.
    pub fn at_entry(&self) -> &[VarRef] {
        &self.entry
    }

    /// Before a call or yield statement; on every way to it if the statement is in several blocks.
    pub fn before_call(&self, call: StmtId) -> &[VarRef] {
        self.before.get(&call).map_or(&[], Vec::as_slice)
    }

    /// Inside a call, before its arm number `arm`: what was held before the call, without what the
    /// arms before this one took in or will hand out. For the number after the last: when all arms
    /// have taken what they take, and before any has handed out anything.
    pub fn before_arm(&self, call: StmtId, arm: usize) -> &[VarRef] {
        self.arms.get(&(call, arm)).map_or(&[], Vec::as_slice)
    }

    /// After a call or yield statement.
    pub fn after_call(&self, call: StmtId) -> &[VarRef] {
        self.after.get(&call).map_or(&[], Vec::as_slice)
    }

    /// At the head of a loop.
    pub fn at_loop_head(&self, header: BlockId) -> &[VarRef] {
        self.heads.get(&header).map_or(&[], Vec::as_slice)
    }

    /// What both have.
    fn meet(&self, other: &Availability) -> Availability {
        Availability {
            entry: common(&self.entry, &other.entry),
            before: common_lists(&self.before, &other.before),
            arms: common_lists(&self.arms, &other.arms),
            after: common_lists(&self.after, &other.after),
            heads: common_lists(&self.heads, &other.heads),
        }
    }
}

fn common(left: &[VarRef], right: &[VarRef]) -> Vec<VarRef> {
    left.iter().filter(|var| right.contains(var)).cloned().collect()
}

fn common_lists<K: Ord + Copy>(
    left: &BTreeMap<K, Vec<VarRef>>,
    right: &BTreeMap<K, Vec<VarRef>>,
) -> BTreeMap<K, Vec<VarRef>> {
    let both = left.iter().filter_map(|(key, list)| Some((*key, common(list, right.get(key)?))));
    both.collect()
}

/// The availability of linear variables in the body of `decl`, whatever the layer: for code without
/// layers, and to be shown. Nothing is available in a body that has problems, or if there is no body.
pub fn availability(db: &dyn Db, program: Program, decl: DeclId) -> Arc<Availability> {
    Arc::clone(&flow(db, program, decl, None).availability)
}

/// The availability of linear variables in the body of `decl` at `layer`: what a proof at that layer
/// may assume.
#[salsa::tracked(returns(clone))]
pub fn availability_at(
    db: &dyn Db,
    program: Program,
    decl: DeclId,
    layer: Layer,
) -> Arc<Availability> {
    let whole = flow(db, program, decl, None);
    let Some(turn) = turns(db, program, decl).iter().copied().rfind(|it| *it <= layer) else {
        return Arc::clone(&whole.availability);
    };
    let here = flow(db, program, decl, Some(turn));
    Arc::new(whole.availability.meet(&here.availability))
}

/// Appends the problems of a body: of single commands, else of the flow, else of the flow at a layer.
pub(super) fn check(db: &dyn Db, program: Program, decl: DeclId, out: &mut Vec<Problem>) {
    let whole: Arc<Flow> = flow(db, program, decl, None);
    if !whole.problems.is_empty() {
        out.extend(whole.problems.iter().cloned().map(Problem::from));
        return;
    }
    let mut seen: Vec<LinearProblem> = Vec::new();
    for layer in turns(db, program, decl).iter().copied() {
        for problem in &flow(db, program, decl, Some(layer)).problems {
            if !seen.contains(problem) {
                seen.push(problem.clone());
                let problem = Box::new(problem.clone());
                out.push(LinearProblem::AtLayer { problem, layer }.into());
            }
        }
    }
}

/// The layers at which the flow of a body may differ from the one below, ascending: where a
/// variable, parameter or call that can hold or move permissions begins or has ended. Empty if the
/// flow is the same at all layers.
///
/// Reads the body, the signatures of its callees and the declarations of globals.
#[salsa::tracked(returns(clone))]
fn turns(db: &dyn Db, program: Program, decl: DeclId) -> Arc<[Layer]> {
    let parts = || {
        let sig = hir::proc_sig_of(db, program, decl)?;
        let top = sig.layer().filter(|_| sig.is_yield_procedure())?;
        Some((Owner::new(db, program, sig), top, hir::body(db, program, decl)?))
    };
    let Some((owner, top, body)) = parts() else { return Arc::from([]) };
    let mut ranges: Vec<LayerRange> = Vec::new();
    let linear = body.locals.iter().filter(|local| owner.is_linear(&local.ty));
    ranges.extend(linear.filter_map(|local| local.layers));
    for name in owner.linear_globals().iter() {
        ranges.extend(hir::global(db, program, name.clone()).map(|global| global.layers));
    }
    for stmt in &body.stmts {
        let Stmt::Call { arms, .. } = stmt else { continue };
        for arm in arms {
            let Some(callee) = hir::proc_sig(db, program, arm.callee.clone()) else { continue };
            if callee.formals().any(|param| param.linear != LinearKind::Ordinary) {
                ranges.extend(arm.layers.hull());
                ranges.extend(callee.layers);
                ranges.extend(callee.formals().filter_map(|param| param.layers));
            }
        }
    }
    let ends = ranges.iter().flat_map(|range| [range.low(), range.high().next()]);
    let out: BTreeSet<Layer> = ends.filter(|layer| *layer <= top).collect();
    // What exists everywhere begins at layer 0 and makes no difference.
    if out.iter().all(|layer| *layer == Layer::ZERO) {
        return Arc::from([]);
    }
    out.into_iter().chain([Layer::ZERO]).collect::<BTreeSet<Layer>>().into_iter().collect()
}

#[cfg(test)]
mod tests;
