//! Bodies of sequential code to blocks.
//!
//! **In:** the graph of a body. **Out:** blocks, still with cycles; see [`crate::UnitBuilder::cut_loops`].

use base::{Name, NodePtr};
use hir::{Cfg, Transfer, VarRef};
use ir::{BlockId, Symbol, Term};

use super::Env;
use super::statements::{Text, Writer};
use crate::unit::CapturePoint;

/// Writes all blocks of a body, in the rules of `outer`; returns the first. Where the body returns,
/// `on_return` says what happens.
pub fn write_graph(
    outer: &mut Writer<'_, '_>,
    text: Text<'_>,
    env: &Env,
    cfg: &Cfg,
    prefix: &str,
    on_return: &mut dyn FnMut(&mut Writer<'_, '_>, NodePtr),
) -> BlockId {
    let mut starts = Vec::with_capacity(cfg.blocks.len());
    for block in &cfg.blocks {
        let place = block.place.map(|ptr| text.map.place(ptr));
        starts.push(outer.out.block(Symbol::from(format!("{prefix}{}", block.label)), place));
    }
    if !cfg.irreducible.is_empty() || text.body.has_errors {
        outer.lowering.unsupported("a body with an error");
    }
    for (block, start) in cfg.blocks.iter().zip(&starts) {
        let mut writer = Writer {
            lowering: &mut *outer.lowering,
            out: &mut *outer.out,
            text,
            env,
            checks: outer.checks,
            at: *start,
        };
        for command in &block.commands {
            if let (false, hir::Command::Stmt(id)) = (writer.command(*command), command) {
                writer.sequential_call(*id);
            }
        }
        match &block.transfer {
            Transfer::Goto(targets) => {
                for target in targets {
                    writer.out.edge(writer.at, starts[target.index()]);
                }
            }
            Transfer::Return(ptr) => on_return(&mut writer, *ptr),
        }
    }
    let first = starts.get(cfg.entry().index()).copied();
    first.unwrap_or_else(|| outer.out.block(Symbol::from(format!("{prefix}empty")), None))
}

impl Writer<'_, '_> {
    /// Remembers the values of all locals, and of `globals`, for traces.
    pub fn capture(&mut self, point: CapturePoint, globals: &[Name]) {
        let mut values: Vec<(Symbol, Term)> = Vec::new();
        for (local, term) in self.text.body.locals.iter().zip(&self.env.locals) {
            values.push((Symbol::new(local.name.as_str()), term.clone()));
        }
        for name in globals {
            if let Some((var, _)) = self.variable(&VarRef::Global(name.clone())) {
                values.push((Symbol::new(name.as_str()), Term::var(var)));
            }
        }
        self.out.capture(self.at, point, values);
    }
}
