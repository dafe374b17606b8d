//! The program as lowering sees it: declarations by name.
//!
//! **In:** the queries of `hir`. **Out:** the same answers, with the database and the program in one
//! handle that is cheap to copy.
//!
//! # Invariants
//! - Only names that the lowered text mentions are asked for, so an edit elsewhere reaches no unit.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{DeclId, LibraryName, Name, Place, Program};
use hir::{
    Body, Cfg, Constant, Datatype, ExprBody, FuncSig, GlobalVar, NodePtr, ProcSig, SourceMap, Specs,
};

use crate::Db;

/// A program in a database.
#[derive(Clone, Copy)]
pub struct World<'db> {
    /// The database.
    pub db: &'db dyn Db,
    /// The program.
    pub program: Program,
}

impl<'db> World<'db> {
    /// The program in the database.
    pub fn new(db: &'db dyn Db, program: Program) -> World<'db> {
        World { db, program }
    }

    pub fn datatype(self, name: &Name) -> Option<Arc<Datatype>> {
        hir::datatype(self.db, self.program, name.clone())
    }

    pub fn global(self, name: &Name) -> Option<Arc<GlobalVar>> {
        hir::global(self.db, self.program, name.clone())
    }

    pub fn constant(self, name: &Name) -> Option<Arc<Constant>> {
        hir::constant(self.db, self.program, name.clone())
    }

    pub fn func_sig(self, name: &Name) -> Option<Arc<FuncSig>> {
        hir::func_sig(self.db, self.program, name.clone())
    }

    pub fn proc_sig(self, name: &Name) -> Option<Arc<ProcSig>> {
        hir::proc_sig(self.db, self.program, name.clone())
    }

    pub fn specs(self, decl: DeclId) -> Option<Arc<Specs>> {
        hir::specs(self.db, self.program, decl)
    }

    pub fn specs_map(self, decl: DeclId) -> Option<Arc<SourceMap>> {
        hir::specs_map(self.db, self.program, decl)
    }

    pub fn body(self, decl: DeclId) -> Option<Arc<Body>> {
        hir::body(self.db, self.program, decl)
    }

    pub fn body_map(self, decl: DeclId) -> Option<Arc<SourceMap>> {
        hir::body_map(self.db, self.program, decl)
    }

    pub fn cfg(self, decl: DeclId) -> Option<Arc<Cfg>> {
        hir::cfg(self.db, self.program, decl)
    }

    pub fn expr_body(self, decl: DeclId) -> Option<Arc<ExprBody>> {
        hir::expr_body(self.db, self.program, decl)
    }

    /// The globals that a procedure may change.
    pub fn modifies(self, name: &Name) -> Arc<BTreeSet<Name>> {
        hir::modifies(self.db, self.program, name.clone())
    }

    /// The declarations that hold a body of the procedure.
    pub fn implementations(self, name: &Name) -> Arc<[DeclId]> {
        hir::implementations(self.db, self.program, name.clone())
    }

    /// Is `name` the library's type of sequences, which is the solver's own? A program may have
    /// another type of this name.
    pub fn is_sequence_type(self, name: &Name) -> bool {
        let library = |decl: DeclId| decl.file(self.db).library(self.db) == Some(LibraryName::Base);
        *name == "Seq" && hir::lookup_type(self.db, self.program, name.clone()).is_some_and(library)
    }

    /// A place for what has none of its own: the first file of the program.
    pub fn somewhere(self) -> Place {
        let files = hir::program_files(self.db, self.program);
        #[expect(
            clippy::expect_used,
            reason = "a program without files has no declaration to ask about"
        )]
        Place::File(*files.first().expect("a program has a file"))
    }

    /// The declaration as a whole.
    pub fn whole(self, decl: DeclId) -> Place {
        Place::new(decl, NodePtr::ROOT)
    }
}
