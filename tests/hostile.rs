//! Texts that nobody writes: each gets an answer with positions, in time, without a crash.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests start programs"
)]

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use civl_tests::{expect_none, in_parallel};
use serde_json::Value;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
const DEPTH: usize = 100_000;

fn texts() -> Vec<(&'static str, Vec<u8>)> {
    let nested = |head: &str, open: &str, core: &str, close: &str, tail: &str| {
        format!("{head}{}{core}{}{tail}", open.repeat(DEPTH), close.repeat(DEPTH)).into_bytes()
    };
    vec![
        ("parentheses", nested("procedure P() { assert ", "(", "true", ")", "; }")),
        ("open parentheses", nested("procedure P() { assert ", "(", "", "", "")),
        ("blocks", nested("procedure P() ", "{ if (true) ", "", "}", "")),
        ("comments", nested("", "/*", "", "*/", "\nvar x: int;\n")),
        ("conditional values", nested("axiom 0 == ", "if true then 1 else ", "0", "", ";")),
        ("quantifiers", nested("axiom ", "(forall x: int :: ", "true", ")", ";")),
        ("sums", nested("axiom 0 == ", "1 + ", "1", "", ";")),
        ("negations", nested("axiom ", "!", "true", "", ";")),
        ("map types", nested("var x: ", "[int]", "int", "", ";")),
        ("attributes", nested("", "{:a ", "1", "}", "")),
        ("one long line", "const a: int; ".repeat(70_000).into_bytes()),
        (
            "many declarations",
            (0..2000)
                .map(|n| format!("procedure P{n}(x: int) {{ call P{n}(x); }}\n"))
                .collect::<String>()
                .into_bytes(),
        ),
        ("noise", (0..200_000u64).map(|n| (n * 7919 + n * n * 31) as u8).collect()),
        ("no text", vec![0xff; 1000]),
        ("nothing", Vec::new()),
    ]
}

#[test]
fn every_hostile_text_gets_an_answer() {
    let folder = std::env::temp_dir().join(format!("civl-hostile-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the texts");
    let answers = in_parallel(&texts(), |(name, bytes)| complaint(&folder, name, bytes));
    let _left_behind = std::fs::remove_dir_all(&folder);
    expect_none(&answers.into_iter().flatten().collect::<Vec<_>>());
}

fn complaint(folder: &std::path::Path, name: &str, bytes: &[u8]) -> Option<String> {
    let path: PathBuf = folder.join(format!("{}.bpl", name.replace(' ', "-")));
    std::fs::write(&path, bytes).expect("a text can be written");
    let began = Instant::now();
    let output = Command::new("timeout")
        .args(["100", CIVL, "check", "--format", "json"])
        .arg(&path)
        .output()
        .expect("civl starts");
    println!("{name}: {} ms, exit {:?}", began.elapsed().as_millis(), output.status.code());
    let Ok(answer) = serde_json::from_slice::<Value>(&output.stdout) else {
        return Some(format!("{name}: no answer, exit {:?}", output.status.code()));
    };
    let all = answer["diagnostics"].as_array().cloned().unwrap_or_default();
    let placed = all.iter().all(|d| d["line"].as_u64().is_some_and(|line| line > 0));
    let exit_fits = matches!(output.status.code(), Some(0 | 1 | 3));
    (!placed || !exit_fits).then(|| format!("{name}: {:?} {answer}", output.status.code()))
}
