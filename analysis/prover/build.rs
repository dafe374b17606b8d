//! Tests, examples and the worker find `libz3` beside or above them, without help from cargo.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let run_path = if std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|os| os == "macos") {
        "@loader_path"
    } else {
        "$ORIGIN"
    };
    println!("cargo:rustc-link-arg=-Wl,-rpath,{run_path},-rpath,{run_path}/..");
}
