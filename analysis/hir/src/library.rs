//! Our libraries, and which files a program consists of.
//!
//! The libraries are ordinary source files that never change. A program gets `base` when one of its
//! declarations carries a CIVL attribute, whatever a leading `RUN:` comment or the settings ask for,
//! and each library of which it uses a name, unless it declares a name of that library itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{DeclId, DeclKind, LibraryName, Name, Program, Settings, SourceFile};
use salsa::Durability;
use syntax::SyntaxKind;

use crate::scope::scope;
use crate::tree::file_shapes;
use crate::{Db, decl_tree};

/// The text of a library.
pub fn library_text(library: LibraryName) -> &'static str {
    match library {
        LibraryName::Base => include_str!("../library/base.bpl"),
        LibraryName::Node => include_str!("../library/node.bpl"),
        LibraryName::SetSize => include_str!("../library/set_size.bpl"),
    }
}

/// Makes the libraries inputs of the database. Call once per database; every program gets the list.
pub fn libraries(db: &dyn Db) -> Vec<SourceFile> {
    let make = |library: LibraryName| {
        let path = format!("civl://library/{}.bpl", library.as_str());
        let text: Arc<str> = library_text(library).into();
        SourceFile::builder(path, text, Some(library)).durability(Durability::HIGH).new(db)
    };
    LibraryName::ALL.into_iter().map(make).collect()
}

/// A program of these files, with libraries made afresh. For tests and one-shot tools.
pub fn program_of(db: &dyn Db, files: Vec<SourceFile>) -> Program {
    Program::new(db, files, libraries(db), Settings::default())
}

/// The libraries that the leading comment lines of a file ask for: `// RUN: .. -lib:base ..`.
#[salsa::tracked(returns(clone))]
pub(crate) fn requested_libraries(db: &dyn Db, file: SourceFile) -> Arc<[LibraryName]> {
    let mut out = Vec::new();
    let lines = file.text(db).split(['\n', '\r']).map(str::trim);
    for line in lines.take_while(|line| line.is_empty() || line.starts_with("//")) {
        let Some((_, command)) = line.split_once("RUN:") else { continue };
        for word in command.split_whitespace() {
            let name = word.strip_prefix("-lib:").or_else(|| word.strip_prefix("/lib:"));
            out.extend(name.and_then(LibraryName::parse));
        }
    }
    out.into()
}

/// The identifiers in the tokens of a file, whatever they stand for.
#[salsa::tracked(returns(clone))]
fn identifiers(db: &dyn Db, file: SourceFile) -> Arc<BTreeSet<Name>> {
    let mut names = BTreeSet::new();
    for root in file_shapes(db, file).roots() {
        let tokens = root.descendants_with_tokens().filter_map(|it| it.into_token());
        let idents = tokens.filter(|it| it.kind() == SyntaxKind::IDENT);
        names.extend(idents.map(|it| Name::new(it.text())));
    }
    Arc::new(names)
}

/// The names that a file declares, constructors included.
#[salsa::tracked(returns(clone))]
fn declared_names(db: &dyn Db, file: SourceFile) -> Arc<BTreeSet<Name>> {
    let all = decl_tree(db, file).entries.iter();
    let entries =
        all.filter(|entry| !entry.ignored && entry.decl.kind(db) != DeclKind::Implementation);
    let names = entries.flat_map(|it| std::iter::once(it.decl.name(db)).chain(it.ctors.iter()));
    Arc::new(names.filter(|name| !name.is_missing()).cloned().collect())
}

/// The libraries of which the user's files use a name that they do not declare. A library that
/// would redeclare one of their names is not meant.
#[salsa::tracked(returns(clone))]
fn used_libraries(db: &dyn Db, program: Program) -> Arc<[LibraryName]> {
    let declared: Vec<_> = program.files(db).iter().map(|it| declared_names(db, *it)).collect();
    let mut out = Vec::new();
    for library in program.libraries(db) {
        let names = declared_names(db, *library);
        let clash = declared.iter().any(|it| !it.is_disjoint(&names));
        let used = || program.files(db).iter().any(|it| !identifiers(db, *it).is_disjoint(&names));
        out.extend(library.library(db).filter(|_| !clash && used()));
    }
    out.into()
}

/// Does some declaration of the user's files carry a CIVL attribute?
#[salsa::tracked(returns(copy))]
pub fn is_civl(db: &dyn Db, program: Program) -> bool {
    program.files(db).iter().any(|file| decl_tree(db, *file).has_civl_attribute)
}

/// Are modifies clauses inferred, and the written ones only lower bounds?
pub fn infers_modifies(db: &dyn Db, program: Program) -> bool {
    is_civl(db, program) || program.settings(db).infer_modifies
}

/// The user's files, then the needed libraries.
#[salsa::tracked(returns(clone))]
pub fn program_files(db: &dyn Db, program: Program) -> Arc<[SourceFile]> {
    let mut wanted = program.settings(db).libraries.clone();
    if is_civl(db, program) {
        wanted.push(LibraryName::Base);
    }
    for file in program.files(db) {
        wanted.extend(requested_libraries(db, *file).iter());
    }
    wanted.extend(used_libraries(db, program).iter());
    if !wanted.is_empty() {
        wanted.push(LibraryName::Base);
    }
    let mut files = program.files(db).to_vec();
    for library in program.libraries(db) {
        let Some(name) = library.library(db) else { continue };
        if wanted.contains(&name) && !files.iter().any(|file| file.library(db) == Some(name)) {
            files.push(*library);
        }
    }
    files.into()
}

/// All declarations in order, without those that are not there: `{:ignore}`d ones, and `{:extern}` ones
/// that give way to another of the same name.
#[salsa::tracked(returns(clone))]
pub fn program_decls(db: &dyn Db, program: Program) -> Arc<[DeclId]> {
    let scope = scope(db, program);
    let mut out = Vec::new();
    for file in program_files(db, program).iter() {
        let entries = decl_tree(db, *file).entries.iter();
        out.extend(entries.filter(|entry| scope.is_there(entry)).map(|entry| entry.decl));
    }
    out.into()
}
