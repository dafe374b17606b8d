//! A report as one page that needs nothing else: no network, no other file.
//!
//! # Invariants
//! - Everything that comes from a program is escaped; the script of the page reads no data but the
//!   page itself.

use std::fmt::Write;

use crate::cli::matrix::Matrix;
use crate::cli::report::{Case, Finding, Outcome, Report, Severity};

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#222;background:#fff}\
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse}\
td,th{padding:.2rem .6rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}\
pre{background:#f6f6f6;padding:.6rem;overflow:auto}code{font-family:ui-monospace,monospace}\
.proved{color:#176f2c}.failed{color:#b00020;font-weight:600}.unknown{color:#8a5a00}.skipped{color:#666}\
.cell{text-align:center;cursor:pointer}tr.row{cursor:pointer}tr.row:hover,.cell:hover{background:#eef4ff}\
.finding{border-left:4px solid #b00020;padding-left:1rem;margin:1rem 0}.lane{min-width:16rem}\
.hidden{display:none}input{padding:.3rem .5rem;width:24rem;max-width:100%}";

const SCRIPT: &str = "\
const show=id=>{const e=document.getElementById(id);if(e){e.scrollIntoView({behavior:'smooth'});e.classList.add('shown')}};\
document.querySelectorAll('[data-target]').forEach(e=>e.addEventListener('click',()=>show(e.dataset.target)));\
const f=document.getElementById('filter');f.addEventListener('input',()=>{const w=f.value.toLowerCase();\
document.querySelectorAll('tr.row').forEach(r=>r.classList.toggle('hidden',!r.textContent.toLowerCase().includes(w)))});";

pub(crate) fn render(report: &Report) -> String {
    let mut out = String::new();
    let counts = report.obligations;
    let verdict = format!("{:?}", report.verdict).to_lowercase();
    let _infallible = writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>civl: {verdict}</title>\
         <style>{STYLE}</style></head><body>\n<h1>civl: {verdict}</h1>\n\
         <p>{} obligations: {} proved, {} failed, {} undecided, {} skipped; {} from the cache. {} ms.</p>",
        counts.total,
        counts.proved,
        counts.failed,
        counts.unknown,
        counts.skipped,
        counts.cached,
        report.time.wall_ms
    );
    findings(&mut out, report);
    matrix(&mut out, report);
    if !report.layers.is_empty() {
        let _infallible = writeln!(out, "<h2>Layers</h2>\n<pre>{}</pre>", escape(&report.layers));
    }
    obligations(&mut out, report);
    let _infallible = writeln!(out, "<script>{SCRIPT}</script></body></html>");
    out
}

fn findings(out: &mut String, report: &Report) {
    if report.diagnostics.is_empty() {
        return;
    }
    out.push_str("<h2>Problems</h2>\n");
    for (nth, finding) in report.diagnostics.iter().enumerate() {
        let class = if finding.severity == Severity::Error { "failed" } else { "unknown" };
        let at = &finding.at;
        let _infallible = writeln!(
            out,
            "<div class=\"finding\" id=\"finding-{nth}\"><p><span class=\"{class}\">{}</span> \
             <code>{}</code></p>\n<p>{}:{}:{}</p>",
            escape(&finding.message),
            escape(&finding.code),
            escape(&at.file),
            at.line,
            at.column
        );
        if let Some(line) =
            report.texts.get(&at.file).and_then(|t| t.lines().nth(at.line as usize - 1))
        {
            let _infallible = writeln!(out, "<pre>{}</pre>", escape(line));
        }
        for related in &finding.related {
            let _infallible = writeln!(
                out,
                "<p>{}:{}: {}</p>",
                escape(&related.at.file),
                related.at.line,
                escape(&related.message)
            );
        }
        if let Some(help) = &finding.help {
            let _infallible = writeln!(out, "<p>help: {}</p>", escape(help));
        }
        trace(out, finding);
        out.push_str("</div>\n");
    }
}

/// The run as two lanes: this thread, and all the others.
fn trace(out: &mut String, finding: &Finding) {
    let Some(trace) = &finding.trace else { return };
    let steps = trace["steps"].as_array().cloned().unwrap_or_default();
    if steps.is_empty() {
        return;
    }
    let head = if trace["confirmed"] == true {
        "A run that fails, confirmed by replay"
    } else {
        "A candidate for a failing run"
    };
    let _infallible = writeln!(
        out,
        "<table class=\"trace\"><caption>{head}</caption><tr><th>line</th>\
         <th class=\"lane\">this thread</th><th class=\"lane\">other threads</th></tr>"
    );
    for step in steps {
        let what = step["what"].as_str().unwrap_or_default();
        let changes = step["changes"].as_array().cloned().unwrap_or_default();
        let changes: Vec<String> = changes
            .iter()
            .map(|c| {
                format!(
                    "{} = {}",
                    c["name"].as_str().unwrap_or(""),
                    c["value"].as_str().unwrap_or("")
                )
            })
            .collect();
        let text = format!("{}<br><code>{}</code>", escape(what), escape(&changes.join(", ")));
        let line = step["at"]["line"].as_u64().map(|line| line.to_string()).unwrap_or_default();
        let (own, others) = if what.contains("after other threads") {
            ("", text.as_str())
        } else {
            (text.as_str(), "")
        };
        let _infallible = writeln!(out, "<tr><td>{line}</td><td>{own}</td><td>{others}</td></tr>");
    }
    out.push_str("</table>\n");
}

fn matrix(out: &mut String, report: &Report) {
    let matrix = Matrix::of(&report.cases);
    if matrix.names.is_empty() {
        return;
    }
    out.push_str("<h2>Movers</h2>\n<p>Rows come first, columns second.</p>\n<table id=\"matrix\"><tr><th></th>");
    for name in &matrix.names {
        let _infallible = write!(out, "<th>{}</th>", escape(name));
    }
    out.push_str("</tr>\n");
    for first in &matrix.names {
        let _infallible = write!(out, "<tr><th>{}</th>", escape(first));
        for second in &matrix.names {
            let sign = matrix.sign(first, second);
            let cases = matrix.cells.get(&(first.clone(), second.clone()));
            let reasons: Vec<String> = cases.into_iter().flatten().map(reason).collect();
            let target = cases.into_iter().flatten().find_map(|case| number(report, case));
            let target =
                target.map(|n| format!(" data-target=\"obligation-{n}\"")).unwrap_or_default();
            let _infallible = write!(
                out,
                "<td class=\"cell\" title=\"{}\"{target}>{sign}</td>",
                escape(&reasons.join("\n"))
            );
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table>\n");
}

fn reason(case: &Case) -> String {
    let (word, why) = words(&case.outcome);
    if why.is_empty() {
        format!("{}: {word}", case.name)
    } else {
        format!("{}: {word}, {why}", case.name)
    }
}

fn number(report: &Report, case: &Case) -> Option<usize> {
    report.cases.iter().position(|other| other.name == case.name)
}

fn obligations(out: &mut String, report: &Report) {
    out.push_str(
        "<h2>Obligations</h2>\n<input id=\"filter\" placeholder=\"filter\" aria-label=\"filter\">\n\
         <table id=\"obligations\"><tr><th>obligation</th><th>layer</th><th>state</th><th>ms</th></tr>\n",
    );
    for (nth, case) in report.cases.iter().enumerate() {
        let (word, why) = words(&case.outcome);
        let finding =
            report.diagnostics.iter().position(|d| d.obligation.as_ref() == Some(&case.name));
        let target = finding.map(|n| format!(" data-target=\"finding-{n}\"")).unwrap_or_default();
        let layer = case.layer.map(|layer| layer.to_string()).unwrap_or_default();
        let cached = if case.cached { " (cached)" } else { "" };
        let _infallible = writeln!(
            out,
            "<tr class=\"row\" id=\"obligation-{nth}\"{target}><td>{}</td><td>{layer}</td>\
             <td class=\"{word}\">{word}{cached} {}</td><td>{}</td></tr>",
            escape(&case.name),
            escape(why),
            case.millis
        );
    }
    out.push_str("</table>\n");
}

fn words(outcome: &Outcome) -> (&'static str, &str) {
    match outcome {
        Outcome::Proved => ("proved", ""),
        Outcome::Failed(why) => ("failed", why),
        Outcome::Unknown(why) => ("unknown", why),
        Outcome::Skipped(why) => ("skipped", why),
    }
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::tests::sample;

    #[test]
    fn nothing_of_the_program_is_markup() {
        let mut report = sample();
        report.diagnostics[0].message = "<script>alert(1)</script>".into();
        report.texts.insert("a.bpl".into(), "x\n<img src=x onerror=y>\n".into());
        let page = render(&report);
        assert!(!page.contains("<script>alert"), "{page}");
        assert!(!page.contains("<img"), "{page}");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    }

    #[test]
    fn the_page_needs_nothing_from_elsewhere() {
        let page = render(&sample());
        assert!(!page.contains("http") && !page.contains("src="), "{page}");
    }
}
