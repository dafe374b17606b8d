//! The order of tries, seen from an engine that only writes down what it is asked.

use ir::{Bound, Item, Passive, PassiveBlock, Sort};

use super::*;

/// Says the same to every question, and remembers seed and time of each.
struct Scribe {
    says: fn() -> Result<String, Trouble>,
    asked: Vec<(u32, u64)>,
}

impl Engine for Scribe {
    fn eval(&mut self, _: Start, script: &str, _: Duration) -> Result<String, Trouble> {
        let number = |option: &str| {
            let after = script.split_once(option)?.1;
            after.split(')').next()?.trim().parse::<u64>().ok()
        };
        let seed = number(":smt.random_seed").unwrap_or(0);
        self.asked
            .push((u32::try_from(seed).expect("a seed"), number(":timeout").expect("a limit")));
        (self.says)()
    }

    fn take_cpu_microseconds(&mut self) -> u64 {
        0
    }
}

fn question(term: Term) -> Question {
    let item = Item::Assert { term, id: AssertId(0), hints: vec![], subsumes: true };
    let block =
        PassiveBlock { label: "b".into(), items: vec![item], successors: vec![], site: None };
    Question::new(Passive::new(vec![block]).expect("one block"))
}

fn asked(says: fn() -> Result<String, Trouble>, seed: u32) -> (Record, Vec<(u32, u64)>) {
    let x = Term::var(Var::new("x", Sort::Int));
    let term = Term::lt(x, Term::int(3));
    let question = question(term);
    let mut scribe = Scribe { says, asked: Vec::new() };
    let limits = Limits { time: Duration::from_secs(1000), seed, ..Limits::default() };
    let record = ask(&question, &mut scribe, limits);
    (record, scribe.asked)
}

#[test]
fn a_search_that_gives_up_leaves_its_time_to_other_seeds() {
    let gave_up = || Ok("unknown\n(:reason-unknown \"unknown\")\n".to_owned());
    for (own, seeds) in [(0, [0, 1, 4]), (1, [1, 0, 5]), (7, [7, 0, 11])] {
        // A short try in each lane, then the seeds of the tuned lane around the others.
        let seeds = [own, own, own, own, seeds[1], own, own, seeds[2]];
        let (record, asked) = asked(gave_up, own);
        assert_eq!(record.findings, [Finding::Undecided(Undecided::GaveUp)]);
        assert_eq!(asked.iter().map(|(seed, _)| *seed).collect::<Vec<_>>(), seeds);
        // The clock ran on a little between the tries.
        let least = [2_000, 1_000, 1_000, 450_000, 300_000, 300_000, 450_000, 900_000];
        assert!(asked.iter().zip(least).all(|((_, time), least)| *time >= least), "{asked:?}");
    }
}

/// Takes all the time it is given, for nothing.
struct Sloth(Duration);

impl Engine for Sloth {
    fn eval(&mut self, _: Start, _: &str, time: Duration) -> Result<String, Trouble> {
        self.0 += time;
        std::thread::sleep(time);
        Err(Trouble::Time)
    }

    fn take_cpu_microseconds(&mut self) -> u64 {
        0
    }
}

/// With a quantifier, so that it is tried to find out what took the time.
#[test]
fn no_question_outlasts_its_time_by_more_than_the_grace() {
    let x = Var::new("x", Sort::Int);
    let less = Term::lt(Term::var(x.clone()), Term::var(Var::new("y", Sort::Int)));
    let question = question(Term::forall(vec![Bound::plain(x)], less));
    let time = Duration::from_secs(2);
    let mut sloth = Sloth(Duration::ZERO);
    let record = ask(&question, &mut sloth, Limits { time, ..Limits::default() });
    assert_eq!(record.findings, [Finding::Undecided(Undecided::Time { milliseconds: 2000 })]);
    assert!(sloth.0 > time && sloth.0 <= time + GRACE, "{:?}", sloth.0);
}

#[test]
fn an_answer_is_final_whatever_the_seed() {
    let (record, asked) = asked(|| Ok("unsat\n(:reason-unknown \"\")\n".to_owned()), 3);
    assert_eq!((record.findings.as_slice(), asked.len()), (&[Finding::Proved][..], 1));
}

#[test]
fn only_a_lost_search_is_begun_anew() {
    let (record, asked) = asked(|| Err(Trouble::Cancelled), 0);
    assert_eq!(record.findings, [Finding::Undecided(Undecided::Cancelled)]);
    assert_eq!(asked.len(), 1);
    let (record, asked) = self::asked(|| Err(Trouble::Time), 0);
    assert_eq!(record.findings, [Finding::Undecided(Undecided::Time { milliseconds: 1_000_000 })]);
    assert_eq!(asked.len(), 8);
}

/// Gives up on quantifiers with one seed; with all others it finds a proof, or gives up as well.
struct Moody {
    doubts: u32,
    others: &'static str,
    asked: Vec<u32>,
}

impl Engine for Moody {
    fn eval(&mut self, start: Start, script: &str, _: Duration) -> Result<String, Trouble> {
        if script.contains("get-value") {
            return Ok("((v0 true))".to_owned());
        }
        if start == Start::Continue {
            return Err(Trouble::Cancelled);
        }
        let seed = script.split_once(":smt.random_seed ").map_or("0", |(_, rest)| rest);
        let seed = seed.split(')').next().and_then(|it| it.parse().ok()).expect("a seed");
        self.asked.push(seed);
        let doubt = "unknown\n(:reason-unknown \"(incomplete quantifiers)\")";
        Ok(if seed == self.doubts { doubt } else { self.others }.to_owned())
    }

    fn take_cpu_microseconds(&mut self) -> u64 {
        0
    }
}

#[test]
fn a_failure_in_doubt_is_asked_about_from_another_seed() {
    let question = question(Term::lt(Term::var(Var::new("x", Sort::Int)), Term::int(3)));
    let ask_with = |doubts, others| {
        let mut moody = Moody { doubts, others, asked: Vec::new() };
        let record = ask(&question, &mut moody, Limits { seed: doubts, ..Limits::default() });
        (record.findings, moody.asked)
    };
    let proof = "unsat\n(:reason-unknown \"\")";
    // The first lane, a short try in the others, the first candidate again, and another seed.
    assert_eq!(ask_with(3, proof), (vec![Finding::Proved], vec![3, 3, 3, 3, 0]));
    assert_eq!(ask_with(0, proof), (vec![Finding::Proved], vec![0, 0, 0, 0, 1]));
    for nothing in ["sat\n(:reason-unknown \"\")", "unknown\n(:reason-unknown \"timeout\")"] {
        let (findings, asked) = ask_with(3, nothing);
        assert!(matches!(findings[..], [Finding::Failed { sure: false, .. }]), "{findings:?}");
        assert_eq!(asked, [3, 3, 3, 3, 0]);
    }
}
