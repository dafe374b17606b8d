//! civl-base: being built.
