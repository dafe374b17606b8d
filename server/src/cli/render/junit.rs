//! JUnit XML: one case per obligation, other problems as cases of their own.
//!
//! # The rule
//! A verdict other than "verified" is at least one failure or error: each error that is not about a
//! failing case is a case of its own, and so is a run that left something out.

use std::fmt::Write;

use crate::cli::report::{Finding, Outcome, Report, Severity};

pub(super) fn render(reports: &[Report]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for report in reports {
        let name = match reports.len() {
            1 => "civl".to_owned(),
            _ => format!("civl {}", report.files.join(", ")),
        };
        write_suite(&mut out, &name, report);
    }
    out.push_str("</testsuites>\n");
    out
}

fn write_suite(out: &mut String, name: &str, report: &Report) {
    let failing = |id: &String| {
        report.cases.iter().any(|c| c.name == *id && matches!(c.outcome, Outcome::Failed(_)))
    };
    let told = |d: &&Finding| d.obligation.as_ref().is_some_and(failing);
    let other_errors: Vec<&Finding> = report.errors().filter(|d| !told(d)).collect();
    let count =
        |wanted: fn(&Outcome) -> bool| report.cases.iter().filter(|c| wanted(&c.outcome)).count();
    let failures = count(|o| matches!(o, Outcome::Failed(_))) + other_errors.len();
    let unknown = count(|o| matches!(o, Outcome::Unknown(_)));
    // An undecided run has an error, also if nothing that was asked is undecided.
    let missing = report.undecided().filter(|_| unknown == 0);
    let errors = unknown + usize::from(missing.is_some());
    let skipped = count(|o| matches!(o, Outcome::Skipped(_)));
    let tests = report.cases.len() + other_errors.len() + usize::from(missing.is_some());
    let _infallible = writeln!(
        out,
        "<testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{}\">",
        escape(name),
        seconds(report.time.wall_ms)
    );
    for finding in other_errors {
        write_problem(out, finding);
    }
    if let Some(why) = missing {
        write_case(out, "verdict", "the whole program", 0, &Outcome::Unknown(why));
    }
    for case in &report.cases {
        write_case(out, &case.group, &case.name, case.millis, &case.outcome);
    }
    out.push_str("</testsuite>\n");
}

fn write_problem(out: &mut String, finding: &Finding) {
    debug_assert_eq!(finding.severity, Severity::Error);
    let name =
        format!("{}:{}:{} {}", finding.at.file, finding.at.line, finding.at.column, finding.code);
    write_case(out, &finding.phase, &name, 0, &Outcome::Failed(finding.message.clone()));
}

fn write_case(out: &mut String, group: &str, name: &str, millis: u64, outcome: &Outcome) {
    let _infallible = write!(
        out,
        "<testcase classname=\"{}\" name=\"{}\" time=\"{}\">",
        escape(group),
        escape(name),
        seconds(millis)
    );
    let _infallible = match outcome {
        Outcome::Proved => Ok(()),
        Outcome::Failed(why) => write!(out, "<failure message=\"{}\"/>", escape(why)),
        Outcome::Unknown(why) => write!(out, "<error message=\"undecided: {}\"/>", escape(why)),
        Outcome::Skipped(why) => write!(out, "<skipped message=\"{}\"/>", escape(why)),
    };
    out.push_str("</testcase>\n");
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1000, millis % 1000)
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::Counts;
    use crate::cli::report::tests::{finding, sample};

    #[test]
    fn an_undecided_run_has_an_error_and_each_program_a_suite() {
        let counts = Counts { total: 1, proved: 1, ..Counts::default() };
        let mut report = Report::new(vec![], counts, false);
        report.files = vec!["a.bpl".into()];
        let text = render(&[report, sample()]);
        assert_eq!(text.matches("<testsuite ").count(), 2, "{text}");
        assert!(
            text.contains("name=\"civl a.bpl\" tests=\"1\" failures=\"0\" errors=\"1\""),
            "{text}"
        );
        assert!(
            text.contains("<error message=\"undecided: not every obligation was asked\"/>"),
            "{text}"
        );
    }

    #[test]
    fn an_error_without_a_failing_case_is_a_failure() {
        let counts = Counts { total: 1, proved: 1, ..Counts::default() };
        let report = Report::new(vec![finding(Severity::Error, "proof")], counts, false);
        let text = render(&[report]);
        assert!(text.contains("tests=\"1\" failures=\"1\" errors=\"0\""), "{text}");
    }

    #[test]
    fn a_failed_obligation_is_a_failed_case() {
        let text = render(&[sample()]);
        assert!(text.contains("tests=\"1\" failures=\"1\" errors=\"0\""), "{text}");
        assert!(text.contains("<failure message=\"`x` &amp; y\"/>"), "{text}");
    }
}
