//! The tables row by row.

use super::{ASYNC, ATOMICITY, AsyncLabel, Label, Phase};

#[test]
fn every_row_of_the_atomicity_table_is_as_written_in_the_manual() {
    use Phase::{After, Before};
    // P, B, R, L, N, Y
    let before = [Some(Before), Some(Before), Some(Before), Some(After), Some(After), Some(Before)];
    let after = [Some(After), Some(After), None, Some(After), None, Some(Before)];
    for (i, label) in Label::ALL.into_iter().enumerate() {
        assert_eq!(ATOMICITY.step(Before, label), before[i], "{label:?}");
        assert_eq!(ATOMICITY.step(After, label), after[i], "{label:?}");
    }
}

#[test]
fn every_row_of_the_async_table_is_as_written_in_the_manual() {
    use Phase::{After, Before};
    // P, M, A, Y
    let before = [Some(Before), Some(Before), Some(After), Some(Before)];
    let after = [Some(After), None, Some(After), Some(Before)];
    for (i, label) in AsyncLabel::ALL.into_iter().enumerate() {
        assert_eq!(ASYNC.step(Before, label), before[i], "{label:?}");
        assert_eq!(ASYNC.step(After, label), after[i], "{label:?}");
    }
}
