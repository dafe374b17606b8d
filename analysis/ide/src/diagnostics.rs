//! Problems of all static phases, in the order of the phases, at places of the current revision.
//!
//! **In:** syntax errors, problems of `hir` and `discipline`. **Out:** [`Diagnostic`]s.
//!
//! Batch tools stop after the first phase with an error, as the reference does; editors show all
//! phases, except that a declaration that cannot be read gets no complaints about its meaning.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Name, Place, Program, SourceFile};

use crate::types::{Diagnostic, FileId, Fix, Location, Phase, Related, Severity};
use crate::{Analysis, ProgramId};

/// More problems than anyone reads; the rest waits until these are gone.
const MOST_PROBLEMS: usize = 1000;

impl Analysis {
    /// Every static problem of the program, for a reader who wants to see all of them.
    pub fn problems(&self, program: ProgramId) -> Vec<Diagnostic> {
        let mut all = self.syntax_problems(program);
        let program = self.program(program);
        let unread = self.unread_stretches(&all);
        let hir = hir::program_diagnostics(&self.db, program);
        let plain = hir.iter().filter(|d| d.phase != Phase::Syntax).take(MOST_PROBLEMS);
        let mut meaning: Vec<Diagnostic> = plain.filter_map(|d| self.rendered(d)).collect();
        for decl in hir::program_decls(&self.db, program).iter() {
            if meaning.len() >= MOST_PROBLEMS {
                break;
            }
            let own = discipline::diagnostics(&self.db, program, *decl);
            meaning.extend(own.iter().filter_map(|d| self.rendered(d)));
        }
        meaning.retain(|d| {
            !unread
                .iter()
                .any(|at| at.file == d.at.file && at.start <= d.at.start && d.at.start < at.end)
        });
        all.extend(meaning);
        without_repetitions(all)
    }

    /// Problems of the text itself.
    pub fn syntax_problems(&self, program: ProgramId) -> Vec<Diagnostic> {
        let files = self.files_of(self.program(program));
        let found = files.iter().flat_map(|file| hir::syntax_diagnostics(&self.db, *file).to_vec());
        found.filter_map(|d| self.rendered(&d)).collect()
    }

    /// The problems of the first phase that has an error, as batch tools report them, and the
    /// warnings up to there; without errors, all warnings.
    pub fn check(&self, program: ProgramId) -> Vec<Diagnostic> {
        let found = discipline::batch_diagnostics(&self.db, self.program(program));
        let shown = found.iter().take(MOST_PROBLEMS);
        without_repetitions(shown.filter_map(|d| self.rendered(d)).collect())
    }

    /// The files of a program that belong to the user, then its libraries.
    pub fn program_files(&self, program: ProgramId) -> Vec<FileId> {
        let files = self.files_of(self.program(program));
        files.iter().filter_map(|file| self.file_id(*file)).collect()
    }

    pub(crate) fn files_of(&self, program: Program) -> Arc<[SourceFile]> {
        hir::program_files(&self.db, program)
    }

    /// A diagnostic of a lower crate at its place in the current text.
    pub(crate) fn rendered(&self, diagnostic: &base::Diagnostic) -> Option<Diagnostic> {
        let labels = diagnostic.labels.iter();
        Some(Diagnostic {
            at: self.location(diagnostic.primary)?,
            severity: diagnostic.severity,
            code: diagnostic.code.as_str(),
            phase: diagnostic.phase,
            message: Name::in_sentence(&diagnostic.message),
            related: labels
                .filter_map(|l| {
                    Some(Related {
                        at: self.location(l.place)?,
                        message: Name::in_sentence(&l.text),
                    })
                })
                .collect(),
            help: diagnostic.help.as_deref().map(Name::in_sentence),
            reported_at: diagnostic.reported_at.and_then(|place| self.location(place)),
            explanation: Vec::new(),
            trace: None,
            obligation: None,
            fixes: diagnostic.fixes.iter().map(|fix| self.fix(fix)).collect(),
        })
    }

    /// A place as a location of the current text.
    pub(crate) fn location(&self, place: Place) -> Option<Location> {
        let at = hir::place_range(&self.db, place);
        Some(Location {
            file: self.file_id(at.file)?,
            start: at.range.start().into(),
            end: at.range.end().into(),
        })
    }

    fn fix(&self, fix: &base::Fix) -> Fix {
        let placed = fix
            .edits
            .iter()
            .filter_map(|(place, text)| Some((self.location(*place)?, text.clone())));
        let ranged = fix.text_edits.iter().filter_map(|edit| {
            let (start, end) = (edit.at.range.start().into(), edit.at.range.end().into());
            Some((Location { file: self.file_id(edit.at.file)?, start, end }, edit.insert.clone()))
        });
        Fix { title: fix.title.clone(), edits: placed.chain(ranged).collect() }
    }

    /// The top-level stretches of text in which something could not be read.
    fn unread_stretches(&self, errors: &[Diagnostic]) -> Vec<Location> {
        let files: BTreeSet<FileId> = errors.iter().map(|d| d.at.file).collect();
        let mut stretches = Vec::new();
        for file in files {
            for item in hir::parse(&self.db, self.source(file)).syntax_node().children() {
                let range = item.text_range();
                let at = Location { file, start: range.start().into(), end: range.end().into() };
                if errors.iter().any(|d| d.at.file == file && at.touches(d.at.start)) {
                    stretches.push(at);
                }
            }
        }
        stretches
    }
}

pub(crate) fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// A failure stands at the statement that its run blames, which the place of the check is not.
fn at_the_statement(mut diagnostic: Diagnostic) -> Diagnostic {
    let Some(blame) = diagnostic.trace.as_ref().and_then(|view| view.blame.clone()) else {
        return diagnostic;
    };
    diagnostic.message = blame.message;
    if let Some(at) = blame.at.filter(|at| *at != diagnostic.at) {
        diagnostic.reported_at.get_or_insert(diagnostic.at);
        diagnostic.at = at;
    }
    diagnostic
}

/// Keeps the first of equal diagnostics; order stays.
pub(crate) fn without_repetitions(all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let all = all.into_iter().map(at_the_statement);
    let mut seen = BTreeSet::new();
    let key = |d: &Diagnostic| {
        let related: Vec<Location> = d.related.iter().map(|r| r.at).collect();
        (d.at, d.code, d.message.clone(), related)
    };
    all.filter(|d| seen.insert(key(d))).collect()
}
