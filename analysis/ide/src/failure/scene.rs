//! The failing run, step by step, with everything that explanations need to know about it.

use std::collections::{BTreeMap, BTreeSet};

use base::{Name, Place};
use ir::{Capture, CaptureId, Item, Question, Refutation, Term, Value, Var};
use obligations::{AssertInfo, Moment, Unit, UnitKey, World};

use super::inner::Inner;
use super::unset::Unset;
use super::values::{Difference, differences, shown};
use crate::Analysis;
use crate::failure::trace_view::{Actor, Change, TraceStep};
use crate::types::Location;

/// A failing run.
pub(crate) struct Scene<'a> {
    pub(crate) analysis: &'a Analysis,
    pub(crate) world: World<'a>,
    pub(crate) unit: &'a Unit,
    pub(crate) info: &'a AssertInfo,
    pub(crate) question: &'a Question,
    pub(crate) refutation: &'a Refutation,
    pub(super) stops: Vec<Stop>,
}

/// A moment of the run at which the state is known.
pub(super) struct Stop {
    pub(super) at: Option<Location>,
    pub(super) moment: Moment,
    /// Everything known so far.
    pub(super) state: BTreeMap<String, Value>,
    /// The variables captured here, in the order of the text.
    pub(super) captured: Vec<String>,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(
        analysis: &'a Analysis,
        program: base::Program,
        unit: &'a Unit,
        info: &'a AssertInfo,
        (question, refutation): (&'a Question, &'a Refutation),
    ) -> Scene<'a> {
        let world = World::new(&analysis.db, program);
        let captures = captures(question);
        let mut unset = Unset::default();
        let mut stops = Vec::new();
        let mut state: BTreeMap<String, Value> = BTreeMap::new();
        for step in &refutation.trace().steps {
            let ir::StepKind::Capture(id) = step.kind else { continue };
            let Some(point) = unit.captures.get(id.0 as usize) else { continue };
            let mut captured = Vec::new();
            let capture = captures.get(&id);
            let is_entry = point.moment == Moment::Entry;
            let path = path_items(question, refutation);
            if let Some(entry) = capture.filter(|_| is_entry && !path.is_empty()) {
                let is_local = |name: &str| is_unset(world, unit, &readable(name));
                unset = Unset::new(&path, entry, &is_local);
            }
            for (name, value) in &step.state {
                let hidden = capture
                    .and_then(|it| it.values.iter().find(|(own, _)| own == name))
                    .is_some_and(|(_, term)| unset.hides(term));
                let name = readable(name.as_str());
                if hidden || is_entry && is_unset(world, unit, &name) {
                    continue;
                }
                state.insert(name.clone(), value.clone());
                captured.push(name);
            }
            let at = analysis.location(point.place);
            let moment = point.moment.clone();
            stops.push(Stop { at, moment, state: state.clone(), captured });
        }
        Scene { analysis, world, unit, info, question, refutation, stops }
    }

    /// The steps at which something changes, the first and the last; what statements changed stands
    /// with them, and only the rest with the moments.
    pub(crate) fn steps(&self, inner: &Inner) -> Vec<TraceStep> {
        let relevant = self.relevant();
        let last = self.stops.len().saturating_sub(1);
        let rest: Vec<TraceStep> =
            inner.told(last, last + 1).into_iter().chain(inner.failing.clone()).collect();
        let goes_on = !rest.is_empty();
        let mut steps = Vec::new();
        for (nth, stop) in self.stops.iter().enumerate() {
            let changes = match nth {
                0 => self.opening(stop, &relevant),
                _ => {
                    steps.extend(inner.told(nth - 1, nth));
                    self.unexplained(nth, inner)
                }
            };
            if !changes.is_empty() || nth == 0 || nth == last && !goes_on {
                let what = obligations::render::moment(&stop.moment);
                let actor = actor_before(&stop.moment);
                let changes = changes.into_iter().map(|(name, value)| Change::new(name, value));
                steps.push(TraceStep { at: stop.at, what, changes: changes.collect(), actor });
            }
        }
        steps.extend(rest);
        steps
    }

    /// What is new at a moment and was not done by a statement right before it.
    fn unexplained(&self, nth: usize, inner: &Inner) -> Vec<(String, String)> {
        let (before, after) = (&self.stops[nth - 1], &self.stops[nth]);
        if !inner.is_known() {
            return self.changes(&before.state, after);
        }
        let mut state = before.state.clone();
        inner.overlay(nth, &mut state);
        let mut changes = self.changes(&state, after);
        if after.moment == Moment::AfterOthers {
            // The results of a call that yields are told as its own step.
            let root = |path: &str| path.split(['[', '-']).next().map(Name::new);
            let is_global = |name: Name| self.world.global(&name).is_some();
            changes.retain(|(path, _)| root(path).is_some_and(is_global));
        }
        changes
    }

    /// The same for the moment at which the run starts.
    pub(super) fn at_entry(&self) -> Vec<(String, String)> {
        self.stops.first().map_or_else(Vec::new, |stop| self.opening(stop, &self.relevant()))
    }

    /// The state where the run starts, as far as the failure depends on it.
    fn opening(&self, stop: &Stop, relevant: &BTreeSet<String>) -> Vec<(String, String)> {
        let wanted = stop.captured.iter().filter(|name| relevant.contains(*name));
        wanted.filter_map(|name| Some((name.clone(), shown(stop.state.get(name)?)))).collect()
    }

    /// What differs between two moments, as paths and new values; new variables included.
    pub(super) fn changes(
        &self,
        before: &BTreeMap<String, Value>,
        after: &Stop,
    ) -> Vec<(String, String)> {
        let mut changes = Vec::new();
        for name in &after.captured {
            let Some(value) = after.state.get(name) else { continue };
            match before.get(name) {
                None => changes.push((name.clone(), shown(value))),
                Some(old) => {
                    let found = differences(name, old, value, &self.question.signature);
                    changes.extend(found.into_iter().map(|it| (it.path, it.after)));
                }
            }
        }
        changes
    }

    /// Where the globals among `names` differ between two moments.
    pub(super) fn differences(
        &self,
        before: &Stop,
        after: &Stop,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Vec<Difference> {
        let names = after.captured.iter().filter(|name| wanted(name));
        let found = names.filter_map(|name| {
            let (old, new) = (before.state.get(name)?, after.state.get(name)?);
            Some(differences(name, old, new, &self.question.signature))
        });
        found.flatten().collect()
    }

    /// Variables that change, and those that the failing condition depends on.
    fn relevant(&self) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for pair in self.stops.windows(2) {
            let (before, after) = (&pair[0], &pair[1]);
            let differs = |name: &&String| before.state.get(*name) != after.state.get(*name);
            names.extend(after.captured.iter().filter(differs).cloned());
        }
        let cone = self.cone();
        let Some(first) = self.stops.first() else { return names };
        for name in &first.captured {
            let own = name.rsplit('.').next().unwrap_or(name);
            if cone.is_empty() || cone.contains(own) || cone.contains(name.as_str()) {
                names.insert(name.clone());
            }
        }
        names
    }

    /// The names of the program that the failing condition depends on: those it mentions and, along
    /// the path, those that these were computed from or compared with.
    fn cone(&self) -> BTreeSet<String> {
        let mut vars: BTreeSet<Var> = self.failing_term().iter().flat_map(ir::free_vars).collect();
        vars.extend(self.branch_vars());
        let items: Vec<&Item> = path_items(self.question, self.refutation);
        loop {
            let before = vars.len();
            for item in items.iter().rev() {
                let (Item::Assume { term, .. } | Item::Assert { term, .. }) = item else {
                    continue;
                };
                let free = ir::free_vars(term);
                let short = free.len() <= 3;
                if short && !free.is_disjoint(&vars) {
                    vars.extend(free);
                }
            }
            if vars.len() == before {
                break;
            }
        }
        vars.iter().map(|var| ir::source_name(var.name.as_str()).to_owned()).collect()
    }

    /// The variables of the conditions under which the run took its branches.
    fn branch_vars(&self) -> BTreeSet<Var> {
        let Some(replay) = self.refutation.replay() else { return BTreeSet::new() };
        let blocks = self.question.passive.blocks();
        let mut found = BTreeSet::new();
        for pair in replay.run.path.windows(2) {
            let [from, to] = pair else { continue };
            let (Some(from), Some(to)) = (blocks.get(from.index()), blocks.get(to.index())) else {
                continue;
            };
            if let ([_, _, ..], Some(Item::Assume { term, .. })) =
                (&from.successors[..], to.items.first())
            {
                let free = ir::free_vars(term);
                found.extend(free.into_iter().filter(|_| ir::free_vars(term).len() <= 3));
            }
        }
        found
    }

    /// The condition that fails, over the values of the run.
    pub(super) fn failing_term(&self) -> Option<Term> {
        let replay = self.refutation.replay()?;
        let last = self.question.passive.blocks().get(replay.run.path.last()?.index())?;
        last.items.iter().find_map(|item| match item {
            Item::Assert { term, id, .. } if *id == replay.run.failing => Some(term.clone()),
            Item::Assert { .. } | Item::Assume { .. } | Item::Capture(_) => None,
        })
    }

    /// The values of the run.
    pub(super) fn env(&self) -> ir::Env {
        self.refutation.replay().map(|replay| replay.env.clone()).unwrap_or_default()
    }

    pub(super) fn location(&self, place: Place) -> Option<Location> {
        self.analysis.location(place)
    }

    /// `line 7`, of the file that the failure is in; else with the name of the file.
    pub(super) fn line(&self, at: Option<Location>) -> String {
        at.map(|at| format!("line {}", self.analysis.place(at).line + 1)).unwrap_or_default()
    }

    /// The text of a stretch, on one line.
    pub(super) fn excerpt(&self, at: Location) -> Option<String> {
        let text = self.analysis.text(at.file);
        let part = text.get(at.start as usize..at.end as usize)?;
        Some(part.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// What the run meets on its path; nothing if the path is not known.
fn path_items<'a>(question: &'a Question, refutation: &Refutation) -> Vec<&'a Item> {
    let Some(replay) = refutation.replay() else { return Vec::new() };
    let blocks = question.passive.blocks();
    let path = replay.run.path.iter().filter_map(|id| blocks.get(id.index()));
    path.flat_map(|block| &block.items).collect()
}

/// The terms behind the values of a trace.
fn captures(question: &Question) -> BTreeMap<CaptureId, &Capture> {
    let items = question.passive.blocks().iter().flat_map(|block| &block.items);
    let captures = items.filter_map(|item| match item {
        Item::Capture(capture) => Some((capture.id, capture)),
        Item::Assume { .. } | Item::Assert { .. } => None,
    });
    captures.collect()
}

/// Is this a local or result, which has no value worth showing where a procedure is entered?
fn is_unset(world: World<'_>, unit: &Unit, name: &str) -> bool {
    let own = match (&unit.key, unit.id.subjects.first()) {
        (UnitKey::Plain(decl), _) => Some(decl.name(world.db).clone()),
        (_, owner) => owner.map(|owner| Name::new(owner.as_str())),
    };
    let Some(sig) = own.and_then(|own| world.proc_sig(&own)) else { return false };
    let name = Name::new(name);
    world.global(&name).is_none() && !sig.ins.iter().any(|param| param.name == name)
}

/// Who brought about the state at this moment.
fn actor_before(moment: &Moment) -> Actor {
    match moment {
        Moment::AfterOthers => Actor::Others,
        Moment::AfterAction(name) => Actor::Action(called(name)),
        Moment::Entry | Moment::Before => Actor::Nobody,
        Moment::Here
        | Moment::LoopHead
        | Moment::BeforeAssertion
        | Moment::AfterCall(_)
        | Moment::BeforeOthers
        | Moment::Return
        | Moment::End => Actor::This,
    }
}

/// Words and names of a unit as people read them.
pub(super) fn readable(text: &str) -> String {
    Name::readable(&Name::out_of_reference(text))
}

/// The name of an action as people read it.
pub(super) fn called(name: &Name) -> String {
    readable(name.as_str())
}
