//! `civl-under-test` finds `libz3`, which lies beside it, wherever the pair is moved to.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let run_path = if std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|os| os == "macos") {
        "@loader_path"
    } else {
        "$ORIGIN"
    };
    println!("cargo:rustc-link-arg=-Wl,-rpath,{run_path}");
}
