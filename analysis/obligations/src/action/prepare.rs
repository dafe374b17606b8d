//! From the text of an action to [`ActionIr`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{Name, Place, Program};
use hir::{ClauseKind, ProcSig};
use ir::wp::{self, Closing, Origin};
use ir::{Block, BlockId, Command, ObligationId, ObligationKind, Symbol, Term, Var, free_vars};

use super::boolean::without_boolean_binders;
use super::transition::CHOICE;
use super::{ActionIr, Footprint, GateConjunct};
use crate::Db;
use crate::builder::UnitBuilder;
use crate::lowering::{Checks, Env, Lowering, Text, Writer, owned_by, write_graph};
use crate::unit::{Unit, UnitKey, Unsupported};
use crate::world::World;

pub(super) fn prepare(db: &dyn Db, program: Program, name: Name) -> Option<ActionIr> {
    let world = World::new(db, program);
    let Lowered { sig, mut unit, ins, outs, declared, returns, made_new } = lowered(world, &name)?;
    let choices = make_choices(world, &ins, &mut unit);
    let closing = closing_of(&choices, &unit);
    let has_asserts = declared.is_some();
    let gate = match declared {
        Some(gate) => gate,
        None => hoisted_gate(&mut unit, &closing, hir::decl_place(db, sig.decl)),
    };
    let body = without_asserts(&unit.program);
    let mut in_gate: BTreeSet<Var> =
        gate.iter().flat_map(|conjunct| free_vars(&conjunct.term)).collect();
    if !has_asserts {
        in_gate.extend(read_by_assertions(&unit.program));
    }
    let modified = modified_by(world, &name, &body);
    let footprint = Footprint {
        gate: in_gate.iter().filter_map(|var| global_name(world, var)).collect(),
        used: globals_of(world, &body).union(&modified).cloned().collect(),
        modified,
        exact: unit.unsupported.is_empty(),
    };
    let mut mentioned = globals_of(world, &unit.program);
    mentioned.extend(footprint.all());
    let assumes = commands(&body).any(|it| matches!(it, Command::Assume { .. }));
    let new = choices.iter().filter(|it| !it.at_entry && made_new.contains(&it.decides));
    let made_new = new.map(|choice| choice.var.clone()).collect();
    let choices = choices.into_iter().map(|choice| choice.var).collect();
    Some(ActionIr {
        sig,
        ins,
        outs,
        choices,
        made_new,
        unit,
        body,
        gate,
        footprint,
        mentioned,
        assumes,
        closing,
        returns,
        has_asserts,
    })
}

/// The text of an action as blocks, before anything is made of it.
struct Lowered {
    sig: Arc<ProcSig>,
    unit: Unit,
    ins: Vec<Var>,
    outs: Vec<Var>,
    /// The `asserts` clauses, if there are some.
    declared: Option<Vec<GateConjunct>>,
    returns: BTreeMap<BlockId, Place>,
    made_new: BTreeSet<Var>,
}

fn lowered(world: World<'_>, name: &Name) -> Option<Lowered> {
    let sig = world.proc_sig(name).filter(|sig| sig.is_action())?;
    let decl = *world.implementations(name).first()?;
    let ((body, map), cfg) = (world.body(decl).zip(world.body_map(decl))?, world.cfg(decl)?);
    let mut lowering = Lowering::new(world, hir::decl_place(world.db, sig.decl));
    // `old` does not occur: an action has one state.
    let env = lowering.body_env(&body, &owned_by(name));
    let mut out = UnitBuilder::new();
    let at = out.block("entry", None);
    let text = Text { body: &body, map: &map };
    let checks = Checks::Assert(ObligationKind::GateSufficiency);
    let mut writer = Writer { lowering: &mut lowering, out: &mut out, text, env: &env, checks, at };
    let mut returns = BTreeMap::new();
    let first = write_graph(&mut writer, text, &env, &cfg, "", &mut |writer, at| {
        returns.insert(writer.at, map.place(at));
    });
    out.edge(at, first);
    for ((id, local), var) in body.local_ids().zip(&body.locals).zip(&env.locals) {
        out.pools(var.as_var(), &local.pools);
        // Variables that nobody assigns are left to chance too.
        var.as_var().into_iter().for_each(|var| out.declare(var.clone()));
        if lowering.local_where(&body, &env, id).is_some() {
            lowering.unsupported("a `where` clause in an action");
        }
    }
    let declared = declared_gate(&mut lowering, &sig, &env);
    let made_new = std::mem::take(&mut lowering.made_new);
    let key = UnitKey::GateSufficiency(name.clone());
    let id = ObligationId::new(ObligationKind::GateSufficiency, [Symbol::new(name.as_str())], None);
    let unit = out.finish(key, format!("{name}_GateSufficiencyChecker"), id, lowering);
    let mut formals = env.locals.iter().filter_map(|term| term.as_var().cloned());
    let ins = formals.by_ref().take(sig.ins.len()).collect();
    let outs = formals.take(sig.outs.len()).collect();
    Some(Lowered { sig, unit, ins, outs, declared, returns, made_new })
}

/// The `asserts` clauses; nothing if there are none.
fn declared_gate(
    lowering: &mut Lowering<'_>,
    sig: &ProcSig,
    env: &Env,
) -> Option<Vec<GateConjunct>> {
    let specs = lowering.world.specs(sig.decl)?;
    let map = lowering.world.specs_map(sig.decl)?;
    if specs.has_errors {
        lowering.unsupported("a specification with an error");
    }
    let mut gate = Vec::new();
    for (number, clause) in specs.of_kind(ClauseKind::Asserts) {
        lowering.at(map.clause(number));
        let term = lowering.expr(&specs.exprs, env, clause.expr);
        let hints = lowering.hints(&specs.exprs, env, &clause.attrs);
        gate.push(GateConjunct { term, hints, place: map.clause(number) });
    }
    (!gate.is_empty()).then_some(gate)
}

/// The weakest condition under which no assertion fails.
fn hoisted_gate(unit: &mut Unit, closing: &Closing, action: Place) -> Vec<GateConjunct> {
    match wp::gate(&unit.program, closing) {
        Ok(conjuncts) => conjuncts
            .into_iter()
            .map(|it| GateConjunct {
                place: place_of(unit, it.origin, action),
                term: without_boolean_binders(it.term),
                hints: it.hints,
            })
            .collect(),
        Err(problem) => {
            // Without a gate nothing may be concluded about the action.
            let what = format!("an action body of this form ({problem})");
            unit.unsupported.push(Unsupported { place: action, what });
            Vec::new()
        }
    }
}

fn place_of(unit: &Unit, origin: Origin, action: Place) -> Place {
    let info = match origin {
        Origin::Assert(id) => unit.assert(id),
        Origin::Post => None,
    };
    info.map_or(action, |info| info.place)
}

/// The variables on whose values at the start it depends, by the text, whether an assertion fails.
///
/// The gate itself may mention fewer: what is assumed before it is asserted leaves nothing. The
/// reference goes by the text, and so does its list of checks.
fn read_by_assertions(program: &ir::Program) -> BTreeSet<Var> {
    let Ok(order) = program.topological_order() else { return BTreeSet::new() };
    let mut entries: Vec<Option<BTreeSet<Var>>> = vec![None; program.blocks.len()];
    for id in order.iter().rev() {
        let block = &program.blocks[id.index()];
        let mut now: Option<BTreeSet<Var>> = None;
        for next in block.successors.iter().filter_map(|next| entries[next.index()].clone()) {
            now.get_or_insert_default().extend(next);
        }
        for command in block.commands.iter().rev() {
            match (command, &mut now) {
                (Command::Assert { term, .. }, now) => {
                    now.get_or_insert_default().extend(free_vars(term));
                }
                (Command::Assume { term, .. }, Some(now)) => now.extend(free_vars(term)),
                (Command::Assign(pairs), Some(now)) => {
                    let read = pairs.iter().filter(|(var, _)| now.contains(var));
                    let read: BTreeSet<Var> = read.flat_map(|(_, term)| free_vars(term)).collect();
                    pairs.iter().for_each(|(var, _)| _ = now.remove(var));
                    now.extend(read);
                }
                (Command::Havoc(vars), Some(now)) => {
                    vars.iter().for_each(|var| _ = now.remove(var))
                }
                (_, None) | (Command::Capture(_), Some(_)) => {}
            }
        }
        entries[id.index()] = now;
    }
    entries.get_mut(program.entry.index()).and_then(Option::take).unwrap_or_default()
}

/// A choice, and the variable whose value it decides.
struct Choice {
    var: Var,
    decides: Var,
    /// Is it the first value of a variable?
    at_entry: bool,
}

/// Turns every havoc into an assignment of a choice, and gives locals and outputs their first value
/// by a choice.
fn make_choices(world: World<'_>, ins: &[Var], unit: &mut Unit) -> Vec<Choice> {
    let mut choices: Vec<Choice> = Vec::new();
    let mut choose = |decides: &Var, at_entry: bool| {
        let name = format!("{}{CHOICE}{}", decides.name, choices.len());
        let var = Var::new(name, decides.sort.clone());
        choices.push(Choice { var: var.clone(), decides: decides.clone(), at_entry });
        (decides.clone(), Term::var(var))
    };
    let unknown: Vec<Var> = unit
        .program
        .vars
        .iter()
        .filter(|var| !ins.contains(var) && global_name(world, var).is_none())
        .cloned()
        .collect();
    let first: Vec<(Var, Term)> = unknown.iter().map(|var| choose(var, true)).collect();
    for block in &mut unit.program.blocks {
        for command in &mut block.commands {
            if let Command::Havoc(vars) = command {
                *command = Command::Assign(vars.iter().map(|var| choose(var, false)).collect());
            }
        }
    }
    if !first.is_empty() {
        unit.program.blocks[0].commands.insert(0, Command::Assign(first));
    }
    choices
}

fn closing_of(choices: &[Choice], unit: &Unit) -> Closing {
    let pools: BTreeMap<Var, Vec<Symbol>> = choices
        .iter()
        .filter_map(|choice| Some((choice.var.clone(), unit.pools.get(&choice.decides)?.clone())))
        .collect();
    Closing { vars: choices.iter().map(|choice| choice.var.clone()).collect(), pools }
}

fn without_asserts(program: &ir::Program) -> ir::Program {
    let strip = |block: &Block| Block {
        commands: block
            .commands
            .iter()
            .filter(|it| !matches!(it, Command::Assert { .. } | Command::Capture(_)))
            .cloned()
            .collect(),
        ..block.clone()
    };
    ir::Program { blocks: program.blocks.iter().map(strip).collect(), ..program.clone() }
}

fn commands(program: &ir::Program) -> impl Iterator<Item = &Command> {
    program.blocks.iter().flat_map(|block| &block.commands)
}

fn globals_of(world: World<'_>, program: &ir::Program) -> BTreeSet<Name> {
    let mut vars = BTreeSet::new();
    for command in commands(program) {
        match command {
            Command::Assume { term, .. } | Command::Assert { term, .. } => {
                vars.extend(free_vars(term));
            }
            Command::Assign(pairs) => {
                for (var, term) in pairs {
                    vars.insert(var.clone());
                    vars.extend(free_vars(term));
                }
            }
            Command::Havoc(havocked) => vars.extend(havocked.iter().cloned()),
            Command::Capture(_) => {}
        }
    }
    vars.iter().filter_map(|var| global_name(world, var)).collect()
}

/// What the action says it writes, and what it writes.
fn modified_by(world: World<'_>, name: &Name, body: &ir::Program) -> BTreeSet<Name> {
    let mut modified: BTreeSet<Name> = world.modifies(name).iter().cloned().collect();
    for command in commands(body) {
        if let Command::Assign(pairs) = command {
            modified.extend(pairs.iter().filter_map(|(var, _)| global_name(world, var)));
        }
    }
    modified
}

/// The global that a variable holds in the current state.
fn global_name(world: World<'_>, var: &Var) -> Option<Name> {
    let name = Name::new(var.name.as_str());
    world.global(&name).map(|_| name)
}
