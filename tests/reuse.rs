//! What an edit costs: which obligations have to be asked again.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read files and say what they skip"
)]

use std::sync::Arc;

use civl_tests::{large, root};
use ide::{
    AnalysisHost, Believed, Filter, History, MemoryStore, ObligationState, Order, Outcome,
    VerifyOptions, VerifyReport,
};

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
            step_limit: None,
            seed: 0,
            memory_mb: 2048,
            filter: Filter::default(),
            believed: Believed::default(),
            worker: CIVL.into(),
            store: Arc::new(MemoryStore::default()),
        };
        let mut session = Session { host, program, options };
        assert!(!session.asked(text).is_empty(), "the first run asks");
        session
    }

    /// The obligations that a worker was asked about after the text became `text`.
    fn asked(&mut self, text: &str) -> Vec<ObligationState> {
        let report = self.report(text);
        let errors: Vec<String> = report.diagnostics.iter().map(|d| d.message.clone()).collect();
        assert!(report.complete, "{errors:?}");
        report.obligations.into_iter().filter(|state| state.asked).collect()
    }

    fn report(&mut self, text: &str) -> VerifyReport {
        self.host.set_file("reuse.bpl", text);
        self.host.analysis().verify(self.program, &self.options, &mut |_, _, _| {})
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

/// The text with `from` replaced where it first occurs after `after`.
fn edit(text: &str, after: &str, (from, to): (&str, &str)) -> String {
    let start = text.find(after).unwrap_or_else(|| panic!("`{after}` is in the text"));
    let at = start + text[start..].find(from).unwrap_or_else(|| panic!("`{from}` follows"));
    format!("{}{to}{}", &text[..at], &text[at + from.len()..])
}

/// Something is asked after the edit, and all of it is allowed.
fn expect_only(what: &str, asked: &[ObligationState], allowed: impl Fn(&ObligationState) -> bool) {
    assert!(!asked.is_empty(), "{what} asks something");
    let others: Vec<&str> =
        asked.iter().filter(|state| !allowed(state)).map(|state| state.id.as_str()).collect();
    assert!(others.is_empty(), "{what} asks more than it should: {others:?}");
}

fn is_about(state: &ObligationState, subject: &str) -> bool {
    state.subjects.iter().any(|own| own == subject)
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
fn on_two_thousand_lines_edits_ask_only_what_they_can_change() {
    let text = large::program();
    assert!(text.lines().count() >= 2_000);
    let mut session = Session::new(&text);
    session.expect_free("a comment", &edit(&text, "WriteBarrier_7", ("{\n", "{ // why\n")));
    session.expect_free("a blank line", &edit(&text, "WriteBarrier_7", ("{\n", "{\n\n\n")));
    session.expect_free("a renamed local", &text.replace("seen", "looked"));
    let mut paragraphs: Vec<&str> = text.trim_end().split("\n\n").collect();
    // A body may hold blank lines: put them back together.
    let mut declarations: Vec<String> = Vec::new();
    for paragraph in paragraphs.drain(..) {
        match declarations.last_mut().filter(|_| paragraph.starts_with(' ')) {
            Some(last) => *last += &format!("\n\n{paragraph}"),
            None => declarations.push(paragraph.to_owned()),
        }
    }
    declarations.reverse();
    session.expect_free("another order", &(declarations.join("\n\n") + "\n"));

    let body = edit(
        &text,
        "WriteBarrierSlow_7(",
        ("call Release", "assert {:layer 1} 1 < 2;\n  call Release"),
    );
    let asked = session.asked(&body);
    expect_only("a body", &asked, |state| is_about(state, "WriteBarrierSlow_7"));

    let action = edit(&text, "SET_COLOR_7(", (":= color;", ":= color + 1 - 1;"));
    let asked = session.asked(&action);
    expect_only("an action", &asked, |state| {
        is_about(state, "SET_COLOR_7") || is_about(state, "WriteBarrierSlow_7")
    });

    let invariant = edit(&text, "ColorAtLeast_7(", ("shade <= Color_7", "Color_7 + 1 > shade"));
    let asked = session.asked(&invariant);
    expect_only("an invariant", &asked, |state| {
        is_about(state, "ColorAtLeast_7") || is_about(state, "WriteBarrier_7")
    });
    session.expect_free("the first text again", &text);
}

#[test]
fn edited_then_its_pairs_then_failing_then_the_rest_cheap_before_dear() {
    let text = large::program();
    let mut session = Session::new(&text);
    session.options.store = Arc::new(ide::NoStore);
    // A failing procedure, so that the history holds a failure.
    let failing = edit(
        &text,
        "WriteBarrier_3(",
        (
            "call ColorAtLeast_3(seen);",
            "call ColorAtLeast_3(seen);\n  assert {:layer 2} seen > 99;",
        ),
    );
    let states = session.report(&failing).obligations;
    let failed = states.iter().filter(|it| matches!(it.outcome, Outcome::Failed));
    let failed: Vec<&str> = failed.map(|it| &*it.id).collect();
    assert!(!failed.is_empty());
    let mut history = History::default();
    history.learn(&states);
    let analysis = session.host.analysis();
    let plan = analysis.plan(session.program, &session.options).expect("no static error");
    let first = vec!["WriteBarrierSlow_7".to_owned()];
    let refined = analysis.refined_by(session.program, &first);
    assert_eq!(refined, ["SHADE_7"]);
    let asked = plan.waiting_in(&Order { first, refined, history });
    let rank = |state: &ObligationState| {
        let about = |name| is_about(state, name);
        let failed = failed.contains(&&*state.id);
        match (about("WriteBarrierSlow_7"), about("SHADE_7"), failed) {
            (true, ..) => 0,
            (false, true, _) => 1,
            (false, false, true) => 2,
            (false, false, false) => 3,
        }
    };
    let ranks: Vec<i32> = asked.iter().map(rank).collect();
    assert!(ranks.is_sorted(), "{ranks:?}");
    assert_eq!(ranks.first(), Some(&0));
    assert!(ranks.contains(&2) && ranks.contains(&3));
    let cost = |state: &ObligationState| {
        let last = states.iter().find(|it| it.id == state.id);
        last.filter(|it| it.asked).map(|it| it.solver_micros.max(1).ilog2())
    };
    let costs: Vec<u32> = asked.iter().filter(|it| rank(it) == 3).filter_map(cost).collect();
    assert!(costs.is_sorted(), "cheap before dear: {costs:?}");
}

/// The largest program of the public corpus, if it is here.
#[test]
fn on_the_garbage_collector_edits_ask_only_what_they_can_change() {
    let Some(corpus) = std::env::var_os("CIVL_CORPUS") else {
        println!("skipped: CIVL_CORPUS names no copy of the public corpus");
        return;
    };
    let path = std::path::Path::new(&corpus).join("large-samples/GC.bpl");
    let text = std::fs::read_to_string(path).expect("the corpus holds GC.bpl");
    let mut session = Session::new(&text);
    session.expect_free("a comment", &format!("// new\n{text}"));
    session.expect_free("blank lines", &text.replace("{\n", "{\n\n"));
    session.expect_free("a renamed local", &text.replace("isInit", "isFirst"));
    let at = text.find("\natomic action {:layer 97,100} AtomicSetColorToBlack").expect("it") + 1;
    let end = at + text[at..].find("\n}\n").expect("its end") + 3;
    let moved = format!("{}{}{}", &text[..at], &text[end..], &text[at..end]);
    session.expect_free("another order", &moved);

    let after = "yield procedure {:layer 99} WriteFieldRaw(";
    let body = edit(&text, after, ("\n}\n", "\n  assert {:layer 99} 1 < 2;\n}\n"));
    expect_only("a body", &session.asked(&body), |state| is_about(state, "WriteFieldRaw"));

    let action = edit(
        &text,
        "AtomicSetColorToBlack(",
        ("\n}\n", "\n    Color[scannedLocal] := BLACK();\n}\n"),
    );
    let callers = procedures_with(&text, "SetColorToBlack(");
    expect_only("an action", &session.asked(&action), |state| {
        is_about(state, "AtomicSetColorToBlack") || callers.iter().any(|it| is_about(state, it))
    });

    let invariant =
        edit(&text, "Yield_MarkEnd(", ("preserves", "preserves sweepPtr == memLo;\npreserves"));
    let mut users = procedures_with(&text, "Yield_MarkEnd(");
    // A contract that mentions the invariant is part of its callers' proofs.
    let callers: Vec<&str> =
        users.iter().flat_map(|user| procedures_with(&text, &format!("{user}("))).collect();
    users.extend(callers);
    expect_only("an invariant", &session.asked(&invariant), |state| {
        is_about(state, "Yield_MarkEnd") || users.iter().any(|it| is_about(state, it))
    });
}

/// The yield procedures whose declarations hold `word`.
fn procedures_with<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let declared = text.split("\nyield procedure").skip(1).filter_map(|rest| {
        let declaration = &rest[..rest.find("\n}\n")?];
        let name = rest[..rest.find('(')?].split_whitespace().last()?;
        declaration.contains(word).then_some(name)
    });
    declared.collect()
}
