//! Decisions of a step: read off a script, or all of them one after the other.
//!
//! All of them: the step is run again and again, each time with the next sequence of decisions, until
//! there is none.

use super::{Configuration, Done, Halt, Move, no};
use crate::exploration::{Choice, Event};

/// Who decides.
pub(super) enum Chooser<'a> {
    /// These decisions, and how many were used.
    Script(&'a [Choice], usize),
    /// For each decision: which option is taken, and how many there are.
    Search(Vec<(usize, usize)>, Vec<Choice>),
    /// One of so many options, and what was taken.
    Pick(&'a mut dyn FnMut(usize) -> usize, Vec<Choice>),
}

const TOO_MANY: &str = "too many values to choose from";

impl Chooser<'_> {
    /// One of so many options; nothing if they cannot be counted. A script may say something that is
    /// not among them: `is_fine` judges.
    pub(super) fn choose(
        &mut self,
        count: impl FnOnce() -> Option<usize>,
        option: impl FnOnce(usize) -> Choice,
        is_fine: impl FnOnce(&Choice) -> bool,
    ) -> Done<Choice> {
        match self {
            Chooser::Script(choices, used) => {
                let Some(choice) = choices.get(*used).filter(|choice| is_fine(choice)) else {
                    return no("a decision is missing, or is none of those that are open");
                };
                *used += 1;
                Ok(choice.clone())
            }
            Chooser::Pick(pick, made) => {
                let choice = match count() {
                    Some(0) => return Err(Halt::Blocked),
                    Some(count) => option(pick(count)),
                    None => return no(TOO_MANY),
                };
                made.push(choice.clone());
                Ok(choice)
            }
            Chooser::Search(path, made) => {
                let count = match count() {
                    Some(0) => return Err(Halt::Blocked),
                    Some(count) => count,
                    None => return no(TOO_MANY),
                };
                let nth = made.len();
                if path.len() == nth {
                    path.push((0, count));
                }
                let choice = option(path[nth].0);
                made.push(choice.clone());
                Ok(choice)
            }
        }
    }
}

type Outcome = Done<(Configuration, Vec<Event>)>;

/// Every outcome of the step.
pub(super) fn all(mut step: impl FnMut(&mut Chooser<'_>) -> Outcome) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut path: Vec<(usize, usize)> = Vec::new();
    loop {
        let mut chooser = Chooser::Search(path, Vec::new());
        let result = step(&mut chooser);
        let Chooser::Search(taken, choices) = chooser else { return moves };
        path = taken;
        if result != Err(Halt::Blocked) {
            moves.push(Move { choices, result });
        }
        while path.last().is_some_and(|(nth, count)| nth + 1 == *count) {
            path.pop();
        }
        match path.last_mut() {
            Some((nth, _)) => *nth += 1,
            None => return moves,
        }
    }
}

/// One outcome of the step, which may be that it is blocked.
pub(super) fn picked(
    pick: &mut dyn FnMut(usize) -> usize,
    step: impl FnOnce(&mut Chooser<'_>) -> Outcome,
) -> Move {
    let mut chooser = Chooser::Pick(pick, Vec::new());
    let result = step(&mut chooser);
    let choices = match chooser {
        Chooser::Pick(_, made) => made,
        Chooser::Script(..) | Chooser::Search(..) => Vec::new(),
    };
    Move { choices, result }
}

/// The outcome of the step with these decisions; `choices` are those that were used.
pub(super) fn scripted(choices: &[Choice], step: impl FnOnce(&mut Chooser<'_>) -> Outcome) -> Move {
    let mut chooser = Chooser::Script(choices, 0);
    let result = step(&mut chooser);
    let used = match chooser {
        Chooser::Script(_, used) => used,
        Chooser::Search(..) | Chooser::Pick(..) => 0,
    };
    Move { choices: choices[..used].to_vec(), result }
}
