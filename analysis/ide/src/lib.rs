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

mod diagnostics;
mod dump;
mod dump_proof;
mod editor;
mod engines;
mod failure;
mod fixes;
mod host;
mod lines;
mod pages;
mod proof;
mod replay;
mod types;

pub use dump::Stage;
pub use editor::answers::{
    Access, Action, CallItem, Completion, Fold, HintKind, Hover, InlayHint, Lens, Link, Owner,
    Position, Reference, Signature, Symbol, SymbolKind, Token, TokenClass, TokenModifier,
};
pub use editor::format::format;
pub use editor::layer_slice::{LayerPiece, LayerView};
pub use engines::explore::{
    ExplorationReport, ExplorationTurn, ExploreAnswer, ExplorePlan, ExploreRequest, ExploreScope,
    LeftOutOfScope, ScopeViolation,
};
pub use failure::trace_view::{Actor, Blame, Change, TraceStep, TraceView};
pub use failure::{Column, Conjunct, Explanation, Fact, Template};
pub use fixes::{Candidate, Candidates, Known, Trial};
pub use host::{Analysis, AnalysisHost, Cancelled};
pub use lines::{ColumnEncoding, LineColumn, Lines};
pub use pages::{Page, chapters, codes, explain};
pub use proof::claims::INTERNAL_ERROR;
pub use proof::filter::{Believed, Filter};
pub use proof::plan::{Plan, VerifyOptions, VerifyReport};
pub use proof::schedule::{History, Order};
pub use proof::state::{Doubt, Excuse, ObligationState, Outcome, Told};
pub use proof::trusted::{Trusted, TrustedKind};
pub use proof::vacuity::Checked;
pub use prover::{MemoryStore, NoStore, Store, StoreKey};
pub use types::{Diagnostic, FileId, Fix, Location, Phase, ProgramId, Related, Severity};

/// The solver that answers are asked from, or why it cannot be used.
pub fn solver_version() -> String {
    prover::solver_version().unwrap_or_else(|problem| format!("unusable ({problem})"))
}

/// Answers questions of a prover on standard input until it ends; `arguments` are those after
/// `worker`.
pub fn run_worker(arguments: &[String]) -> Result<(), String> {
    prover::worker::run(arguments)
}
