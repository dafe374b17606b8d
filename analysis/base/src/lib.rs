//! What enters from outside and what every crate above agrees on.
//!
//! **In:** texts of files and the list of files that form a program ([`SourceFile`], [`Program`]).
//! **Out:** the vocabulary of identity ([`Name`], [`DeclId`]), of places ([`Place`], [`NodePtr`],
//! [`FileRange`]) and of complaints ([`Diagnostic`], [`Code`]).
//!
//! # Invariants
//! - Nothing here knows the grammar or the meaning of the language.
//! - A [`Place`] of a declaration holds no text offset; it survives edits of comments and white space.

#![warn(missing_docs)]

mod change;
mod code;
mod db;
mod decl;
mod diagnostic;
mod input;
mod line_index;
mod name;
mod place;
mod range;
mod text_edit;

pub use change::Change;
pub use code::{ALL_CODES, Code, CodeRow};
pub use db::Db;
pub use decl::{DeclId, DeclKind};
pub use diagnostic::{Diagnostic, Fix, Label, Phase, Severity};
pub use input::{LibraryName, Program, Settings, SourceFile};
pub use line_index::{ColumnEncoding, LineColumn, LineMap, with_line_feeds};
pub use name::Name;
pub use place::{NodePtr, Place, TokenPick};
pub use range::{FilePosition, FileRange};
pub use text_edit::{TextEdit, apply_edits};
pub use text_size::{TextRange, TextSize};
