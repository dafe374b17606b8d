//! Everything an editor or a command line can ask about programs, as plain data.
//!
//! **In:** texts and lists of files, set through [`AnalysisHost`]. **Out:** answers of an
//! [`Analysis`], a snapshot that any thread may hold: offsets, strings and ids.
//!
//! # Invariants
//! - No syntax tree, no database handle and no protocol type crosses this boundary.
//! - A snapshot that an edit overtakes unwinds; [`Analysis::ask`] turns that into [`Cancelled`].
//! - A program is `complete` only when every obligation has an answer; whoever prints "verified"
//!   asks for it here.

mod answers;
mod diagnostics;
mod dump;
mod features;
mod host;
mod lines;
mod pages;
mod types;
mod verify;

pub use answers::{
    Access, Action, CallItem, Completion, Fold, HintKind, Hover, InlayHint, Lens, Link, Position,
    Reference, Signature, Symbol, SymbolKind, Token, TokenClass, TokenModifier,
};
pub use dump::Stage;
pub use host::{Analysis, AnalysisHost, Cancelled};
pub use lines::{ColumnEncoding, LineColumn, Lines};
pub use pages::{Page, codes, explain};
pub use prover::{NoStore, Store, StoreKey};
pub use types::{Diagnostic, FileId, Fix, Location, Phase, ProgramId, Related, Severity};
pub use verify::{Filter, ObligationState, Outcome, Plan, Trust, VerifyOptions, VerifyReport};

/// The solver that answers are asked from, or why it cannot be used.
pub fn solver_version() -> String {
    prover::solver_version().unwrap_or_else(|problem| format!("unusable ({problem})"))
}

/// Answers questions of a prover on standard input until it ends. `arguments` are those that
/// the prover starts its workers with.
pub fn run_worker(arguments: &[String]) -> Result<(), String> {
    prover::worker::run(arguments)
}

/// `text` in the house style, or why it cannot be formatted.
pub fn format(_text: &str) -> Result<String, String> {
    Err("formatting is not built yet".into())
}
