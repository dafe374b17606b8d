//! Any bytes: every byte comes back, problems lie inside the text, formatting keeps tokens and reaches
//! a fixed point, and reading one declaration again equals reading everything again.
//!
//! Run with `cargo fuzz run read` in `syntax/`; on a stable toolchain with `RUSTC_BOOTSTRAP=1` and
//! `--sanitizer none` (there is no unsafe code here). Without cargo-fuzz, run
//! `CIVL_FUZZ_SECONDS=600 cargo test -p civl-syntax --release fuzz_for` instead.
#![no_main]

use civl_syntax::{Edit, TextRange, format, parse};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let read = parse(&text);
    assert!(read.syntax_node().text() == *text);
    let end = u32::try_from(text.len()).expect("inputs are short");
    assert!(read.errors().iter().all(|it| u32::from(it.range.end()) <= end));
    let once = format(&text);
    assert_eq!(format(&once), once);
    assert_eq!(words(&once), words(&text));
    let edit = some_edit(&text, bytes);
    if let Some(again) = read.incremental(&edit) {
        assert!(again == parse(&edit.apply(&text)));
    }
});

/// Everything but white space, in order.
fn words(text: &str) -> Vec<String> {
    let root = parse(text).syntax_node();
    let tokens = root.descendants_with_tokens().filter_map(|it| it.into_token());
    let words = tokens.map(|it| it.text().trim().to_owned());
    words.filter(|it| !it.is_empty()).collect()
}

/// An edit whose place and words depend on the input: the last bytes say where and how much, and
/// what is inserted is copied from the beginning.
fn some_edit(text: &str, bytes: &[u8]) -> Edit {
    let number = |back: usize| bytes.iter().rev().nth(back).map_or(0, |it| usize::from(*it));
    let boundary = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary((number(0) * 256 + number(1)) % (text.len() + 1));
    let end = boundary(start + number(2) % 9).max(start);
    let insert = text[..boundary(number(3) % 24)].to_owned();
    let place = |at: usize| u32::try_from(at).expect("inputs are short").into();
    Edit { range: TextRange::new(place(start), place(end)), text: insert }
}
