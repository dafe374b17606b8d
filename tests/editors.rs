//! Our own editor support in real editors: Neovim (the plugin), Emacs (the mode) and Helix (the configuration).
//!
//! The editors are those that `editors/fetch` brought to `target/editors/bin`, so their versions are known; a test whose
//! editor is not there says "skipped". What happens inside an editor is scripted in `tests/clients` in the language
//! of that editor: each script prints `ok: ...` per thing that held and `all steps held` at its end.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests start other programs"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use civl_tests::root;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

/// A home folder of its own, with the program to edit and `civl` on the search path.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Home {
        let folder =
            std::env::temp_dir().join(format!("civl-editors-{}-{name}", std::process::id()));
        std::fs::create_dir_all(folder.join("bin")).expect("a folder for the test");
        let program = root().join("tests/clients/twice.bpl");
        std::fs::copy(program, folder.join("program.bpl")).expect("a program");
        std::fs::write(folder.join("second.bpl"), "const fine: int;\n").expect("another program");
        std::os::unix::fs::symlink(CIVL, folder.join("bin/civl")).expect("a link to civl");
        Home(folder)
    }

    fn join(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// A command that sees nothing of the settings of whoever runs the test.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("timeout");
        let path = std::env::var("PATH").unwrap_or_default();
        command.args(["-k", "5", "300"]).arg(program).current_dir(&self.0).stdin(Stdio::null());
        command.env("HOME", &self.0).env("PATH", format!("{}:{path}", self.join("bin").display()));
        for (variable, folder) in [
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CACHE_HOME", "cache"),
        ] {
            command.env(variable, self.join(folder));
        }
        command
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _left_behind = std::fs::remove_dir_all(&self.0);
    }
}

/// An editor that was fetched.
fn editor(name: &str) -> Option<PathBuf> {
    let path = root().join("target/editors/bin").join(name);
    if !path.exists() {
        println!("skipped: {name} is not there; `editors/fetch {name}` brings it");
        return None;
    }
    Some(path)
}

fn said(mut command: Command) -> String {
    let output = command.output().expect("the editor starts");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    println!("{text}");
    text
}

fn expect_all_steps(text: &str) {
    assert!(text.contains("all steps held") && !text.contains("FAILED"), "{text}");
}

fn neovim(home: &Home, nvim: &Path) -> Command {
    let mut command = home.command(nvim);
    command.args(["--clean", "--headless", "--cmd"]);
    command.arg(format!("set runtimepath^={}", root().join("editors/neovim").display()));
    command
}

fn neovim_holds(name: &str) {
    let Some(nvim) = editor(name) else { return };
    let home = Home::new(name);
    let script = root().join("tests/clients/neovim_plugin.lua");
    let mut command = neovim(&home, &nvim);
    command
        .arg("--cmd")
        .arg(format!("autocmd VimEnter * ++nested luafile {}", script.display()))
        .arg("program.bpl")
        .env("CIVL_SECOND", home.join("second.bpl"));
    expect_all_steps(&said(command));
}

#[test]
fn the_plugin_holds_in_neovim_0_10() {
    neovim_holds("nvim");
}

#[test]
fn the_plugin_holds_in_the_newest_neovim() {
    neovim_holds("nvim-new");
}

#[test]
fn an_old_neovim_is_told_so() {
    let Some(nvim) = editor("nvim-old") else { return };
    let home = Home::new("nvim-old");
    let mut command = neovim(&home, &nvim);
    command.args(["program.bpl", "-c", "qa!"]);
    let text = said(command);
    assert!(text.contains("needs Neovim 0.10 or newer, this is 0.7"), "{text}");
    assert!(!text.contains("stack traceback"), "{text}");
}

/// What the plugin says when `cmd` is this.
fn refusal(name: &str, cmd: &str) -> Option<String> {
    let nvim = editor(name)?;
    let home = Home::new(&format!("{name}-refusal"));
    let mut command = neovim(&home, &nvim);
    let setup = format!("lua require('civl').setup({{ cmd = {{ '{cmd}', 'lsp' }} }})");
    let report = "autocmd VimEnter * lua vim.schedule(function() \
        vim.wait(20000, function() return vim.fn.execute('messages'):find('civl:') ~= nil end) \
        vim.cmd('checkhealth civl | %print | qa!') end)";
    command.args(["--cmd", &setup, "program.bpl", "-c", report]);
    Some(said(command))
}

#[test]
fn a_missing_or_wrong_program_gets_a_message_that_says_what_to_do() {
    let cases = [
        ("/nowhere/civl", "was not found"),
        ("/bin/true", "is not civl: it calls itself `true"),
        ("/bin/cat", "is not civl: it calls itself `cat"),
        ("/dev/null", "was not found"),
    ];
    for name in ["nvim", "nvim-new"] {
        for (cmd, why) in cases {
            let Some(text) = refusal(name, cmd) else { break };
            // Once when the buffer is opened, once in the health report.
            assert!(text.matches(why).count() >= 2, "{name} {cmd}: {text}");
            assert!(text.contains("cargo install --path server"), "{name} {cmd}: {text}");
            assert!(!text.contains("traceback"), "{name} {cmd}: {text}");
        }
    }
}

#[test]
fn the_mode_holds_in_emacs() {
    let Some(emacs) = editor("emacs") else { return };
    let home = Home::new("emacs");
    let mut command = home.command(&emacs);
    command
        .args(["--batch", "-Q", "-L"])
        .arg(root().join("editors/emacs"))
        .arg("-l")
        .arg(root().join("tests/clients/emacs.el"))
        .arg("program.bpl");
    expect_all_steps(&said(command));
}

#[test]
fn the_configuration_holds_in_helix() {
    let Some(hx) = editor("hx") else { return };
    if Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_err() {
        println!("skipped: Helix needs a terminal, and tmux is not installed");
        return;
    }
    let home = Home::new("helix");
    std::fs::create_dir_all(home.join("config/helix")).expect("a folder for the configuration");
    let languages = root().join("editors/helix/languages.toml");
    std::fs::copy(languages, home.join("config/helix/languages.toml")).expect("the configuration");
    let mut command = home.command(&root().join("tests/clients/helix.sh"));
    command.arg(&hx).arg(&home.0).env("TERM", "xterm-256color");
    expect_all_steps(&said(command));
}
