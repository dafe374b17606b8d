//! Diagnostics on their way to the client.
//!
//! They come in three waves: syntax, static, proof. A wave replaces what it is about and leaves the
//! rest; until then the old ones move with the text, and old proofs are marked as stale.
//!
//! # Invariants
//! - What was computed for another version of a document is dropped, never shown at a wrong place.
//! - The same list is not sent twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crossbeam_channel::Sender;
use ide::{ColumnEncoding, Diagnostic, FileId, Lines, ObligationState, Phase, ProgramId};
use tower_lsp::lsp_types::{self, DiagnosticTag, Url};

use super::documents::{self, Documents, Shift};
use super::outgoing::{Message, Outgoing};
use super::{Event, Snapshot};
use crate::lsp::{ext, proto};

/// Static problems of one program.
pub(crate) struct Found {
    program: ProgramId,
    /// Only the syntax phase has been looked at so far.
    syntax_only: bool,
    problems: Vec<Diagnostic>,
    files: Vec<FileSeen>,
}

/// A file of a program at the revision the problems are about.
#[derive(Clone)]
pub(crate) struct FileSeen {
    pub(crate) file: FileId,
    pub(crate) uri: Url,
    pub(crate) lines: Arc<Lines>,
    pub(crate) version: Option<i32>,
}

/// Computes the problems of a program and posts them, syntax first.
pub(crate) fn find(snapshot: &Snapshot, program: ProgramId, outbox: &Sender<Event>) {
    let found = snapshot.analysis.ask(|analysis| {
        let files = files_of(snapshot, program);
        let syntax = analysis.syntax_problems(program);
        let early = Found { program, syntax_only: true, problems: syntax, files: files.clone() };
        let _session_gone = outbox.send(Event::Problems(early));
        Found { program, syntax_only: false, problems: analysis.problems(program), files }
    });
    // An overtaken reader posts nothing; the edit that overtook it asks again.
    if let Ok(found) = found {
        let _session_gone = outbox.send(Event::Problems(found));
    }
}

/// The files of a program that have an address.
pub(crate) fn files_of(snapshot: &Snapshot, program: ProgramId) -> Vec<FileSeen> {
    let analysis = &snapshot.analysis;
    let seen = analysis.program_files(program).into_iter().filter_map(|file| {
        let open = snapshot.documents.of_file(file);
        let uri =
            open.map(|d| d.uri.clone()).or_else(|| documents::address(analysis.path(file)))?;
        let lines = open.map_or_else(|| Arc::new(analysis.lines(file)), |d| Arc::clone(&d.lines));
        Some(FileSeen { file, uri, lines, version: open.map(|d| d.version) })
    });
    seen.collect()
}

/// Verdicts of one program.
#[derive(Clone, Default)]
pub(crate) struct ProgramProofs {
    pub(crate) states: Vec<ObligationState>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The text has changed since.
    pub(crate) stale: bool,
    pub(crate) finished: bool,
}

/// Verdicts of all programs.
#[derive(Clone, Default)]
pub(crate) struct Proofs {
    pub(crate) by_program: BTreeMap<ProgramId, ProgramProofs>,
}

pub(crate) struct Publisher {
    outgoing: Outgoing,
    statics: BTreeMap<ProgramId, Vec<Diagnostic>>,
    files: BTreeMap<ProgramId, Vec<FileSeen>>,
    proofs: Arc<Proofs>,
    pulled: BTreeSet<Url>,
    sent: BTreeMap<Url, Vec<lsp_types::Diagnostic>>,
}

impl Publisher {
    pub(crate) fn new(outgoing: Outgoing) -> Publisher {
        Publisher {
            outgoing,
            statics: BTreeMap::new(),
            files: BTreeMap::new(),
            proofs: Arc::default(),
            pulled: BTreeSet::new(),
            sent: BTreeMap::new(),
        }
    }

    pub(crate) fn proofs(&self) -> Arc<Proofs> {
        Arc::clone(&self.proofs)
    }

    /// The client asks itself; what was pushed is taken back once.
    pub(crate) fn stop_pushing(&mut self, uri: &Url) {
        if self.pulled.insert(uri.clone())
            && self.sent.remove(uri).is_some_and(|sent| !sent.is_empty())
        {
            let empty =
                Message::Diagnostics { uri: uri.clone(), version: None, diagnostics: Vec::new() };
            self.outgoing.send(empty);
        }
    }

    /// Text of a file was replaced: everything behind moves.
    pub(crate) fn shift(&mut self, file: FileId, shifts: &[Shift]) {
        for diagnostics in self.statics.values_mut() {
            diagnostics.iter_mut().for_each(|d| shift_diagnostic(d, file, shifts));
        }
        for proofs in Arc::make_mut(&mut self.proofs).by_program.values_mut() {
            proofs.diagnostics.iter_mut().for_each(|d| shift_diagnostic(d, file, shifts));
            proofs.stale = true;
        }
    }

    pub(crate) fn set_static(
        &mut self,
        found: Found,
        documents: &Documents,
        encoding: ColumnEncoding,
    ) {
        if !is_current(&found.files, documents) {
            return;
        }
        let old = self.statics.remove(&found.program).unwrap_or_default();
        let mut problems = found.problems;
        if found.syntax_only {
            problems.extend(old.into_iter().filter(|d| d.phase != Phase::Syntax));
        }
        self.statics.insert(found.program, problems);
        self.files.insert(found.program, found.files);
        self.publish(found.program, encoding);
    }

    pub(crate) fn set_proofs(
        &mut self,
        program: ProgramId,
        proofs: ProgramProofs,
        encoding: ColumnEncoding,
    ) {
        let finished = proofs.finished;
        let files = self.files.get(&program).cloned().unwrap_or_default();
        if let Some(first) = files.first() {
            self.outgoing.send(Message::Obligations(ext::obligations(
                &first.uri,
                first.version,
                &proofs,
            )));
        }
        Arc::make_mut(&mut self.proofs).by_program.insert(program, proofs);
        self.publish(program, encoding);
        if finished {
            self.outgoing.send(Message::Refresh);
        }
    }

    /// A closed document shows nothing.
    pub(crate) fn clear(&mut self, uri: &Url) {
        self.pulled.remove(uri);
        if self.sent.remove(uri).is_some() {
            let empty =
                Message::Diagnostics { uri: uri.clone(), version: None, diagnostics: Vec::new() };
            self.outgoing.send(empty);
        }
    }

    fn publish(&mut self, program: ProgramId, encoding: ColumnEncoding) {
        let Some(files) = self.files.get(&program).cloned() else { return };
        let mut all = self.statics.get(&program).cloned().unwrap_or_default();
        let proofs = self.proofs.by_program.get(&program);
        let stale = proofs.is_some_and(|p| p.stale);
        all.extend(proofs.iter().flat_map(|p| p.diagnostics.iter().cloned()));
        for seen in &files {
            let own = all.iter().filter(|d| d.at.file == seen.file);
            let shown: Vec<_> = own.map(|d| shown(d, &files, stale, encoding)).collect();
            let unchanged = self.sent.get(&seen.uri) == Some(&shown);
            let nothing_new =
                shown.is_empty() && !self.sent.contains_key(&seen.uri) && seen.version.is_none();
            if self.pulled.contains(&seen.uri) || unchanged || nothing_new {
                continue;
            }
            self.sent.insert(seen.uri.clone(), shown.clone());
            let version = seen.version;
            self.outgoing.send(Message::Diagnostics {
                uri: seen.uri.clone(),
                version,
                diagnostics: shown,
            });
        }
    }
}

fn shown(
    diagnostic: &Diagnostic,
    files: &[FileSeen],
    proofs_stale: bool,
    encoding: ColumnEncoding,
) -> lsp_types::Diagnostic {
    let mut shown = proto::diagnostic(diagnostic, files, encoding);
    if proofs_stale && diagnostic.phase == Phase::Proof {
        shown.tags = Some(vec![DiagnosticTag::UNNECESSARY]);
        shown.source = Some("civl (stale)".into());
    }
    shown
}

fn is_current(files: &[FileSeen], documents: &Documents) -> bool {
    files.iter().all(|seen| documents.get(&seen.uri).map(|d| d.version) == seen.version)
}

fn shift_diagnostic(diagnostic: &mut Diagnostic, file: FileId, shifts: &[Shift]) {
    let related = diagnostic.related.iter_mut().map(|r| &mut r.at);
    for at in std::iter::once(&mut diagnostic.at).chain(related).filter(|at| at.file == file) {
        for shift in shifts {
            (at.start, at.end) = shift.moved((at.start, at.end));
        }
    }
}
