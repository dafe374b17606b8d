//! The session: one thread that owns all state of the language server.
//!
//! **In:** [`Event`]s, in wire order. **Out:** snapshots to readers, notifications to the client.
//!
//! # Invariants
//! - Only this thread changes documents, programs and the database; readers hold [`Snapshot`]s.
//! - An edit makes running readers unwind; a reader that was overtaken answers "content modified".
//! - What is said of a document and cannot be understood is never silence: nothing is proved of its
//!   programs until the client says anew what it has there.
//! - Texts and programs reach the database through [`world`] alone, which takes back what was shown.
//! - No event takes long: everything slow runs on the pool or in the verifier thread.
//! - A panic while handling an event costs that event, not the session.

pub(crate) mod documents;
pub(crate) mod members;
pub(crate) mod outgoing;
pub(crate) mod pace;
pub(crate) mod pool;
pub(crate) mod proofs;
pub(crate) mod publish;
pub(crate) mod queue;
pub(crate) mod settings;
pub(crate) mod verifier;
pub(crate) mod workspace;
pub(crate) mod world;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use ide::{Analysis, ColumnEncoding, FileId, Lines, ProgramId};
use tower_lsp::Client;
use tower_lsp::lsp_types::{Position, TextDocumentContentChangeEvent, TextDocumentItem, Url};

use documents::{Document, Documents};
use members::Members;
use outgoing::{ClientFeatures, Message, Outgoing};
use pool::Pool;
use publish::Publisher;
use queue::{Place, Urgency, Wish};
use settings::{Settings, VerifyMode};
use verifier::{Progress, Verifier};
use workspace::Workspace;
use world::{Arrival, World};

use crate::handlers::Opened;
use crate::lsp::parked::Parked;

/// Within a burst of edits, so long nothing happens before static diagnostics are computed; after a
/// single one they are computed at once.
const QUIET: Duration = Duration::from_millis(4);
/// After the last edit, so long nothing happens before proofs start in mode `change`.
const QUIET_PROOF: Duration = Duration::from_millis(500);

/// The version of a document whose client does not say one.
pub(crate) const UNKNOWN_VERSION: i32 = i32::MIN;
/// Said when an edit cannot be read.
const OUT_OF_STEP: &str = "civl: a message about a document could not be understood. Nothing is proved \
                           of its programs until it is opened again or its whole text is sent.";

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
    /// Something was said of this document, or of nobody knows which, that cannot be understood.
    Lost(Option<Url>),
    /// Something on disk is different.
    FilesChanged,
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
    pub(crate) members: Arc<Members>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) encoding: ColumnEncoding,
    pub(crate) proofs: Arc<proofs::Proofs>,
    /// How many lists of verdicts had become true.
    pub(crate) lists: u64,
    /// The program of the last run.
    pub(crate) last_run: Option<ProgramId>,
}

/// The owner of the state.
struct Session {
    world: World,
    documents: Arc<Documents>,
    workspace: Workspace,
    settings: Arc<Settings>,
    encoding: ColumnEncoding,
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
    last_run: Option<ProgramId>,
    /// Names that the client watches besides those of sources and manifests.
    watched: BTreeSet<String>,
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
            world: World::new(Publisher::new(outgoing.clone())),
            documents: Arc::default(),
            workspace: Workspace::default(),
            settings: Arc::default(),
            encoding: ColumnEncoding::Utf16,
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
            last_run: None,
            watched: BTreeSet::new(),
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
            self.guarded(|session| match event {
                Some(event) => session.handle(event),
                None => session.idle(),
            });
            // Whatever came of the event: what it has changed is settled before the next one.
            self.guarded(|session| {
                session.settle();
                session.idle_if_due();
                session.start_next();
            });
        }
    }

    fn guarded(&mut self, work: impl FnOnce(&mut Session)) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| work(self))) {
            crate::cli::complain(&format!("session: {}", crate::panic_text(payload.as_ref())));
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
            let open = self.open_programs();
            for program in self.unproved.intersection(&open).copied().collect::<Vec<_>>() {
                self.prove(program, Wish::default(), Urgency::Background);
            }
        }
    }

    /// A run is about the disk as it is when it begins, not as it was when somebody asked for it.
    fn start_next(&mut self) {
        if self.verifier.queue.is_free() {
            self.read_disk_for_runs();
        }
        for program in self.verifier.start_next() {
            self.world.shown().interrupted(program);
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
            self.world.shown().interrupted(program);
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Initialize { roots, settings, encoding, features } => {
                self.outgoing.send(Message::Features(features));
                self.encoding = encoding;
                let shown = self.world.shown();
                (shown.differences, shown.encoding) = (features.differences, encoding);
                self.settings = Arc::from(settings);
                self.workspace.set_roots(roots);
                self.read_disk();
            }
            Event::Ready => {
                self.world.shown().set_manifests_anew(self.workspace.manifests());
                self.watched.clear();
                self.read_disk();
            }
            Event::Open(item) => self.open(item),
            Event::Change { uri, version, changes } => self.change(&uri, version, changes),
            Event::Save(uri) => self.saved(&uri),
            Event::Close(uri) => self.close(&uri),
            Event::Lost(uri) => self.lose(uri),
            Event::FilesChanged => self.read_disk(),
            Event::Roots { added, removed } => {
                self.workspace.change_roots(added, &removed);
                self.read_disk();
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
            Event::Pulled(uri) => self.world.shown().stop_pushing(&uri),
            Event::Progress(progress) => self.progress(progress),
            Event::Problems(found) => self.world.shown().set_static(found),
        }
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            analysis: self.world.analysis(),
            documents: Arc::clone(&self.documents),
            members: Arc::clone(self.world.members()),
            settings: Arc::clone(&self.settings),
            encoding: self.encoding,
            proofs: self.world.proofs(),
            lists: self.world.lists(),
            last_run: self.last_run,
        }
    }

    fn open(&mut self, item: TextDocumentItem) {
        if documents::is_ours(&item.uri) {
            return;
        }
        let key = self.documents.key_for(&item.uri);
        Arc::make_mut(&mut self.documents).find_again(&item.uri);
        let (version, lines) = (item.version, Arc::new(Lines::new(item.text.into())));
        let file = self.world.set_text(Arrival {
            key: &key,
            uri: Some(item.uri.clone()),
            lines: Arc::clone(&lines),
            version: Some(version),
            edits: None,
        });
        let document = Document { uri: item.uri, key, file, version, lines };
        Arc::make_mut(&mut self.documents).open(document);
        self.read_disk();
        self.world.shown().opened(file);
        // Also if nothing is new: what is wrong with it is now to be told.
        self.check_soon(file);
    }

    fn change(&mut self, uri: &Url, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let encoding = self.encoding;
        if documents::is_ours(uri) {
            return;
        }
        let whole: Vec<bool> = changes.iter().map(|change| change.range.is_none()).collect();
        let Some(document) = Arc::make_mut(&mut self.documents).get_mut(uri) else {
            return self.lose(Some(uri.clone()));
        };
        let next = document.version.saturating_add(1);
        let version = if version == UNKNOWN_VERSION { next } else { version };
        let applied = document.apply(version, changes, encoding);
        // A whole text says what the editor has, whatever was said before.
        let last_whole = whole.iter().rposition(|whole| *whole);
        let is_clear = applied.iter().skip(last_whole.unwrap_or(0)).all(Option::is_some);
        let shifts: Vec<documents::Shift> = applied.into_iter().flatten().collect();
        let (key, file) = (document.key.clone(), document.file);
        let lines = Arc::clone(&document.lines);
        self.world.set_text(Arrival {
            key: &key,
            uri: Some(uri.clone()),
            lines,
            version: Some(version),
            edits: Some(&shifts),
        });
        if !is_clear {
            self.lose(Some(uri.clone()));
        } else if last_whole.is_some() && Arc::make_mut(&mut self.documents).find_again(uri) {
            self.read_disk();
        }
        self.last_place = shifts.last().map(|shift| (file, shift.start));
        // The version is new, also if the text is not.
        self.check_soon(file);
        if self.settings.verify == VerifyMode::Change {
            self.proof_due = Some(Instant::now() + QUIET_PROOF);
        }
    }

    fn saved(&mut self, uri: &Url) {
        self.read_disk();
        if matches!(self.settings.verify, VerifyMode::Save | VerifyMode::Change) {
            self.verify(Some(uri), &Wish::default(), Urgency::Background);
        } else if self.settings.verify == VerifyMode::Cursor {
            let place = |(file, offset)| Place { file, offset, above: true };
            let wish = Wish { place: self.last_place.map(place), ..Wish::default() };
            self.verify(Some(uri), &wish, Urgency::Background);
        }
    }

    fn close(&mut self, uri: &Url) {
        let found = Arc::make_mut(&mut self.documents).find_again(uri);
        if Arc::make_mut(&mut self.documents).close(uri).is_some() || found {
            self.world.shown().clear(uri);
            // What is on disk counts again.
            self.read_disk();
        }
    }

    /// Nothing is proved of what the editor has there until it says that anew.
    fn lose(&mut self, uri: Option<Url>) {
        let all = |documents: &Documents| documents.iter().map(|it| it.uri.clone()).collect();
        let lost: Vec<Url> = uri.map_or_else(|| all(&self.documents), |uri| vec![uri]);
        let mut new = false;
        for uri in lost.iter().filter(|uri| !documents::is_ours(uri)) {
            new |= Arc::make_mut(&mut self.documents).lose(uri);
        }
        if new {
            self.outgoing.send(Message::Warning(OUT_OF_STEP.into()));
            self.read_disk();
        }
    }

    /// What is not open is as it is on disk: manifests, and the files of all programs. No watch is
    /// needed for this to be so whenever somebody asks for a proof.
    fn read_disk(&mut self) {
        self.workspace.read_disk(&mut self.world, &self.documents);
        if self.watched != *self.workspace.odd_names() {
            self.watched.clone_from(self.workspace.odd_names());
            let names: Vec<String> = self.watched.iter().cloned().collect();
            if !names.is_empty() {
                self.outgoing.send(Message::Watch(names));
            }
        }
        self.world.shown().set_manifests(self.workspace.manifests());
        // Before anybody asks for a proof of what was read.
        self.settle();
    }

    /// The same; what waits is still wanted, of whatever is there now.
    fn read_disk_for_runs(&mut self) {
        let waiting = self.verifier.queue.waiting();
        self.read_disk();
        for (program, wish, urgency) in waiting {
            if !self.verifier.queue.waits(program) && self.world.members().has(program) {
                self.prove(program, wish, urgency);
            }
        }
    }

    /// Follows what the last event has changed: proofs of other texts are nobody's any more.
    fn settle(&mut self) {
        let news = self.world.news();
        if news.is_empty() {
            return;
        }
        let busy = self.verifier.queue.busy();
        let mut dropped = false;
        for program in news.touched.union(&news.gone) {
            dropped |= busy.contains(program);
            self.drop_runs(*program);
        }
        self.unproved.extend(news.touched.union(&news.new));
        self.dirty.extend(&news.touched);
        let open = self.open_programs();
        self.dirty.extend(news.new.intersection(&open));
        for program in &news.gone {
            self.unproved.remove(program);
            self.dirty.remove(program);
        }
        self.check_when_quiet();
        if dropped {
            self.tell_status("cancelled", None);
        }
    }

    /// Static problems of the programs of a file are to be computed.
    fn check_soon(&mut self, file: FileId) {
        self.dirty.extend(self.world.members().dependents_of(file));
        self.check_when_quiet();
    }

    fn check_when_quiet(&mut self) {
        let now = Instant::now();
        let in_burst = self.last_edit.is_some_and(|at| now.duration_since(at) < QUIET);
        self.last_edit = Some(now);
        self.check_due = Some(if in_burst { now + QUIET } else { now });
    }

    fn open_programs(&self) -> BTreeSet<ProgramId> {
        let files = self.documents.iter().map(|document| document.file);
        files.flat_map(|file| self.world.members().programs_of(file)).copied().collect()
    }

    /// Computes the static problems of a program on the pool, syntax first.
    fn check(&self, program: ProgramId) {
        let snapshot = self.snapshot();
        let outbox = self.outbox.clone();
        self.pool.run_in_background(Box::new(move || publish::find(&snapshot, program, &outbox)));
    }

    fn programs_of(&self, uri: &Url) -> Vec<ProgramId> {
        let open = self.documents.get(uri).map(|document| document.file);
        let file = open.or_else(|| self.world.file_id(&documents::key(uri)));
        file.map(|file| self.world.members().programs_of(file).to_vec()).unwrap_or_default()
    }

    fn verify_asked(&mut self, asked: Asked) {
        let Asked { uri, filter, position, vacuity } = asked;
        self.read_disk();
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
            None => self.open_programs(),
        };
        // What is asked for last goes first.
        for program in programs.into_iter().rev() {
            self.prove(program, wish.clone(), urgency);
        }
    }

    /// Has a program proved: what was edited last goes first, then what failed last time.
    fn prove(&mut self, program: ProgramId, wish: Wish, urgency: Urgency) {
        if !self.world.members().is_complete(program) {
            self.world.shown().refused(program, false);
            return self.tell_status("idle", None);
        }
        let proofs = self.world.proofs();
        let known = proofs.by_program.get(&program).into_iter().flat_map(|p| &p.entries);
        let failed = known.filter(|entry| entry.state.word() == "failed");
        let first = failed.flat_map(|entry| entry.state.subjects.first().cloned()).collect();
        let wish = Wish { first, last_edit: self.last_place, ..wish };
        if wish.is_everything() {
            self.unproved.remove(&program);
        }
        let put_back = self.verifier.queue.ask(program, wish, urgency);
        put_back.into_iter().for_each(|program| self.world.shown().suspended(program));
        self.world.shown().awaited(program);
    }

    fn progress(&mut self, progress: Progress) {
        match progress {
            Progress::Begun { program, run, begun } => {
                if self.verifier.queue.is_current(run) {
                    self.last_run = Some(program);
                    self.world.shown().begin(program, begun.waiting, begun.asked, begun.files);
                    self.tell_status("verifying", Some(program));
                }
            }
            Progress::News { program, run, news } => {
                if news.finished {
                    // Nothing is proved of a text that has left the disk meanwhile.
                    self.read_disk_for_runs();
                }
                if self.verifier.queue.is_current(run) {
                    let phase = if news.finished { "idle" } else { "verifying" };
                    let more = self.verifier.queue.waits(program);
                    if news.finished {
                        self.verifier.queue.told(run);
                    }
                    self.world.shown().tell(program, news, more);
                    self.tell_status(phase, Some(program));
                }
            }
            Progress::Refused { program, run } => {
                if self.verifier.queue.is_current(run) {
                    let more = self.verifier.queue.waits(program);
                    self.verifier.queue.told(run);
                    self.world.shown().refused(program, more);
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
        let proofs = self.world.proofs();
        let own = program.and_then(|program| proofs.by_program.get(&program)).unwrap_or(&none);
        let status = crate::lsp::ext::status(phase, own, self.settings.job_count());
        self.outgoing.send(Message::Status(status));
    }
}
