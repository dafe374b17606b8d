//! Was every claim of the program asked at each of its layers?
//!
//! **In:** what declarations claim ([`discipline::claims`]) and what units asked
//! ([`obligations::Visit`]). **Out:** an internal error for each claim that no unit asked.
//!
//! # Soundness
//! The list of claims decides which layers are checked, and units are made per layer; this compares
//! the two once everything is built. A claim without an asker is a mistake of this tool and would
//! otherwise be silence: nothing of such a program is called proved.

use std::collections::BTreeSet;

use base::{Code, DeclId, Name, Program};
use discipline::claims::{Claim, ClaimKind, CopyKind, claims};
use hir::{Layer, ProcSig};
use obligations::UnitKey;

use crate::types::{Diagnostic, Phase, Severity};
use crate::{Analysis, ProgramId};

/// The code of diagnostics about mistakes of this tool.
pub const INTERNAL_ERROR: &str = "internal-error";

impl Analysis {
    /// One internal error for each claim that no unit asks.
    pub(crate) fn unasked_claims(&self, program: ProgramId) -> Vec<Diagnostic> {
        let program = self.program(program);
        let units = obligations::units(&self.db, program);
        let copies = units.iter().filter_map(|entry| copy_of(&entry.key)).collect();
        self.unasked_by(program, &copies)
    }

    /// One internal error for each claim that none of these copies asks.
    fn unasked_by(&self, program: Program, copies: &BTreeSet<Copy>) -> Vec<Diagnostic> {
        let checked = discipline::layers_of_program::invariant_layers(&self.db, program);
        let files = program.files(&self.db);
        let mut out = Vec::new();
        for decl in hir::program_decls(&self.db, program).iter() {
            let sig = hir::proc_sig_of(&self.db, program, *decl);
            let Some(sig) = sig.filter(|_| files.contains(&decl.file(&self.db))) else { continue };
            if !self.has_code(program, &sig) {
                continue;
            }
            for claim in claims(&self.db, program, *decl).iter().filter(|claim| claim.reached) {
                let wanted = checked.iter().chain(claim.needs.as_slice()).copied();
                let wanted: BTreeSet<Layer> = wanted.filter(|layer| claim.is_at(*layer)).collect();
                let missing = wanted
                    .into_iter()
                    .find(|layer| !self.is_asked(program, &sig, (claim, *layer), copies));
                out.extend(missing.and_then(|layer| self.unasked(*decl, claim, layer)));
            }
        }
        out
    }

    /// Is there code of this declaration that copies are made of?
    fn has_code(&self, program: Program, sig: &ProcSig) -> bool {
        let bodies = hir::implementations(&self.db, program, sig.name.clone());
        sig.is_yield_procedure() && !bodies.is_empty()
    }

    fn is_asked(
        &self,
        program: Program,
        sig: &ProcSig,
        (claim, layer): (&Claim, Layer),
        copies: &BTreeSet<Copy>,
    ) -> bool {
        // Above its own layer the procedure is its action.
        let (Some(copy), true) = (claim.by.copy_at(sig, layer), Some(layer) <= sig.layer()) else {
            return true;
        };
        let name = sig.name.clone();
        let key = match copy {
            CopyKind::Invariant => UnitKey::Invariant(name, layer),
            CopyKind::Refinement => UnitKey::Refinement(name, layer),
        };
        if !copy_of(&key).is_some_and(|copy| copies.contains(&copy)) {
            return false;
        }
        let tasks = obligations::obligations(&self.db, program, key);
        // What is not supported is undecided, and may have ended the unit early.
        tasks.first().is_some_and(|task| {
            !task.unsupported.is_empty() || task.visited.contains(&(claim.at, claim.kind))
        })
    }

    fn unasked(&self, decl: DeclId, claim: &Claim, layer: Layer) -> Option<Diagnostic> {
        let place = self.location(claim.place).or(self.location(hir::decl_place(&self.db, decl)));
        let message =
            format!("internal error: {} is not asked at layer {layer}", words(claim.kind));
        Some(Diagnostic {
            at: place?,
            severity: Severity::Error,
            code: Code::InternalError.as_str(),
            phase: Phase::Proof,
            message,
            related: Vec::new(),
            help: Some("nothing of this program counts as proved; please report it".to_owned()),
            reported_at: None,
            explanation: Vec::new(),
            obligation: None,
            trace: None,
            fixes: Vec::new(),
        })
    }
}

/// A copy of a yield procedure.
type Copy = (CopyKind, Name, Layer);

fn copy_of(key: &UnitKey) -> Option<Copy> {
    match key {
        UnitKey::Invariant(name, layer) => Some((CopyKind::Invariant, name.clone(), *layer)),
        UnitKey::Refinement(name, layer) => Some((CopyKind::Refinement, name.clone(), *layer)),
        UnitKey::Plain(_)
        | UnitKey::GateSufficiency(_)
        | UnitKey::Commutativity(_)
        | UnitKey::GatePreservation(_)
        | UnitKey::FailurePreservation(_)
        | UnitKey::Nonblocking(..)
        | UnitKey::ActionRefinement(_)
        | UnitKey::GlobalNoninterference(..)
        | UnitKey::StepNoninterference(..) => None,
    }
}

fn words(kind: ClaimKind) -> &'static str {
    match kind {
        ClaimKind::Assertion => "this assertion",
        ClaimKind::LoopInvariant => "this loop invariant",
        ClaimKind::Yield => "this yield",
        ClaimKind::Measure => "this measure",
        ClaimKind::InvariantCall => "the invariant called here",
        ClaimKind::Precondition => "what this call requires",
        ClaimKind::Gate => "the gate of this call",
        ClaimKind::ActionPrecondition => "the precondition of the action called here",
        ClaimKind::PureDemand => "what this call demands",
        ClaimKind::Unpack => "how the value is built that is taken apart here",
        ClaimKind::Requires | ClaimKind::Ensures | ClaimKind::Asserts => "this clause",
        ClaimKind::Refinement => "the refinement of this procedure",
        ClaimKind::Mover => "this mover type",
        ClaimKind::Interference => "this invariant",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::AnalysisHost;

    const PROGRAM: &str = "pure procedure Positive(i: int)
requires 0 < i;
{ }
yield procedure {:layer 2} P(i: int)
requires {:layer 1,2} 0 < i;
ensures {:layer 2} 0 < i;
{
  assert {:layer 1} 0 < i;
  call {:layer 2} Positive(i);
}";

    #[test]
    fn each_claim_that_no_copy_asks_is_an_internal_error() {
        let mut host = AnalysisHost::new();
        let file = host.set_file("test.bpl", PROGRAM);
        let program = host.add_program(&[file], &[]).expect("no library is asked for");
        let analysis = host.analysis();
        assert_eq!(analysis.unasked_claims(program), []);
        let unasked = analysis.unasked_by(analysis.program(program), &BTreeSet::new());
        let mut messages: Vec<&str> = unasked.iter().map(|it| it.message.as_str()).collect();
        messages.sort_unstable();
        assert_eq!(
            messages,
            [
                "internal error: the refinement of this procedure is not asked at layer 2",
                "internal error: this assertion is not asked at layer 1",
                "internal error: this clause is not asked at layer 2",
                "internal error: what this call demands is not asked at layer 2",
            ]
        );
    }
}
