//! `civl dump --at STAGE`: look inside the pipeline.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::{Exit, Sources, engine};

#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Which stage to show.
    #[arg(long, value_enum)]
    at: At,
    /// With `--at view`: this layer only.
    #[arg(long, value_name = "N")]
    layer: Option<u32>,
    #[command(flatten)]
    sources: Sources,
    /// With `--at obligations`: also write each question as SMT-LIB into this folder.
    #[arg(long, value_name = "DIR")]
    smt2: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum At {
    Tokens,
    Tree,
    Decls,
    Cfg,
    View,
    Obligations,
    Units,
}

impl At {
    fn stage(self, layer: Option<u32>) -> ide::Stage {
        match self {
            At::Tokens => ide::Stage::Tokens,
            At::Tree => ide::Stage::Tree,
            At::Decls => ide::Stage::Decls,
            At::Cfg => ide::Stage::Cfg,
            At::View => ide::Stage::View(layer),
            At::Obligations => ide::Stage::Obligations,
            At::Units => ide::Stage::Units,
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    match dump(arguments) {
        Ok(exit) => exit,
        Err(error) => super::bad_input(&error),
    }
}

fn dump(arguments: &Arguments) -> anyhow::Result<Exit> {
    let opened = engine::open_single(&arguments.sources)?;
    let analysis = opened.host.analysis();
    let stage = arguments.at.stage(arguments.layer);
    let text = analysis.dump(opened.program, stage).map_err(anyhow::Error::msg)?;
    super::print(&text);
    if let Some(folder) = &arguments.smt2 {
        let scripts = analysis.smt2(opened.program).map_err(anyhow::Error::msg)?;
        let written = write_scripts(folder, &scripts);
        return Ok(written.map_or_else(|error| super::unwritten(&error), |()| Exit::Proved));
    }
    Ok(Exit::Proved)
}

fn write_scripts(folder: &Path, scripts: &[(String, String)]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, script) in scripts {
        std::fs::write(folder.join(format!("{}.smt2", file_name(name))), script)?;
    }
    Ok(())
}

/// An obligation id as a file name that cannot leave its folder.
fn file_name(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = id.chars().map(plain).take(200).collect();
    name.trim_start_matches('.').to_owned()
}
