//! The typed view of the tree.
//!
//! **In:** untyped nodes. **Out:** one struct per rule of `civl.ungram`, one enum per choice;
//! every accessor returns an `Option` or an iterator because a tree may be incomplete.
//!
//! # Invariants
//! - A view is a node and nothing else: casting costs no allocation, views are values.
//! - The view works the same on real trees and on shapes (trees without trivia).

mod exprs;
#[rustfmt::skip]
mod generated;
mod items;
mod stmts;
mod support;
mod tokens;

pub use exprs::{ArithOp, BinaryOp, CompareOp, LiteralKind, LogicOp, QuantKind, UnaryOp};
pub use generated::*;
pub use items::{FunctionParamView, HasAttributes, HasName, HasSpecs, MoverKind};
pub use support::{AstChildren, AstNode};
pub use tokens::{ident_text, string_text};
