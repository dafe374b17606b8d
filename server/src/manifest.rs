//! `civl.toml`: which files form a program together.
//!
//! ```toml
//! programs = [{ files = ["a.bpl", "b.bpl"], libs = ["base"] }]
//! ```
//!
//! **In:** its text and folder. **Out:** a [`Manifest`] whose paths are joined to the folder.
//!
//! # Invariants
//! - No path leaves the folder of the manifest: absolute paths and `..` are refused.
//! - No program names a file twice, however it is spelt.
//! - An unknown key is an error, so that a typing mistake is not silently ignored.

use std::path::{Component, Path, PathBuf};

use anyhow::bail;
use serde::Deserialize;

use crate::programs;

/// File name of a manifest.
pub const NAME: &str = "civl.toml";

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    #[serde(default)]
    pub programs: Vec<ProgramEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramEntry {
    pub files: Vec<PathBuf>,
    #[serde(default)]
    pub libs: Vec<String>,
}

/// Reads a manifest and joins its paths to `folder`.
pub fn parse(text: &str, folder: &Path) -> anyhow::Result<Manifest> {
    let mut manifest: Manifest = toml::from_str(text)?;
    for program in &mut manifest.programs {
        if program.files.is_empty() {
            bail!("a program needs at least one file");
        }
        for file in &mut program.files {
            if !stays_inside(file) {
                bail!("`{}` leaves the folder of civl.toml", file.display());
            }
            // Without `.`, so that it is spelt as editors spell it.
            *file = folder
                .join(file.components().filter(|c| *c != Component::CurDir).collect::<PathBuf>());
            if leaves_by_link(file, folder) {
                bail!("`{}` is a link that leaves the folder of civl.toml", file.display());
            }
        }
        program.files = programs::distinct(&program.files);
    }
    Ok(manifest)
}

/// The manifest in `folder` or the nearest folder above it.
pub fn nearest(folder: &Path) -> Option<PathBuf> {
    programs::manifests_above(folder).into_iter().next()
}

fn stays_inside(path: &Path) -> bool {
    path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir))
}

fn leaves_by_link(file: &Path, folder: &Path) -> bool {
    match (file.canonicalize(), folder.canonicalize()) {
        (Ok(file), Ok(folder)) => !file.starts_with(folder),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_joined_to_the_folder() {
        let manifest = parse(
            "programs = [{ files = [\"a.bpl\", \"sub/b.bpl\"], libs = [\"base\"] }]",
            Path::new("w"),
        )
        .unwrap();
        assert_eq!(
            manifest.programs[0].files,
            [PathBuf::from("w/a.bpl"), PathBuf::from("w/sub/b.bpl")]
        );
        assert_eq!(manifest.programs[0].libs, ["base"]);
    }

    #[test]
    fn paths_that_leave_the_workspace_are_refused() {
        for path in ["../x.bpl", "/etc/passwd", "a/../../x"] {
            let text = format!("programs = [{{ files = [\"{path}\"] }}]");
            assert!(parse(&text, Path::new("w")).is_err(), "{path}");
        }
    }

    #[test]
    fn a_misspelt_key_is_an_error() {
        assert!(parse("program = []", Path::new("w")).is_err());
    }
}
