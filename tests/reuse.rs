//! What an edit costs: which obligations have to be asked again.
#![allow(clippy::expect_used, clippy::disallowed_methods, reason = "tests read files")]

use std::collections::BTreeSet;
use std::sync::Arc;

use civl_tests::root;
use ide::{AnalysisHost, Filter, MemoryStore, ObligationState, Trust, VerifyOptions};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

/// A session on one file whose verdicts are kept.
struct Session {
    host: AnalysisHost,
    program: ide::ProgramId,
    options: VerifyOptions,
}

impl Session {
    fn new(text: &str) -> Session {
        let mut host = AnalysisHost::new();
        let file = host.set_file("reuse.bpl", text);
        let program = host.add_program(&[file], &[]).expect("no library is asked for");
        let options = VerifyOptions {
            jobs: 2,
            time_limit_ms: 60_000,
            seed: 0,
            memory_mb: 2048,
            filter: Filter::default(),
            trust: Trust::default(),
            worker: CIVL.into(),
            store: Arc::new(MemoryStore::default()),
        };
        let mut session = Session { host, program, options };
        assert!(!session.asked(text).is_empty(), "the first run asks");
        session
    }

    /// The obligations that a worker was asked about after the text became `text`.
    fn asked(&mut self, text: &str) -> Vec<ObligationState> {
        self.host.set_file("reuse.bpl", text);
        let report = self.host.analysis().verify(self.program, &self.options, &mut |_, _, _| {});
        let errors: Vec<String> = report.diagnostics.iter().map(|d| d.message.clone()).collect();
        assert!(report.complete, "{errors:?}");
        report.obligations.into_iter().filter(|state| state.asked).collect()
    }

    /// Nothing is asked after the edit.
    fn expect_free(&mut self, what: &str, text: &str) {
        let asked: Vec<String> = self.asked(text).into_iter().map(|state| state.id).collect();
        assert!(asked.is_empty(), "{what}: {asked:?}");
    }
}

fn example(name: &str) -> String {
    let path = root().join("tests/examples").join(name);
    std::fs::read_to_string(path).expect("an example can be read")
}

#[test]
fn edits_without_meaning_ask_nothing() {
    let text = example("write_barrier.bpl");
    let mut session = Session::new(&text);
    session.expect_free("nothing", &text);
    session.expect_free("a comment", &format!("// new\n{text}"));
    session.expect_free("blank lines", &text.replace("{\n", "{\n\n"));
    session.expect_free("a renamed local", &text.replace("seen", "looked"));
    session.expect_free("the first text again", &text);
}

#[test]
fn the_order_of_declarations_asks_nothing() {
    let text = example("spin_lock.bpl");
    let at = text.find("\nyield procedure").expect("a procedure") + 1;
    let end = at + text[at..].find("\n}\n").expect("its end") + 3;
    let moved = format!("{}\n{}{}", &text[at..end], &text[..at], &text[end..]);
    Session::new(&text).expect_free("reordering", &moved);
}

#[test]
fn an_edit_of_one_body_asks_only_about_its_own_procedure() {
    let text = example("write_barrier.bpl");
    let name = "WriteBarrierSlow";
    let at = text.find(&format!("yield procedure {{:layer 1}} {name}")).expect("the procedure");
    let body = at + text[at..].find("call Release").expect("its last call");
    let edited = format!("{}assert {{:layer 1}} 1 < 2;\n  {}", &text[..body], &text[body..]);
    let asked = Session::new(&text).asked(&edited);
    assert!(!asked.is_empty());
    for state in &asked {
        assert!(state.subjects.iter().any(|subject| subject == name), "{}", state.id);
    }
}

#[test]
fn an_edit_of_one_action_asks_only_what_mentions_it() {
    let text = example("write_barrier.bpl");
    let at = text.find("yield procedure {:layer 0} SetColorLocked").expect("the procedure");
    let body = at + text[at..].find("Color := ").expect("its effect") + "Color := ".len();
    let edited = format!("{}0 + {}", &text[..body], &text[body..]);
    let mut session = Session::new(&text);
    let all =
        session.host.analysis().plan(session.program, &session.options).expect("a plan").len();
    let asked = session.asked(&edited);
    let touched: BTreeSet<&str> =
        asked.iter().flat_map(|s| s.subjects.iter().map(String::as_str)).collect();
    assert!(asked.len() * 2 < all, "{} of {all}: {touched:?}", asked.len());
}
