//! Running programs: statically in this process, proofs through the real command line.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::marks::Seen;

/// The errors of the static phases.
pub fn check(text: &str) -> Vec<Seen> {
    static_errors(text).into_iter().map(|(line, d)| seen(line, d)).collect()
}

/// The static errors that do not say what to do.
pub fn helpless(text: &str) -> Vec<Seen> {
    let all = static_errors(text).into_iter();
    all.filter(|(_, d)| d.help.is_none()).map(|(line, d)| seen(line, d)).collect()
}

fn seen(line: u32, error: ide::Diagnostic) -> Seen {
    Seen { line, code: error.code.to_owned(), message: error.message }
}

/// The errors of the static phases with their lines, from 1.
fn static_errors(text: &str) -> Vec<(u32, ide::Diagnostic)> {
    let mut host = ide::AnalysisHost::new();
    let file = host.set_file("test.bpl", text);
    let program = host.add_program(&[file], &[]).expect("no library is asked for");
    let analysis = host.analysis();
    let errors = analysis.check(program).into_iter().filter(|d| d.severity == ide::Severity::Error);
    errors.map(|d| (analysis.place(d.at).line + 1, d)).collect()
}

/// What `civl verify` says about a file or, for `-`, about `text`.
pub fn verify(civl: &str, path: &Path, text: &str, arguments: &[&str]) -> Result<Value, String> {
    let path = path.to_string_lossy();
    let command = ["verify", "--format", "json", "--no-cache"].iter().chain(arguments);
    let command: Vec<&str> = command.copied().chain([&*path]).collect();
    answer_about(civl, &command, text)
}

/// The JSON that a command prints, with `text` on its standard input.
fn answer_about(civl: &str, command: &[&str], text: &str) -> Result<Value, String> {
    let mut child = Command::new(civl)
        .args(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        let _closed_early = stdin.write_all(text.as_bytes());
    }
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        format!(
            "no answer, exit {:?}: {}",
            output.status.code(),
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

/// What `civl explore` finds in `text`: violations, and pieces that cannot be run.
pub fn explore(civl: &str, text: &str) -> Result<Vec<Seen>, String> {
    let answer = answer_about(civl, &["explore", "--format", "json", "-"], text)?;
    let mut seen = Vec::new();
    for exploration in answer["explorations"].as_array().into_iter().flatten() {
        let violation = &exploration["violation"];
        if violation.is_object() {
            seen.push(found(violation, &violation["code"], &violation["message"]));
        }
        for piece in exploration["excluded"].as_array().into_iter().flatten() {
            seen.push(found(piece, &Value::from("not-executable"), &piece["why"]));
        }
    }
    Ok(seen)
}

fn found(object: &Value, code: &Value, message: &Value) -> Seen {
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let line = u32::try_from(object["at"]["line"].as_u64().unwrap_or(0)).unwrap_or(0);
    Seen { line, code: text(code), message: text(message) }
}

/// The errors of a JSON answer, at our own places.
pub fn errors(answer: &Value) -> Vec<Seen> {
    of_severity(answer, "error")
}

/// The same for warnings and the like.
pub fn of_severity(answer: &Value, severity: &str) -> Vec<Seen> {
    let all = answer["diagnostics"].as_array().cloned().unwrap_or_default();
    let errors = all.iter().filter(|d| d["severity"] == severity);
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    errors
        .map(|d| Seen {
            line: u32::try_from(d["line"].as_u64().unwrap_or(0)).unwrap_or(0),
            code: text(&d["code"]),
            message: text(&d["message"]),
        })
        .collect()
}

/// The verdict of a JSON answer.
pub fn verdict(answer: &Value) -> &str {
    answer["verdict"].as_str().unwrap_or("none")
}
