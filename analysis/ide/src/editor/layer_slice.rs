//! What exists at which layer: tables for the terminal, and a file as it is at one layer.

#![allow(clippy::wildcard_enum_match_arm, reason = "only yield procedures hold inline actions")]

use std::fmt::Write;

use base::{DeclId, DeclKind, Program};
use discipline::standing::{ProcedureAt, procedure_at};
use discipline::tables;
use hir::{Layer, ProcKind, ProcSig};
use syntax::ast::{self, AstNode};

use crate::types::{FileId, Location};
use crate::{Analysis, ProgramId};

/// A file as it is at a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerView {
    /// The text.
    pub text: String,
    /// The layer.
    pub layer: u32,
    /// The layers that something in the program mentions, ascending.
    pub layers: Vec<u32>,
    /// Where the declarations in the text come from, in order.
    pub pieces: Vec<LayerPiece>,
}

/// A declaration in a layer view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerPiece {
    /// Its first line in the view, from 0.
    pub line: u32,
    /// How many lines it has there.
    pub lines: u32,
    /// Where it is declared.
    pub source: Location,
}

impl LayerView {
    fn push(&mut self, text: &str, source: Location) {
        let count = |text: &str| u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX);
        let (line, lines) = (count(&self.text) + 1, count(text) + 1);
        self.pieces.push(LayerPiece { line, lines, source });
        let _infallible = write!(self.text, "\n{text}\n");
    }
}

impl Analysis {
    /// The table of variables, actions, procedures and invariants by layer.
    pub fn layer_table(&self, program: ProgramId) -> String {
        tables::layer_text(&tables::layer_table(&self.db, self.program(program)))
    }

    /// The mover label of each call at each layer.
    pub fn mover_table(&self, program: ProgramId) -> String {
        let rows = tables::mover_table(&self.db, self.program(program));
        tables::mover_text(&self.db, &rows)
    }

    /// A file as it is at a layer: what does not exist there is left out, and procedures that have
    /// become actions are shown as such. Without a layer, the highest at which something is checked.
    pub fn layer_view(&self, program: ProgramId, file: FileId, layer: Option<u32>) -> LayerView {
        let input = self.program(program);
        let source = self.source(file);
        let checked = discipline::layers_of_program::invariant_layers(&self.db, input);
        let layer = layer.map(Layer).or(checked.last().copied()).unwrap_or(Layer::ZERO);
        let layers = tables::mentioned_layers(&self.db, input);
        let mut view = LayerView {
            text: format!("// the program at layer {layer}\n"),
            layer: layer.0,
            layers: layers.iter().map(|layer| layer.0).collect(),
            pieces: Vec::new(),
        };
        let mut shown = std::collections::BTreeSet::new();
        for entry in &hir::decl_tree(&self.db, source).entries {
            let Some(node) = hir::decl_node(&self.db, entry.decl) else { continue };
            let Some(item) = node.ancestors().find_map(ast::Item::cast) else { continue };
            let range = item.syntax().text_range();
            if !shown.insert(range.start()) {
                continue;
            }
            if let Some(text) = self.at_layer(input, entry.decl, &item, layer) {
                let at = Location { file, start: range.start().into(), end: range.end().into() };
                view.push(text.trim_end(), at);
            }
        }
        view
    }

    fn at_layer(
        &self,
        program: Program,
        decl: DeclId,
        item: &ast::Item,
        layer: Layer,
    ) -> Option<String> {
        let text = item.syntax().text().to_string();
        let main = match item {
            ast::Item::YieldProcDecl(it) => {
                let name = ast::HasName::name(it)?;
                hir::proc_sig(&self.db, program, base::Name::new(name.text()))
            }
            _ => hir::proc_sig_of(&self.db, program, decl),
        };
        if let Some(sig) = main {
            let own = sig.layer();
            return match sig.kind {
                ProcKind::Plain | ProcKind::Pure => Some(text),
                ProcKind::Action { .. } => {
                    sig.layers.is_none_or(|l| l.contains(layer)).then_some(text)
                }
                ProcKind::Invariant { .. } => (own == Some(layer)).then_some(text),
                ProcKind::Yield => match procedure_at(&self.db, program, &sig, layer) {
                    ProcedureAt::Code | ProcedureAt::Mover(_) => Some(text),
                    above => Some(finished(&sig, item, above)),
                },
            };
        }
        if decl.kind(&self.db) == DeclKind::Var {
            let var = hir::global_of(&self.db, program, decl)?;
            return var.layers.contains(layer).then_some(text);
        }
        Some(text)
    }
}

/// What a procedure has become above its own layer.
fn finished(sig: &ProcSig, item: &ast::Item, above: ProcedureAt) -> String {
    let name = &sig.name;
    match above {
        ProcedureAt::Action(action) => {
            let inline = item.syntax().descendants().find_map(ast::InlineAction::cast);
            match inline.filter(|_| sig.refines.as_ref() == Some(&action)) {
                Some(inline) => {
                    format!("// {name} is now this action:\n{}", inline.syntax().text())
                }
                None => format!("// {name} is now {}", action.titled()),
            }
        }
        ProcedureAt::Skip => format!("// {name} changes nothing that is visible here"),
        ProcedureAt::Code | ProcedureAt::Mover(_) | ProcedureAt::Gone => match &sig.refines {
            Some(refines) => {
                format!("// {name} cannot be called here: {} is gone", refines.titled())
            }
            None => format!("// {name} cannot be called here"),
        },
    }
}
