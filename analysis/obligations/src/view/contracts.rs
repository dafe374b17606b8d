//! What procedures, actions and invariants claim at a layer, as terms.
//!
//! **In:** a signature, and an environment for its formals. **Out:** terms with the places of their
//! clauses. `old` in what is required is the present state.

use std::sync::Arc;

use base::{Name, Place};
use hir::{ClauseKind, Layer, LocalId, ProcSig, SourceMap, Specs};
use ir::Term;

use super::procedures::exists;
use crate::lowering::{Env, Lowering};

/// A clause.
pub(super) struct Claimed {
    pub(super) term: Term,
    pub(super) clause: Place,
}

/// What `sig` claims of one kind; `preserves` is of both kinds. Free clauses are claims of nobody.
pub(super) fn claimed(
    lowering: &mut Lowering<'_>,
    sig: &ProcSig,
    env: &Env,
    kind: ClauseKind,
    layer: Layer,
) -> Vec<Claimed> {
    let Some((specs, map)) = specs_of(lowering, sig) else { return Vec::new() };
    let is_wanted = |it: ClauseKind| it == kind || it == ClauseKind::Preserves;
    let mut out = Vec::new();
    for (nth, clause) in specs.clauses.iter().enumerate() {
        // The gate of an action is the same at all its layers.
        let is_here = kind == ClauseKind::Asserts || clause.layers.contains(layer);
        if is_wanted(clause.kind) && !clause.free && is_here {
            let term = lowering.expr(&specs.exprs, env, clause.expr);
            out.push(Claimed { term, clause: map.clause(nth) });
        }
    }
    let calls = specs.calls.iter().filter(|_| kind != ClauseKind::Asserts);
    for call in calls.filter(|call| is_wanted(call.kind)) {
        let args = lowering.exprs(&specs.exprs, env, &call.arm.args);
        out.extend(invariant(lowering, &call.arm.callee, args, layer));
    }
    out
}

/// Formals of a procedure, by what they carry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Carries {
    Arguments,
    Results,
}

/// Do `where` clauses narrow these formals? Callers do not prove them, and believe them of results.
pub(super) fn is_narrowed(lowering: &mut Lowering<'_>, sig: &ProcSig, which: Carries) -> bool {
    let Some((specs, _)) = specs_of(lowering, sig) else { return false };
    let (ins, outs) = specs.locals.split_at(sig.ins.len().min(specs.locals.len()));
    let formals = if which == Carries::Arguments { ins } else { outs };
    formals.iter().any(|local| local.condition.is_some())
}

/// The `where` clauses of the inputs of `sig`.
pub(super) fn narrowed(
    lowering: &mut Lowering<'_>,
    sig: &ProcSig,
    env: &Env,
    layer: Layer,
) -> Vec<Claimed> {
    let Some((specs, map)) = specs_of(lowering, sig) else { return Vec::new() };
    let mut out = Vec::new();
    for (nth, (local, param)) in specs.locals.iter().zip(sig.ins.iter()).enumerate() {
        let Some(clause) = local.condition.filter(|_| exists(param, layer)) else { continue };
        let term = lowering.expr(&specs.exprs, env, clause);
        out.push(Claimed { term, clause: map.local(LocalId::from_index(nth)) });
    }
    out
}

/// The clauses of an invariant for these arguments; none if it belongs to another layer.
pub(super) fn invariant(
    lowering: &mut Lowering<'_>,
    name: &Name,
    args: Vec<Term>,
    layer: Layer,
) -> Vec<Claimed> {
    let Some(sig) = lowering.world.proc_sig(name).filter(|sig| sig.is_invariant()) else {
        lowering.unsupported(format!("the invariant `{name}`"));
        return Vec::new();
    };
    if sig.layer() != Some(layer) {
        return Vec::new();
    }
    let Some((specs, map)) = specs_of(lowering, &sig) else { return Vec::new() };
    let mut env = Env::of_locals(args);
    env.old = env.now.clone();
    let clauses = lowering.clauses(&specs, ClauseKind::Preserves, &env, false);
    let claimed = |(nth, term)| Claimed { term, clause: map.clause(nth) };
    clauses.into_iter().map(claimed).collect()
}

fn specs_of(lowering: &mut Lowering<'_>, sig: &ProcSig) -> Option<(Arc<Specs>, Arc<SourceMap>)> {
    let world = lowering.world;
    lowering.refuse_ignored(sig.decl);
    let found = world.specs(sig.decl).zip(world.specs_map(sig.decl));
    let found = found.filter(|(specs, _)| !specs.has_errors);
    if found.is_none() {
        lowering.unsupported(format!("the specification of `{}`", sig.name));
    }
    found
}
