//! The README is true: every block in it is run.
//!
//! | fence | what happens |
//! | --- | --- |
//! | `sh` | each line is a `civl` command and is run; a `text` block behind it is its output |
//! | `sh build` | cargo commands: too long for a test; the arguments for `civl` are run. Counted. |
//! | `toml` | is read, and as a manifest where it lists programs |
//! | `lua` | is read by Neovim, where installed |
//! | `lisp` | its parentheses match |
//!
//! Another fence is an error, so no block is left out silently.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read files and start programs"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use civl_tests::{expect_none, root};

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
/// How many blocks are checked in a cheaper form than run.
const BUILD_BLOCKS: usize = 1;

struct Fence {
    line: usize,
    info: String,
    text: String,
}

fn fences(page: &str) -> Vec<Fence> {
    let mut all: Vec<Fence> = Vec::new();
    let mut open = false;
    for (at, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), open) {
            (Some(info), false) => {
                all.push(Fence { line: at + 1, info: info.to_owned(), text: String::new() });
                open = true;
            }
            (Some(_), true) => open = false,
            (None, true) => {
                let last = all.last_mut().expect("a fence is open");
                last.text.push_str(line);
                last.text.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!open, "a fence is never closed");
    all
}

#[test]
fn every_block_of_the_readme_is_true() {
    let page = std::fs::read_to_string(root().join("README.md")).expect("a README");
    let folder = workplace();
    let mut complaints = Vec::new();
    let mut output = String::new();
    let mut build_blocks = 0;
    for fence in fences(&page) {
        let mut complain =
            |what: String| complaints.push(format!("README.md:{}: {what}", fence.line));
        match fence.info.as_str() {
            "sh" => output = run_lines(&fence, &folder, &mut complain),
            "text" if fence.text != output => complain(format!("the output is\n{output}")),
            "text" => {}
            "sh build" => {
                build_blocks += 1;
                build(&fence, &folder, &mut complain);
            }
            "toml" => toml_is_read(&fence, &folder, &mut complain),
            "lua" => lua_is_read(&fence, &folder, &mut complain),
            "lisp" => {
                let count = |c: char| fence.text.matches(c).count();
                if count('(') != count(')') || count('(') == 0 {
                    complain("the parentheses do not match".into());
                }
            }
            other => complain(format!("nobody knows how to check `{other}`")),
        }
    }
    let _left_behind = std::fs::remove_dir_all(&folder);
    println!("{build_blocks} blocks in a cheaper form");
    assert_eq!(build_blocks, BUILD_BLOCKS);
    expect_none(&complaints);
}

/// A folder in which paths of the repository work and nothing of it is written.
fn workplace() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("civl-readme-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    #[cfg(unix)]
    let _there = std::os::unix::fs::symlink(root().join("tests"), folder.join("tests"));
    folder
}

fn civl(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(CIVL);
    // Nothing is stored before, as on the machine of somebody who reads the README.
    let cache = folder.join("cache");
    let _none_yet = std::fs::remove_dir_all(&cache);
    command.args(arguments).current_dir(folder).env("CIVL_CACHE", cache);
    command.output().expect("civl starts")
}

fn run_lines(fence: &Fence, folder: &Path, complain: &mut impl FnMut(String)) -> String {
    let mut said = String::new();
    for line in fence.text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&"civl", arguments)) = words.split_first() else {
            complain(format!("`{line}` is no civl command"));
            continue;
        };
        let output = civl(arguments, folder);
        if !matches!(output.status.code(), Some(0 | 1)) {
            complain(format!("`{line}` ends with {:?}", output.status.code()));
        }
        said.push_str(&String::from_utf8_lossy(&output.stdout));
    }
    said
}

fn build(fence: &Fence, folder: &Path, complain: &mut impl FnMut(String)) {
    for line in fence.text.lines() {
        if let Some(arguments) = line.strip_prefix("cargo run --release -- ") {
            let words: Vec<&str> = arguments.split_whitespace().collect();
            if civl(&words, folder).status.code() != Some(0) {
                complain(format!("`{line}` fails"));
            }
        } else if line != "cargo test --workspace" {
            complain(format!("`{line}` is no build command"));
        }
    }
}

fn toml_is_read(fence: &Fence, folder: &Path, complain: &mut impl FnMut(String)) {
    if let Err(error) = fence.text.parse::<toml::Table>() {
        complain(error.to_string());
    } else if fence.text.contains("programs")
        && let Err(error) = server::manifest::parse(&fence.text, folder)
    {
        complain(format!("{error:#}"));
    }
}

fn lua_is_read(fence: &Fence, folder: &Path, complain: &mut impl FnMut(String)) {
    let path = folder.join("block.lua");
    std::fs::write(&path, &fence.text).expect("a file");
    let check = format!("lua if not loadfile('{}') then vim.cmd('cquit 1') end", path.display());
    let asked = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-c", &check, "-c", "qall!"])
        .env("HOME", folder)
        .output();
    match asked {
        Ok(output) if output.status.success() => {}
        Ok(_) => complain("Neovim cannot read it".into()),
        Err(_) => println!("skipped: the Lua block (there is no nvim)"),
    }
}
