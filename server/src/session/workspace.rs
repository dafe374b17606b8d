//! Which files form which program.
//!
//! **In:** the roots of the workspace, the open documents, and the `civl.toml` files above both.
//! **Out:** all programs, by the rule of [`programs`]; and what in the manifests cannot be used.
//!
//! # Invariants
//! - A file that cannot be read is left out of its program and said to be; the rest is checked, and
//!   nothing is proved of it. The same holds for files below a manifest that cannot be understood.
//! - Reading everything again changes only what is different on disk: a program of the same files and
//!   libraries keeps its id.
//! - What is open counts as it is in the editor, everything else as it is on disk. A file that is open
//!   under two names counts as in the first; of the other document nothing is proved.
//! - A program is a program of a file only if its manifest is one of the file's.
//! - Nothing is proved of a program with a file whose text in the editor is not known, see
//!   [`Documents::lose`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::{FileId, Lines, ProgramId};

use super::documents::{self, Documents};
use super::members::{Members, Nature};
use super::world::{Arrival, World};
use crate::manifest::{self, ProgramEntry};
use crate::{files, programs};

/// What makes a program the same as before.
type Identity = (Vec<FileId>, Vec<String>, Nature);

#[derive(Default)]
pub(crate) struct Workspace {
    roots: Vec<PathBuf>,
    known: BTreeMap<Identity, ProgramId>,
    /// Documents that were open and that no manifest names: what is known of them is kept.
    closed: BTreeMap<FileId, PathBuf>,
    /// The manifests that were loaded.
    loaded: BTreeMap<PathBuf, Loaded>,
    odd_names: BTreeSet<String>,
}

/// A manifest and what came of it.
pub(crate) struct Loaded {
    pub(crate) lines: Arc<Lines>,
    pub(crate) faults: Vec<Fault>,
    /// It cannot be understood, so nobody knows which programs there are.
    broken: bool,
}

/// Something in a manifest that cannot be used.
pub(crate) struct Fault {
    /// Where, in bytes.
    pub(crate) at: (u32, u32),
    pub(crate) message: String,
}

/// What to say of a program that is not complete.
const INCOMPLETE: &str = "the program is checked without this file, and nothing is proved of it";

impl Loaded {
    fn new(text: &str) -> Loaded {
        let lines = Arc::new(Lines::new(text.into()));
        Loaded { lines, faults: Vec::new(), broken: false }
    }

    fn complain(&mut self, about: &str, message: String) {
        let text = self.lines.text();
        let quoted = format!("\"{about}\"");
        let start = text.find(&quoted).filter(|_| !about.is_empty());
        let end = start.map_or(text.lines().next().map_or(0, str::len), |at| at + quoted.len());
        self.complain_at(start.unwrap_or(0)..end, message);
    }

    fn complain_at(&mut self, at: std::ops::Range<usize>, message: String) {
        let narrow = |n| u32::try_from(n).unwrap_or(u32::MAX);
        self.faults.push(Fault { at: (narrow(at.start), narrow(at.end)), message });
    }

    /// The programs of the manifest at `path`, as far as it can be understood.
    fn parse(path: &Path) -> (Loaded, Vec<ProgramEntry>) {
        let source = files::read_manifest_text(path);
        let mut loaded = Loaded::new(source.as_deref().unwrap_or_default());
        let folder = path.parent().unwrap_or(Path::new(""));
        let error = match source.and_then(|text| manifest::parse(&text, folder)) {
            Ok(manifest) => return (loaded, manifest.programs),
            Err(error) => error,
        };
        loaded.broken = true;
        let of_toml = error.downcast_ref::<toml::de::Error>();
        match of_toml.and_then(|it| Some((it.span()?, it.message().to_owned()))) {
            Some((span, message)) => loaded.complain_at(span, message),
            None => loaded.complain("", format!("{error:#}")),
        }
        (loaded, Vec::new())
    }
}

/// A look at the disk.
struct Reading<'a> {
    world: &'a mut World,
    open: OpenFiles,
    /// Where open documents are.
    paths: BTreeMap<FileId, PathBuf>,
    lost: Lost,
    /// The programs found so far.
    members: Members,
}

/// Files whose text in the editor is not known.
struct Lost {
    paths: BTreeSet<PathBuf>,
    files: BTreeSet<FileId>,
}

impl Lost {
    fn of(documents: &Documents) -> Lost {
        let paths: BTreeSet<PathBuf> = documents.lost().map(documents::identity).collect();
        let lost = |uri| !paths.is_empty() && paths.contains(&documents::identity(uri));
        let files = documents.iter().filter(|it| lost(&it.uri)).map(|it| it.file).collect();
        Lost { paths, files }
    }

    fn has(&self, file: FileId, path: Option<&Path>) -> bool {
        let named = |path| self.paths.contains(&programs::identity(path));
        !self.paths.is_empty() && (self.files.contains(&file) || path.is_some_and(named))
    }
}

/// The open documents by the files that they are, whatever their spelling. Of several documents that
/// are one file, the first counts.
struct OpenFiles(BTreeMap<PathBuf, FileId>);

impl OpenFiles {
    fn of(documents: &Documents) -> OpenFiles {
        let mut all = BTreeMap::new();
        for document in documents.iter() {
            if let Some(path) = documents::path(&document.uri) {
                all.entry(programs::identity(&path)).or_insert(document.file);
            }
        }
        OpenFiles(all)
    }

    fn find(&self, path: &Path) -> Option<FileId> {
        self.0.get(&programs::identity(path)).copied()
    }
}

impl Workspace {
    pub(crate) fn set_roots(&mut self, roots: Vec<PathBuf>) {
        self.roots = roots;
    }

    pub(crate) fn change_roots(&mut self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        self.roots.retain(|root| !removed.contains(root));
        self.roots.extend(added);
    }

    /// The manifests and what cannot be used of them.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = (&Path, &Loaded)> {
        self.loaded.iter().map(|(path, loaded)| (path.as_path(), loaded))
    }

    /// Names of files of programs that are not called as sources are, for those who watch.
    pub(crate) fn odd_names(&self) -> &BTreeSet<String> {
        &self.odd_names
    }

    /// Reads the manifests, and all files of programs that are not open, again.
    pub(crate) fn read_disk(&mut self, world: &mut World, documents: &Documents) {
        let open = OpenFiles::of(documents);
        let paths = documents.iter().filter_map(|it| Some((it.file, documents::path(&it.uri)?)));
        let (paths, lost) = (paths.collect(), Lost::of(documents));
        let mut reading = Reading { world, open, paths, lost, members: Members::default() };
        self.loaded.clear();
        self.odd_names.clear();
        for path in self.manifest_paths(documents) {
            let (mut loaded, entries) = Loaded::parse(&path);
            for entry in &entries {
                let odd = entry.files.iter().filter(|file| !files::is_source(file));
                let names = odd.filter_map(|file| Some(file.file_name()?.to_string_lossy()));
                self.odd_names.extend(names.map(|name| name.into_owned()));
                self.load_program(&mut reading, &mut loaded, &path, entry);
            }
            self.loaded.insert(path, loaded);
        }
        for document in documents.iter() {
            let path = documents::path(&document.uri);
            self.load_single(&mut reading, document.file, path.as_deref());
        }
        self.load_closed(&mut reading, documents);
        for document in documents.iter() {
            if let Some(path) = documents::path(&document.uri) {
                self.closed.insert(document.file, path);
            }
        }
        let members = reading.members;
        world.set_members(members);
    }

    /// The manifests of the roots, of the documents and of what is kept of closed ones.
    fn manifest_paths(&self, documents: &Documents) -> BTreeSet<PathBuf> {
        let roots = self.roots.iter().map(|root| root.join(manifest::NAME));
        let open = documents.iter().filter_map(|document| documents::path(&document.uri));
        let known = open.chain(self.closed.values().cloned());
        let above = known.flat_map(|path| programs::manifests_of(&path));
        roots.filter(|path| programs::is_there(path)).chain(above).collect()
    }

    fn load_program(
        &mut self,
        reading: &mut Reading<'_>,
        loaded: &mut Loaded,
        manifest: &Path,
        entry: &ProgramEntry,
    ) {
        let (mut ids, mut own_files, mut complete) = (Vec::new(), Vec::new(), true);
        let folder = manifest.parent();
        let this = programs::identity(manifest);
        for path in &entry.files {
            let read = match reading.open.find(path) {
                Some(file) => Ok(file),
                None => set_from_disk(reading.world, path),
            };
            match read {
                Ok(file) => {
                    ids.push(file);
                    complete &= !reading.lost.has(file, Some(path));
                    let spelt = reading.paths.get(&file).unwrap_or(path);
                    let above = programs::manifests_of(spelt);
                    if above.iter().any(|it| programs::identity(it) == this) {
                        own_files.push(file);
                    }
                }
                Err(error) => {
                    complete = false;
                    let own = folder.and_then(|folder| path.strip_prefix(folder).ok());
                    let own = own.unwrap_or(path).display().to_string();
                    loaded.complain(&own, format!("{error:#}; {INCOMPLETE}"));
                }
            }
        }
        let nature = Nature { complete, single: false };
        if let Err(error) = self.add(reading, (ids.clone(), entry.libs.clone(), nature), &own_files)
        {
            let unknown = entry.libs.iter().find(|lib| error.contains(&format!("`{lib}`")));
            loaded.complain(unknown.map_or("", String::as_str), error);
            let without = (ids, Vec::new(), Nature { complete: false, ..nature });
            let _known_libraries = self.add(reading, without, &own_files);
        }
    }

    /// Makes a file that no manifest names a program of its own.
    fn load_single(&mut self, reading: &mut Reading<'_>, file: FileId, path: Option<&Path>) {
        if !reading.members.programs_of(file).is_empty() {
            return;
        }
        let manifests = path.map(programs::manifests_of).unwrap_or_default();
        // One that came after the others were read is not known either.
        let broken = |path: &PathBuf| self.loaded.get(path).is_none_or(|it| it.broken);
        let double = path.and_then(|path| reading.open.find(path)).is_some_and(|it| it != file);
        let complete = !double && !manifests.iter().any(broken) && !reading.lost.has(file, path);
        let nature = Nature { complete, single: true };
        let _no_libraries = self.add(reading, (vec![file], Vec::new(), nature), &[file]);
    }

    /// What is kept of closed documents is about what is on disk; what is not there is forgotten.
    fn load_closed(&mut self, reading: &mut Reading<'_>, documents: &Documents) {
        for (file, path) in std::mem::take(&mut self.closed) {
            let named = !reading.members.programs_of(file).is_empty();
            if named || documents.of_file(file).is_some() {
                continue;
            }
            // Under a second spelling it was a file of its own, of which nothing is on disk.
            if set_from_disk(reading.world, &path).is_ok_and(|it| it == file) {
                self.load_single(reading, file, Some(&path));
                self.closed.insert(file, path);
            }
        }
    }

    /// Unknown library names come back as the error.
    fn add(
        &mut self,
        reading: &mut Reading<'_>,
        identity: Identity,
        own: &[FileId],
    ) -> Result<(), String> {
        let (files, libs, nature) = &identity;
        if files.is_empty() {
            return Ok(());
        }
        let program = match self.known.get(&identity) {
            Some(program) => *program,
            None => reading.world.add_program(files, libs)?,
        };
        reading.members.add(program, files, *nature, own);
        self.known.insert(identity, program);
        Ok(())
    }
}

/// The text of a file that is not open is what is on disk.
fn set_from_disk(world: &mut World, path: &Path) -> anyhow::Result<FileId> {
    let source = files::read_file(path)?;
    anyhow::ensure!(source.replaced_at.is_none(), "{} is not valid UTF-8", path.display());
    let key = files::name(path);
    let (uri, lines) = (documents::address(&key), Arc::new(Lines::new(source.text.into())));
    Ok(world.set_text(Arrival { key: &key, uri, lines, version: None, edits: None }))
}
