//! The shared vocabulary of the engines: terms, programs, questions, verdicts.
//!
//! **In:** what `obligations` builds from a checked program.
//! **Out:** what `prover` (and later `explore` and `heap`) answer questions about.
//!
//! # Invariants
//! - Nothing here knows text, positions, the database or a solver.
//! - Equal input gives equal terms, programs, texts and fingerprints on every machine.
//! - A proof can only be claimed for a well-formed question; see [`verdict`].
#![warn(missing_docs)]

mod arith;
pub mod build;
pub mod digest;
pub mod eliminate;
pub mod op;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod semantics;
mod show;
pub mod simplify;
pub mod sort;
pub mod source;
pub mod subst;
pub mod symbol;
pub mod symbolic;
pub mod term;

pub mod carriers;
pub mod command;
pub mod convert;
pub mod exploration;
pub mod layer;
pub mod passify;
pub mod passive;
pub mod site;
pub mod wp;

pub mod canonical;
pub mod eval;
pub(crate) mod finite;
pub mod machine;
pub mod obligation;
pub mod pretty;
pub mod prune;
pub mod replay;
pub mod run;
pub mod trace;
pub mod value;
pub mod verdict;

pub use canonical::fingerprint;
pub use command::{AssertId, Block, BlockId, Capture, CaptureId, Command, Program};
pub use eliminate::eliminate;
pub use eval::{Env, Fuel, Unknown, evaluate, evaluate_within};
pub use obligation::{Fingerprint, Obligation, ObligationId, ObligationKind, Question};
pub use op::{Op, PointwiseOp, SortError};
pub use passify::passify;
pub use passive::{Item, Passive, PassiveBlock};
pub use prune::prune;
pub use replay::Run;
pub use run::{Stuck, execute};
pub use simplify::simplify;
pub use site::Site;
pub use sort::{CtorDef, DatatypeDef, Signature, Sort};
pub use source::{Flag, source_name, source_text};
pub use subst::{Substitution, free_vars};
pub use symbol::Symbol;
pub use term::{Bound, FuncSym, Lambda, PoolHint, Quant, QuantKind, Term, TermKind, Var};
pub use trace::{Step, StepKind, Trace};
pub use value::{Around, Data, Element, MapValue, Segment, Value};
pub use verdict::{Argument, Assumption, Proof, Reason, Refutation, Replay, Trust, Verdict};
