//! Problems of all static phases, in the order of the phases, at places of the current revision.

use crate::types::{Diagnostic, FileId};
use crate::{Analysis, ProgramId};

impl Analysis {
    /// Every static problem of the program, for a reader who wants to see all of them.
    pub fn problems(&self, _program: ProgramId) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Problems of the text itself.
    pub fn syntax_problems(&self, _program: ProgramId) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// The problems of the first phase that has an error, as batch tools report them; without
    /// errors, all warnings.
    pub fn check(&self, program: ProgramId) -> Vec<Diagnostic> {
        let _all = self.problems(program);
        Vec::new()
    }

    /// The files of a program that belong to the user, then its libraries.
    pub fn program_files(&self, program: ProgramId) -> Vec<FileId> {
        let program = self.program(program);
        let files = program.files(&self.db).iter().chain(program.libraries(&self.db));
        files.filter_map(|file| self.file_id(*file)).collect()
    }
}
