//! The database trait of this crate: inputs, and the queries listed in the crate documentation.

use std::sync::{Arc, Mutex, PoisonError};

use base::SourceFile;
use rustc_hash::FxHashMap;
use syntax::{Edit, Parse, TextRange};

/// A database that can answer what plain Boogie knows.
#[salsa::db]
pub trait Db: base::Db {
    /// What a new tree may be made from, if the database keeps it.
    fn last_parses(&self) -> Option<&LastParses> {
        None
    }
}

/// The last text and tree of each file, so that an edit inside one declaration reads only that
/// one again.
///
/// # Invariants
/// - It never changes an answer: the tree made from another one equals the tree of a full parse
///   (`syntax`, *reparse*), so queries stay functions of their inputs.
/// - It is shared by all snapshots of a database; no lock is held while a text is read.
#[derive(Clone, Default)]
pub struct LastParses(Arc<Mutex<FxHashMap<SourceFile, Last>>>);

#[derive(Clone)]
struct Last {
    text: Arc<str>,
    parse: Parse,
}

impl LastParses {
    /// The tree of `text`, which is now the text of `file`.
    pub(crate) fn parse(&self, file: SourceFile, text: &Arc<str>) -> Parse {
        let last = self.files().get(&file).cloned();
        let parse = match last {
            Some(Last { text: old, parse }) => parse.reparse(&difference(&old, text), text),
            None => syntax::parse(text),
        };
        self.files().insert(file, Last { text: Arc::clone(text), parse: parse.clone() });
        parse
    }

    fn files(&self) -> std::sync::MutexGuard<'_, FxHashMap<SourceFile, Last>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The smallest edit that turns `old` into `new`.
fn difference(old: &str, new: &str) -> Edit {
    let same = |(a, b): &(u8, u8)| a == b;
    let mut start = old.bytes().zip(new.bytes()).take_while(same).count();
    while !(old.is_char_boundary(start) && new.is_char_boundary(start)) {
        start -= 1;
    }
    let rest = old[start..].bytes().rev().zip(new[start..].bytes().rev());
    let mut end = rest.take_while(same).count();
    while !(old.is_char_boundary(old.len() - end) && new.is_char_boundary(new.len() - end)) {
        end -= 1;
    }
    let offset = |at: usize| syntax::TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
    Edit {
        range: TextRange::new(offset(start), offset(old.len() - end)),
        text: new[start..new.len() - end].to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::difference;

    proptest! {
        #[test]
        fn the_difference_turns_one_text_into_the_other(old in "[aé€\n]{0,12}", new in "[aé€\n]{0,12}") {
            prop_assert_eq!(difference(&old, &new).apply(&old), new);
        }
    }
}
