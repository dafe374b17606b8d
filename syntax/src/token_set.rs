//! Sets of token kinds as bits: lookahead and recovery ask for membership on every token.

use crate::SyntaxKind;

#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenSet(u128);

impl TokenSet {
    pub(crate) const fn new(kinds: &[SyntaxKind]) -> TokenSet {
        let mut bits = 0;
        let mut i = 0;
        while i < kinds.len() {
            bits |= 1u128 << kinds[i] as u16;
            i += 1;
        }
        TokenSet(bits)
    }

    pub(crate) const fn union(self, other: TokenSet) -> TokenSet {
        TokenSet(self.0 | other.0)
    }

    pub(crate) const fn contains(self, kind: SyntaxKind) -> bool {
        (kind as u16) < 128 && self.0 & (1u128 << kind as u16) != 0
    }
}

/// All token kinds fit into the bits.
const _: () = assert!((SyntaxKind::ERROR_TOKEN as u16) < 128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_contains_what_it_was_made_of() {
        let set = TokenSet::new(&[SyntaxKind::EOF]).union(TokenSet::new(&[T![call]]));
        assert!(set.contains(SyntaxKind::EOF) && set.contains(T![call]));
        assert!(!set.contains(T![;]) && !set.contains(SyntaxKind::SOURCE_FILE));
    }
}
