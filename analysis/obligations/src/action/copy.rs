//! A copy of an action under fresh names.
//!
//! **In:** an [`ActionIr`] and a suffix. **Out:** the same action with inputs, outputs, locals and
//! choices renamed; globals keep their names. Copies can be written into units.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::Place;
use hir::LinearKind;
use ir::wp::Closing;
use ir::{AssertId, BlockId, Command, ObligationKind, Substitution, Symbol, Term, Var};

use super::made_new::MadeNew;
use super::{ActionIr, GateConjunct};
use crate::builder::UnitBuilder;
use crate::claim::Claim;
use crate::lowering::Lowering;
use crate::permissions::Holder;
use crate::unit::{AssertGroup, AssertInfo};

/// A renamed action.
pub struct ActionCopy {
    pub action: Arc<ActionIr>,
    pub ins: Vec<Var>,
    pub outs: Vec<Var>,
    pub choices: Vec<Var>,
    /// The body without assertions.
    pub body: ir::Program,
    renaming: Substitution,
    rename: Rename,
    /// Where a run records what it makes new.
    records: Option<MadeNew>,
}

impl ActionCopy {
    /// The action with `suffix` at the end of every name but those of globals. What its symbols
    /// stand for becomes known to `lowering`.
    pub fn new(lowering: &mut Lowering<'_>, action: &Arc<ActionIr>, suffix: &str) -> ActionCopy {
        lowering.absorb(&action.unit);
        let globals = action.footprint.all();
        let globals = globals.iter().map(|name| Symbol::new(name.as_str())).collect();
        let rename = Rename { globals, suffix: suffix.to_owned() };
        let own = action.unit.program.vars.iter().chain(&action.ins).chain(&action.choices);
        let own = own.chain(&action.outs).filter(|var| !rename.globals.contains(&var.name));
        let renaming = own.map(|var| (var.clone(), Term::var(rename.of(var))));
        let mut renaming = Substitution::of_vars(renaming);
        let body = renamed_program(&action.body, &mut renaming, &rename);
        let all = |vars: &[Var]| vars.iter().map(|var| rename.of(var)).collect::<Vec<Var>>();
        ActionCopy {
            action: Arc::clone(action),
            ins: all(&action.ins),
            outs: all(&action.outs),
            choices: all(&action.choices),
            body,
            renaming,
            rename,
            records: None,
        }
    }

    /// The new locations, under the names of the copy.
    pub fn new_locations(&self) -> BTreeSet<Var> {
        self.action.made_new.iter().map(|choice| self.rename.of(choice)).collect()
    }

    /// From now on, a run that is written records what it makes new.
    pub fn record_new(&mut self, made: &MadeNew) {
        self.records = Some(made.clone());
    }

    /// From now on, the body makes only what was recorded.
    pub fn demand_new(&mut self, made: &MadeNew) {
        self.body = made.demanded(&self.body, &self.new_locations());
    }

    /// What is recorded after a command.
    fn recorded_after(&self, command: &Command) -> Vec<Command> {
        let made = self.records.as_ref();
        made.map(|it| it.records(command, &self.new_locations())).unwrap_or_default()
    }

    /// What its names end in.
    pub fn suffix(&self) -> &str {
        &self.rename.suffix
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

    /// How the choices of the copy become bound that the action is free to make. What is made new is
    /// not its choice: it stays open, one arbitrary value.
    pub fn free_closing(&self) -> Closing {
        let mut closing = self.closing();
        for new in self.new_locations() {
            closing.vars.remove(&new);
        }
        closing
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
            for command in &block.commands {
                out.push(*start, command.clone());
                let recorded = self.recorded_after(command);
                recorded.into_iter().for_each(|command| out.push(*start, command));
            }
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

    /// Runs the body with its assertions, which become assertions of the rule `kind`. Returns the
    /// blocks in which the run ends, and where in the text that is.
    pub fn write_checked(
        &mut self,
        out: &mut UnitBuilder,
        at: BlockId,
        kind: ObligationKind,
    ) -> Vec<(BlockId, Option<Place>)> {
        let action = Arc::clone(&self.action);
        let program = &action.unit.program;
        let starts: Vec<BlockId> =
            program.blocks.iter().map(|block| out.block(block.label.clone(), None)).collect();
        let mut ends = Vec::new();
        for (nth, (block, start)) in program.blocks.iter().zip(&starts).enumerate() {
            for command in &block.commands {
                let mut command = command.clone();
                rename_command(&mut command, &mut self.renaming, &self.rename);
                match &mut command {
                    Command::Capture(_) => continue,
                    Command::Assert { id, .. } => *id = claim_again(out, &action, *id, kind),
                    Command::Assume { .. } | Command::Assign(_) | Command::Havoc(_) => {}
                }
                let recorded = self.recorded_after(&command);
                out.push(*start, command);
                recorded.into_iter().for_each(|command| out.push(*start, command));
            }
            block.successors.iter().for_each(|next| out.edge(*start, starts[next.index()]));
            if block.successors.is_empty() {
                let number = BlockId(u32::try_from(nth).unwrap_or(u32::MAX));
                ends.push((*start, action.returns.get(&number).copied()));
            }
        }
        starts.get(program.entry.index()).iter().for_each(|start| out.edge(at, **start));
        ends
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

/// How a copy calls its variables.
struct Rename {
    globals: BTreeSet<Symbol>,
    suffix: String,
}

impl Rename {
    fn of(&self, var: &Var) -> Var {
        match self.globals.contains(&var.name) {
            true => var.clone(),
            false => Var::new(format!("{}{}", var.name, self.suffix), var.sort.clone()),
        }
    }
}

/// The assertion `old` of an action once more, in the unit that is being built.
fn claim_again(
    out: &mut UnitBuilder,
    action: &ActionIr,
    old: AssertId,
    kind: ObligationKind,
) -> AssertId {
    let mut info = action.unit.assert(old).cloned().unwrap_or_else(|| {
        let place = Place::new(action.sig.decl, base::NodePtr::ROOT);
        AssertInfo::new(kind, Claim::Assertion, place)
    });
    if info.claim == Claim::Assertion && kind == ObligationKind::GateSufficiency {
        info.claim = Claim::Sufficiency { action: action.sig.name.clone() };
    }
    out.claim(AssertInfo { group: AssertGroup::of(kind), ..info })
}

fn renamed_program(
    program: &ir::Program,
    renaming: &mut Substitution,
    rename: &Rename,
) -> ir::Program {
    let mut copy = program.clone();
    copy.vars = program.vars.iter().map(|var| rename.of(var)).collect();
    for command in copy.blocks.iter_mut().flat_map(|block| &mut block.commands) {
        rename_command(command, renaming, rename);
    }
    copy
}

fn rename_command(command: &mut Command, renaming: &mut Substitution, rename: &Rename) {
    match command {
        Command::Assume { term, hints } | Command::Assert { term, hints, .. } => {
            *term = renaming.apply(term);
            *hints = renaming.apply_hints(hints);
        }
        Command::Assign(pairs) => {
            for (var, term) in pairs {
                *var = rename.of(var);
                *term = renaming.apply(term);
            }
        }
        Command::Havoc(vars) => vars.iter_mut().for_each(|var| *var = rename.of(var)),
        Command::Capture(capture) => {
            capture.values.iter_mut().for_each(|(_, term)| *term = renaming.apply(term));
        }
    }
}
