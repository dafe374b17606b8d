//! The root database trait: every query-holding crate extends it.

/// A database that knows the inputs of this crate and nothing else.
#[salsa::db]
pub trait Db: salsa::Database {}
