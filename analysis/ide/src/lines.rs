//! Offsets to lines and columns and back, in the encoding the client counts in.
//!
//! # Invariants
//! - Every offset has a place and every place an offset: what lies outside is moved to the nearest
//!   one inside, as the protocol asks.
//! - A line ends at LF, at CR LF and at a CR alone, as in the protocol and in the lexer.

use std::sync::Arc;

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ColumnEncoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, what editors count unless they say otherwise.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

/// A place in a text; both numbers start at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 0.
    pub line: u32,
    /// Column, from 0.
    pub column: u32,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines {
    text: Arc<str>,
    starts: Vec<u32>,
}

impl Lines {
    /// The lines of `text`.
    pub fn new(text: Arc<str>) -> Lines {
        let mut starts = vec![0];
        let fed = base::with_line_feeds(&text);
        let breaks = fed.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        starts.extend(breaks.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX)));
        Lines { text, starts }
    }

    /// The text itself.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The text for those who know LF and CR LF only: each CR alone is LF, each byte in its place.
    pub fn with_line_feeds(&self) -> String {
        base::with_line_feeds(&self.text).into_owned()
    }

    /// The place of `offset`.
    pub fn place(&self, offset: u32, encoding: ColumnEncoding) -> LineColumn {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start as usize <= offset) - 1;
        let before = &self.text[self.starts[line] as usize..offset];
        let column = match encoding {
            ColumnEncoding::Utf8 => before.len(),
            ColumnEncoding::Utf16 => before.chars().map(char::len_utf16).sum(),
            ColumnEncoding::Utf32 => before.chars().count(),
        };
        LineColumn { line: narrow(line), column: narrow(column) }
    }

    /// The offset of `place`; of one inside a character, where that ends.
    pub fn offset(&self, place: LineColumn, encoding: ColumnEncoding) -> u32 {
        self.found(place, encoding).0
    }

    /// The offset of `place`; nothing if it lies inside a character, where no text can be cut.
    pub fn boundary(&self, place: LineColumn, encoding: ColumnEncoding) -> Option<u32> {
        let (offset, exact) = self.found(place, encoding);
        exact.then_some(offset)
    }

    /// The offset, and is it between characters?
    fn found(&self, place: LineColumn, encoding: ColumnEncoding) -> (u32, bool) {
        let Some(start) = self.starts.get(place.line as usize) else {
            return (narrow(self.text.len()), true);
        };
        let line = self.line_text(place.line);
        let mut seen = 0;
        for (at, c) in line.char_indices() {
            if seen >= place.column {
                return (start + narrow(at), seen == place.column);
            }
            seen += narrow(match encoding {
                ColumnEncoding::Utf8 => c.len_utf8(),
                ColumnEncoding::Utf16 => c.len_utf16(),
                ColumnEncoding::Utf32 => 1,
            });
        }
        // The last character may be the one; what is behind the line is moved to its end.
        (start + narrow(line.len()), seen <= place.column)
    }

    /// The text of a line without its line break.
    pub fn line_text(&self, line: u32) -> &str {
        let Some(start) = self.starts.get(line as usize) else { return "" };
        let end =
            self.starts.get(line as usize + 1).map_or(self.text.len(), |next| *next as usize - 1);
        let text = &self.text[*start as usize..end];
        text.strip_suffix('\r').unwrap_or(text)
    }

    /// How many lines there are; a text always has one.
    pub fn count(&self) -> u32 {
        narrow(self.starts.len())
    }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [ColumnEncoding; 3] =
        [ColumnEncoding::Utf8, ColumnEncoding::Utf16, ColumnEncoding::Utf32];

    #[test]
    fn every_character_goes_there_and_back_in_every_encoding() {
        let text = "x\r\ny // 𝄞é z\n";
        let lines = Lines::new(text.into());
        for encoding in ALL {
            for (at, c) in text.char_indices().filter(|(_, c)| *c != '\n') {
                let place = lines.place(narrow(at), encoding);
                assert_eq!(lines.offset(place, encoding), narrow(at), "{c:?} {encoding:?}");
            }
        }
    }

    #[test]
    fn a_carriage_return_alone_ends_a_line() {
        let lines = Lines::new("a\rbc\r\n\rd".into());
        assert_eq!(lines.count(), 4);
        let texts = [0, 1, 2, 3].map(|line| lines.line_text(line));
        assert_eq!(texts, ["a", "bc", "", "d"]);
        for (offset, line, column) in [(0, 0, 0), (2, 1, 0), (3, 1, 1), (6, 2, 0), (7, 3, 0)] {
            for encoding in ALL {
                let place = LineColumn { line, column };
                assert_eq!(lines.place(offset, encoding), place);
                assert_eq!(lines.offset(place, encoding), offset);
            }
        }
        // Behind the last character of a line is before its line end, never on the next line.
        let end = LineColumn { line: 0, column: 9 };
        assert_eq!(lines.offset(end, ColumnEncoding::Utf16), 1);
    }

    #[test]
    fn no_text_is_cut_inside_a_character() {
        let lines = Lines::new("𝄞x𝄞\n".into());
        for (encoding, width) in
            [(ColumnEncoding::Utf8, 4), (ColumnEncoding::Utf16, 2), (ColumnEncoding::Utf32, 1)]
        {
            let edges = [(0, 0), (width, 4), (width + 1, 5), (2 * width + 1, 9), (99, 9)];
            for column in 0..2 * width + 2 {
                let wanted = edges.iter().find(|(own, _)| *own == column).map(|(_, at)| *at);
                let wanted = wanted.or((column > 2 * width).then_some(9));
                let place = LineColumn { line: 0, column };
                assert_eq!(lines.boundary(place, encoding), wanted, "{column} {encoding:?}");
            }
        }
    }

    #[test]
    fn a_column_behind_the_line_is_its_end() {
        let lines = Lines::new("ab\ncd".into());
        assert_eq!(lines.offset(LineColumn { line: 0, column: 99 }, ColumnEncoding::Utf16), 2);
        assert_eq!(lines.offset(LineColumn { line: 9, column: 0 }, ColumnEncoding::Utf16), 5);
    }
}
