//! The Z3 library that this workspace is built against.
//!
//! The work is in `build.rs`: it fetches a pinned wheel and tells cargo where `libz3` is.
//! Whoever links Z3 depends on this crate; only `prover` does.

/// The version that the build script provides, unless `Z3_LIBRARY_PATH_OVERRIDE` was set.
pub const VERSION: &str = "4.15.4";
