//! A copy of an action under fresh names.
//!
//! **In:** an [`ActionIr`] and a suffix. **Out:** the same action with inputs, outputs, locals and
//! choices renamed; globals keep their names. Copies can be written into units.

use std::collections::BTreeSet;
use std::sync::Arc;

use hir::LinearKind;
use ir::wp::Closing;
use ir::{BlockId, Command, Substitution, Symbol, Term, Var};

use super::{ActionIr, GateConjunct};
use crate::builder::UnitBuilder;
use crate::lowering::Lowering;
use crate::permissions::Holder;

/// A renamed action.
pub struct ActionCopy {
    pub action: Arc<ActionIr>,
    pub ins: Vec<Var>,
    pub outs: Vec<Var>,
    pub choices: Vec<Var>,
    /// The body without assertions.
    pub body: ir::Program,
    renaming: Substitution,
}

impl ActionCopy {
    /// The action with `suffix` at the end of every name but those of globals. What its symbols
    /// stand for becomes known to `lowering`.
    pub fn new(lowering: &mut Lowering<'_>, action: &Arc<ActionIr>, suffix: &str) -> ActionCopy {
        lowering.absorb(&action.unit.tables, &action.unit.unsupported);
        let globals: BTreeSet<Symbol> =
            action.footprint.all().iter().map(|name| Symbol::new(name.as_str())).collect();
        let rename = |var: &Var| match globals.contains(&var.name) {
            true => var.clone(),
            false => Var::new(format!("{}{suffix}", var.name), var.sort.clone()),
        };
        let own = action.body.vars.iter().chain(&action.ins).chain(&action.choices);
        let own = own.chain(&action.outs).filter(|var| !globals.contains(&var.name));
        let renaming = own.map(|var| (var.clone(), Term::var(rename(var))));
        let mut renaming = Substitution::of_vars(renaming);
        let body = renamed_program(&action.body, &mut renaming, &rename);
        let all = |vars: &[Var]| vars.iter().map(rename).collect::<Vec<Var>>();
        ActionCopy {
            action: Arc::clone(action),
            ins: all(&action.ins),
            outs: all(&action.outs),
            choices: all(&action.choices),
            body,
            renaming,
        }
    }

    /// The conditions of the gate, in the current state.
    pub fn gate(&mut self) -> Vec<GateConjunct> {
        let action = Arc::clone(&self.action);
        let rename = |conjunct: &GateConjunct| GateConjunct {
            term: self.renaming.apply(&conjunct.term),
            hints: self.renaming.apply_hints(&conjunct.hints),
            place: conjunct.place,
        };
        action.gate.iter().map(rename).collect()
    }

    /// How the choices of the copy become bound.
    pub fn closing(&self) -> Closing {
        let renamed = self.action.choices.iter().zip(&self.choices);
        let pools = renamed.filter_map(|(old, new)| {
            Some((new.clone(), self.action.closing.pools.get(old)?.clone()))
        });
        Closing { vars: self.choices.iter().cloned().collect(), pools: pools.collect() }
    }

    /// Runs the body from the end of `at`; returns the block where the run goes on.
    pub fn write(&self, out: &mut UnitBuilder, at: BlockId) -> BlockId {
        let starts: Vec<BlockId> = self
            .body
            .blocks
            .iter()
            .map(|block| out.block(format!("{}.{}", self.action.sig.name, block.label), None))
            .collect();
        let after = out.block(format!("after {}", self.action.sig.name), None);
        for (block, start) in self.body.blocks.iter().zip(&starts) {
            block.commands.iter().for_each(|command| out.push(*start, command.clone()));
            for next in &block.successors {
                out.edge(*start, starts[next.index()]);
            }
            if block.successors.is_empty() {
                out.edge(*start, after);
            }
        }
        out.edge(at, starts.get(self.body.entry.index()).copied().unwrap_or(after));
        after
    }

    /// Inputs of linear kind, except those of the kind `without`.
    pub fn linear_ins(&self, without: LinearKind) -> Vec<Holder> {
        let params = self.action.sig.ins.iter().zip(&self.ins);
        let wanted = params
            .filter(|(param, _)| param.linear != LinearKind::Ordinary && param.linear != without);
        wanted.map(|(param, var)| holder(&param.ty, var)).collect()
    }

    /// All inputs of linear kind.
    pub fn all_linear_ins(&self) -> Vec<Holder> {
        self.linear_ins(LinearKind::Ordinary)
    }

    /// Outputs of linear kind.
    pub fn linear_outs(&self) -> Vec<Holder> {
        let params = self.action.sig.outs.iter().zip(&self.outs);
        let linear = params.filter(|(param, _)| param.linear != LinearKind::Ordinary);
        linear.map(|(param, var)| holder(&param.ty, var)).collect()
    }
}

fn holder(ty: &hir::Ty, var: &Var) -> Holder {
    Holder { ty: ty.clone(), term: Term::var(var.clone()) }
}

fn renamed_program(
    program: &ir::Program,
    renaming: &mut Substitution,
    rename: &dyn Fn(&Var) -> Var,
) -> ir::Program {
    let mut copy = program.clone();
    copy.vars = program.vars.iter().map(rename).collect();
    for command in copy.blocks.iter_mut().flat_map(|block| &mut block.commands) {
        match command {
            Command::Assume { term, hints } | Command::Assert { term, hints, .. } => {
                *term = renaming.apply(term);
                *hints = renaming.apply_hints(hints);
            }
            Command::Assign(pairs) => {
                for (var, term) in pairs {
                    *var = rename(var);
                    *term = renaming.apply(term);
                }
            }
            Command::Havoc(vars) => vars.iter_mut().for_each(|var| *var = rename(var)),
            Command::Capture(capture) => {
                capture.values.iter_mut().for_each(|(_, term)| *term = renaming.apply(term));
            }
        }
    }
    copy
}
