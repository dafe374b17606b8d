//! The `civl` program.
fn main() {}
