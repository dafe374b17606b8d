//! Reading sources and programs from disk: the only disk access besides the verdict cache.
//!
//! **In:** paths a person typed, or none. **Out:** the texts that form each program.
//!
//! # Invariants
//! - Bytes that are no UTF-8 never stop a run: they are replaced, and the first one is reported.
//! - A file named by a document (`civl.toml`) is read only when it lies inside the workspace and is
//!   an ordinary file: reading a pipe or a device could last for ever.

use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};

use crate::manifest::{self, Manifest, ProgramEntry};

/// Larger files are refused instead of filling memory.
const LARGEST_FILE: u64 = 256 << 20;

/// One source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The path as the person wrote it.
    pub path: String,
    pub text: String,
    /// Offset in `text` of the first replaced byte, when the file was not UTF-8.
    pub replaced_at: Option<u32>,
}

/// The sources that are checked together, and the libraries asked for by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramSources {
    pub files: Vec<Source>,
    pub libs: Vec<String>,
}

/// The programs meant by `files`: one program of all of them, or, where a `civl.toml` beside a
/// single file names it, that program; without files, every program of the nearest `civl.toml`.
pub fn programs(files: &[PathBuf], libs: &[String]) -> anyhow::Result<Vec<ProgramSources>> {
    match files {
        [] => programs_of_workspace(&std::env::current_dir()?, libs),
        [single] => Ok(vec![program_around(single, libs)?]),
        several => Ok(vec![read_program(several, libs)?]),
    }
}

fn programs_of_workspace(folder: &Path, libs: &[String]) -> anyhow::Result<Vec<ProgramSources>> {
    let Some(path) = manifest::nearest(folder) else {
        bail!("name a file to work on; there is no civl.toml here or above");
    };
    let manifest = read_manifest(&path)?;
    if manifest.programs.is_empty() {
        bail!("{} lists no programs", path.display());
    }
    manifest.programs.iter().map(|p| read_named_program(p, libs)).collect()
}

fn program_around(file: &Path, libs: &[String]) -> anyhow::Result<ProgramSources> {
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let manifest_path = folder.join(manifest::NAME);
    if manifest_path.is_file() {
        let manifest = read_manifest(&manifest_path)?;
        if let Some(program) =
            manifest.programs.iter().find(|p| p.files.iter().any(|f| same_path(f, file)))
        {
            return read_named_program(program, libs);
        }
    }
    read_program(&[file.to_path_buf()], libs)
}

/// Reads a manifest; the paths in it come back joined to its folder.
pub fn read_manifest(path: &Path) -> anyhow::Result<Manifest> {
    let source = read_named(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    manifest::parse(&source.text, folder).with_context(|| format!("in {}", path.display()))
}

/// A program that a manifest names, with these libraries too.
fn read_named_program(program: &ProgramEntry, libs: &[String]) -> anyhow::Result<ProgramSources> {
    let files = program.files.iter().map(|f| read_named(f)).collect::<anyhow::Result<_>>()?;
    Ok(ProgramSources { files, libs: join(&program.libs, libs) })
}

fn read_program(files: &[PathBuf], libs: &[String]) -> anyhow::Result<ProgramSources> {
    let files = files.iter().map(|f| read_source(f)).collect::<anyhow::Result<_>>()?;
    Ok(ProgramSources { files, libs: libs.to_vec() })
}

/// Reads one text that a document names, not a person.
pub fn read_named(path: &Path) -> anyhow::Result<Source> {
    let shown = path.display();
    let found = fs::metadata(path).with_context(|| format!("cannot read {shown}"))?;
    if !found.is_file() && !found.is_dir() {
        bail!("{shown} is not an ordinary file");
    }
    read_source(path)
}

/// Reads one text; `-` is standard input.
pub fn read_source(path: &Path) -> anyhow::Result<Source> {
    let shown = path.display().to_string();
    if shown == "-" {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)
            .context("reading standard input")?;
        return Ok(decode("<stdin>".into(), bytes));
    }
    let size = fs::metadata(path).with_context(|| format!("cannot read {shown}"))?;
    if size.is_dir() {
        bail!("{shown} is a folder; name the files to work on");
    }
    if size.len() > LARGEST_FILE {
        bail!("{shown} is larger than {} MB", LARGEST_FILE >> 20);
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read {shown}"))?;
    Ok(decode(shown, bytes))
}

fn decode(path: String, bytes: Vec<u8>) -> Source {
    match String::from_utf8(bytes) {
        Ok(text) => Source { path, text, replaced_at: None },
        Err(error) => {
            let replaced_at = u32::try_from(error.utf8_error().valid_up_to()).unwrap_or(u32::MAX);
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Source { path, text, replaced_at: Some(replaced_at) }
        }
    }
}

/// Writes a formatted source back, through a neighbour file so that a crash loses nothing.
pub fn write_source(path: &Path, text: &str) -> anyhow::Result<()> {
    let shown = path.display();
    let mut neighbour = path.as_os_str().to_owned();
    neighbour.push(".civl-new");
    let neighbour = PathBuf::from(neighbour);
    // A link of this name, perhaps put there by a stranger, is removed and never followed.
    let _none_there = fs::remove_file(&neighbour);
    fs::File::options()
        .write(true)
        .create_new(true)
        .open(&neighbour)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", neighbour.display()))?;
    if let Ok(meta) = fs::metadata(path) {
        let _kept_if_possible = fs::set_permissions(&neighbour, meta.permissions());
    }
    fs::rename(&neighbour, path).with_context(|| format!("cannot replace {shown}"))
}

/// All sources below `folder`, sorted.
pub fn sources_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    below(folder, &is_source)
}

/// All files below `folder` that are `wanted`, sorted; nothing in hidden folders.
pub fn below(folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(next) = todo.pop() {
        for entry in
            fs::read_dir(&next).with_context(|| format!("cannot list {}", next.display()))?
        {
            let entry = entry?;
            let path = entry.path();
            let kind = entry.file_type()?;
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if kind.is_dir() && !hidden {
                todo.push(path);
            } else if kind.is_file() && wanted(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// `.bpl` or `.civl`.
pub fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "bpl" || e == "civl")
}

fn same_path(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => clean(a) == clean(b),
    }
}

fn clean(path: &Path) -> PathBuf {
    path.components().filter(|c| *c != Component::CurDir).collect()
}

fn join(a: &[String], b: &[String]) -> Vec<String> {
    let mut all = a.to_vec();
    all.extend(b.iter().filter(|lib| !a.contains(lib)).cloned());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_replaced_and_reported() {
        let source = decode("a".into(), b"var \xff x".to_vec());
        assert_eq!(source.text, "var \u{fffd} x");
        assert_eq!(source.replaced_at, Some(4));
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read_source(Path::new("/nowhere/x.bpl")).unwrap_err();
        assert!(format!("{error:#}").contains("/nowhere/x.bpl"));
    }
}
