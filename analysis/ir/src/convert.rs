//! If-conversion: branches that come together again become conditional assignments.
//!
//! **In:** an acyclic [`Program`].
//! **Out:** an equivalent program with fewer branches.
//!
//! A block that forks into two straight-line arms guarded by `c` and `!c`, which meet in
//! one block (or of which one is empty), is folded into one block: assumptions and
//! assertions of an arm hold under its guard, and at the end each assigned variable gets
//! `if c then .. else ..`. Innermost branches first, so nested conditionals fold as well.
//! Without this, weakest preconditions and path enumeration are exponential in the number
//! of conditionals that follow each other.
//!
//! # Soundness
//! Exactly one of `c` and `!c` holds, so each run of the original takes one arm and the
//! folded block does to the variables what that arm does. An arm's commands see `c` as it
//! was at the fork, because they are evaluated symbolically from there. Arms with a
//! capture point are left alone, since a trace must not show a state that was not there;
//! so are arms with a havoc.

use std::collections::BTreeMap;

use crate::{
    command::{Block, BlockId, Command, Program, ProgramError},
    subst::Substitution,
    term::{PoolHint, Term, Var},
};

/// The program with guarded diamonds folded.
pub fn if_convert(program: &Program) -> Result<Program, ProgramError> {
    let mut program = program.clone();
    let mut order = program.topological_order()?;
    order.reverse();
    let mut incoming = vec![0usize; program.blocks.len()];
    incoming[program.entry.index()] += 1;
    for id in &order {
        program.blocks[id.index()].successors.iter().for_each(|next| incoming[next.index()] += 1);
    }
    for id in order {
        while fold_at(&mut program, id, &mut incoming) {}
    }
    Ok(program)
}

/// Folds the diamond that starts at `id`, or appends its only successor.
fn fold_at(program: &mut Program, id: BlockId, incoming: &mut [usize]) -> bool {
    match *program.blocks[id.index()].successors.as_slice() {
        [next] if incoming[next.index()] == 1 && next != program.entry => {
            append(program, id, next);
            true
        }
        [left, right] if left != right => fold_diamond(program, id, [left, right], incoming),
        _ => false,
    }
}

fn append(program: &mut Program, id: BlockId, next: BlockId) {
    let tail = std::mem::replace(&mut program.blocks[next.index()], Block::new("folded"));
    let block = &mut program.blocks[id.index()];
    block.commands.extend(tail.commands);
    block.successors = tail.successors;
}

fn fold_diamond(
    program: &mut Program,
    id: BlockId,
    arms: [BlockId; 2],
    incoming: &mut [usize],
) -> bool {
    let private = |arm: BlockId| incoming[arm.index()] == 1 && arm != program.entry;
    if !arms.into_iter().all(private) {
        return false;
    }
    let blocks = arms.map(|arm| &program.blocks[arm.index()]);
    if blocks[0].successors != blocks[1].successors || blocks[0].successors.len() > 1 {
        return false;
    }
    let Some(folded) = fold_arms(blocks) else { return false };
    let next = blocks[0].successors.clone();
    next.iter().for_each(|next| incoming[next.index()] -= 1);
    for arm in arms {
        program.blocks[arm.index()] = Block::new("folded");
    }
    let block = &mut program.blocks[id.index()];
    block.commands.extend(folded);
    block.successors = next;
    true
}

/// The commands of both arms as one sequence.
fn fold_arms(blocks: [&Block; 2]) -> Option<Vec<Command>> {
    let guards = [guard_of(blocks[0])?, guard_of(blocks[1])?];
    if Term::not(guards[0].clone()) != *guards[1] && Term::not(guards[1].clone()) != *guards[0] {
        return None;
    }
    let mut commands = Vec::new();
    let mut values = [BTreeMap::new(), BTreeMap::new()];
    for (nth, block) in blocks.into_iter().enumerate() {
        run_arm(&block.commands[1..], guards[nth], &mut values[nth], &mut commands)?;
    }
    let mut changed: Vec<&Var> = values[0].keys().chain(values[1].keys()).collect();
    changed.sort();
    changed.dedup();
    let value = |nth: usize, var: &Var| {
        values[nth].get(var).cloned().unwrap_or_else(|| Term::var(var.clone()))
    };
    let merged = changed.into_iter().map(|var| {
        let term = Term::ite(guards[0].clone(), value(0, var), value(1, var));
        (var.clone(), term)
    });
    let merged: Vec<(Var, Term)> = merged.collect();
    if !merged.is_empty() {
        commands.push(Command::Assign(merged));
    }
    Some(commands)
}

/// The assumption at the start of an arm.
fn guard_of(block: &Block) -> Option<&Term> {
    match block.commands.first()? {
        Command::Assume { term, hints } if hints.is_empty() => Some(term),
        Command::Assume { .. }
        | Command::Assert { .. }
        | Command::Assign(_)
        | Command::Havoc(_)
        | Command::Capture(_) => None,
    }
}

/// Executes an arm symbolically; its conditions hold under `guard`.
fn run_arm(
    arm: &[Command],
    guard: &Term,
    values: &mut BTreeMap<Var, Term>,
    out: &mut Vec<Command>,
) -> Option<()> {
    for command in arm {
        let mut now = Substitution::of_vars(values.clone());
        match command {
            Command::Assume { term, hints } => {
                let term = Term::implies(guard.clone(), now.apply(term));
                out.push(Command::Assume { term, hints: now.apply_hints(hints) });
            }
            Command::Assert { term, id, hints, subsumes } => {
                let hints: Vec<PoolHint> = now.apply_hints(hints);
                let term = Term::implies(guard.clone(), now.apply(term));
                out.push(Command::Assert { term, id: *id, hints, subsumes: *subsumes });
            }
            Command::Assign(pairs) => {
                let new: Vec<(Var, Term)> =
                    pairs.iter().map(|(var, term)| (var.clone(), now.apply(term))).collect();
                values.extend(new);
            }
            Command::Havoc(_) | Command::Capture(_) => return None,
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::if_convert;
    use crate::{
        command::{AssertId, Block, BlockId, Command, Program},
        samples::{b, i, ivar, n},
        term::Term,
    };

    fn block(commands: Vec<Command>, successors: &[u32]) -> Block {
        let successors = successors.iter().map(|next| BlockId(*next)).collect();
        Block { commands, successors, ..Block::new("b") }
    }

    fn converted(blocks: Vec<Block>) -> Vec<String> {
        let program = Program { vars: vec![ivar("x"), ivar("y")], blocks, entry: BlockId(0) };
        let program = if_convert(&program).unwrap();
        let line = |command: &Command| match command {
            Command::Assume { term, .. } => format!("assume {term}"),
            Command::Assert { term, .. } => format!("assert {term}"),
            Command::Assign(pairs) => format!("assign {pairs:?}"),
            Command::Havoc(vars) => format!("havoc {vars:?}"),
            Command::Capture(_) => "capture".to_owned(),
        };
        let entry = &program.blocks[0];
        let next = entry.successors.iter().map(|next| format!("goto {}", next.0));
        entry.commands.iter().map(line).chain(next).collect()
    }

    fn guarded(guard: Term, mut rest: Vec<Command>, successors: &[u32]) -> Block {
        rest.insert(0, Command::assume(guard));
        block(rest, successors)
    }

    #[test]
    fn arms_see_the_guard_of_the_fork() {
        let guard = Term::lt(i("x"), n(0));
        let yes = vec![
            Command::assign(ivar("x"), n(5)),
            Command::assert(Term::lt(i("x"), i("y")), AssertId(1)),
        ];
        let lines = converted(vec![
            block(vec![], &[1, 2]),
            guarded(guard.clone(), yes, &[3]),
            guarded(Term::not(guard), vec![Command::assume(b("q"))], &[3]),
            block(vec![Command::assume(b("p"))], &[]),
        ]);
        assert_eq!(
            lines,
            [
                "assert (=> (< x 0) (< 5 y))",
                "assume (=> (not (< x 0)) q)",
                "assign [(x: int, (ite (< x 0) 5 x))]",
                "assume p",
            ]
        );
    }

    #[test]
    fn nested_conditionals_fold_from_the_inside() {
        let set = |value: i64| vec![Command::assign(ivar("x"), n(value))];
        let lines = converted(vec![
            block(vec![], &[1, 2]),
            guarded(b("c"), vec![], &[3, 4]),
            guarded(Term::not(b("c")), set(3), &[6]),
            guarded(b("d"), set(1), &[5]),
            guarded(Term::not(b("d")), set(2), &[5]),
            block(vec![], &[6]),
            block(vec![], &[]),
        ]);
        assert_eq!(lines, ["assign [(x: int, (ite c (ite d 1 2) 3))]"]);
    }

    #[test]
    fn free_choices_havocs_and_shared_arms_stay_branches() {
        let free = vec![
            block(vec![], &[1, 2]),
            block(vec![], &[3]),
            block(vec![], &[3]),
            block(vec![], &[]),
        ];
        assert_eq!(converted(free), ["goto 1", "goto 2"]);
        let havoc = vec![
            block(vec![], &[1, 2]),
            guarded(b("c"), vec![Command::Havoc(vec![ivar("x")])], &[3]),
            guarded(Term::not(b("c")), vec![], &[3]),
            block(vec![], &[]),
        ];
        assert_eq!(converted(havoc), ["goto 1", "goto 2"]);
    }
}
