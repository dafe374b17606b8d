//! `civl explain CODE`: the manual page of a diagnostic code.

use super::Exit;

#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The code, as printed in brackets; without it all codes are listed.
    code: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let Some(code) = &arguments.code else { return super::answer(&list()) };
    match ide::explain(code) {
        Some(page) => super::answer(&format!("{}\n", page.text.trim_end())),
        None => {
            super::complain(&format!("there is no code `{code}`; `civl explain` lists all"));
            Exit::BadInput
        }
    }
}

fn list() -> String {
    let width = ide::codes().map(|(page, _)| page.code.len()).max().unwrap_or(0);
    ide::codes().map(|(page, _)| format!("{:width$}  {}\n", page.code, page.summary)).collect()
}
