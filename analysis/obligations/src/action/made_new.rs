//! What an action says it makes new, the code that refines it has made new.
//!
//! **In:** programs in which locations are made new (`Loc_New` and its relatives). **Out:** the same
//! programs, with a variable that holds the set of locations made so far.
//!
//! ```text
//! the code that refines:   l := any location;  made[l] := true
//! the action it refines:   l := any location;  assume made[l]
//! ```
//!
//! # Soundness
//! At every layer, what is made new was never held before at that layer. A refined action is free in
//! its other choices, since any run of it will do. Its new locations are not: if the code returned one
//! that had been used, the layer above would take it for one that nobody has held. What is recorded is
//! new at the layer of the code, and what was ever held one layer up was held there, too. Ghost code
//! that exists one layer up only makes locations that no real run ever uses: there are enough of them.
//!
//! A location counts once: of all fragments of a procedure one alone is the action. What a callee made
//! that is known by its contract is not recorded, which only refuses more.

use std::collections::BTreeSet;

use ir::{Block, Command, Program, Sort, Symbol, Term, Var};

/// The set of new locations.
#[derive(Clone, Debug)]
pub struct MadeNew(Var);

impl MadeNew {
    /// The set for locations of the sort of `example`.
    pub fn of_sort(example: &Var) -> MadeNew {
        let sort = Sort::map(example.sort.clone(), Sort::Bool);
        MadeNew(Var::new(Symbol::new("made@new"), sort))
    }

    /// Nothing was made.
    pub fn nothing(&self) -> Command {
        let empty = Term::const_array(self.0.sort.clone(), Term::ff());
        Command::Assign(vec![(self.0.clone(), empty)])
    }

    /// The location was made.
    pub fn record(&self, location: &Var) -> Command {
        let one_more =
            Term::store(Term::var(self.0.clone()), Term::var(location.clone()), Term::tt());
        Command::Assign(vec![(self.0.clone(), one_more)])
    }

    /// The location is one of those that were made.
    fn demand(&self, location: &Var) -> Command {
        Command::assume(Term::select(Term::var(self.0.clone()), Term::var(location.clone())))
    }

    /// What is recorded after a command that makes some of the `choices`.
    pub fn records(&self, command: &Command, choices: &BTreeSet<Var>) -> Vec<Command> {
        made_by(command, choices).map(|choice| self.record(choice)).collect()
    }

    /// `program`, making only what was recorded.
    pub fn demanded(&self, program: &Program, choices: &BTreeSet<Var>) -> Program {
        let block = |block: &Block| {
            let mut commands = Vec::new();
            for command in &block.commands {
                commands.push(command.clone());
                commands.extend(made_by(command, choices).map(|choice| self.demand(choice)));
            }
            Block { commands, ..block.clone() }
        };
        Program { blocks: program.blocks.iter().map(block).collect(), ..program.clone() }
    }
}

/// The choices that a command makes.
fn made_by<'a>(
    command: &'a Command,
    choices: &'a BTreeSet<Var>,
) -> impl Iterator<Item = &'a Var> + 'a {
    let pairs: &[(Var, Term)] = match command {
        Command::Assign(pairs) => pairs,
        Command::Assert { .. }
        | Command::Assume { .. }
        | Command::Havoc(_)
        | Command::Capture(_) => &[],
    };
    let values = pairs.iter().filter_map(|(_, value)| value.as_var());
    values.filter(|value| choices.contains(value))
}
