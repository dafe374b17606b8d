//! Which files form which program.
//!
//! **In:** the roots of the workspace and their `civl.toml` files. **Out:** a program for each file:
//! the one a manifest puts it in, or one of its own; and what in the manifests cannot be used.
//!
//! # Invariants
//! - A file that cannot be read is left out of its program and said to be; the rest works.
//! - A manifest is loaded once until the next reload, so programs keep their ids.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::{AnalysisHost, FileId, Lines, ProgramId};

use super::documents::Documents;
use crate::files;
use crate::manifest::{self, ProgramEntry};

#[derive(Default)]
pub(crate) struct Workspace {
    roots: Vec<PathBuf>,
    programs: Arc<BTreeMap<FileId, ProgramId>>,
    /// Programs made for single files, to be used again.
    single: BTreeMap<FileId, ProgramId>,
    /// The manifests that were loaded.
    loaded: BTreeMap<PathBuf, Loaded>,
}

/// A manifest and what came of it.
pub(crate) struct Loaded {
    pub(crate) lines: Arc<Lines>,
    pub(crate) faults: Vec<Fault>,
    /// The files it names, and whether they could be read.
    files: BTreeMap<String, bool>,
}

/// Something in a manifest that cannot be used.
pub(crate) struct Fault {
    /// Where, in bytes.
    pub(crate) at: (u32, u32),
    pub(crate) message: String,
}

impl Loaded {
    fn new(text: &str) -> Loaded {
        let lines = Arc::new(Lines::new(text.into()));
        Loaded { lines, faults: Vec::new(), files: BTreeMap::new() }
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
}

impl Workspace {
    pub(crate) fn set_roots(&mut self, roots: Vec<PathBuf>) {
        self.roots = roots;
    }

    pub(crate) fn change_roots(&mut self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        self.roots.retain(|root| !removed.contains(root));
        self.roots.extend(added);
    }

    pub(crate) fn programs(&self) -> Arc<BTreeMap<FileId, ProgramId>> {
        Arc::clone(&self.programs)
    }

    pub(crate) fn program_of(&self, file: FileId) -> Option<ProgramId> {
        self.programs.get(&file).copied()
    }

    /// Forgets all programs and reads the manifests of the roots again.
    pub(crate) fn reload(&mut self, host: &mut AnalysisHost, documents: &Documents) {
        self.programs = Arc::default();
        self.loaded.clear();
        for root in self.roots.clone() {
            let path = root.join(manifest::NAME);
            if path.is_file() {
                self.load_manifest(host, &path, documents);
            }
        }
    }

    /// The manifests and what cannot be used of them.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = (&Path, &Loaded)> {
        self.loaded.iter().map(|(path, loaded)| (path.as_path(), loaded))
    }

    /// Is this file of a manifest one that could be read, or could not? Nothing if no manifest names it.
    pub(crate) fn was_readable(&self, key: &str) -> Option<bool> {
        self.loaded.values().find_map(|loaded| loaded.files.get(key).copied())
    }

    /// Gives a file its program, if it has none yet.
    pub(crate) fn assign(
        &mut self,
        host: &mut AnalysisHost,
        path: &str,
        file: FileId,
        documents: &Documents,
    ) {
        if self.programs.contains_key(&file) {
            return;
        }
        let beside = Path::new(path).parent().map(|folder| folder.join(manifest::NAME));
        let new = |p: &PathBuf| !self.loaded.contains_key(p) && p.is_file() && self.is_inside(p);
        if let Some(beside) = beside.filter(new) {
            self.load_manifest(host, &beside, documents);
        }
        if self.programs.contains_key(&file) {
            return;
        }
        let known = self.single.get(&file).copied();
        let Some(program) = known.or_else(|| host.add_program(&[file], &[]).ok()) else { return };
        self.single.insert(file, program);
        Arc::make_mut(&mut self.programs).insert(file, program);
    }

    /// A manifest is read only inside the workspace; without roots, beside the document.
    fn is_inside(&self, path: &Path) -> bool {
        self.roots.is_empty() || self.roots.iter().any(|root| path.starts_with(root))
    }

    fn load_manifest(&mut self, host: &mut AnalysisHost, path: &Path, documents: &Documents) {
        let source = files::read_file(path);
        let mut loaded = Loaded::new(source.as_ref().map_or("", |source| &source.text));
        let folder = path.parent().unwrap_or(Path::new(""));
        match source.and_then(|source| manifest::parse(&source.text, folder)) {
            Ok(manifest) => {
                for entry in &manifest.programs {
                    self.load_program(host, entry, documents, (folder, &mut loaded));
                }
            }
            Err(error) => {
                let of_toml = error.downcast_ref::<toml::de::Error>();
                match of_toml.and_then(|it| Some((it.span()?, it.message().to_owned()))) {
                    Some((span, message)) => loaded.complain_at(span, message),
                    None => loaded.complain("", format!("{error:#}")),
                }
            }
        }
        self.loaded.insert(path.to_path_buf(), loaded);
    }

    fn load_program(
        &mut self,
        host: &mut AnalysisHost,
        entry: &ProgramEntry,
        documents: &Documents,
        (folder, loaded): (&Path, &mut Loaded),
    ) {
        let mut ids = Vec::new();
        for path in &entry.files {
            let key = path.display().to_string();
            let open = host.file_id(&key).filter(|id| documents.of_file(*id).is_some());
            let read = match open {
                Some(id) => Ok(id),
                None => files::read_file(path).map(|source| host.set_file(&key, source.text)),
            };
            loaded.files.insert(key, read.is_ok());
            match read {
                Ok(id) => ids.push(id),
                Err(error) => {
                    let own = path.strip_prefix(folder).unwrap_or(path).display().to_string();
                    let message = format!("{error:#}; the program is checked without this file");
                    loaded.complain(&own, message);
                }
            }
        }
        match host.add_program(&ids, &entry.libs) {
            Ok(program) => {
                let programs = Arc::make_mut(&mut self.programs);
                ids.into_iter().for_each(|id| {
                    programs.insert(id, program);
                });
            }
            Err(error) => {
                let unknown = entry.libs.iter().find(|lib| error.contains(&format!("`{lib}`")));
                loaded.complain(unknown.map_or("", String::as_str), error);
            }
        }
    }
}
