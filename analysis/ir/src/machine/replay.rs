//! Is a violation one?
//!
//! **In:** a schedule and what it is said to break. **Out:** where the machine does not follow, if
//! anywhere.

use std::collections::BTreeSet;

use super::{Claims, Configuration, Done, Frame, Halt, Machine, no};
use crate::{
    exploration::{Event, Mismatch, Schedule, Scope, Violated},
    layer::{LayerProgram, Next, Spec},
    site::Site,
    value::Value,
};

/// Follows the schedule; fine if `what` is broken at its end and nothing before.
pub fn replay(
    program: &LayerProgram,
    scope: &Scope,
    what: &Violated,
    schedule: &Schedule,
) -> Result<(), Mismatch> {
    let mut machine = Machine::new(program, scope, &schedule.start.functions);
    if let Violated::Check { id, .. } = what {
        machine.claims = Claims::Only(*id);
    }
    let start = machine.start(&schedule.start);
    if machine.ruled_out(&start) != Ok(false) {
        let what = "a `where` clause of a global does not hold at the start".to_owned();
        return Err(Mismatch { turn: 0, what });
    }
    let mut config = start.clone();
    let mut history = Vec::new();
    for (nth, turn) in schedule.turns.iter().enumerate() {
        let mismatch =
            |what: String| Mismatch { turn: u32::try_from(nth).unwrap_or(u32::MAX), what };
        let mut choices = &turn.choices[..];
        for step in 0..turn.steps {
            let taken = machine.step(&config, turn.thread, choices);
            choices = &choices[taken.choices.len()..];
            let is_last = nth + 1 == schedule.turns.len() && step + 1 == turn.steps;
            match (taken.result, what) {
                (Ok((next, events)), _) => {
                    config = next;
                    history.extend(events);
                }
                (Err(Halt::Failed { id, .. }), Violated::Check { id: wanted, .. })
                    if is_last && id == *wanted =>
                {
                    return Ok(());
                }
                (Err(Halt::Failed { id, .. }), _) => {
                    return Err(mismatch(format!("condition {} fails here", id.0)));
                }
                (Err(Halt::Blocked), _) => {
                    return Err(mismatch("the thread cannot move".to_owned()));
                }
                (Err(Halt::Unknown(why)), _) => return Err(mismatch(why)),
            }
        }
        if !choices.is_empty() {
            return Err(mismatch("a decision that nobody asks for".to_owned()));
        }
    }
    let turn = u32::try_from(schedule.turns.len()).unwrap_or(u32::MAX);
    let at_end = |what: String| Mismatch { turn, what };
    match what {
        Violated::Check { .. } => Err(at_end("nothing fails".to_owned())),
        Violated::Deadlock(sites) => {
            let stuck = machine.stuck(&config).map_err(|halt| at_end(words(&halt)))?;
            let said: BTreeSet<Site> = sites.iter().copied().collect();
            if stuck == Some(said) {
                Ok(())
            } else {
                Err(at_end("other threads wait, or elsewhere, or some can move".to_owned()))
            }
        }
        Violated::NoSpecification { .. } => match explains(&machine, &start, &history) {
            Ok(false) => Ok(()),
            Ok(true) => Err(at_end("an order of atomic steps explains the run".to_owned())),
            Err(halt) => Err(at_end(words(&halt))),
        },
        Violated::Commutes(..) => Err(at_end("the machine does not compare orders".to_owned())),
    }
}

fn words(halt: &Halt) -> String {
    match halt {
        Halt::Blocked => "it is blocked".to_owned(),
        Halt::Failed { id, .. } => format!("condition {} fails", id.0),
        Halt::Unknown(why) => why.clone(),
    }
}

impl Machine<'_> {
    /// Where threads wait that have not finished, if no thread can move and there are some. Unknown, if
    /// a value beyond the scope may let one go on.
    pub fn stuck(&self, config: &Configuration) -> Done<Option<BTreeSet<Site>>> {
        let mut sites = BTreeSet::new();
        self.cut.set(false);
        for (thread, state) in (0..).zip(&config.threads) {
            for found in self.successors(config, thread) {
                match found.result {
                    Ok(_) | Err(Halt::Failed { .. }) => return Ok(None),
                    Err(Halt::Unknown(why)) => return no(why),
                    Err(Halt::Blocked) => {}
                }
            }
            if let Some(frame) = &state.frame {
                self.waiting_sites(frame, &mut sites);
            }
        }
        if self.cut.get() && !sites.is_empty() {
            return no("a value beyond the scope may let a thread go on");
        }
        Ok((!sites.is_empty()).then_some(sites))
    }

    fn waiting_sites(&self, frame: &Frame, sites: &mut BTreeSet<Site>) {
        let children: Vec<&Frame> = frame
            .children
            .iter()
            .filter_map(|child| match child {
                super::Child::Running(child) => Some(child),
                super::Child::Act(_) | super::Child::Done => None,
            })
            .collect();
        let waits_itself = children.len() < frame.children.len() || frame.children.is_empty();
        children.iter().for_each(|child| self.waiting_sites(child, sites));
        let open = frame.children.iter().any(|child| matches!(child, super::Child::Act(_)));
        if waits_itself && (open || frame.children.is_empty()) {
            let node = self
                .program
                .procedure(frame.procedure)
                .and_then(|it| it.nodes.get(frame.node.index()));
            let step = self.waiting_step(frame).map(|step| step.site());
            // At the end of a node the guards of its targets are what it waits for.
            let guard = node.and_then(|node| match &node.next {
                Next::Goto(targets) => targets.first(),
                Next::Return => None,
            });
            let guard = guard.and_then(|target| {
                let procedure = self.program.procedure(frame.procedure)?;
                procedure
                    .nodes
                    .get(target.index())
                    .map(|node| node.steps.first().map_or(node.site, |step| step.site()))
            });
            sites.extend(step.or(guard).or(node.map(|node| node.site)));
        }
    }
}

/// What a call of a root is to the specification.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// Called, and not done.
    Pending,
    /// Done, with these results; nothing for results that are anybody's.
    Done(Option<Vec<Value>>),
    Returned,
}

/// A state of the specification: the configuration with the globals as atomic steps made them, and
/// how far each call is.
type Explained = (Configuration, Vec<Status>);

/// Is there an order of the atomic actions, each between its call and its return, that has these
/// results? Also if an action of the specification may fail: then anything goes.
pub fn explains(machine: &Machine<'_>, start: &Configuration, history: &[Event]) -> Done<bool> {
    let mut calls: Vec<(u32, &Spec, &[Value])> = Vec::new();
    let mut states: BTreeSet<Explained> = BTreeSet::from([(start.clone(), Vec::new())]);
    for event in history {
        match event {
            Event::Call { thread, procedure, args } => {
                let spec = machine.program.procedure(*procedure).and_then(|it| it.spec.as_ref());
                let Some(spec) = spec else { return no("a root without specification") };
                calls.push((*thread, spec, args));
                states = states
                    .into_iter()
                    .map(|(config, mut statuses)| {
                        statuses.push(Status::Pending);
                        (config, statuses)
                    })
                    .collect();
                match close(machine, &calls, states)? {
                    Some(closed) => states = closed,
                    None => return Ok(true),
                }
            }
            Event::Return { thread, procedure, results } => {
                let Some(call) = calls.iter().rposition(|(caller, ..)| caller == thread) else {
                    return no("a return without call");
                };
                let outs = spec_outs(machine, *procedure);
                let seen: Vec<Value> =
                    outs.iter().filter_map(|nth| results.get(*nth as usize).cloned()).collect();
                states.retain(|(_, statuses)| match &statuses[call] {
                    Status::Done(None) => true,
                    Status::Done(Some(values)) => *values == seen,
                    Status::Pending | Status::Returned => false,
                });
                if states.is_empty() {
                    return Ok(false);
                }
                states = states
                    .into_iter()
                    .map(|(config, mut statuses)| {
                        statuses[call] = Status::Returned;
                        (config, statuses)
                    })
                    .collect();
            }
            Event::Named { .. } => {}
        }
    }
    Ok(true)
}

fn spec_outs(machine: &Machine<'_>, procedure: crate::layer::ProcId) -> Vec<u32> {
    match machine.program.procedure(procedure).and_then(|it| it.spec.as_ref()) {
        Some(Spec::Action { outs, .. }) => outs.clone(),
        Some(Spec::Skip) | None => Vec::new(),
    }
}

/// Everything that pending calls can do; nothing if one of them can fail.
fn close(
    machine: &Machine<'_>,
    calls: &[(u32, &Spec, &[Value])],
    states: BTreeSet<Explained>,
) -> Done<Option<BTreeSet<Explained>>> {
    let mut closed = states.clone();
    let mut todo: Vec<Explained> = states.into_iter().collect();
    while let Some((config, statuses)) = todo.pop() {
        for (nth, (_, spec, args)) in calls.iter().enumerate() {
            if statuses[nth] != Status::Pending {
                continue;
            }
            let mut add = |config: Configuration, results: Option<Vec<Value>>| {
                let mut statuses = statuses.clone();
                statuses[nth] = Status::Done(results);
                if closed.insert((config.clone(), statuses.clone())) {
                    todo.push((config, statuses));
                }
            };
            let Spec::Action { action, ins, .. } = spec else {
                add(config.clone(), None);
                continue;
            };
            let args: Vec<Option<Value>> =
                ins.iter().map(|nth| args.get(*nth as usize).cloned()).collect();
            for (found, outs) in machine.outcomes(*action, &args, &config) {
                match (found, outs.into_iter().collect::<Option<Vec<Value>>>()) {
                    (Ok(config), Some(outs)) => add(config, Some(outs)),
                    (Ok(_), None) => return no("a result without value"),
                    (Err(Halt::Failed { .. }), _) => return Ok(None),
                    (Err(halt), _) => return Err(halt),
                }
            }
        }
    }
    Ok(Some(closed))
}
