//! Renaming, when it is safe.
//!
//! # Invariants
//! - After the rename every name means what it meant before: a clash in any name space or scope is
//!   refused, and so is a name that the language reserves.

#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds are called")]

use base::{Name, Program};
use hir::NameSpace;
use syntax::{SyntaxKind, ast};

use crate::Analysis;
use crate::editor::answers::Position;
use crate::editor::semantics::{Definition, NameUse};
use crate::types::Location;

impl Analysis {
    /// The name that would be renamed, or why it cannot be.
    pub fn prepare_rename(&self, at: Position) -> Result<(Location, String), String> {
        let name = self.renamable(at)?;
        let here = self
            .token_location(self.source(at.file), &name.token)
            .ok_or("there is no name here")?;
        Ok((here, ast::ident_text(name.token.text()).to_owned()))
    }

    /// The edits that rename the name at the cursor to `to`, or why they would be wrong.
    pub fn rename(&self, at: Position, to: &str) -> Result<Vec<(Location, String)>, String> {
        let name = self.renamable(at)?;
        if !is_identifier(to) {
            return Err(format!("`{to}` cannot be a name"));
        }
        let program = self.program(at.program);
        let text = ast::ident_text(name.token.text()).to_owned();
        if text == to {
            return Ok(Vec::new());
        }
        self.check_clash(program, &name, to)?;
        let uses = self.uses(program, &name.definition, &text);
        Ok(uses.into_iter().map(|use_| (use_.at, to.to_owned())).collect())
    }

    fn renamable(&self, at: Position) -> Result<NameUse, String> {
        let name = self.name_at(at).ok_or("there is no name here")?;
        let owner =
            self.definition_name(&name.definition).ok_or("its declaration cannot be found")?;
        if self.is_library(owner.file) {
            return Err("names of the library cannot be changed".into());
        }
        Ok(name)
    }

    fn check_clash(&self, program: Program, name: &NameUse, to: &str) -> Result<(), String> {
        let spaces: &[NameSpace] = match &name.definition {
            Definition::Global(decl) => {
                match crate::editor::describe::symbol_kind(decl.kind(&self.db)) {
                    crate::SymbolKind::Type | crate::SymbolKind::Datatype => &[NameSpace::Type],
                    crate::SymbolKind::Const | crate::SymbolKind::Global => &[NameSpace::Variable],
                    crate::SymbolKind::Function => &[NameSpace::Function],
                    _ => &[NameSpace::Procedure],
                }
            }
            Definition::Constructor(..) => &[NameSpace::Function],
            Definition::Field(..) => &[],
            Definition::Local { .. } => &[NameSpace::Variable],
        };
        let new = Name::new(to);
        for space in spaces {
            let taken = match space {
                NameSpace::Type => hir::lookup_type(&self.db, program, new.clone()),
                NameSpace::Variable => hir::lookup_var(&self.db, program, new.clone()),
                NameSpace::Function => hir::lookup_func(&self.db, program, new.clone()),
                NameSpace::Procedure => hir::lookup_proc(&self.db, program, new.clone()),
            };
            if taken.is_some() {
                return Err(format!("there is already a {} called `{to}`", space.noun()));
            }
        }
        self.check_local_clash(program, name, to)
    }

    /// No declaration in which the name is used may already have something local of the new name.
    fn check_local_clash(&self, program: Program, name: &NameUse, to: &str) -> Result<(), String> {
        let text = ast::ident_text(name.token.text());
        for use_ in self.uses(program, &name.definition, text) {
            let root = self.root(self.source(use_.at.file));
            let Some(token) = root.token_at_offset(use_.at.start.into()).right_biased() else {
                continue;
            };
            let Some(item) = token
                .parent_ancestors()
                .find(|n| n.parent().is_some_and(|p| p.kind() == SyntaxKind::SOURCE_FILE))
            else {
                continue;
            };
            let resolver = self.resolver(program, self.source(use_.at.file));
            let same = |t: &syntax::SyntaxToken| ast::ident_text(t.text()) == to;
            let clash = resolver.names_below(&item, &same).into_iter();
            if clash
                .into_iter()
                .any(|n| matches!(n.definition, Definition::Local { .. } | Definition::Field(..)))
            {
                return Err(format!("`{to}` is already used where the name is"));
            }
        }
        Ok(())
    }
}

fn is_identifier(text: &str) -> bool {
    let parse = syntax::parse(&format!("var {text}: int;"));
    let mut names = parse.syntax_node().descendants().filter(|n| n.kind() == SyntaxKind::NAME);
    let is_whole = names.next().is_some_and(|n| n.text() == text) && names.next().is_none();
    parse.errors().is_empty() && is_whole
}
