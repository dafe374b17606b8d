//! What a run of the text did, written down while it was executed.
//!
//! **In:** statements of the outermost body as they start, writes to variables, moments as they pass.
//! **Out:** [`Ran`]: the same as people count it, one step per statement.
//!
//! # Invariants
//! - Only what the program did is a step: what other threads made of globals at a yield is not, and neither
//!   is a value that a moment of the run taught us.
//! - A step says what is different after the statement; one that changes nothing is left out. A local that
//!   is assigned the value it has is shown: what follows may depend on it.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Name, Place};
use ir::Value;
use obligations::Moment;

use super::machine::Slot;

/// A run of the text, from its start to the failure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ran {
    pub(crate) events: Vec<Event>,
    /// The statement that was being executed at the failure.
    pub(crate) last: Option<Place>,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// The next moment of the trace passed.
    Moment,
    /// A statement changed something.
    Step(Step),
    /// The fragment that just ended did the refined action, and is the first to change visible state.
    Did,
}

/// A statement of the outermost body, or some rounds of a loop, and what changed.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) place: Place,
    /// The place is the head of a loop.
    pub(crate) rounds: bool,
    pub(crate) changes: Vec<Change>,
}

/// A variable with a new value.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) name: Name,
    /// Nothing for what had no value worth showing.
    pub(crate) before: Option<Value>,
    pub(crate) after: Value,
    /// The next step tells what it held.
    pub(crate) overwritten: bool,
}

/// The log of a machine, cheap to copy; off unless somebody wants to read it.
#[derive(Clone, Debug, Default)]
pub(super) struct Log(Option<Vec<Arc<Entry>>>);

#[derive(Debug)]
enum Entry {
    Began { place: Place, rounds: bool },
    Wrote { name: Name, global: bool, before: Slot, after: Slot },
    Passed(Moment),
    Did,
}

impl Log {
    pub(super) fn on() -> Log {
        Log(Some(Vec::new()))
    }

    fn push(&mut self, entry: impl FnOnce() -> Entry) {
        if let Some(entries) = &mut self.0 {
            entries.push(Arc::new(entry()));
        }
    }

    /// A statement starts.
    pub(super) fn began(&mut self, place: Place) {
        self.push(|| Entry::Began { place, rounds: false });
    }

    /// What follows is what some rounds of a loop did.
    pub(super) fn rounds(&mut self, place: Place) {
        self.push(|| Entry::Began { place, rounds: true });
    }

    pub(super) fn wrote(&mut self, (name, global): (&Name, bool), before: &Slot, after: &Slot) {
        self.push(|| {
            let (before, after) = (before.clone(), after.clone());
            Entry::Wrote { name: name.clone(), global, before, after }
        });
    }

    pub(super) fn passed(&mut self, moment: &Moment) {
        self.push(|| Entry::Passed(moment.clone()));
    }

    pub(super) fn did(&mut self) {
        self.push(|| Entry::Did);
    }

    /// The log as people read it.
    pub(super) fn told(&self) -> Ran {
        let mut telling = Telling::default();
        self.0.iter().flatten().for_each(|entry| telling.hear(entry));
        telling.end_step();
        Ran { events: telling.events, last: telling.at.map(|(place, _)| place) }
    }
}

/// A variable that a statement wrote, with what it held before and holds now.
struct Written {
    name: Name,
    global: bool,
    before: Option<Value>,
    after: Slot,
}

#[derive(Default)]
struct Telling {
    events: Vec<Event>,
    /// The statement that is being executed.
    at: Option<(Place, bool)>,
    /// What it wrote so far.
    written: Vec<Written>,
    /// Do other threads run?
    others: bool,
    /// Locals that were assigned before.
    known: BTreeSet<Name>,
    /// The step that stands for some rounds of a loop, if no statement wrote anything since.
    after_rounds: Option<usize>,
}

impl Telling {
    fn hear(&mut self, entry: &Entry) {
        match entry {
            Entry::Began { place, rounds } => {
                self.end_step();
                self.at = Some((*place, *rounds));
            }
            Entry::Wrote { name, global, before, after } => {
                if !(self.others && *global) {
                    self.write((name, *global), before, after);
                }
            }
            Entry::Passed(moment) => {
                // The results of a call that yields are there once others have run.
                if *moment != Moment::AfterOthers {
                    self.end_step();
                }
                if *moment == Moment::Entry {
                    // Until here nothing was executed.
                    (self.known, self.written) = Default::default();
                }
                self.others = *moment == Moment::BeforeOthers;
                self.events.push(Event::Moment);
            }
            Entry::Did => self.events.push(Event::Did),
        }
    }

    fn write(&mut self, (name, global): (&Name, bool), before: &Slot, after: &Slot) {
        if let Some(known) = self.written.iter_mut().find(|it| it.name == *name) {
            known.after = after.clone();
            return;
        }
        // A local has any value before it is assigned for the first time.
        let is_known = global || !self.known.insert(name.clone());
        let before = match before {
            Slot::Known(value) if is_known => Some(value.clone()),
            Slot::Known(_) | Slot::Choice(_) | Slot::Unknown => None,
        };
        self.written.push(Written { name: name.clone(), global, before, after: after.clone() });
    }

    fn end_step(&mut self) {
        let written = std::mem::take(&mut self.written);
        let Some((place, rounds)) = self.at.filter(|_| !written.is_empty()) else { return };
        if !rounds {
            self.forget_overwritten(&written);
        }
        let changes: Vec<Change> = written.into_iter().filter_map(|it| it.told(rounds)).collect();
        if !changes.is_empty() {
            self.after_rounds = rounds.then_some(self.events.len());
            self.events.push(Event::Step(Step { place, rounds, changes }));
        }
    }

    /// What some rounds left in a local is not told if the first statement after them overwrites it: that
    /// one says what the local held.
    fn forget_overwritten(&mut self, written: &[Written]) {
        let Some(nth) = self.after_rounds.take() else { return };
        let Some(Event::Step(step)) = self.events.get_mut(nth) else { return };
        for change in &mut step.changes {
            change.overwritten = written.iter().any(|by| !by.global && by.name == change.name);
        }
    }
}

impl Written {
    fn told(self, rounds: bool) -> Option<Change> {
        let Slot::Known(after) = self.after else { return None };
        match self.before {
            Some(before) if before == after && (self.global || rounds) => None,
            before => {
                let before = before.filter(|before| *before != after);
                Some(Change { name: self.name, before, after, overwritten: false })
            }
        }
    }
}
