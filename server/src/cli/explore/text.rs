//! Explorations as text: the answer with its scope, then the run, one lane for each thread.

use std::fmt::Write;

use ide::{ExplorationReport, ExplorationTurn, ExploreAnswer, ScopeViolation};

use super::Found;
use crate::cli::engine::{Finder, Opened};

pub(super) fn render(opened: &Opened, all: &[Found]) -> String {
    let analysis = opened.host.analysis();
    let mut finder = Finder::new(&analysis);
    let mut out = String::new();
    for found in all {
        one(found, &mut finder, &mut out);
    }
    out
}

fn one(found: &Found, finder: &mut Finder<'_>, out: &mut String) {
    let report = &found.report;
    let ExplorationReport { layer, scope, states, .. } = report;
    let size = format!("{states} states, {:.1} s", found.cpu_ms as f64 / 1000.0);
    let _infallible = match &report.answer {
        ExploreAnswer::Exhausted => {
            let gaps = if report.exact { "" } else { ", with gaps" };
            let movers =
                if report.assumes_movers { ", assuming the declared mover types" } else { "" };
            writeln!(out, "layer {layer}: no violation for {}{gaps}{movers} ({size})", scope.words)
        }
        ExploreAnswer::Truncated(why) => {
            writeln!(out, "layer {layer}: not finished for {}: {why} ({size})", scope.words)
        }
        ExploreAnswer::Violation(violation) => {
            let place = violation.at.map(|at| finder.spot(at));
            let _infallible = writeln!(out, "error[{}]: {}", violation.code, violation.message);
            if let Some(at) = place {
                let _infallible = writeln!(out, "  --> {}:{}:{}", at.file, at.line, at.column);
            }
            run(violation, finder, out);
            writeln!(out, "layer {layer}: {} with {} ({size})", verdict(violation), scope.words)
        }
    };
    for line in &report.inexact {
        let _infallible = writeln!(out, "  note: {line}");
    }
    for it in &report.excluded {
        let place = it.at.map(|at| finder.spot(at));
        let place = place.map_or_else(String::new, |at| format!(" ({}:{})", at.file, at.line));
        let _infallible =
            writeln!(out, "  left out[not-executable]: {}{place}: {}", it.name, it.why);
    }
}

fn verdict(violation: &ScopeViolation) -> String {
    let what = if violation.kind == "deadlock" { "a deadlock" } else { "a violation" };
    match &violation.confirmed {
        Ok(()) => format!("{what}, confirmed by replay,"),
        Err(why) => format!("a candidate for {what} ({why})"),
    }
}

/// The run: a column for the place, then one lane for each thread.
fn run(violation: &ScopeViolation, finder: &mut Finder<'_>, out: &mut String) {
    let start: Vec<String> =
        violation.start.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if !start.is_empty() {
        let _infallible = writeln!(out, "  starts with {}", start.join(", "));
    }
    let lanes = violation.turns.iter().map(|turn| turn.thread).max().unwrap_or(0);
    let mut rows = vec![vec![String::new()]];
    rows[0].extend((1..=lanes).map(|lane| format!("thread {lane}")));
    for turn in &violation.turns {
        let place = turn.at.map(|at| format!("line {}", finder.spot(at).line));
        let mut row = vec![place.unwrap_or_default()];
        row.extend(
            (1..=lanes).map(|lane| if lane == turn.thread { happens(turn) } else { String::new() }),
        );
        rows.push(row);
    }
    let columns = rows[0].len();
    let wide =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(wide).collect();
    for row in &rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell}{}", " ".repeat(width - cell.chars().count())))
            .collect();
        let _infallible = writeln!(out, "  {}", cells.join("  ").trim_end());
    }
}

fn happens(turn: &ExplorationTurn) -> String {
    let mut parts = Vec::new();
    if let Some(call) = &turn.call {
        parts.push(format!("calls {call}"));
    }
    parts.extend(turn.changes.iter().map(|(name, old, new)| format!("{name}: {old} → {new}")));
    if turn.returns {
        parts.push("returns".into());
    }
    if parts.is_empty() {
        parts.push("·".into());
    }
    parts.join(", ")
}
