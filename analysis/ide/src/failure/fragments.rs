//! Refinement by fragments: what each stretch between two yields changed, and the rule that the last
//! one broke.
//!
//! # Invariants
//! - A fragment is said to do the action only if the action, executed from its start, leads to its end.

use base::Name;
use hir::Layer;
use obligations::{Claim, Moment, RefinementRule};

use super::inner::Inner;
use super::scene::{Scene, Stop, called};
use super::values::shown;
use super::{Explanation, Template};
use crate::failure::trace_view::{Blame, Change};
use crate::types::Location;

/// What is refined.
pub(super) struct Refined<'a> {
    pub(super) rule: RefinementRule,
    pub(super) procedure: &'a Name,
    pub(super) action: &'a Option<Name>,
    /// The layer above, at which the action is seen.
    pub(super) layer: Layer,
}

/// What has to be done; an action without a name belongs to the procedure.
fn action_words(action: Option<&Name>) -> String {
    match action {
        None => "nothing visible".to_owned(),
        Some(name) if name.procedure_of_anonymous().is_some() => "its action".to_owned(),
        Some(name) => format!("`{name}`"),
    }
}

/// Does a fragment start here?
pub(super) fn starts_fragment(stop: &Stop) -> bool {
    matches!(stop.moment, Moment::Entry | Moment::AfterOthers)
}

fn ends_fragment(stop: &Stop) -> bool {
    matches!(stop.moment, Moment::BeforeOthers | Moment::Return)
}

pub(super) fn explain(scene: &Scene<'_>, told: &Refined<'_>, inner: &Inner) -> Explanation {
    let action = action_words(told.action.as_ref());
    let headline = format!(
        "the fragments of `{}`, which must do {action} at layer {}",
        called(told.procedure),
        told.layer
    );
    let mut out = Explanation::new(Template::Refinement, headline);
    say_fragments(scene, (told, &action), inner, &mut out);
    out.conclusion.push(match told.rule {
        RefinementRule::LoopGlobals | RefinementRule::LoopOutputs => {
            format!("required: no round of a yielding loop changes layer-{} state or results", told.layer)
        }
        RefinementRule::FirstChange | RefinementRule::SecondChange | RefinementRule::NoMatch => {
            format!(
                "required: one fragment does {action}, all others leave layer-{} state and results as they are",
                told.layer
            )
        }
    });
    out
}

fn say_fragments(
    scene: &Scene<'_>,
    (told, action): (&Refined<'_>, &str),
    inner: &Inner,
    out: &mut Explanation,
) {
    let last = scene.stops.len().saturating_sub(1);
    let mut number = 0;
    let mut start: Option<(usize, &Stop)> = None;
    for (nth, stop) in scene.stops.iter().enumerate() {
        if starts_fragment(stop) {
            say_state(scene, nth, stop, out);
            start = Some((nth, stop));
        }
        let ends = (ends_fragment(stop) || nth == last) && !starts_fragment(stop);
        let Some((first, from)) = start.filter(|_| ends) else { continue };
        number += 1;
        let found = changed(scene, told, inner, (first, nth));
        let judged = match nth == last {
            true => broken(told, action, !found.is_empty()),
            false if inner.did(nth) => format!("✓ does {action}"),
            false => String::new(),
        };
        start = None;
        let text = format!("{}   {}   {judged}", stretch(scene, from, stop), listed(&found));
        out.fact(format!("fragment {number}"), text.trim_end(), stop.at);
        out.steps_of_last(inner.told(first, nth));
    }
}

fn say_state(scene: &Scene<'_>, nth: usize, stop: &Stop, out: &mut Explanation) {
    let shown = if nth == 0 {
        scene.at_entry()
    } else {
        // A local may be seen here for the first time; others cannot have changed it.
        let is_global = |name: &str| scene.world.global(&Name::new(name)).is_some();
        let found = scene.differences(&scene.stops[nth - 1], stop, &is_global);
        found.into_iter().map(|it| (it.path, it.after)).collect()
    };
    let (label, text) = match (nth, shown.is_empty()) {
        (0, true) => return,
        (0, false) => ("at entry", super::orders::listed(&shown)),
        (_, true) => ("other threads", format!("{}   change nothing", scene.line(stop.at))),
        (_, false) => {
            let text = format!("{}   {}", scene.line(stop.at), super::orders::listed(&shown));
            ("other threads", text)
        }
    };
    out.fact(label, text, stop.at);
}

/// `line 3 to line 9`
pub(super) fn stretch(scene: &Scene<'_>, from: &Stop, to: &Stop) -> String {
    let (first, then) = (scene.line(from.at), scene.line(to.at));
    if first == then { first } else { format!("{first} to {then}") }
}

/// A fragment: the numbers of the moments around it.
type Around = (usize, usize);

/// What is visible and different; a result counts from its first assignment.
fn changed(scene: &Scene<'_>, told: &Refined<'_>, inner: &Inner, around: Around) -> Vec<Change> {
    let (from, to) = (&scene.stops[around.0], &scene.stops[around.1]);
    let new = new_results(scene, told, inner, around);
    let visible = |name: &str| is_visible(scene, told, name) && !new.iter().any(|it| it == name);
    let found = scene.differences(from, to, &visible);
    let mut found: Vec<Change> = found.into_iter().map(Change::from).collect();
    let value = |name: &String| Some(Change::new(name.clone(), shown(to.state.get(name)?)));
    found.extend(new.iter().filter_map(value));
    found
}

/// The results that the fragment is the first to assign.
fn new_results(
    scene: &Scene<'_>,
    told: &Refined<'_>,
    inner: &Inner,
    (first, last): Around,
) -> Vec<String> {
    let is_new = |it: &&Change| it.before.is_none() && !is_global(scene, &it.name);
    let mut found: Vec<String> = Vec::new();
    for change in inner.between(first, last).flat_map(|it| it.told.changes.iter().filter(is_new)) {
        // A variable that is assigned the value it has is told like a new one.
        let known =
            inner.between(0, first).any(|it| it.after.iter().any(|(n, _)| *n == change.name));
        if !known && is_visible(scene, told, &change.name) && !found.contains(&change.name) {
            found.push(change.name.clone());
        }
    }
    found
}

fn listed(found: &[Change]) -> String {
    if found.is_empty() {
        return "changes nothing visible".to_owned();
    }
    found.iter().map(Change::to_string).collect::<Vec<_>>().join(", ")
}

/// How the last fragment breaks the rule.
fn broken(told: &Refined<'_>, action: &str, changed: bool) -> String {
    match told.rule {
        RefinementRule::FirstChange if told.action.is_none() => "✗ a visible change".to_owned(),
        RefinementRule::FirstChange => format!("✗ {action} does not do this"),
        RefinementRule::SecondChange => "✗ a second visible change".to_owned(),
        RefinementRule::NoMatch if changed => format!("✗ {action} does not return this"),
        RefinementRule::NoMatch => format!("✗ no fragment did {action}"),
        RefinementRule::LoopGlobals => "✗ a visible change in a round of a loop".to_owned(),
        RefinementRule::LoopOutputs => "✗ new results in a round of a loop".to_owned(),
    }
}

/// Results, and globals that live on at the layer above.
fn is_visible(scene: &Scene<'_>, told: &Refined<'_>, name: &str) -> bool {
    let name = Name::new(name);
    match scene.world.global(&name) {
        Some(global) => global.layers.high() >= told.layer,
        None => scene
            .world
            .proc_sig(told.procedure)
            .is_some_and(|sig| sig.visible_outs().any(|(_, param)| param.name == name)),
    }
}

/// The statement that breaks refinement, and what it must not have changed.
pub(crate) fn blame(scene: &Scene<'_>, inner: &Inner) -> Option<Blame> {
    let Claim::Refinement { rule, procedure, action, layer } = &scene.info.claim else {
        return None;
    };
    let told = Refined { rule: *rule, procedure, action, layer: *layer };
    let last = scene.stops.len().checked_sub(1).filter(|_| inner.is_known())?;
    let first = scene.stops[..last].iter().rposition(starts_fragment)?;
    let wrong = wrong_variables(scene, &told, inner, (first, last));
    let mut writes = inner
        .between(first, last)
        .filter(|step| step.after.iter().any(|(name, _)| wrong.contains(name)));
    // A change may be wrong because of the last of several statements; a second one is from the start.
    let step = match rule {
        RefinementRule::FirstChange | RefinementRule::NoMatch => writes.last(),
        RefinementRule::SecondChange
        | RefinementRule::LoopGlobals
        | RefinementRule::LoopOutputs => writes.next(),
    };
    let at = step.and_then(|step| step.told.at);
    let at = if *rule == RefinementRule::NoMatch { at.or_else(|| brace(scene, &told)) } else { at };
    Some(Blame { at, message: Name::in_sentence(&complaint(scene, &told, &wrong)?) })
}

/// The visible variables that differ; if some of them are none that the action writes, only those.
fn wrong_variables(
    scene: &Scene<'_>,
    told: &Refined<'_>,
    inner: &Inner,
    around: Around,
) -> Vec<String> {
    let (from, to) = (&scene.stops[around.0], &scene.stops[around.1]);
    let new = new_results(scene, told, inner, around);
    let differs = |name: &&String| {
        let same = from.state.get(*name) == to.state.get(*name);
        new.contains(*name) || is_visible(scene, told, name) && !same
    };
    let all: Vec<String> = to.captured.iter().filter(differs).cloned().collect();
    let (globals, results): (Vec<String>, Vec<String>) =
        all.into_iter().partition(|name| is_global(scene, name));
    if globals.is_empty() {
        return results;
    }
    let written = told.action.as_ref().map(|action| scene.world.modifies(action));
    let is_written = |name: &String| written.iter().any(|all| all.contains(&Name::new(name)));
    let (written, other): (Vec<String>, Vec<String>) = globals.into_iter().partition(is_written);
    if other.is_empty() { written } else { other }
}

fn is_global(scene: &Scene<'_>, name: &str) -> bool {
    scene.world.global(&Name::new(name)).is_some()
}

/// What is wrong, in one line; nothing if the words of the rule say as much.
fn complaint(scene: &Scene<'_>, told: &Refined<'_>, wrong: &[String]) -> Option<String> {
    let procedure = told.procedure;
    let action = match told.action {
        Some(action) => format!("`{action}`"),
        None => "its action".to_owned(),
    };
    let own = wrong.first().is_some_and(|name| !is_global(scene, name));
    let quoted: Vec<String> = wrong.iter().map(|name| format!("`{name}`")).collect();
    let names = match (own, quoted.as_slice()) {
        (_, []) => String::new(),
        (false, all) => all.join(" and "),
        (true, [only]) => format!("its result {only}"),
        (true, all) => format!("its results {}", all.join(" and ")),
    };
    Some(match told.rule {
        RefinementRule::NoMatch if own => {
            format!("`{procedure}` may return {} unlike {action}", quoted.join(" and "))
        }
        RefinementRule::NoMatch => {
            format!("`{procedure}` may end without having done {action}")
        }
        _ if names.is_empty() => return None,
        RefinementRule::FirstChange if told.action.is_none() => {
            format!("`{procedure}` may change {names}, but it refines no action")
        }
        RefinementRule::FirstChange => {
            format!("`{procedure}` may change {names} unlike {action}")
        }
        RefinementRule::SecondChange if own => {
            format!("`{procedure}` may change {names} after it has done {action}")
        }
        RefinementRule::SecondChange => format!("`{procedure}` may change {names} a second time"),
        RefinementRule::LoopGlobals | RefinementRule::LoopOutputs => {
            format!("`{procedure}` may change {names} inside a yielding loop")
        }
    })
}

/// The end of the body, if the failing run leaves it there rather than at a `return`.
fn brace(scene: &Scene<'_>, told: &Refined<'_>) -> Option<Location> {
    let [decl] = *scene.world.implementations(told.procedure) else { return None };
    let map = scene.world.body_map(decl)?;
    let at = scene.location(scene.info.place)?;
    let is_return = scene.excerpt(at).is_some_and(|text| text.starts_with("return"));
    scene.location(map.place(map.end)).filter(|_| !is_return)
}
