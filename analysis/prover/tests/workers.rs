//! Workers that misbehave, cancelled questions, many workers: real processes, real clocks.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests measure time and may fail loudly"
)]

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ir::{
    AssertId, BlockId, Bound, Capture, CaptureId, FuncSym, Item, Op, Passive, PassiveBlock,
    Question, Sort, Term, Var, Verdict,
};
use prover::{
    Answer, Config, Event, Limits, MemoryStore, NoStore, Priority, Prover, Request, Store,
    WorkerCommand, solve_all,
};

fn config(fault: Option<&str>, jobs: usize, time: Duration) -> Config {
    let arguments = fault.map_or(vec![], |fault| vec!["--fault".into(), fault.into()]);
    let worker =
        WorkerCommand { program: env!("CARGO_BIN_EXE_civl-prover-worker").into(), arguments };
    Config { worker, jobs, limits: Limits { time, ..Limits::default() }, memory_megabytes: 300 }
}

fn int(name: &str) -> Term {
    Term::var(Var::new(name, Sort::Int))
}

/// Assumes `f(x) < limit` and asserts `f(x) < claimed`.
fn bounded(name: &str, limit: i64, claimed: i64) -> Arc<Question> {
    let f = Arc::new(FuncSym::new(name, [Sort::Int], Sort::Int));
    let call = Term::func(&f, vec![int("x")]);
    let items = vec![
        Item::assume(Term::lt(call.clone(), Term::int(limit))),
        Item::Assert {
            term: Term::lt(call, Term::int(claimed)),
            id: AssertId(0),
            hints: vec![],
            subsumes: true,
        },
    ];
    ask(items)
}

fn ask(items: Vec<Item>) -> Arc<Question> {
    let block = PassiveBlock { label: "b".into(), items, successors: vec![], site: None };
    Arc::new(Question::new(Passive::new(vec![block]).unwrap()))
}

/// Only this question is hit by `--fault`: its function is called by the magic word.
fn faulty() -> Arc<Question> {
    bounded("fault-here", 13, 14)
}

/// Three cubes that sum up to 33: beyond any deadline of these tests.
fn hard() -> Arc<Question> {
    ask(vec![Item::assume(Term::lt(Term::int(100), int("a"))), assert(0, no_cubes())])
}

fn no_cubes() -> Term {
    let cube = |name: &str| Term::app(Op::Mul, vec![int(name), int(name), int(name)]);
    let sum = Term::app(Op::Add, vec![cube("a"), cube("b"), cube("c")]);
    Term::ne(sum, Term::int(33))
}

fn assert(id: u32, term: Term) -> Item {
    Item::Assert { term, id: AssertId(id), hints: vec![], subsumes: false }
}

/// Two ways to three assertions, of which the middle one is hard.
fn hard_in_the_middle() -> Arc<Question> {
    let block = |items, successors: &[u32]| PassiveBlock {
        label: "b".into(),
        items,
        successors: successors.iter().map(|nth| BlockId(*nth)).collect(),
        site: None,
    };
    let large = |name: &str| Item::assume(Term::lt(Term::int(100), int(name)));
    let positive = |name: &str| Term::lt(Term::int(0), int(name));
    let either = || Term::or([positive("a"), positive("b")]);
    let last = vec![assert(0, either()), assert(1, no_cubes()), assert(2, either())];
    let blocks = vec![
        block(vec![], &[1, 2]),
        block(vec![large("a")], &[3]),
        block(vec![large("b")], &[3]),
        block(last, &[]),
    ];
    Arc::new(Question::new(Passive::new(blocks).unwrap()))
}

fn requests(questions: Vec<Arc<Question>>) -> Vec<Request> {
    questions.into_iter().map(Request::new).collect()
}

fn word(answer: &Answer) -> String {
    let verdict = |verdict: &Verdict| match verdict {
        Verdict::Proved(_) => "proved".to_owned(),
        Verdict::Refuted(_) => "refuted".to_owned(),
        Verdict::HoldsUpTo(_) => "bounded".to_owned(),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
    };
    answer.verdicts.iter().map(|(_, one)| verdict(one)).collect::<Vec<_>>().join(", ")
}

fn solve(config: Config, store: Arc<dyn Store>, questions: Vec<Arc<Question>>) -> Vec<Answer> {
    solve_all(config, store, requests(questions), |_, _| {}).unwrap()
}

/// A fault ends its question this long after the deadline at the latest.
const LATE: Duration = Duration::from_millis(500);

/// What a faulty question costs among healthy neighbours, measured from when it was handed to the
/// worker: one `unknown`, in time. The neighbours are answered, and no process is left.
///
/// The machine may stop everything for a moment, so it is late only if it is late every time.
fn with_fault(fault: &str, mark: u32, time: Duration, question: &Arc<Question>) -> String {
    let attempt = || {
        let config = Config { memory_megabytes: mark, ..config(Some(fault), 1, time) };
        let neighbours = [bounded("f", 3, 4), bounded("g", 5, 3), bounded("h", 6, 9)];
        let [first, second, third] = neighbours;
        let questions = vec![first, Arc::clone(question), second, third];
        let answers = solve(config, Arc::new(NoStore), questions);
        assert_eq!(workers_with_memory(mark), 0);
        let words: Vec<String> = answers.iter().map(word).collect();
        let neighbours = (words[0].as_str(), words[2].as_str(), words[3].as_str());
        assert_eq!(neighbours, ("proved", "refuted", "proved"));
        (words[1].clone(), answers[1].wall_time)
    };
    in_time(time + LATE, attempt)
}

/// The words of the first attempt that took no longer than `limit`, of three.
fn in_time(limit: Duration, attempt: impl Fn() -> (String, Duration)) -> String {
    let mut took = Vec::new();
    for _ in 0..3 {
        let (words, time) = attempt();
        if time <= limit {
            return words;
        }
        took.push(time);
    }
    panic!("{took:?} are all longer than {limit:?}");
}

#[test]
fn a_worker_that_crashes_costs_one_unknown() {
    let verdict = with_fault("crash", 302, Duration::from_secs(5), &faulty());
    assert_eq!(verdict, "unknown: internal error: the worker ended: exit status: 139");
}

/// By somebody else, while it solves.
#[test]
fn a_worker_that_is_killed_costs_one_unknown() {
    let time = Duration::from_secs(20);
    let config = Config { memory_megabytes: 303, ..config(None, 1, time) };
    let (prover, events) = Prover::new(config, Arc::new(NoStore)).unwrap();
    let asked = prover.submit(Request::new(hard()));
    let next = prover.submit(Request::new(bounded("f", 3, 4)));
    assert_eq!(events.recv_timeout(time).unwrap(), Event::Started(asked));
    while workers_with_memory(303) == 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
    for worker in worker_ids(303) {
        assert!(Command::new("kill").args(["-KILL", &worker]).status().unwrap().success());
    }
    let mut words = Vec::new();
    while words.len() < 2 {
        if let Event::Finished(ticket, answer) = events.recv_timeout(time + LATE).unwrap() {
            words.push((ticket, word(&answer)));
        }
    }
    let killed = "unknown: internal error: the worker ended: signal: 9 (SIGKILL)";
    assert_eq!(words, [(asked, killed.to_owned()), (next, "proved".to_owned())]);
    drop(prover);
    assert_eq!(workers_with_memory(303), 0);
}

#[test]
fn a_worker_that_hangs_is_killed_at_the_deadline() {
    let time = Duration::from_millis(600);
    let verdict = with_fault("hang", 304, time, &faulty());
    assert_eq!(verdict, "unknown: no answer within 600 ms");
}

/// There is a quantifier, so it is tried to find out what took the time, and that hangs as well.
#[test]
fn a_worker_that_hangs_again_and_again_gets_no_more_time() {
    let time = Duration::from_secs(2);
    let x = Var::new("x", Sort::Int);
    let f = Arc::new(FuncSym::new("fault-here", [Sort::Int], Sort::Int));
    let call = Term::func(&f, vec![Term::var(x.clone())]);
    let fact = Term::forall(vec![Bound::plain(x)], Term::lt(call, int("y")));
    let question = ask(vec![Item::assume(fact), assert(0, Term::lt(int("y"), Term::int(3)))]);
    let verdict = with_fault("hang", 305, time, &question);
    assert_eq!(verdict, "unknown: no answer within 2000 ms");
}

#[test]
fn a_worker_that_allocates_without_bound_is_stopped() {
    let verdict = with_fault("allocate", 306, Duration::from_secs(20), &faulty());
    assert!(verdict.starts_with("unknown: internal error: the worker ended"), "{verdict}");
}

#[test]
fn a_worker_that_writes_garbage_proves_nothing() {
    let with_fault = |fault, mark| with_fault(fault, mark, Duration::from_secs(5), &faulty());
    let verdict = with_fault("garbage", 307);
    assert_eq!(verdict, "unknown: internal error: a frame does not start with the magic word");
    let verdict = with_fault("truncate", 308);
    assert!(verdict.starts_with("unknown: internal error: the worker ended"), "{verdict}");
    let verdict = with_fault("lie", 309);
    assert_eq!(verdict, "unknown: internal error: the solver printed \"proved, of course\"");
}

/// The second answer to one question is no answer to the next one.
#[test]
fn a_worker_that_answers_twice_proves_nothing() {
    let time = Duration::from_secs(5);
    let verdict = with_fault("twice", 310, time, &faulty());
    assert_eq!(verdict, "unknown: internal error: the worker answered another question");
}

#[test]
fn a_worker_that_does_not_exist_costs_unknowns() {
    let worker = WorkerCommand { program: "/nowhere/civl".into(), arguments: vec![] };
    let config = Config { worker, ..config(None, 2, Duration::from_secs(1)) };
    let answers = solve(config, Arc::new(NoStore), vec![bounded("f", 3, 4)]);
    assert!(word(&answers[0]).contains("a worker does not start"), "{}", word(&answers[0]));
}

#[test]
fn the_deadline_holds_for_the_solver_itself() {
    let time = Duration::from_millis(300);
    let words = in_time(time + LATE, || {
        let answers = solve(config(None, 1, time), Arc::new(NoStore), vec![hard()]);
        (word(&answers[0]), answers[0].wall_time)
    });
    assert_eq!(words, "unknown: no answer within 300 ms");
}

#[test]
fn a_time_out_is_blamed_on_the_assertion_that_is_hard() {
    let start = Instant::now();
    let limit = Duration::from_secs(4);
    let questions = vec![hard_in_the_middle(), bounded("f", 3, 4)];
    let answers = solve(config(None, 1, limit), Arc::new(NoStore), questions);
    assert_eq!(word(&answers[0]), "proved, unknown: no answer within 4000 ms, proved");
    assert_eq!(word(&answers[1]), "proved");
    // Generous: other processes may have the machine. Without the limit it would take for ever.
    assert!(start.elapsed() < 4 * limit, "{:?}", start.elapsed());
}

#[test]
fn verdicts_and_their_order_do_not_depend_on_the_number_of_jobs() {
    let questions =
        || (0..24).map(|nth| bounded(&format!("f{nth}"), nth, 7 + nth % 5)).collect::<Vec<_>>();
    let verdicts = |jobs| {
        let answers =
            solve(config(None, jobs, Duration::from_secs(10)), Arc::new(NoStore), questions());
        answers.into_iter().map(|answer| answer.verdicts).collect::<Vec<_>>()
    };
    let one = verdicts(1);
    assert!(one.iter().flatten().any(|(_, verdict)| verdict.is_proved()));
    assert!(one.iter().flatten().any(|(_, verdict)| !verdict.is_proved()));
    assert_eq!(one, verdicts(2));
    assert_eq!(one, verdicts(8));
}

#[test]
fn equal_questions_are_solved_once_and_known_ones_never() {
    let store = Arc::new(MemoryStore::default());
    // They differ in names only.
    let questions = || (0..6).map(|nth| bounded(&format!("f{nth}"), 3, 4)).collect::<Vec<_>>();
    let first = solve(config(None, 2, Duration::from_secs(5)), store.clone(), questions());
    assert!(first.iter().all(|answer| word(answer) == "proved"));
    assert_eq!(store.len(), 1);
    // The store answers even where workers cannot be started.
    let worker = WorkerCommand { program: "/nowhere/civl".into(), arguments: vec![] };
    let again =
        solve(Config { worker, ..config(None, 2, Duration::from_secs(5)) }, store, questions());
    assert!(again.iter().all(|answer| word(answer) == "proved" && answer.cached));
}

#[test]
fn refutations_are_stored_with_their_runs_and_time_outs_are_not() {
    let store = Arc::new(MemoryStore::default());
    let questions = || vec![bounded("f", 5, 3), hard()];
    let config = || config(None, 1, Duration::from_millis(300));
    let first = solve(config(), store.clone(), questions());
    assert_eq!(store.len(), 1);
    let again = solve(config(), store, questions());
    assert_eq!(first[0].verdicts, again[0].verdicts);
    assert!(again[0].cached && !again[1].cached);
}

/// A question that shows the variable of this name.
fn shown(name: &str) -> Arc<Question> {
    let values = vec![(name.into(), int(name))];
    let capture = Item::Capture(Capture { id: CaptureId(0), values });
    ask(vec![capture, assert(0, Term::lt(int(name), Term::int(3)))])
}

/// The run of one is no run of the other, since it shows other names; neither displaces the other.
#[test]
fn equal_questions_with_other_names_keep_a_failing_run_each() {
    let store = Arc::new(MemoryStore::default());
    let config = || config(None, 1, Duration::from_secs(5));
    let first = ["a", "b"].map(|name| solve(config(), store.clone(), vec![shown(name)]));
    assert_eq!(store.len(), 2);
    let again = ["a", "b"].map(|name| solve(config(), store.clone(), vec![shown(name)]));
    for (first, again) in first.iter().zip(&again) {
        assert_eq!(first[0].verdicts, again[0].verdicts);
        assert!(!first[0].cached && again[0].cached);
    }
}

/// Asked at the same time, they share a run of the solver only if it proves them.
#[test]
fn equal_questions_in_flight_have_failing_runs_under_their_own_names() {
    let names = ["a", "b", "c", "b"];
    let few = |name: &str| bounded(name, 5, 3);
    for question in [&shown as &dyn Fn(&str) -> Arc<Question>, &few] {
        for jobs in [1, 3] {
            let questions: Vec<Arc<Question>> = names.iter().map(|name| question(name)).collect();
            let config = config(None, jobs, Duration::from_secs(5));
            let (prover, events) = Prover::new(config.clone(), Arc::new(NoStore)).unwrap();
            let tickets: Vec<_> =
                questions.iter().map(|it| prover.submit(Request::new(Arc::clone(it)))).collect();
            let (mut started, mut answers) = (Vec::new(), BTreeMap::new());
            while answers.len() < names.len() {
                match events.recv_timeout(Duration::from_secs(30)).unwrap() {
                    Event::Started(ticket) => started.push(ticket),
                    Event::Finished(ticket, answer) => drop(answers.insert(ticket, answer)),
                }
            }
            started.sort_unstable();
            assert_eq!((started.as_slice(), prover.open()), (tickets.as_slice(), 0));
            for (ticket, question) in tickets.iter().zip(questions) {
                let Verdict::Refuted(run) = &answers[ticket].verdicts[0].1 else {
                    panic!("{}", word(&answers[ticket]))
                };
                assert!(run.is_confirmed(), "{:?}", run.doubt());
                let alone = solve(config.clone(), Arc::new(NoStore), vec![question]);
                assert_eq!(answers[ticket].verdicts, alone[0].verdicts);
            }
        }
    }
}

#[test]
fn a_damaged_store_is_ignored() {
    struct Hostile;
    impl Store for Hostile {
        fn load(&self, _key: &prover::StoreKey) -> Option<Vec<u8>> {
            Some(br#"{"findings":["Proved","Proved"]}"#.to_vec())
        }
        fn save(&self, _key: &prover::StoreKey, _bytes: &[u8]) {}
    }
    let answers =
        solve(config(None, 1, Duration::from_secs(5)), Arc::new(Hostile), vec![bounded("f", 5, 3)]);
    assert_eq!(word(&answers[0]), "refuted");
}

#[test]
fn cancelling_stops_a_running_question_at_once() {
    let (prover, events) =
        Prover::new(config(None, 1, Duration::from_secs(30)), Arc::new(NoStore)).unwrap();
    let ticket = prover.submit(Request::new(hard()));
    assert_eq!(events.recv_timeout(Duration::from_secs(10)).unwrap(), Event::Started(ticket));
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    prover.cancel(&[ticket]);
    let next = prover.submit(Request::new(bounded("f", 3, 4)));
    loop {
        match events.recv_timeout(Duration::from_secs(10)).unwrap() {
            Event::Started(started) => assert_eq!(started, next),
            Event::Finished(finished, answer) => {
                assert_eq!((finished, word(&answer).as_str()), (next, "proved"));
                break;
            }
        }
    }
    // Killing, starting a new worker and answering together.
    assert!(start.elapsed() < Duration::from_millis(600), "{:?}", start.elapsed());
    assert_eq!(prover.open(), 0);
}

#[test]
fn dropping_the_prover_leaves_no_process() {
    let start = Instant::now();
    let config = Config { memory_megabytes: 301, ..config(None, 2, Duration::from_secs(30)) };
    let (prover, events) = Prover::new(config, Arc::new(NoStore)).unwrap();
    prover.submit(Request::new(hard()));
    prover.submit(Request::new(bounded("f", 3, 4)));
    while !matches!(events.recv_timeout(Duration::from_secs(10)).unwrap(), Event::Finished(..)) {}
    assert_eq!(workers_with_memory(301), 2);
    drop(prover);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(workers_with_memory(301), 0);
}

/// Workers of this machine that were started with this cap, which marks those of one test.
fn worker_ids(megabytes: u32) -> Vec<String> {
    let mark = format!("--memory\0{megabytes}\0");
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(&mark) {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found
}

fn workers_with_memory(megabytes: u32) -> usize {
    worker_ids(megabytes).len()
}

#[test]
fn a_worker_ends_with_its_input_even_while_it_solves() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_civl-prover-worker"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let script = prover::smt2(&hard()).unwrap();
    let mut frame = b"cvl3\x01\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    frame.extend_from_slice(&u32::try_from(script.len()).unwrap().to_le_bytes());
    frame.extend_from_slice(script.as_bytes());
    let mut input = child.stdin.take().unwrap();
    input.write_all(&frame).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it should be solving");
    drop(input);
    let start = Instant::now();
    child.wait().unwrap();
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
}

#[test]
fn urgent_questions_go_first() {
    let (prover, events) =
        Prover::new(config(None, 1, Duration::from_secs(10)), Arc::new(NoStore)).unwrap();
    let blocker = prover.submit(Request::new(bounded("f", 1, 2)));
    let later =
        prover.submit(Request { priority: Priority(9), ..Request::new(bounded("f", 3, 4)) });
    let sooner =
        prover.submit(Request { priority: Priority(1), ..Request::new(bounded("f", 5, 6)) });
    let mut started = Vec::new();
    while started.len() < 3 {
        if let Event::Started(ticket) = events.recv_timeout(Duration::from_secs(10)).unwrap() {
            started.push(ticket);
        }
    }
    let place = |ticket| started.iter().position(|own| *own == ticket).unwrap();
    assert!(place(sooner) < place(later), "{started:?} after {blocker:?}");
}

#[test]
fn the_memory_cap_is_respected() {
    let config = Config { memory_megabytes: 20, ..config(None, 1, Duration::from_secs(60)) };
    let answers = solve(config, Arc::new(NoStore), vec![pigeons(40), bounded("f", 3, 4)]);
    assert_eq!(word(&answers[0]), "unknown: the solver ran out of memory");
    assert_eq!(word(&answers[1]), "proved");
}

/// Holes and one pigeon more: exponential for resolution.
fn pigeons(holes: usize) -> Arc<Question> {
    let inside =
        |pigeon: usize, hole: usize| Term::var(Var::new(format!("p{pigeon}h{hole}"), Sort::Bool));
    let mut facts = Vec::new();
    for pigeon in 0..=holes {
        facts.push(Term::or((0..holes).map(|hole| inside(pigeon, hole))));
    }
    for hole in 0..holes {
        for one in 0..=holes {
            for two in 0..one {
                facts.push(Term::not(Term::and([inside(one, hole), inside(two, hole)])));
            }
        }
    }
    let item = Item::Assert {
        term: Term::not(Term::and(facts)),
        id: AssertId(0),
        hints: vec![],
        subsumes: true,
    };
    ask(vec![item])
}
