//! What actions can do, for all their choices.
//!
//! **In:** bodies without loops, one after the other, and a state. **Out:** does the gate hold there, and
//! can they lead to a given state?
//!
//! A choice is first left open: a variable then holds "whatever was chosen", which is enough for most
//! questions. Where the answer depends on it, it is what the wanted state says, if the choice ends up
//! there unchanged; otherwise all values of its type are tried, or those of the run.
//!
//! # Soundness
//! "No" is said only if all paths with all choices were seen to miss the wanted state; "yes" only for
//! a run that was executed on known values.

use std::cell::RefCell;

use base::{Name, Place};
use hir::{ClauseKind, Ty, TySubst, VarRef};
use ir::Value;

use super::equality::all;
use super::machine::{Check, Checks, Code, Frame, Globals, Guide, Machine, Slot, Stop};
use super::permissions::Holder;
use super::sequential::{clauses, initialise, step};
use super::structure::{Doubt, Known, Structure, doubt};

/// More steps than this are not made.
const MOST_STEPS: usize = 4000;
/// More combinations of choices than this are not tried.
const MOST_COMBINATIONS: usize = 400;

/// An action with the values of its inputs.
#[derive(Clone)]
pub(super) struct Act {
    pub(super) code: Code,
    pub(super) ins: Vec<Slot>,
}

impl Act {
    pub(super) fn new(structure: &Structure<'_>, name: &Name, ins: Vec<Slot>) -> Known<Act> {
        let code = Code::of_name(structure.world, name);
        let code = code.filter(|code| code.cfg.is_acyclic() && code.sig.ins.len() == ins.len());
        let Some(code) = code else { return doubt(format!("the body of `{name}`")) };
        Ok(Act { code, ins })
    }

    fn frame(&self, globals: &Globals, checks: Checks) -> Frame {
        let frame =
            Frame::new(self.code.clone(), TySubst::new(), self.ins.clone(), globals.clone());
        Frame { checks, ..frame }
    }
}

/// A state to be reached: globals, and for each action its results as far as they matter.
#[derive(Clone, Default)]
pub(super) struct Goal {
    pub(super) globals: Vec<(Name, Value)>,
    pub(super) results: Vec<Vec<Value>>,
    /// If given: what the actions make new must be among these.
    pub(super) made: Option<Vec<Slot>>,
    /// What is held: no location that the actions make new is among this.
    pub(super) held: Vec<Holder>,
}

/// Choices are open, except those that are given.
struct Explorer<'a> {
    structure: &'a Structure<'a>,
    held: &'a [Holder],
    given: Vec<Option<Value>>,
    /// The types of choices, on the path with most of them.
    types: RefCell<Vec<Ty>>,
}

impl Guide for Explorer<'_> {
    fn structure(&self) -> &Structure<'_> {
        self.structure
    }

    fn choose(&self, mut machine: Machine, var: &VarRef) -> Vec<Machine> {
        let nth = machine.choices.len();
        let ty = machine.top().ty(var, self.structure.world).unwrap_or(Ty::Error);
        let given = self.given.get(nth).cloned().flatten();
        let given = given.filter(|value| self.structure.fits(value, &ty));
        machine.set(var, given.map_or(Slot::Choice(nth), Slot::Known));
        machine.choices.push(ty);
        let mut types = self.types.borrow_mut();
        if types.len() < machine.choices.len() {
            *types = machine.choices.clone();
        }
        vec![machine]
    }

    fn assume(&self, machine: &mut Machine, holds: Known<bool>, what: &str) -> Result<(), Stop> {
        match holds {
            Ok(true) => Ok(()),
            Ok(false) => Err(Stop::Dead(Doubt(format!("{what} is false")))),
            Err(_) => {
                machine.maybe = true;
                Ok(())
            }
        }
    }

    fn demand(&self, machine: &mut Machine, holds: Known<bool>, check: Check) -> Result<(), Stop> {
        match holds {
            Ok(true) => Ok(()),
            Ok(false) if machine.maybe => Err(Stop::Open(Doubt("an assertion may fail".into()))),
            Ok(false) => Err(Stop::Failed(check.place)),
            Err(why) => Err(Stop::Open(why)),
        }
    }
}

/// What came of exploring all paths.
#[derive(Default)]
struct Explored {
    ends: Vec<Machine>,
    failed: Vec<Place>,
    open: Vec<Doubt>,
}

impl Explorer<'_> {
    fn explore(&self, acts: &[Act], globals: &Globals, checks: Checks) -> Explored {
        let mut frames: Vec<Frame> = acts.iter().map(|act| act.frame(globals, checks)).collect();
        frames.reverse();
        let mut found = Explored::default();
        let Some(first) = frames.pop() else { return found };
        let inputs = first.code.sig.ins.len();
        let mut machine = Machine::new(globals.clone(), first);
        machine.note_held(self.held.iter().cloned());
        machine.queue = frames;
        let mut todo = match initialise(self, machine, inputs) {
            Ok(machines) => machines,
            Err(stop) => {
                found.stopped(stop);
                return found;
            }
        };
        let mut steps = 0;
        while let Some(machine) = todo.pop() {
            steps += 1;
            if steps > MOST_STEPS {
                found.open.push(Doubt("too many steps".into()));
                break;
            }
            match step(self, machine) {
                Ok(next) => {
                    let (ended, going): (Vec<Machine>, Vec<Machine>) =
                        next.into_iter().partition(|it| it.frames.is_empty());
                    found.ends.extend(ended);
                    todo.extend(going);
                }
                Err(stop) => found.stopped(stop),
            }
        }
        found
    }
}

impl Explored {
    fn stopped(&mut self, stop: Stop) {
        match stop {
            Stop::Dead(_) => {}
            Stop::Open(why) => self.open.push(why),
            Stop::Failed(place) => self.failed.push(place),
            Stop::Reached => {}
        }
    }
}

/// Where assertions of an action fail in a state, and whether all choices were tried. No place: as
/// far as the values of the run tell, the gate holds.
#[derive(Default)]
pub(super) struct Failing {
    pub(super) places: Vec<Place>,
    pub(super) complete: bool,
}

impl Failing {
    /// Does the gate hold, as far as the values of the run tell? Enough where a gate is taken for
    /// granted: if it fails for another choice, the program is wrong there too.
    pub(super) fn is_fine(&self) -> bool {
        self.places.is_empty()
    }

    /// Does the gate hold for all choices?
    pub(super) fn is_impossible(&self) -> Known<bool> {
        match (self.places.is_empty(), self.complete) {
            (false, _) => Ok(false),
            (true, true) => Ok(true),
            (true, false) => doubt("a choice among infinitely many values"),
        }
    }
}

/// Where the gate of an action fails in a state.
pub(super) fn gate(structure: &Structure<'_>, act: &Act, globals: &Globals) -> Known<Failing> {
    let world = structure.world;
    let decl = act.code.sig.decl;
    let Some((specs, map)) = world.specs(decl).zip(world.specs_map(decl)) else {
        return doubt(format!("the gate of `{}`", act.code.sig.name));
    };
    if specs.of_kind(ClauseKind::Asserts).next().is_none() {
        return failing(structure, act, globals);
    }
    let frame = act.frame(globals, Checks::Dropped);
    let mut places = Vec::new();
    let view = frame.view(globals);
    for (nth, holds) in clauses(structure, &specs, (ClauseKind::Asserts, true), view) {
        if !holds? {
            places.push(map.clause(nth));
        }
    }
    Ok(Failing { places, complete: true })
}

/// Where assertions of the body of an action fail.
pub(super) fn failing(structure: &Structure<'_>, act: &Act, globals: &Globals) -> Known<Failing> {
    let acts = std::slice::from_ref(act);
    let explorer = Explorer { structure, held: &[], given: Vec::new(), types: RefCell::default() };
    let mut found = explorer.explore(acts, globals, Checks::Demanded);
    if found.open.is_empty() {
        return Ok(Failing { places: found.failed, complete: true });
    }
    let types = explorer.types.borrow().clone();
    let (combinations, complete) = combinations(structure, &types, &[]);
    let mut open = None;
    for given in combinations.into_iter().filter(|it| it.iter().all(Option::is_some)) {
        let explorer = Explorer { structure, held: &[], given, types: RefCell::default() };
        let more = explorer.explore(acts, globals, Checks::Demanded);
        found.failed.extend(more.failed);
        open = open.or(more.open.into_iter().next());
    }
    match open {
        Some(why) if found.failed.is_empty() => Err(why),
        Some(_) | None => Ok(Failing { places: found.failed, complete }),
    }
}

/// Values for choices of these types; those that are fixed are not varied. Are these all?
fn combinations(
    structure: &Structure<'_>,
    types: &[Ty],
    fixed: &[Option<Value>],
) -> (Vec<Vec<Option<Value>>>, bool) {
    let mut all: Vec<Vec<Option<Value>>> = vec![Vec::new()];
    let mut complete = true;
    for (nth, ty) in types.iter().enumerate() {
        let values = match (fixed.get(nth).cloned().flatten(), structure.elements(ty)) {
            (Some(value), _) => vec![Some(value)],
            (None, Some(values)) => values.into_iter().map(Some).collect(),
            (None, None) => {
                complete = false;
                let values = structure.candidates("", ty).into_iter().map(Some);
                values.chain([None]).collect()
            }
        };
        if all.len() * values.len() > MOST_COMBINATIONS {
            return (all, false);
        }
        let longer = |tuple: &Vec<Option<Value>>| {
            let tuple = tuple.clone();
            values
                .clone()
                .into_iter()
                .map(move |value| tuple.iter().cloned().chain([value]).collect::<Vec<_>>())
        };
        all = all.iter().flat_map(longer).collect();
    }
    (all, complete)
}

/// Can the actions, one after the other, lead from the state to the goal?
pub(super) fn reaches(
    structure: &Structure<'_>,
    acts: &[Act],
    globals: &Globals,
    goal: &Goal,
) -> Known<bool> {
    let explorer =
        Explorer { structure, held: &goal.held, given: Vec::new(), types: RefCell::default() };
    let found = explorer.explore(acts, globals, Checks::Dropped);
    let mut open = Vec::new();
    for end in &found.ends {
        match arrived(structure, acts, end, goal) {
            Ok(true) if !end.maybe => return Ok(true),
            Ok(false) => {}
            Ok(true) | Err(_) => open.push(end),
        }
    }
    let mut why = None;
    for end in open {
        match along(structure, (acts, globals), end, goal) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(it) => why = Some(it),
        }
    }
    if let Some(unseen) = found.open.into_iter().next() {
        let types = explorer.types.borrow().clone();
        match tried(structure, (acts, globals), (&types, &[], None), goal) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(_) => why = Some(unseen),
        }
    }
    why.map_or(Ok(false), Err)
}

/// The same along the path on which `end` was found.
fn along(
    structure: &Structure<'_>,
    (acts, globals): (&[Act], &Globals),
    end: &Machine,
    goal: &Goal,
) -> Known<bool> {
    let mut fixed: Vec<Option<Value>> = vec![None; end.choices.len()];
    let mut fix = |slot: Option<&Slot>, value: &Value| {
        if let Some(Slot::Choice(nth)) = slot {
            fixed[*nth] = Some(value.clone());
        }
    };
    for (name, value) in &goal.globals {
        fix(end.globals.get(name), value);
    }
    for (slots, values) in end.results.iter().zip(&goal.results) {
        slots.iter().zip(values).for_each(|(slot, value)| fix(Some(slot), value));
    }
    tried(structure, (acts, globals), (&end.choices, &fixed, Some(end)), goal)
}

/// Tries values for choices, on the path of `like` or on all.
fn tried(
    structure: &Structure<'_>,
    (acts, globals): (&[Act], &Globals),
    (types, fixed, like): (&[Ty], &[Option<Value>], Option<&Machine>),
    goal: &Goal,
) -> Known<bool> {
    let (combinations, complete) = combinations(structure, types, fixed);
    let mut why = (!complete).then(|| Doubt("a choice among infinitely many values".into()));
    for given in combinations {
        let explorer = Explorer { structure, held: &goal.held, given, types: RefCell::default() };
        let found = explorer.explore(acts, globals, Checks::Dropped);
        let on_path = |end: &&Machine| like.is_none_or(|like| like.trail == end.trail);
        for end in found.ends.iter().filter(on_path) {
            match arrived(structure, acts, end, goal) {
                Ok(true) if !end.maybe => return Ok(true),
                Ok(false) => {}
                Ok(true) => why = Some(Doubt("a condition on the way".into())),
                Err(it) => why = Some(it),
            }
        }
        if like.is_none() {
            why = why.or(found.open.into_iter().next());
        }
    }
    why.map_or(Ok(false), Err)
}

/// Is this the wanted state?
fn arrived(structure: &Structure<'_>, acts: &[Act], end: &Machine, goal: &Goal) -> Known<bool> {
    let globals = goal.globals.iter().map(|(name, value)| {
        let ty = structure.world.global(name).map(|it| it.ty.clone());
        same(structure, end.globals.get(name), value, ty.as_ref())
    });
    let results =
        goal.results.iter().zip(&end.results).zip(acts).flat_map(|((values, slots), act)| {
            let types = act.code.sig.outs.iter().map(|it| it.ty.clone());
            let parts = values.iter().zip(slots).zip(types);
            parts.map(|((value, slot), ty)| same(structure, Some(slot), value, Some(&ty)))
        });
    all(globals.chain(results).chain([made_before(end, goal)]))
}

/// Is everything that was made new allowed to be?
fn made_before(end: &Machine, goal: &Goal) -> Known<bool> {
    let (Some(allowed), Some(made)) = (&goal.made, &end.made) else { return Ok(true) };
    let is_allowed = |new: &Slot| {
        let mut answer = Ok(false);
        for old in allowed {
            match (new, old) {
                (Slot::Known(new), Slot::Known(old)) if new == old => return Ok(true),
                (Slot::Known(_), Slot::Known(_)) => {}
                _unknown => answer = doubt("a location that is not known"),
            }
        }
        answer
    };
    all(made.iter().map(is_allowed))
}

/// Does the variable hold this value?
pub(super) fn same(
    structure: &Structure<'_>,
    slot: Option<&Slot>,
    value: &Value,
    ty: Option<&Ty>,
) -> Known<bool> {
    match (slot, ty) {
        (Some(Slot::Known(own)), Some(ty)) => structure.equal(own, value, ty),
        (Some(Slot::Choice(_) | Slot::Unknown) | None, _) | (_, None) => {
            doubt("a value that is not known")
        }
    }
}

/// All states in which an action can end, as far as they are known.
pub(super) fn ends(structure: &Structure<'_>, act: &Act, globals: &Globals) -> Known<Vec<Globals>> {
    let explorer = Explorer { structure, held: &[], given: Vec::new(), types: RefCell::default() };
    let found = explorer.explore(std::slice::from_ref(act), globals, Checks::Dropped);
    match found.open.into_iter().next() {
        Some(why) => Err(why),
        None => Ok(found.ends.into_iter().map(|end| end.globals).collect()),
    }
}
