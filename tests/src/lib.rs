//! civl-tests: being built.
