//! What an editor asks about a text while it is being written.
//!
//! **In:** a file or a cursor, seen as part of a program. **Out:** the plain data of [`answers`].
//! [`semantics`] says what a name means, [`describe`] and [`words`] put declarations, attributes and
//! keywords into words; every other file is one feature.
//!
//! # Invariants
//! - No question is asked of the solver here, so no edit waits for an answer.
//! - A text that cannot be typed, or not even read, still gets an answer.

mod action_words;
pub(crate) mod answers;
mod call_hierarchy;
mod code_lens;
mod completion;
pub(crate) mod describe;
mod folding;
pub(crate) mod format;
mod goto_definition;
mod hover;
mod inlay_hints;
pub(crate) mod layer_slice;
mod references;
mod rename;
mod semantic_tokens;
pub(crate) mod semantics;
mod signature_help;
mod symbols;
#[cfg(test)]
mod tests;
mod words;
