//! Units: what is proved together, and the side table that turns verdicts into words.
//!
//! **Out:** [`UnitKey`], which names a unit; [`Unit`], a program without loops plus, for each of its
//! assertions, what failing it means.
//!
//! # Invariants
//! - The number of an [`ir::AssertId`] is its position in [`Unit::asserts`]; of an [`ir::Site`], its
//!   position in [`Unit::sites`].
//! - A unit that could not be built faithfully says so in [`Unit::unsupported`]; nothing about it may
//!   then be called proved.

use std::collections::{BTreeMap, BTreeSet};

use base::{DeclId, Name, Place};
use discipline::claims::{ClaimAt, ClaimKind};
use hir::Layer;
use ir::{AssertId, ObligationId, ObligationKind, Program, Symbol, Var};
use smol_str::SmolStr;

use crate::claim::Claim;
use crate::faith::Faith;
use crate::lowering::Tables;

/// Names a unit. The order of variants is not the order of units; see [`crate::units`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnitKey {
    /// The body of a plain or pure procedure, held by this declaration.
    Plain(DeclId),
    /// The `asserts` of an action suffice for the assertions of its body.
    GateSufficiency(Name),
    /// `first; second` can be done as `second; first`.
    Commutativity(Pair),
    /// The gate of `first` survives `second`.
    GatePreservation(Pair),
    /// A failure of `first` survives `second`.
    FailurePreservation(Pair),
    /// The action can always run to its end; the layer of its preconditions if they are assumed.
    Nonblocking(Name, Option<Layer>),
    /// The action is simulated by the action it refines.
    ActionRefinement(Name),
    /// The action preserves the global invariants of the layer.
    GlobalNoninterference(Name, Layer),
    /// The action, a step of a procedure without body at the layer, disturbs nobody who waits there.
    StepNoninterference(Name, Layer),
    /// The invariant copy of a yield procedure at a layer.
    Invariant(Name, Layer),
    /// The refinement copy of a yield procedure at its layer.
    Refinement(Name, Layer),
}

/// Two actions, in the order of the unit's name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pair {
    pub first: Name,
    pub second: Name,
    /// If the preconditions of the left mover are assumed, the layer they hold at.
    pub conditional: Option<Layer>,
}

impl Pair {
    /// The pair without preconditions.
    pub fn new(first: Name, second: Name) -> Pair {
        Pair { first, second, conditional: None }
    }
}

/// Which assertions of a unit are asked about together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssertGroup {
    /// The rule.
    pub kind: ObligationKind,
    /// What the rule is about besides the subjects of the unit: the invariant of a non-interference
    /// check, for example.
    pub about: Option<Name>,
}

impl AssertGroup {
    /// The assertions of one rule.
    pub fn of(kind: ObligationKind) -> AssertGroup {
        AssertGroup { kind, about: None }
    }

    /// The assertions of one rule about one thing.
    pub fn about(kind: ObligationKind, about: Name) -> AssertGroup {
        AssertGroup { kind, about: Some(about) }
    }
}

/// One assertion of a unit: what it claims and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssertInfo {
    /// With which other assertions it is asked about.
    pub group: AssertGroup,
    /// What failing it means.
    pub claim: Claim,
    /// Where the failure is shown.
    pub place: Place,
    /// Where the reference reports it, if elsewhere.
    pub reported_at: Option<Place>,
    /// Second places, with words.
    pub related: Vec<(Place, String)>,
    /// `{:msg "..."}` of the assertion.
    pub message: Option<SmolStr>,
}

impl AssertInfo {
    /// An assertion without second places.
    pub fn new(kind: ObligationKind, claim: Claim, place: Place) -> AssertInfo {
        AssertInfo {
            group: AssertGroup::of(kind),
            claim,
            place,
            reported_at: None,
            related: Vec::new(),
            message: None,
        }
    }

    /// With a second place.
    pub fn related(mut self, place: Place, words: impl Into<String>) -> AssertInfo {
        self.related.push((place, words.into()));
        self
    }

    /// In the part of its group that is about `name`.
    pub fn about(mut self, name: Name) -> AssertInfo {
        self.group.about = Some(name);
        self
    }

    /// Reported by the reference at `place`.
    pub fn reported_at(mut self, place: Place) -> AssertInfo {
        self.reported_at = Some(place);
        self
    }

    /// With the user's own message.
    pub fn message(mut self, message: Option<SmolStr>) -> AssertInfo {
        self.message = message;
        self
    }
}

/// Why a unit cannot be decided faithfully.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    pub place: Place,
    /// The construct, as a noun phrase.
    pub what: String,
}

/// What a trace shows at a capture point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturePoint {
    pub place: Place,
    pub moment: Moment,
}

/// When in a run of the unit a state is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Where a procedure or an action is entered.
    Entry,
    /// Before any of the actions of the unit runs.
    Before,
    /// After this action ran.
    AfterAction(Name),
    /// At the start of a stretch of code.
    Here,
    /// At the head of a loop.
    LoopHead,
    /// Before an `assert`.
    BeforeAssertion,
    /// After a call of these; more than one if they are called in parallel.
    AfterCall(Vec<Name>),
    /// Where a fragment ends because other threads may run.
    BeforeOthers,
    /// Where a fragment starts because other threads ran.
    AfterOthers,
    /// Where a procedure returns.
    Return,
    /// Where an action ends.
    End,
}

/// What a variable stands for that a unit makes up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The value of this global where the present fragment started.
    Snapshot(Name),
    /// A parameter or local of another thread, which waits at a yield and relies on `at`.
    Waiting { at: Name, name: Name },
}

/// A claim of a yield procedure that one of its copies asks about: where it stands and what it is.
pub type Visit = (ClaimAt, ClaimKind);

/// One unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub key: UnitKey,
    /// The name under which the reference lists it.
    pub name: String,
    /// The id of the obligations of the unit, without what a group adds.
    pub id: ObligationId,
    /// The program, without cycles.
    pub program: Program,
    pub asserts: Vec<AssertInfo>,
    pub sites: Vec<Place>,
    /// By number of [`ir::CaptureId`].
    pub captures: Vec<CapturePoint>,
    pub unsupported: Vec<Unsupported>,
    /// What it assumes and nobody proves.
    pub faith: Vec<Faith>,
    /// The claims of its procedure that it asks about.
    pub visited: BTreeSet<Visit>,
    /// Pools of variables that may become bound.
    pub pools: BTreeMap<Var, Vec<Symbol>>,
    /// What variables stand for that are none of the program's, where somebody has to know.
    pub roles: BTreeMap<Var, Role>,
    /// What the symbols of the program stand for.
    pub tables: Tables,
}

impl Unit {
    /// What an assertion claims.
    pub fn assert(&self, id: AssertId) -> Option<&AssertInfo> {
        self.asserts.get(id.0 as usize)
    }
}

/// A line of the list of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitEntry {
    pub key: UnitKey,
    /// The name under which the reference lists it.
    pub name: String,
    /// Why it need not be proved, if so.
    pub skipped: Option<Skip>,
}

impl UnitEntry {
    /// A unit that has to be proved.
    pub fn new(key: UnitKey, name: impl Into<String>) -> UnitEntry {
        UnitEntry { key, name: name.into(), skipped: None }
    }
}

/// Why a unit need not be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// What one reads or writes the other does not write.
    Disjoint,
    /// Both are the same action, and it has no parameters.
    Same,
    /// Nothing in the body can block.
    NeverBlocks,
}
