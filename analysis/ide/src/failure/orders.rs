//! Two actions in two orders, side by side.
//!
//! One order is the run that the solver found, or the part of it before the failure; the other is
//! computed by running the bodies of the actions on the same values, with the same choices where the
//! run made them.

use std::collections::BTreeSet;

use base::Name;
use ir::{Env, Stuck, Value, Var};
use obligations::action::{ActionCopy, action_ir};
use obligations::{Lowering, Named};

use super::scene::{Scene, Stop, called, readable};
use super::values::{differences, shown};
use super::{Column, Explanation, Template, conjuncts};
use crate::failure::trace_view::TraceStep;
use crate::types::Location;

/// So many combinations of choices are tried to get an action to its end.
const MOST_CHOICES: usize = 64;

/// Names and what they stand for, as shown.
type Values = Vec<(String, String)>;

/// `first; second` is possible, `second; first` does not end the same.
pub(super) fn commutativity(scene: &Scene<'_>, first: &Named, second: &Named) -> Explanation {
    let (a, b) = (called(&first.name), called(&second.name));
    let mut told = Explanation::new(
        Template::Commutativity,
        format!("`{a}` then `{b}` cannot be done in the other order"),
    );
    let Some(mut pair) = Pair::new(scene, &first.name, &second.name) else { return told };
    pair.say_start(&mut told);
    let [start, middle, end] = scene.stops.as_slice() else { return told };
    let own =
        vec![pair.captured(Side::First, start, middle), pair.captured(Side::Second, middle, end)];
    let (mut other, ended) = pair.run(&[Side::Second, Side::First]);
    let title = pair.heading(&[Side::First, Side::Second]);
    let mut own = Column { title, steps: own };
    if let Some(env) = ended {
        let (left, right) = pair.compare(end, &env);
        if !left.is_empty() {
            own.steps.push(TraceStep::computed("at the end", left, None));
            other.push(TraceStep::computed("at the end", right, None));
            told.conclusion.push("the two orders end differently".to_owned());
        }
    }
    let title = pair.heading(&[Side::Second, Side::First]);
    told.columns = vec![own, Column { title, steps: other }];
    if pair.has_choices() {
        told.conclusion
            .push("no other choice in the second order leads to the first end".to_owned());
    }
    told
}

/// After `second` the gate of `first` does not hold any more.
pub(super) fn gate(scene: &Scene<'_>, first: &Named, second: &Named) -> Explanation {
    let (a, b) = (called(&first.name), called(&second.name));
    let mut told =
        Explanation::new(Template::GatePreservation, format!("`{b}` breaks an assertion of `{a}`"));
    let Some(mut pair) = Pair::new(scene, &first.name, &second.name) else { return told };
    pair.say_start(&mut told);
    let [start, end] = scene.stops.as_slice() else { return told };
    let (one, _) = pair.run(&[Side::First, Side::Second]);
    told.conjuncts = conjuncts::failing(scene);
    let at = scene.location(scene.info.place);
    let fails = format!("{a} fails: {}", condition(&told));
    let other = vec![
        pair.captured(Side::Second, start, end),
        TraceStep::computed(&fails, Vec::new(), at).by(&a),
    ];
    told.columns = vec![
        Column { title: pair.heading(&[Side::First, Side::Second]), steps: one },
        Column { title: pair.heading(&[Side::Second, Side::First]), steps: other },
    ];
    told
}

/// `first` fails, but not after `second`.
pub(super) fn failure(scene: &Scene<'_>, first: &Named, second: &Named) -> Explanation {
    let (a, b) = (called(&first.name), called(&second.name));
    let mut told =
        Explanation::new(Template::FailurePreservation, format!("`{b}` hides a failure of `{a}`"));
    let Some(mut pair) = Pair::new(scene, &first.name, &second.name) else { return told };
    pair.say_start(&mut told);
    told.conjuncts = conjuncts::failing(scene);
    let at = scene.location(scene.info.place);
    let fails = format!("{a} fails: {}", condition(&told));
    let one = vec![TraceStep::computed(&fails, Vec::new(), at).by(&a)];
    let (mut other, ended) = pair.run(&[Side::Second]);
    if ended.is_some() {
        other.push(TraceStep::computed(&format!("{a} does not fail"), Vec::new(), at).by(&a));
    }
    told.columns = vec![
        Column { title: pair.heading(&[Side::First]), steps: one },
        Column { title: pair.heading(&[Side::Second, Side::First]), steps: other },
    ];
    told.conclusion.push(format!("whatever `{b}` does, the assertion of `{a}` holds afterwards"));
    told
}

/// The action has no outcome from here.
pub(super) fn blocked(scene: &Scene<'_>, action: &Name) -> Explanation {
    let name = called(action);
    let headline = format!("`{name}` cannot run to its end");
    let mut told = Explanation::new(Template::Nonblocking, headline);
    let mut lowering = Lowering::new(scene.world, scene.info.place);
    let Some(copy) = copy_of(scene, &mut lowering, action, "@1") else { return told };
    if let Some(start) = scene.stops.first() {
        told.fact("start", listed(&whole(start)), start.at);
    }
    let mut pair = Pair::alone(scene, lowering, copy);
    let env = pair.start();
    if let Err(Stuck::Blocked(term)) = pair.execute(Side::First, env) {
        let text = ir::source_text(&term);
        told.fact("blocked", format!("needs ✗ {}", shortened(&text)), None);
    }
    if pair.has_choices() {
        told.conclusion.push(format!("no choice that `{name}` could make gets further"));
    }
    told
}

/// `action` does what `refined` cannot do from the same state.
pub(super) fn refined(scene: &Scene<'_>, action: &Name, refined: &Name) -> Explanation {
    let (low, high) = (called(action), called(refined));
    let headline = format!("`{low}` does what `{high}` does not allow");
    let mut told = Explanation::new(Template::ActionRefinement, headline);
    let [start, .., end] = scene.stops.as_slice() else { return told };
    told.fact("before", listed(&whole(start)), start.at);
    let at = scene.world.proc_sig(action).map(|sig| hir::decl_place(scene.world.db, sig.decl));
    let at = at.and_then(|place| scene.location(place));
    let own = TraceStep::computed(&low, scene.changes(&start.state, end), at).by(&low);
    let mut columns = vec![Column { title: format!("{low} does"), steps: vec![own] }];
    let mut lowering = Lowering::new(scene.world, scene.info.place);
    if let Some(copy) = copy_of(scene, &mut lowering, refined, "@1") {
        let mut pair = Pair::alone(scene, lowering, copy);
        let top = scene.world.proc_sig(action).and_then(|sig| sig.layer());
        let (steps, (left, right)) = pair.nearest((start, end), top);
        columns.push(Column { title: format!("{high} allows"), steps });
        if pair.has_choices() {
            let names: Vec<&str> = left.iter().map(|(name, _)| name.as_str()).collect();
            let near = match names.as_slice() {
                [] => String::new(),
                names => format!("; the nearest differs in {}", names.join(", ")),
            };
            told.conclusion
                .push(format!("no choice that `{high}` could make ends like `{low}`{near}"));
        } else if !left.is_empty() {
            told.conclusion.push(format!("not allowed: {}", listed(&left)));
        }
        if !left.is_empty() {
            columns[0].steps.push(TraceStep::computed("at the end", left, None));
            columns[1].steps.push(TraceStep::computed("at the end", right, None));
        }
    }
    told.columns = columns;
    told
}

/// Which of the two actions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Second,
}

/// The two actions of a unit, ready to run.
struct Pair<'s, 'a> {
    scene: &'s Scene<'a>,
    lowering: Lowering<'a>,
    copies: Vec<ActionCopy>,
}

impl<'s, 'a> Pair<'s, 'a> {
    fn new(scene: &'s Scene<'a>, first: &Name, second: &Name) -> Option<Pair<'s, 'a>> {
        let mut lowering = Lowering::new(scene.world, scene.info.place);
        let a = copy_of(scene, &mut lowering, first, "@1")?;
        let b = copy_of(scene, &mut lowering, second, "@2")?;
        Some(Pair { scene, lowering, copies: vec![a, b] })
    }

    fn alone(scene: &'s Scene<'a>, lowering: Lowering<'a>, copy: ActionCopy) -> Pair<'s, 'a> {
        Pair { scene, lowering, copies: vec![copy] }
    }

    fn copy(&self, side: Side) -> &ActionCopy {
        match side {
            Side::First => &self.copies[0],
            Side::Second => &self.copies[self.copies.len() - 1],
        }
    }

    fn name(&self, side: Side) -> String {
        called(&self.copy(side).action.sig.name)
    }

    fn at(&self, side: Side) -> Option<Location> {
        let decl = self.copy(side).action.sig.decl;
        self.scene.location(hir::decl_place(self.scene.world.db, decl))
    }

    /// What stands before the formals of an action in a trace.
    fn owner(&self, side: Side) -> String {
        let same = self.copies.len() == 2
            && self.copies[0].action.sig.name == self.copies[1].action.sig.name;
        match (self.copies.len(), same, side) {
            (0 | 1, ..) => String::new(),
            (_, false, _) => format!("{}.", self.name(side)),
            (_, true, Side::First) => format!("{}#1.", self.name(side)),
            (_, true, Side::Second) => format!("{}#2.", self.name(side)),
        }
    }

    /// Does what the actions do depend on a choice? Results and locals have arbitrary first values,
    /// which are choices too but mostly do not matter.
    fn has_choices(&mut self) -> bool {
        let start = self.start();
        let choices: Vec<Var> = self.copies.iter().flat_map(|copy| copy.choices.clone()).collect();
        let ends: Vec<Option<Env>> = (0..2)
            .map(|nth| {
                let mut env = start.clone();
                for choice in &choices {
                    env.vars.extend(any_value(&env, choice, nth).map(|it| (choice.clone(), it)));
                }
                self.copies.iter().try_fold(env, |env, copy| ir::execute(&copy.body, &env).ok())
            })
            .collect();
        let [Some(one), Some(two)] = ends.as_slice() else { return !choices.is_empty() };
        let result = |var: &&Var| !choices.contains(var);
        let differs =
            one.vars.keys().filter(result).any(|var| one.vars.get(var) != two.vars.get(var));
        !choices.is_empty() && differs
    }

    /// How an action is called where both may be the same one.
    fn title(&self, side: Side) -> String {
        let owner = self.owner(side);
        if owner.is_empty() { self.name(side) } else { owner.trim_end_matches('.').to_owned() }
    }

    /// What both orders have in common.
    fn say_start(&self, told: &mut Explanation) {
        if let Some(start) = self.scene.stops.first() {
            told.fact("both start with", listed(&whole(start)), None);
        }
    }

    /// The values of globals and inputs where the run starts.
    fn start(&mut self) -> Env {
        let mut env = self.scene.env();
        let Some(start) = self.scene.stops.first() else { return env };
        for nth in 0..self.copies.len() {
            let side = if nth == 0 { Side::First } else { Side::Second };
            let owner = self.owner(side);
            let copy = &self.copies[nth];
            for (param, var) in copy.action.sig.formals().zip(copy.ins.iter().chain(&copy.outs)) {
                if let Some(value) = start.state.get(&format!("{owner}{}", param.name)) {
                    env.vars.insert(var.clone(), value.clone());
                }
            }
            for global in copy.action.footprint.all() {
                let value = start.state.get(global.as_str());
                if let (Some(value), Some(var)) = (value, self.lowering.global_var(&global)) {
                    env.vars.insert(var, value.clone());
                }
            }
        }
        env
    }

    /// The step of the run that `side` did.
    fn captured(&self, side: Side, before: &Stop, after: &Stop) -> TraceStep {
        let changes = self.scene.changes(&before.state, after);
        self.step(side, changes)
    }

    fn heading(&self, order: &[Side]) -> String {
        order.iter().map(|side| self.title(*side)).collect::<Vec<_>>().join(" ; ")
    }

    fn step(&self, side: Side, changes: Values) -> TraceStep {
        let owner = self.owner(side);
        let own = changes.into_iter().map(|(name, value)| {
            let short = name.strip_prefix(&owner).unwrap_or(&name).to_owned();
            (short, value)
        });
        let name = self.title(side);
        TraceStep::computed(&name, own.collect(), self.at(side)).by(&name)
    }

    /// Runs the actions in this order; the steps, and the values at the end if it was reached.
    fn run(&mut self, order: &[Side]) -> (Vec<TraceStep>, Option<Env>) {
        let mut env = self.start();
        let mut steps = Vec::new();
        for side in order {
            match self.execute(*side, env.clone()) {
                Ok(after) => {
                    let changes = self.computed_changes(*side, &env, &after);
                    steps.push(self.step(*side, changes));
                    env = after;
                }
                Err(stuck) => {
                    let what = self.stuck_words(*side, &stuck);
                    let at = self.at(*side);
                    let step = TraceStep::computed(&what, Vec::new(), at);
                    steps.push(step.by(&self.title(*side)));
                    return (steps, None);
                }
            }
        }
        (steps, Some(env))
    }

    fn stuck_words(&self, side: Side, stuck: &Stuck) -> String {
        let name = self.title(side);
        match stuck {
            Stuck::Blocked(term) => {
                format!("{name} cannot run: ✗ {}", shortened(&ir::source_text(term)))
            }
            Stuck::Unknown(what) => format!("{name} could not be computed: {what}"),
        }
    }

    fn execute(&mut self, side: Side, env: Env) -> Result<Env, Stuck> {
        let copy = self.copy(side);
        let missing: Vec<Var> =
            copy.choices.iter().filter(|var| !env.vars.contains_key(*var)).cloned().collect();
        let mut worst = None;
        for values in combinations(&missing, &env) {
            let mut env = env.clone();
            env.vars.extend(missing.iter().cloned().zip(values));
            match ir::execute(&copy.body, &env) {
                Ok(end) => return Ok(end),
                Err(stuck) => drop(worst.get_or_insert(stuck)),
            }
        }
        Err(worst.unwrap_or_else(|| Stuck::Unknown(ir::Unknown("a choice it makes".into()))))
    }

    /// The outcome of the only action that is most like the end of the run, and what they differ in as
    /// far as it can be seen above layer `top`.
    fn nearest(
        &mut self,
        (start, end): (&Stop, &Stop),
        top: Option<hir::Layer>,
    ) -> (Vec<TraceStep>, (Values, Values)) {
        let env = self.start();
        let copy = self.copy(Side::First);
        let missing: Vec<Var> =
            copy.choices.iter().filter(|var| !env.vars.contains_key(*var)).cloned().collect();
        let body = copy.body.clone();
        let mut best: Option<(Env, (Values, Values))> = None;
        for values in combinations(&missing, &env) {
            let mut chosen = env.clone();
            chosen.vars.extend(missing.iter().cloned().zip(values));
            let Ok(after) = ir::execute(&body, &chosen) else { continue };
            let found = self.unlike((start, end), &after, top);
            if best.as_ref().is_none_or(|(_, least)| found.0.len() < least.0.len()) {
                best = Some((after, found));
            }
        }
        match best {
            Some((after, found)) => {
                let changes = self.computed_changes(Side::First, &env, &after);
                (vec![self.step(Side::First, changes)], found)
            }
            None => (self.run(&[Side::First]).0, Default::default()),
        }
    }

    /// What the end of the run and that of the only action differ in, above layer `top`.
    fn unlike(
        &mut self,
        (start, end): (&Stop, &Stop),
        after: &Env,
        top: Option<hir::Layer>,
    ) -> (Values, Values) {
        let results = self.results(Side::First);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for name in &end.captured {
            let result = results.iter().find(|(own, _)| own == name);
            let global = Name::new(name);
            let visible = self.scene.world.global(&global);
            let visible = visible.is_some_and(|it| top.is_none_or(|top| top < it.layers.high()));
            let theirs = match result {
                Some((_, var)) => after.vars.get(var),
                None if visible => {
                    let var = self.lowering.global_var(&global);
                    var.and_then(|var| after.vars.get(&var)).or_else(|| start.state.get(name))
                }
                None => None,
            };
            if let (Some(one), Some(two)) = (end.state.get(name), theirs) {
                push_differences((name, one, two), self.scene, (&mut left, &mut right));
            }
        }
        (left, right)
    }

    /// Globals that the action may write and its results, where they differ.
    fn computed_changes(&mut self, side: Side, before: &Env, after: &Env) -> Values {
        let modified = self.copy(side).action.footprint.modified.clone();
        let mut changes = Vec::new();
        for name in modified {
            let Some(var) = self.lowering.global_var(&name) else { continue };
            if let (Some(old), Some(new)) = (before.vars.get(&var), after.vars.get(&var)) {
                let found = differences(name.as_str(), old, new, &self.scene.question.signature);
                changes.extend(found.into_iter().map(|it| (it.path, it.after)));
            }
        }
        for (name, var) in self.results(side) {
            changes.extend(after.vars.get(&var).map(|value| (name, shown(value))));
        }
        changes
    }

    /// The results of an action, under their names in the trace.
    fn results(&self, side: Side) -> Vec<(String, Var)> {
        let (copy, owner) = (self.copy(side), self.owner(side));
        let outs = copy.action.sig.formals().skip(copy.ins.len()).zip(&copy.outs);
        outs.map(|(param, var)| (format!("{owner}{}", param.name), var.clone())).collect()
    }

    /// What the two ends differ in: as the run ended, and as the other order did.
    fn compare(&mut self, end: &Stop, other: &Env) -> (Values, Values) {
        let mut vars: Vec<(String, Var)> = Vec::new();
        let modified: BTreeSet<Name> =
            self.copies.iter().flat_map(|copy| copy.action.footprint.modified.clone()).collect();
        for name in modified {
            vars.extend(self.lowering.global_var(&name).map(|var| (name.to_string(), var)));
        }
        vars.extend(self.results(Side::First));
        vars.extend(self.results(Side::Second));
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (name, var) in vars {
            if let (Some(one), Some(two)) = (end.state.get(&name), other.vars.get(&var)) {
                push_differences((&name, one, two), self.scene, (&mut left, &mut right));
            }
        }
        (left, right)
    }
}

/// Where two values of one name differ, each side for itself.
fn push_differences(
    (name, one, two): (&str, &Value, &Value),
    scene: &Scene<'_>,
    (left, right): (&mut Values, &mut Values),
) {
    for part in differences(name, one, two, &scene.question.signature) {
        left.push((part.path.clone(), part.before));
        right.push((part.path, part.after));
    }
}

fn copy_of<'a>(
    scene: &Scene<'a>,
    lowering: &mut Lowering<'a>,
    name: &Name,
    suffix: &str,
) -> Option<ActionCopy> {
    let action = action_ir(scene.world.db, scene.world.program, name.clone())?;
    Some(ActionCopy::new(lowering, &action, suffix))
}

/// The first or second value to try for a choice.
fn any_value(env: &Env, choice: &Var, nth: usize) -> Option<Value> {
    let all = values_for(env, choice);
    all.get(nth).or(all.first()).cloned()
}

fn values_for(env: &Env, var: &Var) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    if var.sort == ir::Sort::Bool {
        values.extend([Value::Bool(false), Value::Bool(true)]);
    } else if var.sort == ir::Sort::Int {
        values.extend([Value::Int(0.into()), Value::Int(1.into())]);
    }
    values.extend(env.candidates.get(&var.sort).into_iter().flatten().cloned());
    values
}

/// Values to try for choices that the run did not make, few and in a fixed order.
fn combinations(vars: &[Var], env: &Env) -> Vec<Vec<Value>> {
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for var in vars {
        let values = values_for(env, var);
        let longer = |so_far: &Vec<Value>| {
            let with = |value: &Value| so_far.iter().chain([value]).cloned().collect::<Vec<_>>();
            values.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).take(MOST_CHOICES).collect();
    }
    all
}

/// Everything known at a moment.
fn whole(stop: &Stop) -> Values {
    let known = stop.captured.iter();
    known.filter_map(|name| Some((name.clone(), shown(stop.state.get(name)?)))).collect()
}

pub(super) fn listed(changes: &[(String, String)]) -> String {
    if changes.is_empty() {
        return "any state".to_owned();
    }
    changes.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// The condition at the root of the tree of conditions.
fn condition(told: &Explanation) -> String {
    told.conjuncts.first().map_or_else(|| "✗".to_owned(), |it| format!("✗ {}", shortened(&it.text)))
}

pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    if text.chars().count() <= LONGEST {
        return readable(text);
    }
    readable(text).chars().take(LONGEST).chain(['…']).collect()
}
