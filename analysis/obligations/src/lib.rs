//! civl-obligations: being built.
