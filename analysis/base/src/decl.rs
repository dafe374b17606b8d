//! Identity of top-level declarations.
//!
//! A declaration is named by its file, kind, name and its number among the declarations of the same
//! kind and name in that file. So an edit anywhere else, and any edit inside it that keeps its name,
//! leaves its identity alone.

#![allow(missing_docs, reason = "salsa generates undocumented setters and constructors")]

use crate::{Db, Name, SourceFile};

/// What kind of declaration it is, as far as its keywords tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeclKind {
    /// `type T a b;` or `type T a = ...;`
    Type,
    /// `datatype D<a> { .. }`; its constructors belong to it.
    Datatype,
    /// One name of `const x, y: T;`
    Const,
    /// `function f(..) ..`
    Function,
    /// `axiom e;` (the name is the empty name, `nth` counts)
    Axiom,
    /// One name of a global `var x, y: T;`
    Var,
    /// `procedure` or `pure procedure`
    Procedure,
    /// `action` of any mover, `pure action`, or an action written inside a `refines` clause.
    Action,
    /// `yield procedure` of any mover
    YieldProcedure,
    /// `yield invariant` or `invariant`
    Invariant,
    /// `implementation p(..) ..`, a body given apart from its procedure
    Implementation,
}

/// Handle of one top-level declaration (or of one name of it, where it declares several).
#[salsa::interned(unsafe(no_lifetime), revisions = usize::MAX, debug)]
pub struct DeclId {
    /// The file it is written in.
    #[returns(copy)]
    pub file: SourceFile,
    /// What kind of declaration it is.
    #[returns(copy)]
    pub kind: DeclKind,
    /// The declared name, or that of [`Name::anonymous_action`].
    #[returns(ref)]
    pub name: Name,
    /// Number among the declarations of the same kind and name in the file, from 0.
    #[returns(copy)]
    pub nth: u32,
}

impl DeclId {
    /// Is this an action written as `_` inside a `refines` clause?
    pub fn is_anonymous_action(self, db: &dyn Db) -> bool {
        self.kind(db) == DeclKind::Action && self.name(db).procedure_of_anonymous().is_some()
    }
}
