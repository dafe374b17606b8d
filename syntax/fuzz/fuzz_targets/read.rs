//! Any bytes: every byte comes back, formatting keeps tokens and reaches a fixed point.
//!
//! Run with `cargo +nightly fuzz run read` in `syntax/`. On a stable toolchain run
//! `CIVL_FUZZ_SECONDS=600 cargo test -p civl-syntax --release fuzz_for` instead.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let parse = civl_syntax::parse(&text);
    assert!(parse.syntax_node().text() == *text);
    let once = civl_syntax::format(&text);
    assert_eq!(civl_syntax::format(&once), once);
});
