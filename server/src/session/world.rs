//! The one door through which texts and programs reach the database.
//!
//! **In:** texts, from whatever way they come (a document is opened, edited or closed; a file on disk
//! is read again for an event, a manifest, a proof), and the list of all programs. **Out:** the
//! database with them in it, and nothing shown any more that was about something else.
//!
//! # The rule
//! Whatever is shown is about the texts in the database. So a text is changed only by
//! [`World::set_text`], which retires, before the database changes, what was shown about each program
//! with that file: verdicts become stale, and the client is told. And programs are changed only by
//! [`World::set_members`], which removes what was shown about each program that is gone. The database
//! is private to this module: there is no other way in.
//!
//! # Invariants
//! - A text that is the same changes nothing.
//! - [`World::news`] tells whom proofs under way do not concern any more. It is asked after every
//!   event, before anything that a proof found is heard.

use std::collections::BTreeSet;
use std::sync::Arc;

use ide::{Analysis, AnalysisHost, FileId, Lines, ProgramId};
use tower_lsp::lsp_types::Url;

use super::documents::Shift;
use super::members::Members;
use super::publish::{FileSeen, Publisher};

/// A text that arrives.
pub(crate) struct Arrival<'a> {
    /// Where the file is known to the analysis.
    pub(crate) key: &'a str,
    pub(crate) uri: Option<Url>,
    pub(crate) lines: Arc<Lines>,
    /// Nothing if the file is not open.
    pub(crate) version: Option<i32>,
    /// How it came from the text before, if that is known.
    pub(crate) edits: Option<&'a [Shift]>,
}

/// What is different since the last time.
#[derive(Debug, Default)]
pub(crate) struct News {
    /// Programs of which a text has changed.
    pub(crate) touched: BTreeSet<ProgramId>,
    pub(crate) gone: BTreeSet<ProgramId>,
    pub(crate) new: BTreeSet<ProgramId>,
}

impl News {
    pub(crate) fn is_empty(&self) -> bool {
        self.touched.is_empty() && self.gone.is_empty() && self.new.is_empty()
    }
}

pub(crate) struct World {
    host: AnalysisHost,
    publisher: Publisher,
    members: Arc<Members>,
    news: News,
}

impl World {
    pub(crate) fn new(publisher: Publisher) -> World {
        let (members, news) = (Arc::default(), News::default());
        World { host: AnalysisHost::new(), publisher, members, news }
    }

    pub(crate) fn analysis(&self) -> Analysis {
        self.host.analysis()
    }

    pub(crate) fn file_id(&self, key: &str) -> Option<FileId> {
        self.host.file_id(key)
    }

    pub(crate) fn members(&self) -> &Arc<Members> {
        &self.members
    }

    /// What is shown; it can tell the client more, but it has no way to the database.
    pub(crate) fn shown(&mut self) -> &mut Publisher {
        &mut self.publisher
    }

    /// How many lists of verdicts have become true.
    pub(crate) fn lists(&self) -> u64 {
        self.publisher.lists
    }

    /// The verdicts that are shown.
    pub(crate) fn proofs(&self) -> Arc<super::proofs::Proofs> {
        self.publisher.proofs()
    }

    /// The text of a file is this from now on.
    pub(crate) fn set_text(&mut self, arrival: Arrival<'_>) -> FileId {
        let Arrival { key, uri, lines, version, edits } = arrival;
        let old = self.host.file_id(key).map(|file| (file, self.host.analysis().text(file)));
        if let Some((file, old)) = old.filter(|(_, old)| old != lines.text()) {
            let whole = if edits.is_none() { Shift::between(&old, lines.text()) } else { None };
            let shifts = edits.unwrap_or(whole.as_slice());
            self.news.touched.extend(self.members.dependents_of(file));
            self.publisher.retire(file, &lines, version, shifts);
        }
        let file = self.host.set_file(key, Arc::clone(lines.text()));
        if let Some(uri) = uri {
            self.publisher.see(FileSeen { file, uri, lines, version });
        }
        file
    }

    /// A program of these files. It shows nothing before it is one of the members.
    pub(crate) fn add_program(
        &mut self,
        files: &[FileId],
        libs: &[String],
    ) -> Result<ProgramId, String> {
        self.host.add_program(files, libs)
    }

    /// These are all programs from now on.
    pub(crate) fn set_members(&mut self, members: Members) {
        if *self.members == members {
            return;
        }
        let members = Arc::new(members);
        let old = std::mem::replace(&mut self.members, Arc::clone(&members));
        self.news.gone.extend(old.programs().filter(|program| !members.has(*program)));
        self.news.new.extend(members.programs().filter(|program| !old.has(*program)));
        self.publisher.set_members(members);
    }

    /// What has happened since this was asked last.
    pub(crate) fn news(&mut self) -> News {
        std::mem::take(&mut self.news)
    }
}
