//! Formatting, of whole texts and of stretches of them.

use crate::Analysis;
use crate::types::FileId;

/// `text` in the house style, or why it cannot be formatted.
pub fn format(_text: &str) -> Result<String, String> {
    Err("formatting is not built yet".into())
}

impl Analysis {
    /// Replacements that format a stretch of a file: (start, end, text).
    pub fn format_range(
        &self,
        file: FileId,
        range: (u32, u32),
    ) -> Result<Vec<(u32, u32, String)>, String> {
        let text = self.text(file);
        let formatted = format(&text)?;
        Ok(line_edits(&text, &formatted, range))
    }
}

/// The difference between two texts as replacements of whole lines that touch `range`.
///
/// Lines are matched by what is on them without white space, so a stretch keeps its place.
fn line_edits(old: &str, new: &str, range: (u32, u32)) -> Vec<(u32, u32, String)> {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let front = old_lines.iter().zip(&new_lines).take_while(|(a, b)| a == b).count();
    let most = old_lines.len().min(new_lines.len()) - front;
    let back = old_lines
        .iter()
        .rev()
        .zip(new_lines.iter().rev())
        .take(most)
        .take_while(|(a, b)| a == b)
        .count();
    let start: usize = old_lines[..front].iter().map(|line| line.len()).sum();
    let end: usize = old.len()
        - old_lines[old_lines.len() - back..].iter().map(|line| line.len()).sum::<usize>();
    let text: String = new_lines[front..new_lines.len() - back].concat();
    if text == old[start..end] {
        return Vec::new();
    }
    let (start, end) = (narrow(start), narrow(end));
    let touches = start <= range.1 && range.0 <= end;
    if touches { vec![(start, end, text)] } else { Vec::new() }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::line_edits;

    #[test]
    fn only_the_lines_that_differ_are_replaced() {
        assert_eq!(line_edits("a\n b\nc\n", "a\nb\nc\n", (0, 7)), [(2, 5, "b\n".to_owned())]);
        assert!(line_edits("a\n", "a\n", (0, 2)).is_empty());
        assert!(line_edits("a\n b\nc\n", "a\nb\nc\n", (6, 7)).is_empty());
    }
}
