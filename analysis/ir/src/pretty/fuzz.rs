//! Damaged texts of obligations: refused, or read as a value that writes and reads back equal.
//!
//! `CIVL_FUZZ_SECONDS=600 cargo test --release -p civl-ir fuzz_for -- --nocapture` runs it longer.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test that is run by hand for a given time"
)]

use std::time::Instant;

use testing::Random;
use testing::random::{damaged, seconds_or};

use super::tests::sample;
use super::{SAMPLE_LAYER, read_layer, read_obligation, write_layer, write_obligation};
use crate::{
    obligation::{Obligation, ObligationId, ObligationKind},
    samples::Dice,
};

#[test]
fn fuzz_for() {
    let (began, time) = (Instant::now(), seconds_or(1));
    let mut random = Random::from_environment();
    let (mut texts, mut read) = (0u64, 0u64);
    while began.elapsed() < time {
        let text = write_obligation(&some_obligation(&mut random));
        for _ in 0..20 {
            let bytes = damaged(text.as_bytes(), &mut random);
            let text = String::from_utf8_lossy(&bytes);
            texts += 1;
            if let Ok(obligation) = read_obligation(&text) {
                read += 1;
                let again = write_obligation(&obligation);
                assert_eq!(read_obligation(&again).as_ref(), Ok(&obligation), "{text}\n{again}");
            }
        }
    }
    println!("{texts} damaged texts, {read} of them read, no finding");
}

#[test]
fn damaged_programs_of_layers_are_refused_or_read_back() {
    let (began, time) = (Instant::now(), seconds_or(1));
    let mut random = Random::from_environment();
    let (mut texts, mut read) = (0u64, 0u64);
    while began.elapsed() < time {
        let bytes = damaged(SAMPLE_LAYER.as_bytes(), &mut random);
        let text = String::from_utf8_lossy(&bytes);
        texts += 1;
        if let Ok(program) = read_layer(&text) {
            read += 1;
            let again = write_layer(&program);
            assert_eq!(read_layer(&again).as_ref(), Ok(&program), "{text}\n{again}");
        }
    }
    println!("{texts} damaged texts, {read} of them read, no finding");
}

fn some_obligation(random: &mut Random) -> Obligation {
    let id = ObligationId::new(ObligationKind::Noninterference, ["P", "action@Q"], Some(1));
    let mut question = sample();
    let depth = 1 + random.below(6) as u32;
    question.axioms.push(Dice::verbatim(random.number()).formula(depth));
    Obligation { id, unit: "Civl_P_1".into(), question }
}
