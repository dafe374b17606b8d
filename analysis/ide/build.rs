//! Gathers the manual pages of diagnostic codes into one table.

use std::fmt::Write;
use std::{env, fs, path::Path};

fn main() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/spec/codes");
    println!("cargo:rerun-if-changed={}", pages.display());
    println!("cargo:rerun-if-changed=build.rs");
    let mut names: Vec<_> = fs::read_dir(&pages)
        .map(|entries| entries.filter_map(Result::ok).map(|entry| entry.path()).collect())
        .unwrap_or_default();
    names.retain(|path| path.extension().is_some_and(|e| e == "md"));
    names.sort();
    let mut table = String::from("&[\n");
    for path in names {
        let code = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let path = path.canonicalize().unwrap_or(path);
        writeln!(table, "    ({code:?}, include_str!({:?})),", path.display().to_string()).ok();
    }
    table.push(']');
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    if let Err(error) = fs::write(Path::new(&out).join("pages.rs"), table) {
        println!("cargo:warning=cannot write the table of pages: {error}");
    }
}
