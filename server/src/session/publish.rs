//! Diagnostics on their way to the client.
//!
//! They come in three waves: syntax, static, proof. A wave replaces what it is about and leaves the
//! rest; until then the old ones move with the text, and old proofs are marked as stale.
//!
//! # Invariants
//! - What was computed for another version of a document is dropped, never shown at a wrong place.
//! - The same list is not sent twice, and no problem twice in one list.
//! - Whatever wave comes first: each brings the files it is about.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crossbeam_channel::Sender;
use ide::{ColumnEncoding, Diagnostic, FileId, Lines, Phase, ProgramId};
use tower_lsp::lsp_types::{self, DiagnosticTag, Url};

use super::documents::{self, Documents, Shift};
use super::outgoing::{Message, Outgoing};
use super::proofs::{News, ProgramProofs, Proofs, Revision, Waiting, shift_diagnostic};
use super::workspace::{Fault, Loaded};
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

pub(crate) struct Publisher {
    outgoing: Outgoing,
    statics: BTreeMap<ProgramId, Vec<Diagnostic>>,
    files: BTreeMap<ProgramId, Vec<FileSeen>>,
    proofs: Arc<Proofs>,
    pulled: BTreeSet<Url>,
    sent: BTreeMap<Url, Vec<lsp_types::Diagnostic>>,
    pub(crate) encoding: ColumnEncoding,
    /// The client takes lists of obligations as differences.
    pub(crate) differences: bool,
    /// The state of the lists that such a client has.
    listed: BTreeMap<Url, Revision>,
    /// What is shown in manifests.
    manifests: BTreeMap<Url, Vec<lsp_types::Diagnostic>>,
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
            encoding: ColumnEncoding::Utf16,
            differences: false,
            listed: BTreeMap::new(),
            manifests: BTreeMap::new(),
        }
    }

    pub(crate) fn proofs(&self) -> Arc<Proofs> {
        Arc::clone(&self.proofs)
    }

    /// Shows what cannot be used of the manifests, which are all that there are.
    pub(crate) fn set_manifests<'m>(&mut self, all: impl Iterator<Item = (&'m Path, &'m Loaded)>) {
        let mut shown = BTreeMap::new();
        for (path, loaded) in all.filter(|(_, loaded)| !loaded.faults.is_empty()) {
            let fault = |it: &Fault| proto::fault(&loaded.lines, it, self.encoding);
            if let Ok(uri) = Url::from_file_path(path) {
                shown.insert(uri, loaded.faults.iter().map(fault).collect::<Vec<_>>());
            }
        }
        let gone = self.manifests.keys().filter(|uri| !shown.contains_key(uri));
        let gone: Vec<_> = gone.map(|uri| (uri.clone(), Vec::new())).collect();
        let new = shown.iter().filter(|(uri, it)| self.manifests.get(uri) != Some(it));
        let new = new.map(|(uri, it)| (uri.clone(), it.clone()));
        for (uri, diagnostics) in gone.into_iter().chain(new) {
            self.outgoing.send(Message::Diagnostics { uri, version: None, diagnostics });
        }
        self.manifests = shown;
    }

    /// The same for a client that has not heard of them.
    pub(crate) fn set_manifests_anew<'m>(
        &mut self,
        all: impl Iterator<Item = (&'m Path, &'m Loaded)>,
    ) {
        self.manifests.clear();
        self.set_manifests(all);
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

    /// Text of a file was replaced: everything behind moves, and proofs of its programs are stale.
    /// A file that is not open has no version.
    pub(crate) fn edited(
        &mut self,
        file: FileId,
        lines: &Arc<Lines>,
        version: Option<i32>,
        shifts: &[Shift],
    ) {
        for diagnostics in self.statics.values_mut() {
            diagnostics.iter_mut().for_each(|d| shift_diagnostic(d, file, shifts));
        }
        let mut touched = Vec::new();
        for (program, files) in &mut self.files {
            for seen in files.iter_mut().filter(|seen| seen.file == file) {
                seen.lines = Arc::clone(lines);
                seen.version = version;
                touched.push(*program);
            }
        }
        for program in touched {
            let Some(known) = self.proofs.by_program.get(&program) else { continue };
            let news = known.entries.iter().any(|entry| !entry.stale) || !known.finished;
            let proofs = self.proofs_of(program);
            proofs.edited(file, shifts);
            proofs.interrupt();
            // Once per run, not once per keystroke: clients move what they have themselves.
            if news {
                self.send_obligations(program);
                self.outgoing.send(Message::Refresh);
            }
        }
    }

    /// Nobody works on the program any more.
    pub(crate) fn interrupted(&mut self, program: ProgramId) {
        if self.proofs.by_program.get(&program).is_some_and(|proofs| !proofs.finished) {
            self.proofs_of(program).interrupt();
            self.send_obligations(program);
            self.outgoing.send(Message::Refresh);
        }
    }

    /// A run of the program waits or is about to begin.
    pub(crate) fn awaited(&mut self, program: ProgramId) {
        if self.proofs.by_program.get(&program).is_none_or(|proofs| proofs.finished) {
            self.proofs_of(program).finished = false;
        }
    }

    /// The run of a program was put back: nothing happens for now, and it will begin again.
    pub(crate) fn suspended(&mut self, program: ProgramId) {
        self.interrupted(program);
        self.awaited(program);
    }

    fn proofs_of(&mut self, program: ProgramId) -> &mut ProgramProofs {
        let all = &mut Arc::make_mut(&mut self.proofs).by_program;
        let serial = all.len() + 1;
        all.entry(program).or_insert_with(|| ProgramProofs::new(serial))
    }

    pub(crate) fn set_static(&mut self, found: Found, documents: &Documents) {
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
        self.publish(found.program);
    }

    /// A run of a program begins.
    pub(crate) fn begin(
        &mut self,
        program: ProgramId,
        waiting: Vec<Waiting>,
        partial: bool,
        files: Vec<FileSeen>,
    ) {
        self.files.insert(program, files);
        self.proofs_of(program).begin(waiting, partial);
        self.send_obligations(program);
    }

    /// A run of a program has found something. `more`: after it another one will begin.
    pub(crate) fn tell(&mut self, program: ProgramId, news: News, more: bool) {
        let finished = news.finished;
        let proofs = self.proofs_of(program);
        proofs.tell(news);
        proofs.finished &= !more;
        self.send_obligations(program);
        self.publish(program);
        if finished {
            self.outgoing.send(Message::Refresh);
        }
    }

    /// A run could not begin: what is known stays as it is. `more`: another one will be tried.
    pub(crate) fn refused(&mut self, program: ProgramId, files: Vec<FileSeen>, more: bool) {
        self.files.insert(program, files);
        let proofs = self.proofs_of(program);
        proofs.interrupt();
        proofs.finished = !more;
        self.send_obligations(program);
    }

    /// One message for each open file of the program, and for the first one.
    fn send_obligations(&mut self, program: ProgramId) {
        let Some(proofs) = self.proofs.by_program.get(&program) else { return };
        let files = self.files.get(&program).map_or(&[][..], Vec::as_slice);
        for (number, seen) in files.iter().enumerate() {
            if number == 0 || seen.version.is_some() {
                let had = self.listed.get(&seen.uri).copied().filter(|_| self.differences);
                let list = ext::obligations(seen, number == 0, proofs, self.encoding, had);
                self.listed.insert(seen.uri.clone(), proofs.revision());
                self.outgoing.send_obligations(&seen.uri, list);
            }
        }
    }

    /// A closed document shows nothing.
    pub(crate) fn clear(&mut self, uri: &Url) {
        self.pulled.remove(uri);
        self.listed.remove(uri);
        if self.sent.remove(uri).is_some() {
            let empty =
                Message::Diagnostics { uri: uri.clone(), version: None, diagnostics: Vec::new() };
            self.outgoing.send(empty);
        }
    }

    fn publish(&mut self, program: ProgramId) {
        let Some(files) = self.files.get(&program).cloned() else { return };
        for seen in &files {
            let shown = self.shown(program, seen, &files);
            let unchanged = self.sent.get(&seen.uri) == Some(&shown);
            let nothing_new =
                shown.is_empty() && !self.sent.contains_key(&seen.uri) && seen.version.is_none();
            if self.pulled.contains(&seen.uri) || unchanged || nothing_new {
                continue;
            }
            self.sent.insert(seen.uri.clone(), shown.clone());
            self.outgoing.send(Message::Diagnostics {
                uri: seen.uri.clone(),
                version: seen.version,
                diagnostics: shown,
            });
        }
    }

    /// Static problems, then proofs, of one file.
    fn shown(
        &self,
        program: ProgramId,
        seen: &FileSeen,
        files: &[FileSeen],
    ) -> Vec<lsp_types::Diagnostic> {
        let own = |d: &&Diagnostic| d.at.file == seen.file;
        let statics = self.statics.get(&program).into_iter().flatten().filter(own);
        let mut all: Vec<_> = statics.map(|d| proto::diagnostic(d, files, self.encoding)).collect();
        if let Some(proofs) = self.proofs.by_program.get(&program) {
            all.extend(proof_diagnostics(proofs, seen.file, files, self.encoding));
        }
        all
    }
}

/// What is not proved in one file; what was found before the last edit says so.
pub(crate) fn proof_diagnostics(
    proofs: &ProgramProofs,
    file: FileId,
    files: &[FileSeen],
    encoding: ColumnEncoding,
) -> Vec<lsp_types::Diagnostic> {
    let mut all: Vec<lsp_types::Diagnostic> = Vec::new();
    for diagnostic in proofs.diagnostics.iter().filter(|d| d.at.file == file) {
        let mut shown = proto::diagnostic(diagnostic, files, encoding);
        if proofs.is_stale(diagnostic) {
            shown.tags = Some(vec![DiagnosticTag::UNNECESSARY]);
            shown.source = Some("civl (stale)".into());
        }
        // Several obligations may blame the same assertion in the same words.
        let same = |d: &lsp_types::Diagnostic| {
            (d.range, &d.code, &d.message) == (shown.range, &shown.code, &shown.message)
        };
        if !all.iter().any(same) {
            all.push(shown);
        }
    }
    all
}

fn is_current(files: &[FileSeen], documents: &Documents) -> bool {
    files.iter().all(|seen| documents.get(&seen.uri).map(|d| d.version) == seen.version)
}

#[cfg(test)]
mod tests {
    use super::super::proofs::tests::state;
    use super::*;

    #[test]
    fn verdicts_that_come_before_the_static_wave_are_told() {
        let (outgoing, mut queue, lists) = Outgoing::unconnected();
        let mut publisher = Publisher::new(outgoing);
        let mut host = ide::AnalysisHost::new();
        let file = host.set_file("/a.bpl", "");
        let program = host.add_program(&[file], &[]).unwrap();
        let uri = Url::parse("file:///a.bpl").unwrap();
        let lines = Arc::new(Lines::new("".into()));
        let files = vec![FileSeen { file, uri, lines, version: Some(1) }];
        publisher.begin(program, vec![(state("a", ide::Outcome::default()), None)], false, files);
        let ended = vec![state("a", ide::Outcome::Proved)];
        publisher.tell(program, News { ended, finished: true, ..News::default() }, false);
        let mut told = Vec::new();
        while let Ok(message) = queue.try_recv() {
            if let Message::Obligations(uri) = message {
                let list = lists.next(&uri).unwrap();
                let list: serde_json::Value = serde_json::from_str(&list).unwrap();
                let state = list["obligations"][0]["state"].as_str().unwrap().to_owned();
                told.push((list["finished"] == true, state));
            }
        }
        assert_eq!(told, [(false, "queued".to_owned()), (true, "proved".to_owned())]);
    }
}
