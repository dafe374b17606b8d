//! What an exploration is asked, and what it answers.
//!
//! **In:** a [`Scope`]. **Out:** [`Exploration`]: an answer that is meant for that scope and says what
//! in it was approximated; a violation with the [`Schedule`] that leads to it.
//!
//! # Invariants
//! - A schedule is self-contained: with the program it determines one run. States are never stored.
//! - A bounded answer is never a proof: nothing here can become a [`crate::Proof`].

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use crate::{
    command::AssertId,
    layer::{ActionId, LayerProgram, ProcId, Why},
    machine::replay,
    site::Site,
    symbol::Symbol,
    value::{MapValue, Value},
};

/// A finite instance of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope {
    /// How many threads call roots.
    pub threads: u32,
    /// How often each of them does; nothing: again and again.
    pub calls: Option<u32>,
    /// How many elements a sort has.
    pub size: u32,
    /// The sorts that have another number of elements.
    pub sizes: BTreeMap<Symbol, u32>,
    /// The least and the greatest integer that is chosen. Arithmetic goes beyond.
    pub ints: (i64, i64),
    /// The longest sequence or vector that is chosen.
    pub length: u32,
}

impl Default for Scope {
    fn default() -> Self {
        let sizes = BTreeMap::new();
        Scope { threads: 2, calls: Some(1), size: 2, sizes, ints: (0, 1), length: 1 }
    }
}

impl Scope {
    /// How many elements the sort has.
    pub fn size_of(&self, sort: &Symbol) -> u32 {
        self.sizes.get(sort).copied().unwrap_or(self.size)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scope { threads, calls, size, sizes, ints: (least, greatest), .. } = self;
        write!(f, "{threads} {}", if *threads == 1 { "thread" } else { "threads" })?;
        match calls {
            Some(1) => f.write_str(", 1 call each")?,
            Some(calls) => write!(f, ", {calls} calls each")?,
            None => f.write_str(", any number of calls")?,
        }
        for (sort, size) in sizes {
            write!(f, ", {size} of {sort}")?;
        }
        let others = if sizes.is_empty() { "every sort" } else { "every other sort" };
        write!(f, ", {size} of {others}, integers from {least} to {greatest}")
    }
}

/// Where a run starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Start {
    /// The values of the globals, in their order.
    pub globals: Vec<Value>,
    /// Tables of the free functions and constants.
    pub functions: BTreeMap<Symbol, MapValue>,
}

/// A decision that the program leaves open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    /// What the client calls. A [`Choice::Value`] for each input follows.
    Root(ProcId),
    /// Which arm of a parallel call moves, where several can. The choices of the arm follow.
    Arm(u32),
    /// Which target of a node, among all of them, where there are several.
    Branch(u32),
    /// The value of a variable that gets an arbitrary one, or one that is made new; of hidden results
    /// before the choices of the action.
    Value(Value),
}

/// A thread moves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// Which thread: those of the client first, then started ones in the order of their start.
    pub thread: u32,
    /// How many micro steps (see [`crate::layer`]) it takes in a row.
    pub steps: u32,
    /// The decisions on the way, in the order in which they are met.
    pub choices: Vec<Choice>,
}

/// One run.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Schedule {
    /// Where it starts.
    pub start: Start,
    /// Who moves when.
    pub turns: Vec<Turn>,
}

/// What happened, as specifications see it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// A client calls a root.
    Call {
        /// Which thread.
        thread: u32,
        /// What.
        procedure: ProcId,
        /// With what.
        args: Vec<Value>,
    },
    /// A root returns to its client.
    Return {
        /// Which thread.
        thread: u32,
        /// What.
        procedure: ProcId,
        /// With what.
        results: Vec<Value>,
    },
    /// The program says that something happens.
    Named {
        /// What it is called.
        name: Symbol,
        /// Its data.
        args: Vec<Value>,
    },
}

/// An order of atomic calls, and how far it explains a history.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ordering {
    /// Calls by their position among the call events of the history.
    pub calls: Vec<u32>,
    /// What the last of them may return here. The history has something else.
    pub allowed: BTreeSet<Vec<Value>>,
}

/// What a run breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violated {
    /// A condition that has to hold.
    Check {
        /// Which.
        id: AssertId,
        /// Why it has to hold.
        why: Why,
        /// Where.
        site: Site,
    },
    /// Threads that have not finished, none of which can move: where each of them waits.
    Deadlock(Vec<Site>),
    /// No order of the atomic actions explains the calls and returns.
    NoSpecification {
        /// Calls and returns; the last one cannot be explained.
        history: Vec<Event>,
        /// The orders that come closest.
        closest: Vec<Ordering>,
    },
    /// The two actions do not move as declared, in the last configuration of the run.
    Commutes(ActionId, ActionId),
}

/// Where the slow machine does not follow a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The turn, by position. One more than there are: at the end.
    pub turn: u32,
    /// What is different.
    pub what: String,
}

/// Why a search ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// This many states were not enough.
    States(u64),
    /// This many bytes were not enough.
    Memory(u64),
    /// A run of one thread between two scheduling points takes more steps than this.
    Steps(u64),
    /// More initial states than this.
    Starts(u64),
    /// Nobody wants the answer any more, or time ran out.
    Cancelled,
    /// Our own bug.
    Internal(String),
}

impl fmt::Display for Truncation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Truncation::States(limit) => write!(f, "there are more than {limit} states"),
            Truncation::Memory(limit) => write!(f, "it needs more than {limit} bytes"),
            Truncation::Steps(limit) => {
                write!(f, "a thread takes more than {limit} steps without giving way")
            }
            Truncation::Starts(limit) => write!(f, "there are more than {limit} initial states"),
            Truncation::Cancelled => f.write_str("it was stopped"),
            Truncation::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

/// What an answer leaves out or takes for granted, beside its scope.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Inexact {
    /// A value of this sort was chosen among those of the scope, of which there are more.
    BoundedChoice(Symbol),
    /// A quantifier or comprehension ran over the values of the scope only.
    BoundedQuantifier(Site),
    /// The elements of this sort were used up where a new one was needed.
    UsedUp(Symbol),
    /// One interpretation of a free function or constant was tried, of several.
    OneInterpretation(Symbol),
    /// A result that does not exist at the layer was chosen.
    HiddenResult(Site),
    /// A value that the program leaves undefined was used.
    Undefined(Site),
    /// Initial states were enumerated: the program says nothing about them.
    AssumedStart,
    /// A piece of the program was left out.
    Excluded(Symbol),
    /// The permissions of this domain were dealt to the threads in a few of many ways.
    FewDeals(Symbol),
    /// No thread ever called this root.
    NeverCalled(Symbol),
    /// No thread could go on here, but one of them chose among values of which there are more.
    BoundedWait(Site),
    /// Runs were ended, so many times: this gate, which the layer above has to keep, failed.
    CutShort(Site, u64),
}

/// Numbers of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Distinct states.
    pub states: u64,
    /// Moves between them.
    pub transitions: u64,
    /// Initial states.
    pub starts: u64,
    /// The longest of the shortest ways to a state, in turns.
    pub depth: u32,
    /// Bytes held at the end.
    pub bytes: u64,
}

/// An answer about a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// The answer.
    pub answer: Answer,
    /// For which instance.
    pub scope: Scope,
    /// What it leaves out.
    pub inexact: BTreeSet<Inexact>,
    /// Numbers.
    pub stats: Stats,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Something is broken.
    Violation(Box<Violation>),
    /// Every run of the scope was seen; none breaks anything.
    Exhausted,
    /// Not every run was seen.
    Truncated(Truncation),
}

/// A run that breaks something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    what: Violated,
    schedule: Schedule,
    confirmed: Result<(), Mismatch>,
}

impl Violation {
    /// A run that counts as confirmed if the slow machine follows it to what is broken.
    pub fn replayed(
        program: &LayerProgram,
        scope: &Scope,
        what: Violated,
        schedule: Schedule,
    ) -> Violation {
        let confirmed = replay(program, scope, &what, &schedule);
        Violation { what, schedule, confirmed }
    }

    /// What is broken.
    pub fn what(&self) -> &Violated {
        &self.what
    }

    /// The run.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Did the slow machine follow the run and find the same?
    pub fn confirmed(&self) -> Result<(), &Mismatch> {
        self.confirmed.as_ref().copied()
    }
}
