//! Gathers the pages of the manual, chapters and diagnostic codes, into two tables.

use std::fmt::Write;
use std::{env, fs, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    gather("tests/spec", "chapters.rs");
    gather("tests/spec/codes", "pages.rs");
}

/// Writes a table of the names and texts of all Markdown files in a folder of the repository.
fn gather(folder: &str, table_name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut names: Vec<_> = fs::read_dir(&folder)
        .map(|entries| entries.filter_map(Result::ok).map(|entry| entry.path()).collect())
        .unwrap_or_default();
    names.retain(|path| path.extension().is_some_and(|e| e == "md"));
    names.sort();
    let mut table = String::from("&[\n");
    for path in names {
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let path = path.canonicalize().unwrap_or(path);
        writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string()).ok();
    }
    table.push(']');
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    if let Err(error) = fs::write(Path::new(&out).join(table_name), table) {
        println!("cargo:warning=cannot write the table {table_name}: {error}");
    }
}
