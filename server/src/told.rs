//! Traces as JSON, the same on the command line and in the protocol.
//!
//! **In:** a [`TraceView`], how a place is written down and what such a field is called. **Out:** the object that
//! `server/schema/verify.json` calls `trace` and `server/schema/messages.md` calls a trace.

use ide::{Change, Conjunct, Explanation, Location, TraceStep, TraceView};
use serde_json::{Value, json};

/// How places are written down.
pub(crate) struct Places<'a> {
    /// The name of a field that holds one: `at`, or `location` in the protocol.
    pub(crate) field: &'static str,
    pub(crate) place: &'a mut dyn FnMut(Location) -> Value,
}

impl Places<'_> {
    /// The object with its place.
    fn put(&mut self, mut object: Value, at: Option<Location>) -> Value {
        object[self.field] = at.map_or(Value::Null, &mut *self.place);
        object
    }
}

pub(crate) fn trace(view: &TraceView, places: &mut Places<'_>) -> Value {
    let Explanation { template, headline, facts, columns, conjuncts, conclusion } =
        &view.explanation;
    let facts: Vec<Value> = facts
        .iter()
        .map(|fact| {
            let steps = steps(&fact.steps, places);
            places.put(json!({"label": fact.label, "text": fact.text, "steps": steps}), fact.at)
        })
        .collect();
    let columns: Vec<Value> = columns
        .iter()
        .map(|column| json!({"title": column.title, "steps": steps(&column.steps, places)}))
        .collect();
    let conjuncts: Vec<Value> = conjuncts.iter().map(|it| conjunct(it, places)).collect();
    json!({
        "confirmed": view.confirmed,
        "unconfirmed": view.doubt,
        "template": template.as_str(),
        "headline": headline,
        "facts": facts,
        "columns": columns,
        "conjuncts": conjuncts,
        "conclusion": conclusion,
        "steps": steps(&view.steps, places),
    })
}

fn steps(steps: &[TraceStep], places: &mut Places<'_>) -> Vec<Value> {
    let step = |step: &TraceStep| {
        let changes: Vec<Value> = step.changes.iter().map(change).collect();
        let told = json!({"what": step.what, "changes": changes, "thread": step.actor.to_string()});
        places.put(told, step.at)
    };
    steps.iter().map(step).collect()
}

fn change(it: &Change) -> Value {
    let mut told = json!({"name": it.name, "value": it.value});
    if let Some(before) = &it.before {
        told["before"] = json!(before);
    }
    told
}

fn conjunct(it: &Conjunct, places: &mut Places<'_>) -> Value {
    let told = json!({"depth": it.depth, "holds": it.holds, "text": it.text, "values": it.values});
    places.put(told, it.at)
}
