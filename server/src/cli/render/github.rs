//! Workflow commands that GitHub turns into annotations on the changed lines.

use crate::cli::report::{Report, Severity};

pub(super) fn render(reports: &[Report]) -> String {
    let mut lines: Vec<String> = Vec::new();
    // A file in two programs is not to be told twice.
    for line in reports.iter().flat_map(annotations) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.concat()
}

fn annotations(report: &Report) -> Vec<String> {
    let mut out = Vec::new();
    for finding in &report.diagnostics {
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information => "notice",
        };
        let at = &finding.at;
        out.push(format!(
            "::{level} file={},line={},col={},endLine={},endColumn={},title={}::{}\n",
            property(&at.file),
            at.line,
            at.column,
            at.end_line,
            at.end_column,
            property(&finding.code),
            data(&finding.message),
        ));
    }
    if let Some(why) = report.undecided() {
        let files = report.files.join(", ");
        out.push(format!("::warning title=undecided::{}\n", data(&format!("{files}: {why}"))));
    }
    out
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::Counts;
    use crate::cli::report::tests::sample;

    #[test]
    fn one_annotation_per_finding() {
        let text = render(&[sample()]);
        assert_eq!(
            text,
            "::error file=a.bpl,line=2,col=3,endLine=2,endColumn=6,title=some-code::`x` <is> \"wrong\"\n"
        );
    }

    #[test]
    fn an_undecided_run_is_a_warning() {
        let mut report =
            Report::new(vec![], Counts { total: 1, unknown: 1, ..Counts::default() }, true);
        report.files = vec!["a.bpl".into()];
        let text = "::warning title=undecided::a.bpl: 1 of 1 obligations are undecided\n";
        assert_eq!(render(&[report.clone(), report]), text);
    }

    #[test]
    fn separators_are_escaped() {
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}
