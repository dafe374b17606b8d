//! Which files form which programs, as data.
//!
//! **In:** programs and their files, from [`workspace`](super::workspace). **Out:** both directions.
//!
//! A program may have a file that is not its own: one of which its manifest is no manifest (behind
//! another `.git`, or open by a link that lies elsewhere). Such a program depends on the text, but what
//! is shown of the file is what the file's own programs say, as on the command line.

use std::collections::{BTreeMap, BTreeSet};

use ide::{FileId, ProgramId};

/// All programs that there are. What is not in here shows nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Members {
    of_file: BTreeMap<FileId, Vec<ProgramId>>,
    /// The same, and those that only depend on the file.
    dependents: BTreeMap<FileId, Vec<ProgramId>>,
    files: BTreeMap<ProgramId, Vec<FileId>>,
    /// Something that belongs to them cannot be read: nothing is proved of a part of a program.
    incomplete: BTreeSet<ProgramId>,
    /// Made for a document that no manifest names.
    single: BTreeSet<ProgramId>,
}

/// What is said of a program besides its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Nature {
    pub(crate) complete: bool,
    /// No manifest names it.
    pub(crate) single: bool,
}

impl Members {
    /// `own` are those of the files that the program is a program of.
    pub(crate) fn add(
        &mut self,
        program: ProgramId,
        files: &[FileId],
        nature: Nature,
        own: &[FileId],
    ) {
        let put = |map: &mut BTreeMap<FileId, Vec<ProgramId>>, file: &FileId| {
            let all = map.entry(*file).or_default();
            if !all.contains(&program) {
                all.push(program);
            }
        };
        own.iter().for_each(|file| put(&mut self.of_file, file));
        if self.files.insert(program, files.to_vec()).is_some() {
            return;
        }
        files.iter().for_each(|file| put(&mut self.dependents, file));
        if !nature.complete {
            self.incomplete.insert(program);
        }
        if nature.single {
            self.single.insert(program);
        }
    }

    /// The programs that a file is part of.
    pub(crate) fn programs_of(&self, file: FileId) -> &[ProgramId] {
        self.of_file.get(&file).map_or(&[], Vec::as_slice)
    }

    /// The programs that the text of a file is part of.
    pub(crate) fn dependents_of(&self, file: FileId) -> &[ProgramId] {
        self.dependents.get(&file).map_or(&[], Vec::as_slice)
    }

    /// The files of a program, in order; none if there is no such program.
    pub(crate) fn files_of(&self, program: ProgramId) -> &[FileId] {
        self.files.get(&program).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn has(&self, program: ProgramId) -> bool {
        self.files.contains_key(&program)
    }

    pub(crate) fn programs(&self) -> impl Iterator<Item = ProgramId> + '_ {
        self.files.keys().copied()
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = FileId> + '_ {
        self.dependents.keys().copied()
    }

    pub(crate) fn is_complete(&self, program: ProgramId) -> bool {
        !self.incomplete.contains(&program)
    }

    /// Does no manifest name the file?
    pub(crate) fn is_single(&self, file: FileId) -> bool {
        self.programs_of(file).iter().all(|program| self.single.contains(program))
    }
}
