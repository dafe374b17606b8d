//! Tree files, and the promises of the crate on many texts.

mod fuzz;
mod promises;
mod recovery;
mod tree_files;

/// All programs of `test_data`.
pub(crate) fn programs() -> Vec<(std::path::PathBuf, String)> {
    let mut all = tree_files::programs("ok");
    all.extend(tree_files::programs("err"));
    all
}
