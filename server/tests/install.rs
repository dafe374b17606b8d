//! What people install: the archive runs anywhere, and the program describes and examines itself.
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "helpers of tests stop at the first surprise"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CIVL: &str = env!("CARGO_BIN_EXE_civl");

/// A folder of its own for each test, empty at the start.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("install").join(name);
    let _not_there = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
fn an_unpacked_archive_proves_with_an_empty_environment() {
    let folder = fresh("archive");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("archive");
    let packed = folder.join("civl-test.tar.gz");
    let output = run(Command::new(script).arg(CIVL).arg(&packed));
    assert!(output.status.success(), "{}", text(&output));
    let output = run(Command::new("tar").arg("-xzf").arg(&packed).arg("-C").arg(&folder));
    assert!(output.status.success(), "{}", text(&output));
    let home = folder.join("civl-test");
    for file in [
        "share/man/man1/civl.1",
        "share/completions/civl.bash",
        "share/doc/LICENSE-MIT",
        "share/doc/LICENSE-APACHE",
        "share/doc/THIRD-PARTY",
        "share/doc/manual/index.html",
    ] {
        assert!(home.join(file).is_file(), "{file}");
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/examples/spin_lock.bpl");
    std::fs::copy(example, folder.join("spin_lock.bpl")).expect("an example");
    let mut civl = Command::new(home.join("bin/civl"));
    let output = run(civl.args(["verify", "spin_lock.bpl"]).env_clear().current_dir(&folder));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let mut civl = Command::new(home.join("bin/civl"));
    let output = run(civl.arg("doctor").env_clear().current_dir(&folder));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn the_doctor_finds_a_healthy_machine_healthy() {
    let folder = fresh("doctor");
    let mut civl = Command::new(CIVL);
    let output =
        run(civl.args(["doctor", "--format", "json", "--cache", "."]).current_dir(&folder));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["healthy"], true, "{answer}");
    let state = |name: &str| {
        let all = answer["checks"].as_array().cloned().unwrap_or_default();
        all.into_iter().find(|c| c["name"] == name).map(|c| c["state"].clone())
    };
    for name in ["solver", "workers", "cache"] {
        assert_eq!(state(name), Some("ok".into()), "{name}: {answer}");
    }
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_doctor_names_a_manifest_that_leaves_its_folder() {
    let folder = fresh("doctor-manifest");
    std::fs::write(folder.join("civl.toml"), "programs = [{ files = [\"../x.bpl\"] }]")
        .expect("a manifest");
    let output = run(Command::new(CIVL).arg("doctor").current_dir(&folder));
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output).contains("leaves the folder"), "{}", text(&output));
}

#[test]
fn shells_and_man_know_every_subcommand() {
    let help = text(&run(Command::new(CIVL).arg("--help")));
    let commands = help.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next());
    let names: Vec<&str> = commands
        .expect("a list of commands")
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.contains(&"verify") && names.len() > 12, "{names:?}");
    let folder = fresh("man");
    let output = run(Command::new(CIVL).args(["man", "--out"]).arg(&folder));
    assert!(output.status.success(), "{}", text(&output));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let completions = text(&run(Command::new(CIVL).args(["completions", shell])));
        for name in &names {
            assert!(completions.contains(name), "{shell} does not know {name}");
            assert!(folder.join(format!("civl-{name}.1")).is_file(), "no page for {name}");
        }
    }
}
