//! The database, its owner and its snapshots.
//!
//! **In:** texts and programs, through [`AnalysisHost`], which one thread owns.
//! **Out:** [`Analysis`] snapshots.
//!
//! # Invariants
//! - A write waits until every snapshot is gone or unwound; so snapshots are short-lived, and
//!   nobody holds one while waiting for something else.
//! - Setting a text to what it is already changes nothing.
//! - The database stays within twice the size of what it is about, whatever was typed before.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{LibraryName, Program, Settings, SourceFile};
use salsa::Setter;

use crate::types::{FileId, Location, ProgramId};
use crate::{LineColumn, Lines};

/// Looking at the size of the database takes time as well.
const EDITS_PER_LOOK: usize = 64;
/// So many entries about names that are gone are no reason to compute everything again.
const ENTRIES_OF_THE_PAST: usize = 4096;

/// The database behind all answers.
#[salsa::db]
#[derive(Clone, Default)]
pub(crate) struct Database {
    storage: salsa::Storage<Self>,
    last_parses: hir::LastParses,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl base::Db for Database {}

#[salsa::db]
impl hir::Db for Database {
    fn last_parses(&self) -> Option<&hir::LastParses> {
        Some(&self.last_parses)
    }
}

#[salsa::db]
impl discipline::Db for Database {}

#[salsa::db]
impl obligations::Db for Database {}

/// An edit came while the question was being answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// What the host knows besides the database; shared with snapshots.
#[derive(Clone, Default)]
pub(crate) struct Registry {
    pub(crate) files: Vec<SourceFile>,
    pub(crate) programs: Vec<Program>,
    by_path: BTreeMap<String, FileId>,
    libraries: Vec<SourceFile>,
}

/// Owner of the state.
#[derive(Default)]
pub struct AnalysisHost {
    db: Database,
    registry: Arc<Registry>,
    /// Since the database is in use.
    edits: usize,
    /// How many entries the database had when it was looked at first.
    entries_at_first: Option<usize>,
}

/// A snapshot.
#[derive(Clone)]
pub struct Analysis {
    pub(crate) db: Database,
    pub(crate) registry: Arc<Registry>,
}

impl AnalysisHost {
    /// An empty world.
    pub fn new() -> AnalysisHost {
        AnalysisHost::default()
    }

    /// The text of the file at `path` is now `text`.
    pub fn set_file(&mut self, path: &str, text: impl Into<Arc<str>>) -> FileId {
        let text = text.into();
        if let Some(id) = self.file_id(path) {
            let file = self.registry.files[id.0 as usize];
            if **file.text(&self.db) != *text {
                file.set_text(&mut self.db).to(text);
                self.forget_the_past();
            }
            return id;
        }
        let file = SourceFile::new(&self.db, path.to_owned(), text, None);
        let registry = Arc::make_mut(&mut self.registry);
        registry.register(path, file)
    }

    /// The file at `path`, if it was set before.
    pub fn file_id(&self, path: &str) -> Option<FileId> {
        self.registry.by_path.get(path).copied()
    }

    /// A new program of these files. Unknown library names come back as the error.
    pub fn add_program(&mut self, files: &[FileId], libs: &[String]) -> Result<ProgramId, String> {
        let settings = settings(libs)?;
        let sources = files.iter().map(|id| self.registry.files[id.0 as usize]).collect();
        let libraries = self.libraries();
        let program = Program::new(&self.db, sources, libraries, settings);
        let registry = Arc::make_mut(&mut self.registry);
        registry.programs.push(program);
        Ok(ProgramId(narrow(registry.programs.len() - 1)))
    }

    /// The program consists of these files from now on.
    pub fn set_program(
        &mut self,
        id: ProgramId,
        files: &[FileId],
        libs: &[String],
    ) -> Result<(), String> {
        let settings = settings(libs)?;
        let sources: Vec<SourceFile> =
            files.iter().map(|id| self.registry.files[id.0 as usize]).collect();
        let program = self.registry.programs[id.0 as usize];
        if program.files(&self.db) != sources.as_slice() {
            program.set_files(&mut self.db).to(sources);
        }
        if *program.settings(&self.db) != settings {
            program.set_settings(&mut self.db).to(settings);
        }
        Ok(())
    }

    /// A snapshot of the present state.
    pub fn analysis(&self) -> Analysis {
        Analysis { db: self.db.clone(), registry: Arc::clone(&self.registry) }
    }

    /// Every name that was ever typed leaves an entry in the database, and all that was computed
    /// about it. Once most entries are of the past, the inputs move to a new database.
    fn forget_the_past(&mut self) {
        self.edits += 1;
        if self.edits.is_multiple_of(EDITS_PER_LOOK) {
            let entries = self.entries();
            match self.entries_at_first {
                None => self.entries_at_first = Some(entries),
                Some(first) if entries > 2 * first + ENTRIES_OF_THE_PAST => self.renew(),
                Some(_) => {}
            }
        }
    }

    fn entries(&mut self) -> usize {
        let db: &mut dyn salsa::Database = &mut self.db;
        db.memory_usage().structs.iter().map(salsa::IngredientInfo::count).sum()
    }

    /// The same inputs in a new database. Identifiers of files and programs stay what they are.
    fn renew(&mut self) {
        let old = std::mem::take(&mut self.db);
        let past = std::mem::take(&mut self.registry);
        let libraries = if past.libraries.is_empty() { Vec::new() } else { self.libraries() };
        let copy = |file: SourceFile| match past.libraries.iter().position(|l| *l == file) {
            Some(at) => libraries[at],
            None => {
                SourceFile::new(&self.db, file.path(&old).into(), Arc::clone(file.text(&old)), None)
            }
        };
        let files: Vec<SourceFile> = past.files.iter().map(|file| copy(*file)).collect();
        let copied = |inputs: &[SourceFile]| -> Vec<SourceFile> {
            let at = |input| past.files.iter().position(|file| file == input);
            inputs.iter().filter_map(at).map(|at| files[at]).collect()
        };
        let program = |program: &Program| {
            let settings = program.settings(&old).clone();
            Program::new(&self.db, copied(program.files(&old)), libraries.clone(), settings)
        };
        let programs = past.programs.iter().map(program).collect();
        let by_path = past.by_path.clone();
        self.registry = Arc::new(Registry { files, programs, by_path, libraries });
        (self.edits, self.entries_at_first) = (0, None);
    }

    /// Library texts are made once and shared by all programs.
    fn libraries(&mut self) -> Vec<SourceFile> {
        if self.registry.libraries.is_empty() {
            let libraries = hir::libraries(&self.db);
            let registry = Arc::make_mut(&mut self.registry);
            for library in &libraries {
                registry.register(library.path(&self.db), *library);
            }
            registry.libraries = libraries;
        }
        self.registry.libraries.clone()
    }
}

impl Registry {
    fn register(&mut self, path: &str, file: SourceFile) -> FileId {
        self.files.push(file);
        let id = FileId(narrow(self.files.len() - 1));
        self.by_path.insert(path.to_owned(), id);
        id
    }
}

impl Analysis {
    /// Answers a question, unless an edit overtakes it.
    pub fn ask<T>(&self, question: impl FnOnce(&Analysis) -> T) -> Result<T, Cancelled> {
        salsa::Cancelled::catch(std::panic::AssertUnwindSafe(|| question(self)))
            .map_err(|_| Cancelled)
    }

    /// The file with this path.
    pub fn file_by_path(&self, path: &str) -> Option<FileId> {
        self.registry.by_path.get(path).copied()
    }

    /// Some program that the file is part of; for libraries any will do.
    pub fn any_program_with(&self, file: FileId) -> Option<ProgramId> {
        let source = self.source(file);
        let has = |p: &Program| {
            p.files(&self.db).contains(&source) || p.libraries(&self.db).contains(&source)
        };
        self.registry.programs.iter().position(has).map(|at| ProgramId(narrow(at)))
    }

    /// The path of a file as the user knows it.
    pub fn path(&self, file: FileId) -> &str {
        self.source(file).path(&self.db)
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> Arc<str> {
        Arc::clone(self.source(file).text(&self.db))
    }

    /// The lines of a file.
    pub fn lines(&self, file: FileId) -> Lines {
        Lines::new(self.text(file))
    }

    /// Is the file one of our libraries?
    pub fn is_library(&self, file: FileId) -> bool {
        self.source(file).library(&self.db).is_some()
    }

    /// The start of a location, counted in characters.
    pub fn place(&self, at: Location) -> LineColumn {
        self.lines(at.file).place(at.start, crate::ColumnEncoding::Utf32)
    }

    pub(crate) fn source(&self, file: FileId) -> SourceFile {
        self.registry.files[file.0 as usize]
    }

    pub(crate) fn file_id(&self, file: SourceFile) -> Option<FileId> {
        self.registry.files.iter().position(|f| *f == file).map(|at| FileId(narrow(at)))
    }

    pub(crate) fn program(&self, id: ProgramId) -> Program {
        self.registry.programs[id.0 as usize]
    }
}

fn settings(libs: &[String]) -> Result<Settings, String> {
    let parse = |name: &String| LibraryName::parse(name).ok_or_else(|| unknown_library(name));
    let libraries = libs.iter().map(parse).collect::<Result<_, _>>()?;
    Ok(Settings { libraries, ..Settings::default() })
}

fn unknown_library(name: &str) -> String {
    let known: Vec<&str> = LibraryName::ALL.iter().map(|l| l.as_str()).collect();
    format!("there is no library `{name}`; known are {}", known.join(", "))
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "var {:layer 0,1} x: int;\n\
        left action {:layer 1} ADD(n: int) { x := x + n; }\n\
        yield procedure {:layer 0} Add(n: int);\nrefines ADD;\n";

    #[test]
    fn names_of_the_past_are_forgotten() {
        let mut host = AnalysisHost::new();
        let file = host.set_file("a.bpl", TEXT);
        let other = host.set_file("b.bpl", "const c: bool;");
        let program = host.add_program(&[file, other], &["base".into()]).expect("a program");
        let library = host.file_id("civl://library/base.bpl");
        let before = host.analysis().problems(program);
        let mut largest = 0;
        for nth in 0..1200 {
            host.set_file("a.bpl", TEXT.replace("ADD", &format!("ADD{nth}")));
            assert_eq!(host.analysis().problems(program), before);
            if nth % 200 == 199 {
                largest = largest.max(host.entries());
            }
        }
        host.set_file("a.bpl", TEXT.replace("x + n", "y"));
        let analysis = host.analysis();
        assert_ne!(analysis.problems(program), before, "the program is still asked");
        assert_eq!(&*analysis.text(other), "const c: bool;");
        assert_eq!(analysis.file_by_path("b.bpl"), Some(other));
        assert_eq!(host.file_id("civl://library/base.bpl"), library);
        assert!(library.is_some_and(|library| host.analysis().is_library(library)));
        assert!(host.edits < 1000, "the database was never renewed");
        assert!(largest < 12_000, "{largest} entries, and every name leaves some");
    }
}
