//! Ranges and positions in a file of the current revision. They live as long as one answer.

use text_size::{TextRange, TextSize};

use crate::SourceFile;

/// A stretch of text in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileRange {
    /// The file.
    pub file: SourceFile,
    /// Byte offsets into its text.
    pub range: TextRange,
}

/// An offset in a file, such as the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FilePosition {
    /// The file.
    pub file: SourceFile,
    /// Byte offset into its text.
    pub offset: TextSize,
}
