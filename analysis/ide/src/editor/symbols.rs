//! Outlines: the declarations of a file and of the whole workspace.

use base::{DeclId, Name, Program};
use syntax::ast::{self, AstNode};

use crate::Analysis;
use crate::editor::answers::{Owner, Symbol, SymbolKind};
use crate::editor::describe::symbol_kind;
use crate::types::{FileId, Location, ProgramId};

/// More answers than anyone reads.
const MOST_SYMBOLS: usize = 500;

impl Analysis {
    /// The declarations of a file, constructors inside their datatypes.
    pub fn document_symbols(&self, program: ProgramId, file: FileId) -> Vec<Symbol> {
        let source = self.source(file);
        let entries = &hir::decl_tree(&self.db, source).entries;
        entries.iter().filter_map(|entry| self.symbol(self.program(program), entry.decl)).collect()
    }

    /// The declarations of programs whose names contain the letters of `query` in order.
    pub fn workspace_symbols(&self, programs: &[ProgramId], query: &str) -> Vec<Symbol> {
        let mut found: Vec<Symbol> = Vec::new();
        for program in programs {
            let program = self.program(*program);
            for decl in hir::program_decls(&self.db, program).iter() {
                if found.len() < MOST_SYMBOLS && matches(decl.name(&self.db).as_str(), query) {
                    found.extend(self.symbol(program, *decl));
                }
            }
        }
        let order =
            |s: &Symbol| (self.is_library(s.at.file), !contains(&s.name, query), s.name.len());
        found.sort_by(|a, b| (order(a), &a.name, a.at).cmp(&(order(b), &b.name, b.at)));
        found.dedup_by(|a, b| a.at == b.at && a.name == b.name);
        found
    }

    /// Where the declaration is that obligations name as their subject.
    pub fn owner(&self, program: ProgramId, subject: &str) -> Option<Owner> {
        let input = self.program(program);
        let decl = hir::lookup_proc(&self.db, input, base::Name::new(subject))?;
        let symbol = self.symbol(input, decl)?;
        Some(Owner { whole: symbol.at, name: symbol.selection })
    }

    /// The name of the declaration around an offset, as obligations name their subjects.
    pub fn subject_at(&self, file: FileId, offset: u32) -> Option<String> {
        let source = self.source(file);
        let entries = hir::decl_tree(&self.db, source).entries.iter();
        let around = entries.filter(|entry| {
            hir::decl_node(&self.db, entry.decl)
                .is_some_and(|node| node.text_range().contains_inclusive(offset.into()))
        });
        let names = around.map(|entry| entry.decl.name(&self.db));
        names.filter(|name| !name.is_missing()).map(|name| Name::readable(name.as_str())).next()
    }

    /// The declarations of a file that begin before an offset, as obligations name them.
    pub fn subjects_before(&self, file: FileId, offset: u32) -> Vec<String> {
        let source = self.source(file);
        let entries = hir::decl_tree(&self.db, source).entries.iter();
        let before = entries.filter(|entry| {
            let place = hir::place_range(&self.db, hir::decl_place(&self.db, entry.decl));
            u32::from(place.range.start()) <= offset
        });
        before.map(|entry| Name::readable(entry.decl.name(&self.db).as_str())).collect()
    }

    pub(crate) fn symbol(&self, program: Program, decl: DeclId) -> Option<Symbol> {
        let node = hir::decl_node(&self.db, decl)?;
        let file = self.file_id(decl.file(&self.db))?;
        let range = node.text_range();
        let selection = self.location(hir::decl_place(&self.db, decl))?;
        let at = Location { file, start: range.start().into(), end: range.end().into() };
        let kind = symbol_kind(decl.kind(&self.db));
        let name = decl.name(&self.db).titled();
        let name = if name.is_empty() { "axiom".to_owned() } else { name };
        let children =
            ast::DatatypeDecl::cast(node).map(|d| self.constructors(file, &d)).unwrap_or_default();
        Some(Symbol { name, detail: self.detail(program, decl), kind, at, selection, children })
    }

    fn constructors(&self, file: FileId, datatype: &ast::DatatypeDecl) -> Vec<Symbol> {
        let symbol = |ctor: ast::Constructor| {
            let name = ctor.name()?;
            let place = |range: syntax::TextRange| Location {
                file,
                start: range.start().into(),
                end: range.end().into(),
            };
            Some(Symbol {
                name: name.text(),
                detail: String::new(),
                kind: SymbolKind::Constructor,
                at: place(ctor.syntax().text_range()),
                selection: place(name.ident_token()?.text_range()),
                children: Vec::new(),
            })
        };
        datatype.constructors().filter_map(symbol).collect()
    }
}

/// Do the letters of `query` occur in `name` in this order, whatever their case?
fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    !name.is_empty()
        && query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|c| c == wanted))
}

fn contains(name: &str, query: &str) -> bool {
    name.to_lowercase().contains(&query.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn letters_in_order_are_enough() {
        assert!(matches("AtomicAcquire", "aacq"));
        assert!(matches("AtomicAcquire", ""));
        assert!(!matches("AtomicAcquire", "qa"));
    }
}
