//! civl-testing: being built.
