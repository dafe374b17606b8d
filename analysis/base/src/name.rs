//! Names as the program writes them.
//!
//! Two names are equal iff their texts are equal; the order is the order of texts, so that
//! everything sorted by name is the same on every run and machine.

use std::borrow::Borrow;
use std::fmt;

use smol_str::SmolStr;

/// An identifier of the program, without the leading backslash that makes keywords identifiers.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(SmolStr);

impl Name {
    /// The name with this text.
    pub fn new(text: impl AsRef<str>) -> Name {
        Name(SmolStr::new(text))
    }

    /// The stand-in for a name the user has not typed yet. No identifier is empty.
    pub fn missing() -> Name {
        Name(SmolStr::default())
    }

    /// Is this the stand-in of [`Name::missing`]?
    pub fn is_missing(&self) -> bool {
        self.0.is_empty()
    }

    /// The text of the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text)
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}
