//! Reading sources and programs from disk: the only disk access besides the verdict cache.
//!
//! **In:** paths a person typed, or none. **Out:** the texts that form each program.
//!
//! # Invariants
//! - Bytes that are no UTF-8 never stop a run: they are replaced, and the first one is reported.
//! - Only ordinary files are read, besides standard input: reading a pipe or a device could last for
//!   ever. A file that a `civl.toml` names lies below it.
//! - A program of which a file cannot be read is never taken for the whole.
//! - Two files never have the same name, see [`name`].

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::manifest::{self, Manifest, ProgramEntry};
use crate::programs;

/// Larger files are refused instead of filling memory.
const LARGEST_FILE: u64 = 256 << 20;

/// What standard input is called.
const STANDARD_INPUT: &str = "<stdin>";

/// One source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The path as the person wrote it, see [`name`].
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
    /// The manifest that says so.
    pub manifest: Option<PathBuf>,
    /// Why nothing can be said of the program: its manifest cannot be understood, or a file that it
    /// names cannot be read.
    pub problem: Option<String>,
}

/// The programs meant by `files`: those that a single file is part of, see [`programs`]; one program of
/// several files; without files, every program of the nearest `civl.toml`.
pub fn programs(files: &[PathBuf], libs: &[String]) -> anyhow::Result<Vec<ProgramSources>> {
    match programs::distinct(files).as_slice() {
        [] => programs_of_workspace(&std::env::current_dir()?, libs),
        [single] if !programs::is_standard_input(single) => programs_around(single, libs),
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
    let all = manifest.programs.iter().map(|entry| (path.as_path(), entry));
    Ok(read_named_programs(all, libs))
}

fn programs_around(file: &Path, libs: &[String]) -> anyhow::Result<Vec<ProgramSources>> {
    let own = programs::identity(file);
    let (mut manifests, mut broken) = (Vec::new(), Vec::new());
    for path in programs::manifests_of(file) {
        match read_manifest(&path) {
            Ok(manifest) => manifests.push((path, manifest)),
            Err(error) => broken.push(ProgramSources {
                files: Vec::new(),
                libs: Vec::new(),
                manifest: Some(programs::shown(&path)),
                problem: Some(format!("{error:#}")),
            }),
        }
    }
    let all =
        manifests.iter().flat_map(|(path, it)| it.programs.iter().map(|p| (path.as_path(), p)));
    let named = all.filter(|(_, entry)| entry.files.iter().any(|f| programs::identity(f) == own));
    let mut found = read_named_programs(named, libs);
    found.append(&mut broken);
    match found.is_empty() {
        true => Ok(vec![read_program(&[file.to_path_buf()], libs)?]),
        false => Ok(found),
    }
}

/// Reads a manifest; the paths in it come back joined to its folder.
pub fn read_manifest(path: &Path) -> anyhow::Result<Manifest> {
    let text = read_manifest_text(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    manifest::parse(&text, folder).with_context(|| format!("in {}", path.display()))
}

/// The text of a manifest.
pub fn read_manifest_text(path: &Path) -> anyhow::Result<String> {
    let source = read_file(path)?;
    if source.replaced_at.is_some() {
        bail!("{} is not valid UTF-8", path.display());
    }
    Ok(source.text)
}

/// Programs that manifests name, with these libraries too; what is named twice is one program.
fn read_named_programs<'m>(
    named: impl Iterator<Item = (&'m Path, &'m ProgramEntry)>,
    libs: &[String],
) -> Vec<ProgramSources> {
    let mut seen: Vec<(Vec<PathBuf>, &[String])> = Vec::new();
    let mut found = Vec::new();
    for (manifest, entry) in named {
        let own = (entry.files.iter().map(|file| programs::identity(file)).collect(), &*entry.libs);
        if !seen.contains(&own) {
            seen.push(own);
            found.push(read_named_program(manifest, entry, libs));
        }
    }
    found
}

fn read_named_program(manifest: &Path, entry: &ProgramEntry, libs: &[String]) -> ProgramSources {
    let (mut files, mut problem) = (Vec::new(), None);
    for file in &entry.files {
        match read_file(&programs::shown(file)) {
            Ok(source) => files.push(source),
            Err(error) => problem = problem.or(Some(format!("{error:#}"))),
        }
    }
    let manifest = Some(programs::shown(manifest));
    ProgramSources { files, libs: join(&entry.libs, libs), manifest, problem }
}

fn read_program(files: &[PathBuf], libs: &[String]) -> anyhow::Result<ProgramSources> {
    let files = files.iter().map(|f| read_source(f)).collect::<anyhow::Result<_>>()?;
    Ok(ProgramSources { files, libs: libs.to_vec(), manifest: None, problem: None })
}

/// Reads one text that a person named; `-` is standard input.
pub fn read_source(path: &Path) -> anyhow::Result<Source> {
    if !programs::is_standard_input(path) {
        return read_file(path);
    }
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)
        .context("reading standard input")?;
    Ok(decode(STANDARD_INPUT.into(), bytes))
}

/// The name of a file, by which the analysis knows it and people see it: never that of another file, of
/// standard input or of a library. What is no Unicode is written as in an address.
pub fn name(path: &Path) -> String {
    match path.to_str() {
        Some(text) if text == STANDARD_INPUT || path.is_relative() && text.contains("://") => {
            format!("./{text}")
        }
        Some(text) => text.to_owned(),
        None => tower_lsp::lsp_types::Url::from_file_path(programs::absolute(path))
            .map_or_else(|()| format!("{path:?}"), |address| address.to_string()),
    }
}

/// Reads one ordinary file.
pub fn read_file(path: &Path) -> anyhow::Result<Source> {
    let shown = name(path);
    let found = fs::metadata(path).with_context(|| format!("cannot read {shown}"))?;
    if found.is_dir() {
        bail!("{shown} is a folder; name the files to work on");
    }
    if !found.is_file() {
        bail!("{shown} is not an ordinary file; `-` reads standard input");
    }
    if found.len() > LARGEST_FILE {
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
