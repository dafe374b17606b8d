//! civl-prover: being built.
