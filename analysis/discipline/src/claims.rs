//! Everything a declaration claims, and where it has to be asked (verification.md 1 and 2).
//!
//! **In:** a declaration. **Out:** [`claims`]: each thing that must hold, with its place, the layers at
//! which it must hold, and who asks.
//!
//! | claim | layers that must be checked | asked by |
//! | --- | --- | --- |
//! | `assert`, loop invariant, `yield e`, `measure` of a loop | those written on it | the invariant copies |
//! | call of an invariant, in code or at a loop head | the invariant's | the invariant copy |
//! | call of a yield procedure: what it requires, its measure | those of its clauses | the invariant copies |
//! | call of a yield procedure: gate of the action it has become | the caller's | the copy that asks gates |
//! | call of a yield procedure: precondition of that action | those of its clauses | the invariant copies |
//! | pure call with demands | the highest at which it exists | the copies that ask gates; of a lemma the invariant copies |
//! | unpack of a value that may be built otherwise | the highest at which it exists | the copies that ask gates |
//! | `requires` | those written on it, or the invariant's | each caller |
//! | `ensures` | those written on it, or the invariant's | the invariant copies |
//! | `preserves` of a procedure | both of these | both of these |
//! | `measure` of a mover procedure | its own | each caller |
//! | refinement of a yield procedure | its own | the refinement copy |
//! | an invariant | its own | all code, or all actions, of the layer |
//! | gate, mover type and refinement of an action | none | the units of the action |
//! | everything in plain and pure procedures | none | the unit of the body |
//! | a `free` clause | those written on it | nobody: it is believed |
//!
//! A pure call or an unpack exists at a range of layers. Between two layers at which nothing is checked nothing
//! changes but which variables are visible, and its arguments exist at all layers of the range; so
//! the highest stands for those below it that have no program of their own.
//!
//! # Invariants
//! - The one list of claims: the set of checked layers is computed from it
//!   ([`crate::layers_of_program`]), and the answer "verified" is given only if every claim on it was
//!   asked at each of its layers.
//! - Total: every kind of statement, clause and callee has its row.

mod body;
mod demands;

use std::sync::Arc;

use base::{DeclId, DeclKind, Place, Program};
use hir::{ClauseKind, Layer, LayerRange, LayerSet, ProcKind, ProcSig, SourceMap, Specs, StmtId};

use crate::Db;

pub use demands::has_demands;

/// What a claim says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClaimKind {
    /// An `assert` statement.
    Assertion,
    /// An invariant clause of a loop.
    LoopInvariant,
    /// The condition of a `yield` statement, or the yield itself.
    Yield,
    /// The measure of a loop or procedure.
    Measure,
    /// A call, in code or at a loop head, of an invariant.
    InvariantCall,
    /// What a called procedure requires, its measure included.
    Precondition,
    /// The gate of the action that a called procedure has become.
    Gate,
    /// What that action requires.
    ActionPrecondition,
    /// What a lemma, a pure action or a primitive demands.
    PureDemand,
    /// The value of an unpack is built by the constructor that is written.
    Unpack,
    /// A `requires` or `preserves` clause, seen by callers.
    Requires,
    /// An `ensures` or `preserves` clause, or one of an invariant.
    Ensures,
    /// An `asserts` clause of an action.
    Asserts,
    /// The body of a yield procedure, or an action, does what it refines.
    Refinement,
    /// An action moves as it says.
    Mover,
    /// Nobody makes an invariant false.
    Interference,
}

/// Who asks a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Asker {
    /// The invariant copy of the procedure.
    Invariant,
    /// The copy that asks gates: below the procedure's own layer the invariant copy, at its own layer
    /// the refinement copy, which a mover procedure does not have.
    Gate,
    /// The refinement copy of the procedure.
    Refinement,
    /// Each caller, where the call is a claim of its own.
    Callers,
    /// All code of the layer for a yield invariant, all actions for a global one.
    Everyone,
    /// The units of the action.
    Action,
    /// The unit of the body, or, if that is inlined, each caller's.
    Body,
    /// Nobody: it is believed.
    Nobody,
}

/// One of the two copies of a yield procedure at a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CopyKind {
    Invariant,
    Refinement,
}

impl Asker {
    /// The copy of the yield procedure `sig` that asks at `layer`; nothing if it is no copy of it.
    pub fn copy_at(self, sig: &ProcSig, layer: Layer) -> Option<CopyKind> {
        match self {
            Asker::Invariant => Some(CopyKind::Invariant),
            Asker::Refinement => Some(CopyKind::Refinement),
            Asker::Gate => {
                let at_top = sig.layer() == Some(layer) && !sig.is_mover_procedure();
                Some(if at_top { CopyKind::Refinement } else { CopyKind::Invariant })
            }
            Asker::Callers | Asker::Everyone | Asker::Action | Asker::Body | Asker::Nobody => None,
        }
    }
}

/// The part of a declaration that makes a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClaimAt {
    /// The declaration itself.
    Declaration,
    /// A clause of [`Specs::clauses`].
    Clause(usize),
    /// A call of [`Specs::calls`].
    SpecCall(usize),
    /// A measure of [`Specs::measures`].
    Measure(usize),
    /// A statement of the body that is no call.
    Statement(StmtId),
    /// An arm of a call, at a loop head or elsewhere.
    Arm(StmtId, usize),
}

/// Something that must hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    pub kind: ClaimKind,
    pub at: ClaimAt,
    pub place: Place,
    pub by: Asker,
    /// Layers that must be checked because of it.
    pub needs: LayerSet,
    /// It must hold at each checked layer of this range too.
    pub range: Option<LayerRange>,
    /// False in code that cannot be reached, where nothing is asked.
    pub reached: bool,
}

impl Claim {
    /// Must it be asked at `layer`, if that is a checked one?
    pub fn is_at(&self, layer: Layer) -> bool {
        self.needs.contains(layer) || self.range.is_some_and(|range| range.contains(layer))
    }
}

/// Everything `decl` claims: its declaration and clauses, then the body written in it. An
/// `implementation` claims what is in its body.
///
/// Reads the declaration, the signatures and specifications of what it calls, and whether pure
/// callees demand anything.
#[salsa::tracked(returns(clone))]
pub fn claims(db: &dyn Db, program: Program, decl: DeclId) -> Arc<[Claim]> {
    let Some(sig) = hir::proc_sig_of(db, program, decl) else { return Arc::from([]) };
    let mut out = Vec::new();
    if decl.kind(db) != DeclKind::Implementation {
        declared(db, program, &sig, &mut out);
        let specs = hir::specs(db, program, decl).zip(hir::specs_map(db, program, decl));
        if let Some((specs, map)) = specs {
            specified(db, program, (&sig, &specs, &map), &mut out);
        }
    }
    body::claims(db, program, (&sig, decl), &mut out);
    out.into()
}

/// Every layer that must be checked because of something in `decl`, ascending.
#[salsa::tracked(returns(clone))]
pub fn claimed_layers(db: &dyn Db, program: Program, decl: DeclId) -> LayerSet {
    let claims = claims(db, program, decl);
    LayerSet::new(claims.iter().flat_map(|claim| claim.needs.as_slice()).copied().collect())
}

/// What a declaration claims by being what it is.
fn declared(db: &dyn Db, program: Program, sig: &ProcSig, out: &mut Vec<Claim>) {
    let own: LayerSet = LayerSet::new(sig.layer().into_iter().collect());
    let claim = |kind, by, needs| Claim {
        kind,
        at: ClaimAt::Declaration,
        place: hir::decl_place(db, sig.decl),
        by,
        needs,
        range: None,
        reached: true,
    };
    match sig.kind {
        ProcKind::Plain | ProcKind::Pure => {}
        ProcKind::Invariant { .. } => {
            out.push(claim(ClaimKind::Interference, Asker::Everyone, own));
        }
        ProcKind::Yield => {
            let has_body = !hir::implementations(db, program, sig.name.clone()).is_empty();
            if has_body && !sig.is_mover_procedure() {
                out.push(claim(ClaimKind::Refinement, Asker::Refinement, own));
            }
        }
        ProcKind::Action { .. } => {
            let moves = sig.mover.is_some_and(|it| it.is_left() || it.is_right()) && !sig.is_pure();
            if moves {
                out.push(claim(ClaimKind::Mover, Asker::Action, LayerSet::default()));
            }
            if sig.refines.is_some() {
                out.push(claim(ClaimKind::Refinement, Asker::Action, own));
            }
        }
    }
}

/// How a clause or call of a specification is seen: by callers, by the body.
fn sides(kind: ClauseKind) -> (bool, bool) {
    match kind {
        ClauseKind::Requires => (true, false),
        ClauseKind::Ensures => (false, true),
        ClauseKind::Preserves => (true, true),
        ClauseKind::Asserts => (false, false),
    }
}

/// Who asks what the body of `sig` ensures.
fn body_asker(sig: &ProcSig) -> Asker {
    match sig.kind {
        ProcKind::Plain | ProcKind::Pure => Asker::Body,
        ProcKind::Action { .. } => Asker::Action,
        ProcKind::Yield => Asker::Invariant,
        ProcKind::Invariant { .. } => Asker::Everyone,
    }
}

/// What the clauses of a declaration claim.
fn specified(
    db: &dyn Db,
    program: Program,
    (sig, specs, map): (&ProcSig, &Specs, &SourceMap),
    out: &mut Vec<Claim>,
) {
    let has_body = !hir::implementations(db, program, sig.name.clone()).is_empty();
    let has_layers = sig.is_yield_procedure() || sig.is_action();
    let mut add = |kind, at, place, (by, needs): (Asker, LayerSet)| {
        out.push(Claim { kind, at, place, by, needs, range: None, reached: true });
    };
    // Nobody can ask a body that is not there; what it ensures is a promise.
    let is_promise = !has_body && !sig.is_invariant();
    let by_body = |free: bool| if free || is_promise { Asker::Nobody } else { body_asker(sig) };
    let by_callers = |free: bool| if free { Asker::Nobody } else { Asker::Callers };
    for (nth, clause) in specs.clauses.iter().enumerate() {
        let (at, place) = (ClaimAt::Clause(nth), map.clause(nth));
        let layers = if has_layers { clause.layers.clone() } else { LayerSet::default() };
        let (callers, body) = sides(clause.kind);
        if clause.kind == ClauseKind::Asserts {
            add(ClaimKind::Asserts, at, place, (Asker::Action, LayerSet::default()));
        }
        if callers && !sig.is_invariant() {
            add(ClaimKind::Requires, at, place, (by_callers(clause.free), layers.clone()));
        }
        if body {
            add(ClaimKind::Ensures, at, place, (by_body(clause.free), layers));
        }
    }
    for (nth, call) in specs.calls.iter().enumerate() {
        let (at, place) = (ClaimAt::SpecCall(nth), map.spec_call(nth));
        let layers = invariant_layer(db, program, &call.arm);
        let (callers, body) = sides(call.kind);
        if callers {
            add(ClaimKind::Requires, at, place, (Asker::Callers, layers.clone()));
        }
        if body {
            add(ClaimKind::Ensures, at, place, (by_body(false), layers));
        }
    }
    for (nth, measure) in specs.measures.iter().enumerate() {
        let place = map.place(map.measures[nth]);
        let (by, layers) = match sig.layer().filter(|_| sig.is_yield_procedure()) {
            None => (Asker::Callers, LayerSet::default()),
            Some(own) if measure.layers.contains(own) => (Asker::Callers, LayerSet::new(vec![own])),
            // A mover procedure is one step at its own layer only; elsewhere nobody relies on it.
            Some(_) => (Asker::Nobody, LayerSet::default()),
        };
        add(ClaimKind::Measure, ClaimAt::Measure(nth), place, (by, layers));
    }
}

/// The layer of the invariant that is called.
fn invariant_layer(db: &dyn Db, program: Program, arm: &hir::Arm) -> LayerSet {
    let sig = hir::proc_sig(db, program, arm.callee.clone()).filter(|it| it.is_invariant());
    LayerSet::new(sig.and_then(|it| it.layer()).into_iter().collect())
}

#[cfg(test)]
mod tests;
