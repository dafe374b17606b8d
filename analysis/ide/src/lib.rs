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

mod action_words;
mod answers;
mod call_hierarchy;
mod code_lens;
mod completion;
mod coverage;
mod describe;
mod diagnostics;
mod dump;
mod dump_proof;
mod failure;
mod fixes;
mod folding;
mod format;
mod goto_definition;
mod host;
mod hover;
mod inlay_hints;
mod layer_slice;
mod lines;
mod pages;
mod references;
mod rename;
mod replay;
mod run;
mod schedule;
mod semantic_tokens;
mod semantics;
mod signature_help;
mod symbols;
#[cfg(test)]
mod tests;
mod trace_view;
mod trusted;
mod types;
mod vacuity;
mod verdicts;
mod verify;
mod words;

pub use answers::{
    Access, Action, CallItem, Completion, Fold, HintKind, Hover, InlayHint, Lens, Link, Owner,
    Position, Reference, Signature, Symbol, SymbolKind, Token, TokenClass, TokenModifier,
};
pub use dump::Stage;
pub use failure::{Column, Conjunct, Explanation, Fact, Template};
pub use fixes::{Candidate, Candidates, Known, Trial};
pub use format::format;
pub use host::{Analysis, AnalysisHost, Cancelled};
pub use layer_slice::{LayerPiece, LayerView};
pub use lines::{ColumnEncoding, LineColumn, Lines};
pub use pages::{Page, chapters, codes, explain};
pub use prover::{MemoryStore, NoStore, Store, StoreKey};
pub use schedule::{History, Order};
pub use trace_view::{TraceStep, TraceView};
pub use trusted::{Trusted, TrustedKind};
pub use types::{Diagnostic, FileId, Fix, Location, Phase, ProgramId, Related, Severity};
pub use vacuity::Checked;
pub use verify::{
    Filter, ObligationState, Outcome, Plan, Told, Trust, VerifyOptions, VerifyReport,
};

/// The solver that answers are asked from, or why it cannot be used.
pub fn solver_version() -> String {
    prover::solver_version().unwrap_or_else(|problem| format!("unusable ({problem})"))
}

/// Answers questions of a prover on standard input until it ends; `arguments` are those after
/// `worker`.
pub fn run_worker(arguments: &[String]) -> Result<(), String> {
    prover::worker::run(arguments)
}
