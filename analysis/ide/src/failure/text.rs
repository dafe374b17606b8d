//! Explanations as lines of text, the same in terminal, editor and page.
//!
//! # Invariants
//! - Never more than [`MOST_LINES`] lines, unless everything is asked for; what is left out is counted.

use super::{Column, Explanation};
use crate::Analysis;
use crate::failure::trace_view::{TraceStep, TraceView};
use crate::types::Diagnostic;

/// More lines than this are cut in the middle, unless all are asked for.
const MOST_LINES: usize = 40;
/// Columns that need more room than this stand below each other.
const WIDEST: usize = 112;

impl Analysis {
    /// The lines of a trace, as a terminal shows them. `all`: however long it gets.
    pub(crate) fn trace_lines(&self, view: &TraceView, all: bool) -> Vec<String> {
        let told = &view.explanation;
        let mut lines = Vec::new();
        self.facts(told, &mut lines);
        if told.columns.is_empty() {
            if told.facts.is_empty() {
                lines.extend(self.steps(&view.steps, "  "));
            }
        } else {
            self.columns(&told.columns, &mut lines);
        }
        conjuncts(told, &mut lines);
        lines.extend(told.conclusion.iter().map(|line| format!("  {line}")));
        if lines.is_empty() && view.confirmed {
            return lines;
        }
        let most = MOST_LINES - 2;
        if !all && lines.len() > most {
            let hidden = lines.len() - most + 1;
            let middle = most / 2;
            lines.splice(middle..middle + hidden, [format!("  ... {hidden} lines more ...")]);
        }
        let head = match &view.doubt {
            None => format!("{}, confirmed by replay:", told.headline),
            Some(_) => format!("{}, a candidate:", told.headline),
        };
        lines.insert(0, head);
        lines.extend(view.doubt.iter().map(|why| format!("  not confirmed by replay: {why}")));
        lines
    }

    /// Puts lines that were left out of the explanation back, however many there are.
    pub fn unabridge(&self, diagnostic: &mut Diagnostic) {
        let Some(view) = &diagnostic.trace else { return };
        let (short, all) = (self.trace_lines(view, false), self.trace_lines(view, true));
        let before = diagnostic.explanation.len().saturating_sub(short.len());
        diagnostic.explanation.truncate(before);
        diagnostic.explanation.extend(all);
    }

    fn facts(&self, told: &Explanation, lines: &mut Vec<String>) {
        let wide = told.facts.iter().map(|fact| fact.label.chars().count()).max().unwrap_or(0);
        let line =
            |label: &str, text: &str| format!("  {label:wide$}  {text}").trim_end().to_owned();
        for fact in &told.facts {
            lines.push(line(&fact.label, &fact.text));
            lines.extend(self.steps(&fact.steps, "    "));
        }
    }

    /// One line per step: where, what happens, what is new.
    fn steps(&self, steps: &[TraceStep], indent: &str) -> Vec<String> {
        let places = steps.iter().map(|step| self.line_of(step).len()).max().unwrap_or(0);
        let words = steps.iter().map(|step| step.what.chars().count()).max().unwrap_or(0).min(40);
        let line = |step: &TraceStep| {
            let (place, what, changes) = (self.line_of(step), &step.what, step.changed());
            format!("{indent}{place:places$}  {what:words$}  {changes}").trim_end().to_owned()
        };
        steps.iter().map(line).collect()
    }

    fn line_of(&self, step: &TraceStep) -> String {
        step.at.map(|at| format!("line {}", self.place(at).line + 1)).unwrap_or_default()
    }

    /// Side by side, if there is room.
    fn columns(&self, columns: &[Column], lines: &mut Vec<String>) {
        let cells: Vec<Vec<String>> = columns
            .iter()
            .map(|column| {
                let steps = column.steps.iter().map(|step| self.cell(step));
                [format!("{}:", column.title)].into_iter().chain(steps).collect()
            })
            .collect();
        let wide =
            |cells: &Vec<String>| cells.iter().map(|it| it.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = cells.iter().map(wide).collect();
        if widths.iter().sum::<usize>() + 4 * columns.len() > WIDEST {
            for cells in &cells {
                let indent = |nth: usize| if nth == 0 { "  " } else { "    " };
                lines.extend(
                    cells.iter().enumerate().map(|(nth, cell)| format!("{}{cell}", indent(nth))),
                );
            }
            return;
        }
        let rows = cells.iter().map(Vec::len).max().unwrap_or(0);
        for row in 0..rows {
            let mut line = String::from("  ");
            for (cells, width) in cells.iter().zip(&widths) {
                let cell = cells.get(row).map_or("", String::as_str);
                line.push_str(&format!("{cell:width$}    "));
            }
            lines.push(line.trim_end().to_owned());
        }
    }

    fn cell(&self, step: &TraceStep) -> String {
        let (place, changes) = (self.line_of(step), step.changed());
        let place = if place.is_empty() { place } else { format!("{place}  ") };
        match (step.what.contains(": ✗"), changes.is_empty()) {
            (true, _) => format!("{place}{}", step.what),
            (false, true) if step.at.is_some() => format!("{place}{}", step.what),
            (false, true) => step.what.clone(),
            (false, false) => format!("{place}{}: {changes}", step.what),
        }
    }
}

/// The condition that fails, its failing parts indented below it.
fn conjuncts(told: &Explanation, lines: &mut Vec<String>) {
    for part in &told.conjuncts {
        let sign = match part.holds {
            Some(true) => "✓",
            Some(false) => "✗",
            None => "?",
        };
        let indent = "  ".repeat(part.depth as usize + 1);
        let values = part.values.as_ref().map(|it| format!("   ({it})")).unwrap_or_default();
        lines.push(format!("{indent}{sign} {}{values}", part.text));
    }
}
