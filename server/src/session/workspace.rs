//! Which files form which program.
//!
//! **In:** the roots of the workspace and their `civl.toml` files. **Out:** a program for each file:
//! the one a manifest puts it in, or one of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::{AnalysisHost, FileId, ProgramId};

use super::documents::Documents;
use crate::files;
use crate::manifest::{self, ProgramEntry};

#[derive(Default)]
pub(crate) struct Workspace {
    roots: Vec<PathBuf>,
    programs: Arc<BTreeMap<FileId, ProgramId>>,
    /// Programs made for single files, to be used again.
    single: BTreeMap<FileId, ProgramId>,
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
        for root in self.roots.clone() {
            let path = root.join(manifest::NAME);
            if path.is_file() {
                self.load_manifest(host, &path, documents);
            }
        }
    }

    /// Gives a file its program, if it has none yet.
    pub(crate) fn assign(&mut self, host: &mut AnalysisHost, path: &str, file: FileId) {
        if self.programs.contains_key(&file) {
            return;
        }
        let beside = Path::new(path).parent().map(|folder| folder.join(manifest::NAME));
        if let Some(beside) = beside.filter(|p| p.is_file() && self.is_inside(p)) {
            self.load_manifest(host, &beside, &Documents::default());
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
        let manifest = match files::read_manifest(path) {
            Ok(manifest) => manifest,
            Err(error) => {
                crate::cli::complain(&format!("{error:#}"));
                return;
            }
        };
        for entry in &manifest.programs {
            self.load_program(host, entry, documents);
        }
    }

    fn load_program(
        &mut self,
        host: &mut AnalysisHost,
        entry: &ProgramEntry,
        documents: &Documents,
    ) {
        let mut ids = Vec::new();
        for path in &entry.files {
            let key = path.display().to_string();
            let known = host.file_id(&key);
            let open = known.filter(|id| documents.of_file(*id).is_some());
            let id = match open.or(known) {
                Some(id) => id,
                None => match files::read_named(path) {
                    Ok(source) => host.set_file(&key, source.text),
                    Err(error) => {
                        crate::cli::complain(&format!("{error:#}"));
                        continue;
                    }
                },
            };
            ids.push(id);
        }
        match host.add_program(&ids, &entry.libs) {
            Ok(program) => {
                let programs = Arc::make_mut(&mut self.programs);
                ids.into_iter().for_each(|id| {
                    programs.insert(id, program);
                });
            }
            Err(error) => crate::cli::complain(&error),
        }
    }
}
