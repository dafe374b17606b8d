//! Questions as text, out and in, so that they can be saved, sent and rerun alone.
//!
//! **In:** a [`Question`], [`Obligation`] or [`Term`]; or text that was written from one.
//! **Out:** text; or an equal value; or where the text is wrong.
//!
//! The text is a sequence of forms in parentheses: `datatype`, `var` and `fun` declare;
//! `def $n` names a shared or deep subterm; `axiom`, `distinct` and `block` are the
//! question. Everything is declared before it is used.
//!
//! ```text
//! (datatype Opt (None) (Some (t Int)))
//! (var x Int)
//! (fun f (Int (Data Opt)) Bool)
//! (def $0 (func f x (ctor Opt Some x)))
//! (axiom (forall ((x L)) $0 (pattern $0) (weight 2)))
//! (block entry (goto 1 2) (assume (< x 3)) (assert 7 $0))
//! ```
//!
//! The program of a layer has forms of its own in place of `block`, the first of which is `layer`;
//! `write/layer.rs` and `read/layer.rs` say which. Numbers at the end of a step are its site.
//!
//! # Invariants
//! - Reading what was written gives an equal value, nothing simplified again.
//! - Both directions are linear in the number of distinct subterms, and nest at most
//!   [`NESTING`] deep.
//! - What cannot be read back exactly (an ill-formed term, two definitions of one
//!   datatype) is an error of the reader, never another question.

mod read;
mod write;

use std::fmt;

use crate::{
    layer::LayerProgram,
    obligation::{Obligation, Question},
    term::Term,
};

/// How deep terms nest between two definitions.
pub const NESTING: u32 = 16;

/// Why a text is not a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The byte at which reading stopped.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for ReadError {}

/// The text of a question.
pub fn write_question(question: &Question) -> String {
    write::question(question)
}

/// The question of a text.
pub fn read_question(text: &str) -> Result<Question, ReadError> {
    read::question(text)
}

/// The text of an obligation: a head, then its question.
pub fn write_obligation(obligation: &Obligation) -> String {
    write::obligation(obligation)
}

/// The obligation of a text.
pub fn read_obligation(text: &str) -> Result<Obligation, ReadError> {
    read::obligation(text)
}

/// The text of a program of a layer.
pub fn write_layer(program: &LayerProgram) -> String {
    write::layer::program(program, true)
}

/// What programs have in common that differ in their sites only.
pub fn write_layer_without_sites(program: &LayerProgram) -> String {
    write::layer::program(program, false)
}

/// A digest of [`write_layer_without_sites`].
pub fn layer_digest(program: &LayerProgram) -> [u8; 32] {
    *blake3::hash(write_layer_without_sites(program).as_bytes()).as_bytes()
}

/// The program of a text.
pub fn read_layer(text: &str) -> Result<LayerProgram, ReadError> {
    read::layer::program(text)
}

/// The text of a term with its declarations.
pub fn write_term(term: &Term) -> String {
    write::term(term)
}

/// The term of a text.
pub fn read_term(text: &str) -> Result<Term, ReadError> {
    read::term(text)
}

/// A program of a layer with every form in it.
#[cfg(test)]
pub(crate) const SAMPLE_LAYER: &str = include_str!("pretty/sample_layer.txt");

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
