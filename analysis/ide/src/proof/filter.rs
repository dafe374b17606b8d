//! Which obligations are asked: those that somebody wants and that nobody takes on faith.
//!
//! **In:** the id of an obligation or what is known of it. **Out:** is it asked?
//!
//! # Soundness
//! What a filter leaves out is not in the plan, what is trusted is in it as "skipped"; neither is
//! ever called proved.

use ir::ObligationKind;

use crate::proof::state::{NUMBER, ObligationState, shown};

/// What the user takes on faith.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Believed {
    /// Refinement checks.
    pub refinement: bool,
    /// Declared mover types.
    pub movers: bool,
    /// Non-interference checks.
    pub noninterference: bool,
    /// Sequential checks of invariants.
    pub invariants: bool,
}

/// Which obligations to ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only ids that contain this text (`*` matches anything).
    pub only: Option<String>,
    /// Only this layer.
    pub layer: Option<u32>,
    /// Only this kind.
    pub kind: Option<String>,
    /// Only those that are about one of these.
    pub subjects: Option<Vec<String>>,
    /// Only these, by their whole ids.
    pub ids: Option<Vec<String>>,
}

impl Filter {
    pub(crate) fn admits(&self, id: &ir::ObligationId) -> bool {
        let text = shown(id);
        self.only.as_ref().is_none_or(|pattern| matches(&text, pattern))
            && self.layer.is_none_or(|layer| id.layer == Some(layer))
            && self.kind.as_ref().is_none_or(|kind| id.kind.name() == kind)
            && self.names_one_of(id.subjects.iter().map(shown))
            && self.names(&text)
    }

    pub(crate) fn admits_state(&self, state: &ObligationState) -> bool {
        self.only.as_ref().is_none_or(|pattern| matches(&state.id, pattern))
            && self.layer.is_none_or(|layer| state.layer == Some(layer))
            && self.kind.as_ref().is_none_or(|kind| state.kind == *kind)
            && self.names_one_of(state.subjects.iter().cloned())
            && self.names(&state.id)
    }

    /// Is it one of the wanted ids? A number tells apart what has the same name.
    fn names(&self, id: &str) -> bool {
        let bare = |wanted: &String| {
            wanted.rsplit_once(NUMBER).map_or(wanted.as_str(), |(name, _)| name) == id
        };
        self.ids.as_ref().is_none_or(|ids| ids.iter().any(bare))
    }

    fn names_one_of(&self, mut subjects: impl Iterator<Item = String>) -> bool {
        let Some(wanted) = &self.subjects else { return true };
        subjects.any(|subject| wanted.contains(&subject))
    }
}

/// Do the pieces between the stars of `pattern` occur in `text`, in order?
fn matches(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    pattern.split('*').all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

impl Believed {
    /// The checks that are not made, in words.
    pub(crate) fn switched_off(self) -> Vec<String> {
        let words = [
            (self.refinement, "refinement"),
            (self.movers, "declared mover types"),
            (self.noninterference, "non-interference"),
            (self.invariants, "the sequential correctness of invariants"),
        ];
        words.into_iter().filter(|(off, _)| *off).map(|(_, word)| word.to_owned()).collect()
    }

    pub(crate) fn covers(self, kind: ObligationKind) -> bool {
        match kind {
            ObligationKind::Refinement | ObligationKind::ActionRefinement => self.refinement,
            ObligationKind::Commutativity
            | ObligationKind::GatePreservation
            | ObligationKind::FailurePreservation
            | ObligationKind::Nonblocking => self.movers,
            ObligationKind::Noninterference | ObligationKind::GlobalNoninterference => {
                self.noninterference
            }
            ObligationKind::Contract | ObligationKind::GateAtCall => self.invariants,
            ObligationKind::GateSufficiency
            | ObligationKind::Termination
            | ObligationKind::Plain => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_with_stars_matches_pieces_in_order() {
        assert!(matches("commutativity(Acquire, Release) @ 2", "Acq*Rel"));
        assert!(matches("commutativity(Acquire, Release) @ 2", ""));
        assert!(!matches("commutativity(Acquire, Release) @ 2", "Rel*Acq"));
    }

    #[test]
    fn a_number_behind_a_wanted_id_is_not_part_of_it() {
        let filter = Filter { ids: Some(vec!["a @ 1 #2".into()]), ..Filter::default() };
        assert!(filter.names("a @ 1") && !filter.names("b @ 1"));
    }
}
