//! Editor features; being built.

use crate::Analysis;
use crate::answers::{
    Action, CallItem, Completion, Fold, Hover, InlayHint, Lens, Link, Position, Reference,
    Signature, Symbol, Token,
};
use crate::types::{FileId, Location, ProgramId};

impl Analysis {
    pub fn hover(&self, _at: Position) -> Option<Hover> {
        None
    }
    pub fn definition(&self, _at: Position) -> Vec<Location> {
        Vec::new()
    }
    pub fn type_definition(&self, _at: Position) -> Vec<Location> {
        Vec::new()
    }
    pub fn implementation(&self, _at: Position) -> Vec<Location> {
        Vec::new()
    }
    pub fn references(&self, _at: Position) -> Vec<Reference> {
        Vec::new()
    }
    pub fn prepare_rename(&self, _at: Position) -> Result<(Location, String), String> {
        Err("x".into())
    }
    pub fn rename(&self, _at: Position, _name: &str) -> Result<Vec<(Location, String)>, String> {
        Err("x".into())
    }
    pub fn document_symbols(&self, _program: ProgramId, _file: FileId) -> Vec<Symbol> {
        Vec::new()
    }
    pub fn workspace_symbols(&self, _programs: &[ProgramId], _query: &str) -> Vec<Symbol> {
        Vec::new()
    }
    pub fn semantic_tokens(&self, _program: ProgramId, _file: FileId) -> Vec<Token> {
        Vec::new()
    }
    pub fn completion(&self, _at: Position) -> Vec<Completion> {
        Vec::new()
    }
    pub fn signature_help(&self, _at: Position) -> Option<Signature> {
        None
    }
    pub fn folds(&self, _file: FileId) -> Vec<Fold> {
        Vec::new()
    }
    pub fn selections(&self, _file: FileId, _offset: u32) -> Vec<(u32, u32)> {
        Vec::new()
    }
    pub fn inlay_hints(
        &self,
        _program: ProgramId,
        _file: FileId,
        _range: (u32, u32),
    ) -> Vec<InlayHint> {
        Vec::new()
    }
    pub fn lenses(&self, _program: ProgramId, _file: FileId) -> Vec<Lens> {
        Vec::new()
    }
    pub fn call_item(&self, _at: Position) -> Option<Symbol> {
        None
    }
    pub fn incoming_calls(&self, _at: Position) -> Vec<CallItem> {
        Vec::new()
    }
    pub fn outgoing_calls(&self, _at: Position) -> Vec<CallItem> {
        Vec::new()
    }
    pub fn actions(&self, _program: ProgramId, _file: FileId, _range: (u32, u32)) -> Vec<Action> {
        Vec::new()
    }
    pub fn links(&self, _program: ProgramId, _file: FileId) -> Vec<Link> {
        Vec::new()
    }
    pub fn format_range(
        &self,
        _file: FileId,
        _range: (u32, u32),
    ) -> Result<Vec<(u32, u32, String)>, String> {
        Err("x".into())
    }
}
