//! Random changes of programs for as long as `CIVL_FUZZ_SECONDS` says, on a stable toolchain.
//!
//! The sequence of texts depends on `CIVL_FUZZ_SEED` only, so a finding can be repeated.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test that is run by hand for a given time"
)]

use std::time::{Duration, Instant};

use crate::lexer::tokenize;
use crate::{Edit, TextRange, format, parse};

/// A small generator of random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

#[test]
fn fuzz_for() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let seconds = number("CIVL_FUZZ_SECONDS").unwrap_or(1);
    let mut random = Random(number("CIVL_FUZZ_SEED").unwrap_or(0x5eed) | 1);
    let programs: Vec<String> = super::programs().into_iter().map(|it| it.1).collect();
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut texts, mut bytes, mut alone) = (0u64, 0u64, 0u64);
    while Instant::now() < end {
        let mut text = programs[random.below(programs.len())].clone();
        for _ in 0..=random.below(12) {
            let edit = change(&text, &programs, &mut random);
            let new_text = edit.apply(&text);
            alone += u64::from(check_edit(&text, &edit, &new_text));
            text = new_text;
            texts += 1;
            bytes += text.len() as u64;
        }
        check_text(&text);
    }
    eprintln!("{texts} texts, {bytes} bytes, {alone} edits read alone, no finding");
}

fn check_edit(text: &str, edit: &Edit, new_text: &str) -> bool {
    let full = parse(new_text);
    assert!(full.syntax_node().text() == new_text, "lost text of {new_text:?}");
    match parse(text).incremental(edit) {
        Some(parse) => {
            assert_eq!(parse.errors(), full.errors(), "{edit:?} in {text:?}");
            assert!(parse == full, "{edit:?} in {text:?}");
            true
        }
        None => false,
    }
}

fn check_text(text: &str) {
    let once = format(text);
    assert!(crate::format::same_tokens(text, &once), "tokens of {text:?}");
    assert_eq!(format(&once), once, "no fixed point: {text:?}");
}

/// Deletes, repeats, moves or inserts tokens or bytes.
fn change(text: &str, programs: &[String], random: &mut Random) -> Edit {
    let tokens = tokenize(text);
    let count = tokens.kinds.len();
    let first = random.below(count + 1);
    let last = (first + random.below(4)).min(count);
    let range = TextRange::new(tokens.starts[first].into(), tokens.starts[last].into());
    let insert = match random.below(8) {
        0 | 1 => String::new(),
        2 => some_bytes(random),
        3 => "([{|<\"/*".chars().nth(random.below(8)).into_iter().collect(),
        4 => text[range].repeat(1 + random.below(3)),
        5 => " \n\t\r"[..1 + random.below(4)].to_owned(),
        _ => some_tokens(&programs[random.below(programs.len())], random),
    };
    if random.below(6) == 0 {
        return byte_edit(text, insert, random);
    }
    Edit { range, text: insert }
}

/// An edit in the middle of a token.
fn byte_edit(text: &str, insert: String, random: &mut Random) -> Edit {
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at as u32
    };
    let start = boundary(random.below(text.len() + 1));
    let end = boundary((start as usize + random.below(3)).min(text.len()));
    Edit { range: TextRange::new(start.into(), end.max(start).into()), text: insert }
}

fn some_bytes(random: &mut Random) -> String {
    let bytes: Vec<u8> = (0..random.below(6)).map(|_| random.next() as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn some_tokens(program: &str, random: &mut Random) -> String {
    let tokens = tokenize(program);
    let first = random.below(tokens.kinds.len());
    let last = (first + random.below(9)).min(tokens.kinds.len());
    program[tokens.starts[first] as usize..tokens.starts[last] as usize].to_owned()
}
