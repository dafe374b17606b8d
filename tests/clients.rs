//! Clients that are not ours: Neovim's built-in one and the Python library pygls.
//!
//! Each is used when it is installed; otherwise the test says that it was skipped.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests start other programs"
)]

use std::path::PathBuf;
use std::process::{Command, Stdio};

use civl_tests::root;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("civl-clients-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let program = "procedure P(x: int)\n{\n  assert x == 0;\n  assert nowhere;\n}\n";
    std::fs::write(folder.join("program.bpl"), program).expect("a program");
    folder
}

fn run(mut command: Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    println!("{text}");
    Some(text)
}

#[test]
fn neovim_shows_diagnostics_and_hover() {
    let mut version = Command::new("nvim");
    version.arg("--version");
    if run(version).is_none() {
        println!("skipped: nvim is not installed");
        return;
    }
    let folder = folder("neovim");
    let script = root().join("tests/clients/neovim.lua");
    let mut command = Command::new("timeout");
    command
        .args(["60", "nvim", "--clean", "--headless"])
        .arg(folder.join("program.bpl"))
        .arg("-c")
        .arg(format!("luafile {}", script.display()))
        .env("CIVL", CIVL)
        .env("HOME", &folder);
    let text = run(command).expect("nvim runs");
    let _left_behind = std::fs::remove_dir_all(&folder);
    assert!(text.contains("DIAGNOSTIC undeclared-identifier 4"), "{text}");
    assert!(text.contains("HOVER procedure P(x: int)"), "{text}");
}

#[test]
fn pygls_opens_hovers_and_shuts_down() {
    let mut probe = Command::new("python3");
    probe.args(["-c", "import pygls; print('pygls is here')"]);
    if !run(probe).is_some_and(|text| text.contains("pygls is here")) {
        println!("skipped: the Python library pygls is not installed");
        return;
    }
    let folder = folder("pygls");
    let mut command = Command::new("timeout");
    command
        .args(["60", "python3"])
        .arg(root().join("tests/clients/pygls_client.py"))
        .arg(CIVL)
        .arg(folder.join("program.bpl"));
    let text = run(command).expect("python runs");
    let _left_behind = std::fs::remove_dir_all(&folder);
    assert!(text.contains("DIAGNOSTIC undeclared-identifier 4"), "{text}");
    assert!(text.contains("HOVER"), "{text}");
    assert!(text.contains("EXIT 0"), "{text}");
}
