//! Diagnostics on their way to the client.
//!
//! They come in three waves: syntax, static, proof. A wave replaces what it is about and leaves the
//! rest; until then the old ones move with the text, and old proofs are marked as stale.
//!
//! What is known belongs to a program; what is shown belongs to a file and is what all its programs
//! say of it. A failure in one of them does not disappear because another one is proved, and nothing
//! is shown of a program that there is no more.
//!
//! # Invariants
//! - What was computed for other texts is dropped, never shown at a wrong place.
//! - The same list is not sent twice, and no problem twice in one list.
//! - Whatever wave comes first: each brings the files it is about.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crossbeam_channel::Sender;
use ide::{ColumnEncoding, Diagnostic, FileId, Lines, Phase, ProgramId};
use tower_lsp::lsp_types::{self, DiagnosticTag, Url};

use super::documents::{self, Shift};
use super::members::Members;
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
    members: Arc<Members>,
    /// Every file that has an address, as it is now.
    seen: BTreeMap<FileId, FileSeen>,
    statics: BTreeMap<ProgramId, Vec<Diagnostic>>,
    proofs: Arc<Proofs>,
    /// How many programs have had proofs.
    serials: usize,
    pulled: BTreeSet<Url>,
    sent: BTreeMap<Url, Vec<lsp_types::Diagnostic>>,
    pub(crate) encoding: ColumnEncoding,
    /// The client takes lists of obligations as differences.
    pub(crate) differences: bool,
    /// The lists that the client may have, and in which state if it is to get differences from them.
    listed: BTreeMap<Url, Option<Revision>>,
    /// How many lists have become true.
    pub(crate) lists: u64,
    /// What is shown in manifests.
    manifests: BTreeMap<Url, Vec<lsp_types::Diagnostic>>,
}

impl Publisher {
    pub(crate) fn new(outgoing: Outgoing) -> Publisher {
        Publisher {
            outgoing,
            members: Arc::default(),
            seen: BTreeMap::new(),
            statics: BTreeMap::new(),
            proofs: Arc::default(),
            serials: 0,
            pulled: BTreeSet::new(),
            sent: BTreeMap::new(),
            encoding: ColumnEncoding::Utf16,
            differences: false,
            listed: BTreeMap::new(),
            lists: 0,
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

    /// A file as it is now.
    pub(super) fn see(&mut self, seen: FileSeen) {
        self.seen.insert(seen.file, seen);
    }

    /// The text of a file is about to be replaced: everything behind moves, and proofs of its programs
    /// are stale. A file that is not open has no version.
    pub(super) fn retire(
        &mut self,
        file: FileId,
        lines: &Arc<Lines>,
        version: Option<i32>,
        shifts: &[Shift],
    ) {
        for diagnostics in self.statics.values_mut() {
            diagnostics.iter_mut().for_each(|d| shift_diagnostic(d, file, shifts));
        }
        if let Some(seen) = self.seen.get_mut(&file) {
            (seen.lines, seen.version) = (Arc::clone(lines), version);
        }
        for program in Arc::clone(&self.members).dependents_of(file) {
            let Some(known) = self.proofs.by_program.get(program) else { continue };
            let news = known.entries.iter().any(|entry| !entry.stale) || !known.finished;
            let proofs = self.proofs_of(*program);
            proofs.edited(file, shifts);
            proofs.interrupt();
            // Once per run, not once per keystroke: clients move what they have themselves.
            if news {
                self.send_obligations(*program);
                self.outgoing.send(Message::Refresh);
            }
        }
    }

    /// These are all programs from now on. What was shown of others is taken back at once.
    pub(super) fn set_members(&mut self, members: Arc<Members>) {
        let old = std::mem::replace(&mut self.members, members);
        let members = Arc::clone(&self.members);
        let mut lost = false;
        for program in old.programs().filter(|program| !members.has(*program)) {
            self.statics.remove(&program);
            if self.proofs.by_program.contains_key(&program) {
                Arc::make_mut(&mut self.proofs).by_program.remove(&program);
                lost = true;
            }
        }
        let files: BTreeSet<FileId> = old.files().chain(members.files()).collect();
        for file in files.into_iter().filter(|it| old.programs_of(*it) != members.programs_of(*it))
        {
            let Some(uri) = self.seen.get(&file).map(|seen| seen.uri.clone()) else { continue };
            if self.listed.contains_key(&uri) {
                self.send_list(file);
            }
            if self.sent.contains_key(&uri) {
                self.publish_file(file);
            }
        }
        if lost {
            self.outgoing.send(Message::Refresh);
        }
    }

    /// A document was opened: who shows its verdicts hears what is known of them.
    pub(crate) fn opened(&mut self, file: FileId) {
        let known = |program| self.proofs.by_program.contains_key(program);
        if self.members.programs_of(file).iter().any(known) {
            self.send_list(file);
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
        all.entry(program).or_insert_with(|| {
            self.serials += 1;
            ProgramProofs::new(self.serials)
        })
    }

    pub(crate) fn set_static(&mut self, found: Found) {
        if !self.members.has(found.program) || !self.is_current(&found.files) {
            return;
        }
        let old = self.statics.remove(&found.program).unwrap_or_default();
        let mut problems = found.problems;
        if found.syntax_only {
            problems.extend(old.into_iter().filter(|d| d.phase != Phase::Syntax));
        }
        self.statics.insert(found.program, problems);
        self.note_libraries(found.files);
        self.publish(found.program);
    }

    /// Are these the texts that there are now?
    fn is_current(&self, files: &[FileSeen]) -> bool {
        let same = |it: &FileSeen, now: &FileSeen| it.lines.text() == now.lines.text();
        files.iter().all(|it| self.seen.get(&it.file).is_none_or(|now| same(it, now)))
    }

    /// Texts come through the door, which knows their files; what else a program has are libraries.
    fn note_libraries(&mut self, files: Vec<FileSeen>) {
        for seen in files {
            self.seen.entry(seen.file).or_insert(seen);
        }
    }

    /// A run of a program begins.
    pub(crate) fn begin(
        &mut self,
        program: ProgramId,
        waiting: Vec<Waiting>,
        asked: Option<BTreeSet<String>>,
        files: Vec<FileSeen>,
    ) {
        self.note_libraries(files);
        self.proofs_of(program).begin(waiting, asked);
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
    pub(crate) fn refused(&mut self, program: ProgramId, more: bool) {
        let proofs = self.proofs_of(program);
        proofs.interrupt();
        proofs.finished = !more;
        self.send_obligations(program);
    }

    /// One message for each open file of the program, for the first one, and for each of which the
    /// client has a list that is not true any more.
    fn send_obligations(&mut self, program: ProgramId) {
        for (number, file) in Arc::clone(&self.members).files_of(program).iter().enumerate() {
            let shown = |it: &FileSeen| it.version.is_some() || self.listed.contains_key(&it.uri);
            if number == 0 || self.seen.get(file).is_some_and(shown) {
                self.send_list(*file);
            }
        }
    }

    /// How the obligations of a file stand, in all its programs.
    fn send_list(&mut self, file: FileId) {
        let Some(seen) = self.seen.get(&file) else { return };
        let programs = self.members.programs_of(file);
        let proofs = self.proofs.of(programs);
        let had = self.listed.get(&seen.uri).copied().flatten().filter(|_| self.differences);
        let first = is_first(&self.members, file);
        let list = ext::obligations(seen, first, &proofs, self.encoding, had);
        match programs {
            [] => drop(self.listed.remove(&seen.uri)),
            _ => drop(self.listed.insert(seen.uri.clone(), Some(proofs.revision()))),
        }
        self.lists += 1;
        self.outgoing.send_obligations(&seen.uri, self.lists, list);
    }

    /// A closed document shows nothing.
    pub(crate) fn clear(&mut self, uri: &Url) {
        self.pulled.remove(uri);
        // Whether the client keeps its list nobody knows: the next one is a whole one.
        self.listed.entry(uri.clone()).and_modify(|had| *had = None);
        if self.sent.remove(uri).is_some() {
            let empty =
                Message::Diagnostics { uri: uri.clone(), version: None, diagnostics: Vec::new() };
            self.outgoing.send(empty);
        }
    }

    fn publish(&mut self, program: ProgramId) {
        for file in Arc::clone(&self.members).files_of(program) {
            self.publish_file(*file);
        }
    }

    /// Shows what all its programs say of a file.
    fn publish_file(&mut self, file: FileId) {
        let Some(seen) = self.seen.get(&file) else { return };
        let (uri, version) = (seen.uri.clone(), seen.version);
        // A closed document shows nothing, unless it is part of something.
        let hidden = version.is_none() && self.members.is_single(file);
        let diagnostics = if hidden { Vec::new() } else { self.shown(file) };
        let unchanged = self.sent.get(&uri) == Some(&diagnostics);
        let nothing_new =
            diagnostics.is_empty() && !self.sent.contains_key(&uri) && version.is_none();
        if self.pulled.contains(&uri) || unchanged || nothing_new {
            return;
        }
        self.sent.insert(uri.clone(), diagnostics.clone());
        self.outgoing.send(Message::Diagnostics { uri, version, diagnostics });
    }

    /// Static problems, then proofs, of one file in all its programs.
    fn shown(&self, file: FileId) -> Vec<lsp_types::Diagnostic> {
        let of_program = |program: &ProgramId| {
            let known = |file: &FileId| self.members.dependents_of(*file).is_empty();
            let libraries = self.seen.keys().filter(|file| known(file));
            let files = self.members.files_of(*program).iter().chain(libraries);
            let files: Vec<FileSeen> =
                files.filter_map(|file| self.seen.get(file).cloned()).collect();
            let statics = self.statics.get(program).map_or(&[][..], Vec::as_slice);
            let proofs = self.proofs.by_program.get(program);
            diagnostics_of(file, &files, statics, proofs, self.encoding)
        };
        joined(self.members.programs_of(file).iter().map(of_program))
    }
}

/// Is the file the first one of some program? What belongs to no declaration is told with it.
pub(crate) fn is_first(members: &Members, file: FileId) -> bool {
    let first = |program: &ProgramId| members.files_of(*program).first() == Some(&file);
    members.programs_of(file).iter().any(first)
}

/// What one program says of one of its files: static problems, then proofs.
pub(crate) fn diagnostics_of(
    file: FileId,
    files: &[FileSeen],
    statics: &[Diagnostic],
    proofs: Option<&ProgramProofs>,
    encoding: ColumnEncoding,
) -> Vec<lsp_types::Diagnostic> {
    let own = statics.iter().filter(|d| d.at.file == file);
    let mut all: Vec<_> = own.map(|d| proto::diagnostic(d, files, encoding)).collect();
    if let Some(proofs) = proofs {
        all.extend(proof_diagnostics(proofs, file, files, encoding));
    }
    all
}

/// Do the two blame the same place, in the same words, for the same clause? That is the first related place.
fn says_the_same(one: &lsp_types::Diagnostic, other: &lsp_types::Diagnostic) -> bool {
    let clause = |d: &lsp_types::Diagnostic| {
        d.related_information.as_ref().and_then(|all| all.first()).map(|it| it.location.clone())
    };
    (one.range, &one.code, &one.message, clause(one))
        == (other.range, &other.code, &other.message, clause(other))
}

/// What all programs say of a file, each thing once.
pub(crate) fn joined(
    lists: impl Iterator<Item = Vec<lsp_types::Diagnostic>>,
) -> Vec<lsp_types::Diagnostic> {
    let mut all: Vec<lsp_types::Diagnostic> = Vec::new();
    for list in lists {
        let before = all.len();
        for new in list {
            match all[..before].iter().position(|d| says_the_same(d, &new)) {
                // What one program says of the present text counts more than what is stale.
                Some(at) if all[at].tags.is_some() => all[at] = new,
                Some(_) => {}
                None => all.push(new),
            }
        }
    }
    all
}

/// What is not proved in one file; what was found before the last edit says so.
fn proof_diagnostics(
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
        if !all.iter().any(|d| says_the_same(d, &shown)) {
            all.push(shown);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::members::Nature;
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
        let mut members = Members::default();
        members.add(program, &[file], Nature { complete: true, single: true }, &[file]);
        publisher.set_members(Arc::new(members));
        publisher.see(FileSeen { file, uri, lines, version: Some(1) });
        let waiting = vec![(state("a", ide::Outcome::default()), None)];
        publisher.begin(program, waiting, None, Vec::new());
        let ended = vec![state("a", ide::Outcome::Proved)];
        publisher.tell(program, News { ended, finished: true, ..News::default() }, false);
        let mut told = Vec::new();
        while let Ok(message) = queue.try_recv() {
            if let Message::Obligations(uri) = message {
                let (_, list) = lists.next(&uri).unwrap();
                let list: serde_json::Value = serde_json::from_str(&list).unwrap();
                let state = list["obligations"][0]["state"].as_str().unwrap().to_owned();
                told.push((list["finished"] == true, state));
            }
        }
        assert_eq!(told, [(false, "queued".to_owned()), (true, "proved".to_owned())]);
    }
}
