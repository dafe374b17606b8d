//! The command line as its users see it: a process, its output and its exit code.
#![allow(clippy::expect_used, reason = "helpers of tests stop at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn civl(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_civl")).args(arguments).output().expect("civl starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli");
    std::fs::create_dir_all(&folder).expect("a folder for test files");
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a test file");
    path
}

#[test]
fn the_version_names_the_tool_and_the_solver() {
    let output = civl(&["--version"]);
    let text = stdout(&output);
    assert!(text.starts_with("civl "), "{text}");
    assert!(text.contains("\nz3 4."), "{text}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_missing_file_is_bad_input_and_is_named() {
    let output = civl(&["verify", "/nowhere/at-all.bpl"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/nowhere/at-all.bpl"));
}

#[test]
fn a_wrong_option_is_bad_input() {
    assert_eq!(civl(&["verify", "--no-such-option"]).status.code(), Some(3));
    assert_eq!(civl(&["verify", "--time-limit", "-1", "x.bpl"]).status.code(), Some(3));
}

#[test]
fn an_unknown_library_is_bad_input() {
    let path = file("empty.bpl", b"");
    assert_eq!(
        civl(&["verify", "--lib", "nope", &path.display().to_string()]).status.code(),
        Some(3)
    );
}

#[test]
fn bytes_that_are_no_text_get_a_position() {
    let path = file("latin.bpl", b"// caf\xe9\nvar x: int;\n");
    let output = civl(&["verify", "--format", "json", &path.display().to_string()]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let first = &json["diagnostics"][0];
    assert_eq!(
        (first["code"].as_str(), first["line"].as_u64()),
        (Some("invalid-utf8"), Some(1)),
        "{json}"
    );
    assert_eq!(first["column"], 7);
    assert_eq!(output.status.code(), Some(3));
}
