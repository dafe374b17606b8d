//! The database trait of this crate.

/// A database that can answer which of CIVL's rules a program keeps.
#[salsa::db]
pub trait Db: hir::Db {}
