//! One worker process, seen from the prover.
//!
//! **In:** scripts with a time limit and a way to cancel. **Out:** the worker's answer or a
//! [`Trouble`].
//!
//! # Invariants
//! - Waiting always ends: at the answer, at the end of the process, at the deadline or at a
//!   cancellation. No call blocks on a pipe; two threads move the bytes.
//! - An answer counts only for the question whose number it bears.
//! - After any trouble but a complaint of the solver the process is dead and reaped.
//! - A worker is started and owned by one thread that outlives it, because on Linux the
//!   signal "parent died" is bound to the starting thread.

use std::ffi::OsString;
use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, select, unbounded};

use crate::engine::{Engine, Start, Trouble};
use crate::wire::{self, Frame, Kind};

/// How a worker is started: a program and the arguments that make it call
/// [`crate::worker::run`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    pub program: OsString,
    pub arguments: Vec<OsString>,
}

/// Z3 ends the process with this code when it cannot even report that memory is used up.
const SOLVER_OUT_OF_MEMORY: i32 = 101;

/// A slot for a worker process: empty until the first question, refilled after trouble.
pub(crate) struct Worker {
    command: WorkerCommand,
    memory_megabytes: u32,
    /// Something arrives here when the current question is no longer wanted.
    cancelled: Receiver<()>,
    running: Option<Running>,
    /// Questions asked so far.
    asked: u64,
    cpu_microseconds: u64,
    steps: u64,
}

struct Running {
    child: Child,
    questions: Sender<Frame>,
    answers: Receiver<Result<Frame, String>>,
}

impl Worker {
    pub(crate) fn new(
        command: WorkerCommand,
        memory_megabytes: u32,
        cancelled: Receiver<()>,
    ) -> Worker {
        Worker {
            command,
            memory_megabytes,
            cancelled,
            running: None,
            asked: 0,
            cpu_microseconds: 0,
            steps: 0,
        }
    }

    /// Forgets cancellations that arrived too late for the question they were meant for.
    pub(crate) fn forget_cancellation(&self) {
        while self.cancelled.try_recv().is_ok() {}
    }

    fn start(&mut self) -> Result<&mut Running, Trouble> {
        match self.running {
            Some(ref mut running) => Ok(running),
            None => {
                let running = spawn(&self.command, self.memory_megabytes)
                    .map_err(|error| Trouble::Ended(format!("a worker does not start: {error}")))?;
                Ok(self.running.insert(running))
            }
        }
    }

    fn stop(&mut self) -> Option<ExitStatus> {
        let mut running = self.running.take()?;
        drop(running.child.kill());
        running.child.wait().ok()
    }

    /// How the process ended on its own, after its output ended.
    fn ended(&mut self) -> Trouble {
        // The output closes a moment before the process is gone; killing it in between would
        // hide its own exit status.
        for _ in 0..20 {
            let gone =
                self.running.as_mut().is_none_or(|r| !matches!(r.child.try_wait(), Ok(None)));
            if gone {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        match self.stop() {
            Some(status) if status.code() == Some(SOLVER_OUT_OF_MEMORY) => Trouble::Memory,
            Some(status) => Trouble::Ended(format!("the worker ended: {status}")),
            None => Trouble::Ended("the worker ended".to_owned()),
        }
    }
}

impl Engine for Worker {
    fn eval(&mut self, start: Start, script: &str, time: Duration) -> Result<String, Trouble> {
        let cancelled = self.cancelled.clone();
        let kind = match start {
            Start::Fresh => Kind::Fresh,
            Start::Continue => Kind::Continue,
        };
        if start == Start::Continue && self.running.is_none() {
            return Err(Trouble::Ended("the worker ended between two questions".to_owned()));
        }
        self.asked += 1;
        let asked = self.asked;
        let running = self.start()?;
        let answers = running.answers.clone();
        let frame = Frame { kind, question: asked, number: 0, steps: 0, text: script.to_owned() };
        if running.questions.send(frame).is_err() {
            return Err(self.ended());
        }
        let answer = select! {
            recv(cancelled) -> _ => Err(Trouble::Cancelled),
            recv(answers) -> answer => Ok(answer),
            default(time) => Err(Trouble::Time),
        };
        match answer {
            Ok(Ok(Ok(Frame { question, .. }))) if question != asked => {
                self.stop();
                Err(Trouble::Garbage("the worker answered another question".to_owned()))
            }
            Ok(Ok(Ok(Frame { kind: Kind::Answer, number, steps, text, .. }))) => {
                self.cpu_microseconds += number;
                self.steps += steps;
                Ok(text)
            }
            Ok(Ok(Ok(Frame { kind: Kind::Complaint, number, text, .. }))) => {
                self.cpu_microseconds += number;
                Err(Trouble::Solver(text))
            }
            Ok(Ok(Ok(Frame { kind: Kind::Fresh | Kind::Continue, .. }))) => {
                self.stop();
                Err(Trouble::Garbage("the worker asked a question".to_owned()))
            }
            Ok(Ok(Err(garbage))) => {
                self.stop();
                Err(Trouble::Garbage(garbage))
            }
            Ok(Err(_closed)) => Err(self.ended()),
            Err(trouble) => {
                self.stop();
                Err(trouble)
            }
        }
    }

    fn take_cpu_microseconds(&mut self) -> u64 {
        std::mem::take(&mut self.cpu_microseconds)
    }

    fn take_steps(&mut self) -> u64 {
        std::mem::take(&mut self.steps)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
    }
}

fn spawn(command: &WorkerCommand, memory_megabytes: u32) -> std::io::Result<Running> {
    let mut child = Command::new(&command.program)
        .args(&command.arguments)
        .arg("--memory")
        .arg(memory_megabytes.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        drop(child.kill());
        child.wait()?;
        return Err(std::io::Error::other("no pipes"));
    };
    let (questions, to_write) = unbounded();
    let (read, answers) = unbounded();
    thread::spawn(move || write_all(input, &to_write));
    thread::spawn(move || read_all(output, &read));
    Ok(Running { child, questions, answers })
}

/// Ends when the prover drops its end or the process its end; closing the pipe tells the
/// worker to go.
fn write_all(mut input: ChildStdin, questions: &Receiver<Frame>) {
    for question in questions {
        if wire::write(&mut input, &question).is_err() {
            return;
        }
    }
}

fn read_all(output: ChildStdout, answers: &Sender<Result<Frame, String>>) {
    let mut output = BufReader::new(output);
    loop {
        let (answer, last) = match wire::read(&mut output) {
            Ok(Some(frame)) => (Ok(frame), false),
            Ok(None) => return,
            // The process died in the middle of a frame: its exit status says more.
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return,
            Err(error) => (Err(error.to_string()), true),
        };
        if answers.send(answer).is_err() || last {
            return;
        }
    }
}
