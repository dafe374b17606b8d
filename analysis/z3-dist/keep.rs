//! Where a copy of libz3 stays when `target` is gone, for programs that `cargo install` put elsewhere.
//!
//! Read by the build scripts of `z3-dist`, which puts it there, and of `server`, which looks there.

/// The release that every platform gets. `.cargo/config.toml` and `src/lib.rs` name the same.
pub(crate) const RELEASE: &str = "4.15.4.0";

/// `civl-analyzer/z3-RELEASE` in the user's data directory.
pub(crate) fn folder() -> Option<std::path::PathBuf> {
    println!("cargo:rerun-if-env-changed=XDG_DATA_HOME");
    println!("cargo:rerun-if-env-changed=HOME");
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let base = match named("XDG_DATA_HOME") {
        Some(folder) => std::path::PathBuf::from(folder),
        None => std::path::PathBuf::from(named("HOME")?).join(".local/share"),
    };
    Some(base.join("civl-analyzer").join(format!("z3-{RELEASE}")))
}
