//! A fragment of one thread breaks what another relies on: victim, intruder, change, broken clause.

use base::Name;
use ir::Value;
use obligations::{Moment, Role};

use super::inner::Inner;
use super::scene::{Scene, Stop, called};
use super::values::shown;
use super::{Explanation, Template, conjuncts};

/// `by` breaks a clause of `invariant`.
pub(super) fn explain(
    scene: &Scene<'_>,
    (invariant, by): (&Name, &Name),
    inner: &Inner,
) -> Explanation {
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
    let Some((first, last)) = fragment(scene) else { return told };
    let (start, end) = (&scene.stops[first], &scene.stops[last]);
    let stretch = super::fragments::stretch(scene, start, end);
    told.fact("intruder", format!("`{intruder}`, {stretch}"), end.at);
    told.steps_of_last(inner.told(first, last));
    let is_global = |name: &str| scene.world.global(&Name::new(name)).is_some();
    for part in scene.differences(start, end, &is_global) {
        told.fact("change", format!("{}: {} → {}", part.path, part.before, part.after), end.at);
    }
    told
}

/// The moments between which the last fragment of the run lies.
fn fragment(scene: &Scene<'_>) -> Option<(usize, usize)> {
    let last = scene.stops.len().checked_sub(1).filter(|last| *last > 0)?;
    let starts = |it: &Stop| super::fragments::starts_fragment(it) || it.moment == Moment::Before;
    let first = scene.stops[..last].iter().rposition(starts).unwrap_or(0);
    Some((first, last))
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
