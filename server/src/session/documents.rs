//! Open documents and how edits change them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use ide::{ColumnEncoding, FileId, LineColumn, Lines};
use tower_lsp::lsp_types::{Position, TextDocumentContentChangeEvent, Url};

/// Where a file is known to the analysis: its path, or the address itself.
pub(crate) fn key(uri: &Url) -> String {
    path(uri).map_or_else(|| uri.to_string(), |path| crate::files::name(&path))
}

/// Is it a page or library of this program? These are read-only: whatever a client has there, the text
/// that counts is ours, and no document of a user has the key of a library.
pub(crate) fn is_ours(uri: &Url) -> bool {
    uri.scheme() == "civl"
}

/// Where the document is on disk, if it is.
pub(crate) fn path(uri: &Url) -> Option<PathBuf> {
    uri.to_file_path().ok().filter(|_| uri.scheme() == "file")
}

/// The same for all spellings of a document.
pub(crate) fn identity(uri: &Url) -> PathBuf {
    let path = path(uri).map(|path| crate::programs::identity(&path));
    path.unwrap_or_else(|| PathBuf::from(uri.as_str()))
}

/// The address of a file known to the analysis.
pub(crate) fn address(key: &str) -> Option<Url> {
    if key.contains("://") { Url::parse(key).ok() } else { Url::from_file_path(key).ok() }
}

/// A replaced stretch of bytes: start, old end, new length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shift {
    pub(crate) start: u32,
    pub(crate) old_end: u32,
    pub(crate) new_len: u32,
}

impl Shift {
    /// What is different between two texts, in one piece; nothing if they are the same.
    pub(crate) fn between(old: &str, new: &str) -> Option<Shift> {
        let different = |((_, a), b): &((usize, char), char)| a != b;
        let start = old.char_indices().zip(new.chars()).find(different).map(|((at, _), _)| at);
        let start = start.unwrap_or(old.len().min(new.len()));
        let (old, new) = (&old[start..], &new[start..]);
        let pairs = old.chars().rev().zip(new.chars().rev());
        let same: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let (start, old_len, new_len) =
            (size(start), size(old.len() - same), size(new.len() - same));
        (old_len + new_len > 0).then(|| Shift { start, old_end: start + old_len, new_len })
    }

    /// Where a range is after this edit; what was touched keeps its outline.
    pub(crate) fn moved(self, range: (u32, u32)) -> (u32, u32) {
        let point = |at: u32| {
            if at <= self.start {
                at
            } else if at >= self.old_end {
                at - (self.old_end - self.start) + self.new_len
            } else {
                (self.start + self.new_len).min(at)
            }
        };
        let (start, end) = (point(range.0), point(range.1));
        (start.min(end), end)
    }
}

/// One open document.
#[derive(Clone)]
pub(crate) struct Document {
    pub(crate) uri: Url,
    /// Where the analysis knows it.
    pub(crate) key: String,
    pub(crate) file: FileId,
    pub(crate) version: i32,
    pub(crate) lines: Arc<Lines>,
}

impl Document {
    /// Applies the changes of one notification, in order; those that say nothing of this text are left
    /// out, and nothing stands for them in the answer.
    pub(crate) fn apply(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: ColumnEncoding,
    ) -> Vec<Option<Shift>> {
        self.version = version;
        changes.into_iter().map(|change| self.apply_one(change, encoding)).collect()
    }

    /// A range that cuts a character, or ends before it starts, is of another text than this one.
    fn apply_one(
        &mut self,
        change: TextDocumentContentChangeEvent,
        encoding: ColumnEncoding,
    ) -> Option<Shift> {
        let old = Arc::clone(self.lines.text());
        let (start, end) = match change.range {
            Some(range) => {
                let at = |it| self.lines.boundary(line_column(it), encoding);
                at(range.start).zip(at(range.end)).filter(|(start, end)| start <= end)?
            }
            None => (0, len(&old)),
        };
        let mut text = String::with_capacity(old.len() + change.text.len());
        text.push_str(&old[..start as usize]);
        text.push_str(&change.text);
        text.push_str(&old[end as usize..]);
        self.lines = Arc::new(Lines::new(text.into()));
        Some(Shift { start, old_end: end, new_len: len(&change.text) })
    }
}

/// The offset of a protocol position.
pub(crate) fn offset(lines: &Lines, position: Position, encoding: ColumnEncoding) -> u32 {
    lines.offset(line_column(position), encoding)
}

fn line_column(position: Position) -> LineColumn {
    LineColumn { line: position.line, column: position.character }
}

fn len(text: &str) -> u32 {
    size(text.len())
}

fn size(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// All open documents.
#[derive(Clone, Default)]
pub(crate) struct Documents {
    by_uri: BTreeMap<Url, Document>,
    /// Of which something was said that could not be understood.
    lost: BTreeSet<Url>,
}

impl Documents {
    /// What the editor has there, open or not, is not known until it sends a whole text or closes it.
    /// True if that is new.
    pub(crate) fn lose(&mut self, uri: &Url) -> bool {
        self.lost.insert(uri.clone())
    }

    /// What the editor has there is known again. True if it was not.
    pub(crate) fn find_again(&mut self, uri: &Url) -> bool {
        let before = self.lost.len();
        if before > 0 {
            let own = identity(uri);
            self.lost.retain(|it| identity(it) != own);
        }
        self.lost.len() < before
    }

    pub(crate) fn lost(&self) -> impl Iterator<Item = &Url> {
        self.lost.iter()
    }

    pub(crate) fn open(&mut self, document: Document) {
        self.by_uri.insert(document.uri.clone(), document);
    }

    pub(crate) fn close(&mut self, uri: &Url) -> Option<Document> {
        self.by_uri.remove(uri)
    }

    pub(crate) fn get(&self, uri: &Url) -> Option<&Document> {
        self.by_uri.get(uri)
    }

    pub(crate) fn get_mut(&mut self, uri: &Url) -> Option<&mut Document> {
        self.by_uri.get_mut(uri)
    }

    /// Where the analysis is to know a document that is opened; two documents are never the same file.
    pub(crate) fn key_for(&self, uri: &Url) -> String {
        let own = key(uri);
        let taken = self.by_uri.values().any(|it| it.key == own && it.uri != *uri);
        if taken { uri.to_string() } else { own }
    }

    pub(crate) fn of_file(&self, file: FileId) -> Option<&Document> {
        self.by_uri.values().find(|document| document.file == file)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Document> {
        self.by_uri.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tower_lsp::lsp_types::Range;

    fn document(text: &str) -> Document {
        let file = ide::AnalysisHost::new().set_file("a.bpl", text);
        let lines = Arc::new(Lines::new(text.into()));
        let uri = Url::parse("file:///a.bpl").unwrap();
        Document { key: key(&uri), uri, file, version: 1, lines }
    }

    fn edit(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let range = Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1));
        TextDocumentContentChangeEvent { range: Some(range), range_length: None, text: text.into() }
    }

    #[test]
    fn edits_of_one_notification_build_on_each_other() {
        let mut document = document("one\ntwo\n");
        document.apply(
            2,
            vec![edit((0, 0), (0, 3), "1"), edit((0, 1), (1, 0), " ")],
            ColumnEncoding::Utf16,
        );
        assert_eq!(&**document.lines.text(), "1 two\n");
        assert_eq!(document.version, 2);
    }

    #[test]
    fn columns_count_in_the_agreed_encoding() {
        for (encoding, column) in
            [(ColumnEncoding::Utf8, 4), (ColumnEncoding::Utf16, 2), (ColumnEncoding::Utf32, 1)]
        {
            let mut document = document("𝄞x");
            document.apply(2, vec![edit((0, column), (0, column + 1), "y")], encoding);
            assert_eq!(&**document.lines.text(), "𝄞y");
        }
    }

    #[test]
    fn an_edit_outside_the_text_is_moved_inside() {
        let mut document = document("a");
        document.apply(2, vec![edit((7, 0), (9, 9), "b")], ColumnEncoding::Utf16);
        assert_eq!(&**document.lines.text(), "ab");
    }

    #[test]
    fn an_edit_that_cuts_a_character_is_not_applied() {
        for (encoding, width) in
            [(ColumnEncoding::Utf8, 4), (ColumnEncoding::Utf16, 2), (ColumnEncoding::Utf32, 1)]
        {
            for (from, to) in [(0, 1), (1, width), (1, 1), (width, 0)] {
                let mut document = document("𝄞x");
                let edits = vec![edit((0, from), (0, to), "y")];
                let shift = document.apply(2, edits, encoding)[0];
                let whole = from <= to && [from, to].iter().all(|it| it % width == 0);
                assert_eq!(shift.is_some(), whole, "{from} {to} {encoding:?}");
                assert_eq!(&**document.lines.text() != "𝄞x", whole, "{from} {to} {encoding:?}");
            }
        }
    }

    #[test]
    fn the_difference_of_two_texts_is_one_piece() {
        for (old, new, expected) in [
            ("same", "same", None),
            ("", "ab", Some((0, 0, 2))),
            ("aXXb", "aYb", Some((1, 3, 1))),
            ("aé", "aè", Some((1, 3, 2))),
            ("aa", "aaa", Some((2, 2, 1))),
            ("abab", "ab", Some((2, 4, 0))),
        ] {
            let found = Shift::between(old, new).map(|s| (s.start, s.old_end, s.new_len));
            assert_eq!(found, expected, "{old} {new}");
        }
    }

    #[test]
    fn ranges_move_with_the_text_around_them() {
        let shift = Shift { start: 4, old_end: 6, new_len: 5 };
        assert_eq!(shift.moved((0, 3)), (0, 3));
        assert_eq!(shift.moved((8, 9)), (11, 12));
        assert_eq!(shift.moved((2, 8)), (2, 11));
    }
}
