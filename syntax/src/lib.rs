//! civl-syntax: being built.
