//! civl-ir: being built.
