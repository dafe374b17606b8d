//! What exists at which layer: tables for the terminal, and a file as it is at one layer.

#![allow(clippy::wildcard_enum_match_arm, reason = "only yield procedures hold inline actions")]

use std::fmt::Write;

use base::{DeclId, DeclKind, Program};
use discipline::tables;
use hir::{Layer, ProcKind};
use syntax::ast::{self, AstNode};

use crate::describe::shown_name;
use crate::types::FileId;
use crate::{Analysis, ProgramId};

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
    /// become actions are shown as such.
    pub fn layer_view(&self, program: ProgramId, file: FileId, layer: Option<u32>) -> String {
        let input = self.program(program);
        let source = self.source(file);
        let layers = discipline::layers_of_program::invariant_layers(&self.db, input);
        let layer = layer.map(Layer).or(layers.last().copied()).unwrap_or(Layer::ZERO);
        let mut out = format!("// the program at layer {layer}\n");
        let mut shown = std::collections::BTreeSet::new();
        for entry in &hir::decl_tree(&self.db, source).entries {
            let Some(node) = hir::decl_node(&self.db, entry.decl) else { continue };
            let Some(item) = node.ancestors().find_map(ast::Item::cast) else { continue };
            if !shown.insert(u32::from(item.syntax().text_range().start())) {
                continue;
            }
            if let Some(text) = self.at_layer(input, entry.decl, &item, layer) {
                let _infallible = write!(out, "\n{}\n", text.trim_end());
            }
        }
        out
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
                ProcKind::Yield if own.is_some_and(|own| own >= layer) => Some(text),
                ProcKind::Yield => {
                    let action = hir::refined_action(&self.db, program, sig.name.clone(), layer);
                    let action = action.map_or("skip".to_owned(), |name| shown_name(&name));
                    Some(format!("// {} is now {action}", sig.name))
                }
            };
        }
        if decl.kind(&self.db) == DeclKind::Var {
            let var = hir::global_of(&self.db, program, decl)?;
            return var.layers.contains(layer).then_some(text);
        }
        Some(text)
    }
}
