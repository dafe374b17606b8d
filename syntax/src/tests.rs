//! Tree files, and the promises of the crate on many texts.

mod promises;
mod recovery;
mod tree_files;
