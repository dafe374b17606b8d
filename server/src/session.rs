//! The session: one thread that owns all state of the language server.
//!
//! **In:** [`Event`]s, in wire order. **Out:** snapshots to readers, notifications to the client.
//!
//! # Invariants
//! - Only this thread changes documents, programs and the database; readers hold [`Snapshot`]s.
//! - An edit makes running readers unwind; a reader that was overtaken answers "content modified".
//! - No event takes long: everything slow runs on the pool or in the verifier thread.
//! - A panic while handling an event costs that event, not the session.

pub(crate) mod documents;
pub(crate) mod outgoing;
pub(crate) mod pace;
pub(crate) mod pool;
pub(crate) mod proofs;
pub(crate) mod publish;
pub(crate) mod queue;
pub(crate) mod settings;
pub(crate) mod verifier;
pub(crate) mod workspace;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use ide::{Analysis, AnalysisHost, ColumnEncoding, FileId, Lines, ProgramId};
use tower_lsp::Client;
use tower_lsp::lsp_types::{Position, TextDocumentContentChangeEvent, TextDocumentItem, Url};

use documents::{Document, Documents, Shift};
use outgoing::{ClientFeatures, Message, Outgoing};
use pool::Pool;
use publish::Publisher;
use queue::{Place, Urgency, Wish};
use settings::{Settings, VerifyMode};
use verifier::{Progress, Verifier};
use workspace::Workspace;

use crate::handlers::Opened;
use crate::lsp::parked::Parked;

/// Within a burst of edits, so long nothing happens before static diagnostics are computed; after a
/// single one they are computed at once.
const QUIET: Duration = Duration::from_millis(4);
/// After the last edit, so long nothing happens before proofs start in mode `change`.
const QUIET_PROOF: Duration = Duration::from_millis(500);

/// What can happen to a session.
pub(crate) enum Event {
    Initialize {
        roots: Vec<PathBuf>,
        settings: Box<Settings>,
        encoding: ColumnEncoding,
        features: ClientFeatures,
    },
    /// The client listens from now on; what was said before is lost.
    Ready,
    Open(TextDocumentItem),
    Change {
        uri: Url,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    },
    Save(Url),
    Close(Url),
    FilesChanged(Vec<Url>),
    Roots {
        added: Vec<PathBuf>,
        removed: Vec<PathBuf>,
    },
    Settings(Box<Settings>),
    Ask(Box<dyn FnOnce(Snapshot) + Send>),
    Verify(Asked),
    /// Stops proofs of the program of a document, or all.
    Cancel(Option<Url>),
    /// The client pulls diagnostics of this document, so they need not be pushed.
    Pulled(Url),
    Progress(Progress),
    /// Static problems of a program, computed by a reader.
    Problems(publish::Found),
}

/// What a person wants to have proved.
#[derive(Default)]
pub(crate) struct Asked {
    /// In the program of this document; without one, in every open program.
    pub(crate) uri: Option<Url>,
    pub(crate) filter: ide::Filter,
    /// Only the declaration here; all above it as well if the second part says so.
    pub(crate) position: Option<(Position, bool)>,
    /// Also look for assertions that no run can reach.
    pub(crate) vacuity: bool,
}

/// A consistent view of everything, for readers.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) analysis: Analysis,
    pub(crate) documents: Arc<Documents>,
    pub(crate) programs: Arc<BTreeMap<FileId, ProgramId>>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) encoding: ColumnEncoding,
    pub(crate) proofs: Arc<proofs::Proofs>,
}

/// The owner of the state.
struct Session {
    host: AnalysisHost,
    documents: Arc<Documents>,
    workspace: Workspace,
    settings: Arc<Settings>,
    encoding: ColumnEncoding,
    publisher: Publisher,
    verifier: Verifier,
    pool: Pool,
    outgoing: Outgoing,
    outbox: Sender<Event>,
    /// Programs whose static problems are out of date, since when.
    dirty: BTreeSet<ProgramId>,
    last_edit: Option<Instant>,
    check_due: Option<Instant>,
    proof_due: Option<Instant>,
    /// Where the last edit was.
    last_place: Option<(FileId, u32)>,
    /// Programs that changed since somebody wanted all of them proved.
    unproved: BTreeSet<ProgramId>,
}

/// Starts the session thread; events go into the answer.
pub(crate) fn start(
    client: Client,
    runtime: &tokio::runtime::Handle,
    parked: Parked,
) -> Sender<Event> {
    let outgoing = Outgoing::start(client, runtime, parked);
    let (outbox, inbox) = crossbeam_channel::unbounded();
    let sender = outbox.clone();
    let work = move || {
        let session = Session {
            host: AnalysisHost::new(),
            documents: Arc::default(),
            workspace: Workspace::default(),
            settings: Arc::default(),
            encoding: ColumnEncoding::Utf16,
            publisher: Publisher::new(outgoing.clone()),
            verifier: Verifier::start(outgoing.clone(), outbox.clone()),
            outgoing,
            pool: Pool::start(),
            outbox,
            dirty: BTreeSet::new(),
            last_edit: None,
            check_due: None,
            proof_due: None,
            last_place: None,
            unproved: BTreeSet::new(),
        };
        session.run(&inbox);
    };
    let thread =
        std::thread::Builder::new().name("session".into()).stack_size(64 << 20).spawn(work);
    if let Err(error) = thread {
        crate::cli::complain(&format!("cannot start the session thread: {error}"));
    }
    sender
}

impl Session {
    fn run(mut self, inbox: &Receiver<Event>) {
        loop {
            let event = match inbox.recv_timeout(self.patience()) {
                Ok(event) => Some(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                match event {
                    Some(event) => self.handle(event),
                    None => self.idle(),
                }
                self.idle_if_due();
                self.start_next();
            }));
            if let Err(payload) = outcome {
                crate::cli::complain(&format!("session: {}", crate::panic_text(payload.as_ref())));
            }
        }
    }

    /// How long to wait for the next event before doing what is due.
    fn patience(&self) -> Duration {
        let now = Instant::now();
        let next = [self.check_due, self.proof_due].into_iter().flatten().min();
        next.map_or(Duration::from_secs(3600), |at| at.saturating_duration_since(now))
    }

    fn idle_if_due(&mut self) {
        if self.patience() == Duration::ZERO {
            self.idle();
        }
    }

    fn idle(&mut self) {
        if self.check_due.is_some_and(|at| at <= Instant::now()) {
            self.check_due = None;
            for program in std::mem::take(&mut self.dirty) {
                self.check(program);
            }
        }
        if self.proof_due.is_some_and(|at| at <= Instant::now()) {
            self.proof_due = None;
            let open: BTreeSet<ProgramId> = self.open_programs().collect();
            for program in self.unproved.intersection(&open).copied().collect::<Vec<_>>() {
                self.prove(program, Wish::default(), Urgency::Background);
            }
        }
    }

    fn start_next(&mut self) {
        for program in self.verifier.start_next() {
            self.publisher.interrupted(program);
        }
    }

    fn cancel(&mut self, uri: Option<&Url>) {
        let programs = match uri {
            Some(uri) => self.programs_of(uri),
            None => self.verifier.queue.busy(),
        };
        for program in programs {
            self.drop_runs(program);
        }
        self.tell_status("cancelled", None);
    }

    /// Nobody wants the answers about the program any more.
    fn drop_runs(&mut self, program: ProgramId) {
        if self.verifier.queue.drop_runs(program) {
            self.publisher.interrupted(program);
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Initialize { roots, settings, encoding, features } => {
                self.outgoing.send(Message::Features(features));
                self.publisher.differences = features.differences;
                self.encoding = encoding;
                self.publisher.encoding = encoding;
                self.settings = Arc::from(settings);
                self.workspace.set_roots(roots);
                self.reload_workspace();
            }
            Event::Ready => self.publisher.set_manifests_anew(self.workspace.manifests()),
            Event::Open(item) => self.open(item),
            Event::Change { uri, version, changes } => self.change(&uri, version, changes),
            Event::Save(uri) => self.saved(&uri),
            Event::Close(uri) => self.close(&uri),
            Event::FilesChanged(uris) => self.files_changed(&uris),
            Event::Roots { added, removed } => {
                self.workspace.change_roots(added, &removed);
                self.reload_workspace();
            }
            Event::Settings(settings) => {
                self.settings = Arc::from(settings);
                self.verifier.queue.outdate();
                self.outgoing.send(Message::Refresh);
            }
            Event::Ask(question) => {
                let snapshot = self.snapshot();
                self.pool.run(Box::new(move || question(snapshot)));
            }
            Event::Verify(asked) => self.verify_asked(asked),
            Event::Cancel(uri) => self.cancel(uri.as_ref()),
            Event::Pulled(uri) => self.publisher.stop_pushing(&uri),
            Event::Progress(progress) => self.progress(progress),
            Event::Problems(found) => self.publisher.set_static(found, &self.documents),
        }
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            analysis: self.host.analysis(),
            documents: Arc::clone(&self.documents),
            programs: self.workspace.programs(),
            settings: Arc::clone(&self.settings),
            encoding: self.encoding,
            proofs: self.publisher.proofs(),
        }
    }

    fn open(&mut self, item: TextDocumentItem) {
        let path = documents::key(&item.uri);
        let (version, lines) = (item.version, Arc::new(Lines::new(item.text.into())));
        let file = self.replace(&path, &lines, Some(version));
        Arc::make_mut(&mut self.documents).open(Document { uri: item.uri, file, version, lines });
        if self.workspace.was_readable(&path) == Some(false) {
            self.reload_workspace();
        }
        self.assign_program(&path, file);
        self.edited(file);
    }

    fn change(&mut self, uri: &Url, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let encoding = self.encoding;
        let Some(document) = Arc::make_mut(&mut self.documents).get_mut(uri) else { return };
        let shifts = document.apply(version, changes, encoding);
        let (file, text) = (document.file, Arc::clone(document.lines.text()));
        self.publisher.edited(file, &document.lines, Some(version), &shifts);
        self.host.set_file(&documents::key(uri), text);
        self.last_place = shifts.last().map(|shift| (file, shift.start));
        self.edited(file);
        if self.settings.verify == VerifyMode::Change {
            self.proof_due = Some(Instant::now() + QUIET_PROOF);
        }
    }

    fn saved(&mut self, uri: &Url) {
        if documents::key(uri).ends_with(crate::manifest::NAME) {
            self.reload_workspace();
        }
        if matches!(self.settings.verify, VerifyMode::Save | VerifyMode::Change) {
            self.verify(Some(uri), &Wish::default(), Urgency::Background);
        } else if self.settings.verify == VerifyMode::Cursor {
            let place = |(file, offset)| Place { file, offset, above: true };
            let wish = Wish { place: self.last_place.map(place), ..Wish::default() };
            self.verify(Some(uri), &wish, Urgency::Background);
        }
    }

    fn close(&mut self, uri: &Url) {
        let Some(document) = Arc::make_mut(&mut self.documents).close(uri) else { return };
        self.publisher.clear(uri);
        // What is on disk counts again.
        self.reread(&documents::key(uri));
        self.edited(document.file);
    }

    fn files_changed(&mut self, uris: &[Url]) {
        for uri in uris {
            let key = documents::key(uri);
            if key.ends_with(crate::manifest::NAME) {
                self.reload_workspace();
            } else if self.documents.get(uri).is_none() {
                self.reread(&key);
            }
        }
    }

    fn reread(&mut self, key: &str) {
        let text = crate::files::read_file(std::path::Path::new(key)).map(|source| source.text);
        // A file of a manifest came or went.
        if self.workspace.was_readable(key).is_some_and(|before| before != text.is_ok()) {
            self.reload_workspace();
        }
        let Some(file) = self.host.file_id(key) else { return };
        self.replace(key, &Arc::new(Lines::new(text.unwrap_or_default().into())), None);
        self.edited(file);
    }

    /// Gives a file a text that did not come as edits. What was proved of another one is stale.
    fn replace(&mut self, key: &str, lines: &Arc<Lines>, version: Option<i32>) -> FileId {
        let old = self.host.file_id(key).map(|file| (file, self.host.analysis().text(file)));
        let shift = old.and_then(|(file, old)| Some((file, Shift::between(&old, lines.text())?)));
        if let Some((file, shift)) = shift {
            self.publisher.edited(file, lines, version, &[shift]);
        }
        self.host.set_file(key, Arc::clone(lines.text()))
    }

    fn reload_workspace(&mut self) {
        let documents = Arc::clone(&self.documents);
        self.workspace.reload(&mut self.host, &documents);
        for document in documents.iter() {
            self.assign_program(&documents::key(&document.uri), document.file);
            self.edited(document.file);
        }
        self.publisher.set_manifests(self.workspace.manifests());
    }

    fn assign_program(&mut self, path: &str, file: FileId) {
        let documents = Arc::clone(&self.documents);
        self.workspace.assign(&mut self.host, path, file, &documents);
        self.publisher.set_manifests(self.workspace.manifests());
    }

    fn edited(&mut self, file: FileId) {
        let now = Instant::now();
        let in_burst = self.last_edit.is_some_and(|at| now.duration_since(at) < QUIET);
        self.last_edit = Some(now);
        self.check_due = Some(if in_burst { now + QUIET } else { now });
        if let Some(program) = self.workspace.program_of(file) {
            self.dirty.insert(program);
            self.unproved.insert(program);
        }
        let own = self.workspace.program_of(file);
        // A file may be part of a program that is not its own.
        let mut busy = self.verifier.queue.busy();
        let is_part = |it: &ProgramId| self.host.analysis().program_files(*it).contains(&file);
        busy.retain(|program| own == Some(*program) || is_part(program));
        for program in &busy {
            self.unproved.insert(*program);
            self.drop_runs(*program);
        }
        if !busy.is_empty() {
            self.tell_status("cancelled", None);
        }
    }

    fn open_programs(&self) -> impl Iterator<Item = ProgramId> + '_ {
        self.documents.iter().filter_map(|document| self.workspace.program_of(document.file))
    }

    /// Computes the static problems of a program on the pool, syntax first.
    fn check(&self, program: ProgramId) {
        let snapshot = self.snapshot();
        let outbox = self.outbox.clone();
        self.pool.run_in_background(Box::new(move || publish::find(&snapshot, program, &outbox)));
    }

    fn programs_of(&self, uri: &Url) -> Vec<ProgramId> {
        let open = self.documents.get(uri).map(|document| document.file);
        let file = open.or_else(|| self.host.file_id(&documents::key(uri)));
        file.and_then(|file| self.workspace.program_of(file)).into_iter().collect()
    }

    fn verify_asked(&mut self, asked: Asked) {
        let Asked { uri, filter, position, vacuity } = asked;
        let place = uri.as_ref().zip(position).and_then(|(uri, (position, above))| {
            let snapshot = self.snapshot();
            let opened = Opened::find(&snapshot, uri)?;
            Some(Place { file: opened.file, offset: opened.offset(position), above })
        });
        // A name says more than a place.
        let place = place.filter(|_| filter.subjects.is_none());
        let wish = Wish { filter, place, vacuity, ..Wish::default() };
        self.verify(uri.as_ref(), &wish, Urgency::Asked);
    }

    fn verify(&mut self, uri: Option<&Url>, wish: &Wish, urgency: Urgency) {
        let programs: BTreeSet<ProgramId> = match uri {
            Some(uri) => self.programs_of(uri).into_iter().collect(),
            None => self.open_programs().collect(),
        };
        // What is asked for last goes first.
        for program in programs.into_iter().rev() {
            self.prove(program, wish.clone(), urgency);
        }
    }

    /// Has a program proved: what was edited last goes first, then what failed last time.
    fn prove(&mut self, program: ProgramId, wish: Wish, urgency: Urgency) {
        let proofs = self.publisher.proofs();
        let known = proofs.by_program.get(&program).into_iter().flat_map(|p| &p.entries);
        let failed = known.filter(|entry| entry.state.word() == "failed");
        let first = failed.flat_map(|entry| entry.state.subjects.first().cloned()).collect();
        let wish = Wish { first, last_edit: self.last_place, ..wish };
        if wish.is_everything() {
            self.unproved.remove(&program);
        }
        let put_back = self.verifier.queue.ask(program, wish, urgency);
        put_back.into_iter().for_each(|program| self.publisher.suspended(program));
        self.publisher.awaited(program);
    }

    fn progress(&mut self, progress: Progress) {
        match progress {
            Progress::Begun { program, run, begun } => {
                if self.verifier.queue.is_current(run) {
                    self.publisher.begin(program, begun.waiting, begun.partial, begun.files);
                    self.tell_status("verifying", Some(program));
                }
            }
            Progress::News { program, run, news } => {
                if self.verifier.queue.is_current(run) {
                    let phase = if news.finished { "idle" } else { "verifying" };
                    self.publisher.tell(program, news, self.verifier.queue.waits(program));
                    self.tell_status(phase, Some(program));
                }
            }
            Progress::Refused { program, run, files } => {
                if self.verifier.queue.is_current(run) {
                    self.publisher.refused(program, files, self.verifier.queue.waits(program));
                    self.tell_status("idle", None);
                }
            }
            Progress::NeedsSnapshot { answer } => {
                let _gone = answer.send(self.snapshot());
            }
            Progress::Ended { run } => self.verifier.queue.ended(run),
        }
    }

    fn tell_status(&self, phase: &str, program: Option<ProgramId>) {
        let none = proofs::ProgramProofs::default();
        let proofs = self.publisher.proofs();
        let own = program.and_then(|program| proofs.by_program.get(&program)).unwrap_or(&none);
        let status = crate::lsp::ext::status(phase, own, self.settings.job_count());
        self.outgoing.send(Message::Status(status));
    }
}
