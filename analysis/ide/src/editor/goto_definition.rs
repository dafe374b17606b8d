//! From a name to where it is declared, to its type, and to what refines it.

use base::{DeclId, DeclKind, Name};
use syntax::ast::{self, AstNode};

use crate::Analysis;
use crate::editor::answers::{Link, Position};
use crate::editor::semantics::{Definition, NameUse};
use crate::types::{FileId, Location, ProgramId};

impl Analysis {
    pub(crate) fn name_at(&self, at: Position) -> Option<NameUse> {
        self.resolver(self.program(at.program), self.source(at.file)).at(at.offset.into())
    }

    /// Where the name at the cursor is declared.
    pub fn definition(&self, at: Position) -> Vec<Location> {
        let found = self.name_at(at).and_then(|name| self.definition_name(&name.definition));
        found.into_iter().collect()
    }

    /// Where the type of the name at the cursor is declared.
    pub fn type_definition(&self, at: Position) -> Vec<Location> {
        let resolver = self.resolver(self.program(at.program), self.source(at.file));
        let Some(name) = resolver.at(at.offset.into()) else { return Vec::new() };
        let Some(ty) = resolver.variable_type(&name.definition) else { return Vec::new() };
        let named = ty.descendants().filter_map(ast::NamedType::cast);
        let decls = named.filter_map(|named| {
            let name = Name::new(named.name_ref()?.text());
            hir::lookup_type(&self.db, self.program(at.program), name)
        });
        decls.filter_map(|decl| self.location(hir::decl_place(&self.db, decl))).collect()
    }

    /// What implements the name at the cursor: the procedures and actions that refine an action, or
    /// the bodies of a procedure.
    pub fn implementation(&self, at: Position) -> Vec<Location> {
        let Some(NameUse { definition: Definition::Global(decl), .. }) = self.name_at(at) else {
            return Vec::new();
        };
        let program = self.program(at.program);
        let own = decl.name(&self.db);
        let refining = self.procs(program).into_iter().filter(|other| {
            let sig = hir::proc_sig_of(&self.db, program, *other);
            sig.is_some_and(|sig| sig.refines.as_ref() == Some(own))
        });
        let mut found: Vec<DeclId> = refining.collect();
        if found.is_empty() && decl.kind(&self.db) != DeclKind::Action {
            found = hir::implementations(&self.db, program, own.clone()).to_vec();
        }
        found
            .into_iter()
            .filter_map(|decl| self.location(hir::decl_place(&self.db, decl)))
            .collect()
    }

    /// Names after `refines`, with the actions they lead to.
    pub fn links(&self, program: ProgramId, file: FileId) -> Vec<Link> {
        let source = self.source(file);
        let resolver = self.resolver(self.program(program), source);
        let clauses = self.root(source).descendants().filter_map(ast::RefinesClause::cast);
        let link = |clause: ast::RefinesClause| {
            let token = clause.name_ref()?.ident_token()?;
            let name = resolver.resolve(&token)?;
            Some(Link {
                at: self.token_location(source, &token)?,
                target: self.definition_name(&name.definition)?,
            })
        };
        clauses.filter_map(link).collect()
    }

    /// All procedure-like declarations of a program.
    pub(crate) fn procs(&self, program: base::Program) -> Vec<DeclId> {
        let decls = hir::program_decls(&self.db, program);
        let is_proc = |decl: &DeclId| match decl.kind(&self.db) {
            DeclKind::Procedure
            | DeclKind::Action
            | DeclKind::YieldProcedure
            | DeclKind::Invariant => true,
            DeclKind::Type
            | DeclKind::Datatype
            | DeclKind::Const
            | DeclKind::Function
            | DeclKind::Axiom
            | DeclKind::Var
            | DeclKind::Implementation => false,
        };
        decls.iter().copied().filter(is_proc).collect()
    }
}
