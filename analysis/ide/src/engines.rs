//! Engines that look at instances of a program, beside the one that proves.
//!
//! **In:** a layer of a program, a scope. **Out:** answers in words, each with its scope.
//!
//! # Invariants
//! - A bounded answer never enters what is said about proofs.

pub(crate) mod explore;
