//! Expectations written into a program, and their comparison with what was found.
//!
//! ```text
//! x := y;
//!    //^ error[undeclared-identifier]: no variable     exact range, on the line above
//! x := y; //~ error[undeclared-identifier] "no variable"   anywhere on this line
//! ```
//! Carets stand under the range; `//` belongs to the comment, so a range cannot start in the first two
//! columns: `//~` is for those. Words are optional and may be any part of the message. Everything found
//! must be expected, and everything expected must be found.

/// What a program says should be reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Line, from 0.
    pub line: u32,
    /// Columns from and to, if the exact range matters.
    pub columns: Option<(u32, u32)>,
    /// `error`, `warning` or `hint`.
    pub severity: String,
    /// The code.
    pub code: String,
    /// A part of the message; possibly empty.
    pub words: String,
}

/// What was reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Line, from 0.
    pub line: u32,
    /// Columns from and to.
    pub columns: (u32, u32),
    /// `error`, `warning` or `hint`.
    pub severity: String,
    /// The code.
    pub code: String,
    /// The whole message.
    pub message: String,
}

/// The expectations of a text, in order.
pub fn expectations(text: &str) -> Vec<Expectation> {
    let mut out = Vec::new();
    let mut target = 0u32;
    for (number, line) in (0u32..).zip(text.lines()) {
        if let Some(expectation) = caret(line, target) {
            out.push(expectation);
            continue;
        }
        target = number;
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("//~") {
            let this = after.split("//~").next().unwrap_or(after);
            if let Some((severity, code, words)) = tail(this) {
                out.push(Expectation { line: number, columns: None, severity, code, words });
            }
            rest = after;
        }
    }
    out
}

/// `   //^^^ error[code]: words`
fn caret(line: &str, target: u32) -> Option<Expectation> {
    let comment = line.trim_start().strip_prefix("//")?;
    let carets = comment.trim_start();
    if !carets.starts_with('^') {
        return None;
    }
    let start = line.find('^')?;
    let length = carets.bytes().take_while(|b| *b == b'^').count();
    let (severity, code, words) = tail(&carets[length..])?;
    let (start, end) = (u32::try_from(start).ok()?, u32::try_from(start + length).ok()?);
    Some(Expectation { line: target, columns: Some((start, end)), severity, code, words })
}

/// `error[code]: words` or `error[code] "words"`
fn tail(text: &str) -> Option<(String, String, String)> {
    let (severity, rest) = text.trim().split_once('[')?;
    let (code, words) = rest.split_once(']')?;
    let words = words.trim().trim_start_matches(':').trim().trim_matches('"');
    Some((severity.trim().to_owned(), code.to_owned(), words.to_owned()))
}

/// Nothing, or a description of what was expected and not found, and found and not expected.
pub fn compare(expected: &[Expectation], found: &[Found]) -> Result<(), String> {
    let mut left: Vec<&Found> = found.iter().collect();
    let mut complaints = Vec::new();
    for expectation in expected {
        match left.iter().position(|found| matches(expectation, found)) {
            Some(number) => {
                left.remove(number);
            }
            None => complaints.push(format!("expected, not found: {expectation:?}")),
        }
    }
    complaints.extend(left.iter().map(|found| format!("found, not expected: {found:?}")));
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

fn matches(expectation: &Expectation, found: &Found) -> bool {
    expectation.line == found.line
        && expectation.columns.is_none_or(|columns| columns == found.columns)
        && expectation.severity == found.severity
        && expectation.code == found.code
        && found.message.contains(&expectation.words)
}

#[cfg(test)]
mod tests {
    use super::{Found, compare, expectations};

    fn found() -> Found {
        Found {
            line: 0,
            columns: (5, 6),
            severity: "error".to_owned(),
            code: "undeclared-identifier".to_owned(),
            message: "there is no variable `y`".to_owned(),
        }
    }

    #[test]
    fn carets_give_the_range_on_the_line_above() {
        let text = "x := y;\n   //^ error[undeclared-identifier]: no variable\n";
        let mut expected = expectations(text);
        assert_eq!(expected[0].columns, Some((5, 6)));
        assert_eq!(compare(&expected, &[found()]), Ok(()));
        expected[0].columns = Some((4, 6));
        assert!(compare(&expected, &[found()]).is_err());
    }

    #[test]
    fn tildes_give_the_line() {
        let text = "x := y; //~ error[undeclared-identifier] \"variable\"";
        assert_eq!(compare(&expectations(text), &[found()]), Ok(()));
        assert!(compare(&[], &[found()]).is_err());
        assert!(compare(&expectations(text), &[]).is_err());
    }
}
