//! What the solver prints, as nested lists.
//!
//! **In:** text. **Out:** lists and atoms, or `None` for text that is not well-formed.
//! Depth is bounded, so hostile text cannot exhaust the stack.

/// An atom or a list. String literals keep their opening quote, to tell them from symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sexpr {
    Atom(String),
    List(Vec<Sexpr>),
}

/// Deeper values are not read.
const DEEPEST: usize = 10_000;

impl Sexpr {
    pub(crate) fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(text) => Some(text),
            Sexpr::List(_) => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::Atom(_) => None,
            Sexpr::List(parts) => Some(parts),
        }
    }
}

impl std::fmt::Display for Sexpr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sexpr::Atom(text) => f.write_str(text),
            Sexpr::List(parts) => {
                f.write_str("(")?;
                for (nth, part) in parts.iter().enumerate() {
                    write!(f, "{}{part}", if nth == 0 { "" } else { " " })?;
                }
                f.write_str(")")
            }
        }
    }
}

/// All expressions in `text`.
pub(crate) fn parse(text: &str) -> Option<Vec<Sexpr>> {
    let mut open: Vec<Vec<Sexpr>> = vec![Vec::new()];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        match first {
            '(' => {
                open.push(Vec::new());
                if open.len() > DEEPEST {
                    return None;
                }
                rest = &rest[1..];
            }
            ')' => {
                let parts = open.pop()?;
                open.last_mut()?.push(Sexpr::List(parts));
                rest = &rest[1..];
            }
            c if c.is_whitespace() => rest = &rest[c.len_utf8()..],
            _ => {
                let (atom, after) = atom(rest)?;
                open.last_mut()?.push(Sexpr::Atom(atom));
                rest = after;
            }
        }
    }
    let parsed = open.pop()?;
    open.is_empty().then_some(parsed)
}

fn atom(text: &str) -> Option<(String, &str)> {
    if let Some(rest) = text.strip_prefix('|') {
        let end = rest.find('|')?;
        return Some((rest[..end].to_owned(), &rest[end + 1..]));
    }
    if let Some(mut rest) = text.strip_prefix('"') {
        let mut out = "\"".to_owned();
        loop {
            let end = rest.find('"')?;
            out.push_str(&rest[..end]);
            rest = &rest[end + 1..];
            match rest.strip_prefix('"') {
                Some(after) => {
                    out.push('"');
                    rest = after;
                }
                None => return Some((out, rest)),
            }
        }
    }
    let end = text.find(|c: char| c.is_whitespace() || "()\"|".contains(c)).unwrap_or(text.len());
    Some((text[..end].to_owned(), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn show(text: &str) -> Option<String> {
        parse(text).map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ; "))
    }

    #[test]
    fn nested_lists_quotes_and_strings_are_read() {
        let text = "unsat\n(:reason \"it said \"\"no\"\"\")\n((|a b| (- 1)))";
        assert_eq!(show(text).unwrap(), "unsat ; (:reason \"it said \"no\") ; ((a b (- 1)))");
    }

    #[test]
    fn unbalanced_text_is_refused() {
        for text in ["(", ")", "(a))", "\"open", "|open"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
