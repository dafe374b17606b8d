//! Programs inside Markdown.
//!
//! A fence of three back-ticks opens with `civl` and then, optionally, one word:
//! - nothing: the static phases run, and their errors must be exactly the marked ones;
//! - `verify`: the program is proved, and the errors must be exactly the marked ones (none marked:
//!   it must be verified);
//! - `unknown`: the program is neither verified nor refuted;
//! - `explore`: all runs of a small instance are looked at, and what is found is exactly what is marked;
//! - `vacuity`: the program is verified with `--vacuity`, and the warnings are exactly the marked ones;
//! - `fragment`: a piece of a program, not run.
//!
//! Fences of other languages are not run.

/// What to do with a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Check,
    Verify,
    Unknown,
    Vacuity,
    Explore,
}

/// One program of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Line of its first line in the page, from 1.
    pub line: u32,
    pub mode: Mode,
    pub text: String,
}

/// The programs of a page, or what is wrong with its fences.
pub fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else { continue };
        let mode = mode(info).map_err(|why| format!("line {}: {why}", at + 1))?;
        let mut text = String::new();
        let closed = lines.by_ref().map(|(_, line)| line).any(|line| {
            let end = line.trim_start().starts_with("```");
            if !end {
                text.push_str(line);
                text.push('\n');
            }
            end
        });
        if !closed {
            return Err(format!("line {}: the fence is never closed", at + 1));
        }
        let line = u32::try_from(at + 2).unwrap_or(0);
        blocks.extend(mode.map(|mode| Block { line, mode, text }));
    }
    Ok(blocks)
}

fn mode(info: &str) -> Result<Option<Mode>, String> {
    let mut words = info.split_whitespace();
    if words.next() != Some("civl") {
        return Ok(None);
    }
    match words.next() {
        None => Ok(Some(Mode::Check)),
        Some("verify") => Ok(Some(Mode::Verify)),
        Some("unknown") => Ok(Some(Mode::Unknown)),
        Some("explore") => Ok(Some(Mode::Explore)),
        Some("vacuity") => Ok(Some(Mode::Vacuity)),
        Some("fragment") => Ok(None),
        Some(other) => Err(format!("`{other}` is no way to run a program")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_are_found_and_their_lines_are_known() {
        let page = "# A\n```civl\nvar x: int;\n```\n```sh\nls\n```\n```civl verify\ny\n```\n```civl fragment\n.\n```\n";
        let found = blocks(page).unwrap();
        let short: Vec<_> = found.iter().map(|b| (b.line, b.mode, b.text.as_str())).collect();
        assert_eq!(short, [(3, Mode::Check, "var x: int;\n"), (9, Mode::Verify, "y\n")]);
    }

    #[test]
    fn an_unknown_way_to_run_is_an_error() {
        assert!(blocks("```civl prove\n```\n").is_err());
    }
}
