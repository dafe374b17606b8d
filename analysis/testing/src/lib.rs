//! What tests of all crates share: fixtures, expectations written into them, query logs, random
//! choices, databases, a long program for benchmarks.
//!
//! A test is a program and an expectation. Fixtures are texts in the language; expectations are
//! comments in them (`//^^^ error[code]: words` under a range, `//~ error[code] "words"` at the end of a
//! line) or `expect_test` values.

pub mod annotations;
mod database;
pub mod fixture;
pub mod program;
pub mod random;
pub mod reuse;

pub use annotations::{Expectation, Found, compare, expectations};
pub use fixture::Fixture;
pub use program::{edited, long_program};
pub use random::Random;
pub use reuse::QueryLog;
