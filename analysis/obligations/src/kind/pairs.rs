//! Which pairs of actions are compared (verification.md 4.5, language.md 13.2).
//!
//! **In:** the actions of a program: movers, layers, footprints. **Out:** the list of mover checks in
//! the order of the reference; checks that need no proof are listed with the reason.
//!
//! A mover is compared with every action that happens at one of its layers: with those that exist
//! there, and with those that are steps of procedures without body there ([`machine_steps`]).
//!
//! The rule is the table [`CHECKS`]. The built-in action that does nothing, and `Assert` of the
//! library, touch no global: every check with them is skipped. What people did not write is not
//! listed among the skips.
//!
//! # Soundness
//! A check is skipped only if the footprints are known exactly:
//! - two orders of actions that do not touch what the other writes are the same run twice;
//! - a gate that mentions nothing the other action writes survives it, and so does its failure;
//! - an action run twice without parameters is the same in both orders;
//! - an action without assumptions always gets to its end.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{DeclKind, Name};
use hir::{ClauseKind, Layer, LayerRange, Mover, ProcSig};

use super::machine_steps::{self, Steps};
use crate::action::{Footprint, Outline, outline};
use crate::unit::{Pair, Skip, UnitEntry, UnitKey};
use crate::world::World;

/// What has to be shown of an ordered pair `(x, y)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Check {
    /// `x; y` can be done as `y; x`.
    Commutes,
    /// The gate of `y` survives `x`.
    GateSurvives,
    /// A failure of `x` survives `y`.
    FailureSurvives,
}

/// Who asks for the checks of a pair `(x, y)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// `x` moves right over `y`.
    Right,
    /// `y` moves left over `x`.
    Left,
}

/// The checks of a pair, in order.
const CHECKS: [(Reason, &[Check]); 2] = [
    (Reason::Right, &[Check::Commutes, Check::GateSurvives]),
    (Reason::Left, &[Check::Commutes, Check::GateSurvives, Check::FailureSurvives]),
];

/// The actions of the program in the order in which the reference prepares them: those that refine
/// nothing; then the others, each after the one it refines.
pub fn actions(world: World<'_>) -> Vec<Name> {
    let decls = hir::program_decls(world.db, world.program);
    let declared = decls.iter().filter(|decl| decl.kind(world.db) == DeclKind::Action);
    let sigs: Vec<Arc<ProcSig>> =
        declared.filter_map(|decl| hir::proc_sig_of(world.db, world.program, *decl)).collect();
    let mut out: Vec<Name> = Vec::new();
    for sig in sigs.iter().filter(|sig| sig.refines.is_none()) {
        out.push(sig.name.clone());
    }
    for sig in sigs.iter().filter(|sig| sig.refines.is_some()) {
        let mut chain = vec![sig.name.clone()];
        let mut next = sig.refines.clone();
        while let Some(name) = next.filter(|name| !out.contains(name) && !chain.contains(name)) {
            next = world.proc_sig(&name).and_then(|sig| sig.refines.clone());
            chain.push(name);
        }
        out.extend(chain.into_iter().rev().filter(|name| !out.contains(name)).collect::<Vec<_>>());
    }
    out
}

/// The actions with `refines` in declaration order.
pub fn declared_actions(world: World<'_>) -> Vec<Name> {
    let decls = hir::program_decls(world.db, world.program);
    let declared = decls.iter().filter(|decl| decl.kind(world.db) == DeclKind::Action);
    declared.map(|decl| decl.name(world.db).clone()).collect()
}

/// All mover checks.
pub fn units(world: World<'_>, actions: &[Name]) -> Vec<UnitEntry> {
    let steps = machine_steps::steps(world);
    let all: Vec<Subject> =
        actions.iter().filter_map(|name| subject(world, name, &steps)).collect();
    let mut list = List { world, seen: BTreeSet::new(), out: Vec::new() };
    let pairs = || all.iter().flat_map(|x| all.iter().map(move |y| (x, y)));
    for (x, y) in pairs() {
        for (reason, checks) in CHECKS {
            let asked = match reason {
                Reason::Right => x.moves_right() && x.meets(y),
                Reason::Left => y.moves_left() && y.conditional.is_none() && y.meets(x),
            };
            if asked {
                checks.iter().for_each(|check| list.check(*check, x, y, None));
            }
        }
    }
    for (x, y) in pairs().filter(|(x, y)| y.meets(x)) {
        if let (true, Some(layer)) = (y.moves_left(), y.conditional) {
            for (_, checks) in CHECKS.iter().filter(|(reason, _)| *reason == Reason::Left) {
                checks.iter().for_each(|check| list.check(*check, x, y, Some(layer)));
            }
        }
    }
    all.iter().filter(|action| action.moves_left()).for_each(|action| list.nonblocking(action));
    list.out
}

/// What enumeration needs to know of an action.
struct Subject {
    name: Name,
    layers: LayerRange,
    /// The layers at which it is the step of a procedure without body.
    step_layers: Option<LayerRange>,
    mover: Mover,
    has_parameters: bool,
    /// The layer of its preconditions, if it has some.
    conditional: Option<Layer>,
    /// Nothing if the action has no body: then nothing is skipped.
    outline: Option<Arc<Outline>>,
    /// Is it an action of a library?
    library: bool,
}

impl Subject {
    fn moves_right(&self) -> bool {
        matches!(self.mover, Mover::Right | Mover::Both)
    }

    fn moves_left(&self) -> bool {
        matches!(self.mover, Mover::Left | Mover::Both)
    }

    /// Is there a layer at which this action is called and `other` happens, as an action or as a
    /// step of code?
    fn meets(&self, other: &Subject) -> bool {
        let step = other.step_layers.is_some_and(|range| self.layers.overlaps(range));
        step || self.layers.overlaps(other.layers)
    }

    fn footprint(&self) -> Option<&Footprint> {
        self.outline.as_ref().map(|outline| &outline.footprint).filter(|it| it.exact)
    }
}

fn subject(world: World<'_>, name: &Name, steps: &Steps) -> Option<Subject> {
    let sig = world.proc_sig(name)?;
    let specs = world.specs(sig.decl);
    let has_preconditions = specs.is_some_and(|specs| {
        let clause = specs.of_kind(ClauseKind::Requires).next().is_some();
        clause || specs.calls_of_kind(ClauseKind::Requires).next().is_some()
    });
    let layers = sig.layers.unwrap_or(LayerRange::ALL);
    Some(Subject {
        name: name.clone(),
        layers,
        step_layers: steps.layers(name),
        mover: sig.mover.unwrap_or(Mover::Atomic),
        has_parameters: sig.formals().next().is_some(),
        conditional: has_preconditions.then_some(layers.high()),
        outline: outline(world.db, world.program, name.clone()),
        library: sig.decl.file(world.db).library(world.db).is_some(),
    })
}

/// The list under construction.
struct List<'db> {
    world: World<'db>,
    /// A check is listed once, with or without preconditions.
    seen: BTreeSet<(Check, Name, Name)>,
    out: Vec<UnitEntry>,
}

impl List<'_> {
    fn check(&mut self, check: Check, x: &Subject, y: &Subject, conditional: Option<Layer>) {
        // In the order of the unit's name.
        let (first, second) = match check {
            Check::Commutes | Check::FailureSurvives => (x, y),
            Check::GateSurvives => (y, x),
        };
        if !self.seen.insert((check, first.name.clone(), second.name.clone())) {
            return;
        }
        let pair = Pair { conditional, ..Pair::new(first.name.clone(), second.name.clone()) };
        let (key, skip) = match check {
            Check::Commutes => (UnitKey::Commutativity(pair), commutes_anyway(first, second)),
            Check::GateSurvives => (UnitKey::GatePreservation(pair), gate_apart(first, second)),
            Check::FailureSurvives => {
                (UnitKey::FailurePreservation(pair), gate_apart(first, second))
            }
        };
        if skip.is_none() || !(x.library || y.library) {
            self.push(key, skip);
        }
    }

    fn nonblocking(&mut self, action: &Subject) {
        let exact = action.footprint().is_some();
        let assumes = action.outline.as_ref().is_none_or(|outline| outline.assumes);
        let skip = (exact && !assumes).then_some(Skip::NeverBlocks);
        if skip.is_none() || !action.library {
            self.push(UnitKey::Nonblocking(action.name.clone(), action.conditional), skip);
        }
    }

    fn push(&mut self, key: UnitKey, skip: Option<Skip>) {
        let entry = super::entry(self.world, key);
        self.out.push(UnitEntry { skipped: skip, ..entry });
    }
}

/// Why the two orders are the same without a proof. Gates do not count: other checks cover them.
fn commutes_anyway(x: &Subject, y: &Subject) -> Option<Skip> {
    if x.name == y.name && !x.has_parameters {
        return Some(Skip::Same);
    }
    let (a, b) = (x.footprint()?, y.footprint()?);
    let apart = a.modified.is_disjoint(&b.used) && a.used.is_disjoint(&b.modified);
    apart.then_some(Skip::Disjoint)
}

/// Why the gate of `x` is the same before and after `y` without a proof.
fn gate_apart(x: &Subject, y: &Subject) -> Option<Skip> {
    let (a, b) = (x.footprint()?, y.footprint()?);
    a.gate.is_disjoint(&b.modified).then_some(Skip::Disjoint)
}
