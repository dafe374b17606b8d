//! Gathers the pages of the manual, chapters and diagnostic codes, into two tables.

use std::fmt::Write;
use std::{env, fs, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    gather("tests/spec", "chapters.rs");
    gather("tests/spec/codes", "pages.rs");
}

/// Writes a table of the names and texts of all Markdown files in a folder of the repository. Paths
/// are relative to the crate, so that a copied `target` does not read the pages of another checkout.
fn gather(folder: &str, table_name: &str) {
    let folder = format!("../../{folder}");
    let crate_folder = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo:rerun-if-changed={folder}");
    let mut names: Vec<_> = fs::read_dir(Path::new(&crate_folder).join(&folder))
        .map(|entries| entries.filter_map(Result::ok).map(|entry| entry.path()).collect())
        .unwrap_or_default();
    names.retain(|path| path.extension().is_some_and(|e| e == "md"));
    names.sort();
    let mut table = String::from("&[\n");
    for path in names {
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let path = format!("/{folder}/{name}.md");
        let text = format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))");
        writeln!(table, "    ({name:?}, {text}),").ok();
    }
    table.push(']');
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    if let Err(error) = fs::write(Path::new(&out).join(table_name), table) {
        println!("cargo:warning=cannot write the table {table_name}: {error}");
    }
}
