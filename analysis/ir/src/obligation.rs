//! Obligations: one question each, with an owner and a reason.
//!
//! **In:** a selected passive program and the facts it may use.
//! **Out:** a self-contained [`Question`] that an engine can answer without the program.
//!
//! An obligation has two names. [`ObligationId`] is what people talk about; the
//! [`Fingerprint`] of the canonical question is what caches talk about.
//!
//! # Invariants
//! - A question mentions no position, and every datatype its sorts mention is declared.

use std::fmt;

use crate::{
    passive::Passive, sort::Signature, subst::for_each_subterm, symbol::Symbol, term::Term,
};

/// The rule that gave rise to an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObligationKind {
    /// The declared `asserts` of an action imply the assertions of its body.
    GateSufficiency,
    /// Two actions may be executed in the other order.
    Commutativity,
    /// The gate of one action survives another.
    GatePreservation,
    /// A failure of one action survives another.
    FailurePreservation,
    /// An action can always run to its end.
    Nonblocking,
    /// An action is simulated by the action it refines.
    ActionRefinement,
    /// Actions preserve a global invariant.
    GlobalNoninterference,
    /// Assertions, loop invariants, preconditions and postconditions of a procedure at a layer.
    Contract,
    /// A procedure preserves a yield invariant of other threads.
    Noninterference,
    /// A procedure is simulated by the action it refines.
    Refinement,
    /// Gates hold where actions are called.
    GateAtCall,
    /// Measures decrease.
    Termination,
    /// An ordinary procedure.
    Plain,
}

impl ObligationKind {
    /// Every kind, in the order in which people see them.
    pub const ALL: [ObligationKind; 13] = [
        ObligationKind::GateSufficiency,
        ObligationKind::Commutativity,
        ObligationKind::GatePreservation,
        ObligationKind::FailurePreservation,
        ObligationKind::Nonblocking,
        ObligationKind::ActionRefinement,
        ObligationKind::GlobalNoninterference,
        ObligationKind::Contract,
        ObligationKind::Noninterference,
        ObligationKind::Refinement,
        ObligationKind::GateAtCall,
        ObligationKind::Termination,
        ObligationKind::Plain,
    ];

    /// The kebab-case name used in ids, dumps and settings.
    pub fn name(self) -> &'static str {
        match self {
            ObligationKind::GateSufficiency => "gate-sufficiency",
            ObligationKind::Commutativity => "commutativity",
            ObligationKind::GatePreservation => "gate-preservation",
            ObligationKind::FailurePreservation => "failure-preservation",
            ObligationKind::Nonblocking => "nonblocking",
            ObligationKind::ActionRefinement => "action-refinement",
            ObligationKind::GlobalNoninterference => "global-noninterference",
            ObligationKind::Contract => "contract",
            ObligationKind::Noninterference => "noninterference",
            ObligationKind::Refinement => "refinement",
            ObligationKind::GateAtCall => "gate-at-call",
            ObligationKind::Termination => "termination",
            ObligationKind::Plain => "plain",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for ObligationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What people call an obligation: `commutativity(Acquire, Release) @ 2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObligationId {
    /// The rule.
    pub kind: ObligationKind,
    /// The items it is about, the owner first.
    pub subjects: Vec<Symbol>,
    /// The layer, if the rule is about one.
    pub layer: Option<u32>,
}

impl ObligationId {
    /// An id.
    pub fn new(
        kind: ObligationKind,
        subjects: impl IntoIterator<Item = impl Into<Symbol>>,
        layer: Option<u32>,
    ) -> Self {
        ObligationId { kind, subjects: subjects.into_iter().map(Into::into).collect(), layer }
    }
}

impl fmt::Display for ObligationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.kind)?;
        for (nth, subject) in self.subjects.iter().enumerate() {
            write!(f, "{}{subject}", if nth == 0 { "" } else { ", " })?;
        }
        f.write_str(")")?;
        self.layer.map_or(Ok(()), |layer| write!(f, " @ {layer}"))
    }
}

/// The hash of a canonical question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Do the axioms and distinctness facts imply that every assertion of the passive
/// program holds?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The program; each of its assertions is asked about.
    pub passive: Passive,
    /// Closed facts about functions and constants, and definitions of them.
    pub axioms: Vec<Term>,
    /// Datatypes.
    pub signature: Signature,
    /// Groups of closed terms of one sort that differ pairwise.
    pub distinct: Vec<Vec<Term>>,
    /// Those of the axioms that a library of ours states; they matter to nobody but replay.
    pub library: Vec<Term>,
}

impl Question {
    /// A question without axioms.
    pub fn new(passive: Passive) -> Self {
        Question {
            passive,
            axioms: vec![],
            signature: Signature::default(),
            distinct: vec![],
            library: vec![],
        }
    }

    /// Every term that matters for the answer.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.passive.terms().chain(&self.axioms).chain(self.distinct.iter().flatten())
    }

    /// Does an ill-sorted term occur? Then no proof may be claimed.
    pub fn is_ill_formed(&self) -> bool {
        self.terms().any(Term::is_ill_formed)
    }

    /// Declares the datatypes that occur in operators of the terms. Datatypes that occur
    /// in sorts only must be declared by the caller.
    pub fn declare_from_terms(&mut self) {
        let mut found = Vec::new();
        for_each_subterm(self.terms(), |term| {
            if let Some((
                crate::Op::Ctor(def, _) | crate::Op::Field(def, ..) | crate::Op::Is(def, _),
                _,
            )) = term.as_app()
            {
                found.push(def.clone());
            }
        });
        found.into_iter().for_each(|def| self.signature.declare(def));
    }
}

/// A question with its owner and reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// What people call it.
    pub id: ObligationId,
    /// The unit of the reference verifier that it belongs to.
    pub unit: String,
    /// The question.
    pub question: Question,
}

#[cfg(test)]
mod tests {
    use super::{ObligationId, ObligationKind};

    #[test]
    fn ids_read_like_the_rule_they_name() {
        let id = ObligationId::new(ObligationKind::Noninterference, ["P", "Inv"], Some(2));
        assert_eq!(id.to_string(), "noninterference(P, Inv) @ 2");
        let id = ObligationId::new(ObligationKind::Commutativity, ["A", "B"], None);
        assert_eq!(id.to_string(), "commutativity(A, B)");
    }

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in ObligationKind::ALL {
            assert_eq!(ObligationKind::from_name(kind.name()), Some(kind));
        }
    }
}
