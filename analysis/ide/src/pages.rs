//! The manual, built into the program: its chapters and a page for each diagnostic code.

const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// File names without ending, and Markdown; in the order of reading.
const CHAPTERS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/chapters.rs"));

/// The chapters of the manual: name and Markdown, in the order of reading.
pub fn chapters() -> impl Iterator<Item = (&'static str, &'static str)> {
    CHAPTERS.iter().copied()
}

/// One page of the manual.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The code it explains.
    pub code: &'static str,
    /// What is wrong, in one line.
    pub summary: &'static str,
    /// The page as Markdown.
    pub text: &'static str,
}

/// The page of `code`; a known code without a page yields its summary.
pub fn explain(code: &str) -> Option<Page> {
    let row = base::ALL_CODES.iter().find(|row| row.text == code);
    let page = PAGES.iter().find(|(name, _)| *name == code);
    match (row, page) {
        (Some(row), Some((_, text))) => Some(Page { code: row.text, summary: row.summary, text }),
        (Some(row), None) => Some(Page { code: row.text, summary: row.summary, text: row.summary }),
        (None, _) => None,
    }
}

/// Every code, with whether it has a page of its own.
pub fn codes() -> impl Iterator<Item = (Page, bool)> {
    base::ALL_CODES.iter().filter_map(|row| {
        let own = PAGES.iter().any(|(name, _)| *name == row.text);
        explain(row.text).map(|page| (page, own))
    })
}

#[cfg(test)]
mod tests {
    use super::chapters;

    #[test]
    fn the_manual_has_a_row_for_every_kind_of_obligation() {
        let (_, text) = chapters().find(|it| it.0 == "14-obligations").expect("the chapter");
        for kind in ir::ObligationKind::ALL {
            assert!(text.contains(&format!("\n| `{kind}` | ")), "{kind} has no row");
        }
    }
}
