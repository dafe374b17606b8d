//! All that enters from outside.

#![allow(missing_docs, reason = "salsa generates undocumented setters and constructors")]

use std::sync::Arc;

/// One file of program text.
#[salsa::input(debug)]
pub struct SourceFile {
    /// The path or address as the user knows it; `civl://library/base.bpl` for our libraries.
    #[returns(deref)]
    pub path: String,
    /// The whole text.
    #[returns(ref)]
    pub text: Arc<str>,
    /// The library this file is, if it is one of ours.
    #[returns(copy)]
    pub library: Option<LibraryName>,
}

impl SourceFile {
    /// The last part of the path, as diagnostics print it.
    pub fn base_name(self, db: &dyn crate::Db) -> &str {
        let path = self.path(db);
        path.rsplit(['/', '\\']).next().unwrap_or(path)
    }
}

/// The libraries that come with the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LibraryName {
    /// Maps, sets, options, vectors, linear primitives.
    Base,
    /// Linked lists; needs `Base`.
    Node,
    /// Cardinality of sets; needs `Base`.
    SetSize,
}

impl LibraryName {
    /// Every library, in the order in which they are appended to a program.
    pub const ALL: [LibraryName; 3] = [LibraryName::Base, LibraryName::Node, LibraryName::SetSize];

    /// The name as written after `-lib:`.
    pub fn as_str(self) -> &'static str {
        match self {
            LibraryName::Base => "base",
            LibraryName::Node => "node",
            LibraryName::SetSize => "set_size",
        }
    }

    /// The library with this name.
    pub fn parse(text: &str) -> Option<LibraryName> {
        LibraryName::ALL.into_iter().find(|library| library.as_str() == text)
    }
}

/// Choices of the user that change what a program means.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Settings {
    /// Libraries asked for explicitly, besides those the program asks for itself.
    pub libraries: Vec<LibraryName>,
    /// Infer modifies clauses even in a program without any CIVL attribute.
    pub infer_modifies: bool,
}

/// The files that are read as one program.
#[salsa::input(debug)]
pub struct Program {
    /// The user's files, in order.
    #[returns(deref)]
    pub files: Vec<SourceFile>,
    /// Every library that could be added, as made once per database by `hir::libraries`.
    #[returns(deref)]
    pub libraries: Vec<SourceFile>,
    /// Choices of the user.
    #[returns(ref)]
    pub settings: Settings,
}
