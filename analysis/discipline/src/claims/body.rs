//! What the statements of a body claim.
//!
//! **In:** a body. **Out:** its claims, in the order of statements.

use std::collections::BTreeSet;

use base::{DeclId, Place, Program};
use hir::{
    Arm, Body, ClauseKind, Command, Layer, LayerRange, LayerSet, ProcKind, ProcSig, Role,
    SourceMap, Stmt, StmtId,
};

use super::demands::may_be_built_otherwise;
use super::{Asker, Claim, ClaimAt, ClaimKind, body_asker, has_demands, invariant_layer, sides};
use crate::Db;
use crate::standing::{CalleeAt, callee_at};
use crate::yields::arm_place;

/// Appends the claims of the body written in `decl`, a body of `sig`.
pub(super) fn claims(
    db: &dyn Db,
    program: Program,
    (sig, decl): (&ProcSig, DeclId),
    out: &mut Vec<Claim>,
) {
    let parts = hir::body(db, program, decl).zip(hir::body_map(db, program, decl));
    let (Some((body, map)), Some(cfg)) = (parts, hir::cfg(db, program, decl)) else { return };
    let heads = || cfg.blocks.iter().filter_map(|block| block.head.as_ref());
    let annotations: BTreeSet<StmtId> =
        heads().filter_map(|head| Some(head.yields.as_ref()?.stmt)).collect();
    let commands = cfg.blocks.iter().flat_map(|block| &block.commands);
    let statements = commands.filter_map(|command| match command {
        Command::Stmt(id) => Some(*id),
        Command::Guard { .. } => None,
    });
    let at_heads = heads().flat_map(|head| head.invariant_calls.iter().copied());
    let reached: BTreeSet<StmtId> = statements.chain(at_heads).collect();
    let walk = Walk { db, program, sig, body: &body, map: &map };
    for id in (0..body.stmts.len()).map(StmtId::from_index) {
        // The condition of the annotation is `true`, or complained about.
        if !annotations.contains(&id) {
            walk.statement((id, reached.contains(&id)), out);
        }
    }
}

/// A body and what is around it.
struct Walk<'a> {
    db: &'a dyn Db,
    program: Program,
    sig: &'a ProcSig,
    body: &'a Body,
    map: &'a SourceMap,
}

impl Walk<'_> {
    fn statement(&self, (id, reached): (StmtId, bool), out: &mut Vec<Claim>) {
        let mut add = |kind, layers: &LayerSet| {
            out.push(Claim {
                kind,
                at: ClaimAt::Statement(id),
                place: self.map.stmt(id),
                by: body_asker(self.sig),
                needs: self.layers(layers),
                range: None,
                reached,
            });
        };
        match self.body.stmt(id) {
            Stmt::Assert { layers, role: Role::Plain, .. } => add(ClaimKind::Assertion, layers),
            Stmt::Assert { layers, role: Role::LoopInvariant, .. } => {
                add(ClaimKind::LoopInvariant, layers);
            }
            Stmt::Yield { layers, .. } => add(ClaimKind::Yield, layers),
            Stmt::Measure { layers, .. } => add(ClaimKind::Measure, layers),
            Stmt::Unpack { targets, value, .. } => {
                if may_be_built_otherwise(self.db, self.program, self.body, *value) {
                    let claim = self.unpack((id, reached), self.body.layers_of_targets(targets));
                    out.push(claim);
                }
            }
            Stmt::Call { arms, is_async, is_free } => {
                for (nth, arm) in arms.iter().enumerate() {
                    let site = Site {
                        at: ClaimAt::Arm(id, nth),
                        place: arm_place(self.map, id, nth),
                        is_async: *is_async,
                        is_free: *is_free,
                        reached,
                    };
                    self.arm(arm, site, out);
                }
            }
            // Nothing can be said about what is not understood: its body is never verified.
            Stmt::Error => {}
            // Code waits, and a free invariant is believed.
            Stmt::Assume { .. } => {}
            Stmt::Assign { .. } | Stmt::Havoc { .. } => {}
            Stmt::Visibility(_) | Stmt::If { .. } | Stmt::While { .. } | Stmt::Break { .. } => {}
            Stmt::Goto { .. } | Stmt::Label(_) | Stmt::Return => {}
        }
    }

    /// A value that is taken apart at these layers, or wherever the procedure is code.
    fn unpack(&self, (id, reached): (StmtId, bool), layers: Option<LayerRange>) -> Claim {
        let claim = Claim {
            kind: ClaimKind::Unpack,
            at: ClaimAt::Statement(id),
            place: self.map.stmt(id),
            by: body_asker(self.sig),
            needs: LayerSet::default(),
            range: None,
            reached,
        };
        match self.sig.layer().filter(|_| self.sig.is_yield_procedure()) {
            Some(top) => at_range(Claim { by: Asker::Gate, ..claim }, layers, top),
            None => claim,
        }
    }

    /// The layers of a claim; code without layers has none.
    fn layers(&self, written: &LayerSet) -> LayerSet {
        if self.sig.is_yield_procedure() { written.clone() } else { LayerSet::default() }
    }

    fn arm(&self, arm: &Arm, site: Site, out: &mut Vec<Claim>) {
        let (db, program) = (self.db, self.program);
        let Some(callee) = hir::proc_sig(db, program, arm.callee.clone()) else { return };
        let claim = |kind, by, needs| Claim {
            kind,
            at: site.at,
            place: site.place,
            by,
            needs,
            range: None,
            reached: site.reached,
        };
        match callee.kind {
            ProcKind::Invariant { .. } => {
                let layers = self.layers(&invariant_layer(db, program, arm));
                out.push(claim(ClaimKind::InvariantCall, body_asker(self.sig), layers));
            }
            ProcKind::Plain | ProcKind::Pure | ProcKind::Action { .. } => {
                if site.is_free || !has_demands(db, program, self.body, arm) {
                    return;
                }
                let Some(top) = self.sig.layer().filter(|_| self.sig.is_yield_procedure()) else {
                    let by = body_asker(self.sig);
                    out.push(claim(ClaimKind::PureDemand, by, LayerSet::default()));
                    return;
                };
                let is_lemma = !callee.is_action() && callee.primitive.is_none();
                let by = if is_lemma { Asker::Invariant } else { Asker::Gate };
                let demand = claim(ClaimKind::PureDemand, by, LayerSet::default());
                out.push(at_range(demand, arm.layers.hull(), top));
            }
            ProcKind::Yield => {
                let required = self.required(&callee);
                if !required.is_empty() {
                    out.push(claim(ClaimKind::Precondition, Asker::Invariant, required));
                }
                self.action(arm, (&callee, site), &claim, out);
            }
        }
    }

    /// The layers at which a call of a yield procedure has something to show before it.
    fn required(&self, callee: &ProcSig) -> LayerSet {
        let Some(specs) = hir::specs(self.db, self.program, callee.decl) else {
            return LayerSet::default();
        };
        let mut out: Vec<Layer> = Vec::new();
        for clause in specs.clauses.iter().filter(|it| sides(it.kind).0 && !it.free) {
            out.extend(clause.layers.as_slice());
        }
        for call in specs.calls.iter().filter(|it| sides(it.kind).0) {
            out.extend(invariant_layer(self.db, self.program, &call.arm).as_slice());
        }
        let own = callee.layer().filter(|_| callee.is_mover_procedure());
        let measured = |own: &Layer| specs.measures.iter().any(|it| it.layers.contains(*own));
        out.extend(own.filter(measured));
        LayerSet::new(out)
    }

    /// The gate and the preconditions of the actions that the callee becomes.
    fn action(
        &self,
        arm: &Arm,
        (callee, site): (&ProcSig, Site),
        claim: &impl Fn(ClaimKind, Asker, LayerSet) -> Claim,
        out: &mut Vec<Claim>,
    ) {
        let (db, program) = (self.db, self.program);
        let (Some(own), Some(top)) = (callee.layer(), self.sig.layer()) else { return };
        let at = |layer| callee_at(db, program, callee, (arm, site.is_async), layer);
        if let CalleeAt::Action(_) = at(top) {
            out.push(claim(ClaimKind::Gate, Asker::Gate, LayerSet::new(vec![top])));
        }
        let mut required = Vec::new();
        let mut layer = own.next();
        while layer <= top {
            let CalleeAt::Action(name) = at(layer) else { break };
            let Some(action) = hir::proc_sig(db, program, name) else { break };
            required.extend(self.action_layers(&action).into_iter().filter(|it| *it <= top));
            // The action stays the same up to the highest layer at which it exists.
            let Some(highest) = action.layer().filter(|it| *it >= layer) else { break };
            layer = highest.next();
        }
        if !required.is_empty() {
            let layers = LayerSet::new(required);
            out.push(claim(ClaimKind::ActionPrecondition, Asker::Invariant, layers));
        }
    }

    /// The layers at which an action requires something.
    fn action_layers(&self, action: &ProcSig) -> Vec<Layer> {
        let Some(specs) = hir::specs(self.db, self.program, action.decl) else { return Vec::new() };
        let mut out = Vec::new();
        for (_, clause) in specs.of_kind(ClauseKind::Requires).filter(|(_, it)| !it.free) {
            out.extend(clause.layers.as_slice());
        }
        for (_, call) in specs.calls_of_kind(ClauseKind::Requires) {
            out.extend(invariant_layer(self.db, self.program, &call.arm).as_slice());
        }
        out
    }
}

/// The claim of something that exists at a range of layers, or wherever the procedure is code: it has to
/// be asked at the highest.
fn at_range(claim: Claim, layers: Option<LayerRange>, top: Layer) -> Claim {
    let range = layers.unwrap_or(LayerRange::up_to(top));
    let needs = LayerSet::new(vec![range.high().min(top)]);
    Claim { needs, range: Some(range), ..claim }
}

/// Where an arm stands and what is special about its call.
#[derive(Clone, Copy)]
struct Site {
    at: ClaimAt,
    place: Place,
    is_async: bool,
    is_free: bool,
    reached: bool,
}
