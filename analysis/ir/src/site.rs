//! Where something came from, without saying where that is.
//!
//! **In:** an index into a side table that `obligations` owns.
//! **Out:** an opaque mark that travels through the engines unchanged.
//!
//! # Invariants
//! - No text position enters this crate; a site means nothing without its table.
//! - Sites never take part in fingerprints.

/// An opaque place of origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(pub u32);
