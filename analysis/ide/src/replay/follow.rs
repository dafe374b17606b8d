//! Following a run: a search for a run of the text that passes the same moments.
//!
//! **In:** the moments of a run, with what they show, and the check it fails at. **Out:** whether the text
//! has a run that passes them all, with these values, and then fails there.
//!
//! What the text leaves to chance is taken from the next moment that shows it, or from the other
//! values of the run; every guess is good, since what follows is computed.

use std::cell::{Cell, RefCell};

use base::Place;
use hir::VarRef;
use ir::Value;
use obligations::{AssertInfo, Unit};

use super::machine::{Check, Guide, Machine, Slot, Stop, Walk};
use super::structure::{Doubt, Known, Structure};

/// More steps than this are not made.
const MOST_STEPS: usize = 20_000;
/// More values than this are not tried for one choice.
const MOST_VALUES: usize = 24;

/// A moment of the run, as it is shown.
pub(super) struct Moment {
    pub(super) place: Place,
    pub(super) what: String,
    pub(super) state: Vec<(String, Value)>,
}

impl Moment {
    /// What the moment shows of a variable.
    pub(super) fn shows(&self, name: &str) -> Option<&Value> {
        self.state.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }
}

/// A run that is followed.
pub(super) struct Follower<'a> {
    pub(super) structure: &'a Structure<'a>,
    pub(super) moments: Vec<Moment>,
    pub(super) target: &'a AssertInfo,
    steps: Cell<usize>,
    /// The doubt of the attempt that passed most moments.
    best: RefCell<Option<(usize, usize, Doubt)>>,
}

/// The moments of a trace.
pub(super) fn moments(unit: &Unit, trace: &ir::Trace) -> Vec<Moment> {
    let mut found = Vec::new();
    for step in &trace.steps {
        let ir::StepKind::Capture(id) = step.kind else { continue };
        let Some(point) = unit.captures.get(id.0 as usize) else { continue };
        let state = step.state.iter().map(|(name, value)| (name.to_string(), value.clone()));
        let (place, what) = (point.place, point.what.clone());
        found.push(Moment { place, what, state: state.collect() });
    }
    found
}

impl<'a> Follower<'a> {
    pub(super) fn new(
        structure: &'a Structure<'a>,
        moments: Vec<Moment>,
        target: &'a AssertInfo,
    ) -> Follower<'a> {
        Follower { structure, moments, target, steps: Cell::new(0), best: RefCell::new(None) }
    }

    /// Searches from these machines.
    pub(super) fn search(
        &self,
        start: Walk,
        step: &dyn Fn(Machine) -> Walk,
    ) -> Known<()> {
        let mut todo = match start {
            Ok(machines) => machines,
            Err(Stop::Reached) => return Ok(()),
            Err(stop) => {
                self.remember(0, stop);
                Vec::new()
            }
        };
        while let Some(machine) = todo.pop() {
            self.steps.set(self.steps.get() + 1);
            let seen = machine.seen;
            if self.steps.get() > MOST_STEPS {
                self.remember(usize::MAX, Stop::Open(Doubt("too many steps".into())));
                break;
            }
            match step(machine) {
                Ok(next) => todo.extend(next.into_iter().rev()),
                Err(Stop::Reached) => return Ok(()),
                Err(stop) => self.remember(seen, stop),
            }
        }
        let best = self.best.borrow_mut().take();
        Err(best.map_or_else(|| Doubt("no run".into()), |(_, _, why)| why))
    }

    fn remember(&self, seen: usize, stop: Stop) {
        let why = match stop {
            Stop::Dead(why) | Stop::Open(why) => why,
            Stop::Failed(_) => Doubt("another check fails first".into()),
            Stop::Reached => return,
        };
        let mut best = self.best.borrow_mut();
        let steps = self.steps.get();
        if best.as_ref().is_none_or(|(most, _, _)| *most < seen) {
            *best = Some((seen, steps, why));
        }
    }

    /// The next moment of the run is this one, and shows what the machine holds. What the machine
    /// does not know is as shown.
    pub(super) fn pass(&self, machine: &mut Machine, place: Place, what: &str) -> Result<(), Stop> {
        let Some(moment) = self.moments.get(machine.seen) else {
            return Err(Stop::Dead(Doubt(format!("the run ends before this moment: {what}"))));
        };
        if moment.place != place || moment.what != what {
            return Err(Stop::Dead(Doubt(format!("the run passes another moment: {}", moment.what))));
        }
        for (name, value) in &moment.state {
            let Some(var) = variable(machine, name) else { continue };
            match machine.get(&var) {
                Slot::Known(own) if own == *value => {}
                Slot::Known(own) => {
                    let ty = machine.top().ty(&var, self.structure.world);
                    let same = ty.map(|ty| self.structure.equal(&own, value, &ty));
                    if same != Some(Ok(true)) {
                        let why = format!("{what}, `{name}` is {own}, and not as shown");
                        return Err(Stop::Dead(Doubt(why)));
                    }
                }
                Slot::Choice(_) | Slot::Unknown => machine.set(&var, Slot::Known(value.clone())),
            }
        }
        machine.seen += 1;
        Ok(())
    }

    /// These variables are as the next moment shows them.
    pub(super) fn adopt(&self, machine: &mut Machine, vars: &[VarRef]) {
        let next = self.moments.get(machine.seen);
        for var in vars {
            let name = machine.top().name(var);
            let value = next.and_then(|moment| moment.shows(name.as_str())).cloned();
            machine.set(var, value.map_or(Slot::Unknown, Slot::Known));
        }
    }

    /// Is this the check that the run is said to fail?
    pub(super) fn is_target(&self, check: &Check) -> bool {
        let target = self.target;
        let clause = check.clause.is_none_or(|clause| {
            target.reported_at == Some(clause) || target.related.iter().any(|(at, _)| *at == clause)
        });
        target.claim == check.claim && target.place == check.place && clause
    }

    /// The check fails, after all moments of the run.
    pub(super) fn reached(&self, machine: &Machine) -> Stop {
        match machine.seen == self.moments.len() {
            true => Stop::Reached,
            false => Stop::Dead(Doubt("the run fails before its end".into())),
        }
    }
}

/// The variable of this name in the outermost body.
fn variable(machine: &Machine, name: &str) -> Option<VarRef> {
    let frame = machine.frames.first()?;
    let mut locals = frame.code.body.local_ids();
    let local = locals.find(|id| frame.code.body.local(*id).name == *name);
    local.map(VarRef::Local).or_else(|| Some(VarRef::Global(base::Name::new(name))))
}

impl Guide for Follower<'_> {
    fn structure(&self) -> &Structure<'_> {
        self.structure
    }

    fn choose(&self, machine: Machine, var: &VarRef) -> Vec<Machine> {
        let frame = machine.top();
        let (name, ty) = (frame.name(var), frame.ty(var, self.structure.world));
        let outer = machine.frames.len() == 1 || matches!(var, VarRef::Global(_));
        let mut values: Vec<Value> = Vec::new();
        if outer {
            let next = self.moments.get(machine.seen).and_then(|it| it.shows(name.as_str()));
            values.extend(next.cloned());
        }
        if let Some(ty) = ty {
            let more = self.structure.candidates(name.as_str(), &ty);
            values.extend(more.into_iter().filter(|it| !values.contains(it)).collect::<Vec<_>>());
        }
        values.truncate(MOST_VALUES);
        if values.is_empty() {
            let mut machine = machine;
            machine.set(var, Slot::Unknown);
            return vec![machine];
        }
        let with = |value: Value| {
            let mut machine = machine.clone();
            machine.set(var, Slot::Known(value));
            machine
        };
        values.into_iter().map(with).collect()
    }

    fn assume(&self, _: &mut Machine, holds: Known<bool>, what: &str) -> Result<(), Stop> {
        match holds {
            Ok(true) => Ok(()),
            Ok(false) => Err(Stop::Dead(Doubt(format!("{what} is false on this run")))),
            Err(why) => Err(Stop::Open(Doubt(format!("{what} depends on {}", why.0)))),
        }
    }

    fn demand(&self, machine: &mut Machine, holds: Known<bool>, check: Check) -> Result<(), Stop> {
        match (self.is_target(&check), holds) {
            (true, Ok(false)) => Err(self.reached(machine)),
            (_, Ok(true)) => Ok(()),
            (false, Ok(false)) => Err(Stop::Dead(Doubt("another check fails first".into()))),
            (_, Err(why)) => Err(Stop::Open(Doubt(format!("a check depends on {}", why.0)))),
        }
    }
}
