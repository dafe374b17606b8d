//! Solves what `civl dump --at obligations` prints, one question at a time, in this process.
//!
//! `solve [--smt2] [PATTERN] < FILE` prints the verdicts of the obligations whose id contains
//! the pattern, or the scripts that the solver would get.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a tool for people who look inside"
)]

use std::time::Instant;

use prover::{Limits, smt2, solve_here};

fn main() -> Result<(), String> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let script = arguments.first().is_some_and(|first| first == "--smt2");
    if script {
        arguments.remove(0);
    }
    let pattern = arguments.pop().unwrap_or_default();
    let text = std::io::read_to_string(std::io::stdin()).map_err(|error| error.to_string())?;
    for part in split(&text) {
        let obligation =
            ir::pretty::read_obligation(&part).map_err(|error| format!("{error:?}"))?;
        let id = obligation.id.to_string();
        if !id.contains(&pattern) {
            continue;
        }
        if script {
            println!("; {id}\n{}", smt2(&obligation.question)?);
            continue;
        }
        let start = Instant::now();
        let verdicts = solve_here(&obligation.question, Limits::default());
        println!("{:6} ms  {id}", start.elapsed().as_millis());
        for (assertion, verdict) in verdicts.iter().filter(|(_, verdict)| !verdict.is_proved()) {
            println!("           {assertion:?} {}", word(verdict));
        }
    }
    Ok(())
}

fn word(verdict: &ir::Verdict) -> String {
    match verdict {
        ir::Verdict::Proved(_) => "proved".to_owned(),
        ir::Verdict::Refuted(_) => "refuted".to_owned(),
        ir::Verdict::HoldsUpTo(_) => "bounded".to_owned(),
        ir::Verdict::Unknown(ir::Reason::Incomplete(Some(_))) => "candidate".to_owned(),
        ir::Verdict::Unknown(reason) => reason.to_string(),
    }
}

/// Each obligation starts with a line of its own.
fn split(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with(';')) {
        if line.starts_with("(obligation ") || parts.is_empty() {
            parts.push(String::new());
        }
        if let Some(last) = parts.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
    }
    parts.retain(|part| part.contains("(obligation "));
    parts
}
