//! Refinement by fragments: what each stretch between two yields changed, and the rule that the last
//! one broke.

use base::Name;
use hir::Layer;
use obligations::{Moment, RefinementRule};

use super::scene::{Scene, Stop, called};
use super::values::Difference;
use super::{Explanation, Template};

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

pub(super) fn explain(scene: &Scene<'_>, told: &Refined<'_>) -> Explanation {
    let action = action_words(told.action.as_ref());
    let headline = format!(
        "the fragments of `{}`, which must do {action} at layer {}",
        called(told.procedure),
        told.layer
    );
    let mut out = Explanation::new(Template::Refinement, headline);
    say_fragments(scene, told, &action, &mut out);
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

fn say_fragments(scene: &Scene<'_>, told: &Refined<'_>, action: &str, out: &mut Explanation) {
    let visible = |name: &str| is_visible(scene, told, name);
    let last = scene.stops.len().saturating_sub(1);
    let (mut number, mut done) = (0, false);
    let mut start: Option<&Stop> = None;
    for (nth, stop) in scene.stops.iter().enumerate() {
        if starts_fragment(stop) {
            say_state(scene, nth, stop, out);
            start = Some(stop);
        }
        let ends = (ends_fragment(stop) || nth == last) && !starts_fragment(stop);
        let Some(from) = start.filter(|_| ends) else { continue };
        number += 1;
        let found = scene.differences(from, stop, &visible);
        let judged = judge(told.rule, action, nth == last, !found.is_empty(), done);
        done |= !found.is_empty();
        start = None;
        let (first, then) = (scene.line(from.at), scene.line(stop.at));
        let stretch = if first == then { first } else { format!("{first} to {then}") };
        let text = format!("{stretch}   {}   {judged}", changes(&found));
        out.fact(format!("fragment {number}"), text.trim_end(), stop.at);
    }
}

fn say_state(scene: &Scene<'_>, nth: usize, stop: &Stop, out: &mut Explanation) {
    let steps = scene.steps();
    let shown = if nth == 0 {
        steps.first().map(|step| step.changes.clone()).unwrap_or_default()
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

fn changes(found: &[Difference]) -> String {
    if found.is_empty() {
        return "changes nothing visible".to_owned();
    }
    let told: Vec<String> =
        found.iter().map(|it| format!("{}: {} → {}", it.path, it.before, it.after)).collect();
    told.join(", ")
}

/// What is to be said about a fragment. Before the last one all rules were kept, so the first visible
/// change was the action.
fn judge(rule: RefinementRule, action: &str, last: bool, changed: bool, done: bool) -> String {
    match (last, rule) {
        (false, _) if changed && !done => format!("✓ does {action}"),
        (false, _) => String::new(),
        (true, RefinementRule::FirstChange) => format!("✗ {action} does not do this"),
        (true, RefinementRule::SecondChange) => "✗ a second visible change".to_owned(),
        (true, RefinementRule::NoMatch) if changed => format!("✗ {action} does not return this"),
        (true, RefinementRule::NoMatch) => format!("✗ no fragment did {action}"),
        (true, RefinementRule::LoopGlobals) => "✗ a visible change in a round of a loop".to_owned(),
        (true, RefinementRule::LoopOutputs) => "✗ new results in a round of a loop".to_owned(),
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
