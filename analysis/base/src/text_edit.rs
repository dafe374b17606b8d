//! Edits as data.

use text_size::TextRange;

use crate::FileRange;

/// Replace the text of a range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextEdit {
    /// What is replaced; empty for an insertion.
    pub at: FileRange,
    /// The new text.
    pub insert: String,
}

/// `text` after `edits`, which are byte ranges of `text` and must not overlap.
///
/// Edits outside the text or overlapping an earlier one are left out: an edit is never applied
/// to a place it was not made for.
pub fn apply_edits(text: &str, edits: &[(TextRange, String)]) -> String {
    let mut sorted: Vec<_> = edits.iter().collect();
    sorted.sort_by_key(|(range, _)| (range.start(), range.end()));
    let mut out = String::with_capacity(text.len());
    let mut done = 0usize;
    for (range, insert) in sorted {
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        let Some(kept) = text.get(done..start) else { continue };
        if text.get(start..end).is_none() {
            continue;
        }
        out.push_str(kept);
        out.push_str(insert);
        done = end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::apply_edits;
    use text_size::TextRange;

    fn range(start: u32, end: u32) -> TextRange {
        TextRange::new(start.into(), end.into())
    }

    #[test]
    fn edits_are_applied_from_left_to_right() {
        let edits = [(range(4, 5), "two".to_owned()), (range(0, 1), "one".to_owned())];
        assert_eq!(apply_edits("a + b", &edits), "one + two");
    }

    #[test]
    fn an_overlapping_edit_is_left_out() {
        let edits = [(range(0, 3), "x".to_owned()), (range(2, 4), "y".to_owned())];
        assert_eq!(apply_edits("abcd", &edits), "xd");
    }
}
