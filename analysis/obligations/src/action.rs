//! Actions, prepared for proofs.
//!
//! **In:** the body of an action. **Out:** [`ActionIr`]: its gate as a list of conditions, its body
//! as blocks without assertions, its footprint; and [`ActionCopy`], the same under fresh names.
//!
//! The gate is the weakest condition under which no assertion of the body fails, one conjunct per
//! assertion (verification.md 4.1); if the action has `asserts` clauses those are the gate, and a
//! unit of its own proves that they suffice.
//!
//! All that is left to chance in a body is a *choice*: a variable that is never assigned, read where
//! the body havocs, or where a local or output has its first value. Given its choices a body is
//! deterministic. So a transition relation is "for some choices", and when two runs are compared
//! the choices of one are the first candidates for the other.
//!
//! # Soundness
//! - The gate mentions inputs and globals only: choices, locals and outputs are closed universally.
//! - Assertions are deleted from the body: whoever runs it has asserted or assumed the gate.
//! - A body has no cycle, so each choice is made at most once in a run. A copy renames everything
//!   but globals, so different runs choose independently.

pub(crate) mod boolean;
mod copy;
mod guess;
pub mod made_new;
mod prepare;
pub mod transition;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{Name, Place, Program};
use hir::ProcSig;
use ir::wp::Closing;
use ir::{BlockId, PoolHint, Term, Var};

use crate::Db;
use crate::unit::Unit;

pub use copy::ActionCopy;

/// An action, prepared for proofs.
#[derive(Clone, Debug)]
pub struct ActionIr {
    pub sig: Arc<ProcSig>,
    pub ins: Vec<Var>,
    pub outs: Vec<Var>,
    /// What the body leaves to chance.
    pub choices: Vec<Var>,
    /// Those of them that are new locations: not any, but one that nobody has held before.
    pub made_new: BTreeSet<Var>,
    /// The body with its assertions, not yet a unit that means anything.
    pub unit: Unit,
    /// The body without assertions.
    pub body: ir::Program,
    pub gate: Vec<GateConjunct>,
    pub footprint: Footprint,
    /// The globals in the text, assertions of a body with declared gate included.
    pub mentioned: BTreeSet<Name>,
    /// Does the body block anywhere (an `assume`, a guard)?
    pub assumes: bool,
    /// How choices become bound.
    pub closing: Closing,
    /// The blocks of the body that return, and where.
    pub returns: BTreeMap<BlockId, Place>,
    /// Is the gate declared by `asserts` clauses?
    pub has_asserts: bool,
}

impl PartialEq for ActionIr {
    fn eq(&self, other: &ActionIr) -> bool {
        // Everything else is computed from these.
        self.sig == other.sig && self.unit == other.unit && self.gate == other.gate
    }
}

impl Eq for ActionIr {}

/// One condition of a gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateConjunct {
    /// Over inputs and globals.
    pub term: Term,
    pub hints: Vec<PoolHint>,
    /// The assertion it stems from.
    pub place: Place,
}

/// The globals an action touches.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Footprint {
    /// In the gate.
    pub gate: BTreeSet<Name>,
    /// In the body without assertions, or modified.
    pub used: BTreeSet<Name>,
    /// Written.
    pub modified: BTreeSet<Name>,
    /// Was everything in the action understood? If not, it may touch more.
    pub exact: bool,
}

impl Footprint {
    /// Everything touched.
    pub fn all(&self) -> BTreeSet<Name> {
        self.gate.iter().chain(&self.used).cloned().collect()
    }
}

/// The action of this name, prepared; nothing if there is no such action or it has no body.
///
/// Reads the body of the action and of the actions it calls.
#[salsa::tracked(returns(clone))]
pub fn action_ir(db: &dyn Db, program: Program, name: Name) -> Option<Arc<ActionIr>> {
    prepare::prepare(db, program, name).map(Arc::new)
}

/// What the list of checks needs to know of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    pub footprint: Footprint,
    /// Does the body block anywhere?
    pub assumes: bool,
    /// Is the gate declared by `asserts` clauses?
    pub has_asserts: bool,
}

/// What can be said of an action without its formulas. Most edits of a body leave it as it was.
#[salsa::tracked(returns(clone))]
pub fn outline(db: &dyn Db, program: Program, name: Name) -> Option<Arc<Outline>> {
    let action = action_ir(db, program, name)?;
    let ActionIr { footprint, assumes, has_asserts, .. } = action.as_ref();
    let footprint = footprint.clone();
    Some(Arc::new(Outline { footprint, assumes: *assumes, has_asserts: *has_asserts }))
}
