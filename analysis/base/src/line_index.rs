//! Offsets to lines and columns and back, in the encoding the client counts in.
//!
//! A line ends at LF, at CR LF and at a CR alone, as the lexer, editors (LSP 3.17) and the reference
//! say. [`with_line_feeds`] is the one place that knows this for whoever counts lines.

use std::borrow::Cow;

use line_index::{LineCol, LineIndex, WideEncoding, WideLineCol};
use text_size::TextSize;

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ColumnEncoding {
    /// Bytes; what the reference counts.
    Utf8,
    /// UTF-16 code units; what editors count unless they say otherwise.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

/// A place in a text; both numbers start at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 0.
    pub line: u32,
    /// Column, from 0, in some [`ColumnEncoding`].
    pub column: u32,
}

/// The text with each CR that ends a line alone as LF. Every byte keeps its place.
pub fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let lone = |at: usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    if !text.match_indices('\r').any(|(at, _)| lone(at)) {
        return Cow::Borrowed(text);
    }
    let fed = text.char_indices().map(|(at, c)| if c == '\r' && lone(at) { '\n' } else { c });
    Cow::Owned(fed.collect())
}

/// Where the lines of a text begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMap {
    index: LineIndex,
}

impl LineMap {
    /// The lines of `text`.
    pub fn new(text: &str) -> LineMap {
        LineMap { index: LineIndex::new(&with_line_feeds(text)) }
    }

    /// The place of `offset`, or of the end of the text if it lies behind it.
    pub fn line_column(&self, offset: TextSize, encoding: ColumnEncoding) -> LineColumn {
        let offset = offset.min(self.index.len());
        let place = self.index.try_line_col(offset).unwrap_or(LineCol { line: 0, col: 0 });
        let wide = |kind| self.index.to_wide(kind, place).map(|it| it.col);
        let column = match encoding {
            ColumnEncoding::Utf8 => Some(place.col),
            ColumnEncoding::Utf16 => wide(WideEncoding::Utf16),
            ColumnEncoding::Utf32 => wide(WideEncoding::Utf32),
        };
        LineColumn { line: place.line, column: column.unwrap_or(place.col) }
    }

    /// The offset of a place, if the text has it.
    pub fn offset(&self, place: LineColumn, encoding: ColumnEncoding) -> Option<TextSize> {
        let wide = WideLineCol { line: place.line, col: place.column };
        let utf8 = match encoding {
            ColumnEncoding::Utf8 => LineCol { line: place.line, col: place.column },
            ColumnEncoding::Utf16 => self.index.to_utf8(WideEncoding::Utf16, wide)?,
            ColumnEncoding::Utf32 => self.index.to_utf8(WideEncoding::Utf32, wide)?,
        };
        self.index.offset(utf8)
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnEncoding, LineColumn, LineMap, with_line_feeds};

    #[test]
    fn a_line_ends_at_each_of_the_three_line_ends() {
        let text = "a\rb\r\nc\nd\r\r\ne";
        let map = LineMap::new(text);
        let line = |c: char| {
            let offset = u32::try_from(text.find(c).unwrap()).unwrap().into();
            map.line_column(offset, ColumnEncoding::Utf8)
        };
        for (c, n) in [('a', 0), ('b', 1), ('c', 2), ('d', 3), ('e', 5)] {
            assert_eq!(line(c), LineColumn { line: n, column: 0 }, "{c}");
        }
        assert_eq!(with_line_feeds("é\ré\r\n\r"), "é\né\r\n\n");
    }

    #[test]
    fn columns_depend_on_the_encoding() {
        let text = "x\ny // 𝄞é z";
        let map = LineMap::new(text);
        let offset = u32::try_from(text.find('z').unwrap()).unwrap().into();
        let column = |encoding| map.line_column(offset, encoding);
        assert_eq!(column(ColumnEncoding::Utf8), LineColumn { line: 1, column: 12 });
        assert_eq!(column(ColumnEncoding::Utf16), LineColumn { line: 1, column: 9 });
        assert_eq!(column(ColumnEncoding::Utf32), LineColumn { line: 1, column: 8 });
        for encoding in [ColumnEncoding::Utf8, ColumnEncoding::Utf16, ColumnEncoding::Utf32] {
            assert_eq!(map.offset(column(encoding), encoding), Some(offset));
        }
    }
}
