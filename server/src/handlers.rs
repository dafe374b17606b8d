//! One file per request: protocol parameters to a question of `ide`, its answer to protocol types.

pub(crate) mod calls;
pub(crate) mod code_actions;
pub(crate) mod code_lens;
pub(crate) mod completion;
pub(crate) mod custom;
pub(crate) mod diagnostics;
pub(crate) mod folding;
pub(crate) mod formatting;
pub(crate) mod goto;
pub(crate) mod hover;
pub(crate) mod inlay_hints;
pub(crate) mod links;
pub(crate) mod references;
pub(crate) mod rename;
pub(crate) mod selection;
pub(crate) mod semantic_tokens;
pub(crate) mod signature_help;
pub(crate) mod symbols;

use std::borrow::Cow;
use std::sync::Arc;

use ide::{FileId, Lines, ProgramId};
use tower_lsp::lsp_types::{Position, Range, TextDocumentPositionParams, Url};

use crate::lsp::proto;
use crate::session::proofs::ProgramProofs;
use crate::session::{Snapshot, documents};

/// A document of the snapshot, with its program and lines.
pub(crate) struct Opened<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) file: FileId,
    /// The first program that it is part of: what a name means is looked up there.
    pub(crate) program: ProgramId,
    /// All programs that it is part of: what is proved is proved in all of them.
    pub(crate) programs: Vec<ProgramId>,
    pub(crate) lines: Arc<Lines>,
}

impl<'a> Opened<'a> {
    /// The document at `uri`, open or part of a known program.
    pub(crate) fn find(snapshot: &'a Snapshot, uri: &Url) -> Option<Opened<'a>> {
        let open = snapshot.documents.get(uri);
        let file = match open {
            Some(document) => document.file,
            None => snapshot.analysis.file_by_path(&documents::key(uri))?,
        };
        let lines =
            open.map_or_else(|| Arc::new(snapshot.analysis.lines(file)), |d| Arc::clone(&d.lines));
        let programs = match snapshot.members.programs_of(file) {
            [] if snapshot.analysis.is_library(file) => {
                snapshot.members.programs().take(1).collect()
            }
            own => own.to_vec(),
        };
        Some(Opened { snapshot, file, program: *programs.first()?, programs, lines })
    }

    /// How obligations stand in all programs of the document.
    pub(crate) fn proofs(&self) -> Cow<'a, ProgramProofs> {
        self.snapshot.proofs.of(&self.programs)
    }

    pub(crate) fn range(&self, start: u32, end: u32) -> Range {
        proto::range(&self.lines, start, end, self.snapshot.encoding)
    }

    pub(crate) fn offset(&self, position: Position) -> u32 {
        documents::offset(&self.lines, position, self.snapshot.encoding)
    }

    pub(crate) fn offsets(&self, range: Range) -> (u32, u32) {
        (self.offset(range.start), self.offset(range.end))
    }

    pub(crate) fn at(&self, position: Position) -> ide::Position {
        ide::Position { program: self.program, file: self.file, offset: self.offset(position) }
    }
}

/// The cursor of a request.
pub(crate) fn cursor(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Option<ide::Position> {
    Some(Opened::find(snapshot, &params.text_document.uri)?.at(params.position))
}
