//! `civl` finds `libz3` beside it, wherever the pair is moved to, or where `z3-dist` keeps it.

#[path = "../analysis/z3-dist/keep.rs"]
mod keep;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../analysis/z3-dist/keep.rs");
    let run_path = if std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|os| os == "macos") {
        "@loader_path"
    } else {
        "$ORIGIN"
    };
    println!("cargo:rustc-link-arg=-Wl,-rpath,{run_path}");
    if let Some(kept) = keep::folder() {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", kept.display());
    }
}
