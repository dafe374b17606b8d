//! How a failure comes about, for the page: facts, a sequence diagram with one lane per thread, the
//! conditions that fail.

use std::fmt::Write;

use serde_json::Value;

use super::{escape, linked, prose};
use crate::cli::report::Finding;

/// The style knows so many lanes, and so many levels of conditions. A policy without inline styles forbids others.
const MOST_LANES: usize = 8;
const MOST_DEPTH: u64 = 12;

pub(super) fn write(out: &mut String, finding: &Finding) {
    let Some(trace) = &finding.trace else { return };
    let (badge, words) = match trace["confirmed"] == true {
        true => ("proved", "confirmed by replay"),
        false => ("unknown", "candidate"),
    };
    let _infallible = writeln!(
        out,
        "<div class=\"story\"><div class=\"head\"><h3>{}</h3><span class=\"badge {badge}\">{words}</span></div>",
        prose(&sentence(text(&trace["headline"])))
    );
    if let Some(why) = trace["unconfirmed"].as_str() {
        let _infallible = writeln!(out, "<p>Not confirmed by replay: {}</p>", prose(why));
    }
    facts(out, &trace["facts"]);
    let columns = list(&trace["columns"]);
    if columns.is_empty() {
        let steps = list(&trace["steps"]);
        diagram(out, "The run, one lane per thread", steps, failing(finding, steps));
    } else {
        out.push_str("<div class=\"orders\">\n");
        for column in columns {
            diagram(out, text(&column["title"]), list(&column["steps"]), None);
        }
        out.push_str("</div>\n");
    }
    conjuncts(out, list(&trace["conjuncts"]));
    for line in list(&trace["conclusion"]) {
        let _infallible = writeln!(out, "<p class=\"quiet\">{}</p>", prose(&sentence(text(line))));
    }
    out.push_str("</div>\n");
}

fn facts(out: &mut String, facts: &Value) {
    if list(facts).is_empty() {
        return;
    }
    out.push_str("<table class=\"facts\">\n");
    for fact in list(facts) {
        let _infallible = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}{}</td></tr>",
            escape(text(&fact["label"])),
            prose(text(&fact["text"])),
            inner(list(&fact["steps"]))
        );
    }
    out.push_str("</table>\n");
}

/// The statements inside of a fragment.
fn inner(steps: &[Value]) -> String {
    if steps.is_empty() {
        return String::new();
    }
    let item = |step: &Value| {
        let what = escape(text(&step["what"]));
        format!("<li>{} <code>{what}</code> {}</li>", line_of(step), changes(step))
    };
    let items: String = steps.iter().map(item).collect();
    format!("<ol class=\"inner\">{items}</ol>")
}

/// The step that fails: the last one where the failure is reported, or else the end of the run.
fn failing(finding: &Finding, steps: &[Value]) -> Option<usize> {
    let is_there = |step: &Value| {
        let at = &step["at"];
        text(&at["file"]) == finding.at.file
            && at["line"].as_u64() == Some(finding.at.line.into())
            && at["column"].as_u64() == Some(finding.at.column.into())
    };
    steps.iter().rposition(is_there).or(steps.len().checked_sub(1))
}

/// One lane per thread, one row per step; `wrong` is the number of the step that fails.
fn diagram(out: &mut String, title: &str, steps: &[Value], wrong: Option<usize>) {
    if steps.is_empty() {
        return;
    }
    let mut lanes: Vec<&str> = Vec::new();
    for step in steps {
        let thread = text(&step["thread"]);
        if !thread.is_empty() && !lanes.contains(&thread) {
            lanes.push(thread);
        }
    }
    // Two orders of the same actions have their lanes in the same order.
    lanes.sort_unstable_by_key(|lane| (*lane == "other threads", *lane));
    let width = lanes.len().clamp(1, MOST_LANES);
    let _infallible = writeln!(
        out,
        "<div class=\"diagram lanes-{width}\" role=\"group\" aria-label=\"{0}\">\
         <h4>{0}</h4>",
        escape(title)
    );
    for lane in &lanes {
        let _infallible = writeln!(out, "<div class=\"lane\">{}</div>", escape(lane));
    }
    for (nth, step) in steps.iter().enumerate() {
        let thread = text(&step["thread"]);
        let wrong = wrong == Some(nth);
        if thread.is_empty() {
            let _infallible =
                writeln!(out, "<div class=\"life whole\">{}</div>", box_of(step, wrong));
            continue;
        }
        for lane in &lanes {
            let own = if *lane == thread { box_of(step, wrong) } else { String::new() };
            let _infallible = writeln!(out, "<div class=\"life\">{own}</div>");
        }
    }
    out.push_str("</div>\n");
}

fn box_of(step: &Value, wrong: bool) -> String {
    let what = text(&step["what"]);
    let class = match (wrong || what.contains('✗'), text(&step["thread"]) == "other threads") {
        (true, _) => " wrong",
        (false, true) => " other",
        (false, false) => "",
    };
    let line = line_of(step);
    format!("<div class=\"step{class}\">{line}{}{}</div>", escape(what), changes(step))
}

fn line_of(step: &Value) -> String {
    let at = &step["at"];
    let line = at["line"].as_u64();
    let line = line.map(|n| linked("where", (text(&at["file"]), n), &format!("line {n}")));
    line.unwrap_or_default()
}

fn changes(step: &Value) -> String {
    let change = |it: &Value| {
        let (name, value) = (escape(text(&it["name"])), escape(text(&it["value"])));
        match it["before"].as_str() {
            Some(before) => format!("<code>{name}: {} → {value}</code>", escape(before)),
            None => format!("<code>{name} = {value}</code>"),
        }
    };
    list(&step["changes"]).iter().map(change).collect()
}

/// The condition that fails, its failing parts below it.
fn conjuncts(out: &mut String, conjuncts: &[Value]) {
    if conjuncts.is_empty() {
        return;
    }
    out.push_str("<ul class=\"tree\" aria-label=\"the condition that fails\">\n");
    for part in conjuncts {
        let (sign, class, word) = match part["holds"].as_bool() {
            Some(true) => ("✓", "holds", "holds"),
            Some(false) => ("✗", "fails", "fails"),
            None => ("?", "open", "not known"),
        };
        let depth = part["depth"].as_u64().unwrap_or(0).min(MOST_DEPTH);
        let values = part["values"]
            .as_str()
            .map(|it| format!(" <span class=\"quiet\">({})</span>", escape(it)));
        let _infallible = writeln!(
            out,
            "<li class=\"depth-{depth}\"><span class=\"{class}\" role=\"img\" aria-label=\"{word}\">{sign}</span> \
             <code>{}</code>{}</li>",
            escape(text(&part["text"])),
            values.unwrap_or_default()
        );
    }
    out.push_str("</ul>\n");
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
