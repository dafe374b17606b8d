//! civl-server: being built.
