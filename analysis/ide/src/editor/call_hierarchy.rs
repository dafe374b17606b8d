//! Who calls whom, across layers: a refined action counts as what its procedure does.

use std::collections::BTreeMap;

use base::{DeclId, Name, Program};
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode};

use crate::Analysis;
use crate::editor::answers::{CallItem, Position, Symbol};
use crate::editor::semantics::{Definition, NameUse};
use crate::types::Location;

impl Analysis {
    /// The procedure, action or invariant at the cursor.
    pub fn call_item(&self, at: Position) -> Option<Symbol> {
        let program = self.program(at.program);
        self.symbol(program, self.callable(at)?)
    }

    /// Who calls or refines it.
    pub fn incoming_calls(&self, at: Position) -> Vec<CallItem> {
        let program = self.program(at.program);
        let Some(wanted) = self.callable(at) else { return Vec::new() };
        let callers = self.procs(program).into_iter().filter_map(|caller| {
            let calls = self.calls_of(program, caller).remove(wanted.name(&self.db))?;
            Some(CallItem { symbol: self.symbol(program, caller)?, calls })
        });
        callers.collect()
    }

    /// What it calls or refines.
    pub fn outgoing_calls(&self, at: Position) -> Vec<CallItem> {
        let program = self.program(at.program);
        let Some(caller) = self.callable(at) else { return Vec::new() };
        let callees = self.calls_of(program, caller).into_iter().filter_map(|(name, calls)| {
            let callee = hir::lookup_proc(&self.db, program, name)?;
            Some(CallItem { symbol: self.symbol(program, callee)?, calls })
        });
        callees.collect()
    }

    fn callable(&self, at: Position) -> Option<DeclId> {
        let NameUse { definition: Definition::Global(decl), .. } = self.name_at(at)? else {
            return None;
        };
        hir::proc_sig_of(&self.db, self.program(at.program), decl).map(|_| decl)
    }

    /// The names called or refined in a declaration and its separate bodies, with the places.
    fn calls_of(&self, program: Program, decl: DeclId) -> BTreeMap<Name, Vec<Location>> {
        let mut calls: BTreeMap<Name, Vec<Location>> = BTreeMap::new();
        let bodies = hir::implementations(&self.db, program, decl.name(&self.db).clone());
        let mut decls = vec![decl];
        decls.extend(bodies.iter().copied().filter(|body| *body != decl));
        for decl in decls {
            let Some(node) = hir::decl_node(&self.db, decl) else { continue };
            for name in node.descendants().filter_map(called_name) {
                let place =
                    name.ident_token().and_then(|t| self.token_location(decl.file(&self.db), &t));
                calls.entry(Name::new(name.text())).or_default().extend(place);
            }
        }
        calls
    }
}

fn called_name(node: SyntaxNode) -> Option<ast::NameRef> {
    let arm = ast::CallArm::cast(node.clone()).and_then(|arm| arm.name_ref());
    arm.or_else(|| ast::RefinesClause::cast(node).and_then(|clause| clause.name_ref()))
}
