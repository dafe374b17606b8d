//! Source excerpts for people, and one closing line.

use std::fmt::Write;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use ide::TrustedKind;

use crate::cli::report::{Case, Finding, Outcome, Report, Severity, Spot, Verdict};

/// Why an obligation that was not asked counts as proved.
const BY_REQUEST: &str = "trusted by request";
/// Longer lines are named, not shown.
const WIDEST_EXCERPT: usize = 400;
/// More findings than a person reads; the rest is counted.
const MOST_SHOWN: usize = 200;

pub(super) fn render(report: &Report, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for finding in report.diagnostics.iter().take(MOST_SHOWN) {
        out.push_str(&renderer.render(&[group(report, finding)]));
        out.push('\n');
        for line in &finding.explanation {
            let _infallible = writeln!(out, "  {line}");
        }
        if let Some(id) = &finding.obligation {
            let _infallible = writeln!(out, "  obligation: {id}");
        }
        out.push('\n');
    }
    let hidden = report.diagnostics.len().saturating_sub(MOST_SHOWN);
    if hidden > 0 {
        let _infallible = writeln!(out, "... and {hidden} more\n");
    }
    out.push_str(&faith_line(report));
    out.push_str(&closing_line(report));
    out
}

/// What the answer rests on that nobody proved, counted by kind; nothing if there is no answer.
fn faith_line(report: &Report) -> String {
    if report.verdict == Verdict::Errors || report.trusted.is_empty() {
        return String::new();
    }
    let counts = TrustedKind::all().filter_map(|kind| {
        let count = report.trusted.iter().filter(|it| it.counted == kind).count();
        (count > 0).then(|| kind.counted(count))
    });
    format!("taken on faith: {}\n", counts.collect::<Vec<_>>().join(", "))
}

fn group<'a>(report: &'a Report, finding: &'a Finding) -> Group<'a> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO,
    };
    let title = level.primary_title(finding.message.as_str()).id(finding.code.as_str());
    let mut group = Group::with_title(title);
    match excerpt(report, finding) {
        Some(snippet) => group = group.element(snippet),
        None => group = group.element(Level::NOTE.message(format!("at {}", place(&finding.at)))),
    }
    for related in finding.related.iter().filter(|r| !shown_together(report, finding, &r.at)) {
        group = group.element(Level::NOTE.message(format!(
            "{}: {}",
            place(&related.at),
            related.message
        )));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

/// The lines around the finding and its related places in the same file.
fn excerpt<'a>(
    report: &'a Report,
    finding: &'a Finding,
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let text = report.texts.get(&finding.at.file)?;
    let primary = bytes(text, &finding.at)?;
    if too_wide(text, primary.clone()) {
        return None;
    }
    let mut snippet = Snippet::source(text.as_str())
        .path(finding.at.file.as_str())
        .annotation(AnnotationKind::Primary.span(primary));
    for related in finding.related.iter().filter(|r| shown_together(report, finding, &r.at)) {
        if let Some(span) = bytes(text, &related.at) {
            snippet = snippet
                .annotation(AnnotationKind::Context.span(span).label(related.message.as_str()));
        }
    }
    Some(snippet)
}

fn shown_together(report: &Report, finding: &Finding, other: &Spot) -> bool {
    let text = report.texts.get(&other.file);
    other.file == finding.at.file
        && text.is_some_and(|text| bytes(text, other).is_some_and(|span| !too_wide(text, span)))
}

fn bytes(text: &str, at: &Spot) -> Option<std::ops::Range<usize>> {
    let range = at.bytes.0 as usize..at.bytes.1 as usize;
    text.get(range.clone()).map(|_| range)
}

fn too_wide(text: &str, span: std::ops::Range<usize>) -> bool {
    let start = text[..span.start].rfind('\n').map_or(0, |i| i + 1);
    let end = text[span.start..].find('\n').map_or(text.len(), |i| span.start + i);
    end - start > WIDEST_EXCERPT
}

fn place(at: &Spot) -> String {
    format!("{}:{}:{}", at.file, at.line, at.column)
}

fn closing_line(report: &Report) -> String {
    let counts = report.obligations;
    let errors = report.errors().count();
    let head = match report.verdict {
        Verdict::Verified | Verdict::Unknown if report.checked_only => {
            "no static problems found".to_owned()
        }
        Verdict::Verified => "verified".to_owned(),
        Verdict::Errors => format!("{errors} error{}", if errors == 1 { "" } else { "s" }),
        Verdict::Unknown => "undecided".to_owned(),
    };
    let missing = report.verdict == Verdict::Unknown && counts.unknown == 0 && !report.checked_only;
    if counts.total == 0 && !missing {
        return head + "\n";
    }
    let by_request =
        |case: &&Case| matches!(&case.outcome, Outcome::Skipped(why) if why == BY_REQUEST);
    let trusted = report.cases.iter().filter(by_request).count().min(counts.skipped);
    let mut parts =
        vec![format!("{} of {} obligations proved", counts.proved + counts.skipped, counts.total)];
    for (count, word) in [
        (counts.failed, "failed"),
        (counts.unknown, "undecided"),
        (counts.skipped - trusted, "of them by disjoint variables"),
        (trusted, "of them trusted by request"),
        (counts.cached, "from the cache"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    let missing = missing && report.refused == 0;
    if report.refused > 0 && report.verdict == Verdict::Unknown {
        parts.push(format!("but {} taken on faith, which --strict refuses", report.refused));
    }
    if missing {
        parts.push("but not every obligation was asked".to_owned());
    }
    format!("{head}: {}\n", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::tests::sample;
    use crate::cli::report::{Counts, Faith};

    #[test]
    fn the_excerpt_underlines_the_place_and_the_last_line_counts() {
        let text = render(&sample(), false);
        assert!(text.contains("error[some-code]: `x` <is> \"wrong\""), "{text}");
        assert!(text.contains("a.bpl:2:2"), "{text}");
        assert!(text.contains("do it right"), "{text}");
        assert!(text.ends_with("1 error: 1 of 2 obligations proved, 1 failed\n"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn what_is_taken_on_faith_is_counted_and_strict_runs_refuse_promises() {
        let faith = |kind: TrustedKind| Faith {
            kind: kind.as_str(),
            what: "it".into(),
            at: None,
            counted: kind,
        };
        let counts = Counts { total: 1, proved: 1, ..Counts::default() };
        let mut report = Report::new(vec![], counts, true);
        report.trusted = vec![faith(TrustedKind::Axiom), faith(TrustedKind::Axiom)];
        report.be_strict();
        let text = "taken on faith: 2 axioms\nverified: 1 of 1 obligations proved\n";
        assert_eq!(render(&report, false), text);
        report.trusted.push(faith(TrustedKind::Termination));
        report.be_strict();
        let text = "taken on faith: 2 axioms, 1 step not shown to end\n\
                    undecided: 1 of 1 obligations proved, but 1 taken on faith, which --strict refuses\n";
        assert_eq!(render(&report, false), text);
    }

    #[test]
    fn a_finding_outside_the_known_texts_still_shows_its_place() {
        let mut report = sample();
        report.texts.clear();
        assert!(render(&report, false).contains("at a.bpl:2:3"));
    }
}
