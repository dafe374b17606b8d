//! Formulas broken on purpose: every assumption that we make must be needed by some proof, and
//! every assertion that we make must be able to fail.

use base::{LibraryName, Program};
use ir::{Block, Command, Op, Term, Verdict};

use super::{Database, key, program};
use crate::{Unit, World, place_of, tasks, unit_of};

/// Is every assertion of the unit proved?
fn is_proved(db: &Database, program: Program, unit: &Unit) -> bool {
    let world = World::new(db, program);
    let tasks = tasks(world, place_of(world, &unit.key), unit);
    tasks.iter().all(|task| {
        let answers = prover::solve_here(&task.obligation.question, prover::Limits::default());
        task.unsupported.is_empty()
            && answers.iter().all(|(_, verdict)| matches!(verdict, Verdict::Proved(_)))
    })
}

/// The unit with one command replaced by `change`; nothing where `change` says so.
fn mutants(unit: &Unit, change: impl Fn(&Command) -> Vec<Option<Command>>) -> Vec<(String, Unit)> {
    let mut out = Vec::new();
    for (nth, block) in unit.program.blocks.iter().enumerate() {
        for (position, command) in block.commands.iter().enumerate() {
            for replacement in change(command) {
                let mut mutant = unit.clone();
                let Block { commands, .. } = &mut mutant.program.blocks[nth];
                commands.splice(position..=position, replacement.clone());
                out.push((format!("{} #{position}: {command:?}", block.label), mutant));
            }
        }
    }
    out
}

/// Without the assumption; and with one conjunct of it flipped.
fn weaker(command: &Command) -> Vec<Option<Command>> {
    let Command::Assume { term, .. } = command else { return Vec::new() };
    let mut out = vec![None];
    if let Some(parts) = term.args_of(&Op::And) {
        for nth in 0..parts.len() {
            let mut parts = parts.to_vec();
            parts[nth] = Term::not(parts[nth].clone());
            out.push(Some(Command::assume(Term::and(parts))));
        }
    }
    out
}

#[track_caller]
pub(super) fn every_assumption_is_needed(text: &str, name: &str) {
    let db = Database::default();
    let program = program(&db, text, &[LibraryName::Base]);
    let unit = unit_of(&db, program, key(&db, program, name));
    assert!(is_proved(&db, program, &unit), "{name} is not proved to begin with");
    let mutants = mutants(&unit, weaker);
    assert!(!mutants.is_empty());
    for (what, mutant) in mutants {
        assert!(!is_proved(&db, program, &mutant), "still proved without {what}");
    }
}

#[track_caller]
pub(super) fn every_assertion_can_fail(text: &str, name: &str) {
    let db = Database::default();
    let program = program(&db, text, &[LibraryName::Base]);
    let unit = unit_of(&db, program, key(&db, program, name));
    assert!(is_proved(&db, program, &unit), "{name} is not proved to begin with");
    let negated = |command: &Command| match command {
        Command::Assert { term, id, hints, subsumes } => vec![Some(Command::Assert {
            term: Term::not(term.clone()),
            id: *id,
            hints: hints.clone(),
            subsumes: *subsumes,
        })],
        Command::Assume { .. } | Command::Assign(_) | Command::Havoc(_) | Command::Capture(_) => {
            Vec::new()
        }
    };
    for (what, mutant) in mutants(&unit, negated) {
        assert!(!is_proved(&db, program, &mutant), "the negation is proved too: {what}");
    }
}

const CALL: &str = "
procedure Q(x: int) returns (y: int);
requires x > 0;
ensures y > x;
procedure P(x: int) returns (y: int)
requires x > 2;
ensures y > 3;
{
  call y := Q(x);
}
";

const BRANCH: &str = "
procedure P(x: int) returns (y: int)
ensures y > 0;
{
  if (x > 0) { y := x; } else { y := 1 - x; }
}
";

const LOOP: &str = "
procedure P(n: int) returns (i: int)
requires n > 0;
ensures i == n;
{
  i := 0;
  while (i < n)
  invariant i <= n;
  {
    i := i + 1;
  }
}
";

const WHERE: &str = "
procedure P() returns (y: int)
ensures y > 0;
{
  var x: int where x > 0;
  havoc x;
  y := x;
}
";

const OLD: &str = "
var g: int;
procedure P()
modifies g;
ensures g == old(g) + 1;
{
  g := g + 1;
}
";

const FRESH: &str = "
procedure P({:linear_in} m: Map (One int) int, {:linear_in} k: One int)
returns ({:linear} n: Map (One int) int)
ensures !Map_Contains(m, k);
{
  n := m;
  call Map_Put(n, k, 0);
}
";

#[test]
fn no_assumption_is_idle() {
    for text in [CALL, BRANCH, LOOP, OLD, FRESH] {
        every_assumption_is_needed(text, "P");
    }
}

#[test]
fn a_where_clause_after_havoc_is_needed() {
    // The one at entry is not needed here: the variable is havocked before it is read.
    let db = Database::default();
    let program = program(&db, WHERE, &[LibraryName::Base]);
    let unit = unit_of(&db, program, key(&db, program, "P"));
    assert!(is_proved(&db, program, &unit));
    let still = mutants(&unit, weaker);
    let still = still.iter().filter(|(_, mutant)| is_proved(&db, program, mutant)).count();
    assert_eq!(still, 1);
}

#[test]
fn no_assertion_is_vacuous() {
    for text in [CALL, BRANCH, LOOP, WHERE, OLD, FRESH] {
        every_assertion_can_fail(text, "P");
    }
}
