//! Which variables own permissions, and who holds them where (language.md 10).
//!
//! **In:** signatures, specifications and bodies. **Out:** which types are linear ([`is_linear`],
//! [`permission_types`]), which linear variables are available at each point of a body
//! ([`availability_at`] a layer), and the problems of a declaration.
//!
//! A permission is a value of some type `One T`. At any moment the available linear variables of
//! all threads own pairwise disjoint sets of permissions. The checks here keep that true without
//! looking at values: an assignment or call moves permissions from one variable to another, and a
//! variable that has given its permissions away is not available.
//!
//! # Soundness
//! The obligations assume disjointness for whatever [`availability_at`] returns, and nobody proves it
//! again. So a variable is available only if every permission in its value was received from
//! another available variable, which lost it. Where the reference is more generous, we are not:
//! - a result is available only if the callee declares it linear;
//! - `r->f := y` makes `r` available only if nothing stale is left in it, and is refused where the
//!   value may have no field `f`;
//! - the values of a `Map` are not stored all at once;
//! - a permission is received at the layers at which it is given, and held at no other;
//! - an asynchronous call never returns a permission;
//! - what ghost code of a layer takes out of a linear global makes no action of that layer move
//!   (`linear/ghost.rs`);
//! - variables of ordinary type are never available, whatever their attribute says, nor are globals
//!   that are not declared linear.

mod availability;
mod commands;
mod fields;
mod flow;
mod ghost;
mod layered;
mod owner;
mod primitives;
mod specs;
mod types;

pub use availability::{Availability, availability, availability_at};
pub use types::{is_linear, permission_types};

use base::{DeclId, Program};

use crate::Db;
use crate::problem::Problem;

/// Appends the linearity problems of one declaration.
pub(crate) fn check(db: &dyn Db, program: Program, decl: DeclId, out: &mut Vec<Problem>) {
    types::check(db, program, decl, out);
    specs::check(db, program, decl, out);
    availability::check(db, program, decl, out);
    ghost::check(db, program, decl, out);
}

#[cfg(test)]
mod tests;
