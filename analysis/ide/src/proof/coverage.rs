//! A second look at what has to be proved, independent of the code that lists it.
//!
//! # Soundness
//! "Verified" is said only if this look agrees that nothing is missing: each body of a procedure,
//! each yield procedure, each mover and each refinement between actions has its unit. It is
//! coarser than the list itself, so it can only say "incomplete", never "proved".

use std::collections::BTreeSet;

use base::{DeclKind, Name, Program};
use hir::{ProcKind, ProcSig};
use ir::ObligationKind;
use obligations::{UnitEntry, UnitKey};

use crate::{Analysis, ProgramId};

impl Analysis {
    /// Is there a unit for everything that clearly needs one?
    pub(crate) fn is_covered(&self, program: ProgramId) -> bool {
        let program = self.program(program);
        let units = obligations::units(&self.db, program);
        let named: BTreeSet<(ObligationKind, Name)> = units.iter().flat_map(unit_names).collect();
        let plain: BTreeSet<(Name, u32)> =
            units.iter().filter_map(|entry| self.plain_body(entry)).collect();
        let files = program.files(&self.db);
        hir::program_decls(&self.db, program).iter().all(|decl| {
            if !files.contains(&decl.file(&self.db)) {
                return true;
            }
            match (decl.kind(&self.db), hir::proc_sig_of(&self.db, program, *decl)) {
                (DeclKind::Implementation, Some(sig)) => {
                    !sig.is_plain_or_pure_procedure() || plain.contains(&self.key_of(*decl))
                }
                (_, Some(sig)) => self.has_units(program, &sig, &named, &plain),
                (_, None) => true,
            }
        })
    }

    fn has_units(
        &self,
        program: Program,
        sig: &ProcSig,
        named: &BTreeSet<(ObligationKind, Name)>,
        plain: &BTreeSet<(Name, u32)>,
    ) -> bool {
        let has = |kind| named.contains(&(kind, sig.name.clone()));
        match sig.kind {
            ProcKind::Plain | ProcKind::Pure => {
                !sig.has_body || plain.contains(&self.key_of(sig.decl))
            }
            ProcKind::Yield => {
                let bodies = hir::implementations(&self.db, program, sig.name.clone());
                bodies.is_empty() || has(ObligationKind::Contract)
            }
            ProcKind::Action { pure: false } => {
                let left = sig.mover.is_some_and(hir::Mover::is_left);
                let moves = left || sig.mover.is_some_and(hir::Mover::is_right);
                (!left || has(ObligationKind::Nonblocking))
                    && (!moves || has(ObligationKind::Commutativity))
                    && (sig.refines.is_none() || has(ObligationKind::ActionRefinement))
            }
            ProcKind::Action { pure: true } | ProcKind::Invariant { .. } => true,
        }
    }

    fn plain_body(&self, entry: &UnitEntry) -> Option<(Name, u32)> {
        match &entry.key {
            UnitKey::Plain(decl) => Some(self.key_of(*decl)),
            UnitKey::GateSufficiency(_)
            | UnitKey::Commutativity(_)
            | UnitKey::GatePreservation(_)
            | UnitKey::FailurePreservation(_)
            | UnitKey::Nonblocking(..)
            | UnitKey::ActionRefinement(_)
            | UnitKey::GlobalNoninterference(..)
            | UnitKey::StepNoninterference(..)
            | UnitKey::Invariant(..)
            | UnitKey::Refinement(..) => None,
        }
    }

    fn key_of(&self, decl: base::DeclId) -> (Name, u32) {
        (decl.name(&self.db).clone(), decl.nth(&self.db))
    }
}

fn unit_names(entry: &UnitEntry) -> Vec<(ObligationKind, Name)> {
    let (kind, subjects) = unit_words(&entry.key);
    subjects.into_iter().map(|name| (kind, Name::new(name))).collect()
}

/// The kind of a unit and the names it is about.
pub(crate) fn unit_words(key: &UnitKey) -> (ObligationKind, Vec<String>) {
    let pair = |pair: &obligations::Pair| vec![pair.first.to_string(), pair.second.to_string()];
    match key {
        UnitKey::Plain(_) => (ObligationKind::Plain, Vec::new()),
        UnitKey::GateSufficiency(name) => (ObligationKind::GateSufficiency, vec![name.to_string()]),
        UnitKey::Commutativity(it) => (ObligationKind::Commutativity, pair(it)),
        UnitKey::GatePreservation(it) => (ObligationKind::GatePreservation, pair(it)),
        UnitKey::FailurePreservation(it) => (ObligationKind::FailurePreservation, pair(it)),
        UnitKey::Nonblocking(name, _) => (ObligationKind::Nonblocking, vec![name.to_string()]),
        UnitKey::ActionRefinement(name) => {
            (ObligationKind::ActionRefinement, vec![name.to_string()])
        }
        UnitKey::GlobalNoninterference(name, _) => {
            (ObligationKind::GlobalNoninterference, vec![name.to_string()])
        }
        UnitKey::StepNoninterference(name, _) => {
            (ObligationKind::Noninterference, vec![name.to_string()])
        }
        UnitKey::Invariant(name, _) => (ObligationKind::Contract, vec![name.to_string()]),
        UnitKey::Refinement(name, _) => (ObligationKind::Refinement, vec![name.to_string()]),
    }
}
