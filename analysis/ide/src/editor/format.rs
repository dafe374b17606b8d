//! Formatting, of whole texts and of stretches of them.

use crate::Analysis;
use crate::types::FileId;

/// `text` in the house style. Comments and tokens stay; a text that cannot be read is not touched
/// where it cannot.
pub fn format(text: &str) -> String {
    syntax::format(text)
}

impl Analysis {
    /// Replacements that format the declarations touching a stretch of a file: (start, end, text).
    pub fn format_range(&self, file: FileId, range: (u32, u32)) -> Vec<(u32, u32, String)> {
        let text = self.text(file);
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let (low, high) = (range.0.min(end), range.1.min(end).max(range.0.min(end)));
        let edits = syntax::format_range(&text, syntax::TextRange::new(low.into(), high.into()));
        let edit =
            |edit: syntax::Edit| (edit.range.start().into(), edit.range.end().into(), edit.text);
        edits.into_iter().map(edit).collect()
    }
}
