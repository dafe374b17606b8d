//! The tables of the page: movers with the reasons of each cell, layers, obligations.

use std::fmt::Write;

use super::{escape, prose, words};
use crate::cli::matrix::Matrix;
use crate::cli::report::{Case, Report};

pub(super) fn matrix(out: &mut String, report: &Report) {
    out.push_str("<section id=\"movers\"><h2>Movers</h2>\n");
    let matrix = Matrix::of(&report.cases);
    if matrix.names.is_empty() {
        out.push_str("<p class=\"quiet\">No two actions have to be compared.</p></section>\n");
        return;
    }
    out.push_str(
        "<p class=\"quiet\">Rows come first, columns second. ✓ proved, – disjoint, ? undecided, ✗ failed; \
         an empty cell is not needed. Choose a cell to see its reasons.</p>\n\
         <div class=\"scroll\"><table class=\"matrix\" id=\"matrix\"><thead><tr><th scope=\"col\">first \\ second</th>",
    );
    for name in &matrix.names {
        let _infallible = write!(out, "<th scope=\"col\" class=\"turn\">{}</th>", escape(name));
    }
    out.push_str("</tr></thead><tbody>\n");
    let mut reasons = String::new();
    for (row, first) in matrix.names.iter().enumerate() {
        let _infallible = write!(out, "<tr><th scope=\"row\">{}</th>", escape(first));
        for (column, second) in matrix.names.iter().enumerate() {
            let Some(cases) = matrix.cells.get(&(first.clone(), second.clone())) else {
                out.push_str("<td></td>");
                continue;
            };
            let (sign, class) = (matrix.sign(first, second), matrix.class(first, second));
            let id = format!("reason-{row}-{column}");
            let label = format!("{first} then {second}: {class}");
            let _infallible = write!(
                out,
                "<td><button class=\"cell {class}\" type=\"button\" aria-expanded=\"false\" \
                 aria-controls=\"{id}\" aria-label=\"{}\">{sign}</button></td>",
                escape(&label)
            );
            reason(&mut reasons, report, &id, (first, second), cases);
        }
        out.push_str("</tr>\n");
    }
    let _infallible = writeln!(out, "</tbody></table></div>\n{reasons}");
    if !report.calls.is_empty() {
        let calls = escape(&report.calls);
        let _infallible = writeln!(
            out,
            "<details class=\"card\" id=\"calls\"><summary>How each call moves</summary><pre>{calls}</pre></details>"
        );
    }
    out.push_str("</section>\n");
}

fn reason(out: &mut String, report: &Report, id: &str, pair: (&str, &str), cases: &[Case]) {
    let (first, second) = (escape(pair.0), escape(pair.1));
    let _infallible = writeln!(
        out,
        "<div class=\"card reason\" id=\"{id}\" hidden><h3>{first} then {second}</h3><table>"
    );
    for case in cases {
        let (word, why) = words(&case.outcome);
        let told = finding_of(report, case)
            .map(|n| format!(" <a class=\"to-trace\" href=\"#finding-{n}\" data-obligation=\"{}\">how it fails</a>", escape(&case.name)));
        let number = report.cases.iter().position(|other| other.name == case.name);
        let name = escape(&case.name);
        let name = number
            .map_or_else(|| name.clone(), |n| format!("<a href=\"#obligation-{n}\">{name}</a>"));
        let _infallible = writeln!(
            out,
            "<tr><td>{name}</td><td><span class=\"badge {word}\">{word}</span></td><td>{}{}</td></tr>",
            escape(why),
            told.unwrap_or_default()
        );
    }
    out.push_str("</table></div>\n");
}

fn finding_of(report: &Report, case: &Case) -> Option<usize> {
    report.diagnostics.iter().position(|it| it.obligation.as_ref() == Some(&case.name))
}

/// The table of layers, a column per layer. Cells of the text are two blanks apart.
pub(super) fn layers(out: &mut String, report: &Report) {
    out.push_str("<section id=\"layers\"><h2>Layers</h2>\n");
    let mut lines = report.layers.lines();
    let Some(head) = lines.next() else {
        out.push_str("<p class=\"quiet\">None.</p></section>\n");
        return;
    };
    out.push_str("<div class=\"scroll\"><table class=\"layers\"><thead><tr>");
    for cell in cells(head) {
        let _infallible = write!(out, "<th scope=\"col\">{}</th>", escape(cell));
    }
    out.push_str("</tr></thead><tbody>\n");
    for line in lines {
        out.push_str("<tr>");
        for (nth, cell) in cells(line).into_iter().enumerate() {
            let class = match (nth, cell) {
                (0 | 1, _) => "",
                (_, "-") => " class=\"none\"",
                (..) => " class=\"there\"",
            };
            let shown = if cell == "x" { "exists" } else { cell };
            let _infallible = write!(out, "<td{class}>{}</td>", escape(shown));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    assertions(out, report);
    out.push_str("</section>\n");
}

/// At which layers each assertion is checked.
fn assertions(out: &mut String, report: &Report) {
    if report.checked.is_empty() {
        return;
    }
    out.push_str(
        "<details class=\"card\" id=\"assertions\"><summary>At which layers each assertion is checked</summary>\n\
         <table><thead><tr><th scope=\"col\">line</th><th scope=\"col\">assertion</th>\
         <th scope=\"col\">checked</th></tr></thead><tbody>\n",
    );
    for it in &report.checked {
        let _infallible = writeln!(
            out,
            "<tr><td class=\"number\">{}</td><td><code>{}</code></td><td>{}</td></tr>",
            it.line,
            escape(&it.text),
            escape(&it.by)
        );
    }
    out.push_str("</tbody></table></details>\n");
}

fn cells(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

pub(super) fn obligations(out: &mut String, report: &Report) {
    out.push_str(
        "<section id=\"all\"><h2>Obligations</h2>\n<div class=\"controls\">\
         <input id=\"filter\" type=\"search\" placeholder=\"filter by name\" aria-label=\"filter by name\">\
         <select id=\"state\" aria-label=\"filter by state\"><option value=\"\">every state</option>\
         <option>failed</option><option>unknown</option><option>proved</option><option>skipped</option></select>\
         <span id=\"count\" class=\"quiet\" role=\"status\"></span></div>\n\
         <div class=\"scroll\"><table id=\"obligations\"><thead><tr><th scope=\"col\">obligation</th>\
         <th scope=\"col\">layer</th><th scope=\"col\">state</th><th scope=\"col\">why</th>\
         <th scope=\"col\">ms</th></tr></thead><tbody>\n",
    );
    for (nth, case) in report.cases.iter().enumerate() {
        let (word, why) = words(&case.outcome);
        let finding = finding_of(report, case);
        let why = finding.map_or(why, |n| report.diagnostics[n].message.as_str());
        let name = escape(&case.name);
        let name = match finding {
            Some(n) => format!("<a class=\"to-trace\" href=\"#finding-{n}\">{name}</a>"),
            None => name,
        };
        let layer = case.layer.map(|layer| layer.to_string()).unwrap_or_default();
        let cached = if case.cached { " <span class=\"quiet\">cached</span>" } else { "" };
        let _infallible = writeln!(
            out,
            "<tr id=\"obligation-{nth}\" data-state=\"{word}\"><td>{name}</td><td>{layer}</td>\
             <td><span class=\"badge {word}\">{word}</span>{cached}</td><td>{}</td>\
             <td class=\"number\">{}</td></tr>",
            prose(why),
            case.millis
        );
    }
    out.push_str("</tbody></table></div></section>\n");
}
