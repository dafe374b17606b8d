//! Names that the engines compare and print but never look into.
//!
//! **In:** text of a monomorphic instance (`Map#1`, `x@3`, `Civl_pc`).
//! **Out:** a cheap, ordered, hashable value.
//!
//! # Invariants
//! - Equality and order are those of the text, so they are the same on every machine.

use std::fmt;

use smol_str::SmolStr;

/// A name: of a variable, function, sort, datatype, constructor, field, label or pool.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(SmolStr);

impl Symbol {
    /// The symbol with this text.
    pub fn new(text: impl AsRef<str>) -> Self {
        Symbol(SmolStr::new(text))
    }

    /// The text of the symbol.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Self {
        Symbol::new(text)
    }
}

impl From<String> for Symbol {
    fn from(text: String) -> Self {
        Symbol(SmolStr::from(text))
    }
}

impl From<SmolStr> for Symbol {
    fn from(text: SmolStr) -> Self {
        Symbol(text)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Symbol;

    #[test]
    fn symbols_are_ordered_by_text() {
        let mut names: Vec<Symbol> = ["b", "a@2", "a"].map(Symbol::from).to_vec();
        names.sort();
        assert_eq!(names.iter().map(Symbol::as_str).collect::<Vec<_>>(), ["a", "a@2", "b"]);
    }
}
