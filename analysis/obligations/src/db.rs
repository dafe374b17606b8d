//! The database trait of this crate.

/// A database that can say what has to be proved.
#[salsa::db]
pub trait Db: discipline::Db {}
