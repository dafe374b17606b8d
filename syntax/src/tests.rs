//! Tree files, and the promises of the crate on many texts.

mod fuzz;
mod promises;
mod recovery;
mod tree_files;

/// All programs of `test_data`, and the examples for users.
pub(crate) fn programs() -> Vec<(std::path::PathBuf, String)> {
    let folders = ["ok", "err", EXAMPLES, BROKEN_EXAMPLES];
    folders.into_iter().flat_map(tree_files::programs).collect()
}

/// Programs without a syntax error.
pub(crate) fn good_programs() -> Vec<(std::path::PathBuf, String)> {
    ["ok", EXAMPLES].into_iter().flat_map(tree_files::programs).collect()
}

const EXAMPLES: &str = "../../tests/examples";
const BROKEN_EXAMPLES: &str = "../../tests/examples/broken";
