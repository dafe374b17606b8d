//! Workflow commands that GitHub turns into annotations on the changed lines.

use std::fmt::Write;

use crate::cli::report::{Report, Severity};

pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for finding in &report.diagnostics {
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information => "notice",
        };
        let at = &finding.at;
        let _infallible = writeln!(
            out,
            "::{level} file={},line={},col={},endLine={},endColumn={},title={}::{}",
            property(&at.file),
            at.line,
            at.column,
            at.end_line,
            at.end_column,
            property(&finding.code),
            data(&finding.message),
        );
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
    use crate::cli::report::tests::sample;

    #[test]
    fn one_annotation_per_finding() {
        let text = render(&sample());
        assert_eq!(
            text,
            "::error file=a.bpl,line=2,col=3,endLine=2,endColumn=6,title=some-code::`x` <is> \"wrong\"\n"
        );
    }

    #[test]
    fn separators_are_escaped() {
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}
