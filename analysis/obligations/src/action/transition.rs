//! Transition relations: can a run of these bodies lead from one state to another?
//!
//! **In:** bodies to be run one after the other, the values of globals before, and the values of
//! globals and outputs after. **Out:** one [`PathRelation`] per path through the bodies: constraints
//! over given values and over choices that no equation determines.
//!
//! Bodies are run symbolically (verification.md 4.3): on a path every variable has a term over the
//! state before and the choices, so what remains are the assumptions on the way and one equation
//! per value given after.
//!
//! # Soundness
//! The disjunction over all paths of "for some choices, the constraints" is equivalent to the
//! existence of a run. Paths are not left out: too many of them are an error, not a weaker formula.

use std::collections::BTreeMap;
use std::sync::Arc;

use ir::convert::if_convert;
use ir::wp::Closing;
use ir::{
    Bound, Command, FuncSym, Quant, QuantKind, Sort, Substitution, Symbol, Term, Var, eliminate,
};

use super::guess::guesses;

/// More paths than this are refused.
const MOST_PATHS: usize = 2_000;
/// More paths than this are not tried for the sake of fewer open choices.
const FEW_PATHS: usize = 64;
/// So many Boolean choices are tried with both values on a path.
const MOST_BOOLEANS: usize = 3;
/// What the names of choices contain, before their number.
pub(super) const CHOICE: &str = "@choice";

/// What is asked of a run.
pub struct Runs<'a> {
    /// The bodies, first to last.
    pub bodies: Vec<&'a ir::Program>,
    /// The values of globals before; the variable itself where nothing is given.
    pub before: Vec<(Var, Term)>,
    /// The values of globals and outputs afterwards.
    pub after: Vec<(Var, Term)>,
    /// What is left to chance.
    pub choices: Vec<Var>,
}

/// The runs along one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRelation {
    pub constraints: Vec<Term>,
    /// Choices that no equation determines.
    pub open: Vec<Var>,
}

impl PathRelation {
    /// The constraints for the choices as they are named.
    pub fn instance(&self) -> Term {
        Term::and(self.constraints.clone())
    }

    /// The constraints for some choices. With `candidates`, the solver tries only choices that
    /// are known as [`chosen`]; the meaning is the same.
    pub fn some(&self, closing: &Closing, candidates: bool) -> Term {
        if self.open.is_empty() {
            return self.instance();
        }
        let fresh: Vec<(Var, Var)> =
            self.open.iter().map(|var| (var.clone(), bound_name(var))).collect();
        let renaming = fresh.iter().map(|(old, new)| (old.clone(), Term::var(new.clone())));
        let mut renaming = Substitution::of_vars(renaming);
        // What does not depend on a choice stays outside.
        let (inside, outside): (Vec<Term>, Vec<Term>) = self
            .constraints
            .iter()
            .cloned()
            .partition(|it| self.open.iter().any(|var| ir::subst::occurs_free(var, it)));
        let marks: Vec<Term> = fresh.iter().map(|(old, new)| mark(old, new)).collect();
        let bound = fresh.into_iter().map(|(old, new)| Bound {
            pools: closing.pools.get(&old).cloned().unwrap_or_default(),
            ..Bound::plain(new)
        });
        let body = renaming.apply(&Term::and(inside));
        let mut some = Quant::new(QuantKind::Exists, bound.collect(), body);
        if candidates {
            some.triggers = vec![marks];
        }
        Term::and(outside.into_iter().chain([Term::quant(some)]))
    }
}

fn bound_name(var: &Var) -> Var {
    Var::new(format!("{}@some", var.name), var.sort.clone())
}

/// A fact about a choice that was made, which says nothing: it makes the choice a candidate wherever
/// the same choice of the same action, in whatever copy, is asked to exist.
pub fn chosen(choice: &Var) -> Term {
    mark(choice, choice)
}

/// The mark of the choice `of`, put on `on`.
fn mark(of: &Var, on: &Var) -> Term {
    let name = of.name.as_str();
    // Without what the copy added behind the number of the choice.
    let number = name.rfind(CHOICE).map_or(name.len(), |at| at + CHOICE.len());
    let digits = name[number..].find(|it: char| !it.is_ascii_digit());
    let own = &name[..digits.map_or(name.len(), |at| number + at)];
    let predicate = FuncSym::new(format!("chosen@{own}"), [of.sort.clone()], Sort::Bool);
    Term::func(&Arc::new(predicate), vec![Term::var(on.clone())])
}

/// "Some run of one of these paths". Instances stand beside what is only asked to exist: numbers next
/// to their bounds and, if `with_instances`, the choices as named.
pub fn disjunction(paths: &[PathRelation], closing: &Closing, with_instances: bool) -> Term {
    let mut parts = Vec::new();
    for path in paths {
        if path.open.is_empty() {
            parts.push(path.instance());
            continue;
        }
        if with_instances {
            parts.push(path.instance());
        }
        parts.extend(guesses(&path.constraints, &path.open));
        parts.push(path.some(closing, with_instances));
    }
    Term::or(parts)
}

/// The relation of each path; nothing if there are too many or a body is malformed.
///
/// Conditionals are folded into terms. If that leaves choices open, they are tried as paths of their
/// own, where an equation may determine what a conditional hid.
pub fn paths(runs: &Runs<'_>) -> Option<Vec<PathRelation>> {
    let bodies: Option<Vec<ir::Program>> =
        runs.bodies.iter().map(|body| if_convert(body).ok()).collect();
    let folded = relations(runs, &bodies?.iter().collect::<Vec<_>>(), MOST_PATHS)?;
    if most_open(&folded) == 0 {
        return Some(folded);
    }
    let split = relations(runs, &runs.bodies, FEW_PATHS);
    let better = split.filter(|split| most_open(split) < most_open(&folded));
    Some(better.unwrap_or(folded))
}

/// The most choices that are left open on a path.
fn most_open(paths: &[PathRelation]) -> usize {
    paths.iter().map(|path| path.open.len()).max().unwrap_or(0)
}

fn relations(runs: &Runs<'_>, bodies: &[&ir::Program], most: usize) -> Option<Vec<PathRelation>> {
    let start = Run { values: runs.before.iter().cloned().collect(), assumed: Vec::new() };
    let mut states = vec![start];
    for body in bodies {
        let mut next = Vec::new();
        for state in states {
            run_body(body, state, most, &mut next)?;
        }
        states = next;
    }
    Some(states.into_iter().flat_map(|state| state.relations(runs)).collect())
}

/// A symbolic state.
#[derive(Clone)]
struct Run {
    values: BTreeMap<Var, Term>,
    assumed: Vec<Term>,
}

impl Run {
    fn read(&self) -> Substitution {
        Substitution::of_vars(self.values.iter().map(|(var, term)| (var.clone(), term.clone())))
    }

    /// Runs a command; false if no run survives it.
    fn step(&mut self, command: &Command) -> bool {
        match command {
            Command::Assume { term, .. } => {
                let term = self.read().apply(term);
                let possible = !term.is_false();
                self.assumed.push(term);
                possible
            }
            Command::Assign(pairs) => {
                let mut read = self.read();
                let new: Vec<(Var, Term)> =
                    pairs.iter().map(|(var, term)| (var.clone(), read.apply(term))).collect();
                self.values.extend(new);
                true
            }
            // Bodies have neither: `super::prepare` sees to it.
            Command::Assert { .. } | Command::Havoc(_) => false,
            Command::Capture(_) => true,
        }
    }

    /// The relation of the path: one for each value of the first few Boolean choices that are open.
    fn relations(self, runs: &Runs<'_>) -> Vec<PathRelation> {
        let mut constraints = self.assumed;
        for (var, after) in &runs.after {
            let value = self.values.get(var).cloned().unwrap_or_else(|| Term::var(var.clone()));
            constraints.push(Term::eq(after.clone(), value));
        }
        let mut todo = vec![(constraints, runs.choices.clone(), MOST_BOOLEANS)];
        let mut out = Vec::new();
        while let Some((constraints, unknown, splits)) = todo.pop() {
            let (constraints, open) = eliminate(constraints, &unknown);
            if constraints.iter().any(Term::is_false) {
                continue;
            }
            let boolean = open.iter().find(|var| var.sort == Sort::Bool && splits > 0).cloned();
            let Some(boolean) = boolean else {
                out.push(PathRelation { constraints, open });
                continue;
            };
            // exists b :: p(b)  =  p(true) || p(false)
            for value in [false, true] {
                let mut decide = Substitution::of_vars([(boolean.clone(), Term::bool(value))]);
                let decided = constraints.iter().map(|it| decide.apply(it)).collect();
                todo.push((decided, open.clone(), splits - 1));
            }
        }
        out
    }
}

/// All ways through a body, starting in `state`.
fn run_body(body: &ir::Program, state: Run, most: usize, out: &mut Vec<Run>) -> Option<()> {
    let has_havoc = body.blocks.iter().flat_map(|block| &block.commands);
    if has_havoc.into_iter().any(|it| matches!(it, Command::Havoc(_) | Command::Assert { .. })) {
        return None;
    }
    let mut todo = vec![(body.entry, state)];
    while let Some((id, mut state)) = todo.pop() {
        let block = body.block(id)?;
        if !block.commands.iter().all(|command| state.step(command)) {
            continue;
        }
        if block.successors.is_empty() {
            out.push(state);
        } else {
            for next in block.successors.iter().rev() {
                todo.push((*next, state.clone()));
            }
        }
        if out.len() + todo.len() > most {
            return None;
        }
    }
    Some(())
}

/// A global as a variable of a unit.
pub fn state_pairs(vars: &[Var], suffix: &str) -> Vec<(Var, Term)> {
    let named = |var: &Var| Symbol::from(format!("{}{suffix}", var.name));
    vars.iter()
        .map(|var| (var.clone(), Term::var(Var::new(named(var), var.sort.clone()))))
        .collect()
}
