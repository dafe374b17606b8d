//! The database trait of this crate: inputs, and the queries listed in the crate documentation.

/// A database that can answer what plain Boogie knows.
#[salsa::db]
pub trait Db: base::Db {}
