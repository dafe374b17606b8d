//! A fragment of one thread breaks what another relies on: victim, intruder, change, broken clause.

use base::Name;
use ir::Value;
use obligations::{Moment, Role};

use super::scene::{Scene, Stop, called};
use super::values::shown;
use super::{Explanation, Template, conjuncts};

/// `by` breaks a clause of `invariant`.
pub(super) fn explain(scene: &Scene<'_>, invariant: &Name, by: &Name) -> Explanation {
    let (victim, intruder) = (called(invariant), called(by));
    let headline = format!("`{intruder}` breaks what a thread at `{victim}` relies on");
    let mut told = Explanation::new(Template::Noninterference, headline);
    told.conjuncts = conjuncts::failing(scene);
    let relies = told.conjuncts.first().and_then(|it| it.at);
    let mut waits = format!("another thread waits at `{victim}`");
    let held = arguments(scene, invariant);
    if !held.is_empty() {
        waits = format!("{waits} with {held}");
    }
    if let Some(clause) = told.conjuncts.first() {
        let text = super::orders::shortened(&clause.text);
        let line = clause.at.map(|at| format!(" ({})", scene.line(Some(at)))).unwrap_or_default();
        waits = format!("{waits}, relying on {text}{line}");
    }
    told.fact("victim", waits, relies);
    let Some((start, end)) = fragment(scene) else { return told };
    let (from, to) = (scene.line(start.at), scene.line(end.at));
    let stretch = if from == to { from } else { format!("{from} to {to}") };
    told.fact("intruder", format!("`{intruder}`, {stretch}"), end.at);
    let is_global = |name: &str| scene.world.global(&Name::new(name)).is_some();
    for part in scene.differences(start, end, &is_global) {
        told.fact("change", format!("{}: {} → {}", part.path, part.before, part.after), end.at);
    }
    told
}

/// The moments between which the last fragment of the run lies.
fn fragment<'s>(scene: &'s Scene<'_>) -> Option<(&'s Stop, &'s Stop)> {
    let end = scene.stops.last()?;
    let before = &scene.stops[..scene.stops.len() - 1];
    let starts = |it: &&Stop| super::fragments::starts_fragment(it) || it.moment == Moment::Before;
    let start = before.iter().rev().find(starts).or(before.first())?;
    Some((start, end))
}

/// The arguments of the invariant that the other thread relies on, or its locals.
fn arguments(scene: &Scene<'_>, invariant: &Name) -> String {
    let env = scene.env();
    let named = env.vars.iter().filter_map(|(var, value)| match scene.unit.roles.get(var)? {
        Role::Waiting { at, name } if at == invariant => Some((name.to_string(), value)),
        Role::Waiting { .. } | Role::Snapshot(_) => None,
    });
    let told: Vec<String> = named
        .filter(readable_value)
        .map(|(name, value)| format!("{name} = {}", shown(value)))
        .collect();
    told.join(", ")
}

fn readable_value((_, value): &(String, &Value)) -> bool {
    !matches!(value, Value::Opaque(_))
}
