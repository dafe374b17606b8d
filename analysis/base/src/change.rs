//! One transaction of inputs.

use std::sync::Arc;

use salsa::Setter;

use crate::{Db, SourceFile};

/// New texts of files that exist already. Applying it touches only inputs that really differ, since
/// the database counts every set as a change.
#[derive(Clone, Debug, Default)]
pub struct Change {
    texts: Vec<(SourceFile, Arc<str>)>,
}

impl Change {
    /// The file gets this text.
    pub fn set_text(&mut self, file: SourceFile, text: impl Into<Arc<str>>) {
        self.texts.push((file, text.into()));
    }

    /// Applies the change; returns how many files differ.
    pub fn apply<D: Db>(self, db: &mut D) -> usize {
        let mut changed = 0;
        for (file, text) in self.texts {
            if **file.text(db) != *text {
                file.set_text(db).to(text);
                changed += 1;
            }
        }
        changed
    }
}
