//! Bodies of sequential code to blocks.
//!
//! **In:** the graph of a body. **Out:** blocks, still with cycles; see [`crate::UnitBuilder::cut_loops`].

use base::{Name, NodePtr, Place};
use hir::{Cfg, Role, Stmt, Transfer, VarRef};
use ir::{BlockId, Symbol, Term};

use super::Env;
use super::measures::LoopMeasure;
use super::statements::{Text, Writer};
use crate::unit::{CapturePoint, Moment};

/// Writes all blocks of a body, in the rules of `outer`; returns the first. Where the body returns,
/// `on_return` says what happens.
#[expect(clippy::too_many_arguments, reason = "a body is three things, and two say what to do")]
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
    outer.lowering.refuse_untangled(cfg);
    if !cfg.irreducible.is_empty() || text.body.has_errors {
        outer.lowering.unsupported("a body with an error");
    }
    let measures = outer.lowering.loop_measures(text, cfg, None);
    for (id, start) in cfg.block_ids().zip(&starts) {
        let block = cfg.block(id);
        let mut writer = Writer {
            lowering: &mut *outer.lowering,
            out: &mut *outer.out,
            text,
            env,
            checks: outer.checks,
            at: *start,
        };
        let shown = prefix.is_empty();
        if let Some(ptr) = block.place.filter(|_| shown) {
            let moment = if block.head.is_some() { Moment::LoopHead } else { Moment::Here };
            writer.capture_watched(text.map.place(ptr), moment);
        }
        for command in &block.commands {
            match measures.get(&id).filter(|it| it.is_at(*command)) {
                Some(measure) => writer.start_round(measure),
                None => writer.sequential(*command, shown),
            }
        }
        match &block.transfer {
            Transfer::Goto(targets) => {
                for target in targets {
                    let back = cfg.loop_at(*target).filter(|it| it.back_edges.contains(&id));
                    let from = block.place.map(|ptr| text.map.place(ptr));
                    let measure = back.and_then(|_| measures.get(target));
                    writer.jump(starts[target.index()], measure.map(|it| (it, from)));
                }
            }
            Transfer::Return(ptr) => {
                if shown {
                    writer.capture_watched(text.map.place(*ptr), Moment::Return);
                }
                on_return(&mut writer, *ptr);
            }
        }
    }
    let first = starts.get(cfg.entry().index()).copied();
    first.unwrap_or_else(|| outer.out.block(Symbol::from(format!("{prefix}empty")), None))
}

impl Writer<'_, '_> {
    /// An edge; back to the head of a loop with a measure, the round ends on it.
    fn jump(&mut self, target: BlockId, round: Option<(&LoopMeasure, Option<Place>)>) {
        let Some((measure, from)) = round else { return self.out.edge(self.at, target) };
        let next = self.out.block("round", None);
        self.out.edge(self.at, next);
        let here = std::mem::replace(&mut self.at, next);
        self.end_round(measure, from);
        self.out.edge(self.at, target);
        self.at = here;
    }

    /// A command of sequential code; with `shown`, the state is remembered where traces show it.
    fn sequential(&mut self, command: hir::Command, shown: bool) {
        if let hir::Command::Stmt(id) = command
            && let Stmt::Assert { role: Role::Plain, .. } = self.text.body.stmt(id)
            && shown
        {
            self.capture_watched(self.text.map.stmt(id), Moment::BeforeAssertion);
        }
        let done = self.command(command);
        let hir::Command::Stmt(id) = command else { return };
        if !done {
            self.sequential_call(id);
        }
        if let Stmt::Call { arms, .. } = self.text.body.stmt(id)
            && shown
        {
            let callees = arms.iter().map(|arm| arm.callee.clone()).collect();
            self.capture_watched(self.text.map.stmt(id), Moment::AfterCall(callees));
        }
    }

    /// Remembers the values of all locals and watched globals.
    fn capture_watched(&mut self, place: Place, moment: Moment) {
        let globals = self.out.watched().to_vec();
        self.capture(CapturePoint { place, moment }, &globals);
    }

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
