//! What a unit assumes and nobody proves.
//!
//! **In:** the places where lowering writes an assumption. **Out:** one [`Faith`] for each assumption
//! that no obligation stands for.
//!
//! # Invariants
//! - Recorded where the assumption is written, by the code that writes it; nothing walks over the
//!   program a second time to find out. What is never assumed is not listed.
//! - Libraries are the same for everyone and not listed, except for what a program asks them to
//!   believe ([`BELIEVERS`]).

use base::{Name, Place};
use hir::ProcSig;

use crate::kind::plain;
use crate::lowering::Lowering;
use crate::world::World;

/// Library procedures that make an assumption on behalf of their caller.
const BELIEVERS: &[&str] = &["Assume"];

/// An assumption that nobody proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faith {
    pub kind: FaithKind,
    /// The procedure, invariant or variable it is about.
    pub about: Name,
    pub place: Place,
}

/// Kinds of assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaithKind {
    /// The contract of a procedure whose body is missing or not proved.
    Contract,
    /// A call of a library procedure that assumes its argument.
    Assume,
    /// A `free call`: its preconditions are not asked.
    FreeCall,
    /// A `free` clause of a specification.
    FreeClause,
    /// A `free invariant` of a loop.
    FreeInvariant,
    /// A `where` clause.
    WhereClause,
    /// An operator of the solver, with the types it was declared with.
    Builtin,
}

impl Lowering<'_> {
    /// From here on something is assumed that nobody proves.
    pub(crate) fn on_faith(&mut self, kind: FaithKind, about: &Name, place: Place) {
        let faith = Faith { kind, about: about.clone(), place };
        if !self.faith.contains(&faith) {
            self.faith.push(faith);
        }
    }

    /// What something that is used here takes on faith.
    pub(crate) fn take_over(&mut self, all: &[Faith]) {
        all.iter().for_each(|it| self.on_faith(it.kind, &it.about, it.place));
    }

    /// The contract of `callee` is assumed at a call at `place`.
    pub(crate) fn believe_contract(&mut self, callee: &ProcSig, place: Place) {
        let db = self.world.db;
        if callee.decl.file(db).library(db).is_some() {
            if BELIEVERS.contains(&callee.name.as_str()) {
                self.on_faith(FaithKind::Assume, &callee.name, place);
            }
        } else if !is_proved(self.world, callee) {
            let place = hir::decl_place(db, callee.decl);
            self.on_faith(FaithKind::Contract, &callee.name, place);
        }
    }
}

/// Is there a body of this plain or pure procedure, and a unit for each of its bodies?
fn is_proved(world: World<'_>, sig: &ProcSig) -> bool {
    let bodies = world.implementations(&sig.name);
    !bodies.is_empty() && bodies.iter().all(|decl| plain::is_unit(world, *decl))
}
