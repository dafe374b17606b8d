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
use obligations::{AssertInfo, Moment, Unit};

use super::log::Ran;
use super::machine::{Check, Guide, Machine, Slot, Stop, Walk};
use super::structure::{Doubt, Known, Structure};

/// More steps than this are not made.
const MOST_STEPS: usize = 6_000;
/// More values than this are not tried for one choice.
const MOST_VALUES: usize = 24;

/// The state at a moment of the run, as it is shown.
pub(super) struct ShownState {
    place: Place,
    moment: Moment,
    pub(super) state: Vec<(String, Value)>,
}

/// Which of two variables of the same name: in procedures locals are shown first, in checks about
/// actions globals are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Only,
    First,
    Second,
}

impl ShownState {
    /// What the moment shows of a variable. If only one of two is shown, nobody knows which.
    pub(super) fn shows(&self, name: &str, which: Shown) -> Option<&Value> {
        let mut all = self.state.iter().filter(|(own, _)| own == name).map(|(_, value)| value);
        let (first, second) = (all.next(), all.next());
        match which {
            Shown::Only => first,
            Shown::First => second.and(first),
            Shown::Second => second,
        }
    }

    /// What the moment shows of a variable of the outermost body.
    fn of(&self, machine: &Machine, var: &VarRef) -> Option<&Value> {
        let locals = &machine.frames.first()?.code.body.locals;
        match var {
            VarRef::Local(id) => {
                let name = &locals.get(id.index())?.name;
                self.shows(name.as_str(), Shown::First).or(self.shows(name.as_str(), Shown::Only))
            }
            VarRef::Global(name) => {
                let shadowed = locals.iter().any(|local| local.name == *name);
                self.shows(name.as_str(), if shadowed { Shown::Second } else { Shown::Only })
            }
            VarRef::Error => None,
        }
    }
}

/// A run that is followed.
pub(super) struct Follower<'a> {
    pub(super) structure: &'a Structure<'a>,
    pub(super) moments: Vec<ShownState>,
    pub(super) target: &'a AssertInfo,
    steps: Cell<usize>,
    /// The doubt of the attempt that passed most moments.
    best: RefCell<Option<(usize, usize, Doubt)>>,
    /// The run that got there.
    ran: RefCell<Ran>,
}

/// The moments of a trace.
pub(super) fn moments(unit: &Unit, trace: &ir::Trace) -> Vec<ShownState> {
    let mut found = Vec::new();
    for step in &trace.steps {
        let ir::StepKind::Capture(id) = step.kind else { continue };
        let Some(point) = unit.captures.get(id.0 as usize) else { continue };
        let state = step.state.iter().map(|(name, value)| (name.to_string(), value.clone()));
        let (place, moment) = (point.place, point.moment.clone());
        found.push(ShownState { place, moment, state: state.collect() });
    }
    found
}

impl<'a> Follower<'a> {
    pub(super) fn new(
        structure: &'a Structure<'a>,
        moments: Vec<ShownState>,
        target: &'a AssertInfo,
    ) -> Follower<'a> {
        let (steps, best, ran) = (Cell::new(0), RefCell::new(None), RefCell::default());
        Follower { structure, moments, target, steps, best, ran }
    }

    /// The run that was found; nothing of it is known where no statement was executed.
    pub(super) fn ran(&self) -> Ran {
        self.ran.borrow().clone()
    }

    /// Searches from these machines.
    pub(super) fn search(&self, start: Walk, step: &dyn Fn(Machine) -> Walk) -> Known<()> {
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
    pub(super) fn pass(
        &self,
        machine: &mut Machine,
        place: Place,
        moment: &Moment,
    ) -> Result<(), Stop> {
        let Some(shown) = self.moments.get(machine.seen) else {
            return Err(Stop::Dead(Doubt("the run is over here".into())));
        };
        if shown.place != place || shown.moment != *moment {
            return Err(Stop::Dead(Doubt("the run passes another moment".into())));
        }
        for var in self.variables(machine) {
            let Some(value) = shown.of(machine, &var) else { continue };
            let name = machine.top().name(&var);
            match machine.get(&var) {
                Slot::Known(own) if own == *value => {}
                Slot::Known(own) => {
                    let ty = machine.top().ty(&var, self.structure.world);
                    let same = ty.map(|ty| self.structure.equal(&own, value, &ty));
                    if same != Some(Ok(true)) {
                        let why = format!("`{name}` is {own}, not as shown");
                        return Err(Stop::Dead(Doubt(why)));
                    }
                }
                Slot::Choice(_) | Slot::Unknown => machine.learn(&var, Slot::Known(value.clone())),
            }
        }
        machine.seen += 1;
        machine.log.passed(moment);
        Ok(())
    }

    /// These variables are as the next moment shows them.
    pub(super) fn adopt(&self, machine: &mut Machine, vars: &[VarRef]) {
        for var in vars {
            let value = self.next_value(machine, var);
            machine.set(var, value.map_or(Slot::Unknown, Slot::Known));
        }
    }

    /// The value that the next moment shows; if it does not matter to the run, any.
    pub(super) fn next_value(&self, machine: &Machine, var: &VarRef) -> Option<Value> {
        let next = self.moments.get(machine.seen);
        let shown = next.and_then(|moment| moment.of(machine, var)).cloned();
        shown.or_else(|| {
            let frame = machine.top();
            let ty = frame.ty(var, self.structure.world)?;
            self.structure.candidates(frame.name(var).as_str(), &ty).into_iter().next()
        })
    }

    /// The variables of the outermost body and the globals.
    fn variables(&self, machine: &Machine) -> Vec<VarRef> {
        let locals = machine.frames.first().into_iter();
        let locals = locals.flat_map(|frame| frame.code.body.local_ids()).map(VarRef::Local);
        locals.chain(machine.globals.keys().cloned().map(VarRef::Global)).collect()
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
            true => {
                self.ran.replace(machine.log.told());
                Stop::Reached
            }
            false => Stop::Dead(Doubt("the run fails before its end".into())),
        }
    }
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
            let next = self.moments.get(machine.seen).and_then(|it| it.of(&machine, var));
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
