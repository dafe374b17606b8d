//! Expected errors written into a program.
//!
//! `//~ error[code]` expects an error with this code on its own line, `//~^` on the line above (one
//! `^` per line). Words in double quotes must be part of the message. Several expectations may
//! follow each other on one line.

/// One expected error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Line, from 1.
    pub line: u32,
    pub code: String,
    pub words: Option<String>,
}

/// An error that was reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Line, from 1.
    pub line: u32,
    pub code: String,
    pub message: String,
}

/// The marks of a program.
pub fn marks(text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some((_, mut rest)) = line.split_once("//~") else { continue };
        let up = rest.len() - rest.trim_start_matches('^').len();
        rest = rest.trim_start_matches('^');
        let number = u32::try_from(at + 1 - up.min(at)).unwrap_or(0);
        while let Some((_, after)) = rest.split_once("error[") {
            let Some((code, after)) = after.split_once(']') else { break };
            let next = after.find("error[").unwrap_or(after.len());
            let words = after[..next].split('"').nth(1).map(str::to_owned);
            marks.push(Mark { line: number, code: code.to_owned(), words });
            rest = &after[next..];
        }
    }
    marks
}

/// What is wrong when `seen` was reported for a program with these marks.
pub fn compare(marks: &[Mark], seen: &[Seen]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut left: Vec<&Seen> = seen.iter().collect();
    for mark in marks {
        let fits = |s: &&Seen| {
            s.line == mark.line
                && s.code == mark.code
                && mark.words.as_ref().is_none_or(|words| s.message.contains(words.as_str()))
        };
        match left.iter().position(fits) {
            Some(at) => {
                left.remove(at);
            }
            None => {
                let words = mark.words.as_ref().map(|w| format!(" \"{w}\"")).unwrap_or_default();
                complaints.push(format!("line {}: missing error[{}]{words}", mark.line, mark.code));
            }
        }
    }
    for seen in left {
        complaints
            .push(format!("line {}: unexpected error[{}]: {}", seen.line, seen.code, seen.message));
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(line: u32, code: &str) -> Seen {
        Seen { line, code: code.into(), message: "the words".into() }
    }

    #[test]
    fn a_mark_names_its_line_or_one_above() {
        let found = marks("a //~ error[x] \"words\" error[y]\nb\n//~^ error[z]\n");
        let short: Vec<_> = found.iter().map(|m| (m.line, m.code.as_str())).collect();
        assert_eq!(short, [(1, "x"), (1, "y"), (2, "z")]);
        assert_eq!(found[0].words.as_deref(), Some("words"));
    }

    #[test]
    fn missing_and_unexpected_errors_are_both_told() {
        let expected = marks("a //~ error[x] \"words\"\n");
        assert!(compare(&expected, &[seen(1, "x")]).is_empty());
        assert_eq!(compare(&expected, &[seen(2, "x")]).len(), 2);
        assert_eq!(compare(&expected, &[seen(1, "x"), seen(1, "x")]).len(), 1);
    }
}
