//! How the obligations of a program stand, through runs and edits.
//!
//! **In:** runs that begin, tell and end, and edits. **Out:** one [`Entry`] per obligation, and the
//! diagnostics of those that are not proved.
//!
//! # Invariants
//! - Every obligation is in exactly one state. What waits or runs ends with its run, whatever ends
//!   that: an answer, a cancellation, an edit.
//! - What was found before an edit is stale until a run replaces it; it moves with the text.
//! - A list is about all obligations of its program. A run of some of them leaves what is known of the
//!   others, and lists those of which nothing is known as `unknown`, "not asked".
//! - Of a file in several programs something holds only if all of them say so: while one of them has no
//!   list of the present texts (nobody asked, a file is missing, static errors), nothing holds.
//! - Whoever knows the entries of a [`Revision`] and hears what changed since then knows them all.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ide::{Diagnostic, FileId, Location, ObligationState, Outcome, Owner, ProgramId};

use super::documents::Shift;

/// Where an obligation is on its way to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Queued,
    Running,
    /// What `state` says counts.
    Known,
}

/// One obligation.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The last answer, also while a new one is waited for.
    pub(crate) state: ObligationState,
    pub(crate) standing: Standing,
    /// The text has changed since.
    pub(crate) stale: bool,
    /// The declaration it is about.
    pub(crate) owner: Option<Owner>,
    /// The revision that it last changed in.
    pub(crate) changed: u64,
}

/// So many removals are remembered; who missed more gets the whole list.
const MOST_GONE: usize = 10_000;

/// A state of the entries of one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Revision {
    /// Tells programs apart.
    serial: usize,
    number: u64,
}

impl Revision {
    /// Reads what [`ToString`] wrote.
    pub(crate) fn read(text: &str) -> Option<Revision> {
        let (serial, number) = text.split_once('.')?;
        Some(Revision { serial: serial.parse().ok()?, number: number.parse().ok()? })
    }
}

impl std::fmt::Display for Revision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.serial, self.number)
    }
}

impl Entry {
    /// The state in one word, see `server/schema/messages.md`.
    pub(crate) fn word(&self) -> &'static str {
        match self.standing {
            Standing::Queued => "queued",
            Standing::Running => "running",
            Standing::Known => self.state.word(),
        }
    }

    pub(crate) fn is_about(&self, name: &str) -> bool {
        self.state.subjects.iter().any(|subject| subject == name)
    }

    /// Orders what may be said of one obligation: what is settled, then what is not known, then what
    /// is wrong; what was found before the last edit counts less.
    fn badness(&self) -> (bool, u8, bool) {
        let word = match self.word() {
            "failed" => 4,
            "timeout" | "unknown" => 3,
            "queued" | "running" => 2,
            "trusted" | "skipped" => 1,
            _ => 0,
        };
        (!self.is_settled(), word, !self.stale)
    }

    /// It holds in the text as it is now.
    pub(crate) fn is_settled(&self) -> bool {
        !self.stale && matches!(self.word(), "proved" | "skipped" | "trusted")
    }
}

/// How the obligations about one declaration stand, for everyone who shows it in short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) total: usize,
    /// Hold in the text as it is now.
    pub(crate) settled: usize,
    /// A run has them before itself or works on them.
    pub(crate) waiting: usize,
    /// Answered before the last edit, and not asked again yet.
    pub(crate) stale: usize,
}

impl Tally {
    /// Nothing if there are no obligations. What is stale is not called proved.
    pub(crate) fn words(self) -> Option<String> {
        let Tally { total, settled, waiting, stale } = self;
        let more = match (waiting, stale) {
            (0, 0) => String::new(),
            (0, stale) => format!(", {stale} answered before the last edit"),
            (waiting, _) => format!(", {waiting} under way"),
        };
        (total > 0).then(|| format!("{settled} of {total} proved{more}"))
    }
}

/// What a run has found since it last told something.
#[derive(Debug, Default)]
pub(crate) struct News {
    pub(crate) started: Vec<String>,
    pub(crate) ended: Vec<ObligationState>,
    /// About what has ended.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) finished: bool,
}

/// An obligation before its answer, with the declaration it is about.
pub(crate) type Waiting = (ObligationState, Option<Owner>);

/// The obligations of one program.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProgramProofs {
    pub(crate) entries: Vec<Entry>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// No run is under way.
    pub(crate) finished: bool,
    /// What the present or last run is about.
    asked: BTreeSet<String>,
    /// The entries are all obligations of the present texts, asked or not.
    listed: bool,
    /// Which of all programs this is.
    serial: usize,
    revision: u64,
    /// Entries that were removed, or went to another file, in which revision.
    gone: VecDeque<(u64, String)>,
    /// What was removed in this revision or before is not remembered.
    forgotten: u64,
}

/// The obligations of all programs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proofs {
    pub(crate) by_program: BTreeMap<ProgramId, ProgramProofs>,
}

impl Proofs {
    /// How a file stands that is part of these programs. An obligation that several of them have holds
    /// if it holds in all; otherwise what is said about it is the worst that any of them says. A program
    /// without a list may have any of them, so that none holds.
    pub(crate) fn of(&self, programs: &[ProgramId]) -> Cow<'_, ProgramProofs> {
        let none = ProgramProofs::never_asked;
        match programs {
            [program] => {
                self.by_program.get(program).map_or_else(|| Cow::Owned(none()), Cow::Borrowed)
            }
            several => {
                let known = several.iter().map(|program| self.by_program.get(program));
                let all_listed = known.clone().all(|it| it.is_some_and(|it| it.listed));
                let mut all = known.flatten().fold(none(), ProgramProofs::and);
                if !all_listed {
                    all.doubt();
                }
                Cow::Owned(all)
            }
        }
    }
}

impl ProgramProofs {
    /// This and another program together, as a whole list: differences are not to be had.
    fn and(mut self, other: &ProgramProofs) -> ProgramProofs {
        let mut places: BTreeMap<String, usize> =
            self.entries.iter().enumerate().map(|(at, it)| (it.state.id.clone(), at)).collect();
        for entry in &other.entries {
            match places.get(&entry.state.id) {
                Some(at) if entry.badness() > self.entries[*at].badness() => {
                    self.entries[*at] = entry.clone();
                }
                Some(_) => {}
                None => {
                    places.insert(entry.state.id.clone(), self.entries.len());
                    self.entries.push(entry.clone());
                }
            }
        }
        self.diagnostics.extend(other.diagnostics.iter().cloned());
        self.finished &= other.finished;
        self.asked.extend(other.asked.iter().cloned());
        self.revision += other.revision;
        self.forgotten = u64::MAX;
        self
    }

    /// Somebody who was not asked may say otherwise.
    fn doubt(&mut self) {
        for entry in self.entries.iter_mut().filter(|entry| entry.is_settled()) {
            entry.state.outcome = Outcome::default();
        }
    }

    /// Nothing is known and nobody works on it.
    pub(crate) fn never_asked() -> ProgramProofs {
        ProgramProofs { finished: true, ..ProgramProofs::default() }
    }

    /// Nothing is known of the program with this serial, from 1.
    pub(crate) fn new(serial: usize) -> ProgramProofs {
        ProgramProofs { serial, ..ProgramProofs::default() }
    }

    /// The present state of the entries.
    pub(crate) fn revision(&self) -> Revision {
        Revision { serial: self.serial, number: self.revision }
    }

    /// What is gone since a revision of these entries; nothing if nobody knows any more.
    pub(crate) fn gone_since(&self, then: Revision) -> Option<BTreeSet<&str>> {
        let known =
            then.serial == self.serial && (self.forgotten..=self.revision).contains(&then.number);
        let later = self.gone.iter().filter(|(at, _)| *at > then.number);
        known.then(|| later.map(|(_, id)| id.as_str()).collect())
    }

    /// Has the entry changed since?
    pub(crate) fn is_newer(entry: &Entry, then: Revision) -> bool {
        entry.changed > then.number
    }

    fn lose(&mut self, ids: impl Iterator<Item = String>) {
        let revision = self.revision;
        self.gone.extend(ids.map(|id| (revision, id)));
        while self.gone.len() > MOST_GONE {
            self.forgotten = self.gone.pop_front().map_or(revision, |(at, _)| at);
        }
    }

    /// A run begins. `all` are the obligations of the program, `asked` those of the run, by their ids;
    /// without it they are the same.
    pub(crate) fn begin(&mut self, all: Vec<Waiting>, asked: Option<BTreeSet<String>>) {
        (self.finished, self.listed) = (false, true);
        self.revision += 1;
        let ids: BTreeSet<String> = all.iter().map(|(state, _)| state.id.clone()).collect();
        let mut old: BTreeMap<String, Entry> =
            self.entries.drain(..).map(|entry| (entry.state.id.clone(), entry)).collect();
        let mut gone: Vec<String> = old.keys().filter(|id| !ids.contains(*id)).cloned().collect();
        self.diagnostics.retain(|d| d.obligation.as_ref().is_some_and(|o| ids.contains(o)));
        for (state, owner) in all {
            let before = old.remove(&state.id);
            let file = |owner: Option<Owner>| owner.map(|owner| owner.whole.file);
            if before.as_ref().is_some_and(|entry| file(entry.owner) != file(owner)) {
                gone.push(state.id.clone());
            }
            let is_asked = asked.as_ref().is_none_or(|asked| asked.contains(&state.id));
            self.entries.push(self.listed(state, owner, before, is_asked));
        }
        self.asked = asked.unwrap_or(ids);
        self.lose(gone.into_iter());
    }

    /// An obligation when a run begins, which asks it or not.
    fn listed(
        &self,
        new: ObligationState,
        owner: Option<Owner>,
        before: Option<Entry>,
        is_asked: bool,
    ) -> Entry {
        let stale = before.as_ref().is_some_and(|entry| entry.stale);
        let is_new = before.is_none();
        let same = before
            .as_ref()
            .filter(|entry| !is_asked && entry.standing == Standing::Known && entry.owner == owner);
        let changed = same.map_or(self.revision, |entry| entry.changed);
        let mut state = before.map_or(new, |entry| entry.state);
        if is_new && !is_asked && matches!(state.outcome, Outcome::Unknown(_)) {
            state.outcome = Outcome::default();
        }
        let standing = if is_asked { Standing::Queued } else { Standing::Known };
        Entry { state, standing, stale, owner, changed }
    }

    pub(crate) fn tell(&mut self, news: News) {
        let places: BTreeMap<String, usize> =
            self.entries.iter().enumerate().map(|(at, e)| (e.state.id.clone(), at)).collect();
        self.revision += 1;
        let changed = self.revision;
        for id in &news.started {
            if let Some(at) = places.get(id) {
                (self.entries[*at].standing, self.entries[*at].changed) =
                    (Standing::Running, changed);
            }
        }
        for id in news.diagnostics.iter().filter_map(|d| d.obligation.as_ref()) {
            if let Some(at) = places.get(id) {
                self.entries[*at].changed = changed;
            }
        }
        let ended: BTreeSet<String> = news.ended.iter().map(|state| state.id.clone()).collect();
        let answered = |d: &Diagnostic| d.obligation.as_ref().is_some_and(|o| ended.contains(o));
        self.diagnostics.retain(|d| !answered(d));
        self.diagnostics.extend(news.diagnostics);
        for state in news.ended {
            let Some(at) = places.get(&state.id) else { continue };
            let owner = self.entries[*at].owner;
            let (standing, stale) = (Standing::Known, false);
            self.entries[*at] = Entry { state, standing, stale, owner, changed };
        }
        if news.finished {
            self.interrupt();
        }
    }

    /// The obligations of the present or last run.
    pub(crate) fn in_run(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| self.asked.contains(&entry.state.id))
    }

    /// How the obligations about a declaration stand.
    pub(crate) fn tally(&self, name: &str) -> Tally {
        let mut tally = Tally::default();
        for entry in self.entries.iter().filter(|entry| entry.is_about(name)) {
            tally.total += 1;
            tally.settled += usize::from(entry.is_settled());
            match entry.standing {
                Standing::Queued | Standing::Running => tally.waiting += 1,
                Standing::Known => tally.stale += usize::from(entry.stale),
            }
        }
        tally
    }

    /// The run is over; what has no new answer keeps the old one.
    pub(crate) fn interrupt(&mut self) {
        self.finished = true;
        self.revision += 1;
        for entry in self.entries.iter_mut().filter(|entry| entry.standing != Standing::Known) {
            (entry.standing, entry.changed) = (Standing::Known, self.revision);
        }
    }

    /// The text of a file was replaced.
    pub(crate) fn edited(&mut self, file: FileId, shifts: &[Shift]) {
        self.diagnostics.iter_mut().for_each(|d| shift_diagnostic(d, file, shifts));
        self.listed = false;
        self.revision += 1;
        for entry in &mut self.entries {
            (entry.stale, entry.changed) = (true, self.revision);
            for at in entry.owner.iter_mut().flat_map(|o| [&mut o.whole, &mut o.name]) {
                shift_location(at, file, shifts);
            }
        }
    }

    /// What is not proved of an obligation.
    pub(crate) fn diagnostics_of(&self, entry: &Entry) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|d| d.obligation.as_ref() == Some(&entry.state.id))
    }

    /// Was it found before the last edit?
    pub(crate) fn is_stale(&self, diagnostic: &Diagnostic) -> bool {
        let own = |entry: &&Entry| Some(&entry.state.id) == diagnostic.obligation.as_ref();
        self.entries.iter().find(own).is_none_or(|entry| entry.stale)
    }
}

pub(crate) fn shift_diagnostic(diagnostic: &mut Diagnostic, file: FileId, shifts: &[Shift]) {
    let related = diagnostic.related.iter_mut().map(|r| &mut r.at);
    for at in std::iter::once(&mut diagnostic.at).chain(related) {
        shift_location(at, file, shifts);
    }
}

fn shift_location(at: &mut Location, file: FileId, shifts: &[Shift]) {
    if at.file == file {
        for shift in shifts {
            (at.start, at.end) = shift.moved((at.start, at.end));
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn state(id: &str, outcome: Outcome) -> ObligationState {
        let mut state = ObligationState::default();
        (state.id, state.outcome) = (id.into(), outcome);
        state
    }

    fn waiting(ids: &[&str]) -> Vec<Waiting> {
        ids.iter().map(|id| (state(id, Outcome::default()), None)).collect()
    }

    fn words(proofs: &ProgramProofs) -> Vec<(String, &'static str, bool)> {
        proofs.entries.iter().map(|e| (e.state.id.clone(), e.word(), e.stale)).collect()
    }

    fn known(ids: &[&str]) -> ProgramProofs {
        let mut proofs = ProgramProofs::default();
        proofs.begin(waiting(ids), None);
        let ended = ids.iter().map(|id| state(id, Outcome::Proved)).collect();
        proofs.tell(News { ended, finished: true, ..News::default() });
        proofs
    }

    #[test]
    fn an_obligation_waits_runs_and_ends() {
        let mut proofs = ProgramProofs::default();
        proofs.begin(waiting(&["a", "b"]), None);
        proofs.tell(News { started: vec!["a".into()], ..News::default() });
        assert_eq!(words(&proofs), [("a".into(), "running", false), ("b".into(), "queued", false)]);
        let ended = vec![state("a", Outcome::Proved)];
        proofs.tell(News { ended, ..News::default() });
        assert_eq!(words(&proofs)[0].1, "proved");
    }

    #[test]
    fn an_interrupted_run_leaves_nothing_waiting() {
        let mut proofs = ProgramProofs::default();
        proofs.begin(waiting(&["a"]), None);
        proofs.interrupt();
        assert_eq!(words(&proofs), [("a".into(), "unknown", false)]);
        assert!(proofs.finished);
    }

    #[test]
    fn an_old_verdict_is_stale_until_it_is_replaced() {
        let mut proofs = known(&["a"]);
        let file = ide::AnalysisHost::new().set_file("a", "");
        proofs.edited(file, &[]);
        assert_eq!(words(&proofs), [("a".into(), "proved", true)]);
        proofs.begin(waiting(&["a"]), None);
        assert_eq!(words(&proofs), [("a".into(), "queued", true)]);
        proofs.interrupt();
        assert_eq!(words(&proofs), [("a".into(), "proved", true)]);
    }

    #[test]
    fn a_stale_verdict_is_not_told_as_proved() {
        let about = |id: &str, outcome| {
            let mut state = state(id, outcome);
            state.subjects = vec!["P".into()];
            state
        };
        let mut proofs = ProgramProofs::default();
        let tell = |proofs: &mut ProgramProofs, ids: &[&str], finished| {
            let ended = ids.iter().map(|id| about(id, Outcome::Proved)).collect();
            proofs.tell(News { ended, finished, ..News::default() });
            proofs.tally("P").words().unwrap()
        };
        let begin = |proofs: &mut ProgramProofs| {
            let asked = ["a", "b"].map(|id| (about(id, Outcome::default()), None));
            proofs.begin(asked.into(), None);
        };
        assert_eq!(proofs.tally("P").words(), None);
        begin(&mut proofs);
        assert_eq!(tell(&mut proofs, &["a", "b"], true), "2 of 2 proved");
        proofs.edited(ide::AnalysisHost::new().set_file("a", ""), &[]);
        let stale = "0 of 2 proved, 2 answered before the last edit";
        assert_eq!(proofs.tally("P").words().unwrap(), stale);
        begin(&mut proofs);
        assert_eq!(tell(&mut proofs, &["a"], false), "1 of 2 proved, 1 under way");
        assert_eq!(tell(&mut proofs, &["b"], true), "2 of 2 proved");
        assert_eq!(proofs.tally("Q"), Tally::default());
    }

    #[test]
    fn what_fails_in_one_program_does_not_hold() {
        let mut host = ide::AnalysisHost::new();
        let file = host.set_file("a", "");
        let programs = [(); 3].map(|()| host.add_program(&[file], &[]).unwrap());
        let mut failing = ProgramProofs::new(2);
        failing.begin(waiting(&["a", "b", "d"]), None);
        let ended = vec![state("a", Outcome::Failed), state("b", Outcome::Proved)];
        failing.tell(News { ended, finished: true, ..News::default() });
        let mut stale = known(&["b", "c"]);
        stale.edited(file, &[]);
        let all = [known(&["a", "b", "c", "d"]), failing, stale];
        let proofs = Proofs { by_program: programs.into_iter().zip(all).collect() };
        let told = |programs: &[ProgramId]| {
            let joined = proofs.of(programs);
            joined
                .entries
                .iter()
                .map(|e| format!("{} {} {}", e.state.id, e.word(), e.stale))
                .collect::<Vec<_>>()
        };
        let joined = ["a failed false", "b proved true", "c proved true", "d unknown false"];
        assert_eq!(told(&programs), joined);
        // The third has no list of the present text, which may have anything.
        assert!(told(&[programs[0], programs[2]]).contains(&"a unknown false".to_owned()));
        let unasked = host.add_program(&[file], &[]).unwrap();
        assert!(told(&[programs[0], unasked]).iter().all(|it| it.ends_with("unknown false")));
        let [first, second, third] = programs;
        assert_eq!(told(&[third, second, first]).len(), 4);
        assert!(told(&[third, second, first]).contains(&"a failed false".to_owned()));
        assert_eq!(proofs.of(&programs).gone_since(proofs.of(&programs).revision()), None);
        assert!(proofs.of(&[first]).gone_since(proofs.of(&[first]).revision()).is_some());
        assert!(told(&[]).is_empty());
    }

    /// What a client has that applies every difference, from the state of `then` on.
    fn apply(client: &mut BTreeMap<String, String>, proofs: &ProgramProofs, then: Revision) {
        for id in proofs.gone_since(then).unwrap() {
            client.remove(id);
        }
        for entry in proofs.entries.iter().filter(|entry| ProgramProofs::is_newer(entry, then)) {
            client.insert(entry.state.id.clone(), format!("{} {}", entry.word(), entry.stale));
        }
    }

    #[test]
    fn differences_lead_to_the_present_state() {
        let file = ide::AnalysisHost::new().set_file("a", "");
        let mut proofs = ProgramProofs::new(1);
        let (mut client, mut then) = (BTreeMap::new(), proofs.revision());
        let steps: [&dyn Fn(&mut ProgramProofs); 8] = [
            &|it| it.begin(waiting(&["a", "b", "c"]), None),
            &|it| it.tell(News { started: vec!["a".into()], ..News::default() }),
            &|it| {
                let ended = vec![state("a", Outcome::Proved), state("b", Outcome::Proved)];
                it.tell(News { ended, ..News::default() });
            },
            &|it| it.interrupt(),
            &|it| it.edited(file, &[]),
            &|it| it.begin(waiting(&["b", "d"]), None),
            &|it| it.begin(waiting(&["b", "d"]), Some(["d".to_owned()].into())),
            &|it| {
                let ended = vec![state("d", Outcome::Failed)];
                it.tell(News { ended, finished: true, ..News::default() });
            },
        ];
        for step in steps {
            step(&mut proofs);
            apply(&mut client, &proofs, then);
            then = proofs.revision();
            let all = proofs.entries.iter();
            let all = all.map(|e| (e.state.id.clone(), format!("{} {}", e.word(), e.stale)));
            assert_eq!(client, all.collect::<BTreeMap<_, _>>());
        }
        assert_eq!(Revision::read(&then.to_string()), Some(then));
    }

    #[test]
    fn nobody_gets_a_difference_to_what_is_not_known() {
        let mut proofs = ProgramProofs::new(1);
        let ids: Vec<String> = (0..MOST_GONE + 1).map(|n| n.to_string()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        proofs.begin(waiting(&ids), None);
        let then = proofs.revision();
        proofs.begin(waiting(&[]), None);
        assert_eq!(proofs.gone_since(then), None, "more is gone than is remembered");
        assert!(proofs.gone_since(proofs.revision()).is_some());
        let future = Revision { serial: 1, number: then.number + 9 };
        assert_eq!(proofs.gone_since(future), None);
        assert_eq!(ProgramProofs::new(2).gone_since(then), None, "another program");
    }

    #[test]
    fn a_run_of_some_obligations_keeps_the_others() {
        let mut proofs = known(&["a", "b"]);
        proofs.begin(waiting(&["a", "b", "c"]), Some(["b".to_owned()].into()));
        let ended = vec![state("b", Outcome::Failed)];
        proofs.tell(News { ended, finished: true, ..News::default() });
        let now = [("a", "proved"), ("b", "failed"), ("c", "unknown")];
        assert_eq!(words(&proofs), now.map(|(id, word)| (id.into(), word, false)));
        assert_eq!(proofs.entries[2].state.outcome, Outcome::default());
        assert_eq!(proofs.in_run().count(), 1);
        proofs.begin(waiting(&["b"]), None);
        assert_eq!(words(&proofs), [("b".into(), "queued", false)]);
    }
}
