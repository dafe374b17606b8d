//! A report as one page that needs nothing else: no network, no other file.
//!
//! **In:** a [`Report`]. **Out:** the page: problems with their stories, the matrix of movers, the map
//! of layers, the table of obligations. Parts: `html/story.rs`, `html/tables.rs`.
//!
//! # Invariants
//! - A page names all files of its program and what its answer takes on faith; a page about several
//!   programs has the worst of their verdicts.
//! - Everything that comes from a program is escaped; the script of the page reads no data but the
//!   page itself, and the policy in its head lets it load nothing.
//! - Everything that can be clicked is a link, a button or a field, so the keyboard reaches it. The page
//!   can be read without its script.

mod story;
mod tables;

use std::fmt::Write;
use std::path::Path;

use crate::cli::report::{Faith, Finding, Outcome, Report, Severity, Verdict};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// Lines of the source around a problem.
const CONTEXT: usize = 2;

/// A part of the page, for editors that put a head of their own around it.
pub(crate) struct Part {
    pub(crate) style: &'static str,
    pub(crate) script: &'static str,
    pub(crate) body: String,
}

/// The problems with their stories.
pub(crate) fn problems(report: &Report) -> Part {
    part(report, findings)
}

/// The matrix of movers.
pub(crate) fn movers(report: &Report) -> Part {
    part(report, tables::matrix)
}

fn part(report: &Report, write: fn(&mut String, &Report)) -> Part {
    let mut body = "<main>\n".to_owned();
    write(&mut body, report);
    body.push_str("</main>\n");
    Part { style: STYLE, script: SCRIPT, body }
}

/// A program on the page about several.
pub(crate) struct Line {
    pub(crate) page: String,
    pub(crate) verdict: Verdict,
    pub(crate) files: Vec<String>,
}

fn badge(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Verified => ("verified", "proved"),
        Verdict::Errors => ("errors", "failed"),
        Verdict::Unknown => ("undecided", "unknown"),
    }
}

fn head(verdict: Verdict, quiet: &str, more: &str) -> String {
    let (word, class) = badge(verdict);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>civl: {word}</title>\n<style>{STYLE}</style></head>\n<body>\n<header><div>\n\
         <h1>civl report <span class=\"badge {class}\">{word}</span></h1>\n\
         <p class=\"quiet\">{quiet}</p>\n{more}</div></header>\n<main>\n"
    )
}

/// The page about several programs.
pub(crate) fn index(lines: &[Line]) -> String {
    let worst = lines.iter().map(|line| line.verdict).max().unwrap_or(Verdict::Unknown);
    let mut out = head(worst, &format!("{} programs", lines.len()), "");
    out.push_str("<section id=\"programs\"><h2>Programs</h2>\n<ul>\n");
    for Line { page, verdict, files } in lines {
        let (word, class) = badge(*verdict);
        let files = escape(&files.join(", "));
        let _infallible = writeln!(
            out,
            "<li><a href=\"{page}\">{files}</a> <span class=\"badge {class}\">{word}</span></li>"
        );
    }
    out.push_str("</ul></section>\n</main>\n</body></html>\n");
    out
}

pub(crate) fn render(report: &Report) -> String {
    let more = format!("<p>{}</p>\n{}{}", summary(report), faith(report), navigation(report));
    let mut out = head(report.verdict, &escape(&report.files.join(", ")), &more);
    findings(&mut out, report);
    tables::matrix(&mut out, report);
    tables::layers(&mut out, report);
    tables::obligations(&mut out, report);
    let _infallible = writeln!(
        out,
        "<footer>Press / to filter obligations. This page loads nothing from elsewhere.</footer>\n\
         </main>\n<script>{SCRIPT}</script>\n</body></html>"
    );
    out
}

/// What the answer rests on that nobody proved.
fn faith(report: &Report) -> String {
    if report.trusted.is_empty() {
        return String::new();
    }
    let line = |it: &Faith| {
        let at = it.at.as_ref().map(|at| format!(" ({}:{})", at.file, at.line)).unwrap_or_default();
        format!("<li>{}</li>\n", escape(&format!("{}{at}", it.what)))
    };
    let lines: String = report.trusted.iter().map(line).collect();
    format!(
        "<details><summary>Taken on faith: {}</summary>\n<ul>\n{lines}</ul></details>\n",
        report.trusted.len()
    )
}

fn summary(report: &Report) -> String {
    let counts = report.obligations;
    format!(
        "{} obligations: {} proved, {} failed, {} undecided, {} skipped; {} from the cache. {} ms.",
        counts.total,
        counts.proved,
        counts.failed,
        counts.unknown,
        counts.skipped,
        counts.cached,
        report.time.wall_ms
    )
}

fn navigation(report: &Report) -> String {
    let problems = report.diagnostics.len();
    let links = [
        ("problems", format!("Problems ({problems})")),
        ("movers", "Movers".to_owned()),
        ("layers", "Layers".to_owned()),
        ("all", format!("Obligations ({})", report.cases.len())),
    ];
    let links: Vec<String> =
        links.iter().map(|(to, words)| format!("<a href=\"#{to}\">{words}</a>")).collect();
    format!("<nav aria-label=\"sections\">{}</nav>\n", links.join("\n"))
}

fn findings(out: &mut String, report: &Report) {
    out.push_str("<section id=\"problems\"><h2>Problems</h2>\n");
    if report.diagnostics.is_empty() {
        out.push_str("<p class=\"quiet\">None.</p>\n");
    }
    for (nth, finding) in report.diagnostics.iter().enumerate() {
        let (class, state) = match finding.severity {
            Severity::Error => ("error", "failed"),
            Severity::Warning | Severity::Information => ("warning", "unknown"),
        };
        let at = &finding.at;
        let _infallible = writeln!(
            out,
            "<article class=\"card finding {class}\" id=\"finding-{nth}\">\
             <div class=\"head\"><span class=\"badge {state}\">{}</span><h3>{}</h3></div>\n\
             <p class=\"quiet\"><code>{}</code></p>",
            escape(&finding.code),
            prose(&finding.message),
            linked(
                "",
                (&at.file, at.line.into()),
                &format!("{}:{}:{}", short(&at.file), at.line, at.column)
            )
        );
        excerpt(out, report, finding);
        for related in &finding.related {
            let (file, line) = (&related.at.file, related.at.line);
            let place = linked("", (file, line.into()), &format!("{}:{line}", short(file)));
            let words = prose(&related.message);
            let _infallible = writeln!(out, "<p><code>{place}</code> {words}</p>");
        }
        if let Some(help) = &finding.help {
            let _infallible = writeln!(out, "<p>Help: {}</p>", prose(help));
        }
        story::write(out, finding);
        if let Some(id) = &finding.obligation
            && let Some(number) = report.cases.iter().position(|case| case.name == *id)
        {
            let name = escape(id);
            let _infallible =
                writeln!(out, "<p><a href=\"#obligation-{number}\">Obligation {name}</a></p>");
        }
        out.push_str("</article>\n");
    }
    out.push_str("</section>\n");
}

/// The lines around the finding, its own marked.
fn excerpt(out: &mut String, report: &Report, finding: &Finding) {
    let Some(text) = report.texts.get(&finding.at.file) else { return };
    let own = (finding.at.line as usize).saturating_sub(1);
    let first = own.saturating_sub(CONTEXT);
    out.push_str("<pre>");
    for (nth, line) in text.lines().enumerate().skip(first).take(own - first + CONTEXT + 1) {
        let number = nth + 1;
        let shown = escape(line);
        let _infallible = match nth == own {
            true => writeln!(out, "<span class=\"here\">{number:>4} ▸ {shown}</span>"),
            false => writeln!(out, "{number:>4}   {shown}"),
        };
    }
    out.push_str("</pre>\n");
}

/// A word and a reason.
fn words(outcome: &Outcome) -> (&'static str, &str) {
    match outcome {
        Outcome::Proved => ("proved", ""),
        Outcome::Failed(why) => ("failed", why),
        Outcome::Unknown(why) => ("unknown", why),
        Outcome::Skipped(why) => ("skipped", why),
    }
}

/// A file as the user named it; of a whole path only its end, since the rest says nothing here.
fn short(file: &str) -> &str {
    let path = Path::new(file);
    path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_absolute()).unwrap_or(file)
}

/// Words about a place; an editor makes a link of them, and pointing at them shows the whole path.
fn linked(class: &str, (file, line): (&str, u64), words: &str) -> String {
    let (file, words) = (escape(file), escape(words));
    format!(
        "<span class=\"{class}\" title=\"{file}\" data-file=\"{file}\" data-line=\"{line}\">{words}</span>"
    )
}

/// Prose with names between back quotes.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for (nth, part) in text.split('`').enumerate() {
        let part = escape(part);
        out.push_str(&if nth % 2 == 1 { format!("<code>{part}</code>") } else { part });
    }
    out
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
    use serde_json::json;

    fn hostile() -> String {
        let evil = "<script>alert(1)</script><img src=x onerror=y>\"'";
        let mut report = sample();
        let step = json!({"at": null, "what": evil, "thread": evil,
            "changes": [{"name": evil, "value": evil}]});
        report.diagnostics[0].message = evil.into();
        report.diagnostics[0].help = Some(evil.into());
        report.diagnostics[0].obligation = Some(evil.into());
        report.diagnostics[0].trace = Some(json!({
            "confirmed": false, "unconfirmed": evil, "headline": evil, "steps": [step],
            "facts": [{"label": evil, "text": evil, "at": null}],
            "columns": [{"title": evil, "steps": [step]}],
            "conjuncts": [{"depth": 0, "holds": null, "text": evil, "values": evil, "at": null}],
            "conclusion": [evil],
        }));
        report.cases[0].name = evil.into();
        report.cases[0].subjects = vec![evil.into(), evil.into()];
        report.layers = format!("kind  name  0\nvariable  {evil}  x\n");
        report.texts.insert("a.bpl".into(), format!("x\n{evil}\n"));
        render(&report)
    }

    #[test]
    fn nothing_of_the_program_is_markup() {
        let page = hostile();
        assert!(!page.contains("<script>alert"), "{page}");
        assert!(!page.contains("<img"), "{page}");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    }

    #[test]
    fn of_a_whole_path_its_end_is_shown() {
        assert_eq!(short("lib/a.bpl"), "lib/a.bpl");
        assert_eq!(short("/home/me/proofs/a.bpl"), "a.bpl");
        let shown = linked("", ("/home/me/\"a.bpl", 7), "a.bpl:7");
        assert!(shown.contains("title=\"/home/me/&quot;a.bpl\""), "{shown}");
    }

    #[test]
    fn a_part_of_the_page_obeys_a_policy_without_inline_style_and_script() {
        let page = hostile();
        let body = &page[page.find("<body>").unwrap()..];
        assert!(!body.contains(" style=") && !body.contains(" onclick="), "{body}");
        let part = problems(&sample());
        assert!(part.body.contains("data-file=\"a.bpl\" data-line=\"2\""), "{}", part.body);
        assert!(page.contains(part.style) && page.contains(part.script));
        assert!(
            render(&sample())
                .contains(part.body.trim_start_matches("<main>\n").trim_end_matches("</main>\n"))
        );
    }

    #[test]
    fn the_page_needs_nothing_from_elsewhere() {
        let page = render(&sample());
        let head = page.replace("http-equiv", "");
        assert!(!head.contains("http") && !head.contains("src="), "{page}");
        assert!(!head.contains("url(") && !head.contains("@import"), "{page}");
    }

    #[test]
    fn what_can_be_clicked_is_reached_by_the_keyboard() {
        let page = render(&sample());
        assert!(page.contains("<button class=\"cell failed\""), "{page}");
        assert!(!page.contains("onclick") && !page.contains("tabindex=\"-"), "{page}");
    }
}
