//! The worker process: a solver behind a pipe, and nothing else.
//!
//! **In:** frames with scripts on standard input. **Out:** one frame per script on standard
//! output: what the solver printed, or its complaint.
//!
//! # Invariants
//! - Each question starts in a fresh solver context with default options, so an answer does
//!   not depend on what the worker did before.
//! - The process ends as soon as its input ends, even in the middle of a question, and when
//!   its parent dies. It never writes files, not even when it crashes, and never
//!   starts processes.
//! - Memory is bounded twice: by the solver's own limit and by the operating system.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;

use crate::foreign::{self, Context, SolverError};
use crate::wire::{self, Frame, Kind};

/// Room for code, stacks and the texts, on top of what the solver may use.
const SLACK_MEGABYTES: u64 = 1024;

/// Z3 recurses on deep terms; address space for its stack costs nothing until used.
const STACK_BYTES: usize = 512 * 1024 * 1024;

/// What the worker is told on its command line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Arguments {
    memory_megabytes: u32,
    fault: Option<Fault>,
}

/// Misbehaviour that tests ask for with `--fault`; it strikes at scripts that hold the word
/// `fault-here`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Crash,
    Hang,
    Allocate,
    Garbage,
    Truncate,
    Lie,
    Twice,
}

const FAULTS: [(&str, Fault); 7] = [
    ("crash", Fault::Crash),
    ("hang", Fault::Hang),
    ("allocate", Fault::Allocate),
    ("garbage", Fault::Garbage),
    ("truncate", Fault::Truncate),
    ("lie", Fault::Lie),
    ("twice", Fault::Twice),
];

const FAULT_MARK: &str = "fault-here";

/// Runs the worker until its input ends. `arguments` are those after the word `worker`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    foreign::die_with_parent();
    let arguments =
        parse(arguments).ok_or_else(|| format!("a worker cannot be started with {arguments:?}"))?;
    let memory = u64::from(arguments.memory_megabytes) + SLACK_MEGABYTES;
    foreign::limit_memory(memory * 1024 * 1024);
    foreign::leave_no_core();
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(frame)) = wire::read(&mut input) {
            if send.send(frame).is_err() {
                break;
            }
        }
        // The parent is gone or talks nonsense: stop at once, whatever is being solved.
        foreign::exit_now(0);
    });
    let solver = thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || serve(&receive, &arguments))
        .map_err(|error| error.to_string())?;
    solver.join().map_err(|_| "the worker panicked".to_owned())
}

fn parse(arguments: &[String]) -> Option<Arguments> {
    let mut parsed = Arguments { memory_megabytes: 2048, fault: None };
    let mut rest = arguments.iter();
    while let Some(name) = rest.next() {
        let value = rest.next()?;
        match name.as_str() {
            "--memory" => parsed.memory_megabytes = value.parse().ok()?,
            "--fault" => parsed.fault = Some(FAULTS.iter().find(|(name, _)| name == value)?.1),
            _ => return None,
        }
    }
    Some(parsed)
}

fn serve(questions: &mpsc::Receiver<Frame>, arguments: &Arguments) {
    let mut context: Option<Context> = None;
    // Counted by the present context and told before.
    let mut told = 0;
    for question in questions {
        // Building and freeing a context is work of the solver and counts as such.
        let start = foreign::cpu_microseconds();
        if question.kind == Kind::Fresh {
            (context, told) = (None, 0);
        }
        if let Some(fault) = arguments.fault
            && question.text.contains(FAULT_MARK)
        {
            misbehave(fault, question.question);
            continue;
        }
        let answer =
            catch_unwind(AssertUnwindSafe(|| ask(&mut context, &question.text, arguments)));
        let (kind, text) = match answer {
            Ok(Ok(text)) => (Kind::Answer, text),
            Ok(Err(SolverError(text))) => (Kind::Complaint, text),
            Err(_) => (Kind::Complaint, "the solver's binding panicked".to_owned()),
        };
        let counted = context.as_mut().filter(|_| kind == Kind::Answer).map_or(told, steps);
        let steps = counted.saturating_sub(std::mem::replace(&mut told, counted));
        let number = foreign::cpu_microseconds().saturating_sub(start);
        let answer = Frame { kind, question: question.question, number, steps, text };
        if wire::write(&mut io::stdout().lock(), &answer).is_err() {
            return;
        }
    }
}

fn ask(
    context: &mut Option<Context>,
    script: &str,
    arguments: &Arguments,
) -> Result<String, SolverError> {
    let context = match context {
        Some(context) => context,
        None => context.insert(Context::new(arguments.memory_megabytes)?),
    };
    context.eval(script)
}

/// What the solver has counted in this context, in units of its resource limit; 0 if it does not say.
fn steps(context: &mut Context) -> u64 {
    let printed = context.eval("(get-info :rlimit)").unwrap_or_default();
    let count = printed.trim().strip_prefix("(:rlimit ").and_then(|rest| rest.strip_suffix(')'));
    count.and_then(|count| count.parse().ok()).unwrap_or(0)
}

fn misbehave(fault: Fault, question: u64) {
    use std::io::Write;
    match fault {
        Fault::Crash => foreign::exit_now(139),
        Fault::Hang => loop {
            thread::park();
        },
        Fault::Allocate => {
            let mut hoard = Vec::new();
            loop {
                hoard.push(vec![1_u8; 64 * 1024 * 1024]);
            }
        }
        Fault::Garbage => drop(
            io::stdout()
                .lock()
                .write_all(b"unsat, believe me\n")
                .and_then(|()| io::stdout().flush()),
        ),
        Fault::Truncate => {
            drop(io::stdout().lock().write_all(b"cvl3\x03").and_then(|()| io::stdout().flush()));
            foreign::exit_now(0);
        }
        Fault::Lie => answer(question, "proved, of course"),
        Fault::Twice => {
            answer(question, "unknown\n(:reason-unknown \"unknown\")");
            answer(question, "unsat\n(:reason-unknown \"\")");
        }
    }
}

fn answer(question: u64, text: &str) {
    let frame = Frame { kind: Kind::Answer, question, number: 0, steps: 0, text: text.to_owned() };
    drop(wire::write(&mut io::stdout().lock(), &frame));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solver_counts_its_steps() {
        let mut context = Context::new(1000).unwrap();
        let before = steps(&mut context);
        context.eval("(declare-const x Int)(assert (> (* x x) 3))(check-sat)").unwrap();
        let after = steps(&mut context);
        assert!(after > before && steps(&mut context) == after, "{before} {after}");
    }

    #[test]
    fn arguments_that_make_no_sense_are_refused() {
        let parse =
            |words: &[&str]| parse(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>());
        assert_eq!(parse(&[]).map(|a| a.memory_megabytes), Some(2048));
        assert_eq!(parse(&["--memory", "100"]).map(|a| a.memory_megabytes), Some(100));
        assert_eq!(parse(&["--fault", "hang"]).and_then(|a| a.fault), Some(Fault::Hang));
        for wrong in
            [&["--memory"][..], &["--memory", "x"], &["--fault", "sleep"], &["--other", "1"]]
        {
            assert_eq!(parse(wrong), None);
        }
    }
}
